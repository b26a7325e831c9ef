/* vm-check: proves that the code of an executable stays inside its tables, and prints it.
 *
 * Whether a register holds the right kind of value is found out while running; here it is shown that every number is
 * that of a register, constant, string, slot, expression or instruction that exists.
 */
#include "engine/runtime/vm-private.h"

#include <inttypes.h>

#define MAX_REGISTERS (1 << 20)
#define MAX_STACK 64

static const char *const OPS[LS_VM_N_OPS] = {
  "move", "kernel", "packed", "function", "value", "jump", "jump_unless", "return", "alloc", "shape", "match", "tuple", "item", "closure",
  "closure_last", "code"
};
/* The least number of operands. */
static const gint64 LEAST[LS_VM_N_OPS] = { 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 5, 0, 2, 0, 0, 0 };

typedef struct {
  LsVMExecutable *executable;
  LsVMFunction   *function;
  gint64          at;           /* number of the instruction */
  gint64          n_instructions;
  GError        **error;
} Check;

static gboolean
complain (Check      *check,
          const char *what)
{
  g_set_error (check->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("The executable is damaged: instruction %" PRId64 " of %s %s."),
               check->at, check->function->name, ls_translate (what));
  return FALSE;
}

static gint64
limit_of (Check *check,
          gint64 kind)
{
  switch ((LsVMOperandKind) kind)
    {
    case LS_VM_REG:
    case LS_VM_LAST: return check->function->n_registers;
    case LS_VM_CONST: return check->executable->constants->len;
    case LS_VM_REAL: return check->executable->floats->len;
    case LS_VM_TEXT: return check->executable->strings->len;
    case LS_VM_EXPR: return check->executable->expressions->len;
    case LS_VM_BIND: return check->function->n_slots;
    case LS_VM_IMM:
    case LS_VM_ANY:
    case LS_VM_N_OPERANDS: break;
    }
  return G_MAXINT64;
}

/* How much the stack grows by an operator (after taking its operands), and how much it takes. */
static gboolean
check_expression (Check  *check,
                  GArray *program)
{
  gint64 depth = 0;

  for (guint i = 0; i < program->len; i++)
    {
      gint64 op = g_array_index (program, gint64, i);
      gint64 takes = op == LS_VM_X_NOT ? 1 : op == LS_VM_X_SELECT ? 3 : 2;

      if (op < 0 || op >= LS_VM_N_XS)
        return complain (check, LS_TEXT ("has an expression with an unknown operator"));
      if (op == LS_VM_X_PUSH || op == LS_VM_X_SLOT)
        {
          takes = 0;
          if (++i >= program->len)
            return complain (check, LS_TEXT ("has an expression that ends too early"));
          if (op == LS_VM_X_SLOT && (guint64) g_array_index (program, gint64, i) >= check->function->n_slots)
            return complain (check, LS_TEXT ("has an expression over an extent that the function does not have"));
        }
      if (depth < takes)
        return complain (check, LS_TEXT ("has an expression without operands"));
      depth += 1 - takes;
      if (depth > MAX_STACK)
        return complain (check, LS_TEXT ("has an expression that is too deep"));
    }
  return depth == 1 || complain (check, LS_TEXT ("has an expression that leaves no number"));
}

static gboolean
check_operands (Check        *check,
                gint64        op,
                const gint64 *operands,
                gint64        n)
{
  for (gint64 i = 0; i < n; i++)
    {
      gint64 kind = operands[2 * i], value = operands[2 * i + 1];

      if (kind < 0 || kind >= LS_VM_N_OPERANDS || (kind >= LS_VM_ANY && op != LS_VM_OP_MATCH))
        return complain (check, LS_TEXT ("has an operand of unknown kind"));
      if (limit_of (check, kind) != G_MAXINT64 && (value < 0 || value >= limit_of (check, kind)))
        return complain (check, LS_TEXT ("uses something that the executable does not have"));
      if (kind == LS_VM_EXPR && !check_expression (check, check->executable->expressions->pdata[value]))
        return FALSE;
    }
  if (op == LS_VM_OP_MATCH && (operands[2] != LS_VM_TEXT || operands[4] != LS_VM_IMM || operands[6] != LS_VM_TEXT || operands[8] != LS_VM_IMM))
    return complain (check, LS_TEXT ("has a pattern that cannot be read"));
  if (op == LS_VM_OP_ALLOC && operands[0] != LS_VM_TEXT)
    return complain (check, LS_TEXT ("makes a tensor of no type"));
  if (op == LS_VM_OP_ITEM && operands[2] != LS_VM_IMM)
    return complain (check, LS_TEXT ("has no index"));
  return TRUE;
}

