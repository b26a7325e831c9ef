/* relax-call: what stands behind R. and is no operator of the table: calls of functions (struct info and values: relax-info.c).
 *
 * The older forms of the course are read too: R.call_tir ("f", args, shape, dtype=...) says its result by shape and type;
 * a function named by a text is an extern one.
 */
#include "engine/script/script-private.h"

/* ---- arguments ---------------------------------------------------------------------- */

static gboolean
add_argument (LsParse    *p,
              LsSyn      *item,
              GPtrArray  *values,
              GPtrArray  *keywords,
              GArray     *spans)
{
  LsSyn *syn = item->kind == LS_SYN_KEYWORD || item->kind == LS_SYN_STAR ? item->a : item;
  LsValue *v = ls_eval (p, syn);

  if (v == NULL || v->kind == LS_VALUE_POISON)
    return FALSE;
  if (item->kind == LS_SYN_STAR && !ls_value_is_sequence (v))
    {
      ls_parse_error (p, item->span, "script/type", "`*` takes a list or a tuple apart; this is %s.", ls_value_describe (p, v));
      return FALSE;
    }
  for (guint i = 0; i < (item->kind == LS_SYN_STAR ? v->n : 1); i++)
    {
      g_ptr_array_add (values, item->kind == LS_SYN_STAR ? v->items[i] : v);
      g_ptr_array_add (keywords, item->kind == LS_SYN_KEYWORD ? (gpointer) item->text : NULL);
      g_array_append_val (spans, syn->span);
    }
  return TRUE;
}

gboolean
ls_relax_args (LsParse     *p,
               const char  *name,
               LsSyn       *call,
               LsRelaxArgs *args)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new (), keywords = g_ptr_array_new ();
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LsSpan));
  gboolean fine = TRUE;

  memset (args, 0, sizeof *args);
  for (guint i = 0; i < call->n; i++)
    fine = add_argument (p, call->items[i], values, keywords, spans) && fine;
  args->n = values->len;
  args->values = ls_arena_list (&p->arena, values);
  args->keywords = ls_arena_list (&p->arena, keywords);
  args->taken = ls_arena_alloc (&p->arena, (values->len + 1) * sizeof (gboolean));
  args->spans = ls_arena_alloc (&p->arena, (values->len + 1) * sizeof (LsSpan));
  if (values->len > 0)
    memcpy (args->spans, spans->data, values->len * sizeof (LsSpan));
  while (args->n_positional < args->n && args->keywords[args->n_positional] == NULL)
    args->n_positional++;
  args->call = call->span;
  args->name = name;
  return fine;
}

LsValue *
ls_relax_take (LsRelaxArgs *args,
               guint        position,
               const char  *keyword,
               LsSpan      *span)
{
  for (guint i = 0; i < args->n; i++)
    if (i < args->n_positional ? i == position : keyword != NULL && args->keywords[i] != NULL && strcmp (args->keywords[i], keyword) == 0)
      {
        args->taken[i] = TRUE;
        *span = args->spans[i];
        return args->values[i];
      }
  *span = args->call;
  return NULL;
}

gboolean
ls_relax_all_taken (LsParse     *p,
                    LsRelaxArgs *args)
{
  for (guint i = 0; i < args->n; i++)
    if (!args->taken[i])
      {
        if (args->keywords[i] != NULL)
          ls_parse_error (p, args->spans[i], "script/arity", "%s has no parameter `%s`.", args->name, args->keywords[i]);
        else
          ls_parse_error (p, args->spans[i], "script/arity", "%s takes fewer arguments; it got %u.", args->name, args->n_positional);
        return FALSE;
      }
  return TRUE;
}

LsValue *
ls_relax_need (LsParse     *p,
               LsRelaxArgs *args,
               guint        position,
               const char  *keyword,
               LsSpan      *span)
{
  LsValue *v = ls_relax_take (args, position, keyword, span);

  if (v == NULL)
    ls_parse_error (p, args->call, "script/arity", "%s needs an argument `%s`.", args->name, keyword);
  return v;
}

#define KEEP(node) ls_value_node (p, ls_parse_keep (p, (node), args->call))

/* ---- calls of functions ------------------------------------------------------------------------ */

