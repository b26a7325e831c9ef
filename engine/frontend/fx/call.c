/* fx/call: operators by the table of engine/relax/op.  Arguments and attributes are put into the form that the operator's spec asks for, as the
 * functions of TVM's relax.op do; a number beside tensors becomes a constant of their type. */
#include "engine/frontend/frontend-private.h"
#include "engine/relax/pass/pass.h"
#include "engine/topi/topi.h"

#include <string.h>

typedef struct {
  char    *name, *kind, *preset;
  gboolean optional, attribute;
} LsFxParam;

static void
param_clear (gpointer data)
{
  LsFxParam *param = data;

  g_free (param->name);
  g_free (param->kind);
  g_free (param->preset);
}

static GArray *
parse_spec (const char *spec)
{
  g_auto (GStrv) words = g_strsplit (spec, " ", -1);
  GArray *out = g_array_new (FALSE, TRUE, sizeof (LsFxParam));
  gboolean attributes = FALSE;

  g_array_set_clear_func (out, param_clear);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *word = words[i], *equals = strchr (word, '='), *colon;
      LsFxParam param = { 0 };

      attributes |= strcmp (word, "|") == 0;
      if (word[0] == '\0' || strcmp (word, "|") == 0)
        continue;
      if (equals != NULL)
        *equals = '\0';
      param.optional = g_str_has_suffix (word, "?");
      if (param.optional)
        word[strlen (word) - 1] = '\0';
      if ((colon = strchr (word, ':')) != NULL)
        *colon = '\0';
      param.name = g_strdup (word);
      param.kind = g_strdup (colon != NULL ? colon + 1 : "");
      param.preset = equals != NULL ? g_strdup (equals + 1) : NULL;
      param.attribute = attributes;
      g_array_append_val (out, param);
    }
  return out;
}

static GArray *
spec_of (LsFxImport *self,
         const char *op)
{
  GArray *params = g_hash_table_lookup (self->specs, op);
  g_autofree char *full = params == NULL ? g_strconcat ("relax.", op, NULL) : NULL;
  const char *spec = full != NULL ? ls_relax_op_spec (full) : NULL;

  if (params != NULL)
    return params;
  if (spec == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a rule uses %s, which is no operator of Relax", op);
  params = parse_spec (spec);
  g_hash_table_insert (self->specs, g_strdup (op), params);
  return params;
}

/* ---- arguments --------------------------------------------------------------------------- */

static LsNode *
number_node (LsFxValue *value,
             gboolean   real)
{
  if (value->kind == LS_FX_BOOL)
    return LS_NODE (ls_bool (value->i != 0));
  if (value->kind == LS_FX_INT && !real)
    return LS_NODE (ls_int_imm_new (LS_INT64, value->i));
  return LS_NODE (ls_float_imm_new (LS_FLOAT64, ls_fx_number (value)));
}

/* An extent as an expression. (transfer full) */
static LsNode *
extent_node (LsFxImport *self,
             LsFxValue  *value)
{
  if (value->kind == LS_FX_INT || value->kind == LS_FX_BOOL)
    return LS_NODE (ls_int_imm_new (LS_INT64, value->i));
  if (value->kind == LS_FX_NODE && ls_is (value->node, PRIM_VALUE))
    return LS_NODE (ls_ref (((LsPrimValue *) value->node)->value));
  if (value->kind == LS_FX_NODE && !ls_is_relax_expr (value->node))
    return ls_node_ref (value->node);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "an extent is expected, not %s", ls_fx_describe (self, value));
}

static LsArray *
extents_array (LsFxImport *self,
               LsFxValue  *list)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < list->n; i++)
    {
      LsNode *extent = extent_node (self, list->items[i]);

      if (extent != NULL)
        g_ptr_array_add (out, extent);
    }
  return ls_array_take_ptr_array (out);
}

static LsNode *
prim_node (LsFxImport *self,
           LsFxValue  *value)
{
  LsNode *extent;

  if (ls_fx_is_number (value))
    return ls_prim_value_new (LS_EXPR (number_node (value, FALSE)));
  if (value->kind == LS_FX_NODE && ls_is_relax_expr (value->node))
    return ls_node_ref (value->node);
  extent = extent_node (self, value);
  return extent != NULL ? ls_prim_value_new (LS_EXPR (extent)) : NULL;
}

