/* fx: saved graphs of torch.fx become modules of Relax (what from_fx does, without torch).
 *
 *   read      MODEL.fx.json: nodes in order of execution and the modules' hyper-parameters
 *   tensors   the safetensors file beside it
 *   import    node by node through the BlockBuilder; weights become constants
 *   rules     one table: which torch function, module or method is which step
 *   steps     the steps, each as an operator of Relax and as a tensor expression
 *
 * data/scripts/export_fx.py writes both files and says what stands in them.  Limits: shapes are constant, a graph has one
 * result or a tuple of them, batch normalisation and dropout are those of inference.
 */
#pragma once

#include "engine/relax/relax.h"
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
  LS_FX_TE                      /* call_te of topi */
} LsFxVariant;

typedef struct _LsFxGraph LsFxGraph;

/* An array of the runtime as a tensor of the IR, copied. (transfer full) */
LsTensor  *ls_fx_tensor_new      (LsNDArray    *array);

/* Both files; the tensors' file is named in the first one and stands beside it.  Errors name the file and what was expected. */
LsFxGraph *ls_fx_graph_read      (const char   *path,
                                  GError      **error);
void       ls_fx_graph_free      (LsFxGraph    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFxGraph, ls_fx_graph_free)
/* The table that print_tabular of torch.fx shows. (transfer full) */
char      *ls_fx_graph_tabular   (LsFxGraph    *self);
/* A node of the graph as it was saved, for who shows it. */
typedef struct {
  const char *name, *op, *target;       /* borrowed from the graph */
  const char *module;                   /* the type of the module that a call_module calls, or NULL; borrowed */
  char       *type;                     /* "(1, 128) float32", or NULL */
  GPtrArray  *inputs;                   /* of const char *: names of nodes, in the order of the arguments */
} LsFxRow;

guint      ls_fx_graph_get_n     (LsFxGraph    *self);
void       ls_fx_graph_get_row   (LsFxGraph    *self,
                                  guint         i,
                                  LsFxRow      *row);           /* to be cleared */
void       ls_fx_row_clear       (LsFxRow      *row);
/* A module with "main".  Errors name the node, its target and its place. (transfer full) */
LsModule  *ls_fx_graph_import    (LsFxGraph    *self,
                                  LsFxVariant   variant,
                                  GError      **error);

G_END_DECLS
