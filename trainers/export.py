"""Writes a trained model for TensorFlow Serving.

python -m trainers.export --model runs/mine --dataset my/folder --out models/mine

The folder models/mine/1 gets the SavedModel, and requests made from the graph that warm it up.
TensorFlow Serving takes the folder models/mine.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.cores import num_cores
from trainers.cli import app, serve_request, trained_flags
from trainers.sweeps import extras
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    trained_flags.define()
    flags.DEFINE_string("out", None, "Folder of all versions of the model.")
    flags.DEFINE_integer("version", 1, "Number of this version; the largest is served.", 1)
    serve_request.define_name()


def main() -> None:
    """Loads the model and the graph, and writes the folder."""
    values = flags.FLAGS
    trained_flags.check()
    if not values.out:
        raise SettingError("out", "must be given; --help shows how")
    out = Path(values.out).expanduser()
    name = serve_request.resolve_name(values, out)
    extras.require("serve", "tensorflow_serving")
    start_tensorflow(num_cores())
    from trainers.serving import tf_folder  # needs TensorFlow and the extra

    model = Path(values.model).expanduser()
    folder = tf_folder.write(trained_flags.load(), model, out, values.version, name)
    print(f"wrote {folder}; TensorFlow Serving takes --model_name={name} and the folder {out}")


if __name__ == "__main__":
    app.run(main, define_flags)
