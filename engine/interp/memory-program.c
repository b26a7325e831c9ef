/* memory-program: a function as loops of accesses whose addresses are sums of loop variables. */
#include "engine/interp/memory-compile.h"

#define PAGE 4096
#define MOST_REFS 200000
#define SHORT 4                 /* rounds of a loop that is written out */
#define MOST_WRITTEN 48         /* accesses that come of it */

/* ---- accesses ----------------------------------------------------------------------------------- */

static MemoryStep *
step_new (StepKind kind)
{
  MemoryStep *self = g_new0 (MemoryStep, 1);

  self->kind = kind;
  self->body = kind != MEMORY_REF ? g_ptr_array_new () : NULL;
  return self;
}

static void
ref_clear (Ref *self)
{
  for (guint i = 0; i < self->n_codes; i++)
    memory_code_free (self->codes[i].code);
  g_free (self->terms);
  g_free (self->codes);
}

static void
step_free (MemoryStep *self)
{
  for (guint i = 0; self->body != NULL && i < self->body->len; i++)
    step_free (self->body->pdata[i]);
  for (guint i = 0; self->other != NULL && i < self->other->len; i++)
    step_free (self->other->pdata[i]);
  ref_clear (&self->ref);
  for (guint i = 0; self->atoms != NULL && i < self->atoms->len; i++)
    ref_clear (&g_array_index (self->atoms, Atom, i).sum);
  g_clear_pointer (&self->atoms, g_array_unref);
  g_clear_pointer (&self->moves, g_array_unref);
  g_clear_pointer (&self->body, g_ptr_array_unref);
  g_clear_pointer (&self->other, g_ptr_array_unref);
  memory_code_free (self->min);
  memory_code_free (self->extent);
  memory_code_free (self->condition);
  g_free (self);
}

/* The number of a memory; what is seen first of it says its size and name. */
static guint
memory_of (MemoryCompiler *self,
           LsVar          *memory,
           const char     *name,
           LsDType         dtype,
           LsArray        *shape)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->buffers, memory));
  LsMemoryBuffer fresh = { 0 };
  gint64 bytes = MAX (1, ls_dtype_bytes (dtype)), extent, begin = self->end;

  if (n > 0)
    return n - 1;
  for (guint i = 0; i < shape->n; i++)
    {
      if (!ls_as_int (shape->items[i], &extent))
        memory_refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("The size of %s is not known."), name);
      else if (extent < 0 || __builtin_mul_overflow (bytes, extent, &bytes) || bytes > ((gint64) 1 << 36))
        memory_refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("%s is too large to be followed."), name);
    }
  fresh.name = g_strdup (name);
  fresh.bytes = (guint) MAX (1, ls_dtype_bytes (ls_dtype_element (dtype)));
  g_array_append_val (self->program->buffers, fresh);
  g_array_append_val (self->program->places, begin);
  g_array_append_val (self->program->sizes, bytes);
  self->end += (bytes + PAGE - 1) / PAGE * PAGE;
  g_hash_table_insert (self->buffers, memory, GUINT_TO_POINTER (self->program->buffers->len));
  return self->program->buffers->len - 1;
}

static guint
buffer_of (MemoryCompiler *self,
           LsBuffer       *buffer)
{
  return memory_of (self, buffer->data, buffer->name, buffer->dtype, buffer->shape);
}

