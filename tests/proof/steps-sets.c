/* steps-sets: bounds, remainders and sets of integers, against every value. */
#include "tests/proof/steps-private.h"

static const LsKind kinds[] = {
  LS_KIND_ADD, LS_KIND_SUB, LS_KIND_MUL, LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD, LS_KIND_DIV, LS_KIND_MOD, LS_KIND_MIN, LS_KIND_MAX
};

/* ---- values of the interpreter, kept ---- */

typedef struct {
  gint64    low, high;          /* of both operands */
  gint64   *values;
  gboolean *known;
} Table;

static void
table_begin (Table   *self,
             LsDType  type,
             LsKind   kind,
             gint64   low,
             gint64   high)
{
  StepCase c;
  g_autoptr (LsExpr) expr = NULL;
  gsize n = (gsize) (high - low + 1);

  step_begin (&c, type, low, high, low, high);
  expr = ls_binary_new (kind, X (&c), Y (&c));
  *self = (Table) { low, high, g_new0 (gint64, n * n), g_new0 (gboolean, n * n) };
  for (gint64 x = low; x <= high; x++)
    for (gint64 y = low; y <= high; y++)
      {
        gsize at = (gsize) (x - low) * n + (gsize) (y - low);

        c.values[0] = x;
        c.values[1] = y;
        self->known[at] = step_value (&c, expr, &self->values[at]);
      }
  step_end (&c);
}

static void
table_end (Table *self)
{
  g_free (self->values);
  g_free (self->known);
}

static gboolean
table_get (const Table *self,
           gint64       x,
           gint64       y,
           gint64      *value)
{
  gsize at = (gsize) (x - self->low) * (gsize) (self->high - self->low + 1) + (gsize) (y - self->low);

  *value = self->values[at];
  return self->known[at];
}

static void
wrong (LsExpr *expr,
       gint64  value,
       gint64  a,
       gint64  b,
       gint64  x,
       gint64  y)
{
  g_autofree char *text = ls_expr_text (expr);

  step_wrong ("%s is %" G_GINT64_FORMAT " at %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", not of %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, text,
              value, x, y, a, b);
}

/* What the analyser says, or what is planted. */
static void
spoil_bound (StepCase *c,
             LsExpr   *expr,
             gint64   *min,
             gint64   *max)
{
  if (step_planted != NULL && step_planted->bound != NULL)
    step_planted->bound (c, expr, min, max);
}

static LsModularSet
modular_of (StepCase    *c,
            LsExpr      *expr,
            LsModularSet a,
            LsModularSet b)
{
  LsModularSet set = ls_analyzer_modular_set (c->analyzer, expr);

  if (step_planted != NULL && step_planted->modular != NULL)
    step_planted->modular (expr, a, b, &set);
  return set;
}

/* ---- bounds ---- */

static void
check_bound (StepCase    *c,
             LsKind       kind,
             const Table *table)
{
  g_autoptr (LsExpr) expr = ls_binary_new (kind, X (c), Y (c));
  LsConstIntBound bound = ls_analyzer_const_int_bound (c->analyzer, expr);
  gint64 value;

  spoil_bound (c, expr, &bound.min, &bound.max);
  for (gint64 x = c->low[0]; x <= c->high[0]; x++)
    for (gint64 y = c->low[1]; y <= c->high[1]; y++)
      if (table_get (table, x, y, &value) && (value < bound.min || value > bound.max))
        wrong (expr, value, bound.min, bound.max, x, y);
}

guint
step_bounds (guint stride)
{
  guint seen = 0, cases = 0;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      Table table;

      table_begin (&table, LS_INT32, kinds[k], -4, 4);
      for (gint64 a = -4; a <= 4; a++)
        for (gint64 b = a; b <= 4; b++)
          for (gint64 c = -4; c <= 4; c++)
            for (gint64 d = c; d <= 4; d++)
              if (step_due (stride, &seen, &cases))
                {
                  StepCase it;

                  step_begin (&it, LS_INT32, a, b, c, d);
                  check_bound (&it, kinds[k], &table);
                  step_end (&it);
                }
      table_end (&table);
    }
  return cases;
}

