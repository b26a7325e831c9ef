/* relax-op: calls of operators by the table of engine/relax: arguments in order, attributes complete and in TVM's order.
 *
 * An operator that the table does not know is kept as it is written: positions are arguments, keywords attributes.
 */
#include "engine/script/script-private.h"

typedef struct {
  char       *name, *kind, *preset;     /* preset NULL: must be given */
  gboolean    optional;
} Param;

static void
read_param (const char *word,
            Param      *param)
{
  g_autofree char *copy = g_strdup (word);
  char *equals = strchr (copy, '='), *colon;
  gsize n;

  if (equals != NULL)
    {
      param->preset = g_strdup (equals + 1);
      *equals = '\0';
    }
  n = strlen (copy);
  if (n > 0 && copy[n - 1] == '?')
    {
      param->optional = TRUE;
      copy[n - 1] = '\0';
    }
  if ((colon = strchr (copy, ':')) != NULL)
    *colon = '\0';
  param->name = g_strdup (copy);
  param->kind = g_strdup (colon != NULL ? colon + 1 : "");
}

static void
clear_param (gpointer data)
{
  Param *param = data;

  g_free (param->name);
  g_free (param->kind);
  g_free (param->preset);
}

/* ---- arguments ------------------------------------------------------------------------ */

static LsNode *
prims (LsParse *p,
       LsValue *v,
       LsSpan   span)
{
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, SHAPE_EXPR))
    {
      LsArray *values = ((LsShapeExpr *) v->node)->values;
      g_autoptr (GPtrArray) out = g_ptr_array_new ();

      for (guint i = 0; i < values->n; i++)
        g_ptr_array_add (out, ls_prim_value_new (ls_ref (LS_EXPR (values->items[i]))));
      return ls_parse_keep (p, ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&out))), span);
    }
  return ls_relax_arg (p, v, span);
}

static LsNode *
argument (LsParse    *p,
          const char *kind,
          LsValue    *v,
          LsSpan      span)
{
  if (strcmp (kind, "shape") == 0 && ls_value_is_sequence (v))
    {
      LsArray *values = ls_relax_dimensions (p, v, span);

      return values != NULL ? ls_parse_keep (p, ls_shape_expr_new (ls_ref (values)), span) : NULL;
    }
  if (strcmp (kind, "prims") == 0)
    return prims (p, v, span);
  if (strcmp (kind, "type") == 0 && v->kind != LS_VALUE_NODE)
    {
      LsDType dtype;

      return ls_value_to_dtype (p, v, span, &dtype) ? ls_parse_keep (p, ls_data_type_imm_new (dtype), span) : NULL;
    }
  return ls_relax_arg (p, v, span);
}

/* ---- attributes ------------------------------------------------------------------------- */

static LsNode *
int_node (LsParse *p,
          gint64   i,
          LsSpan   span)
{
  return ls_parse_keep (p, ls_int_imm_new (LS_INT64, i), span);
}

static LsNode *
attribute_any (LsParse *p,
               LsValue *v,
               LsSpan   span)
{
  if (v->kind == LS_VALUE_INT)
    return int_node (p, v->i, span);
  if (v->kind == LS_VALUE_FLOAT)
    return ls_parse_keep (p, ls_float_imm_new (LS_FLOAT64, v->f), span);
  if (ls_value_is_sequence (v))
    {
      g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

      for (guint i = 0; i < v->n; i++)
        {
          LsNode *item = attribute_any (p, v->items[i], span);

          if (item == NULL)
            return NULL;
          g_ptr_array_add (out, ls_node_ref (item));
        }
      return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
    }
  {
    LsNode *value = ls_value_to_attr (p, v, span);

    return ls_is (value, STRING) ? ls_vdevice_resolve (p, value) : value;
  }
}

