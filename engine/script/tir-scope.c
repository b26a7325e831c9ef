/* tir-scope: the calls that open loops and other scopes: T.serial, T.grid, T.Assert, T.LetStmt, T.attr, T.launch_thread,
 * T.realize, T.While, T.If.  Each makes a frame (tir-frame.c) and says what is wrong with its arguments.
 */
#include "engine/script/script-private.h"

/* ---- loops ---------------------------------------------------------------------------------- */

static gboolean
loop_bound (LsParse *p,
            LsArgs  *args,
            guint    slot,
            LsExpr **out)
{
  if ((*out = ls_value_to_expr (p, args->slot[slot], args->span[slot])) == NULL)
    return FALSE;
  if (ls_dtype_is_int (ls_dtype (*out)) || ls_dtype_is_uint (ls_dtype (*out)))
    return TRUE;
  ls_parse_error (p, args->span[slot], "script/type", "The bound of a loop is a whole number; this is %s.", ls_value_describe (p, args->slot[slot]));
  return FALSE;
}

LsExpr *
ls_loop_fit (LsParse *p,
             LsExpr  *e,
             LsDType  t,
             LsSpan   span)
{
  if (ls_dtype_equal (ls_dtype (e), t))
    return e;
  if (ls_is (e, INT_IMM))
    return ls_value_int_imm (p, t, ((LsIntImm *) e)->value, span);
  ls_parse_error (p, span, "script/type", "The bounds of a loop have one type; these have %s and %s.", ls_dtype_name (ls_dtype (e)), ls_dtype_name (t));
  return NULL;
}

static gboolean
add_loop (LsParse *p,
          LsFrame *frame,
          LsExpr  *min,
          LsExpr  *extent,
          LsSpan   span)
{
  LsDType t = ls_dtype (min);

  t.bits = MAX (t.bits, ls_dtype (extent).bits);
  if ((min = ls_loop_fit (p, min, t, span)) == NULL || (extent = ls_loop_fit (p, extent, t, span)) == NULL)
    return FALSE;
  g_ptr_array_add (frame->vars, ls_parse_keep (p, ls_var_new ("v", t), span));
  g_ptr_array_add (frame->mins, min);
  g_ptr_array_add (frame->extents, extent);
  return TRUE;
}

static LsFrame *
loop_frame (LsParse *p,
            LsArgs  *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_FOR, args->call);

  frame->vars = ls_list_new (p);
  frame->mins = ls_list_new (p);
  frame->extents = ls_list_new (p);
  frame->key = args->name;
  return frame;
}

static LsValue *
finish_loop (LsParse *p,
             LsFrame *frame,
             gboolean ok)
{
  guint n = frame->vars->len;
  LsValue **items;

  if (!ok)
    return NULL;
  items = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));
  for (guint i = 0; i < n; i++)
    items[i] = ls_value_node (p, frame->vars->pdata[i]);
  frame->value = n == 1 ? items[0] : ls_value_list (p, LS_VALUE_LIST, items, n);
  return ls_frame_value (p, frame);
}

static gboolean
range_loop (LsParse *p,
            LsFrame *frame,
            LsArgs  *args,
            guint    annotations)
{
  LsExpr *start, *stop, *extent;

  if (args->slot[annotations] != NULL &&
      (frame->annotations = ls_value_to_map (p, args->slot[annotations], args->span[annotations], "annotations")) == NULL)
    return FALSE;
  if (args->slot[1] == NULL)
    {
      if (!loop_bound (p, args, 0, &stop))
        return FALSE;
      return add_loop (p, frame, ls_parse_keep (p, ls_const_int (ls_dtype (stop), 0), args->call), ls_parse_simplify (p, stop), args->call);
    }
  if (!loop_bound (p, args, 0, &start) || !loop_bound (p, args, 1, &stop) ||
      (extent = ls_eval_math (p, LS_KIND_SUB, stop, start, args->call)) == NULL)
    return FALSE;
  return add_loop (p, frame, start, ls_parse_simplify (p, extent), args->call);
}

static LsValue *
handle_loop (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *frame = loop_frame (p, args);

  frame->for_kind = (LsForKind) entry->rule;
  return finish_loop (p, frame, range_loop (p, frame, args, 2));
}

