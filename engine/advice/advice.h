/* advice: what holds a program back, and what to try next.
 *
 *   nest       the innermost statements of a function with their loops: strides, lanes, chains, operations
 *   machine    what the machine can do: peaks, registers, caches, cores
 *   model      seconds that each cause alone would take, per nest and for the whole function
 *   verdict    the cause that holds a measured time, its share of the roof, the next bound; as a sentence and as JSON
 *   propose    complete moves that remove causes, tried on a copy of the schedule, with an estimate as a range
 *   earlier    the same for the program as it was some steps ago, where that promises clearly more
 *   words      the sentences about both, in English; who speaks another language words the same data
 *
 * Everything is counted in the program; nothing here runs it.  Who measures gives the seconds.  The only place that says
 * "slow because".
 */
#pragma once

#include "engine/runtime/runtime.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* ---- machine.c ------------------------------------------------------------ */

typedef struct {
  double gflops;                /* float32, one core */
  double hertz;                 /* estimated from gflops: two multiply-adds of `at_once` numbers a cycle */
  int    lanes;                 /* float32 numbers of a vector register */
  int    at_once;               /* those that a unit takes in a cycle: all, or half of them (Zen 4 takes a register of 512 bits in two); 0: all */
  int    registers;             /* of vectors */
  int    cores;                 /* that may be used */
  int    n_levels;
  gint64 cache[4];              /* bytes of each cache, nearest first */
  double gb_per_s[4];           /* what comes from behind that cache, one core: 1e9 bytes a second */
  char   behind[4][16];         /* the name of what is behind it: "L2", "L3", "DRAM" */
  const int *stopped;           /* atomic, borrowed; once it is not 0, nobody waits for what is worked out, and no more is tried; or NULL */
} LsAdviceMachine;

/* This machine with its measured peaks; `cores` 0: all. */
void ls_advice_machine_init (LsAdviceMachine *self,
                             const LsPeaks   *peaks,
                             int              cores);

/* The same where nothing was measured: its cores, vectors and caches, with the speeds of a usual processor. */
void ls_advice_machine_init_usual (LsAdviceMachine *self,
                                   int              cores);

/* Float32 numbers of a vector register of this machine. */
int   ls_advice_lanes      (void);
/* The file of steps that is meant by `path` on a machine with so many lanes: where there are 16 and NAME.avx512.py lies beside NAME.py, that one; else
 * `path`. (transfer full) */
char *ls_advice_steps_file (const char *path,
                            int         lanes);

/* ---- model.c -------------------------------------------------------------- */

/* Instructions that load `n` numbers side by side into registers of `width`: the rest that fills none comes in powers of two, and each piece but the
 * first has to be put beside the others. */
double ls_advice_vector_loads (gint64 n,
                               gint64 width);

typedef enum {
  LS_CAUSE_ARITHMETIC,
  LS_CAUSE_BANDWIDTH,           /* of a cache level or of memory */
  LS_CAUSE_LATENCY,             /* of loads that reach far: lines of which one element is used */
  LS_CAUSE_CHAIN,               /* operations that wait for each other */
  LS_CAUSE_LOADS,               /* loads and stores of the first cache */
  LS_CAUSE_OVERHEAD,            /* of loops and branches */
  LS_CAUSE_LANES,               /* vector lanes left empty */
  LS_CAUSE_CALLS,               /* of library functions, number by number */
  LS_CAUSE_CORES,               /* cores left idle */
  LS_CAUSE_SHARING,             /* cores write the same lines */
  LS_CAUSE_THREADS,             /* starting them */
  LS_CAUSE_N
} LsCause;

/* "arithmetic", "bandwidth", ... as in JSON. */
const char *ls_cause_name (LsCause cause);

/* One innermost block or statement. */
typedef struct {
  char   *name;                 /* of the block; "" outside blocks */
  LsBlock *block;               /* borrowed; NULL outside blocks */
  double  runs;                 /* of its body */
  double  flop;
  double  seconds;              /* estimated, on the cores that it uses */
  double  by_cause[LS_CAUSE_N]; /* what each alone would take; 0: nothing */
  double  lanes;                /* used of a vector's, 1 to LsAdviceMachine.lanes */
  double  chains;               /* independent sums side by side, in vectors; 0: it is no reduction */
  double  cores;                /* used */
  gboolean in_registers;        /* the sums stay there */
} LsNestCost;

