/* dependence: which iteration has to come after which, found by running the program.
 *
 * For small extents only: the program runs once in the interpreter, every access to memory is looked at, and the last writer
 * and the readers since of each element give the dependences between instances of blocks.  What is found holds for this run:
 * where accesses depend on data, other data may give others.
 */
#pragma once

#include "engine/interp/interp.h"

G_BEGIN_DECLS

typedef enum { LS_ITERATION_RAW, LS_ITERATION_WAW, LS_ITERATION_WAR } LsIterationDepKind;

/* One instance of a block: the values of the loops around it. */
typedef struct {
  LsBlock *block;               /* borrowed from the function */
  gint64  *values;              /* one for each of the loops around the block, outermost first */
  guint    n_values;
} LsInstance;

typedef struct {
  guint              from;      /* numbers of instances */
  guint              to;
  LsIterationDepKind kind;
  LsBuffer          *buffer;    /* borrowed */
  guint              n;         /* how many elements it is about */
} LsIterationDep;

typedef struct {
  GArray    *instances;         /* of LsInstance, in the order in which they ran */
  GArray    *deps;              /* of LsIterationDep, by `to`, each pair and kind and buffer once */
  LsPrimFunc *func;             /* what instances and buffers belong to */
} LsIterationDeps;

/* On zeros.  NULL with an error: extents are not numbers, more than `max_instances` instances run, or the program cannot be
 * interpreted. (transfer full) */
LsIterationDeps *ls_iteration_deps      (LsPrimFunc  *func,
                                         guint        max_instances,
                                         GError     **error);
/* The same on small random numbers, whole and not below 0, others for each `seed`. (transfer full) */
LsIterationDeps *ls_iteration_deps_on   (LsPrimFunc  *func,
                                         guint        max_instances,
                                         guint32      seed,
                                         GError     **error);
void             ls_iteration_deps_free (LsIterationDeps *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsIterationDeps, ls_iteration_deps_free)

G_END_DECLS
