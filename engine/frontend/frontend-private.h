/* frontend-private: the values that flow through an import and what a rule works with, for all that is imported; and a graph of torch.fx as it was read. */
#pragma once

#include "engine/frontend/fx/fx.h"
#include "engine/relax/call-te.h"
#include "engine/runtime/runtime.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name, *op, *target;       /* of the parser */
  JsonArray  *args;
  JsonObject *kwargs;
  JsonArray  *shape;                    /* of numbers and of texts that extent.c reads, or NULL */
  const char *dtype;                    /* or NULL */
  const char *module;                   /* path of the module whose code it is ("layers.0.attn"), or NULL */
  gboolean    custom;                   /* the caller translates it */
  guint       place;                    /* from 1 */
  LsSpan      span;                     /* in the listing */
} LsFxNode;

struct _LsFxGraph {
  gatomicrefcount refs;
  JsonParser *parser;
  char       *path;
  GPtrArray  *nodes;                    /* of LsFxNode */
  JsonObject *modules, *aliases;        /* or NULL */
  JsonArray  *parameters;               /* names of the trainable tensors, or NULL */
  JsonObject *bounds;                   /* name of an extent -> [least, most], each a number or null; or NULL */
  GHashTable *tensors;                  /* name -> LsTensor */
  GPtrArray  *notes;                    /* of char *: what reading it gave up, or NULL */
  LsSource   *listing;                  /* a line for each node: what bindings are said to come from */
};

/* ---- value.c: what a node of the graph stands for, or an argument ------------------------ */

typedef enum {
  LS_FX_NONE,
  LS_FX_BOOL,
  LS_FX_INT,
  LS_FX_REAL,
  LS_FX_TEXT,
  LS_FX_DTYPE,                          /* a text with its name */
  LS_FX_LIST,
  LS_FX_SLICE,                          /* three items */
  LS_FX_ELLIPSIS,
  LS_FX_NODE                            /* an expression of Relax, or an extent */
} LsFxKind;

/* Lives as long as the import. */
typedef struct _LsFxValue LsFxValue;
struct _LsFxValue {
  LsFxKind     kind;
  guint        n;
  union {
    gint64      i;
    double      f;
    const char *s;
    LsFxValue **items;
    LsNode     *node;
  };
};

typedef struct {
  LsFxGraph      *graph;
  const LsFxOptions *options;
  LsBlockBuilder *builder;
  GHashTable     *values;               /* name of a node -> LsFxValue */
  GHashTable     *params;               /* name of a tensor -> LsFxValue */
  GHashTable     *specs;                /* name of an operator -> GArray of LsFxParam */
  GHashTable     *extents;              /* name -> LsVar, of `kept` */
  GHashTable     *made;                 /* in the te variant: what calls became before, or NULL */
  GPtrArray      *kept;                 /* of LsNode */
  GPtrArray      *arena;                /* of LsFxValue, and what they point to */
  LsFxNode       *node;                 /* that is being translated: its arguments, */
  const char     *name;                 /* what it calls, without packages and overload: "conv2d" of torch.ops.aten.conv2d.default */
  LsFxValue     **args, **kwargs;
  const char    **names;
  guint           n_args, n_kwargs;
  JsonObject     *module;               /* and of a call_module the module, else NULL */
  GError         *error;
} LsFxImport;

/* Is something else wanted than torch computes, as TVM makes it? */
static inline gboolean
ls_fx_as_tvm (LsFxImport *self)
{
  return self->options->as_tvm && !self->options->exact;
}

