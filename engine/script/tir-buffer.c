/* tir-buffer: T.Buffer, T.match_buffer, T.alloc_buffer, T.decl_buffer, T.allocate and what buffers can do.
 *
 * All take the same parameters; they differ in the default alignment, the type of strides that are given as texts and
 * in where the buffer goes: nowhere, to the function's parameter, to the block, into a scope of its own.
 */
#include "engine/script/script-private.h"

#include "engine/arith/pool.h"

#define BUFFER_SPEC "shape dtype? data? strides? elem_offset? scope? align? offset_factor? buffer_type? axis_separators?"

enum { DTYPE = 1, DATA, STRIDES, ELEM_OFFSET, SCOPE, ALIGN, OFFSET_FACTOR, BUFFER_TYPE, AXIS_SEPARATORS };

/* ---- parts ------------------------------------------------------------------------------------ */

static gboolean
is_word (const char *text)
{
  if (*text == '\0' || g_ascii_isdigit (*text))
    return FALSE;
  while (g_ascii_isalnum (*text) || *text == '_' || (guchar) *text >= 0x80)
    text++;
  return *text == '\0';
}

/* Texts in a shape stand for a dimension of that name: a variable in scope, or a new one. */
static LsArray *
shape_from (LsParse *p,
            LsValue *v,
            LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean many = ls_value_is_sequence (v);

  for (guint i = 0; i < (many ? v->n : 1); i++)
    {
      LsValue *item = many ? v->items[i] : v;
      LsExpr *e;

      if (item->kind == LS_VALUE_STRING)
        {
          LsValue *known = ls_parse_lookup (p, item->s);

          if (!is_word (item->s))
            {
              ls_parse_error (p, span, "script/argument", "A dimension is a number or the name of one; \"%.40s\" is no name.", item->s);
              return NULL;
            }
          if (known == NULL || known->kind != LS_VALUE_NODE || !ls_is_var (known->node))
            {
              known = ls_value_node (p, ls_parse_keep (p, ls_var_new (item->s, LS_INT32), span));
              ls_parse_bind (p, item->s, known);
            }
          item = known;
        }
      if ((e = ls_value_to_expr (p, item, span)) == NULL)
        return NULL;
      if (!ls_dtype_is_int (ls_dtype (e)) && !ls_dtype_is_uint (ls_dtype (e)))
        {
          ls_parse_error (p, span, "script/type", "The extent of a dimension is a whole number; this is %s.", ls_value_describe (p, item));
          return NULL;
        }
      g_ptr_array_add (out, ls_ref (e));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

static LsArray *
strides_from (LsParse *p,
              LsValue *v,
              LsSpan   span,
              LsDType  text_type)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (!ls_value_is_sequence (v))
    {
      ls_parse_error (p, span, "script/type", "strides is a tuple or a list; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  for (guint i = 0; i < v->n; i++)
    {
      LsExpr *e = v->items[i]->kind == LS_VALUE_STRING ? ls_parse_keep (p, (LsExpr *) ls_var_new (v->items[i]->s, text_type), span)
                                                       : ls_value_to_expr (p, v->items[i], span);

      if (e == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (e));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

static LsArray *
separators_from (LsParse *p,
                 LsValue *v,
                 LsSpan   span)
{
  LsArray *array = ls_value_to_exprs (p, v, span, "axis_separators");

  for (guint i = 0; array != NULL && i < ls_array_n (array); i++)
    if (!ls_is (array->items[i], INT_IMM))
      {
        ls_parse_error (p, span, "script/type", "axis_separators holds whole numbers.");
        return NULL;
      }
  return array;
}

static gboolean
int_slot (LsParse    *p,
          LsArgs     *args,
          guint       slot,
          const char *what,
          gint64     *out)
{
  return args->slot[slot] == NULL || ls_value_to_int (p, args->slot[slot], args->span[slot], what, out);
}

static LsVar *
data_slot (LsParse *p,
           LsArgs  *args,
           guint    slot,
           gboolean *ok)
{
  LsValue *v = args->slot[slot];

  *ok = TRUE;
  if (v == NULL)
    return NULL;
  if (v->kind == LS_VALUE_NODE && ls_is_var (v->node) && ls_dtype_is_handle (ls_dtype (v->node)))
    return (LsVar *) v->node;
  *ok = FALSE;
  if (v->kind != LS_VALUE_POISON)
    ls_parse_error (p, args->span[slot], "script/type", "data is a pointer variable; this is %s.", ls_value_describe (p, v));
  return NULL;
}

static LsVar *
fresh_data (LsDType     dtype,
            const char *scope)
{
  LsDType element = ls_dtype_is_bool (dtype) ? LS_DTYPE (LS_TYPE_INT, 8) : dtype;

  return ls_var_new_typed ("$buffer", ls_pointer_type_new (ls_prim_type_new (element), scope));
}

/* The buffer of a call whose parameters from `first` on are those of BUFFER_SPEC. */
LsBuffer *
ls_buffer_from_args (LsParse    *p,
                     LsArgs     *args,
                     guint       first,
                     int         default_align,
                     const char *default_type,
                     gboolean    index_strides)
{
  LsValue **slot = args->slot + first;
  LsSpan *span = args->span + first;
  LsDType dtype = LS_FLOAT32;
  const char *scope = "global", *type = default_type;
  gint64 align = default_align, factor = 0;
  LsArray *shape, *strides = NULL, *separators = NULL;
  LsExpr *offset = NULL;
  LsVar *data;
  gboolean ok;
  LsDType index_type;

  if ((shape = shape_from (p, slot[0], span[0])) == NULL || (slot[DTYPE] != NULL && !ls_value_to_dtype (p, slot[DTYPE], span[DTYPE], &dtype)))
    return NULL;
  index_type = ls_array_n (shape) > 0 ? ls_dtype (shape->items[0]) : LS_INT32;
  data = data_slot (p, args, first + DATA, &ok);
  if (!ok || (slot[STRIDES] != NULL && (strides = strides_from (p, slot[STRIDES], span[STRIDES], index_strides ? index_type : LS_INT32)) == NULL) ||
      (slot[ELEM_OFFSET] != NULL && (offset = ls_value_to_expr (p, slot[ELEM_OFFSET], span[ELEM_OFFSET])) == NULL) ||
      (slot[SCOPE] != NULL && (scope = ls_value_to_string (p, slot[SCOPE], span[SCOPE], "scope")) == NULL) ||
      !int_slot (p, args, first + ALIGN, "align", &align) || !int_slot (p, args, first + OFFSET_FACTOR, "offset_factor", &factor) ||
      (slot[BUFFER_TYPE] != NULL && (type = ls_value_to_string (p, slot[BUFFER_TYPE], span[BUFFER_TYPE], "buffer_type")) == NULL) ||
      (slot[AXIS_SEPARATORS] != NULL && (separators = separators_from (p, slot[AXIS_SEPARATORS], span[AXIS_SEPARATORS])) == NULL))
    return NULL;
  if (*type != '\0' && strcmp (type, "auto") != 0 && strcmp (type, "default") != 0)
    {
      ls_parse_error (p, span[BUFFER_TYPE], "script/argument", "buffer_type is \"auto\" or \"default\"; this is \"%.40s\".", type);
      return NULL;
    }
  if (strides != NULL && ls_array_n (strides) > 0 && ls_array_n (strides) != ls_array_n (shape) &&
      !(ls_array_n (strides) == 1 && ls_array_n (shape) > 0 && strcmp (args->name, "T.alloc_buffer") == 0))   /* TVM's cache_index makes these */
    {
      ls_parse_error (p, span[STRIDES], "script/shape", "There are %u strides for %u dimensions.", ls_array_n (strides), ls_array_n (shape));
      return NULL;
    }
  if (offset == NULL && factor != 0)
    offset = ls_parse_keep (p, (LsExpr *) ls_var_new ("elem_offset", index_type), args->call);
  return ls_parse_keep (p, ls_buffer_new_full (data != NULL ? ls_ref (data) : fresh_data (dtype, scope), dtype, ls_ref (shape),
                                               strides != NULL ? ls_ref (strides) : NULL, offset != NULL ? ls_ref (offset) : NULL,
                                               "$buffer", align > 0 ? align : 64, factor != 0 ? factor : 1,
                                               strcmp (type, "auto") == 0 ? LS_BUFFER_AUTO_BROADCAST : LS_BUFFER_DEFAULT,
                                               separators != NULL ? ls_ref (separators) : NULL), args->call);
}

/* ---- T.Buffer, T.match_buffer, T.alloc_buffer -------------------------------------------------------- */

static LsValue *
handle_buffer (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  return ls_value_node (p, ls_buffer_from_args (p, args, 0, 0, "", FALSE));
}

LsValue *
ls_buffer_proxy (LsParse *p,
                 LsValue *index,
                 LsSyn   *at)
{
  LsArgs args = { .call = at->span, .callee = at->span, .name = "T.Buffer" };
  gboolean keys = index->kind == LS_VALUE_TUPLE && index->n >= 2 &&
                  (index->items[1]->kind == LS_VALUE_STRING || index->items[1]->kind == LS_VALUE_DTYPE) && !(index->items[0]->kind == LS_VALUE_STRING);

  args.slot[0] = index;
  if (keys)
    for (guint i = 0; i < MIN (index->n, 10u); i++)
      args.slot[i] = index->items[i];
  for (guint i = 0; i < LS_MAX_PARAMS; i++)
    args.span[i] = at->b != NULL ? at->b->span : at->span;
  return ls_value_node (p, ls_buffer_from_args (p, &args, 0, 0, "", FALSE));
}

static gboolean
bind_param (LsParse  *p,
            LsArgs   *args,
            LsVar    *var,
            LsBuffer *buffer)
{
  for (guint i = 0; p->func != NULL && i < p->func->params->len; i++)
    if (p->func->params->pdata[i] == var)
      {
        if (p->func->buffers->pdata[i] != NULL)
          ls_parse_error (p, args->span[0], "script/duplicate", "The parameter %s has a buffer already.", var->name);
        p->func->buffers->pdata[i] = buffer;
        return TRUE;
      }
  ls_parse_error (p, args->span[0], "script/argument", "T.match_buffer takes a parameter of the function or a region of a buffer; %s is neither.",
                  var->name);
  return FALSE;
}

static LsValue *
region_extents (LsParse        *p,
                LsBufferRegion *region)
{
  guint n = ls_array_n (region->region);
  LsValue **items = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));

  for (guint i = 0; i < n; i++)
    items[i] = ls_value_node (p, ls_array_at (region->region, i, LsRange)->extent);
  return ls_value_list (p, LS_VALUE_LIST, items, n);
}

/* Extents in front of the buffer's dimensions are 1, the others are theirs (variables of the buffer are given by them). */
static gboolean
region_fits (LsParse        *p,
             LsArgs         *args,
             LsBuffer       *buffer,
             LsBufferRegion *region)
{
  guint n = ls_array_n (buffer->shape), total = ls_array_n (region->region);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  if (n > total)
    {
      ls_parse_error (p, args->call, "script/shape", "The buffer has %u dimensions; the region that it describes has %u.", n, total);
      return FALSE;
    }
  for (guint i = 0; i < total; i++)
    {
      LsExpr *extent = ls_array_at (region->region, i, LsRange)->extent;
      g_autoptr (LsExpr) wanted = i + n < total ? ls_int (1) : ls_ref (ls_array_at (buffer->shape, i + n - total, LsExpr));
      g_autofree char *asked = NULL, *given = NULL;

      if (ls_is_var (wanted) || ls_analyzer_can_prove_equal (analyzer, extent, wanted))
        continue;
      asked = ls_expr_text (wanted);
      given = ls_expr_text (extent);
      ls_parse_error (p, args->call, "script/shape", "Dimension %u of the region is %s long; the buffer that describes it needs %s.", i, given, asked);
      return FALSE;
    }
  return TRUE;
}

static LsValue *
handle_match_buffer (LsParse       *p,
                     const LsEntry *entry,
                     LsArgs        *args)
{
  LsValue *param = args->slot[0];
  LsBufferRegion *region = NULL;
  LsBuffer *buffer;
  LsFrame *block;

  if (param->kind == LS_VALUE_NODE && ls_is (param->node, BUFFER_REGION))
    region = (LsBufferRegion *) param->node;
  else if (param->kind == LS_VALUE_NODE && ls_is (param->node, BUFFER_LOAD) &&
           (region = ls_load_to_region (p, (LsBufferLoad *) param->node, args->span[0])) == NULL)
    return NULL;
  if (region == NULL && !(param->kind == LS_VALUE_NODE && ls_is_var (param->node)))
    {
      ls_parse_error (p, args->span[0], "script/argument", "T.match_buffer takes a parameter of the function or a region of a buffer; this is %s.",
                      ls_value_describe (p, param));
      return NULL;
    }
  if (args->slot[1] == NULL)
    {
      if (region == NULL)
        {
          ls_parse_error (p, args->call, "script/arity", "T.match_buffer lacks its argument `shape`.");
          return NULL;
        }
      args->slot[1] = region_extents (p, region);
      args->slot[2] = ls_value_string (p, ls_dtype_name (region->buffer->dtype));
    }
  if ((buffer = ls_buffer_from_args (p, args, 1, -1, "default", TRUE)) == NULL)
    return NULL;
  if (region == NULL)
    return bind_param (p, args, (LsVar *) param->node, buffer) ? ls_value_node (p, buffer) : NULL;
  if ((block = ls_frame_block (p, args)) == NULL || !region_fits (p, args, buffer, region))
    return NULL;
  g_ptr_array_add (block->match_buffers, ls_parse_keep (p, ls_match_buffer_region_new (ls_ref (buffer), ls_ref (region)), args->call));
  return ls_value_node (p, buffer);
}

static LsValue *
handle_alloc_buffer (LsParse       *p,
                     const LsEntry *entry,
                     LsArgs        *args)
{
  LsBuffer *buffer = ls_buffer_from_args (p, args, 0, -1, "default", FALSE);
  LsFrame *top = ls_frame_top (p);

  if (buffer == NULL)
    return NULL;
  if (top != NULL && top->kind == LS_FRAME_BLOCK)
    g_ptr_array_add (top->alloc_buffers, buffer);
  else if (top != NULL && top->kind == LS_FRAME_FUNC)
    g_ptr_array_add (p->func->allocs, buffer);
  else
    {
      LsDiagnostic *d = ls_parse_error (p, args->call, "script/scope", "%s stands directly in a function or in a block.", args->name);

      if (d != NULL)
        ls_diagnostic_set_repair (d, "Move it to the start of the function.");
    }
  return ls_value_node (p, buffer);
}

/* ---- scopes: T.decl_buffer, T.allocate, T.allocate_const ------------------------------------------------ */

static LsValue *
frame_value (LsParse *p,
             LsFrame *frame)
{
  LsValue *v = ls_value_new (p, LS_VALUE_FRAME);

  v->frame = frame;
  return v;
}

static LsValue *
handle_decl_buffer (LsParse       *p,
                    const LsEntry *entry,
                    LsArgs        *args)
{
  LsBuffer *buffer = ls_buffer_from_args (p, args, 0, 0, "", FALSE);
  LsFrame *frame;

  if (buffer == NULL)
    return NULL;
  frame = ls_frame_new (p, LS_FRAME_DECL, args->call);
  frame->node = (LsNode *) buffer;
  frame->value = ls_value_node (p, buffer);
  frame->no_realize = args->slot[DATA] != NULL;
  return frame_value (p, frame);
}

static LsValue *
handle_allocate (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_ALLOCATE, args->call);
  const char *scope = "global";

  if ((frame->extents_array = ls_value_to_exprs (p, args->slot[0], args->span[0], "extents")) == NULL ||
      !ls_value_to_dtype (p, args->slot[1], args->span[1], &frame->dtype) ||
      (args->slot[2] != NULL && (scope = ls_value_to_string (p, args->slot[2], args->span[2], "scope")) == NULL) ||
      (args->slot[4] != NULL && (frame->annotations = ls_value_to_map (p, args->slot[4], args->span[4], "annotations")) == NULL))
    return NULL;
  frame->value_expr = args->slot[3] != NULL ? ls_value_to_expr (p, args->slot[3], args->span[3]) : ls_parse_keep (p, ls_bool (TRUE), args->call);
  if (frame->value_expr == NULL)
    return NULL;
  frame->node = ls_parse_keep (p, ls_var_new_typed ("v", ls_pointer_type_new (ls_prim_type_new (frame->dtype), scope)), args->call);
  frame->value = ls_value_node (p, frame->node);
  return frame_value (p, frame);
}

/* The numbers of a nested list, row by row. */
static gboolean
flatten_numbers (LsParse   *p,
                 LsValue   *v,
                 LsSpan     span,
                 GPtrArray *out)
{
  LsValue *number;

  if (ls_value_is_sequence (v))
    {
      for (guint i = 0; i < v->n; i++)
        if (!flatten_numbers (p, v->items[i], span, out))
          return FALSE;
      return TRUE;
    }
  number = v;
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, INT_IMM))
    number = ls_value_int (p, ((LsIntImm *) v->node)->value);
  else if (v->kind == LS_VALUE_NODE && ls_is (v->node, FLOAT_IMM))
    number = ls_value_float (p, ((LsFloatImm *) v->node)->value);
  if (ls_value_is_number (number))
    {
      g_ptr_array_add (out, number);
      return TRUE;
    }
  ls_parse_error (p, span, "script/type", "The data of T.allocate_const is numbers; this is %s.", ls_value_describe (p, v));
  return FALSE;
}

