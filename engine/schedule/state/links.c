/* links: which loop, block and buffer of one version of the program became which of the next.
 *
 * A place (tree.c) has an id that it keeps as long as it lives, so most of the lineage follows from comparing ids.
 * What a primitive makes new it notes with its sources (ls_move_note).  Families are the loops of the first program:
 * a loop that comes from several (fuse) belongs to all of their families.
 *
 * A link says "moved" when the set of loops and blocks around the thing, traced back, is another one than before, and
 * "changed" when its own properties differ (kind, annotations, extent, regions, name).
 */
#include "engine/schedule/state/state.h"

#include <string.h>

/* While links are made, neither version is asked: they are being completed. */
#define entity_at(version, i) (&g_array_index ((version)->entities, LsEntity, (i)))

typedef struct {
  LsVersion *before;
  LsVersion *after;
  GArray    *notes;
  gint      *by_id;             /* lineage id -> entity number before, or -1 */
  guint      n_ids;
  GArray    *links;
} Linker;

static guint
highest_id (LsVersion *version)
{
  guint highest = 0;

  for (guint i = 0; i < version->entities->len; i++)
    highest = MAX (highest, entity_at (version, i)->id);
  return highest;
}

static gint
before_of (Linker *self,
           guint   id)
{
  return id < self->n_ids ? self->by_id[id] : -1;
}

static gboolean
same_loop (LsFor *a,
           LsFor *b)
{
  return a->kind == b->kind && a->thread_binding == b->thread_binding && a->annotations == b->annotations &&
         ls_deep_equal (a->min, b->min) && ls_deep_equal (a->extent, b->extent);
}

static gboolean
same_block (LsBlock *a,
            LsBlock *b)
{
  return a->annotations == b->annotations && a->reads == b->reads && a->writes == b->writes &&
         a->iter_vars == b->iter_vars && (a->init == NULL) == (b->init == NULL) && strcmp (a->name_hint, b->name_hint) == 0;
}

static gboolean
same_self (LsEntity *a,
           LsEntity *b)
{
  if (a->node == b->node)
    return TRUE;
  switch (a->type)
    {
    case LS_ENTITY_LOOP:   return same_loop ((LsFor *) a->node, (LsFor *) b->node);
    case LS_ENTITY_BLOCK:  return same_block ((LsBlock *) a->node, (LsBlock *) b->node);
    case LS_ENTITY_BUFFER: return FALSE;
    }
  return FALSE;
}

/* Marks the things before from which everything around `entity` comes. */
static void
mark_sources (Linker     *self,
              LsEntity   *entity,
              GHashTable *marked)
{
  for (gint p = entity->parent; p >= 0; p = entity_at (self->after, p)->parent)
    {
      guint id = entity_at (self->after, p)->id;
      gint source = before_of (self, id);

      if (source >= 0)
        g_hash_table_add (marked, GINT_TO_POINTER (source + 1));
      for (guint n = 0; n < self->notes->len; n++)
        {
          LsLineageNote *note = &g_array_index (self->notes, LsLineageNote, n);

          if (note->id == id && before_of (self, note->from) >= 0)
            g_hash_table_add (marked, GINT_TO_POINTER (before_of (self, note->from) + 1));
        }
    }
}

static gboolean
is_moved (Linker   *self,
          LsEntity *before,
          LsEntity *after)
{
  g_autoptr(GHashTable) around = NULL;
  guint n = 0;
  gint a = before->parent;
  gint b = after->parent;

  while (a >= 0 && b >= 0 && entity_at (self->before, a)->id == entity_at (self->after, b)->id)
    {
      a = entity_at (self->before, a)->parent;
      b = entity_at (self->after, b)->parent;
    }
  if (a < 0 && b < 0)
    return FALSE;
  around = g_hash_table_new (NULL, NULL);
  mark_sources (self, after, around);
  for (gint p = before->parent; p >= 0; p = entity_at (self->before, p)->parent, n++)
    if (!g_hash_table_contains (around, GINT_TO_POINTER (p + 1)))
      return TRUE;
  return n != g_hash_table_size (around);
}

