/* relax: a Relax function as calls of NumPy. */
#include "engine/codegen/numpy/numpy-private.h"

#include "engine/relax/pass/pass.h"
#include "engine/relax/relax.h"

#include <string.h>

/* {0} is an argument, {axis} an attribute as Python writes it; !NAME: a helper. */
static const struct { const char *op, *text; } CALLS[] = {
  { "add", "np.add({0}, {1})" }, { "subtract", "np.subtract({0}, {1})" }, { "multiply", "np.multiply({0}, {1})" }, { "divide", "np.divide({0}, {1})" },
  { "power", "np.power({0}, {1})" }, { "atan2", "np.arctan2({0}, {1})" }, { "maximum", "np.maximum({0}, {1})" }, { "minimum", "np.minimum({0}, {1})" },
  { "equal", "np.equal({0}, {1})" }, { "not_equal", "np.not_equal({0}, {1})" }, { "less", "np.less({0}, {1})" }, { "less_equal", "np.less_equal({0}, {1})" },
  { "greater", "np.greater({0}, {1})" }, { "greater_equal", "np.greater_equal({0}, {1})" }, { "logical_and", "np.logical_and({0}, {1})" },
  { "logical_or", "np.logical_or({0}, {1})" }, { "logical_not", "np.logical_not({0})" }, { "where", "np.where({0}, {1}, {2})" },
  { "abs", "np.abs({0})" }, { "exp", "np.exp({0})" }, { "log", "np.log({0})" }, { "sqrt", "np.sqrt({0})" }, { "rsqrt", "!rsqrt({0})" }, { "negative", "np.negative({0})" },
  { "floor", "np.floor({0})" }, { "ceil", "np.ceil({0})" }, { "sin", "np.sin({0})" }, { "cos", "np.cos({0})" }, { "tanh", "np.tanh({0})" },
  { "square", "np.square({0})" }, { "erf", "!erf({0})" }, { "sigmoid", "!sigmoid({0})" }, { "clip", "np.clip({0}, {1}, {2})" },
  { "nn.relu", "np.maximum({0}, 0)" }, { "nn.softmax", "!softmax({0}, {axis})" }, { "nn.log_softmax", "!log_softmax({0}, {axis})" }, { "nn.gelu", "!gelu({0})" },
  { "nn.silu", "!silu({0})" },
  { "matmul", "np.matmul({0}, {1})" }, { "permute_dims", "np.transpose({0}, {axes})" }, { "expand_dims", "np.expand_dims({0}, {axis})" },
  { "squeeze", "np.squeeze({0}, {axis})" }, { "broadcast_to", "np.broadcast_to({0}, {1})" }, { "concat", "np.concatenate({0}, axis={axis})" },
  { "reshape", "np.reshape({0}, {result})" }, { "flatten", "np.reshape({0}, {result})" },
  { "sum", "np.sum({0}, axis={axis}, keepdims={keepdims})" }, { "mean", "np.mean({0}, axis={axis}, keepdims={keepdims})" },
  { "max", "np.max({0}, axis={axis}, keepdims={keepdims})" }, { "min", "np.min({0}, axis={axis}, keepdims={keepdims})" },
  { "prod", "np.prod({0}, axis={axis}, keepdims={keepdims})" },
  { "astype", "{0}.astype({dtype})" }, { "take", "np.take({0}, {1}, axis={axis})" },
};

static const char *
text_of (const char *op)
{
  for (guint i = 0; g_str_has_prefix (op, "relax.") && i < G_N_ELEMENTS (CALLS); i++)
    if (strcmp (CALLS[i].op, op + strlen ("relax.")) == 0)
      return CALLS[i].text;
  return NULL;
}

/* ---- what NumPy has no call for ----------------------------------------------------------------- */

