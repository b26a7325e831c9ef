/* session/module-file: a module out of any file that one is kept in; for another thread, as it may take long. */
#pragma once

#include "app/session/ready.h"
#include "engine/frontend/fx/fx.h"
#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* TVMScript, a model of ONNX (.onnx) with its weights as parameters, a saved graph of torch.fx (.json), a module as save_json
 * of TVM writes it (.json), or a program of torch.export (.pt2).  Errors name the file and what is wrong with it.  `weights` gets what its parameters are
 * in the file: name -> GBytes, or NULL where they are none (transfer full). (transfer full) */
LsModule *ls_module_file_read (const char  *path,
                               GHashTable **weights,
                               GError     **error);

/* Is it a model of ONNX, of torch.export, or a saved graph of torch.fx (.fx.json), by its name, or what TVM saved, by its first words?  `path` NULL: FALSE. */
gboolean  ls_model_file_is   (const char  *name,
                              const char  *path);

/* Such a model with all that is needed to show it. */
typedef struct {
  LsModule *module;             /* NULL: none can be made of the graph of torch.fx, `words` say why */
  LsFxGraph *fx;                /* the graph as it was saved, of a .json, or NULL */
  GHashTable *weights;          /* of its parameters those that the file has values of: name -> GBytes; or NULL */
  LsReady  *ready;
  char     *text;               /* of the module */
  char     *words;              /* what could not be translated, a sentence, or NULL */
} LsModelFile;

/* Errors say what is wrong with it, the file called `name`. (transfer full) */
LsModelFile *ls_model_file_read (const char   *path,
                                 const char   *name,
                                 GError      **error);
void         ls_model_file_free (LsModelFile  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsModelFile, ls_model_file_free)

G_END_DECLS
