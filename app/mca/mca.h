/* mca: the innermost loop of machine code, and what LLVM's machine code analyser says of a round of it.
 *
 * The analyser is the program llvm-mca, started for each question: it reads instructions and never runs them.  Its figures are those of a
 * model of the processor in which every load hits the first cache.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A loop without another one in it. */
typedef struct {
  guint    line;                /* of the text that most of it comes from; 0: from none */
  char    *text;                /* label, instructions and the jump back, a line each */
  guint    from, to;            /* the lines of the text that any of it comes from lie between these; 0: from none */
  guint    first, last;         /* the numbers of these lines among all instructions and labels */
  guint    n;                   /* instructions */
  guint    arithmetic;          /* of floating point */
  guint    fused;               /* of these, multiply-adds */
  guint    loads, stores;       /* instructions that read, or write, memory */
  guint    bits;                /* of the widest register in the arithmetic: 32 or 64 (one number), 128, 256, 512; 0: there is none */
  guint    spills;              /* of these, such that read or write the stack */
  char    *call;                /* the first function that it calls, or NULL */
} LsInnerLoop;

/* All of them, as they stand. (transfer full) of LsInnerLoop */
GPtrArray   *ls_inner_loops     (GVariant            *groups);

/* The loop with the most arithmetic in a round, counted in numbers, else the one with the most loads and stores; NULL: there is no loop.
 * `groups`: a(usas) as the worker's method asm answers, in AT&T's syntax of x86; of others only `n` is counted. (transfer full) */
LsInnerLoop *ls_inner_loop_find (GVariant            *groups);
/* The same among those that come from lines `first` to `last`, else among those of which a part may; NULL: none does. (transfer full) */
LsInnerLoop *ls_inner_loop_find_in (GVariant         *groups,
                                 guint                first,
                                 guint                last);
void         ls_inner_loop_free (LsInnerLoop         *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsInnerLoop, ls_inner_loop_free)

/* One of several alike is named without its number: cycles are those of the one that works most. */
typedef struct { char *name; double cycles; } LsMcaUnit;

/* An instruction of the critical chain: it waits for the one before it in the chain. */
typedef struct {
  guint    instruction;         /* of the loop, from 0 */
  char    *through;             /* "register %xmm2", "memory", "unit Zn3FP0": what it waits for; or NULL */
  gboolean carried;             /* the one before it is of the round before */
} LsMcaLink;

typedef struct {
  double cycles;                /* of a round, on average over many */
  char  *unit;                  /* what is busiest, as LLVM names it: "Zn3FP0", or NULL */
  double busy;                  /* cycles of a round that it works */
  double dispatch;              /* cycles that a round needs at least where nothing waits */
  GArray *units;                /* of LsMcaUnit: those that work, the busiest first */
  GArray *latencies;            /* of guint: cycles of each instruction, with its load */
  GArray *chain;                /* of LsMcaLink; empty: nothing waits for long */
} LsMca;

/* `cpu`: as LLVM names it. */
void         ls_mca_ask         (const char          *text,
                                 const char          *cpu,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             data);
/* NULL with `error`: NOT_FOUND when there is no llvm-mca, FAILED with its own words when it refuses. (transfer full) */
LsMca       *ls_mca_finish      (GAsyncResult        *result,
                                 GError             **error);
/* The figures of its JSON; NULL with `error`: they are not there. (transfer full) */
LsMca       *ls_mca_read        (const char          *json,
                                 GError             **error);
/* A round takes clearly longer than its busiest unit works and its instructions need to begin: it waits for a chain. */
gboolean     ls_mca_waits       (const LsMca         *self);
/* Fills the chain from the words of `llvm-mca -bottleneck-analysis`. */
void         ls_mca_read_chain  (LsMca               *self,
                                 const char          *words);
/* chain.c: puts the chain through registers that the text of the loop has in its place, where a round waits and that chain explains its cycles better. */
void         ls_mca_settle_chain (LsMca              *self,
                                 const char          *text);
void         ls_mca_free        (LsMca               *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsMca, ls_mca_free)

/* What an instruction does ("adds a product to a sum, 8 numbers at once"), in AT&T's syntax of x86, or NULL: it is not known.  In the user's language.
 * (transfer full) */
char        *ls_instruction_words (const char        *text);
/* What a remark of LLVM means for who wrote the loop, and what may help; NULL: nothing is to be added. In the user's language. (transfer full) */
char        *ls_remark_words    (const char          *remark);

G_END_DECLS