static LsValue *
handle_thread_binding (LsParse       *p,
                       const LsEntry *entry,
                       LsArgs        *args)
{
  LsFrame *frame;

  if (args->slot[2] == NULL && args->slot[1] != NULL && args->slot[1]->kind == LS_VALUE_STRING)
    {
      args->slot[2] = args->slot[1];
      args->span[2] = args->span[1];
      args->slot[1] = NULL;
    }
  if (args->slot[2] == NULL)
    {
      ls_parse_error (p, args->call, "script/arity", "T.thread_binding lacks its argument `thread`, such as \"threadIdx.x\".");
      return NULL;
    }
  frame = loop_frame (p, args);
  frame->for_kind = LS_FOR_THREAD_BINDING;
  frame->thread = ls_value_to_string (p, args->slot[2], args->span[2], "thread");
  return finish_loop (p, frame, frame->thread != NULL && range_loop (p, frame, args, 3));
}

static LsValue *
handle_grid (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *frame = loop_frame (p, args);
  gboolean ok = args->n_rest > 0 && args->n_rest < LS_SCRIPT_MAX_DEPTH;

  if (args->n_rest >= LS_SCRIPT_MAX_DEPTH)
    ls_parse_error (p, args->call, "script/nesting", "T.grid got %u extents; fewer than %d loops nest.", args->n_rest, LS_SCRIPT_MAX_DEPTH);
  else if (!ok)
    ls_parse_error (p, args->call, "script/arity", "T.grid got no extents.");
  for (guint i = 0; ok && i < args->n_rest; i++)
    {
      LsExpr *extent = ls_value_to_expr (p, args->rest[i], args->rest_spans[i]);

      ok = extent != NULL;
      if (ok && !ls_dtype_is_int (ls_dtype (extent)) && !ls_dtype_is_uint (ls_dtype (extent)))
        {
          ls_parse_error (p, args->rest_spans[i], "script/type", "The extent of a loop is a whole number; this is %s.",
                          ls_value_describe (p, args->rest[i]));
          ok = FALSE;
        }
      if (ok)
        add_loop (p, frame, ls_parse_keep (p, ls_const_int (ls_dtype (extent), 0), args->call), extent, args->rest_spans[i]);
    }
  return finish_loop (p, frame, ok);
}

/* ---- other scopes ---------------------------------------------------------------------------------- */

static LsExpr *
condition_slot (LsParse *p,
                LsArgs  *args,
                guint    slot)
{
  return ls_value_to_expr (p, args->slot[slot], args->span[slot]);
}

static LsValue *
handle_assert (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_ASSERT, args->call);
  const char *message = ls_value_to_string (p, args->slot[1], args->span[1], "The message of an assertion");

  if (message == NULL || (frame->value_expr = condition_slot (p, args, 0)) == NULL)
    return NULL;
  frame->extra = LS_NODE (ls_parse_keep (p, ls_string_imm_new (message), args->span[1]));
  return ls_frame_value (p, frame);
}

static gboolean
let_types_agree (LsParse *p,
                 LsVar   *var,
                 LsExpr  *value,
                 LsSpan   span)
{
  LsDType a = ls_dtype (var), b = ls_dtype (value);
  LsDiagnostic *d;

  if (ls_dtype_equal (a, b) || (ls_dtype_is_handle (a) && ls_dtype_is_handle (b)))
    return TRUE;
  d = ls_parse_error (p, span, "script/type", "%s has the type %s, its value %s.", *var->name != '\0' ? var->name : ls_translate ("The variable"),
                      ls_dtype_name (a), ls_dtype_name (b));
  if (d != NULL)
    ls_diagnostic_set_repair (d, "Write T.Cast (\"%s\", ...) around the value.", ls_dtype_name (a));
  return FALSE;
}

LsFrame *
ls_frame_let (LsParse *p,
              LsVar   *var,
              LsExpr  *value,
              LsSpan   span)
{
  LsFrame *frame;

  if (!let_types_agree (p, var, value, span))
    return NULL;
  frame = ls_frame_new (p, LS_FRAME_LET, span);
  frame->node = LS_NODE (var);
  frame->value_expr = value;
  frame->value = ls_value_node (p, var);
  return frame;
}

static LsVar *
let_variable (LsParse *p,
              LsArgs  *args,
              LsExpr  *value)
{
  LsValue *type = args->slot[1], *var = args->slot[2];

  if (var != NULL)
    {
      if (var->kind == LS_VALUE_NODE && ls_is_var (var->node))
        return (LsVar *) var->node;
      ls_parse_error (p, args->span[2], "script/type", "var is a variable; this is %s.", ls_value_describe (p, var));
      return NULL;
    }
  if (type != NULL && type->kind == LS_VALUE_NODE && ls_is_var (type->node))
    return ls_parse_keep (p, ls_var_copy ((LsVar *) type->node, "v"), args->call);
  if (type != NULL && type->kind == LS_VALUE_DTYPE)
    return ls_parse_keep (p, ls_var_new ("v", type->dtype), args->call);
  return ls_parse_keep (p, ls_var_new ("v", ls_dtype (value)), args->call);
}

