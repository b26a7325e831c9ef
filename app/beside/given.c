/* beside/given: which parameters of the two sides have values of their own: the weights of the file that a side comes from.  One without any that is matched with
 * one that has some takes those, as matched parameters take the same random numbers. */
#include "app/beside/private.h"

/* Of "main" the parameter at `place`, or NULL. */
static LsRelaxVar *
param_at (LsModule *module,
          guint     place)
{
  LsNode *func = (LsNode *) ls_module_get (module, "main");

  return func != NULL && ls_is (func, FUNCTION) && place < ((LsFunction *) func)->params->n ? ls_array_at (((LsFunction *) func)->params, place, LsRelaxVar) : NULL;
}

/* (transfer full) */
static GHashTable *
of_side (const LsBesideSide *side)
{
  GHashTable *given = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  LsRelaxVar *param;

  for (guint i = 0; side->weights != NULL && (param = param_at (side->module, i)) != NULL; i++)
    {
      GBytes *data = g_hash_table_lookup (side->weights, param->name);

      if (data != NULL)
        g_hash_table_insert (given, GUINT_TO_POINTER (i), g_bytes_ref (data));
    }
  return given;
}

static gboolean
same_type (LsRelaxVar *a,
           LsRelaxVar *b)
{
  return a != NULL && b != NULL && a->struct_info != NULL && b->struct_info != NULL && ls_structural_equal ((LsNode *) a->struct_info, (LsNode *) b->struct_info, TRUE, NULL, NULL);
}

void
ls_beside_given (LsBeside   *self,
                 GHashTable *given[2])
{
  g_autoptr (GVariant) places = g_variant_ref_sink (ls_graph_beside_places (self->comparison, self->sides[0].graph, self->sides[1].graph));

  for (guint side = 0; side < 2; side++)
    given[side] = of_side (&self->sides[side]);
  for (guint right = 0; right < g_variant_n_children (places); right++)
    {
      gint32 left = -1;
      GBytes *here, *there;

      g_variant_get_child (places, right, "i", &left);
      if (left < 0 || !same_type (param_at (self->sides[0].module, (guint) left), param_at (self->sides[1].module, right)))
        continue;
      here = g_hash_table_lookup (given[0], GINT_TO_POINTER (left));
      there = g_hash_table_lookup (given[1], GUINT_TO_POINTER (right));
      if (here == NULL && there != NULL)
        g_hash_table_insert (given[0], GINT_TO_POINTER (left), g_bytes_ref (there));
      else if (there == NULL && here != NULL)
        g_hash_table_insert (given[1], GUINT_TO_POINTER (right), g_bytes_ref (here));
    }
}

GVariant *
ls_beside_given_variant (GHashTable *given)
{
  GVariantBuilder list;
  GHashTableIter iter;
  gpointer place, data;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a{uay}"));
  g_hash_table_iter_init (&iter, given);
  while (g_hash_table_iter_next (&iter, &place, &data))
    g_variant_builder_add (&list, "{u@ay}", GPOINTER_TO_UINT (place), g_variant_new_from_bytes (G_VARIANT_TYPE ("ay"), data, TRUE));
  return g_variant_builder_end (&list);
}
