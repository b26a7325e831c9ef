/* lineage-text: see the header.
 *
 * For each thing after, `sources` are the things before that a link leads from.  A thing is moved when a loop or block around
 * it has no source around its source, or when something that comes from what stood around it does so no longer.  Copies (the
 * loops of an init block beside those of the update) count as descendants of nothing here: only the chain of loops around the
 * thing that lives on does.  Two programs that are equal up to the names of variables have no changes.
 */
#include "engine/schedule/lineage-text.h"

#include "engine/script/printer.h"

#include <string.h>

typedef struct {
  LsLineage *lineage;
  LsVersion *before;
  LsVersion *after;
  GPtrArray *changes;
  gboolean  *fused;             /* by entity after: has been said to be fused */
  gboolean  *spoken;            /* by entity after: split, fused, copied, created... has been said */
} Teller;

void
ls_lineage_change_free (LsLineageChange *self)
{
  g_free (self->text);
  g_free (self->detail);
  g_array_unref (self->before);
  g_array_unref (self->after);
  g_free (self);
}

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

static const char *
name_of (LsEntity *entity)
{
  switch (entity->type)
    {
    case LS_ENTITY_LOOP:   return ((LsFor *) entity->node)->loop_var->name;
    case LS_ENTITY_BLOCK:  return ((LsBlock *) entity->node)->name_hint;
    case LS_ENTITY_BUFFER: return ((LsBuffer *) entity->node)->name;
    }
  return "";
}

static gboolean
is_around (LsVersion *version,
           gint       outer,
           gint       inner)
{
  while (inner >= 0 && inner != outer)
    inner = ls_version_at (version, inner)->parent;
  return inner >= 0;
}

static gint
block_inside (LsVersion *version,
              guint      loop)
{
  for (guint i = loop + 1; i < ls_version_get_n (version); i++)
    if (ls_version_at (version, i)->type == LS_ENTITY_BLOCK && is_around (version, (gint) loop, (gint) i))
      return (gint) i;
  return -1;
}

char *
ls_version_describe (LsVersion *version,
                     guint      entity)
{
  LsEntity *self = ls_version_at (version, entity);
  gint block = self->type == LS_ENTITY_LOOP ? block_inside (version, entity) : -1;

  for (guint i = 0; block >= 0 && i < entity; i++)
    {
      LsEntity *other = ls_version_at (version, i);

      if (other->type == LS_ENTITY_LOOP && other->func == self->func && strcmp (name_of (other), name_of (self)) == 0)
        return g_strdup_printf ("%s of %s", name_of (self), name_of (ls_version_at (version, block)));
    }
  return g_strdup (name_of (self));
}

static char *
list_names (LsVersion *version,
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

static char *
list_extents (LsVersion  *version,
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

static GArray *
list_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
list_add (GArray *list,
          guint   entity)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, guint, i) == entity)
      return;
  g_array_append_val (list, entity);
}

#define link_at(self, i) (&g_array_index ((self)->lineage->links, LsLineageLink, (i)))
#define N_LINKS(self) ((self)->lineage->links->len)
#define how_bit(how) (1u << (how))
#define ALL_HOW G_MAXUINT

static GArray *
sources_of (Teller *self,
            gint    after,
            guint   hows)
{
  GArray *list = list_new ();

  for (guint i = 0; i < N_LINKS (self); i++)
    if (link_at (self, i)->after == after && link_at (self, i)->before >= 0 && (hows & how_bit (link_at (self, i)->how)) != 0)
      list_add (list, (guint) link_at (self, i)->before);
  return list;
}

static GArray *
results_of (Teller *self,
            gint    before,
            guint   hows)
{
  GArray *list = list_new ();

  for (guint i = 0; i < N_LINKS (self); i++)
    if (link_at (self, i)->before == before && link_at (self, i)->after >= 0 && (hows & how_bit (link_at (self, i)->how)) != 0)
      list_add (list, (guint) link_at (self, i)->after);
  return list;
}

