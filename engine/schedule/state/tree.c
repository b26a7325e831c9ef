/* tree: the tree of loops and blocks over an immutable module.
 *
 * Stands between the module, where a node is a value, and the handles of a schedule, which mean a place that outlives
 * the nodes.  Only For and Block nodes have a place; what lies between them (sequences, conditions, lets, realizes) is
 * found by walking from the parent.  Statements in a block's init have no place.  In one module each For and Block
 * occurs once, so that a node's address tells its place.
 * Source of the concept: TVM's ScheduleState and StmtSRef.
 */
#include "engine/schedule/state/state.h"
#include "engine/tir/storage-scope.h"

void
ls_state_forget_names (LsState *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  ls_unref (self->named);
  self->named = NULL;
  self->n_named = 0;
}

void
ls_state_free (LsState *self)
{
  if (self == NULL)
    return;
  ls_ptr_map_clear (&self->by_stmt);
  ls_users_free (self->users);
  ls_state_forget_names (self);
  ls_ptr_map_clear (&self->buffer_ids);
  g_ptr_array_unref (self->by_id);
  g_array_unref (self->notes);
  g_ptr_array_unref (self->touched);
  g_array_unref (self->fresh_buffers);
  ls_unref (self->module);
  g_free (self);
}

static LsState *
state_alloc (LsModule *module,
             guint     n_places,
             guint     n_ids)
{
  LsState *self = g_new0 (LsState, 1);

  self->module = ls_ref (module);
  ls_ptr_map_init (&self->by_stmt, 2 * n_places);
  ls_ptr_map_init (&self->buffer_ids, 0);
  self->by_id = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_sref_free);
  self->notes = g_array_new (FALSE, FALSE, sizeof (LsLineageNote));
  self->touched = g_ptr_array_new ();
  self->fresh_buffers = g_array_new (FALSE, FALSE, sizeof (LsVersionChange));
  g_ptr_array_set_size (self->by_id, (gint) n_ids);
  return self;
}

LsState *
ls_state_new (LsVersion *version,
              guint      n_ids)
{
  guint n = ls_version_get_n (version);
  LsState *self = state_alloc (version->module, n, n_ids);
  g_autofree LsSref **places = g_new0 (LsSref *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      LsSref *sref;

      if (entity->type == LS_ENTITY_BUFFER)
        {
          ls_ptr_map_set (&self->buffer_ids, entity->node, GUINT_TO_POINTER (entity->id + 1));
          continue;
        }
      sref = ls_sref_alloc ();
      sref->stmt = entity->node;
      sref->parent = entity->parent >= 0 ? places[entity->parent] : NULL;
      sref->func = entity->func;
      sref->id = entity->id;
      sref->is_block = entity->type == LS_ENTITY_BLOCK;
      sref->affine_binding = (entity->flags & 1) != 0;
      sref->region_cover = (entity->flags & 2) != 0;
      sref->stage_pipeline = (entity->flags & 4) != 0;
      sref->exact = (entity->flags & 8) != 0;
      sref->cover_known = (entity->flags & 16) != 0;
      sref->cover = (entity->flags & 32) != 0;
      sref->unsound = (entity->flags & 64) != 0;
      sref->covers_known = (entity->flags & 128) != 0;
      sref->is_leaf = (entity->flags & 256) != 0;
      places[i] = sref;
      self->by_id->pdata[entity->id] = sref;
      ls_ptr_map_set (&self->by_stmt, sref->stmt, sref);
    }
  return self;
}

LsSref *
ls_state_sref (LsState  *self,
               gpointer  stmt)
{
  return ls_ptr_map_get (&self->by_stmt, stmt);
}

LsSref *
ls_state_sref_by_id (LsState *self,
                     guint    id)
{
  LsSref *sref = id < self->by_id->len ? self->by_id->pdata[id] : NULL;

  return sref != NULL && sref->stmt != NULL ? sref : NULL;
}

