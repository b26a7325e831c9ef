/* rules: rewrite rules matched and applied (rule.h has the notation, rules-read.c reads it).
 *
 * A table is read once, at its first use.
 * Matching walks pattern and expression side by side and fills slots; building runs the constant folder at every
 * node and nothing else, so that a result is exactly what the rule says.  A number in a result takes the type of
 * its neighbour, or of the expression that is rewritten.  A rule whose constants leave their type (c1 * c2 in 32
 * bits) does not hold and is passed over; TVM v0.20 lets them wrap.
 * Termination is the business of the tables: each says above its rules what gets smaller.
 */
#include "engine/arith/arith-private.h"

/* One alternative of one rule. */
typedef struct {
  LsPattern  *pattern;
  LsRuleForm *rule;
} Candidate;

/* The candidates for a root whose operands are of two given classes, in the order of the table. */
typedef struct {
  guint      n;
  Candidate *items;
} Shortlist;

#define N_CLASSES 32

typedef struct {
  LsRuleForm *rules;
  guint       n;
  Shortlist  *shortlists[N_CLASSES][N_CLASSES]; /* made when they are first needed */
} Index;

typedef struct {
  LsSimplifier *simplifier;
  LsExpr       *root;
  LsExpr       *slots[LS_RULE_N_SLOTS]; /* borrowed from the expression */
  gboolean      overflows;      /* a constant that was built is none of its type: the rule does not hold here */
} Match;

static Index *
read_table (LsRuleTable *table)
{
  if (g_once_init_enter (&table->once))
    {
      Index *self = g_new0 (Index, 1);

      self->rules = g_new0 (LsRuleForm, table->n);
      self->n = table->n;
      for (guint i = 0; i < table->n; i++)
        ls_rule_read (&table->rules[i], &self->rules[i]);
      table->compiled = self;
      g_once_init_leave (&table->once, 1);
    }
  return table->compiled;
}

/* ---- which rules can match at all ---- */

/* Kinds that patterns tell apart; 0 is any other. */
static inline guint
class_of_kind (LsKind kind)
{
  G_STATIC_ASSERT (LS_KIND_OR - LS_KIND_ADD + 7 < N_CLASSES);
  if (kind >= LS_KIND_ADD && kind <= LS_KIND_OR)
    return 7 + (kind - LS_KIND_ADD);
  switch ((int) kind)
    {
    case LS_KIND_INT_IMM:
      return 1;
    case LS_KIND_FLOAT_IMM:
      return 2;
    case LS_KIND_NOT:
      return 3;
    case LS_KIND_SELECT:
      return 4;
    case LS_KIND_RAMP:
      return 5;
    case LS_KIND_BROADCAST:
      return 6;
    default:
      return 0;
    }
}

/* The class of what the pattern matches, or -1: anything. */
static int
class_of_pattern (const LsPattern *pattern)
{
  switch (pattern->op)
    {
    case LS_PATTERN_INT:
    case LS_PATTERN_NUMBER:
      return (int) class_of_kind (LS_KIND_INT_IMM);
    case LS_PATTERN_FLOAT:
      return (int) class_of_kind (LS_KIND_FLOAT_IMM);
    case LS_PATTERN_BINARY:
      return (int) class_of_kind ((LsKind) pattern->kind);
    case LS_PATTERN_NOT:
      return (int) class_of_kind (LS_KIND_NOT);
    case LS_PATTERN_SELECT:
      return (int) class_of_kind (LS_KIND_SELECT);
    case LS_PATTERN_RAMP:
      return (int) class_of_kind (LS_KIND_RAMP);
    case LS_PATTERN_BROADCAST:
      return (int) class_of_kind (LS_KIND_BROADCAST);
    case LS_PATTERN_EXPR:
    case LS_PATTERN_ASK:
      break;
    }
  return -1;
}

static gboolean
admits (const LsPattern *pattern,
        guint            class)
{
  int wanted = class_of_pattern (pattern);

  return wanted < 0 || (guint) wanted == class;
}