guint
step_bounds_narrow (guint stride)
{
  static const LsDType types[] = { { LS_TYPE_INT, 8, 1 }, { LS_TYPE_UINT, 8, 1 } };
  static const gint64 ends[2][9] = { { -128, -127, -3, -1, 0, 2, 64, 126, 127 }, { 0, 1, 2, 3, 100, 127, 128, 254, 255 } };
  guint seen = 0, cases = 0;

  for (guint t = 0; t < 2; t++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        Table table;

        table_begin (&table, types[t], kinds[k], ls_dtype_int_min (types[t]), ls_dtype_int_max (types[t]));
        for (guint a = 0; a < 9; a++)
          for (guint b = a; b < 9; b++)
            for (guint c = 0; c < 9; c++)
              for (guint d = c; d < 9; d++)
                if (step_due (stride, &seen, &cases))
                  {
                    StepCase it;

                    step_begin (&it, types[t], ends[t][a], ends[t][b], ends[t][c], ends[t][d]);
                    check_bound (&it, kinds[k], &table);
                    step_end (&it);
                  }
        table_end (&table);
      }
  return cases;
}

static LsExpr *
call_of (const char *name,
         LsExpr     *a,
         LsExpr     *b)
{
  return ls_call_op (name, ls_dtype (a), ls_array_of (a, b, NULL));
}

#define N_REST 12

/* Casts, shifts, bits, selects, lets of x and y. */
static LsExpr *
rest_of (StepCase *c,
         guint     which)
{
  static const LsDType types[] = { { LS_TYPE_INT, 8, 1 }, { LS_TYPE_UINT, 8, 1 }, { LS_TYPE_UINT, 32, 1 }, { LS_TYPE_INT, 64, 1 } };
  g_autoptr (LsVar) z = NULL;

  if (which < 4)
    return ls_cast_new (types[which], ls_add (ls_mul (X (c), ls_int (50)), Y (c)));
  switch (which)
    {
    case 4:
      return call_of ("tir.shift_left", X (c), ls_max (Y (c), ls_int (0)));
    case 5:
      return call_of ("tir.shift_right", X (c), ls_max (Y (c), ls_int (0)));
    case 6:
      return call_of ("tir.bitwise_and", X (c), Y (c));
    case 7:
      return ls_select_new (ls_lt (X (c), Y (c)), ls_mul (X (c), ls_int (2)), ls_sub (Y (c), ls_int (1)));
    case 8:
      z = ls_var_new ("z", LS_INT32);
      return ls_let_new (ls_ref (z), ls_add (X (c), Y (c)), ls_mul (LS_EXPR (ls_ref (z)), LS_EXPR (ls_ref (z))));
    case 9:
      return ls_cast_new (LS_INT32, ls_cast_new (types[1], X (c)));
    case 10:
      return ls_cast_new (LS_INT32, ls_lt (X (c), Y (c)));
    default:
      return ls_select_new (ls_eq (ls_floormod (X (c), ls_int (2)), ls_int (0)), Y (c), X (c));
    }
}

guint
step_bounds_rest (guint stride)
{
  guint seen = 0, cases = 0;

  for (guint which = 0; which < N_REST; which++)
    for (gint64 a = -4; a <= 4; a++)
      for (gint64 b = a; b <= 4; b++)
        for (gint64 c = -4; c <= 4; c += 2)
          for (gint64 d = c; d <= 4; d += 2)
            if (step_due (stride, &seen, &cases))
              {
                StepCase it;
                g_autoptr (LsExpr) expr = NULL;
                LsConstIntBound bound;
                gint64 value;

                step_begin (&it, LS_INT32, a, b, c, d);
                expr = rest_of (&it, which);
                bound = ls_analyzer_const_int_bound (it.analyzer, expr);
                spoil_bound (&it, expr, &bound.min, &bound.max);
                for (it.values[0] = a; it.values[0] <= b; it.values[0]++)
                  for (it.values[1] = c; it.values[1] <= d; it.values[1]++)
                    if (step_value (&it, expr, &value) && (value < bound.min || value > bound.max))
                      wrong (expr, value, bound.min, bound.max, it.values[0], it.values[1]);
                step_end (&it);
              }
  return cases;
}

