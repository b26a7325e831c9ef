/* Integer sets by enumeration: whatever is said of the values of an expression holds each of them.
 *
 * Three variables, of which the domain of one may depend on those behind it, and two symbols that have no domain.  Expressions have all
 * operators, casts to narrow types, conditions and divisors of both signs.  Every point of the domains is looked at:
 *
 *   /sets/eval         ls_eval_set holds every value, and its ends name no variable of a domain
 *   /sets/scopes       so does ls_analyzer_int_set, in scopes of conditions that are entered and left
 *   /sets/together     union, intersection, union from below, cover_range, match_range
 *   /sets/conditions   ls_constraint_to_dom_map, ls_solve_inequalities and ls_deduce_bound against the conditions themselves
 *   /sets/regions      ls_eval_region and ls_region_upper_bound of regions whose extents move
 *   /sets/proofs       what is proved with LS_PROOF_SYMBOLIC_BOUND holds
 *
 * LS_SETS_SEED=N begins there; LS_SETS=N: so many of each. */
#include "engine/arith/arith.h"
#include "engine/arith/deduce.h"
#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"
#include "tests/support/support.h"

#define N_VARS 3
#define N_SYMBOLS 2
#define N_ALL (N_VARS + N_SYMBOLS)

typedef struct {
  GRand      *rand;
  guint32     seed;
  LsVar      *vars[N_ALL];      /* those with domains, then the symbols */
  LsExpr     *min[N_VARS], *extent[N_VARS];
  gint64      values[N_ALL];
  LsDomMap   *dom;
  LsAnalyzer *analyzer;
  gboolean    plain;            /* extents are numbers */
} Case;

static guint
below (Case *c,
       guint n)
{
  return (guint) g_rand_int_range (c->rand, 0, (gint32) n);
}

static gint64
pick (Case  *c,
      gint64 low,
      gint64 high)
{
  return g_rand_int_range (c->rand, (gint32) low, (gint32) high + 1);
}

/* ---- the meaning ------------------------------------------------------------------------- */

static gint64
fit (LsDType t,
     gint64  value)
{
  guint64 bits = (guint64) value;

  if (ls_dtype_is_bool (t))
    return value != 0;
  if (t.bits == 64)
    return value;
  bits &= ((guint64) 1 << t.bits) - 1;
  if (t.code == LS_TYPE_INT && (bits >> (t.bits - 1) & 1))
    bits |= ~(((guint64) 1 << t.bits) - 1);
  return (gint64) bits;
}