/* Four numbers of 32 bits; one stands for all. */
static LsNode *
region (LsParse *p,
        LsValue *v,
        LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint n = ls_value_is_sequence (v) ? v->n : 4;

  for (guint i = 0; i < n; i++)
    {
      LsValue *item = ls_value_is_sequence (v) ? v->items[i] : v;

      if (item->kind == LS_VALUE_INT || item->kind == LS_VALUE_FLOAT)
        g_ptr_array_add (out, ls_float_imm_new (LS_FLOAT32, item->kind == LS_VALUE_INT ? (double) item->i : item->f));
      else
        g_ptr_array_add (out, ls_node_ref (attribute_any (p, item, span)));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

/* Numbers repeated up to `n`: one stands for all; of padding, one for each axis stands for both ends. */
static LsNode *
repeated (LsParse *p,
          LsValue *v,
          guint    n,
          LsSpan   span)
{
  LsValue **items = ls_arena_alloc (&p->arena, n * sizeof (LsValue *));

  if (ls_value_is_sequence (v) && (v->n == 0 || n % v->n != 0))
    {
      ls_parse_error (p, span, "script/arity", "%u numbers were expected, or fewer that stand for as many; these are %u.", n, v->n);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    items[i] = ls_value_is_sequence (v) ? v->items[i % v->n] : v;
  return attribute_any (p, ls_value_list (p, LS_VALUE_LIST, items, n), span);
}

/* How a tensor is split: in so many parts, or at these places; all of them are known numbers. */
static LsNode *
sections (LsParse *p,
          LsValue *v,
          LsSpan   span)
{
  LsNode *node = attribute_any (p, v, span);
  gint64 n = 0;

  if (node == NULL || (ls_as_int (node, &n) && n > 0))
    return node;
  for (guint i = 0; ls_is (node, ARRAY) && i < ((LsArray *) node)->n; i++)
    if (!ls_as_int (((LsArray *) node)->items[i], &n))
      {
        ls_parse_error (p, span, "script/type", "A tensor is split at known numbers.");
        return NULL;
      }
  if (ls_is (node, ARRAY))
    return node;
  ls_parse_error (p, span, "script/type", "A tensor is split into a known positive number of sections, or at a list of indices.");
  return NULL;
}

static LsNode *
attribute (LsParse    *p,
           const char *kind,
           LsValue    *v,
           LsSpan      span)
{
  static const struct { const char *kind; guint n; } REPEATED[] = {
    { "single", 1 }, { "pair", 2 }, { "triple", 3 }, { "pad2", 2 }, { "pad4", 4 }, { "pad6", 6 }
  };
  LsDType dtype;

  for (guint i = 0; i < G_N_ELEMENTS (REPEATED); i++)
    if (strcmp (kind, REPEATED[i].kind) == 0)
      return repeated (p, v, REPEATED[i].n, span);
  if (strcmp (kind, "ints") == 0 && v->kind == LS_VALUE_INT)
    return repeated (p, v, 1, span);
  if (strcmp (kind, "float") == 0 && v->kind == LS_VALUE_INT)
    return attribute_any (p, ls_value_float (p, (double) v->i), span);
  if (strcmp (kind, "bool") == 0 && v->kind == LS_VALUE_INT && !v->big && (v->i == 0 || v->i == 1))
    return attribute_any (p, ls_value_bool (p, v->i != 0), span);
  if (strcmp (kind, "region") == 0)
    return region (p, v, span);
  if (strcmp (kind, "sections") == 0)
    return sections (p, v, span);
  if (strcmp (kind, "mesh") == 0)
    return ls_relax_mesh (p, v, span);
  if (strcmp (kind, "placement") == 0)
    return ls_relax_placement (p, v, span);
  if (strcmp (kind, "map") == 0)
    return ls_index_map_from_lambda (p, v, span);
  if (strcmp (kind, "dtype") == 0)
    return ls_value_to_dtype (p, v, span, &dtype)
           ? ls_parse_keep (p, ls_string_new (ls_dtype_is_void (dtype) ? "void" : ls_dtype_name (dtype)), span) : NULL;
  return attribute_any (p, v, span);
}

static LsValue *
preset_value (LsParse    *p,
              const char *text,
              const char *kind)
{
  if (strcmp (text, "None") == 0)
    return ls_value_new (p, LS_VALUE_NONE);
  if (strcmp (text, "True") == 0 || strcmp (text, "False") == 0)
    return ls_value_bool (p, text[0] == 'T');
  if (strcmp (text, "[]") == 0)
    return ls_value_list (p, LS_VALUE_LIST, NULL, 0);
  if (strcmp (kind, "float") == 0)
    return ls_value_float (p, g_ascii_strtod (text, NULL));
  if (g_ascii_isdigit (text[0]) || text[0] == '-')
    return ls_value_int (p, g_ascii_strtoll (text, NULL, 10));
  return ls_value_string (p, ls_arena_strndup (&p->arena, text, strlen (text)));
}

/* ---- the call ---------------------------------------------------------------------------- */

typedef struct {
  LsParse     *p;
  LsRelaxArgs *args;
  const char  *spec;
  GPtrArray   *operands, *names, *values;
} Call;

static gboolean
put_attribute (Call        *call,
               const Param *param,
               LsValue     *v,
               LsSpan       span)
{
  LsNode *node = NULL;

  if (v == NULL && param->preset == NULL)
    {
      ls_parse_error (call->p, span, "script/arity", "%s needs an attribute `%s`.", call->args->name, param->name);
      return FALSE;
    }
  if ((v == NULL || v->kind == LS_VALUE_NONE) && param->preset != NULL && param->preset[0] == '@')
    {
      for (guint i = 0; i < call->names->len; i++)
        if (strcmp (((LsString *) call->names->pdata[i])->value, param->preset + 1) == 0)
          node = call->values->pdata[i];
    }
  else
    {
      if (v == NULL || (v->kind == LS_VALUE_NONE && param->preset != NULL && (strcmp (param->kind, "dtype") == 0 || strcmp (param->kind, "region") == 0)))
        v = preset_value (call->p, param->preset, param->kind);
      if (v->kind != LS_VALUE_NONE && (node = attribute (call->p, param->kind, v, span)) == NULL)
        return FALSE;
    }
  g_ptr_array_add (call->names, ls_string_new (param->name));
  g_ptr_array_add (call->values, ls_node_ref (node));
  return TRUE;
}

/* An argument that was put before. */
static LsNode *
argument_named (Call       *call,
                const char *name)
{
  g_auto (GStrv) words = g_strsplit (call->spec, " ", -1);

  for (guint i = 0; words[i] != NULL && i < call->operands->len; i++)
    if (g_str_has_prefix (words[i], name) && !g_ascii_isalnum (words[i][strlen (name)]) && words[i][strlen (name)] != '_')
      return call->operands->pdata[i];
  return call->operands->pdata[call->operands->len - 1];
}

static gboolean
put_argument (Call        *call,
              const Param *param,
              LsValue     *v,
              LsSpan       span)
{
  LsNode *node;

  if (param->preset != NULL && (v == NULL || v->kind == LS_VALUE_NONE))
    {
      if (param->preset[0] == '@')
        {
          g_ptr_array_add (call->operands, ls_node_ref (argument_named (call, param->preset + 1)));
          return TRUE;
        }
      if (strcmp (param->preset, "()") == 0)
        {
          g_ptr_array_add (call->operands, ls_relax_tuple_new (ls_array_empty ()));
          return TRUE;
        }
      v = preset_value (call->p, param->preset, param->kind);
    }
  if (v == NULL || (v->kind == LS_VALUE_NONE && param->optional))
    {
      if (!param->optional)
        ls_parse_error (call->p, span, "script/arity", "%s needs an argument `%s`.", call->args->name, param->name);
      return param->optional;
    }
  if ((node = argument (call->p, param->kind, v, span)) == NULL)
    return FALSE;
  g_ptr_array_add (call->operands, ls_node_ref (node));
  return TRUE;
}

static gboolean
by_table (Call       *call,
          const char *spec)
{
  g_auto (GStrv) words = g_strsplit (spec, " ", -1);
  gboolean attributes = FALSE;
  guint position = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      Param param = { 0 };
      LsSpan span;
      LsValue *v;
      gboolean fine;

      if (words[i][0] == '\0')
        continue;
      if (strcmp (words[i], "|") == 0)
        {
          attributes = TRUE;
          continue;
        }
      read_param (words[i], &param);
      v = ls_relax_take (call->args, position++, param.name, &span);
      fine = attributes ? put_attribute (call, &param, v, span) : put_argument (call, &param, v, span);
      clear_param (&param);
      if (!fine)
        return FALSE;
    }
  return TRUE;
}

static gboolean
as_written (Call *call)
{
  LsRelaxArgs *args = call->args;

  for (guint i = 0; i < args->n; i++)
    {
      LsValue *v = args->values[i];
      LsNode *node = NULL;

      args->taken[i] = TRUE;
      if (i < args->n_positional)
        node = ls_relax_arg (call->p, v, args->spans[i]);
      else if (v->kind != LS_VALUE_NONE)
        node = attribute_any (call->p, v, args->spans[i]);
      if (node == NULL && (i < args->n_positional || v->kind != LS_VALUE_NONE))
        return FALSE;
      if (i >= args->n_positional)
        g_ptr_array_add (call->names, ls_string_new (args->keywords[i]));
      g_ptr_array_add (i < args->n_positional ? call->operands : call->values, ls_node_ref (node));
    }
  return TRUE;
}

/* R.arange (end): the only operator whose first argument means another when it is alone. */
static void
put_start (LsRelaxArgs *args,
           LsParse     *p)
{
  LsValue **values;
  LsSpan *spans;
  const char **keywords;

  if (args->n_positional != 1)
    return;
  for (guint i = 1; i < args->n; i++)
    if (strcmp (args->keywords[i], "end") == 0)
      return;
  values = ls_arena_alloc (&p->arena, (args->n + 1) * sizeof (LsValue *));
  spans = ls_arena_alloc (&p->arena, (args->n + 1) * sizeof (LsSpan));
  keywords = ls_arena_alloc (&p->arena, (args->n + 1) * sizeof (const char *));
  for (guint i = 0; i <= args->n; i++)
    {
      values[i] = i == 0 ? ls_value_int (p, 0) : args->values[i - 1];
      spans[i] = args->spans[i == 0 ? 0 : i - 1];
      keywords[i] = i == 0 ? NULL : args->keywords[i - 1];
    }
  args->values = values;
  args->spans = spans;
  args->keywords = keywords;
  args->taken = memset (ls_arena_alloc (&p->arena, (args->n + 1) * sizeof (gboolean)), 0, (args->n + 1) * sizeof (gboolean));
  args->n++;
  args->n_positional++;
}

/* A shape with -1 or 0 in it: 0 keeps the extent of the tensor, -1 is what is left. */
static LsNode *
reshaped_to (LsParse *p,
             LsNode  *x,
             LsNode  *shape,
             LsSpan   span)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsNode) resolved = ls_relax_resolve_shape (x, shape, &error);

  if (resolved == NULL)
    {
      ls_parse_error (p, span, "script/type", "%s", error->message);
      return NULL;
    }
  return ls_parse_keep (p, ls_node_ref (resolved), span);
}

