/* tir-func: a decorated Python function to a PrimFunc.
 *
 * Parameters: T.handle and scalar types are variables, T.Buffer (...) is a buffer with a handle of its own.  After the
 * body, the function is completed as TVM does (engine/tir/complete.c): regions that were not given, the root block.
 */
#include "engine/script/script-private.h"

static void
add_param (LsParse    *p,
           LsSyn      *param,
           LsVar      *var,
           LsBuffer   *buffer)
{
  g_ptr_array_add (p->func->params, var);
  g_ptr_array_add (p->func->buffers, buffer);
  ls_parse_bind (p, param->text, ls_value_node (p, buffer != NULL ? (gpointer) buffer : (gpointer) var));
}

static void
visit_param (LsParse *p,
             LsSyn   *param)
{
  LsValue *v;

  if (param->op != 0)
    {
      ls_parse_error (p, param->span, "script/unsupported", "A TensorIR function has a fixed list of parameters.");
      return;
    }
  if (g_hash_table_contains (p->scopes->pdata[p->scopes->len - 1], param->text))
    ls_parse_error (p, param->name_span, "script/duplicate", "There are two parameters `%s`.", param->text);
  ls_parse_bind (p, param->text, ls_value_poison (p));
  if (param->a == NULL)
    {
      LsDiagnostic *d = ls_parse_error (p, param->name_span, "script/expected-token", "The parameter `%s` has no type.", param->text);

      if (d != NULL)
        ls_diagnostic_set_repair (d, "Write %s: T.Buffer ((...), \"float32\") or %s: T.handle.", param->text, param->text);
      return;
    }
  if ((v = ls_eval (p, param->a)) == NULL || v->kind == LS_VALUE_POISON)
    return;
  if (v->kind == LS_VALUE_DTYPE)
    add_param (p, param, ls_keep (p, ls_var_new (param->text, v->dtype), param), NULL);
  else if (v->kind == LS_VALUE_NODE && ls_is_var (v->node) && !g_hash_table_contains (p->known, v->node))
    {
      ls_value_name (v->node, param->text);
      add_param (p, param, (LsVar *) v->node, NULL);
    }
  else if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER))
    {
      ls_value_name (v->node, param->text);
      add_param (p, param, ls_keep (p, ls_var_new (ls_arena_printf (&p->arena, "%s_handle", param->text), LS_HANDLE), param), (LsBuffer *) v->node);
    }
  else
    ls_parse_error (p, param->a->span, "script/type", "The type of a parameter is T.Buffer (...), T.handle or a scalar type; this is %s.",
                    ls_value_describe (p, v));
}

static LsType *
return_type (LsParse *p,
             LsSyn   *syn)
{
  LsValue *v = syn != NULL ? ls_eval (p, syn) : NULL;

  if (v == NULL || v->kind == LS_VALUE_NONE)
    return NULL;
  if (v->kind == LS_VALUE_DTYPE)
    return ls_parse_keep (p, ls_prim_type_new (v->dtype), syn->span);
  if (v->kind == LS_VALUE_NODE && ls_is_var (v->node) && ((LsVar *) v->node)->type_annotation != NULL)
    return ((LsVar *) v->node)->type_annotation;
  ls_parse_error (p, syn->span, "script/type", "A function gives back a scalar type or None; this is %s.", ls_value_describe (p, v));
  return NULL;
}

static LsMap *
attributes (LsParse *p,
            LsSyn   *def)
{
  GHashTableIter iter;
  gpointer key, value;
  LsMap *map = ls_map_empty ();

  g_hash_table_iter_init (&iter, p->func->attrs);
  while (g_hash_table_iter_next (&iter, &key, &value))
    ls_take (&map, ls_map_set (map, key, value));
  if (!p->func->private_ && ls_map_get (map, "global_symbol") == NULL)
    {
      g_autoptr (LsNode) name = LS_NODE (ls_string_new (def->text));

      ls_take (&map, ls_map_set (map, "global_symbol", name));
    }
  return map;
}

static LsArray *
array_of_kept (GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    ls_node_ref (list->pdata[i]);
  return ls_array_new (list->pdata, list->len);
}

static LsPrimFunc *
finish (LsParse *p,
        LsSyn   *def,
        LsType  *ret,
        LsFrame *frame)
{
  LsStmt *body = ls_seq (ls_array_take_ptr_array (g_steal_pointer (&frame->stmts)));
  g_autoptr (LsArray) allocs = array_of_kept (p->func->allocs);
  LsPrimFunc *func, *complete;

  func = ls_prim_func_new (array_of_kept (p->func->params), body, ret != NULL ? ls_ref (ret) : NULL, array_of_kept (p->func->buffers),
                           attributes (p, def));
  complete = ls_complete_prim_func (func, allocs, p->diagnostics);
  ls_unref (func);
  if (complete != NULL && complete->node.span.source == 0 && g_atomic_ref_count_compare (&complete->node.refs, 1))
    ls_node_set_span (complete, def->span);
  return complete;
}

LsPrimFunc *
ls_tir_visit_func (LsParse *p,
                   LsSyn   *def,
                   gboolean private_)
{
  LsFuncState state = { .name = def->text, .private_ = private_ };
  LsFuncState *outer = p->func;
  LsFrame *frame = ls_frame_new (p, LS_FRAME_FUNC, def->span);
  guint depth = p->frames->len;
  LsPrimFunc *func;
  LsType *ret;

  state.params = g_ptr_array_new ();
  state.buffers = g_ptr_array_new ();
  state.allocs = g_ptr_array_new ();
  state.attrs = g_hash_table_new (g_str_hash, g_str_equal);
  state.env_threads = g_hash_table_new (NULL, NULL);
  p->func = &state;
  ls_parse_push_scope (p);
  ls_frame_enter (p, frame);
  ret = return_type (p, def->b);
  for (guint i = 0; i < def->a->n; i++)
    visit_param (p, def->a->items[i]);
  ls_tir_visit_body (p, def->items, def->n);
  ls_frame_exit_to (p, depth + 1);
  g_ptr_array_set_size (p->frames, depth);
  ls_parse_pop_scope (p);
  func = finish (p, def, ret, frame);
  p->func = outer;
  g_ptr_array_unref (state.params);
  g_ptr_array_unref (state.buffers);
  g_ptr_array_unref (state.allocs);
  g_hash_table_unref (state.attrs);
  g_hash_table_unref (state.env_threads);
  return func;
}
