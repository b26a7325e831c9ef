/* rewrite: the visitor that both simplifiers share.
 *
 * A visit does the children first and then applies the rules of the node's kind (rewrite-*.c), once.  Selects and
 * if_then_else visit their branches under their condition.  rewrite_simplify visits twice at most.
 * Source of the concept: TVM's RewriteSimplifier.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"

#include <math.h>

/* ---- children ---- */

static LsNode *
visit_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  if (node->klass->flags & LS_CLASS_EXPR)
    return LS_NODE (ls_visit (user_data, LS_EXPR (node)));
  return ls_rewrite_default (rewriter, node);
}

LsExpr *
ls_visit_children (LsSimplifier *self,
                   LsExpr       *expr)
{
  LsRewriter rewriter = { .filter = visit_filter, .user_data = self };
  LsExpr *a, *b;

  if (!ls_kind_is_binary (ls_kind (expr)))
    return LS_EXPR (ls_rewrite_default (&rewriter, expr));
  a = ls_visit (self, ls_lhs (expr));
  b = ls_visit (self, ls_rhs (expr));
  if (a != ls_lhs (expr) || b != ls_rhs (expr))
    return ls_binary_new (ls_kind (expr), a, b);
  ls_unref (a);
  ls_unref (b);
  return ls_ref (expr);
}

/* ---- literal constraints ---- */

/* Which of the conditions is the first that is this one, + 1; 0: none. */
static guint
first_literal (LsSimplifier *self,
               LsExpr       *expr)
{
  guint first = 0;

  for (guint at = ls_fact_index_last (&self->literal_index, ls_fact_hash (expr)); at > 0; at = ls_fact_index_before (&self->literal_index, at))
    if (ls_deep_equal (self->literals->pdata[at - 1], expr))
      first = at;
  return first;
}

LsExpr *
ls_match_literal (LsSimplifier *self,
                  LsExpr       *expr)
{
  g_autoptr (LsExpr) negation = NULL;
  guint holds, fails;

  if (self->literals->len == 0)
    return NULL;
  negation = ls_not_new (ls_ref (expr));
  holds = first_literal (self, expr);
  fails = first_literal (self, negation);
  if (holds == 0 && fails == 0)
    return NULL;
  return ls_const_int (ls_dtype (expr), holds != 0 && (fails == 0 || holds < fails));
}

static void
add_literal (LsSimplifier *self,
             LsExpr       *condition)
{
  g_ptr_array_add (self->literals, condition);
  ls_fact_index_push (&self->literal_index, ls_fact_hash (condition));
}

/* Both what holds and the negation of its negation are kept, so that either form is found. */
void
ls_literal_enter (LsSimplifier *self,
                  LsExpr       *constraint)
{
  g_autoptr (LsExpr) simple = ls_visit (self, constraint);
  g_autoptr (GPtrArray) terms = ls_constraint_split (simple, FALSE);

  for (guint i = 0; i < terms->len; i++)
    {
      LsExpr *term = terms->pdata[i];
      LsExpr *negation;

      if (ls_expr_effect (term) > LS_EFFECT_PURE)
        continue;
      if (ls_dtype_is_bool (ls_dtype (term)))
        negation = ls_constraint_negate (term);
      else
        negation = ls_eq (ls_ref (term), ls_const_int (ls_dtype (term), 0));
      add_literal (self, ls_ref (term));
      add_literal (self, ls_not_new (negation));
    }
}

/* ---- branches ---- */

static LsExpr *
visit_under (LsSimplifier *self,
             LsExpr       *expr,
             LsExpr       *condition)
{
  guint scope = ls_analyzer_enter_constraint (self->analyzer, condition);
  LsExpr *result = ls_visit (self, expr);

  ls_analyzer_exit_constraint (self->analyzer, scope);
  return result;
}

/* A value of a Select is computed whether it is chosen or not, so the places that it reads are those of any condition: B[i % 2] is no
 * B[i] where i < 2 only chooses it.  (TVM v0.20 takes the condition for granted.) */
static LsExpr *
visit_chosen (LsSimplifier *self,
              LsExpr       *expr,
              LsExpr       *condition)
{
  return LS_NODE (expr)->facts & LS_FACT_HAS_LOAD ? ls_visit (self, expr) : visit_under (self, expr, condition);
}