/* The longest chain of nested things among the results: what the others are copies of. */
static GArray *
main_results_of (Teller *self,
                 gint    before)
{
  g_autoptr (GArray) all = results_of (self, before, ~how_bit (LS_LINEAGE_COPIED));
  GArray *best = list_new ();

  for (guint i = 0; i < all->len; i++)
    {
      GArray *chain = list_new ();

      for (guint k = 0; k < all->len; k++)
        if (is_around (self->after, (gint) g_array_index (all, guint, k), (gint) g_array_index (all, guint, i)))
          list_add (chain, g_array_index (all, guint, k));
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

static gboolean
list_has (GArray *list,
          guint   entity)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, guint, i) == entity)
      return TRUE;
  return FALSE;
}

/* The one thing before that this is still, or -1. */
static gint
source_of (Teller *self,
           gint    after)
{
  g_autoptr (GArray) list = sources_of (self, after, how_bit (LS_LINEAGE_KEPT) | how_bit (LS_LINEAGE_MOVED) | how_bit (LS_LINEAGE_CHANGED));

  return list->len > 0 ? (gint) g_array_index (list, guint, 0) : -1;
}

/* ---- changes ------------------------------------------------------------------ */

static LsLineageChange *
tell (Teller       *self,
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
  change->before = list_new ();
  change->after = list_new ();
  g_ptr_array_add (self->changes, change);
  return change;
}

static void
take_lists (LsLineageChange *change,
            GArray          *before,
            GArray          *after)
{
  for (guint i = 0; before != NULL && i < before->len; i++)
    list_add (change->before, g_array_index (before, guint, i));
  for (guint i = 0; after != NULL && i < after->len; i++)
    list_add (change->after, g_array_index (after, guint, i));
}

static void
take_pair (LsLineageChange *change,
           gint             before,
           gint             after)
{
  if (before >= 0)
    list_add (change->before, (guint) before);
  if (after >= 0)
    list_add (change->after, (guint) after);
}

static gboolean
is_root (LsEntity *entity)
{
  return entity->type == LS_ENTITY_BLOCK && entity->depth == 0;
}

static void
mark_spoken (Teller *self,
             GArray *after)
{
  for (guint i = 0; i < after->len; i++)
    self->spoken[g_array_index (after, guint, i)] = TRUE;
}

static void
tell_split (Teller *self,
            guint   before)
{
  g_autoptr (GArray) parts = results_of (self, (gint) before, how_bit (LS_LINEAGE_SPLIT));
  g_autoptr (GArray) chain = main_results_of (self, (gint) before);
  g_autofree char *name = ls_version_describe (self->before, before);
  g_autofree char *names = list_names (self->after, chain);
  g_autofree char *extents = list_extents (self->after, chain, " x ");
  g_autofree char *extent = ls_script_print_expr (((LsFor *) ls_version_at (self->before, before)->node)->extent);
  gboolean alone = TRUE;
  LsLineageChange *change;

  if (parts->len == 0)
    return;
  for (guint i = 0; i < chain->len; i++)
    {
      g_autoptr (GArray) sources = sources_of (self, (gint) g_array_index (chain, guint, i), ALL_HOW);

      alone &= sources->len == 1;
    }
  change = tell (self, "split", LS_ENTITY_LOOP, 1, g_strdup_printf ("%s -> %s", name, names),
                 alone ? g_strdup_printf ("extent %s -> %s", extent, extents) : NULL);
  take_pair (change, (gint) before, -1);
  take_lists (change, NULL, chain);
  mark_spoken (self, chain);
}

static gboolean
lists_equal (GArray *a,
             GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (guint)) == 0);
}

static void
tell_fused_loops (Teller *self,
                  guint   after,
                  GArray *sources)
{
  g_autoptr (GArray) results = list_new ();
  g_autofree char *from = NULL, *to = NULL, *was = NULL, *is = NULL;
  LsLineageChange *change;

  for (guint i = after; i < ls_version_get_n (self->after); i++)
    {
      g_autoptr (GArray) others = sources_of (self, (gint) i, how_bit (LS_LINEAGE_FUSED));

      if (lists_equal (others, sources) && (i == after || is_around (self->after, (gint) after, (gint) i)))
        {
          list_add (results, i);
          self->fused[i] = TRUE;
        }
    }
  from = list_names (self->before, sources);
  to = list_names (self->after, results);
  was = list_extents (self->before, sources, " x ");
  is = list_extents (self->after, results, " x ");
  change = tell (self, "fused", LS_ENTITY_LOOP, sources->len, g_strdup_printf ("%s -> %s", from, to), g_strdup_printf ("extent %s -> %s", was, is));
  take_lists (change, sources, results);
  mark_spoken (self, results);
}

