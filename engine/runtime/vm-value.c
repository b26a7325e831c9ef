/* vm-value: what the registers of the virtual machine hold. */
#include "engine/runtime/vm-private.h"

#include <inttypes.h>

static LsVMValue *
value_new (LsVMKind kind)
{
  LsVMValue *self = g_new0 (LsVMValue, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  return self;
}

LsVMValue *
ls_vm_none (void)
{
  return value_new (LS_VM_NONE);
}

LsVMValue *
ls_vm_tensor (LsNDArray *tensor)
{
  LsVMValue *self = value_new (LS_VM_TENSOR);

  self->tensor = tensor;
  return self;
}

LsVMValue *
ls_vm_shape (const gint64 *dims,
             guint         n)
{
  LsVMValue *self = value_new (LS_VM_SHAPE);

  self->dims = g_memdup2 (dims, n * sizeof *dims);
  self->n = n;
  return self;
}

LsVMValue *
ls_vm_int (gint64 value)
{
  LsVMValue *self = value_new (LS_VM_INT);

  self->v_int = value;
  return self;
}

LsVMValue *
ls_vm_float (double value)
{
  LsVMValue *self = value_new (LS_VM_FLOAT);

  self->v_float = value;
  return self;
}

LsVMValue *
ls_vm_string (const char *value)
{
  LsVMValue *self = value_new (LS_VM_STRING);

  self->string = g_strdup (value);
  return self;
}

static LsVMValue *
with_items (LsVMKind    kind,
            LsVMValue **items,
            guint       n)
{
  LsVMValue *self = value_new (kind);

  self->items = g_memdup2 (items, n * sizeof *items);
  self->n = n;
  return self;
}

LsVMValue *
ls_vm_tuple (LsVMValue **items,
             guint       n)
{
  return with_items (LS_VM_TUPLE, items, n);
}

LsVMValue *
ls_vm_closure (guint       function,
               LsVMValue **captured,
               guint       n)
{
  LsVMValue *self = with_items (LS_VM_CLOSURE, captured, n);

  self->function = function;
  return self;
}

LsVMValue *
ls_vm_object (gpointer               object,
              const LsVMObjectClass *object_class)
{
  LsVMValue *self = value_new (LS_VM_OBJECT);

  self->object = object;
  self->object_class = object_class;
  return self;
}

LsVMValue *
ls_vm_value_ref (LsVMValue *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_vm_value_unref (LsVMValue *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  switch (self->kind)
    {
    case LS_VM_TENSOR: g_clear_pointer (&self->tensor, ls_ndarray_unref); break;
    case LS_VM_SHAPE: g_free (self->dims); break;
    case LS_VM_STRING: g_free (self->string); break;
    case LS_VM_TUPLE:
    case LS_VM_CLOSURE:
      for (guint i = 0; i < self->n; i++)
        ls_vm_value_unref (self->items[i]);
      g_free (self->items);
      break;
    case LS_VM_OBJECT:
      if (self->object_class->destroy != NULL)
        self->object_class->destroy (self->object);
      break;
    case LS_VM_NONE:
    case LS_VM_INT:
    case LS_VM_FLOAT: break;
    }
  g_free (self);
}

static char *
describe_dims (const gint64 *dims,
               guint         n)
{
  GString *text = g_string_new ("shape (");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", dims[i]);
  g_string_append (text, n == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

char *
ls_vm_value_describe (LsVMValue *self)
{
  switch (self->kind)
    {
    case LS_VM_NONE: return g_strdup ("None");
    case LS_VM_TENSOR: return ls_tensor_describe (&self->tensor->tensor);
    case LS_VM_SHAPE: return describe_dims (self->dims, self->n);
    case LS_VM_INT: return g_strdup_printf (ls_translate ("the integer %" PRId64), self->v_int);
    case LS_VM_FLOAT: return g_strdup_printf (ls_translate ("the number %g"), self->v_float);
    case LS_VM_STRING: return g_strdup_printf (ls_translate ("the string \"%s\""), self->string);
    case LS_VM_TUPLE: return g_strdup_printf (ls_translate ("a tuple of %u"), self->n);
    case LS_VM_CLOSURE: return g_strdup (ls_translate ("a function"));
    case LS_VM_OBJECT: return g_strdup (self->object_class->call != NULL ? ls_translate ("a function of the host") : ls_translate ("an object of the host"));
    }
  g_assert_not_reached ();
}
