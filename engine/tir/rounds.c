/* rounds: extents as numbers, for each round of the loops that they depend on. */
#include "engine/tir/rounds.h"

#define MOST_STEPS (1 << 18)    /* rounds that are gone through: some ten milliseconds */
#define MOST_DEEP 64            /* bindings of variables of blocks in each other */

typedef struct {
  GPtrArray  *loops;            /* of LsFor */
  GHashTable *bindings;
  gboolean   *counts;           /* per loop: it is gone through */
  gint64     *values;           /* per loop that is gone through: its variable now */
  guint       last;             /* the innermost that is gone through */
  guint       steps;
} Rounds;

static gboolean value_of (Rounds *self, guint depth, LsExpr *expr, gint64 *value);

/* ---- numbers ------------------------------------------------------------------- */

static gboolean
var_value (Rounds *self,
           guint   depth,
           LsVar  *var,
           gint64 *value)
{
  LsExpr *bound = self->bindings != NULL ? g_hash_table_lookup (self->bindings, var) : NULL;

  for (guint i = 0; i < self->loops->len; i++)
    if (((LsFor *) self->loops->pdata[i])->loop_var == var)
      {
        *value = self->values[i];
        return self->counts[i];
      }
  return bound != NULL && depth < MOST_DEEP && value_of (self, depth + 1, bound, value);
}

static gboolean
binary_value (LsKind  kind,
              gint64  a,
              gint64  b,
              gint64 *value)
{
  switch ((guint) kind)
    {
    case LS_KIND_ADD:
      return !__builtin_add_overflow (a, b, value);
    case LS_KIND_SUB:
      return !__builtin_sub_overflow (a, b, value);
    case LS_KIND_MUL:
      return !__builtin_mul_overflow (a, b, value);
    case LS_KIND_MIN:
      *value = MIN (a, b);
      return TRUE;
    case LS_KIND_MAX:
      *value = MAX (a, b);
      return TRUE;
    case LS_KIND_DIV:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_MOD:
      if (b == 0 || b == -1)
        return FALSE;
      *value = kind == LS_KIND_DIV ? a / b : kind == LS_KIND_MOD ? a % b : kind == LS_KIND_FLOOR_DIV ? ls_floordiv_i64 (a, b) : ls_floormod_i64 (a, b);
      return TRUE;
    case LS_KIND_EQ:
      *value = a == b;
      return TRUE;
    case LS_KIND_NE:
      *value = a != b;
      return TRUE;
    case LS_KIND_LT:
      *value = a < b;
      return TRUE;
    case LS_KIND_LE:
      *value = a <= b;
      return TRUE;
    case LS_KIND_GT:
      *value = a > b;
      return TRUE;
    case LS_KIND_GE:
      *value = a >= b;
      return TRUE;
    case LS_KIND_AND:
      *value = a != 0 && b != 0;
      return TRUE;
    case LS_KIND_OR:
      *value = a != 0 || b != 0;
      return TRUE;
    default:
      return FALSE;
    }
}

/* What leaves its type becomes another number. */
static gboolean
fits (LsDType type,
      gint64  value)
{
  return ls_dtype_is_bool (type) || (value >= ls_dtype_int_min (type) && value <= ls_dtype_int_max (type));
}