/* The call when its parts fit, else NULL and a diagnostic. */
static LsValue *
checked (LsParse *p,
         LsNode  *call,
         LsSpan   span)
{
  g_autoptr (GError) error = NULL;
  LsStructInfo *info;

  ls_parse_keep (p, call, span);
  if ((p->relax != NULL && p->relax->unchecked) || ls_parse_is_lenient (p))
    return ls_value_node (p, call);
  info = ls_relax_infer (call, NULL, &error);
  if (info == NULL)
    {
      ls_parse_error (p, span, "script/type", "%s", error->message);
      return NULL;
    }
  ls_node_unref (info);
  return ls_value_node (p, call);
}

/* R.layout_transform (..., pad_value=2): a bare number fills with one of the tensor's type. */
static void
fit_padding (LsNode    *x,
             GPtrArray *names,
             GPtrArray *values)
{
  g_autoptr (LsNode) info = ls_relax_infer (x, NULL, NULL);
  LsDType dtype = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->dtype : LS_VOID;

  for (guint i = 0; i < names->len; i++)
    {
      LsNode *pad = values->pdata[i], *fit = NULL;

      if (strcmp (((LsString *) names->pdata[i])->value, "pad_value") != 0)
        continue;
      if (ls_is (pad, INT_IMM) && ls_dtype_is_float (dtype))
        fit = LS_NODE (ls_const_float (dtype, (double) ((LsIntImm *) pad)->value));
      else if (ls_is (pad, INT_IMM) && (dtype.code == LS_TYPE_INT || dtype.code == LS_TYPE_UINT))
        fit = LS_NODE (ls_const_int (dtype, ((LsIntImm *) pad)->value));
      else if (ls_is (pad, FLOAT_IMM) && ls_dtype_is_float (dtype))
        fit = LS_NODE (ls_const_float (dtype, ((LsFloatImm *) pad)->value));
      if (fit != NULL)
        ls_take ((LsNode **) &values->pdata[i], ls_prim_value_new (LS_EXPR (fit)));
    }
}

