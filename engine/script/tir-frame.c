/* tir-frame: open scopes of a function and the calls that open them.
 *
 * A frame is a statement whose body is still being read.  `with` and `for` close their frame at the end of their
 * block; a frame that an assignment or a plain call opened (a let, an allocation, an attribute, a launch) stays open to
 * the end of the block around it.  Closing turns the frame into a statement of the frame below.
 */
#include "engine/script/script-private.h"

/* ---- frames ------------------------------------------------------------------------------- */

LsFrame *
ls_frame_new (LsParse    *p,
              LsFrameKind kind,
              LsSpan      span)
{
  LsFrame *frame = ls_arena_new (&p->arena, LsFrame);

  frame->kind = kind;
  frame->span = span;
  return frame;
}

/* A list that lives as long as the parse. */
static GPtrArray *
list_new (LsParse *p)
{
  GPtrArray *list = g_ptr_array_new ();

  g_ptr_array_add (p->lists, list);
  return list;
}

void
ls_frame_enter (LsParse *p,
                LsFrame *frame)
{
  frame->stmts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  frame->entered = TRUE;
  if (frame->kind == LS_FRAME_BLOCK)
    {
      frame->iter_vars = list_new (p);
      frame->iter_values = list_new (p);
      frame->alloc_buffers = list_new (p);
      frame->match_buffers = list_new (p);
    }
  g_ptr_array_add (p->frames, frame);
}

LsFrame *
ls_frame_top (LsParse *p)
{
  return p->frames->len > 0 ? p->frames->pdata[p->frames->len - 1] : NULL;
}

LsFrame *
ls_frame_find (LsParse    *p,
               LsFrameKind kind)
{
  for (guint i = p->frames->len; i-- > 0;)
    if (((LsFrame *) p->frames->pdata[i])->kind == kind)
      return p->frames->pdata[i];
  return NULL;
}

LsFrame *
ls_frame_block (LsParse *p,
                LsArgs  *args)
{
  LsFrame *top = ls_frame_top (p);

  if (top != NULL && top->kind == LS_FRAME_BLOCK)
    return top;
  ls_parse_error (p, args->call, "script/scope", "%s stands directly in `with T.block (...):`%s.", args->name,
                  ls_frame_find (p, LS_FRAME_BLOCK) != NULL ? ", not deeper" : "");
  return NULL;
}

void
ls_frame_add (LsParse *p,
              LsStmt  *stmt)
{
  LsFrame *top = ls_frame_top (p);

  if (top == NULL)
    ls_unref (stmt);
  else
    g_ptr_array_add (top->stmts, stmt);
}

static LsStmt *
take_body (LsFrame *frame)
{
  return ls_seq (ls_array_take_ptr_array (g_steal_pointer (&frame->stmts)));
}

/* An array of the pointers in `list`, each referenced. */
static LsArray *
array_from (GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    ls_node_ref (list->pdata[i]);
  return ls_array_new (list->pdata, list->len);
}

static LsStmt *
close_for (LsParse *p,
           LsFrame *frame)
{
  LsStmt *body = take_body (frame);

  for (guint i = frame->vars->len; i-- > 0;)
    {
      LsVar *var = frame->vars->pdata[i];
      LsExpr *min = frame->mins->pdata[i];
      LsExpr *extent = frame->extents->pdata[i];
      LsIterVar *thread = NULL;

      if (frame->thread != NULL)
        thread = ls_iter_var_new (NULL, ls_var_new ("iter", ls_dtype (var)), LS_ITER_THREAD_INDEX, frame->thread);
      body = LS_STMT (ls_for_new (ls_ref (var), ls_ref (min), ls_ref (extent), frame->for_kind, body, thread,
                                  frame->annotations != NULL ? ls_ref (frame->annotations) : NULL));
      ls_node_set_span (body, frame->span);
    }
  return body;
}

