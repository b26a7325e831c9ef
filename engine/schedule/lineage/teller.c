/* teller: names, links and lists, of which the sentences about a lineage are made.
 *
 * For each thing after, `sources` are the things before that a link leads from; for each thing before, `results` are those
 * that a link leads to.
 */
#include "engine/schedule/lineage/text-private.h"

#include "engine/script/printer.h"

#include <string.h>

const char *
ls_entity_type_name (LsEntityType type)
{
  switch (type)
    {
    case LS_ENTITY_LOOP:   return "loop";
    case LS_ENTITY_BLOCK:  return "block";
    case LS_ENTITY_BUFFER: return "buffer";
    }
  return "";
}

/* ---- names -------------------------------------------------------------------- */

gboolean
ls_teller_is_around (LsVersion *version,
                     gint       outer,
                     gint       inner)
{
  while (inner >= 0 && inner != outer)
    inner = ls_version_at (version, inner)->parent;
  return inner >= 0;
}

gint
ls_teller_block_inside (LsVersion *version,
                        guint      loop)
{
  for (guint i = loop + 1; i < ls_version_get_n (version); i++)
    if (ls_version_at (version, i)->type == LS_ENTITY_BLOCK && ls_teller_is_around (version, (gint) loop, (gint) i))
      return (gint) i;
  return -1;
}

char *
ls_version_describe (LsVersion *version,
                     guint      entity)
{
  LsEntity *self = ls_version_at (version, entity);
  gint block = self->type == LS_ENTITY_LOOP ? ls_teller_block_inside (version, entity) : -1;

  for (guint i = 0; block >= 0 && i < entity; i++)
    {
      LsEntity *other = ls_version_at (version, i);

      if (other->type == LS_ENTITY_LOOP && other->func == self->func && strcmp (ls_entity_name (other), ls_entity_name (self)) == 0)
        return g_strdup_printf (ls_translate ("%s of %s"), ls_entity_name (self), ls_entity_name (ls_version_at (version, block)));
    }
  return g_strdup (ls_entity_name (self));
}

char *
ls_teller_list_names (LsVersion *version,
                      GArray    *entities)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entities->len; i++)
    {
      g_autofree char *name = ls_version_describe (version, g_array_index (entities, guint, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

char *
ls_teller_list_extents (LsVersion  *version,
                        GArray     *loops,
                        const char *separator)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < loops->len; i++)
    {
      g_autofree char *extent = ls_script_print_expr (((LsFor *) ls_version_at (version, g_array_index (loops, guint, i))->node)->extent);

      g_string_append_printf (text, "%s%s", i > 0 ? separator : "", extent);
    }
  return g_string_free (text, FALSE);
}

/* ---- links -------------------------------------------------------------------- */

GArray *
ls_teller_list_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint));
}

void
ls_teller_list_add (GArray *list,
                    guint   entity)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, guint, i) == entity)
      return;
  g_array_append_val (list, entity);
}

#define link_at(self, i) (&g_array_index ((self)->lineage->links, LsLineageLink, (i)))
#define N_LINKS(self) ((self)->lineage->links->len)

GArray *
ls_teller_sources_of (LsTeller *self,
                      gint      after,
                      guint     hows)
{
  GArray *list = ls_teller_list_new ();

  for (guint i = 0; i < N_LINKS (self); i++)
    if (link_at (self, i)->after == after && link_at (self, i)->before >= 0 && (hows & how_bit (link_at (self, i)->how)) != 0)
      ls_teller_list_add (list, (guint) link_at (self, i)->before);
  return list;
}

GArray *
ls_teller_results_of (LsTeller *self,
                      gint      before,
                      guint     hows)
{
  GArray *list = ls_teller_list_new ();

  for (guint i = 0; i < N_LINKS (self); i++)
    if (link_at (self, i)->before == before && link_at (self, i)->after >= 0 && (hows & how_bit (link_at (self, i)->how)) != 0)
      ls_teller_list_add (list, (guint) link_at (self, i)->after);
  return list;
}

/* The longest chain of nested things among the results: what the others are copies of. */
GArray *
ls_teller_main_results_of (LsTeller *self,
                           gint      before)
{
  g_autoptr (GArray) all = ls_teller_results_of (self, before, ~how_bit (LS_LINEAGE_COPIED));
  GArray *best = ls_teller_list_new ();

  for (guint i = 0; i < all->len; i++)
    {
      GArray *chain = ls_teller_list_new ();

      for (guint k = 0; k < all->len; k++)
        if (ls_teller_is_around (self->after, (gint) g_array_index (all, guint, k), (gint) g_array_index (all, guint, i)))
          ls_teller_list_add (chain, g_array_index (all, guint, k));
      if (chain->len >= best->len)
        {
          g_array_unref (best);
          best = chain;
        }
      else
        g_array_unref (chain);
    }
  return best;
}

gboolean
ls_teller_list_has (GArray *list,
                    guint   entity)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, guint, i) == entity)
      return TRUE;
  return FALSE;
}

gboolean
ls_teller_lists_equal (GArray *a,
                       GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (guint)) == 0);
}

/* ---- changes ------------------------------------------------------------------ */

LsLineageChange *
ls_teller_tell (LsTeller     *self,
                const char   *how,
                LsEntityType  type,
                guint         n_things,
                char         *text,
                char         *detail)
{
  LsLineageChange *change = g_new0 (LsLineageChange, 1);

  change->how = how;
  change->type = type;
  change->n_things = n_things;
  change->text = text;
  change->detail = detail;
  change->before = ls_teller_list_new ();
  change->after = ls_teller_list_new ();
  g_ptr_array_add (self->changes, change);
  return change;
}

void
ls_teller_take_lists (LsLineageChange *change,
                      GArray          *before,
                      GArray          *after)
{
  for (guint i = 0; before != NULL && i < before->len; i++)
    ls_teller_list_add (change->before, g_array_index (before, guint, i));
  for (guint i = 0; after != NULL && i < after->len; i++)
    ls_teller_list_add (change->after, g_array_index (after, guint, i));
}

void
ls_teller_take_pair (LsLineageChange *change,
                     gint             before,
                     gint             after)
{
  if (before >= 0)
    ls_teller_list_add (change->before, (guint) before);
  if (after >= 0)
    ls_teller_list_add (change->after, (guint) after);
}

gboolean
ls_teller_is_root (LsEntity *entity)
{
  return entity->type == LS_ENTITY_BLOCK && entity->depth == 0;
}

void
ls_teller_mark_spoken (LsTeller *self,
                       GArray   *after)
{
  for (guint i = 0; i < after->len; i++)
    self->spoken[g_array_index (after, guint, i)] = TRUE;
}