static LsExpr *
rewrite_select (LsSimplifier *self,
                LsExpr       *expr)
{
  LsSelect *select = (LsSelect *) expr;
  g_autoptr (LsExpr) condition = ls_visit (self, select->condition);
  g_autoptr (LsExpr) yes = visit_chosen (self, select->true_value, condition);
  g_autoptr (LsExpr) no = NULL;
  g_autoptr (LsExpr) otherwise = ls_not_new (ls_ref (condition));

  ls_take (&otherwise, ls_analyzer_rewrite_simplify (self->analyzer, otherwise));
  no = visit_chosen (self, select->false_value, otherwise);
  if (ls_is_imm (condition))
    return ls_imm (condition) != 0 ? g_steal_pointer (&yes) : g_steal_pointer (&no);
  if (ls_deep_equal (yes, no))
    return g_steal_pointer (&yes);
  if (condition == select->condition && yes == select->true_value && no == select->false_value)
    return ls_ref (expr);
  return ls_select_new (g_steal_pointer (&condition), g_steal_pointer (&yes), g_steal_pointer (&no));
}

/* if a: (if b: x else: c) else: c is if a and b: x else: c */
static LsExpr *
merge_nested (LsSimplifier *self,
              LsExpr       *condition,
              LsExpr       *yes,
              LsExpr       *no)
{
  LsExpr *inner_no;

  if (!ls_is_call (yes, "tir.if_then_else"))
    return NULL;
  inner_no = ls_array_at (((LsCall *) yes)->args, 2, LsExpr);
  if (!(ls_is_imm (inner_no) || ls_is (inner_no, FLOAT_IMM)) || !(ls_is_imm (no) || ls_is (no, FLOAT_IMM)) ||
      !ls_deep_equal (inner_no, no))
    return NULL;
  return ls_if_then_else (ls_and (ls_ref (condition), ls_ref (ls_array_at (((LsCall *) yes)->args, 0, LsExpr))),
                          ls_ref (ls_array_at (((LsCall *) yes)->args, 1, LsExpr)), ls_ref (no));
}

static LsExpr *
rewrite_if_then_else (LsSimplifier *self,
                      LsExpr       *expr)
{
  LsCall *call = (LsCall *) expr;
  LsExpr **args = (LsExpr **) call->args->items;
  g_autoptr (LsExpr) condition = ls_visit (self, args[0]);
  g_autoptr (LsExpr) yes = visit_under (self, args[1], condition);
  g_autoptr (LsExpr) otherwise = ls_not_new (ls_ref (condition));
  g_autoptr (LsExpr) no = visit_under (self, args[2], otherwise);
  LsExpr *merged;

  if (ls_is_imm (condition))
    return ls_imm (condition) != 0 ? g_steal_pointer (&yes) : g_steal_pointer (&no);
  merged = merge_nested (self, condition, yes, no);
  if (merged != NULL)
    return merged;
  if (condition == args[0] && yes == args[1] && no == args[2])
    return ls_ref (expr);
  return ls_call_new (ls_dtype (expr), ls_node_ref (call->op),
                      ls_array_of (g_steal_pointer (&condition), g_steal_pointer (&yes), g_steal_pointer (&no), NULL));
}

/* ---- calls ---- */

static LsExpr *
fold_shift (LsExpr *call,
            LsExpr *a,
            LsExpr *b)
{
  gint64 value, bits;

  if (!ls_is_imm (a) || !ls_is_imm (b) || ls_imm (b) < 0 || ls_imm (b) >= ls_dtype (a).bits)
    return NULL;
  value = ls_imm (a);
  bits = ls_imm (b);
  if (ls_is_call (call, "tir.shift_left"))
    value = (gint64) ((guint64) value << bits);
  else if (ls_dtype_is_uint (ls_dtype (a)))
    value = (gint64) ((guint64) value >> bits);
  else
    value >>= bits;
  return ls_const_int (ls_dtype (call), value);
}

static LsExpr *
fold_ceil (LsExpr *call,
           LsExpr *a)
{
  LsExpr *arg;

  if (ls_is_imm (a))
    return ls_cast (ls_dtype (call), ls_ref (a));
  if (ls_is (a, FLOAT_IMM))
    return ls_const_float (ls_dtype (call), ceil (((LsFloatImm *) a)->value));
  if (!ls_is_call (a, "tir.log2"))
    return NULL;
  arg = ls_array_at (((LsCall *) a)->args, 0, LsExpr);
  if (!ls_is (arg, FLOAT_IMM) || ((LsFloatImm *) arg)->value <= 0)
    return NULL;
  return ls_const_float (ls_dtype (call), ceil (log2 (((LsFloatImm *) arg)->value)));
}