static LsStmt *
close_block (LsParse *p,
             LsFrame *frame)
{
  LsMap *annotations = frame->annotations != NULL ? ls_ref (frame->annotations) : ls_map_empty ();
  int detect = (frame->reads == NULL ? 1 : 0) | (frame->writes == NULL ? 2 : 0);
  LsBlock *block;
  LsStmt *stmt;

  if (detect != 0)
    {
      g_autoptr (LsNode) mask = LS_NODE (ls_int_imm_new (LS_INT64, detect));

      ls_take (&annotations, ls_map_set (annotations, LS_DETECT_ACCESS, mask));
    }
  block = ls_block_new (array_from (frame->iter_vars), frame->reads != NULL ? ls_ref (frame->reads) : NULL,
                        frame->writes != NULL ? ls_ref (frame->writes) : NULL, frame->name, take_body (frame),
                        g_steal_pointer (&frame->init), array_from (frame->alloc_buffers), array_from (frame->match_buffers), annotations);
  ls_node_set_span (block, frame->span);
  if (frame->no_realize)
    stmt = LS_STMT (block);
  else
    {
      LsExpr *predicate = frame->predicate != NULL ? ls_ref (frame->predicate) : ls_bool (TRUE);

      stmt = LS_STMT (ls_block_realize_new (array_from (frame->iter_values), predicate, block));
      ls_node_set_span (stmt, frame->span);
    }
  return stmt;
}

static LsStmt *
close_realize (LsFrame *frame)
{
  LsBufferRegion *region = (LsBufferRegion *) frame->extra;
  LsStmt *body = ls_buffer_realize_new (ls_ref (region->buffer), ls_ref (region->region), ls_ref (frame->value_expr), take_body (frame));

  return ls_attr_stmt_new (ls_ref (region->buffer), "realize_scope", ls_string_imm_new (frame->key), body);
}

static LsStmt *
close_decl (LsFrame *frame)
{
  LsBuffer *buffer = (LsBuffer *) frame->node;
  LsStmt *body = ls_decl_buffer_new (ls_ref (buffer), take_body (frame));

  if (frame->no_realize)
    return body;
  return ls_allocate_new (ls_ref (buffer->data), buffer->dtype, ls_ref (buffer->shape), ls_bool (TRUE), body, NULL);
}

static LsStmt *
close_if (LsParse *p,
          LsFrame *frame)
{
  g_clear_pointer (&frame->stmts, g_ptr_array_unref);
  if (frame->then_case == NULL)
    {
      g_clear_pointer (&frame->else_case, ls_node_unref);
      ls_parse_error (p, frame->span, "script/structure", "T.If holds T.Then and, if wanted, T.Else.");
      return NULL;
    }
  return ls_if_then_else_new (ls_ref (frame->value_expr), g_steal_pointer (&frame->then_case), g_steal_pointer (&frame->else_case));
}

/* Hands the branch to the T.If around it. */
static void
close_branch (LsParse *p,
              LsFrame *frame)
{
  LsFrame *owner = ls_frame_top (p);
  LsStmt *body = take_body (frame);
  LsStmt **slot;

  if (owner == NULL || owner->kind != LS_FRAME_IF)
    {
      ls_unref (body);
      return;
    }
  slot = frame->kind == LS_FRAME_THEN ? &owner->then_case : &owner->else_case;
  if (*slot != NULL)
    ls_parse_error (p, frame->span, "script/duplicate", "This T.If has such a branch already.");
  ls_take (slot, body);
}

static void
close_init (LsParse *p,
            LsFrame *frame)
{
  LsFrame *block = ls_frame_top (p);
  LsStmt *body = take_body (frame);

  if (block == NULL || block->kind != LS_FRAME_BLOCK)
    ls_unref (body);
  else
    ls_take (&block->init, body);
}

