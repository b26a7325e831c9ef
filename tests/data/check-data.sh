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

echo 1..3
check desktop-file desktop-file-validate "$top/data/org.loopscope.Loopscope.desktop"
check metainfo appstreamcli validate --no-net "$top/data/org.loopscope.Loopscope.metainfo.xml"
check translations "$top/data/scripts/update-po" --check
