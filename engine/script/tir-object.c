/* tir-object: objects that are no expressions: T.Range, T.iter_var, T.comm_reducer, T.index_map, T.target, T.meta_var. */
#include "engine/script/script-private.h"
#include "engine/script/target.h"

static LsValue *
handle_range (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsExpr *a, *b, *extent;

  if (!ls_two_operands (p, args, &a, &b))
    return NULL;
  extent = ls_is_zero (a) ? b : ls_eval_math (p, LS_KIND_SUB, b, a, args->call);
  return extent != NULL ? ls_value_node (p, ls_parse_keep (p, ls_range_new (ls_ref (a), ls_ref (extent)), args->call)) : NULL;
}

static LsValue *
handle_iter_var (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  static const struct { const char *name; LsIterType type; } TYPES[] = {
    { "DataPar", LS_ITER_DATA_PAR }, { "ThreadIndex", LS_ITER_THREAD_INDEX }, { "CommReduce", LS_ITER_COMM_REDUCE },
    { "Ordered", LS_ITER_ORDERED }, { "Opaque", LS_ITER_OPAQUE }, { "DimInfo", LS_ITER_OPAQUE }, { "Unrolled", LS_ITER_UNROLLED },
    { "Vectorized", LS_ITER_VECTORIZED }, { "Parallelized", LS_ITER_PARALLELIZED }, { "Tensorized", LS_ITER_TENSORIZED },
  };
  LsValue *v = args->slot[0], *dom = args->slot[1];
  LsRange *range = dom != NULL && dom->kind == LS_VALUE_NODE && ls_is (dom->node, RANGE) ? (LsRange *) dom->node : NULL;
  const char *type = ls_value_to_string (p, args->slot[2], args->span[2], "iter_type");
  const char *tag = args->slot[3] != NULL ? ls_value_to_string (p, args->slot[3], args->span[3], "thread_tag") : "";
  LsVar *var = NULL;

  if (type == NULL || tag == NULL)
    return NULL;
  if (v->kind == LS_VALUE_NODE && ls_is_var (v->node))
    var = (LsVar *) v->node;
  else if (v->kind == LS_VALUE_STRING)
    var = ls_parse_keep (p, ls_var_new (v->s, range != NULL ? ls_dtype (range->extent) : LS_INT32), args->call);
  for (guint i = 0; var != NULL && i < G_N_ELEMENTS (TYPES); i++)
    if (strcmp (TYPES[i].name, type) == 0)
      return ls_value_node (p, ls_parse_keep (p, ls_iter_var_new (range != NULL ? ls_ref (range) : NULL, ls_ref (var), TYPES[i].type, tag), args->call));
  ls_parse_error (p, args->call, "script/argument", "T.iter_var takes a variable or a name, a T.Range or None, and a kind such as \"ThreadIndex\".");
  return NULL;
}

static LsArray *
variables_for (LsParse *p,
               LsSyn   *lambda,
               guint    first,
               LsArray *like)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < ls_array_n (like); i++)
    g_ptr_array_add (out, ls_var_new (lambda->items[first + i]->text, ls_dtype (like->items[i])));
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), lambda->span);
}

static LsValue *
apply_to_vars (LsParse *p,
               LsValue *lambda,
               LsArray *a,
               LsArray *b,
               LsSpan   span)
{
  guint n = ls_array_n (a) + ls_array_n (b);
  LsValue **items = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));
  LsSyn at = { .kind = LS_SYN_CALL, .span = span };

  for (guint i = 0; i < n; i++)
    items[i] = ls_value_node (p, i < ls_array_n (a) ? a->items[i] : b->items[i - ls_array_n (a)]);
  return ls_eval_lambda (p, lambda, items, n, &at);
}

static LsValue *
handle_comm_reducer (LsParse       *p,
                     const LsEntry *entry,
                     LsArgs        *args)
{
  LsValue *lambda = args->slot[0], *result;
  LsArray *identity = ls_value_to_exprs (p, args->slot[1], args->span[1], "identity");
  LsArray *lhs, *rhs, *values;

  if (identity == NULL)
    return NULL;
  if (lambda->kind != LS_VALUE_LAMBDA || lambda->syn->n != 2 * ls_array_n (identity))
    {
      ls_parse_error (p, args->span[0], "script/argument", "The combiner is a lambda with two parameters for each identity element; there are %u.",
                      ls_array_n (identity));
      return NULL;
    }
  lhs = variables_for (p, lambda->syn, 0, identity);
  rhs = variables_for (p, lambda->syn, ls_array_n (identity), identity);
  if ((result = apply_to_vars (p, lambda, lhs, rhs, args->call)) == NULL || (values = ls_value_to_exprs (p, result, args->span[0], "The result")) == NULL)
    return NULL;
  if (ls_array_n (values) != ls_array_n (identity))
    {
      ls_parse_error (p, args->span[0], "script/arity", "The combiner gives %u values for %u identity elements.", ls_array_n (values), ls_array_n (identity));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_comm_reducer_new (ls_ref (lhs), ls_ref (rhs), ls_ref (values), ls_ref (identity)), args->call));
}

