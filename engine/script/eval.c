/* eval: expressions of a script to values.
 *
 * Names are looked up in the scopes of the parse, then among Python's own (range, len, min ...).  A name that could not
 * be bound because of an earlier finding is POISON and gives no second finding.
 */
#include "engine/script/script-private.h"

#include "engine/script/metadata.h"

/* ---- containers ------------------------------------------------------------------------- */

static LsValue *
eval_items (LsParse     *p,
            LsSyn       *syn,
            LsValueKind  kind)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  gboolean failed = FALSE;
  LsValue *v;

  for (guint i = 0; i < syn->n; i++)
    {
      LsSyn *item = syn->items[i];

      v = ls_eval (p, item->kind == LS_SYN_STAR ? item->a : item);
      if (v == NULL)
        failed = TRUE;
      else if (item->kind != LS_SYN_STAR)
        g_ptr_array_add (out, v);
      else if (ls_value_is_sequence (v))
        for (guint k = 0; k < v->n; k++)
          g_ptr_array_add (out, v->items[k]);
      else
        {
          ls_parse_error (p, item->span, "script/type", "`*` takes a list or a tuple apart; this is %s.", ls_value_describe (p, v));
          failed = TRUE;
        }
    }
  if (failed)
    return NULL;
  v = ls_value_list (p, kind, NULL, out->len);
  v->items = ls_arena_list (&p->arena, out);
  return ls_value_weigh (p, v, syn->span);
}

static LsValue *
eval_dict (LsParse *p,
           LsSyn   *syn)
{
  LsValue *v = ls_value_new (p, LS_VALUE_DICT);
  gboolean failed = FALSE;

  v->n = syn->n;
  v->keys = ls_arena_alloc (&p->arena, (syn->n + 1) * sizeof (LsValue *));
  v->items = ls_arena_alloc (&p->arena, (syn->n + 1) * sizeof (LsValue *));
  for (guint i = 0; i < syn->n; i++)
    {
      v->keys[i] = ls_eval (p, syn->items[i]);
      v->items[i] = ls_eval (p, syn->more[i]);
      failed = failed || v->keys[i] == NULL || v->items[i] == NULL;
    }
  return failed ? NULL : ls_value_weigh (p, v, syn->span);
}

static LsValue *
eval_slice (LsParse *p,
            LsSyn   *syn)
{
  LsValue *v = ls_value_new (p, LS_VALUE_SLICE);
  LsSyn *parts[3] = { syn->a, syn->b, syn->c };

  v->n = 3;
  v->items = ls_arena_alloc (&p->arena, 3 * sizeof (LsValue *));
  for (guint i = 0; i < 3; i++)
    {
      if (parts[i] == NULL)
        continue;
      v->items[i] = ls_eval (p, parts[i]);
      if (v->items[i] == NULL || v->items[i]->kind == LS_VALUE_POISON)
        return NULL;
      if (v->items[i]->kind == LS_VALUE_NONE)
        v->items[i] = NULL;
    }
  return v;
}

/* The operators behind one another: a sum is as long as it likes. */
static LsValue *
eval_chain (LsParse *p,
            LsSyn   *syn)
{
  LsSyn *few[LS_SYN_FEW];
  guint n;
  LsSyn **operators = ls_syn_chain (syn, few, &n);
  LsValue *v = ls_eval (p, operators[0]->a);

  for (guint i = 0; i < n; i++)
    {
      LsValue *b = ls_eval (p, operators[i]->b);

      v = v != NULL && b != NULL ? ls_eval_binary (p, operators[i]->op, v, b, operators[i]) : NULL;
    }
  if (operators != few)
    g_free (operators);
  return v;
}

/* ---- names -------------------------------------------------------------------------------- */

