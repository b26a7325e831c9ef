/* text-become: things that became others: split, fused, inlined, copied; and those that are new or gone. */
#include "engine/schedule/lineage/text-private.h"

#include "engine/script/printer.h"

#include <string.h>

void
ls_teller_split (LsTeller *self,
                 guint     before)
{
  g_autoptr (GArray) parts = ls_teller_results_of (self, (gint) before, how_bit (LS_LINEAGE_SPLIT));
  g_autoptr (GArray) chain = ls_teller_main_results_of (self, (gint) before);
  g_autofree char *name = ls_version_describe (self->before, before);
  g_autofree char *names = ls_teller_list_names (self->after, chain);
  g_autofree char *extents = ls_teller_list_extents (self->after, chain, " x ");
  g_autofree char *extent = ls_script_print_expr (((LsFor *) ls_version_at (self->before, before)->node)->extent);
  gboolean alone = TRUE;
  LsLineageChange *change;

  if (parts->len == 0)
    return;
  for (guint i = 0; i < chain->len; i++)
    {
      g_autoptr (GArray) sources = ls_teller_sources_of (self, (gint) g_array_index (chain, guint, i), ALL_HOW);

      alone &= sources->len == 1;
    }
  change = ls_teller_tell (self, LS_TEXT ("split"), LS_ENTITY_LOOP, 1, g_strdup_printf ("%s -> %s", name, names),
                           alone ? g_strdup_printf ("extent %s -> %s", extent, extents) : NULL);
  ls_teller_take_pair (change, (gint) before, -1);
  ls_teller_take_lists (change, NULL, chain);
  ls_teller_mark_spoken (self, chain);
}

static void
tell_fused_loops (LsTeller *self,
                  guint     after,
                  GArray   *sources)
{
  g_autoptr (GArray) results = ls_teller_list_new ();
  g_autofree char *from = NULL, *to = NULL, *was = NULL, *is = NULL;
  LsLineageChange *change;

  for (guint i = after; i < ls_version_get_n (self->after); i++)
    {
      g_autoptr (GArray) others = ls_teller_sources_of (self, (gint) i, how_bit (LS_LINEAGE_FUSED));

      if (ls_teller_lists_equal (others, sources) && (i == after || ls_teller_is_around (self->after, (gint) after, (gint) i)))
        {
          ls_teller_list_add (results, i);
          self->fused[i] = TRUE;
        }
    }
  from = ls_teller_list_names (self->before, sources);
  to = ls_teller_list_names (self->after, results);
  was = ls_teller_list_extents (self->before, sources, " x ");
  is = ls_teller_list_extents (self->after, results, " x ");
  change = ls_teller_tell (self, LS_TEXT ("fused"), LS_ENTITY_LOOP, sources->len, g_strdup_printf ("%s -> %s", from, to), g_strdup_printf ("extent %s -> %s", was, is));
  ls_teller_take_lists (change, sources, results);
  ls_teller_mark_spoken (self, results);
}

void
ls_teller_fused (LsTeller *self,
                 guint     after)
{
  g_autoptr (GArray) sources = ls_teller_sources_of (self, (gint) after, how_bit (LS_LINEAGE_FUSED));
  g_autofree char *from = NULL, *to = NULL;
  LsLineageChange *change;

  if (sources->len == 0)
    return;
  if (ls_version_at (self->after, after)->type == LS_ENTITY_LOOP)
    {
      if (!self->fused[after])
        tell_fused_loops (self, after, sources);
      return;
    }
  from = ls_teller_list_names (self->before, sources);
  to = ls_version_describe (self->after, after);
  change = ls_teller_tell (self, LS_TEXT ("inlined"), LS_ENTITY_BLOCK, sources->len, g_strdup_printf ("%s into %s", from, to), NULL);
  ls_teller_take_lists (change, sources, NULL);
  ls_teller_take_pair (change, -1, (gint) after);
}