gpointer   ls_fx_alloc     (LsFxImport *self, gsize bytes);             /* zeros that live as long as the import */
LsFxValue *ls_fx_none      (LsFxImport *self);
LsFxValue *ls_fx_bool      (LsFxImport *self, gboolean value);
LsFxValue *ls_fx_int       (LsFxImport *self, gint64 value);
LsFxValue *ls_fx_real      (LsFxImport *self, double value);
LsFxValue *ls_fx_text      (LsFxImport *self, LsFxKind kind, const char *text);         /* copied */
LsFxValue *ls_fx_list      (LsFxImport *self, LsFxValue **items, guint n);              /* the items are copied */
LsFxValue *ls_fx_ints      (LsFxImport *self, const gint64 *values, guint n);
LsFxValue *ls_fx_node      (LsFxImport *self, gpointer node);           /* taken; NULL gives NULL */
LsFxValue *ls_fx_extent    (LsFxImport *self, LsExpr *extent);          /* borrowed; a number where it is one */
LsFxValue *ls_fx_extents   (LsFxImport *self, LsArray *extents);        /* a list of them */
LsFxValue *ls_fx_of_json   (LsFxImport *self, JsonNode *json);          /* references become what they stand for */
/* A constant without dimensions. */
LsFxValue *ls_fx_scalar    (LsFxImport *self, LsFxValue *number, LsDType dtype);
LsFxValue *ls_fx_filled    (LsFxImport *self, double value, const LsFxValue *shape, LsDType dtype);
gboolean   ls_fx_is_number (const LsFxValue *value);
gboolean   ls_fx_is_tensor (LsFxImport *self, const LsFxValue *value);
double     ls_fx_number    (const LsFxValue *value);
/* Of torch or of TVM: "torch.float32", "float", "float32", ... */
gboolean   ls_fx_to_dtype  (LsFxImport *self, const LsFxValue *value, LsDType *dtype);
/* "a tensor", "the number 3", ... (kept) */
const char *ls_fx_describe (LsFxImport *self, const LsFxValue *value);

/* ---- extent.c: extents that are not fixed ------------------------------------------------------ */
/* What a text says; `fresh`: names that are not known yet become variables of int64, as those of an input do.  NULL after an error. (transfer full) */
LsExpr    *ls_fx_extent_read (LsFxImport *self, const char *text, gboolean fresh);
/* The extents of a node's shape. (transfer full); NULL after an error */
LsArray   *ls_fx_extents_read (LsFxImport *self, JsonArray *shape, gboolean fresh);

/* ---- of the tensors that values are (NULL after an error) ---------------------------------- */
LsTensorStructInfo *ls_fx_info  (LsFxImport *self, LsFxValue *x);       /* of known shape */
LsFxValue *ls_fx_shape     (LsFxImport *self, LsFxValue *x);            /* a list of extents */
LsDType    ls_fx_dtype     (LsFxImport *self, LsFxValue *x);
/* A dimension counted from 0. */
gboolean   ls_fx_dimension (LsFxImport *self, gint64 *dim, guint n);

/* ---- argument.c: what the node was given ----------------------------------------------------------- */
/* The argument at a position (from 0) or of a name; NULL where it is missing or None. */
LsFxValue *ls_fx_arg       (LsFxImport *self, const char *name, guint position);
/* The same, an error where there is none. */
LsFxValue *ls_fx_needed    (LsFxImport *self, const char *name, guint position);
/* A hyper-parameter of the module; NULL where it is missing or None. */
LsFxValue *ls_fx_attr      (LsFxImport *self, const char *name);
/* A tensor of the module, or NULL. */
LsFxValue *ls_fx_weight    (LsFxImport *self, const char *name);
gint64     ls_fx_whole     (LsFxImport *self, LsFxValue *value, const char *name, gint64 otherwise);
gboolean   ls_fx_truth     (LsFxValue *value, gboolean otherwise);
/* The arguments from a position on: a list that stands there, or all of them. */
LsFxValue *ls_fx_rest      (LsFxImport *self, const char *name, guint position);

/* ---- call.c ----------------------------------------------------------------------------------------- */
/* An operator on these arguments by position, then by name ("axis", value, ..., NULL); bound.  NULL among the positions: the rest is by
 * name.  A NULL in front, or after an error, gives NULL. */
