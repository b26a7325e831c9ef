/* LoopPartition: a loop is cut where a condition inside of it changes.
 *
 *     for i in range (7):                               for i in range (5): X
 *         if T.likely (i * 4 + j < 21): X       ->      if 20 + j < 21: X
 *
 * Candidates are loops (and blocks of a grid) over whose variable a T.likely hangs, or with the attribute
 * pragma_loop_partition_hint, where any comparison counts; loops of constant extent only with the option partition_const_loop
 * (in our pipeline for processors, where they have a hint).
 * For each condition the interval in which it holds (or never holds) is deduced; the middle part of the loop is where all hold, there they
 * go.  What is before and behind is cut again.  A part of one round is no loop (no_unroll_loop_with_extent_one keeps it).  Blocks are not cut:
 * a branch inside of the innermost thread has the two bodies.  A condition, or an end of a loop, that the body changes or names for itself cuts
 * nothing: it is another one when the next part begins.  (TVM v0.20 cuts.)  Where a hinted loop cannot be cut, the option
 * unroll_loop_with_partition_hint_no_interval unrolls it.  All T.likely and hints go.  Source of the concept: TVM's pass. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/loop-partition-intervals.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

#include <string.h>

typedef struct {
  gboolean    constant;         /* partition_const_loop */
  gboolean    constant_hinted;  /* constant ones with a hint */
  gboolean    keeps_single;     /* no_unroll_loop_with_extent_one */
  gboolean    unrolls;          /* unroll_loop_with_partition_hint_no_interval */
  GHashTable *hinted;           /* Vars; owned references */
  GHashTable *candidates;       /* statements; owned references */
  LsDomMap   *hints;            /* loops around */
  LsDomMap   *relaxed;          /* threads around */
  LsAnalyzer *analyzer;
  LsPrimFunc *func;
  guint       depth;            /* loops that are being cut */
  guint       left;             /* parts of the outermost of them that may still be looked at again */
} State;

/* A loop has few conditions; whatever they say, cutting it ends. */
#define MOST_PARTS 300

static LsNode *partition_filter (LsRewriter *rewriter, LsNode *node, gpointer user_data);

/* ---- candidates -------------------------------------------------------------------------- */

typedef struct {
  State      *state;
  GHashTable *seen;             /* Var of a loop around -> is it in a T.likely? */
  gboolean    in_likely;
  gboolean    is_whole;         /* what was visited may not be cut: it reduces over threads */
} Selector;

static void select_in (Selector *self, gpointer node);

static void
select_children (Selector *self,
                 LsNode   *node)
{
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    select_in (self, ls_node_get_child (node, i));
}

static void
select_candidate (Selector *self,
                  LsNode   *node,
                  LsVar    *var,
                  LsStmt   *body)
{
  if (g_hash_table_contains (self->state->hinted, var))
    {
      g_hash_table_add (self->state->candidates, ls_node_ref (node));
      select_in (self, body);
      return;
    }
  g_hash_table_insert (self->seen, var, GINT_TO_POINTER (FALSE));
  select_in (self, body);
  if (g_hash_table_lookup (self->seen, var) != NULL && !self->is_whole)
    g_hash_table_add (self->state->candidates, ls_node_ref (node));
  g_hash_table_remove (self->seen, var);
}

static void
select_sequence (Selector  *self,
                 LsSeqStmt *node)
{
  gboolean before = self->is_whole;

  for (guint i = 0; i < node->seq->n; i++)
    {
      gboolean so_far = self->is_whole;

      self->is_whole = before;
      select_in (self, node->seq->items[i]);
      self->is_whole = self->is_whole || so_far;
    }
}

static LsVar *
hinted_var (LsAttrStmt *attr)
{
  if (!ls_is_attr (attr, "pragma_loop_partition_hint"))
    return NULL;
  return ls_is_var (attr->subject) ? (LsVar *) attr->subject : ls_is (attr->subject, ITER_VAR) ? ((LsIterVar *) attr->subject)->var : NULL;
}

static gboolean
is_constant_loop (LsFor *loop)
{
  gint64 value;

  return ls_as_int (loop->min, &value) && ls_as_int (loop->extent, &value);
}

static gboolean
is_asked (State *state,
          LsFor *loop)
{
  return state->constant_hinted && g_hash_table_contains (state->hinted, loop->loop_var);
}

