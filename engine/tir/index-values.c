/* index-values: indices are solved for the loads in them. */
#include "engine/tir/index-values.h"

#include "engine/arith/analyzer.h"
#include "engine/tir/specialize.h"

#include <math.h>

#define MOST_PASSES 8           /* copies of copies */
#define MOST ((double) ((gint64) 1 << 52))      /* further than any element */

/* An expression that has to lie in low..high. */
typedef struct {
  LsExpr   *expr;               /* owned; without variables of blocks and lets */
  double    low, high;
  LsBuffer *of;                 /* or NULL: the value of a store */
} Demand;

typedef struct {
  LsBuffer *buffer;
  LsExpr   *value;              /* owned, as in Demand */
} Copy;

typedef struct { double low, high; gboolean rises; LsBuffer *of; } Need;

typedef struct {
  LsAnalyzer *analyzer;
  GHashTable *bindings;         /* LsVar -> LsExpr (owned) */
  GHashTable *open;             /* LsVar of loops that go as far as data says */
  GHashTable *sources;          /* data of a matched buffer -> that of its source */
  GArray     *demands, *copies;
  GHashTable *needs;            /* LsVar (data) -> Need */
  gboolean    changed;
} Finder;

static LsWalk
find_load (LsNode  *node,
           gpointer found)
{
  *(gboolean *) found |= ls_is (node, BUFFER_LOAD);
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
has_load (gpointer expr)
{
  gboolean found = FALSE;

  ls_walk (LS_NODE (expr), find_load, NULL, &found);
  return found;
}

/* ---- what is demanded --------------------------------------------------------------- */

static LsExpr *
resolve (Finder *self,
         LsExpr *expr)
{
  return LS_EXPR (ls_substitute (expr, self->bindings));
}

static void
demand_indices (Finder   *self,
                LsBuffer *buffer,
                LsArray  *indices)
{
  for (guint i = 0; i < indices->n && i < buffer->shape->n; i++)
    {
      LsExpr *index = LS_EXPR (indices->items[i]);
      gint64 extent, stride = 0;
      Demand demand = { NULL, 0.0, 0.0, buffer };

      if (!ls_as_int (buffer->shape->items[i], &extent) || extent < 1)
        continue;
      demand.high = (double) (extent - 1);
      if (ls_is (index, RAMP) && !ls_as_int (((LsRamp *) index)->stride, &stride))
        continue;
      if (ls_is (index, RAMP))
        {
          double reach = (double) stride * (double) (ls_dtype (index).lanes - 1);

          demand.low = MAX (0.0, -reach);
          demand.high -= MAX (0.0, reach);
          index = ((LsRamp *) index)->base;
        }
      demand.expr = resolve (self, index);
      if (has_load (demand.expr))
        g_array_append_val (self->demands, demand);
      else
        ls_node_unref (LS_NODE (demand.expr));
    }
}

static LsWalk
look_at_expr (LsNode  *node,
              gpointer data)
{
  if (ls_is (node, BUFFER_LOAD))
    demand_indices (data, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
  return LS_WALK_CONTINUE;
}

static gpointer
root_of (Finder   *self,
         LsBuffer *buffer)
{
  gpointer data = buffer->data, source;

  while ((source = g_hash_table_lookup (self->sources, data)) != NULL && source != data)
    data = source;
  return data;
}

/* What its numbers have to be so far. (transfer none) */
static Need *
need_of (Finder   *self,
         LsBuffer *buffer)
{
  gpointer data = root_of (self, buffer);
  Need *need = g_hash_table_lookup (self->needs, data);

  if (need != NULL)
    return need;
  need = g_new (Need, 1);
  *need = (Need) { -MOST, MOST, FALSE, NULL };
  g_hash_table_insert (self->needs, data, need);
  return need;
}

/* Elements of which one follows the other as bounds of a loop. */
static LsWalk
note_rising (LsNode  *node,
             gpointer data)
{
  if (ls_is (node, BUFFER_LOAD) && ls_dtype_is_int (((LsBufferLoad *) node)->buffer->dtype))
    need_of (data, ((LsBufferLoad *) node)->buffer)->rises = TRUE;
  return LS_WALK_CONTINUE;
}

static void look (Finder *self, LsNode *node);

static void
look_at_loop (Finder *self,
              LsFor  *loop)
{
  g_autoptr (LsExpr) min = resolve (self, loop->min), extent = resolve (self, loop->extent);
  g_autoptr (LsRange) range = NULL;

  ls_walk (LS_NODE (loop->min), look_at_expr, NULL, self);
  ls_walk (LS_NODE (loop->extent), look_at_expr, NULL, self);
  if (has_load (min) || has_load (extent))
    {
      ls_walk (LS_NODE (min), note_rising, NULL, self);
      ls_walk (LS_NODE (extent), note_rising, NULL, self);
      g_hash_table_add (self->open, loop->loop_var);
    }
  else
    {
      range = ls_range_new (ls_ref (min), ls_ref (extent));
      ls_analyzer_bind_range (self->analyzer, loop->loop_var, range, TRUE);
    }
  look (self, LS_NODE (loop->body));
}

static void
look (Finder *self,
      LsNode *node)
{
  if (node == NULL)
    return;
  if (ls_is_expr (node))
    {
      ls_walk (node, look_at_expr, NULL, self);
      return;
    }
  if (ls_is (node, FOR))
    {
      look_at_loop (self, (LsFor *) node);
      return;
    }
  if (ls_is (node, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) node;

      for (guint i = 0; i < realize->block->iter_vars->n && i < realize->iter_values->n; i++)
        {
          look (self, realize->iter_values->items[i]);
          g_hash_table_insert (self->bindings, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, resolve (self, LS_EXPR (realize->iter_values->items[i])));
        }
      for (guint i = 0; i < realize->block->match_buffers->n; i++)
        {
          LsMatchBufferRegion *match = ls_array_at (realize->block->match_buffers, i, LsMatchBufferRegion);

          g_hash_table_insert (self->sources, match->buffer->data, match->source->buffer->data);
        }
      look (self, LS_NODE (realize->predicate));
      look (self, LS_NODE (realize->block->init));
      look (self, LS_NODE (realize->block->body));
      return;
    }
  if (ls_is (node, LET_STMT))
    {
      LsLetStmt *let = (LsLetStmt *) node;

      look (self, LS_NODE (let->value));
      if (ls_dtype_is_int (ls_dtype (let->var)))
        g_hash_table_insert (self->bindings, let->var, resolve (self, let->value));
      look (self, LS_NODE (let->body));
      return;
    }
  if (ls_is (node, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) node;
      Copy copy = { store->buffer, NULL };

      demand_indices (self, store->buffer, store->indices);
      for (guint i = 0; i < store->indices->n; i++)
        look (self, store->indices->items[i]);
      look (self, LS_NODE (store->value));
      copy.value = resolve (self, store->value);
      if (has_load (copy.value))
        g_array_append_val (self->copies, copy);
      else
        ls_node_unref (LS_NODE (copy.value));
      return;
    }
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child != NULL && (ls_is_stmt (child) || ls_is_expr (child) || ls_is (child, ARRAY)))
        look (self, child);
    }
}