typedef struct {
  double     flop, seconds;
  double     bytes[4];          /* fetched by each cache of the machine; below 0: unknown */
  double     least_bytes;       /* that any schedule has to move: each parameter once */
  int        level;             /* whose bandwidth holds most, or -1 */
  double     memory_seconds;    /* of that level */
  GPtrArray *nests;             /* of LsNestCost */
  char      *loop;              /* how often it runs is no number (LS_LOOP_WHILE: a while), so there is no estimate; or NULL */
  double     guess;             /* then: seconds with some rounds of it, only good to compare programs with */
} LsAdviceCost;

/* In the place of a loop's name, which it cannot be: a word of Python's. */
#define LS_LOOP_WHILE "while"

/* Bytes that a program uses in each call are in the cache from the call before. */
gboolean ls_advice_fits (const LsAdviceMachine *machine,
                         int                    level,
                         double                 bytes);
/* Bytes that the function touches at most, lines of 64 as far as they are used: a gather touches no more, whatever the array has that it may reach.
 * G_MAXDOUBLE: not known. */
double        ls_advice_touched   (LsPrimFunc            *func);
/* What the function is expected to take. (transfer full) */
LsAdviceCost *ls_advice_cost_new  (LsPrimFunc            *func,
                                   LsModule              *module,
                                   const LsAdviceMachine *machine);
void          ls_advice_cost_free (LsAdviceCost          *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsAdviceCost, ls_advice_cost_free)

/* ---- verdict.c ------------------------------------------------------------ */

/* Samples of a time differ so much that other work is in them: `upper` is their third quartile. */
gboolean ls_advice_is_noisy    (double least,
                                double upper);
/* What the program itself takes, which verdicts are about: other work makes samples longer, never shorter, so where they are noisy it is `least`, else
 * the median.  `least`: the least sample, or less than that: the least time for which a program on one core had the processor. */
double   ls_advice_own_seconds (double least,
                                double median,
                                double upper);

/* A cause with the figures that its sentence has; which of them depends on the cause. */
typedef struct {
  LsCause  cause;
  char    *block;               /* that takes most of it; "" outside blocks */
  double   lanes, chains, cores; /* as in LsNestCost */
  gboolean in_registers;
  char     behind[16];          /* the level whose bandwidth it is; "": memory */
  double   bytes;               /* that come from there */
} LsAdviceReason;

typedef struct {
  guint    n_reasons;           /* 0: nothing is known */
  LsAdviceReason reasons[2];    /* what holds it, and what would hold it then (one reason: the roof) */
  gboolean known;               /* FALSE: what is counted does not explain the time */
  double   share;               /* of the roof that is reached: 0 to 1 (more: the roof was measured too low) */
  double   roof_seconds;        /* what the machine needs at least */
  double   explained;           /* estimated seconds over measured ones */
  int      lanes, cores;        /* of the machine */
  char    *loop;                /* nothing is known since this loop has no number of rounds; NULL: it does nothing, or more is known */
  char    *sentence;            /* ls_advice_words_verdict() */
} LsAdviceVerdict;

/* Of a measured time (0: none was measured; then the estimate stands for it). (transfer full) */
LsAdviceVerdict *ls_advice_verdict_new  (LsAdviceCost          *cost,
                                         const LsAdviceMachine *machine,
                                         double                 seconds);
void             ls_advice_verdict_free (LsAdviceVerdict       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsAdviceVerdict, ls_advice_verdict_free)

/* ---- propose.c ------------------------------------------------------------ */

typedef enum {
  LS_ADVICE_TILE,               /* block; a x b sums in registers */
  LS_ADVICE_BLOCKS,             /* block; gone through in blocks of a x b */
  LS_ADVICE_VECTORS,            /* block; vectors of a */
  LS_ADVICE_VECTORS_ALL,        /* in all a blocks without a sum */
  LS_ADVICE_INLINE,             /* a blocks are computed where they are read */
  LS_ADVICE_PARALLEL,           /* block; over a cores */
  LS_ADVICE_DECOMPOSE,          /* block; sums start before loop */
  LS_ADVICE_VECTORIZE,          /* block; the innermost loop, vectors of a */
  LS_ADVICE_UNROLL,             /* block, loop */
  LS_ADVICE_SUMS,               /* block; a sums side by side */
  LS_ADVICE_ROWS,               /* all a blocks row by row; with loop: together in it */
  LS_ADVICE_N_KINDS
} LsAdviceKind;