#define N_THROUGH 5

/* x, or x and y, through a float to int64. */
static LsExpr *
through_float (StepCase *c,
               LsDType   type,
               guint     which)
{
  LsExpr *x = ls_cast_new (type, X (c)), *y = ls_cast_new (type, Y (c));

  if (which == 0 || which == 4)
    ls_take (&y, (LsExpr *) NULL);
  switch (which)
    {
    case 0:
      return ls_cast_new (LS_INT64, x);
    case 1:
      return ls_cast_new (LS_INT64, ls_binary_new (LS_KIND_ADD, x, y));
    case 2:
      return ls_cast_new (LS_INT64, ls_binary_new (LS_KIND_MUL, ls_binary_new (LS_KIND_DIV, x, y), ls_cast_new (type, ls_int (2))));
    case 3:
      return ls_cast_new (LS_INT64, ls_binary_new (LS_KIND_MAX, x, y));
    default:
      return ls_cast_new (LS_INT64, ls_cast_new (LS_FLOAT32, x));
    }
}

/* The numbers around which floats stop to hold all whole numbers, or end. */
guint
step_bounds_through_floats (guint stride)
{
  static const LsDType types[] = { { LS_TYPE_FLOAT, 16, 1 }, { LS_TYPE_BFLOAT, 16, 1 }, { LS_TYPE_FLOAT, 32, 1 }, { LS_TYPE_FLOAT, 64, 1 } };
  static const gint64 ends[] = {
    G_MININT32, G_MININT32 + 1, -(1 << 24) - 1, -(1 << 24), -70000, -65504, -2049, -2048, -257, -256, -3, 0,
    1, 255, 256, 257, 2047, 2048, 2049, 65504, 65519, 65520, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, G_MAXINT32 - 1, G_MAXINT32
  };
  guint seen = 0, cases = 0;

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint which = 0; which < N_THROUGH; which++)
      for (guint a = 0; a < G_N_ELEMENTS (ends); a++)
        for (guint b = a; b < G_N_ELEMENTS (ends); b++)
          if (step_due (stride, &seen, &cases))
            {
              StepCase it;
              g_autoptr (LsExpr) expr = NULL;
              LsConstIntBound bound;
              gint64 value;

              step_begin (&it, LS_INT32, ends[a], ends[b], -3, 4);
              expr = through_float (&it, types[t], which);
              bound = ls_analyzer_const_int_bound (it.analyzer, expr);
              spoil_bound (&it, expr, &bound.min, &bound.max);
              for (guint i = a; i <= b; i++)
                for (it.values[1] = -3; it.values[1] <= 4; it.values[1]++)
                  {
                    it.values[0] = ends[i];
                    if (step_value (&it, expr, &value) && ((value < bound.min && bound.min != LS_NEG_INF) || value > bound.max))
                      wrong (expr, value, bound.min, bound.max, it.values[0], it.values[1]);
                  }
              step_end (&it);
            }
  return cases;
}

/* ---- remainders ---- */

#define MOST 6                  /* coefficients */
#define REACH 6                 /* multiples to either side */
#define N_SETS 34

/* All a n + b with a up to MOST: the constants first. */
static LsModularSet
set_number (guint i)
{
  if (i < 2 * MOST + 1)
    return (LsModularSet) { 0, (gint64) i - MOST };
  i -= 2 * MOST + 1;
  for (gint64 coeff = 1;; coeff++)
    {
      if (i < coeff)
        return (LsModularSet) { coeff, i };
      i -= (guint) coeff;
    }
}

static gboolean
in_set (LsModularSet set,
        gint64       value)
{
  return set.coeff == 0 ? value == set.base : (value - set.base) % set.coeff == 0;
}

static gint64
member (LsModularSet set,
        gint64       n)
{
  return set.coeff * n + set.base;
}

