/* text-itself: what is different about a thing that lives on.
 *
 * Kinds and annotations are compared with those of every source, so a split loop that was vectorized says so of its part.
 * Of blocks without blocks inside, regions, init and body are compared as text, after their axes got the same names.
 */
#include "engine/schedule/lineage/text-private.h"

#include "engine/script/printer.h"

#include <string.h>

/* ---- what a thing is like ----------------------------------------------------- */

void
ls_teller_kind (LsTeller *self,
                guint     after,
                GArray   *sources)
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
      how = LS_TEXT ("made serial");
      detail = sources->len == 0 ? NULL : g_strdup_printf ("was %s", ls_for_kind_name ((LsForKind) ((LsFor *) ls_version_at (self->before, g_array_index (sources, guint, 0))->node)->kind));
      break;
    case LS_FOR_PARALLEL:       how = LS_TEXT ("parallel"); break;
    case LS_FOR_VECTORIZED:     how = LS_TEXT ("vectorized"); break;
    case LS_FOR_UNROLLED:       how = LS_TEXT ("unrolled"); break;
    case LS_FOR_THREAD_BINDING:
      how = LS_TEXT ("bound");
      detail = loop->thread_binding != NULL ? g_strdup_printf ("to %s", loop->thread_binding->thread_tag) : NULL;
      break;
    }
  change = ls_teller_tell (self, how, LS_ENTITY_LOOP, 1, g_strdup (name), detail);
  ls_teller_take_lists (change, sources, NULL);
  ls_teller_take_pair (change, -1, (gint) after);
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
source_has (LsTeller   *self,
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
tell_annotation (LsTeller     *self,
                 const char   *how,
                 LsEntityType  type,
                 const char   *name,
                 const char   *key,
                 LsNode       *value,
                 GArray       *sources,
                 guint         after)
{
  g_autofree char *text = value != NULL ? ls_script_print (value, NULL, NULL) : NULL;
  LsLineageChange *change = ls_teller_tell (self, how, type, 1, g_strdup (name), text != NULL ? g_strdup_printf ("%s = %s", key, text) : g_strdup (key));

  ls_teller_take_lists (change, sources, NULL);
  ls_teller_take_pair (change, -1, (gint) after);
}

void
ls_teller_annotations (LsTeller *self,
                       guint     after,
                       GArray   *sources)
{
  LsEntity *entity = ls_version_at (self->after, after);
  LsMap *is = annotations_of (entity);
  g_autofree char *name = ls_version_describe (self->after, after);

  for (guint i = 0; is != NULL && i < is->n; i++)
    if (!source_has (self, sources, is->keys[i], is->values[i]))
      tell_annotation (self, LS_TEXT ("annotated"), entity->type, name, is->keys[i], is->values[i], sources, after);
  if (sources->len == 1)
    {
      LsMap *was = annotations_of (ls_version_at (self->before, g_array_index (sources, guint, 0)));

      for (guint i = 0; was != NULL && i < was->n; i++)
        if (ls_map_get (is, was->keys[i]) == NULL)
          tell_annotation (self, LS_TEXT ("unannotated"), entity->type, name, was->keys[i], NULL, sources, after);
    }
}

void
ls_teller_loop_itself (LsTeller *self,
                       guint     after,
                       gint      before)
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
  change = ls_teller_tell (self, renamed && resized ? LS_TEXT ("replaced") : renamed ? LS_TEXT ("renamed") : LS_TEXT ("resized"), LS_ENTITY_LOOP, 1,
                           renamed ? g_strdup_printf ("%s -> %s", name, fresh) : g_strdup (fresh),
                           resized ? g_strdup_printf ("extent %s -> %s", was, is) : NULL);
  ls_teller_take_pair (change, before, (gint) after);
}

void
ls_teller_buffer_itself (LsTeller *self,
                         guint     after,
                         gint      before)
{
  LsBuffer *a = before >= 0 ? (LsBuffer *) ls_version_at (self->before, before)->node : NULL;
  LsBuffer *b = (LsBuffer *) ls_version_at (self->after, after)->node;
  g_autofree char *was = NULL, *is = NULL;
  LsLineageChange *change = NULL;

  if (a == NULL || a == b)
    return;
  if (strcmp (a->name, b->name) != 0)
    change = ls_teller_tell (self, LS_TEXT ("renamed"), LS_ENTITY_BUFFER, 1, g_strdup_printf ("%s -> %s", a->name, b->name), NULL);
  if (change != NULL)
    ls_teller_take_pair (change, before, (gint) after);
  if (strcmp (ls_buffer_scope (a), ls_buffer_scope (b)) != 0)
    ls_teller_take_pair (ls_teller_tell (self, LS_TEXT ("re-scoped"), LS_ENTITY_BUFFER, 1, g_strdup (b->name),
                                         g_strdup_printf ("scope %s -> %s", ls_buffer_scope (a), ls_buffer_scope (b))), before, (gint) after);
  was = ls_script_print (a->shape, NULL, NULL);
  is = ls_script_print (b->shape, NULL, NULL);
  if (strcmp (was, is) != 0)
    ls_teller_take_pair (ls_teller_tell (self, LS_TEXT ("reshaped"), LS_ENTITY_BUFFER, 1, g_strdup (b->name), g_strdup_printf ("%s -> %s", was, is)), before, (gint) after);
  if (!ls_dtype_equal (a->dtype, b->dtype))
    ls_teller_take_pair (ls_teller_tell (self, LS_TEXT ("retyped"), LS_ENTITY_BUFFER, 1, g_strdup (b->name),
                                         g_strdup_printf ("%s -> %s", ls_dtype_name (a->dtype), ls_dtype_name (b->dtype))), before, (gint) after);
}