static void
tell_fused (Teller *self,
            guint   after)
{
  g_autoptr (GArray) sources = sources_of (self, (gint) after, how_bit (LS_LINEAGE_FUSED));
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
  from = list_names (self->before, sources);
  to = ls_version_describe (self->after, after);
  change = tell (self, "inlined", LS_ENTITY_BLOCK, sources->len, g_strdup_printf ("%s into %s", from, to), NULL);
  take_lists (change, sources, NULL);
  take_pair (change, -1, (gint) after);
}

/* "Y -> Y_init, Y_update": the copies, and what the thing itself became when its name changed. */
static void
tell_copied (Teller *self,
             guint   before)
{
  LsEntity *entity = ls_version_at (self->before, before);
  g_autoptr (GArray) copies = results_of (self, (gint) before, how_bit (LS_LINEAGE_COPIED));
  g_autoptr (GArray) others = results_of (self, (gint) before, ~how_bit (LS_LINEAGE_COPIED));
  g_autoptr (GArray) all = list_new ();
  g_autofree char *name = ls_version_describe (self->before, before);
  g_autofree char *names = NULL;
  LsLineageChange *change;

  if (entity->type == LS_ENTITY_LOOP)
    {
      g_autoptr (GArray) chain = main_results_of (self, (gint) before);

      for (guint i = 0; i < others->len; i++)
        if (!list_has (chain, g_array_index (others, guint, i)))
          list_add (copies, g_array_index (others, guint, i));
      g_array_set_size (others, 0);
    }
  if (copies->len == 0)
    return;
  for (guint i = 0; i < copies->len; i++)
    list_add (all, g_array_index (copies, guint, i));
  for (guint i = 0; i < others->len; i++)
    if (strcmp (name_of (entity), name_of (ls_version_at (self->after, g_array_index (others, guint, i)))) != 0)
      {
        list_add (all, g_array_index (others, guint, i));
        self->spoken[g_array_index (others, guint, i)] = TRUE;
      }
  names = list_names (self->after, all);
  change = tell (self, "copied", entity->type, 1, g_strdup_printf ("%s -> %s", name, names), NULL);
  take_pair (change, (gint) before, -1);
  take_lists (change, NULL, all);
  mark_spoken (self, copies);
}

/* Runs of new or gone loops in one nest are one sentence. */
static void
tell_alone (Teller     *self,
            LsVersion  *version,
            const char *how,
            guint      *i,
            const gboolean *alone)
{
  LsEntity *entity = ls_version_at (version, *i);
  gboolean after = version == self->after;
  g_autoptr (GArray) run = list_new ();
  g_autofree char *names = NULL;
  LsLineageChange *change;

  list_add (run, *i);
  for (guint k = *i + 1; entity->type == LS_ENTITY_LOOP && k < ls_version_get_n (version); k++)
    {
      if (!alone[k] || ls_version_at (version, k)->type != LS_ENTITY_LOOP || ls_version_at (version, k)->parent != (gint) *i)
        break;
      list_add (run, k);
      *i = k;
    }
  names = list_names (version, run);
  change = tell (self, how, entity->type, run->len,
                 g_strdup_printf ("%s%s %s", ls_entity_type_name (entity->type), run->len > 1 ? "s" : "", names),
                 entity->type == LS_ENTITY_LOOP ? list_extents (version, run, " x ") : NULL);
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
  take_lists (change, after ? NULL : run, after ? run : NULL);
  if (after)
    mark_spoken (self, run);
}

/* ---- what a thing is like ----------------------------------------------------- */

