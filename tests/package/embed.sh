#!/bin/sh
# The program of tests/package/installed/embed, with the library of the build tree: TAP, one case.
echo 1..1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in Xvfb dbus-run-session setpriv; do
  command -v "$tool" >/dev/null || { echo "ok 1 - embed # SKIP $tool is not installed"; exit 0; }
done
/usr/bin/python3 -c 'import gi' 2>/dev/null || { echo "ok 1 - embed # SKIP python3-gi is not installed"; exit 0; }
if dbus-run-session -- timeout 150 /usr/bin/python3 "$LS_SOURCE_ROOT/tests/package/installed/embed.py" "$work" "$work/picture.png" \
     "$LS_SOURCE_ROOT/data/samples/mm_relu.py" "$LS_SOURCE_ROOT/data/samples/mm_relu_steps.py" >"$work/log" 2>&1 </dev/null; then
  echo "ok 1 - embed"
else
  echo "not ok 1 - embed"
  sed 's/^/# /' "$work/log"
fi
