/* finite: see the header. */
#include "tests/proof/finite.h"

#include "engine/arith/analyzer.h"
#include "engine/interp/interp.h"
#include "engine/tir/tir.h"

typedef struct {
  LsTheory    theory;
  LsDType     type;
  LsVar      *vars[LS_RULE_N_SLOTS];
  gboolean    truth[LS_RULE_N_SLOTS];
  gint64      values[LS_RULE_N_SLOTS];
  LsVar      *lane;
  gint64      lane_value;
  GHashTable *point;            /* LsVar -> gint64 * */
} Finite;

/* ---- trees as expressions of the program ---- */

static LsExpr *expression (Finite *self, const LsPattern *pattern, gboolean truth);

static LsExpr *
slot (Finite          *self,
      const LsPattern *pattern,
      gboolean         truth)
{
  guint i = pattern->slot;

  if (self->vars[i] == NULL)
    {
      self->vars[i] = ls_var_new (ls_rule_slot_name (i), truth ? LS_BOOL : self->type);
      self->truth[i] = truth;
      g_hash_table_insert (self->point, self->vars[i], &self->values[i]);
    }
  return LS_EXPR (ls_ref (self->vars[i]));
}

static LsExpr *
expression (Finite          *self,
            const LsPattern *pattern,
            gboolean         truth)
{
  gboolean logic = pattern->kind == LS_KIND_AND || pattern->kind == LS_KIND_OR;
  LsExpr *a, *b;

  switch (pattern->op)
    {
    case LS_PATTERN_EXPR:
    case LS_PATTERN_INT:
      return slot (self, pattern, truth);
    case LS_PATTERN_NUMBER:
      return truth ? ls_bool (pattern->number != 0) : ls_const_int (self->type, pattern->number);
    case LS_PATTERN_BINARY:
      a = expression (self, pattern->args[0], logic);
      return ls_binary_new ((LsKind) pattern->kind, a, expression (self, pattern->args[1], logic));
    case LS_PATTERN_NOT:
      return ls_not_new (expression (self, pattern->args[0], TRUE));
    case LS_PATTERN_SELECT:
      a = expression (self, pattern->args[0], TRUE);
      b = expression (self, pattern->args[1], truth);
      return ls_select_new (a, b, expression (self, pattern->args[2], truth));
    case LS_PATTERN_RAMP:
      a = expression (self, pattern->args[1], FALSE);
      b = expression (self, pattern->args[0], FALSE);
      return ls_binary_new (LS_KIND_ADD, b, ls_binary_new (LS_KIND_MUL, LS_EXPR (ls_ref (self->lane)), a));
    case LS_PATTERN_BROADCAST:
      return expression (self, pattern->args[0], truth);
    case LS_PATTERN_FLOAT:
    case LS_PATTERN_ASK:
      break;
    }
  g_assert_not_reached ();
}

static gboolean
value_of (Finite *self,
          LsExpr *expr,
          gint64 *value)
{
  double real = 0;

  return ls_interp_eval (expr, self->point, value, &real, NULL);
}

/* ---- conditions, in exact numbers ---- */

static gboolean
number (Finite          *self,
        const LsPattern *pattern,
        gint64          *value)
{
  gint64 a, b;

  if (pattern->op == LS_PATTERN_NUMBER)
    {
      *value = pattern->number;
      return TRUE;
    }
  if (pattern->op == LS_PATTERN_INT)
    {
      *value = self->values[pattern->slot];
      return TRUE;
    }
  if (pattern->op != LS_PATTERN_BINARY || !number (self, pattern->args[0], &a) || !number (self, pattern->args[1], &b))
    return FALSE;
  switch (pattern->kind)
    {
    case LS_KIND_ADD:
      *value = a + b;
      return TRUE;
    case LS_KIND_SUB:
      *value = a - b;
      return TRUE;
    case LS_KIND_MUL:
      *value = a * b;
      return TRUE;
    case LS_KIND_FLOOR_MOD:
      *value = b != 0 ? ls_floormod_i64 (a, b) : 0;
      return b != 0;
    default:
      return FALSE;
    }
}

static gboolean
asked (Finite          *self,
       const LsPattern *pattern)
{
  gboolean truth = pattern->kind == LS_ASK_PROVE;
  g_autoptr (LsExpr) expr = NULL;
  gint64 value, limit = 0;

  if (pattern->kind == LS_ASK_PURE || pattern->kind == LS_ASK_VSCALE || pattern->kind == LS_ASK_WHOLE)
    return TRUE;
  if (pattern->kind == LS_ASK_INDEX)
    return self->theory == LS_THEORY_INTEGERS;
  expr = expression (self, pattern->args[0], truth);
  if (!value_of (self, expr, &value) || (pattern->args[1] != NULL && !number (self, pattern->args[1], &limit)))
    return FALSE;
  switch (pattern->kind)
    {
    case LS_ASK_GE:
      return value >= limit;
    case LS_ASK_LT:
      return value < limit;
    case LS_ASK_ZERO:
      return value == 0;
    default:
      return value != 0;
    }
}