static void
tell_kind (Teller *self,
           guint   after,
           GArray *sources)
{
  LsFor *loop = (LsFor *) ls_version_at (self->after, after)->node;
  const char *how = NULL;
  g_autofree char *name = ls_version_describe (self->after, after);
  char *detail = NULL;
  LsLineageChange *change;

  for (guint i = 0; i < sources->len; i++)
    {
      LsFor *was = (LsFor *) ls_version_at (self->before, g_array_index (sources, guint, i))->node;

      if (was->kind == loop->kind && (loop->kind != LS_FOR_THREAD_BINDING || was->thread_binding == loop->thread_binding ||
                                      g_strcmp0 (was->thread_binding->thread_tag, loop->thread_binding->thread_tag) == 0))
        return;
    }
  switch ((LsForKind) loop->kind)
    {
    case LS_FOR_SERIAL:
      if (sources->len > 1)
        return;
      how = "made serial";
      detail = sources->len == 0 ? NULL : g_strdup_printf ("was %s", ls_for_kind_name ((LsForKind) ((LsFor *) ls_version_at (self->before, g_array_index (sources, guint, 0))->node)->kind));
      break;
    case LS_FOR_PARALLEL:       how = "parallel"; break;
    case LS_FOR_VECTORIZED:     how = "vectorized"; break;
    case LS_FOR_UNROLLED:       how = "unrolled"; break;
    case LS_FOR_THREAD_BINDING:
      how = "bound";
      detail = loop->thread_binding != NULL ? g_strdup_printf ("to %s", loop->thread_binding->thread_tag) : NULL;
      break;
    }
  change = tell (self, how, LS_ENTITY_LOOP, 1, g_strdup (name), detail);
  take_lists (change, sources, NULL);
  take_pair (change, -1, (gint) after);
}

static LsMap *
annotations_of (LsEntity *entity)
{
  return entity->type == LS_ENTITY_LOOP ? ((LsFor *) entity->node)->annotations : entity->type == LS_ENTITY_BLOCK ? ((LsBlock *) entity->node)->annotations : NULL;
}

static gboolean
same_value (LsNode *a,
            LsNode *b)
{
  return a != NULL && b != NULL && (a == b || ls_structural_equal (a, b, TRUE, NULL, NULL));
}

static gboolean
source_has (Teller     *self,
            GArray     *sources,
            const char *key,
            LsNode     *value)
{
  for (guint i = 0; i < sources->len; i++)
    if (same_value (ls_map_get (annotations_of (ls_version_at (self->before, g_array_index (sources, guint, i))), key), value))
      return TRUE;
  return FALSE;
}

static void
tell_annotation (Teller       *self,
                 const char   *how,
                 LsEntityType  type,
                 const char   *name,
                 const char   *key,
                 LsNode       *value,
                 GArray       *sources,
                 guint         after)
{
  g_autofree char *text = value != NULL ? ls_script_print (value, NULL, NULL) : NULL;
  LsLineageChange *change = tell (self, how, type, 1, g_strdup (name), text != NULL ? g_strdup_printf ("%s = %s", key, text) : g_strdup (key));

  take_lists (change, sources, NULL);
  take_pair (change, -1, (gint) after);
}

static void
tell_annotations (Teller *self,
                  guint   after,
                  GArray *sources)
{
  LsEntity *entity = ls_version_at (self->after, after);
  LsMap *is = annotations_of (entity);
  g_autofree char *name = ls_version_describe (self->after, after);

  for (guint i = 0; is != NULL && i < is->n; i++)
    if (!source_has (self, sources, is->keys[i], is->values[i]))
      tell_annotation (self, "annotated", entity->type, name, is->keys[i], is->values[i], sources, after);
  if (sources->len == 1)
    {
      LsMap *was = annotations_of (ls_version_at (self->before, g_array_index (sources, guint, 0)));

      for (guint i = 0; was != NULL && i < was->n; i++)
        if (ls_map_get (is, was->keys[i]) == NULL)
          tell_annotation (self, "unannotated", entity->type, name, was->keys[i], NULL, sources, after);
    }
}

static void
tell_loop_itself (Teller *self,
                  guint   after,
                  gint    before)
{
  LsFor *a = before >= 0 ? (LsFor *) ls_version_at (self->before, before)->node : NULL;
  LsFor *b = (LsFor *) ls_version_at (self->after, after)->node;
  g_autofree char *was = NULL, *is = NULL, *name = NULL, *fresh = NULL;
  gboolean renamed, resized;
  LsLineageChange *change;

  if (a == NULL || self->spoken[after])
    return;
  was = ls_script_print_expr (a->extent);
  is = ls_script_print_expr (b->extent);
  name = ls_version_describe (self->before, (guint) before);
  fresh = ls_version_describe (self->after, after);
  renamed = strcmp (a->loop_var->name, b->loop_var->name) != 0;
  resized = strcmp (was, is) != 0;
  if (!renamed && !resized)
    return;
  change = tell (self, renamed && resized ? "replaced" : renamed ? "renamed" : "resized", LS_ENTITY_LOOP, 1,
                 renamed ? g_strdup_printf ("%s -> %s", name, fresh) : g_strdup (fresh),
                 resized ? g_strdup_printf ("extent %s -> %s", was, is) : NULL);
  take_pair (change, before, (gint) after);
}

