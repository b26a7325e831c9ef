/* memory-program: a function as loops of accesses whose addresses are sums of loop variables. */
#include "engine/interp/memory-private.h"

#include "engine/interp/access-private.h"

#define PAGE 4096
#define MOST_STEPS 48           /* of a code: its stack is a local array */
#define MOST_HELD (1 << 26)     /* elements whose contents are followed */
#define MOST_REFS 200000
#define SHORT 4                 /* rounds of a loop that is written out */
#define MOST_WRITTEN 48         /* accesses that come of it */

typedef struct {
  MemoryProgram *program;
  GHashTable    *slots;         /* LsVar -> number + 1 */
  GHashTable    *values;        /* LsVar -> LsExpr: what blocks and lets bind (kept) */
  GHashTable    *buffers;       /* LsVar of the memory -> number + 1 */
  GHashTable    *rows;          /* LsVar of a loop that is written out -> number + 1 */
  guint          loop;          /* the innermost around, G_MAXUINT */
  guint          depth;
  guint          n_refs;
  GArray        *moves;         /* of GArray *: those of each slot, borrowed from the loops */
  MemoryStep    *around;        /* the innermost loop, or NULL */
  gint64         end;           /* of all buffers, bytes */
  GError        *error;
} Compiler;

static void
refuse (Compiler   *self,
        LsInterpError code,
        const char *format,
        const char *name)
{
  if (self->error == NULL)
    {
      g_autofree char *text = g_strdup_printf (ls_translate (format), name);

      self->error = g_error_new_literal (LS_INTERP_ERROR, code, text);
    }
}

/* ---- codes --------------------------------------------------------------------------------- */

static void
code_free (Code *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_free (self);
}

static void
code_add (Code    *self,
          CodeKind kind,
          LsKind   op,
          gint64   value)
{
  CodeStep step = { kind, op, value, NULL };

  g_array_append_val (self->steps, step);
}

gboolean
memory_code_uses (const Code *code,
                  guint       slot)
{
  for (guint i = 0; i < code->steps->len; i++)
    if (g_array_index (code->steps, CodeStep, i).kind == CODE_SLOT && g_array_index (code->steps, CodeStep, i).value == slot)
      return TRUE;
  return FALSE;
}

/* What the buffer holds, as far as it is known before the program is followed. */
static const MemoryTable *
table_of (Compiler *self,
          LsBuffer *buffer)
{
  GPtrArray *tables = self->program->tables;
  MemoryTable *table;
  gint64 extent;

  for (guint i = 0; i < tables->len; i++)
    if (((MemoryTable *) tables->pdata[i])->data == buffer->data)
      return tables->pdata[i];
  table = g_new0 (MemoryTable, 1);
  table->data = buffer->data;
  table->name = g_strdup (buffer->name);
  table->n = 1;
  g_ptr_array_add (tables, table);
  for (guint i = 0; i < buffer->shape->n; i++)
    if (!ls_as_int (buffer->shape->items[i], &extent) || extent < 0 || __builtin_mul_overflow (table->n, extent, &table->n) || table->n > MOST_HELD)
      refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("The size of %s is not known, or too large for its contents to be followed."), buffer->name);
  return table;
}

static void code_write (Compiler *self, Code *code, LsExpr *expr);

static void
code_write_load (Compiler     *self,
                 Code         *code,
                 LsBufferLoad *load)
{
  LsBuffer *buffer = load->buffer;
  CodeStep step = { CODE_LOAD, LS_KIND_BUFFER_LOAD, 0, NULL };
  gint64 extent;

  if (!ls_dtype_is_int (buffer->dtype) && !ls_dtype_is_uint (buffer->dtype) && !ls_dtype_is_bool (buffer->dtype))
    {
      refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on what %s holds, which are no integers."), buffer->name);
      return;
    }
  if (ls_buffer_has_strides (buffer) || ls_dtype (load).lanes != 1)
    {
      refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on what %s holds."), buffer->name);
      return;
    }
  step.table = table_of (self, buffer);
  for (guint i = 0; i < load->indices->n && self->error == NULL; i++)
    {
      if (!ls_as_int (buffer->shape->items[i], &extent))
        extent = 0;
      if (i > 0)
        {
          code_add (code, CODE_CONST, LS_KIND_INT_IMM, extent);
          code_add (code, CODE_OP, LS_KIND_MUL, 0);
        }
      code_write (self, code, LS_EXPR (load->indices->items[i]));
      if (i > 0)
        code_add (code, CODE_OP, LS_KIND_ADD, 0);
    }
  if (load->indices->n == 0)
    code_add (code, CODE_CONST, LS_KIND_INT_IMM, 0);
  if (buffer->elem_offset != NULL && !ls_is_var (buffer->elem_offset) && !ls_is_zero (buffer->elem_offset))
    {
      code_write (self, code, buffer->elem_offset);
      code_add (code, CODE_OP, LS_KIND_ADD, 0);
    }
  g_array_append_val (code->steps, step);
}

