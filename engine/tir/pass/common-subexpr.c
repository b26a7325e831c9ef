/* CommonSubexprElimTIR: what is computed several times is computed once.
 *
 *     A[i] = (x + y) + z                cse_var_2 = x + y
 *     A[j] = (x + y) + z       ->       cse_var_1 = cse_var_2 + z
 *     A[k] = x + y                      A[i] = cse_var_1; A[j] = cse_var_1; A[k] = cse_var_2
 *
 * From the whole program inwards: the computations of a statement or expression are counted, the large ones first.  One whose
 * value a variable has already is that variable; one that occurs twice and uses only variables that exist here gets a
 * variable; the parts of every other one are counted in its place.  Branches, loop bounds and bodies count only for what
 * two of them share, so nothing is computed that would not have been.  A computation is pure and reads no memory.
 * With identify_equiv_terms two computations are one when they are the same after simplification, x * (y + z) and x * y + x * z:
 * the larger one, the first of equals, is what is computed.
 * Source of the concept: TVM's pass of the same name. */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  LsExpr *expr;                 /* owned */
  guint   count;
  guint   size;
  guint   order;                /* of those of one size: who came first */
  gboolean is_queued;           /* its size has been looked at: it stays */
} Computation;

/* What computations become by simplification, each simplified once; NULL: they are compared as they are. */
typedef struct {
  LsAnalyzer *analyzer;
  GHashTable *simple;           /* LsExpr -> LsExpr, both owned */
} Forms;

/* Computations, each once, in the order in which they came. */
typedef struct {
  Forms      *forms;            /* or NULL */
  GPtrArray  *all;
  GHashTable *by_expr;          /* LsExpr, the form -> Computation */
} Table;

typedef struct {
  LsVar  *var;
  LsExpr *value;                /* NULL: not known */
} Known;

/* The variables that exist here, the innermost last, and how to find them. */
typedef struct {
  GPtrArray  *known;            /* of Known */
  GHashTable *by_value;         /* LsExpr -> Known: the outermost that has this value */
  GHashTable *vars;             /* LsVar -> how many of `known` it is */
  guint       n_made;
  Forms      *forms;            /* or NULL */
  /* what has been seen at all, to leave alone what has nothing twice */
  GHashTable *seen;             /* LsNode (kept) -> Facts and the round in which they were found */
  GHashTable *times;            /* LsExpr -> how often this computation was seen */
  guint       round;
  gboolean    settled;          /* what is around was looked at with the same variables, and had nothing twice: nor has a part of it */
} State;

static gboolean
expr_equal (gconstpointer a,
            gconstpointer b)
{
  return ls_deep_equal (a, b);
}

/* By what a computation is known. (transfer none) */
static LsExpr *
form_of (Forms  *forms,
         LsExpr *expr)
{
  LsExpr *simple;

  if (forms == NULL || !ls_dtype_is_int (ls_dtype (expr)))
    return expr;
  simple = g_hash_table_lookup (forms->simple, expr);
  if (simple == NULL)
    {
      simple = ls_analyzer_simplify (forms->analyzer, expr);
      g_hash_table_insert (forms->simple, ls_ref (expr), simple);
    }
  return simple;
}

static void
computation_free (gpointer data)
{
  ls_unref (((Computation *) data)->expr);
  g_free (data);
}

static Table *
table_new (Forms *forms)
{
  Table *self = g_new (Table, 1);

  self->forms = forms;
  self->all = g_ptr_array_new_with_free_func (computation_free);
  self->by_expr = g_hash_table_new (ls_deep_hash, expr_equal);
  return self;
}

static void
table_free (Table *self)
{
  g_hash_table_unref (self->by_expr);
  g_ptr_array_unref (self->all);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Table, table_free)

static gboolean
is_forbidden (LsNode *node)
{
  return ls_is (node, CALL) || ls_is (node, BUFFER_LOAD) || ls_is (node, PRODUCER_LOAD) || ls_is (node, REDUCE);
}

