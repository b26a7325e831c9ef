/* eval-attr: attributes, indices and methods of a script's values.
 *
 * Python modules are dotted paths; those that carry the language have short names: "T" (tvm.script.tir and its later
 * and builder names), "I" (tvm.script.ir), "R" (tvm.script.relax).
 */
#include "engine/script/script-private.h"

#include "engine/base/plural.h"

/* ---- modules ------------------------------------------------------------------------------- */

static const struct { const char *path; const char *space; } SPACES[] = {
  { "tvm.script.tir", "T" }, { "tvm.script.parser.tir", "T" }, { "tvm.script.tirx", "T" }, { "tvm.script.parser.tirx", "T" },
  { "tvm.script.s_tir", "T" }, { "tvm.script.parser.s_tir", "T" },
  { "tvm.script.ir_builder.tir", "T" }, { "tvm.tir", "T" }, { "tvm.tirx", "T" }, { "tvm.s_tir", "T" }, { "tvm.tir.op", "T" },
  { "tvm.tir.expr", "T" }, { "tvm.tir.stmt", "T" }, { "T.op", "T" }, { "T.expr", "T" },
  { "tvm.script.ir", "I" }, { "tvm.script.parser.ir", "I" }, { "tvm.script.ir_builder.ir", "I" },
  { "tvm.script.relax", "R" }, { "tvm.relax", "R" }, { "tvm.relax.op", "R" }, { "R.op", "R" }, { "tvm.script.parser.relax", "R" },
  { "tvm.script.ir_module", "I.ir_module" }, { "tvm.script.prim_func", "T.prim_func" },
  { "tvm.target.Target", "T.target" },
};

LsValue *
ls_module_value (LsParse    *p,
                 const char *path)
{
  LsValue *v = ls_value_new (p, LS_VALUE_MODULE);

  v->s = path;
  for (guint i = 0; i < G_N_ELEMENTS (SPACES); i++)
    if (strcmp (SPACES[i].path, path) == 0)
      v->s = SPACES[i].space;
  if (strcmp (v->s, "T.target") == 0)
    {
      v->kind = LS_VALUE_FUNC;
      v->entry = ls_entry_lookup ("T", "target");
    }
  return v;
}

static gboolean
is_space (const char *path)
{
  return strcmp (path, "T") == 0 || strcmp (path, "I") == 0 || strcmp (path, "R") == 0;
}

static LsValue *
dtype_member (LsParse    *p,
              const char *name)
{
  LsValue *v = ls_value_new (p, LS_VALUE_DTYPE);

  if (strcmp (name, "boolean") == 0)
    v->dtype = LS_BOOL;
  else if (strcmp (name, "void") == 0)
    v->dtype = LS_VOID;
  else if (!ls_dtype_parse (name, &v->dtype))
    return NULL;
  return v;
}

LsValue *
ls_eval_member (LsParse    *p,
                const char *space,
                const char *name,
                LsSyn      *at)
{
  const LsEntry *entry = ls_entry_lookup (space, name);
  const char *near;
  LsDiagnostic *d;
  LsValue *v;

  if (entry == NULL && strcmp (space, "I") == 0 && strcmp (name, "dynamic") == 0)
    entry = ls_entry_lookup ("T", name);                 /* the same under both names */
  if (strcmp (space, "R") == 0 && (strcmp (name, "vdevice") == 0 || strcmp (name, "dummy_global_info") == 0))
    entry = ls_entry_lookup ("I", name);                 /* where 2026 has them */
  if (entry != NULL)
    {
      v = ls_value_new (p, LS_VALUE_FUNC);
      v->entry = entry;
      return v;
    }
  if (strcmp (space, "T") == 0 && (v = dtype_member (p, name)) != NULL)
    return v;
  if (strcmp (space, "T") == 0 && (strcmp (name, "axis") == 0 || strcmp (name, "IndexMap") == 0))
    return ls_module_value (p, ls_arena_join (&p->arena, "T.", name, ""));
  if (strcmp (space, "T") == 0 && (strcmp (name, "op") == 0 || strcmp (name, "expr") == 0))
    return ls_module_value (p, "T");
  if (p->quiet || strcmp (space, "R") == 0)
    return ls_module_value (p, ls_arena_join (&p->arena, space, ".", name));
  if (p->host != NULL && at->kind == LS_SYN_ATTR)
    return ls_host_eval (p, at);
  near = ls_entry_nearest (space, name);
  d = ls_parse_error (p, at->name_span.source != 0 ? at->name_span : at->span, "script/unknown-attribute", "%s has no member `%s`.", space, name);
  if (near != NULL)
    {
      ls_diagnostic_set_repair (d, "Did you mean `%s.%s`?", space, near);
      if (at->name_span.source != 0)
        ls_diagnostic_set_fix (d, at->name_span, near);
    }
  return NULL;
}

