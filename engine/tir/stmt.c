/* stmt: the statements of TensorIR other than blocks. */
#include "engine/tir/tir-private.h"

static const char *const FOR_KINDS[] = { "serial", "parallel", "vectorized", "unrolled", "thread_binding", NULL };

#define STMT LS_CLASS_STMT
LS_CLASS (ls_let_stmt_class, LET_STMT, "LetStmt", LsLetStmt, STMT,
          LS_FIELD (LsLetStmt, value, NODE, 0),
          LS_FIELD (LsLetStmt, var, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsLetStmt, body, NODE, 0));
LS_CLASS (ls_attr_stmt_class, ATTR_STMT, "AttrStmt", LsAttrStmt, STMT,
          LS_FIELD_NAMED (LsAttrStmt, subject, "node", NODE, LS_FIELD_BINDS),
          LS_FIELD (LsAttrStmt, attr_key, STRING, 0),
          LS_FIELD (LsAttrStmt, value, NODE, 0),
          LS_FIELD (LsAttrStmt, body, NODE, 0));
LS_CLASS (ls_assert_stmt_class, ASSERT_STMT, "AssertStmt", LsAssertStmt, STMT,
          LS_FIELD (LsAssertStmt, condition, NODE, 0),
          LS_FIELD (LsAssertStmt, message, NODE, 0),
          LS_FIELD (LsAssertStmt, body, NODE, 0));
LS_CLASS (ls_buffer_store_class, BUFFER_STORE, "BufferStore", LsBufferStore, STMT,
          LS_FIELD (LsBufferStore, buffer, NODE, 0),
          LS_FIELD (LsBufferStore, value, NODE, 0),
          LS_FIELD (LsBufferStore, indices, NODE, 0),
          LS_FIELD (LsBufferStore, predicate, NODE, 0));
LS_CLASS (ls_buffer_realize_class, BUFFER_REALIZE, "BufferRealize", LsBufferRealize, STMT,
          LS_FIELD (LsBufferRealize, buffer, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBufferRealize, bounds, NODE, 0),
          LS_FIELD (LsBufferRealize, condition, NODE, 0),
          LS_FIELD (LsBufferRealize, body, NODE, 0));
LS_CLASS (ls_allocate_class, ALLOCATE, "Allocate", LsAllocate, STMT,
          LS_FIELD (LsAllocate, buffer_var, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsAllocate, dtype, DTYPE, 0),
          LS_FIELD (LsAllocate, extents, NODE, 0),
          LS_FIELD (LsAllocate, condition, NODE, 0),
          LS_FIELD (LsAllocate, body, NODE, 0),
          LS_FIELD (LsAllocate, annotations, NODE, 0));
LS_CLASS (ls_allocate_const_class, ALLOCATE_CONST, "AllocateConst", LsAllocateConst, STMT,
          LS_FIELD (LsAllocateConst, buffer_var, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsAllocateConst, data, NODE, 0),
          LS_FIELD (LsAllocateConst, dtype, DTYPE, 0),
          LS_FIELD (LsAllocateConst, extents, NODE, 0),
          LS_FIELD (LsAllocateConst, body, NODE, 0),
          LS_FIELD (LsAllocateConst, annotations, NODE, 0));
LS_CLASS (ls_decl_buffer_class, DECL_BUFFER, "DeclBuffer", LsDeclBuffer, STMT,
          LS_FIELD (LsDeclBuffer, buffer, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsDeclBuffer, body, NODE, 0));
LS_CLASS (ls_seq_stmt_class, SEQ_STMT, "SeqStmt", LsSeqStmt, STMT,
          LS_FIELD (LsSeqStmt, seq, NODE, 0));
LS_CLASS (ls_if_then_else_class, IF_THEN_ELSE, "IfThenElse", LsIfThenElse, STMT,
          LS_FIELD (LsIfThenElse, condition, NODE, 0),
          LS_FIELD (LsIfThenElse, then_case, NODE, 0),
          LS_FIELD (LsIfThenElse, else_case, NODE, 0));
LS_CLASS (ls_evaluate_class, EVALUATE, "Evaluate", LsEvaluate, STMT,
          LS_FIELD (LsEvaluate, value, NODE, 0));
LS_CLASS (ls_for_class, FOR, "For", LsFor, STMT,
          LS_FIELD (LsFor, loop_var, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsFor, min, NODE, 0),
          LS_FIELD (LsFor, extent, NODE, 0),
          { "kind", LS_FIELD_ENUM, G_STRUCT_OFFSET (LsFor, kind), 0, FOR_KINDS },
          LS_FIELD (LsFor, thread_binding, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsFor, annotations, NODE, 0),
          LS_FIELD (LsFor, body, NODE, 0));