static LsStmt *
close_frame (LsParse *p,
             LsFrame *frame)
{
  switch (frame->kind)
    {
    case LS_FRAME_FUNC:
      g_clear_pointer (&frame->stmts, g_ptr_array_unref);
      return NULL;
    case LS_FRAME_BLOCK: return close_block (p, frame);
    case LS_FRAME_FOR: return close_for (p, frame);
    case LS_FRAME_WHILE: return ls_while_new (ls_ref (frame->value_expr), take_body (frame));
    case LS_FRAME_IF: return close_if (p, frame);
    case LS_FRAME_THEN:
    case LS_FRAME_ELSE:
      close_branch (p, frame);
      return NULL;
    case LS_FRAME_INIT:
      close_init (p, frame);
      return NULL;
    case LS_FRAME_ASSERT:
      return ls_assert_stmt_new (ls_ref (frame->value_expr), LS_EXPR (ls_ref (frame->extra)), take_body (frame));
    case LS_FRAME_LET:
      return ls_let_stmt_new ((LsVar *) ls_ref (frame->node), ls_ref (frame->value_expr), take_body (frame));
    case LS_FRAME_LAUNCH:
    case LS_FRAME_ATTR:
      return ls_attr_stmt_new (ls_ref (frame->node), frame->key, ls_ref (frame->value_expr), take_body (frame));
    case LS_FRAME_REALIZE: return close_realize (frame);
    case LS_FRAME_ALLOCATE:
      return ls_allocate_new ((LsVar *) ls_ref (frame->node), frame->dtype, ls_ref (frame->extents_array), ls_ref (frame->value_expr),
                              take_body (frame), frame->annotations != NULL ? ls_ref (frame->annotations) : NULL);
    case LS_FRAME_ALLOCATE_CONST:
      return ls_allocate_const_new ((LsVar *) ls_ref (frame->node), (LsTensor *) ls_ref (frame->extra), frame->dtype,
                                    ls_ref (frame->extents_array), take_body (frame),
                                    frame->annotations != NULL ? ls_ref (frame->annotations) : NULL);
    case LS_FRAME_DECL: return close_decl (frame);
    }
  return NULL;
}

void
ls_frame_exit_to (LsParse *p,
                  guint    depth)
{
  while (p->frames->len > depth)
    {
      LsFrame *frame = g_ptr_array_remove_index (p->frames, p->frames->len - 1);
      LsStmt *stmt = close_frame (p, frame);

      if (stmt == NULL)
        continue;
      if (stmt->span.source == 0)
        ls_node_set_span (stmt, frame->span);
      ls_frame_add (p, stmt);
    }
}

static LsValue *
frame_value (LsParse *p,
             LsFrame *frame)
{
  LsValue *v = ls_value_new (p, LS_VALUE_FRAME);

  v->frame = frame;
  return v;
}

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

/* Constants take the type of the loop variable; NULL when something else has another type. */
static LsExpr *
fit (LsParse *p,
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
  if ((min = fit (p, min, t, span)) == NULL || (extent = fit (p, extent, t, span)) == NULL)
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

  frame->vars = list_new (p);
  frame->mins = list_new (p);
  frame->extents = list_new (p);
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
  return frame_value (p, frame);
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
      return add_loop (p, frame, ls_parse_keep (p, ls_const_int (ls_dtype (stop), 0), args->call), stop, args->call);
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

/* ---- blocks ----------------------------------------------------------------------------------- */

static LsValue *
handle_block (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_BLOCK, args->call);

  frame->name = "";
  if (args->slot[0] != NULL && (frame->name = ls_value_to_string (p, args->slot[0], args->span[0], "The name of a block")) == NULL)
    return NULL;
  frame->no_realize = args->slot[1] != NULL && args->slot[1]->kind == LS_VALUE_BOOL && args->slot[1]->i != 0;
  return frame_value (p, frame);
}

static LsValue *
handle_init (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);

  if (block == NULL)
    return NULL;
  if (block->init != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has an init already.", block->name);
      return NULL;
    }
  return frame_value (p, ls_frame_new (p, LS_FRAME_INIT, args->call));
}

static LsValue *
none (LsParse *p)
{
  return ls_value_new (p, LS_VALUE_NONE);
}

