/* fuzz target: any bytes are named arrays or an error. */
#include "tests/fuzz/fuzz.h"

#include "engine/runtime/weights.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) arrays = ls_weights_parse ("weights", data, size, &error);

  if (arrays == NULL && (error == NULL || !g_utf8_validate (error->message, -1, NULL)))
    g_error ("an error without a readable sentence");
  return 0;
}
