"""Workers wait for each other before TensorFlow starts, and name those that are missing."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from workers import free_addresses

from mixhop_tf.distributed.place import Place
from mixhop_tf.distributed.rendezvous import meet, silent_workers
from mixhop_tf.errors import WorkerError


def outcomes(addresses, ranks, seconds=10.0, notes=None):
    """What each of these workers gets: None, or a sentence."""

    def one(rank):
        try:
            meet(Place(tuple(addresses), rank), (notes or {}).get(rank, "same"), seconds)
        except WorkerError as error:
            return str(error)
        return None

    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, ranks))


def test_all_workers_meet_in_any_order():
    assert outcomes(free_addresses(3), [2, 0, 1]) == [None] * 3


def test_a_worker_that_never_starts_is_named_by_all_others():
    addresses = free_addresses(3)
    start = time.monotonic()
    found = outcomes(addresses, [0, 1], seconds=1.0)
    assert found == [f"Worker 2 at {addresses[2]} did not start in time; start all 3 workers."] * 2
    assert time.monotonic() - start < 5


def test_a_missing_chief_is_named():
    addresses = free_addresses(2)
    (found,) = outcomes(addresses, [1], seconds=0.5)
    assert f"Worker 0 at {addresses[0]}, the chief, did not answer in time" in found


def test_workers_with_other_versions_are_refused():
    addresses = free_addresses(2)
    found = outcomes(addresses, [0, 1], notes={1: "version 2"})
    sentence = f"worker 1 at {addresses[1]} differs from the chief: version 2 instead of same."
    assert found == [sentence] * 2


def test_a_stranger_at_the_port_is_ignored():
    addresses = free_addresses(2)
    host, port = addresses[0].split(":")

    def knock():
        for _ in range(20):
            try:
                with socket.create_connection((host, int(port)), timeout=1) as connection:
                    connection.sendall(b"GET / HTTP/1.0\r\n\r\nmixhop {}\n")
                return
            except OSError:
                time.sleep(0.05)

    stranger = threading.Thread(target=knock)
    stranger.start()
    chief = ThreadPoolExecutor().submit(outcomes, addresses, [0])
    stranger.join()
    assert outcomes(addresses, [1]) == [None]
    assert chief.result() == [None]


@pytest.mark.parametrize("listens", [False, True])
def test_a_worker_that_is_dead_or_frozen_does_not_answer(listens):
    addresses = free_addresses(2)
    frozen = (
        socket.create_server(("127.0.0.1", int(addresses[1].split(":")[1]))) if listens else None
    )
    assert silent_workers(Place(tuple(addresses), 0), seconds=0.3) == [1]
    if frozen:
        frozen.close()
