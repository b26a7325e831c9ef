/* stmt: statements of TensorIR as lines of Python. */
#include "engine/codegen/numpy/numpy-private.h"

#include <string.h>

static void statement (Numpy *self, LsStmt *stmt);

static void
body (Numpy  *self,
      LsStmt *stmt)
{
  gsize before = self->out->len;
  guint mark = numpy_mark (self);

  self->indent++;
  statement (self, stmt);
  if (self->out->len == before)
    numpy_put (self, "pass");
  self->indent--;
  numpy_release (self, mark);
}

static void
put_shape (Numpy   *self,
           LsArray *shape)
{
  g_string_append (self->out, "(");
  for (guint i = 0; i < shape->n; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      numpy_index (self, LS_EXPR (shape->items[i]), NP_CHOOSE);
    }
  g_string_append (self->out, shape->n == 1 ? ",)" : ")");
}

static void
put_comment (Numpy      *self,
             const char *text)
{
  if (text[0] != '\0')
    g_string_append_printf (self->out, "  # %s", text);
}

/* ---- memory ------------------------------------------------------------------------------ */

static void
put_empty (Numpy      *self,
           gpointer    named,
           const char *name,
           LsArray    *shape,
           LsDType     t,
           const char *scope)
{
  const char *text;

  if (t.lanes != 1)
    {
      numpy_refuse (self, "The buffer %s, whose elements are vectors,", name);
      return;
    }
  text = numpy_declare (self, named, name);
  numpy_begin (self);
  g_string_append_printf (self->out, "%s = np.empty(", text);
  put_shape (self, shape);
  g_string_append_printf (self->out, ", dtype=%s)", numpy_dtype (self, t));
  put_comment (self, strcmp (scope, "global") == 0 ? "" : scope);
  numpy_end (self);
}

static void
allocate (Numpy    *self,
          LsBuffer *buffer)
{
  if (ls_buffer_has_strides (buffer))
    numpy_refuse (self, "The buffer %s, which has strides of its own,", buffer->name);
  else
    put_empty (self, buffer, buffer->name, buffer->shape, buffer->dtype, ls_buffer_scope (buffer));
}

/* A part of another buffer under a name of its own: a view.  Dimensions of one element that the view has not are indexed away. */
static void
match (Numpy               *self,
       LsMatchBufferRegion *match)
{
  LsBuffer *from = match->source->buffer, *buffer = match->buffer;
  guint n = match->source->region->n, drop = n - MIN (n, ls_buffer_ndim (buffer));
  const char *source = numpy_name (self, from, from->name), *own;

  if (ls_buffer_ndim (buffer) > n || !ls_dtype_equal (from->dtype, buffer->dtype))
    {
      numpy_refuse (self, "The buffer %s, which sees the elements of %s as others,", buffer->name, from->name);
      return;
    }
  own = numpy_declare (self, buffer, buffer->name);
  numpy_begin (self);
  g_string_append_printf (self->out, "%s = %s[", own, source);
  for (guint i = 0; i < n; i++)
    {
      LsRange *range = ls_array_at (match->source->region, i, LsRange);
      gboolean single = drop > 0 && ls_is_one (range->extent);

      g_string_append (self->out, i > 0 ? ", " : "");
      drop -= single;
      numpy_index (self, range->min, single ? NP_CHOOSE : NP_ADD);
      if (single)
        continue;
      g_string_append (self->out, ":");
      numpy_index (self, range->min, NP_ADD);
      g_string_append (self->out, " + ");
      numpy_index (self, range->extent, NP_MUL);
    }
  g_string_append (self->out, n == 0 ? "...]" : "]");
  numpy_end (self);
  if (drop > 0)
    numpy_refuse (self, "The buffer %s, which leaves out dimensions of %s,", buffer->name, from->name);
  /* Sizes and strides that take what the view has. */
  for (guint i = 0; self->error == NULL && i < ls_buffer_ndim (buffer); i++)
    {
      LsNode *extent = buffer->shape->items[i], *stride = buffer->strides->n == buffer->shape->n ? buffer->strides->items[i] : NULL;

      if (ls_is_var (extent) && g_hash_table_lookup (self->names, extent) == NULL)
        numpy_put (self, "%s = %s.shape[%u]", numpy_declare (self, extent, ((LsVar *) extent)->name), own, i);
      if (ls_is_var (stride) && g_hash_table_lookup (self->names, stride) == NULL && self->error == NULL)
        numpy_put (self, "%s = %s.strides[%u] // %s.itemsize", numpy_declare (self, stride, ((LsVar *) stride)->name), own, i, own);
    }
}