LsValue *
ls_relax_op_call (LsParse     *p,
                  const char  *op,
                  LsRelaxArgs *args)
{
  g_autoptr (GPtrArray) operands = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  const char *spec = ls_relax_op_spec (op);
  Call call = { p, args, spec, operands, names, values };
  LsSpan at;
  LsValue *infos_value = ls_relax_take_infos (args, &at);
  LsArray *infos = infos_value != NULL ? ls_relax_sinfos (p, infos_value, at) : NULL;

  if (strcmp (op, "relax.arange") == 0)
    put_start (args, p);
  if ((infos_value != NULL && infos == NULL) || !(spec != NULL ? by_table (&call, spec) : as_written (&call)))
    return NULL;
  if (strcmp (op, "relax.layout_transform") == 0)
    fit_padding (operands->pdata[0], names, values);
  if (strcmp (op, "relax.reshape") == 0 && ls_is (operands->pdata[1], SHAPE_EXPR))
    {
      LsNode *shape = reshaped_to (p, operands->pdata[0], operands->pdata[1], args->call);

      if (shape == NULL)
        return NULL;
      ls_take ((LsNode **) &operands->pdata[1], ls_node_ref (shape));
    }
  return checked (p, ls_relax_call_new (ls_relax_op_new (op), ls_array_take_ptr_array (g_steal_pointer (&operands)),
                                        ls_array_take_ptr_array (g_steal_pointer (&names)), ls_array_take_ptr_array (g_steal_pointer (&values)),
                                        infos != NULL ? ls_ref (infos) : NULL), args->call);
}

