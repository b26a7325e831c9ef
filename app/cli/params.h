/* params: named arrays from files, as a Map of Tensor nodes. */
#pragma once

#include "app/cli/cli.h"
#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* A folder of NAME.npy files, one .npy file (its name), or an .npz or .safetensors archive.  NULL with an error. (transfer full) */
LsMap *ls_cli_read_params (const char  *path,
                           GError     **error);

G_END_DECLS