LS_CLASS (ls_while_class, WHILE, "While", LsWhile, STMT,
          LS_FIELD (LsWhile, condition, NODE, 0),
          LS_FIELD (LsWhile, body, NODE, 0));

#define NEW(Type, klass) Type *self = ls_node_alloc (&(klass))
#define DONE ls_node_finish (self)

static LsMap *
map_or_empty (LsMap *map)
{
  return map != NULL ? map : ls_map_empty ();
}

LsStmt *
ls_let_stmt_new (LsVar  *var,
                 LsExpr *value,
                 LsStmt *body)
{
  NEW (LsLetStmt, ls_let_stmt_class);

  self->var = var;
  self->value = value;
  self->body = body;
  return DONE;
}

LsStmt *
ls_attr_stmt_new (gpointer    subject,
                  const char *attr_key,
                  LsExpr     *value,
                  LsStmt     *body)
{
  NEW (LsAttrStmt, ls_attr_stmt_class);

  self->subject = subject;
  self->attr_key = g_strdup (attr_key);
  self->value = value;
  self->body = body;
  return DONE;
}

LsStmt *
ls_assert_stmt_new (LsExpr *condition,
                    LsExpr *message,
                    LsStmt *body)
{
  NEW (LsAssertStmt, ls_assert_stmt_class);

  self->condition = condition;
  self->message = message;
  self->body = body;
  return DONE;
}

LsStmt *
ls_buffer_store_new (LsBuffer *buffer,
                     LsExpr   *value,
                     LsArray  *indices,
                     LsExpr   *predicate)
{
  NEW (LsBufferStore, ls_buffer_store_class);

  self->buffer = buffer;
  self->value = value;
  self->indices = indices;
  self->predicate = predicate;
  return DONE;
}

LsStmt *
ls_buffer_realize_new (LsBuffer *buffer,
                       LsArray  *bounds,
                       LsExpr   *condition,
                       LsStmt   *body)
{
  NEW (LsBufferRealize, ls_buffer_realize_class);

  self->buffer = buffer;
  self->bounds = bounds;
  self->condition = condition;
  self->body = body;
  return DONE;
}

LsStmt *
ls_allocate_new (LsVar   *buffer_var,
                 LsDType  dtype,
                 LsArray *extents,
                 LsExpr  *condition,
                 LsStmt  *body,
                 LsMap   *annotations)
{
  NEW (LsAllocate, ls_allocate_class);

  self->buffer_var = buffer_var;
  self->dtype = dtype;
  self->extents = extents;
  self->condition = condition != NULL ? condition : ls_bool (TRUE);
  self->body = body;
  self->annotations = map_or_empty (annotations);
  return DONE;
}

LsStmt *
ls_allocate_const_new (LsVar    *buffer_var,
                       LsTensor *data,
                       LsDType   dtype,
                       LsArray  *extents,
                       LsStmt   *body,
                       LsMap    *annotations)
{
  NEW (LsAllocateConst, ls_allocate_const_class);

  self->buffer_var = buffer_var;
  self->data = data;
  self->dtype = dtype;
  self->extents = extents;
  self->body = body;
  self->annotations = map_or_empty (annotations);
  return DONE;
}

LsStmt *
ls_decl_buffer_new (LsBuffer *buffer,
                    LsStmt   *body)
{
  NEW (LsDeclBuffer, ls_decl_buffer_class);

  self->buffer = buffer;
  self->body = body;
  return DONE;
}

static gboolean
is_nothing (LsStmt *stmt)
{
  return stmt == NULL || (ls_is (stmt, EVALUATE) && ls_is_zero (((LsEvaluate *) stmt)->value));
}

static void
collect_flat (LsArray   *seq,
              GPtrArray *flat)
{
  for (guint i = 0; i < seq->n; i++)
    {
      LsStmt *stmt = seq->items[i];

      if (ls_is (stmt, SEQ_STMT))
        collect_flat (((LsSeqStmt *) stmt)->seq, flat);
      else if (!is_nothing (stmt))
        g_ptr_array_add (flat, ls_ref (stmt));
    }
}