static void
operand_classes (LsExpr *expr,
                 guint  *a,
                 guint  *b)
{
  *a = *b = 0;
  if (ls_kind_is_binary (ls_kind (expr)))
    {
      *a = class_of_kind (ls_kind (ls_lhs (expr)));
      *b = class_of_kind (ls_kind (ls_rhs (expr)));
    }
  else if (ls_is (expr, NOT))
    {
      *a = class_of_kind (ls_kind (((LsNot *) expr)->a));
    }
}

static gboolean
may_match (const LsPattern *pattern,
           guint            a,
           guint            b)
{
  if (pattern->op == LS_PATTERN_BINARY)
    return admits (pattern->args[0], a) && admits (pattern->args[1], b);
  return pattern->op != LS_PATTERN_NOT || admits (pattern->args[0], a);
}

static Shortlist *
make_shortlist (Index *index,
                guint  a,
                guint  b)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (Candidate));
  Shortlist *self = g_new0 (Shortlist, 1);

  for (guint i = 0; i < index->n; i++)
    for (guint k = 0; k < index->rules[i].alternatives->len; k++)
      {
        Candidate candidate = { index->rules[i].alternatives->pdata[k], &index->rules[i] };

        if (may_match (candidate.pattern, a, b))
          g_array_append_val (items, candidate);
      }
  self->n = items->len;
  self->items = (Candidate *) g_array_free (items, FALSE);
  if (g_atomic_pointer_compare_and_exchange (&index->shortlists[a][b], NULL, self))
    return self;
  g_free (self->items);
  g_free (self);
  return g_atomic_pointer_get (&index->shortlists[a][b]);
}

static const Shortlist *
shortlist_for (Index  *index,
               LsExpr *expr)
{
  Shortlist *self;
  guint a, b;

  operand_classes (expr, &a, &b);
  self = g_atomic_pointer_get (&index->shortlists[a][b]);
  return G_LIKELY (self != NULL) ? self : make_shortlist (index, a, b);
}

/* ---- matching ---- */

static gboolean
fill_slot (Match     *match,
           LsPattern *pattern,
           LsExpr    *expr)
{
  LsExpr *before = match->slots[pattern->slot];

  if (before == NULL)
    {
      match->slots[pattern->slot] = expr;
      return TRUE;
    }
  if (pattern->op == LS_PATTERN_INT)
    return ls_imm (before) == ls_imm (expr);
  return before == expr || ls_deep_equal (before, expr);
}

static gboolean
matches (Match     *match,
         LsPattern *pattern,
         LsExpr    *expr)
{
  switch (pattern->op)
    {
    case LS_PATTERN_EXPR:
      return fill_slot (match, pattern, expr);
    case LS_PATTERN_INT:
      return ls_is_imm (expr) && fill_slot (match, pattern, expr);
    case LS_PATTERN_FLOAT:
      return ls_is (expr, FLOAT_IMM) && fill_slot (match, pattern, expr);
    case LS_PATTERN_NUMBER:
      return ls_is_imm (expr) && ls_imm (expr) == pattern->number;
    case LS_PATTERN_BINARY:
      return (int) ls_kind (expr) == pattern->kind && matches (match, pattern->args[0], ls_lhs (expr)) &&
             matches (match, pattern->args[1], ls_rhs (expr));
    case LS_PATTERN_NOT:
      return ls_is (expr, NOT) && matches (match, pattern->args[0], ((LsNot *) expr)->a);
    case LS_PATTERN_SELECT:
      return ls_is (expr, SELECT) && matches (match, pattern->args[0], ((LsSelect *) expr)->condition) &&
             matches (match, pattern->args[1], ((LsSelect *) expr)->true_value) &&
             matches (match, pattern->args[2], ((LsSelect *) expr)->false_value);
    case LS_PATTERN_RAMP:
      return ls_is (expr, RAMP) && matches (match, pattern->args[0], ((LsRamp *) expr)->base) &&
             matches (match, pattern->args[1], ((LsRamp *) expr)->stride) &&
             matches (match, pattern->args[2], ((LsRamp *) expr)->lanes);
    case LS_PATTERN_BROADCAST:
      return ls_is (expr, BROADCAST) && matches (match, pattern->args[0], ((LsBroadcast *) expr)->value) &&
             matches (match, pattern->args[1], ((LsBroadcast *) expr)->lanes);
    case LS_PATTERN_ASK:
      break;
    }
  g_assert_not_reached ();
}

