/* rules: rewrite rules written as text (arith-private.h has the notation).
 *
 * A table is compiled once, at its first use: every text becomes a small tree, every `~` doubles the alternatives.
 * Matching walks pattern and expression side by side and fills slots; building runs the constant folder at every
 * node and nothing else, so that a result is exactly what the rule says.  A number in a result takes the type of
 * its neighbour, or of the expression that is rewritten.  A rule whose constants leave their type (c1 * c2 in 32
 * bits) does not hold and is passed over; TVM v0.20 lets them wrap.
 * Termination is the business of the tables: each says above its rules what gets smaller.
 */
#include "engine/arith/arith-private.h"

#include <string.h>

typedef enum { OP_EXPR, OP_INT, OP_FLOAT, OP_NUMBER, OP_BINARY, OP_NOT, OP_SELECT, OP_RAMP, OP_BROADCAST, OP_ASK } Op;

typedef enum { ASK_GE, ASK_LT, ASK_ZERO, ASK_PROVE, ASK_PURE, ASK_FZERO, ASK_VSCALE, ASK_WHOLE } Ask;

#define N_SLOTS 14
static const char *const slot_names[N_SLOTS] = { "x", "y", "z", "w", "p", "q", "r", "s", "l", "c1", "c2", "c3", "c4", "f" };
#define FIRST_INT_SLOT 9
#define FLOAT_SLOT 13

typedef struct _Pattern Pattern;
struct _Pattern {
  Op       op;
  int      kind;                /* LsKind of OP_BINARY, Ask of OP_ASK */
  guint    slot;
  gint64   number;
  gboolean swappable;
  Pattern *args[3];
};

typedef struct {
  GPtrArray *alternatives;      /* Pattern */
  Pattern   *result;
  Pattern   *condition;
  gboolean   again;
  gboolean   ring;              /* sums, differences and products only: holds where they wrap, too */
} Compiled;

/* One alternative of one rule. */
typedef struct {
  Pattern  *pattern;
  Compiled *rule;
} Candidate;

/* The candidates for a root whose operands are of two given classes, in the order of the table. */
typedef struct {
  guint      n;
  Candidate *items;
} Shortlist;

#define N_CLASSES 32

typedef struct {
  Compiled  *rules;
  guint      n;
  Shortlist *shortlists[N_CLASSES][N_CLASSES];  /* made when they are first needed */
} Index;

typedef struct {
  LsSimplifier *simplifier;
  LsExpr       *root;
  LsExpr       *slots[N_SLOTS]; /* borrowed from the expression */
  gboolean      overflows;      /* a constant that was built is none of its type: the rule does not hold here */
} Match;

/* ---- reading ---- */

typedef struct { const char *at; const char *text; } Reader;

static Pattern *read_level (Reader *reader, guint level);

static Pattern *
pattern_new (Op       op,
             int      kind,
             Pattern *a,
             Pattern *b,
             Pattern *c)
{
  Pattern *self = g_new0 (Pattern, 1);

  *self = (Pattern) { .op = op, .kind = kind, .args = { a, b, c } };
  return self;
}

static gboolean
skip (Reader     *reader,
      const char *token)
{
  while (*reader->at == ' ')
    reader->at++;
  if (strncmp (reader->at, token, strlen (token)) != 0)
    return FALSE;
  reader->at += strlen (token);
  return TRUE;
}

static void
expect (Reader     *reader,
        const char *token)
{
  if (!skip (reader, token))
    g_error ("rule \"%s\": %s expected at \"%s\"", reader->text, token, reader->at);
}

static const struct { const char *name; Op op; int kind; guint n; } functions[] = {
  { "min", OP_BINARY, LS_KIND_MIN, 2 },   { "max", OP_BINARY, LS_KIND_MAX, 2 },
  { "tdiv", OP_BINARY, LS_KIND_DIV, 2 },  { "tmod", OP_BINARY, LS_KIND_MOD, 2 },
  { "select", OP_SELECT, 0, 3 },          { "ramp", OP_RAMP, 0, 3 },
  { "bcast", OP_BROADCAST, 0, 2 },        { "ge", OP_ASK, ASK_GE, 2 },
  { "lt", OP_ASK, ASK_LT, 2 },            { "zero", OP_ASK, ASK_ZERO, 1 },
  { "prove", OP_ASK, ASK_PROVE, 1 },      { "pure", OP_ASK, ASK_PURE, 1 },
  { "fzero", OP_ASK, ASK_FZERO, 1 },      { "vscale", OP_ASK, ASK_VSCALE, 1 },
  { "whole", OP_ASK, ASK_WHOLE, 1 },
};