static void
select_in (Selector *self,
           gpointer  node)
{
  LsAttrStmt *attr = node;
  LsIterVar *axis = node != NULL && ls_is_attr (node, "thread_extent") ? ls_thread_axis (node) : NULL;
  gint64 value;

  if (node == NULL)
    return;
  if (ls_is_var (node) && self->in_likely && g_hash_table_contains (self->seen, node))
    g_hash_table_insert (self->seen, node, GINT_TO_POINTER (TRUE));
  if (ls_is (node, FOR) && (self->state->constant || !is_constant_loop (node) || is_asked (self->state, node)))
    select_candidate (self, node, ((LsFor *) node)->loop_var, ((LsFor *) node)->body);
  else if (axis != NULL && g_str_has_prefix (axis->thread_tag, "blockIdx") && (self->state->constant || !ls_as_int (attr->value, &value)))
    select_candidate (self, node, axis->var, attr->body);
  else if (ls_is (node, SEQ_STMT))
    select_sequence (self, node);
  else if (ls_is_call (node, "tir.likely"))
    {
      self->in_likely = TRUE;
      select_children (self, node);
      self->in_likely = FALSE;
    }
  else if (ls_is_call (node, "tir.tvm_thread_allreduce"))
    self->is_whole = TRUE;
  else
    {
      if (ls_is (node, ATTR_STMT) && hinted_var (attr) != NULL)
        g_hash_table_add (self->state->hinted, ls_ref (hinted_var (attr)));
      select_children (self, node);
    }
}

/* Selects in a statement, then cuts it. (transfer full) */
static LsStmt *
select_and_partition (State  *state,
                      LsStmt *stmt)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Selector selector = { state, seen, FALSE, FALSE };

  select_in (&selector, stmt);
  return ls_rewrite_with (stmt, partition_filter, state);
}

/* ---- cutting ----------------------------------------------------------------------------- */

typedef struct {
  GHashTable *conditions;
  gboolean    value;
} Decided;

static LsNode *
decide_filter (LsRewriter *rewriter,
               LsNode     *node,
               gpointer    user_data)
{
  Decided *decided = user_data;

  if (g_hash_table_contains (decided->conditions, node))
    return LS_NODE (ls_bool (decided->value));
  return ls_rewrite_default (rewriter, node);
}

static LsStmt *
decide (LsStmt     *body,
        GHashTable *conditions,
        gboolean    value)
{
  Decided decided = { conditions, value };

  return ls_rewrite_with (body, decide_filter, &decided);
}

/* A part of a loop of this extent that begins at an offset.  Takes extent. */
static LsStmt *
part_of (State  *state,
         LsFor  *loop,
         LsExpr *offset,
         LsExpr *extent,
         LsStmt *body)
{
  g_autoptr (LsExpr) moved = ls_add (LS_EXPR (ls_ref (loop->loop_var)), ls_ref (offset));
  g_autoptr (LsNode) shifted = ls_substitute_one (body, loop->loop_var, moved);
  g_autoptr (LsExpr) taken = extent;
  g_autoptr (LsExpr) one = ls_const_int (ls_dtype (extent), 1);
  g_autoptr (LsExpr) zero = ls_const_int (ls_dtype (loop->loop_var), 0);

  if (!state->keeps_single && ls_analyzer_can_prove_equal (state->analyzer, extent, one))
    return ls_substitute_one (shifted, loop->loop_var, zero);
  return (LsStmt *) ls_for_new (ls_ref (loop->loop_var), g_steal_pointer (&zero), g_steal_pointer (&taken), loop->kind, g_steal_pointer (&shifted), NULL,
                                ls_ref (loop->annotations));
}

typedef struct {
  LsExpr  *min, *max;           /* of the loop; borrowed */
  LsExpr  *begin, *end;         /* of the middle part, [begin, end); owned */
  gboolean has_before, has_after;
  gboolean cuts_before, cuts_after;     /* these are surely not negative */
} Cut;

static LsExpr *
behind (LsExpr *expr)
{
  return ls_add (ls_ref (expr), ls_const_int (ls_dtype (expr), 1));
}

static gboolean
is_not_less (State  *state,
             LsExpr *a,
             LsExpr *b)
{
  g_autoptr (LsExpr) rest = ls_sub (ls_ref (a), ls_ref (b));
  g_autoptr (LsExpr) condition = ls_ge (ls_ref (rest), ls_const_int (ls_dtype (rest), 0));

  return ls_analyzer_can_prove (state->analyzer, condition);
}