static void
code_write (Compiler *self,
            Code     *code,
            LsExpr   *expr)
{
  LsNode *node = LS_NODE (expr), *value = g_hash_table_lookup (self->values, node);
  gint64 number;

  if (self->error != NULL)
    return;
  if (value != NULL)
    code_write (self, code, LS_EXPR (value));
  else if (g_hash_table_contains (self->slots, node))
    code_add (code, CODE_SLOT, LS_KIND_VAR, GPOINTER_TO_INT (g_hash_table_lookup (self->slots, node)) - 1);
  else if (ls_is_var (node))
    refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on %s, which is no number here."), ((LsVar *) node)->name);
  else if (ls_as_int (node, &number))
    code_add (code, CODE_CONST, LS_KIND_INT_IMM, number);
  else if (ls_is (node, CAST))
    code_write (self, code, ((LsCast *) node)->value);
  else if (ls_kind_is_binary (ls_kind (node)))
    {
      code_write (self, code, ((LsBinary *) node)->a);
      code_write (self, code, ((LsBinary *) node)->b);
      code_add (code, CODE_OP, ls_kind (node), 0);
    }
  else if (ls_is (node, NOT))
    {
      code_write (self, code, ((LsNot *) node)->a);
      code_add (code, CODE_OP, LS_KIND_NOT, 0);
    }
  else if (ls_is (node, SELECT) || ls_is_call (node, "tir.if_then_else"))
    {
      LsNode **args = ls_is (node, SELECT) ? NULL : ((LsCall *) node)->args->items;

      code_write (self, code, args == NULL ? ((LsSelect *) node)->condition : LS_EXPR (args[0]));
      code_write (self, code, args == NULL ? ((LsSelect *) node)->true_value : LS_EXPR (args[1]));
      code_write (self, code, args == NULL ? ((LsSelect *) node)->false_value : LS_EXPR (args[2]));
      code_add (code, CODE_OP, LS_KIND_SELECT, 0);
    }
  else if (ls_is_call (node, "tir.likely"))
    code_write (self, code, LS_EXPR (((LsCall *) node)->args->items[0]));
  else if (ls_is_call (node, "tir.shift_left") || ls_is_call (node, "tir.shift_right") || ls_is_call (node, "tir.bitwise_and"))
    {
      code_write (self, code, LS_EXPR (((LsCall *) node)->args->items[0]));
      code_write (self, code, LS_EXPR (((LsCall *) node)->args->items[1]));
      /* Kinds that are no operators stand for these calls. */
      code_add (code, CODE_OP, ls_is_call (node, "tir.shift_left") ? LS_KIND_RAMP : ls_is_call (node, "tir.shift_right") ? LS_KIND_BROADCAST : LS_KIND_SHUFFLE, 0);
    }
  else if (ls_is (node, BUFFER_LOAD))
    code_write_load (self, code, (LsBufferLoad *) node);
  else
    refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on an expression of kind %s, which is not followed."), node->klass->name);
}

static Code *
code_new (Compiler *self,
          LsExpr   *expr)
{
  Code *code = g_new0 (Code, 1);

  code->steps = g_array_new (FALSE, FALSE, sizeof (CodeStep));
  code_write (self, code, expr);
  if (code->steps->len > MOST_STEPS)
    refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on an expression that is too long."), "");
  return code;
}