/* ---- solving --------------------------------------------------------------------------- */

static void
need_of_buffer (Finder   *self,
                LsBuffer *buffer,
                double    low,
                double    high,
                LsBuffer *of)
{
  Need *need = need_of (self, buffer);

  if (low <= need->low && high >= need->high)
    return;
  need->low = MAX (need->low, low);
  need->high = MIN (need->high, high);
  need->of = need->of != NULL ? need->of : of;
  self->changed = TRUE;
}

/* The least and the largest of an expression without loads; FALSE: it goes as far as data says. */
static gboolean
bound_of (Finder *self,
          LsExpr *expr,
          double *least,
          double *most)
{
  LsConstIntBound bound = { 0, 0 };

  if (ls_is (expr, FLOAT_IMM))
    {
      *least = *most = ((LsFloatImm *) expr)->value;
      return TRUE;
    }
  if (!ls_dtype_is_int (ls_dtype (expr)))
    return FALSE;
  bound = ls_analyzer_const_int_bound (self->analyzer, expr);
  *least = (double) bound.min;
  *most = (double) bound.max;
  return bound.min != LS_NEG_INF && bound.max != LS_POS_INF;
}

static gboolean
is_open (Finder *self,
         LsExpr *expr)
{
  return ls_is_var (expr) && g_hash_table_contains (self->open, expr);
}

static void solve (Finder *self, LsExpr *expr, double low, double high, LsBuffer *of);

/* a + sign * b, one of which has loads. */
static void
solve_sum (Finder   *self,
           LsBinary *sum,
           double    low,
           double    high,
           LsBuffer *of)
{
  gboolean in_a = has_load (sum->a), is_sub = ls_is (sum, SUB);
  LsExpr *other = in_a ? sum->b : sum->a, *own = in_a ? sum->a : sum->b;
  double least, most;

  if (in_a && has_load (sum->b))
    return;
  /* A loop from one element to the next: what it reaches last is the next one less one. */
  if (is_open (self, other) && !is_sub)
    {
      solve (self, own, low, high + 1.0, of);
      return;
    }
  if (!bound_of (self, other, &least, &most))
    return;
  if (!is_sub)
    solve (self, own, low - least, high - most, of);
  else if (in_a)
    solve (self, own, low + most, high + least, of);
  else
    solve (self, own, most - high, least - low, of);
}

static void
solve_product (Finder *self,
               LsExpr *own,
               LsExpr *other,
               double  low,
               double  high,
               LsBuffer *of)
{
  double least, most;

  if (has_load (other) || !bound_of (self, other, &least, &most) || least != most || least == 0.0)
    return;
  if (least > 0.0)
    solve (self, own, low / least, high / least, of);
  else
    solve (self, own, high / least, low / least, of);
}

