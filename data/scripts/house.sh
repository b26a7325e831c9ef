# Shared by ./run and ./check (sourced, bash): packages, configuring, building.
# Progress goes to stderr, so that stdout belongs to the program or to the tests.

export DEBIAN_FRONTEND=noninteractive

say()
{
  printf '%s\n' "$*" >&2
}

# house_packages SECTION... : the names of data/packages in these sections.
house_packages()
{
  awk -v wanted=" $* " '
    /^[[:space:]]*(#|$)/ { next }
    /^\[/ { gsub (/[][]/, ""); take = index (wanted, " " $0 " "); next }
    take { print $1 }' "$top/data/packages"
}

# The packages among the arguments that are not installed.
house_missing()
{
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}|${Package}\n' "$@" 2>/dev/null |
              sed -n 's/^.i.*|//p')
  printf '%s\n' "$@" | grep -vxF -e "$installed" || true
}

house_apt()
{
  if [ "$(id -u)" = 0 ]; then
    apt-get "$@"
  else
    sudo ${CI:+-n} DEBIAN_FRONTEND=noninteractive apt-get "$@"
  fi
}

# house_install SECTION... : installs what is missing; without the right to, says what is.
house_install()
{
  local missing
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    return 0                    # not Debian: meson will say what it does not find
  fi
  missing=$(house_missing $(house_packages "$@"))
  [ -n "$missing" ] || return 0

  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say "These packages are missing, and installing them needs root or sudo:"
    printf '  %s\n' $missing >&2
    say "As root: apt-get install --no-install-recommends" $missing
    return 1
  fi
  say "Installing" $missing
  if ! { house_apt -q -o Acquire::Retries=3 update &&
         house_apt -q -y -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 \
                   install --no-install-recommends $missing; } </dev/null >&2; then
    say "apt-get could not install these packages:"
    printf '  %s\n' $(house_missing $missing) >&2
    return 1
  fi
}

# The linker of binutils that is three times as quick with hundreds of test programs, where it is there and nobody chose another.
house_linker()
{
  command -v ld.gold >/dev/null && echo gold || echo bfd
}

# house_configure FOLDER [MESON OPTION...] : once.  On CI nobody looks at variables: functions and lines for a backtrace are a tenth less to
# compile and a third of the bytes to link.
house_configure()
{
  local build=$1 log
  shift
  [ -z "${CI:-}" ] || set -- -Dc_args=-g1 "$@"
  [ ! -f "$build/build.ninja" ] || return 0
  say "Configuring $build"
  mkdir -p "$build"
  log=$build/setup.log
  if ! (cd "$top" && CC_LD=${CC_LD:-$(house_linker)} meson setup "$build" "$@") >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    return 1
  fi
}

# house_build_targets FOLDER TARGET... : compiles what changed; without targets, all.
house_build_targets()
{
  local build=$1
  shift
  if ! ninja -C "$build" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "Building in $build"
    ninja -C "$build" "$@" >"$build/compile.log" 2>&1 </dev/null || {
      grep -E -A 8 'error|FAILED|ERROR' "$build/compile.log" | head -n 80 >&2
      say "The whole log: $build/compile.log"
      return 1
    }
  fi
}

# house_build FOLDER [MESON OPTION...] : configures once, then compiles what changed.
house_build()
{
  house_configure "$@" && house_build_targets "$1"
}

# house_display PROGRAM : is there a display, and does it answer PROGRAM (loopscope)?
house_display()
{
  [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ] || return 1
  timeout 20 "$1" --probe-display 2>/dev/null && return 0
  say "The display ${WAYLAND_DISPLAY:-$DISPLAY} does not answer; this is the same job in the terminal."
  return 1
}