static LsValue *
handle_let_stmt (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  LsExpr *value = ls_value_to_expr (p, args->slot[0], args->span[0]);
  LsVar *var = value != NULL ? let_variable (p, args, value) : NULL;
  LsFrame *frame = var != NULL ? ls_frame_let (p, var, value, args->call) : NULL;

  return frame != NULL ? ls_frame_value (p, frame) : NULL;
}

static LsValue *
handle_let (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsValue *v = args->slot[0];
  LsExpr *value = ls_value_to_expr (p, args->slot[1], args->span[1]);
  LsExpr *body;
  LsFrame *frame;

  if (value == NULL)
    return NULL;
  if (!(v->kind == LS_VALUE_NODE && ls_is_var (v->node)))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.let binds a variable; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  if (args->slot[2] == NULL)
    {
      frame = ls_frame_let (p, (LsVar *) v->node, value, args->call);
      return frame != NULL ? ls_frame_value (p, frame) : NULL;
    }
  if (!let_types_agree (p, (LsVar *) v->node, value, args->call) || (body = ls_value_to_expr (p, args->slot[2], args->span[2])) == NULL)
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_let_new ((LsVar *) ls_ref (v->node), ls_ref (value), ls_ref (body)), args->call));
}

static LsValue *
handle_attr (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_ATTR, args->call);

  frame->node = args->slot[0]->kind == LS_VALUE_STRING ? LS_NODE (ls_parse_keep (p, ls_string_imm_new (args->slot[0]->s), args->span[0]))
                                                       : ls_value_to_attr (p, args->slot[0], args->span[0]);
  frame->key = ls_value_to_string (p, args->slot[1], args->span[1], "The key of an attribute");
  frame->value_expr = ls_value_to_expr (p, args->slot[2], args->span[2]);
  return frame->node != NULL && frame->key != NULL && frame->value_expr != NULL ? ls_frame_value (p, frame) : NULL;
}

static LsValue *
handle_env_thread (LsParse       *p,
                   const LsEntry *entry,
                   LsArgs        *args)
{
  const char *tag = ls_value_to_string (p, args->slot[0], args->span[0], "The thread");
  LsDType type = LS_INT32;
  LsVar *var;

  if (tag == NULL || (args->slot[1] != NULL && !ls_value_to_dtype (p, args->slot[1], args->span[1], &type)))
    return NULL;
  var = ls_parse_keep (p, ls_var_new ("v", type), args->call);
  if (p->func != NULL)
    g_hash_table_insert (p->func->env_threads, var,
                         ls_parse_keep (p, ls_iter_var_new (NULL, ls_ref (var), LS_ITER_THREAD_INDEX, tag), args->call));
  return ls_value_node (p, var);
}

/* The thread with its extent; a second launch has the same one. */
static LsIterVar *
launched_thread (LsParse   *p,
                 LsIterVar *thread,
                 LsExpr    *extent,
                 LsArgs    *args)
{
  LsExpr *fitted;

  if (thread->dom != NULL)
    {
      LsExpr *difference;

      if (ls_deep_equal (thread->dom->extent, extent))
        return thread;
      difference = ls_eval_math (p, LS_KIND_SUB, thread->dom->extent, extent, args->call);
      if (difference != NULL && ls_is_zero (ls_parse_simplify (p, difference)))
        return thread;
      ls_parse_error (p, args->call, "script/argument", "The thread %s was launched with another extent.", thread->thread_tag);
      return NULL;
    }
  if ((fitted = ls_loop_fit (p, extent, ls_dtype (thread->var), args->span[1])) == NULL)
    return NULL;
  thread = ls_parse_keep (p, ls_iter_var_new (ls_range_new (ls_const_int (ls_dtype (fitted), 0), ls_ref (fitted)), ls_ref (thread->var),
                                              LS_ITER_THREAD_INDEX, thread->thread_tag), args->call);
  g_hash_table_insert (p->func->env_threads, thread->var, thread);
  return thread;
}

