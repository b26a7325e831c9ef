/* PlanAndUpdateBufferAllocationLocation: each buffer that a block allocates moves to the innermost loop or block that
 * encloses all its accesses (their lowest common ancestor).
 *
 * A loop that carries a value from round to round must not enclose the allocation of what carries it: what a block
 * that reduces writes counts as accessed outside the outermost of its reduction loops, what it accesses by an ordered
 * or opaque variable outside the loops of that variable.  Buffers in global memory stand outside the binding to
 * blockIdx.  A loop that receives an allocation gets an opaque block around its body.
 */
#include "engine/tir/pass/pass.h"
#include "engine/tir/regions.h"
#include "engine/base/stack.h"

#include <string.h>

/* One For or Block on the way from the root. */
typedef struct _Scope Scope;
struct _Scope {
  Scope  *parent;
  LsNode *node;
  guint   depth;
};

typedef struct {
  GPtrArray  *scopes;           /* all Scopes made */
  Scope      *current;
  GPtrArray  *kernels;          /* Scopes of the loops that are bound to blockIdx */
  GHashTable *loops;            /* loop var -> Scope */
  GHashTable *buffers;          /* Buffer -> Scope (lowest common ancestor so far) */
  GPtrArray  *accessed;         /* the buffers of that table in the order of their first access */
  GHashTable *by_data;          /* data Var -> Buffer */
  GHashTable *moved;            /* node -> GPtrArray of Buffer */
  GHashTable *allocated;        /* Buffer: allocated by some block */
  GHashTable *visible;          /* Buffer: while rebuilding, those allocated around where we are */
  LsPrimFunc *func;
} Plan;

static Scope *
push_scope (Plan   *plan,
            LsNode *node)
{
  Scope *scope = g_new0 (Scope, 1);

  scope->parent = plan->current;
  scope->node = node;
  scope->depth = plan->current != NULL ? plan->current->depth + 1 : 0;
  g_ptr_array_add (plan->scopes, scope);
  plan->current = scope;
  return scope;
}

static Scope *
common_ancestor (Scope *a,
                 Scope *b)
{
  while (a != b)
    {
      if (a->depth >= b->depth)
        a = a->parent;
      else
        b = b->parent;
      if (a == NULL || b == NULL)
        return NULL;
    }
  return a;
}

static void
note_access (Plan     *plan,
             LsBuffer *buffer,
             Scope    *at)
{
  Scope *known = g_hash_table_lookup (plan->buffers, buffer);

  if (!g_hash_table_contains (plan->allocated, buffer))
    return;
  if (!g_hash_table_contains (plan->buffers, buffer))
    g_ptr_array_add (plan->accessed, buffer);
  g_hash_table_insert (plan->buffers, buffer, known != NULL ? common_ancestor (known, at) : at);
}

/* The scopes outside of which what the variables of a block carry has to stand. */
typedef struct {
  Plan       *plan;
  Scope      *reduction;        /* or NULL */
  GHashTable *above;            /* ordered or opaque variable -> Scope */
  Scope      *found;
} Carried;

static gboolean
note_loop (LsVar   *var,
           gpointer user_data)
{
  Carried *self = user_data;
  Scope *scope = g_hash_table_lookup (self->plan->loops, var);

  if (scope != NULL && (self->found == NULL || scope->depth <= self->found->depth))
    self->found = scope->parent;
  return FALSE;
}

static gboolean
note_carrier (LsVar   *var,
              gpointer user_data)
{
  Carried *self = user_data;
  Scope *scope = g_hash_table_lookup (self->above, var);

  if (scope != NULL && (self->found == NULL || scope->depth < self->found->depth))
    self->found = scope;
  return FALSE;
}

static void
collect_carried (Carried        *self,
                 LsBlockRealize *realize)
{
  for (guint i = 0; i < realize->block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (realize->block->iter_vars, i, LsIterVar);

      self->found = iter->iter_type == LS_ITER_COMM_REDUCE ? self->reduction : NULL;
      if (iter->iter_type == LS_ITER_DATA_PAR)
        continue;
      ls_uses_var (realize->iter_values->items[i], note_loop, self);
      if (iter->iter_type == LS_ITER_COMM_REDUCE)
        self->reduction = self->found;
      else if (self->found != NULL)
        g_hash_table_insert (self->above, iter->var, self->found);
    }
}

static void
note_region (Carried        *self,
             LsBufferRegion *region,
             Scope          *reduction)
{
  self->found = reduction;
  for (guint i = 0; i < region->region->n; i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      ls_uses_var (LS_NODE (range->min), note_carrier, self);
      ls_uses_var (LS_NODE (range->extent), note_carrier, self);
    }
  if (self->found != NULL)
    note_access (self->plan, region->buffer, self->found);
}

static void
note_carried (Plan           *plan,
              LsBlockRealize *realize)
{
  g_autoptr(GHashTable) above = g_hash_table_new (NULL, NULL);
  Carried self = { plan, NULL, above, NULL };

  collect_carried (&self, realize);
  for (guint i = 0; i < realize->block->reads->n; i++)
    note_region (&self, ls_array_at (realize->block->reads, i, LsBufferRegion), NULL);
  for (guint i = 0; i < realize->block->writes->n; i++)
    note_region (&self, ls_array_at (realize->block->writes, i, LsBufferRegion), self.reduction);
}