static LsValue *
builtin (LsParse    *p,
         const char *name)
{
  static const char *const NAMES[] = { "range", "len", "min", "max", "int", "float", "bool", "abs", "list", "tuple", "sum", "str", "getattr" };

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (NAMES[i], name) == 0)
      {
        LsValue *v = ls_value_new (p, LS_VALUE_FUNC);

        v->s = NAMES[i];
        return v;
      }
  return NULL;
}

/* In expressions alone: a variable of the table, a function of T, or a fresh variable. */
static LsValue *
free_name (LsParse *p,
           LsSyn   *syn)
{
  LsNode *node = p->expr_vars != NULL ? g_hash_table_lookup (p->expr_vars, syn->text) : NULL;

  if (node != NULL)
    return ls_value_node (p, node);
  if (p->expr_vars != NULL && (p->expr_flags & LS_SCRIPT_EXPR_DECLARE) != 0)
    {
      LsVar *var = ls_var_new (syn->text, LS_INT32);

      g_hash_table_insert (p->expr_vars, g_strdup (syn->text), var);
      return ls_value_node (p, var);
    }
  return NULL;
}

static LsValue *
unknown_name (LsParse *p,
              LsSyn   *syn)
{
  const char *near;
  LsDiagnostic *d;

  if (p->quiet)
    return ls_value_new (p, LS_VALUE_OPAQUE);
  near = ls_parse_nearest_name (p, syn->text);
  d = ls_parse_error (p, syn->span, "script/unknown-name", "The name `%s` is not defined here.", syn->text);
  if (near != NULL)
    {
      ls_diagnostic_set_repair (d, "Did you mean `%s`?", near);
      ls_diagnostic_set_fix (d, syn->span, near);
    }
  else if (ls_entry_lookup ("T", syn->text) != NULL)
    {
      ls_diagnostic_set_repair (d, "Did you mean `T.%s`?", syn->text);
      ls_diagnostic_set_fix (d, syn->span, ls_arena_join (&p->arena, "T.", syn->text, ""));
    }
  return NULL;
}

