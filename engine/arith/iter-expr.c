/* iter-expr: the nodes of iteration maps and the plain expressions that they stand for. */
#include "engine/arith/iter-private.h"

#include "engine/ir/ir-private.h"

#define ITER_FIELD(Type, member) { #member, LS_FIELD_NODE, G_STRUCT_OFFSET (Type, member), LS_FIELD_PLAIN, NULL }

static const LsField mark_fields[] = { ITER_FIELD (LsIterMark, source), ITER_FIELD (LsIterMark, extent) };
static const LsField split_fields[] = {
  ITER_FIELD (LsIterSplit, source), ITER_FIELD (LsIterSplit, lower_factor), ITER_FIELD (LsIterSplit, extent), ITER_FIELD (LsIterSplit, scale)
};
static const LsField sum_fields[] = { ITER_FIELD (LsIterSum, args), ITER_FIELD (LsIterSum, base) };

static const LsNodeClass mark_class = {
  LS_KIND_ITER_MARK, "IterMark", sizeof (LsIterMark), LS_CLASS_PLAIN, mark_fields, G_N_ELEMENTS (mark_fields)
};
static const LsNodeClass split_class = {
  LS_KIND_ITER_SPLIT, "IterSplitExpr", sizeof (LsIterSplit), LS_CLASS_EXPR, split_fields, G_N_ELEMENTS (split_fields)
};
static const LsNodeClass sum_class = {
  LS_KIND_ITER_SUM, "IterSumExpr", sizeof (LsIterSum), LS_CLASS_EXPR, sum_fields, G_N_ELEMENTS (sum_fields)
};

void
ls_iter_map_register_classes (void)
{
  static const LsNodeClass *const classes[] = { &mark_class, &split_class, &sum_class };

  ls_class_register (classes, G_N_ELEMENTS (classes));
}

LsIterMark *
ls_iter_mark_new (LsExpr *source,
                  LsExpr *extent)
{
  LsIterMark *self = ls_node_alloc (&mark_class);

  self->source = source;
  self->extent = extent;
  return ls_node_finish (self);
}

LsIterSplit *
ls_iter_split_new (LsIterMark *source,
                   LsExpr     *lower_factor,
                   LsExpr     *extent,
                   LsExpr     *scale)
{
  LsIterSplit *self = ls_node_alloc (&split_class);

  self->expr.dtype = ls_dtype (source->source);
  self->source = source;
  self->lower_factor = lower_factor;
  self->extent = extent;
  self->scale = scale;
  return ls_node_finish (self);
}

LsIterSum *
ls_iter_sum_new (LsArray *args,
                 LsExpr  *base)
{
  LsIterSum *self = ls_node_alloc (&sum_class);

  self->expr.dtype = ls_dtype (base);
  self->args = args;
  self->base = base;
  return ls_node_finish (self);
}

LsIterSplit *
ls_iter_split_of_mark (LsIterMark *mark)
{
  LsDType t = ls_dtype (mark->source);

  return ls_iter_split_new (ls_ref (mark), ls_const_int (t, 1), ls_ref (mark->extent), ls_const_int (t, 1));
}

/* ---- back to plain expressions -------------------------------------------- */

static LsExpr *
convert_split (LsIterSplit *split,
               LsAnalyzer  *analyzer)
{
  LsIterMark *mark = split->source;
  g_autoptr (LsExpr) source = ls_iter_map_to_expr_with (mark->source, analyzer);
  LsExpr *reach;

  if (ls_is_one (split->lower_factor) &&
      ls_pool_proves (analyzer, ls_eq (ls_ref (split->extent), ls_ref (mark->extent))))
    return ls_mul (g_steal_pointer (&source), ls_ref (split->scale));
  reach = ls_mul (ls_ref (split->lower_factor), ls_ref (split->extent));
  if (ls_pool_proves (analyzer, ls_eq (ls_ref (mark->extent), ls_ref (reach))))
    {
      ls_unref (reach);
      if (ls_is_one (split->extent) && !ls_is_one (mark->extent))
        return ls_const_int (ls_dtype (split->extent), 0);
      return ls_mul (ls_floordiv (g_steal_pointer (&source), ls_ref (split->lower_factor)), ls_ref (split->scale));
    }
  return ls_mul (ls_floordiv (ls_floormod (g_steal_pointer (&source), reach), ls_ref (split->lower_factor)),
                 ls_ref (split->scale));
}

static LsExpr *
convert_sum (LsIterSum  *sum,
             LsAnalyzer *analyzer)
{
  LsExpr *result = ls_int (0);

  for (guint i = 0; i < ls_sum_n (sum); i++)
    result = ls_add (result, convert_split (ls_sum_at (sum, i), analyzer));
  return ls_add (result, ls_ref (sum->base));
}

static LsNode *
convert_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    analyzer)
{
  if (ls_is (node, ITER_SPLIT))
    return LS_NODE (convert_split ((LsIterSplit *) node, analyzer));
  if (ls_is (node, ITER_SUM))
    return LS_NODE (convert_sum ((LsIterSum *) node, analyzer));
  return ls_rewrite_default (rewriter, node);
}

LsExpr *
ls_iter_map_to_expr_with (gpointer    expr,
                          LsAnalyzer *analyzer)
{
  return LS_EXPR (ls_rewrite_with (expr, convert_filter, analyzer));
}

LsExpr *
ls_iter_map_to_expr (gpointer iter_map_expr)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  return ls_iter_map_to_expr_with (iter_map_expr, analyzer);
}
