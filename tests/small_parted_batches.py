"""Short runs of several workers on batches."""

import contextlib
import dataclasses

import numpy as np
import tensorflow as tf
from small_learning import RETRAIN, WIDE, learn_settings, with_settings
from small_parted import _ADAM, _FAST, InterruptionError, make_graph

from mixhop_tf import Architecture, Checkpoint, learn_architecture
from mixhop_tf import baselines as of
from mixhop_tf.training.batches.trainer import BatchTrainer
from mixhop_tf.training.batches.turns import Turns
from mixhop_tf.training.make_trainer import make_trainer

_DRY = {"input_dropout": 0.0, "hidden_dropout": 0.0}
_MIXHOP = Architecture.default(3, hidden_dims=[12], **_DRY)
# Numbers of batches that two workers divide evenly or not.
CASES = {
    "clusters": (_MIXHOP, "clusters:size=14,parts=2,partition=grown", _FAST),
    "walks": (_MIXHOP, "walks:size=12,length=2,updates=3", _ADAM),
    "fields": (of.GCN(hidden_width=4, **_DRY), "fields:size=60,depth=1,fanout=5", _FAST),
    "attention": (
        of.GAT(hidden_width=4, heads=2, attention_dropout=0.0, **_DRY),
        "clusters:size=20,partition=grown",
        _FAST,
    ),
}
_BATCHES = {"batches": "clusters:size=28,parts=2,partition=grown"}
LEARN = learn_settings(
    lasso=0.01,
    importance="loss",
    runs=1,
    wide=with_settings(WIDE, max_steps=6, **_BATCHES),
    retrain=with_settings(RETRAIN, max_steps=3, **_BATCHES),
)


class MeanOfTwo(BatchTrainer):
    """Trains as two workers do, in one process: an update has the mean gradient of two batches."""

    def _take_turns(self, count):
        return Turns(count, size=2)

    def _updated(self, batch, number, size):
        gradients, metrics = [], tf.zeros(3)
        for rank in range(2):
            turns = Turns(self._turns.count, 2, rank)
            share = turns.share(number)
            arrays = self._source.cutter.batch(self._source.sampler, 0, turns.batch(number))
            found, counted = self._gradients([tf.constant(array) for array in arrays])
            gradients.append([share * tf.convert_to_tensor(each) for each in found])
            metrics += counted if share else tf.zeros(3)
        self._apply([tf.add_n(each) for each in zip(*gradients, strict=True)], tf.constant(size))
        return metrics


def settings_of(name):
    """The settings of a case."""
    _, batches, settings = CASES[name]
    return dataclasses.replace(settings, batches=batches, max_steps=4)


def points(run):
    """The numbers of each step."""
    return np.array([(each.loss, each.train_accuracy, each.val_loss) for each in run.curve])


def all_cases(group, folder):
    """Makes every run on this worker."""
    graph, found = make_graph(), {}
    for name, (architecture, _, _) in CASES.items():
        run = make_trainer(graph, architecture, settings_of(name), group=group).run(0)
        found[name] = points(run), run.logits, run.workers
    path = f"{folder}/{group.rank}.npz"  # only the chief writes

    def interrupt(point, _best):
        if point.step == 3:
            raise InterruptionError

    wet = Architecture.default(3, hidden_dims=[12])
    trainer = make_trainer(graph, wet, settings_of("clusters"), group=group)
    found["wet"] = points(trainer.run(0))
    with contextlib.suppress(InterruptionError):
        trainer.run(0, interrupt, checkpoint=Checkpoint(path, every_steps=2))
    steps = []
    run = trainer.run(0, lambda point, _: steps.append(point.step), checkpoint=Checkpoint(path))
    found["resumed"] = steps[0], points(run)
    with contextlib.suppress(InterruptionError):  # the file stays for a run of one process
        trainer.run(0, interrupt, checkpoint=Checkpoint(path, every_steps=2))
    learned = learn_architecture(graph, LEARN, group=group)
    found["learned"] = learned.architecture, learned.run.logits
    return found
