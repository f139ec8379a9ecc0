#!/usr/bin/env bash
# Reproduces the results from a fresh clone with one command. See --help.
set -euo pipefail

usage() {
  cat <<'EOF'
Usage: ./run_all.sh [--quick] [--only PARTS] [--runs N] [--workers N]
       ./run_all.sh --test [PYTEST ARGUMENTS]
       ./run_all.sh --python | --help

  (no option)      reproduce the paper with its full protocol: results/README.md, results/report.html
  --quick          reproduce a small version in a few minutes: results/quick/report.html
  --only PARTS     reproduce only these: table1,table2,table3,figure3,figure4,figure5
  --runs N         runs for each number in a table, instead of 100
  --workers N      number of processes, instead of one per core
  --test           run the test suite; further arguments go to pytest
  --python         only set up, then print the path of the Python that is used
  --help           print this text

The script always sets up first: if the active Python lacks the exact versions in requirements.txt,
they are installed into .venv in this folder. You can run the script again at any time, also after
an interruption: finished work is kept.

  PYTHON=/path/to/python   the Python to use (3.11, 3.12 or 3.13)
  MIXHOP_DATA=/folder      the folder for data, instead of the platform's cache folder
EOF
}

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

SUPPORTED='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
NEEDED_MB=3500 # .venv with TensorFlow, and pip's temporary files

find_python() {
  local candidate found=""
  for candidate in ${PYTHON:+"$PYTHON"} python3 python python3.13 python3.12 python3.11; do
    if "$candidate" -c "$SUPPORTED" 2>/dev/null; then
      command -v -- "$candidate"
      return
    fi
    [ -n "$found" ] || found=$("$candidate" --version 2>/dev/null) || true
    [ -z "${PYTHON:-}" ] || break # if the user names a Python, try no other
  done
  [ -z "${PYTHON:-}" ] || found="$PYTHON is ${found:-not a Python}"
  die "Python 3.11, 3.12 or 3.13 is needed, but ${found:-none was found}." \
    "Install one of them, or say where it is: PYTHON=/path/to/python3.11 ./run_all.sh"
}

has_requirements() {
  "$1" - <<'EOF' 2>/dev/null
import importlib.metadata
for line in open("requirements.txt", encoding="utf-8"):
    name, _, version = line.partition("#")[0].strip().partition("==")
    assert not name or importlib.metadata.version(name) == version
EOF
}

make_venv() {
  local python=$1 free_mb log
  free_mb=$(($(df -Pk . | awk 'NR == 2 {print $4}') / 1024))
  [ "$free_mb" -ge "$NEEDED_MB" ] ||
    die "the disk is full: $free_mb MB are free in $PWD, but .venv needs $NEEDED_MB MB. Free some space and run this again."
  if ! .venv/bin/python -c "$SUPPORTED" 2>/dev/null; then
    say "Creating .venv with $("$python" --version) …"
    "$python" -m venv --clear .venv >&2 ||
      die "$python cannot create a virtual environment; install its venv module (on Debian: python3-venv)."
  fi
  say "Installing requirements.txt into .venv (once; about 2.5 GB) …"
  log=.venv/pip.log
  rm -f -- "$log"
  # The lock file names every package with its hashes.
  # With --log instead of a redirection, pip still shows its progress bars on a terminal.
  local quiet=--quiet
  [ ! -t 2 ] || quiet=""
  if ! .venv/bin/python -m pip install $quiet --no-input --disable-pip-version-check --log "$log" \
    --require-hashes -r requirements.lock >&2; then
    if grep -qE 'No space left on device|Errno 28' "$log"; then
      die "the disk is full: pip could not install into $PWD/.venv. Free some space and run this again."
    elif grep -q 'DO NOT MATCH THE HASHES' "$log"; then
      die "a package differs from the one in requirements.lock: its hash differs. It was not installed; see $PWD/$log."
    elif grep -qE 'ConnectionError|ConnectTimeout|ReadTimeout|Max retries|name resolution|ProxyError|SSLError|No matching distribution' "$log"; then
      die "pip cannot reach a package index with the packages of requirements.txt. Check the network (pip config list shows the index), then run this again."
    fi
    die "pip failed; the reason is above, and the full log is $PWD/$log."
  fi
}

set_up() {
  local python
  python=$(find_python)
  if has_requirements "$python"; then
    PY=$python
    return
  fi
  if command -v flock >/dev/null; then # if two run at once, the second waits for the first
    exec 9>.venv.lock
    flock 9
  fi
  has_requirements .venv/bin/python || make_venv "$python"
  [ ! -e .venv.lock ] || exec 9>&-
  PY=$PWD/.venv/bin/python
}

mode=reproduce
case "${1:-}" in
  --test | --python) mode=${1#--}; shift ;;
  --help | -h) usage; exit ;;
esac
if [ "$mode" = python ] && [ $# -gt 0 ]; then
  die "unexpected argument $1 (see --help)"
fi
if [ "$mode" = reproduce ]; then # check the options now, not after an installation
  value_of=""
  for argument in "$@"; do
    if [ -n "$value_of" ]; then
      value_of=""
      continue
    fi
    case $argument in
      --quick | --only=* | --runs=* | --workers=*) ;;
      --only | --runs | --workers) value_of=$argument ;;
      *) usage >&2; die "unknown option $argument" ;;
    esac
  done
  [ -z "$value_of" ] || die "$value_of needs a value (see --help)"
fi

# Relative paths start from the caller's folder, not from this one.
case "${MIXHOP_DATA:-/}" in /*) ;; *) export MIXHOP_DATA=$PWD/$MIXHOP_DATA ;; esac
case "${PYTHON:-}" in /*) ;; */*) PYTHON=$PWD/$PYTHON ;; esac
unset CDPATH
script=${BASH_SOURCE[0]}
while [ -L "$script" ]; do # if called through a link, follow it
  cd -- "$(dirname -- "$script")"
  script=$(readlink -- "$(basename -- "$script")")
done
cd -- "$(dirname -- "$script")"
export TF_CPP_MIN_LOG_LEVEL=${TF_CPP_MIN_LOG_LEVEL:-2}

set_up
case $mode in
  python) printf '%s\n' "$PY" ;;
  test) exec "$PY" -m pytest -m "not slow" -n auto --dist loadfile "$@" ;;
  reproduce) exec "$PY" -m trainers.run_all "$@" ;;
esac
