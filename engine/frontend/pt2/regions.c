/* pt2/regions: operators that run a graph of their own as it stands: what torch.no_grad() and torch.autocast(enabled=False) wrap.  Its nodes take the place of
 * the call; their names are of the graph alone, so they get the call's before theirs.  They stand in each other only as deep as JSON is read. */
#include "engine/base/json.h"
#include "engine/frontend/frontend-private.h"
#include "engine/frontend/pt2/pt2-private.h"

#include <string.h>

const char *
ls_pt2_real_name (LsPt2Reader *self,
                  const char  *name)
{
  const char *real = g_hash_table_lookup (self->names, name);

  return real != NULL ? real : name;
}

const char *
ls_pt2_own_name (LsPt2Reader *self,
                 const char  *name)
{
  char *own;

  if (self->region == NULL || g_hash_table_contains (self->names, name))
    return ls_pt2_real_name (self, name);
  own = g_strdup_printf ("%s_%s", self->region, name);
  for (guint i = 1; g_hash_table_contains (self->taken, own) || (self->all_types != NULL && json_object_has_member (self->all_types, own)); i++)
    {
      g_free (own);
      own = g_strdup_printf ("%s_%s_%u", self->region, name, i);
    }
  g_hash_table_add (self->taken, g_strdup (own));
  g_hash_table_insert (self->names, (gpointer) name, own);
  return own;
}

JsonObject *
ls_pt2_region (JsonObject *node,
               guint      *n_given)
{
  static const char *const TARGETS[] = { "torch.ops.higher_order.wrap_with_set_grad_enabled", "torch.ops.higher_order.wrap_with_autocast" };
  const char *target = ls_json_text (node, "target");
  JsonArray *inputs = ls_json_array (node, "inputs");
  gboolean casts = g_strcmp0 (target, TARGETS[1]) == 0;
  guint n_flags = 0;

  for (guint i = 0; (casts || g_strcmp0 (target, TARGETS[0]) == 0) && inputs != NULL && i < json_array_get_length (inputs); i++)
    {
      JsonObject *argument = ls_json_object (ls_pt2_object_at (inputs, i), "arg"), *graph = ls_json_object (ls_json_object (argument, "as_graph"), "graph");

      if (graph != NULL)
        {
          *n_given = i + 1;
          return graph;
        }
      /* The device, the type, whether it is enabled: then operators compute in other types than the graph says. */
      if (casts && argument != NULL && json_object_has_member (argument, "as_bool") && n_flags++ == 0 && ls_json_is_true (argument, "as_bool"))
        return NULL;
    }
  return NULL;
}

/* What the inputs of the graph are outside of it; numbers have their values in the graph's own table. (transfer full) */
static GHashTable *
names_inside (LsPt2Reader *self,
              JsonObject  *node,
              JsonObject  *region,
              guint        n_given)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  JsonArray *given = ls_json_array (node, "inputs"), *inputs = ls_json_array (region, "inputs");

  for (guint i = 0; inputs != NULL && i < json_array_get_length (inputs) && n_given + i < json_array_get_length (given); i++)
    {
      const char *name = ls_json_text (ls_json_object (ls_pt2_object_at (inputs, i), "as_tensor"), "name");
      JsonObject *argument = ls_json_object (ls_pt2_object_at (given, n_given + i), "arg");
      const char *outside = ls_json_text (ls_json_object (argument, "as_tensor"), "name");

      if (name != NULL && outside != NULL)
        g_hash_table_insert (names, (gpointer) name, g_strdup (ls_pt2_real_name (self, outside)));
    }
  return names;
}

gboolean
ls_pt2_put_region (LsPt2Reader *self,
                   JsonObject  *node,
                   JsonObject  *region,
                   guint        n_given,
                   GPtrArray   *results)
{
  const LsPt2Reader outside = *self;
  g_autoptr (GHashTable) names = names_inside (self, node, region, n_given);
  g_autoptr (GPtrArray) inside = ls_pt2_results (region);
  g_autofree char *own = g_strdup (ls_pt2_real_name (self, results->pdata[0]));
  gboolean done;

  if (inside->len != results->len)
    return ls_pt2_fail (self, LS_TEXT ("%s gives %u values, its graph %u"), ls_json_text (node, "target"), results->len, inside->len);
  self->types = ls_json_object (region, "tensor_values");
  self->sym_ints = ls_json_object (region, "sym_int_values");
  self->names = names;
  self->region = own;
  done = ls_pt2_put_nodes (self, ls_json_array (region, "nodes"));
  self->types = outside.types;
  self->sym_ints = outside.sym_ints;
  self->names = outside.names;
  self->region = outside.region;
  for (guint i = 0; done && i < results->len; i++)
    {
      const char *real = g_hash_table_lookup (names, inside->pdata[i]);

      g_hash_table_insert (self->names, results->pdata[i], g_strdup (real != NULL ? real : inside->pdata[i]));
    }
  return done;
}
