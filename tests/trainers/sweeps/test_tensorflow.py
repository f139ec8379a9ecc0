"""TensorFlow starts without packages that only Keras would use."""

import subprocess
import sys

CODE = """
import sys
from trainers.sweeps.tensorflow import import_tensorflow
import_tensorflow()
print([name for name in ("IPython", "matplotlib", "pandas", "sklearn") if name in sys.modules])
import mixhop_tf
mixhop_tf.make_trainer, mixhop_tf.block_logits
print("sklearn" in sys.modules)
import matplotlib, sklearn
print(matplotlib.__name__, sklearn.__name__)
"""


def test_unused_packages_are_not_loaded_and_can_be_loaded_later():
    answer = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines() == ["[]", "False", "matplotlib sklearn"]