static LsWalk
stop_at_forbidden (LsNode  *node,
                   gpointer user_data)
{
  return is_forbidden (node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
may_be_computation (LsNode *node)
{
  return ls_is_expr (node) && !ls_is (node, RAMP) && !ls_is (node, BROADCAST) && !ls_is (node, STRING_IMM) && ls_count_exprs ((LsExpr *) node) > 1;
}

static gboolean
is_computation (LsNode *node)
{
  return may_be_computation (node) && ls_walk (node, stop_at_forbidden, NULL, NULL);
}

/* What is new in the table, or NULL. */
static Computation *
table_add (Table  *table,
           LsExpr *expr,
           guint   count)
{
  LsExpr *form = form_of (table->forms, expr);
  Computation *found = g_hash_table_lookup (table->by_expr, form);
  guint size = ls_count_exprs (expr);

  if (found != NULL)
    {
      found->count += count;
      if (table->forms != NULL && size > found->size && !found->is_queued)
        {
          g_hash_table_remove (table->by_expr, form);
          ls_take (&found->expr, ls_ref (expr));
          found->size = size;
          g_hash_table_insert (table->by_expr, form_of (table->forms, found->expr), found);
        }
      return NULL;
    }
  found = g_new (Computation, 1);
  *found = (Computation) { ls_ref (expr), count, size, table->all->len, FALSE };
  g_ptr_array_add (table->all, found);
  g_hash_table_insert (table->by_expr, form, found);
  return found;
}

static void collect (LsNode *node, Table *table);

/* Adds what at least two of the parts compute. */
static void
collect_shared (LsNode **parts,
                guint    n,
                Table   *table)
{
  Table *tables[3];

  for (guint i = 0; i < n; i++)
    {
      tables[i] = table_new (table->forms);
      if (parts[i] != NULL)
        collect (parts[i], tables[i]);
    }
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < tables[i]->all->len; k++)
      {
        Computation *one = tables[i]->all->pdata[k];
        gboolean shared = FALSE;

        for (guint j = 0; j < n && !shared; j++)
          shared = j != i && g_hash_table_contains (tables[j]->by_expr, form_of (table->forms, one->expr));
        if (shared)
          table_add (table, one->expr, one->count);
      }
  for (guint i = 0; i < n; i++)
    table_free (tables[i]);
}

/* The largest computations of a node, counted. */
static void
collect (LsNode *node,
         Table  *table)
{
  if (is_computation (node))
    {
      table_add (table, (LsExpr *) node, 1);
      return;
    }
  switch ((int) ls_kind (node))
    {
    case LS_KIND_MAP:
      return;
    case LS_KIND_FOR:
      collect_shared ((LsNode *[]) { LS_NODE (((LsFor *) node)->min), LS_NODE (((LsFor *) node)->extent), LS_NODE (((LsFor *) node)->body) }, 3, table);
      return;
    case LS_KIND_IF_THEN_ELSE:
      collect_shared ((LsNode *[]) { LS_NODE (((LsIfThenElse *) node)->condition), LS_NODE (((LsIfThenElse *) node)->then_case),
                                     LS_NODE (((LsIfThenElse *) node)->else_case) }, 3, table);
      return;
    case LS_KIND_WHILE:
      collect_shared ((LsNode *[]) { LS_NODE (((LsWhile *) node)->condition), LS_NODE (((LsWhile *) node)->body) }, 2, table);
      return;
    default:
      for (guint i = 0; i < ls_node_get_n_children (node); i++)
        if (ls_node_get_child (node, i) != NULL)
          collect (ls_node_get_child (node, i), table);
    }
}

/* The large ones first, those of one size as they came. */
static gint
compare_size (gconstpointer a,
              gconstpointer b,
              gpointer      user_data)
{
  const Computation *ca = a, *cb = b;

  if (ca->size != cb->size)
    return ca->size > cb->size ? -1 : 1;
  return ca->order < cb->order ? -1 : ca->order > cb->order;
}

/* ---- what occurs once -------------------------------------------------------------------- */

typedef enum {
  HAS_FORBIDDEN = 1 << 0,       /* a call or a load */
  HAS_SEEN      = 1 << 1,       /* a computation that was seen before */
  N_FACTS       = 2
} Facts;

static gboolean
facts_are_known (State    *state,
                 gpointer  node,
                 guint    *facts)
{
  gpointer found;

  if (!g_hash_table_lookup_extended (state->seen, node, NULL, &found))
    return FALSE;
  *facts = GPOINTER_TO_UINT (found) & ((1 << N_FACTS) - 1);
  return GPOINTER_TO_UINT (found) >> N_FACTS == state->round;
}

static LsWalk
look_once (LsNode   *node,
           gpointer  user_data)
{
  guint facts;

  return ls_is (node, MAP) || facts_are_known (user_data, node, &facts) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* Was the computation seen before?  A node that is new is counted. */
static gboolean
is_seen (State  *state,
         LsNode *node,
         gboolean is_new)
{
  guint times = GPOINTER_TO_UINT (g_hash_table_lookup (state->times, node));

  if (is_new)
    g_hash_table_insert (state->times, node, GUINT_TO_POINTER (++times));
  return times > 1;
}

static void
find_facts (LsNode   *node,
            gpointer  user_data)
{
  State *state = user_data;
  guint facts = 0, of_child = 0;
  gboolean is_new;

  if (ls_is (node, MAP) || facts_are_known (state, node, &of_child))
    return;
  is_new = !g_hash_table_contains (state->seen, node);
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    if (ls_node_get_child (node, i) != NULL && facts_are_known (state, ls_node_get_child (node, i), &of_child))
      facts |= of_child;
  if (is_forbidden (node))
    facts |= HAS_FORBIDDEN;
  else if (may_be_computation (node) && (facts & HAS_FORBIDDEN) == 0 && is_seen (state, node, is_new))
    facts |= HAS_SEEN;
  g_hash_table_insert (state->seen, ls_node_ref (node), GUINT_TO_POINTER (facts | state->round << N_FACTS));
}

/* FALSE: nothing in it is computed twice, nor has a variable. */
static gboolean
has_seen (State  *state,
          LsNode *node)
{
  guint facts = 0;

  ls_walk (node, look_once, find_facts, state);
  return facts_are_known (state, node, &facts) && (facts & HAS_SEEN);
}

/* A variable got a value that was made here: what equals it was looked at when it was the only one. */
static void
look_again (State  *state,
            LsNode *value)
{
  if (has_seen (state, value))
    state->round++;
}

/* ---- replacing ---------------------------------------------------------------------- */

typedef struct {
  Forms      *forms;            /* or NULL */
  GHashTable *vars;             /* LsExpr, the form -> LsVar */
  LsNode     *whole;            /* stays, though it is one of them */
} Replacement;

static LsNode *
replace_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  Replacement *replacement = user_data;
  LsNode *var = NULL;

  if (ls_is (node, MAP))
    return ls_node_ref (node);
  if (ls_is_expr (node) && node != replacement->whole)
    var = g_hash_table_lookup (replacement->vars, replacement->forms != NULL && is_computation (node) ? LS_NODE (form_of (replacement->forms, (LsExpr *) node)) : node);
  return var != NULL ? ls_node_ref (var) : ls_rewrite_default (rewriter, node);
}

/* The node with variables for all that have one, the largest first.  (transfer full) */
static LsNode *
replace (Forms      *forms,
         LsNode     *node,
         GHashTable *vars,
         gboolean    inside)
{
  Replacement replacement = { forms, vars, inside ? node : NULL };

  return g_hash_table_size (vars) > 0 ? ls_rewrite_with (node, replace_filter, &replacement) : ls_node_ref (node);
}

/* ---- what is known -------------------------------------------------------------------- */

static LsVar *
variable_of (State  *state,
             LsExpr *expr)
{
  Known *known = g_hash_table_lookup (state->by_value, form_of (state->forms, expr));

  return known != NULL ? known->var : NULL;
}

static gboolean
is_unknown (LsVar    *var,
            gpointer  user_data)
{
  return !g_hash_table_contains (((State *) user_data)->vars, var);
}

static void
push_known (State  *state,
            LsVar  *var,
            LsExpr *value)
{
  Known *known = g_new (Known, 1);

  *known = (Known) { var, value };
  g_ptr_array_add (state->known, known);
  g_hash_table_insert (state->vars, var, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (state->vars, var)) + 1));
  if (value != NULL && !g_hash_table_contains (state->by_value, form_of (state->forms, value)))
    g_hash_table_insert (state->by_value, form_of (state->forms, value), known);
}