static LsNode *
function_of (LsParse *p,
             LsValue *v,
             LsSpan   span)
{
  if (v->kind == LS_VALUE_STRING)
    return ls_parse_keep (p, ls_extern_func_new (v->s), span);
  if (v->kind == LS_VALUE_NODE && (ls_is (v->node, GLOBAL_VAR) || ls_is (v->node, EXTERN_FUNC) || ls_is (v->node, PRIM_FUNC) || ls_is_relax_var (v->node)))
    return v->node;
  if (v->kind != LS_VALUE_POISON)
    ls_parse_error (p, span, "script/type", "A function or the name of one was expected; this is %s.", ls_value_describe (p, v));
  return NULL;
}

static LsNode *
tuple_arg (LsParse *p,
           LsValue *v,
           LsSpan   span)
{
  LsNode *e;

  if (ls_value_is_sequence (v))
    return ls_relax_expr (p, v, span);
  e = ls_relax_arg (p, v, span);
  if (e == NULL || ls_is (e, RELAX_TUPLE))
    return e;
  if (ls_is_relax_var (e) && ls_is (((LsRelaxVar *) e)->struct_info, TUPLE_STRUCT_INFO))
    return e;
  return ls_parse_keep (p, ls_relax_tuple_new (ls_array_of (ls_ref (e), NULL)), span);
}

static LsNode *
value_in (GPtrArray  *bindings,
          LsRelaxVar *var)
{
  for (guint i = bindings->len; i-- > 0;)
    if (ls_is (bindings->pdata[i], VAR_BINDING) && ((LsVarBinding *) bindings->pdata[i])->var == var)
      return ((LsVarBinding *) bindings->pdata[i])->value;
  return NULL;
}

static LsNode *
value_of (LsParse    *p,
          LsRelaxVar *var)
{
  for (LsRelaxState *s = p->relax; s != NULL; s = s->outer)
    {
      LsNode *value = value_in (s->bindings, var);

      for (guint i = s->blocks->len; i-- > 0 && value == NULL;)
        {
          LsArray *bindings = ((LsBindingBlock *) s->blocks->pdata[i])->bindings;

          for (guint k = bindings->n; k-- > 0 && value == NULL;)
            if (ls_is (bindings->items[k], VAR_BINDING) && ls_array_at (bindings, k, LsVarBinding)->var == var)
              value = ls_array_at (bindings, k, LsVarBinding)->value;
        }
      if (value != NULL)
        return value;
    }
  return NULL;
}

/* TensorIR is called with a tuple that is written out: what the variable holds, or its fields. */
static LsNode *
written_out (LsParse *p,
             LsNode  *e,
             LsSpan   span)
{
  LsNode *value = e;
  g_autoptr (GPtrArray) fields = NULL;
  guint n;

  while (value != NULL && ls_is_relax_var (value))
    value = value_of (p, (LsRelaxVar *) value);
  if (value != NULL && ls_is (value, RELAX_TUPLE))
    return value;
  if (!ls_is_relax_var (e))
    return e;
  fields = g_ptr_array_new ();
  n = ((LsTupleStructInfo *) ((LsRelaxVar *) e)->struct_info)->fields->n;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (fields, ls_ref (ls_relax_emit (p, NULL, ls_parse_keep (p, ls_tuple_get_item_new (ls_ref (e), i), span), NULL, span)));
  return ls_parse_keep (p, ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&fields))), span);
}

/* The argument `keyword`, or what it is called since a struct info is a type. */
static LsValue *
take_info (LsRelaxArgs *args,
           guint        position,
           const char  *keyword,
           const char  *later,
           LsSpan      *at)
{
  LsValue *v = ls_relax_take (args, position, keyword, at);

  return v != NULL ? v : ls_relax_take (args, G_MAXUINT, later, at);
}

LsValue *
ls_relax_take_infos (LsRelaxArgs *args,
                     LsSpan      *at)
{
  return take_info (args, G_MAXUINT, "sinfo_args", "ty_args", at);
}

