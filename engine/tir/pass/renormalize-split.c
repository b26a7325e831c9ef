/* RenormalizeSplitPattern: indices of split and fused loops in the form that loops are cut by.
 *
 *     (x % 128) // 32        ->  x // 32 % 4
 *     (x * 6 + y) // 4       ->  (x * 3 + y // 2) // 2
 *     x < 128                ->  x // 128 < 1
 *     a <= b, a > b, a >= b  ->  in terms of <
 *
 * The same holds lane by lane for vectors.  What a rule makes is looked at again, five times at most.  Source of the
 * concept: TVM's pass of the same name. */
#include "engine/tir/pass/pass.h"

#define MOST_REPEATED 5

typedef struct {
  LsRewriter *rewriter;
  guint       depth;            /* of results that are looked at again */
} State;

/* The number of a constant, or of a vector of equal ones. */
static gboolean
number_of (LsExpr *expr,
           gint64 *number)
{
  return ls_as_int (ls_is (expr, BROADCAST) ? (gpointer) ((LsBroadcast *) expr)->value : expr, number);
}

/* A constant of the same type, lanes included. */
static LsExpr *
number_like (LsExpr *expr,
             gint64  number)
{
  if (!ls_is (expr, BROADCAST))
    return ls_const_int (ls_dtype (expr), number);
  return ls_broadcast_new (ls_const_int (ls_dtype (((LsBroadcast *) expr)->value), number), ls_ref (((LsBroadcast *) expr)->lanes));
}

