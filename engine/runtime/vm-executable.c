/* vm-executable: what the virtual machine runs, and its file.
 *
 * The file is a magic line and one serialised GVariant in little-endian order: GVariant reads any bytes
 * safely, ls_vm_executable_check() proves the rest.
 */
#include "engine/runtime/vm-private.h"

#include <string.h>

#define MAGIC "Loopscope executable 1\n"
/* functions, constants, strings, floats, expressions, kernels with flop, code, prefix, target */
#define LAYOUT "(a(sasuuubax)a(saxay)asadaaxa(sd)ayss)"

static void
function_free (gpointer data)
{
  LsVMFunction *self = data;

  g_free (self->name);
  g_strfreev (self->params);
  g_array_unref (self->code);
  g_free (self);
}

LsVMExecutable *
ls_vm_executable_new (void)
{
  LsVMExecutable *self = g_new0 (LsVMExecutable, 1);

  g_atomic_ref_count_init (&self->refs);
  self->functions = g_ptr_array_new_with_free_func (function_free);
  self->constants = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  self->strings = g_ptr_array_new_with_free_func (g_free);
  self->string_numbers = g_hash_table_new (g_str_hash, g_str_equal);
  self->floats = g_array_new (FALSE, FALSE, sizeof (double));
  self->expressions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->kernels = g_ptr_array_new_with_free_func (g_free);
  self->kernel_flops = g_array_new (FALSE, FALSE, sizeof (double));
  self->prefix = g_strdup ("");
  self->target = g_strdup ("llvm");
  return self;
}

LsVMExecutable *
ls_vm_executable_ref (LsVMExecutable *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_vm_executable_unref (LsVMExecutable *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->constants);
  g_hash_table_unref (self->string_numbers);
  g_ptr_array_unref (self->strings);
  g_array_unref (self->floats);
  g_ptr_array_unref (self->expressions);
  g_ptr_array_unref (self->kernels);
  g_array_unref (self->kernel_flops);
  g_clear_pointer (&self->code, g_bytes_unref);
  g_free (self->prefix);
  g_free (self->target);
  g_free (self);
}

LsVMFunction *
ls_vm_executable_add_function (LsVMExecutable *self,
                               const char     *name)
{
  LsVMFunction *function = g_new0 (LsVMFunction, 1);

  function->name = g_strdup (name);
  function->code = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_ptr_array_add (self->functions, function);
  return function;
}

guint
ls_vm_executable_string (LsVMExecutable *self,
                         const char     *text)
{
  gpointer number;

  if (g_hash_table_lookup_extended (self->string_numbers, text, NULL, &number))
    return GPOINTER_TO_UINT (number);
  g_ptr_array_add (self->strings, g_strdup (text));
  g_hash_table_insert (self->string_numbers, self->strings->pdata[self->strings->len - 1], GUINT_TO_POINTER (self->strings->len - 1));
  return self->strings->len - 1;
}

int
ls_vm_executable_find (LsVMExecutable *self,
                       const char     *name)
{
  for (guint i = 0; i < self->functions->len; i++)
    if (strcmp (((LsVMFunction *) self->functions->pdata[i])->name, name) == 0)
      return (int) i;
  return -1;
}

/* ---- writing ------------------------------------------------------------- */

static GVariant *
numbers (GArray *values)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, values->data, values->len, sizeof (gint64));
}

static GVariant *
strings (GPtrArray *values)
{
  return g_variant_new_strv ((const char *const *) values->pdata, (gssize) values->len);
}

/* Not copied: weights may be most of the memory. */
static GVariant *
bytes_variant (gconstpointer data,
               gsize         n)
{
  return g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, data != NULL ? data : "", n, TRUE, NULL, NULL);
}

