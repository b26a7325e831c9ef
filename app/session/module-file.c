/* session/module-file: see the header. */
#include "app/session/module-file.h"

#include "app/session/opening.h"
#include "engine/frontend/fx/fx.h"
#include "engine/frontend/onnx/onnx.h"
#include "engine/frontend/pt2/pt2.h"
#include "engine/script/saved.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>
#include <string.h>

/* Weights are the last parameters. (transfer full) of GBytes by their names; NULL: there are none. */
static GHashTable *
weights_by_name (LsModule  *module,
                 GPtrArray *tensors)
{
  LsArray *params = module != NULL ? ((LsFunction *) ls_module_get (module, "main"))->params : NULL;
  GHashTable *weights = NULL;

  if (params == NULL || tensors->len == 0 || tensors->len > params->n)
    return NULL;
  weights = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  for (guint i = 0; i < tensors->len; i++)
    g_hash_table_insert (weights, g_strdup (ls_array_at (params, params->n - tensors->len + i, LsRelaxVar)->name), g_bytes_ref (((LsTensor *) tensors->pdata[i])->data));
  return weights;
}

static LsModule *
read_onnx (const char  *path,
           GPtrArray   *said,
           GHashTable **weights,
           GError     **error)
{
  const LsOnnxOptions options = { .keep_params = TRUE };
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsOnnxModel) model = ls_onnx_read (path, error);
  LsModule *module = model != NULL ? ls_onnx_import (model, &options, said, tensors, error) : NULL;

  *weights = weights_by_name (module, tensors);
  return module;
}

static LsFxGraph *
read_graph (const char *path,
            GError    **error)
{
  return g_str_has_suffix (path, ".pt2") ? ls_pt2_read (path, error) : ls_fx_graph_read (path, error);
}

/* `said` gets what was not translated. */
static LsModule *
read_fx (const char *path,
         GPtrArray  *said,
         GError    **error)
{
  g_autoptr (LsFxGraph) fx = read_graph (path, error);
  const LsFxOptions options = { .said = said, .keep_paths = TRUE };

  return fx != NULL ? ls_fx_graph_import (fx, &options, error) : NULL;
}

static LsModule *
read_saved (const char *path,
            GError    **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = g_path_get_basename (path);
  gsize length = 0;
  g_autofree char *text = ls_opening_load (file, name, &length, error);

  LsModule *module = text != NULL ? ls_saved_read (text, length, error) : NULL;

  if (module == NULL && text != NULL)
    g_prefix_error (error, "%s: ", path);
  return module;
}

static LsModule *
read_script (const char *path,
             GError    **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = g_path_get_basename (path);
  gsize length = 0;
  g_autofree char *text = ls_opening_load (file, name, &length, error);
  g_autoptr (LsSource) source = text != NULL ? ls_source_new (name, text, (gssize) length) : NULL;
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
ls_module_file_read (const char  *path,
                     GHashTable **weights,
                     GError     **error)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);

  *weights = NULL;
  if (g_str_has_suffix (path, ".onnx"))
    return read_onnx (path, said, weights, error);
  if (ls_saved_is_file (path))
    return read_saved (path, error);
  return g_str_has_suffix (path, ".json") || g_str_has_suffix (path, ".pt2") ? read_fx (path, said, error) : read_script (path, error);
}

/* ---- a model with all that is shown ------------------------------------------------------------------------- */

/* The message of another folder's file, or one of the middle of it: by the name that the user knows. (transfer full) */
static char *
by_name (const char *message,
         const char *path,
         const char *name)
{
  return g_str_has_prefix (message, path) ? g_strconcat (name, message + strlen (path), NULL) : g_strdup (message);
}

gboolean
ls_model_file_is (const char *name,
                  const char *path)
{
  return path != NULL && (ls_saved_is_file (path) || g_str_has_suffix (name, ".onnx") || g_str_has_suffix (name, ".pt2") || g_str_has_suffix (name, ".fx.json"));
}

/* The message without the path that it begins with, and the colon behind it, of which Chinese has a wide one. Borrowed. */
static const char *
without_path (const char *message,
              const char *path)
{
  const char *rest = g_str_has_prefix (message, path) ? message + strlen (path) : message;

  if (rest != message)
    rest += g_str_has_prefix (rest, "：") ? strlen ("：") : strspn (rest, ": ");
  return rest;
}

/* What was not translated, in one sentence; NULL: nothing. (transfer full) */
static char *
words_of (GPtrArray  *said,
          const char *path)
{
  const char *first = said->len > 0 ? said->pdata[0] : NULL;

  if (first == NULL)
    return NULL;
  return g_strdup_printf (ngettext ("%u node could not be translated: %s", "%u nodes could not be translated; the first: %s", said->len), said->len, without_path (first, path));
}

static LsModule *
read_model (const char  *path,
            GPtrArray   *said,
            LsFxGraph  **fx,
            GHashTable **weights,
            GError     **error)
{
  const LsFxOptions translated = { .said = said, .keep_paths = TRUE };

  if (ls_saved_is_file (path))
    return read_saved (path, error);
  if (!g_str_has_suffix (path, ".onnx"))
    {
      *fx = read_graph (path, error);
      return *fx != NULL ? ls_fx_graph_import (*fx, &translated, error) : NULL;
    }
  return read_onnx (path, said, weights, error);
}

LsModelFile *
ls_model_file_read (const char  *path,
                    const char  *name,
                    GError     **error)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE, .keep_names = TRUE };
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) wrong = NULL;
  g_autoptr (LsFxGraph) fx = NULL;
  g_autoptr (GHashTable) weights = NULL;
  g_autoptr (LsModule) module = read_model (path, said, &fx, &weights, &wrong);
  g_autofree char *words = module == NULL ? by_name (wrong->message, path, name) : words_of (said, path);
  LsModelFile *self;

  if (module == NULL && fx == NULL)
    {
      g_set_error_literal (error, wrong->domain, wrong->code, words);
      return NULL;
    }
  self = g_new0 (LsModelFile, 1);
  self->words = g_steal_pointer (&words);
  if (fx != NULL && g_str_has_suffix (path, ".json"))   /* that of a .pt2 is seen as Relax: it was made of operators, not of modules */
    self->fx = g_steal_pointer (&fx);
  if (module != NULL)
    {
      self->weights = g_steal_pointer (&weights);
      self->text = ls_script_print (module, &whole, NULL);
      self->ready = ls_ready_new (module, FALSE, NULL);
      self->module = g_steal_pointer (&module);
    }
  return self;
}

void
ls_model_file_free (LsModelFile *self)
{
  if (self == NULL)
    return;
  ls_unref (self->module);
  g_clear_pointer (&self->fx, ls_fx_graph_free);
  g_clear_pointer (&self->weights, g_hash_table_unref);
  g_clear_pointer (&self->ready, ls_ready_free);
  g_free (self->text);
  g_free (self->words);
  g_free (self);
}