static LsNode *
tuple_node (LsFxImport *self,
            LsFxValue  *list,
            gboolean    prims)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < list->n; i++)
    {
      LsFxValue *item = list->items[i];
      LsNode *node = prims ? prim_node (self, item) : item->kind == LS_FX_LIST ? tuple_node (self, item, FALSE)
                     : item->kind == LS_FX_NODE ? ls_node_ref (item->node) : NULL;

      if (node != NULL)
        g_ptr_array_add (out, node);
      else
        ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a list of tensors is expected; one of it is %s", ls_fx_describe (self, item));
    }
  return ls_relax_tuple_new (ls_array_take_ptr_array (out));
}

/* The type of the first tensor among the values. */
static LsDType
neighbour_dtype (LsFxImport *self,
                 LsFxValue **values,
                 guint       n)
{
  for (guint i = 0; i < n; i++)
    if (ls_fx_is_tensor (self, values[i]))
      return ls_fx_dtype (self, values[i]);
  return LS_FLOAT32;
}

static LsNode *
argument (LsFxImport      *self,
          const LsFxParam *param,
          LsFxValue       *value,
          LsFxValue      **others,
          guint            n_others)
{
  const char *kind = param->kind;
  LsDType dtype;

  if (strcmp (kind, "shape") == 0 && value->kind == LS_FX_LIST)
    return ls_shape_expr_new (extents_array (self, value));
  if (strcmp (kind, "prim") == 0)
    return prim_node (self, value);
  if (value->kind == LS_FX_LIST)
    return tuple_node (self, value, strcmp (kind, "prims") == 0);
  if (strcmp (kind, "type") == 0)
    return ls_fx_to_dtype (self, value, &dtype) ? ls_data_type_imm_new (dtype) : NULL;
  if (value->kind == LS_FX_NODE && ls_is_relax_expr (value->node))
    return ls_node_ref (value->node);
  if (ls_fx_is_number (value))
    {
      LsFxValue *scalar = ls_fx_scalar (self, value, neighbour_dtype (self, others, n_others));

      return scalar != NULL ? ls_node_ref (scalar->node) : NULL;
    }
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`%s` is a tensor, not %s", param->name, ls_fx_describe (self, value));
}

/* ---- attributes ---------------------------------------------------------------------------- */

static LsNode *
attribute_any (LsFxImport *self,
               LsFxValue  *value,
               gboolean    real)
{
  GPtrArray *out;

  switch (value->kind)
    {
    case LS_FX_NONE: return NULL;
    case LS_FX_BOOL:
    case LS_FX_INT:
    case LS_FX_REAL: return number_node (value, real);
    case LS_FX_TEXT:
    case LS_FX_DTYPE: return LS_NODE (ls_string_new (value->s));
    case LS_FX_LIST:
      out = g_ptr_array_new ();
      for (guint i = 0; i < value->n; i++)
        {
          LsNode *item = attribute_any (self, value->items[i], FALSE);

          if (item != NULL)
            g_ptr_array_add (out, item);
          else
            ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a list holds %s", ls_fx_describe (self, value->items[i]));
        }
      return LS_NODE (ls_array_take_ptr_array (out));
    case LS_FX_SLICE:
    case LS_FX_ELLIPSIS:
    case LS_FX_NODE: break;
    }
  if (value->kind == LS_FX_NODE && !ls_is_relax_expr (value->node))
    return ls_node_ref (value->node);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a number, a text or a list is expected, not %s", ls_fx_describe (self, value));
}

/* One for all, or the numbers again and again up to `n`. */
static LsNode *
repeated (LsFxImport *self,
          LsFxValue  *value,
          guint       n)
{
  LsFxValue *items[6];

  if (value->kind == LS_FX_LIST && (value->n == 0 || n % value->n != 0))
    return attribute_any (self, value, FALSE);
  for (guint i = 0; i < n; i++)
    items[i] = value->kind == LS_FX_LIST ? value->items[i % value->n] : value;
  return attribute_any (self, ls_fx_list (self, items, n), FALSE);
}