static void
find_ends (State    *state,
           Cut      *cut,
           LsIntSet *middle)
{
  g_autoptr (LsExpr) over = behind (cut->max);

  cut->cuts_before = cut->cuts_after = TRUE;
  cut->begin = ls_int_set_has_lower_bound (middle) ? ls_analyzer_simplify (state->analyzer, middle->min_value) : ls_ref (cut->min);
  if (ls_int_set_has_lower_bound (middle) && !ls_analyzer_can_prove_equal (state->analyzer, cut->begin, cut->min))
    {
      cut->has_before = TRUE;
      cut->cuts_before = is_not_less (state, cut->begin, cut->min);
      if (!cut->cuts_before)
        ls_take (&cut->begin, ls_max (ls_ref (cut->begin), ls_ref (cut->min)));
    }
  cut->end = ls_ref (over);
  if (!ls_int_set_has_upper_bound (middle))
    return;
  ls_take (&cut->end, behind (middle->max_value));
  ls_take (&cut->end, ls_analyzer_simplify (state->analyzer, cut->end));
  if (ls_analyzer_can_prove_equal (state->analyzer, middle->max_value, cut->max))
    return;
  cut->has_after = TRUE;
  cut->cuts_after = is_not_less (state, over, cut->end);
  if (!cut->cuts_after)
    ls_take (&cut->end, ls_min (ls_ref (cut->end), ls_ref (over)));
}

static LsWalk
mark_size (LsNode   *node,
           gpointer  user_data)
{
  if (ls_is_var (node) && ls_dtype_is_index (ls_dtype (node)))
    ls_analyzer_mark_global_non_neg (user_data, (LsExpr *) node);
  return LS_WALK_CONTINUE;
}

/* a >= b, if the sizes that the function gets are not negative. */
static gboolean
reaches (State  *state,
         LsExpr *a,
         LsExpr *b)
{
  g_autoptr (LsAnalyzer) sized = NULL;
  g_autoptr (LsExpr) rest = ls_sub (ls_ref (a), ls_ref (b));
  g_autoptr (LsExpr) condition = ls_ge (ls_ref (rest), ls_const_int (ls_dtype (rest), 0));

  if (ls_analyzer_can_prove (state->analyzer, condition))
    return TRUE;
  sized = ls_analyzer_clone (state->analyzer);
  for (guint i = 0; i < state->func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (state->func, i);

      ls_walk (buffer != NULL ? LS_NODE (buffer->shape) : LS_NODE (state->func->params->items[i]), mark_size, NULL, sized);
    }
  return ls_analyzer_can_prove (sized, condition);
}

/* The middle part may lie outside of the loop, and its end before its begin: the parts around it stay inside and do not overlap.  (TVM
 * v0.20 runs rounds that are none of the loop then.) */
static void
keep_inside (State *state,
             Cut   *cut)
{
  g_autoptr (LsExpr) over = behind (cut->max);

  if (cut->has_before && !reaches (state, over, cut->begin))
    ls_take (&cut->begin, ls_min (ls_ref (cut->begin), ls_ref (over)));
  if (cut->has_after && !reaches (state, cut->end, cut->begin))
    ls_take (&cut->end, ls_max (ls_ref (cut->end), ls_ref (cut->begin)));
}

static void
add_cut (State     *state,
         GPtrArray *parts,
         LsStmt    *part,
         gboolean   again)
{
  again = again && state->left > 0;
  state->left -= again;
  g_ptr_array_add (parts, again ? select_and_partition (state, part) : ls_ref (part));
  ls_unref (part);
}

static LsStmt *
cut_loop (State      *state,
          LsFor      *loop,
          Cut        *cut,
          GHashTable *conditions,
          gboolean    value)
{
  GPtrArray *parts = g_ptr_array_new ();
  g_autoptr (LsExpr) empty = ls_ge (ls_ref (cut->begin), ls_ref (cut->end));
  gboolean has_middle = !ls_analyzer_can_prove (state->analyzer, empty), several = cut->has_before || cut->has_after;

  if (cut->has_before)
    add_cut (state, parts, part_of (state, loop, cut->min, ls_sub (ls_ref (cut->begin), ls_ref (cut->min)), loop->body), has_middle && cut->cuts_before);
  if (has_middle)
    {
      g_autoptr (LsNode) body = decide (loop->body, conditions, value);

      add_cut (state, parts, part_of (state, loop, cut->begin, ls_sub (ls_ref (cut->end), ls_ref (cut->begin)), body), several);
    }
  if (cut->has_after)
    add_cut (state, parts, part_of (state, loop, cut->end, ls_add (ls_sub (ls_ref (cut->max), ls_ref (cut->end)), ls_const_int (ls_dtype (cut->max), 1)), loop->body),
             has_middle && cut->cuts_after);
  return ls_seq (ls_array_take_ptr_array (parts));
}