static void
tell_buffer_itself (Teller *self,
                    guint   after,
                    gint    before)
{
  LsBuffer *a = before >= 0 ? (LsBuffer *) ls_version_at (self->before, before)->node : NULL;
  LsBuffer *b = (LsBuffer *) ls_version_at (self->after, after)->node;
  g_autofree char *was = NULL, *is = NULL;
  LsLineageChange *change = NULL;

  if (a == NULL || a == b)
    return;
  if (strcmp (a->name, b->name) != 0)
    change = tell (self, "renamed", LS_ENTITY_BUFFER, 1, g_strdup_printf ("%s -> %s", a->name, b->name), NULL);
  if (change != NULL)
    take_pair (change, before, (gint) after);
  if (strcmp (ls_buffer_scope (a), ls_buffer_scope (b)) != 0)
    take_pair (tell (self, "re-scoped", LS_ENTITY_BUFFER, 1, g_strdup (b->name),
                     g_strdup_printf ("scope %s -> %s", ls_buffer_scope (a), ls_buffer_scope (b))), before, (gint) after);
  was = ls_script_print (a->shape, NULL, NULL);
  is = ls_script_print (b->shape, NULL, NULL);
  if (strcmp (was, is) != 0)
    take_pair (tell (self, "reshaped", LS_ENTITY_BUFFER, 1, g_strdup (b->name), g_strdup_printf ("%s -> %s", was, is)), before, (gint) after);
  if (!ls_dtype_equal (a->dtype, b->dtype))
    take_pair (tell (self, "retyped", LS_ENTITY_BUFFER, 1, g_strdup (b->name),
                     g_strdup_printf ("%s -> %s", ls_dtype_name (a->dtype), ls_dtype_name (b->dtype))), before, (gint) after);
}

/* ---- blocks ------------------------------------------------------------------- */

static gboolean
holds_block (LsVersion *version,
             guint      block)
{
  return block_inside (version, block) >= 0;
}

/* The part of a block as text, with the axes named as those of `names`. */
static char *
part_text (gpointer  part,
           LsBlock  *block,
           LsBlock  *names)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) renamed = NULL;

  if (part == NULL)
    return g_strdup ("");
  for (guint i = 0; block != names && i < MIN (ls_array_n (block->iter_vars), ls_array_n (names->iter_vars)); i++)
    g_hash_table_insert (map, ls_array_at (block->iter_vars, i, LsIterVar)->var, ls_array_at (names->iter_vars, i, LsIterVar)->var);
  renamed = ls_substitute (part, map);
  return ls_script_print (renamed, NULL, NULL);
}

static gboolean
differs (gpointer  was,
         gpointer  is,
         LsBlock  *a,
         LsBlock  *b)
{
  g_autofree char *before = NULL, *after = NULL;

  if (was == is)
    return FALSE;
  before = part_text (was, a, b);
  after = part_text (is, b, b);
  return strcmp (before, after) != 0;
}

/* Types and extents of the axes; names do not count. */
static char *
axes_text (LsBlock *block)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *axis = ls_array_at (block->iter_vars, i, LsIterVar);
      g_autofree char *extent = axis->dom != NULL ? ls_script_print_expr (axis->dom->extent) : g_strdup ("?");

      g_string_append_printf (text, "%d %s;", axis->iter_type, extent);
    }
  return g_string_free (text, FALSE);
}