static gboolean
append_number (GByteArray *bytes,
               LsDType     t,
               LsValue    *v)
{
  double f = v->kind == LS_VALUE_FLOAT ? v->f : v->big ? (double) (guint64) v->i : (double) v->i;
  float single = (float) f;
  guint64 bits = v->kind == LS_VALUE_FLOAT ? (f > -9.2e18 && f < 9.2e18 ? (guint64) (gint64) f : 0) : (guint64) v->i;
  guint width = ls_dtype_bytes (t);

  if (t.code == LS_TYPE_FLOAT && t.bits == 64)
    memcpy (&bits, &f, 8);
  else if (t.code == LS_TYPE_FLOAT && t.bits == 32)
    {
      guint32 raw;

      memcpy (&raw, &single, 4);
      bits = raw;
    }
  else if (t.code == LS_TYPE_FLOAT && t.bits == 16)
    bits = ls_half_from_double (f);
  else if (t.code == LS_TYPE_BFLOAT)
    {
      guint32 raw;

      memcpy (&raw, &single, 4);
      bits = (raw + 0x7fff + ((raw >> 16) & 1)) >> 16;
    }
  else if (t.code != LS_TYPE_INT && t.code != LS_TYPE_UINT)
    return FALSE;
  for (guint i = 0; i < width; i++)
    {
      guint8 byte = (guint8) (bits >> (8 * i));

      g_byte_array_append (bytes, &byte, 1);
    }
  return TRUE;
}