/* Four numbers of 32 bits; one stands for all. */
static LsNode *
region (LsFxImport *self,
        LsFxValue  *value)
{
  GPtrArray *out;

  for (guint i = 0; i < (value->kind == LS_FX_LIST ? value->n : 1); i++)
    if (!ls_fx_is_number (value->kind == LS_FX_LIST ? value->items[i] : value))
      return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a region is four numbers, not %s", ls_fx_describe (self, value));
  out = g_ptr_array_new ();
  for (guint i = 0; i < (value->kind == LS_FX_LIST ? value->n : 4); i++)
    g_ptr_array_add (out, ls_float_imm_new (LS_FLOAT32, ls_fx_number (value->kind == LS_FX_LIST ? value->items[i] : value)));
  return LS_NODE (ls_array_take_ptr_array (out));
}

static LsNode *
attribute (LsFxImport      *self,
           const LsFxParam *param,
           LsFxValue       *value)
{
  static const struct { const char *kind; guint n; } REPEATED[] = {
    { "single", 1 }, { "pair", 2 }, { "triple", 3 }, { "pad2", 2 }, { "pad4", 4 }, { "pad6", 6 }
  };
  LsDType dtype;

  for (guint i = 0; i < G_N_ELEMENTS (REPEATED); i++)
    if (strcmp (param->kind, REPEATED[i].kind) == 0)
      return repeated (self, value, REPEATED[i].n);
  if (strcmp (param->kind, "ints") == 0 && value->kind == LS_FX_INT)
    return repeated (self, value, 1);
  if (strcmp (param->kind, "dtype") == 0 && strcmp (value->kind == LS_FX_TEXT ? value->s : "", "void") != 0)
    return ls_fx_to_dtype (self, value, &dtype) ? LS_NODE (ls_string_new (ls_dtype_name (dtype))) : NULL;
  if (strcmp (param->kind, "region") == 0)
    return region (self, value);
  if (strcmp (param->kind, "bool") == 0 && value->kind == LS_FX_INT)
    return LS_NODE (ls_bool (value->i != 0));
  return attribute_any (self, value, strcmp (param->kind, "float") == 0);
}

static LsFxValue *
preset_value (LsFxImport      *self,
              const LsFxParam *param)
{
  const char *text = param->preset;

  if (strcmp (text, "None") == 0)
    return ls_fx_none (self);
  if (strcmp (text, "True") == 0 || strcmp (text, "False") == 0)
    return ls_fx_bool (self, text[0] == 'T');
  if (strcmp (text, "[]") == 0)
    return ls_fx_list (self, NULL, 0);
  if (strcmp (param->kind, "float") == 0)
    return ls_fx_real (self, g_ascii_strtod (text, NULL));
  if (g_ascii_isdigit (text[0]) || text[0] == '-')
    return ls_fx_int (self, g_ascii_strtoll (text, NULL, 10));
  return ls_fx_text (self, LS_FX_TEXT, text);
}

/* ---- functions that were made before ------------------------------------------------------------ */

/* What an operator became once, for arguments of the same shapes and types: `places` are those of call_tir's arguments among the call's. */
typedef struct {
  LsNode *key;
  LsNode *made;                 /* the call_tir */
  guint   n, places[16];
} Made;

static void
made_free (gpointer data)
{
  Made *made = data;

  ls_node_unref (made->key);
  ls_node_unref (made->made);
  g_free (made);
}

static guint
key_hash (gconstpointer key)
{
  return ((const LsNode *) key)->hash;
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  return ls_structural_equal ((gpointer) a, (gpointer) b, FALSE, NULL, NULL);
}