static LsValue *
module_attr (LsParse    *p,
             const char *path,
             LsSyn      *syn)
{
  char *joined;

  if (is_space (path))
    return ls_eval_member (p, path, syn->text, syn);
  joined = ls_arena_join (&p->arena, path, ".", syn->text);
  if (strcmp (joined, "T.IndexMap.AXIS_SEPARATOR") == 0 || strcmp (joined, "tvm.te.AXIS_SEPARATOR") == 0)
    return ls_value_node (p, ls_keep (p, ls_string_imm_new ("axis_separator"), syn));
  if (strcmp (joined, "T.IndexMap.from_func") == 0)
    return ls_eval_member (p, "T", "index_map", syn);
  if (strcmp (path, "T.axis") == 0)
    {
      const LsEntry *entry = ls_entry_lookup ("T", joined + 2);
      LsValue *v;

      if (entry == NULL)
        {
          LsDiagnostic *d = ls_parse_error (p, syn->name_span, "script/unknown-attribute", "T.axis has no member `%s`.", syn->text);

          if (d != NULL)
            ls_diagnostic_set_repair (d, "It has spatial, reduce, scan, opaque and remap.");
          return NULL;
        }
      v = ls_value_new (p, LS_VALUE_FUNC);
      v->entry = entry;
      return v;
    }
  return ls_module_value (p, joined);
}

/* ---- attributes of nodes ----------------------------------------------------------------------- */

static LsValue *
array_value (LsParse *p,
             LsArray *array)
{
  guint n = ls_array_n (array);
  LsValue **items = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));

  for (guint i = 0; i < n; i++)
    items[i] = ls_value_node (p, array->items[i]);
  return ls_value_list (p, LS_VALUE_LIST, items, n);
}

static LsValue *
method_value (LsParse    *p,
              LsValue    *self,
              const char *name)
{
  LsValue *v = ls_value_new (p, LS_VALUE_METHOD);

  v->s = name;
  v->items = ls_arena_alloc (&p->arena, sizeof (LsValue *));
  v->items[0] = self;
  v->n = 1;
  return v;
}

static LsValue *
no_attr (LsParse           *p,
         LsValue           *base,
         LsSyn             *syn,
         const char *const *names,
         guint              n)
{
  const char *near = ls_script_nearest (syn->text, names, n);
  LsDiagnostic *d = ls_parse_error (p, syn->name_span, "script/unknown-attribute", "%s has no attribute `%s`.",
                                    ls_value_describe (p, base), syn->text);

  if (near != NULL)
    {
      ls_diagnostic_set_repair (d, "Did you mean `%s`?", near);
      ls_diagnostic_set_fix (d, syn->name_span, near);
    }
  return NULL;
}

