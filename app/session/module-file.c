/* session/module-file: see the header. */
#include "app/session/module-file.h"

#include "app/session/opening.h"
#include "engine/frontend/fx/fx.h"
#include "engine/frontend/onnx/onnx.h"
#include "engine/script/script.h"

static LsModule *
read_onnx (const char *path,
           GError    **error)
{
  const LsOnnxOptions options = { .keep_params = TRUE };
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsOnnxModel) model = ls_onnx_read (path, error);

  return model != NULL ? ls_onnx_import (model, &options, said, NULL, error) : NULL;
}

static LsModule *
read_fx (const char *path,
         GError    **error)
{
  g_autoptr (LsFxGraph) fx = ls_fx_graph_read (path, error);

  return fx != NULL ? ls_fx_graph_import (fx, LS_FX_OPS, error) : NULL;
}

static LsModule *
read_script (const char *path,
             GError    **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = ls_opening_load (file, name, NULL, error);
  g_autoptr (LsSource) source = text != NULL ? ls_source_new (name, text, -1) : NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = source != NULL ? ls_script_parse (source, findings) : NULL;

  if (module == NULL && source != NULL)
    {
      g_autofree char *words = ls_diagnostics_print (findings);

      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, g_strstrip (words));
    }
  return module;
}

LsModule *
ls_module_file_read (const char *path,
                     GError    **error)
{
  if (g_str_has_suffix (path, ".onnx"))
    return read_onnx (path, error);
  return g_str_has_suffix (path, ".json") ? read_fx (path, error) : read_script (path, error);
}
