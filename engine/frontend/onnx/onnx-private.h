/* onnx-private: a file as it was read, and an import under way. */
#pragma once

#include "engine/frontend/frontend-private.h"
#include "engine/frontend/onnx/onnx.h"
#include "engine/frontend/onnx/onnx.pb-c.h"    /* protoc-c makes it of onnx.proto */

G_BEGIN_DECLS

struct _LsOnnxModel {
  LsOnnx__Model *proto;
  char          *path, *folder;         /* folder: or NULL */
  gint64         opset;                 /* of the main domain */
};

typedef struct _LsOnnxImport LsOnnxImport;
struct _LsOnnxImport {
  LsFxImport           fx;              /* its args and kwargs are the inputs and attributes of the node: a missing input is LS_FX_NONE */
  LsOnnxModel         *model;
  const LsOnnxOptions *options;
  const LsOnnx__Node  *node;            /* that is being translated */
  guint                place;           /* of it, from 1 */
  gint64               opset;
  GHashTable          *values;          /* name -> LsFxValue: an expression */
  GHashTable          *known;           /* name -> LsFxValue: whole numbers or extents, one or a list of them; truths as LS_FX_BOOL */
  GHashTable          *tensors;         /* name -> LsOnnx__Tensor: weights that were not used yet */
  GHashTable          *stated;          /* name -> LsOnnx__ValueInfo */
  GHashTable          *extents;         /* name of an extent -> LsVar */
  GPtrArray           *said;            /* or NULL */
  GHashTable          *graphs;          /* bytes of an attribute -> LsOnnx__Graph: those inside nodes, or NULL */
  char                *within;          /* the nodes around the graph that is imported, or NULL */
  guint                depth, n_inside; /* graphs around it; nodes of graphs inside nodes up to now */
  void               (*import_node) (LsOnnxImport *self);      /* puts what the node gives under its names; fx.error only where nothing can stand in its place */
};

typedef LsFxValue *(*LsOnnxTranslate) (LsOnnxImport *self);     /* NULL after an error; a list: of each output one */

typedef struct { const char *names; LsOnnxTranslate translate; } LsOnnxHandler;

extern const char *const ls_onnx_rule_texts[];
extern const LsOnnxHandler ls_onnx_handlers_basic[], ls_onnx_handlers_shape[], ls_onnx_handlers_nn[], ls_onnx_handlers_resize[], ls_onnx_handlers_rnn[],
                           ls_onnx_handlers_whole[], ls_onnx_handlers_sample[], ls_onnx_handlers_rare[],
                           ls_onnx_handlers_math[], ls_onnx_handlers_graphs[], ls_onnx_handlers_sequence[], ls_onnx_handlers_random[],
                           ls_onnx_handlers_region[];

/* ---- read.c ---- */
/* The type of a number of the format. */
gboolean   ls_onnx_dtype         (gint32 type, LsDType *dtype);
/* A graph that is an attribute; NULL: it is damaged, or a name in it is no text. (transfer full) */
LsOnnx__Graph *ls_onnx_graph_unpack (const guint8 *data, gsize size);
void       ls_onnx_graph_free    (gpointer graph);
/* NULL with an error that does not name the file. (transfer full) */
LsTensor  *ls_onnx_tensor        (LsOnnxModel *model, const LsOnnx__Tensor *tensor, GError **error);

/* ---- value.c ---- */
gboolean   ls_onnx_is_main       (const LsOnnx__Node *node);            /* of the domain whose operators are known */
/* "node 3 \"relu_0\" (Relu, opset 17)", and before it the nodes whose graphs it is in. (transfer full) */
char      *ls_onnx_describe_node (LsOnnxImport *self);
/* What has this name, as an expression; NULL after an error. */
LsFxValue *ls_onnx_value         (LsOnnxImport *self, const char *name);
/* The input as an expression; NULL: it is missing. */
LsFxValue *ls_onnx_input         (LsOnnxImport *self, guint i);
/* The same, an error where it is missing. */
LsFxValue *ls_onnx_needed        (LsOnnxImport *self, guint i);
/* Attributes; NULL or the default where there is none. */
LsFxValue *ls_onnx_attr          (LsOnnxImport *self, const char *name);
gint64     ls_onnx_attr_int      (LsOnnxImport *self, const char *name, gint64 otherwise);
double     ls_onnx_attr_real     (LsOnnxImport *self, const char *name, double otherwise);
const char *ls_onnx_attr_text    (LsOnnxImport *self, const char *name, const char *otherwise);
/* A list of numbers or extents that is an attribute, or an input of known values; NULL where it is neither given, or after an error.
 * The input may also be one number. */
LsFxValue *ls_onnx_numbers       (LsOnnxImport *self, const char *name, guint input);
/* Element `i` as a number that is known. */
gint64     ls_onnx_number        (LsOnnxImport *self, LsFxValue *list, guint i);
/* An element of a tuple, bound. */
LsFxValue *ls_onnx_field         (LsOnnxImport *self, LsFxValue *tuple, guint i);
/* Values of a constant that is a weight or was computed, up to 4,096 of them; FALSE: it is none. */
gboolean   ls_onnx_reals         (LsOnnxImport *self, guint input, GArray *values);

/* A constant: of as many bytes as the extents say. (`data` is taken) */
LsFxValue *ls_onnx_constant      (LsOnnxImport *self, LsDType dtype, const gint64 *extents, guint n, gpointer data);
/* As another type; the same where it is that. */
LsFxValue *ls_onnx_cast          (LsOnnxImport *self, LsFxValue *x, LsDType dtype);
/* The nearest whole number, of two the even one. */
LsFxValue *ls_onnx_rounded       (LsOnnxImport *self, LsFxValue *x);
/* From `from` to `to` of one dimension. */
LsFxValue *ls_onnx_cut           (LsOnnxImport *self, LsFxValue *x, guint axis, gint64 from, gint64 to);

/* Known values of an input, or NULL. */
LsFxValue *ls_onnx_known_input   (LsOnnxImport *self, guint i);
/* Of a small constant of int64, or NULL. */
LsFxValue *ls_onnx_known_tensor  (LsOnnxImport *self, const LsTensor *tensor);
/* As an expression. */
LsFxValue *ls_onnx_of_known      (LsOnnxImport *self, LsFxValue *known);

/* ---- rules-nn.c ---- */
/* The convolution that the attributes say, and what is added to each channel (NULL: nothing). */
LsFxValue *ls_onnx_convolve      (LsOnnxImport *self, LsFxValue *x, LsFxValue *w, LsFxValue *bias);
/* A value for each channel, which may be one for all, as one that goes with a tensor of `n` dimensions. */
LsFxValue *ls_onnx_by_channel    (LsOnnxImport *self, LsFxValue *value, guint axis, guint n);

/* ---- rules-math.c ---- */
/* Windows over the last axes of a picture. */
typedef struct { gint64 extents[3], out[3], kernel[3], strides[3], dilations[3], pads[3]; } LsOnnxWindows;
/* Where in `x` the first of the greatest elements of each window stands, counted through the whole tensor (each picture by rows, or by columns); of the
 * shape of `y`, which is what MaxPool gives. */
LsFxValue *ls_onnx_places        (LsOnnxImport *self, LsFxValue *x, LsFxValue *y, guint n, const LsOnnxWindows *windows, gboolean by_columns);

/* ---- known.c ---- */
/* What the node gives, where it can be said in whole numbers now; NULL: it cannot. */
LsFxValue *ls_onnx_known         (LsOnnxImport *self);

G_END_DECLS
