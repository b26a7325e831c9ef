/* compose: which loop, block and buffer of one version of the program became which of the next.
 *
 * A place (state/tree.c) has an id that it keeps as long as it lives, so most of the lineage follows from comparing ids.
 * What a primitive makes new it notes with its sources (ls_move_note).  Families are the loops of the first program:
 * a loop that comes from several (fuse) belongs to all of their families.
 *
 * A link says "moved" when the set of loops and blocks around the thing, traced back, is another one than before, and
 * "changed" when its own properties differ (kind, annotations, extent, regions, name).
 */
#include "engine/schedule/schedule-private.h"

void
ls_lineage_free (LsLineage *self)
{
  if (self == NULL)
    return;
  ls_version_unref (self->before);
  ls_version_unref (self->after);
  g_array_unref (self->links);
  g_free (self);
}

/* ---- links of one step ---------------------------------------------------- */

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

/* ---- several steps -------------------------------------------------------- */

/* What two links in a row amount to: the one that says more. */
static LsLineageHow
stronger (LsLineageHow a,
          LsLineageHow b)
{
  static const guint strength[] = {
    [LS_LINEAGE_KEPT] = 0, [LS_LINEAGE_CHANGED] = 1, [LS_LINEAGE_MOVED] = 2, [LS_LINEAGE_COPIED] = 3,
    [LS_LINEAGE_SPLIT] = 4, [LS_LINEAGE_FUSED] = 5, [LS_LINEAGE_CREATED] = 6, [LS_LINEAGE_REMOVED] = 6,
  };

  return strength[b] > strength[a] ? b : a;
}

static gboolean
has_link (GArray *links,
          guint   from,
          gint    before,
          gint    after)
{
  for (guint i = from; i < links->len; i++)
    if (g_array_index (links, LsLineageLink, i).before == before && g_array_index (links, LsLineageLink, i).after == after)
      return TRUE;
  return FALSE;
}

/* Links by what they lead to: those to entity `i` are order[from[i]] .. order[from[i + 1] - 1], in their own order. */
typedef struct {
  guint *from;
  guint *order;
} LinkIndex;

static void
link_index_clear (LinkIndex *self)
{
  g_free (self->from);
  g_free (self->order);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LinkIndex, link_index_clear)

static LinkIndex
index_links (GArray *links,
             guint   n_after)
{
  LinkIndex self = { g_new0 (guint, n_after + 2), g_new (guint, links->len + 1) };

  for (guint i = 0; i < links->len; i++)
    if (g_array_index (links, LsLineageLink, i).after >= 0)
      self.from[g_array_index (links, LsLineageLink, i).after + 2]++;
  for (guint i = 2; i < n_after + 2; i++)
    self.from[i] += self.from[i - 1];
  for (guint i = 0; i < links->len; i++)
    if (g_array_index (links, LsLineageLink, i).after >= 0)
      self.order[self.from[g_array_index (links, LsLineageLink, i).after + 1]++] = i;
  return self;
}

/* All sources of one link of the second step. */
static gboolean
add_composed (GArray        *links,
              guint          start,
              LsLineage     *first,
              LinkIndex     *sources,
              LsLineageLink *second)
{
  gboolean found = FALSE;

  for (guint i = sources->from[second->before]; i < sources->from[second->before + 1]; i++)
    {
      LsLineageLink *link = &g_array_index (first->links, LsLineageLink, sources->order[i]);

      if (link->before < 0)
        continue;
      found = TRUE;
      if (!has_link (links, start, link->before, second->after))
        add_link (links, stronger (link->how, second->how), link->before, second->after);
    }
  return found;
}

LsLineage *
ls_lineage_compose (LsLineage *first,
                    LsLineage *second)
{
  LsLineage *self = g_new0 (LsLineage, 1);
  guint n = ls_version_get_n (second->after);
  g_autofree gboolean *linked = g_new0 (gboolean, ls_version_get_n (first->before) + 1);
  g_auto (LinkIndex) sources = index_links (first->links, ls_version_get_n (first->after));
  g_auto (LinkIndex) last = index_links (second->links, n);

  self->before = ls_version_ref (first->before);
  self->after = ls_version_ref (second->after);
  self->links = g_array_new (FALSE, FALSE, sizeof (LsLineageLink));
  for (guint after = 0; after < n; after++)
    {
      guint start = self->links->len;
      gboolean found = FALSE;

      for (guint i = last.from[after]; i < last.from[after + 1]; i++)
        {
          LsLineageLink *link = &g_array_index (second->links, LsLineageLink, last.order[i]);

          if (link->before >= 0)
            found |= add_composed (self->links, start, first, &sources, link);
        }
      if (!found)
        add_link (self->links, LS_LINEAGE_CREATED, -1, (gint) after);
    }
  for (guint i = 0; i < self->links->len; i++)
    if (g_array_index (self->links, LsLineageLink, i).before >= 0)
      linked[g_array_index (self->links, LsLineageLink, i).before] = TRUE;
  for (guint i = 0; i < ls_version_get_n (first->before); i++)
    if (!linked[i])
      add_link (self->links, LS_LINEAGE_REMOVED, (gint) i, -1);
  return self;
}

static LsLineage *
lineage_new (LsVersion *before,
             LsVersion *after,
             GArray    *links)
{
  LsLineage *self = g_new0 (LsLineage, 1);

  self->before = ls_version_ref (before);
  self->after = ls_version_ref (after);
  self->links = links != NULL ? g_array_ref (links) : g_array_new (FALSE, FALSE, sizeof (LsLineageLink));
  return self;
}

LsLineage *
ls_schedule_lineage (LsSchedule *schedule,
                     guint       from,
                     guint       to)
{
  LsVersion *start = ls_schedule_get_version (schedule, from);
  g_autoptr(LsLineage) whole = lineage_new (start, start, NULL);

  for (guint i = 0; i < ls_version_get_n (start); i++)
    add_link (whole->links, LS_LINEAGE_KEPT, (gint) i, (gint) i);
  for (guint i = from; i < to; i++)
    {
      const LsStep *step = ls_schedule_get_step (schedule, i);
      g_autoptr(LsLineage) next = NULL;
      LsLineage *composed;

      if (step->version == whole->after)
        continue;
      next = lineage_new (whole->after, step->version, ls_schedule_get_links (schedule, i));
      composed = ls_lineage_compose (whole, next);
      ls_lineage_free (whole);
      whole = composed;
    }
  return g_steal_pointer (&whole);
}

/* ---- words ---------------------------------------------------------------- */

const char *
ls_lineage_how_name (LsLineageHow how)
{
  switch (how)
    {
    case LS_LINEAGE_KEPT:    return "kept";
    case LS_LINEAGE_MOVED:   return "moved";
    case LS_LINEAGE_CHANGED: return "changed";
    case LS_LINEAGE_SPLIT:   return "split";
    case LS_LINEAGE_FUSED:   return "fused";
    case LS_LINEAGE_COPIED:  return "copied";
    case LS_LINEAGE_CREATED: return "created";
    case LS_LINEAGE_REMOVED: return "removed";
    }
  return "";
}

char *
ls_family_letter (guint family)
{
  GString *letter = g_string_new (NULL);

  g_string_append_c (letter, (char) ('a' + family % 7));
  for (guint i = 0; i < family / 7; i++)
    g_string_append (letter, "\xe2\x80\xb2");
  return g_string_free (letter, FALSE);
}
