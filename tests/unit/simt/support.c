#include "tests/unit/simt/support.h"
#include "engine/schedule/schedule.h"

#include <string.h>

LsPrimFunc *
simt_test_read (const char *program,
                const char *steps)
{
  LsSource *source = ls_source_new ("program", program, -1);     /* lives on: lines are asked for */
  g_autoptr (LsSource) text = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;

  if (module == NULL || ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, text, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  return ls_ref (ls_array_at (ls_schedule_get_module (schedule)->functions, 0, LsPrimFunc));
}

LsPrimFunc *
simt_test_lower (LsPrimFunc *func)
{
  return simt_test_lower_for (func, "cuda");
}

LsPrimFunc *
simt_test_lower_for (LsPrimFunc *func,
                     const char *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse (device, &error);
  LsPrimFunc *lowered = ls_lower_device (func, target, NULL, NULL, &error);

  g_assert_no_error (error);
  return lowered;
}

LsSimtRun *
simt_test_try (LsPrimFunc          *lowered,
               GPtrArray           *arrays,
               const LsSimtOptions *options,
               GError             **error)
{
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, arrays->len + 1);

  for (guint i = 0; i < arrays->len; i++)
    {
      LsNDArray *array = arrays->pdata[i];
      LsDType dtype = ls_prim_func_get_buffer (lowered, i)->dtype;

      args[i] = (LsInterpArg) { dtype, TRUE, array->tensor.data, (guint) array->tensor.ndim, array->tensor.shape, array->tensor.strides, 0, 0 };
    }
  return ls_simt_run (lowered, args, arrays->len, options, error);
}

LsSimtRun *
simt_test_run (LsPrimFunc          *lowered,
               GPtrArray           *arrays,
               const LsSimtOptions *options)
{
  g_autoptr (GError) error = NULL;
  LsSimtRun *run = simt_test_try (lowered, arrays, options, &error);

  g_assert_no_error (error);
  return run;
}

LsSimtRun *
simt_test_body (const char *parameters,
                const char *body)
{
  g_autofree char *indented = NULL;
  g_autofree char *program = NULL;
  g_auto (GStrv) lines = g_strsplit (body, "\n", -1);
  g_autoptr (LsPrimFunc) func = NULL;
  g_autoptr (LsPrimFunc) lowered = NULL;
  g_autoptr (GPtrArray) arrays = NULL;

  indented = g_strjoinv ("\n    ", lines);
  program = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(%s):\n    T.func_attr({\"tir.noalias\": True})\n    %s\n", parameters, indented);
  func = simt_test_read (program, "");
  lowered = simt_test_lower (func);
  arrays = ls_test_arrays (lowered, 1);
  return simt_test_run (lowered, arrays, NULL);
}

const LsSimtSite *
simt_test_site (LsSimtRun  *run,
                const char *buffer,
                gboolean    is_store)
{
  for (guint i = 0; i < run->sites->len; i++)
    {
      LsSimtSite *site = &g_array_index (run->sites, LsSimtSite, i);

      if (strcmp (site->buffer->name, buffer) == 0 && site->is_store == is_store)
        return site;
    }
  g_error ("no %s of %s", is_store ? "store" : "load", buffer);
}