static LsValue *
buffer_attr (LsParse *p,
             LsValue *base,
             LsSyn   *syn)
{
  static const char *const NAMES[] = {
    "data", "shape", "strides", "elem_offset", "dtype", "name", "data_alignment", "offset_factor", "axis_separators",
    "access_ptr", "vload", "vstore", "scope", "offset_of", "get_flattened_buffer",
  };
  LsBuffer *buffer = (LsBuffer *) base->node;

  if (strcmp (syn->text, "data") == 0)
    return ls_value_node (p, buffer->data);
  if (strcmp (syn->text, "shape") == 0)
    return array_value (p, buffer->shape);
  if (strcmp (syn->text, "strides") == 0)
    return array_value (p, buffer->strides);
  if (strcmp (syn->text, "axis_separators") == 0)
    return array_value (p, buffer->axis_separators);
  if (strcmp (syn->text, "elem_offset") == 0)
    return ls_value_node (p, buffer->elem_offset);
  if (strcmp (syn->text, "dtype") == 0)
    return ls_value_string (p, ls_dtype_name (buffer->dtype));
  if (strcmp (syn->text, "name") == 0)
    return ls_value_string (p, ls_arena_strndup (&p->arena, buffer->name, strlen (buffer->name)));
  if (strcmp (syn->text, "data_alignment") == 0)
    return ls_value_int (p, buffer->data_alignment);
  if (strcmp (syn->text, "offset_factor") == 0)
    return ls_value_int (p, buffer->offset_factor);
  for (guint i = 9; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (syn->text, NAMES[i]) == 0)
      return method_value (p, base, NAMES[i]);
  return no_attr (p, base, syn, NAMES, G_N_ELEMENTS (NAMES));
}

static LsValue *
expr_attr (LsParse *p,
           LsValue *base,
           LsSyn   *syn)
{
  static const char *const NAMES[] = { "dtype", "astype", "name", "equal", "value", "var", "buffer", "indices" };
  LsExpr *e = ls_is (base->node, ITER_VAR) ? LS_EXPR (((LsIterVar *) base->node)->var)
            : ls_is_expr (base->node) ? LS_EXPR (base->node) : NULL;

  if (strcmp (syn->text, "dtype") == 0 && e != NULL)
    return ls_value_string (p, ls_dtype_name (ls_dtype (e)));
  if (strcmp (syn->text, "astype") == 0 || strcmp (syn->text, "equal") == 0)
    return method_value (p, base, syn->text);
  if (strcmp (syn->text, "name") == 0 && ls_is_var (e))
    return ls_value_string (p, ls_arena_strndup (&p->arena, ((LsVar *) e)->name, strlen (((LsVar *) e)->name)));
  if (strcmp (syn->text, "var") == 0 && ls_is (base->node, ITER_VAR))
    return ls_value_node (p, e);
  if (strcmp (syn->text, "value") == 0 && ls_is (e, INT_IMM))
    return ls_value_int (p, ((LsIntImm *) e)->value);
  if (strcmp (syn->text, "buffer") == 0 && ls_is (e, BUFFER_LOAD))
    return ls_value_node (p, ((LsBufferLoad *) e)->buffer);
  if (strcmp (syn->text, "indices") == 0 && ls_is (e, BUFFER_LOAD))
    return array_value (p, ((LsBufferLoad *) e)->indices);
  return no_attr (p, base, syn, NAMES, G_N_ELEMENTS (NAMES));
}

static LsValue *
ir_module_attr (LsParse *p,
                LsSyn   *syn)
{
  LsNode *gvar = p->globals != NULL ? g_hash_table_lookup (p->globals, syn->text) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;
  const char *near;
  LsDiagnostic *d;

  if (gvar != NULL)
    return ls_value_node (p, gvar);
  if (p->globals != NULL)
    {
      g_hash_table_iter_init (&iter, p->globals);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        g_ptr_array_add (names, key);
    }
  d = ls_parse_error (p, syn->name_span, "script/unknown-attribute", "The module has no function `%s`.", syn->text);
  near = ls_script_nearest (syn->text, (const char *const *) names->pdata, names->len);
  if (near != NULL)
    {
      ls_diagnostic_set_repair (d, "Did you mean `%s`?", near);
      ls_diagnostic_set_fix (d, syn->name_span, near);
    }
  return NULL;
}