/* ---- what Python puts together from operators ------------------------------------------- */

static LsNode *
call_of (LsParse    *p,
         const char *op,
         LsNode     *a,
         LsNode     *b,                 /* or NULL */
         const char *attr,              /* or NULL */
         LsNode     *value,
         LsSpan      span)
{
  LsArray *names = attr != NULL ? ls_array_of (ls_string_new (attr), NULL) : NULL;
  LsNode *none[] = { ls_node_ref (value) };
  LsNode *call = ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL), names,
                                    attr != NULL ? ls_array_new (none, 1) : NULL, NULL);
  LsValue *fine = checked (p, call, span);

  return fine != NULL ? fine->node : NULL;
}

/* R.linear (data, weight, bias=None, out_dtype=None): data times the transposed weight. */
static LsValue *
linear (LsParse     *p,
        LsRelaxArgs *args)
{
  LsSpan at[4];
  LsValue *data = ls_relax_take (args, 0, "data", &at[0]), *weight = ls_relax_take (args, 1, "weight", &at[1]);
  LsValue *bias = ls_relax_take (args, 2, "bias", &at[2]), *type = ls_relax_take (args, 3, "out_dtype", &at[3]);
  LsNode *x, *w, *b = NULL, *dtype;

  if (data == NULL || weight == NULL)
    {
      ls_parse_error (p, args->call, "script/arity", "%s needs data and weight.", args->name);
      return NULL;
    }
  x = ls_relax_arg (p, data, at[0]);
  w = ls_relax_arg (p, weight, at[1]);
  dtype = type != NULL && type->kind != LS_VALUE_NONE ? attribute (p, "dtype", type, at[3]) : ls_parse_keep (p, ls_string_new ("void"), args->call);
  if (bias != NULL && bias->kind != LS_VALUE_NONE && (b = ls_relax_arg (p, bias, at[2])) == NULL)
    return NULL;
  if (x == NULL || w == NULL || dtype == NULL || (w = call_of (p, "relax.permute_dims", w, NULL, "axes", NULL, args->call)) == NULL)
    return NULL;
  w = LS_NODE (ls_relax_emit (p, NULL, w, NULL, args->call));
  if ((x = call_of (p, "relax.matmul", x, w, "out_dtype", dtype, args->call)) == NULL)
    return NULL;
  if (b != NULL)
    {
      x = LS_NODE (ls_relax_emit (p, NULL, x, NULL, args->call));
      if ((x = call_of (p, "relax.add", x, b, NULL, NULL, args->call)) == NULL)
        return NULL;
    }
  return ls_value_node (p, x);
}

