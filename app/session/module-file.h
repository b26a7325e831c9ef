/* session/module-file: a module out of any file that one is kept in; for another thread, as it may take long. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* TVMScript, a model of ONNX (.onnx) with its weights as parameters, or a saved graph of torch.fx (.json).  Errors name the file and what is wrong
 * with it. (transfer full) */
LsModule *ls_module_file_read (const char  *path,
                               GError     **error);

G_END_DECLS
