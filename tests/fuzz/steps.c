/* fuzz/steps: any bytes as the text of schedule steps and as one expression. */
#include "engine/script/script.h"
#include "tests/fuzz/fuzz.h"

static void
look_at (LsCallList       *list,
         const LsCallStep *step)
{
  for (guint i = 0; i < step->args->len; i++)
    {
      g_autofree char *text = ls_call_value_print (step->args->pdata[i]);
      g_autoptr (LsExpr) expr = ls_call_value_to_expr (list, step->args->pdata[i], NULL, NULL);
      g_autoptr (LsNode) node = ls_call_value_to_node (step->args->pdata[i], NULL);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (LsSource) source = ls_source_new ("fuzz", (const char *) data, (gssize) size);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, findings);
  g_autoptr (GHashTable) vars = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsExpr) expr = ls_script_parse_expr (source, vars, LS_SCRIPT_EXPR_DECLARE, findings);

  for (guint i = 0; i < ls_call_list_get_n (list); i++)
    look_at (list, ls_call_list_get (list, i));
  return 0;
}