/* FALSE: a division by zero, an index that leaves its type, a variable that is none of ours. */
static gboolean
value_of (const Case *c,
          LsExpr     *e,
          gint64     *value)
{
  LsBinary *binary = (LsBinary *) e;
  LsDType t = ls_dtype (e);
  gint64 a, b, rest;

  if (ls_as_int (e, value))
    return TRUE;
  for (guint i = 0; i < N_ALL; i++)
    if (e == LS_EXPR (c->vars[i]))
      {
        *value = c->values[i];
        return TRUE;
      }
  if (ls_is (e, CAST))
    {
      if (!value_of (c, ((LsCast *) e)->value, &a))
        return FALSE;
      *value = fit (t, a);
      return !ls_dtype_is_index (t) || *value == a;
    }
  if (ls_is (e, NOT))
    {
      if (!value_of (c, ((LsNot *) e)->a, &a))
        return FALSE;
      *value = !a;
      return TRUE;
    }
  if (ls_is (e, SELECT) || ls_is_call (e, "tir.if_then_else"))
    {
      LsExpr **args = ls_is (e, SELECT) ? &((LsSelect *) e)->condition : (LsExpr **) ((LsCall *) e)->args->items;

      return value_of (c, args[0], &a) && value_of (c, args[a ? 1 : 2], value);
    }
  if (ls_is_call (e, "tir.shift_left") || ls_is_call (e, "tir.shift_right") || ls_is_call (e, "tir.bitwise_and"))
    {
      LsExpr **args = (LsExpr **) ((LsCall *) e)->args->items;

      if (!value_of (c, args[0], &a))
        return FALSE;
      if (!value_of (c, args[1], &b))
        return FALSE;
      if (ls_is_call (e, "tir.bitwise_and"))
        *value = a & b;
      else if (b < 0 || b > 20)
        return FALSE;
      else
        *value = ls_is_call (e, "tir.shift_left") ? a * ((gint64) 1 << b) : a >> b;
      return fit (t, *value) == *value;
    }
  if (!ls_kind_is_binary (ls_kind (e)) || !value_of (c, binary->a, &a))
    return FALSE;
  if ((ls_is (e, AND) && a == 0) || (ls_is (e, OR) && a != 0))
    {
      *value = a;
      return TRUE;
    }
  if (!value_of (c, binary->b, &b))
    return FALSE;
  switch ((int) ls_kind (e))
    {
    case LS_KIND_ADD: if (__builtin_add_overflow (a, b, value)) return FALSE; break;
    case LS_KIND_SUB: if (__builtin_sub_overflow (a, b, value)) return FALSE; break;
    case LS_KIND_MUL: if (__builtin_mul_overflow (a, b, value)) return FALSE; break;
    case LS_KIND_MIN: *value = MIN (a, b); break;
    case LS_KIND_MAX: *value = MAX (a, b); break;
    case LS_KIND_EQ: *value = a == b; break;
    case LS_KIND_NE: *value = a != b; break;
    case LS_KIND_LT: *value = a < b; break;
    case LS_KIND_LE: *value = a <= b; break;
    case LS_KIND_GT: *value = a > b; break;
    case LS_KIND_GE: *value = a >= b; break;
    case LS_KIND_AND: case LS_KIND_OR: *value = b; break;
    default:
      if (b == 0 || (a == G_MININT64 && b == -1))
        return FALSE;
      rest = a % b;
      if (ls_is (e, DIV))
        *value = a / b;
      else if (ls_is (e, MOD))
        *value = rest;
      else if (ls_is (e, FLOOR_DIV))
        *value = a / b - (rest != 0 && (rest < 0) != (b < 0));
      else
        *value = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
  if (ls_dtype_is_bool (t))
    return TRUE;
  if (ls_dtype_is_index (t))
    return fit (t, *value) == *value;
  *value = fit (t, *value);
  return TRUE;
}

/* ---- drawing ----------------------------------------------------------------------------- */

static LsExpr *random_condition (Case *c, guint from, guint depth);

static LsExpr *
leaf (Case *c,
      guint from)
{
  return below (c, 4) == 0 ? ls_int (pick (c, -6, 12)) : LS_EXPR (ls_ref (c->vars[from + below (c, N_ALL - from)]));
}

static LsExpr *
call2 (const char *name,
       LsExpr     *a,
       LsExpr     *b)
{
  return ls_call_op (name, ls_dtype (a), ls_array_of (a, b, NULL));
}

static LsExpr *
absolute (LsExpr *a)
{
  LsExpr *is_positive = ls_ge (ls_ref (a), ls_int (0)), *minus = ls_neg (ls_ref (a));

  return ls_select_new (is_positive, a, minus);
}

/* In the variables from `from` on. */
static LsExpr *
random_expr (Case *c,
             guint from,
             guint depth)
{
  static const LsKind divisions[] = { LS_KIND_DIV, LS_KIND_MOD, LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD };
  static const LsDType narrow[] = { { LS_TYPE_INT, 8, 1 }, { LS_TYPE_UINT, 8, 1 }, { LS_TYPE_INT, 16, 1 }, { LS_TYPE_UINT, 32, 1 }, { LS_TYPE_INT, 64, 1 }, { LS_TYPE_UINT, 1, 1 } };
  LsExpr *a;

  if (depth == 0 || below (c, 6) == 0)
    return leaf (c, from);
  a = random_expr (c, from, depth - 1);
  switch (below (c, 16))
    {
    case 0: case 1: case 2:
      return ls_add (a, random_expr (c, from, depth - 1));
    case 3: case 4:
      return ls_sub (a, random_expr (c, from, depth - 1));
    case 5: case 6:
      return ls_mul (a, ls_int (pick (c, -4, 8)));
    case 7:
      return ls_mul (a, random_expr (c, from, depth - 1));
    case 8: case 9:
      return ls_binary_new (divisions[below (c, 4)], a, ls_int (below (c, 3) ? pick (c, 1, 8) : pick (c, -6, -1)));
    case 10:
      return ls_binary_new (divisions[below (c, 4)], a, leaf (c, from));
    case 11:
      return ls_min (a, random_expr (c, from, depth - 1));
    case 12:
      return ls_max (a, random_expr (c, from, depth - 1));
    case 13:
      return below (c, 2) ? ls_select_new (random_condition (c, from, depth - 1), a, random_expr (c, from, depth - 1))
                          : ls_call_op ("tir.if_then_else", ls_dtype (a),
                                         ls_array_of (random_condition (c, from, depth - 1), a, random_expr (c, from, depth - 1), NULL));
    case 14:
      return ls_cast (LS_INT32, ls_cast (narrow[below (c, G_N_ELEMENTS (narrow))], a));
    default:
      switch (below (c, 4))
        {
        case 0: return call2 ("tir.shift_left", a, ls_int (pick (c, 0, 3)));
        case 1: return call2 ("tir.shift_right", a, ls_int (pick (c, 0, 3)));
        case 2: return call2 ("tir.bitwise_and", a, ls_int (pick (c, 0, 15)));
        default: return absolute (a);
        }
    }
}

static LsExpr *
random_condition (Case *c,
                  guint from,
                  guint depth)
{
  static const LsKind kinds[] = { LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  LsExpr *a;

  if (depth > 0 && below (c, 3) == 0)
    {
      a = random_condition (c, from, depth - 1);
      if (below (c, 4) == 0)
        return ls_not (a);
      return ls_binary (below (c, 3) ? LS_KIND_AND : LS_KIND_OR, a, random_condition (c, from, depth - 1));
    }
  if (below (c, 2))
    a = LS_EXPR (ls_ref (c->vars[from + below (c, N_ALL - from)]));
  else
    a = random_expr (c, from, depth);
  return below (c, 2) ? ls_binary_new (kinds[below (c, 6)], a, random_expr (c, from, depth)) : ls_binary_new (kinds[below (c, 6)], random_expr (c, from, depth), a);
}

static void
case_begin (Case   *c,
            guint32 seed,
            gboolean plain)
{
  static const char *const names[N_ALL] = { "x", "y", "z", "m", "n" };

  c->rand = g_rand_new_with_seed (seed);
  c->seed = seed;
  c->plain = plain;
  c->dom = ls_dom_map_new ();
  c->analyzer = ls_analyzer_new ();
  for (guint i = 0; i < N_ALL; i++)
    c->vars[i] = i >= N_VARS && below (c, 2) ? (LsVar *) ls_size_var_new (names[i], LS_INT32) : ls_var_new (names[i], LS_INT32);
  for (guint i = N_VARS; i < N_ALL; i++)
    c->values[i] = ls_is (c->vars[i], SIZE_VAR) ? pick (c, 0, 9) : pick (c, -5, 9);
  for (guint i = N_VARS; i-- > 0;)
    {
      gboolean nested = !plain && below (c, 2);
      g_autoptr (LsRange) range = NULL;

      c->min[i] = nested ? random_expr (c, i + 1, below (c, 2)) : ls_int (below (c, 2) ? 0 : pick (c, -5, 5));
      c->extent[i] = nested && below (c, 2) ? random_expr (c, i + 1, below (c, 2)) : ls_int (pick (c, 1, 7));
      range = ls_range_new (ls_ref (c->min[i]), ls_ref (c->extent[i]));
      ls_dom_map_set_range (c->dom, c->vars[i], range);
      ls_analyzer_bind_range (c->analyzer, c->vars[i], range, TRUE);
    }
}

static void
case_end (Case *c)
{
  for (guint i = 0; i < N_ALL; i++)
    ls_unref (c->vars[i]);
  for (guint i = 0; i < N_VARS; i++)
    {
      ls_unref (c->min[i]);
      ls_unref (c->extent[i]);
    }
  ls_dom_map_free (c->dom);
  ls_analyzer_free (c->analyzer);
  g_rand_free (c->rand);
}

static char *
describe (const Case *c)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < N_VARS; i++)
    {
      g_autofree char *min = ls_expr_text (c->min[i]), *extent = ls_expr_text (c->extent[i]);

      g_string_append_printf (out, "%s in %s : %s (%" G_GINT64_FORMAT "), ", c->vars[i]->name, min, extent, c->values[i]);
    }
  for (guint i = N_VARS; i < N_ALL; i++)
    g_string_append_printf (out, "%s = %" G_GINT64_FORMAT "%s", c->vars[i]->name, c->values[i], i + 1 < N_ALL ? ", " : "");
  g_string_append_printf (out, "; seed %u", c->seed);
  return g_string_free (out, FALSE);
}

