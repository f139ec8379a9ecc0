"""Runs the commands of a page that ask a server, which runs in a thread; nothing needs curl."""

import threading
import time
import urllib.request
from pathlib import Path

import fork_server

_RUNNING = []


def serve_for_a_page(application, listening):
    """Serves in a thread until `stop`, in place of `trainers.serving.server.serve`."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(application, log_level="error", lifespan="on"))
    own = listening.dup()  # the command closes its own when it ends
    thread = threading.Thread(target=server.run, args=([own],))
    thread.start()
    _RUNNING.append((server, thread, own))
    while not server.started:
        time.sleep(0.01)


def stop():
    """Stops the servers of a page."""
    while _RUNNING:
        server, thread, own = _RUNNING.pop()
        server.should_exit = True
        thread.join()
        own.close()


def curl(words):
    """Asks the server of the page; prints what it answers. An error of HTTP is an error."""
    options = {"-X": "GET", "-d": None, "-H": "content-type: text/plain"}
    url = None
    while words:
        word, *words = words
        if word in options:
            options[word], *words = words
        else:
            assert url is None, f"unknown option: {word}"
            url = word
    _, _, own = _RUNNING[-1]
    url = url.replace("localhost:8501", f"127.0.0.1:{own.getsockname()[1]}")
    name, _, value = options["-H"].partition(": ")
    data = options["-d"] and options["-d"].encode()
    request = urllib.request.Request(url, data, {name: value}, method=options["-X"])
    with urllib.request.urlopen(request, timeout=60) as answer:
        print(answer.read().decode())


def saved_model_cli(words):
    """Runs TensorFlow's command; prints what it prints."""
    module = "tensorflow.python.tools.saved_model_cli"
    answer = fork_server.run_module([module, *words[1:]], cwd=Path.cwd(), environment={})
    assert answer.returncode == 0, answer.stderr
    assert "output" in answer.stdout
    print(answer.stdout)
