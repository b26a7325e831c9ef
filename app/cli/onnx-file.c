/* onnx-file: see the header. */
#include "app/cli/onnx-file.h"

#include "app/cli/cli.h"

#include <stdio.h>

LsModule *
ls_cli_read_onnx (const char          *command,
                  const char          *path,
                  const LsOnnxOptions *options)
{
  const LsOnnxOptions parameters = { .keep_params = TRUE };
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsOnnxModel) model = ls_onnx_read (path, &error);
  LsModule *module = model != NULL ? ls_onnx_import (model, options != NULL ? options : &parameters, said, NULL, &error) : NULL;

  for (guint i = 0; module != NULL && i < said->len; i++)
    fprintf (stderr, "warning: %s\n", (const char *) said->pdata[i]);
  if (module == NULL)
    ls_cli_fail (command, "%s", error->message);
  return module;
}