static LsExpr *
fold_clz (LsExpr *call,
          LsExpr *a)
{
  guint bits = ls_dtype (a).bits;

  if (!ls_is_imm (a))
    return NULL;
  for (guint i = 0; i < bits; i++)
    if ((guint64) ls_imm (a) >> (bits - 1 - i) & 1)
      return ls_const_int (ls_dtype (call), i);
  return ls_const_int (ls_dtype (call), bits);
}

LsExpr *
ls_rewrite_call (LsSimplifier *self,
                 LsExpr       *expr)
{
  g_autoptr (LsExpr) done = NULL;
  LsExpr *result = NULL, *first;
  guint n;

  if (ls_is_call (expr, "tir.if_then_else") && ls_array_n (((LsCall *) expr)->args) == 3)
    return rewrite_if_then_else (self, expr);
  done = ls_visit_children (self, expr);
  n = ls_array_n (((LsCall *) done)->args);
  first = n > 0 ? ls_array_at (((LsCall *) done)->args, 0, LsExpr) : NULL;
  if (!ls_is_expr_node (first))
    return g_steal_pointer (&done);
  if (n == 1 && ls_is_call (done, "tir.likely"))
    result = ls_is_imm (first) ? ls_ref (first) : ls_match_literal (self, first);
  else if (n == 2 && (ls_is_call (done, "tir.shift_left") || ls_is_call (done, "tir.shift_right")))
    result = fold_shift (done, first, ls_array_at (((LsCall *) done)->args, 1, LsExpr));
  else if (n == 1 && ls_is_call (done, "tir.ceil"))
    result = fold_ceil (done, first);
  else if (n == 1 && ls_is_call (done, "tir.clz"))
    result = fold_clz (done, first);
  return result != NULL ? result : g_steal_pointer (&done);
}

/* ---- variables and bindings ---- */

static LsExpr *
rewrite_var (LsSimplifier *self,
             LsExpr       *expr)
{
  LsExpr *value = NULL;

  if (ls_dtype_is_bool (ls_dtype (expr)))
    value = ls_match_literal (self, expr);
  if (value != NULL)
    return value;
  value = g_hash_table_lookup (self->values, expr);
  return ls_ref (value != NULL ? value : expr);
}

static LsNode *
put_value (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    values)
{
  LsNode *value = ls_is_var (node) ? g_hash_table_lookup (values, node) : NULL;

  return value != NULL ? ls_node_ref (value) : ls_rewrite_default (rewriter, node);
}

/* ls_substitute looks at all keys first: too long for each value of a long chain. */
static LsExpr *
put_values (LsExpr     *expr,
            GHashTable *values)
{
  return ls_is_imm (expr) || g_hash_table_size (values) == 0 ? ls_ref (expr) : LS_EXPR (ls_rewrite_with (expr, put_value, values));
}

/* The values of lets that follow each other, simplified: the plain ones go into `gone`, the others are `kept`, in order.  What is inside of all. */
static LsExpr *
take_lets (LsSimplifier *self,
           LsExpr       *expr,
           GPtrArray    *kept,
           GHashTable   *gone,
           gboolean     *changed)
{
  while (ls_is (expr, LET))
    {
      LsLet *let = (LsLet *) expr;
      g_autoptr (LsExpr) given = put_values (let->value, gone);
      LsExpr *value = ls_visit (self, given);
      gboolean goes = ls_is_imm (given) || ls_is (given, FLOAT_IMM) || ls_is_var (given);

      *changed |= goes || value != let->value;
      if (goes)
        {
          g_hash_table_replace (gone, ls_ref (let->var), value);
        }
      else
        {
          g_hash_table_remove (gone, let->var);
          ls_analyzer_note_let (self->analyzer, let->var, given);
          g_ptr_array_add (kept, let);
          g_ptr_array_add (kept, value);
        }
      expr = let->body;
      self->analyzer->stats.nodes_visited += !self->canonical && ls_is (expr, LET);
    }
  return expr;
}

/* A constant or another variable takes the place of the name, in the body only; anything else stays bound.  All lets of a chain at once: each of
 * thousands would copy all that is inside of it. */