static gint64
common_divisor (gint64 a,
                gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

static LsNode *visit (State *state, LsNode *node);

/* Takes what a rule made. */
static LsNode *
again (State  *state,
       LsExpr *made)
{
  LsNode *result;

  if (state->depth >= MOST_REPEATED)
    return LS_NODE (made);
  state->depth++;
  result = visit (state, LS_NODE (made));
  state->depth--;
  ls_unref (made);
  return result;
}

/* (x % c) // d, d divides c and has its sign: x // d % (c / d).  Not by -1, by which the least number of a type wraps.  NULL: it is not of this form. */
static LsExpr *
modulo_outside (LsBinary *div)
{
  LsBinary *mod = (LsBinary *) div->a;
  gint64 c, d;

  if (!ls_is (mod, FLOOR_MOD) || !number_of (mod->b, &c) || !number_of (div->b, &d) || d == 0 || d == -1 || c % d != 0 || (c < 0) != (d < 0))
    return NULL;
  return ls_floormod (ls_floordiv (ls_ref (mod->a), ls_ref (div->b)), number_like (div->b, ls_floordiv_i64 (c, d)));
}

/* (x * c + y) // d and (x * c + y + z) // d, g = gcd (c, d) > 1: (x * (c / g) + (y + z) // g) // (d / g).  NULL: it is not. */
static LsExpr *
smaller_factors (LsBinary *div)
{
  LsBinary *sum = (LsBinary *) div->a;
  LsBinary *head, *product;
  LsExpr *rest, *scaled;
  gint64 c, d, g;

  /* Data wraps: (a * 6 + b) // 4 of it is another number than what comes of smaller factors. */
  if (!ls_is (sum, ADD) || !ls_dtype_is_index (ls_dtype (sum)) || (LS_NODE (sum)->facts & LS_FACT_HAS_LOAD) != 0)
    return NULL;
  head = (LsBinary *) sum->a;
  product = ls_is (head, ADD) ? (LsBinary *) head->a : head;
  if (!ls_is (product, MUL) || !number_of (product->b, &c) || !number_of (div->b, &d) || c <= 0 || d <= 0)
    return NULL;
  g = common_divisor (c, d);
  if (g <= 1)
    return NULL;
  rest = head == product ? ls_ref (sum->b) : ls_add (ls_ref (head->b), ls_ref (sum->b));
  scaled = ls_mul (ls_ref (product->a), number_like (product->b, c / g));
  return ls_floordiv (ls_add (scaled, ls_floordiv (rest, number_like (div->b, g))), number_like (div->b, d / g));
}

static LsNode *
visit_division (State    *state,
                LsBinary *div)
{
  LsExpr *a = (LsExpr *) ls_rewrite (state->rewriter, div->a);
  LsExpr *b = (LsExpr *) ls_rewrite (state->rewriter, div->b);
  LsExpr *made;
  g_autoptr (LsExpr) result = ls_floordiv (a, b);

  if (!ls_is (result, FLOOR_DIV))
    return LS_NODE (g_steal_pointer (&result));
  made = modulo_outside ((LsBinary *) result);
  if (made == NULL)
    made = smaller_factors ((LsBinary *) result);
  return made != NULL ? again (state, made) : LS_NODE (g_steal_pointer (&result));
}

static LsNode *
visit_less (State    *state,
            LsBinary *less)
{
  LsExpr *a = (LsExpr *) ls_rewrite (state->rewriter, less->a);
  LsExpr *b = (LsExpr *) ls_rewrite (state->rewriter, less->b);
  gint64 c;

  if (number_of (b, &c) && ls_dtype (b).lanes == 1 && c > 0)
    return again (state, ls_lt (ls_floordiv (a, b), ls_const_int (ls_dtype (a), 1)));
  return LS_NODE (ls_binary_new (LS_KIND_LT, a, b));
}

/* A comparison of floats: a NaN is neither less nor not less, so these stay as they are.  (TVM v0.20 turns them as well.) */
static gboolean
is_of_floats (LsNode *node)
{
  return ls_kind_is_compare (ls_kind (node)) && ls_dtype_is_float (ls_dtype (((LsBinary *) node)->a));
}

static LsNode *
visit_not (State *state,
           LsNot *negation)
{
  g_autoptr (LsExpr) of = (LsExpr *) ls_rewrite (state->rewriter, negation->a);
  LsBinary *compare = (LsBinary *) of;

  if (is_of_floats (LS_NODE (of)))
    return LS_NODE (ls_not (g_steal_pointer (&of)));
  switch ((int) ls_kind (of))
    {
    case LS_KIND_NOT:
      return ls_node_ref (LS_NODE (((LsNot *) of)->a));
    case LS_KIND_LE:
      return LS_NODE (ls_lt (ls_ref (compare->b), ls_ref (compare->a)));
    case LS_KIND_GE:
      return LS_NODE (ls_lt (ls_ref (compare->a), ls_ref (compare->b)));
    case LS_KIND_LT:
      return LS_NODE (ls_le (ls_ref (compare->b), ls_ref (compare->a)));
    case LS_KIND_GT:
      return LS_NODE (ls_le (ls_ref (compare->a), ls_ref (compare->b)));
    default:
      return LS_NODE (ls_not (g_steal_pointer (&of)));
    }
}

/* Visits an expression that was made of a node. Takes it. */
static LsNode *
visit_made (State  *state,
            LsExpr *made)
{
  g_autoptr (LsExpr) expr = made;

  return visit (state, LS_NODE (expr));
}

static LsNode *
visit (State  *state,
       LsNode *node)
{
  LsBinary *compare = (LsBinary *) node;

  if (is_of_floats (node))
    return ls_rewrite_default (state->rewriter, node);
  switch ((int) ls_kind (node))
    {
    case LS_KIND_FLOOR_DIV:
      return visit_division (state, (LsBinary *) node);
    case LS_KIND_LT:
      return visit_less (state, (LsBinary *) node);
    case LS_KIND_NOT:
      return visit_not (state, (LsNot *) node);
    case LS_KIND_LE:
      return visit_made (state, ls_not (ls_lt (ls_ref (compare->b), ls_ref (compare->a))));
    case LS_KIND_GT:
      return visit_made (state, ls_lt (ls_ref (compare->b), ls_ref (compare->a)));
    case LS_KIND_GE:
      return visit_made (state, ls_not (ls_lt (ls_ref (compare->a), ls_ref (compare->b))));
    default:
      return ls_rewrite_default (state->rewriter, node);
    }
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;

  state->rewriter = rewriter;
  return visit (state, node);
}

LsPrimFunc *
ls_pass_renormalize_split_pattern (LsPrimFunc  *func,
                                   GError     **error)
{
  State state = { NULL, 0 };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  return ls_pass_with_body (func, body);
}