static LsValue *
attribute (LsParse *p,
           LsValue *base,
           LsSyn   *syn)
{
  if (base->kind == LS_VALUE_META)
    base = base->items[0];
  if (base->kind == LS_VALUE_MODULE)
    return module_attr (p, base->s, syn);
  if (base->kind == LS_VALUE_IR_MODULE)
    return ir_module_attr (p, syn);
  if (base->kind == LS_VALUE_OPAQUE && p->quiet)
    return base;
  if (base->kind == LS_VALUE_FOREIGN)
    return ls_host_attribute (p, base, syn);
  if (base->kind == LS_VALUE_NODE && ls_is (base->node, BUFFER))
    return buffer_attr (p, base, syn);
  if (ls_value_is_expr (base))
    return expr_attr (p, base, syn);
  if (base->kind == LS_VALUE_NODE && ls_is_relax_expr (base->node) && strcmp (syn->text, "struct_info") == 0)
    return ls_value_node (p, ls_parse_keep (p, ls_relax_struct_info (base->node), syn->span));
  if (p->quiet)
    return ls_value_new (p, LS_VALUE_OPAQUE);
  if (base->kind == LS_VALUE_NODE && p->host != NULL && (base->foreign != NULL || ls_is_relax_expr (base->node) || ls_is_struct_info (base->node)))
    return ls_host_node_attribute (p, base, syn);
  return no_attr (p, base, syn, NULL, 0);
}

LsValue *
ls_eval_attr (LsParse *p,
              LsSyn   *syn)
{
  LsValue *base;

  p->callee = NULL;
  base = ls_eval (p, syn->a);
  return base == NULL || base->kind == LS_VALUE_POISON ? NULL : attribute (p, base, syn);
}

LsValue *
ls_eval_attr_of (LsParse    *p,
                 LsValue    *base,
                 const char *name,
                 LsSyn      *at)
{
  LsSyn syn = *at;

  syn.kind = LS_SYN_ATTR;
  syn.text = name;
  return base == NULL || base->kind == LS_VALUE_POISON ? NULL : attribute (p, base, &syn);
}

/* ---- indices ----------------------------------------------------------------------------------- */

static LsExpr *
index_expr (LsParse *p,
            LsValue *v,
            LsSpan   span)
{
  LsExpr *e = ls_value_to_expr (p, v, span);

  if (e == NULL)
    return NULL;
  if (ls_dtype_is_int (ls_dtype (e)) || ls_dtype_is_uint (ls_dtype (e)))
    return e;
  ls_parse_error (p, span, "script/type", "An index is a whole number; this is %s.", ls_value_describe (p, v));
  return NULL;
}

static LsExpr *
index_one (LsParse *p,
           LsDType  t,
           LsSpan   span)
{
  return ls_parse_keep (p, ls_const_int (t, 1), span);
}

/* start:stop of dimension `dim` */
static gboolean
slice_bounds (LsParse  *p,
              LsBuffer *buffer,
              guint     dim,
              LsValue  *slice,
              LsSpan    span,
              LsExpr  **start,
              LsExpr  **stop)
{
  if (dim >= ls_buffer_ndim (buffer) && slice->items[1] == NULL)
    return FALSE;
  *stop = slice->items[1] != NULL ? index_expr (p, slice->items[1], span) : ls_array_at (buffer->shape, dim, LsExpr);
  if (*stop == NULL)
    return FALSE;
  *start = slice->items[0] != NULL ? index_expr (p, slice->items[0], span) : ls_parse_keep (p, ls_int (0), span);
  return *start != NULL;
}

static LsRange *
slice_range (LsParse  *p,
             LsBuffer *buffer,
             guint     dim,
             LsValue  *slice,
             LsSpan    span)
{
  LsExpr *start, *stop, *extent;

  if (!slice_bounds (p, buffer, dim, slice, span, &start, &stop) ||
      (extent = ls_eval_math (p, LS_KIND_SUB, stop, start, span)) == NULL)
    return NULL;
  extent = ls_parse_simplify (p, extent);
  return ls_parse_keep (p, ls_range_new (ls_ref (start), ls_ref (extent)), span);
}

/* A vector of these lanes: a number, or vscale () times one; NULL for others. */
static LsExpr *
vector_of (LsExpr *start,
           LsExpr *step,
           LsExpr *lanes)
{
  LsExpr *ramp = ls_ramp_new (ls_ref (start), ls_ref (step), ls_ref (lanes));
  gint64 n;

  if (ls_dtype_is_scalable (ls_dtype (ramp)) || (ls_as_int (lanes, &n) && n >= 1 && n <= G_MAXUINT16))
    return ramp;
  ls_unref (ramp);
  return NULL;
}