gint64
memory_code_value (const Code   *code,
                   const gint64 *slots)
{
  gint64 stack[MOST_STEPS + 1];
  guint n = 0;

  for (guint i = 0; i < code->steps->len; i++)
    {
      const CodeStep *step = &g_array_index (code->steps, CodeStep, i);
      gint64 a, b, r = 0;

      if (step->kind == CODE_LOAD)
        {
          a = stack[n - 1];
          stack[n - 1] = step->table->values != NULL && a >= 0 && a < step->table->n ? step->table->values[a] : 0;
          continue;
        }
      if (step->kind != CODE_OP)
        {
          stack[n++] = step->kind == CODE_CONST ? step->value : slots[step->value];
          continue;
        }
      if (step->op == LS_KIND_NOT)
        {
          stack[n - 1] = !stack[n - 1];
          continue;
        }
      if (step->op == LS_KIND_SELECT)
        {
          stack[n - 3] = stack[n - 3] != 0 ? stack[n - 2] : stack[n - 1];
          n -= 2;
          continue;
        }
      a = stack[n - 2];
      b = stack[n - 1];
      switch ((int) step->op)
        {
        case LS_KIND_ADD: r = a + b; break;
        case LS_KIND_SUB: r = a - b; break;
        case LS_KIND_MUL: r = a * b; break;
        case LS_KIND_DIV: r = b == 0 ? 0 : b == -1 ? -a : a / b; break;
        case LS_KIND_MOD: r = b == 0 || b == -1 ? 0 : a % b; break;
        case LS_KIND_FLOOR_DIV: r = b == 0 ? 0 : ls_floordiv_i64 (a, b); break;
        case LS_KIND_FLOOR_MOD: r = b == 0 ? 0 : ls_floormod_i64 (a, b); break;
        case LS_KIND_MIN: r = MIN (a, b); break;
        case LS_KIND_MAX: r = MAX (a, b); break;
        case LS_KIND_EQ: r = a == b; break;
        case LS_KIND_NE: r = a != b; break;
        case LS_KIND_LT: r = a < b; break;
        case LS_KIND_LE: r = a <= b; break;
        case LS_KIND_GT: r = a > b; break;
        case LS_KIND_GE: r = a >= b; break;
        case LS_KIND_AND: r = a != 0 && b != 0; break;
        case LS_KIND_OR: r = a != 0 || b != 0; break;
        case LS_KIND_RAMP: r = b >= 0 && b < 63 ? (gint64) ((guint64) a << b) : 0; break;
        case LS_KIND_BROADCAST: r = b >= 0 && b < 63 ? a >> b : 0; break;
        default: r = a & b; break;
        }
      stack[--n - 1] = r;
    }
  return n > 0 ? stack[0] : 0;
}

/* ---- sums ---------------------------------------------------------------------------------- */

typedef struct {
  gint64  base;
  GArray *terms;                /* of Term */
  GArray *codes;                /* of CodeTerm */
} Sum;

static void
sum_add_term (Sum   *sum,
              guint  slot,
              gint64 factor)
{
  Term term = { slot, factor };

  for (guint i = 0; i < sum->terms->len; i++)
    if (g_array_index (sum->terms, Term, i).slot == slot)
      {
        g_array_index (sum->terms, Term, i).factor += factor;
        return;
      }
  g_array_append_val (sum->terms, term);
}

/* Adds factor * expr. */
static void
sum_add (Compiler *self,
         Sum      *sum,
         LsExpr   *expr,
         gint64    factor)
{
  LsNode *node = LS_NODE (expr), *value = g_hash_table_lookup (self->values, node);
  LsBinary *binary = (LsBinary *) node;
  gint64 number;

  if (self->error != NULL)
    return;
  if (value != NULL)
    sum_add (self, sum, LS_EXPR (value), factor);
  else if (g_hash_table_contains (self->slots, node))
    sum_add_term (sum, (guint) GPOINTER_TO_INT (g_hash_table_lookup (self->slots, node)) - 1, factor);
  else if (ls_as_int (node, &number))
    sum->base += number * factor;
  else if (ls_is (node, CAST))
    sum_add (self, sum, ((LsCast *) node)->value, factor);
  else if (ls_is (node, ADD) || ls_is (node, SUB))
    {
      sum_add (self, sum, binary->a, factor);
      sum_add (self, sum, binary->b, ls_is (node, ADD) ? factor : -factor);
    }
  else if (ls_is (node, MUL) && ls_as_int (binary->b, &number))
    sum_add (self, sum, binary->a, factor * number);
  else if (ls_is (node, MUL) && ls_as_int (binary->a, &number))
    sum_add (self, sum, binary->b, factor * number);
  else
    {
      CodeTerm term = { code_new (self, expr), factor };

      g_array_append_val (sum->codes, term);
    }
}