static LsValue *
handle_where (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  LsValue *v = args->slot[0];
  LsExpr *e;

  if (block == NULL)
    return NULL;
  if (block->predicate != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has a predicate already.", block->name);
      return NULL;
    }
  if (v->kind == LS_VALUE_INT && !v->big && (v->i == 0 || v->i == 1))
    v = ls_value_bool (p, v->i == 1);
  if ((e = ls_value_to_expr (p, v, args->span[0])) == NULL)
    return NULL;
  if (!ls_dtype_is_bool (ls_dtype (e)))
    {
      ls_parse_error (p, args->span[0], "script/type", "The predicate of a block is a condition; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  block->predicate = e;
  return none (p);
}

static gboolean
add_region (LsParse   *p,
            LsArgs    *args,
            LsValue   *v,
            LsSpan     span,
            GPtrArray *out)
{
  LsBufferRegion *region = NULL;
  LsDiagnostic *d;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER_REGION))
    region = (LsBufferRegion *) v->node;
  else if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER_LOAD))
    region = ls_load_to_region (p, (LsBufferLoad *) v->node, span);
  else
    {
      d = ls_parse_error (p, span, "script/type", "%s lists regions of buffers; this is %s.", args->name, ls_value_describe (p, v));
      if (d != NULL && v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER))
        ls_diagnostic_set_repair (d, "Write %s[...] with an index or a slice for each dimension.", ((LsBuffer *) v->node)->name);
    }
  if (region == NULL)
    return FALSE;
  g_ptr_array_add (out, region);
  return TRUE;
}

static LsValue *
handle_access (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  LsArray **slot;
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  gboolean ok = TRUE;
  gboolean wrapped = args->n_rest == 1 && ls_value_is_sequence (args->rest[0]);
  guint n = wrapped ? args->rest[0]->n : args->n_rest;

  if (block == NULL)
    return NULL;
  slot = entry->rule == 0 ? &block->reads : &block->writes;
  if (*slot != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has %s already.", block->name, args->name);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    ok = add_region (p, args, wrapped ? args->rest[0]->items[i] : args->rest[i], args->rest_spans[wrapped ? 0 : i], out) && ok;
  *slot = ls_parse_keep (p, array_from (out), args->call);
  return ok ? none (p) : NULL;
}

static LsValue *
handle_block_attr (LsParse       *p,
                   const LsEntry *entry,
                   LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);

  if (block == NULL)
    return NULL;
  if (block->annotations != NULL)
    {
      ls_parse_error (p, args->call, "script/duplicate", "The block %s has annotations already.", block->name);
      return NULL;
    }
  block->annotations = ls_value_to_map (p, args->slot[0], args->span[0], "annotations");
  return block->annotations != NULL ? none (p) : NULL;
}

/* ---- block variables ----------------------------------------------------------------------------- */

static LsRange *
axis_domain (LsParse *p,
             LsArgs  *args)
{
  LsValue *v = args->slot[0];
  LsExpr *begin, *end, *extent;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, RANGE))
    return (LsRange *) v->node;
  if (ls_value_is_sequence (v))
    {
      if (v->n != 2)
        {
          ls_parse_error (p, args->span[0], "script/arity", "The domain of a block variable is an extent or (begin, end); this has %u parts.", v->n);
          return NULL;
        }
      begin = ls_value_to_expr (p, v->items[0], args->span[0]);
      end = ls_value_to_expr (p, v->items[1], args->span[0]);
      if (begin == NULL || end == NULL || (extent = ls_eval_math (p, LS_KIND_SUB, end, begin, args->span[0])) == NULL)
        return NULL;
      end = ls_parse_simplify (p, extent);
      return ls_parse_keep (p, ls_range_new (ls_ref (begin), ls_ref (ls_is (end, INT_IMM) ? end : extent)), args->span[0]);
    }
  if ((end = ls_value_to_expr (p, v, args->span[0])) == NULL)
    return NULL;
  return ls_parse_keep (p, ls_range_new (ls_const_int (ls_dtype (end), 0), ls_ref (end)), args->span[0]);
}