enum {
  LS_ADVICE_PADDED = 1 << 0,
  LS_ADVICE_COLUMNS_OUTSIDE = 1 << 1,
  LS_ADVICE_SUMS_OUTSIDE = 1 << 2,
  LS_ADVICE_PACKED = 1 << 3,
  LS_ADVICE_ALL_CORES = 1 << 5,
  LS_ADVICE_READER_INSIDE = 1 << 6,
  LS_ADVICE_SUMS_IN_VECTORS = 1 << 7,
  LS_ADVICE_FEWER = 1 << 8,     /* sums in vectors than usual */
  LS_ADVICE_ROWS_IN_BLOCKS = 1 << 9, /* that stay in the second cache */
  LS_ADVICE_ADDED_IN_VECTORS = 1 << 10, /* the sums side by side become those of one vector before they are added one by one */
  LS_ADVICE_FREE_OF_CALLS = 1 << 11, /* what was called for each number is arithmetic in vectors */
};

/* What a proposal does, for its sentences. */
typedef struct {
  LsAdviceKind kind;
  const char  *block, *loop;    /* names, or NULL */
  gint64       a, b;
  guint        flags;
  guint        inlined;         /* so many blocks are computed where they are read, before; 0: none */
} LsAdviceMove;

typedef struct {
  LsSchedule  *schedule;        /* the given one with the steps done */
  LsAdviceMove move;            /* its names are owned */
  char        *title;           /* "Tile C: 4 x 16 sums in registers": ls_advice_words_title() */
  char        *steps;           /* Python lines that do it */
  const char  *why;             /* ls_advice_words_why() */
  LsCause      removes;
  const char  *kind;            /* the recipe: "tile", "rows", ... */
  double       estimate;        /* seconds, by the model alone */
  double       low, high;       /* the range, put in relation to the measured time; 0: not known before that is measured */
  gboolean     again;           /* it begins at an earlier step and leaves those behind it */
  guint        kept, step;      /* then: steps of the schedule before it, and how many of these change the program */
} LsProposal;

/* At most `most` complete moves for the program of a schedule, the most promising first, of different kinds where there are.
 * `sizes`: numbers for symbolic extents, "n=256" (may be NULL); the moves are right for any others.  `seconds`: its measured time (0: none).  `seen` (texts of modules, may be NULL): programs that are not proposed again, to
 * which those proposed are added. (transfer full) of LsProposal */
GPtrArray *ls_advice_propose  (LsSchedule            *schedule,
                               const char            *func,
                               GPtrArray             *sizes,
                               const LsAdviceMachine *machine,
                               double                 seconds,
                               GHashTable            *seen,
                               guint                  most);
void       ls_proposal_free   (LsProposal            *self);
/* Why nothing is proposed for the program, a sentence: what it lacks or is, or what primitives said most often; NULL: something is.  In the language of
 * ls_translate(). (transfer full) */
char      *ls_advice_why_none (LsSchedule            *schedule,
                               const char            *func,
                               GPtrArray             *sizes,
                               const LsAdviceMachine *machine);

/* ---- earlier.c ------------------------------------------------------------ */

/* Puts before `list`, what is proposed for the program of the schedule, at most two proposals that begin at an earlier step of it, where they are
 * expected to be clearly faster than any of the list and than the program as it is; `list` has at most `most` then. */
void       ls_advice_propose_earlier (GPtrArray             *list,
                                      LsSchedule            *schedule,
                                      const char            *func,
                                      GPtrArray             *sizes,
                                      const LsAdviceMachine *machine,
                                      GHashTable            *seen,
                                      guint                  most);

/* ---- move-text.c ---------------------------------------------------------- */

/* A move as a word without blanks and semicolons, for a log. (transfer full) */
char      *ls_advice_move_to_text  (const LsAdviceMove    *move);
/* Of such words with ";" between them (NULL: of none), up to the first that is no move. (transfer full) of LsAdviceMove */
GArray    *ls_advice_moves_from_text (const char          *text);

/* ---- words.c -------------------------------------------------------------- */

/* Of a verdict whose other fields are set. (transfer full) */
char       *ls_advice_words_verdict (const LsAdviceVerdict *verdict);
/* "Vectors of 16 in C". (transfer full) */
char       *ls_advice_words_title   (const LsAdviceMove    *move);
/* Why it should help. */
const char *ls_advice_words_why     (const LsAdviceMove    *move);
/* "tile", "rows", ... as in JSON. */
const char *ls_advice_kind_name     (LsAdviceKind           kind);

G_END_DECLS
