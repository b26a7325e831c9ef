/* tir-stmt: statements of a function.
 *
 * Each statement adds to the innermost frame or opens one (tir-frame.c).  A statement with a finding is left out; names
 * that it would have bound are poisoned, so that their uses give no further findings.
 */
#include "engine/script/script-private.h"

/* ---- stores --------------------------------------------------------------------------------------- */

static LsExpr *
stored_value (LsParse  *p,
              LsBuffer *buffer,
              LsArray  *indices,
              LsValue  *value,
              LsSpan    span)
{
  guint n = ls_array_n (indices);
  LsDType want = ls_dtype_with_lanes (buffer->dtype, buffer->dtype.lanes * (n > 0 ? ls_dtype (indices->items[n - 1]).lanes : 1));
  LsExpr *e = ls_value_to_expr (p, value, span);
  LsDType have;

  if (e == NULL)
    return NULL;
  have = ls_dtype (e);
  if (ls_dtype_equal (want, have))
    return e;
  if (want.lanes != have.lanes || ls_is (e, STRING_IMM))
    {
      ls_parse_error (p, span, "script/type", "%s takes %s here; the value is %s.", buffer->name, ls_dtype_name (want), ls_value_describe (p, value));
      return NULL;
    }
  if (want.code == LS_TYPE_HANDLE || have.code == LS_TYPE_HANDLE ||
      ((want.code == LS_TYPE_INT || want.code == LS_TYPE_UINT) && ls_dtype_is_float (have)))
    ls_parse_warning (p, span, "script/type", "The value of type %s is cast to %s, which may lose digits.", ls_dtype_name (have), ls_dtype_name (want));
  if (ls_is (e, INT_IMM) && ls_dtype_is_int (want))
    return ls_value_int_imm (p, want, ((LsIntImm *) e)->value, span);
  if (ls_is (e, FLOAT_IMM) && ls_dtype_is_float (want))
    return ls_value_float_imm (p, want, ((LsFloatImm *) e)->value, span);
  return ls_parse_keep (p, ls_cast (want, ls_ref (e)), span);
}

static void
store (LsParse *p,
       LsValue *base,
       LsValue *index,
       LsValue *value,
       LsSyn   *at)
{
  LsBuffer *buffer;
  LsArray *indices;
  LsExpr *e;
  LsStmt *stmt;

  if (base->kind != LS_VALUE_NODE || !ls_is (base->node, BUFFER))
    {
      if (base->kind != LS_VALUE_POISON)
        ls_parse_error (p, at->span, "script/target", "Elements of a buffer are written; this is %s.", ls_value_describe (p, base));
      return;
    }
  buffer = (LsBuffer *) base->node;
  if ((indices = ls_eval_indices (p, buffer, index, at->span)) == NULL || (e = stored_value (p, buffer, indices, value, at->span)) == NULL)
    return;
  stmt = ls_buffer_store_new (ls_ref (buffer), ls_ref (e), ls_ref (indices), NULL);
  ls_node_set_span (stmt, at->span);
  ls_frame_add (p, stmt);
}

/* A copy of `syn` (a[i:j]) whose slices have the step 1: read as a vector, not as a region. */
static LsSyn *
with_steps (LsParse *p,
            LsSyn   *syn)
{
  LsSyn *copy, *one;

  if (syn->kind != LS_SYN_INDEX)
    return syn;
  copy = ls_arena_new (&p->arena, LsSyn);
  *copy = *syn;
  one = ls_arena_new (&p->arena, LsSyn);
  one->kind = LS_SYN_INT;
  one->integer = 1;
  one->span = syn->span;
  copy->b = ls_arena_new (&p->arena, LsSyn);
  *copy->b = *syn->b;
  if (copy->b->kind == LS_SYN_SLICE && copy->b->c == NULL && copy->b->a != NULL && copy->b->b != NULL)
    copy->b->c = one;
  else if (copy->b->kind == LS_SYN_TUPLE)
    {
      copy->b->items = ls_arena_alloc (&p->arena, (syn->b->n + 1) * sizeof (LsSyn *));
      for (guint i = 0; i < syn->b->n; i++)
        {
          copy->b->items[i] = ls_arena_new (&p->arena, LsSyn);
          *copy->b->items[i] = *syn->b->items[i];
          if (copy->b->items[i]->kind == LS_SYN_SLICE && copy->b->items[i]->c == NULL && copy->b->items[i]->a != NULL && copy->b->items[i]->b != NULL)
            copy->b->items[i]->c = one;
        }
    }
  return copy;
}