/* ---- building ---- */

static LsExpr *build (Match *match, LsPattern *pattern, LsDType like);

static LsExpr *
build_binary (Match     *match,
              LsPattern *pattern,
              LsDType    like)
{
  LsPattern *left = pattern->args[0], *right = pattern->args[1];
  LsExpr *a, *b, *folded;

  if (left->op == LS_PATTERN_NUMBER)
    {
      b = build (match, right, like);
      a = build (match, left, ls_dtype (b));
    }
  else
    {
      a = build (match, left, like);
      b = build (match, right, ls_dtype (a));
    }
  match->overflows |= ls_fold_overflows (pattern->kind, a, b);
  folded = ls_try_fold (pattern->kind, a, b);
  if (folded == NULL)
    return ls_binary_new (pattern->kind, a, b);
  ls_unref (a);
  ls_unref (b);
  return folded;
}

static LsExpr *
build (Match     *match,
       LsPattern *pattern,
       LsDType    like)
{
  LsExpr *first;

  switch (pattern->op)
    {
    case LS_PATTERN_EXPR:
    case LS_PATTERN_INT:
    case LS_PATTERN_FLOAT:
      return ls_ref (match->slots[pattern->slot]);
    case LS_PATTERN_NUMBER:
      return ls_const_int (like, pattern->number);
    case LS_PATTERN_BINARY:
      return build_binary (match, pattern, like);
    case LS_PATTERN_NOT:
      return ls_not_new (build (match, pattern->args[0], like));
    case LS_PATTERN_SELECT:
      first = build (match, pattern->args[0], like);
      return ls_select_new (first, build (match, pattern->args[1], like), build (match, pattern->args[2], like));
    case LS_PATTERN_RAMP:
      like = ls_dtype_element (like);
      first = build (match, pattern->args[0], like);
      return ls_ramp_new (first, build (match, pattern->args[1], like), build (match, pattern->args[2], like));
    case LS_PATTERN_BROADCAST:
      first = build (match, pattern->args[0], ls_dtype_element (like));
      return ls_broadcast_new (first, build (match, pattern->args[1], like));
    case LS_PATTERN_ASK:
      break;
    }
  g_assert_not_reached ();
}

/* ---- conditions ---- */

/* FALSE: no number (division by zero, more than 64 bits). */
static gboolean
value_of (Match     *match,
          LsPattern *pattern,
          gint64    *out)
{
  gint64 a, b;

  if (pattern->op == LS_PATTERN_NUMBER)
    {
      *out = pattern->number;
      return TRUE;
    }
  if (pattern->op == LS_PATTERN_INT)
    {
      *out = ls_imm (match->slots[pattern->slot]);
      return *out >= 0 || !ls_dtype_is_uint (ls_dtype (match->slots[pattern->slot]));
    }
  if (!value_of (match, pattern->args[0], &a) || !value_of (match, pattern->args[1], &b))
    return FALSE;
  switch (pattern->kind)
    {
    case LS_KIND_ADD:
      return !__builtin_add_overflow (a, b, out);
    case LS_KIND_SUB:
      return !__builtin_sub_overflow (a, b, out);
    case LS_KIND_MUL:
      return !__builtin_mul_overflow (a, b, out);
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      if (b == 0)
        return FALSE;
      *out = pattern->kind == LS_KIND_FLOOR_DIV ? ls_floor_div (a, b) : ls_floor_rem (a, b);
      return TRUE;
    default:
      g_assert_not_reached ();
    }
}