static LsValue *
push_axis (LsParse   *p,
           LsFrame   *block,
           LsRange   *domain,
           LsDType    type,
           LsIterType kind,
           LsExpr    *binding,
           LsSpan     span)
{
  LsExpr *min, *extent;
  LsVar *var;

  if ((min = fit (p, domain->min, type, span)) == NULL || (extent = fit (p, domain->extent, type, span)) == NULL)
    return NULL;
  if (!ls_dtype_is_int (ls_dtype (binding)))
    {
      ls_parse_error (p, span, "script/type", "A block variable is bound to a whole number; this has the type %s.", ls_dtype_name (ls_dtype (binding)));
      return NULL;
    }
  var = ls_parse_keep (p, ls_var_new ("v", type), span);
  g_ptr_array_add (block->iter_vars, ls_parse_keep (p, ls_iter_var_new (ls_range_new (ls_ref (min), ls_ref (extent)), ls_ref (var), kind, ""), span));
  g_ptr_array_add (block->iter_values, binding);
  return ls_value_node (p, var);
}

static LsValue *
handle_axis (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  LsDType type = LS_INT32;
  LsRange *domain;
  LsExpr *binding;

  if (block == NULL || (domain = axis_domain (p, args)) == NULL || (binding = ls_value_to_expr (p, args->slot[1], args->span[1])) == NULL ||
      (args->slot[2] != NULL && !ls_value_to_dtype (p, args->slot[2], args->span[2], &type)))
    return NULL;
  type.bits = MAX (type.bits, MAX (ls_dtype (domain->min).bits, ls_dtype (domain->extent).bits));
  return push_axis (p, block, domain, type, (LsIterType) entry->rule, binding, args->call);
}

static LsRange *
loop_domain (LsParse *p,
             LsNode  *var,
             LsSpan   span)
{
  for (guint i = 0; i < p->frames->len; i++)
    {
      LsFrame *frame = p->frames->pdata[i];

      if (frame->kind != LS_FRAME_FOR)
        continue;
      for (guint k = 0; k < frame->vars->len; k++)
        if (frame->vars->pdata[k] == (gpointer) var)
          return ls_parse_keep (p, ls_range_new (ls_ref ((LsExpr *) frame->mins->pdata[k]), ls_ref ((LsExpr *) frame->extents->pdata[k])), span);
    }
  return NULL;
}

static LsValue *
remap_one (LsParse *p,
           LsFrame *block,
           char     kind,
           LsValue *v,
           LsSpan   span)
{
  LsRange *domain;

  if (kind != 'S' && kind != 'R')
    {
      ls_parse_error (p, span, "script/argument", "T.axis.remap knows S (spatial) and R (reduce); `%c` is neither.", kind);
      return NULL;
    }
  if (!(v->kind == LS_VALUE_NODE && ls_is_var (v->node)) || (domain = loop_domain (p, v->node, span)) == NULL)
    {
      LsDiagnostic *d = ls_parse_error (p, span, "script/argument", "T.axis.remap binds to loop variables; this is %s.", ls_value_describe (p, v));

      if (d != NULL)
        ls_diagnostic_set_repair (d, "Write T.axis.%s (extent, value).", kind == 'S' ? "spatial" : "reduce");
      return NULL;
    }
  return push_axis (p, block, domain, ls_dtype (v->node), kind == 'S' ? LS_ITER_DATA_PAR : LS_ITER_COMM_REDUCE, LS_EXPR (v->node), span);
}

