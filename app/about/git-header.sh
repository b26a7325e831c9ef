#!/bin/sh
# git-header.sh SOURCES HEADER: LS_GIT, the newest commit as `git describe` calls it; "" where there is no repository.
git=
[ ! -e "$1/.git" ] || git=$(git -C "$1" describe --tags --always 2>/dev/null) || git=
echo "#define LS_GIT \"$git\"" >"$2"