/* "Y -> Y_init, Y_update": the copies, and what the thing itself became when its name changed. */
void
ls_teller_copied (LsTeller *self,
                  guint     before)
{
  LsEntity *entity = ls_version_at (self->before, before);
  g_autoptr (GArray) copies = ls_teller_results_of (self, (gint) before, how_bit (LS_LINEAGE_COPIED));
  g_autoptr (GArray) others = ls_teller_results_of (self, (gint) before, ~how_bit (LS_LINEAGE_COPIED));
  g_autoptr (GArray) all = ls_teller_list_new ();
  g_autofree char *name = ls_version_describe (self->before, before);
  g_autofree char *names = NULL;
  LsLineageChange *change;

  if (entity->type == LS_ENTITY_LOOP)
    {
      g_autoptr (GArray) chain = ls_teller_main_results_of (self, (gint) before);

      for (guint i = 0; i < others->len; i++)
        if (!ls_teller_list_has (chain, g_array_index (others, guint, i)))
          ls_teller_list_add (copies, g_array_index (others, guint, i));
      g_array_set_size (others, 0);
    }
  if (copies->len == 0)
    return;
  for (guint i = 0; i < copies->len; i++)
    ls_teller_list_add (all, g_array_index (copies, guint, i));
  for (guint i = 0; i < others->len; i++)
    if (strcmp (ls_entity_name (entity), ls_entity_name (ls_version_at (self->after, g_array_index (others, guint, i)))) != 0)
      {
        ls_teller_list_add (all, g_array_index (others, guint, i));
        self->spoken[g_array_index (others, guint, i)] = TRUE;
      }
  names = ls_teller_list_names (self->after, all);
  change = ls_teller_tell (self, LS_TEXT ("copied"), entity->type, 1, g_strdup_printf ("%s -> %s", name, names), NULL);
  ls_teller_take_pair (change, (gint) before, -1);
  ls_teller_take_lists (change, NULL, all);
  ls_teller_mark_spoken (self, copies);
}

/* Runs of new or gone loops in one nest are one sentence. */
void
ls_teller_alone (LsTeller   *self,
                 LsVersion  *version,
                 const char *how,
                 guint      *i,
                 const gboolean *alone)
{
  LsEntity *entity = ls_version_at (version, *i);
  gboolean after = version == self->after;
  g_autoptr (GArray) run = ls_teller_list_new ();
  g_autofree char *names = NULL;
  LsLineageChange *change;

  ls_teller_list_add (run, *i);
  for (guint k = *i + 1; entity->type == LS_ENTITY_LOOP && k < ls_version_get_n (version); k++)
    {
      if (!alone[k] || ls_version_at (version, k)->type != LS_ENTITY_LOOP || ls_version_at (version, k)->parent != (gint) *i)
        break;
      ls_teller_list_add (run, k);
      *i = k;
    }
  names = ls_teller_list_names (version, run);
  change = ls_teller_tell (self, how, entity->type, run->len,
                           run->len > 1 ? g_strdup_printf ("loops %s", names) : g_strdup_printf ("%s %s", ls_entity_type_name (entity->type), names),
                           entity->type == LS_ENTITY_LOOP ? ls_teller_list_extents (version, run, " x ") : NULL);
  if (change->detail != NULL)
    {
      g_autofree char *extents = g_steal_pointer (&change->detail);

      change->detail = g_strdup_printf ("extent %s", extents);
    }
  else if (entity->type == LS_ENTITY_BUFFER)
    {
      g_autofree char *shape = ls_script_print (((LsBuffer *) entity->node)->shape, NULL, NULL);

      change->detail = g_strdup_printf ("%s %s, scope %s", ls_dtype_name (((LsBuffer *) entity->node)->dtype), shape,
                                        ls_buffer_scope ((LsBuffer *) entity->node));
    }
  ls_teller_take_lists (change, after ? NULL : run, after ? run : NULL);
  if (after)
    ls_teller_mark_spoken (self, run);
}
