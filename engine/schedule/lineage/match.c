/* match: what became which between two programs whose steps are unknown (two files).
 *
 * Functions are paired by name (two single ones always), buffers and blocks by their names, loops by the blocks inside them and their names.
 *   block:  same name; else name + "_init" or "_update" of a block before (decompose_reduction's names)
 *   loop:   around a matched block: same name and same extent; else a name that says where it comes from, as the
 *           primitives name their loops: i_0, i_1 (split), i_j_fused (fuse), i_init (copied)
 * The names are what TVM's primitives give, so that the picture is mostly that of the steps themselves; what matches
 * nothing counts as created or removed.
 */
#include "engine/schedule/lineage/lineage.h"

static const char *
func_name (LsVersion *version,
           LsEntity  *entity)
{
  return ls_array_at (version->module->global_vars, entity->func, LsGlobalVar)->name_hint;
}

typedef struct {
  LsVersion *before;
  LsVersion *after;
  GArray    *links;
  gboolean  *taken;             /* by entity before */
} Matcher;

static gboolean
same_function (Matcher  *self,
               LsEntity *before,
               LsEntity *after)
{
  if (ls_array_n (self->before->module->functions) == 1 && ls_array_n (self->after->module->functions) == 1)
    return TRUE;
  return strcmp (func_name (self->before, before), func_name (self->after, after)) == 0;
}

static void
add (Matcher      *self,
     LsLineageHow  how,
     gint          before,
     gint          after)
{
  LsLineageLink link = { how, before, after };

  g_array_append_val (self->links, link);
  if (before >= 0 && how != LS_LINEAGE_COPIED)
    self->taken[before] = TRUE;
}

static gint
link_before (Matcher *self,
             gint     after)
{
  for (guint i = 0; i < self->links->len; i++)
    if (g_array_index (self->links, LsLineageLink, i).after == after)
      return g_array_index (self->links, LsLineageLink, i).before;
  return -1;
}

/* The first free entity before of this type and name in the same function; a loop also has to stand around `inside`. */
static gint
find_before (Matcher    *self,
             LsEntity   *after,
             const char *name,
             gint        inside,
             gboolean    free_only)
{
  for (guint i = 0; i < ls_version_get_n (self->before); i++)
    {
      LsEntity *before = ls_version_at (self->before, i);
      gint p = inside;

      if (before->type != after->type || (free_only && self->taken[i]) || strcmp (ls_entity_name (before), name) != 0 ||
          !same_function (self, before, after))
        continue;
      while (inside >= 0 && p >= 0 && p != (gint) i)
        p = ls_version_at (self->before, p)->parent;
      if (inside < 0 || p >= 0)
        return (gint) i;
    }
  return -1;
}

static char *
without_suffix (const char *name,
                const char *suffix)
{
  return g_str_has_suffix (name, suffix) ? g_strndup (name, strlen (name) - strlen (suffix)) : NULL;
}

static gboolean
is_same (LsEntity *before,
         LsEntity *after)
{
  switch (after->type)
    {
    case LS_ENTITY_LOOP:
      {
        LsFor *a = (LsFor *) before->node;
        LsFor *b = (LsFor *) after->node;

        return a->kind == b->kind && a->annotations->n == b->annotations->n;
      }
    case LS_ENTITY_BLOCK:
      return ls_array_n (((LsBlock *) before->node)->iter_vars) == ls_array_n (((LsBlock *) after->node)->iter_vars) &&
             (((LsBlock *) before->node)->init == NULL) == (((LsBlock *) after->node)->init == NULL);
    case LS_ENTITY_BUFFER:
      return strcmp (ls_buffer_scope ((LsBuffer *) before->node), ls_buffer_scope ((LsBuffer *) after->node)) == 0 &&
             ls_structural_equal (((LsBuffer *) before->node)->shape, ((LsBuffer *) after->node)->shape, TRUE, NULL, NULL);
    }
  return FALSE;
}

static gboolean
match_exact (Matcher *self,
             gint     i,
             gint     inside)
{
  LsEntity *after = ls_version_at (self->after, i);
  gint before = find_before (self, after, ls_entity_name (after), inside, TRUE);

  if (before < 0)
    return FALSE;
  if (after->type == LS_ENTITY_LOOP)
    {
      gint64 a, b;

      if (ls_as_int (((LsFor *) ls_version_at (self->before, before)->node)->extent, &a) &&
          ls_as_int (((LsFor *) after->node)->extent, &b) && a != b)
        return FALSE;
    }
  add (self, is_same (ls_version_at (self->before, before), after) ? LS_LINEAGE_KEPT : LS_LINEAGE_CHANGED, before, i);
  return TRUE;
}

static void
match_block (Matcher *self,
             gint     i)
{
  LsEntity *after = ls_version_at (self->after, i);
  g_autofree char *updated = without_suffix (ls_entity_name (after), "_update");
  g_autofree char *init = without_suffix (ls_entity_name (after), "_init");
  gint before;

  if (match_exact (self, i, -1))
    return;
  before = updated != NULL ? find_before (self, after, updated, -1, TRUE) : -1;
  if (before >= 0)
    {
      add (self, LS_LINEAGE_CHANGED, before, i);
      return;
    }
  before = init != NULL ? find_before (self, after, init, -1, FALSE) : -1;
  add (self, before >= 0 ? LS_LINEAGE_COPIED : LS_LINEAGE_CREATED, before, i);
}