static LsTensor *
tensor_from (LsParse *p,
             LsArgs  *args,
             LsDType  t,
             LsArray *extents)
{
  g_autoptr (GPtrArray) numbers = g_ptr_array_new ();
  GByteArray *bytes;
  gint64 total = 1, n;

  for (guint i = 0; i < ls_array_n (extents); i++)
    if (!ls_as_int (extents->items[i], &n) || n < 0 || __builtin_mul_overflow (total, n, &total))
      {
        ls_parse_error (p, args->span[2], "script/shape", "The extents of T.allocate_const are constants.");
        return NULL;
      }
  if (!flatten_numbers (p, args->slot[0], args->span[0], numbers))
    return NULL;
  if (numbers->len != total)
    {
      ls_parse_error (p, args->span[0], "script/shape", "There are %u numbers for %" PRId64 " elements.", numbers->len, total);
      return NULL;
    }
  bytes = g_byte_array_new ();
  for (guint i = 0; i < numbers->len; i++)
    if (!append_number (bytes, t, numbers->pdata[i]))
      {
        g_byte_array_unref (bytes);
        ls_parse_error (p, args->span[1], "script/dtype", "Constants of type %s are not written as numbers.", ls_dtype_name (t));
        return NULL;
      }
  return ls_parse_keep (p, ls_tensor_new (t, ls_ref (extents), g_byte_array_free_to_bytes (bytes)), args->call);
}