/* Other shape, same memory: of what an allocation or another buffer holds. */
static void
declare (Numpy        *self,
         LsDeclBuffer *decl)
{
  LsBuffer *buffer = decl->buffer;
  const char *memory = g_hash_table_lookup (self->names, buffer->data), *own;

  if (memory == NULL || ls_buffer_has_strides (buffer) || buffer->dtype.lanes != 1)
    {
      if (memory == NULL && !ls_buffer_has_strides (buffer))
        allocate (self, buffer);
      else
        numpy_refuse (self, "The buffer %s, which has strides of its own,", buffer->name);
      return;
    }
  own = numpy_declare (self, buffer, buffer->name);
  numpy_begin (self);
  g_string_append_printf (self->out, "%s = %s.reshape(-1).view(%s)", own, memory, numpy_dtype (self, buffer->dtype));
  if (!ls_is_zero (buffer->elem_offset))
    {
      g_string_append (self->out, "[");
      numpy_index (self, buffer->elem_offset, NP_CHOOSE);
      g_string_append (self->out, ":]");
    }
  g_string_append (self->out, "[:int(np.prod(");
  put_shape (self, buffer->shape);
  g_string_append (self->out, "))].reshape(");
  put_shape (self, buffer->shape);
  g_string_append (self->out, ")");
  numpy_end (self);
}

/* ---- loops and blocks --------------------------------------------------------------------------- */

static void
loop (Numpy  *self,
      LsFor  *loop)
{
  guint mark = numpy_mark (self);
  const char *kind = loop->kind == LS_FOR_SERIAL ? "" : loop->kind == LS_FOR_THREAD_BINDING && loop->thread_binding != NULL ? loop->thread_binding->thread_tag
                     : ls_for_kind_name (loop->kind);

  numpy_begin (self);
  g_string_append_printf (self->out, "for %s in range(", numpy_declare (self, loop->loop_var, loop->loop_var->name));
  if (!ls_is_zero (loop->min))
    {
      numpy_index (self, loop->min, NP_CHOOSE);
      g_string_append (self->out, ", ");
      numpy_index (self, loop->min, NP_ADD);
      g_string_append (self->out, " + ");
      numpy_index (self, loop->extent, NP_MUL);
    }
  else
    numpy_index (self, loop->extent, NP_CHOOSE);
  g_string_append (self->out, "):");
  put_comment (self, kind);
  numpy_end (self);
  body (self, loop->body);
  numpy_release (self, mark);
}

/* if vk == 0 and ...: */
static void
init (Numpy   *self,
      LsBlock *block)
{
  gboolean first = TRUE;

  for (guint i = 0; i < block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type != LS_ITER_COMM_REDUCE)
        continue;
      if (first)
        numpy_begin (self);
      g_string_append (self->out, first ? "if " : " and ");
      g_string_append_printf (self->out, "%s == ", numpy_name (self, iter->var, iter->var->name));
      numpy_index (self, iter->dom->min, NP_COMPARE + 1);
      first = FALSE;
    }
  if (first)
    {
      statement (self, block->init);
      return;
    }
  g_string_append (self->out, ":");
  numpy_end (self);
  body (self, block->init);
}

static void
realize (Numpy          *self,
         LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  gboolean guarded = !ls_is_one (realize->predicate);
  guint mark = numpy_mark (self);

  if (guarded)
    {
      numpy_begin (self);
      g_string_append (self->out, "if ");
      numpy_value (self, realize->predicate, NP_CHOOSE);
      g_string_append (self->out, ":");
      numpy_end (self);
      self->indent++;
    }
  if (block->iter_vars->n > 0)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      /* The values belong to outside: written before the names are. */
      numpy_begin (self);
      {
        GString *kept = self->out;
        g_autoptr (GString) values = g_string_new (NULL);

        self->out = values;
        for (guint i = 0; i < realize->iter_values->n; i++)
          {
            g_string_append (values, i > 0 ? ", " : "");
            numpy_index (self, LS_EXPR (realize->iter_values->items[i]), NP_CHOOSE);
          }
        for (guint i = 0; i < block->iter_vars->n; i++)
          {
            LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

            g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", numpy_declare (self, iter->var, iter->var->name));
          }
        self->out = kept;
        g_string_append_printf (self->out, "%s = %s  # block %s", names->str, values->str, block->name_hint);
      }
      numpy_end (self);
    }
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    allocate (self, ls_array_at (block->alloc_buffers, i, LsBuffer));
  for (guint i = 0; i < block->match_buffers->n && self->error == NULL; i++)
    match (self, ls_array_at (block->match_buffers, i, LsMatchBufferRegion));
  if (block->init != NULL)
    init (self, block);
  statement (self, block->body);
  if (guarded)
    self->indent--;
  numpy_release (self, mark);
}

