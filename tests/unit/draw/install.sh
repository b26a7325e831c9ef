#!/bin/sh
# install: what is installed into a folder works from there: worker, resources, sample, desktop files.
set -eu
build=$1 prefix=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
unset LS_WORKER DISPLAY WAYLAND_DISPLAY LS_BUILD_ROOT LS_SOURCE_ROOT

fail()
{
  echo "$1"
  exit 1
}

meson install -C "$build" --no-rebuild --quiet --destdir "$root" >"$root/log" 2>&1 || fail "$(cat "$root/log")"
at=$root$prefix
for file in bin/loopscope bin/loopscope-cli bin/loopscope-draw \
            share/applications/org.loopscope.Loopscope.desktop \
            share/metainfo/org.loopscope.Loopscope.metainfo.xml \
            share/icons/hicolor/scalable/apps/org.loopscope.Loopscope.svg \
            share/icons/hicolor/scalable/mimetypes/application-x-loopscope.svg \
            share/man/man1/loopscope-cli.1 share/man/man1/loopscope-worker.1 \
            share/bash-completion/completions/loopscope-cli share/zsh/site-functions/_loopscope-cli share/fish/vendor_completions.d/loopscope-cli.fish \
            include/loopscope-0/loopscope/loopscope.h include/loopscope-0/loopscope/loopscope-enums.h \
            share/loopscope/samples/mm_relu.py; do
  [ -s "$at/$file" ] || fail "$file was not installed."
done

cd /
"$at/bin/loopscope-draw" --out "$root/pictures" >"$root/text" || fail "loopscope-draw: $?"
[ -s "$root/pictures/loops.png" ] || fail "loops.png was not drawn."
grep -q "output equals step 0" "$root/text" || fail "$(cat "$root/text")"
"$at/bin/loopscope-cli" check "$at/share/loopscope/samples/mm_relu.py" || fail "loopscope-cli: $?"