/* name | name "(" expr {"," expr} ")" */
static Pattern *
read_name (Reader *reader)
{
  char name[16];
  gsize length = 0;

  while (g_ascii_isalnum (reader->at[length]) && length + 1 < sizeof name)
    length++;
  memcpy (name, reader->at, length);
  name[length] = '\0';
  reader->at += length;
  for (guint i = 0; i < N_SLOTS; i++)
    if (strcmp (name, slot_names[i]) == 0)
      {
        Pattern *self = pattern_new (i == FLOAT_SLOT ? OP_FLOAT : i >= FIRST_INT_SLOT ? OP_INT : OP_EXPR, 0, NULL, NULL, NULL);

        self->slot = i;
        return self;
      }
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (name, functions[i].name) == 0)
      {
        Pattern *self = pattern_new (functions[i].op, functions[i].kind, NULL, NULL, NULL);

        for (guint k = 0; k < functions[i].n; k++)
          {
            expect (reader, k == 0 ? "(" : ",");
            self->args[k] = read_level (reader, 0);
          }
        expect (reader, ")");
        return self;
      }
  g_error ("rule \"%s\": unknown name %s", reader->text, name);
}

/* number | name | "!" primary | "(" expr ")" */
static Pattern *
read_primary (Reader *reader)
{
  Pattern *self;

  if (skip (reader, "("))
    {
      self = read_level (reader, 0);
      expect (reader, ")");
      return self;
    }
  if (skip (reader, "!"))
    return pattern_new (OP_NOT, 0, read_primary (reader), NULL, NULL);
  if (g_ascii_isdigit (*reader->at))
    {
      self = pattern_new (OP_NUMBER, 0, NULL, NULL, NULL);
      self->number = g_ascii_strtoll (reader->at, (char **) &reader->at, 10);
      return self;
    }
  return read_name (reader);
}

/* Longer tokens of a level first. */
static const struct { const char *token; guint level; int kind; } operators[] = {
  { "||", 0, LS_KIND_OR },  { "&&", 1, LS_KIND_AND }, { "==", 2, LS_KIND_EQ },        { "!=", 2, LS_KIND_NE },
  { "<=", 2, LS_KIND_LE },  { ">=", 2, LS_KIND_GE },  { "<", 2, LS_KIND_LT },         { ">", 2, LS_KIND_GT },
  { "+", 3, LS_KIND_ADD },  { "-", 3, LS_KIND_SUB },  { "//", 4, LS_KIND_FLOOR_DIV }, { "*", 4, LS_KIND_MUL },
  { "%", 4, LS_KIND_FLOOR_MOD },
};

/* The operator that stands next, or -1. */
static int
next_operator (const char *at)
{
  if (strchr ("|&=!<>+-/*%", *at) == NULL || *at == '\0')
    return -1;
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (at[0] == operators[i].token[0] && (operators[i].token[1] == '\0' || at[1] == operators[i].token[1]))
      return (int) i;
  return -1;
}

/* Operators of this level or above, left to right. */
static Pattern *
read_level (Reader *reader,
            guint   level)
{
  Pattern *self = read_primary (reader);

  for (;;)
    {
      const char *start;
      gboolean swappable;
      int op;

      skip (reader, "");
      start = reader->at;
      swappable = *reader->at == '~';
      op = next_operator (reader->at + (swappable ? 1 : 0));
      if (op < 0 || operators[op].level < level)
        {
          reader->at = start;
          return self;
        }
      reader->at += (swappable ? 1 : 0) + strlen (operators[op].token);
      self = pattern_new (OP_BINARY, operators[op].kind, self, read_level (reader, operators[op].level + 1), NULL);
      self->swappable = swappable;
    }
}

static guint
count_swappable (Pattern *self)
{
  guint n = 0;

  if (self == NULL)
    return 0;
  for (guint i = 0; i < 3; i++)
    n += count_swappable (self->args[i]);
  return n + (self->swappable ? 1 : 0);
}

/* A copy in which the k-th swappable node, inner ones first, is swapped if bit k of *bits is set. */
static Pattern *
expand (Pattern *self,
        guint   *bits)
{
  Pattern *copy;

  if (self == NULL)
    return NULL;
  copy = g_memdup2 (self, sizeof *self);
  for (guint i = 0; i < 3; i++)
    copy->args[i] = expand (self->args[i], bits);
  if (self->swappable)
    {
      if (*bits & 1)
        {
          Pattern *first = copy->args[0];

          copy->args[0] = copy->args[1];
          copy->args[1] = first;
        }
      *bits >>= 1;
    }
  return copy;
}

static void
pattern_free (Pattern *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    pattern_free (self->args[i]);
  g_free (self);
}

static Pattern *
read_all (const char *text)
{
  Reader reader = { text, text };
  Pattern *self = read_level (&reader, 0);

  skip (&reader, "");
  if (*reader.at != '\0')
    g_error ("rule \"%s\": cannot read \"%s\"", text, reader.at);
  return self;
}