static void
add_access (MemoryCompiler *self,
            GPtrArray      *out,
            LsBuffer       *buffer,
            LsArray        *indices)
{
  MemoryStep *step = step_new (MEMORY_REF);
  guint number = buffer_of (self, buffer);
  gint64 bytes = MAX (1, ls_dtype_bytes (buffer->dtype)), scale = bytes;
  MemorySum sum = memory_sum_new (g_array_index (self->program->places, gint64, number));

  if (++self->n_refs > MOST_REFS)
    memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("There are too many statements to be followed."), "");
  step->ref = (Ref) { .buffer = number, .loop = self->loop, .lanes = 1, .bytes = (guint) bytes, .apart = bytes };
  for (guint i = indices->n; i-- > 0 && self->error == NULL;)
    {
      LsExpr *index = LS_EXPR (indices->items[i]);
      gint64 extent, own = scale;

      if (ls_buffer_has_strides (buffer))
        {
          if (!ls_as_int (buffer->strides->items[i], &own))
            memory_refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("The strides of %s are not known."), buffer->name);
          own *= bytes;
        }
      if (ls_is (index, RAMP))
        {
          LsRamp *ramp = (LsRamp *) index;
          gint64 stride;

          if (!ls_as_int (ramp->stride, &stride))
            memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("A vector of %s has no certain stride."), buffer->name);
          step->ref.lanes = ls_dtype (index).lanes;
          step->ref.apart = stride * own;
          index = ramp->base;
        }
      else if (ls_is (index, BROADCAST))
        index = ((LsBroadcast *) index)->value;
      if (ls_dtype (index).lanes != 1)
        memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("A vector of %s is not followed."), buffer->name);
      else
        memory_sum_add (self, &sum, index, own);
      scale = ls_as_int (buffer->shape->items[i], &extent) ? scale * extent : scale;
    }
  if (self->error == NULL && buffer->elem_offset != NULL && !ls_is_var (buffer->elem_offset) && !ls_is_zero (buffer->elem_offset))
    memory_sum_add (self, &sum, buffer->elem_offset, bytes);
  step->ref.span = step->ref.lanes == 1 || step->ref.apart == bytes ? step->ref.lanes * (guint) bytes : 0;
  memory_sum_put (self, &sum, &step->ref);
  g_ptr_array_add (out, step);
}

static MemoryStep *
step_new_if (MemoryCompiler *self,
             LsExpr         *condition)
{
  MemoryStep *step = step_new (MEMORY_IF);
  GArray *atoms = g_array_new (FALSE, FALSE, sizeof (Atom));

  step->condition = memory_code_new (self, condition);
  if (self->error == NULL && memory_add_atoms (self, condition, atoms))
    step->atoms = g_array_ref (atoms);
  else
    for (guint i = 0; i < atoms->len; i++)
      ref_clear (&g_array_index (atoms, Atom, i).sum);
  g_array_unref (atoms);
  return step;
}

static void statement (MemoryCompiler *self, GPtrArray *out, LsNode *node);

static void
value (MemoryCompiler *self,
       GPtrArray      *out,
       LsNode         *node)
{
  if (node == NULL || self->error != NULL || (node->facts & (LS_FACT_HAS_LOAD | LS_FACT_HAS_CALL)) == 0)
    return;
  if (ls_is_call (node, "tir.if_then_else") && (LS_NODE (((LsCall *) node)->args)->facts & LS_FACT_HAS_LOAD) != 0)
    {
      LsNode **args = ((LsCall *) node)->args->items;
      MemoryStep *step;

      value (self, out, args[0]);
      /* Both are there to choose from. */
      if (memory_compares_floats (args[0]))
        {
          value (self, out, args[1]);
          value (self, out, args[2]);
          self->program->chooses = TRUE;
          return;
        }
      step = step_new_if (self, LS_EXPR (args[0]));
      step->other = g_ptr_array_new ();
      value (self, step->body, args[1]);
      value (self, step->other, args[2]);
      g_ptr_array_add (out, step);
      return;
    }
  if (ls_is (node, CALL) && ls_is (((LsCall *) node)->op, OP) && ((LsOp *) ((LsCall *) node)->op)->effect > LS_EFFECT_PURE)
    {
      memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("What the call of T.%s accesses is not known."), ((LsOp *) ((LsCall *) node)->op)->script_name);
      return;
    }
  if (ls_is (node, CALL) && (!ls_is (((LsCall *) node)->op, OP) || ls_is_call (node, "tir.call_pure_extern") || ls_is_call (node, "tir.address_of")))
    {
      memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("What a call of %s accesses is not known."), "another function");
      return;
    }
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child != NULL && !ls_is (child, BUFFER) && !ls_is (child, OP))
        value (self, out, child);
    }
  if (ls_is (node, BUFFER_LOAD))
    add_access (self, out, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
}

/* ---- statements -------------------------------------------------------------------------------------- */

static gboolean
is_linear (const Ref *ref,
           guint      slot)
{
  for (guint k = 0; k < ref->n_codes; k++)
    if (memory_code_uses (ref->codes[k].code, slot))
      return FALSE;
  return TRUE;
}

