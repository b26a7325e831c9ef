/* cost: one walk for runs and operations, one pass over the accesses for bytes. */
#include "engine/tir/cost.h"

#include "engine/arith/pool.h"
#include "engine/tir/regions.h"
#include "engine/tir/rounds.h"
#include "engine/tir/scope.h"
#include "engine/tir/touch.h"

#define MOST_CALLS 16           /* functions that call functions, this deep at most */

static LsCostTable *table_new (LsPrimFunc *func, LsModule *module, guint depth);

/* ---- operations ----------------------------------------------------------- */

static double
count_expr (LsNode *node)
{
  double sum = 0.0;

  if (node == NULL || ls_is (node, BUFFER_LOAD))
    return 0.0;

  switch (ls_kind (node))
    {
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
    case LS_KIND_MIN:
    case LS_KIND_MAX:
      sum = MAX (1, ls_dtype (node).lanes);
      break;
    case LS_KIND_CALL:
      sum = ls_dtype_is_float (ls_dtype (node)) && !ls_is_call (node, "tir.if_then_else") ? 1.0 : 0.0;
      break;
    default:
      break;
    }
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is_expr (child) || ls_is (child, ARRAY))
        sum += count_expr (child);
    }

  return sum;
}

/* ---- runs ----------------------------------------------------------------- */

static gint64
times (gint64 a,
       gint64 b)
{
  gint64 product;

  if (a < 0 || b < 0 || __builtin_mul_overflow (a, b, &product))
    return -1;
  return product;
}

static LsCost *
add_cost (LsCostTable *self,
          LsNode      *node,
          gint64       runs)
{
  LsCost *cost = g_new (LsCost, 1);

  *cost = (LsCost) { .runs = runs, .touches = -1, .flop = -1.0 };
  g_hash_table_insert (self->costs, node, cost);
  return cost;
}

/* Sums that know "unknown". */
static double
plus (double a,
      double b)
{
  return a < 0.0 || b < 0.0 ? -1.0 : a + b;
}

static double walk (LsCostTable *self, LsNode *node, gint64 runs);

static void
set_reason (LsCostTable *self,
            char        *reason)
{
  if (self->reason == NULL)
    self->reason = reason;
  else
    g_free (reason);
}

/* ---- calls of other functions ---- */

/* What one call of a function of the module costs; NULL: it is no such call. */
static LsCostTable *
callee_of (LsCostTable *self,
           LsNode      *node)
{
  LsCall *call = (LsCall *) node;
  LsCostTable *costs;
  LsNode *func;

  if (self->module == NULL || !ls_is (node, CALL) || !ls_is (call->op, GLOBAL_VAR))
    return NULL;
  costs = g_hash_table_lookup (self->callees, node);
  func = costs == NULL ? ls_module_get (self->module, ((LsGlobalVar *) call->op)->name_hint) : NULL;
  if (costs != NULL || func == NULL || !ls_is (func, PRIM_FUNC) || self->depth > MOST_CALLS)
    return costs;
  costs = table_new ((LsPrimFunc *) func, self->module, self->depth + 1);
  g_hash_table_insert (self->callees, node, costs);
  if (costs->reason != NULL)
    set_reason (self, g_strdup_printf ("%s: %s", ((LsGlobalVar *) call->op)->name_hint, costs->reason));
  return costs;
}

/* Operations of an evaluated expression, once. */
static double
count_evaluated (LsCostTable *self,
                 LsNode      *value)
{
  LsCostTable *callee = callee_of (self, value);

  return callee != NULL ? callee->flop : count_expr (value);
}

static double
walk_children (LsCostTable *self,
               LsNode      *node,
               gint64       runs)
{
  double flop = 0.0;

  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is_stmt (child) || ls_is (child, ARRAY) || ls_is (child, BLOCK))
        flop = plus (flop, walk (self, child, runs));
    }
  return flop;
}