/* ---- blocks ------------------------------------------------------------------- */

static gboolean
holds_block (LsVersion *version,
             guint      block)
{
  return ls_teller_block_inside (version, block) >= 0;
}

/* What became of the buffers, for use in place of them. */
static void
map_buffers (LsTeller   *self,
             GHashTable *map)
{
  for (guint i = 0; i < self->lineage->links->len; i++)
    {
      LsLineageLink *link = &g_array_index (self->lineage->links, LsLineageLink, i);
      LsEntity *before = link->before >= 0 ? ls_version_at (self->before, link->before) : NULL;

      if (before != NULL && link->after >= 0 && before->type == LS_ENTITY_BUFFER && link->how != LS_LINEAGE_COPIED)
        g_hash_table_insert (map, before->node, ls_version_at (self->after, link->after)->node);
    }
}

/* The part of a block as text, with the axes named as those of `names`, and buffers as they are now called. */
static char *
part_text (LsTeller *self,
           gpointer  part,
           LsBlock  *block,
           LsBlock  *names)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) renamed = NULL;

  if (part == NULL)
    return g_strdup ("");
  if (block != names)
    map_buffers (self, map);
  for (guint i = 0; block != names && i < MIN (ls_array_n (block->iter_vars), ls_array_n (names->iter_vars)); i++)
    g_hash_table_insert (map, ls_array_at (block->iter_vars, i, LsIterVar)->var, ls_array_at (names->iter_vars, i, LsIterVar)->var);
  renamed = ls_substitute (part, map);
  return ls_script_print (renamed, NULL, NULL);
}

static gboolean
differs (LsTeller *self,
         gpointer  was,
         gpointer  is,
         LsBlock  *a,
         LsBlock  *b)
{
  g_autofree char *before = NULL, *after = NULL;

  if (was == is)
    return FALSE;
  before = part_text (self, was, a, b);
  after = part_text (self, is, b, b);
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

void
ls_teller_block_itself (LsTeller *self,
                        guint     after,
                        gint      before)
{
  LsBlock *a = before >= 0 ? (LsBlock *) ls_version_at (self->before, before)->node : NULL;
  LsBlock *b = (LsBlock *) ls_version_at (self->after, after)->node;
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autofree char *was = NULL, *is = NULL, *detail = NULL;

  if (a == NULL || a == b || ls_teller_is_root (ls_version_at (self->after, after)))
    return;
  if (strcmp (a->name_hint, b->name_hint) != 0 && !self->spoken[after])
    ls_teller_take_pair (ls_teller_tell (self, LS_TEXT ("renamed"), LS_ENTITY_BLOCK, 1, g_strdup_printf ("%s -> %s", a->name_hint, b->name_hint), NULL), before, (gint) after);
  was = axes_text (a);
  is = axes_text (b);
  if (strcmp (was, is) != 0)
    g_ptr_array_add (parts, "axes");
  if (differs (self, a->reads, b->reads, a, b))
    g_ptr_array_add (parts, "reads");
  if (differs (self, a->writes, b->writes, a, b))
    g_ptr_array_add (parts, "writes");
  if (!self->spoken[after] && ((a->init == NULL) != (b->init == NULL) || differs (self, a->init, b->init, a, b)))
    g_ptr_array_add (parts, "init");
  if (!holds_block (self->before, (guint) before) && !holds_block (self->after, after) && differs (self, a->body, b->body, a, b))
    g_ptr_array_add (parts, "body");
  if (parts->len == 0)
    return;
  g_ptr_array_add (parts, NULL);
  detail = g_strjoinv (", ", (char **) parts->pdata);
  ls_teller_take_pair (ls_teller_tell (self, LS_TEXT ("changed"), LS_ENTITY_BLOCK, 1, g_strdup (b->name_hint), g_steal_pointer (&detail)), before, (gint) after);
}
