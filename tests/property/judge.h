/* judge: does any pass or level of optimisation change what a low-level program computes?
 *
 * The interpreter says what the program means; against it are held each pass alone on the program and on the lowered one, every step of
 * the lowering, and machine code of levels 0 and 3.  What is known beforehand of the results holds the interpreter too. */
#pragma once

#include "engine/base/base.h"
#include "engine/ir/ir.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Arrays of so many bytes are not filled where nothing is known of them, and hold zeros. */
#define LS_JUDGE_LARGE ((gsize) 1 << 26)

/* Fills the array of a parameter: `n` elements of type `type`. */
typedef void (*LsJudgeFill) (guint       param,
                             LsBuffer   *buffer,
                             guint8     *data,
                             gsize       n,
                             gpointer    user_data);

typedef struct {
  gboolean    compiled;         /* machine code too */
  gboolean    only_meaning;     /* the interpreter against what is known, and nothing else */
  gboolean    checked;          /* machine code with check_bounds too, of the program as it is written and of the lowered one */
  const char *error;            /* the program stops with a sentence that has these words, checked machine code as well; NULL: it does not stop */
  gboolean    as_written;       /* with `error`: only as long as it has blocks and its buffers their shapes; lowered it may do anything */
  gboolean    guarded;          /* with `error`: so does machine code without check_bounds */
  GArray     *places;           /* of gint64: the elements that are looked at of arrays of LS_JUDGE_LARGE bytes and more; NULL: none */
  LsJudgeFill before;           /* the arrays; NULL: random ones, with bounds of the type, NaN and infinities */
  LsJudgeFill after;            /* laid over those, what they must be in the end; NULL: nobody knows */
  gpointer    user_data;

  char       *what;             /* the first thing wrong, or NULL */
  gboolean    no_meaning;       /* the interpreter stops with an error */
  char       *why;              /* and says this */
  GBytes     *want;
  GPtrArray  *inputs;           /* private, as what follows: of LsNDArray */
  gboolean    large;
  GPtrArray  *judged;           /* of LsPrimFunc */
} LsJudge;

/* Tries all of it on the function `main`, up to the first thing wrong. */
void ls_judge_module (LsJudge  *self,
                      LsModule *module);

void ls_judge_clear  (LsJudge  *self);

G_END_DECLS
