/* onnx: files of ONNX become modules of Relax, without the onnx package.
 *
 *   onnx.proto   the format, as far as it is read; protobuf-c makes the reader of it
 *   read         a file, or bytes; weights in the file or beside it
 *   value        what a node is given: expressions, known whole numbers, attributes
 *   known        whole numbers that are known while importing: shapes, and what graphs compute of them
 *   import       node by node through the BlockBuilder; weights become constants or parameters
 *   rules        the rules that one line can say, in the language of fx/rule-text.c
 *   rules-*      the rules that need more
 *   graphs       If, Loop, Scan: graphs inside nodes
 *
 * Operators of the main domain at opsets 13 to 21, as inference.  A node that no rule translates becomes a call of the packed function
 * "onnx.OP", with the type that the file states for it, and is said; what comes after it is imported as far as its types are known.
 */
#pragma once

#include "engine/frontend/fx/fx.h"

G_BEGIN_DECLS

typedef struct _LsOnnxModel LsOnnxModel;

/* Errors (LS_FX_ERROR) name the file and what is wrong with it. */
LsOnnxModel *ls_onnx_read   (const char         *path,
                             GError            **error);
/* The same from bytes, copied; weights that lie in other files are looked for in `folder` (NULL: there are none).  `name` stands in messages. */
LsOnnxModel *ls_onnx_parse  (const char         *name,
                             gconstpointer       data,
                             gsize               size,
                             const char         *folder,
                             GError            **error);
void         ls_onnx_free   (LsOnnxModel        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsOnnxModel, ls_onnx_free)

/* Zeros are the defaults. */
typedef struct {
  GHashTable *shapes;           /* name of an input -> LsArray of extents, instead of those of the file; or NULL */
  GHashTable *dtypes;           /* name of an input -> name of a type; or NULL */
  gint64      opset;            /* instead of the file's, or 0 */
  gboolean    keep_params;      /* weights are parameters behind the inputs, in the order of the file; attribute num_input */
  gboolean    strict;           /* a node that no rule translates is an error that names all of them */
  gboolean    keep_names;       /* inputs are called as in the file, where that is a name; else what is none in Python is made one */
} LsOnnxOptions;

/* A module with "main".  `said` (or NULL) gets a sentence (char *) for each node that was not translated, with its place, name and
 * operator.  Weights, with keep_params, go to `params` (or NULL) as LsTensor in their order. (transfer full) */
LsModule    *ls_onnx_import (LsOnnxModel         *self,
                             const LsOnnxOptions *options,      /* or NULL */
                             GPtrArray           *said,
                             GPtrArray           *params,
                             GError             **error);
/* The operators of the main domain that have a rule, with commas. (transfer full) */
char        *ls_onnx_list   (void);

G_END_DECLS