/* The call with variables and large constants as what is known of them; NULL when an extent is not constant. (transfer full) */
static LsNode *
key_of (LsFxImport  *self,
        LsRelaxCall *call)
{
  GPtrArray *args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean fine = TRUE;

  for (guint i = 0; i < call->args->n && fine; i++)
    {
      LsNode *arg = call->args->items[i];
      gboolean opaque = ls_is_relax_var (arg) || (ls_is (arg, CONSTANT) && ((LsTensorStructInfo *) ((LsConstant *) arg)->struct_info)->ndim > 0);
      LsNode *info = opaque ? ls_node_ref (ls_is_relax_var (arg) ? ((LsRelaxVar *) arg)->struct_info : ((LsConstant *) arg)->struct_info) : ls_node_ref (arg);

      fine = info != NULL && !ls_is (arg, RELAX_TUPLE);
      if (fine && opaque && ls_is (info, TENSOR_STRUCT_INFO))
        {
          LsNode *shape = ((LsTensorStructInfo *) info)->shape;

          fine = shape != NULL && ls_is (shape, SHAPE_EXPR);
          for (guint k = 0; fine && k < ((LsShapeExpr *) shape)->values->n; k++)
            fine = ls_is (((LsShapeExpr *) shape)->values->items[k], INT_IMM);
        }
      g_ptr_array_add (args, info);
    }
  if (!fine)
    {
      g_ptr_array_unref (args);
      return NULL;
    }
  g_ptr_array_set_free_func (args, NULL);
  return ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (call->attrs), NULL);
}

static LsNode *
made_again (Made        *made,
            LsRelaxCall *call)
{
  LsRelaxCall *before = (LsRelaxCall *) made->made;
  GPtrArray *args = g_ptr_array_new ();

  for (guint i = 0; i < made->n; i++)
    g_ptr_array_add (args, ls_node_ref (call->args->items[made->places[i]]));
  return ls_call_tir_new ((LsGlobalVar *) before->args->items[0], ls_array_take_ptr_array (args), ls_node_ref (before->sinfo_args->items[0]), NULL);
}

/* Remembers it when each argument of the call_tir is one of the call. */
static void
remember (LsFxImport  *self,
          LsNode      *key,
          LsRelaxCall *call,
          LsNode      *made)
{
  LsRelaxCall *tir = (LsRelaxCall *) made;
  Made fresh = { .made = made };
  LsArray *args;

  if (!ls_is_relax_call (made, "relax.call_tir") || tir->args->n != 2 || !ls_is (tir->args->items[0], GLOBAL_VAR) || !ls_is (tir->args->items[1], RELAX_TUPLE))
    return;
  args = ((LsRelaxTuple *) tir->args->items[1])->fields;
  for (fresh.n = 0; fresh.n < args->n && fresh.n < 16; fresh.n++)
    {
      guint place = 0;

      while (place < call->args->n && call->args->items[place] != args->items[fresh.n])
        place++;
      if (place == call->args->n)
        return;
      fresh.places[fresh.n] = place;
    }
  if (fresh.n < args->n)
    return;
  fresh.key = ls_node_ref (key);
  fresh.made = ls_node_ref (made);
  g_hash_table_insert (self->made, fresh.key, g_memdup2 (&fresh, sizeof fresh));
}

