/* vm-writer: instructions of the virtual machine, one behind the other.
 */
#include "engine/codegen/vm-private.h"

void
ls_vm_writer_fail (LsVMWriter *self,
                   int         code,
                   const char *format,
                   ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->error = g_error_new (LS_CODEGEN_ERROR, code, "%s%s%s: %s.", self->function->name, self->place != NULL ? ", at " : "",
                             self->place != NULL ? self->place : "", text);
}

gint64
ls_vm_writer_register (LsVMWriter *self)
{
  return self->function->n_registers++;
}

LsVMOperand
ls_vm_writer_text (LsVMWriter *self,
                   const char *text)
{
  return (LsVMOperand) { LS_VM_TEXT, ls_vm_executable_string (self->executable, text) };
}

void
ls_vm_writer_put (LsVMWriter *self,
                  LsVMOp      op,
                  gint64      dst,
                  gint64      target,
                  GArray     *operands)
{
  gint64 head[] = { op, dst, target, operands != NULL ? operands->len : 0 };

  g_array_append_vals (self->function->code, head, G_N_ELEMENTS (head));
  for (guint i = 0; operands != NULL && i < operands->len; i++)
    g_array_append_vals (self->function->code, &g_array_index (operands, LsVMOperand, i), 2);
}
