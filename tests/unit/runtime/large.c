/* large: what takes more bytes than 32 bits count.  Only where as much memory is free as the copies take (16 GiB), and with -m thorough. */
#include "engine/runtime/runtime.h"
#include "engine/runtime/vm.h"

#include <string.h>

#define N ((G_GINT64_CONSTANT (1) << 32) + 4096)       /* bytes of the weights */
#define NEEDED (G_GINT64_CONSTANT (16) << 20)           /* KiB */

static gboolean
has_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return FALSE;
  line = strstr (text, "MemAvailable:");
  return line != NULL && g_ascii_strtoll (line + strlen ("MemAvailable:"), NULL, 10) >= NEEDED;
}

static LsNDArray *
weights (void)
{
  LsDLDataType bytes = { LS_DL_UINT, 8, 1 };
  LsNDArray *array = ls_ndarray_new (1, (gint64[]) { N }, bytes, NULL);

  g_assert_nonnull (array);
  ((guint8 *) array->tensor.data)[5] = 17;
  ((guint8 *) array->tensor.data)[N - 1] = 23;
  return array;
}

static void
assert_weights (LsNDArray *array)
{
  const guint8 *data = array->tensor.data;

  g_assert_cmpint (array->n_bytes, ==, N);
  g_assert_cmpint (data[5], ==, 17);
  g_assert_cmpint (data[N - 1], ==, 23);
  g_assert_cmpint (data[N - 2], ==, 0);
}

static void
test_executable (void)
{
  g_autoptr (LsVMExecutable) made = ls_vm_executable_new (), read = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_test_thorough () || !has_memory ())
    {
      g_test_skip ("needs -m thorough and 16 GiB of free memory");
      return;
    }
  g_ptr_array_add (made->constants, ls_vm_tensor (weights ()));
  bytes = ls_vm_executable_save (made);
  g_clear_pointer (&made, ls_vm_executable_unref);
  g_assert_cmpuint (g_bytes_get_size (bytes), >, N);
  read = ls_vm_executable_load (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (read->constants->len, ==, 1);
  assert_weights (((LsVMValue *) read->constants->pdata[0])->tensor);
}

static void
test_npy (void)
{
  g_autoptr (LsNDArray) array = NULL, read = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_test_thorough () || !has_memory ())
    {
      g_test_skip ("needs -m thorough and 16 GiB of free memory");
      return;
    }
  array = weights ();
  bytes = ls_npy_format (&array->tensor, &error);
  g_assert_no_error (error);
  g_clear_pointer (&array, ls_ndarray_unref);
  read = ls_npy_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  assert_weights (read);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/large/executable", test_executable);
  g_test_add_func ("/runtime/large/npy", test_npy);
  return g_test_run ();
}
