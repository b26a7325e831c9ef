/* fuzz target: any bytes are an array or an error; an array survives being written and read. */
#include "tests/fuzz/fuzz.h"

#include "engine/runtime/runtime.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsNDArray) array = ls_npy_parse (data, size, &error);
  g_autoptr (LsNDArray) back = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  if (array == NULL)
    {
      if (error == NULL || !g_utf8_validate (error->message, -1, NULL))
        g_error ("an error without a readable sentence");
      return 0;
    }
  text = ls_tensor_print (&array->tensor, 3);
  bytes = ls_npy_format (&array->tensor, NULL);
  back = ls_npy_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  if (back == NULL)
    g_error ("what was written cannot be read: %s", error->message);
  if (back->n_bytes != array->n_bytes
      || memcmp (back->tensor.data, array->tensor.data, array->n_bytes) != 0)
    g_error ("what was read differs from what was written");
  return 0;
}
