#!/usr/bin/env bash
# What a desktop and translators see: TAP, one line for each.
top=${LS_SOURCE_ROOT:?}
n=0

check()
{
  local name=$1 output
  shift
  n=$((n + 1))
  if ! command -v "$1" >/dev/null; then
    echo "ok $n - $name # SKIP $1 is not installed"
  elif output=$("$@" 2>&1); then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' <<<"$output"
  fi
}

# The paths that a page names in backticks, from the top of the tree or from the page's folder.
check_paths()
{
  local page path status=0
  for page; do
    for path in $(grep -oE '`[a-z]+/[A-Za-z0-9_./-]+`|\]\([A-Za-z0-9_./-]+\)' "$top/$page" | sed -E 's/^`|`$|^\]\(|\)$//g' | grep -vE '^build/|NAME|FOLDER|NN-' | sort -u); do
      [ -e "$top/$path" ] || [ -e "$top/$(dirname "$page")/$path" ] || { echo "$page: there is no $path"; status=1; }
    done
  done
  return $status
}

echo 1..4
check desktop-file desktop-file-validate "$top/data/org.loopscope.Loopscope.desktop"
check metainfo appstreamcli validate --no-net "$top/data/org.loopscope.Loopscope.metainfo.xml"
check translations "$top/data/scripts/update-po" --check
check paths check_paths CONTRIBUTING.md README.md app/README.md engine/README.md lessons/README.md views/README.md