typedef gboolean (*Look) (Case *c, gpointer user_data);

/* Calls `look` at each point of the domains; the number of points. */
static guint
each_point (Case    *c,
            guint    i,
            Look     look,
            gpointer user_data)
{
  guint n = 0;
  gint64 min, extent;

  if (i == 0)
    return look (c, user_data) ? 1 : 0;
  i--;
  if (!value_of (c, c->min[i], &min) || !value_of (c, c->extent[i], &extent) || extent > 40)
    return 0;
  for (gint64 k = 0; k < extent; k++)
    {
      c->values[i] = min + k;
      n += each_point (c, i, look, user_data);
    }
  return n;
}

/* ---- looking ----------------------------------------------------------------------------- */

typedef struct {
  const char *what;
  LsExpr     *expr;
  LsExpr     *condition;        /* only where it holds, or NULL */
  LsIntSet   *set;
} Inside;

static void G_GNUC_NORETURN
wrong (Case       *c,
       const char *what,
       LsExpr     *expr,
       LsExpr     *condition,
       LsIntSet   *set,
       gint64      value)
{
  g_autofree char *text = expr != NULL ? ls_expr_text (expr) : NULL, *where = describe (c), *repr = set != NULL ? ls_int_set_repr (set) : NULL;
  g_autofree char *under = condition != NULL ? ls_expr_text (condition) : NULL;

  g_error ("%s: %s is %" G_GINT64_FORMAT ", not in %s%s%s, where %s", what, text, value, repr, under != NULL ? " under " : "", under != NULL ? under : "", where);
}

