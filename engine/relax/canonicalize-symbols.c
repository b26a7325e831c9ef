/* canonicalize-symbols: what match_cast says again about dimensions that are known.
 *
 * From a cast on, the variables that it brings stand for the value's dimensions.  In a branch that holds until its end:
 * where the branch's result said more for it, a cast back stands behind.  What a parameter brings is no other number after a cast: the cast
 * checks it (R.match_cast(R.shape([l]), R.Shape([k])) of a parameter of k), and stays.  (TVM v0.20 puts l for k from there on.)
 * In a branch it is one where the cast back checks it again.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/relation.h"

#include "engine/arith/analyzer.h"

typedef struct {
  GHashTable *given;            /* the symbols of parameters */
  GPtrArray  *checked;          /* of these, what the end of the branch around checks, or NULL */
  gboolean    trusted;          /* one of these was taken from a cast */
} Known;

static void
learn (LsRelaxMutator *self,
       LsVar          *symbol,
       LsExpr         *value)
{
  g_autoptr (LsExpr) now = (LsExpr *) ls_substitute (value, self->symbols);
  LsExpr *known = g_hash_table_lookup (self->symbols, symbol);
  g_autoptr (LsAnalyzer) analyzer = NULL;

  if (known == NULL)
    {
      if (now != LS_EXPR (symbol) && !ls_uses (now, symbol))
        g_hash_table_insert (self->symbols, ls_ref (symbol), ls_ref (now));
      return;
    }
  analyzer = ls_analyzer_new ();
  {
    g_autoptr (LsExpr) differ = ls_ne (ls_ref (known), ls_ref (now));

    if (ls_analyzer_can_prove (analyzer, differ))
      ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_TYPE,
                             "MatchCast statements must be consistent: `%s` has two different values.", symbol->name);
  }
}

static void
learn_from_cast (LsRelaxMutator *self,
                 LsMatchCast    *cast)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (cast->struct_info);
  g_autoptr (LsNode) actual = ls_relax_struct_info (cast->value);
  Known *known = self->user_data;

  ls_struct_info_match (cast->struct_info, actual, found);
  for (guint i = 0; i < symbols->len; i++)
    {
      LsExpr *value = g_hash_table_lookup (found, symbols->pdata[i]);
      gboolean given = g_hash_table_contains (known->given, symbols->pdata[i]);

      if (value == NULL || (given && (known->checked == NULL || !g_ptr_array_find (known->checked, symbols->pdata[i], NULL))))
        continue;
      known->trusted |= given;
      learn (self, symbols->pdata[i], value);
    }
}

static void
visit_binding (LsRelaxMutator *self,
               LsNode         *binding)
{
  if (ls_is (binding, MATCH_CAST))
    learn_from_cast (self, (LsMatchCast *) binding);
  ls_relax_mutator_default_binding (self, binding);
}

static GHashTable *
copy_table (GHashTable *table)
{
  GHashTable *copy = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, ls_node_ref (key), ls_node_ref (value));
  return copy;
}

/* The branch with what its casts say; `learnt` whether they said something. (transfer full) */
static LsNode *
visit_inside (LsRelaxMutator *self,
              LsNode         *branch,
              GPtrArray      *checked,
              gboolean       *learnt)
{
  Known *known = self->user_data, around = *known;
  GHashTable *outside = self->symbols;
  LsNode *fresh;

  known->checked = checked;
  known->trusted = FALSE;
  self->symbols = copy_table (outside);
  fresh = ls_relax_mutator_visit (self, branch);
  *learnt = g_hash_table_size (self->symbols) > g_hash_table_size (outside);
  g_hash_table_unref (self->symbols);
  self->symbols = outside;
  known->checked = around.checked;
  return fresh;
}

static LsNode *
visit_branch (LsRelaxMutator *self,
              LsNode         *branch)
{
  Known *known = self->user_data;
  gboolean trusted = known->trusted, learnt;
  g_autoptr (LsNode) before = ls_relax_struct_info (branch), said = ls_relax_mutator_visit_info (self, before);
  g_autoptr (GPtrArray) checked = ls_relax_definable_symbols ((LsStructInfo *) said);
  g_autoptr (LsNode) fresh = visit_inside (self, branch, checked, &learnt), after = ls_relax_struct_info (fresh), cast = NULL;
  g_autoptr (LsRelaxVar) var = NULL;
  g_autoptr (LsArray) blocks = NULL;
  LsSeqExpr *seq;

  if (known->trusted && (!ls_is (fresh, SEQ_EXPR) || ls_struct_info_equal (said, after)))
    {
      ls_node_unref (fresh);
      ls_node_unref (after);
      fresh = visit_inside (self, branch, NULL, &learnt);
      after = ls_relax_struct_info (fresh);
    }
  known->trusted = trusted;
  if (!learnt || !ls_is (fresh, SEQ_EXPR) || ls_struct_info_equal (said, after))
    return g_steal_pointer (&fresh);
  seq = (LsSeqExpr *) fresh;
  var = ls_relax_var_new (ls_is_relax_var (seq->body) ? ((LsRelaxVar *) seq->body)->name : "gv", ls_ref (said));
  cast = ls_binding_block_new (ls_array_of (ls_match_cast_new (ls_ref (var), ls_ref (seq->body), ls_ref (said)), NULL));
  blocks = ls_array_append (seq->blocks, cast);
  return ls_seq_expr_new (ls_relax_join_blocks (blocks), LS_NODE (ls_ref (var)));
}

static LsNode *
visit_expr (LsRelaxMutator *self,
            LsNode         *expr)
{
  LsRelaxIf *branch = (LsRelaxIf *) expr;
  LsNode *parts[3], *fresh;

  if (!ls_is (expr, RELAX_IF))
    return ls_relax_mutator_default (self, expr);
  parts[0] = ls_relax_mutator_visit (self, branch->cond);
  parts[1] = visit_branch (self, branch->true_branch);
  parts[2] = visit_branch (self, branch->false_branch);
  fresh = ls_node_with_children (expr, parts);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    ls_node_unref (parts[i]);
  return fresh;
}

static LsWalk
stop_at_cast (LsNode  *node,
              gpointer user_data)
{
  return ls_is (node, MATCH_CAST) ? LS_WALK_STOP : ls_is_struct_info (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* The symbols that the parameters of functions bring. */
static LsWalk
note_given (LsNode   *node,
            gpointer  given)
{
  LsFunction *func = (LsFunction *) node;

  for (guint i = 0; ls_is (node, FUNCTION) && i < func->params->n; i++)
    {
      g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (ls_array_at (func->params, i, LsRelaxVar)->struct_info);

      for (guint k = 0; k < symbols->len; k++)
        g_hash_table_add (given, symbols->pdata[k]);
    }
  return ls_is_struct_info (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

LsNode *
ls_relax_canonicalize_symbols (LsNode  *func,
                               GError **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = visit_expr, .binding = visit_binding };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) fresh = NULL;
  Known known = { given, NULL, FALSE };
  const GError *wrong;

  if (ls_walk (func, stop_at_cast, NULL, NULL))
    return ls_node_ref (func);
  ls_walk (func, note_given, NULL, given);
  ls_relax_mutator_init (&mutator, &funcs, NULL, &known);
  fresh = ls_relax_mutator_visit (&mutator, func);
  wrong = ls_block_builder_get_error (mutator.builder);
  if (wrong == NULL)
    return g_steal_pointer (&fresh);
  g_propagate_error (error, g_error_copy (wrong));
  return NULL;
}
