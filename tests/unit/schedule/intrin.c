/* The tensor intrinsics that are known from the start: each is well formed, and prints as a text that reads back as the same. */
#include "engine/schedule/intrin/library.h"
#include "engine/schedule/intrin/intrin.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

static void
check_function (LsPrimFunc *func)
{
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (func), NULL), NULL, NULL);
  g_autofree char *text = ls_script_print (LS_NODE (module), NULL, NULL);
  g_autoptr (LsSource) source = ls_source_new ("printed", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) again = ls_script_parse (source, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  g_assert_true (ls_structural_equal (module, again, FALSE, NULL, NULL));
  g_assert_true (ls_verify_module (module, NULL));
}

static void
test_library (void)
{
  g_autoptr (GPtrArray) names = ls_tensor_intrin_list ();

  g_assert_cmpuint (names->len, ==, ls_intrin_library_get_n ());
  for (guint i = 0; i < names->len; i++)
    {
      g_autoptr (LsPrimFunc) desc = NULL;
      g_autoptr (LsPrimFunc) impl = NULL;

      g_test_message ("%s", (const char *) names->pdata[i]);
      g_assert_true (ls_tensor_intrin_get (names->pdata[i], &desc, &impl));
      check_function (desc);
      check_function (impl);
    }
}

static void
test_names (void)
{
  g_autoptr (LsPrimFunc) desc = NULL;
  g_autoptr (LsPrimFunc) impl = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  g_assert_false (ls_tensor_intrin_get ("no_such_intrin", &desc, &impl));
  g_assert_true (ls_tensor_intrin_get ("dp4a", &desc, &impl));
  g_assert_false (ls_tensor_intrin_register ("dp4a", desc, impl, FALSE, findings));
  g_assert_false (ls_tensor_intrin_register ("sdot4", desc, impl, FALSE, findings));
  g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, "schedule/intrin/taken");
  g_assert_true (ls_tensor_intrin_register ("sdot4", desc, impl, TRUE, findings));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/intrin/library", test_library);
  g_test_add_func ("/schedule/intrin/names", test_names);
  return g_test_run ();
}