/* Counts the accesses of a loop that has nothing else, all linear in its variable.  FALSE: it is not so. */
static gboolean
count_stream (GPtrArray *body,
              guint      slot,
              guint     *n)
{
  for (guint i = 0; body != NULL && i < body->len; i++)
    {
      MemoryStep *step = body->pdata[i];

      if (step->kind == MEMORY_REF ? !is_linear (&step->ref, slot) : step->kind != MEMORY_IF || (step->atoms == NULL && memory_code_uses (step->condition, slot)))
        return FALSE;
      for (guint k = 0; step->atoms != NULL && k < step->atoms->len; k++)
        if (!is_linear (&g_array_index (step->atoms, Atom, k).sum, slot))
          return FALSE;
      if (step->kind == MEMORY_IF && (!count_stream (step->body, slot, n) || !count_stream (step->other, slot, n)))
        return FALSE;
      *n += step->kind == MEMORY_REF;
    }
  return TRUE;
}

/* Statements that a short loop becomes when it is written out; 0: it is not short, or its number of rounds not known. */
typedef struct { gint64 times, n; } Written;

static LsWalk
count_written (LsNode  *node,
               gpointer data)
{
  Written *written = data;
  gint64 extent;

  if (ls_is (node, FOR))
    {
      if (!ls_as_int (((LsFor *) node)->extent, &extent) || extent > SHORT || extent < 1 || !ls_as_int (((LsFor *) node)->min, &extent))
        {
          written->n = MOST_WRITTEN + 1;
          return LS_WALK_STOP;
        }
      ls_as_int (((LsFor *) node)->extent, &extent);
      written->times *= extent; /* of loops in a row too: more than it is */
    }
  if (ls_is (node, BUFFER_STORE) || ls_is (node, BUFFER_LOAD))
    written->n += written->times;
  return LS_WALK_CONTINUE;
}

static gint64
written_out (LsExpr *min,
             LsExpr *extent,
             LsNode *body)
{
  Written written = { 0, 0 };
  gint64 first;

  if (!ls_as_int (extent, &written.times) || !ls_as_int (min, &first) || written.times < 1 || written.times > SHORT)
    return 0;
  ls_walk (body, count_written, NULL, &written);
  return written.n <= MOST_WRITTEN ? written.n : 0;
}

static void
write_out (MemoryCompiler *self,
           GPtrArray      *out,
           LsVar          *var,
           gint64          first,
           gint64          extent,
           LsNode         *body)
{
  guint around = self->loop, known = GPOINTER_TO_UINT (g_hash_table_lookup (self->rows, var));

  /* Written out in a loop that is written out itself, it is one loop. */
  if (known == 0)
    {
      LsMemoryLoop row = { .name = g_strdup (var->name), .depth = self->depth, .footprint = -1.0 };

      g_array_append_val (self->program->loops, row);
      g_array_append_val (self->program->unrolled, extent);
      known = self->program->loops->len;
      g_hash_table_insert (self->rows, var, GUINT_TO_POINTER (known));
    }
  self->loop = known - 1;
  self->depth++;
  for (gint64 i = 0; i < extent && self->error == NULL; i++)
    {
      g_hash_table_insert (self->values, var, ls_int_imm_new (ls_dtype (var), first + i));
      statement (self, out, body);
    }
  self->depth--;
  self->loop = around;
}

static void
loop (MemoryCompiler *self,
      GPtrArray      *out,
      LsVar          *var,
      LsExpr         *min,
      LsExpr         *extent,
      LsNode         *body)
{
  MemoryStep *step;
  guint around = self->loop;
  gint64 first, rounds, none = 0;
  MemoryStep *outer = self->around;
  LsMemoryLoop row = { .name = g_strdup (var->name), .depth = self->depth, .footprint = -1.0 };

  if (self->around != NULL && ls_as_int (min, &first) && ls_as_int (extent, &rounds) && written_out (min, extent, body) > 0)
    {
      g_free (row.name);
      write_out (self, out, var, first, rounds, body);
      return;
    }
  value (self, out, LS_NODE (min));
  value (self, out, LS_NODE (extent));
  step = step_new (MEMORY_LOOP);
  step->slot = self->program->n_slots++;
  step->moves = g_array_new (FALSE, FALSE, sizeof (Move));
  g_array_append_val (self->moves, step->moves);
  step->min = memory_code_new (self, min);
  step->extent = memory_code_new (self, extent);
  step->loop = self->program->loops->len;
  g_array_append_val (self->program->loops, row);
  g_array_append_val (self->program->unrolled, none);
  g_hash_table_insert (self->slots, var, GINT_TO_POINTER ((int) step->slot + 1));
  self->loop = step->loop;
  self->around = step;
  self->depth++;
  if (self->error == NULL)
    statement (self, step->body, body);
  self->depth--;
  self->loop = around;
  self->around = outer;
  if (self->error == NULL && (!count_stream (step->body, step->slot, &step->stream) || step->stream > MEMORY_MOST_STREAM))
    step->stream = 0;
  g_ptr_array_add (out, step);
}

