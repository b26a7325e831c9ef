/* Inside loopscope-jail only: the program that stands between us and code of somebody else.
 *
 *   main         the command line; outside: starts, passes signals on, ends as the program ended
 *   spaces       namespaces, and what is seen of the machine
 *   first        process 1 of the jail: starts the program, looks after it
 *   limits       rlimits
 *   group        a cgroup, where the machine lets us make one
 *   filter       seccomp
 *   environment  which variables go in
 *   common       saying what went wrong, closing descriptors
 *   attest       tries what must not work, and says what came of it
 *
 * Three processes: ours outside (O), the jail's first (F, process 1 of its own namespace), the program (P).
 * O dies -> the kernel kills F -> the kernel kills everything in the namespace.  P ends -> F tells O how and ends -> the same.
 * No GLib: it starts in 2 ms, and little can go wrong between clone and exec.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum {
  PLACE_READ,           /* as it is, read-only */
  PLACE_WRITE,          /* as it is */
  PLACE_OVER,           /* readable; what is written there is gone afterwards */
  PLACE_SCRATCH,        /* an empty folder, gone afterwards */
} PlaceKind;

typedef struct {
  PlaceKind   kind;
  const char *path;     /* absolute */
} Place;

/* Those in force are told by attest(). */
#define N_SPACES 7
extern const char *const space_names[N_SPACES];

#define MOST_PLACES 256
#define MOST_NAMES 32

typedef struct {
  Place       places[MOST_PLACES];      /* in order: a later one covers an earlier one */
  int         n_places;
  const char *keep[MOST_NAMES];         /* further variables that go in */
  int         n_keep;
  const char *folder;                   /* the program starts in it; NULL: in /tmp */
  uint64_t    memory;                   /* bytes, 0 = no limit */
  uint64_t    scratch;                  /* bytes of each scratch folder */
  uint64_t    file;                     /* bytes of one file, 0 = no limit */
  uint64_t    cpu;                      /* seconds, 0 = no limit */
  long        processes;                /* and threads, 0 = no limit */
  bool        network;                  /* stays open */
  bool        counters;                 /* perf_event_open stays open */
  bool        devices;                  /* GPUs are there, and what /sys tells of them */
  bool        no_group;                 /* limits of single processes only: a cgroup takes milliseconds */
  bool        deaf;                     /* the program starts with SIGINT ignored */
  bool        optional;                 /* --try: without namespaces or filter it goes on */
  bool        attest;                   /* the program is attest() */
  char      **program;                  /* NULL-terminated */
} Wish;

/* What was set up, for attest(). */
typedef struct {
  bool        spaces;
  bool        filter;
  bool        overlay;
  bool        group;                    /* a cgroup with pids.max */
  bool        group_memory;             /* and with memory.max */
  bool        watched;                  /* process 1 counts the processes, since nothing else limits them */
  pid_t       outside[2];               /* O and the one who started it, as O sees them */
  uint64_t    outer_spaces[N_SPACES];   /* inodes of O's namespaces, see space_names */
  uint64_t    outer_home[2];            /* device and inode of the home folder, as O sees it */
  char        why[200];                 /* no namespaces: which step was refused */
} Held;

/* ---- common.c ---- */

/* "loopscope-jail: WHAT: reason of errno" on stderr. */
void  complain             (const char   *what);
/* All descriptors but those (-1 is none).  At most 8. */
void  close_all_but        (const int    *fds,
                            size_t        n);

/* ---- spaces.c ---- */

/* clone() flags of the namespaces. */
int   spaces_flags         (const Wish   *wish);
/* In O, for the child: its ids.  false: refused. */
bool  spaces_map_ids       (pid_t         child);
/* In F: what is seen of the machine.  false: refused, `held->why` says what. */
bool  spaces_enter         (const Wish   *wish,
                            Held         *held);
/* In F, after everything that needs them. */
void  spaces_drop_rights   (void);

/* ---- first.c ---- */

/* Does not return.  `tell`: to O; `alive`: ends when O ends. */
void  first_run            (const Wish   *wish,
                            Held         *held,
                            int           tell,
                            int           alive) __attribute__ ((noreturn));
/* In the process that becomes the program: limits, filter, exec.  Does not return. */
void  program_run          (const Wish   *wish,
                            Held         *held) __attribute__ ((noreturn));

/* ---- limits.c, group.c ---- */

void  limits_set           (const Wish   *wish);
/* Makes a cgroup and puts `member` in; "" in `path` when it cannot. */
void  group_make           (const Wish   *wish,
                            pid_t         member,
                            Held         *held);
/* Removes the folder when its members are gone. */
void  group_remove         (void);

/* ---- filter.c ---- */

/* Once, before fork; false: there is no libseccomp or it refuses. */
bool  filter_load          (const Wish   *wish,
                            const Held   *held);

/* ---- environment.c ---- */

/* Leaves in the environment what the program may know. */
void  environment_clean    (const Wish   *wish);

/* ---- attest.c ---- */

/* In O, what attest() compares with. */
void  attest_prepare       (Held         *held);
/* Lines NAME=VALUE on stdout. */
int   attest               (const Wish   *wish,
                            const Held   *held);
