/* memory-compile: what the making of a memory program keeps, and the expressions in it.
 *
 *   memory-code.c      expressions: codes in postfix, sums of loop variables
 *   memory-program.c   statements: loops, conditions, accesses
 */
#pragma once

#include "engine/interp/memory-private.h"

G_BEGIN_DECLS

typedef struct {
  MemoryProgram *program;
  GHashTable    *slots;         /* LsVar -> number + 1 */
  GHashTable    *values;        /* LsVar -> LsExpr: what blocks and lets bind (kept) */
  GHashTable    *buffers;       /* LsVar of the memory -> number + 1 */
  GHashTable    *rows;          /* LsVar of a loop that is written out -> number + 1 */
  guint          loop;          /* the innermost around, G_MAXUINT */
  guint          depth;
  guint          n_refs;
  GArray        *moves;         /* of GArray *: those of each slot, borrowed from the loops */
  MemoryStep    *around;        /* the innermost loop, or NULL */
  gint64         end;           /* of all buffers, bytes */
  GError        *error;
} MemoryCompiler;

/* A sum while it is made. */
typedef struct {
  gint64  base;
  GArray *terms;                /* of Term */
  GArray *codes;                /* of CodeTerm */
} MemorySum;

/* The first reason why a program is not followed; `format` is to be translated and names something. */
void      memory_refuse    (MemoryCompiler *self,
                            LsInterpError   code,
                            const char     *format,
                            const char     *name);

/* An expression in postfix. (transfer full) */
Code     *memory_code_new  (MemoryCompiler *self,
                            LsExpr         *expr);
void      memory_code_free (Code           *self);

/* A sum of nothing but `base`. */
MemorySum memory_sum_new   (gint64          base);
/* Adds factor * expr: terms of loop variables, and codes of what is no such sum. */
void      memory_sum_add   (MemoryCompiler *self,
                            MemorySum      *sum,
                            LsExpr         *expr,
                            gint64          factor);
/* Makes it the place of an access, kept up as the loops of its terms go round; takes what the sum holds. */
void      memory_sum_put   (MemoryCompiler *self,
                            MemorySum      *sum,
                            Ref            *ref);
/* Adds the comparisons that a condition is made of.  FALSE: it is made of others. */
gboolean  memory_add_atoms (MemoryCompiler *self,
                            LsExpr         *expr,
                            GArray         *atoms);

G_END_DECLS
