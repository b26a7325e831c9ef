/* tir-frame: open scopes of a function and how they close.
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

GPtrArray *
ls_list_new (LsParse *p)
{
  GPtrArray *list = g_ptr_array_new ();

  g_ptr_array_add (p->lists, list);
  return list;
}

/* Scopes that last to the end of what they stand in, one behind the other in the text. */
static gboolean
is_flat (LsFrame *frame)
{
  switch (frame->kind)
    {
    case LS_FRAME_LET: case LS_FRAME_ASSERT: case LS_FRAME_ALLOCATE: case LS_FRAME_ALLOCATE_CONST: case LS_FRAME_DECL: case LS_FRAME_ATTR:
    case LS_FRAME_REALIZE: case LS_FRAME_LAUNCH:
      return TRUE;
    default:
      return FALSE;
    }
}

/* How many indented scopes are open in this one; NULL: none. */
static guint
depth_of (LsFrame *frame)
{
  if (frame == NULL)
    return 0;
  return frame->below + (frame->kind == LS_FRAME_FOR ? frame->vars->len : !is_flat (frame));
}

LsFrame *
ls_frame_top (LsParse *p)
{
  return p->frames->len > 0 ? p->frames->pdata[p->frames->len - 1] : NULL;
}

void
ls_frame_enter (LsParse *p,
                LsFrame *frame)
{
  frame->stmts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  frame->entered = TRUE;
  if (frame->kind == LS_FRAME_BLOCK)
    {
      frame->iter_vars = ls_list_new (p);
      frame->iter_values = ls_list_new (p);
      frame->alloc_buffers = ls_list_new (p);
      frame->match_buffers = ls_list_new (p);
    }
  frame->below = depth_of (ls_frame_top (p));
  g_ptr_array_add (p->frames, frame);
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
  ls_parse_error (p, args->call, "script/scope", ls_frame_find (p, LS_FRAME_BLOCK) != NULL ? "%s stands directly in `with T.block (...):`, not deeper."
                                                           : LS_TEXT ("%s stands directly in `with T.block (...):`."), args->name);
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

LsArray *
ls_list_to_array (GPtrArray *list)
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
  block = ls_block_new (ls_list_to_array (frame->iter_vars), frame->reads != NULL ? ls_ref (frame->reads) : NULL,
                        frame->writes != NULL ? ls_ref (frame->writes) : NULL, frame->name, take_body (frame),
                        g_steal_pointer (&frame->init), ls_list_to_array (frame->alloc_buffers), ls_list_to_array (frame->match_buffers), annotations);
  ls_node_set_span (block, frame->span);
  if (frame->no_realize)
    stmt = LS_STMT (block);
  else
    {
      LsExpr *predicate = frame->predicate != NULL ? ls_ref (frame->predicate) : ls_bool (TRUE);

      stmt = LS_STMT (ls_block_realize_new (ls_list_to_array (frame->iter_values), predicate, block));
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

LsValue *
ls_frame_value (LsParse *p,
                LsFrame *frame)
{
  LsValue *v = ls_value_new (p, LS_VALUE_FRAME);

  v->frame = frame;
  return v;
}

gboolean
ls_frame_room (LsParse *p,
               LsSpan   span)
{
  guint depth = depth_of (ls_frame_top (p));

  if (depth < LS_SCRIPT_MAX_DEPTH && p->frames->len < LS_SCRIPT_MAX_OPEN)
    return TRUE;
  ls_parse_error (p, span, "script/nesting", "More than %d scopes are open here.", depth < LS_SCRIPT_MAX_DEPTH ? LS_SCRIPT_MAX_OPEN : LS_SCRIPT_MAX_DEPTH);
  return FALSE;
}

gboolean
ls_frame_may_open (LsParse *p,
                   LsFrame *frame,
                   LsSpan   span)
{
  if (!frame->entered)
    return ls_frame_room (p, span);
  ls_parse_error (p, span, "script/structure", "This scope was opened before; write its call again.");
  return FALSE;
}

LsValue *
ls_frame_open (LsParse *p,
               LsFrame *frame,
               LsSyn   *at)
{
  if (frame->kind == LS_FRAME_FOR || frame->kind == LS_FRAME_BLOCK || frame->kind == LS_FRAME_INIT || frame->kind == LS_FRAME_IF ||
      frame->kind == LS_FRAME_THEN || frame->kind == LS_FRAME_ELSE)
    {
      LsDiagnostic *d = ls_parse_error (p, at->span, "script/structure", "This opens a block of statements, which `%s` starts.",
                                        frame->kind == LS_FRAME_FOR ? "for" : "with");

      if (d != NULL)
        ls_diagnostic_set_repair (d, frame->kind == LS_FRAME_FOR ? "Write for i in ...:" : LS_TEXT ("Write with ...:"));
      return NULL;
    }
  if (!ls_frame_may_open (p, frame, at->span))
    return NULL;
  frame->span = at->span;
  ls_frame_enter (p, frame);
  return frame->value != NULL ? frame->value : ls_value_new (p, LS_VALUE_NONE);
}