static LsExpr *
rewrite_let (LsSimplifier *self,
             LsExpr       *expr)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  g_autoptr (GHashTable) gone = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  gboolean changed = FALSE;
  LsExpr *inside = take_lets (self, expr, kept, gone, &changed);
  g_autoptr (LsExpr) given = put_values (inside, gone);
  LsExpr *body = ls_visit (self, given);

  changed |= body != inside;
  for (guint i = kept->len; i > 0; i -= 2)
    {
      LsLet *let = kept->pdata[i - 2];
      LsExpr *value = kept->pdata[i - 1];

      if (!changed)
        ls_unref (value);
      else
        body = ls_let_new (ls_ref (let->var), value, body);
    }
  if (changed)
    return body;
  ls_unref (body);
  return ls_ref (expr);
}

static LsNode *
field_of (LsNode     *node,
          const char *name)
{
  for (guint i = 0; i < node->klass->n_fields; i++)
    if (node->klass->fields[i].type == LS_FIELD_NODE && g_str_equal (node->klass->fields[i].name, name))
      return G_STRUCT_MEMBER (LsNode *, node, node->klass->fields[i].offset);
  return NULL;
}

/* The node is defined above this layer: its field table says where its axes are. */
static LsExpr *
rewrite_reduce (LsSimplifier *self,
                LsExpr       *expr)
{
  LsArray *axes = (LsArray *) field_of (LS_NODE (expr), "axis");

  for (guint i = 0; axes != NULL && i < axes->n; i++)
    {
      LsNode *var = field_of (axes->items[i], "var");
      LsNode *dom = field_of (axes->items[i], "dom");

      if (var != NULL && dom != NULL)
        ls_analyzer_bind_range (self->analyzer, (LsVar *) var, (LsRange *) dom, FALSE);
    }
  return ls_visit_children (self, expr);
}

/* ---- the visit ---- */

typedef LsExpr *(*RulesFunc) (LsSimplifier *self, LsExpr *expr);

static RulesFunc
rules_of (LsKind kind)
{
  switch ((int) kind)
    {
    case LS_KIND_ADD:
      return ls_rewrite_add;
    case LS_KIND_SUB:
      return ls_rewrite_sub;
    case LS_KIND_MUL:
      return ls_rewrite_mul;
    case LS_KIND_DIV:
      return ls_rewrite_div;
    case LS_KIND_MOD:
      return ls_rewrite_mod;
    case LS_KIND_FLOOR_DIV:
      return ls_rewrite_floor_div;
    case LS_KIND_FLOOR_MOD:
      return ls_rewrite_floor_mod;
    case LS_KIND_MIN:
    case LS_KIND_MAX:
      return ls_rewrite_min_max;
    default:
      return ls_rewrite_compare;
    }
}

/* What holds of numbers that wrap, too: max (x, x) is x, and x - max (x, 0) is min (x, 0).  NULL: nothing of that. (transfer full) */
static LsExpr *
without_wrapping (LsExpr *expr)
{
  LsExpr *a = ls_lhs (expr), *b = ls_rhs (expr);
  LsExpr *of;

  if (ls_is (expr, MIN) || ls_is (expr, MAX))
    return ls_deep_equal (a, b) ? ls_ref (a) : NULL;
  if (!ls_is (expr, SUB) || !(ls_is (b, MIN) || ls_is (b, MAX)))
    return NULL;
  of = ls_is_zero (ls_rhs (b)) ? ls_lhs (b) : ls_is_zero (ls_lhs (b)) ? ls_rhs (b) : NULL;
  if (of == NULL || !ls_deep_equal (a, of))
    return NULL;
  return ls_binary (ls_is (b, MAX) ? LS_KIND_MIN : LS_KIND_MAX, ls_ref (a), ls_const_int (ls_dtype (a), 0));
}

/* Numbers whose sum or product leaves the type stay two: what is asked about may be no expression of the program. */
static LsExpr *
rewrite_binary (LsSimplifier *self,
                LsExpr       *expr)
{
  g_autoptr (LsExpr) done = ls_keep_wrapping (self->analyzer, expr, ls_visit_children (self, expr));
  gboolean wraps;
  LsExpr *result;

  if (ls_is_imm (done))
    return g_steal_pointer (&done);
  if (ls_is_index_expr (done) && !ls_is_data (self->analyzer, expr) && ls_fold_overflows (ls_kind (done), ls_lhs (done), ls_rhs (done)))
    return g_steal_pointer (&done);
  result = ls_try_fold (ls_kind (done), ls_lhs (done), ls_rhs (done));
  wraps = result == NULL && ls_is_beyond_ring (self->analyzer, done) && ls_may_wrap (self->analyzer, done);
  if (wraps && (result = without_wrapping (done)) != NULL)
    return result;
  if (wraps && !(ls_is (done, ADD) || ls_is (done, SUB) || ls_is (done, MUL)))
    {
      result = ls_kind_is_compare (ls_kind (done)) ? ls_match_literal (self, done) : NULL;
      return result != NULL ? result : g_steal_pointer (&done);
    }
  self->ring_only = wraps;
  if (result == NULL)
    result = rules_of (ls_kind (done)) (self, done);
  self->ring_only = FALSE;
  /* What a rule moved to the other side of a comparison, say, must not wrap either. */
  if (result != NULL && ls_forgets_to_wrap (self->analyzer, done, result))
    ls_take (&result, NULL);
  return result != NULL ? result : g_steal_pointer (&done);
}