static void
pop_known (State *state)
{
  Known *known = state->known->pdata[state->known->len - 1];
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (state->vars, known->var));

  if (n > 1)
    g_hash_table_insert (state->vars, known->var, GUINT_TO_POINTER (n - 1));
  else
    g_hash_table_remove (state->vars, known->var);
  if (known->value != NULL && g_hash_table_lookup (state->by_value, form_of (state->forms, known->value)) == known)
    g_hash_table_remove (state->by_value, form_of (state->forms, known->value));
  g_ptr_array_set_size (state->known, (gint) state->known->len - 1);
}

static LsNode *
bind (LsNode *node,
      LsVar  *var,
      LsExpr *value)
{
  if (ls_is_expr (node))
    return LS_NODE (ls_let_new (var, ls_ref (value), (LsExpr *) node));
  return LS_NODE (ls_let_stmt_new (var, ls_ref (value), (LsStmt *) node));
}

/* Parts are smaller than what is looked at, so they come behind it. */
static void
insert_parts (Table     *table,
              GSequence *queue,
              LsExpr    *expr,
              guint      count)
{
  g_autoptr (Table) parts = table_new (table->forms);

  for (guint i = 0; i < ls_node_get_n_children (LS_NODE (expr)); i++)
    if (ls_node_get_child (LS_NODE (expr), i) != NULL)
      collect (ls_node_get_child (LS_NODE (expr), i), parts);
  for (guint i = 0; i < parts->all->len; i++)
    {
      Computation *part = parts->all->pdata[i], *fresh = table_add (table, part->expr, count * part->count);

      if (fresh != NULL)
        {
          fresh->is_queued = TRUE;
          g_sequence_insert_sorted (queue, fresh, compare_size, NULL);
        }
    }
}