static LsValue *
handle_remap (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsFrame *block = ls_frame_block (p, args);
  const char *kinds;
  LsValue *bindings = args->slot[1];
  LsValue **items;
  gboolean ok = TRUE;

  if (block == NULL || (kinds = ls_value_to_string (p, args->slot[0], args->span[0], "The kinds of T.axis.remap")) == NULL)
    return NULL;
  if (!ls_value_is_sequence (bindings))
    {
      ls_parse_error (p, args->span[1], "script/type", "T.axis.remap takes a list of loop variables; this is %s.", ls_value_describe (p, bindings));
      return NULL;
    }
  if (strlen (kinds) != bindings->n)
    {
      ls_parse_error (p, args->call, "script/arity", "T.axis.remap got %u kinds for %u loop variables.", (guint) strlen (kinds), bindings->n);
      return NULL;
    }
  items = ls_arena_alloc (&p->arena, (bindings->n + 1) * sizeof (LsValue *));
  for (guint i = 0; i < bindings->n; i++)
    {
      items[i] = remap_one (p, block, kinds[i], bindings->items[i], args->span[1]);
      if (items[i] == NULL)
        {
          items[i] = ls_value_poison (p);
          ok = FALSE;
        }
    }
  if (!ok)
    return NULL;
  return bindings->n == 1 ? items[0] : ls_value_list (p, LS_VALUE_LIST, items, bindings->n);
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
  return frame_value (p, frame);
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
  d = ls_parse_error (p, span, "script/type", "%s has the type %s, its value %s.", *var->name != '\0' ? var->name : "The variable",
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

  return frame != NULL ? frame_value (p, frame) : NULL;
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
      return frame != NULL ? frame_value (p, frame) : NULL;
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
  return frame->node != NULL && frame->key != NULL && frame->value_expr != NULL ? frame_value (p, frame) : NULL;
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
  if ((fitted = fit (p, extent, ls_dtype (thread->var), args->span[1])) == NULL)
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
  return frame_value (p, frame);
}

static LsValue *
handle_realize (LsParse       *p,
                const LsEntry *entry,
                LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, LS_FRAME_REALIZE, args->call);
  g_autoptr (GPtrArray) out = g_ptr_array_new ();

  if (!add_region (p, args, args->slot[0], args->span[0], out) ||
      (frame->key = ls_value_to_string (p, args->slot[1], args->span[1], "storage_scope")) == NULL)
    return NULL;
  frame->extra = out->pdata[0];
  frame->value_expr = args->slot[2] != NULL ? condition_slot (p, args, 2) : ls_parse_keep (p, ls_bool (TRUE), args->call);
  return frame->value_expr != NULL ? frame_value (p, frame) : NULL;
}

static LsValue *
handle_condition (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsFrame *frame = ls_frame_new (p, (LsFrameKind) entry->rule, args->call);

  frame->value_expr = condition_slot (p, args, 0);
  return frame->value_expr != NULL ? frame_value (p, frame) : NULL;
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
  return frame_value (p, ls_frame_new (p, (LsFrameKind) entry->rule, args->call));
}

static const LsEntry ROWS[] = {
  { "serial", "start stop? | annotations?", handle_loop, NULL, LS_FOR_SERIAL },
  { "parallel", "start stop? | annotations?", handle_loop, NULL, LS_FOR_PARALLEL },
  { "vectorized", "start stop? | annotations?", handle_loop, NULL, LS_FOR_VECTORIZED },
  { "unroll", "start stop? | annotations?", handle_loop, NULL, LS_FOR_UNROLLED },
  { "thread_binding", "start stop? thread? | annotations?", handle_thread_binding, NULL, 0 },
  { "grid", "*extents", handle_grid, NULL, 0 },
  { "block", "name? no_realize?", handle_block, NULL, 0 },
  { "sblock", "name? no_realize?", handle_block, NULL, 0 },
  { "init", "", handle_init, NULL, 0 },
  { "where", "predicate", handle_where, NULL, 0 },
  { "reads", "*regions", handle_access, NULL, 0 },
  { "writes", "*regions", handle_access, NULL, 1 },
  { "block_attr", "attrs", handle_block_attr, NULL, 0 },
  { "sblock_attr", "attrs", handle_block_attr, NULL, 0 },
  { "axis.spatial", "dom binding dtype?", handle_axis, NULL, LS_ITER_DATA_PAR },
  { "axis.S", "dom binding dtype?", handle_axis, NULL, LS_ITER_DATA_PAR },
  { "axis.reduce", "dom binding dtype?", handle_axis, NULL, LS_ITER_COMM_REDUCE },
  { "axis.R", "dom binding dtype?", handle_axis, NULL, LS_ITER_COMM_REDUCE },
  { "axis.scan", "dom binding dtype?", handle_axis, NULL, LS_ITER_ORDERED },
  { "axis.opaque", "dom binding dtype?", handle_axis, NULL, LS_ITER_OPAQUE },
  { "axis.remap", "kinds bindings dtype?", handle_remap, NULL, 0 },
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

const LsEntryTable ls_frame_entries = { ROWS, G_N_ELEMENTS (ROWS) };