static void
tell_block_itself (Teller *self,
                   guint   after,
                   gint    before)
{
  LsBlock *a = before >= 0 ? (LsBlock *) ls_version_at (self->before, before)->node : NULL;
  LsBlock *b = (LsBlock *) ls_version_at (self->after, after)->node;
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autofree char *was = NULL, *is = NULL, *detail = NULL;

  if (a == NULL || a == b || is_root (ls_version_at (self->after, after)))
    return;
  if (strcmp (a->name_hint, b->name_hint) != 0 && !self->spoken[after])
    take_pair (tell (self, "renamed", LS_ENTITY_BLOCK, 1, g_strdup_printf ("%s -> %s", a->name_hint, b->name_hint), NULL), before, (gint) after);
  was = axes_text (a);
  is = axes_text (b);
  if (strcmp (was, is) != 0)
    g_ptr_array_add (parts, "axes");
  if (differs (a->reads, b->reads, a, b))
    g_ptr_array_add (parts, "reads");
  if (differs (a->writes, b->writes, a, b))
    g_ptr_array_add (parts, "writes");
  if (!self->spoken[after] && ((a->init == NULL) != (b->init == NULL) || differs (a->init, b->init, a, b)))
    g_ptr_array_add (parts, "init");
  if (!holds_block (self->before, (guint) before) && !holds_block (self->after, after) && differs (a->body, b->body, a, b))
    g_ptr_array_add (parts, "body");
  if (parts->len == 0)
    return;
  g_ptr_array_add (parts, NULL);
  detail = g_strjoinv (", ", (char **) parts->pdata);
  take_pair (tell (self, "changed", LS_ENTITY_BLOCK, 1, g_strdup (b->name_hint), g_steal_pointer (&detail)), before, (gint) after);
}

/* ---- places ------------------------------------------------------------------- */

/* What stood around and does so no longer (as it is now called), and what does so only now. */
typedef struct {
  GArray *lost;                 /* entities after; or before, when nothing of it is left */
  GArray *gone;                 /* entities before */
  GArray *gained;               /* entities after */
} Move;

static void
move_clear (Move *self)
{
  g_clear_pointer (&self->lost, g_array_unref);
  g_clear_pointer (&self->gone, g_array_unref);
  g_clear_pointer (&self->gained, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Move, move_clear)

static void
find_lost (Teller *self,
           guint   after,
           gint    outer,
           Move   *move)
{
  g_autoptr (GArray) now = main_results_of (self, outer);

  if (now->len == 0)
    list_add (move->gone, (guint) outer);
  for (guint i = 0; i < now->len; i++)
    if (!is_around (self->after, (gint) g_array_index (now, guint, i), (gint) after))
      list_add (move->lost, g_array_index (now, guint, i));
}

static gboolean
is_gained (Teller *self,
           gint    before,
           gint    outer)
{
  g_autoptr (GArray) sources = sources_of (self, outer, ALL_HOW);

  for (guint i = 0; i < sources->len; i++)
    if (is_around (self->before, (gint) g_array_index (sources, guint, i), before))
      return FALSE;
  return sources->len > 0;
}

static gboolean
find_move (Teller *self,
           guint   after,
           Move   *move)
{
  g_autoptr (GArray) all = sources_of (self, (gint) after, ~how_bit (LS_LINEAGE_COPIED));
  gint before;

  *move = (Move) { list_new (), list_new (), list_new () };
  if (all->len != 1 || is_root (ls_version_at (self->after, after)))
    return FALSE;
  before = (gint) g_array_index (all, guint, 0);
  for (gint p = ls_version_at (self->before, before)->parent; p >= 0; p = ls_version_at (self->before, p)->parent)
    find_lost (self, after, p, move);
  for (gint p = ls_version_at (self->after, after)->parent; p >= 0; p = ls_version_at (self->after, p)->parent)
    if (is_gained (self, before, p))
      list_add (move->gained, (guint) p);
  return move->lost->len > 0 || move->gained->len > 0;
}

/* Does a block inside the loop, or a block around the thing, say the same? */
static gboolean
is_told_by_block (Teller *self,
                  guint   after,
                  Move   *move)
{
  for (guint i = 0; i < ls_version_get_n (self->after); i++)
    {
      g_auto (Move) other = { NULL, NULL, NULL };
      LsEntity *entity = ls_version_at (self->after, i);
      gboolean inside = ls_version_at (self->after, after)->type == LS_ENTITY_LOOP && is_around (self->after, (gint) after, (gint) i);

      if (i == after || entity->type != LS_ENTITY_BLOCK || !(inside || is_around (self->after, (gint) i, (gint) after)))
        continue;
      if (find_move (self, i, &other) && lists_equal (other.lost, move->lost) && lists_equal (other.gained, move->gained))
        return TRUE;
    }
  return FALSE;
}

static void
reverse (GArray *list)
{
  for (guint i = 0; i < list->len / 2; i++)
    {
      guint *a = &g_array_index (list, guint, i), *b = &g_array_index (list, guint, list->len - 1 - i), swap = *a;

      *a = *b;
      *b = swap;
    }
}

static void
tell_move (Teller *self,
           guint   after)
{
  LsEntity *entity = ls_version_at (self->after, after);
  g_auto (Move) move = { NULL, NULL, NULL };
  g_autoptr (GArray) sources = NULL;
  g_autofree char *name = NULL, *lost = NULL, *gone = NULL, *gained = NULL;
  GString *text;

  if (!find_move (self, after, &move) || is_told_by_block (self, after, &move))
    return;
  reverse (move.lost);
  reverse (move.gone);
  reverse (move.gained);
  sources = sources_of (self, (gint) after, ALL_HOW);
  name = ls_version_describe (self->after, after);
  lost = list_names (self->after, move.lost);
  gone = list_names (self->before, move.gone);
  gained = list_names (self->after, move.gained);
  text = g_string_new (name);
  if (move.lost->len + move.gone->len > 0)
    g_string_append_printf (text, " out of %s%s%s,", gone, move.gone->len > 0 && move.lost->len > 0 ? ", " : "", lost);
  if (move.gained->len > 0)
    g_string_append_printf (text, " into %s", gained);
  else if (entity->parent >= 0 && !is_root (ls_version_at (self->after, entity->parent)))
    {
      g_autofree char *parent = ls_version_describe (self->after, (guint) entity->parent);

      g_string_append_printf (text, " now inside %s", parent);
    }
  else
    g_string_append (text, " now outermost");
  take_lists (tell (self, "moved", entity->type, 1, g_string_free (text, FALSE), NULL), sources, NULL);
  take_pair (self->changes->pdata[self->changes->len - 1], -1, (gint) after);
}

/* ---- all of it ---------------------------------------------------------------- */

static gboolean *
without_link (Teller    *self,
              LsVersion *version)
{
  gboolean *alone = g_new0 (gboolean, ls_version_get_n (version) + 1);

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      g_autoptr (GArray) others = version == self->after ? sources_of (self, (gint) i, ALL_HOW) : results_of (self, (gint) i, ALL_HOW);

      alone[i] = others->len == 0 && !is_root (ls_version_at (version, i));
    }
  return alone;
}

