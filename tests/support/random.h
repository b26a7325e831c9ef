/* random: random TensorIR programs and schedule steps, and the interpreter as their judge. */
#pragma once

#include "engine/script/script.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* A random module of one function `main` as TVMScript: one to four stages (elementwise, reduction, window, transposition,
 * padding, broadcast) over small arrays, some of them allocated inside.  (transfer full) */
char     *ls_test_random_program (GRand       *rand);

/* A random module of one function `main` of low-level statements: arrays of all types, loops with negative and empty ranges, conditions
 * and `while` on what memory holds, scalars, casts, vectors, blocks.  (transfer full) */
char     *ls_test_random_tir     (GRand       *rand);

/* A random module of Relax: `main` on tensors of numbers and of the symbols n and m, sometimes a private function `helper`.  The last
 * parameter, (n, m), decides the symbols.  (transfer full) */
char     *ls_test_random_relax   (GRand       *rand);

/* A random module of one function `main` with the steps, as Python text, that bind all of its loops to threads as one would for a GPU.  Numbers
 * are exact in every order of sums.  (transfer full, both) */
char     *ls_test_random_threads (GRand       *rand,
                                  char       **steps);

/* The names of the blocks of a program that ls_test_random_program wrote, in order. (transfer full), NULL-terminated */
char    **ls_test_block_names    (const char  *program);

/* One random step on the blocks of the list: a few lines of Python text that fetch the handles anew and
 * apply one primitive to them, well formed but not always allowed.  (transfer full) */
char     *ls_test_random_step    (GRand       *rand,
                                  char       **block_names,
                                  guint        number);

/* Registers the tensor intrinsics that random steps name: copies of a few elements. */
void      ls_test_register_copies (void);

/* The contents of all arrays after running a function on arrays filled from `seed` with small whole numbers, so that
 * sums come out the same in every order.  NULL with an error.  (transfer full) */
GBytes   *ls_test_interpret_func (LsPrimFunc  *func,
                                  guint64      seed,
                                  GError     **error);

/* The same arrays before the run: one GBytes per parameter (NULL for numbers). (transfer full) */
GPtrArray *ls_test_arguments     (LsPrimFunc  *func,
                                  guint64      seed);

/* The text as a module; the test ends with its diagnostics when it cannot be read. (transfer full) */
LsModule *ls_test_parse          (const char  *text);

G_END_DECLS