guint
step_modular (guint stride)
{
  static const LsKind exact[] = { LS_KIND_ADD, LS_KIND_SUB, LS_KIND_MUL, LS_KIND_MIN, LS_KIND_MAX };
  gint64 far = MOST * REACH + MOST;
  guint seen = 0, cases = 0;

  for (guint k = 0; k < G_N_ELEMENTS (exact); k++)
    {
      Table table;

      table_begin (&table, LS_INT32, exact[k], -far, far);
      for (guint i = 0; i < N_SETS; i++)
        for (guint j = 0; j < N_SETS; j++)
          if (step_due (stride, &seen, &cases))
            {
              LsModularSet a = set_number (i), b = set_number (j), set;
              g_autoptr (LsExpr) expr = NULL;
              StepCase it;
              gint64 value;

              step_begin (&it, LS_INT32, -far, far, -far, far);
              ls_analyzer_update_modular (it.analyzer, it.x, a, TRUE);
              ls_analyzer_update_modular (it.analyzer, it.y, b, TRUE);
              expr = ls_binary_new (exact[k], X (&it), Y (&it));
              set = modular_of (&it, expr, a, b);
              for (gint64 n = -REACH; n <= REACH; n++)
                for (gint64 m = -REACH; m <= REACH; m++)
                  if (table_get (&table, member (a, n), member (b, m), &value) && !in_set (set, value))
                    wrong (expr, value, set.coeff, set.base, member (a, n), member (b, m));
              step_end (&it);
            }
      table_end (&table);
    }
  return cases;
}

static void
check_modular (StepCase     *it,
               LsModularSet  of_x,
               gint64        low,
               LsExpr       *expr)
{
  LsModularSet set = modular_of (it, expr, of_x, of_x);
  gint64 value;

  for (gint64 n = -40; n <= 40; n++)
    {
      it->values[0] = member (of_x, n);
      if (it->values[0] >= low && step_value (it, expr, &value) && !in_set (set, value))
        wrong (expr, value, set.coeff, set.base, it->values[0], 0);
    }
  ls_unref (expr);
}

/* Divisors, casts and bits of x; with and without knowing that x is not negative. */
guint
step_modular_rest (guint stride)
{
  static const LsKind divisions[] = { LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD, LS_KIND_DIV, LS_KIND_MOD };
  guint seen = 0, cases = 0;

  for (guint i = 0; i < N_SETS; i++)
    for (guint signs = 0; signs < 2; signs++)
      for (gint64 by = -6; by <= 6; by++)
        if (step_due (stride, &seen, &cases))
          {
            LsModularSet a = set_number (i);
            gint64 low = signs ? 0 : -300;
            StepCase it;

            step_begin (&it, LS_INT32, low, 300, 0, 0);
            ls_analyzer_update_modular (it.analyzer, it.x, a, TRUE);
            for (guint k = 0; by != 0 && k < G_N_ELEMENTS (divisions); k++)
              check_modular (&it, a, low, ls_binary_new (divisions[k], X (&it), ls_int (by)));
            if (by >= 0)
              {
                check_modular (&it, a, low, call_of ("tir.shift_right", X (&it), ls_int (by)));
                check_modular (&it, a, low, call_of ("tir.bitwise_and", X (&it), ls_int ((1 << by) - 1)));
                check_modular (&it, a, low, call_of ("tir.bitwise_and", X (&it), ls_int (by)));
              }
            check_modular (&it, a, low, rest_of (&it, (guint) (by + 6) % N_REST));
            check_modular (&it, a, low, ls_cast_new (LS_INT32, ls_cast_new ((LsDType) { LS_TYPE_INT, 8, 1 }, ls_mul (X (&it), ls_int (by)))));
            step_end (&it);
          }
  return cases;
}