static void
visit_assign (LsParse *p,
              LsSyn   *stmt)
{
  LsSyn *target = stmt->items[0];
  LsValue *value, *base, *index;

  if (stmt->n != 1)
    ls_parse_error (p, stmt->span, "script/unsupported", "`a = b = c` is not used in a script; write two assignments.");
  value = ls_eval (p, with_steps (p, stmt->a));
  if (target->kind != LS_SYN_INDEX)
    {
      ls_assign (p, target, value, LS_BIND_ASSIGN, stmt);
      return;
    }
  base = ls_eval (p, target->a);
  index = ls_eval (p, target->b);
  if (value != NULL && base != NULL && index != NULL && value->kind != LS_VALUE_POISON)
    store (p, base, index, value, stmt);
}

static void
visit_augment (LsParse *p,
               LsSyn   *stmt)
{
  LsValue *left = ls_eval (p, with_steps (p, stmt->a));
  LsValue *right = ls_eval (p, with_steps (p, stmt->b));
  LsValue *value = left != NULL && right != NULL ? ls_eval_binary (p, stmt->op, left, right, stmt) : NULL;
  LsValue *base, *index;

  if (value == NULL)
    return;
  if (stmt->a->kind != LS_SYN_INDEX)
    {
      ls_assign (p, stmt->a, value, LS_BIND_ASSIGN, stmt);
      return;
    }
  base = ls_eval (p, stmt->a->a);
  index = ls_eval (p, stmt->a->b);
  if (base != NULL && index != NULL)
    store (p, base, index, value, stmt);
}

/* The variable that an annotation describes. */
static LsVar *
annotated_variable (LsParse *p,
                    LsSyn   *annotation)
{
  LsValue *v = ls_eval (p, annotation);

  if (v == NULL)
    return NULL;
  if (v->kind == LS_VALUE_DTYPE)
    return ls_keep (p, ls_var_new ("v", v->dtype), annotation);
  if (v->kind == LS_VALUE_NODE && ls_is_var (v->node))
    return (LsVar *) v->node;
  ls_parse_error (p, annotation->span, "script/type", "The annotation of a let is a type such as T.int32; this is %s.", ls_value_describe (p, v));
  return NULL;
}

static void
visit_annotated (LsParse *p,
                 LsSyn   *stmt)
{
  LsExpr *value = NULL;
  LsVar *var = annotated_variable (p, stmt->b);
  LsFrame *frame;

  if (stmt->c == NULL)
    ls_parse_error (p, stmt->span, "script/expected-token", "`=` and a value were expected after the annotation.");
  else
    value = ls_eval_expr (p, stmt->c);
  if (stmt->a->kind != LS_SYN_NAME)
    {
      ls_parse_error (p, stmt->a->span, "script/target", "An annotated value goes to a name.");
      return;
    }
  if (var == NULL || value == NULL || !ls_frame_room (p, stmt->span))
    {
      ls_bind_poison (p, stmt->a);
      return;
    }
  ls_value_name (LS_NODE (var), stmt->a->text);
  if ((frame = ls_frame_let (p, var, value, stmt->span)) == NULL)
    {
      ls_bind_poison (p, stmt->a);
      return;
    }
  ls_assign (p, stmt->a, ls_value_node (p, var), LS_BIND_WITH, stmt);
  ls_frame_enter (p, frame);
}

/* ---- blocks of statements ------------------------------------------------------------------------------ */

static void
visit_body_in (LsParse *p,
               LsFrame *frame,
               LsSyn   *stmt)
{
  guint depth = p->frames->len;

  frame->span = stmt->span;
  ls_frame_enter (p, frame);
  ls_tir_visit_body (p, stmt->items, stmt->n);
  ls_frame_exit_to (p, depth);
}

