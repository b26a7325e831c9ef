/* onnx-file: models of ONNX as what commands read. */
#pragma once

#include "engine/frontend/onnx/onnx.h"

G_BEGIN_DECLS

/* A model of ONNX as a module, with a warning for each node that was not translated.  `options`: NULL: weights are parameters. (transfer full) */
LsModule   *ls_cli_read_onnx      (const char *command,
                                   const char *path,
                                   const LsOnnxOptions *options);

G_END_DECLS