/* out_sinfo=, out_ty= since 2026, or a shape and dtype= as the course of 2022 writes. */
static LsArray *
result_of (LsParse     *p,
           LsRelaxArgs *args)
{
  LsSpan at, type_at;
  LsValue *v = take_info (args, strcmp (args->name, "R.call_tir_inplace") == 0 ? 3 : 2, "out_sinfo", "out_ty", &at), *type = ls_relax_take (args, G_MAXUINT, "dtype", &type_at);
  LsDType dtype;
  LsArray *extents;

  if (v == NULL && (v = ls_relax_take (args, G_MAXUINT, "shape", &at)) == NULL)
    {
      ls_parse_error (p, args->call, "script/arity", "%s needs an argument `out_sinfo`.", args->name);
      return NULL;
    }
  if (type == NULL)
    {
      LsArray *infos = ls_relax_sinfos (p, v, at);

      if (infos == NULL || infos->n == 1)
        return infos;
      return ls_parse_keep (p, ls_array_of (ls_tuple_struct_info_new (ls_ref (infos)), NULL), at);
    }
  if (!ls_value_to_dtype (p, type, type_at, &dtype) || (extents = ls_relax_dimensions (p, v, at)) == NULL)
    return NULL;
  return ls_parse_keep (p, ls_array_of (ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (extents)), 0, dtype, NULL), NULL), at);
}

/* The arguments by keyword that are left are the attributes.  Takes the callee and the operands. */
static LsValue *
finish_call_of (LsParse     *p,
                LsRelaxArgs *args,
                LsNode      *callee,
                LsArray     *operands,
                LsArray     *infos)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < args->n; i++)
    if (!args->taken[i] && args->keywords[i] != NULL)
      {
        LsNode *value = args->values[i]->kind == LS_VALUE_NONE ? NULL : ls_value_to_attr (p, args->values[i], args->spans[i]);

        if (value == NULL && args->values[i]->kind != LS_VALUE_NONE)
          {
            ls_unref (callee);
            ls_unref (operands);
            return NULL;
          }
        args->taken[i] = TRUE;
        g_ptr_array_add (names, ls_string_new (args->keywords[i]));
        g_ptr_array_add (values, ls_node_ref (value));
      }
  return KEEP (ls_relax_call_new (callee, operands, ls_array_take_ptr_array (g_steal_pointer (&names)),
                                  ls_array_take_ptr_array (g_steal_pointer (&values)), infos != NULL ? ls_ref (infos) : NULL));
}

static LsValue *
finish_call (LsParse     *p,
             LsRelaxArgs *args,
             const char  *op,
             LsArray     *operands,
             LsArray     *infos)
{
  return finish_call_of (p, args, ls_relax_op_new (op), operands, infos);
}

/* call_tir, call_dps_packed and their kin: a function, a tuple, what comes out. */
static LsValue *
call_dps (LsParse     *p,
          LsRelaxArgs *args,
          const char  *op)
{
  LsSpan at, args_at, vars_at;
  LsValue *f = ls_relax_need (p, args, 0, "func", &at), *tuple = ls_relax_need (p, args, 1, "args", &args_at);
  gboolean inplace = strcmp (op, "relax.call_tir_inplace") == 0;
  LsValue *vars = ls_relax_take (args, inplace ? 4 : strcmp (op, "relax.call_tir") == 0 || strcmp (op, "relax.dist.call_tir_local_view") == 0 ? 3 : G_MAXUINT, "tir_vars", &vars_at);
  LsNode *callee = f != NULL ? function_of (p, f, at) : NULL;
  LsNode *operands = callee != NULL && tuple != NULL ? tuple_arg (p, tuple, args_at) : NULL;
  LsArray *infos = operands != NULL ? result_of (p, args) : NULL;
  LsArray *symbols = NULL;
  LsArray *list;

  if (operands != NULL && !ls_is (callee, EXTERN_FUNC) && (g_str_has_prefix (op, "relax.call_tir") || g_str_has_prefix (op, "relax.dist.")) && ls_is_relax_var (operands))
    operands = written_out (p, operands, args_at);
  if (infos == NULL || (vars != NULL && vars->kind != LS_VALUE_NONE && (symbols = ls_relax_dimensions (p, vars, vars_at)) == NULL))
    return NULL;
  if (ls_is (callee, EXTERN_FUNC) && strcmp (op, "relax.call_tir") == 0)
    op = "relax.call_dps_packed";
  list = symbols != NULL ? ls_array_of (ls_ref (callee), ls_ref (operands), ls_shape_expr_new (ls_ref (symbols)), NULL)
         : ls_array_of (ls_ref (callee), ls_ref (operands), NULL);
  if (inplace && args->n_positional > 2)
    args->keywords[2] = "inplace_indices";
  for (guint i = 2; inplace && i < args->n; i++)
    if (args->keywords[i] != NULL && strcmp (args->keywords[i], "inplace_indices") == 0 && args->values[i]->kind == LS_VALUE_INT)
      {
        LsValue **one = ls_arena_alloc (&p->arena, sizeof (LsValue *));

        one[0] = args->values[i];
        args->values[i] = ls_value_list (p, LS_VALUE_LIST, one, 1);
      }
  return finish_call (p, args, op, list, infos);
}

