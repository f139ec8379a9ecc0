import dataclasses

import datasets
from trainers.sweeps import records, worker
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig


def test_a_graph_that_changed_under_the_sweep_is_refused(tmp_path, make_config, small_graph):
    path = tmp_path / "g.npz"
    small_graph.save(path)
    config = dataclasses.replace(make_config(), data=DataConfig(dataset=str(path)))
    path.unlink()
    datasets.generate(0.9, num_nodes=150, num_classes=6, edges_per_node=3, seed=1).save(path)
    record = worker.execute(worker.Task(Cell(config, tmp_path / "r.jsonl"), 0, 1))
    assert record["status"] == records.FAILED
    assert "has changed since the sweep began" in record["error"]