/* ---- the others ------------------------------------------------------------------------------ */

static void
store (Numpy         *self,
       LsBufferStore *store)
{
  if (store->predicate != NULL)
    {
      numpy_refuse (self, "A store with a predicate");
      return;
    }
  numpy_begin (self);
  numpy_element (self, store->buffer, store->indices);
  g_string_append (self->out, " = ");
  numpy_stored (self, store->value);
  numpy_end (self);
}

static void
condition (Numpy        *self,
           LsIfThenElse *branch)
{
  numpy_begin (self);
  g_string_append (self->out, "if ");
  numpy_value (self, branch->condition, NP_CHOOSE);
  g_string_append (self->out, ":");
  numpy_end (self);
  body (self, branch->then_case);
  if (branch->else_case == NULL)
    return;
  numpy_put (self, "else:");
  body (self, branch->else_case);
}

static void
attribute (Numpy      *self,
           LsAttrStmt *attr)
{
  gboolean extent = strcmp (attr->attr_key, "thread_extent") == 0 || strcmp (attr->attr_key, "virtual_thread") == 0;
  LsIterVar *iter = ls_is (attr->subject, ITER_VAR) ? (LsIterVar *) attr->subject : NULL;

  if (!extent || iter == NULL || g_hash_table_contains (self->names, iter->var))
    {
      statement (self, attr->body);
      return;
    }
  numpy_begin (self);
  g_string_append_printf (self->out, "for %s in range(", numpy_declare (self, iter->var, iter->var->name));
  numpy_index (self, attr->value, NP_CHOOSE);
  g_string_append (self->out, "):");
  put_comment (self, iter->thread_tag);
  numpy_end (self);
  body (self, attr->body);
}

static void
let (Numpy     *self,
     LsLetStmt *let)
{
  if (ls_dtype (let->var).code == LS_TYPE_HANDLE)
    {
      numpy_refuse (self, "The pointer %s", let->var->name);
      return;
    }
  if (!numpy_is_python (self, let->value))
    g_hash_table_add (self->numbers, let->var);
  numpy_begin (self);
  g_string_append_printf (self->out, "%s = ", numpy_declare (self, let->var, let->var->name));
  numpy_value (self, let->value, NP_CHOOSE);
  numpy_end (self);
  statement (self, let->body);
}

static void
evaluate (Numpy      *self,
          LsEvaluate *evaluate)
{
  if (ls_is (evaluate->value, INT_IMM) || ls_is_call (evaluate->value, "tir.assume") || ls_is_pure (evaluate->value))
    return;
  numpy_begin (self);
  numpy_value (self, evaluate->value, NP_CHOOSE);
  numpy_end (self);
}