typedef struct {
  GHashTable *conditions;
  LsExpr     *where;
  gboolean    is_innermost;
} Branch;

static LsNode *
branch_filter (LsRewriter *rewriter,
               LsNode     *node,
               gpointer    user_data)
{
  Branch *branch = user_data;
  LsAttrStmt *attr = (LsAttrStmt *) node;
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (!ls_is_attr (node, "thread_extent"))
    return ls_rewrite_default (rewriter, node);
  branch->is_innermost = TRUE;
  result = ls_rewrite_default (rewriter, node);
  if (branch->is_innermost)
    {
      LsStmt *body = ls_if_then_else_new (ls_ref (branch->where), decide (attr->body, branch->conditions, TRUE), ls_ref (attr->body));

      ls_take (&result, LS_NODE (ls_attr_stmt_new (ls_node_ref (attr->subject), attr->attr_key, ls_ref (attr->value), body)));
    }
  branch->is_innermost = FALSE;
  return result;
}

static LsStmt *
branch_threads (State      *state,
                LsStmt     *stmt,
                LsVar      *var,
                Cut        *cut,
                GHashTable *conditions)
{
  LsExpr *where = ls_bool (TRUE);
  g_autoptr (LsExpr) over = behind (cut->max);
  Branch branch = { conditions, NULL, FALSE };
  LsStmt *result;

  if (!ls_analyzer_can_prove_equal (state->analyzer, cut->begin, cut->min))
    where = ls_and (where, ls_ge (LS_EXPR (ls_ref (var)), ls_ref (cut->begin)));
  if (!ls_analyzer_can_prove_equal (state->analyzer, cut->end, over))
    where = ls_and (where, ls_lt (LS_EXPR (ls_ref (var)), ls_ref (cut->end)));
  branch.where = where;
  result = ls_rewrite_with (stmt, branch_filter, &branch);
  ls_unref (where);
  return result;
}

static LsStmt *
unroll (State  *state,
        LsFor  *loop,
        LsExpr *min,
        LsExpr *max)
{
  g_autoptr (LsExpr) several = ls_gt (ls_sub (ls_ref (max), ls_ref (min)), ls_const_int (ls_dtype (max), 0));

  if (!state->unrolls || !ls_is (loop, FOR) || !g_hash_table_contains (state->hinted, loop->loop_var) || !ls_analyzer_can_prove (state->analyzer, several))
    return NULL;
  return (LsStmt *) ls_for_new (ls_ref (loop->loop_var), ls_ref (min), ls_add (ls_sub (ls_ref (max), ls_ref (min)), ls_const_int (ls_dtype (max), 1)),
                                LS_FOR_UNROLLED, select_and_partition (state, loop->body), NULL, NULL);
}

/* Intervals of such a loop end before they begin: what is cut of it, and of loops in it by conditions on it, would be no smaller. */
static gboolean
never_runs (State  *state,
            LsExpr *extent)
{
  return ls_analyzer_const_int_bound (state->analyzer, extent).max <= 0;
}

/* The loop (or block of a grid) cut in parts, or NULL. */
static LsStmt *
try_partition (State  *state,
               LsStmt *stmt,
               LsVar  *var,
               LsExpr *min,
               LsExpr *max,
               LsStmt *body)
{
  gboolean hinted = g_hash_table_contains (state->hinted, var), value = TRUE;
  g_autoptr (GArray) parts = ls_loop_conditions (var, hinted, state->hints, state->relaxed, min, max, body, state->analyzer);
  g_autoptr (LsIntSet) loop = ls_int_set_new_interval (ls_ref (min), ls_ref (max));
  g_autoptr (GHashTable) conditions = g_hash_table_new (NULL, NULL);
  g_autoptr (LsIntSet) middle = NULL;
  g_autoptr (LsNode) result = NULL;
  Cut cut = { min, max };

  if (parts->len == 0)
    return NULL;
  middle = ls_loop_interval (state->analyzer, parts, loop, TRUE, hinted, conditions);
  if (ls_int_set_is_nothing (middle))
    {
      ls_int_set_unref (middle);
      value = FALSE;
      g_hash_table_remove_all (conditions);
      middle = ls_loop_interval (state->analyzer, parts, loop, FALSE, hinted, conditions);
    }
  if (ls_int_set_is_nothing (middle) && ls_loop_conditions_lie_outside (state->analyzer, parts, min, max))
    return ls_ref (stmt);
  if (ls_int_set_is_nothing (middle))
    return unroll (state, (LsFor *) stmt, min, max);
  find_ends (state, &cut, middle);
  if (ls_is (stmt, FOR))
    keep_inside (state, &cut);
  result = ls_is (stmt, FOR) ? cut_loop (state, (LsFor *) stmt, &cut, conditions, value) : branch_threads (state, stmt, var, &cut, conditions);
  ls_unref (cut.begin);
  ls_unref (cut.end);
  return ls_stmt_convert_ssa (result);
}

