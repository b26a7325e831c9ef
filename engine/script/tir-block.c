/* tir-block: blocks and what stands in them: T.block, T.init, T.where, T.reads, T.writes, T.block_attr, T.axis.* and
 * T.axis.remap.  A block variable gets the type of its domain; regions are loads, slices or regions of buffers.
 */
#include "engine/script/script-private.h"

/* ---- blocks ----------------------------------------------------------------------------------- */

static LsValue *
handle_block (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_BLOCK, args->call);

  frame->name = "";
  if (args->slot[0] != NULL && (frame->name = ls_value_to_string (p, args->slot[0], args->span[0], "The name of a block")) == NULL)
    return NULL;
  frame->no_realize = args->slot[1] != NULL && args->slot[1]->kind == LS_VALUE_BOOL && args->slot[1]->i != 0;
  return ls_frame_value (p, frame);
}

static LsValue *
handle_init (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);

  if (block == NULL)
    return NULL;
  if (block->init != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has an init already.", block->name);
      return NULL;
    }
  return ls_frame_value (p, ls_frame_new (p, LS_FRAME_INIT, args->call));
}

static LsValue *
none (LsParse *p)
{
  return ls_value_new (p, LS_VALUE_NONE);
}

static LsValue *
handle_where (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  LsValue *v = args->slot[0];
  LsExpr *e;

  if (block == NULL)
    return NULL;
  if (block->predicate != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has a predicate already.", block->name);
      return NULL;
    }
  if (v->kind == LS_VALUE_INT && !v->big && (v->i == 0 || v->i == 1))
    v = ls_value_bool (p, v->i == 1);
  if ((e = ls_value_to_expr (p, v, args->span[0])) == NULL)
    return NULL;
  if (!ls_dtype_is_bool (ls_dtype (e)))
    {
      ls_parse_error (p, args->span[0], "script/type", "The predicate of a block is a condition; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  block->predicate = e;
  return none (p);
}

gboolean
ls_block_add_region (LsParse   *p,
                     LsArgs    *args,
                     LsValue   *v,
                     LsSpan     span,
                     GPtrArray *out)
{
  LsBufferRegion *region = NULL;
  LsDiagnostic *d;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER_REGION))
    region = (LsBufferRegion *) v->node;
  else if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER_LOAD))
    region = ls_load_to_region (p, (LsBufferLoad *) v->node, span);
  else
    {
      d = ls_parse_error (p, span, "script/type", "%s lists regions of buffers; this is %s.", args->name, ls_value_describe (p, v));
      if (d != NULL && v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER))
        ls_diagnostic_set_repair (d, "Write %s[...] with an index or a slice for each dimension.", ((LsBuffer *) v->node)->name);
    }
  if (region == NULL)
    return FALSE;
  g_ptr_array_add (out, region);
  return TRUE;
}

static LsValue *
handle_access (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  LsArray **slot;
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  gboolean ok = TRUE;
  gboolean wrapped = args->n_rest == 1 && ls_value_is_sequence (args->rest[0]);
  guint n = wrapped ? args->rest[0]->n : args->n_rest;

  if (block == NULL)
    return NULL;
  slot = entry->rule == 0 ? &block->reads : &block->writes;
  if (*slot != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has %s already.", block->name, args->name);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    ok = ls_block_add_region (p, args, wrapped ? args->rest[0]->items[i] : args->rest[i], args->rest_spans[wrapped ? 0 : i], out) && ok;
  *slot = ls_parse_keep (p, ls_list_to_array (out), args->call);
  return ok ? none (p) : NULL;
}

static LsValue *
handle_block_attr (LsParse       *p,
                   const LsEntry *entry,
                   LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);

  if (block == NULL)
    return NULL;
  if (block->annotations != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has annotations already.", block->name);
      return NULL;
    }
  block->annotations = ls_value_to_map (p, args->slot[0], args->span[0], "annotations");
  return block->annotations != NULL ? none (p) : NULL;
}

/* ---- block variables ----------------------------------------------------------------------------- */

static LsRange *
axis_domain (LsParse *p,
             LsArgs  *args)
{
  LsValue *v = args->slot[0];
  LsExpr *begin, *end, *extent;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, RANGE))
    return (LsRange *) v->node;
  if (ls_value_is_sequence (v))
    {
      if (v->n != 2)
        {
          ls_parse_error (p, args->span[0], "script/arity", "The domain of a block variable is an extent or (begin, end); this has %u parts.", v->n);
          return NULL;
        }
      begin = ls_value_to_expr (p, v->items[0], args->span[0]);
      end = ls_value_to_expr (p, v->items[1], args->span[0]);
      if (begin == NULL || end == NULL || (extent = ls_eval_math (p, LS_KIND_SUB, end, begin, args->span[0])) == NULL)
        return NULL;
      end = ls_parse_simplify (p, extent);
      return ls_parse_keep (p, ls_range_new (ls_ref (begin), ls_ref (ls_is (end, INT_IMM) ? end : extent)), args->span[0]);
    }
  if ((end = ls_value_to_expr (p, v, args->span[0])) == NULL)
    return NULL;
  return ls_parse_keep (p, ls_range_new (ls_const_int (ls_dtype (end), 0), ls_ref (end)), args->span[0]);
}