static gboolean
in_set (Case     *c,
        LsIntSet *set,
        gint64    value)
{
  gint64 end;

  if (ls_int_set_is_nothing (set))
    return FALSE;
  return (!ls_int_set_has_lower_bound (set) || !value_of (c, set->min_value, &end) || value >= end) &&
         (!ls_int_set_has_upper_bound (set) || !value_of (c, set->max_value, &end) || value <= end);
}

static gboolean
holds (Case   *c,
       LsExpr *condition)
{
  gint64 value;

  return condition == NULL || (value_of (c, condition, &value) && value != 0);
}

static gboolean
look_inside (Case    *c,
             gpointer user_data)
{
  Inside *inside = user_data;
  gint64 value;

  if (!holds (c, inside->condition) || !value_of (c, inside->expr, &value))
    return FALSE;
  if (!in_set (c, inside->set, value))
    wrong (c, inside->what, inside->expr, inside->condition, inside->set, value);
  return TRUE;
}

static gboolean
names_a_variable (Case   *c,
                  LsExpr *end)
{
  return ls_dom_map_used_in (c->dom, end);
}

static void
look (Case       *c,
      const char *what,
      LsExpr     *expr,
      LsExpr     *condition,
      LsIntSet   *set,
      gboolean    relaxed)
{
  Inside inside = { what, expr, condition, set };

  each_point (c, N_VARS, look_inside, &inside);
  if (relaxed && (names_a_variable (c, set->min_value) || names_a_variable (c, set->max_value)))
    wrong (c, "an end names a variable", expr, condition, set, 0);
}

/* ---- the tests --------------------------------------------------------------------------- */

typedef void (*Try) (Case *c);