static double
walk_loop (LsCostTable *self,
           LsFor       *loop,
           gint64       runs)
{
  gint64 extent, inner;
  LsCost *cost;

  g_ptr_array_add (self->loops, loop);
  inner = ls_as_int (loop->extent, &extent) ? times (runs, MAX (extent, 0)) : runs >= 0 ? ls_count_rounds (self->loops, self->bindings) : -1;
  cost = add_cost (self, LS_NODE (loop), inner);
  if (inner < 0 && runs >= 0)
    {
      g_autofree char *text = ls_expr_text (loop->extent);

      set_reason (self, g_strdup_printf ("loop %s runs %s times, which is not a number", loop->loop_var->name, text));
    }
  cost->flop = walk (self, LS_NODE (loop->body), inner);
  g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
  return cost->flop;
}

/* What its variables are, for the rounds of the loops in it. */
static double
walk_realize (LsCostTable    *self,
              LsBlockRealize *realize,
              gint64          runs)
{
  for (guint i = 0; i < MIN (ls_array_n (realize->block->iter_vars), ls_array_n (realize->iter_values)); i++)
    g_hash_table_insert (self->bindings, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  return walk (self, LS_NODE (realize->block), runs);
}

/* The init statement runs once per result, not once per iteration; it is left out. */
static double
walk_block (LsCostTable *self,
            LsBlock     *block,
            gint64       runs)
{
  LsCost *cost = add_cost (self, LS_NODE (block), runs);

  return cost->flop = walk (self, LS_NODE (block->body), runs);
}

static double
walk (LsCostTable *self,
      LsNode      *node,
      gint64       runs)
{
  double operations;

  if (node == NULL)
    return 0.0;
  if (ls_is (node, FOR))
    return walk_loop (self, (LsFor *) node, runs);
  if (ls_is (node, BLOCK))
    return walk_block (self, (LsBlock *) node, runs);
  if (ls_is (node, BLOCK_REALIZE))
    return walk_realize (self, (LsBlockRealize *) node, runs);
  if (ls_is (node, WHILE))
    {
      if (runs >= 0)
        set_reason (self, g_strdup ("how often a while loop runs is not known"));
      return walk_children (self, node, -1);
    }
  if (ls_is (node, BUFFER_STORE))
    add_cost (self, node, runs);
  if (ls_is (node, BUFFER_STORE))
    operations = count_expr (LS_NODE (((LsBufferStore *) node)->value));
  else if (ls_is (node, EVALUATE))
    operations = count_evaluated (self, LS_NODE (((LsEvaluate *) node)->value));
  else
    return walk_children (self, node, runs);

  if (operations == 0.0)
    return 0.0;
  return runs < 0 || operations < 0.0 ? -1.0 : operations * (double) runs;
}

/* ---- bytes ---------------------------------------------------------------- */

/* The regions that one loop or block touches, per buffer. */
typedef struct {
  LsNode     *node;
  GHashTable *regions;          /* LsBuffer -> GPtrArray of LsBufferRegion */
} Touched;

static void
touched_free (gpointer data)
{
  Touched *self = data;

  g_hash_table_unref (self->regions);
  g_free (self);
}

static void
note_region (GHashTable     *touched,
             LsNode         *node,
             LsBufferRegion *region)
{
  Touched *entry = g_hash_table_lookup (touched, node);
  GPtrArray *list;

  if (entry == NULL)
    {
      entry = g_new0 (Touched, 1);
      entry->node = node;
      entry->regions = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
      g_hash_table_insert (touched, node, entry);
    }
  list = g_hash_table_lookup (entry->regions, region->buffer);
  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      g_hash_table_insert (entry->regions, region->buffer, list);
    }
  g_ptr_array_add (list, ls_ref (region));
}

static void
note_touch (GHashTable *touched,
            LsTouch    *touch,
            LsAnalyzer *analyzer)
{
  g_autoptr (GPtrArray) inner = g_ptr_array_new ();
  g_autoptr (LsBufferRegion) relaxed = ls_ref (touch->region);

  /* From the inside out: a block touches what the loops in it make of the access. */
  for (guint i = touch->around->len; i-- > 0;)
    {
      LsNode *node = touch->around->pdata[i];

      if (ls_is (node, FOR))
        {
          g_autoptr (LsDomMap) domains = NULL;

          g_ptr_array_insert (inner, 0, node);
          domains = ls_loop_domains (inner);
          ls_take (&relaxed, ls_buffer_region_relax (touch->region, domains, NULL, analyzer));
        }
      note_region (touched, node, relaxed);
    }
}

