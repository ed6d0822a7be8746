#!/bin/sh
# Exudyn's figures for the two cables, in an environment of its own (build/peers-venv, made on the first call).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=${FLEXURA_PEERS_VENV:-$root/build/peers-venv}
if ! "$venv/bin/python" -c 'import exudyn, numpy' 2>/dev/null; then
  echo "making $venv: $(tr '\n' ' ' <"$here/requirements.txt")" >&2
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi
exec "$venv/bin/python" "$here/exudyn_cable.py" "$@"