/* start:stop:step as a ramp; the start alone when it is one element.  Backwards, as 3:-1:-1, the stop is one step past the last element too: it is
 * what the printer writes for T.Ramp(3, -1, 4). */
static LsExpr *
slice_ramp (LsParse  *p,
            LsBuffer *buffer,
            guint     dim,
            LsValue  *slice,
            LsSpan    span)
{
  LsExpr *start, *stop, *step, *lanes, *x;
  gint64 n;

  if (!slice_bounds (p, buffer, dim, slice, span, &start, &stop))
    return NULL;
  step = slice->items[2] != NULL ? index_expr (p, slice->items[2], span) : index_one (p, ls_dtype (start), span);
  if (step == NULL)
    return NULL;
  if (ls_is (step, INT_IMM) && !ls_dtype_equal (ls_dtype (step), ls_dtype (start)))
    step = ls_value_int_imm (p, ls_dtype (start), ((LsIntImm *) step)->value, span);
  if (step == NULL || (x = ls_eval_math (p, LS_KIND_SUB, stop, start, span)) == NULL ||
      (x = ls_eval_math (p, LS_KIND_ADD, x, step, span)) == NULL ||
      (x = ls_eval_math (p, ls_is (step, INT_IMM) && ((LsIntImm *) step)->value < 0 ? LS_KIND_ADD : LS_KIND_SUB, x,
                         index_one (p, ls_dtype (step), span), span)) == NULL ||
      (lanes = ls_eval_math (p, LS_KIND_FLOOR_DIV, x, step, span)) == NULL)
    return NULL;
  lanes = ls_parse_simplify (p, lanes);
  if (ls_as_int (lanes, &n) && n == 1)
    return start;
  if (!ls_dtype_equal (ls_dtype (step), ls_dtype (start)))
    {
      ls_parse_error (p, span, "script/type", "Start and step have one type; these have %s and %s.", ls_dtype_name (ls_dtype (start)),
                      ls_dtype_name (ls_dtype (step)));
      return NULL;
    }
  if ((x = vector_of (start, step, lanes)) == NULL)
    {
      ls_parse_error (p, span, "script/shape", "A slice with a step takes a constant number of elements, 1 to %d, or vscale () times one.", G_MAXUINT16);
      return NULL;
    }
  return ls_parse_keep (p, x, span);
}

static gboolean
check_rank (LsParse  *p,
            LsBuffer *buffer,
            guint     n,
            LsSpan    span)
{
  if (n == ls_buffer_ndim (buffer))
    return TRUE;
  ls_parse_error (p, span, "script/shape", 
                  ls_translate_plural ("The buffer %s has %u dimension; it is indexed with %u.", "The buffer %s has %u dimensions; it is indexed with %u.",
                                       ls_buffer_ndim (buffer)),
                  buffer->name, ls_buffer_ndim (buffer), n);
  return FALSE;
}

static gboolean
has_slice (LsValue *index,
           gboolean stepped)
{
  if (index->kind == LS_VALUE_SLICE)
    return !stepped || index->items[2] != NULL;
  if (ls_value_is_sequence (index))
    for (guint i = 0; i < index->n; i++)
      if (index->items[i]->kind == LS_VALUE_SLICE && (!stepped || index->items[i]->items[2] != NULL))
        return TRUE;
  return FALSE;
}