/* A new variable, owned by `made`, in the order in which they are made. */
static LsVar *
make_variable (State      *state,
               LsExpr     *expr,
               GPtrArray  *made,
               GHashTable *vars)
{
  g_autofree char *name = g_strdup_printf ("cse_var_%u", ++state->n_made);
  LsVar *var = ls_var_new (name, ls_dtype (expr));

  g_ptr_array_add (made, LS_NODE (var));
  g_ptr_array_add (made, LS_NODE (ls_ref (expr)));
  g_hash_table_insert (vars, form_of (state->forms, expr), var);
  return var;
}

/* The node with variables for what it computes several times. (transfer full) */
static LsNode *
shorten (State  *state,
         LsNode *node)
{
  g_autoptr (Table) table = table_new (state->forms);
  g_autoptr (GSequence) queue = g_sequence_new (NULL);
  g_autoptr (GHashTable) vars = g_hash_table_new (ls_deep_hash, expr_equal);       /* LsExpr -> LsVar, what takes their place */
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);         /* variable, value, variable ... */
  LsNode *result;

  collect (node, table);
  for (guint i = 0; i < table->all->len; i++)
    {
      ((Computation *) table->all->pdata[i])->is_queued = TRUE;
      g_sequence_append (queue, table->all->pdata[i]);
    }
  g_sequence_sort (queue, compare_size, NULL);
  for (GSequenceIter *at = g_sequence_get_begin_iter (queue); !g_sequence_iter_is_end (at); at = g_sequence_iter_next (at))
    {
      Computation *one = g_sequence_get (at);
      LsVar *var = variable_of (state, one->expr);
      gboolean shared = var == NULL && one->count > 1 && !ls_uses_var (one->expr, is_unknown, state);

      if (var != NULL)
        g_hash_table_insert (vars, form_of (state->forms, one->expr), var);
      else if (shared)
        make_variable (state, one->expr, made, vars);
      if (var == NULL)
        insert_parts (table, queue, one->expr, shared ? 1 : one->count);
    }
  result = replace (state->forms, node, vars, FALSE);
  for (guint i = 0; i < made->len; i += 2)
    {
      g_autoptr (LsNode) value = replace (state->forms, made->pdata[i + 1], vars, TRUE);

      result = bind (result, (LsVar *) ls_node_ref (made->pdata[i]), (LsExpr *) value);
    }
  return result;
}