static LsValue *
handle_allocate_const (LsParse       *p,
                       const LsEntry *entry,
                       LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_ALLOCATE_CONST, args->call);

  if (!ls_value_to_dtype (p, args->slot[1], args->span[1], &frame->dtype) ||
      (frame->extents_array = ls_value_to_exprs (p, args->slot[2], args->span[2], "extents")) == NULL ||
      (args->slot[3] != NULL && (frame->annotations = ls_value_to_map (p, args->slot[3], args->span[3], "annotations")) == NULL) ||
      (frame->extra = (LsNode *) tensor_from (p, args, frame->dtype, frame->extents_array)) == NULL)
    return NULL;
  frame->node = ls_parse_keep (p, ls_var_new_typed ("v", ls_pointer_type_new (ls_prim_type_new (frame->dtype), "")), args->call);
  frame->value = ls_value_node (p, frame->node);
  return frame_value (p, frame);
}

/* ---- methods of buffers ------------------------------------------------------------------------------- */

static gboolean
access_mask (LsParse *p,
             LsArgs  *args,
             gint64  *mask)
{
  LsValue *v = args->slot[0];

  if (v->kind != LS_VALUE_STRING)
    return ls_value_to_int (p, v, args->span[0], "The access mask", mask);
  *mask = 0;
  for (const char *c = v->s; *c != '\0'; c++)
    {
      if (*c != 'r' && *c != 'w')
        {
          ls_parse_error (p, args->span[0], "script/argument", "The access mask is \"r\", \"w\" or \"rw\"; this is \"%.40s\".", v->s);
          return FALSE;
        }
      *mask |= *c == 'r' ? 1 : 2;
    }
  return TRUE;
}

