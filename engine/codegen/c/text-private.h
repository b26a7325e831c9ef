/* text-private: the writer, and what languages differ in. */
#pragma once

#include "engine/codegen/c/text.h"

G_BEGIN_DECLS

typedef struct _Writer Writer;

typedef struct {
  LsDType     dtype;
  const char *space;            /* "__global " or so, or "" */
} Pointee;

/* Words of a language. */
typedef struct {
  const char *header;           /* before all functions */
  const char *helper;           /* before a helper function: "static inline" */
  const char *shared, *local;   /* before the type of an allocation */
  const char *pointer;          /* before the type of a pointer that is a parameter: "__global " */
  const char *restricted;
  const char *barrier, *warp_barrier;
  const char *axes[6];          /* blockIdx.x, y, z, threadIdx.x, y, z; NULL: there are no threads */
  const char *int8, *int64, *uint8, *uint16, *uint32, *uint64, *boolean, *half;   /* NULL: not in the language */
  const char *unroll;
  gboolean    f_suffix;         /* functions of float: expf, not exp */
  gboolean    has_bool_memory;
} Dialect;

struct _Writer {
  LsTextLanguage language;
  const Dialect *words;
  GString    *out;
  GArray     *lines;
  GHashTable *names;            /* LsVar -> char *: its text */
  GHashTable *taken;            /* char * */
  GHashTable *quick;            /* LsVar: pointers that are volatile */
  gboolean    is_hip;           /* CUDA C for AMD's devices */
  GHashTable *fragments;        /* LsVar -> LsPtxFragment: of tensor cores */
  GHashTable *wide;             /* LsVar: pointers to arrays that are copied by vectors of CUDA, which have to lie at multiples of their size */
  GHashTable *types;            /* LsVar of a pointer -> Pointee: what it was declared to point to */
  GHashTable *externs;          /* char * -> char *: dynamic shared memory and its type, of all kernels */
  GHashTable *helpers;          /* char *: helper functions that are used */
  GString    *helper_text;
  guint       indent;
  guint       line;             /* of TVMScript */
  guint       n_temporaries;
  GError     *error;
};

extern const Dialect ls_text_dialects[];

/* Binds tighter the larger. */
enum { PREC_COMMA, PREC_CHOOSE, PREC_OR, PREC_AND, PREC_BIT_OR, PREC_BIT_XOR, PREC_BIT_AND, PREC_EQUAL, PREC_COMPARE, PREC_SHIFT, PREC_ADD, PREC_MUL, PREC_UNARY, PREC_POSTFIX };

/* dialect.c: the name of a type of one number; refuses what the language has not. */
const char *text_type        (Writer *self, LsDType t);
/* As it stands in memory. */
const char *text_memory_type (Writer *self, LsDType t);
void        text_refuse      (Writer *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Makes sure that a helper is there: "floordiv_i32" and so on. Its name, borrowed. */
const char *text_helper      (Writer *self, const char *name, LsDType t);

/* name.c: says what a pointer points to. */
void        text_points_to   (Writer *self, LsVar *var, LsDType t, const char *space);
/* Names a variable, once. Borrowed. */
const char *text_declare     (Writer *self, LsVar *var);
/* Its name; refuses one that nobody declared. Borrowed. */
const char *text_name        (Writer *self, LsVar *var);
/* A name like that one which nobody has. (transfer full) */
char       *text_fresh       (Writer *self, const char *wanted);

/* number.c: a number, in brackets when it binds less than `prec`. */
void        text_int         (Writer *self, LsDType t, gint64 v, int prec);
void        text_float       (Writer *self, LsDType t, double v, int prec);
/* Types of C++ that are computed with as float and rounded: bfloat16 and the 8-bit floats. */
gboolean    text_is_wrapped  (LsDType t);
gboolean    text_is_half     (LsDType t);
/* What is computed as float32 and rounded: in C float16 too, as C may keep more of it between operations. */
gboolean    text_is_rounded  (Writer *self, LsDType t);
/* Before what stands in parentheses, and is converted. */
void        text_type_before (Writer *self, LsDType t);

/* expr.c: lane `lane` of an expression, in brackets when it binds less than `prec`. */
void        text_expr        (Writer *self, LsExpr *expr, guint lane, int prec);
void        text_condition   (Writer *self, LsExpr *expr);
/* "A[i + 4]" */
void        text_element     (Writer *self, LsBuffer *buffer, LsArray *indices, guint lane);

/* matrix.c: an allocation of fragments; a call of tensor cores or asynchronous copies as a statement.  FALSE: it is none. */
gboolean    text_declare_fragment (Writer *self, LsAllocate *node, gint64 elements);
gboolean    text_matrix      (Writer *self, LsExpr *value);
/* A statement that is in a group of asynchronous copies or waits for one, with what stands in it. FALSE: it is none. */
gboolean    text_async       (Writer *self, LsAttrStmt *node);
/* Notes in `wide` what such a call wants aligned. */
void        text_note_wide   (Writer *self, LsExpr *value);

/* stmt.c */
/* Lanes of a store that copies 2 or 4 numbers side by side with one instruction; 0: it does not, or where they begin is not known well enough. */
guint       text_copies      (Writer *self, LsBufferStore *store);
void        text_stmt        (Writer *self, LsStmt *stmt);
/* Declares the shared memory of a kernel. */
void        text_shared      (Writer *self, LsStmt *body);
/* A line of its own. */
void        text_begin       (Writer *self);
void        text_end         (Writer *self);
void        text_put         (Writer *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