static LsNode *
inside (LsRewriter *rewriter,
        State      *state,
        LsVar      *var,
        LsExpr     *value,
        gpointer    body)
{
  LsNode *result;

  push_known (state, var, value);
  state->settled = FALSE;
  result = ls_rewrite (rewriter, body);
  pop_known (state);
  return result;
}

/* Of branches, and of a loop and its bounds, only what they share was looked at. */
static gboolean
has_branches (LsNode *node)
{
  return ls_is (node, FOR) || ls_is (node, IF_THEN_ELSE) || ls_is (node, WHILE);
}

static LsNode *
go_on (LsRewriter *rewriter,
       State      *state,
       LsNode     *node)
{
  LsFor *loop = (LsFor *) node;
  LsLetStmt *stmt = (LsLetStmt *) node;
  LsLet *let = (LsLet *) node;
  LsExpr *value;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR:
      return LS_NODE (ls_for_new (ls_ref (loop->loop_var), (LsExpr *) ls_rewrite (rewriter, loop->min), (LsExpr *) ls_rewrite (rewriter, loop->extent),
                                  loop->kind, (LsStmt *) inside (rewriter, state, loop->loop_var, NULL, loop->body), ls_ref (loop->thread_binding),
                                  ls_ref (loop->annotations)));
    case LS_KIND_LET_STMT:
      value = (LsExpr *) ls_rewrite (rewriter, stmt->value);
      if (value != stmt->value)
        look_again (state, LS_NODE (value));
      return LS_NODE (ls_let_stmt_new (ls_ref (stmt->var), value, (LsStmt *) inside (rewriter, state, stmt->var, value, stmt->body)));
    case LS_KIND_LET:
      value = (LsExpr *) ls_rewrite (rewriter, let->value);
      if (value != let->value)
        look_again (state, LS_NODE (value));
      return LS_NODE (ls_let_new (ls_ref (let->var), value, (LsExpr *) inside (rewriter, state, let->var, value, let->body)));
    default:
      return ls_rewrite_default (rewriter, node);
    }
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  gboolean around = state->settled;
  g_autoptr (LsNode) shorter = NULL;
  LsNode *result;

  if (ls_is (node, MAP) || ls_is_var (node))
    return ls_node_ref (node);
  if (!ls_is_expr (node) && !ls_is_stmt (node))
    return ls_rewrite_default (rewriter, node);
  /* What is equal only after simplification is not seen by its form. */
  shorter = !around && (state->forms != NULL || has_seen (state, node)) ? shorten (state, node) : ls_node_ref (node);
  state->settled = !has_branches (shorter) && (around || shorter == node);
  result = go_on (rewriter, state, shorter);
  state->settled = around;
  return result;
}

LsPrimFunc *
ls_pass_common_subexpr (LsPrimFunc  *func,
                        LsMap       *options,
                        GError     **error)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) by_value = g_hash_table_new (ls_deep_hash, expr_equal), vars = g_hash_table_new (NULL, NULL);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) simple = g_hash_table_new_full (ls_deep_hash, expr_equal, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  Forms forms = { analyzer, simple };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL), times = g_hash_table_new (ls_deep_hash, expr_equal);
  State state = { known, by_value, vars, 0, ls_pass_option (options, "identify_equiv_terms", 0) ? &forms : NULL, seen, times, 1, FALSE };
  LsRewriter rewriter = { filter, &state, NULL, NULL };
  g_autoptr (LsNode) body = NULL;

  if (!ls_pass_option (options, "enable_cse_tir", 1))
    return ls_ref (func);
  for (guint i = 0; i < func->params->n; i++)
    push_known (&state, ls_array_at (func->params, i, LsVar), NULL);
  body = ls_rewrite (&rewriter, func->body);
  return ls_pass_with_body (func, body);
}