static LsExpr *
buffer_extent (LsParse  *p,
               LsBuffer *buffer,
               LsExpr   *offset,
               LsSpan    span)
{
  guint n = ls_buffer_ndim (buffer);
  LsExpr *extent;

  if (n == 0)
    return ls_parse_keep (p, ls_const_int (ls_buffer_index_dtype (buffer), 1), span);
  if (ls_array_n (buffer->strides) == n)
    extent = ls_eval_math (p, LS_KIND_MUL, ls_array_at (buffer->strides, 0, LsExpr), ls_array_at (buffer->shape, 0, LsExpr), span);
  else
    {
      extent = ls_parse_keep (p, ls_int (1), span);
      for (guint i = 0; i < n && extent != NULL; i++)
        extent = ls_eval_math (p, LS_KIND_MUL, extent, ls_array_at (buffer->shape, i, LsExpr), span);
    }
  return extent != NULL ? ls_eval_math (p, LS_KIND_SUB, extent, offset, span) : NULL;
}

static LsValue *
access_ptr (LsParse  *p,
            LsBuffer *buffer,
            LsSyn    *call)
{
  LsArgs args;
  LsDType type = LS_HANDLE, content = buffer->dtype;
  gint64 mask, lanes = 1;
  LsExpr *offset, *extent, *start;

  if (!ls_args_bind (p, "access_ptr", "access_mask ptr_type? content_lanes? offset? extent?", call, &args) || !access_mask (p, &args, &mask) ||
      (args.slot[1] != NULL && !ls_value_to_dtype (p, args.slot[1], args.span[1], &type)) ||
      (args.slot[2] != NULL && !ls_value_to_int (p, args.slot[2], args.span[2], "content_lanes", &lanes)))
    return NULL;
  offset = args.slot[3] != NULL ? ls_value_to_expr (p, args.slot[3], args.span[3]) : ls_keep (p, ls_int (0), call);
  if (offset == NULL || (extent = buffer_extent (p, buffer, offset, call->span)) == NULL ||
      (start = ls_eval_math (p, LS_KIND_ADD, buffer->elem_offset, offset, call->span)) == NULL)
    return NULL;
  if (lanes > 1 && lanes <= G_MAXUINT16)
    {
      LsExpr *k = ls_keep (p, ls_const_int (ls_dtype (buffer->elem_offset), lanes), call);

      content = ls_dtype_with_lanes (content, (guint) lanes);
      extent = ls_eval_math (p, LS_KIND_DIV, extent, k, call->span);
      start = ls_eval_math (p, LS_KIND_DIV, buffer->elem_offset, k, call->span);
    }
  if (args.slot[4] != NULL)
    extent = ls_value_to_expr (p, args.slot[4], args.span[4]);
  if (extent == NULL || start == NULL)
    return NULL;
  return ls_value_node (p, ls_keep (p, ls_call_op ("tir.tvm_access_ptr", type,
                                                   ls_array_of (ls_call_op ("tir.type_annotation", content, ls_array_empty ()), ls_ref (buffer->data),
                                                                ls_ref (start), ls_ref (extent), ls_int (mask), NULL)), call));
}