LsValue *
ls_relax_composed (LsParse     *p,
                   const char  *op,
                   LsRelaxArgs *args)
{
  return strcmp (op, "relax.linear") == 0 ? linear (p, args) : ls_relax_op_call (p, op, args);
}

LsValue *
ls_relax_operator (LsParse *p,
                   guint32  op,
                   LsValue *a,
                   LsValue *b,
                   LsSpan   span)
{
  static const struct { guint32 op; const char *name; } OPERATORS[] = {
    { '+', "relax.add" }, { '-', "relax.subtract" }, { '*', "relax.multiply" }, { '/', "relax.divide" },
    { '<', "relax.less" }, { '>', "relax.greater" }, { LS_OP2 ('<', '='), "relax.less_equal" }, { LS_OP2 ('>', '='), "relax.greater_equal" },
    { LS_OP2 ('/', '/'), "relax.floor_divide" }, { LS_OP2 ('*', '*'), "relax.power" }, { '%', "relax.mod" },
  };
  LsNode *x, *y;

  for (guint i = 0; i < G_N_ELEMENTS (OPERATORS); i++)
    if (OPERATORS[i].op == op)
      {
        if ((x = ls_relax_arg (p, a, span)) == NULL || (y = ls_relax_arg (p, b, span)) == NULL)
          return NULL;
        return checked (p, ls_relax_call_new (ls_relax_op_new (OPERATORS[i].name), ls_array_of (ls_node_ref (x), ls_node_ref (y), NULL), NULL, NULL,
                                              NULL), span);
      }
  ls_parse_error (p, span, "script/unsupported", "Relax has no such operator.");
  return NULL;
}

gboolean
ls_relax_compares (guint32 op)
{
  return op == '<' || op == '>' || op == LS_OP2 ('<', '=') || op == LS_OP2 ('>', '=');
}

LsValue *
ls_relax_minus (LsParse *p,
                LsValue *a,
                LsSpan   span)
{
  LsNode *x = ls_relax_arg (p, a, span);

  return x != NULL ? checked (p, ls_relax_call_new (ls_relax_op_new ("relax.negative"), ls_array_of (ls_node_ref (x), NULL), NULL, NULL, NULL), span) : NULL;
}