static gboolean
value_of (Rounds *self,
          guint   depth,
          LsExpr *expr,
          gint64 *value)
{
  gint64 a, b;

  if (ls_as_int (expr, value))
    return TRUE;
  if (ls_is (expr, VAR) || ls_is (expr, SIZE_VAR))
    return var_value (self, depth, (LsVar *) expr, value);
  if (ls_is (expr, CAST))
    return ls_dtype_is_int (ls_dtype (((LsCast *) expr)->value)) && value_of (self, depth, ((LsCast *) expr)->value, value) && fits (ls_dtype (expr), *value);
  if (ls_is (expr, NOT))
    {
      if (!value_of (self, depth, ((LsNot *) expr)->a, &a))
        return FALSE;
      *value = a == 0;
      return TRUE;
    }
  if (ls_is (expr, SELECT))
    {
      LsSelect *select = (LsSelect *) expr;

      return value_of (self, depth, select->condition, &a) && value_of (self, depth, a != 0 ? select->true_value : select->false_value, value);
    }
  if (ls_is_call (expr, "tir.if_then_else"))
    {
      LsArray *args = ((LsCall *) expr)->args;

      return value_of (self, depth, ls_array_at (args, 0, LsExpr), &a) && value_of (self, depth, ls_array_at (args, a != 0 ? 1 : 2, LsExpr), value);
    }
  if (ls_is_call (expr, "tir.likely"))
    return value_of (self, depth, ls_array_at (((LsCall *) expr)->args, 0, LsExpr), value);
  if (ls_kind (expr) < LS_KIND_ADD || ls_kind (expr) > LS_KIND_OR)
    return FALSE;
  return value_of (self, depth, ((LsBinary *) expr)->a, &a) && value_of (self, depth, ((LsBinary *) expr)->b, &b) && binary_value (ls_kind (expr), a, b, value) && fits (ls_dtype (expr), *value);
}

/* ---- loops ---------------------------------------------------------------------- */

/* The variable is in it, also through the variables of blocks. */
static gboolean
depends (Rounds *self,
         guint   depth,
         LsExpr *expr,
         LsVar  *var)
{
  GHashTableIter iter;
  gpointer key, bound;

  if (ls_uses (expr, var))
    return TRUE;
  if (self->bindings == NULL || depth >= MOST_DEEP)
    return FALSE;
  g_hash_table_iter_init (&iter, self->bindings);
  while (g_hash_table_iter_next (&iter, &key, &bound))
    if (ls_uses (expr, key) && depends (self, depth + 1, bound, var))
      return TRUE;
  return FALSE;
}

static void
mark (Rounds *self)
{
  gint64 extent;

  for (guint i = self->loops->len; i-- > 0;)
    {
      LsFor *loop = self->loops->pdata[i];

      self->counts[i] |= !ls_as_int (loop->extent, &extent);
      if (!self->counts[i])
        continue;
      self->last = MAX (self->last, i);
      for (guint k = 0; k < i; k++)
        {
          LsVar *var = ((LsFor *) self->loops->pdata[k])->loop_var;

          self->counts[k] |= depends (self, 0, loop->extent, var) || depends (self, 0, loop->min, var);
        }
    }
}

/* Rounds of the loops that are gone through, from number i on. */
static gint64
add_rounds (Rounds *self,
            guint   i)
{
  LsFor *loop;
  gint64 first, extent, sum = 0;

  while (i < self->last && !self->counts[i])
    i++;
  loop = self->loops->pdata[i];
  if (!value_of (self, 0, loop->extent, &extent))
    return -1;
  if (i == self->last)
    return MAX (extent, 0);
  if (!value_of (self, 0, loop->min, &first))
    return -1;
  for (gint64 k = 0; k < extent; k++)
    {
      gint64 inner;

      self->values[i] = first + k;
      inner = ++self->steps < MOST_STEPS ? add_rounds (self, i + 1) : -1;
      if (inner < 0 || __builtin_add_overflow (sum, inner, &sum))
        return -1;
    }
  return sum;
}

gint64
ls_count_rounds (GPtrArray  *loops,
                 GHashTable *bindings)
{
  g_autofree gboolean *counts = g_new0 (gboolean, loops->len + 1);
  g_autofree gint64 *values = g_new0 (gint64, loops->len + 1);
  Rounds self = { .loops = loops, .bindings = bindings, .counts = counts, .values = values };
  gint64 rounds = 1, extent;
  gboolean any = FALSE;

  mark (&self);
  for (guint i = 0; i < loops->len; i++)
    any |= counts[i];
  if (any)
    rounds = add_rounds (&self, 0);
  for (guint i = 0; i < loops->len && rounds >= 0; i++)
    if (!counts[i] && (!ls_as_int (((LsFor *) loops->pdata[i])->extent, &extent) || __builtin_mul_overflow (rounds, MAX (extent, 0), &rounds)))
      rounds = -1;
  return rounds;
}
