/* pt2/weights: the weights of an archive, of whichever kind they are. */
#include "engine/frontend/frontend-private.h"
#include "engine/base/json.h"
#include "engine/frontend/pt2/pt2-private.h"

typedef LsPt2Reader Reader;

/* NULL: said. (transfer full) */
static LsTensor *
make_tensor (Reader     *self,
             const char *name,
             JsonObject *meta,
             GBytes     *bytes)
{
  g_autoptr (GArray) shape = g_array_new (FALSE, FALSE, sizeof (gint64)), strides = g_array_new (FALSE, FALSE, sizeof (gint64));
  JsonObject *offset_object = ls_json_object (meta, "storage_offset");
  gint64 offset = 0;

  if (!ls_pt2_read_ints (ls_json_array (meta, "sizes"), shape) || !ls_pt2_read_ints (ls_json_array (meta, "strides"), strides))
    {
      ls_pt2_fail (self, LS_TEXT ("the type of the weight %s cannot be read"), name);
      return NULL;
    }
  ls_pt2_int_of (offset_object != NULL ? json_object_get_member (offset_object, "as_int") : NULL, &offset);
  return ls_pt2_tensor_new (self->name, name, ls_pt2_dtype_of (json_object_get_member (meta, "dtype")), shape, strides, offset, bytes, self->error);
}

static gboolean
read_weights (Reader     *self,
              const char *config,
              const char *folder)
{
  g_autoptr (JsonParser) parser = ls_pt2_read_json (self, config);
  JsonObject *all = parser != NULL ? ls_json_object (json_node_get_object (json_parser_get_root (parser)), "config") : NULL;
  g_autoptr (GList) names = all != NULL ? json_object_get_members (all) : NULL;

  if (all == NULL)
    return parser != NULL ? ls_pt2_fail (self, LS_TEXT ("%s has no \"config\""), config) : FALSE;
  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *one = ls_json_object (all, l->data), *meta = ls_json_object (one, "tensor_meta");
      const char *file = ls_json_text (one, "path_name");
      JsonNode *pickled = one != NULL ? json_object_get_member (one, "use_pickle") : NULL;
      g_autofree char *path = file != NULL ? g_strconcat (folder, file, NULL) : NULL;
      g_autoptr (GBytes) bytes = NULL;
      LsTensor *tensor;

      if (pickled != NULL && JSON_NODE_HOLDS_VALUE (pickled) && json_node_get_value_type (pickled) == G_TYPE_BOOLEAN && json_node_get_boolean (pickled))
        {
          g_ptr_array_add (self->notes, g_strdup_printf ("%s: %s is kept by pickle, by an object that is not a plain tensor, which is not read", self->name, (const char *) l->data));
          continue;
        }
      if (meta == NULL || path == NULL)
        return ls_pt2_fail (self, LS_TEXT ("%s does not say where the weight %s is, or what"), config, (const char *) l->data);
      bytes = ls_zip_read (self->zip, path, self->error);
      tensor = bytes != NULL ? make_tensor (self, l->data, meta, bytes) : NULL;
      if (tensor == NULL)
        return FALSE;
      g_hash_table_insert (self->tensors, g_strdup (l->data), tensor);
    }
  return TRUE;
}

/* Weights as torch.save wrote them, before 2.9. */
static gboolean
read_saved (Reader     *self,
            const char *path)
{
  g_autoptr (GBytes) bytes = ls_zip_read (self->zip, path, self->error);
  g_autofree char *where = g_strdup_printf ("%s: %s", self->name, path);

  return bytes != NULL && ls_pt2_read_saved (where, bytes, self->tensors, self->error);
}

/* (transfer full) */
static char *
with_name (const char *path,
           const char *name)
{
  g_auto (GStrv) parts = g_strsplit (path, "%s", 2);

  return g_strjoinv (name, parts);
}

/* Of whichever kind there is: `%s` is the name of the program. */
gboolean
ls_pt2_read_weights (Reader *self)
{
  static const char *const CONFIGS[][2] = { { "data/weights/%s_weights_config.json", "data/weights/" }, { "data/weights/%s_model_param_config.json", "data/weights/" },
                                            { "data/constants/%s_constants_config.json", "data/constants/" },
                                            { "data/constants/%s_model_constants_config.json", "data/constants/" } };
  static const char *const SAVED[] = { "data/weights/%s.pt", "data/constants/%s.pt", "serialized_state_dict.pt", "serialized_constants.pt" };

  for (guint i = 0; i < G_N_ELEMENTS (CONFIGS); i++)
    {
      g_autofree char *path = with_name (CONFIGS[i][0], self->model);

      if (ls_zip_has (self->zip, path) && !read_weights (self, path, CONFIGS[i][1]))
        return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (SAVED); i++)
    {
      g_autofree char *path = with_name (SAVED[i], self->model);

      if (ls_zip_has (self->zip, path) && !read_saved (self, path))
        return FALSE;
    }
  return TRUE;
}
