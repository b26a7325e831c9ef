/* fx: saved graphs of torch.fx become modules of Relax (what from_fx does, without torch).
 *
 *   read      MODEL.fx.json: nodes in order of execution and the modules' hyper-parameters
 *   tensors   the safetensors or npz file beside it
 *   import    node by node through the BlockBuilder; weights become constants or parameters
 *   value     what nodes stand for: tensors, numbers, shapes, tuples
 *   rule      which rule translates a node, and what it gives a rule
 *   rule-text the language of rules
 *   rules     the rules as text, one a line
 *   rules-*   the rules that need more than a line
 *   rows      the nodes one by one, for who shows them
 *   save      both files again, for who runs the graph in torch; which binding each node became
 *   call      operators by the table of engine/relax; in the te variant each becomes a call of a TensorIR function
 *
 * data/scripts/export_fx.py writes both files and says what stands in them.  A rule belongs to the last part of a torch function's
 * or method's name, or of a module's class: `relu` is torch.relu, torch.nn.functional.relu and Tensor.relu.  Rules of one's own are lines of
 * a text (ls_fx_rules_add_text, `import --rules FILE`):
 *
 *   mish(x)            = multiply(x, tanh(nn.softplus(x)))
 *   module Swish(x)    = multiply(x, sigmoid(multiply(x, self.beta)))
 *
 * or functions in C (ls_fx_rules_add).  Limits: shapes of inputs are constant unless the caller gives the variables; a graph has one result or a
 * tuple of them; dropout is that of inference.
 */
#pragma once

#include "engine/relax/block-builder.h"
#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

#define LS_FX_ERROR (ls_fx_error_quark ())
GQuark ls_fx_error_quark (void);

typedef enum {
  LS_FX_ERROR_FILE,             /* a file is not what it should be */
  LS_FX_ERROR_GRAPH,            /* nodes that do not go together */
  LS_FX_ERROR_UNSUPPORTED       /* a node that no rule translates */
} LsFxError;

typedef enum {
  LS_FX_OPS,                    /* operators of Relax */
  LS_FX_TE                      /* calls of TensorIR functions made of tensor expressions */
} LsFxVariant;

typedef struct _LsFxGraph LsFxGraph;

/* An array of the runtime as a tensor of the IR, copied. (transfer full) */
LsTensor  *ls_fx_tensor_new      (LsNDArray    *array);

/* Both files; the tensors' file is named in the first one and stands beside it.  Errors name the file and what was expected. */
LsFxGraph *ls_fx_graph_read      (const char   *path,
                                  GError      **error);
/* The bindings of an imported module have the span of their node in a listing of the graph, one line for each node (ls_source_lookup
 * as long as the graph lives): "relu, call_module act, mlp.py line 12: x = self.act(x)"; file, line and text are there where the
 * node says them ("source": {"file", "line", "text"}). */
/* The same from a text and the tensors' values (name -> LsTensor, borrowed, may be NULL); `name` stands in messages. */
LsFxGraph *ls_fx_graph_parse     (const char   *name,
                                  const char   *text,
                                  gsize         length,
                                  GHashTable   *tensors,
                                  GError      **error);
LsFxGraph *ls_fx_graph_ref       (LsFxGraph    *self);
/* Gives a reference up. */
void       ls_fx_graph_free      (LsFxGraph    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFxGraph, ls_fx_graph_free)
/* The table that print_tabular of torch.fx shows. (transfer full) */
char      *ls_fx_graph_tabular   (LsFxGraph    *self);

/* A node of the graph as it was saved, for who shows it. */
typedef struct {
  const char *name, *op, *target;       /* borrowed from the graph */
  const char *module;                   /* the type of the module that a call_module calls, or NULL; borrowed */
  const char *path;                     /* of the module whose code it is, or NULL; borrowed */
  char       *type;                     /* "(1, 128) float32", or NULL */
  GPtrArray  *inputs;                   /* of const char *: names of nodes, in the order of the arguments */
} LsFxRow;