static LsValue *
push_axis (LsParse   *p,
           LsFrame   *block,
           LsRange   *domain,
           LsDType    type,
           LsIterType kind,
           LsExpr    *binding,
           LsSpan     span)
{
  LsExpr *min, *extent;
  LsVar *var;

  if ((min = ls_loop_fit (p, domain->min, type, span)) == NULL || (extent = ls_loop_fit (p, domain->extent, type, span)) == NULL)
    return NULL;
  if (!ls_dtype_is_int (ls_dtype (binding)))
    {
      ls_parse_error (p, span, "script/type", "A block variable is bound to a whole number; this has the type %s.", ls_dtype_name (ls_dtype (binding)));
      return NULL;
    }
  var = ls_parse_keep (p, ls_var_new ("v", type), span);
  g_ptr_array_add (block->iter_vars, ls_parse_keep (p, ls_iter_var_new (ls_range_new (ls_ref (min), ls_ref (extent)), ls_ref (var), kind, ""), span));
  g_ptr_array_add (block->iter_values, binding);
  return ls_value_node (p, var);
}

static LsValue *
handle_axis (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  LsDType type = LS_INT32;
  LsRange *domain;
  LsExpr *binding;

  if (block == NULL || (domain = axis_domain (p, args)) == NULL || (binding = ls_value_to_expr (p, args->slot[1], args->span[1])) == NULL ||
      (args->slot[2] != NULL && !ls_value_to_dtype (p, args->slot[2], args->span[2], &type)))
    return NULL;
  type.bits = MAX (type.bits, MAX (ls_dtype (domain->min).bits, ls_dtype (domain->extent).bits));
  return push_axis (p, block, domain, type, (LsIterType) entry->rule, binding, args->call);
}

static LsRange *
loop_domain (LsParse *p,
             LsNode  *var,
             LsSpan   span)
{
  for (guint i = 0; i < p->frames->len; i++)
    {
      LsFrame *frame = p->frames->pdata[i];

      if (frame->kind != LS_FRAME_FOR)
        continue;
      for (guint k = 0; k < frame->vars->len; k++)
        if (frame->vars->pdata[k] == (gpointer) var)
          return ls_parse_keep (p, ls_range_new (ls_ref ((LsExpr *) frame->mins->pdata[k]), ls_ref ((LsExpr *) frame->extents->pdata[k])), span);
    }
  return NULL;
}

static LsValue *
remap_one (LsParse *p,
           LsFrame *block,
           char     kind,
           LsValue *v,
           LsSpan   span)
{
  LsRange *domain;

  if (kind != 'S' && kind != 'R')
    {
      ls_parse_error (p, span, "script/argument", "T.axis.remap knows S (spatial) and R (reduce); `%c` is neither.", kind);
      return NULL;
    }
  if (!(v->kind == LS_VALUE_NODE && ls_is_var (v->node)) || (domain = loop_domain (p, v->node, span)) == NULL)
    {
      LsDiagnostic *d = ls_parse_error (p, span, "script/argument", "T.axis.remap binds to loop variables; this is %s.", ls_value_describe (p, v));

      if (d != NULL)
        ls_diagnostic_set_repair (d, "Write T.axis.%s (extent, value).", kind == 'S' ? "spatial" : "reduce");
      return NULL;
    }
  return push_axis (p, block, domain, ls_dtype (v->node), kind == 'S' ? LS_ITER_DATA_PAR : LS_ITER_COMM_REDUCE, LS_EXPR (v->node), span);
}

static LsValue *
handle_remap (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  const char *kinds;
  LsValue *bindings = args->slot[1];
  LsValue **items;
  gboolean ok = TRUE;

  if (block == NULL || (kinds = ls_value_to_string (p, args->slot[0], args->span[0], "The kinds of T.axis.remap")) == NULL)
    return NULL;
  if (!ls_value_is_sequence (bindings))
    {
      ls_parse_error (p, args->span[1], "script/type", "T.axis.remap takes a list of loop variables; this is %s.", ls_value_describe (p, bindings));
      return NULL;
    }
  if (strlen (kinds) != bindings->n)
    {
      ls_parse_error (p, args->call, "script/arity", "T.axis.remap got %u kinds for %u loop variables.", (guint) strlen (kinds), bindings->n);
      return NULL;
    }
  items = ls_arena_alloc (&p->arena, (bindings->n + 1) * sizeof (LsValue *));
  for (guint i = 0; i < bindings->n; i++)
    {
      items[i] = remap_one (p, block, kinds[i], bindings->items[i], args->span[1]);
      if (items[i] == NULL)
        {
          items[i] = ls_value_poison (p);
          ok = FALSE;
        }
    }
  if (!ok)
    return NULL;
  return bindings->n == 1 ? items[0] : ls_value_list (p, LS_VALUE_LIST, items, bindings->n);
}

static const LsEntry ROWS[] = {
  { "block", "name? no_realize?", handle_block, NULL, 0 },
  { "sblock", "name? no_realize?", handle_block, NULL, 0 },
  { "init", "", handle_init, NULL, 0 },
  { "where", "predicate", handle_where, NULL, 0 },
  { "reads", "*regions", handle_access, NULL, 0 },
  { "writes", "*regions", handle_access, NULL, 1 },
  { "block_attr", "attrs", handle_block_attr, NULL, 0 },
  { "sblock_attr", "attrs", handle_block_attr, NULL, 0 },
  { "axis.spatial", "dom binding dtype?", handle_axis, NULL, LS_ITER_DATA_PAR },
  { "axis.S", "dom binding dtype?", handle_axis, NULL, LS_ITER_DATA_PAR },
  { "axis.reduce", "dom binding dtype?", handle_axis, NULL, LS_ITER_COMM_REDUCE },
  { "axis.R", "dom binding dtype?", handle_axis, NULL, LS_ITER_COMM_REDUCE },
  { "axis.scan", "dom binding dtype?", handle_axis, NULL, LS_ITER_ORDERED },
  { "axis.opaque", "dom binding dtype?", handle_axis, NULL, LS_ITER_OPAQUE },
  { "axis.remap", "kinds bindings dtype?", handle_remap, NULL, 0 },
};

const LsEntryTable ls_block_entries = { ROWS, G_N_ELEMENTS (ROWS) };