static gboolean
check_instruction (Check        *check,
                   const gint64 *code)
{
  gint64 op = code[0], target = code[2], limit = G_MAXINT64;

  if (op < 0 || op >= LS_VM_N_OPS)
    return complain (check, LS_TEXT ("is unknown"));
  if (code[1] < -1 || code[1] >= (gint64) check->function->n_registers)
    return complain (check, LS_TEXT ("writes a register that the function does not have"));
  if (code[3] < LEAST[op])
    return complain (check, LS_TEXT ("has too few operands"));
  if (op == LS_VM_OP_KERNEL || op == LS_VM_OP_PACKED || op == LS_VM_OP_CODE)
    limit = check->executable->strings->len;
  else if (op == LS_VM_OP_FUNCTION || op == LS_VM_OP_CLOSURE || op == LS_VM_OP_CLOSURE_LAST)
    limit = check->executable->functions->len;
  else if (op == LS_VM_OP_JUMP || op == LS_VM_OP_JUMP_UNLESS)
    limit = check->n_instructions;
  if (limit != G_MAXINT64 && (target < 0 || target >= limit))
    return complain (check, LS_TEXT ("leads nowhere"));
  if ((op == LS_VM_OP_JUMP || op == LS_VM_OP_JUMP_UNLESS) && target <= check->at)
    return complain (check, LS_TEXT ("jumps back"));
  return check_operands (check, op, code + 4, code[3]);
}

static gint64
count_instructions (GArray *code)
{
  gint64 n = 0;
  gsize at = 0;

  while (at + 4 <= code->len)
    {
      gint64 operands = g_array_index (code, gint64, at + 3);

      if (operands < 0 || (guint64) operands > (code->len - at - 4) / 2)
        return -1;
      at += 4 + 2 * (gsize) operands;
      n++;
    }
  return at == code->len ? n : -1;
}

static gboolean
check_function (Check *check)
{
  LsVMFunction *f = check->function;
  gint64 last = -1;
  gsize at = 0;

  check->at = 0;
  check->n_instructions = count_instructions (f->code);
  if (check->n_instructions < 0 || f->n_registers > MAX_REGISTERS || f->n_slots > MAX_REGISTERS || f->n_params > f->n_registers)
    return complain (check, LS_TEXT ("does not end where it should"));
  for (; at < f->code->len; check->at++)
    {
      const gint64 *code = &g_array_index (f->code, gint64, at);

      if (!check_instruction (check, code))
        return FALSE;
      last = code[0];
      at += 4 + 2 * (gsize) code[3];
    }
  return last == LS_VM_OP_RETURN || complain (check, LS_TEXT ("is missing: the function does not return"));
}

gboolean
ls_vm_executable_check (LsVMExecutable *self,
                        GError        **error)
{
  for (guint i = 0; i < self->functions->len; i++)
    {
      Check check = { self, self->functions->pdata[i], 0, 0, error };

      if (!check_function (&check))
        return FALSE;
    }
  return TRUE;
}

/* ---- print ---------------------------------------------------------------- */