LsArray *
ls_eval_indices (LsParse  *p,
                 LsBuffer *buffer,
                 LsValue  *index,
                 LsSpan    span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean many = ls_value_is_sequence (index);
  guint n = many ? index->n : 1;

  if (!check_rank (p, buffer, n, span))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      LsValue *item = many ? index->items[i] : index;
      LsExpr *e = item->kind == LS_VALUE_SLICE ? slice_ramp (p, buffer, i, item, span) : index_expr (p, item, span);

      if (e == NULL)
        return NULL;
      if (ls_dtype (e).lanes > 1 && i + 1 < n)
        {
          ls_parse_error (p, span, "script/shape", "Only the last index may take several elements at once.");
          return NULL;
        }
      g_ptr_array_add (out, ls_ref (e));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

static LsValue *
region_value (LsParse  *p,
              LsBuffer *buffer,
              LsValue  *index,
              LsSpan    span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean many = ls_value_is_sequence (index);
  guint n = many ? index->n : 1;

  if (!check_rank (p, buffer, n, span))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      LsValue *item = many ? index->items[i] : index;
      LsRange *range = NULL;

      if (item->kind == LS_VALUE_SLICE)
        range = slice_range (p, buffer, i, item, span);
      else
        {
          LsExpr *e = index_expr (p, item, span);

          if (e != NULL)
            range = ls_parse_keep (p, ls_range_new (ls_ref (e), ls_const_int (ls_dtype (e), 1)), span);
        }
      if (range == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (range));
    }
  return ls_value_node (p, ls_parse_keep (p, ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (g_steal_pointer (&out))), span));
}

static LsValue *
buffer_index (LsParse  *p,
              LsBuffer *buffer,
              LsValue  *index,
              LsSpan    span)
{
  LsArray *indices;

  if (has_slice (index, FALSE) && !has_slice (index, TRUE))
    return region_value (p, buffer, index, span);
  indices = ls_eval_indices (p, buffer, index, span);
  if (indices == NULL)
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_buffer_load_new (ls_ref (buffer), ls_ref (indices), NULL), span));
}

LsExpr *
ls_region_to_load (LsParse        *p,
                   LsBufferRegion *region,
                   LsSpan          span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint n = ls_array_n (region->region);

  for (guint i = 0; i < n; i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);
      g_autoptr (LsExpr) step = NULL;
      LsExpr *ramp;

      if (ls_is_one (range->extent))
        {
          g_ptr_array_add (out, ls_ref (range->min));
          continue;
        }
      step = ls_const_int (ls_dtype (range->min), 1);
      if (i + 1 < n || (ramp = vector_of (range->min, step, range->extent)) == NULL)
        {
          ls_parse_error (p, span, "script/shape", "A slice stands for one vector here: a constant number of elements in the last dimension.");
          return NULL;
        }
      g_ptr_array_add (out, ramp);
    }
  return ls_parse_keep (p, ls_buffer_load_new (ls_ref (region->buffer), ls_array_take_ptr_array (g_steal_pointer (&out)), NULL), span);
}

LsBufferRegion *
ls_load_to_region (LsParse      *p,
                   LsBufferLoad *load,
                   LsSpan        span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < ls_array_n (load->indices); i++)
    {
      LsExpr *e = ls_array_at (load->indices, i, LsExpr);

      if (ls_is (e, RAMP))
        {
          LsRamp *ramp = (LsRamp *) e;

          if (!ls_is_one (ramp->stride))
            {
              ls_parse_error (p, span, "script/shape", "A region has no gaps; this index takes every n-th element.");
              return NULL;
            }
          g_ptr_array_add (out, ls_range_new (ls_ref (ramp->base), ls_ref (ramp->lanes)));
        }
      else
        g_ptr_array_add (out, ls_range_new (ls_ref (e), ls_const_int (ls_dtype (e), 1)));
    }
  return ls_parse_keep (p, ls_buffer_region_new (ls_ref (load->buffer), ls_array_take_ptr_array (g_steal_pointer (&out))), span);
}

static LsValue *
sequence_index (LsParse *p,
                LsValue *base,
                LsValue *index,
                LsSyn   *at)
{
  gint64 i;

  if (index->kind == LS_VALUE_SLICE)
    {
      gint64 start = 0, stop = base->n;

      if (index->items[2] != NULL || (index->items[0] != NULL && !ls_value_to_int (p, index->items[0], at->span, "A bound", &start)) ||
          (index->items[1] != NULL && !ls_value_to_int (p, index->items[1], at->span, "A bound", &stop)))
        return NULL;
      start = CLAMP (start < 0 ? start + base->n : start, 0, (gint64) base->n);
      stop = CLAMP (stop < 0 ? stop + base->n : stop, start, (gint64) base->n);
      return ls_value_list (p, base->kind, base->items + start, (guint) (stop - start));
    }
  if (!ls_value_to_int (p, index, at->span, "The index of a list", &i))
    return NULL;
  if (i < -(gint64) base->n || i >= (gint64) base->n)
    {
      ls_parse_error (p, at->span, "script/shape", "The index %" PRId64 " is outside of a list of %u.", i, base->n);
      return NULL;
    }
  return base->items[i < 0 ? i + base->n : i];
}