static LsArray *
given_infos (LsParse     *p,
             LsRelaxArgs *args,
             gboolean    *failed)
{
  LsSpan at;
  LsValue *v = ls_relax_take_infos (args, &at);
  LsArray *infos = v != NULL ? ls_relax_sinfos (p, v, at) : NULL;

  *failed = v != NULL && infos == NULL;
  return infos;
}

/* The arguments by position from `first` on; NULL: said. */
static LsArray *
rest (LsParse     *p,
      LsRelaxArgs *args,
      guint        first,
      LsNode      *head)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (head != NULL)
    g_ptr_array_add (out, ls_node_ref (head));
  for (guint i = first; i < args->n_positional; i++)
    {
      LsNode *e = ls_relax_arg (p, args->values[i], args->spans[i]);

      if (e == NULL)
        return NULL;
      args->taken[i] = TRUE;
      g_ptr_array_add (out, ls_node_ref (e));
    }
  return ls_array_take_ptr_array (g_steal_pointer (&out));
}

/* call_packed: the function is the operator; the others put it before the arguments. */
static LsValue *
call_packed (LsParse     *p,
             LsRelaxArgs *args,
             const char  *op)
{
  LsSpan at;
  LsValue *f = ls_relax_need (p, args, 0, "func", &at);
  LsNode *callee = f != NULL ? function_of (p, f, at) : NULL;
  gboolean failed;
  LsArray *infos = given_infos (p, args, &failed);
  LsArray *operands;

  if (callee == NULL || failed || (operands = rest (p, args, 1, op != NULL ? callee : NULL)) == NULL)
    return NULL;
  return finish_call_of (p, args, op != NULL ? ls_relax_op_new (op) : ls_node_ref (callee), operands, infos);
}

static LsValue *
call_builtin_with_ctx (LsParse     *p,
                       LsRelaxArgs *args,
                       const char  *op)
{
  LsSpan at, args_at;
  LsValue *f = ls_relax_need (p, args, 0, "func", &at), *tuple = ls_relax_need (p, args, 1, "args", &args_at);
  LsNode *callee = f == NULL ? NULL : ls_relax_is_value (f) ? ls_relax_arg (p, f, at) : function_of (p, f, at);
  LsNode *operands = callee != NULL && tuple != NULL ? tuple_arg (p, tuple, args_at) : NULL;
  gboolean failed;
  LsArray *infos = given_infos (p, args, &failed);

  if (operands == NULL || failed)
    return NULL;
  return finish_call (p, args, op, ls_array_of (ls_ref (callee), ls_ref (operands), NULL), infos);
}

/* What assert_op says may be one list alone: its items are the arguments. */
static LsArray *
values_to_say (LsParse     *p,
               LsRelaxArgs *args,
               guint        first)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < args->n_positional; i++)
    {
      LsValue *v = args->values[i];
      gboolean list = first > 0 && i == first && args->n_positional == first + 1 && (v->kind == LS_VALUE_LIST || v->kind == LS_VALUE_TUPLE);

      for (guint j = 0; j < (list ? v->n : 1); j++)
        {
          LsNode *e = ls_relax_arg (p, list ? v->items[j] : v, args->spans[i]);

          if (e == NULL)
            return NULL;
          g_ptr_array_add (out, ls_node_ref (e));
        }
      args->taken[i] = TRUE;
    }
  return ls_array_take_ptr_array (g_steal_pointer (&out));
}

