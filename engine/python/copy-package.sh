#!/bin/sh
# copy-package.sh FROM TO STAMP [FILE FOLDER]: copies the Python package into the build folder; files that are gone go there too.
# The copy gets its compiled files here: where they cannot be written later, importing takes twice as long.
set -e
rm -rf "$2"
cp -r "$1" "$2"
[ -z "$4" ] || cp "$4" "$2/$5"
find "$2" -name __pycache__ -prune -exec rm -rf {} +
"${PYTHON:-/usr/bin/python3}" -m compileall -q "$2" 2>/dev/null || true
touch "$3"
