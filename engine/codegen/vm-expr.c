/* vm-expr: integer expressions over symbolic extents as postfix programs. */
#include "engine/codegen/vm-private.h"

#include "engine/relax/analysis.h"

static gboolean
is_var (gpointer node)
{
  return ls_is (node, VAR) || ls_is (node, SIZE_VAR);
}

gint64
ls_vm_writer_slot (LsVMWriter *self,
                   LsVar      *var)
{
  gint64 known = GPOINTER_TO_INT (g_hash_table_lookup (self->slots, var));

  if (known > 0)
    return known - 1;
  g_hash_table_insert (self->slots, var, GINT_TO_POINTER ((int) self->function->n_slots + 1));
  return self->function->n_slots++;
}

gboolean
ls_vm_writer_knows (LsVMWriter *self,
                    LsExpr     *expr)
{
  g_autoptr (GPtrArray) symbols = ls_relax_symbols (expr);

  for (guint i = 0; i < symbols->len; i++)
    if (!g_hash_table_contains (self->slots, symbols->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
put (GArray *program,
     gint64  number)
{
  g_array_append_val (program, number);
}

/* Swapped where the machine has only the mirrored comparison. */
static gint64
operator_of (LsExpr   *expr,
             gboolean *swapped)
{
  *swapped = FALSE;
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_ADD: return LS_VM_X_ADD;
    case LS_KIND_SUB: return LS_VM_X_SUB;
    case LS_KIND_MUL: return LS_VM_X_MUL;
    case LS_KIND_DIV: return LS_VM_X_TRUNCDIV;
    case LS_KIND_MOD: return LS_VM_X_TRUNCMOD;
    case LS_KIND_FLOOR_DIV: return LS_VM_X_FLOORDIV;
    case LS_KIND_FLOOR_MOD: return LS_VM_X_FLOORMOD;
    case LS_KIND_MIN: return LS_VM_X_MIN;
    case LS_KIND_MAX: return LS_VM_X_MAX;
    case LS_KIND_EQ: return LS_VM_X_EQ;
    case LS_KIND_NE: return LS_VM_X_NE;
    case LS_KIND_GT: *swapped = TRUE; return LS_VM_X_LT;
    case LS_KIND_LT: return LS_VM_X_LT;
    case LS_KIND_GE: *swapped = TRUE; return LS_VM_X_LE;
    case LS_KIND_LE: return LS_VM_X_LE;
    case LS_KIND_AND: return LS_VM_X_AND;
    case LS_KIND_OR: return LS_VM_X_OR;
    default: return -1;
    }
}

static void
translate (LsVMWriter *self,
           GArray     *program,
           LsExpr     *expr)
{
  gboolean swapped;
  gint64 op = operator_of (expr, &swapped), value;

  if (ls_as_int (expr, &value))
    {
      put (program, LS_VM_X_PUSH);
      put (program, value);
    }
  else if (is_var (expr))
    {
      if (!g_hash_table_contains (self->slots, expr))
        ls_vm_writer_fail (self, LS_CODEGEN_ERROR_PROGRAM, "the extent %s has no value there", ((LsVar *) expr)->name);
      put (program, LS_VM_X_SLOT);
      put (program, ls_vm_writer_slot (self, (LsVar *) expr));
    }
  else if (op >= 0)
    {
      LsBinary *binary = (LsBinary *) expr;

      translate (self, program, swapped ? binary->b : binary->a);
      translate (self, program, swapped ? binary->a : binary->b);
      put (program, op);
    }
  else if (ls_is (expr, CAST))
    translate (self, program, ((LsCast *) expr)->value);
  else if (ls_is (expr, NOT))
    {
      translate (self, program, ((LsNot *) expr)->a);
      put (program, LS_VM_X_NOT);
    }
  else if (ls_is (expr, SELECT))
    {
      LsSelect *select = (LsSelect *) expr;

      translate (self, program, select->condition);
      translate (self, program, select->true_value);
      translate (self, program, select->false_value);
      put (program, LS_VM_X_SELECT);
    }
  else if (ls_is_call (expr, "tir.if_then_else"))
    {
      for (guint i = 0; i < 3; i++)
        translate (self, program, ls_array_at (((LsCall *) expr)->args, i, LsExpr));
      put (program, LS_VM_X_SELECT);
    }
  else
    ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "an extent is computed in a way that the virtual machine does not know");
}

LsVMOperand
ls_vm_writer_extent (LsVMWriter *self,
                     LsExpr     *expr)
{
  GPtrArray *all = self->executable->expressions;
  GArray *program;
  gint64 value;

  if (ls_as_int (expr, &value))
    return (LsVMOperand) { LS_VM_IMM, value };
  program = g_array_new (FALSE, FALSE, sizeof (gint64));
  translate (self, program, expr);
  g_ptr_array_add (all, program);
  return (LsVMOperand) { LS_VM_EXPR, all->len - 1 };
}
