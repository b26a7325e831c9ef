/* session/torch: the graph of torch.fx that the opened program was made of, for who runs it in torch. */
#pragma once

#include "app/session/engine.h"

G_BEGIN_DECLS

/* Was the opened program read from a saved graph of torch.fx? */
gboolean  ls_engine_session_has_torch  (LsEngineSession *self);
/* Writes the graph into a folder and puts into `params` what the worker's debug-graph wants to be told of it: torch-folder, torch-inputs and torch-names.
 * FALSE with an error: it cannot be written, or no binding of the shown program stems from a node. */
gboolean  ls_engine_session_save_torch (LsEngineSession *self,
                                        const char      *folder,
                                        GVariantDict    *params,
                                        GError         **error);

G_END_DECLS