static Sum
sum_new (gint64 base)
{
  return (Sum) { base, g_array_new (FALSE, FALSE, sizeof (Term)), g_array_new (FALSE, FALSE, sizeof (CodeTerm)) };
}

static void
sum_put (Compiler *self,
         Sum      *sum,
         Ref      *ref)
{
  ref->number = self->program->bases->len;
  g_array_append_val (self->program->bases, sum->base);
  for (guint i = 0; i < sum->terms->len; i++)
    {
      Term *term = &g_array_index (sum->terms, Term, i);
      Move move = { ref->number, term->factor };

      if (term->factor != 0)
        g_array_append_val (g_array_index (self->moves, GArray *, term->slot), move);
      if (self->around != NULL && self->around->slot == term->slot)
        ref->stride = term->factor;
    }

  ref->base = sum->base;
  ref->n_terms = sum->terms->len;
  ref->n_codes = sum->codes->len;
  ref->terms = (Term *) (void *) g_array_free (sum->terms, FALSE);
  ref->codes = (CodeTerm *) (void *) g_array_free (sum->codes, FALSE);
}

/* Adds the comparisons that a condition is made of.  FALSE: it is made of others. */
static gboolean
add_atoms (Compiler *self,
           LsExpr   *expr,
           GArray   *atoms)
{
  LsBinary *binary = (LsBinary *) expr;
  Atom atom = { .op = ls_kind (expr) };
  Sum sum;

  if (ls_is_call (expr, "tir.likely"))
    return add_atoms (self, LS_EXPR (((LsCall *) expr)->args->items[0]), atoms);
  if (ls_is_one (expr))
    return TRUE;
  if (ls_is (expr, AND))
    return add_atoms (self, binary->a, atoms) && add_atoms (self, binary->b, atoms);
  if (!ls_kind_is_compare (ls_kind (expr)) || !ls_dtype_is_int (ls_dtype (binary->a)))
    return FALSE;
  sum = sum_new (0);
  sum_add (self, &sum, binary->a, 1);
  sum_add (self, &sum, binary->b, -1);
  sum_put (self, &sum, &atom.sum);
  g_array_append_val (atoms, atom);
  return TRUE;
}

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
    code_free (self->codes[i].code);
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
  code_free (self->min);
  code_free (self->extent);
  code_free (self->condition);
  g_free (self);
}

/* The number of a memory; what is seen first of it says its size and name. */
static guint
memory_of (Compiler   *self,
           LsVar      *memory,
           const char *name,
           LsDType     dtype,
           LsArray    *shape)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->buffers, memory));
  LsMemoryBuffer fresh = { 0 };
  gint64 bytes = MAX (1, ls_dtype_bytes (dtype)), extent, begin = self->end;

  if (n > 0)
    return n - 1;
  for (guint i = 0; i < shape->n; i++)
    {
      if (!ls_as_int (shape->items[i], &extent))
        refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("The size of %s is not known."), name);
      else if (extent < 0 || __builtin_mul_overflow (bytes, extent, &bytes) || bytes > ((gint64) 1 << 36))
        refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("%s is too large to be followed."), name);
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
buffer_of (Compiler *self,
           LsBuffer *buffer)
{
  return memory_of (self, buffer->data, buffer->name, buffer->dtype, buffer->shape);
}