static LsValue *
handle_launch_thread (LsParse       *p,
                      const LsEntry *entry,
                      LsArgs        *args)
{
  LsValue *v = args->slot[0];
  LsExpr *extent = ls_value_to_expr (p, args->slot[1], args->span[1]);
  LsIterVar *thread = NULL;
  LsFrame *frame;

  if (extent == NULL || p->func == NULL)
    return NULL;
  if (v->kind == LS_VALUE_STRING)
    {
      LsVar *var = ls_parse_keep (p, ls_var_new ("v", ls_dtype (extent)), args->call);

      thread = ls_parse_keep (p, ls_iter_var_new (NULL, ls_ref (var), LS_ITER_THREAD_INDEX, v->s), args->call);
    }
  else if (v->kind == LS_VALUE_NODE)
    thread = g_hash_table_lookup (p->func->env_threads, ls_is (v->node, ITER_VAR) ? (gpointer) ((LsIterVar *) v->node)->var : (gpointer) v->node);
  if (thread == NULL)
    {
      ls_parse_error (p, args->span[0], "script/argument", "T.launch_thread takes a text such as \"threadIdx.x\" or a variable of T.env_thread; this is %s.",
                      ls_value_describe (p, v));
      return NULL;
    }
  if ((thread = launched_thread (p, thread, extent, args)) == NULL)
    return NULL;
  frame = ls_frame_new (p, LS_FRAME_LAUNCH, args->call);
  frame->node = LS_NODE (thread);
  frame->key = strcmp (thread->thread_tag, "vthread") == 0 ? "virtual_thread" : "thread_extent";
  frame->value_expr = extent;
  frame->value = ls_value_node (p, thread->var);
  return ls_frame_value (p, frame);
}

static LsValue *
handle_realize (LsParse       *p,
                const LsEntry *entry,
                LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_REALIZE, args->call);
  g_autoptr (GPtrArray) out = g_ptr_array_new ();

  if (!ls_block_add_region (p, args, args->slot[0], args->span[0], out) ||
      (frame->key = ls_value_to_string (p, args->slot[1], args->span[1], "storage_scope")) == NULL)
    return NULL;
  frame->extra = out->pdata[0];
  frame->value_expr = args->slot[2] != NULL ? condition_slot (p, args, 2) : ls_parse_keep (p, ls_bool (TRUE), args->call);
  return frame->value_expr != NULL ? ls_frame_value (p, frame) : NULL;
}

static LsValue *
handle_condition (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, (LsFrameKind) entry->rule, args->call);

  frame->value_expr = condition_slot (p, args, 0);
  return frame->value_expr != NULL ? ls_frame_value (p, frame) : NULL;
}

static LsValue *
handle_branch (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsFrame *top = ls_frame_top (p);

  if (top == NULL || top->kind != LS_FRAME_IF)
    {
      ls_parse_error (p, args->call, "script/scope", "%s stands directly in `with T.If (...):`.", args->name);
      return NULL;
    }
  return ls_frame_value (p, ls_frame_new (p, (LsFrameKind) entry->rule, args->call));
}

static const LsEntry ROWS[] = {
  { "serial", "start stop? | annotations?", handle_loop, NULL, LS_FOR_SERIAL },
  { "parallel", "start stop? | annotations?", handle_loop, NULL, LS_FOR_PARALLEL },
  { "vectorized", "start stop? | annotations?", handle_loop, NULL, LS_FOR_VECTORIZED },
  { "unroll", "start stop? | annotations?", handle_loop, NULL, LS_FOR_UNROLLED },
  { "thread_binding", "start stop? thread? | annotations?", handle_thread_binding, NULL, 0 },
  { "grid", "*extents", handle_grid, NULL, 0 },
  { "Assert", "condition message", handle_assert, NULL, 0 },
  { "LetStmt", "value type_annotation? | var?", handle_let_stmt, NULL, 0 },
  { "let", "v value body?", handle_let, NULL, 0 },
  { "attr", "node attr_key value", handle_attr, NULL, 0 },
  { "env_thread", "thread_tag dtype?", handle_env_thread, NULL, 0 },
  { "launch_thread", "thread extent", handle_launch_thread, NULL, 0 },
  { "realize", "buffer_slice storage_scope condition?", handle_realize, NULL, 0 },
  { "While", "condition", handle_condition, NULL, LS_FRAME_WHILE },
  { "If", "condition", handle_condition, NULL, LS_FRAME_IF },
  { "Then", "", handle_branch, NULL, LS_FRAME_THEN },
  { "Else", "", handle_branch, NULL, LS_FRAME_ELSE },
};

const LsEntryTable ls_scope_entries = { ROWS, G_N_ELEMENTS (ROWS) };