/* Where sequences are among the statements: their parts in their place, and nothing that does nothing, as TVM's SeqStmt.  Takes the array. */
static LsArray *
without_nesting (LsArray *seq)
{
  GPtrArray *flat;
  gboolean nested = FALSE;

  for (guint i = 0; i < seq->n; i++)
    nested = nested || ls_is (seq->items[i], SEQ_STMT);
  if (!nested)
    return seq;
  flat = g_ptr_array_new ();
  collect_flat (seq, flat);
  if (flat->len == 0)
    g_ptr_array_add (flat, ls_evaluate_zero ());
  ls_unref (seq);
  return ls_array_take_ptr_array (flat);
}

LsStmt *
ls_seq_stmt_new (LsArray *seq)
{
  NEW (LsSeqStmt, ls_seq_stmt_class);

  self->seq = without_nesting (seq);
  return DONE;
}

LsStmt *
ls_seq (LsArray *seq)
{
  GPtrArray *flat = g_ptr_array_new ();
  LsStmt *only;

  collect_flat (seq, flat);
  ls_unref (seq);
  if (flat->len > 1)
    return ls_seq_stmt_new (ls_array_take_ptr_array (flat));
  only = flat->len == 1 ? flat->pdata[0] : ls_evaluate_zero ();
  g_ptr_array_unref (flat);
  return only;
}

LsStmt *
ls_if_then_else_new (LsExpr *condition,
                     LsStmt *then_case,
                     LsStmt *else_case)
{
  NEW (LsIfThenElse, ls_if_then_else_class);

  self->condition = condition;
  self->then_case = then_case;
  self->else_case = else_case;
  return DONE;
}

LsStmt *
ls_evaluate_new (LsExpr *value)
{
  NEW (LsEvaluate, ls_evaluate_class);

  self->value = value;
  return DONE;
}

LsStmt *
ls_evaluate_zero (void)
{
  return ls_evaluate_new (ls_int (0));
}

LsFor *
ls_for_new (LsVar     *loop_var,
            LsExpr    *min,
            LsExpr    *extent,
            LsForKind  kind,
            LsStmt    *body,
            LsIterVar *thread_binding,
            LsMap     *annotations)
{
  NEW (LsFor, ls_for_class);

  self->loop_var = loop_var;
  self->min = min;
  self->extent = extent;
  self->kind = kind;
  self->thread_binding = thread_binding;
  self->annotations = map_or_empty (annotations);
  self->body = body;
  return DONE;
}

LsStmt *
ls_while_new (LsExpr *condition,
              LsStmt *body)
{
  NEW (LsWhile, ls_while_class);

  self->condition = condition;
  self->body = body;
  return DONE;
}

static LsFor *
for_with (LsFor     *self,
          LsForKind  kind,
          LsMap     *annotations,
          LsStmt    *body)
{
  LsFor *copy = ls_for_new (ls_ref (self->loop_var), ls_ref (self->min), ls_ref (self->extent), kind, ls_ref (body),
                            ls_ref (self->thread_binding), ls_ref (annotations));

  return ls_node_set_span (copy, self->node.span);
}

LsFor *
ls_for_with_body (LsFor  *self,
                  LsStmt *body)
{
  return for_with (self, self->kind, self->annotations, body);
}

LsFor *
ls_for_with_kind (LsFor     *self,
                  LsForKind  kind)
{
  return for_with (self, kind, self->annotations, self->body);
}

LsFor *
ls_for_with_annotations (LsFor *self,
                         LsMap *annotations)
{
  return for_with (self, self->kind, annotations, self->body);
}

const char *
ls_for_kind_name (LsForKind kind)
{
  return FOR_KINDS[kind];
}

gint64
ls_stmt_count_written_out (gpointer stmt)
{
  gint64 n = 0, extent;
  guint n_children;

  if (stmt == NULL || ls_is_expr (stmt))
    return 0;
  if (ls_is (stmt, BUFFER_STORE) || ls_is (stmt, EVALUATE))
    return 1;
  n_children = ls_node_get_n_children (stmt);
  for (guint i = 0; i < n_children; i++)
    {
      LsNode *child = ls_node_get_child (stmt, i);

      if (child != NULL && (ls_is_stmt (child) || ls_is (child, ARRAY)) && __builtin_add_overflow (n, ls_stmt_count_written_out (child), &n))
        return G_MAXINT64;
    }
  if (ls_is (stmt, FOR) && ((LsFor *) stmt)->kind == LS_FOR_UNROLLED && ls_as_int (((LsFor *) stmt)->extent, &extent) &&
      __builtin_mul_overflow (n, extent, &n))
    return G_MAXINT64;
  return n;
}
