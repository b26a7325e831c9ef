/* The same input gives the same text: random programs, lowered, scheduled and taken through the passes of Relax twice in one process, with other
 * addresses; and, in a build with reverse_tables or with the library that does it (property/same-reversed), once with every hash table gone
 * through forwards and once backwards.
 *
 * Addresses differ because what is allocated between the two runs differs, so that tables whose keys are addresses have another order.
 * LS_FUZZ_PROGRAMS=N: so many programs of each kind; LS_FUZZ_SEED=N begins there.
 */
#include "engine/codegen/codegen.h"
#include "engine/codegen/vm-build.h"
#include "engine/relax/pass/pass.h"
#include "engine/schedule/lineage/lineage.h"
#include "engine/schedule/schedule.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

static LsTarget *target;

/* ---- what comes out ----------------------------------------------------------------------- */

static void
put (GString    *out,
     const char *what,
     gpointer    node)
{
  g_autofree char *text = ls_script_print (node, NULL, NULL);

  g_string_append_printf (out, "---- %s\n%s\n", what, text);
}

static void
put_error (GString *out,
           GError  *error)
{
  g_string_append_printf (out, "---- error: %s\n", error != NULL ? error->message : "");
}

static void
after_pass (const LsPass *pass,
            LsPrimFunc   *before,
            LsPrimFunc   *after,
            gint64        ns,
            gpointer      user_data)
{
  if (before != after)
    put (user_data, pass->name, after);
}

static void
put_lowered (GString  *out,
             LsModule *module,
             gboolean  compiled)
{
  static const char *const ALONE[] = {
    "CommonSubexprElimTIR", "HoistExpression", "HoistIfThenElse", "ReduceBranchingThroughOvercompute", "PlanAndUpdateBufferAllocationLocation", "CompactBufferAllocation",
    "StorageRewrite", "PointerValueTypeRewrite", "VectorizeLoop", "RemoveNoOp", "Simplify",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPrimFunc) lowered = ls_lower ((LsPrimFunc *) ls_module_get (module, "main"), after_pass, out, &error);
  g_autoptr (LsModule) low = NULL;
  g_autoptr (LsObject) object = NULL;
  LsCodegenOptions options = { .prefix = "same_", .want_ir = TRUE, .want_asm = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (ALONE); i++)
    {
      g_autoptr (GError) refused = NULL;
      g_autoptr (LsMap) none = ls_map_empty ();
      g_autoptr (LsModule) changed = ls_pass_run_module_with (ls_pass_get (ALONE[i]), module, none, &refused);

      if (changed != NULL)
        put (out, ALONE[i], changed);
      else
        put_error (out, refused);
    }
  if (lowered == NULL)
    {
      put_error (out, error);
      return;
    }
  if (!compiled)
    return;
  low = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (lowered), NULL), NULL, NULL);
  object = ls_codegen_compile (low, "main", target, &options, &error);
  if (object == NULL)
    put_error (out, error);
  else
    g_string_append_printf (out, "%s\n%s\n", object->ir, object->assembly);
}

static char *
of_tir (const char *text,
        guint       number)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  GString *out = g_string_new (NULL);

  put (out, "read", module);
  put_lowered (out, module, number % 16 == 0);
  return g_string_free (out, FALSE);
}

static char *
of_chain (const char *text,
          guint       number)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (GRand) rand = g_rand_new_with_seed (number);
  g_auto (GStrv) blocks = ls_test_block_names (text);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsTrace) trace = NULL;
  g_autofree char *json = NULL, *print = NULL;
  GString *out = g_string_new (NULL);

  ls_schedule_set_seed (schedule, number);
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *step = ls_test_random_step (rand, blocks, i), *said = NULL;
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsSource) source = ls_source_new ("step", step, -1);

      ls_schedule_apply_text (schedule, source, 0, findings);
      said = ls_diagnostics_print (findings);
      g_string_append (out, said);
    }
  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      GArray *links = ls_schedule_get_links (schedule, i);

      for (guint k = 0; links != NULL && k < links->len; k++)
        {
          const LsLineageLink *link = &g_array_index (links, LsLineageLink, k);

          g_string_append_printf (out, "%d:%d<-%d ", (int) link->how, link->after, link->before);
        }
    }
  trace = ls_trace_of (schedule);
  print = ls_trace_print (trace);
  json = ls_trace_to_json (trace, FALSE);
  g_string_append_printf (out, "\n%s\n%s\n", print, json);
  put (out, "scheduled", ls_schedule_get_module (schedule));
  return g_string_free (out, FALSE);
}

static LsModule *
relax_pass (GString    *out,
            const char *name,
            LsModule   *module)
{
  g_autoptr (GError) error = NULL;
  const LsRelaxPass *pass = ls_relax_pass_get (name, &error);
  g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, NULL, &error);
  LsModule *changed = args != NULL ? ls_relax_pass_run (pass, module, args, &error) : NULL;

  if (changed == NULL)
    put_error (out, error);
  else
    put (out, name, changed);
  return changed;
}

