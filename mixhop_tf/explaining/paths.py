"""The paths of powers from the features to a logit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from mixhop_tf.explaining.program import FEATURES, Program

# Powers of the layers from first to last. None stands for a layer that is skipped.
Path = tuple[int | None, ...]

_MOST = 243  # three powers in five layers


def has_many_paths(program: Program) -> bool:
    """Says whether there are so many paths that they are added up by their number of hops."""
    layers = [stage for stage in program.stages if stage.is_layer]
    return math.prod(len({branch.power for branch in stage.branches}) for stage in layers) > _MOST


def all_paths(program: Program) -> list[Path]:
    """Lists the paths, each once. Of many paths it lists the numbers of hops."""
    if has_many_paths(program):
        return [(hops,) for hops in range(program.hops + 1)]
    last = len(program.stages) - 1
    columns = slice(0, program.stages[last].width)
    return list(dict.fromkeys(_paths(program, last, columns, ())))


def _paths(program: Program, i: int, columns: slice, after: Path) -> Iterator[Path]:
    """Yields the paths that reach some columns of stage `i`."""
    stage = program.stages[i]
    for branch in stage.branches:
        if not _overlap(branch.writes, columns):
            continue
        path = (branch.power, *after) if stage.is_layer else after
        if stage.sources == (FEATURES,):
            yield path
            continue
        widths = (program.stages[source].width for source in stage.sources)
        ends = itertools.pairwise(itertools.accumulate(widths, initial=0))
        for source, (start, stop) in zip(stage.sources, ends, strict=True):
            skipped = sum(program.stages[s].is_layer for s in range(source + 1, i))
            if _overlap(branch.reads, slice(start, stop)):
                read = slice(branch.reads.start - start, branch.reads.stop - start)
                yield from _paths(program, source, read, (None,) * skipped + path)


def _overlap(first: slice, second: slice) -> bool:
    return bool(first.start < second.stop and second.start < first.stop)