/* The numbers for which the expression lies in low..high. */
static void
solve (Finder   *self,
       LsExpr   *expr,
       double    low,
       double    high,
       LsBuffer *of)
{
  LsBinary *binary = (LsBinary *) expr;
  double least, most;

  if (!has_load (expr))
    return;
  if (ls_is (expr, CAST))
    solve (self, ((LsCast *) expr)->value, low, high, of);
  else if (ls_is (expr, BUFFER_LOAD))
    need_of_buffer (self, ((LsBufferLoad *) expr)->buffer, ceil (low - 1e-9), floor (high + 1e-9), of);
  else if (ls_is (expr, ADD) || ls_is (expr, SUB))
    solve_sum (self, binary, low, high, of);
  else if (ls_is (expr, MUL))
    solve_product (self, has_load (binary->a) ? binary->a : binary->b, has_load (binary->a) ? binary->b : binary->a, low, high, of);
  else if (ls_is (expr, FLOOR_DIV) && !has_load (binary->b) && bound_of (self, binary->b, &least, &most) && least == most && least > 0.0)
    solve (self, binary->a, low * least, high * least + least - 1.0, of);
  else if (ls_is (expr, MIN) || ls_is (expr, MAX))
    {
      LsExpr *own = has_load (binary->a) ? binary->a : binary->b, *other = has_load (binary->a) ? binary->b : binary->a;

      if (has_load (other) || !bound_of (self, other, &least, &most))
        return;
      if (ls_is (expr, MIN))
        solve (self, own, low, most <= high ? MOST : high, of);
      else
        solve (self, own, least >= low ? -MOST : low, high, of);
    }
  else if (ls_is (expr, SELECT))
    {
      solve (self, ((LsSelect *) expr)->true_value, low, high, of);
      solve (self, ((LsSelect *) expr)->false_value, low, high, of);
    }
  else if (ls_is_call (expr, "tir.if_then_else"))
    {
      solve (self, LS_EXPR (((LsCall *) expr)->args->items[1]), low, high, of);
      solve (self, LS_EXPR (((LsCall *) expr)->args->items[2]), low, high, of);
    }
}

static void
solve_all (Finder *self)
{
  for (guint i = 0; i < self->demands->len; i++)
    {
      Demand *demand = &g_array_index (self->demands, Demand, i);

      solve (self, demand->expr, demand->low, demand->high, demand->of);
    }
  for (guint pass = 0; pass < MOST_PASSES && self->changed; pass++)
    {
      self->changed = FALSE;
      for (guint i = 0; i < self->copies->len; i++)
        {
          Copy *copy = &g_array_index (self->copies, Copy, i);
          Need *need = g_hash_table_lookup (self->needs, root_of (self, copy->buffer));

          if (need != NULL)
            solve (self, copy->value, need->low, need->high, need->of);
        }
    }
}

static LsIndexValues *
values_of (const Need *need)
{
  LsIndexValues *values = g_new0 (LsIndexValues, 1);

  /* Without an end on one side the numbers stay small. */
  values->low = need->low > -MOST ? (gint64) need->low : need->high < MOST ? MIN (-8, (gint64) need->high) : need->rises ? 0 : -8;
  values->high = need->high < MOST ? (gint64) need->high : MAX (7, values->low);
  values->rises = need->rises;
  values->of = need->of != NULL ? g_intern_string (need->of->name) : NULL;
  return values;
}

/* Buffer number `number` of the parameters, or NULL. */
static LsBuffer *
param_buffer (LsPrimFunc *func,
              guint       number)
{
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL && number-- == 0)
      return ls_prim_func_get_buffer (func, i);
  return NULL;
}

GHashTable *
ls_index_values (LsPrimFunc *func,
                 GPtrArray  *sizes)
{
  GHashTable *found = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (LsPrimFunc) sized = ls_prim_func_size (func, sizes);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) bindings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL), sources = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) needs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GArray) demands = g_array_new (FALSE, FALSE, sizeof (Demand)), copies = g_array_new (FALSE, FALSE, sizeof (Copy));
  Finder self = { analyzer, bindings, open, sources, demands, copies, needs, TRUE };
  LsBuffer *buffer;

  look (&self, LS_NODE (sized->body));
  solve_all (&self);
  /* Parameters that are numbers are gone from the one with sizes. */
  for (guint i = 0; (buffer = param_buffer (sized, i)) != NULL; i++)
    {
      const Need *need = g_hash_table_lookup (needs, buffer->data);
      gboolean any = need == NULL || (need->low <= -MOST && need->high >= MOST && !need->rises);
      g_autofree LsIndexValues *values = any ? NULL : values_of (need);

      if (values != NULL && values->low <= values->high)
        g_hash_table_insert (found, param_buffer (func, i)->data, g_steal_pointer (&values));
    }
  for (guint i = 0; i < demands->len; i++)
    ls_node_unref (LS_NODE (g_array_index (demands, Demand, i).expr));
  for (guint i = 0; i < copies->len; i++)
    ls_node_unref (LS_NODE (g_array_index (copies, Copy, i).value));
  return found;
}
