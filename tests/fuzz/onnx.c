/* fuzz target: any bytes are a model that is imported, with something said of what is not, or an error. */
#include "tests/fuzz/fuzz.h"

#include "engine/frontend/onnx/onnx.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  const LsOnnxOptions options = { .keep_params = size % 2 == 0 };
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsOnnxModel) model = ls_onnx_parse ("model", data, size, NULL, &error);
  g_autoptr (LsModule) module = model != NULL ? ls_onnx_import (model, &options, said, NULL, &error) : NULL;

  if (module == NULL && (error == NULL || !g_utf8_validate (error->message, -1, NULL)))
    g_error ("an error without a readable sentence");
  for (guint i = 0; i < said->len; i++)
    if (!g_utf8_validate (said->pdata[i], -1, NULL))
      g_error ("a sentence that cannot be read");
  return 0;
}