static LsNode *
enter (LsRewriter *rewriter,
       State      *state,
       LsNode     *node,
       LsVar      *var,
       LsExpr     *min,
       LsExpr     *extent,
       LsStmt     *body,
       gboolean    diverges)
{
  g_autoptr (LsExpr) max = ls_sub (ls_add (ls_ref (min), ls_ref (extent)), ls_const_int (ls_dtype (extent), 1));
  g_autoptr (LsIntSet) dom = ls_int_set_new_interval (ls_ref (min), ls_ref (max));
  LsDomMap *map = diverges ? state->relaxed : state->hints;
  LsStmt *cut = NULL;
  LsNode *result;

  if (never_runs (state, extent))
    return ls_node_ref (node);
  if (g_hash_table_contains (state->candidates, node))
    {
      if (state->depth++ == 0)
        state->left = MOST_PARTS;
      cut = try_partition (state, (LsStmt *) node, var, min, max, body);
      state->depth--;
    }
  if (cut != NULL)
    return LS_NODE (cut);
  ls_scope_bind (state->analyzer, LS_NODE (node), LS_SCOPE_LOOPS | LS_SCOPE_THREADS);
  ls_dom_map_set_set (map, var, dom);
  result = ls_rewrite_default (rewriter, node);
  ls_dom_map_remove (map, var);
  return result;
}

static LsNode *
partition_filter (LsRewriter *rewriter,
                  LsNode     *node,
                  gpointer    user_data)
{
  State *state = user_data;
  LsFor *loop = (LsFor *) node;
  LsIterVar *axis = ls_is_attr (node, "thread_extent") ? ls_thread_axis (node) : NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, FOR))
    return enter (rewriter, state, node, loop->loop_var, loop->min, loop->extent, loop->body, FALSE);
  if (axis != NULL)
    {
      LsAttrStmt *attr = (LsAttrStmt *) node;
      g_autoptr (LsExpr) zero = ls_const_int (ls_dtype (attr->value), 0);

      return enter (rewriter, state, node, axis->var, zero, attr->value, attr->body, !g_str_has_prefix (axis->thread_tag, "blockIdx"));
    }
  ls_scope_name (state->analyzer, node);
  return ls_rewrite_default (rewriter, node);
}

static LsNode *
without_tags (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  if (ls_is_call (node, "tir.likely"))
    return ls_rewrite (rewriter, ((LsCall *) node)->args->items[0]);
  if (ls_is_attr (node, "pragma_loop_partition_hint"))
    return ls_rewrite (rewriter, ((LsAttrStmt *) node)->body);
  return ls_rewrite_default (rewriter, node);
}

static LsPrimFunc *
run (LsPrimFunc *func,
     LsMap      *options,
     gboolean    hinted_too)
{
  g_autoptr (GHashTable) hinted = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  g_autoptr (GHashTable) candidates = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  g_autoptr (LsDomMap) hints = ls_dom_map_new (), relaxed = ls_dom_map_new ();
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = {
    ls_pass_option (options, "partition_const_loop", 0) != 0, hinted_too, ls_pass_option (options, "no_unroll_loop_with_extent_one", 0) != 0,
    ls_pass_option (options, "unroll_loop_with_partition_hint_no_interval", 0) != 0, hinted, candidates, hints, relaxed, analyzer, func,
  };
  g_autoptr (LsNode) cut = select_and_partition (&state, func->body);
  g_autoptr (LsNode) body = ls_rewrite_with (cut, without_tags, NULL);

  return ls_pass_with_body (func, body);
}

LsPrimFunc *
ls_pass_loop_partition (LsPrimFunc  *func,
                        LsMap       *options,
                        GError     **error)
{
  return run (func, options, FALSE);
}

LsPrimFunc *
ls_pass_loop_partition_hinted (LsPrimFunc  *func,
                               LsMap       *options,
                               GError     **error)
{
  return run (func, options, TRUE);
}