/* (taken, transfer full) */
static LsNode *
legalized (LsFxImport *self,
           LsNode     *call)
{
  g_autoptr (LsNode) taken = call;
  g_autoptr (LsNode) key = NULL, info = NULL;
  LsNode *made;
  Made *before;

  if (self->made == NULL)
    self->made = g_hash_table_new_full (key_hash, key_equal, NULL, made_free);
  key = key_of (self, (LsRelaxCall *) call);
  before = key != NULL ? g_hash_table_lookup (self->made, key) : NULL;
  if (before != NULL)
    return made_again (before, (LsRelaxCall *) call);
  info = ls_relax_infer (call, NULL, &self->error);
  made = info != NULL ? ls_relax_legalize_call (self->builder, (LsRelaxCall *) call) : NULL;
  if (made != NULL && key != NULL)
    remember (self, key, (LsRelaxCall *) call, made);
  return made;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* What a call is called in a name: "matmul" of "relax.matmul", "topk" of "torch.aten.topk". */
static const char *
last_part (LsNode *call)
{
  LsRelaxCall *self = (LsRelaxCall *) call;
  const char *name = NULL, *dot;

  if (!ls_is (call, RELAX_CALL))
    return "value";
  for (guint i = 0; i < ls_array_n (self->args) && name == NULL; i++)
    name = ls_is (self->args->items[i], GLOBAL_VAR) ? ((LsGlobalVar *) self->args->items[i])->name_hint
           : ls_is (self->args->items[i], EXTERN_FUNC) ? ((LsExternFunc *) self->args->items[i])->global_symbol : NULL;
  if (name == NULL && ls_is (self->op, RELAX_OP))
    name = ((LsRelaxOp *) self->op)->name;
  dot = name != NULL ? strrchr (name, '.') : NULL;
  return dot != NULL ? dot + 1 : name != NULL ? name : "value";
}

/* "layers_0_attn_matmul" for a call in the module layers.0.attn; NULL: as bindings are called. (transfer full) */
static char *
name_by_path (LsFxImport *self,
              LsNode     *expr)
{
  const char *path = self->options->keep_paths && self->node != NULL ? self->node->module : NULL;
  char *name;

  if (path == NULL || *path == '\0')
    return NULL;
  name = g_strdup_printf ("%s%s_%s", g_ascii_isdigit (*path) ? "module_" : "", path, last_part (expr));
  return g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z "0123456789_", '_');
}

LsFxValue *
ls_fx_emit (LsFxImport *self,
            gpointer    expr)
{
  LsNode *call = expr;
  g_autofree char *name = NULL;

  if (call == NULL || self->error != NULL)
    {
      ls_node_unref (call);
      return NULL;
    }
  if (self->options->variant == LS_FX_TE && ls_is (call, RELAX_CALL))
    call = legalized (self, call);
  name = call != NULL ? name_by_path (self, call) : NULL;
  return ls_fx_node (self, call != NULL ? ls_node_ref ((LsNode *) ls_block_builder_emit_take (self->builder, call, name)) : NULL);
}

/* What stands for parameter i, or NULL. */
static LsFxValue *
value_for (const LsFxParam *param,
           guint            i,
           LsFxValue      **args,
           guint            n,
           const char     **names,
           LsFxValue      **values,
           guint            n_named)
{
  for (guint k = 0; k < n_named; k++)
    if (strcmp (names[k], param->name) == 0)
      return values[k];
  return i < n ? args[i] : NULL;
}

static LsNode *
same_as (GArray     *spec,
         GPtrArray  *operands,
         GPtrArray  *keys,
         GPtrArray  *attrs,
         const char *name)
{
  for (guint i = 0; i < keys->len; i++)
    if (strcmp (((LsString *) keys->pdata[i])->value, name) == 0)
      return ls_node_ref (attrs->pdata[i]);
  for (guint i = 0; i < spec->len && i < operands->len; i++)
    if (strcmp (g_array_index (spec, LsFxParam, i).name, name) == 0)
      return ls_node_ref (operands->pdata[i]);
  return NULL;
}