/* Elements along one axis, at most the axis itself; -1: unknown. */
static gint64
axis_extent (LsRange    *range,
             LsExpr     *shape,
             LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) extent = ls_analyzer_simplify (analyzer, range->extent);
  LsConstIntBound bound = ls_analyzer_const_int_bound (analyzer, extent);
  gint64 whole = -1;
  gint64 n = bound.max != LS_POS_INF ? bound.max : -1;

  if (ls_as_int (shape, &whole) && (n < 0 || n > whole))
    n = whole;
  return n < 0 ? -1 : MAX (n, 0);
}

static gint64
region_bytes (LsBufferRegion *region,
              LsAnalyzer     *analyzer)
{
  gint64 bytes = ls_dtype_bytes (region->buffer->dtype);

  for (guint i = 0; i < ls_array_n (region->region); i++)
    bytes = times (bytes, axis_extent (ls_array_at (region->region, i, LsRange),
                                       LS_EXPR (region->buffer->shape->items[i]), analyzer));
  return bytes;
}

static gint64
touched_bytes (Touched    *touched,
               LsAnalyzer *analyzer)
{
  GHashTableIter iter;
  gpointer list;
  gint64 sum = 0;

  g_hash_table_iter_init (&iter, touched->regions);
  while (g_hash_table_iter_next (&iter, NULL, &list))
    {
      GPtrArray *regions = list;
      g_autoptr (LsBufferRegion) whole = ls_buffer_region_union ((LsBufferRegion **) regions->pdata, regions->len);
      gint64 bytes = region_bytes (whole, analyzer);

      if (bytes < 0)
        return -1;
      sum += bytes;
    }
  return sum;
}

static LsWalk
bind_loop (LsNode  *node,
           gpointer data)
{
  ls_scope_bind (data, node, LS_SCOPE_LOOPS);
  return LS_WALK_CONTINUE;
}

static void
fill_touches (LsCostTable *self,
              LsStmt      *root,
              LsAnalyzer  *analyzer)
{
  g_autoptr (GPtrArray) touches = ls_collect_touches (root, &self->reason);
  g_autoptr (GHashTable) touched = g_hash_table_new_full (NULL, NULL, NULL, touched_free);
  GHashTableIter iter;
  gpointer node, entry;

  for (guint i = 0; i < touches->len; i++)
    note_touch (touched, touches->pdata[i], analyzer);
  g_hash_table_iter_init (&iter, touched);
  while (g_hash_table_iter_next (&iter, &node, &entry))
    {
      LsCost *cost = g_hash_table_lookup (self->costs, node);

      if (cost != NULL)
        cost->touches = touched_bytes (entry, analyzer);
    }
}

/* ---- the table ------------------------------------------------------------ */

static LsCostTable *
table_new (LsPrimFunc *func,
           LsModule   *module,
           guint       depth)
{
  LsCostTable *self = g_new0 (LsCostTable, 1);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  g_autoptr (GHashTable) bindings = g_hash_table_new (NULL, NULL);

  self->loops = loops;
  self->bindings = bindings;
  self->module = module;
  self->depth = depth;
  self->costs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->callees = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_cost_table_free);
  self->flop = walk (self, LS_NODE (func->body), 1);
  ls_walk (func->body, bind_loop, NULL, analyzer);
  fill_touches (self, func->body, analyzer);
  self->loops = NULL;
  self->bindings = NULL;
  return self;
}

LsCostTable *
ls_cost_table_new (LsPrimFunc *func)
{
  return table_new (func, NULL, 0);
}

LsCostTable *
ls_cost_table_new_in (LsPrimFunc *func,
                      LsModule   *module)
{
  return table_new (func, module, 0);
}

LsCostTable *
ls_cost_table_get_callee (LsCostTable *self,
                          gpointer     call)
{
  return g_hash_table_lookup (self->callees, call);
}

void
ls_cost_table_free (LsCostTable *self)
{
  g_hash_table_unref (self->costs);
  g_hash_table_unref (self->callees);
  g_free (self->reason);
  g_free (self);
}

const LsCost *
ls_cost_table_get (LsCostTable *self,
                   gpointer     node)
{
  return g_hash_table_lookup (self->costs, node);
}
