"""Numbers and keys that servers and trackers of TVM say to one another."""
RPC_MAGIC = 0xFF271
RPC_TRACKER_MAGIC = 0x2F271
RPC_CODE_SUCCESS = RPC_MAGIC + 0
RPC_CODE_DUPLICATE = RPC_MAGIC + 1
RPC_CODE_MISMATCH = RPC_MAGIC + 2
RPC_SESS_MASK = 128


class TrackerCode:
    """What is asked of a tracker."""

    FAIL, SUCCESS, PING, STOP, PUT, REQUEST, UPDATE_INFO, SUMMARY, GET_PENDING_MATCHKEYS = -1, 0, 1, 2, 3, 4, 5, 6, 7


def random_key(prefix, cmap=None):
    """A key that is not in the map."""
    import random

    while True:
        key = prefix + str(random.random())
        if not cmap or key not in cmap:
            return key


def split_random_key(key):
    """The two parts of such a key."""
    return key.rsplit(":", 1)


def get_addr_family(addr):
    """The family of an address."""
    import socket

    return socket.getaddrinfo(addr[0], addr[1], 0, 0, socket.IPPROTO_TCP)[0][0]