guint
ls_state_buffer_id (LsState  *self,
                    LsBuffer *buffer)
{
  LsVersionChange change = { LS_NODE (buffer), self->by_id->len, 0 };
  gpointer known = ls_ptr_map_get (&self->buffer_ids, buffer);

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  g_ptr_array_add (self->by_id, NULL);
  ls_ptr_map_set (&self->buffer_ids, buffer, GUINT_TO_POINTER (change.id + 1));
  g_array_append_val (self->fresh_buffers, change);
  return change.id;
}

/* A buffer that an older version had keeps its id. */
static void
name_buffer (LsState *self,
             LsNode  *buffer)
{
  guint n = self->fresh_buffers->len;
  LsVersionChange change = { buffer, ls_state_buffer_id (self, (LsBuffer *) buffer), 0 };

  if (self->fresh_buffers->len == n)
    g_array_append_val (self->fresh_buffers, change);
}

void
ls_state_name_buffers (LsState *self,
                       LsBlock *before,
                       LsBlock *block)
{
  LsArray *old = before != NULL ? before->alloc_buffers : NULL;
  LsArray *fresh = block->alloc_buffers;
  guint first, n_old, n_fresh;

  if (old != fresh)
    {
      ls_array_difference (old, fresh, &first, &n_old, &n_fresh);
      for (guint i = first; i < first + n_fresh; i++)
        name_buffer (self, fresh->items[i]);
    }
  if (before == NULL || before->match_buffers != block->match_buffers)
    for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
      name_buffer (self, LS_NODE (ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer));
}

void
ls_state_touch (LsState *self,
                LsSref  *sref)
{
  g_ptr_array_add (self->touched, sref);
}

void
ls_state_begin (LsState *self)
{
  g_array_set_size (self->notes, 0);
  g_ptr_array_set_size (self->touched, 0);
  g_array_set_size (self->fresh_buffers, 0);
}

LsPrimFunc *
ls_state_func (LsState *self,
               LsSref  *sref)
{
  return ls_array_at (self->module->functions, sref->func, LsPrimFunc);
}

typedef struct {
  LsNode         *wanted;
  LsBlockRealize *found;
} RealizeSearch;

static gboolean
realize_found (LsNode         *stmt,
               LsBlockRealize *realize,
               gpointer        user_data)
{
  RealizeSearch *search = user_data;

  if (stmt != search->wanted)
    return TRUE;
  search->found = realize;
  return FALSE;
}

LsBlockRealize *
ls_state_realize (LsState *self,
                  LsSref  *block)
{
  RealizeSearch search = { block->stmt, NULL };
  LsStmt *around = block->parent != NULL ? ls_sref_body (block->parent) : ls_state_func (self, block)->body;

  ls_stmt_foreach_child (around, realize_found, &search);
  return search.found;
}

LsSref *
ls_state_scope_root (LsState *self,
                     LsSref  *sref)
{
  LsSref *p = sref->parent;

  while (p != NULL && !p->is_block)
    p = p->parent;
  return p;
}

GPtrArray *
ls_state_loops (LsState *self,
                LsSref  *sref)
{
  GPtrArray *loops = g_ptr_array_new ();

  for (LsSref *p = sref->parent; p != NULL && !p->is_block; p = p->parent)
    g_ptr_array_insert (loops, 0, p);
  return loops;
}

typedef struct {
  LsState   *state;
  GPtrArray *blocks;
} BlockSearch;

static gboolean
child_block_found (LsNode         *stmt,
                   LsBlockRealize *realize,
                   gpointer        user_data)
{
  BlockSearch *search = user_data;

  if (ls_is (stmt, BLOCK))
    g_ptr_array_add (search->blocks, ls_state_sref (search->state, stmt));
  else
    ls_stmt_foreach_child (((LsFor *) stmt)->body, child_block_found, search);
  return TRUE;
}

GPtrArray *
ls_state_child_blocks (LsState *self,
                       LsSref  *sref)
{
  BlockSearch search = { self, g_ptr_array_new () };

  ls_stmt_foreach_child (ls_sref_body (sref), child_block_found, &search);
  return search.blocks;
}

gboolean
ls_sref_is_ancestor (LsSref *ancestor,
                     LsSref *sref)
{
  while (sref != NULL && sref != ancestor)
    sref = sref->parent;
  return sref != NULL;
}

