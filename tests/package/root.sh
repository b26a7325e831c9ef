# A Debian root of its own for the tests of this folder (sourced, bash): $root, $work and $release are set by the caller.

skip()
{
  echo "skipped: $*"
  exit 77
}

fail()
{
  echo "not ok - $*"
  exit 1
}

# root_possible : skips where none can be made.
root_possible()
{
  [ "$(id -u)" = 0 ] || skip "a root is made by root only"
  . /etc/os-release
  [ "${VERSION_CODENAME:-}" = "$release" ] || skip "this is for Debian 12, and this machine has ${PRETTY_NAME:-another system}"
  unshare --mount --pid --fork true 2>/dev/null || skip "this machine allows no namespaces"
}

# root_make PACKAGE,PACKAGE... : the smallest Debian with these.
root_make()
{
  say "Making a root"
  mmdebstrap --variant=minbase --include="$1" "$release" "$root" >"$work/root.log" 2>&1 ||
    { tail -n 5 "$work/root.log"; skip "mmdebstrap cannot make a root here"; }
}

# in_root COMMAND... : with its own /proc, and nothing that runs on afterwards.  $cache, unless it is empty, is a folder that stands at /ccache there.
# The root is the root of a mount namespace and not of
# a chroot: the kernel gives nobody in a chroot the namespaces that the jail of cells is made of.
in_root()
{
  unshare --mount --pid --fork -- sh -c 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" &&
    { mount -t tmpfs tmpfs "$0/dev/shm" 2>/dev/null || mkdir -p "$0/dev/shm"; } &&
    { [ -z "$1" ] || { mkdir -p "$0/ccache" && mount --bind "$1" "$0/ccache"; }; } &&
    shift && cd "$0" && pivot_root . . && umount -l . && cd / && exec "$@"' "$root" "${cache:-}" "$@"
}