/* Indices of vload and vstore: the last one spread over `lanes`. */
static LsArray *
vector_indices (LsParse  *p,
                LsBuffer *buffer,
                LsValue  *begin,
                guint     lanes,
                LsSpan    span)
{
  LsArray *indices = ls_eval_indices (p, buffer, begin, span);
  guint n = ls_array_n (indices);
  LsExpr *last;

  if (indices == NULL || lanes <= buffer->dtype.lanes || n == 0)
    return indices;
  last = ls_array_at (indices, n - 1, LsExpr);
  if (ls_dtype (last).lanes > 1)
    return indices;
  last = ls_parse_keep (p, ls_ramp_new (ls_ref (last), ls_const_int (ls_dtype (last), 1), ls_int (lanes / buffer->dtype.lanes)), span);
  return ls_parse_keep (p, ls_array_with (indices, n - 1, last), span);
}

static LsValue *
vector_load (LsParse  *p,
             LsBuffer *buffer,
             LsSyn    *call)
{
  LsArgs args;
  LsDType type = buffer->dtype;
  LsArray *indices;

  if (!ls_args_bind (p, "vload", "begin dtype? predicate?", call, &args) ||
      (args.slot[1] != NULL && !ls_value_to_dtype (p, args.slot[1], args.span[1], &type)) ||
      (indices = vector_indices (p, buffer, args.slot[0], type.lanes, call->span)) == NULL)
    return NULL;
  if (args.slot[2] != NULL)
    {
      LsExpr *predicate = ls_value_to_expr (p, args.slot[2], args.span[2]);

      return predicate == NULL ? NULL : ls_value_node (p, ls_keep (p, ls_buffer_load_new (ls_ref (buffer), ls_ref (indices), ls_ref (predicate)), call));
    }
  return ls_value_node (p, ls_keep (p, ls_buffer_load_new (ls_ref (buffer), ls_ref (indices), NULL), call));
}