static char *
of_relax (const char *text,
          guint       number)
{
  static const char *const CHAIN[] = {
    "LegalizeOps", "FoldConstant", "AnnotateTIROpPattern", "FuseOps", "FuseTIR", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite",
    "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse", "LowerRuntimeBuiltin", NULL
  };
  g_autoptr (LsModule) module = ls_test_parse (text), now = ls_ref (module);
  GString *out = g_string_new (NULL);
  guint n;
  const LsRelaxPass *list = ls_relax_pass_list (&n);

  for (guint i = 0; i < n; i++)
    if (list[i].params == NULL || list[i].params[0].name == NULL || list[i].params[0].preset != NULL)
      {
        g_autoptr (LsModule) changed = relax_pass (out, list[i].name, module);
      }
  for (guint i = 0; CHAIN[i] != NULL && now != NULL; i++)
    ls_take (&now, relax_pass (out, CHAIN[i], now));
  if (now != NULL)
    {
      g_autoptr (GError) error = NULL;
      LsVMBuildOptions options = { .as_is = TRUE, .no_code = number % 16 != 0 };
      g_autoptr (LsVMExecutable) executable = ls_vm_build (now, target, &options, &error);
      g_autoptr (GBytes) bytes = executable != NULL ? ls_vm_executable_save (executable) : NULL;
      g_autofree char *sum = bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : NULL;

      g_string_append (out, sum != NULL ? sum : error->message);
    }
  return g_string_free (out, FALSE);
}

/* ---- twice -------------------------------------------------------------------------------------- */

/* Holes of many sizes in the memory that comes next. (transfer full) */
static GPtrArray *
disturb (GRand *rand)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < 3000; i++)
    {
      gpointer piece = g_malloc ((gsize) g_rand_int_range (rand, 8, 400));

      if (g_rand_int_range (rand, 0, 3) == 0)
        g_ptr_array_add (kept, piece);
      else
        g_ptr_array_insert (kept, g_rand_int_range (rand, 0, (gint32) kept->len + 1), piece);
    }
  g_ptr_array_set_size (kept, 1500);
  return kept;
}

static void
complain (const char *kind,
          guint       number,
          const char *program,
          const char *a,
          const char *b)
{
  g_auto (GStrv) left = g_strsplit (a, "\n", -1), right = g_strsplit (b, "\n", -1);
  guint i = 0, part = 0;

  for (; left[i] != NULL && right[i] != NULL && strcmp (left[i], right[i]) == 0; i++)
    part = g_str_has_prefix (left[i], "---- ") ? i : part;
  g_test_message ("%s %u: two texts, in %s\n< %s\n> %s\n%s", kind, number, left[part], left[i] != NULL ? left[i] : "", right[i] != NULL ? right[i] : "", program);
  g_test_fail ();
}

typedef struct {
  const char *name;
  char     *(*program) (GRand *rand);
  char     *(*text) (const char *program, guint number);
  guint       quick, full;
} Kind;

static const Kind KINDS[] = {
  { "tir", ls_test_random_tir, of_tir, 60, 3000 },
  { "blocks", ls_test_random_program, of_tir, 40, 2000 },
  { "chain", ls_test_random_program, of_chain, 80, 4000 },
  { "relax", ls_test_random_relax, of_relax, 40, 2000 },
};

static void
twice (gconstpointer data)
{
  const Kind *kind = data;
  const char *asked = g_getenv ("LS_FUZZ_PROGRAMS"), *first = g_getenv ("LS_FUZZ_SEED");
  guint n = asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : ls_test_count (kind->quick, kind->full);
  guint from = first != NULL ? (guint) g_ascii_strtoull (first, NULL, 10) : 0, wrong = 0;

  for (guint number = from; number < from + n && wrong < 10; number++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (number);
      g_autofree char *program = kind->program (rand), *a = NULL, *b = NULL;
      g_autoptr (GPtrArray) holes = NULL;

      g_setenv ("LS_TABLE_ORDER", "forward", TRUE);
      a = kind->text (program, number);
      holes = disturb (rand);
      g_setenv ("LS_TABLE_ORDER", "reversed", TRUE);
      b = kind->text (program, number);
      if (strcmp (a, b) != 0)
        {
          complain (kind->name, number, program, a, b);
          wrong++;
        }
    }
  g_unsetenv ("LS_TABLE_ORDER");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_test_register_copies ();
  target = ls_target_parse ("llvm", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    {
      g_autofree char *path = g_strconcat ("/same/", KINDS[i].name, NULL);

      g_test_add_data_func (path, &KINDS[i], twice);
    }
  return g_test_run ();
}