/* Reads a body for its findings only. */
static void
visit_body_aside (LsParse *p,
                  LsSyn  **stmts,
                  guint    n,
                  LsSpan   span)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_WHILE, span);
  guint depth = p->frames->len;
  LsFrame *block;

  block = ls_frame_new (p, LS_FRAME_BLOCK, span);
  block->name = "";
  frame->value_expr = ls_parse_keep (p, ls_bool (TRUE), span);
  ls_frame_enter (p, frame);
  ls_frame_enter (p, block);
  ls_tir_visit_body (p, stmts, n);
  ls_frame_exit_to (p, depth + 1);
  g_ptr_array_set_size (frame->stmts, 0);
  g_ptr_array_remove_index (p->frames, p->frames->len - 1);
  g_ptr_array_unref (g_steal_pointer (&frame->stmts));
}

static void
visit_for (LsParse *p,
           LsSyn   *stmt)
{
  LsValue *v = ls_eval (p, stmt->b);

  if (stmt->n_more > 0)
    ls_parse_error (p, stmt->more[0]->span, "script/unsupported", "A loop of a script has no `else`.");
  ls_parse_push_scope (p);
  if (v != NULL && v->kind == LS_VALUE_FRAME && v->frame->kind == LS_FRAME_FOR && ls_frame_may_open (p, v->frame, stmt->b->span))
    {
      ls_assign (p, stmt->a, v->frame->value, LS_BIND_FOR, stmt->b);
      visit_body_in (p, v->frame, stmt);
    }
  else
    {
      if (v != NULL && v->kind != LS_VALUE_POISON && !(v->kind == LS_VALUE_FRAME && v->frame->kind == LS_FRAME_FOR))
        {
          LsDiagnostic *d = ls_parse_error (p, stmt->b->span, "script/type", "A loop runs over a range; this is %s.", ls_value_describe (p, v));

          if (d != NULL)
            ls_diagnostic_set_repair (d, "Write range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll or T.thread_binding.");
        }
      ls_bind_poison (p, stmt->a);
      visit_body_aside (p, stmt->items, stmt->n, stmt->span);
    }
  ls_parse_pop_scope (p);
}

static void
visit_while (LsParse *p,
             LsSyn   *stmt)
{
  LsExpr *condition;
  LsFrame *frame;

  ls_parse_push_scope (p);
  condition = ls_eval_expr (p, stmt->a);
  if (condition != NULL && ls_frame_room (p, stmt->a->span))
    {
      frame = ls_frame_new (p, LS_FRAME_WHILE, stmt->span);
      frame->value_expr = condition;
      visit_body_in (p, frame, stmt);
    }
  else
    visit_body_aside (p, stmt->items, stmt->n, stmt->span);
  ls_parse_pop_scope (p);
}

static void
visit_branch (LsParse    *p,
              LsFrameKind kind,
              LsSyn     **stmts,
              guint       n,
              LsSpan      span)
{
  LsFrame *frame = ls_frame_new (p, kind, span);
  guint depth = p->frames->len;

  ls_parse_push_scope (p);
  ls_frame_enter (p, frame);
  ls_tir_visit_body (p, stmts, n);
  ls_frame_exit_to (p, depth);
  ls_parse_pop_scope (p);
}

static void
visit_if (LsParse *p,
          LsSyn   *stmt)
{
  LsValue *v = ls_eval (p, stmt->a);
  LsExpr *condition = NULL;
  guint depth = p->frames->len;

  if (v != NULL && v->kind == LS_VALUE_BOOL)
    {
      ls_parse_push_scope (p);
      ls_tir_visit_body (p, v->i ? stmt->items : stmt->more, v->i ? stmt->n : stmt->n_more);
      ls_parse_pop_scope (p);
      return;
    }
  if (v != NULL && ls_value_is_expr (v))
    condition = ls_value_to_expr (p, v, stmt->a->span);
  else if (v != NULL && v->kind != LS_VALUE_POISON)
    ls_parse_error (p, stmt->a->span, "script/type", "`if` asks a condition; this is %s.", ls_value_describe (p, v));
  if (condition != NULL && ls_frame_room (p, stmt->a->span))
    {
      LsFrame *frame = ls_frame_new (p, LS_FRAME_IF, stmt->span);

      frame->value_expr = condition;
      ls_frame_enter (p, frame);
      visit_branch (p, LS_FRAME_THEN, stmt->items, stmt->n, stmt->span);
      if (stmt->n_more > 0)
        visit_branch (p, LS_FRAME_ELSE, stmt->more, stmt->n_more, stmt->span);
      ls_frame_exit_to (p, depth);
      return;
    }
  ls_parse_push_scope (p);
  visit_body_aside (p, stmt->items, stmt->n, stmt->span);
  ls_parse_pop_scope (p);
  ls_parse_push_scope (p);
  visit_body_aside (p, stmt->more, stmt->n_more, stmt->span);
  ls_parse_pop_scope (p);
}

