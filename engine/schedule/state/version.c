/* version: what is in one version of the program.
 *
 * A step leaves behind the new module and a short list: the ids and flags of the nodes that it made or marked, and
 * what it told of their lineage.  Loops, blocks and buffers of the version (with their parents and depths), the links
 * from the version before and the families are made from that list and the version before when somebody asks for
 * them: nodes that both modules share keep their ids.  So a step costs what it changes, and looking costs what the
 * module costs, once.
 */
#include "engine/schedule/state/state.h"

struct _LsVersionSource {
  LsVersion *before;            /* NULL: all is in the changes */
  GArray    *changes;           /* of LsVersionChange */
  GArray    *notes;             /* of LsLineageNote */
};

static GMutex lock;

/* ---- life ----------------------------------------------------------------- */

static LsVersion *
version_alloc (LsModule  *module,
               LsVersion *before,
               GArray    *changes,
               GArray    *notes)
{
  LsVersion *self = g_new0 (LsVersion, 1);

  g_atomic_ref_count_init (&self->refs);
  self->module = ls_ref (module);
  self->source = g_new0 (LsVersionSource, 1);
  self->source->before = before != NULL ? ls_version_ref (before) : NULL;
  self->source->changes = changes;
  self->source->notes = notes;
  return self;
}

/* Returns the version before, whose reference is handed on. */
static LsVersion *
source_free (LsVersionSource *self)
{
  LsVersion *before = self->before;

  g_array_unref (self->changes);
  if (self->notes != NULL)
    g_array_unref (self->notes);
  g_free (self);
  return before;
}

LsVersion *
ls_version_ref (LsVersion *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/* Versions that nobody looked at hold on to the ones before: as a loop, since there may be many. */
void
ls_version_unref (LsVersion *self)
{
  while (self != NULL && g_atomic_ref_count_dec (&self->refs))
    {
      LsVersion *before = self->source != NULL ? source_free (self->source) : NULL;

      for (guint i = 0; self->entities != NULL && i < self->entities->len; i++)
        g_free (g_array_index (self->entities, LsEntity, i).families);
      if (self->entities != NULL)
        g_array_unref (self->entities);
      if (self->numbers != NULL)
        g_array_unref (self->numbers);
      if (self->links != NULL)
        g_array_unref (self->links);
      ls_unref (self->module);
      g_free (self);
      self = before;
    }
}

const char *
ls_entity_name (const LsEntity *self)
{
  switch (self->type)
    {
    case LS_ENTITY_LOOP:   return ((LsFor *) self->node)->loop_var->name;
    case LS_ENTITY_BLOCK:  return ((LsBlock *) self->node)->name_hint;
    case LS_ENTITY_BUFFER: return ((LsBuffer *) self->node)->name;
    }
  return "";
}

gboolean
ls_entity_is_related (const LsEntity *a,
                      const LsEntity *b)
{
  for (guint i = 0; i < a->n_families; i++)
    for (guint k = 0; k < b->n_families; k++)
      if (a->families[i] == b->families[k])
        return TRUE;

  return FALSE;
}

gint
ls_version_find_id (LsVersion *self,
                    guint      id)
{
  GArray *numbers = ls_version_completed (self)->numbers;

  return id < numbers->len ? (gint) g_array_index (numbers, guint, id) - 1 : -1;
}

gint
ls_version_find_node (LsVersion *self,
                      gpointer   node)
{
  for (guint i = 0; i < ls_version_get_n (self); i++)
    if (ls_version_at (self, i)->node == node)
      return (gint) i;
  return -1;
}

/* ---- the list of a step --------------------------------------------------- */

guint
ls_sref_flags (LsSref *sref)
{
  return (sref->affine_binding ? 1 : 0) | (sref->region_cover ? 2 : 0) | (sref->stage_pipeline ? 4 : 0) | (sref->exact ? 8 : 0) |
         (sref->cover_known ? 16 : 0) | (sref->cover ? 32 : 0) | (sref->unsound ? 64 : 0) | (sref->covers_known ? 128 : 0) |
         (sref->is_leaf ? 256 : 0);
}

static GArray *
list_changes (LsState *state)
{
  GArray *changes = g_array_sized_new (FALSE, FALSE, sizeof (LsVersionChange), state->touched->len + state->fresh_buffers->len);

  for (guint i = 0; i < state->touched->len; i++)
    {
      LsSref *sref = state->touched->pdata[i];
      LsVersionChange change = { sref->stmt, sref->id, ls_sref_flags (sref) };

      if (sref->stmt != NULL)
        g_array_append_val (changes, change);
    }
  if (state->fresh_buffers->len > 0)
    g_array_append_vals (changes, state->fresh_buffers->data, state->fresh_buffers->len);
  return changes;
}

LsVersion *
ls_version_next (LsVersion *before,
                 LsState   *state)
{
  GArray *notes = g_array_sized_new (FALSE, FALSE, sizeof (LsLineageNote), state->notes->len);

  if (state->notes->len > 0)
    g_array_append_vals (notes, state->notes->data, state->notes->len);
  return version_alloc (state->module, before, list_changes (state), notes);
}

LsVersion *
ls_version_of (LsState *state)
{
  LsVersion *version = version_alloc (state->module, NULL, list_changes (state), NULL);

  ls_version_complete (version);
  return version;
}

/* ---- what is in it --------------------------------------------------------- */

typedef struct {
  LsVersion  *version;
  GHashTable *known;            /* node -> LsVersionChange (in the lists) */
  guint       func;
  gint        parent;
  guint       depth;
} Walk;

static LsVersionChange
change_of (Walk   *walk,
           LsNode *node)
{
  LsVersionChange *known = g_hash_table_lookup (walk->known, node);

  g_assert (known != NULL);
  return *known;
}

static gint
add_entity (Walk         *walk,
            LsEntityType  type,
            gpointer      node)
{
  LsVersionChange change = change_of (walk, node);
  LsEntity entity = { .type = type, .id = change.id, .node = node, .func = walk->func, .parent = walk->parent, .depth = walk->depth,
                      .flags = change.flags };

  g_array_append_val (walk->version->entities, entity);
  return (gint) walk->version->entities->len - 1;
}

static gboolean
add_place (LsNode         *stmt,
           LsBlockRealize *realize,
           gpointer        user_data)
{
  Walk inner = *(Walk *) user_data;
  LsBlock *block = ls_is (stmt, BLOCK) ? (LsBlock *) stmt : NULL;

  inner.parent = add_entity (&inner, block != NULL ? LS_ENTITY_BLOCK : LS_ENTITY_LOOP, stmt);
  inner.depth++;
  for (guint i = 0; block != NULL && i < ls_array_n (block->alloc_buffers); i++)
    add_entity (&inner, LS_ENTITY_BUFFER, block->alloc_buffers->items[i]);
  for (guint i = 0; block != NULL && i < ls_array_n (block->match_buffers); i++)
    add_entity (&inner, LS_ENTITY_BUFFER, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer);
  ls_stmt_foreach_child (block != NULL ? block->body : ((LsFor *) stmt)->body, add_place, &inner);
  return TRUE;
}

static void
add_functions (Walk *walk)
{
  LsArray *functions = walk->version->module->functions;

  for (walk->func = 0; walk->func < ls_array_n (functions); walk->func++)
    {
      LsPrimFunc *func = ls_array_at (functions, walk->func, LsPrimFunc);

      if (!ls_is (func, PRIM_FUNC))
        continue;
      for (guint i = 0; i < ls_array_n (func->buffers); i++)
        if (func->buffers->items[i] != NULL)
          add_entity (walk, LS_ENTITY_BUFFER, func->buffers->items[i]);
      ls_stmt_foreach_child (func->body, add_place, walk);
    }
}

static void
know (GHashTable *known,
      GArray     *changes)
{
  for (guint i = 0; i < changes->len; i++)
    g_hash_table_insert (known, g_array_index (changes, LsVersionChange, i).node, &g_array_index (changes, LsVersionChange, i));
}

static GArray *
known_before (LsVersion *before)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (LsVersionChange));

  for (guint i = 0; before != NULL && i < before->entities->len; i++)
    {
      LsEntity *entity = &g_array_index (before->entities, LsEntity, i);
      LsVersionChange change = { entity->node, entity->id, entity->flags };

      g_array_append_val (changes, change);
    }
  return changes;
}