LsFxValue *
ls_fx_call_with (LsFxImport  *self,
                 const char  *op,
                 LsFxValue  **args,
                 guint        n,
                 const char **names,
                 LsFxValue  **values,
                 guint        n_named)
{
  GArray *spec = self->error == NULL ? spec_of (self, op) : NULL;
  GPtrArray *operands, *keys, *attrs;
  g_autofree char *full = NULL;
  LsNode *call;

  if (spec == NULL)
    return NULL;
  if (n > spec->len)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a rule gives %s %u arguments; it takes %u", op, n, spec->len);
  operands = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  keys = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  attrs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < spec->len; i++)
    {
      const LsFxParam *param = &g_array_index (spec, LsFxParam, i);
      LsFxValue *value = value_for (param, i, args, n, names, values, n_named);
      LsNode *node = NULL;
      gboolean missing = value == NULL || (value->kind == LS_FX_NONE && (!param->attribute || param->preset == NULL || param->preset[0] == '@'));

      if (missing && param->preset != NULL && param->preset[0] == '@')
        node = same_as (spec, operands, keys, attrs, param->preset + 1);
      else if (missing && param->preset != NULL)
        value = preset_value (self, param);
      else if (missing && !param->optional)
        ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a rule gives %s no `%s`", op, param->name);
      if (node == NULL && value != NULL && value->kind != LS_FX_NONE)
        node = param->attribute ? attribute (self, param, value) : argument (self, param, value, args, n);
      if (param->attribute)
        {
          g_ptr_array_add (keys, ls_string_new (param->name));
          g_ptr_array_add (attrs, node);
        }
      else if (node != NULL)
        g_ptr_array_add (operands, node);
    }
  full = g_strconcat ("relax.", op, NULL);
  if (strcmp (op, "reshape") == 0 && self->error == NULL && operands->len == 2 && ls_is (operands->pdata[1], SHAPE_EXPR))
    {
      LsNode *shape = ls_relax_resolve_shape (operands->pdata[0], operands->pdata[1], &self->error);

      if (shape != NULL)
        ls_take ((LsNode **) &operands->pdata[1], shape);
    }
  g_ptr_array_set_free_func (operands, NULL);
  g_ptr_array_set_free_func (keys, NULL);
  g_ptr_array_set_free_func (attrs, NULL);
  call = ls_relax_call_new (ls_relax_op_new (full), ls_array_take_ptr_array (operands), ls_array_take_ptr_array (keys), ls_array_take_ptr_array (attrs), NULL);
  return ls_fx_emit (self, call);
}

LsFxValue *
ls_fx_call (LsFxImport *self,
            const char *op,
            ...)
{
  LsFxValue *args[16], *values[16], *value;
  const char *names[16], *name;
  guint n = 0, n_named = 0;
  va_list list;

  va_start (list, op);
  while (n < 16 && (value = va_arg (list, LsFxValue *)) != NULL && value != LS_FX_BY_NAME)
    args[n++] = value;
  while (value == LS_FX_BY_NAME && n_named < 16 && (name = va_arg (list, const char *)) != NULL)
    {
      names[n_named] = name;
      values[n_named] = va_arg (list, LsFxValue *);
      n_named += values[n_named] != NULL;
    }
  va_end (list);
  return n > 0 && self->error == NULL ? ls_fx_call_with (self, op, args, n, names, values, n_named) : NULL;
}

LsFxValue *
ls_fx_product (LsFxImport *self,
               LsFxValue  *a,
               LsFxValue  *b)
{
  gboolean single = a != NULL && self->options->as_tvm && (ls_fx_as_tvm (self) || ls_dtype_equal (ls_fx_dtype (self, a), LS_FLOAT32));

  return ls_fx_call (self, "matmul", a, b, single ? LS_FX_BY_NAME : NULL, "out_dtype", ls_fx_text (self, LS_FX_TEXT, "float32"), NULL);
}

LsFxValue *
ls_fx_dense (LsFxImport *self,
             LsFxValue  *x,
             LsFxValue  *weight)
{
  LsTensorStructInfo *info = x != NULL && weight != NULL ? ls_fx_info (self, x) : NULL;
  g_autoptr (LsTeBridge) bridge = NULL;
  g_autoptr (LsTeTensor) data = NULL, w = NULL, y = NULL;
  LsNode *call;

  if (info == NULL || ls_fx_info (self, weight) == NULL)
    return NULL;
  if (self->options->variant != LS_FX_TE || info->ndim != 2)
    return ls_fx_product (self, x, ls_fx_call (self, "permute_dims", weight, NULL));
  bridge = ls_te_bridge_new (self->builder);
  data = ls_te_bridge_tensor (bridge, x->node, &self->error);
  w = data != NULL ? ls_te_bridge_tensor (bridge, weight->node, &self->error) : NULL;
  y = w != NULL ? ls_topi_nn_dense (data, w, NULL, NULL, &self->error) : NULL;
  call = y != NULL ? ls_te_bridge_call_one (bridge, y, "dense", &self->error) : NULL;
  return call != NULL ? ls_fx_node (self, ls_node_ref ((LsNode *) ls_block_builder_emit_take (self->builder, call, NULL))) : NULL;
}