/* Every lane of a vector that begins at the expression, and of a vector of it. */
static void
lanes_one (Case   *c,
           LsExpr *base)
{
  gint64 stride = pick (c, -3, 3), lanes = 2 + below (c, 3);
  g_autoptr (LsExpr) ramp = ls_ramp_new (ls_ref (base), ls_int (stride), ls_int (lanes));
  g_autoptr (LsExpr) spread = ls_broadcast_new (ls_ref (base), ls_int (lanes));
  g_autoptr (LsIntSet) of_ramp = ls_eval_set (ramp, c->dom, NULL), of_spread = ls_eval_set (spread, c->dom, NULL);

  look (c, "eval_set of a vector", base, NULL, of_spread, TRUE);
  for (gint64 k = 0; k < lanes; k++)
    {
      g_autoptr (LsExpr) lane = ls_add (ls_ref (base), ls_int (stride * k));

      look (c, "eval_set of a ramp", lane, NULL, of_ramp, TRUE);
    }
}

static void
eval_one (Case *c)
{
  g_autoptr (LsExpr) expr = random_expr (c, 0, 1 + below (c, 4));
  g_autoptr (LsIntSet) set = ls_eval_set (expr, c->dom, NULL);
  g_autoptr (LsIntSet) again = ls_eval_set_set (set, c->dom);

  look (c, "eval_set", expr, NULL, set, TRUE);
  look (c, "eval_set of the set", expr, NULL, again, TRUE);
  lanes_one (c, expr);
}

static void
scopes_one (Case *c)
{
  guint tokens[3], n = below (c, 4);
  LsExpr *conditions[4] = { NULL };

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsExpr) one = random_condition (c, 0, below (c, 3));

      conditions[i] = i > 0 ? ls_and (ls_ref (conditions[i - 1]), ls_ref (one)) : ls_ref (one);
      tokens[i] = ls_analyzer_enter_constraint (c->analyzer, one);
    }
  for (guint i = n + 1; i-- > 0;)
    {
      g_autoptr (LsExpr) expr = random_expr (c, 0, 1 + below (c, 3));
      g_autoptr (LsIntSet) set = ls_analyzer_int_set (c->analyzer, expr, NULL);
      LsConstIntBound bound = ls_analyzer_const_int_bound (c->analyzer, expr);
      g_autoptr (LsIntSet) numbers = ls_int_set_new_interval (bound.min == LS_NEG_INF ? ls_ref (ls_neg_inf ()) : ls_int_imm_new (LS_INT64, bound.min),
                                                              bound.max == LS_POS_INF ? ls_ref (ls_pos_inf ()) : ls_int_imm_new (LS_INT64, bound.max));

      look (c, "int_set in scopes", expr, i > 0 ? conditions[i - 1] : NULL, set, FALSE);
      look (c, "const_int_bound in scopes", expr, i > 0 ? conditions[i - 1] : NULL, numbers, FALSE);
      if (i > 0)
        ls_analyzer_exit_constraint (c->analyzer, tokens[i - 1]);
    }
  for (guint i = 0; i < n; i++)
    ls_unref (conditions[i]);
}

/* The values of the ends where the symbols have theirs; FALSE: an end is infinite or has no value. */
static gboolean
ends_of (Case     *c,
         LsIntSet *set,
         gint64   *low,
         gint64   *high)
{
  return !ls_int_set_is_nothing (set) && ls_int_set_has_lower_bound (set) && ls_int_set_has_upper_bound (set) && value_of (c, set->min_value, low) &&
         value_of (c, set->max_value, high);
}

static void
together_one (Case *c)
{
  g_autoptr (LsExpr) a = random_expr (c, 0, 1 + below (c, 2)), b = random_expr (c, 0, 1 + below (c, 2));
  g_autoptr (LsIntSet) of_a = ls_eval_set (a, c->dom, NULL), of_b = ls_eval_set (b, c->dom, NULL);
  LsIntSet *both[] = { of_a, of_b };
  g_autoptr (LsIntSet) sum = ls_int_set_union (both, 2), shared = ls_int_set_intersect (both, 2), lower = ls_int_set_union_lower_bound (both, 2);
  g_autoptr (LsRange) whole = ls_range_new (ls_int (0), ls_int (1)), cover = ls_int_set_cover_range (of_a, whole);
  gint64 low_a, high_a, low_b, high_b, low, high, min, extent;

  look (c, "union", a, NULL, sum, TRUE);
  look (c, "union", b, NULL, sum, TRUE);
  if (!ends_of (c, of_a, &low_a, &high_a) || !ends_of (c, of_b, &low_b, &high_b))
    return;
  for (gint64 v = MAX (low_a, low_b); v <= MIN (high_a, high_b) && v < MAX (low_a, low_b) + 50; v++)
    if (!in_set (c, shared, v))
      wrong (c, "intersection", a, NULL, shared, v);
  if (low_a <= high_a && low_b <= high_b && ends_of (c, lower, &low, &high))
    for (gint64 v = low; v <= high && v < low + 200; v++)
      if ((v < low_a || v > high_a) && (v < low_b || v > high_b))
        wrong (c, "union from below has more", a, b, lower, v);
  if (value_of (c, cover->min, &min) && value_of (c, cover->extent, &extent) && low_a <= high_a && (min > low_a || min + extent - 1 < high_a))
    wrong (c, "cover_range", a, NULL, of_a, min);
  if (ls_int_set_match_range (of_b, cover) && (low_b != min || high_b != min + extent - 1))
    wrong (c, "match_range", b, NULL, of_b, min);
}

