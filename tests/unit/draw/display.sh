#!/usr/bin/env bash
# display: ./run opens a window only on a display that answers; a dead one is said and is no error.
set -eu
top=$1 app=$2
. "$top/data/scripts/house.sh"
unset DISPLAY WAYLAND_DISPLAY

fail()
{
  echo "$1"
  exit 1
}

house_display "$app" && fail "There is no display, and yet one was found."
for dead in ":7777" "nonsense"; do
  said=$(DISPLAY=$dead house_display "$app" 2>&1) && fail "$dead was taken for a display."
  [[ $said == *"$dead does not answer"* ]] || fail "$dead: nothing was said but: $said"
done
WAYLAND_DISPLAY=nowhere house_display "$app" 2>/dev/null && fail "A dead Wayland display was taken for one."
status=0
DISPLAY=:7777 "$app" --probe-display 2>/dev/null || status=$?
[ "$status" = 3 ] || fail "--probe-display ended with status $status."
