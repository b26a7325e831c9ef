# Shared by the tests of the installed packages (sourced, sh): nothing of a build tree is in reach.
set -eu
unset LS_WORKER LS_LESSONS LS_PYTHON_PATH LS_KERNEL_PATH LS_BUILD_ROOT LS_SOURCE_ROOT PYTHONPATH DISPLAY WAYLAND_DISPLAY 2>/dev/null || true
work=${AUTOPKGTEST_TMP:-$(mktemp -d)}
[ -n "${AUTOPKGTEST_TMP:-}" ] || trap 'rm -rf "$work"' EXIT
samples=/usr/share/loopscope/samples
# (Mesa asks for the home of the user, whatever HOME says.)
export HOME="$work/home" XDG_CACHE_HOME="$work/cache" LC_ALL=C.UTF-8
mkdir -p "$HOME"
cd "$work"

fail()
{
  echo "$1"
  exit 1
}

# says TEXT COMMAND... : the command ends well and says TEXT on standard output.
says()
{
  local text
  text=$1
  shift
  "$@" >out || fail "$*: status $?"
  grep -qF -e "$text" out || fail "$*: \"$text\" is not in what it says: $(head -c 2000 out)"
}