/* print (values, format=), assert_op (condition, values, format=): the format stands among the arguments. */
static LsValue *
print_call (LsParse     *p,
            LsRelaxArgs *args,
            const char  *op,
            guint        at)
{
  LsSpan span;
  LsValue *format = ls_relax_take (args, G_MAXUINT, "format", &span);
  LsNode *text = format != NULL ? ls_relax_expr (p, format, span) : ls_parse_keep (p, ls_relax_string_new (""), args->call);
  g_autoptr (LsArray) values = text != NULL ? values_to_say (p, args, at) : NULL;

  if (values == NULL)
    return NULL;
  if (values->n < at)
    {
      ls_parse_error (p, args->call, "script/arity", "%s needs a condition.", args->name);
      return NULL;
    }
  return finish_call (p, args, op, ls_array_insert (values, at, text), NULL);
}

static LsValue *
match_cast (LsParse     *p,
            LsRelaxArgs *args)
{
  LsSpan at, info_at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at), *info = ls_relax_need (p, args, 1, "struct_info", &info_at);
  LsNode *value = v != NULL && info != NULL ? ls_relax_arg (p, v, at) : NULL;
  LsStructInfo *claimed = value != NULL ? ls_relax_sinfo (p, info, info_at) : NULL;

  return claimed != NULL ? KEEP (ls_match_cast_new (NULL, ls_node_ref (value), ls_ref (claimed))) : NULL;
}

LsValue *
ls_relax_call_value (LsParse *p,
                     LsNode  *callee,
                     LsSyn   *call)
{
  LsRelaxArgs args;
  LsArray *operands, *infos;
  gboolean failed;

  if (!ls_relax_args (p, "The function", call, &args))
    return NULL;
  infos = given_infos (p, &args, &failed);
  if (failed || (operands = rest (p, &args, 0, NULL)) == NULL)
    return NULL;
  if (!ls_relax_all_taken (p, &args))
    {
      ls_unref (operands);
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_relax_call_new (ls_node_ref (callee), operands, NULL, NULL,
                                                                infos != NULL ? ls_ref (infos) : NULL), call->span));
}

/* relax.Call (operator or function, arguments, attributes, what comes out): the node as it is, nothing is put in order. */
static LsValue *
call_as_it_is (LsParse     *p,
               LsRelaxArgs *args)
{
  LsSpan at, args_at, attrs_at;
  LsValue *op = ls_relax_need (p, args, 0, "op", &at), *list = ls_relax_need (p, args, 1, "args", &args_at);
  LsValue *attrs = ls_relax_take (args, 2, "attrs", &attrs_at);
  LsNode *callee = op != NULL && list != NULL ? ls_relax_arg (p, op, at) : NULL;
  LsNode *operands = callee != NULL ? ls_relax_arg (p, list, args_at) : NULL, *map = NULL;
  GPtrArray *names, *values;
  gboolean failed;
  LsArray *infos;

  if (operands == NULL || (attrs != NULL && attrs->kind != LS_VALUE_NONE && (map = ls_value_to_attr (p, attrs, attrs_at)) == NULL))
    return NULL;
  infos = given_infos (p, args, &failed);
  if (failed)
    return NULL;
  if (!ls_is (operands, RELAX_TUPLE) || (map != NULL && !ls_is (map, MAP)))
    {
      ls_parse_error (p, args->call, "script/type", "relax.Call takes a list of arguments and a dictionary of attributes.");
      return NULL;
    }
  names = g_ptr_array_new ();
  values = g_ptr_array_new ();
  for (guint i = 0; map != NULL && i < ((LsMap *) map)->n; i++)
    {
      g_ptr_array_add (names, ls_string_new (((LsMap *) map)->keys[i]));
      g_ptr_array_add (values, ((LsMap *) map)->values[i] != NULL ? ls_node_ref (((LsMap *) map)->values[i]) : NULL);
    }
  return KEEP (ls_relax_call_new (ls_node_ref (callee), ls_ref (((LsRelaxTuple *) operands)->fields), ls_array_take_ptr_array (names),
                                  ls_array_take_ptr_array (values),
                                  infos != NULL ? ls_ref (infos) : NULL));
}