static LsValue *
dict_index (LsParse *p,
            LsValue *base,
            LsValue *index,
            LsSyn   *at)
{
  for (guint i = base->n; i-- > 0;)
    {
      LsValue *key = base->keys[i];

      if ((key->kind == LS_VALUE_STRING && index->kind == LS_VALUE_STRING && strcmp (key->s, index->s) == 0) ||
          (key->kind == LS_VALUE_INT && index->kind == LS_VALUE_INT && key->i == index->i))
        return base->items[i];
    }
  ls_parse_error (p, at->span, "script/unknown-attribute", "The dictionary has no entry for %s.", ls_value_describe (p, index));
  return NULL;
}

/* x[1] of a Relax tuple */
static LsValue *
relax_item (LsParse *p,
            LsValue *base,
            LsValue *index,
            LsSyn   *at)
{
  LsNode *tuple = ls_relax_arg (p, base, at->span);
  LsStructInfo *info = ls_is_relax_var (tuple) ? ((LsRelaxVar *) tuple)->struct_info : NULL;
  gint64 i;

  if (tuple == NULL || !ls_value_to_int (p, index, at->span, "The number of a field", &i))
    return NULL;
  if (ls_is (info, TUPLE_STRUCT_INFO) && (i < 0 || i >= (gint64) ((LsTupleStructInfo *) info)->fields->n))
    {
      ls_parse_error (p, at->span, "script/shape", "The tuple has %u fields; there is no number %" PRId64 ".",
                      ((LsTupleStructInfo *) info)->fields->n, i);
      return NULL;
    }
  return ls_value_node (p, ls_keep (p, ls_tuple_get_item_new (ls_node_ref (tuple), i), at));
}

LsValue *
ls_eval_index_value (LsParse *p,
                     LsValue *base,
                     LsValue *index,
                     LsSyn   *at)
{
  if (base->kind == LS_VALUE_META)
    base = base->items[0];
  if (base->kind == LS_VALUE_NODE && ls_is (base->node, BUFFER))
    return buffer_index (p, (LsBuffer *) base->node, index, at->span);
  if (p->relax != NULL && ls_relax_is_value (base))
    return relax_item (p, base, index, at);
  if (ls_value_is_sequence (base))
    return sequence_index (p, base, index, at);
  if (base->kind == LS_VALUE_DICT)
    return dict_index (p, base, index, at);
  if (base->kind == LS_VALUE_FOREIGN)
    return ls_host_item (p, base, index, at);
  if (base->kind == LS_VALUE_FUNC && base->entry != NULL && strcmp (base->entry->name, "Buffer") == 0)
    return ls_buffer_proxy (p, index, at);
  if (base->kind == LS_VALUE_FUNC && base->entry != NULL && strcmp (base->entry->name, "Ptr") == 0)
    return ls_pointer_proxy (p, index, at);
  if (base->kind == LS_VALUE_FUNC && base->entry != NULL && strcmp (base->entry->name, "let") == 0)
    return index;
  if (p->quiet)
    return ls_value_new (p, LS_VALUE_OPAQUE);
  ls_parse_error (p, at->span, "script/type", "%s has no elements.", ls_value_describe (p, base));
  return NULL;
}

LsValue *
ls_eval_index (LsParse *p,
               LsSyn   *syn)
{
  LsValue *base, *index;

  p->callee = NULL;
  base = ls_eval (p, syn->a);
  index = ls_eval (p, syn->b);
  if (base == NULL || index == NULL || base->kind == LS_VALUE_POISON || index->kind == LS_VALUE_POISON)
    return NULL;
  return ls_eval_index_value (p, base, index, syn);
}