static void
add_access (Compiler  *self,
            GPtrArray *out,
            LsBuffer  *buffer,
            LsArray   *indices)
{
  MemoryStep *step = step_new (MEMORY_REF);
  guint number = buffer_of (self, buffer);
  gint64 bytes = MAX (1, ls_dtype_bytes (buffer->dtype)), scale = bytes;
  Sum sum = sum_new (g_array_index (self->program->places, gint64, number));

  if (++self->n_refs > MOST_REFS)
    refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("There are too many statements to be followed."), "");
  step->ref = (Ref) { .buffer = number, .loop = self->loop, .lanes = 1, .bytes = (guint) bytes, .apart = bytes };
  for (guint i = indices->n; i-- > 0 && self->error == NULL;)
    {
      LsExpr *index = LS_EXPR (indices->items[i]);
      gint64 extent, own = scale;

      if (ls_buffer_has_strides (buffer))
        {
          if (!ls_as_int (buffer->strides->items[i], &own))
            refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("The strides of %s are not known."), buffer->name);
          own *= bytes;
        }
      if (ls_is (index, RAMP))
        {
          LsRamp *ramp = (LsRamp *) index;
          gint64 stride;

          if (!ls_as_int (ramp->stride, &stride))
            refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("A vector of %s has no certain stride."), buffer->name);
          step->ref.lanes = ls_dtype (index).lanes;
          step->ref.apart = stride * own;
          index = ramp->base;
        }
      else if (ls_is (index, BROADCAST))
        index = ((LsBroadcast *) index)->value;
      if (ls_dtype (index).lanes != 1)
        refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("A vector of %s is not followed."), buffer->name);
      else
        sum_add (self, &sum, index, own);
      scale = ls_as_int (buffer->shape->items[i], &extent) ? scale * extent : scale;
    }
  if (self->error == NULL && buffer->elem_offset != NULL && !ls_is_var (buffer->elem_offset) && !ls_is_zero (buffer->elem_offset))
    sum_add (self, &sum, buffer->elem_offset, bytes);
  step->ref.span = step->ref.lanes == 1 || step->ref.apart == bytes ? step->ref.lanes * (guint) bytes : 0;
  sum_put (self, &sum, &step->ref);
  g_ptr_array_add (out, step);
}

static MemoryStep *
step_new_if (Compiler *self,
             LsExpr   *condition)
{
  MemoryStep *step = step_new (MEMORY_IF);
  GArray *atoms = g_array_new (FALSE, FALSE, sizeof (Atom));

  step->condition = code_new (self, condition);
  if (self->error == NULL && add_atoms (self, condition, atoms))
    step->atoms = g_array_ref (atoms);
  else
    for (guint i = 0; i < atoms->len; i++)
      ref_clear (&g_array_index (atoms, Atom, i).sum);
  g_array_unref (atoms);
  return step;
}

static void statement (Compiler *self, GPtrArray *out, LsNode *node);

static void
value (Compiler  *self,
       GPtrArray *out,
       LsNode    *node)
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
      refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("What the call of T.%s accesses is not known."), ((LsOp *) ((LsCall *) node)->op)->script_name);
      return;
    }
  if (ls_is (node, CALL) && (!ls_is (((LsCall *) node)->op, OP) || ls_is_call (node, "tir.call_pure_extern") || ls_is_call (node, "tir.address_of")))
    {
      refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("What a call of %s accesses is not known."), "another function");
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
write_out (Compiler  *self,
           GPtrArray *out,
           LsVar     *var,
           gint64     first,
           gint64     extent,
           LsNode    *body)
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
loop (Compiler  *self,
      GPtrArray *out,
      LsVar     *var,
      LsExpr    *min,
      LsExpr    *extent,
      LsNode    *body)
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
  step->min = code_new (self, min);
  step->extent = code_new (self, extent);
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
bind (Compiler *self,
      LsVar    *var,
      LsExpr   *bound)
{
  g_hash_table_insert (self->values, var, ls_ref (bound));
}

static void
block (Compiler       *self,
       GPtrArray      *out,
       LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  GPtrArray *into = out;

  if (block->match_buffers->n > 0)
    {
      refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The block %s sees buffers as others; the program has to be lowered before its accesses are followed."), block->name_hint);
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
let (Compiler  *self,
     GPtrArray *out,
     LsLetStmt *let)
{
  value (self, out, LS_NODE (let->value));
  if (ls_dtype (let->var).code != LS_TYPE_HANDLE && !ls_dtype_is_float (ls_dtype (let->var)))
    bind (self, let->var, let->value);
  statement (self, out, LS_NODE (let->body));
}

static void
statement (Compiler  *self,
           GPtrArray *out,
           LsNode    *node)
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
    refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("A statement of kind %s is not followed."), node->klass->name);
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
  Compiler self = { .program = program, .slots = slots, .values = values, .buffers = buffers, .rows = rows, .moves = moves, .loop = G_MAXUINT };

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