static LsValue *
eval_name (LsParse *p,
           LsSyn   *syn)
{
  LsValue *v = ls_parse_lookup (p, syn->text);

  if (v == NULL && (v = ls_host_lookup (p, syn->text, syn)) != NULL)
    g_hash_table_insert (p->scopes->pdata[0], (gpointer) syn->text, v);
  if (v != NULL)
    return v->kind == LS_VALUE_POISON ? NULL : v;
  if (p->relaxed_names)
    {
      LsNode *node = p->expr_vars != NULL ? g_hash_table_lookup (p->expr_vars, syn->text) : NULL;

      if (node != NULL)
        return ls_value_node (p, node);
      if (ls_entry_lookup ("T", syn->text) != NULL && ls_syn_is_callee (p, syn))
        return ls_eval_member (p, "T", syn->text, syn);
      if ((v = free_name (p, syn)) != NULL)
        return v;
    }
  if (p->relax != NULL && (strcmp (syn->text, "Tensor") == 0 || strcmp (syn->text, "Object") == 0))
    return ls_module_value (p, ls_arena_printf (&p->arena, "R.%s", syn->text));
  v = builtin (p, syn->text);
  return v != NULL ? v : unknown_name (p, syn);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static LsValue *
python_range (LsParse *p,
              LsSyn   *call)
{
  LsArgs args;
  const LsEntry *serial = ls_entry_lookup ("T", "serial");

  if (!ls_args_bind (p, "range", serial->spec, call, &args))
    return NULL;
  return serial->handler (p, serial, &args);
}

static LsValue *
python_length (LsParse *p,
               LsValue *v,
               LsSyn   *call)
{
  if (ls_value_is_sequence (v) || v->kind == LS_VALUE_DICT)
    return ls_value_int (p, v->n);
  if (v->kind == LS_VALUE_STRING)
    return ls_value_int (p, g_utf8_strlen (v->s, -1));
  ls_parse_error (p, call->span, "script/type", "len () counts a list, a tuple or a text; this is %s.", ls_value_describe (p, v));
  return NULL;
}

static LsValue *
python_extreme (LsParse  *p,
                gboolean  max,
                LsValue **items,
                guint     n,
                LsSyn    *call)
{
  LsValue *best = NULL;

  for (guint i = 0; i < n; i++)
    {
      double x, y;

      if (!ls_value_is_number (items[i]))
        {
          LsDiagnostic *d = ls_parse_error (p, call->span, "script/type", "Python's %s () is for numbers; this is %s.",
                                            max ? "max" : "min", ls_value_describe (p, items[i]));

          if (d != NULL)
            ls_diagnostic_set_repair (d, "Write T.%s (a, b).", max ? "max" : "min");
          return NULL;
        }
      x = items[i]->kind == LS_VALUE_FLOAT ? items[i]->f : (double) items[i]->i;
      y = best == NULL ? 0.0 : best->kind == LS_VALUE_FLOAT ? best->f : (double) best->i;
      if (best == NULL || (max ? x > y : x < y))
        best = items[i];
    }
  return best != NULL ? best : ls_value_new (p, LS_VALUE_OPAQUE);
}

static LsValue *
python_sum (LsParse  *p,
            LsValue **items,
            guint     n,
            LsSyn    *call)
{
  LsValue *total = ls_value_int (p, 0);

  for (guint i = 0; i < n && total != NULL; i++)
    total = ls_eval_binary (p, '+', total, items[i], call);
  return total;
}

static LsValue *
python_convert (LsParse    *p,
                const char *name,
                LsValue    *v,
                LsSyn      *call)
{
  if (strcmp (name, "float") == 0 && v->kind == LS_VALUE_STRING)
    return ls_value_float (p, g_ascii_strtod (v->s, NULL));
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, INT_IMM))
    v = ls_value_int (p, ((LsIntImm *) v->node)->value);
  if (ls_value_is_number (v) && strcmp (name, "int") == 0)
    return v->kind != LS_VALUE_FLOAT ? ls_value_int (p, v->i)
           : v->f > -9.2e18 && v->f < 9.2e18 ? ls_value_int (p, (gint64) v->f) : ls_value_new (p, LS_VALUE_OPAQUE);
  if (ls_value_is_number (v) && strcmp (name, "float") == 0)
    return ls_value_float (p, v->kind == LS_VALUE_FLOAT ? v->f : (double) v->i);
  if (ls_value_is_number (v) && strcmp (name, "bool") == 0)
    return ls_value_bool (p, v->kind == LS_VALUE_FLOAT ? v->f != 0.0 : v->i != 0);
  if (ls_value_is_number (v) && strcmp (name, "abs") == 0)
    return v->kind == LS_VALUE_FLOAT ? ls_value_float (p, v->f < 0 ? -v->f : v->f)
           : v->i == G_MININT64 ? ls_value_new (p, LS_VALUE_OPAQUE) : ls_value_int (p, ABS (v->i));
  if (ls_value_is_sequence (v) && strcmp (name, "list") == 0)
    return ls_value_list (p, LS_VALUE_LIST, v->items, v->n);
  if (ls_value_is_sequence (v) && strcmp (name, "tuple") == 0)
    return ls_value_list (p, LS_VALUE_TUPLE, v->items, v->n);
  if (v->kind == LS_VALUE_STRING && strcmp (name, "str") == 0)
    return v;
  ls_parse_error (p, call->span, "script/type", "Python's %s () does not take %s here.", name, ls_value_describe (p, v));
  return NULL;
}

