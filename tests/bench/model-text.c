/* model-text: see the header. */
#include "tests/bench/model-text.h"

char *
ls_bench_model_text (guint n_calls)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((8, 8), \"float32\")");

  for (guint i = 0; i < n_calls; i += 2)
    g_string_append_printf (text, ", w%u: R.Tensor((8, 8), \"float32\")", i);
  g_string_append (text, "):\n        with R.dataflow():\n");
  for (guint i = 0; i < n_calls; i++)
    {
      g_autofree char *last = i == 0 ? g_strdup ("x") : g_strdup_printf ("lv%u", i - 1);

      switch (i % 4)
        {
        case 0:
          g_string_append_printf (text, "            lv%u = R.matmul(%s, w%u)\n", i, last, i);
          break;
        case 1:
          g_string_append_printf (text, "            lv%u = R.nn.relu(%s)\n", i, last);
          break;
        case 2:
          g_string_append_printf (text, "            lv%u = R.matmul(%s, w%u)\n", i, last, i);
          break;
        default:
          g_string_append_printf (text, "            lv%u = R.add(%s, lv%u)\n", i, last, i - 3);
        }
    }
  g_string_append_printf (text, "            R.output(lv%u)\n        return lv%u\n", n_calls - 1, n_calls - 1);
  return g_string_free (text, FALSE);
}
