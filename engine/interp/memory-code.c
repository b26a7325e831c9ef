/* memory-code: expressions of loop variables, as codes that are run and as sums that are kept up. */
#include "engine/interp/memory-compile.h"

#define MOST_STEPS 48           /* of a code: its stack is a local array */
#define MOST_HELD (1 << 26)     /* elements whose contents are followed */

void
memory_refuse (MemoryCompiler *self,
               LsInterpError   code,
               const char     *format,
               const char     *name)
{
  if (self->error == NULL)
    {
      g_autofree char *text = g_strdup_printf (ls_translate (format), name);

      self->error = g_error_new_literal (LS_INTERP_ERROR, code, text);
    }
}

/* ---- codes --------------------------------------------------------------------------------- */

void
memory_code_free (Code *self)
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
table_of (MemoryCompiler *self,
          LsBuffer       *buffer)
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
      memory_refuse (self, LS_INTERP_ERROR_ARGUMENT, LS_TEXT ("The size of %s is not known, or too large for its contents to be followed."), buffer->name);
  return table;
}

static void code_write (MemoryCompiler *self, Code *code, LsExpr *expr);

static void
code_write_load (MemoryCompiler *self,
                 Code           *code,
                 LsBufferLoad   *load)
{
  LsBuffer *buffer = load->buffer;
  CodeStep step = { CODE_LOAD, LS_KIND_BUFFER_LOAD, 0, NULL };
  gint64 extent;

  if (!ls_dtype_is_int (buffer->dtype) && !ls_dtype_is_uint (buffer->dtype) && !ls_dtype_is_bool (buffer->dtype))
    {
      memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on what %s holds, which are no integers."), buffer->name);
      return;
    }
  if (ls_buffer_has_strides (buffer) || ls_dtype (load).lanes != 1)
    {
      memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on what %s holds."), buffer->name);
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
code_write (MemoryCompiler *self,
            Code           *code,
            LsExpr         *expr)
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
    memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on %s, which is no number here."), ((LsVar *) node)->name);
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
    memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on an expression of kind %s, which is not followed."), node->klass->name);
}

Code *
memory_code_new (MemoryCompiler *self,
                 LsExpr         *expr)
{
  Code *code = g_new0 (Code, 1);

  code->steps = g_array_new (FALSE, FALSE, sizeof (CodeStep));
  code_write (self, code, expr);
  if (code->steps->len > MOST_STEPS)
    memory_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, LS_TEXT ("The accesses depend on an expression that is too long."), "");
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

static void
sum_add_term (MemorySum *sum,
              guint      slot,
              gint64     factor)
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

void
memory_sum_add (MemoryCompiler *self,
                MemorySum      *sum,
                LsExpr         *expr,
                gint64          factor)
{
  LsNode *node = LS_NODE (expr), *value = g_hash_table_lookup (self->values, node);
  LsBinary *binary = (LsBinary *) node;
  gint64 number;

  if (self->error != NULL)
    return;
  if (value != NULL)
    memory_sum_add (self, sum, LS_EXPR (value), factor);
  else if (g_hash_table_contains (self->slots, node))
    sum_add_term (sum, (guint) GPOINTER_TO_INT (g_hash_table_lookup (self->slots, node)) - 1, factor);
  else if (ls_as_int (node, &number))
    sum->base += number * factor;
  else if (ls_is (node, CAST))
    memory_sum_add (self, sum, ((LsCast *) node)->value, factor);
  else if (ls_is (node, ADD) || ls_is (node, SUB))
    {
      memory_sum_add (self, sum, binary->a, factor);
      memory_sum_add (self, sum, binary->b, ls_is (node, ADD) ? factor : -factor);
    }
  else if (ls_is (node, MUL) && ls_as_int (binary->b, &number))
    memory_sum_add (self, sum, binary->a, factor * number);
  else if (ls_is (node, MUL) && ls_as_int (binary->a, &number))
    memory_sum_add (self, sum, binary->b, factor * number);
  else
    {
      CodeTerm term = { memory_code_new (self, expr), factor };

      g_array_append_val (sum->codes, term);
    }
}

MemorySum
memory_sum_new (gint64 base)
{
  return (MemorySum) { base, g_array_new (FALSE, FALSE, sizeof (Term)), g_array_new (FALSE, FALSE, sizeof (CodeTerm)) };
}

void
memory_sum_put (MemoryCompiler *self,
                MemorySum      *sum,
                Ref            *ref)
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

gboolean
memory_add_atoms (MemoryCompiler *self,
                  LsExpr         *expr,
                  GArray         *atoms)
{
  LsBinary *binary = (LsBinary *) expr;
  Atom atom = { .op = ls_kind (expr) };
  MemorySum sum;

  if (ls_is_call (expr, "tir.likely"))
    return memory_add_atoms (self, LS_EXPR (((LsCall *) expr)->args->items[0]), atoms);
  if (ls_is_one (expr))
    return TRUE;
  if (ls_is (expr, AND))
    return memory_add_atoms (self, binary->a, atoms) && memory_add_atoms (self, binary->b, atoms);
  if (!ls_kind_is_compare (ls_kind (expr)) || !ls_dtype_is_int (ls_dtype (binary->a)))
    return FALSE;
  sum = memory_sum_new (0);
  memory_sum_add (self, &sum, binary->a, 1);
  memory_sum_add (self, &sum, binary->b, -1);
  memory_sum_put (self, &sum, &atom.sum);
  g_array_append_val (atoms, atom);
  return TRUE;
}