static LsValue *
call_builtin (LsParse    *p,
              const char *name,
              LsSyn      *call)
{
  LsArgs args;
  LsValue **items;
  guint n;

  if (strcmp (name, "range") == 0)
    return python_range (p, call);
  if (!ls_args_bind (p, name, "*values", call, &args))
    return NULL;
  items = args.rest;
  n = args.n_rest;
  if (strcmp (name, "min") == 0 || strcmp (name, "max") == 0 || strcmp (name, "sum") == 0)
    {
      if (n == 1 && ls_value_is_sequence (items[0]))
        {
          n = items[0]->n;
          items = items[0]->items;
        }
      return strcmp (name, "sum") == 0 ? python_sum (p, items, n, call) : python_extreme (p, name[1] == 'a', items, n, call);
    }
  if (strcmp (name, "getattr") == 0 && n == 2 && items[1]->kind == LS_VALUE_STRING)
    return ls_eval_attr_of (p, items[0], items[1]->s, call);
  if (n != 1)
    {
      ls_parse_error (p, call->span, "script/arity", "%s () takes one argument here; it got %u.", name, n);
      return NULL;
    }
  return strcmp (name, "len") == 0 ? python_length (p, items[0], call) : python_convert (p, name, items[0], call);
}

static LsValue *
call_entry (LsParse       *p,
            const LsEntry *entry,
            LsSyn         *call)
{
  LsArgs args;

  if (!ls_args_bind (p, ls_arena_join (&p->arena, "T.", entry->name, ""), entry->spec, call, &args))
    return NULL;
  return entry->handler (p, entry, &args);
}

static LsValue *
call_global (LsParse     *p,
             LsGlobalVar *gvar,
             LsSyn       *call)
{
  LsArgs args;
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsValue *ret = p->global_rets != NULL ? g_hash_table_lookup (p->global_rets, gvar->name_hint) : NULL;
  LsDType dtype = ret != NULL && ret->kind == LS_VALUE_DTYPE ? ret->dtype : LS_VOID;

  if (!ls_args_bind (p, gvar->name_hint, "*args", call, &args))
    return NULL;
  for (guint i = 0; i < args.n_rest; i++)
    {
      LsExpr *e = ls_value_to_expr (p, args.rest[i], args.rest_spans[i]);

      if (e == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (e));
    }
  return ls_value_node (p, ls_parse_keep (p, ls_call_new (dtype, ls_ref (gvar), ls_array_take_ptr_array (g_steal_pointer (&out))),
                                          call->span));
}

LsValue *
ls_eval_lambda (LsParse  *p,
                LsValue  *lambda,
                LsValue **args,
                guint     n,
                LsSyn    *at)
{
  LsSyn *syn = lambda->syn;
  LsValue *result;
  guint given = 0;

  if (p->eval_depth > LS_SCRIPT_MAX_NESTING)
    {
      ls_parse_error (p, at->span, "script/nesting", "Functions call each other more than %d levels deep.", LS_SCRIPT_MAX_NESTING);
      return NULL;
    }
  ls_parse_push_scope (p);
  for (guint i = 0; i < syn->n; i++)
    {
      LsSyn *param = syn->items[i];

      if (param->op == 1)
        {
          guint rest = n > given ? n - given : 0;

          for (guint k = i + 1; k < syn->n; k++)
            rest -= rest > 0 && syn->items[k]->op == 0;     /* names after it take the last ones */
          ls_parse_bind (p, param->text, ls_value_list (p, LS_VALUE_TUPLE, args + given, rest));
          given += rest;
        }
      else if (param->op == 0 && given < n)
        ls_parse_bind (p, param->text, args[given++]);
      else if (param->op == 0 && param->b != NULL)
        ls_parse_bind (p, param->text, ls_eval (p, param->b));
      else if (param->op == 0)
        given = n + 1;
    }
  if (given != n)
    {
      ls_parse_error (p, at->span, "script/arity", "The lambda has %u parameters; it got %u arguments.", syn->n, n);
      ls_parse_pop_scope (p);
      return NULL;
    }
  p->eval_depth++;
  result = ls_eval (p, syn->a);
  p->eval_depth--;
  ls_parse_pop_scope (p);
  return ls_value_bounded (p, result, at->span);
}

