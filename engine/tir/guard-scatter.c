/* guard-scatter: an index of topi.scatter_elements or topi.scatter_nd stays in its own dimension.
 *
 * Their functions, as TVM's, add the indices up to one place of a flat buffer,
 *
 *   out[fused * m + (i + T.Cast("int64", i < 0) * m)]           scatter_elements on the last axis, out: (n, m)
 *   out[k + i[1, j] + m * i[0, j]]                              scatter_nd
 *
 * so that an index past the end of its axis is a place in the next row: inside of the buffer, and wrong.  Before anything is lowered, while
 * the sums stand as they were made, each summand that memory gives is put where it belongs by its factor, and
 *
 *   v  ->  T.Select(0 <= v and v < m, v, 0 - n * m)
 *
 * makes the place negative where it leaves its dimension; code that runs compares places with the buffer and says so.  The blocks are known
 * by the names that topi gives them, and a sum of any other form is left alone: to whoever writes a flat index himself, all places of the
 * buffer are good. */
#include "engine/arith/arith.h"
#include "engine/tir/guard.h"

#include <string.h>

typedef struct {
  LsAnalyzer *analyzer;
  gboolean    elements, points; /* inside of such a block */
} Scatter;

/* ---- what the sums are made of --------------------------------------------------- */

static LsExpr *
without_casts (LsExpr *expr)
{
  while (ls_is (expr, CAST))
    expr = ((LsCast *) expr)->value;
  return expr;
}

static gboolean
is_load (LsExpr *expr)
{
  return ls_is (without_casts (expr), BUFFER_LOAD);
}

