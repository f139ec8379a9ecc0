"""What learning an architecture leaves behind. Each file is written whole or not at all.

learn.json           what was asked for
stages.json          a record of each of the five stages
architecture.json    the learned architecture; architecture.png and .svg draw it
norms.npz            norm and score of every unit at the peak, and the thresholds; norms.png, .svg
lasso_0.01/          for each lasso coefficient that was tried architecture.json, norms.npz, and
  wide.npz           the wide network's weights at the peak of validation accuracy
  wide.json          the record of its training; wide_curve.csv, .png and .svg show it
  records.jsonl      the retrainings
record.json, curve.csv, model.keras, saved_model/, …    the best retraining: see `run_folder`
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.atomic import replacing
from trainers import figures, learn_figures, protocol, records, run_figures, run_folder
from trainers.cell import Cell
from trainers.errors import RunError

if TYPE_CHECKING:
    import datasets
    from trainers.arch_search import Search
    from trainers.config import RunConfig
    from trainers.learning import LearnedArchitecture
    from trainers.loop import Run

LEARN, STAGES, ARCHITECTURE, NORMS = "learn.json", "stages.json", "architecture.json", "norms.npz"


def open_folder(folder: Path, asked: dict[str, Any]) -> None:
    """Makes the folder, or sees that the one there is of the same search; notes what is asked.

    More coefficients and more runs may be asked for than before.

    Raises:
        RunError: If the folder holds something else.
    """
    there = {path.name for path in folder.glob("[!.]*")}
    asked = json.loads(json.dumps(asked))
    if there and LEARN not in there:
        raise RunError(
            f"{folder} is not empty and holds no learned architecture; choose another --out."
        )
    if any(folder.glob("lasso_*/wide.json")):
        try:
            before = json.loads((folder / LEARN).read_text(encoding="utf-8"))
        except ValueError:
            before = None
        changed = run_folder.differences(before, asked) - {"lassos", "runs"}
        if changed:
            raise RunError(
                f"{folder} holds an architecture learned with other settings "
                f"({', '.join(sorted(changed)) or LEARN}); choose another --out."
            )
    run_folder.write_json(folder / LEARN, asked)


def write(
    folder: Path, learned: LearnedArchitecture, graph: datasets.Graph, save_model: bool
) -> None:
    """Writes the outcome: what the chosen coefficient left behind, and the best retraining."""
    _write_search(folder, learned.search, graph)
    run_folder.write_json(folder / STAGES, stages(learned))
    test = learned.run.test_accuracy
    shown = "" if test is None else f", test {test:.1%}"
    title = (
        f"{graph.name}, learned architecture: validation {learned.run.best.val_accuracy:.1%}{shown}"
    )
    run_folder.write(folder, learned.trainer, learned.run, graph, title, save_model)


class LassoFolder:
    """The folder of one lasso coefficient, with what its stages left behind."""

    def __init__(self, folder: Path, lasso: float) -> None:
        self._path = folder / f"lasso_{lasso}"

    def peak(
        self, config: RunConfig, seed: int
    ) -> tuple[dict[str, np.ndarray] | None, records.Record]:
        """The wide network's weights at the peak, and its record; None if stage 2 is not done."""
        try:
            record = json.loads((self._path / "wide.json").read_text(encoding="utf-8"))
            if (record["key"], record["seed"]) != (config.key(), seed):
                return None, {}
            with np.load(self._path / "wide.npz") as content:
                return dict(content), record
        except FileNotFoundError:
            return None, {}
        except (OSError, ValueError, TypeError, LookupError, EOFError, zipfile.BadZipFile):
            raise RunError(
                f"{self._path} is damaged; remove it, and its part of the search is made again."
            ) from None

    def keep_peak(
        self, weights: dict[str, np.ndarray], record: records.Record, run: Run, name: str
    ) -> None:
        """Keeps what stage 2 found, its record last."""
        (self._path / "wide.json").unlink(missing_ok=True)
        run_folder.write_curve(self._path / "wide_curve.csv", run)
        title = f"{name}, wide network under the lasso: validation {run.best.val_accuracy:.1%}"
        figures.save(run_figures.training_curve(run, title), self._path / "wide_curve")
        _write_npz(self._path / "wide.npz", weights)
        run_folder.write_json(self._path / "wide.json", record)

    def keep_search(self, search: Search, graph: datasets.Graph) -> None:
        """Keeps what stages 3 and 4 found."""
        run_folder.remove_leftovers(self._path, another_run=False)
        _write_search(self._path, search, graph)

    def retrainings(self, config: RunConfig, seeds: Iterable[int]) -> list[records.Record]:
        """Those already made with this config."""
        return protocol.ranked(Cell(config, self._path / run_folder.RECORDS).records(seeds))

    def keep_retraining(self, record: records.Record) -> None:
        """Keeps the record of a run of stage 5."""
        records.append(self._path / run_folder.RECORDS, record)


def stages(learned: LearnedArchitecture) -> list[dict[str, Any]]:
    """A record of each of the five stages."""
    search, config = learned.search, learned.trainer.config
    wide = search.record
    return [
        {"stage": 1, "name": "wide", "architecture": search.wide.to_dict()},
        {
            "stage": 2,
            "name": "lasso",
            "lasso": search.lasso,
            **{
                name: wide[name]
                for name in ("key", "seed", "val_accuracy", "val_loss", "best_step", "num_steps")
            },
            "seconds": wide["seconds"],
        },
        {
            "stage": 3,
            "name": "measure",
            "alive": search.alive,
            "separates": search.separates,
            "thresholds": search.thresholds,
        },
        {"stage": 4, "name": "shrink", "architecture": search.architecture.to_dict()},
        {
            "stage": 5,
            "name": "retrain",
            "key": config.key(),
            "seeds": [record["seed"] for record in learned.retrainings],
            "best_seed": learned.run.seed,
            **protocol.summarize(learned.retrainings).to_dict(),
        },
    ]


def _write_search(folder: Path, search: Search, graph: datasets.Graph) -> None:
    arrays: dict[str, Any] = {"thresholds": np.array(search.thresholds)}
    for kind, layers in (("norm", search.norms), ("score", search.scores)):
        for i, layer in enumerate(layers, start=1):
            arrays |= {f"{kind}_layer{i}_power{power}": each for power, each in layer.items()}
    _write_npz(folder / NORMS, arrays)
    with replacing(folder / ARCHITECTURE) as temporary:
        temporary.write_text(search.architecture.to_json(), encoding="utf-8")
    figures.save(learn_figures.unit_scores(search, graph), folder / "norms")
    figures.save(
        learn_figures.architecture(search.architecture, graph, f"lasso {search.lasso:g}"),
        folder / "architecture",
    )


def _write_npz(path: Path, arrays: dict[str, Any]) -> None:
    with replacing(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, **arrays)