static LsValue *
call_lambda (LsParse *p,
             LsValue *lambda,
             LsSyn   *call)
{
  LsArgs args;

  if (!ls_args_bind (p, "the lambda", "*args", call, &args))
    return NULL;
  return ls_eval_lambda (p, lambda, args.rest, args.n_rest, call);
}

/* tvm.ir.load_json (text): the metadata of a Relax text, a dictionary of one list. */
static LsValue *
call_load_json (LsParse *p,
                LsSyn   *syn)
{
  LsValue *text = syn->n == 1 ? ls_eval (p, syn->items[0]) : NULL, *map;
  g_autoptr (GPtrArray) constants = NULL;
  g_autoptr (GError) error = NULL;
  gboolean quiet = p->quiet;

  if (text == NULL || text->kind != LS_VALUE_STRING)
    return ls_value_new (p, LS_VALUE_OPAQUE);
  constants = ls_metadata_parse (text->s, &error);
  if (constants == NULL)
    {
      p->quiet = FALSE;
      ls_parse_error (p, syn->span, "script/metadata", "%s", error->message);
      p->quiet = quiet;
      return ls_value_new (p, LS_VALUE_POISON);
    }
  map = ls_value_new (p, LS_VALUE_DICT);
  map->n = 1;
  map->keys = ls_arena_alloc (&p->arena, sizeof (LsValue *));
  map->items = ls_arena_alloc (&p->arena, sizeof (LsValue *));
  map->keys[0] = ls_value_string (p, "relax.expr.Constant");
  map->items[0] = ls_value_list (p, LS_VALUE_LIST, NULL, constants->len);
  map->items[0]->items = ls_arena_alloc (&p->arena, (constants->len + 1) * sizeof (LsValue *));
  for (guint i = 0; i < constants->len; i++)
    map->items[0]->items[i] = constants->pdata[i] == NULL ? ls_value_new (p, LS_VALUE_OPAQUE)
                              : ls_value_node (p, ls_parse_keep (p, ls_node_ref (constants->pdata[i]), syn->span));
  return map;
}

LsValue *
ls_eval_call (LsParse *p,
              LsSyn   *syn)
{
  LsValue *callee;
  LsDiagnostic *d;

  if (syn->a->kind == LS_SYN_NAME)
    p->callee = syn->a;
  callee = ls_eval (p, syn->a);
  p->callee = NULL;
  if (callee == NULL)
    {
      for (guint i = 0; i < syn->n; i++)
        ls_eval (p, syn->items[i]->kind == LS_SYN_KEYWORD || syn->items[i]->kind == LS_SYN_STAR ? syn->items[i]->a : syn->items[i]);
      return NULL;
    }
  switch (callee->kind)
    {
    case LS_VALUE_FUNC:
      return callee->entry != NULL ? call_entry (p, callee->entry, syn) : call_builtin (p, callee->s, syn);
    case LS_VALUE_DTYPE:
      return ls_call_dtype (p, callee->dtype, syn);
    case LS_VALUE_METHOD:
      return ls_eval_method (p, callee, syn);
    case LS_VALUE_LAMBDA:
      return call_lambda (p, callee, syn);
    case LS_VALUE_NODE:
      if (p->relax != NULL && (ls_is (callee->node, GLOBAL_VAR) || ls_is (callee->node, EXTERN_FUNC) || ls_is_relax_var (callee->node)))
        return ls_relax_call_value (p, callee->node, syn);
      if (ls_is (callee->node, GLOBAL_VAR))
        return call_global (p, (LsGlobalVar *) callee->node, syn);
      break;
    case LS_VALUE_OPAQUE:
      if (p->quiet)
        return callee;
      break;
    case LS_VALUE_FOREIGN:
      return ls_host_call (p, callee, syn);
    case LS_VALUE_MODULE:
      if (strcmp (callee->s, "tvm.ir.load_json") == 0)
        return call_load_json (p, syn);
      if (p->quiet)
        return ls_value_new (p, LS_VALUE_OPAQUE);
      if ((p->relax != NULL && g_str_has_prefix (callee->s, "R.")) || strcmp (callee->s, "R.device_mesh") == 0
          || strcmp (callee->s, "R.dist.device_mesh") == 0)
        return ls_relax_call (p, callee->s, syn);
      if (p->host != NULL && (callee = ls_host_eval (p, syn->a)) != NULL && callee->kind == LS_VALUE_FOREIGN)
        return ls_host_call (p, callee, syn);
      if (callee == NULL)
        return NULL;
      break;
    case LS_VALUE_NONE:
    case LS_VALUE_BOOL:
    case LS_VALUE_INT:
    case LS_VALUE_FLOAT:
    case LS_VALUE_STRING:
    case LS_VALUE_TUPLE:
    case LS_VALUE_LIST:
    case LS_VALUE_DICT:
    case LS_VALUE_SLICE:
    case LS_VALUE_FRAME:
    case LS_VALUE_META:
    case LS_VALUE_STORE:
    case LS_VALUE_IR_MODULE:
    case LS_VALUE_POISON:
      break;
    }
  d = ls_parse_error (p, syn->a->span, "script/type", "%s cannot be called.", ls_value_describe (p, callee));
  if (d != NULL && callee->kind == LS_VALUE_NODE && ls_is (callee->node, BUFFER))
    ls_diagnostic_set_repair (d, "Read an element with square brackets: %s[...].", ((LsBuffer *) callee->node)->name);
  return NULL;
}