static void
statement_of_kind (Numpy  *self,
                   LsStmt *stmt)
{
  switch ((int) ls_kind (stmt))
    {
    case LS_KIND_FOR:
      loop (self, (LsFor *) stmt);
      return;
    case LS_KIND_BLOCK_REALIZE:
      realize (self, (LsBlockRealize *) stmt);
      return;
    case LS_KIND_SEQ_STMT:
      for (guint i = 0; i < ((LsSeqStmt *) stmt)->seq->n; i++)
        statement (self, ((LsSeqStmt *) stmt)->seq->items[i]);
      return;
    case LS_KIND_BUFFER_STORE:
      store (self, (LsBufferStore *) stmt);
      return;
    case LS_KIND_IF_THEN_ELSE:
      condition (self, (LsIfThenElse *) stmt);
      return;
    case LS_KIND_WHILE:
      numpy_begin (self);
      g_string_append (self->out, "while ");
      numpy_value (self, ((LsWhile *) stmt)->condition, NP_CHOOSE);
      g_string_append (self->out, ":");
      numpy_end (self);
      body (self, ((LsWhile *) stmt)->body);
      return;
    case LS_KIND_LET_STMT:
      let (self, (LsLetStmt *) stmt);
      return;
    case LS_KIND_ATTR_STMT:
      attribute (self, (LsAttrStmt *) stmt);
      return;
    case LS_KIND_ASSERT_STMT:
      numpy_begin (self);
      g_string_append (self->out, "assert ");
      numpy_value (self, ((LsAssertStmt *) stmt)->condition, NP_CHOOSE);
      numpy_end (self);
      statement (self, ((LsAssertStmt *) stmt)->body);
      return;
    case LS_KIND_ALLOCATE:
      put_empty (self, ((LsAllocate *) stmt)->buffer_var, ((LsAllocate *) stmt)->buffer_var->name, ((LsAllocate *) stmt)->extents, ((LsAllocate *) stmt)->dtype, "global");
      statement (self, ((LsAllocate *) stmt)->body);
      return;
    case LS_KIND_ALLOCATE_CONST:
      numpy_begin (self);
      g_string_append_printf (self->out, "%s = ", numpy_declare (self, ((LsAllocateConst *) stmt)->buffer_var, ((LsAllocateConst *) stmt)->buffer_var->name));
      numpy_constant (self, ((LsAllocateConst *) stmt)->data);
      numpy_end (self);
      statement (self, ((LsAllocateConst *) stmt)->body);
      return;
    case LS_KIND_DECL_BUFFER:
      declare (self, (LsDeclBuffer *) stmt);
      statement (self, ((LsDeclBuffer *) stmt)->body);
      return;
    case LS_KIND_EVALUATE:
      evaluate (self, (LsEvaluate *) stmt);
      return;
    default:
      numpy_refuse (self, "A statement of kind %s", LS_NODE (stmt)->klass->name);
    }
}

static void
statement (Numpy  *self,
           LsStmt *stmt)
{
  guint kept = self->line, line = numpy_line_of (LS_NODE (stmt));

  if (self->error != NULL)
    return;
  self->line = line > 0 ? line : kept;
  statement_of_kind (self, stmt);
  self->line = kept;
}

/* ---- functions ------------------------------------------------------------------------------------ */

/* Sizes that the arrays bring along. */
static void
put_sizes (Numpy      *self,
           LsPrimFunc *func)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        {
          LsNode *extent = buffer->shape->items[k], *stride = ls_buffer_has_strides (buffer) ? buffer->strides->items[k] : NULL;
          const char *array = numpy_name (self, buffer, buffer->name);

          if (ls_is_var (extent) && g_hash_table_lookup (self->names, extent) == NULL)
            numpy_put (self, "%s = %s.shape[%u]", numpy_declare (self, extent, ((LsVar *) extent)->name), array, k);
          if (ls_is_var (stride) && g_hash_table_lookup (self->names, stride) == NULL)
            numpy_put (self, "%s = %s.strides[%u] // %s.itemsize", numpy_declare (self, stride, ((LsVar *) stride)->name), array, k, array);
        }
    }
}

void
numpy_prim_func (Numpy      *self,
                 const char *name,
                 LsPrimFunc *func)
{
  gsize before;

  self->line = numpy_line_of (LS_NODE (func));
  numpy_begin (self);
  g_string_append_printf (self->out, "def %s(", name);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsVar *param = ls_array_at (func->params, i, LsVar);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL && ls_dtype (param).code == LS_TYPE_HANDLE)
        numpy_refuse (self, "The parameter %s, a pointer to what is not said,", param->name);
      if (buffer == NULL && !ls_dtype_is_index (ls_dtype (param)))
        g_hash_table_add (self->numbers, param);
      if (buffer != NULL && (ls_is (func->params->items[i], VAR) && buffer->dtype.lanes != 1))
        numpy_refuse (self, "The buffer %s, whose elements are vectors,", buffer->name);
      g_string_append_printf (self->out, "%s%s", i > 0 ? ", " : "", buffer != NULL ? numpy_declare (self, buffer, buffer->name) : numpy_declare (self, param, param->name));
      if (buffer != NULL && !g_hash_table_contains (self->names, buffer->data))
        g_hash_table_insert (self->names, buffer->data, g_strdup (numpy_name (self, buffer, buffer->name)));
    }
  g_string_append (self->out, "):");
  numpy_end (self);
  self->indent = 1;
  before = self->out->len;
  put_sizes (self, func);
  statement (self, func->body);
  if (self->out->len == before)
    numpy_put (self, "pass");
  self->indent = 0;
}