LsSref *
ls_sref_common (LsSref **srefs,
                guint    n)
{
  LsSref *common = n > 0 ? srefs[0] : NULL;

  for (guint i = 1; i < n; i++)
    while (common != NULL && !ls_sref_is_ancestor (common, srefs[i]))
      common = common->parent;
  return common;
}

const char *
ls_sref_name (LsSref *sref)
{
  if (sref->stmt == NULL)
    return "?";
  return sref->is_block ? ls_sref_block (sref)->name_hint : ls_sref_for (sref)->loop_var->name;
}

/* Buffers and variables hold no statement: a look at each of thousands of them met new memory. */
static gboolean
is_of_names (LsNode *list)
{
  LsNode *first = ls_node_get_n_children (list) > 0 ? ls_node_get_child (list, 0) : NULL;

  return first != NULL && (first->klass->flags & LS_CLASS_IDENTITY) != 0;
}

static gboolean
is_entered (LsNode   *node,
            gpointer  entered)
{
  if (ls_is (node, ARRAY) && is_of_names (node))
    return FALSE;
  return !(ls_is (node, FOR) || ls_is (node, BLOCK)) || g_hash_table_contains (entered, node);
}

char *
ls_state_print_path (LsState  *self,
                     gpointer  node)
{
  LsSref *sref = node != NULL ? ls_state_sref (self, node) : NULL;
  g_autoptr(GHashTable) entered = sref != NULL ? ls_state_entered (self, sref, NULL, NULL, 0) : NULL;
  g_autoptr(LsPath) path = sref != NULL ? ls_path_find_in (self->module, node, is_entered, entered) : ls_path_find (self->module, node);

  return path != NULL ? ls_path_print (path, self->module) : NULL;
}

/* ---- domains ------------------------------------------------------------- */

static void
add_domain (LsDomMap *domains,
            LsSref   *sref)
{
  LsFor *loop = ls_sref_for (sref);
  g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

  ls_dom_map_set_range (domains, loop->loop_var, range);
}

LsDomMap *
ls_state_loop_domains (LsState    *self,
                       LsSref     *low,
                       LsSref     *high,
                       const char *extra_scope)
{
  LsDomMap *domains = ls_dom_map_new ();
  LsSref *p = low;

  for (; p != NULL && p != high && !p->is_block; p = p->parent)
    add_domain (domains, p);
  if (extra_scope == NULL || *extra_scope == '\0' || g_str_has_prefix (extra_scope, "global"))
    return domains;
  for (; p != NULL; p = p->parent)
    if (!p->is_block && ls_sref_for (p)->kind == LS_FOR_THREAD_BINDING &&
        ls_storage_spans_thread (extra_scope, ls_sref_for (p)->thread_binding->thread_tag))
      add_domain (domains, p);
  return domains;
}

/* ---- a fresh tree -------------------------------------------------------- */

/* Gives a place to everything below, with fresh ids. */
typedef struct {
  LsState *state;
  LsSref  *parent;
  guint    func;
} Plant;

static gboolean
plant (LsNode         *stmt,
       LsBlockRealize *realize,
       gpointer        user_data)
{
  Plant inner = *(Plant *) user_data;
  LsSref *sref = ls_sref_alloc ();

  sref->stmt = stmt;
  sref->parent = inner.parent;
  sref->func = inner.func;
  sref->is_block = ls_is (stmt, BLOCK);
  sref->id = inner.state->by_id->len;
  g_ptr_array_add (inner.state->by_id, sref);
  ls_ptr_map_set (&inner.state->by_stmt, stmt, sref);
  inner.parent = sref;
  ls_stmt_foreach_child (ls_sref_body (sref), plant, &inner);
  return TRUE;
}

LsState *
ls_state_plant (LsModule *module)
{
  LsState *self = state_alloc (module, 0, 0);

  for (guint f = 0; f < ls_array_n (module->functions); f++)
    {
      Plant seed = { self, NULL, f };

      if (ls_is (module->functions->items[f], PRIM_FUNC))
        ls_stmt_foreach_child (ls_array_at (module->functions, f, LsPrimFunc)->body, plant, &seed);
    }
  return self;
}