static void
bind (MemoryCompiler *self,
      LsVar          *var,
      LsExpr         *bound)
{
  g_hash_table_insert (self->values, var, ls_ref (bound));
}

static void
block (MemoryCompiler *self,
       GPtrArray      *out,
       LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  GPtrArray *into = out;

  if (block->match_buffers->n > 0)
    {
      memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The block %s sees buffers as others; the program has to be lowered before its accesses are followed."), block->name_hint);
      return;
    }
  for (guint i = 0; i < block->iter_vars->n && i < realize->iter_values->n; i++)
    bind (self, ls_array_at (block->iter_vars, i, LsIterVar)->var, LS_EXPR (realize->iter_values->items[i]));
  if (!ls_is_one (realize->predicate))
    {
      MemoryStep *step;

      value (self, out, LS_NODE (realize->predicate));
      step = step_new_if (self, realize->predicate);
      g_ptr_array_add (out, step);
      into = step->body;
    }
  if (self->loop != G_MAXUINT && block->iter_vars->n > 0)
    {
      LsMemoryLoop *row = &g_array_index (self->program->loops, LsMemoryLoop, self->loop);

      if (row->block == NULL)
        row->block = g_strdup (block->name_hint);
    }
  if (block->init != NULL)
    {
      MemoryStep *step;
      g_autoptr (LsExpr) first = ls_bool (TRUE);

      for (guint i = 0; i < block->iter_vars->n; i++)
        {
          LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

          if (iter->iter_type == LS_ITER_COMM_REDUCE)
            ls_take (&first, ls_and (ls_ref (first), ls_eq (LS_EXPR (ls_ref (iter->var)), ls_ref (iter->dom->min))));
        }
      step = step_new_if (self, first);
      statement (self, step->body, LS_NODE (block->init));
      g_ptr_array_add (into, step);
    }
  statement (self, into, LS_NODE (block->body));
}

static void
let (MemoryCompiler *self,
     GPtrArray      *out,
     LsLetStmt      *let)
{
  value (self, out, LS_NODE (let->value));
  if (ls_dtype (let->var).code != LS_TYPE_HANDLE && !ls_dtype_is_float (ls_dtype (let->var)))
    bind (self, let->var, let->value);
  statement (self, out, LS_NODE (let->body));
}