static void visit (Plan *plan, LsNode *node);

typedef struct {
  Plan   *plan;
  LsNode *node;
} Again;

static void
visit_again (gpointer data)
{
  Again *again = data;

  visit (again->plan, again->node);
}

static void
visit_children (Plan   *plan,
                LsNode *node)
{
  guint n = ls_node_get_n_children (node);

  for (guint i = 0; i < n; i++)
    if (ls_node_get_child (node, i) != NULL)
      visit (plan, ls_node_get_child (node, i));
}

static void
visit_realize (Plan           *plan,
               LsBlockRealize *realize)
{
  Scope *current = plan->current;

  for (guint i = 0; i < realize->block->alloc_buffers->n; i++)
    {
      LsBuffer *buffer = ls_array_at (realize->block->alloc_buffers, i, LsBuffer);

      g_hash_table_add (plan->allocated, buffer);
      g_hash_table_insert (plan->by_data, buffer->data, buffer);
    }
  note_carried (plan, realize);
  visit (plan, LS_NODE (realize->predicate));
  visit (plan, LS_NODE (realize->iter_values));
  push_scope (plan, LS_NODE (realize->block));
  visit (plan, LS_NODE (realize->block->match_buffers));
  if (realize->block->init != NULL)
    visit (plan, realize->block->init);
  visit (plan, realize->block->body);
  plan->current = current;
}

static gboolean
is_kernel (LsFor *loop)
{
  return loop->thread_binding != NULL && g_str_has_prefix (loop->thread_binding->thread_tag, "blockIdx");
}

static void
visit (Plan   *plan,
       LsNode *node)
{
  Scope *current = plan->current;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (visit_again, &(Again) { plan, node });
      return;
    }
  switch ((int) ls_kind (node))
    {
    case LS_KIND_BLOCK_REALIZE:
      visit_realize (plan, (LsBlockRealize *) node);
      return;
    case LS_KIND_FOR:
      g_hash_table_insert (plan->loops, ((LsFor *) node)->loop_var, push_scope (plan, node));
      if (is_kernel ((LsFor *) node))
        g_ptr_array_add (plan->kernels, plan->current);
      visit_children (plan, node);
      plan->current = current;
      return;
    case LS_KIND_VAR:
      if (g_hash_table_contains (plan->by_data, node))
        note_access (plan, g_hash_table_lookup (plan->by_data, node), plan->current);
      return;
    case LS_KIND_BUFFER:
      note_access (plan, (LsBuffer *) node, plan->current);
      return;
    default:
      visit_children (plan, node);
      return;
    }
}

static Scope *
outside_of_kernels (Plan     *plan,
                    LsBuffer *buffer,
                    Scope    *scope)
{
  const char *memory = ls_buffer_scope (buffer);

  for (guint i = 0; scope != NULL && i < plan->kernels->len && (*memory == '\0' || strcmp (memory, "global") == 0); i++)
    scope = common_ancestor (scope, plan->kernels->pdata[i]);
  return scope;
}

static void
decide_moves (Plan *plan)
{
  for (guint i = 0; i < plan->accessed->len; i++)
    {
      LsBuffer *buffer = plan->accessed->pdata[i];
      Scope *place = outside_of_kernels (plan, buffer, g_hash_table_lookup (plan->buffers, buffer));
      LsNode *node = place != NULL ? place->node : NULL;
      GPtrArray *list;

      if (node == NULL)
        continue;
      list = g_hash_table_lookup (plan->moved, node);
      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (plan->moved, node, list);
        }
      g_ptr_array_add (list, buffer);
    }
}

/* ---- rebuilding ------------------------------------------------------------------------- */

static LsArray *
buffers_at (Plan    *plan,
            LsNode  *node,
            LsArray *before)
{
  GPtrArray *result = g_ptr_array_new ();
  GPtrArray *here = g_hash_table_lookup (plan->moved, node);

  for (guint i = 0; i < ls_array_n (before); i++)
    {
      LsBuffer *buffer = ls_array_at (before, i, LsBuffer);
      gboolean stays = here != NULL && g_ptr_array_find (here, buffer, NULL);

      if (stays || g_hash_table_lookup (plan->buffers, buffer) == NULL)
        g_ptr_array_add (result, ls_ref (buffer));
    }
  if (here != NULL)
    {
      for (guint i = 0; i < here->len; i++)
        if (before == NULL || ls_array_index_of (before, here->pdata[i]) < 0)
          g_ptr_array_add (result, ls_ref ((LsBuffer *) here->pdata[i]));
    }
  return ls_array_take_ptr_array (result);
}