guint      ls_fx_graph_get_n     (LsFxGraph    *self);
void       ls_fx_graph_get_row   (LsFxGraph    *self,
                                  guint         i,
                                  LsFxRow      *row);           /* to be cleared */
void       ls_fx_row_clear       (LsFxRow      *row);
/* Translates a node that says "custom": true: its name and what the nodes that it uses stand for (name -> expression, borrowed). (transfer full) */
typedef LsNode *(*LsFxCustomFunc) (const char  *name,
                                   GHashTable  *inputs,
                                   gpointer     user_data,
                                   GError     **error);

/* Zeros are the defaults. */
typedef struct {
  LsFxVariant variant;
  LsArray    *inputs;                   /* of RelaxVar: the parameters for the placeholders, or NULL: from their shapes */
  gboolean    keep_params;              /* trainable tensors are parameters behind the inputs, by name; attribute num_input */
  gboolean    keep_paths;               /* bindings are called by the module whose code they are, where the graph says it: layers_0_attn_matmul, not lv7 */
  gboolean    unwrap_unit_tuple;        /* a result that is a tuple of one is that one */
  gboolean    no_bind_tuple;            /* each field of the result is bound, the tuple is not */
  gboolean    as_tvm;                   /* what TVM's from_fx makes where it computes another thing than torch: batch_norm is the operator, std and
                                           var divide by the number of elements, averages do not count padding, resizing rounds, % has the sign of the
                                           dividend */
  gboolean    exact;                    /* with as_tvm: its forms, but torch's numbers and types where TVM's are others (std, sort, average pools, products of float16) */
  LsBlockBuilder *builder;              /* makes the module with it, or NULL: with one of its own */
  LsFxCustomFunc custom;                /* or NULL */
  gpointer    custom_data;
  GPtrArray  *said;                     /* or NULL: what no rule translates is an error.  Else it stands as a call of the packed function "torch.NAME" of the type that
                                           the graph states for it, and a sentence (char *) is added, with its place and target */
} LsFxOptions;

/* A module with "main".  Errors name the node, its target and its place. (transfer full) */
LsModule  *ls_fx_graph_import    (LsFxGraph         *self,
                                  const LsFxOptions *options,           /* or NULL */
                                  GError           **error);

/* ---- save.c: the graph for who runs it in torch ------------------------------------------------------------ */

/* FOLDER/graph.fx.json and FOLDER/graph.safetensors, which ls_fx_graph_read() takes too, whatever became of the files that the graph was read from. */
gboolean   ls_fx_graph_save      (LsFxGraph         *self,
                                  const char        *folder,
                                  GError           **error);
/* Which binding of an imported module each node became last: name of the node -> name of a variable of main.  Placeholders are its parameters in
 * their order.  Bindings that were changed since have their node as long as they have its span. (transfer full) */
GHashTable *ls_fx_graph_became   (LsFxGraph         *self,
                                  LsModule          *module);

/* ---- rules of one's own; they come before the built-in ones, the latest first ------------------------------- */

/* Makes the expression of a call from its arguments (expressions of Relax or, where there is none, NULL); borrowed.  NULL after an error.
 * (transfer full) */
typedef LsNode *(*LsFxRuleFunc)  (LsBlockBuilder    *builder,
                                  LsNode           **args,
                                  guint              n_args,
                                  gpointer           user_data,
                                  GError           **error);
/* `name` as in the text of a rule: "mish", "module Swish".  Stays until the end of the process. */
void       ls_fx_rules_add       (const char        *name,
                                  LsFxRuleFunc       func,
                                  gpointer           user_data);
/* One rule a line; # starts a comment.  Errors: FILE with the line. */
gboolean   ls_fx_rules_add_text  (const char        *text,
                                  GError           **error);
/* What has a rule, with commas: op is "call_function", "call_method" or "call_module". (transfer full) */
char      *ls_fx_rules_list      (const char        *op);

G_END_DECLS