typedef struct {
  LsExpr   *condition;
  LsDomMap *dom;
} Domains;

static gboolean
look_domains (Case    *c,
              gpointer user_data)
{
  Domains *self = user_data;

  if (!holds (c, self->condition))
    return FALSE;
  for (guint i = 0; i < ls_dom_map_get_n (self->dom); i++)
    {
      LsVar *var = ls_dom_map_get_var (self->dom, i);
      gint64 value;

      g_assert_true (value_of (c, LS_EXPR (var), &value));
      if (!in_set (c, ls_dom_map_get_set (self->dom, var), value))
        wrong (c, "domains of a condition", LS_EXPR (var), self->condition, ls_dom_map_get_set (self->dom, var), value);
    }
  return TRUE;
}

/* What a bound of x says it says of all values of the variables that are relaxed. */
typedef struct {
  LsExpr   *condition;
  LsIntSet *set;
} Deduced;

static gboolean
look_deduced (Case    *c,
              gpointer user_data)
{
  Deduced *self = user_data;
  gint64 value;

  for (gint64 x = -12; x <= 12; x++)
    {
      c->values[0] = x;
      if (in_set (c, self->set, x) && value_of (c, self->condition, &value) && value == 0)
        wrong (c, "deduce_bound", LS_EXPR (c->vars[0]), self->condition, self->set, x);
    }
  return TRUE;
}

static LsExpr *
linear (Case *c,
        guint from)
{
  LsExpr *sum = ls_int (pick (c, -6, 9));

  for (guint i = from; i < N_ALL; i++)
    if (below (c, 2))
      sum = ls_add (sum, ls_mul (LS_EXPR (ls_ref (c->vars[i])), ls_int (pick (c, -3, 4))));
  return sum;
}

static void
conditions_one (Case *c)
{
  static const LsKind kinds[] = { LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE, LS_KIND_EQ };
  g_autoptr (LsExpr) condition = random_condition (c, 0, 1 + below (c, 3));
  g_autoptr (LsDomMap) found = ls_constraint_to_dom_map (condition, c->analyzer);
  g_autoptr (GPtrArray) conditions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) vars = g_ptr_array_new ();
  g_autoptr (LsDomMap) solved = NULL, relax = ls_dom_map_new ();
  g_autoptr (LsExpr) all = NULL, bound = NULL;
  g_autoptr (LsIntSet) set = NULL;
  Domains domains = { condition, found };
  Deduced deduced;

  each_point (c, N_VARS, look_domains, &domains);
  for (guint i = 0, n = 1 + below (c, 3); i < n; i++)
    {
      LsExpr *one = ls_binary_new (kinds[below (c, 5)], linear (c, 0), linear (c, 0));

      g_ptr_array_add (conditions, one);
      ls_take (&all, all != NULL ? ls_and (ls_ref (all), ls_ref (one)) : ls_ref (one));
    }
  for (guint i = 0; i < N_VARS; i++)
    g_ptr_array_add (vars, c->vars[i]);
  solved = ls_solve_inequalities (vars, c->dom, conditions);
  if (solved != NULL)
    {
      domains = (Domains) { all, solved };
      each_point (c, N_VARS, look_domains, &domains);
    }
  bound = ls_binary_new (kinds[below (c, 4)], below (c, 2) ? random_expr (c, 0, 2) : linear (c, 0), below (c, 2) ? random_expr (c, 1, 1) : linear (c, 1));
  for (guint i = 1; i < N_VARS; i++)
    ls_dom_map_set_range (relax, c->vars[i], ls_dom_map_get_range (c->dom, c->vars[i]));
  set = ls_deduce_bound (c->vars[0], bound, c->dom, relax);
  if (!ls_int_set_is_nothing (set))
    {
      deduced = (Deduced) { bound, set };
      each_point (c, N_VARS, look_deduced, &deduced);
    }
}

