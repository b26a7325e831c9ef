/* reduce: a program made smaller as long as something holds of it (delta debugging, as llvm-reduce and mlir-reduce do).
 *
 * What is tried, from the large to the small: functions, statements and loops are left out, alone and in rows; loops, blocks and
 * branches give way to what stands in them; arguments that nobody needs go; a variable of Relax gives way to another one; an expression
 * to a part of it or to a number; extents and constants become smaller.  Every candidate is read and verified before it is asked about,
 * and is smaller than the one before.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Does it still hold of this text?  FALSE with an error ends the reduction. */
typedef gboolean (*LsReduceTest) (const char *text,
                                  gpointer    user_data,
                                  GError    **error);
/* Called with each smaller program that holds, and how many were asked about. */
typedef void     (*LsReduceNews) (const char *text,
                                  guint       n_tried,
                                  gpointer    user_data);

#define LS_REDUCE_ERROR (ls_reduce_error_quark ())
GQuark ls_reduce_error_quark (void);

typedef enum {
  LS_REDUCE_ERROR_PROGRAM,      /* the text is no well-formed program */
  LS_REDUCE_ERROR_TEST          /* what is asked does not hold of the program, as it is printed */
} LsReduceError;

/* The smallest program found, as it is printed; `text` is a module or a function.  `news` may be NULL.  (transfer full) */
char *ls_reduce (const char   *text,
                 LsReduceTest  test,
                 LsReduceNews  news,
                 gpointer      user_data,
                 GError      **error);

G_END_DECLS
