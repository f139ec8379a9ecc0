"""Addresses of TensorFlow Serving's REST interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request

from trainers.serving.schemas import PredictAnswer, PredictRequest
from trainers.serving.tf_serving import VERSION, Predictor, parse

if TYPE_CHECKING:
    from trainers.serving.app import Service

_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": PredictRequest.model_json_schema()}},
    }
}


def router(service: Service) -> APIRouter:
    """Makes the addresses `/v1/models/NAME…`, with and without the version."""
    routes = APIRouter(tags=["TensorFlow Serving"])
    predictor = Predictor(service.served)
    model = f"/v1/models/{service.name}"
    version = f"{model}/versions/{VERSION}"

    @routes.post(
        f"{version}:predict", responses={200: {"model": PredictAnswer}}, openapi_extra=_BODY
    )
    @routes.post(f"{model}:predict", responses={200: {"model": PredictAnswer}}, openapi_extra=_BODY)
    async def predict(request: Request) -> dict[str, Any]:
        """Predicts the nodes of a graph in the request, or nodes of the served graph."""
        body = await request.body()
        return await service.compute(lambda: predictor.predict(parse(body)))

    @routes.get(f"{model}:metadata", operation_id="metadata_verb")
    @routes.get(f"{version}/metadata")
    @routes.get(f"{model}/metadata")
    async def metadata() -> dict[str, Any]:
        """Describes the signatures."""
        return {
            "model_spec": {"name": service.name, "signature_name": "", "version": VERSION},
            "metadata": {"signature_def": {"signature_def": service.signatures}},
        }

    @routes.get(version)
    @routes.get(model)
    async def status() -> dict[str, Any]:
        """Says that the model is served."""
        fine = {"error_code": "OK", "error_message": ""}
        state = {"version": VERSION, "state": "AVAILABLE", "status": fine}
        return {"model_version_status": [state]}

    return routes
