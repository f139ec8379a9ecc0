"""Addresses of nodes and edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from trainers.serving.schemas import (
    MAX_NAME,
    EdgesChanged,
    EdgesRequest,
    NodeChanged,
    NodeRequest,
    NodeWithNeighbors,
    Removed,
)

if TYPE_CHECKING:
    from trainers.serving.app import Service

_SHOWN = 100  # neighbours in an answer
Id = Annotated[str, Path(max_length=MAX_NAME, min_length=1)]
End = Annotated[str, Query(max_length=MAX_NAME, min_length=1)]


def router(service: Service) -> APIRouter:
    """Makes the addresses `/nodes` and `/edges`."""
    routes = APIRouter(tags=["graph"])
    served, compute = service.served, service.compute

    @routes.get("/nodes/{node:path}/explanation")
    async def explain_node(
        node: Id, top: Annotated[int, Query(ge=1, le=1000)] = 20
    ) -> dict[str, Any]:
        """Explains the answer for a node: what each neighbour and feature contributed."""
        return await compute(service.explanations.explain, node, top)

    @routes.get("/nodes/{node:path}", responses={200: {"model": NodeWithNeighbors}})
    async def get_node(node: Id) -> dict[str, Any]:
        """Predicts the class of a node."""
        return await compute(_described, node)

    @routes.post("/nodes", responses={200: {"model": NodeChanged}, 201: {"model": NodeChanged}})
    async def put_node(request: NodeRequest, response: Response) -> dict[str, Any]:
        """Adds a node, or changes it if it is there, and predicts its class."""
        created, found = await compute(_changed, request)
        response.status_code = 201 if created else 200
        return found | {"created": created}

    @routes.delete("/nodes/{node:path}", responses={200: {"model": Removed}})
    async def delete_node(node: Id) -> dict[str, bool]:
        """Removes a node with its edges."""
        return {"removed": await compute(served.change, {"do": "remove_node", "id": node})}

    @routes.post("/edges", responses={200: {"model": EdgesChanged}})
    async def put_edges(request: EdgesRequest) -> dict[str, Any]:
        """Adds edges, or sets their weights, and predicts the classes of their ends."""
        return {"nodes": await compute(_joined, request)}

    @routes.delete("/edges", responses={200: {"model": Removed}})
    async def delete_edge(source: End, target: End) -> dict[str, bool]:
        """Removes an edge."""
        edges = [{"source": source, "target": target}]
        return {"removed": await compute(served.change, {"do": "remove_edges", "edges": edges})}

    def _described(node: str) -> dict[str, Any]:
        (found,) = served.nodes([node])
        others = served.neighbors(node)
        return found | {"degree": len(others), "neighbors": others[:_SHOWN]}

    def _changed(request: NodeRequest) -> tuple[bool, dict[str, Any]]:
        created = served.change({"do": "node", **request.model_dump(exclude_defaults=True)})
        return created, served.nodes([request.id])[0]

    def _joined(request: EdgesRequest) -> list[dict[str, Any]]:
        edges = request.model_dump(exclude_defaults=True)["edges"]
        served.change({"do": "edges", "edges": edges})
        ends = dict.fromkeys(end for each in request.edges for end in (each.source, each.target))
        return served.nodes(list(ends))

    return routes