static LsWalk
find_other (LsNode  *node,
            gpointer data)
{
  gboolean *found = data;
  LsRelaxCall *call = (LsRelaxCall *) node;

  *found |= ls_is (node, RELAX_CALL) && ls_is (call->op, RELAX_OP) && text_of (((LsRelaxOp *) call->op)->name) == NULL && !ls_is_relax_call_tir (call);
  return *found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsModule *
numpy_legalized (LsModule *module,
                 GError  **error)
{
  gboolean found = FALSE;
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  g_autoptr (LsArray) skipped = NULL;
  g_autoptr (LsMap) none = ls_map_empty (), keywords = NULL, args = NULL;
  const LsRelaxPass *pass = ls_relax_pass_get ("LegalizeOps", error);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      ls_walk (module->functions->items[i], find_other, NULL, &found);
  if (!found || pass == NULL)
    return ls_ref (module);
  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    {
      g_autofree char *name = g_strconcat ("relax.", CALLS[i].op, NULL);

      g_ptr_array_add (kept, ls_string_new (name));
    }
  skipped = ls_array_new (kept->pdata, kept->len);
  keywords = ls_map_set (none, "skip_ops", skipped);
  args = ls_relax_pass_arguments (pass, NULL, keywords, error);
  return args != NULL ? ls_relax_pass_run (pass, module, args, error) : NULL;
}

/* ---- leaves ----------------------------------------------------------------------------------------- */

static void value (Numpy *self, LsNode *node, LsNode *result);

static void
put_list (Numpy   *self,
          LsArray *items)
{
  g_string_append (self->out, "(");
  for (guint i = 0; i < items->n; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      value (self, items->items[i], NULL);
    }
  g_string_append (self->out, items->n == 1 ? ",)" : ")");
}

static void
leaf (Numpy  *self,
      LsNode *node)
{
  if (ls_is_relax_var (node))
    g_string_append (self->out, numpy_name (self, node, ((LsRelaxVar *) node)->name));
  else if (ls_is (node, CONSTANT))
    numpy_constant (self, ((LsConstant *) node)->data);
  else if (ls_is (node, SHAPE_EXPR))
    put_list (self, ((LsShapeExpr *) node)->values);
  else if (ls_is (node, RELAX_TUPLE))
    put_list (self, ((LsRelaxTuple *) node)->fields);
  else if (ls_is (node, PRIM_VALUE))
    value (self, LS_NODE (((LsPrimValue *) node)->value), NULL);
  else if (ls_is (node, TUPLE_GET_ITEM))
    {
      leaf (self, ((LsTupleGetItem *) node)->tuple);
      g_string_append_printf (self->out, "[%d]", (int) ((LsTupleGetItem *) node)->index);
    }
  else if (ls_is (node, DATA_TYPE_IMM))
    g_string_append (self->out, numpy_dtype (self, ((LsDataTypeImm *) node)->value));
  else if (ls_is (node, RELAX_STRING) || ls_is (node, STRING))
    g_string_append_printf (self->out, "\"%s\"", ls_is (node, STRING) ? ((LsString *) node)->value : ((LsRelaxString *) node)->value);
  else if (ls_is (node, FLOAT_IMM))
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (self->out, g_ascii_dtostr (text, sizeof text, ((LsFloatImm *) node)->value));
    }
  else if (ls_is (node, ARRAY))
    put_list (self, (LsArray *) node);
  else if (ls_is_expr (node))
    numpy_index (self, LS_EXPR (node), NP_CHOOSE);
  else
    numpy_refuse (self, "A value of kind %s", node != NULL ? node->klass->name : "none");
}

/* ---- calls of TensorIR ------------------------------------------------------------------------------- */

static void
put_empty (Numpy  *self,
           LsNode *info)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (tensor->shape, SHAPE_EXPR))
    {
      numpy_refuse (self, "A result of no certain shape");
      return;
    }
  g_string_append (self->out, "np.empty(");
  leaf (self, tensor->shape);
  g_string_append_printf (self->out, ", dtype=%s)", numpy_dtype (self, tensor->dtype));
}

static void
put_arguments (Numpy  *self,
               LsNode *tuple)
{
  LsArray *fields = ls_is (tuple, RELAX_TUPLE) ? ((LsRelaxTuple *) tuple)->fields : NULL;

  if (fields == NULL)
    {
      value (self, tuple, NULL);
      g_string_append (self->out, ", ");
    }
  for (guint i = 0; i < ls_array_n (fields); i++)
    {
      value (self, fields->items[i], NULL);
      g_string_append (self->out, ", ");
    }
}

/* lv = np.empty(...), and the call that fills it. */
static void
call_tir (Numpy       *self,
          const char  *own,
          LsRelaxCall *call)
{
  LsNode *out = call->sinfo_args->n > 0 ? call->sinfo_args->items[0] : NULL;
  LsArray *outs = ls_is (out, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) out)->fields : NULL;
  const char *function;

  if (out == NULL || !ls_is (call->args->items[0], GLOBAL_VAR) || !ls_is_relax_call (call, "relax.call_tir"))
    {
      numpy_refuse (self, "A call_tir that works in place, or of no certain function,");
      return;
    }
  function = numpy_function (self, ((LsGlobalVar *) call->args->items[0])->name_hint);
  numpy_begin (self);
  g_string_append_printf (self->out, "%s = ", own);
  if (outs == NULL)
    put_empty (self, out);
  else
    {
      g_string_append (self->out, "(");
      for (guint i = 0; i < outs->n; i++)
        {
          put_empty (self, outs->items[i]);
          g_string_append (self->out, i + 1 < outs->n ? ", " : ",)");
        }
    }
  numpy_end (self);
  numpy_begin (self);
  g_string_append_printf (self->out, "%s(", function);
  put_arguments (self, call->args->items[1]);
  g_string_append_printf (self->out, "%s%s", outs != NULL ? "*" : "", own);
  for (guint i = 2; i < call->args->n; i++)
    {
      LsArray *sizes = ls_is (call->args->items[i], SHAPE_EXPR) ? ((LsShapeExpr *) call->args->items[i])->values : NULL;

      for (guint k = 0; k < ls_array_n (sizes); k++)
        {
          g_string_append (self->out, ", ");
          value (self, sizes->items[k], NULL);
        }
    }
  g_string_append (self->out, ")");
  numpy_end (self);
}