static gboolean
holds (Finite          *self,
       const LsPattern *pattern)
{
  gint64 a, b;

  if (pattern == NULL)
    return TRUE;
  if (pattern->op == LS_PATTERN_ASK)
    return asked (self, pattern);
  if (pattern->op == LS_PATTERN_NOT)
    return !holds (self, pattern->args[0]);
  if (pattern->kind == LS_KIND_AND)
    return holds (self, pattern->args[0]) && holds (self, pattern->args[1]);
  if (pattern->kind == LS_KIND_OR)
    return holds (self, pattern->args[0]) || holds (self, pattern->args[1]);
  if (!number (self, pattern->args[0], &a) || !number (self, pattern->args[1], &b))
    return FALSE;
  switch (pattern->kind)
    {
    case LS_KIND_EQ:
      return a == b;
    case LS_KIND_NE:
      return a != b;
    case LS_KIND_LT:
      return a < b;
    case LS_KIND_LE:
      return a <= b;
    case LS_KIND_GT:
      return a > b;
    default:
      return a >= b;
    }
}

/* A rule whose constants leave their type is passed over. */
static gboolean
constants_fit (Finite          *self,
               const LsPattern *pattern)
{
  gint64 value;

  if (pattern == NULL || pattern->op == LS_PATTERN_ASK)
    return TRUE;
  if (pattern->op == LS_PATTERN_BINARY && number (self, pattern, &value) &&
      (value < ls_dtype_int_min (self->type) || value > ls_dtype_int_max (self->type)))
    return FALSE;
  return constants_fit (self, pattern->args[0]) && constants_fit (self, pattern->args[1]) && constants_fit (self, pattern->args[2]);
}

/* ---- points ---- */

/* Near zero and near the ends of the type, outwards: 0, 1, -1, 2, ... */
static guint
domain (Finite *self,
        gint64 *numbers,
        guint   n)
{
  static const gint64 bits_signed[] = { 0, 1, -1, 2, -2, 127, -128, 3, -3, 4, -4, 126, -127, 5, -5, 6, 7, 8, -8, 64, -64, 100 };
  static const gint64 bits_unsigned[] = { 0, 1, 2, 255, 3, 254, 4, 5, 253, 6, 127, 128, 7, 8, 252, 9, 10, 64, 200 };

  if (self->theory == LS_THEORY_INTEGERS)
    for (guint i = 0; i < n; i++)
      numbers[i] = i % 2 == 1 ? (gint64) (i + 1) / 2 : -(gint64) i / 2;
  else if (self->theory == LS_THEORY_SIGNED)
    for (guint i = 0; i < (n = MIN (n, G_N_ELEMENTS (bits_signed))); i++)
      numbers[i] = bits_signed[i];
  else
    for (guint i = 0; i < (n = MIN (n, G_N_ELEMENTS (bits_unsigned))); i++)
      numbers[i] = bits_unsigned[i];
  return n;
}

static guint64
count_points (Finite      *self,
              const guint *slots,
              guint        n,
              guint        size)
{
  guint64 points = 1;

  for (guint i = 0; i < n; i++)
    points *= self->truth[slots[i]] ? 2 : size;
  return points;
}

static char *
describe (Finite *self)
{
  GString *text = g_string_new ("");

  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    if (self->vars[i] != NULL)
      g_string_append_printf (text, "%s%s = %" G_GINT64_FORMAT, text->len > 0 ? ", " : "", ls_rule_slot_name (i), self->values[i]);
  return g_string_free (text, FALSE);
}

static void
finite_clear (Finite *self)
{
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    ls_unref (self->vars[i]);
  ls_unref (self->lane);
  g_hash_table_unref (self->point);
}

FiniteResult
finite_try (const LsRuleForm *form,
            const LsPattern  *alternative,
            LsTheory          theory,
            guint64           most)
{
  static const LsDType types[] = { LS_INT32, { LS_TYPE_INT, 8, 1 }, { LS_TYPE_UINT, 8, 1 } };
  Finite self = { .theory = theory, .type = types[theory % 3] };
  FiniteResult result = { 0, NULL };
  gboolean truth = alternative->op == LS_PATTERN_NOT || (alternative->op == LS_PATTERN_BINARY && ls_kind_is_compare ((LsKind) alternative->kind)) ||
                   (alternative->op == LS_PATTERN_BINARY && (alternative->kind == LS_KIND_AND || alternative->kind == LS_KIND_OR));
  gint64 numbers[64];
  guint slots[LS_RULE_N_SLOTS], at[LS_RULE_N_SLOTS] = { 0 }, n = 0, size = 1;
  g_autoptr (LsExpr) left = NULL;
  g_autoptr (LsExpr) right = NULL;

  if (theory == LS_THEORY_FLOATS)
    return result;
  self.point = g_hash_table_new (NULL, NULL);
  self.lane = ls_var_new ("lane", self.type);
  g_hash_table_insert (self.point, self.lane, &self.lane_value);
  left = expression (&self, alternative, truth);
  right = expression (&self, form->result, truth);
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    if (self.vars[i] != NULL)
      slots[n++] = i;
  while (size < G_N_ELEMENTS (numbers) && count_points (&self, slots, n, size + 1) <= most)
    size++;
  size = domain (&self, numbers, size);
  for (;;)
    {
      gint64 a, b;
      guint i;

      for (i = 0; i < n; i++)
        self.values[slots[i]] = self.truth[slots[i]] ? at[i] : numbers[at[i]];
      self.lane_value = at[0] % 3;
      if (holds (&self, form->condition) && constants_fit (&self, form->result) && value_of (&self, left, &a))
        {
          result.points++;
          if (!value_of (&self, right, &b) || a != b)
            {
              result.wrong = describe (&self);
              break;
            }
        }
      for (i = 0; i < n && ++at[i] == (self.truth[slots[i]] ? 2 : size); i++)
        at[i] = 0;
      if (i == n)
        break;
    }
  finite_clear (&self);
  return result;
}