static LsIndexMap *
index_map_from (LsParse    *p,
                LsValue    *lambda,
                LsDType     t,
                LsIndexMap *inverse,
                LsSpan      span)
{
  g_autoptr (GPtrArray) vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsArray *initial, *final;
  g_autoptr (LsArray) empty = ls_array_empty ();
  LsValue *result;

  if (lambda->kind == LS_VALUE_NODE && ls_is (lambda->node, INDEX_MAP))
    return (LsIndexMap *) lambda->node;
  if (lambda->kind == LS_VALUE_FOREIGN && inverse == NULL)
    return (LsIndexMap *) ls_host_index_map (p, lambda, ls_dtype_name (t), span);
  if (lambda->kind != LS_VALUE_LAMBDA)
    {
      ls_parse_error (p, span, "script/type", "An index map is a lambda; this is %s.", ls_value_describe (p, lambda));
      return NULL;
    }
  for (guint i = 0; i < lambda->syn->n; i++)
    {
      if (lambda->syn->items[i]->op != 0)
        {
          ls_parse_error (p, lambda->syn->items[i]->span, "script/unsupported", "The parameters of an index map are counted here; `*` leaves their number open.");
          return NULL;
        }
      g_ptr_array_add (vars, ls_var_new (lambda->syn->items[i]->text, t));
    }
  initial = ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&vars)), span);
  if ((result = apply_to_vars (p, lambda, initial, empty, span)) == NULL || (final = ls_value_to_exprs (p, result, span, "The result")) == NULL)
    return NULL;
  return ls_parse_keep (p, ls_index_map_new (ls_ref (initial), ls_ref (final), inverse != NULL ? ls_ref (inverse) : NULL), span);
}

LsNode *
ls_index_map_from_lambda (LsParse *p,
                          LsValue *lambda,
                          LsSpan   span)
{
  return LS_NODE (index_map_from (p, lambda, LS_INT64, NULL, span));
}

static LsValue *
handle_index_map (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsDType t = LS_INT64;
  LsIndexMap *inverse = NULL;

  if ((args->slot[2] != NULL && !ls_value_to_dtype (p, args->slot[2], args->span[2], &t)) ||
      (args->slot[1] != NULL && (inverse = index_map_from (p, args->slot[1], t, NULL, args->span[1])) == NULL))
    return NULL;
  return ls_value_node (p, index_map_from (p, args->slot[0], t, inverse, args->span[0]));
}

static LsValue *
handle_target (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsValue *v = args->slot[0];
  LsMap *map = v->kind == LS_VALUE_STRING ? ls_parse_keep (p, ls_target_from_text (v->s), args->span[0])
                                          : ls_value_to_map (p, v, args->span[0], "T.target's options");
  LsNode *mark;

  if (map == NULL)
    return NULL;
  if (args->slot[1] != NULL)
    {
      LsNode *host = args->slot[1]->kind == LS_VALUE_STRING ? ls_parse_keep (p, ls_target_from_text (args->slot[1]->s), args->span[1])
                                                            : ls_value_to_attr (p, args->slot[1], args->span[1]);
      if (host == NULL)
        return NULL;
      map = ls_parse_keep (p, ls_map_set (map, "host", host), args->call);
    }
  map = ls_parse_keep (p, ls_target_complete (map), args->call);
  mark = ls_parse_keep (p, ls_bool (TRUE), args->call);
  return ls_value_node (p, ls_parse_keep (p, ls_map_set (map, LS_SCRIPT_TARGET_KEY, mark), args->call));
}

static LsValue *
handle_meta_var (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  return ls_value_bounded (p, args->slot[0], args->span[0]) != NULL ? ls_value_meta (p, args->slot[0]) : NULL;
}

static const LsEntry ROWS[] = {
  { "Range", "begin end", handle_range, NULL, 0 },
  { "iter_var", "v dom iter_type thread_tag?", handle_iter_var, NULL, 0 },
  { "comm_reducer", "combiner identity", handle_comm_reducer, NULL, 0 },
  { "index_map", "mapping | inverse_index_map? index_dtype?", handle_index_map, NULL, 0 },
  { "target", "target_config host?", handle_target, NULL, 0 },
  { "meta_var", "value", handle_meta_var, NULL, 0 },
};

const LsEntryTable ls_object_entries = { ROWS, G_N_ELEMENTS (ROWS) };