static void
regions_one (Case *c)
{
  g_autoptr (LsExpr) start = random_expr (c, 0, 1 + below (c, 3)), extent = below (c, 2) ? ls_int (pick (c, 1, 5)) : random_expr (c, 0, 1);
  g_autoptr (LsExpr) predicate = below (c, 2) ? random_condition (c, 0, below (c, 2)) : NULL;
  g_autoptr (LsRange) range = ls_range_new (ls_ref (start), ls_ref (extent));
  g_autoptr (LsArray) region = ls_array_of (ls_ref (range), NULL);
  g_autoptr (LsNDIntSet) plain = ls_eval_region (region, c->dom), upper = ls_region_upper_bound (region, c->dom, predicate, NULL);
  g_autoptr (LsIntSet) own = ls_eval_set_range (range, c->dom);
  g_autoptr (LsExpr) last = ls_sub (ls_add (ls_ref (start), ls_ref (extent)), ls_int (1));
  g_autoptr (LsExpr) some = ls_gt (ls_ref (extent), ls_int (0));
  g_autoptr (LsExpr) asked = predicate != NULL ? ls_and (ls_ref (some), ls_ref (predicate)) : ls_ref (some);

  look (c, "eval_region", start, some, plain->pdata[0], TRUE);
  look (c, "eval_region", last, some, plain->pdata[0], TRUE);
  look (c, "eval_set of a range", start, some, own, TRUE);
  look (c, "eval_set of a range", last, some, own, TRUE);
  look (c, "upper bound", start, asked, upper->pdata[0], FALSE);
  look (c, "upper bound", last, asked, upper->pdata[0], FALSE);
}

typedef struct {
  LsExpr *claim, *condition;
} Claim;

static gboolean
look_claim (Case    *c,
            gpointer user_data)
{
  Claim *self = user_data;
  gint64 value;

  if (holds (c, self->condition) && value_of (c, self->claim, &value) && value == 0)
    wrong (c, "proved", self->claim, self->condition, NULL, 0);
  return TRUE;
}

static void
proofs_one (Case *c)
{
  g_autoptr (LsExpr) claim = random_condition (c, 0, 1 + below (c, 3)), condition = below (c, 2) ? random_condition (c, 0, below (c, 2)) : NULL;
  guint token = condition != NULL ? ls_analyzer_enter_constraint (c->analyzer, condition) : 0;
  Claim proved = { claim, condition };

  if (ls_analyzer_can_prove_strength (c->analyzer, claim, LS_PROOF_SYMBOLIC_BOUND))
    each_point (c, N_VARS, look_claim, &proved);
  if (condition != NULL)
    ls_analyzer_exit_constraint (c->analyzer, token);
}

static void
run (gconstpointer data)
{
  const char *asked = g_getenv ("LS_SETS"), *from = g_getenv ("LS_SETS_SEED");
  guint n = asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : ls_test_count (600, 40000);
  guint32 seed = from != NULL ? (guint32) g_ascii_strtoull (from, NULL, 10) : 0;
  Try one = (Try) data;

  for (guint i = 0; i < n; i++)
    {
      Case c = { 0 };

      case_begin (&c, seed + i, (seed + i) % 3 == 0);
      one (&c);
      case_end (&c);
    }
}

int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; Try one; } TESTS[] = {
    { "/sets/eval", eval_one }, { "/sets/scopes", scopes_one }, { "/sets/together", together_one }, { "/sets/conditions", conditions_one },
    { "/sets/regions", regions_one }, { "/sets/proofs", proofs_one },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (TESTS); i++)
    g_test_add_data_func (TESTS[i].name, (gconstpointer) TESTS[i].one, run);
  return g_test_run ();
}