guint
step_modular_enter (guint stride)
{
  guint seen = 0, cases = 0;

  for (guint i = 0; i < N_SETS; i++)
    for (gint64 by = 1; by <= 6; by++)
      for (gint64 rest = 0; rest < by; rest++)
        for (guint floor = 0; floor < 2; floor++)
          if (step_due (stride, &seen, &cases))
            {
              LsModularSet a = set_number (i), set;
              LsKind kind = floor ? LS_KIND_FLOOR_MOD : LS_KIND_MOD;
              g_autoptr (LsExpr) condition = NULL;
              g_autoptr (LsExpr) expr = NULL;
              StepCase it;
              gint64 value;

              step_begin (&it, LS_INT32, -300, 300, 0, 0);
              ls_analyzer_update_modular (it.analyzer, it.x, a, TRUE);
              condition = ls_eq (ls_binary_new (kind, X (&it), ls_int (by)), ls_int (rest));
              expr = X (&it);
              ls_analyzer_enter_constraint (it.analyzer, condition);
              set = modular_of (&it, expr, a, (LsModularSet) { by, rest });
              for (gint64 n = -40; n <= 40; n++)
                {
                  it.values[0] = member (a, n);
                  if (step_value (&it, condition, &value) && value != 0 && !in_set (set, it.values[0]))
                    wrong (condition, it.values[0], set.coeff, set.base, it.values[0], 0);
                }
              step_end (&it);
            }
  return cases;
}

/* ---- sets of integers ---- */

static void
check_set (StepCase *it,
           LsExpr   *expr)
{
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  g_autoptr (LsRange) of_x = ls_range_new (ls_int (it->low[0]), ls_int (it->high[0] - it->low[0] + 1));
  g_autoptr (LsRange) of_y = ls_range_new (ls_int (it->low[1]), ls_int (it->high[1] - it->low[1] + 1));
  g_autoptr (LsIntSet) set = NULL;
  gint64 value, min = G_MININT64, max = G_MAXINT64;

  ls_dom_map_set_range (dom, it->x, of_x);
  ls_dom_map_set_range (dom, it->y, of_y);
  set = ls_eval_set (expr, dom, NULL);
  if (ls_int_set_is_nothing (set))
    wrong (expr, 0, 1, 0, it->low[0], it->low[1]);
  if (ls_int_set_has_lower_bound (set))
    g_assert_true (step_value (it, ls_int_set_min (set), &min));
  if (ls_int_set_has_upper_bound (set))
    g_assert_true (step_value (it, ls_int_set_max (set), &max));
  spoil_bound (it, expr, &min, &max);
  for (it->values[0] = it->low[0]; it->values[0] <= it->high[0]; it->values[0]++)
    for (it->values[1] = it->low[1]; it->values[1] <= it->high[1]; it->values[1]++)
      if (step_value (it, expr, &value) && (value < min || value > max))
        wrong (expr, value, min, max, it->values[0], it->values[1]);
  ls_unref (expr);
}

guint
step_int_sets (guint stride)
{
  static const guint rest[] = { 3, 7, 10, 11 };
  guint seen = 0, cases = 0;

  for (gint64 a = -3; a <= 3; a++)
    for (gint64 b = a; b <= 3; b++)
      for (gint64 c = -3; c <= 3; c++)
        for (gint64 d = c; d <= 3; d++)
          if (step_due (stride, &seen, &cases))
            {
              StepCase it;

              step_begin (&it, LS_INT32, a, b, c, d);
              for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
                if ((kinds[k] != LS_KIND_FLOOR_DIV && kinds[k] != LS_KIND_FLOOR_MOD && kinds[k] != LS_KIND_DIV && kinds[k] != LS_KIND_MOD) || c > 0 || d < 0)
                  check_set (&it, ls_binary_new (kinds[k], X (&it), Y (&it)));
              for (guint k = 0; k < G_N_ELEMENTS (rest); k++)
                check_set (&it, rest_of (&it, rest[k]));
              check_set (&it, ls_floordiv (ls_add (ls_mul (X (&it), ls_int (3)), Y (&it)), ls_int (c == 0 ? 2 : c)));
              check_set (&it, ls_floormod (ls_sub (X (&it), Y (&it)), ls_int (4)));
              step_end (&it);
            }
  return cases;
}