static gboolean
open_item (LsParse *p,
           LsSyn   *item,
           LsSyn   *stmt)
{
  LsValue *v = ls_eval (p, item->a);
  gboolean is_frame = v != NULL && v->kind == LS_VALUE_FRAME;

  if (!is_frame || !ls_frame_may_open (p, v->frame, item->span))
    {
      if (v != NULL && !is_frame && v->kind != LS_VALUE_POISON)
        {
          LsDiagnostic *d = ls_parse_error (p, item->a->span, "script/type", "`with` opens a scope such as T.block; this is %s.", ls_value_describe (p, v));

          if (d != NULL && item->a->kind == LS_SYN_ATTR)
            {
              ls_diagnostic_set_repair (d, "Write brackets after the name: T.init ().");
              ls_diagnostic_set_fix (d, (LsSpan) { item->a->span.source, item->a->span.end, item->a->span.end }, "()");
            }
        }
      if (item->b != NULL)
        ls_bind_poison (p, item->b);
      return FALSE;
    }
  if (v->frame->kind == LS_FRAME_FOR)
    ls_parse_error (p, item->a->span, "script/structure", "A loop starts with `for`, not with `with`.");
  v->frame->span = stmt->span;
  ls_frame_enter (p, v->frame);
  if (item->b != NULL)
    {
      if (v->frame->value == NULL)
        ls_parse_error (p, item->b->span, "script/target", "This scope gives nothing that a name could stand for.");
      ls_assign (p, item->b, v->frame->value, LS_BIND_WITH, item->a);
    }
  return TRUE;
}

static void
visit_with (LsParse *p,
            LsSyn   *stmt)
{
  guint depth = p->frames->len;
  gboolean ok = TRUE;

  ls_parse_push_scope (p);
  for (guint i = 0; i < stmt->n_more; i++)
    ok = open_item (p, stmt->more[i], stmt) && ok;
  if (ok)
    ls_tir_visit_body (p, stmt->items, stmt->n);
  else
    visit_body_aside (p, stmt->items, stmt->n, stmt->span);
  ls_frame_exit_to (p, depth);
  ls_parse_pop_scope (p);
}

/* ---- simple statements -------------------------------------------------------------------------------- */

static void
add_evaluate (LsParse *p,
              LsExpr  *e,
              LsSpan   span)
{
  LsStmt *stmt = ls_evaluate_new (ls_ref (e));

  ls_node_set_span (stmt, span);
  ls_frame_add (p, stmt);
}

static void
visit_expression (LsParse *p,
                  LsSyn   *stmt)
{
  LsValue *v = ls_eval (p, stmt->a);
  LsExpr *e;
  LsDiagnostic *d;

  if (v == NULL || v->kind == LS_VALUE_NONE || v->kind == LS_VALUE_STRING || v->kind == LS_VALUE_POISON)
    return;
  if (v->kind == LS_VALUE_FRAME)
    ls_frame_open (p, v->frame, stmt);
  else if (v->kind == LS_VALUE_STORE)
    ls_frame_add (p, ls_ref (LS_STMT (v->node)));
  else if (ls_value_is_expr (v) || v->kind == LS_VALUE_INT || v->kind == LS_VALUE_BOOL)
    {
      if ((e = ls_value_to_expr (p, v, stmt->span)) != NULL)
        add_evaluate (p, e, stmt->span);
    }
  else
    {
      d = ls_parse_error (p, stmt->span, "script/structure", "%s alone is no statement.", ls_value_describe (p, v));
      if (d != NULL && v->kind == LS_VALUE_FUNC)
        ls_diagnostic_set_repair (d, "Call it: T.%s (...).", v->entry != NULL ? v->entry->name : v->s);
    }
}