/* The block before that belongs to the first matched block inside loop `i` of the program after. */
static gint
block_inside (Matcher *self,
              gint     i)
{
  for (guint k = i + 1; k < ls_version_get_n (self->after); k++)
    {
      LsEntity *inner = ls_version_at (self->after, k);
      gint p = inner->parent;
      gint before;

      if (inner->type != LS_ENTITY_BLOCK)
        continue;
      while (p >= 0 && p != i)
        p = ls_version_at (self->after, p)->parent;
      before = p == i ? link_before (self, (gint) k) : -1;
      if (before >= 0)
        return before;
    }
  return -1;
}

/* The loop before that a name with numbers at its end comes from: j_0_1 from j_0 or else j. */
static gint
find_stem (Matcher    *self,
           LsEntity   *after,
           const char *name,
           gint        inside)
{
  g_autofree char *stem = g_strdup (name);
  char *bar;

  while ((bar = strrchr (stem, '_')) != NULL && bar[1] != '\0' && strspn (bar + 1, "0123456789") == strlen (bar + 1))
    {
      gint before;

      *bar = '\0';
      before = find_before (self, after, stem, inside, FALSE);
      if (before >= 0)
        return before;
    }
  return -1;
}

static gboolean
match_split (Matcher *self,
             gint     i,
             gint     inside)
{
  LsEntity *after = ls_version_at (self->after, i);
  gint before = find_stem (self, after, ls_entity_name (after), inside);

  if (before < 0)
    return FALSE;
  add (self, LS_LINEAGE_SPLIT, before, i);
  return TRUE;
}

static gboolean
match_fused (Matcher *self,
             gint     i,
             gint     inside)
{
  LsEntity *after = ls_version_at (self->after, i);
  g_autofree char *stems = without_suffix (ls_entity_name (after), "_fused");
  gboolean found = FALSE;

  for (gint p = inside; stems != NULL && p >= 0; p = ls_version_at (self->before, p)->parent)
    {
      LsEntity *before = ls_version_at (self->before, p);
      g_autofree char *inner = g_strdup_printf ("_%s_", ls_entity_name (before));
      g_autofree char *padded = g_strdup_printf ("_%s_", stems);

      if (before->type != LS_ENTITY_LOOP || strstr (padded, inner) == NULL)
        continue;
      add (self, LS_LINEAGE_FUSED, p, i);
      found = TRUE;
    }
  return found;
}

static void
match_loop (Matcher *self,
            gint     i)
{
  LsEntity *after = ls_version_at (self->after, i);
  g_autofree char *init = without_suffix (ls_entity_name (after), "_init");
  gint inside = block_inside (self, i);
  gint before;

  if (inside < 0)
    {
      add (self, LS_LINEAGE_CREATED, -1, i);
      return;
    }
  if (match_exact (self, i, inside) || match_split (self, i, inside) || match_fused (self, i, inside))
    return;
  before = init != NULL ? find_before (self, after, init, inside, FALSE) : -1;
  if (before < 0 && init != NULL)
    before = find_stem (self, after, init, inside);
  add (self, before >= 0 ? LS_LINEAGE_COPIED : LS_LINEAGE_CREATED, before, i);
}

static void
inherit (Matcher *self)
{
  for (guint i = 0; i < ls_version_get_n (self->after); i++)
    {
      LsEntity *after = ls_version_at (self->after, i);

      if (after->type != LS_ENTITY_LOOP)
        continue;
      after->n_families = 0;
      for (guint k = 0; k < self->links->len; k++)
        {
          LsLineageLink *link = &g_array_index (self->links, LsLineageLink, k);
          LsEntity *before = link->before >= 0 ? ls_version_at (self->before, link->before) : NULL;

          if (link->after != (gint) i || before == NULL)
            continue;
          after->families = g_renew (guint, after->families, after->n_families + before->n_families + 1);
          for (guint f = 0; f < before->n_families; f++)
            after->families[after->n_families++] = before->families[f];
        }
    }
}

static gint
by_after (gconstpointer a,
          gconstpointer b)
{
  const LsLineageLink *x = a;
  const LsLineageLink *y = b;

  if (x->after != y->after)
    return x->after < 0 ? 1 : y->after < 0 ? -1 : x->after - y->after;
  return x->before - y->before;
}

LsLineage *
ls_lineage_match (LsVersion *before,
                  LsVersion *after)
{
  LsLineage *self = g_new0 (LsLineage, 1);
  g_autofree gboolean *taken = g_new0 (gboolean, ls_version_get_n (before) + 1);
  Matcher matcher = { before, after, g_array_new (FALSE, FALSE, sizeof (LsLineageLink)), taken };

  for (guint i = 0; i < ls_version_get_n (after); i++)
    {
      LsEntity *entity = ls_version_at (after, i);

      if (entity->type == LS_ENTITY_BLOCK)
        match_block (&matcher, (gint) i);
      else if (entity->type == LS_ENTITY_BUFFER && !match_exact (&matcher, (gint) i, -1))
        add (&matcher, LS_LINEAGE_CREATED, -1, (gint) i);
    }
  for (guint i = 0; i < ls_version_get_n (after); i++)
    if (ls_version_at (after, i)->type == LS_ENTITY_LOOP)
      match_loop (&matcher, (gint) i);
  inherit (&matcher);
  for (guint i = 0; i < matcher.links->len; i++)
    if (g_array_index (matcher.links, LsLineageLink, i).before >= 0)
      taken[g_array_index (matcher.links, LsLineageLink, i).before] = TRUE;
  for (guint i = 0; i < ls_version_get_n (before); i++)
    if (!taken[i])
      add (&matcher, LS_LINEAGE_REMOVED, (gint) i, -1);
  g_array_sort (matcher.links, by_after);
  self->before = ls_version_ref (before);
  self->after = ls_version_ref (after);
  self->links = matcher.links;
  return self;
}