static void
number_families (LsVersion *self)
{
  guint family = 0;

  for (guint i = 0; i < self->entities->len; i++)
    {
      LsEntity *entity = &g_array_index (self->entities, LsEntity, i);

      if (entity->type != LS_ENTITY_LOOP)
        continue;
      entity->families = g_new (guint, 1);
      entity->families[0] = family++;
      entity->n_families = 1;
    }
}

/* Where an id stands more than once, the first counts. */
static void
number_entities (LsVersion *self)
{
  guint n = 0;

  for (guint i = 0; i < self->entities->len; i++)
    n = MAX (n, g_array_index (self->entities, LsEntity, i).id + 1);
  self->numbers = g_array_sized_new (FALSE, TRUE, sizeof (guint), n);
  g_array_set_size (self->numbers, n);
  for (guint i = self->entities->len; i-- > 0;)
    g_array_index (self->numbers, guint, g_array_index (self->entities, LsEntity, i).id) = i + 1;
}

/* The version before is complete. */
static void
complete (LsVersion *self)
{
  LsVersionSource *source = self->source;
  g_autoptr(GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr(GArray) before = known_before (source->before);
  Walk walk = { self, known, 0, -1, 0 };

  know (known, before);
  know (known, source->changes);
  self->entities = g_array_new (FALSE, TRUE, sizeof (LsEntity));
  add_functions (&walk);
  number_entities (self);
  if (source->before != NULL)
    self->links = ls_lineage_links (source->before, self, source->notes);
  else
    number_families (self);
  g_atomic_pointer_set (&self->source, NULL);
  ls_version_unref (source_free (source));
}

void
ls_version_complete (LsVersion *self)
{
  g_autoptr(GPtrArray) chain = g_ptr_array_new ();

  g_mutex_lock (&lock);
  for (LsVersion *v = self; v != NULL && v->source != NULL; v = v->source->before)
    g_ptr_array_add (chain, v);
  for (guint i = chain->len; i-- > 0;)
    complete (chain->pdata[i]);
  g_mutex_unlock (&lock);
}