/* ---- the switch ------------------------------------------------------------------------------- */

/* Of two values by a condition of the program: T.if_then_else, the sides cast to one type. */
static LsValue *
choose_later (LsParse *p,
              LsSyn   *syn,
              LsExpr  *condition)
{
  LsValue *one = ls_eval (p, syn->b);
  LsValue *other = one != NULL ? ls_eval (p, syn->c) : NULL;
  g_autoptr (LsExpr) a = other != NULL ? ls_ref (ls_value_to_expr (p, one, syn->b->span)) : NULL;
  g_autoptr (LsExpr) b = a != NULL ? ls_ref (ls_value_to_expr (p, other, syn->c->span)) : NULL;

  if (b == NULL)
    return NULL;
  if (!ls_match_types (&a, &b))
    {
      ls_parse_error (p, syn->span, "script/type", "`a if c else b` chooses between values of one type; these have %s and %s.",
                      ls_dtype_name (ls_dtype (a)), ls_dtype_name (ls_dtype (b)));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_if_then_else (ls_ref (condition), ls_ref (a), ls_ref (b)), syn->span));
}

static LsValue *
eval_condition (LsParse *p,
                LsSyn   *syn)
{
  LsValue *condition = ls_eval (p, syn->a);

  if (condition == NULL || condition->kind == LS_VALUE_POISON)
    return NULL;
  if (condition->kind == LS_VALUE_OPAQUE && p->quiet)
    return condition;
  if (condition->kind == LS_VALUE_BOOL || condition->kind == LS_VALUE_INT)
    return ls_eval (p, condition->i != 0 ? syn->b : syn->c);
  if (condition->kind == LS_VALUE_NODE && ls_is_expr (condition->node) && ls_dtype_is_bool (ls_dtype (condition->node)))
    return choose_later (p, syn, (LsExpr *) condition->node);
  ls_parse_error (p, syn->span, "script/unsupported", "`a if c else b` asks a condition, of Python or of the program; this is %s.",
                  ls_value_describe (p, condition));
  return NULL;
}

static LsValue *
unsupported (LsParse    *p,
             LsSyn      *syn,
             const char *what)
{
  if (p->quiet)
    return ls_value_new (p, LS_VALUE_OPAQUE);
  if (p->host != NULL && syn->kind == LS_SYN_OPAQUE)
    return ls_host_eval (p, syn);
  ls_parse_error (p, syn->span, "script/unsupported", "%s has no meaning in a script.", ls_translate (what));
  return NULL;
}