static gboolean
is_ring (const Pattern *self)
{
  if (self == NULL)
    return TRUE;
  if (self->op == OP_BINARY ? !(self->kind == LS_KIND_ADD || self->kind == LS_KIND_SUB || self->kind == LS_KIND_MUL)
                            : !(self->op == OP_EXPR || self->op == OP_INT || self->op == OP_NUMBER))
    return FALSE;
  return is_ring (self->args[0]) && is_ring (self->args[1]) && is_ring (self->args[2]);
}

static void
compile_rule (const LsRule *rule,
              Compiled     *compiled)
{
  g_auto (GStrv) parts = g_strsplit (rule->pattern, ";", -1);

  compiled->alternatives = g_ptr_array_new ();
  for (guint i = 0; parts[i] != NULL; i++)
    {
      Pattern *pattern = read_all (g_strstrip (parts[i]));
      guint n = count_swappable (pattern);

      for (guint variant = 0; variant < 1u << n; variant++)
        {
          guint bits = variant;

          g_ptr_array_add (compiled->alternatives, expand (pattern, &bits));
        }
      compiled->ring = (i == 0 || compiled->ring) && is_ring (pattern);
      pattern_free (pattern);
    }
  compiled->result = read_all (rule->result);
  compiled->condition = rule->condition != NULL ? read_all (rule->condition) : NULL;
  compiled->again = rule->again;
  compiled->ring = compiled->ring && is_ring (compiled->result);
}