static void
tell_itself (Teller *self,
             guint   after)
{
  LsEntity *entity = ls_version_at (self->after, after);
  g_autoptr (GArray) sources = sources_of (self, (gint) after, ALL_HOW);
  gint before = source_of (self, (gint) after);

  switch (entity->type)
    {
    case LS_ENTITY_LOOP:
      tell_loop_itself (self, after, before);
      tell_kind (self, after, sources);
      break;
    case LS_ENTITY_BLOCK:
      tell_block_itself (self, after, before);
      break;
    case LS_ENTITY_BUFFER:
      tell_buffer_itself (self, after, before);
      break;
    }
  tell_annotations (self, after, sources);
}

/* What is neither loop, block nor buffer: attributes, bindings of axes, statements between. */
static void
tell_rest (Teller *self)
{
  LsModule *was = self->before->module;
  LsModule *is = self->after->module;
  g_autofree char *a = NULL, *b = NULL;

  if (ls_array_n (was->functions) == 1 && ls_array_n (is->functions) == 1)
    {
      const char *old = ls_array_at (was->global_vars, 0, LsGlobalVar)->name_hint;
      const char *new = ls_array_at (is->global_vars, 0, LsGlobalVar)->name_hint;

      if (strcmp (old, new) != 0)
        tell (self, "renamed", LS_ENTITY_BLOCK, 0, g_strdup_printf ("function %s -> %s", old, new), NULL);
    }
  if (self->changes->len == 0 && !ls_structural_equal (self->before->module, self->after->module, FALSE, &a, &b))
    tell (self, "changed", LS_ENTITY_BLOCK, 0, b == NULL ? g_strdup ("module") : g_strdup (b), g_strcmp0 (a, b) != 0 ? g_strdup_printf ("before: %s", a) : NULL);
}

static gint
by_place (gconstpointer a,
          gconstpointer b)
{
  const LsLineageChange *x = *(LsLineageChange *const *) a;
  const LsLineageChange *y = *(LsLineageChange *const *) b;
  guint left = x->after->len > 0 ? g_array_index (x->after, guint, 0) : G_MAXUINT;
  guint right = y->after->len > 0 ? g_array_index (y->after, guint, 0) : G_MAXUINT;

  return left < right ? -1 : left > right;
}