/* Every buffer of the function but these. */
static LsArray *
other_buffers (Plan    *plan,
               LsArray *allocs)
{
  GPtrArray *others = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer buffer;

  for (guint i = 0; i < plan->func->params->n; i++)
    if (ls_prim_func_get_buffer (plan->func, i) != NULL)
      g_ptr_array_add (others, ls_ref (ls_prim_func_get_buffer (plan->func, i)));
  g_hash_table_iter_init (&iter, plan->allocated);
  while (g_hash_table_iter_next (&iter, &buffer, NULL))
    if (ls_array_index_of (allocs, buffer) < 0)
      g_ptr_array_add (others, ls_ref ((LsBuffer *) buffer));
  return ls_array_take_ptr_array (others);
}

static LsStmt *
opaque_block (Plan    *plan,
              LsStmt  *body,
              LsArray *allocs)
{
  g_autoptr (LsArray) visible = other_buffers (plan, allocs);
  g_autoptr (LsBlock) bare = ls_block_new (NULL, NULL, NULL, "", ls_ref (body), NULL, ls_ref (allocs), NULL, NULL);
  g_autoptr (LsArray) reads = NULL;
  g_autoptr (LsArray) writes = NULL;

  ls_block_read_write_region (bare, visible, &reads, &writes);
  return LS_STMT (ls_block_realize_new (NULL, NULL, ls_block_with_reads_writes (bare, reads, writes)));
}

/* The regions of buffers that exist around the block: what it allocates, or what it encloses does, is its own affair. */
static LsArray *
outer_regions (Plan    *plan,
               LsArray *regions)
{
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; i < regions->n; i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);

      if (!g_hash_table_contains (plan->allocated, region->buffer) || g_hash_table_contains (plan->visible, region->buffer))
        g_ptr_array_add (result, ls_ref (region));
    }
  return ls_array_take_ptr_array (result);
}

static LsNode *
rebuild_block (LsRewriter *rewriter,
               LsBlock    *block,
               Plan       *plan)
{
  g_autoptr (LsArray) allocs = buffers_at (plan, LS_NODE (block), block->alloc_buffers);
  g_autoptr (LsArray) reads = outer_regions (plan, block->reads);
  g_autoptr (LsArray) writes = outer_regions (plan, block->writes);
  LsNode *result;

  for (guint i = 0; i < allocs->n; i++)
    g_hash_table_add (plan->visible, allocs->items[i]);
  result = ls_rewrite_default (rewriter, LS_NODE (block));
  for (guint i = 0; i < allocs->n; i++)
    g_hash_table_remove (plan->visible, allocs->items[i]);
  if (allocs->n + block->alloc_buffers->n > 0)
    ls_take (&result, LS_NODE (ls_block_with_alloc_buffers ((LsBlock *) result, allocs)));
  if (reads->n != block->reads->n || writes->n != block->writes->n)
    ls_take (&result, LS_NODE (ls_block_with_reads_writes ((LsBlock *) result, reads, writes)));
  return result;
}

static LsNode *
rebuild_for (LsRewriter *rewriter,
             LsFor      *loop,
             Plan       *plan)
{
  g_autoptr (LsArray) allocs = buffers_at (plan, LS_NODE (loop), NULL);
  g_autoptr (LsNode) result = NULL;
  g_autoptr (LsNode) body = NULL;

  for (guint i = 0; i < allocs->n; i++)
    g_hash_table_add (plan->visible, allocs->items[i]);
  result = ls_rewrite_default (rewriter, LS_NODE (loop));
  for (guint i = 0; i < allocs->n; i++)
    g_hash_table_remove (plan->visible, allocs->items[i]);
  body = opaque_block (plan, ((LsFor *) result)->body, allocs);
  return LS_NODE (ls_for_with_body ((LsFor *) result, body));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Plan *plan = user_data;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return rebuild_block (rewriter, (LsBlock *) node, plan);
  if (ls_is (node, FOR) && g_hash_table_contains (plan->moved, node))
    return rebuild_for (rewriter, (LsFor *) node, plan);
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_plan_buffer_allocation (LsPrimFunc  *func,
                                GError     **error)
{
  Plan plan = {
    .scopes = g_ptr_array_new_with_free_func (g_free),
    .kernels = g_ptr_array_new (),
    .loops = g_hash_table_new (NULL, NULL),
    .buffers = g_hash_table_new (NULL, NULL),
    .accessed = g_ptr_array_new (),
    .by_data = g_hash_table_new (NULL, NULL),
    .moved = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref),
    .allocated = g_hash_table_new (NULL, NULL),
    .visible = g_hash_table_new (NULL, NULL),
    .func = func,
  };
  g_autoptr (LsNode) body = NULL;

  visit (&plan, func->body);
  decide_moves (&plan);
  body = ls_rewrite_with (func->body, filter, &plan);
  g_ptr_array_unref (plan.scopes);
  g_ptr_array_unref (plan.kernels);
  g_hash_table_unref (plan.loops);
  g_hash_table_unref (plan.buffers);
  g_ptr_array_unref (plan.accessed);
  g_hash_table_unref (plan.by_data);
  g_hash_table_unref (plan.moved);
  g_hash_table_unref (plan.allocated);
  g_hash_table_unref (plan.visible);
  return ls_pass_with_body (func, body);
}