static gboolean
ask (Match     *match,
     LsPattern *pattern)
{
  LsAnalyzer *analyzer = match->simplifier->analyzer;
  g_autoptr (LsExpr) expr = build (match, pattern->args[0], ls_dtype (match->root));
  gint64 limit = 0;

  if (match->overflows)
    return FALSE;
  switch ((LsAsk) pattern->kind)
    {
    case LS_ASK_GE:
      return value_of (match, pattern->args[1], &limit) && ls_analyzer_can_prove_ge_value (analyzer, expr, limit);
    case LS_ASK_LT:
      return value_of (match, pattern->args[1], &limit) && ls_analyzer_can_prove_lt_value (analyzer, expr, limit);
    case LS_ASK_ZERO:
      return ls_compare_value (match->simplifier, expr, 0) == LS_COMPARE_EQ;
    case LS_ASK_PROVE:
      return ls_analyzer_can_prove (analyzer, expr);
    case LS_ASK_PURE:
      return ls_expr_effect (expr) <= LS_EFFECT_READ_STATE;
    case LS_ASK_FZERO:
      return ((LsFloatImm *) expr)->value == 0.0;
    case LS_ASK_VSCALE:
      return ls_expr_has_vscale (expr);
    case LS_ASK_WHOLE:
      return !ls_dtype_is_float (ls_dtype (expr));
    case LS_ASK_INDEX:
      return ls_dtype_is_index (ls_dtype_element (ls_dtype (expr))) && !ls_may_wrap (analyzer, expr);
    }
  g_assert_not_reached ();
}

static gboolean
holds (Match     *match,
       LsPattern *pattern)
{
  gint64 a, b;

  if (pattern->op == LS_PATTERN_ASK)
    return ask (match, pattern);
  if (pattern->op == LS_PATTERN_NOT)
    return !holds (match, pattern->args[0]);
  if (pattern->kind == LS_KIND_AND)
    return holds (match, pattern->args[0]) && holds (match, pattern->args[1]);
  if (pattern->kind == LS_KIND_OR)
    return holds (match, pattern->args[0]) || holds (match, pattern->args[1]);
  if (!value_of (match, pattern->args[0], &a) || !value_of (match, pattern->args[1], &b))
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
    case LS_KIND_GE:
      return a >= b;
    default:
      g_assert_not_reached ();
    }
}

static gboolean
leaves_further (LsAnalyzer *analyzer,
                LsExpr     *expr,
                LsExpr     *result)
{
  __int128_t excess = ls_excess (analyzer, result);

  return excess > 0 && excess > ls_excess (analyzer, expr);
}

LsExpr *
ls_rules_apply (LsSimplifier *self,
                LsRuleTable  *table,
                LsExpr       *expr)
{
  const Shortlist *candidates = shortlist_for (read_table (table), expr);
  gboolean ring_only = self->ring_only;

  self->ring_only = FALSE;
  for (guint i = 0; i < candidates->n; i++)
    {
      const Candidate *candidate = &candidates->items[i];
      const LsRuleForm *rule = candidate->rule;
      Match match = { .simplifier = self, .root = expr };
      g_autoptr (LsExpr) result = NULL;

      if (ring_only && !rule->ring)
        continue;
      self->analyzer->stats.rewrites_attempted += !self->canonical;
      if (!matches (&match, candidate->pattern, expr) || (rule->condition != NULL && !holds (&match, rule->condition)))
        continue;
      result = build (&match, rule->result, ls_dtype (expr));
      if (match.overflows)
        continue;
      /* x * -5 % 89920 is x * 89915 % 89920: right for fewer x */
      if ((self->careful || (ls_is (expr, FLOOR_MOD) && !self->analyzer->proves)) && leaves_further (self->analyzer, expr, result))
        continue;
      if (ls_leaves_elsewhere (self->analyzer, expr, result))
        continue;
      self->analyzer->stats.rewrites_performed += !self->canonical;
      return rule->again ? ls_visit_again (self, result) : g_steal_pointer (&result);
    }
  return NULL;
}