/* a > b is b < a, a >= b is b <= a. */
static LsExpr *
rewrite_turned (LsSimplifier *self,
                LsExpr       *expr)
{
  g_autoptr (LsExpr) turned = ls_binary (ls_is (expr, GT) ? LS_KIND_LT : LS_KIND_LE, ls_ref (ls_rhs (expr)),
                                         ls_ref (ls_lhs (expr)));

  return ls_visit (self, turned);
}

/* A literal of a narrow type may be written with more digits than the type has: the cast gets what the type holds. */
static LsExpr *
held_by_type (LsExpr *value)
{
  LsDType t = ls_dtype (value);
  LsExpr *held = NULL;

  if (ls_is (value, FLOAT_IMM))
    held = ls_float_imm_new (t, ls_dtype_round (t, ((LsFloatImm *) value)->value));
  else if (ls_is (value, BROADCAST) && ls_is (((LsBroadcast *) value)->value, FLOAT_IMM))
    held = ls_broadcast_new (held_by_type (ls_ref (((LsBroadcast *) value)->value)), ls_ref (((LsBroadcast *) value)->lanes));
  else
    return value;
  ls_unref (value);
  return held;
}

static LsExpr *
rewrite_cast (LsSimplifier *self,
              LsExpr       *expr)
{
  return ls_cast (ls_dtype (expr), held_by_type (ls_visit (self, ((LsCast *) expr)->value)));
}

LsExpr *
ls_rewrite_visit (LsSimplifier *self,
                  LsExpr       *expr)
{
  LsKind kind = ls_kind (expr);

  switch ((int) kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      return rewrite_var (self, expr);
    case LS_KIND_INT_IMM:
    case LS_KIND_FLOAT_IMM:
    case LS_KIND_STRING_IMM:
      return ls_ref (expr);
    case LS_KIND_CAST:
      return rewrite_cast (self, expr);
    case LS_KIND_GT:
    case LS_KIND_GE:
      return rewrite_turned (self, expr);
    case LS_KIND_AND:
      return ls_rewrite_and (self, expr);
    case LS_KIND_OR:
      return ls_rewrite_or (self, expr);
    case LS_KIND_NOT:
      return ls_rewrite_not (self, expr);
    case LS_KIND_SELECT:
      return rewrite_select (self, expr);
    case LS_KIND_LET:
      return rewrite_let (self, expr);
    case LS_KIND_CALL:
      return ls_rewrite_call (self, expr);
    case LS_KIND_REDUCE:
      return rewrite_reduce (self, expr);
    default:
      return ls_kind_is_binary (kind) ? rewrite_binary (self, expr) : ls_visit_children (self, expr);
    }
}

LsExpr *
ls_visit (LsSimplifier *self,
          LsExpr       *expr)
{
  LsExpr *result;

  if (!ls_visit_enter (self->analyzer))
    return ls_ref (expr);
  self->analyzer->stats.nodes_visited += !self->canonical;
  result = self->canonical ? ls_canonical_visit (self, expr) : ls_rewrite_visit (self, expr);
  ls_visit_leave (self->analyzer);
  return result;
}

LsExpr *
ls_visit_again (LsSimplifier *self,
                LsExpr       *expr)
{
  LsExpr *result;

  if (self->again >= LS_ARITH_MAX_AGAIN)
    return ls_ref (expr);
  self->again++;
  if (!self->canonical)
    {
      self->analyzer->stats.num_recursive_rewrites++;
      self->analyzer->stats.max_recursive_depth = MAX (self->analyzer->stats.max_recursive_depth, (gint64) self->again);
    }
  result = ls_visit (self, expr);
  self->again--;
  return result;
}