static LsValue *
eval_int (LsParse *p,
          LsSyn   *syn)
{
  LsValue *v = ls_value_int (p, syn->integer);

  v->big = syn->op != 0;
  return v;
}

static LsValue *
eval_lambda_value (LsParse *p,
                   LsSyn   *syn)
{
  LsValue *v = ls_value_new (p, LS_VALUE_LAMBDA);

  v->syn = syn;
  return v;
}

LsValue *
ls_eval (LsParse *p,
         LsSyn   *syn)
{
  switch (syn->kind)
    {
    case LS_SYN_NAME: return eval_name (p, syn);
    case LS_SYN_INT: return eval_int (p, syn);
    case LS_SYN_BIGINT:
      if (p->quiet)
        return ls_value_new (p, LS_VALUE_OPAQUE);
      ls_parse_error (p, syn->span, "script/overflow", "This number does not fit into 64 bits.");
      return NULL;
    case LS_SYN_FLOAT: return ls_value_float (p, syn->number);
    case LS_SYN_STRING: return ls_value_string (p, syn->text);
    case LS_SYN_BOOL_LITERAL: return ls_value_bool (p, syn->integer != 0);
    case LS_SYN_NONE: return ls_value_new (p, LS_VALUE_NONE);
    case LS_SYN_ELLIPSIS: return unsupported (p, syn, "`...`");
    case LS_SYN_OPAQUE: return unsupported (p, syn, syn->text != NULL && *syn->text != '\0' ? syn->text : LS_TEXT ("This Python expression"));
    case LS_SYN_TUPLE: return eval_items (p, syn, LS_VALUE_TUPLE);
    case LS_SYN_LIST: return eval_items (p, syn, LS_VALUE_LIST);
    case LS_SYN_SET: return unsupported (p, syn, LS_TEXT ("A set"));
    case LS_SYN_DICT: return eval_dict (p, syn);
    case LS_SYN_ATTR: return ls_eval_attr (p, syn);
    case LS_SYN_INDEX: return ls_eval_index (p, syn);
    case LS_SYN_SLICE: return eval_slice (p, syn);
    case LS_SYN_CALL: return ls_eval_call (p, syn);
    case LS_SYN_UNARY: return ls_eval_unary (p, syn);
    case LS_SYN_BINARY: return eval_chain (p, syn);
    case LS_SYN_BOOL: return ls_eval_bool (p, syn);
    case LS_SYN_COMPARE: return ls_eval_compare (p, syn);
    case LS_SYN_COND: return eval_condition (p, syn);
    case LS_SYN_LAMBDA: return eval_lambda_value (p, syn);
    case LS_SYN_STAR:
    case LS_SYN_KEYWORD:
    case LS_SYN_PARAM:
    case LS_SYN_EXPR:
    case LS_SYN_ASSIGN:
    case LS_SYN_AUGMENT:
    case LS_SYN_ANNOTATED:
    case LS_SYN_FOR:
    case LS_SYN_WHILE:
    case LS_SYN_IF:
    case LS_SYN_WITH:
    case LS_SYN_WITH_ITEM:
    case LS_SYN_DEF:
    case LS_SYN_CLASS:
    case LS_SYN_RETURN:
    case LS_SYN_ASSERT:
    case LS_SYN_IMPORT:
    case LS_SYN_FROM:
    case LS_SYN_ALIAS:
    case LS_SYN_PASS:
    case LS_SYN_BREAK:
    case LS_SYN_CONTINUE:
    case LS_SYN_OTHER:
    case LS_SYN_BROKEN:
      break;
    }
  return unsupported (p, syn, LS_TEXT ("This"));
}

LsExpr *
ls_eval_expr (LsParse *p,
              LsSyn   *syn)
{
  LsValue *v = ls_eval (p, syn);

  return v != NULL ? ls_value_to_expr (p, v, syn->span) : NULL;
}