LsFxValue *ls_fx_call      (LsFxImport *self, const char *op, ...) G_GNUC_NULL_TERMINATED;
#define LS_FX_BY_NAME ((LsFxValue *) self)      /* what follows are names and values */
LsFxValue *ls_fx_call_with (LsFxImport *self, const char *op, LsFxValue **args, guint n, const char **names, LsFxValue **values, guint n_named);
/* Binds an expression. (taken) */
LsFxValue *ls_fx_emit      (LsFxImport *self, gpointer expr);
/* TVM's from_fx says that a product is float32, whatever its operands are. */
LsFxValue *ls_fx_product   (LsFxImport *self, LsFxValue *a, LsFxValue *b);
/* x w^T, in the te variant topi's dense. */
LsFxValue *ls_fx_dense     (LsFxImport *self, LsFxValue *x, LsFxValue *weight);

/* ---- elementwise.c ------------------------------------------------------------------------------------ */
/* How many tensors tir.NAME takes: 1, 2, or 0 when it is no such function. */
guint      ls_fx_elementwise_arity (const char *name);
/* tir.NAME of the elements of tensors (or numbers, beside a tensor), which are broadcast; "lgamma" too, which TensorIR lacks.  Bound. */
LsFxValue *ls_fx_elementwise (LsFxImport *self, const char *name, LsFxValue **args, guint n);

/* ---- rule.c -------------------------------------------------------------------------------------------- */
typedef LsFxValue *(*LsFxTranslate) (LsFxImport *self);         /* NULL after an error */

typedef struct { const char *names; LsFxTranslate translate; } LsFxHandler;     /* "cat concat", modules as "module:Linear" */

extern const char *const ls_fx_rule_texts[];
extern const LsFxHandler ls_fx_handlers_basic[], ls_fx_handlers_shape[], ls_fx_handlers_nn[], ls_fx_handlers_rare[], ls_fx_handlers_aten[], ls_fx_handlers_recurrent[];

/* The result of the node's rule. */
LsFxValue *ls_fx_translate (LsFxImport *self);

/* ---- what rules of several files share (NULL after an error) ------------------------------------------------- */
LsFxValue *ls_fx_masked     (LsFxImport *self, LsFxValue *x, LsFxValue *mask);         /* rules-aten.c: x[mask] */
LsFxValue *ls_fx_layer_norm (LsFxImport *self);                         /* rules-nn.c */
/* Values along a dimension, and where they are. */
LsFxValue *ls_fx_extreme_along (LsFxImport *self, gboolean most);       /* rules-aten.c */

/* ---- rule-text.c ---------------------------------------------------------------------------------------- */
/* What stands behind the name of a rule: its parameters and its expression. */
typedef struct _LsFxText LsFxText;

/* The rules of one line (none of a comment): their names ("relu", "module:ReLU"), and for each its text. (added to both)  FALSE and the problem,
 * a text that lives always; the arrays are to be dropped then. */
gboolean   ls_fx_text_parse (const char *line, GPtrArray *names, GPtrArray *texts, const char **what);
LsFxValue *ls_fx_text_apply (LsFxImport *self, const LsFxText *rule);
void       ls_fx_text_free  (LsFxText *self);

/* ---- read.c, tensors.c, import.c -------------------------------------------------------------------------- */
/* Loads JSON, unless it is nested deeper than any graph is. */
gboolean    ls_fx_json_load    (JsonParser *parser, const char *text, gsize length, GError **error);
GHashTable *ls_fx_tensors_read (const char *path, GError **error);
gpointer    ls_fx_keep         (LsFxImport *self, gpointer node);
/* Remembers the first error. Returns NULL. */
gpointer    ls_fx_fail         (LsFxImport *self, LsFxError code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The first error of a file that cannot be read: the words behind where that is; a later one changes nothing. */
void        ls_fx_fail_file    (GError **error, const char *where, const char *format, va_list args) G_GNUC_PRINTF (3, 0);
/* The tensor of this name as a parameter or a constant, or NULL. */
LsFxValue  *ls_fx_tensor       (LsFxImport *self, const char *name);

G_END_DECLS