static LsValue *
vector_store (LsParse  *p,
              LsBuffer *buffer,
              LsSyn    *call)
{
  LsArgs args;
  LsExpr *value, *predicate = NULL;
  LsArray *indices;
  LsValue *v;

  if (!ls_args_bind (p, "vstore", "begin value predicate?", call, &args) || (value = ls_value_to_expr (p, args.slot[1], args.span[1])) == NULL ||
      (args.slot[2] != NULL && (predicate = ls_value_to_expr (p, args.slot[2], args.span[2])) == NULL) ||
      (indices = vector_indices (p, buffer, args.slot[0], ls_dtype (value).lanes, call->span)) == NULL)
    return NULL;
  v = ls_value_new (p, LS_VALUE_STORE);
  v->node = ls_keep (p, ls_buffer_store_new (ls_ref (buffer), ls_ref (value), ls_ref (indices), predicate != NULL ? ls_ref (predicate) : NULL), call);
  return v;
}

static LsValue *
cast_method (LsParse *p,
             LsValue *self,
             LsSyn   *call)
{
  LsArgs args;
  LsDType t;
  LsExpr *e;

  if (!ls_args_bind (p, "astype", "dtype", call, &args) || !ls_value_to_dtype (p, args.slot[0], args.span[0], &t) ||
      (e = ls_value_to_expr (p, self, call->span)) == NULL)
    return NULL;
  return ls_value_node (p, ls_keep (p, ls_cast (t, ls_ref (e)), call));
}

