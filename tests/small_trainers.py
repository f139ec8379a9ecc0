"""Trainers for very short runs."""

import dataclasses

from small_settings import SETTINGS

from mixhop_tf import Architecture, Trainer

SMALL = Architecture.default(6, hidden_dims=[12])


def trainer_of(graph, architecture=SMALL, scaling="auto", whole_graph=False, **changes):
    settings = dataclasses.replace(SETTINGS, **changes)
    return Trainer(graph, architecture, settings, scaling=scaling, whole_graph=whole_graph)