/* ---- operators ------------------------------------------------------------------------------------------ */

static void
put_attribute (Numpy       *self,
               LsRelaxCall *call,
               const char  *name)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    if (strcmp (ls_array_at (call->attr_names, i, LsString)->value, name) == 0)
      {
        LsNode *attr = call->attrs->items[i];

        if (attr == NULL)
          g_string_append (self->out, "None");
        else if (ls_is (attr, STRING) && strcmp (name, "dtype") == 0)
          {
            LsDType t;

            if (ls_dtype_parse (((LsString *) attr)->value, &t))
              g_string_append (self->out, numpy_dtype (self, t));
          }
        else
          value (self, attr, NULL);
        return;
      }
  g_string_append (self->out, strcmp (name, "keepdims") == 0 ? "False" : strcmp (name, "axis") == 0 && ls_is_relax_call (call, "relax.concat") ? "0"
                   : strcmp (name, "axis") == 0 && (g_str_has_suffix (((LsRelaxOp *) call->op)->name, "softmax")) ? "-1" : "None");
}

static void
operator_call (Numpy       *self,
               LsRelaxCall *call,
               LsNode      *result)
{
  const char *text = text_of (((LsRelaxOp *) call->op)->name);

  if (text == NULL)
    {
      numpy_refuse (self, "The operator %s", ((LsRelaxOp *) call->op)->name);
      return;
    }
  for (guint i = 0; i < call->attr_names->n; i++)
    if (strcmp (ls_array_at (call->attr_names, i, LsString)->value, "out_dtype") == 0 && ls_is (call->attrs->items[i], STRING)
        && ((LsString *) call->attrs->items[i])->value[0] != '\0' && strcmp (((LsString *) call->attrs->items[i])->value, "void") != 0)
      numpy_refuse (self, "A product whose sums have another type");
  if (*text == '!')
    {
      g_autofree char *helper = g_strndup (text + 1, strcspn (text + 1, "("));

      numpy_helper (self, g_intern_string (helper));
    }
  for (text += *text == '!'; *text != '\0' && self->error == NULL; text++)
    if (*text != '{')
      g_string_append_c (self->out, *text);
    else
      {
        g_autofree char *name = g_strndup (text + 1, strcspn (text + 1, "}"));

        text += strlen (name) + 1;
        if (g_ascii_isdigit (name[0]))
          value (self, call->args->items[name[0] - '0'], NULL);
        else if (strcmp (name, "result") != 0)
          put_attribute (self, call, name);
        else if (ls_is (result, TENSOR_STRUCT_INFO) && ls_is (((LsTensorStructInfo *) result)->shape, SHAPE_EXPR))
          leaf (self, ((LsTensorStructInfo *) result)->shape);
        else
          numpy_refuse (self, "A reshape to no certain shape");
      }
}

static void
value (Numpy  *self,
       LsNode *node,
       LsNode *result)
{
  LsRelaxCall *call = (LsRelaxCall *) node;

  if (self->error != NULL)
    return;
  if (!ls_is (node, RELAX_CALL))
    leaf (self, node);
  else if (ls_is (call->op, RELAX_OP))
    operator_call (self, call, result);
  else if (ls_is (call->op, GLOBAL_VAR) && ls_is (ls_module_get (self->module, ((LsGlobalVar *) call->op)->name_hint), FUNCTION))
    {
      g_string_append_printf (self->out, "%s(", numpy_function (self, ((LsGlobalVar *) call->op)->name_hint));
      for (guint i = 0; i < call->args->n; i++)
        {
          g_string_append (self->out, i > 0 ? ", " : "");
          value (self, call->args->items[i], NULL);
        }
      g_string_append (self->out, ")");
    }
  else
    numpy_refuse (self, "The call of a function from outside");
}

/* ---- bindings -------------------------------------------------------------------------------------------- */