LsValue *
ls_eval_method (LsParse *p,
                LsValue *method,
                LsSyn   *call)
{
  LsValue *self = method->items[0];
  LsBuffer *buffer = ls_is (self->node, BUFFER) ? (LsBuffer *) self->node : NULL;

  if (strcmp (method->s, "astype") == 0)
    return cast_method (p, self, call);
  if (buffer != NULL && strcmp (method->s, "access_ptr") == 0)
    return access_ptr (p, buffer, call);
  if (buffer != NULL && strcmp (method->s, "vload") == 0)
    return vector_load (p, buffer, call);
  if (buffer != NULL && strcmp (method->s, "vstore") == 0)
    return vector_store (p, buffer, call);
  if (buffer != NULL && strcmp (method->s, "scope") == 0)
    return ls_value_string (p, g_intern_string (ls_buffer_scope (buffer)));
  ls_parse_error (p, call->span, "script/unsupported", "The method %s is not carried out in a script.", method->s);
  return NULL;
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static const LsEntry ROWS[] = {
  { "Buffer", BUFFER_SPEC, handle_buffer, NULL, 0 },
  { "Tensor", BUFFER_SPEC, handle_buffer, NULL, 0 },
  { "buffer_decl", BUFFER_SPEC, handle_buffer, NULL, 0 },
  { "match_buffer", "param shape? dtype? data? strides? elem_offset? scope? align? offset_factor? buffer_type? axis_separators?",
    handle_match_buffer, NULL, 0 },
  { "alloc_buffer", BUFFER_SPEC, handle_alloc_buffer, NULL, 0 },
  { "sblock_alloc_buffer", BUFFER_SPEC, handle_alloc_buffer, NULL, 0 },
  { "decl_buffer", BUFFER_SPEC, handle_decl_buffer, NULL, 0 },
  { "allocate", "extents dtype scope? condition? annotations?", handle_allocate, NULL, 0 },
  { "allocate_const", "data dtype extents annotations?", handle_allocate_const, NULL, 0 },
};

const LsEntryTable ls_buffer_entries = { ROWS, G_N_ELEMENTS (ROWS) };
