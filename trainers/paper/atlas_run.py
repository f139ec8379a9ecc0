"""Makes the record of a graph of the atlas."""

from __future__ import annotations

from pathlib import Path

from trainers.paper import atlas
from trainers.paper.learn_settings import learn_settings, stability_settings
from trainers.runs.stable_folder import StableFolder, identity
from trainers.runs.stable_run import learn
from trainers.sweeps import records


def run(entry: atlas.Entry, records_dir: Path, work_dir: Path, data_dir: str | None) -> str:
    """Learns the architecture of a graph unless its record is there; returns a line about it."""
    path = atlas.path_of(records_dir, entry.name)
    if path.exists():
        return f"{entry.name}: on record"
    graph, data = entry.load(data_dir), entry.data
    settings, stability, seed = learn_settings(data), stability_settings(data), 0
    folder = work_dir / path.stem
    with records.exclusive(folder):
        content = identity(settings, stability, data, graph, seed)
        learned = learn(
            StableFolder(folder, content),
            graph,
            settings,
            stability,
            (atlas.COLUMNS,),
            seed=seed,
            scaling=data.scaling_of(graph),
        )
    made = atlas.record(entry, graph, learned)
    atlas.keep(records_dir, made)
    widths = " then ".join(",".join(map(str, dims)) for dims in made["widths"])
    return f"{entry.name}: {widths}, {100 * made['gain']:+.2f} points against even"
