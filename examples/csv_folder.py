"""Trains on a folder of CSV files and predicts, with the commands that a user would run.

    python examples/csv_folder.py [FOLDER]

Writes a small town into FOLDER (by default a temporary folder): who knows whom, everybody's age and
income, and how some people travel. Then it trains a model, adds a newcomer, and predicts.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()).resolve()
town = folder / "town"
town.mkdir(parents=True)
rng = np.random.default_rng(0)
people = [f"person {i}" for i in range(200)]
cyclist = rng.random(200) < 0.5
age = rng.normal(40, 12, 200) - 10 * cyclist
income = rng.normal(50_000, 15_000, 200)


def write(name, header, rows):
    """Writes a CSV file."""
    with open(town / name, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


friends = rng.integers(200, size=(1500, 2))
alike = cyclist[friends[:, 0]] == cyclist[friends[:, 1]]
friends = friends[alike | (rng.random(1500) < 0.2)]
write("edges.csv", ["source", "target"], [[people[u], people[v]] for u, v in friends])
write("features.csv", ["node", "age", "income"], zip(people, age, income, strict=True))
known = [[people[i], "bicycle" if cyclist[i] else "car"] for i in range(120)]
write("labels.csv", ["node", "label"], known)


def run(*arguments):
    """Runs a command of this project, and stops if it fails."""
    print("\n$ python -m", *arguments, flush=True)
    subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=ROOT, check=True)


model = folder / "model"
run("trainers.train", "--dataset", town, "--out", model)

# A newcomer moves into the town.
with open(town / "features.csv", "a", encoding="utf-8", newline="") as file:
    csv.writer(file).writerow(["newcomer", 31, 48_000])
with open(town / "edges.csv", "a", encoding="utf-8", newline="") as file:
    csv.writer(file).writerows([["newcomer", people[i]] for i in np.flatnonzero(cyclist)[:3]])

predictions = folder / "predictions.csv"
run("trainers.predict", "--model", model, "--dataset", town, "--out", predictions)
print("\nThe newcomer:", predictions.read_text(encoding="utf-8").splitlines()[-1])