static void
visit_return (LsParse *p,
              LsSyn   *stmt)
{
  LsExpr *e;

  if (stmt->a == NULL || stmt->a->kind == LS_SYN_NONE)
    {
      ls_parse_error (p, stmt->span, "script/structure", "`return` gives an expression back; a function without result ends by itself.");
      return;
    }
  if ((e = ls_eval_expr (p, stmt->a)) != NULL)
    add_evaluate (p, ls_keep (p, ls_call_op ("tir.ret", ls_dtype (e), ls_array_of (ls_ref (e), NULL)), stmt), stmt->span);
}

static void
visit_assert (LsParse *p,
              LsSyn   *stmt)
{
  LsExpr *condition = ls_eval_expr (p, stmt->a);
  LsValue *v = stmt->b != NULL ? ls_eval (p, stmt->b) : NULL;
  const char *message = v != NULL ? ls_value_to_string (p, v, stmt->b->span, "The message of an assertion") : NULL;
  LsFrame *frame;

  if (stmt->b == NULL)
    ls_parse_error (p, stmt->span, "script/arity", "An assertion has a message: assert condition, \"message\".");
  if (condition == NULL || message == NULL || !ls_frame_room (p, stmt->span))
    return;
  frame = ls_frame_new (p, LS_FRAME_ASSERT, stmt->span);
  frame->value_expr = condition;
  frame->extra = LS_NODE (ls_keep (p, ls_string_imm_new (message), stmt->b));
  ls_frame_enter (p, frame);
}

static void
visit_statement (LsParse *p,
                 LsSyn   *stmt)
{
  switch (stmt->kind)
    {
    case LS_SYN_EXPR: visit_expression (p, stmt); return;
    case LS_SYN_ASSIGN: visit_assign (p, stmt); return;
    case LS_SYN_AUGMENT: visit_augment (p, stmt); return;
    case LS_SYN_ANNOTATED: visit_annotated (p, stmt); return;
    case LS_SYN_FOR: visit_for (p, stmt); return;
    case LS_SYN_WHILE: visit_while (p, stmt); return;
    case LS_SYN_IF: visit_if (p, stmt); return;
    case LS_SYN_WITH: visit_with (p, stmt); return;
    case LS_SYN_RETURN: visit_return (p, stmt); return;
    case LS_SYN_ASSERT: visit_assert (p, stmt); return;
    case LS_SYN_PASS: return;
    case LS_SYN_BROKEN: return;
    case LS_SYN_BREAK:
    case LS_SYN_CONTINUE:
      ls_parse_error (p, stmt->span, "script/unsupported", "A loop of TensorIR runs to its end; `break` and `continue` have no meaning.");
      return;
    case LS_SYN_DEF:
    case LS_SYN_CLASS:
      ls_parse_error (p, stmt->name_span, "script/unsupported", "A TensorIR function holds no other definition.");
      return;
    case LS_SYN_IMPORT:
    case LS_SYN_FROM:
    case LS_SYN_OTHER:
      ls_parse_error (p, stmt->span, "script/unsupported", "This Python statement has no meaning in a TensorIR function.");
      return;
    case LS_SYN_NAME:
    case LS_SYN_INT:
    case LS_SYN_BIGINT:
    case LS_SYN_FLOAT:
    case LS_SYN_STRING:
    case LS_SYN_BOOL_LITERAL:
    case LS_SYN_NONE:
    case LS_SYN_ELLIPSIS:
    case LS_SYN_OPAQUE:
    case LS_SYN_TUPLE:
    case LS_SYN_LIST:
    case LS_SYN_SET:
    case LS_SYN_DICT:
    case LS_SYN_ATTR:
    case LS_SYN_INDEX:
    case LS_SYN_SLICE:
    case LS_SYN_CALL:
    case LS_SYN_UNARY:
    case LS_SYN_BINARY:
    case LS_SYN_BOOL:
    case LS_SYN_COMPARE:
    case LS_SYN_COND:
    case LS_SYN_LAMBDA:
    case LS_SYN_STAR:
    case LS_SYN_KEYWORD:
    case LS_SYN_PARAM:
    case LS_SYN_WITH_ITEM:
    case LS_SYN_ALIAS:
      return;
    }
}

