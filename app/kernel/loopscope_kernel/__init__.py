"""The process in which cells of lessons run; started by Loopscope with a socket (see app/kernel/kernel.h)."""