/* ---- the switch --------------------------------------------------------------------------------- */

static LsValue *
dispatch (LsParse     *p,
          const char  *name,
          LsRelaxArgs *args)
{
  const LsRelaxReader whole = ls_relax_reader (name), read = whole != NULL ? whole : ls_relax_distributed_reader (name);

  if (read != NULL)
    return read (p, args);
  if (strcmp (name, "match_cast") == 0)
    return match_cast (p, args);
  if (strcmp (name, "call_packed") == 0)
    return call_packed (p, args, NULL);
  if (strcmp (name, "Call") == 0)
    return call_as_it_is (p, args);
  name = ls_arena_printf (&p->arena, "relax.%s", name);
  if (strcmp (name, "relax.call_tir") == 0 || strcmp (name, "relax.call_dps_packed") == 0 || strcmp (name, "relax.call_tir_inplace") == 0
      || strcmp (name, "relax.call_tir_with_grad") == 0 || strcmp (name, "relax.dist.call_tir_local_view") == 0)
    return call_dps (p, args, name);
  if (strcmp (name, "relax.dist.call_tir") == 0)
    return call_dps (p, args, "relax.call_tir");
  if (strcmp (name, "relax.call_pure_packed") == 0 || strcmp (name, "relax.call_inplace_packed") == 0)
    return call_packed (p, args, name);
  if (strcmp (name, "relax.call_builtin_with_ctx") == 0 || strcmp (name, "relax.invoke_closure") == 0
      || strcmp (name, "relax.invoke_pure_closure") == 0)
    return call_builtin_with_ctx (p, args, name);
  if (strcmp (name, "relax.print") == 0 || strcmp (name, "relax.assert_op") == 0)
    return print_call (p, args, name, name[6] == 'a' ? 1 : 0);
  return ls_relax_composed (p, name, args);
}

/* R.emit_te (function, ...): the host runs the function and gives the call, then the name and the program of each PrimFunc. */
static LsValue *
emit_te (LsParse *p,
         LsSyn   *call)
{
  LsValue *callee = p->host != NULL ? ls_host_lookup (p, "_loopscope_call_te", call) : NULL, *v;
  LsNode *made;

  if (callee == NULL || callee->kind != LS_VALUE_FOREIGN)
    {
      ls_parse_error (p, call->span, "script/python", "R.emit_te runs a Python function; there is no Python here.");
      return NULL;
    }
  v = ls_host_call (p, callee, call);
  if (v == NULL || !ls_value_is_sequence (v) || v->n != 3 || v->items[0]->kind != LS_VALUE_NODE)
    return NULL;
  made = ls_is (v->items[0]->node, RELAX_CALL) ? ((LsRelaxCall *) v->items[0]->node)->args->items[0] : NULL;
  if (!ls_is (made, GLOBAL_VAR) || v->items[2]->kind != LS_VALUE_NODE)
    return NULL;
  if (p->globals != NULL)
    g_hash_table_insert (p->globals, ((LsGlobalVar *) made)->name_hint, made);
  g_ptr_array_add (p->made, ls_node_ref (made));
  g_ptr_array_add (p->made, ls_node_ref (v->items[2]->node));
  return v->items[0];
}

LsValue *
ls_relax_call (LsParse    *p,
               const char *path,
               LsSyn      *call)
{
  LsRelaxArgs args;

  if (strcmp (path, "R.emit_te") == 0)
    return emit_te (p, call);

  if (g_str_has_prefix (path, "R.op."))
    path = ls_arena_printf (&p->arena, "R.%s", path + strlen ("R.op."));
  return ls_relax_args (p, path, call, &args) ? ls_relax_call_args (p, path, &args) : NULL;
}

LsValue *
ls_relax_call_args (LsParse     *p,
                    const char  *path,
                    LsRelaxArgs *args)
{
  LsValue *v = dispatch (p, path + 2, args);

  return v != NULL && ls_relax_all_taken (p, args) ? v : NULL;
}