static GVariant *
functions_variant (LsVMExecutable *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sasuuubax)"));
  for (guint i = 0; i < self->functions->len; i++)
    {
      LsVMFunction *f = self->functions->pdata[i];
      static const char *none[] = { NULL };

      g_variant_builder_add (&builder, "(s@asuuub@ax)", f->name, g_variant_new_strv (f->params != NULL ? (const char *const *) f->params : none, -1),
                             f->n_params, f->n_registers, f->n_slots, f->is_private, numbers (f->code));
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
constants_variant (LsVMExecutable *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(saxay)"));
  for (guint i = 0; i < self->constants->len; i++)
    {
      LsNDArray *array = ((LsVMValue *) self->constants->pdata[i])->tensor;
      LsDLTensor *tensor = &array->tensor;
      g_autofree char *dtype = ls_dl_dtype_print (tensor->dtype);

      g_variant_builder_add (&builder, "(s@ax@ay)", dtype,
                             g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, tensor->shape, (gsize) tensor->ndim, sizeof (gint64)),
                             bytes_variant ((guint8 *) tensor->data + tensor->byte_offset, array->n_bytes));
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
expressions_variant (LsVMExecutable *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aax"));
  for (guint i = 0; i < self->expressions->len; i++)
    g_variant_builder_add_value (&builder, numbers (self->expressions->pdata[i]));
  return g_variant_builder_end (&builder);
}

static GVariant *
kernels_variant (LsVMExecutable *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sd)"));
  for (guint i = 0; i < self->kernels->len; i++)
    g_variant_builder_add (&builder, "(sd)", (char *) self->kernels->pdata[i], g_array_index (self->kernel_flops, double, i));
  return g_variant_builder_end (&builder);
}

GBytes *
ls_vm_executable_save (LsVMExecutable *self)
{
  gsize n = 0;
  const void *code = self->code != NULL ? g_bytes_get_data (self->code, &n) : NULL;
  g_autoptr (GVariant) all = NULL;
  gsize head = strlen (MAGIC), size;
  char *out;

  all = g_variant_ref_sink (g_variant_new ("(@a(sasuuubax)@a(saxay)@as@ad@aax@a(sd)@ayss)", functions_variant (self), constants_variant (self),
                                           strings (self->strings),
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->floats->data, self->floats->len, sizeof (double)),
                                           expressions_variant (self), kernels_variant (self), bytes_variant (code, n), self->prefix, self->target));
  /* No GByteArray: its sizes are 32 bits, and weights may be larger. */
  size = g_variant_get_size (all);
  out = g_malloc (head + size);
  memcpy (out, MAGIC, head);
  memcpy (out + head, g_variant_get_data (all), size);
  return g_bytes_new_take (out, head + size);
}

/* ---- reading ------------------------------------------------------------- */

static GArray *
read_numbers (GVariant *value)
{
  gsize n;
  const gint64 *data = g_variant_get_fixed_array (value, &n, sizeof (gint64));
  GArray *array = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (n > 0)
    g_array_append_vals (array, data, (guint) n);
  return array;
}

static void
read_functions (LsVMExecutable *self,
                GVariant       *list)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) code = NULL;
      const char *name;
      LsVMFunction *f;
      char **params;
      guint32 n_params, n_registers, n_slots;
      gboolean is_private;

      g_variant_get (row, "(&s^asuuub@ax)", &name, &params, &n_params, &n_registers, &n_slots, &is_private, &code);
      f = ls_vm_executable_add_function (self, name);
      f->params = params;
      f->n_params = n_params;
      f->n_registers = n_registers;
      f->n_slots = n_slots;
      f->is_private = is_private;
      g_array_unref (f->code);
      f->code = read_numbers (code);
    }
}

