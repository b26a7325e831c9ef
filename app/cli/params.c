/* params: see the header.  Archives are read by engine/runtime/weights.h. */
#include "app/cli/params.h"

#include "engine/frontend/fx/fx.h"
#include "engine/runtime/weights.h"

#include <string.h>

typedef struct {
  GPtrArray *names;
  GPtrArray *tensors;
} Params;

/* `name` without ".npy". */
static void
add_array (Params     *self,
           const char *name,
           LsNDArray  *array)
{
  g_ptr_array_add (self->names, g_str_has_suffix (name, ".npy") ? g_strndup (name, strlen (name) - strlen (".npy")) : g_strdup (name));
  g_ptr_array_add (self->tensors, ls_fx_tensor_new (array));
}

static gboolean
read_archive (Params      *self,
              const char  *path,
              GError     **error)
{
  g_autoptr (GHashTable) arrays = ls_weights_read (path, error);
  g_autoptr (GList) names = arrays != NULL ? g_list_sort (g_hash_table_get_keys (arrays), (GCompareFunc) strcmp) : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    add_array (self, l->data, g_hash_table_lookup (arrays, l->data));
  return arrays != NULL;
}

static gboolean
read_file (Params      *self,
           const char  *path,
           GError     **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (LsNDArray) array = ls_npy_read (path, error);

  if (array != NULL)
    add_array (self, name, array);
  return array != NULL;
}

static gboolean
read_folder (Params      *self,
             const char  *path,
             GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, error);
  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_str_has_suffix (name, ".npy") && !read_file (self, file, error))
        return FALSE;
    }
  if (self->names->len == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s holds no .npy file", path);
  return self->names->len > 0;
}

LsMap *
ls_cli_read_params (const char  *path,
                    GError     **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new ();
  Params params = { names, tensors };
  gboolean fine;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    fine = read_folder (&params, path, error);
  else if (g_str_has_suffix (path, ".npz") || g_str_has_suffix (path, ".safetensors"))
    fine = read_archive (&params, path, error);
  else
    fine = read_file (&params, path, error);
  if (fine)
    return ls_map_new ((const char **) names->pdata, tensors->pdata, tensors->len);
  for (guint i = 0; i < tensors->len; i++)
    ls_node_unref (tensors->pdata[i]);
  return NULL;
}