GPtrArray *
ls_lineage_describe (LsLineage *lineage)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lineage_change_free);
  g_autofree gboolean *spoken = g_new0 (gboolean, ls_version_get_n (lineage->after) + 1);
  g_autofree gboolean *fused = g_new0 (gboolean, ls_version_get_n (lineage->after) + 1);
  Teller self = { lineage, lineage->before, lineage->after, changes, fused, spoken };
  g_autofree gboolean *fresh = without_link (&self, lineage->after);
  g_autofree gboolean *gone = without_link (&self, lineage->before);

  if (ls_structural_equal (lineage->before->module, lineage->after->module, FALSE, NULL, NULL))
    return changes;
  for (guint i = 0; i < ls_version_get_n (lineage->before); i++)
    {
      if (ls_version_at (lineage->before, i)->type == LS_ENTITY_LOOP)
        tell_split (&self, i);
      tell_copied (&self, i);
    }
  for (guint i = 0; i < ls_version_get_n (lineage->after); i++)
    tell_fused (&self, i);
  for (guint i = 0; i < ls_version_get_n (lineage->after); i++)
    {
      if (fresh[i])
        {
          tell_alone (&self, lineage->after, "created", &i, fresh);
          continue;
        }
      tell_move (&self, i);
      tell_itself (&self, i);
    }
  g_ptr_array_sort (changes, by_place);
  for (guint i = 0; i < ls_version_get_n (lineage->before); i++)
    if (gone[i])
      tell_alone (&self, lineage->before, "removed", &i, gone);
  tell_rest (&self);
  return changes;
}

/* ---- the summary -------------------------------------------------------------- */

guint
ls_lineage_count_kept (LsLineage    *self,
                       GPtrArray    *changes,
                       LsEntityType  type)
{
  guint n = 0;

  for (guint i = 0; i < ls_version_get_n (self->after); i++)
    {
      gboolean told = is_root (ls_version_at (self->after, i)) || ls_version_at (self->after, i)->type != type;

      for (guint k = 0; !told && k < changes->len; k++)
        told = list_has (((LsLineageChange *) changes->pdata[k])->after, i);
      n += !told;
    }
  return n;
}

static void
append_count (GString      *text,
              const char   *before,
              guint         n,
              LsEntityType  type)
{
  g_string_append_printf (text, "%s%u %s%s", before, n, ls_entity_type_name (type), n == 1 ? "" : "s");
}

static gboolean
was_counted (GPtrArray *changes,
             guint      at)
{
  LsLineageChange *change = changes->pdata[at];

  for (guint i = 0; i < at; i++)
    {
      LsLineageChange *other = changes->pdata[i];

      if (other->type == change->type && strcmp (other->how, change->how) == 0)
        return TRUE;
    }
  return FALSE;
}

char *
ls_lineage_summarize (LsLineage *self,
                      GPtrArray *changes)
{
  GString *text = g_string_new (NULL);
  guint kinds = 0, named = 0;

  for (guint i = 0; i < changes->len; i++)
    {
      LsLineageChange *change = changes->pdata[i];
      guint n = 0;

      if (was_counted (changes, i) || change->n_things == 0)
        continue;
      for (guint k = i; k < changes->len; k++)
        {
          LsLineageChange *other = changes->pdata[k];

          n += other->type == change->type && strcmp (other->how, change->how) == 0 ? other->n_things : 0;
        }
      append_count (text, text->len > 0 ? ", " : "", n, change->type);
      g_string_append_printf (text, " %s", change->how);
    }
  for (int type = LS_ENTITY_LOOP; type <= LS_ENTITY_BUFFER; type++)
    kinds += ls_lineage_count_kept (self, changes, (LsEntityType) type) > 0;
  for (int type = LS_ENTITY_LOOP; type <= LS_ENTITY_BUFFER; type++)
    {
      guint n = ls_lineage_count_kept (self, changes, (LsEntityType) type);

      if (n > 0)
        append_count (text, named++ == 0 ? (text->len > 0 ? "; " : "") : named == kinds ? " and " : ", ", n, (LsEntityType) type);
    }
  if (kinds > 0)
    g_string_append (text, " kept");
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