static Index *
compile_table (LsRuleTable *table)
{
  if (g_once_init_enter (&table->once))
    {
      Index *self = g_new0 (Index, 1);

      self->rules = g_new0 (Compiled, table->n);
      self->n = table->n;
      for (guint i = 0; i < table->n; i++)
        compile_rule (&table->rules[i], &self->rules[i]);
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
class_of_pattern (const Pattern *pattern)
{
  switch (pattern->op)
    {
    case OP_INT:
    case OP_NUMBER:
      return (int) class_of_kind (LS_KIND_INT_IMM);
    case OP_FLOAT:
      return (int) class_of_kind (LS_KIND_FLOAT_IMM);
    case OP_BINARY:
      return (int) class_of_kind ((LsKind) pattern->kind);
    case OP_NOT:
      return (int) class_of_kind (LS_KIND_NOT);
    case OP_SELECT:
      return (int) class_of_kind (LS_KIND_SELECT);
    case OP_RAMP:
      return (int) class_of_kind (LS_KIND_RAMP);
    case OP_BROADCAST:
      return (int) class_of_kind (LS_KIND_BROADCAST);
    case OP_EXPR:
    case OP_ASK:
      break;
    }
  return -1;
}

static gboolean
admits (const Pattern *pattern,
        guint          class)
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
may_match (const Pattern *pattern,
           guint          a,
           guint          b)
{
  if (pattern->op == OP_BINARY)
    return admits (pattern->args[0], a) && admits (pattern->args[1], b);
  return pattern->op != OP_NOT || admits (pattern->args[0], a);
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
fill_slot (Match   *match,
           Pattern *pattern,
           LsExpr  *expr)
{
  LsExpr *before = match->slots[pattern->slot];

  if (before == NULL)
    {
      match->slots[pattern->slot] = expr;
      return TRUE;
    }
  if (pattern->op == OP_INT)
    return ls_imm (before) == ls_imm (expr);
  return before == expr || ls_deep_equal (before, expr);
}

static gboolean
matches (Match   *match,
         Pattern *pattern,
         LsExpr  *expr)
{
  switch (pattern->op)
    {
    case OP_EXPR:
      return fill_slot (match, pattern, expr);
    case OP_INT:
      return ls_is_imm (expr) && fill_slot (match, pattern, expr);
    case OP_FLOAT:
      return ls_is (expr, FLOAT_IMM) && fill_slot (match, pattern, expr);
    case OP_NUMBER:
      return ls_is_imm (expr) && ls_imm (expr) == pattern->number;
    case OP_BINARY:
      return (int) ls_kind (expr) == pattern->kind && matches (match, pattern->args[0], ls_lhs (expr)) &&
             matches (match, pattern->args[1], ls_rhs (expr));
    case OP_NOT:
      return ls_is (expr, NOT) && matches (match, pattern->args[0], ((LsNot *) expr)->a);
    case OP_SELECT:
      return ls_is (expr, SELECT) && matches (match, pattern->args[0], ((LsSelect *) expr)->condition) &&
             matches (match, pattern->args[1], ((LsSelect *) expr)->true_value) &&
             matches (match, pattern->args[2], ((LsSelect *) expr)->false_value);
    case OP_RAMP:
      return ls_is (expr, RAMP) && matches (match, pattern->args[0], ((LsRamp *) expr)->base) &&
             matches (match, pattern->args[1], ((LsRamp *) expr)->stride) &&
             matches (match, pattern->args[2], ((LsRamp *) expr)->lanes);
    case OP_BROADCAST:
      return ls_is (expr, BROADCAST) && matches (match, pattern->args[0], ((LsBroadcast *) expr)->value) &&
             matches (match, pattern->args[1], ((LsBroadcast *) expr)->lanes);
    case OP_ASK:
      break;
    }
  g_assert_not_reached ();
}

/* ---- building ---- */

static LsExpr *build (Match *match, Pattern *pattern, LsDType like);

static LsExpr *
build_binary (Match   *match,
              Pattern *pattern,
              LsDType  like)
{
  Pattern *left = pattern->args[0], *right = pattern->args[1];
  LsExpr *a, *b, *folded;

  if (left->op == OP_NUMBER)
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
build (Match   *match,
       Pattern *pattern,
       LsDType  like)
{
  LsExpr *first;

  switch (pattern->op)
    {
    case OP_EXPR:
    case OP_INT:
    case OP_FLOAT:
      return ls_ref (match->slots[pattern->slot]);
    case OP_NUMBER:
      return ls_const_int (like, pattern->number);
    case OP_BINARY:
      return build_binary (match, pattern, like);
    case OP_NOT:
      return ls_not_new (build (match, pattern->args[0], like));
    case OP_SELECT:
      first = build (match, pattern->args[0], like);
      return ls_select_new (first, build (match, pattern->args[1], like), build (match, pattern->args[2], like));
    case OP_RAMP:
      like = ls_dtype_element (like);
      first = build (match, pattern->args[0], like);
      return ls_ramp_new (first, build (match, pattern->args[1], like), build (match, pattern->args[2], like));
    case OP_BROADCAST:
      first = build (match, pattern->args[0], ls_dtype_element (like));
      return ls_broadcast_new (first, build (match, pattern->args[1], like));
    case OP_ASK:
      break;
    }
  g_assert_not_reached ();
}

/* ---- conditions ---- */

/* FALSE: no number (division by zero, more than 64 bits). */
static gboolean
value_of (Match   *match,
          Pattern *pattern,
          gint64  *out)
{
  gint64 a, b;

  if (pattern->op == OP_NUMBER)
    {
      *out = pattern->number;
      return TRUE;
    }
  if (pattern->op == OP_INT)
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
ask (Match   *match,
     Pattern *pattern)
{
  LsAnalyzer *analyzer = match->simplifier->analyzer;
  g_autoptr (LsExpr) expr = build (match, pattern->args[0], ls_dtype (match->root));
  gint64 limit = 0;

  if (match->overflows)
    return FALSE;
  switch ((Ask) pattern->kind)
    {
    case ASK_GE:
      return value_of (match, pattern->args[1], &limit) && ls_analyzer_can_prove_ge_value (analyzer, expr, limit);
    case ASK_LT:
      return value_of (match, pattern->args[1], &limit) && ls_analyzer_can_prove_lt_value (analyzer, expr, limit);
    case ASK_ZERO:
      return ls_compare_value (match->simplifier, expr, 0) == LS_COMPARE_EQ;
    case ASK_PROVE:
      return ls_analyzer_can_prove (analyzer, expr);
    case ASK_PURE:
      return ls_expr_effect (expr) <= LS_EFFECT_READ_STATE;
    case ASK_FZERO:
      return ((LsFloatImm *) expr)->value == 0.0;
    case ASK_VSCALE:
      return ls_expr_has_vscale (expr);
    case ASK_WHOLE:
      return !ls_dtype_is_float (ls_dtype (expr));
    }
  g_assert_not_reached ();
}

static gboolean
holds (Match   *match,
       Pattern *pattern)
{
  gint64 a, b;

  if (pattern->op == OP_ASK)
    return ask (match, pattern);
  if (pattern->op == OP_NOT)
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

LsExpr *
ls_rules_apply (LsSimplifier *self,
                LsRuleTable  *table,
                LsExpr       *expr)
{
  const Shortlist *candidates = shortlist_for (compile_table (table), expr);
  gboolean ring_only = self->ring_only;

  self->ring_only = FALSE;
  for (guint i = 0; i < candidates->n; i++)
    {
      const Candidate *candidate = &candidates->items[i];
      const Compiled *rule = candidate->rule;
      Match match = { .simplifier = self, .root = expr };
      g_autoptr (LsExpr) result = NULL;

      if (ring_only && !rule->ring)
        continue;
      if (!matches (&match, candidate->pattern, expr) || (rule->condition != NULL && !holds (&match, rule->condition)))
        continue;
      result = build (&match, rule->result, ls_dtype (expr));
      if (match.overflows)
        continue;
      return rule->again ? ls_visit_again (self, result) : g_steal_pointer (&result);
    }
  return NULL;
}