void
ls_tir_visit_body (LsParse *p,
                   LsSyn  **stmts,
                   guint    n)
{
  for (guint i = 0; i < n; i++)
    visit_statement (p, stmts[i]);
}

/* ---- calls that are statements -------------------------------------------------------------------------- */

static LsValue *
handle_evaluate (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  LsExpr *e = ls_value_to_expr (p, args->slot[0], args->span[0]);

  if (e == NULL)
    return NULL;
  add_evaluate (p, e, args->call);
  return ls_value_new (p, LS_VALUE_NONE);
}

static LsValue *
handle_buffer_store (LsParse       *p,
                     const LsEntry *entry,
                     LsArgs        *args)
{
  LsSyn at = { .kind = LS_SYN_CALL, .span = args->call };
  LsValue *v = args->slot[0];
  LsArray *indices;
  LsExpr *value, *predicate;
  LsStmt *stmt;

  if (args->slot[3] == NULL)
    {
      store (p, v, args->slot[2], args->slot[1], &at);
      return ls_value_new (p, LS_VALUE_NONE);
    }
  if (v->kind != LS_VALUE_NODE || !ls_is (v->node, BUFFER))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.buffer_store writes a buffer; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  if ((indices = ls_eval_indices (p, (LsBuffer *) v->node, args->slot[2], args->span[2])) == NULL ||
      (value = stored_value (p, (LsBuffer *) v->node, indices, args->slot[1], args->span[1])) == NULL ||
      (predicate = ls_value_to_expr (p, args->slot[3], args->span[3])) == NULL)
    return NULL;
  stmt = ls_buffer_store_new ((LsBuffer *) ls_ref (v->node), ls_ref (value), ls_ref (indices), ls_ref (predicate));
  ls_node_set_span (stmt, args->call);
  ls_frame_add (p, stmt);
  return ls_value_new (p, LS_VALUE_NONE);
}

static LsValue *
handle_func_attr (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsMap *map = ls_value_to_map (p, args->slot[0], args->span[0], "The attributes of a function");

  if (map == NULL || p->func == NULL)
    return NULL;
  for (guint i = 0; i < map->n; i++)
    {
      /* "tirx.noalias" is what "tir.noalias" is called since 2026 */
      char *key = g_str_has_prefix (map->keys[i], "tirx.") ? ls_arena_join (&p->arena, "tir.", map->keys[i] + strlen ("tirx."), "") : map->keys[i];

      if (strcmp (key, "global_symbol") == 0 && p->func->private_)
        ls_parse_error (p, args->call, "script/argument", "A private function has no \"global_symbol\".");
      else if (g_hash_table_contains (p->func->attrs, key))
        ls_parse_error (p, args->call, "script/duplicate", "The attribute \"%s\" is given twice.", key);
      else
        g_hash_table_insert (p->func->attrs, key, map->values[i]);
    }
  return ls_value_new (p, LS_VALUE_NONE);
}

static LsValue *
handle_unsupported (LsParse       *p,
                    const LsEntry *entry,
                    LsArgs        *args)
{
  ls_parse_error (p, args->call, "script/unsupported", "%s is not carried out: %s.", args->name, entry->detail);
  return NULL;
}

static const LsEntry ROWS[] = {
  { "evaluate", "value", handle_evaluate, NULL, 0 },
  { "buffer_store", "buffer value indices predicate?", handle_buffer_store, NULL, 0 },
  { "func_attr", "attrs", handle_func_attr, NULL, 0 },
  { "prefetch", "buffer bounds", handle_unsupported, "the node Prefetch does not exist here", 0 },
  { "ProducerLoad", "*args", handle_unsupported, "it belongs to tensor expressions", 0 },
  { "Reduce", "*args", handle_unsupported, "it belongs to tensor expressions", 0 },
  { "call_kernel", "*args", handle_unsupported, "it runs Python code", 0 },
};

const LsEntryTable ls_stmt_entries = { ROWS, G_N_ELEMENTS (ROWS) };