static LsWalk
look_for_load (LsNode   *node,
               gpointer  user_data)
{
  return ls_is (node, BUFFER_LOAD) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
has_load (LsExpr *expr)
{
  return !ls_walk (expr, look_for_load, NULL, NULL);
}

/* i + Cast(i < 0) * m, where m may be 1 and gone */
static gboolean
is_wrapped (LsExpr *expr)
{
  LsBinary *sum = (LsBinary *) expr;
  LsExpr *turn;

  if (!ls_is (expr, ADD) || !is_load (sum->a))
    return FALSE;
  turn = without_casts (ls_is (sum->b, MUL) ? ((LsBinary *) sum->b)->a : sum->b);
  return ls_is (turn, LT) && ls_structural_equal (without_casts (((LsBinary *) turn)->a), without_casts (sum->a), FALSE, NULL, NULL);
}

static gboolean
is_index (Scatter *self,
          LsExpr  *expr)
{
  return self->elements ? is_wrapped (expr) : is_load (expr);
}

/* The index of a summand and its factor (NULL: 1), borrowed; FALSE: it is none. */
static gboolean
split_summand (Scatter *self,
               LsExpr  *summand,
               LsExpr **index,
               LsExpr **factor)
{
  LsBinary *product = (LsBinary *) summand;
  gboolean left;

  *factor = NULL;
  *index = summand;
  if (is_index (self, summand))
    return TRUE;
  if (!ls_is (summand, MUL))
    return FALSE;
  left = is_index (self, product->a);
  *index = left ? product->a : product->b;
  *factor = left ? product->b : product->a;
  return is_index (self, *index) && !has_load (*factor);
}

/* ---- dimensions ------------------------------------------------------------------------ */

/* In int64. (transfer full) */
static LsExpr *
extents (LsBuffer *buffer,
         guint     from,
         guint     to)
{
  LsExpr *product = ls_const_int (LS_INT64, 1);

  for (guint i = from; i < to; i++)
    product = ls_mul (product, ls_cast (LS_INT64, ls_ref (ls_array_at (buffer->shape, i, LsExpr))));
  return product;
}

static gboolean
steps_by (Scatter  *self,
          LsBuffer *buffer,
          guint     dim,
          LsExpr   *factor)
{
  g_autoptr (LsExpr) step = extents (buffer, dim + 1, buffer->shape->n);
  g_autoptr (LsExpr) by = factor != NULL ? ls_cast (LS_INT64, ls_ref (factor)) : ls_const_int (LS_INT64, 1);

  return ls_analyzer_can_prove_equal (self->analyzer, step, by);
}

/* In int64, whatever the type of the index: products of extents have their room. */
static LsExpr *
inside (LsBuffer *buffer,
        guint     dim,
        LsExpr   *index)
{
  g_autoptr (LsExpr) wide = ls_cast (LS_INT64, ls_ref (index));
  LsExpr *extent = ls_cast (LS_INT64, ls_ref (ls_array_at (buffer->shape, dim, LsExpr)));
  LsExpr *fine = ls_and (ls_le (ls_const_int (LS_INT64, 0), ls_ref (wide)), ls_lt (ls_ref (wide), extent));

  return ls_select_new (fine, ls_ref (wide), ls_sub (ls_const_int (LS_INT64, 0), extents (buffer, 0, dim + 1)));
}

/* The sum with its indices held, from the summand of dimension `dim` on, which is the last; NULL: it has another form. (transfer full) */
static LsExpr *
hold_points (Scatter  *self,
             LsBuffer *buffer,
             guint     dim,
             LsExpr   *sum)
{
  LsBinary *two = (LsBinary *) sum;
  g_autoptr (LsExpr) rest = NULL;
  LsExpr *last = ls_is (sum, ADD) ? two->b : sum, *index, *factor, *held;

  if (!has_load (sum))
    return ls_ref (sum);
  if (ls_is (sum, CAST) && !is_load (sum))
    return hold_points (self, buffer, dim, ((LsCast *) sum)->value);
  if (dim >= buffer->shape->n || !split_summand (self, last, &index, &factor) || !steps_by (self, buffer, dim, factor))
    return NULL;
  if (ls_is (sum, ADD))
    {
      rest = hold_points (self, buffer, dim + 1, two->a);
      if (rest == NULL)
        return NULL;
    }
  held = inside (buffer, dim, index);
  if (factor != NULL)
    held = ls_mul (held, ls_ref (factor));
  return rest != NULL ? ls_add (g_steal_pointer (&rest), held) : held;
}

/* base + index * factor: which axis it is, the factor and the extent say. */
static LsExpr *
hold_elements (Scatter  *self,
               LsBuffer *buffer,
               LsExpr   *sum)
{
  LsBinary *two = (LsBinary *) sum;
  LsExpr *index, *factor, *held;
  gboolean alone = split_summand (self, sum, &index, &factor);

  if (!alone && (!ls_is (sum, ADD) || has_load (two->a) || !split_summand (self, two->b, &index, &factor)))
    return NULL;
  for (guint dim = 0; dim < buffer->shape->n; dim++)
    {
      LsExpr *turn = ((LsBinary *) index)->b;
      g_autoptr (LsExpr) own = ls_cast (LS_INT64, ls_is (turn, MUL) ? ls_ref (((LsBinary *) turn)->b) : ls_int (1));
      g_autoptr (LsExpr) extent = ls_cast (LS_INT64, ls_ref (ls_array_at (buffer->shape, dim, LsExpr)));

      if (!steps_by (self, buffer, dim, factor) || !ls_analyzer_can_prove_equal (self->analyzer, own, extent))
        continue;
      held = inside (buffer, dim, index);
      if (factor != NULL)
        held = ls_mul (held, ls_ref (factor));
      return alone ? held : ls_add (ls_ref (two->a), held);
    }
  return NULL;
}

/* A place of a flat buffer, or what one of its indices makes of it by quotients and remainders. (transfer full) */
static LsExpr *
hold (Scatter  *self,
      LsBuffer *buffer,
      LsExpr   *place)
{
  LsBinary *two = (LsBinary *) place;
  LsExpr *held;

  if (ls_is (place, FLOOR_DIV) || ls_is (place, FLOOR_MOD))
    return ls_binary (place->node.klass->kind, hold (self, buffer, two->a), ls_ref (two->b));
  if (!has_load (place))
    return ls_ref (place);
  held = self->elements ? hold_elements (self, buffer, place) : hold_points (self, buffer, 0, place);
  return held != NULL ? held : ls_ref (place);
}

static LsArray *
hold_all (Scatter  *self,
          LsBuffer *buffer,
          LsArray  *indices)
{
  LsArray *all = ls_array_empty ();

  for (guint i = 0; i < indices->n; i++)
    ls_take (&all, ls_array_append (all, LS_NODE (hold (self, buffer, ls_array_at (indices, i, LsExpr)))));
  return all;
}

/* ---- the walk ------------------------------------------------------------------------------ */

static LsNode *
scatter (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Scatter *self = user_data, before = *self;
  g_autoptr (LsNode) inner = NULL;

  if (ls_is (node, BLOCK))
    {
      self->elements = g_str_has_prefix (((LsBlock *) node)->name_hint, "scatter_elements_generic");
      self->points = g_str_has_prefix (((LsBlock *) node)->name_hint, "scatter_nd_generic");
    }
  inner = ls_rewrite_default (rewriter, node);
  self->elements = before.elements;
  self->points = before.points;
  if (!self->elements && !self->points)
    return g_steal_pointer (&inner);
  if (ls_is (inner, BUFFER_LOAD))
    {
      LsBufferLoad *load = (LsBufferLoad *) inner;

      return LS_NODE (ls_buffer_load_new (ls_ref (load->buffer), hold_all (self, load->buffer, load->indices), ls_ref (load->predicate)));
    }
  if (ls_is (inner, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) inner;

      return LS_NODE (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value), hold_all (self, store->buffer, store->indices), ls_ref (store->predicate)));
    }
  return g_steal_pointer (&inner);
}

static LsWalk
look_for_scatter (LsNode   *node,
                  gpointer  user_data)
{
  return ls_is (node, BLOCK) && g_str_has_prefix (((LsBlock *) node)->name_hint, "scatter_") ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsPrimFunc *
ls_guard_scatter (LsPrimFunc *func)
{
  Scatter self = { 0 };
  g_autoptr (LsNode) body = NULL;

  if (ls_walk (func->body, look_for_scatter, NULL, NULL))
    return ls_ref (func);
  self.analyzer = ls_analyzer_new ();
  body = ls_rewrite_with (func->body, scatter, &self);
  ls_analyzer_free (self.analyzer);
  return body == LS_NODE (func->body) ? ls_ref (func) : ls_prim_func_with_body (func, body);
}
