#!/bin/sh
# compile-installed.sh FOLDER...: after meson install, the compiled files of Python packages; FOLDER is without DESTDIR.
for folder; do
  [ ! -d "$DESTDIR$folder" ] || "${PYTHON:-/usr/bin/python3}" -m compileall -q ${DESTDIR:+-s "$DESTDIR"} -p / "$DESTDIR$folder" 2>/dev/null || true
done