static void
statement (MemoryCompiler *self,
           GPtrArray      *out,
           LsNode         *node)
{
  if (self->error != NULL || node == NULL)
    return;
  if (ls_is (node, FOR))
    loop (self, out, ((LsFor *) node)->loop_var, ((LsFor *) node)->min, ((LsFor *) node)->extent, LS_NODE (((LsFor *) node)->body));
  else if (ls_is (node, BLOCK_REALIZE))
    block (self, out, (LsBlockRealize *) node);
  else if (ls_is (node, SEQ_STMT))
    for (guint i = 0; i < ((LsSeqStmt *) node)->seq->n; i++)
      statement (self, out, ((LsSeqStmt *) node)->seq->items[i]);
  else if (ls_is (node, BUFFER_STORE))
    {
      value (self, out, LS_NODE (((LsBufferStore *) node)->value));
      for (guint i = 0; i < ((LsBufferStore *) node)->indices->n; i++)
        value (self, out, ((LsBufferStore *) node)->indices->items[i]);
      add_access (self, out, ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices);
    }
  else if (ls_is (node, IF_THEN_ELSE))
    {
      MemoryStep *step;

      value (self, out, LS_NODE (((LsIfThenElse *) node)->condition));
      step = step_new_if (self, ((LsIfThenElse *) node)->condition);
      step->other = g_ptr_array_new ();
      statement (self, step->body, LS_NODE (((LsIfThenElse *) node)->then_case));
      statement (self, step->other, LS_NODE (((LsIfThenElse *) node)->else_case));
      g_ptr_array_add (out, step);
    }
  else if (ls_is (node, LET_STMT))
    let (self, out, (LsLetStmt *) node);
  else if (ls_is (node, ATTR_STMT) && ls_is (((LsAttrStmt *) node)->subject, ITER_VAR)
           && (strcmp (((LsAttrStmt *) node)->attr_key, "thread_extent") == 0 || strcmp (((LsAttrStmt *) node)->attr_key, "virtual_thread") == 0)
           && !g_hash_table_contains (self->slots, ((LsIterVar *) ((LsAttrStmt *) node)->subject)->var))
    {
      g_autoptr (LsExpr) zero = ls_int (0);

      loop (self, out, ((LsIterVar *) ((LsAttrStmt *) node)->subject)->var, zero, ((LsAttrStmt *) node)->value, LS_NODE (((LsAttrStmt *) node)->body));
    }
  else if (ls_is (node, ATTR_STMT))
    statement (self, out, LS_NODE (((LsAttrStmt *) node)->body));
  else if (ls_is (node, ASSERT_STMT))
    statement (self, out, LS_NODE (((LsAssertStmt *) node)->body));
  else if (ls_is (node, ALLOCATE))
    {
      LsAllocate *allocate = (LsAllocate *) node;

      memory_of (self, allocate->buffer_var, allocate->buffer_var->name, allocate->dtype, allocate->extents);
      statement (self, out, LS_NODE (allocate->body));
    }
  else if (ls_is (node, ALLOCATE_CONST))
    statement (self, out, LS_NODE (((LsAllocateConst *) node)->body));
  else if (ls_is (node, DECL_BUFFER))
    {
      buffer_of (self, ((LsDeclBuffer *) node)->buffer);
      statement (self, out, LS_NODE (((LsDeclBuffer *) node)->body));
    }
  else if (ls_is (node, EVALUATE))
    value (self, out, LS_NODE (((LsEvaluate *) node)->value));
  else
    memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("A statement of kind %s is not followed."), node->klass->name);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

void
memory_rows_free (GArray *buffers,
                  GArray *loops)
{
  for (guint i = 0; i < buffers->len; i++)
    g_free (g_array_index (buffers, LsMemoryBuffer, i).name);
  for (guint i = 0; i < loops->len; i++)
    {
      LsMemoryLoop *row = &g_array_index (loops, LsMemoryLoop, i);

      g_free (row->name);
      g_free (row->block);
      g_free (row->of_buffers);
    }
  g_array_unref (buffers);
  g_array_unref (loops);
}

void
memory_program_free (MemoryProgram *self)
{
  if (self->buffers != NULL)
    memory_rows_free (self->buffers, self->loops);
  g_array_unref (self->places);
  g_array_unref (self->sizes);
  g_array_unref (self->bases);
  g_array_unref (self->unrolled);
  g_ptr_array_unref (self->tables);
  step_free (self->root);
  g_free (self);
}

MemoryProgram *
memory_program_new (LsPrimFunc *func,
                    GError    **error)
{
  MemoryProgram *program = g_new0 (MemoryProgram, 1);
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) moves = g_array_new (FALSE, FALSE, sizeof (GArray *));
  MemoryCompiler self = { .program = program, .slots = slots, .values = values, .buffers = buffers, .rows = rows, .moves = moves, .loop = G_MAXUINT };

  program->buffers = g_array_new (FALSE, FALSE, sizeof (LsMemoryBuffer));
  program->loops = g_array_new (FALSE, FALSE, sizeof (LsMemoryLoop));
  program->places = g_array_new (FALSE, FALSE, sizeof (gint64));
  program->sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  program->unrolled = g_array_new (FALSE, FALSE, sizeof (gint64));
  program->bases = g_array_new (FALSE, FALSE, sizeof (gint64));
  program->tables = g_ptr_array_new_with_free_func (memory_table_free);
  program->root = step_new (MEMORY_SEQ);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL)
        continue;
      buffer_of (&self, buffer);
      /* An array that is given begins where its memory does. */
      if (ls_is_var (buffer->elem_offset))
        g_hash_table_insert (values, buffer->elem_offset, ls_int_imm_new (ls_dtype (buffer->elem_offset), 0));
    }
  statement (&self, program->root->body, LS_NODE (func->body));
  if (self.error == NULL)
    return program;
  g_propagate_error (error, self.error);
  memory_program_free (program);
  return NULL;
}
