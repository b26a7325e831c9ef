/* compose: the lineage of several steps, put together from the links of each (state/links.c).
 */
#include "engine/schedule/lineage/lineage.h"

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

/* ---- several steps -------------------------------------------------------- */

static void
add_link (GArray       *links,
          LsLineageHow  how,
          gint          before,
          gint          after)
{
  LsLineageLink link = { how, before, after };

  g_array_append_val (links, link);
}

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
