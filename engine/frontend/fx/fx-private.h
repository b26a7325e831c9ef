/* fx-private: the graph as it was read, and what a rule works with. */
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
  JsonArray  *shape;                    /* or NULL */
  const char *dtype;                    /* or NULL */
  guint       place;                    /* from 1 */
} LsFxNode;

struct _LsFxGraph {
  JsonParser *parser;
  char       *path;
  GPtrArray  *nodes;                    /* of LsFxNode */
  JsonObject *modules;
  GHashTable *tensors;                  /* name -> LsTensor */
};

typedef struct {
  LsFxGraph      *graph;
  LsFxVariant     variant;
  LsBlockBuilder *builder;
  GHashTable     *values;               /* name of a node -> LsNode */
  GPtrArray      *kept;                 /* of LsNode */
  LsTeBridge     *bridge;               /* of the step that is being made */
  LsFxNode       *node;
  JsonObject     *module;               /* of a call_module, else NULL */
  GError         *error;
} LsFxImport;

typedef struct _LsFxRule LsFxRule;
struct _LsFxRule {
  const char *op;                       /* call_function, call_module, call_method */
  const char *target;                   /* "torch.matmul", "torch.nn.Linear", "view" */
  LsNode   *(*translate) (LsFxImport *self, const LsFxRule *rule);      /* Borrowed result; NULL after an error */
  const char *name;                     /* what the rule makes of it: an operator's name */
};

/* ---- read.c, tensors.c ---- */
/* Loads JSON, unless it is nested deeper than any graph is. */
gboolean    ls_fx_json_load    (JsonParser *parser, const char *text, gsize length, GError **error);
GHashTable *ls_fx_tensors_read (const char *path, GError **error);

/* ---- rules.c ---- */
/* The rule, or NULL. */
const LsFxRule *ls_fx_rule_find  (const char *op, const char *target);
/* The targets of a kind, with commas. (transfer full) */
char           *ls_fx_rule_names (const char *op);

/* ---- import.c ---- */
LsNode *ls_fx_keep    (LsFxImport *self, gpointer node);
/* Remembers the first error. Returns NULL. */
gpointer ls_fx_fail   (LsFxImport *self, LsFxError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* ---- steps.c: each binds its result; operands borrowed, NULL in, NULL out ---- */
LsTensorStructInfo *ls_fx_info (LsFxImport *self, LsNode *x);           /* of known shape, else NULL after an error */
gboolean ls_fx_extents    (LsFxImport *self, LsNode *x, GArray *extents);       /* of gint64 */
LsNode *ls_fx_scalar      (LsFxImport *self, double value, LsDType dtype);
LsNode *ls_fx_filled      (LsFxImport *self, double value, gint64 n, LsDType dtype);
LsNode *ls_fx_unary       (LsFxImport *self, const char *op, LsNode *x);        /* "nn.relu", "tanh", ... */
LsNode *ls_fx_binary      (LsFxImport *self, const char *op, LsNode *a, LsNode *b);
LsNode *ls_fx_matmul      (LsFxImport *self, LsNode *a, LsNode *b);
LsNode *ls_fx_linear      (LsFxImport *self, LsNode *x, LsNode *weight, LsNode *bias);
LsNode *ls_fx_softmax     (LsFxImport *self, LsNode *x, const char *op, gint64 axis);
LsNode *ls_fx_reshape     (LsFxImport *self, LsNode *x, const gint64 *extents, guint n);
LsNode *ls_fx_permute     (LsFxImport *self, LsNode *x, const gint64 *axes, guint n);
LsNode *ls_fx_reduce      (LsFxImport *self, const char *op, LsNode *x, LsArray *axes, gboolean keepdims);      /* axes NULL: all */
LsNode *ls_fx_conv2d      (LsFxImport *self, LsNode *x, LsNode *weight, const gint64 *stride, const gint64 *padding, const gint64 *dilation, gint64 groups);
LsNode *ls_fx_pool2d      (LsFxImport *self, const char *op, LsNode *x, const gint64 *kernel, const gint64 *stride, const gint64 *padding,
                           const gint64 *dilation, gboolean ceil_mode, gboolean count_include_pad);
LsNode *ls_fx_batch_norm  (LsFxImport *self, LsNode *x, LsNode **params, double epsilon);       /* gamma, beta, mean, variance */
LsNode *ls_fx_layer_norm  (LsFxImport *self, LsNode *x, LsNode *gamma, LsNode *beta, guint n_axes, double epsilon);

G_END_DECLS
