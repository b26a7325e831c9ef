/* kernel: a function of a module, built and ready to be called with arrays of its own. */
#pragma once

#include "engine/codegen/codegen.h"

G_BEGIN_DECLS

typedef struct {
  LsModule  *module;            /* as read */
  char      *func;
  LsKernel  *kernel;
  GPtrArray *arrays;            /* of LsNDArray: one for each parameter */
  GArray    *args;              /* of LsArg, pointing at them */
  gint64     build_ns;
  gboolean   parallel;          /* has a parallel loop */
} LsRunnable;

/* Reads the text, lowers and compiles `func` (NULL: the only function, or the module's first) for `target` (NULL:
 * "llvm") and makes arrays for its parameters, filled with random numbers from `seed`.  The same seed gives the same
 * numbers.  Errors: REQUEST with the first finding of the text, of a parameter without a concrete shape; those of
 * lowering and codegen. (transfer full) */
LsRunnable *ls_runnable_new   (const char  *text,
                               const char  *func,
                               const char  *target,
                               guint64      seed,
                               GError     **error);
void        ls_runnable_free  (LsRunnable  *self);
/* One call. */
gboolean    ls_runnable_call  (LsRunnable  *self,
                               GError     **error);
/* For ls_time_evaluate. */
int         ls_runnable_timed (void        *self);
/* Fills the arrays again as they were at first. */
void        ls_runnable_reset (LsRunnable  *self,
                               guint64      seed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRunnable, ls_runnable_free)

G_END_DECLS
