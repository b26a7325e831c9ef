/* threads: what a run on simulated threads did, as the Threads window shows it: kernels, accesses, events of one block, findings. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LS_THREADS_LANES 64     /* at most, of a warp */

typedef struct {
  guint    kernel, line, lane_bytes, most_ways;
  char    *buffer, *space, *loops;
  gboolean is_store;
  guint64  requests, bytes, sectors, sectors_needed, passes, passes_needed;
} LsThreadsSite;

typedef struct {
  gboolean is_barrier;
  guint    site;                /* a barrier: its line */
  guint    warp;
  guint    lanes;               /* of the warp */
  guint64  mask, live;
  guint    epoch;               /* barriers that the block has passed */
  gint64   offsets[LS_THREADS_LANES];   /* bytes from the start of the buffer's memory */
} LsThreadsEvent;

typedef struct {
  char    *kind, *text;
  gint64   site, other_site;    /* -1: none */
  guint    line, other_line;
  gint64   element;
  gint64   thread[6], other[6]; /* blockIdx.x, y, z, threadIdx.x, y, z */
  gboolean has_other, is_store, other_is_store;
} LsThreadsFinding;

typedef struct {
  gint64   grid[3], block[3];
  guint64  warps, blocks, barriers, branches, divergent, instructions;
  gint64   shared_bytes;
  guint    resident_blocks, resident_warps, most_warps;  /* of a multiprocessor; most_warps 0: not known for this target */
  guint    registers;           /* of a thread, an estimate */
  guint    lanes;               /* of a wavefront of AMD's; 0: another device, or not known */
  guint    vector_registers, scalar_registers;  /* of a thread and of a wavefront there, exact; scalar 0: no limit */
  char     arch[16];            /* whose limits these are: "sm_80" */
  char     limit;               /* what stands in the way of more: 't'hreads, 'b'locks, 's'hared memory, 'r'egisters */
} LsThreadsKernel;

typedef struct {
  GArray   *kernels;            /* of LsThreadsKernel */
  GArray   *sites;              /* of LsThreadsSite */
  GArray   *events;             /* of LsThreadsEvent, of one block of one kernel */
  GArray   *findings;           /* of LsThreadsFinding */
  char     *device;
  gint64    block;              /* whose events they are */
  guint     lanes;              /* of a warp */
  guint     kernel;
  gboolean  more;               /* not all events were kept */
} LsThreads;

/* Of the answer of the worker's method simt. (transfer full) */
LsThreads *ls_threads_new      (GVariant        *answer,
                                gint64           block,
                                guint            kernel);
void       ls_threads_free     (LsThreads       *self);
const LsThreadsKernel  *ls_threads_kernel  (const LsThreads *self,
                                            guint            i);
const LsThreadsSite    *ls_threads_site    (const LsThreads *self,
                                            guint            i);
const LsThreadsEvent   *ls_threads_event   (const LsThreads *self,
                                            guint            i);
const LsThreadsFinding *ls_threads_finding (const LsThreads *self,
                                            guint            i);
/* "4 blocks", "1 warp", "2 barriers", each to stand in a sentence. (transfer full) */
char      *ls_threads_blocks_words   (gint64 n);
char      *ls_threads_warps_words    (gint64 n);
char      *ls_threads_barriers_words (gint64 n);
/* "43  read A_shared (shared): 4 ways" (transfer full) */
char      *ls_threads_site_words  (const LsThreadsSite *site);
/* "Race on element 0 of B: lines 7 and 7, no barrier between" (transfer full) */
char      *ls_threads_finding_words (const LsThreads      *self,
                                   guint                i);
/* What happens in an event, for the picture and for those who do not see it. (transfer full) */
char      *ls_threads_event_words (const LsThreads     *self,
                                   guint                i);

/* "sm_80 holds 3 blocks at a time, 24 of 64 warps: shared memory is the limit"; NULL: not known. (transfer full) */
char      *ls_threads_occupancy_words (const LsThreadsKernel *kernel);

/* Different sectors of 32 bytes that an event touches, sorted; at most `most` of them are put down. Returns how many there are. */
guint      ls_threads_sectors  (const LsThreadsEvent *event,
                                guint                 bytes,
                                gint64               *sectors,
                                guint                 most);
/* Different words of each of the 32 banks, the most of those that are asked for at a time. Returns the most of one. */
guint      ls_threads_banks    (const LsThreadsEvent *event,
                                guint                 bytes,
                                guint                 words[32]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsThreads, ls_threads_free)

G_END_DECLS
