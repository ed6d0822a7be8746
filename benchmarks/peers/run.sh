#!/bin/sh
# Other programs with the same models, in an environment of their own, made on the first call:
#   run.sh cable [...]   exudyn_cable.py, two planar cables
#   run.sh plate [...]   plate.py, a hinged plate; builds the Python package of this tree first
#   run.sh solid [...]   solid.py, a bar of rubber beside FElupe; wants build/release/benchmarks/peer_solid (scripts/bench peer_solid)
#   run.sh linear [...]  linear.py, factors beside CHOLMOD's; wants linear_bench
# solid and linear need libsuitesparse-dev, linear libopenblas-dev.
# FLEXURA_PEERS_VENV: the environment's folder, build/peers-venv if not set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=${FLEXURA_PEERS_VENV:-$root/build/peers-venv}
requirements=$root/scripts/requirements-peers.txt
what=${1:-}
[ "$#" = 0 ] || shift
case "$what" in
  cable) script=exudyn_cable.py ;;
  plate) script=plate.py ;;
  solid) script=solid.py requirements=$root/scripts/requirements-peer-solids.txt venv=$venv-solids ;;
  linear) exec python3 "$here/linear.py" "$@" ;;
  *)
    echo "run.sh: say cable, plate, solid or linear" >&2
    exit 2
    ;;
esac
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
  echo "making $venv: $(tr '\n' ' ' <"$requirements")" >&2
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$venv/requirements.txt"
fi
if [ "$what" = plate ]; then
  # The same words for the compiler cache as elsewhere: scripts/test.
  PYTHONCOERCECLOCALE=0 "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$root"
fi
exec "$venv/bin/python" "$here/$script" "$@"
