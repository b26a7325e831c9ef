/* data: see the header. */
#include "engine/arith/data.h"

#include "engine/arith/arith-private.h"

static LsWalk
look_for_data (LsNode   *node,
               gpointer  user_data)
{
  LsAnalyzer *self = user_data;

  if ((node->facts & LS_FACT_HAS_LOAD) != 0)
    return LS_WALK_STOP;
  if ((node->facts & self->data_bits) == 0)
    return LS_WALK_PRUNE;
  return g_hash_table_contains (self->data, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_is_data (LsAnalyzer *self,
            LsExpr     *expr)
{
  if ((LS_NODE (expr)->facts & LS_FACT_HAS_LOAD) != 0)
    return TRUE;
  return (LS_NODE (expr)->facts & self->data_bits) != 0 && !ls_walk (expr, look_for_data, NULL, self);
}

void
ls_analyzer_note_let (LsAnalyzer *self,
                      LsVar      *var,
                      LsExpr     *value)
{
  if (ls_is_data (self, value))
    ls_analyzer_note_data (self, var);
}

void
ls_analyzer_note_data (LsAnalyzer *self,
                       LsVar      *var)
{
  if (ls_is_data (self, LS_EXPR (var)))
    return;
  ls_analyzer_forget (self);
  if (self->data == NULL)
    self->data = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  g_hash_table_add (self->data, ls_ref (var));
  self->data_bits |= LS_NODE (var)->facts & LS_FACTS_INSIDE;
}

static LsVar *
memory_of (LsAnalyzer *self,
           LsVar      *name)
{
  LsVar *memory = self->names != NULL ? g_hash_table_lookup (self->names, name) : NULL;

  return memory != NULL ? memory : name;
}

void
ls_analyzer_note_name (LsAnalyzer *self,
                       LsVar      *name,
                       LsVar      *memory)
{
  LsVar *root = memory_of (self, memory);

  if (root == name)
    return;
  if (self->names == NULL)
    self->names = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_hash_table_replace (self->names, ls_ref (name), ls_ref (root));
}

gboolean
ls_analyzer_is_one_memory (LsAnalyzer *self,
                           LsVar      *a,
                           LsVar      *b)
{
  return a == b || memory_of (self, a) == memory_of (self, b);
}

/* ---- what takes the place of a load ---------------------------------------- */

static LsWalk
look_for_unknown (LsNode   *node,
                  gpointer  analyzer)
{
  LsConstIntBound known, all;

  if (!ls_is_var (node))
    return LS_WALK_CONTINUE;
  known = ls_bound_of (analyzer, LS_EXPR (node));
  all = ls_bound_everything (ls_dtype (node));
  return known.min <= all.min || known.max >= all.max ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_shift (LsExpr *expr)
{
  return ls_is_call (expr, "tir.shift_left");
}

static LsExpr *
operand (LsExpr *expr,
         guint   i)
{
  return is_shift (expr) ? ls_array_at (((LsCall *) expr)->args, i, LsExpr) : i == 0 ? ls_lhs (expr) : ls_rhs (expr);
}

static gboolean
may_leave (LsAnalyzer *self,
           LsExpr     *expr)
{
  LsConstIntBound a, b;

  if (!is_shift (expr))
    return ls_leaves_type (self, expr);
  a = ls_bound_of (self, operand (expr, 0));
  b = ls_bound_of (self, operand (expr, 1));
  return a.min < 0 || b.min < 0 || b.max >= ls_dtype (expr).bits || a.max > ls_dtype_int_max (ls_dtype_element (ls_dtype (expr))) >> b.max;
}

LsExpr *
ls_wrap_as_data (LsAnalyzer *self,
                 LsExpr     *expr,
                 LsExpr     *result)
{
  LsDType dtype = ls_dtype (result), wrapping = dtype;
  gboolean wraps = is_shift (result) || ls_is (result, ADD) || ls_is (result, SUB) || ls_is (result, MUL);
  LsExpr *a, *b, *wrapped;

  if (result == expr || !wraps || dtype.code != LS_TYPE_INT || dtype.bits < 32 || !ls_is_data (self, expr) || ls_is_data (self, result))
    return result;
  if (!ls_walk (result, look_for_unknown, NULL, self) || !may_leave (self, result))
    return result;
  wrapping.code = LS_TYPE_UINT;
  a = ls_cast (wrapping, ls_ref (operand (result, 0)));
  b = ls_cast (wrapping, ls_ref (operand (result, 1)));
  wrapped = is_shift (result) ? ls_call_new (wrapping, ls_ref (((LsCall *) result)->op), ls_array_of (a, b, NULL)) : ls_binary_new (ls_kind (result), a, b);
  ls_unref (result);
  return ls_cast_new (dtype, wrapped);
}