static gboolean
read_constant (LsVMExecutable *self,
               GVariant       *row,
               GError        **error)
{
  g_autoptr (GVariant) shape = NULL;
  g_autoptr (GVariant) data = NULL;
  g_autoptr (LsNDArray) array = NULL;
  const char *dtype_text;
  const gint64 *dims;
  gconstpointer bytes;
  LsDLDataType dtype;
  gsize ndim, n;

  g_variant_get (row, "(&s@ax@ay)", &dtype_text, &shape, &data);
  dims = g_variant_get_fixed_array (shape, &ndim, sizeof (gint64));
  bytes = g_variant_get_fixed_array (data, &n, 1);
  if (!ls_dl_dtype_parse (dtype_text, &dtype, error))
    return FALSE;
  array = ndim <= LS_NDARRAY_MAX_NDIM ? ls_ndarray_new ((int) ndim, dims, dtype, error) : NULL;
  if (array == NULL || array->n_bytes != n)
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("A constant has %zu bytes, which is not what its shape takes."), n);
      return FALSE;
    }
  if (n > 0)
    memcpy (array->tensor.data, bytes, n);
  g_ptr_array_add (self->constants, ls_vm_tensor (g_steal_pointer (&array)));
  return TRUE;
}

static gboolean
read_lists (LsVMExecutable *self,
            GVariant       *all,
            GError        **error)
{
  g_autoptr (GVariant) functions = g_variant_get_child_value (all, 0);
  g_autoptr (GVariant) constants = g_variant_get_child_value (all, 1);
  g_autoptr (GVariant) texts = g_variant_get_child_value (all, 2);
  g_autoptr (GVariant) floats = g_variant_get_child_value (all, 3);
  g_autoptr (GVariant) expressions = g_variant_get_child_value (all, 4);
  g_autoptr (GVariant) kernels = g_variant_get_child_value (all, 5);
  gsize n;
  const double *values = g_variant_get_fixed_array (floats, &n, sizeof (double));

  if (n > 0)
    g_array_append_vals (self->floats, values, (guint) n);
  read_functions (self, functions);
  for (gsize i = 0; i < g_variant_n_children (constants); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (constants, i);

      if (!read_constant (self, row, error))
        return FALSE;
    }
  for (gsize i = 0; i < g_variant_n_children (texts); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (texts, i);

      g_ptr_array_add (self->strings, g_variant_dup_string (row, NULL));
      g_hash_table_insert (self->string_numbers, self->strings->pdata[self->strings->len - 1], GUINT_TO_POINTER (self->strings->len - 1));
    }
  for (gsize i = 0; i < g_variant_n_children (expressions); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (expressions, i);

      g_ptr_array_add (self->expressions, read_numbers (row));
    }
  for (gsize i = 0; i < g_variant_n_children (kernels); i++)
    {
      char *name;
      double flop;

      g_variant_get_child (kernels, i, "(sd)", &name, &flop);
      g_ptr_array_add (self->kernels, name);
      g_array_append_val (self->kernel_flops, flop);
    }
  return TRUE;
}

static LsVMExecutable *
read_all (GVariant *all,
          GError  **error)
{
  g_autoptr (LsVMExecutable) self = ls_vm_executable_new ();
  g_autoptr (GVariant) code = g_variant_get_child_value (all, 6);
  gsize n;
  gconstpointer data = g_variant_get_fixed_array (code, &n, 1);

  if (n > 0)
    self->code = g_bytes_new (data, n);
  g_free (self->prefix);
  g_free (self->target);
  g_variant_get_child (all, 7, "s", &self->prefix);
  g_variant_get_child (all, 8, "s", &self->target);
  if (!read_lists (self, all, error) || !ls_vm_executable_check (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

LsVMExecutable *
ls_vm_executable_load (GBytes  *bytes,
                       GError **error)
{
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  g_autofree void *copy = NULL;
  g_autoptr (GVariant) all = NULL;

  if (n < strlen (MAGIC) || memcmp (data, MAGIC, strlen (MAGIC)) != 0)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT,
                   ls_translate ("This is no Loopscope executable: it does not begin with \"%.*s\"."), (int) strlen (MAGIC) - 1, MAGIC);
      return NULL;
    }
  n -= strlen (MAGIC);
  copy = g_memdup2 (data + strlen (MAGIC), n);
  all = g_variant_ref_sink (g_variant_new_from_data (G_VARIANT_TYPE (LAYOUT), copy, n, FALSE, NULL, NULL));
  if (!g_variant_is_normal_form (all))
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("The executable is cut short or damaged."));
      return NULL;
    }
  return read_all (all, error);
}