static void
print_expression (LsVMExecutable *self,
                  GString        *out,
                  gint64          number)
{
  static const char *const NAMES[LS_VM_N_XS] = { "", "s", "+", "-", "*", "//", "%", "div", "rem", "min", "max", "==", "!=", "<", "<=", "and", "or", "not", "select" };
  GArray *program = self->expressions->pdata[number];

  g_string_append_c (out, '[');
  for (guint i = 0; i < program->len; i++)
    {
      gint64 op = g_array_index (program, gint64, i);

      g_string_append (out, i > 0 ? " " : "");
      g_string_append (out, NAMES[op]);
      if (op == LS_VM_X_PUSH || op == LS_VM_X_SLOT)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, g_array_index (program, gint64, ++i));
    }
  g_string_append_c (out, ']');
}

static void
print_operand (LsVMExecutable *self,
               GString        *out,
               gint64          kind,
               gint64          value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch ((LsVMOperandKind) kind)
    {
    case LS_VM_REG: g_string_append_printf (out, "r%" G_GINT64_FORMAT, value); break;
    case LS_VM_LAST: g_string_append_printf (out, "r%" G_GINT64_FORMAT " (last)", value); break;
    case LS_VM_CONST: g_string_append_printf (out, "c%" G_GINT64_FORMAT, value); break;
    case LS_VM_IMM: g_string_append_printf (out, "%" G_GINT64_FORMAT, value); break;
    case LS_VM_REAL: g_string_append (out, g_ascii_formatd (number, sizeof number, "%g", g_array_index (self->floats, double, value))); break;
    case LS_VM_TEXT: g_string_append_printf (out, "\"%s\"", (char *) self->strings->pdata[value]); break;
    case LS_VM_EXPR: print_expression (self, out, value); break;
    case LS_VM_ANY: g_string_append (out, "any"); break;
    case LS_VM_BIND: g_string_append_printf (out, "-> s%" G_GINT64_FORMAT, value); break;
    case LS_VM_N_OPERANDS: break;
    }
}

static void
print_instruction (LsVMExecutable *self,
                   GString        *out,
                   const gint64   *code)
{
  LsVMOp op = (LsVMOp) code[0];

  if (code[1] >= 0)
    g_string_append_printf (out, "r%" G_GINT64_FORMAT " = ", code[1]);
  g_string_append (out, OPS[op]);
  if (op == LS_VM_OP_KERNEL || op == LS_VM_OP_PACKED || op == LS_VM_OP_CODE)
    g_string_append_printf (out, " %s", (char *) self->strings->pdata[code[2]]);
  else if (op == LS_VM_OP_FUNCTION || op == LS_VM_OP_CLOSURE || op == LS_VM_OP_CLOSURE_LAST)
    g_string_append_printf (out, " %s", ((LsVMFunction *) self->functions->pdata[code[2]])->name);
  else if (op == LS_VM_OP_JUMP || op == LS_VM_OP_JUMP_UNLESS)
    g_string_append_printf (out, " to %" G_GINT64_FORMAT, code[2]);
  for (gint64 i = 0; i < code[3]; i++)
    {
      g_string_append (out, i > 0 ? ", " : "  ");
      print_operand (self, out, code[4 + 2 * i], code[5 + 2 * i]);
    }
}

char *
ls_vm_executable_print_one (LsVMExecutable *self,
                            const gint64   *code)
{
  GString *out = g_string_new (NULL);

  print_instruction (self, out, code);
  return g_string_free (out, FALSE);
}

char *
ls_vm_executable_print (LsVMExecutable *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->functions->len; i++)
    {
      LsVMFunction *f = self->functions->pdata[i];
      guint number = 0;

      g_string_append_printf (out, "%sfunction %s (", i > 0 ? "\n" : "", f->name);
      for (guint j = 0; f->params != NULL && f->params[j] != NULL; j++)
        g_string_append_printf (out, "%s%s", j > 0 ? ", " : "", f->params[j]);
      g_string_append_printf (out, ")  %u registers, %u extents\n", f->n_registers, f->n_slots);
      for (gsize at = 0; at < f->code->len; number++)
        {
          const gint64 *code = &g_array_index (f->code, gint64, at);

          g_string_append_printf (out, "  %3u  ", number);
          print_instruction (self, out, code);
          g_string_append_c (out, '\n');
          at += 4 + 2 * (gsize) code[3];
        }
    }
  return g_string_free (out, FALSE);
}