static void
add_link (GArray       *links,
          LsLineageHow  how,
          gint          before,
          gint          after)
{
  LsLineageLink link = { how, before, after };

  g_array_append_val (links, link);
}

static void
link_new (Linker *self,
          guint   i)
{
  guint id = entity_at (self->after, i)->id;
  gboolean found = FALSE;

  for (guint n = 0; n < self->notes->len; n++)
    {
      LsLineageNote *note = &g_array_index (self->notes, LsLineageNote, n);
      gint source = note->id == id ? before_of (self, note->from) : -1;

      if (source < 0)
        continue;
      add_link (self->links, note->how, source, (gint) i);
      found = TRUE;
    }
  if (!found)
    add_link (self->links, LS_LINEAGE_CREATED, -1, (gint) i);
}

/* What else became part of a thing that lives on. */
static void
link_merged (Linker *self,
             guint   i)
{
  LsEntity *entity = entity_at (self->after, i);

  for (guint n = 0; n < self->notes->len; n++)
    {
      LsLineageNote *note = &g_array_index (self->notes, LsLineageNote, n);
      gint source = note->id == entity->id && note->from != entity->id ? before_of (self, note->from) : -1;

      if (source >= 0)
        add_link (self->links, note->how, source, (gint) i);
    }
}

static void
add_family (LsEntity *entity,
            guint     family)
{
  for (guint i = 0; i < entity->n_families; i++)
    if (entity->families[i] == family)
      return;
  entity->families = g_renew (guint, entity->families, entity->n_families + 1);
  entity->families[entity->n_families++] = family;
}

static void
inherit_families (Linker *self)
{
  for (guint i = 0; i < self->links->len; i++)
    {
      LsLineageLink *link = &g_array_index (self->links, LsLineageLink, i);
      LsEntity *from = link->before >= 0 ? entity_at (self->before, link->before) : NULL;
      LsEntity *to = link->after >= 0 ? entity_at (self->after, link->after) : NULL;

      if (from == NULL || to == NULL || from->type != LS_ENTITY_LOOP || to->type != LS_ENTITY_LOOP)
        continue;
      for (guint f = 0; f < from->n_families; f++)
        add_family (to, from->families[f]);
    }
}

GArray *
ls_lineage_links (LsVersion *before,
                  LsVersion *after,
                  GArray    *notes)
{
  Linker self = { before, after, notes, NULL, highest_id (before) + 1, g_array_new (FALSE, FALSE, sizeof (LsLineageLink)) };
  g_autofree gint *by_id = g_new (gint, self.n_ids);
  g_autofree gboolean *linked = g_new0 (gboolean, before->entities->len + 1);

  self.by_id = by_id;
  for (guint i = 0; i < self.n_ids; i++)
    by_id[i] = -1;
  for (guint i = 0; i < before->entities->len; i++)
    by_id[entity_at (before, i)->id] = (gint) i;
  for (guint i = 0; i < after->entities->len; i++)
    {
      LsEntity *entity = entity_at (after, i);
      gint old = before_of (&self, entity->id);

      if (old < 0)
        link_new (&self, i);
      else if (is_moved (&self, entity_at (before, old), entity))
        add_link (self.links, LS_LINEAGE_MOVED, old, (gint) i);
      else if (!same_self (entity_at (before, old), entity))
        add_link (self.links, LS_LINEAGE_CHANGED, old, (gint) i);
      else
        add_link (self.links, LS_LINEAGE_KEPT, old, (gint) i);
      if (old >= 0)
        link_merged (&self, i);
    }
  for (guint i = 0; i < self.links->len; i++)
    if (g_array_index (self.links, LsLineageLink, i).before >= 0)
      linked[g_array_index (self.links, LsLineageLink, i).before] = TRUE;
  for (guint i = 0; i < before->entities->len; i++)
    if (!linked[i])
      add_link (self.links, LS_LINEAGE_REMOVED, (gint) i, -1);
  inherit_families (&self);
  return self.links;
}