/* Sizes that a tensor brings along. */
static void
learn_sizes (Numpy        *self,
             const char   *array,
             LsStructInfo *info)
{
  LsArray *extents = ls_is (info, TENSOR_STRUCT_INFO) && ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR)
                     ? ((LsShapeExpr *) ((LsTensorStructInfo *) info)->shape)->values : NULL;

  for (guint i = 0; i < ls_array_n (extents); i++)
    if (ls_is_var (extents->items[i]) && !g_hash_table_contains (self->names, extents->items[i]))
      numpy_put (self, "%s = %s.shape[%u]", numpy_declare (self, extents->items[i], ls_array_at (extents, i, LsVar)->name), array, i);
}

static void sequence (Numpy *self, LsNode *seq, const char *target, GHashTable *places);

static void
binding (Numpy      *self,
         LsNode     *node,
         GHashTable *places)
{
  gboolean cast = ls_is (node, MATCH_CAST);
  LsNode *bound = cast ? ((LsMatchCast *) node)->value : ((LsVarBinding *) node)->value;
  LsRelaxVar *var = cast ? ((LsMatchCast *) node)->var : ((LsVarBinding *) node)->var;
  const char *own;
  gpointer line = var != NULL ? g_hash_table_lookup (places, var->name) : NULL;

  if (line != NULL)
    self->line = GPOINTER_TO_UINT (line);
  if (var == NULL)
    {
      numpy_refuse (self, "A check of shapes alone");
      return;
    }
  own = numpy_declare (self, var, var->name);
  if (ls_is_relax_call_tir (bound))
    call_tir (self, own, (LsRelaxCall *) bound);
  else if (ls_is (bound, RELAX_IF))
    {
      numpy_begin (self);
      g_string_append (self->out, "if ");
      value (self, ((LsRelaxIf *) bound)->cond, NULL);
      g_string_append (self->out, ":");
      numpy_end (self);
      self->indent++;
      sequence (self, ((LsRelaxIf *) bound)->true_branch, own, places);
      self->indent--;
      numpy_put (self, "else:");
      self->indent++;
      sequence (self, ((LsRelaxIf *) bound)->false_branch, own, places);
      self->indent--;
    }
  else
    {
      numpy_begin (self);
      g_string_append_printf (self->out, "%s = ", own);
      value (self, bound, LS_NODE (var->struct_info));
      numpy_end (self);
    }
  if (cast)
    learn_sizes (self, own, ((LsMatchCast *) node)->struct_info);
}

/* What comes of it is returned, or becomes `target`. */
static void
sequence (Numpy      *self,
          LsNode     *seq,
          const char *target,
          GHashTable *places)
{
  LsSeqExpr *blocks = (LsSeqExpr *) seq;

  for (guint i = 0; ls_is (seq, SEQ_EXPR) && i < blocks->blocks->n; i++)
    for (guint k = 0; k < ls_array_at (blocks->blocks, i, LsBindingBlock)->bindings->n && self->error == NULL; k++)
      binding (self, ls_array_at (blocks->blocks, i, LsBindingBlock)->bindings->items[k], places);
  numpy_begin (self);
  if (target == NULL)
    g_string_append (self->out, "return ");
  else
    g_string_append_printf (self->out, "%s = ", target);
  value (self, ls_is (seq, SEQ_EXPR) ? blocks->body : seq, NULL);
  numpy_end (self);
}

static LsWalk
note_place (LsNode  *node,
            gpointer data)
{
  LsVarBinding *bound = (LsVarBinding *) node;

  if (ls_is (node, VAR_BINDING))
    {
      guint line = MAX (numpy_line_of (node), numpy_line_of (bound->value));

      if (line > 0)
        g_hash_table_insert (data, bound->var->name, GUINT_TO_POINTER (line));
    }
  return LS_WALK_CONTINUE;
}

void
numpy_relax_func (Numpy      *self,
                  const char *name,
                  LsNode     *node,
                  LsNode     *original)
{
  LsFunction *func = (LsFunction *) node;
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);

  if (original != NULL)
    ls_walk (original, note_place, NULL, places);
  self->line = original != NULL ? numpy_line_of (original) : 0;
  numpy_begin (self);
  g_string_append_printf (self->out, "def %s(", name);
  for (guint i = 0; i < func->params->n; i++)
    g_string_append_printf (self->out, "%s%s", i > 0 ? ", " : "", numpy_declare (self, func->params->items[i], ls_array_at (func->params, i, LsRelaxVar)->name));
  g_string_append (self->out, "):");
  numpy_end (self);
  self->indent = 1;
  for (guint i = 0; i < func->params->n; i++)
    learn_sizes (self, numpy_name (self, func->params->items[i], ""), ls_array_at (func->params, i, LsRelaxVar)->struct_info);
  sequence (self, func->body, NULL, places);
  self->indent = 0;
}
