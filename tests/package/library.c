/* library: libloopscope as a program of somebody else uses it: its public headers only, its public symbols only. */
#include <loopscope/loopscope.h>

#include <string.h>

#define PROGRAM \
  "from tvm.script import tir as T\n" \
  "\n" \
  "@T.prim_func\n" \
  "def add(A: T.Buffer((4, 8), \"float32\"), B: T.Buffer((4, 8), \"float32\"), n: T.int32):\n" \
  "    for i, j in T.grid(4, 8):\n" \
  "        with T.block(\"B\"):\n" \
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "            B[vi, vj] = A[vi, vj] + T.Cast(\"float32\", n)\n"
#define SPLIT "i, j = sch.get_loops(sch.get_block(\"B\"))\nsch.split(j, factors=[None, 4])\n"

static LoopscopeProgram *
read_program (void)
{
  g_autoptr (GError) error = NULL;
  LoopscopeProgram *program = loopscope_program_parse ("add.py", PROGRAM, &error);

  g_assert_no_error (error);
  return program;
}

static void
test_version (void)
{
  g_autofree char *compiled = g_strdup_printf ("%d.%d.%d", LOOPSCOPE_MAJOR_VERSION, LOOPSCOPE_MINOR_VERSION, LOOPSCOPE_MICRO_VERSION);

  g_assert_cmpstr (loopscope_get_version (), ==, compiled);
  g_assert_true (LOOPSCOPE_CHECK_VERSION (LOOPSCOPE_MAJOR_VERSION, LOOPSCOPE_MINOR_VERSION, LOOPSCOPE_MICRO_VERSION));
  g_assert_true (LOOPSCOPE_CHECK_VERSION (0, 0, 99));
  g_assert_false (LOOPSCOPE_CHECK_VERSION (LOOPSCOPE_MAJOR_VERSION, LOOPSCOPE_MINOR_VERSION, LOOPSCOPE_MICRO_VERSION + 1));
}

static void
test_text (void)
{
  g_autoptr (LoopscopeProgram) program = read_program ();
  g_autoptr (LoopscopeProgram) again = NULL;
  g_autoptr (GError) error = NULL;
  const LoopscopeStyle styles[] = { LOOPSCOPE_STYLE_RELEASE, LOOPSCOPE_STYLE_COURSE, LOOPSCOPE_STYLE_MAIN };
  g_auto (GStrv) functions = loopscope_program_list_functions (program);
  g_auto (GStrv) parameters = loopscope_program_list_parameters (program, "add", &error);

  g_assert_no_error (error);
  g_assert_cmpstrv (functions, ((const char *const[]) { "add", NULL }));
  g_assert_cmpstrv (parameters, ((const char *const[]) { "A: float32[4, 8]", "B: float32[4, 8]", "n: int32", NULL }));
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      g_autofree char *text = loopscope_program_to_script (program, styles[i]);

      again = loopscope_program_parse ("again.py", text, &error);
      g_assert_no_error (error);
      g_assert_true (loopscope_program_is_equal (program, again));
      g_clear_object (&again);
    }
  again = loopscope_program_parse ("wrong.py", "from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    A[0] = nothing\n", &error);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "wrong.py:4:12"));
  g_assert_null (again);
}

static void
test_steps (void)
{
  g_autoptr (LoopscopeProgram) program = read_program ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoopscopeProgram) split = loopscope_program_apply (program, SPLIT, &error);
  g_autoptr (LoopscopeProgram) more = NULL;
  g_autoptr (LoopscopeProgram) same = NULL;
  g_autoptr (LoopscopeProgram) none = NULL;
  g_autofree char *trace = NULL;
  g_autofree char *json = NULL;
  g_autofree char *before = loopscope_program_dup_trace (program, LOOPSCOPE_TRACE_PYTHON);

  g_assert_no_error (error);
  g_assert_false (loopscope_program_is_equal (program, split));
  g_assert_null (strstr (before, "split"));
  more = loopscope_program_apply (split, "sch.vectorize(sch.get_loops(sch.get_block(\"B\"))[2])", &error);
  g_assert_no_error (error);
  trace = loopscope_program_dup_trace (more, LOOPSCOPE_TRACE_PYTHON);
  g_assert_nonnull (strstr (trace, "sch.split"));
  g_assert_nonnull (strstr (trace, "sch.vectorize"));
  json = loopscope_program_dup_trace (more, LOOPSCOPE_TRACE_JSON);
  same = loopscope_program_apply (program, json, &error);
  g_assert_no_error (error);
  g_assert_true (loopscope_program_is_equal (more, same));

  none = loopscope_program_apply (program, "sch.reorder(sch.get_block(\"B\"))", &error);
  g_assert_null (none);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_REFUSED);
  g_clear_error (&error);
  none = loopscope_program_apply (program, "sch.split(", &error);
  g_assert_null (none);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_SYNTAX);
  g_clear_error (&error);
  none = loopscope_program_apply (program, "[[\"Nothing\"", &error);
  g_assert_null (none);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_SYNTAX);
}

static void
test_moves (void)
{
  g_autoptr (LoopscopeProgram) program = read_program ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) moves = loopscope_program_list_moves (program, "B", "j", &error);
  g_autoptr (GPtrArray) none = NULL;
  guint applied = 0, refused = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < moves->len; i++)
    {
      LoopscopeMove *move = moves->pdata[i];
      g_autoptr (GError) refusal = NULL;
      g_autoptr (LoopscopeProgram) after = loopscope_program_apply (program, loopscope_move_get_steps (move), &refusal);

      g_test_message ("%s: %s", loopscope_move_get_call (move), refusal != NULL ? refusal->message : "applied");
      /* What it says of itself is what happens.  (What needs threads can be applied, but not for this machine.) */
      if (loopscope_move_get_group (move) == LOOPSCOPE_MOVE_CAN)
        g_assert_no_error (refusal);
      else
        g_assert_true (loopscope_move_get_reason (move) != NULL || loopscope_move_get_repair (move) != NULL);
      g_assert_nonnull (loopscope_move_get_call (move));
      g_assert_nonnull (loopscope_move_get_effect (move));
      applied += after != NULL;
      refused += after == NULL;
    }
  g_assert_cmpuint (applied, >, 5);
  g_assert_cmpuint (refused, >, 0);
  none = loopscope_program_list_moves (program, "nothing", NULL, &error);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME);
  g_clear_error (&error);
  none = loopscope_program_list_moves (program, "B", "q", &error);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME);
  g_assert_null (none);
}

/* ---- running ---- */

static GPtrArray *
make_arguments (const float *values,
                gsize        n_values,
                gint32       n)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  g_ptr_array_add (arguments, g_bytes_new (values, n_values * sizeof *values));
  g_ptr_array_add (arguments, g_bytes_new_take (g_new0 (float, n_values), n_values * sizeof *values));
  g_ptr_array_add (arguments, g_bytes_new (&n, sizeof n));
  return arguments;
}

static void
test_run (void)
{
  g_autoptr (LoopscopeProgram) program = read_program ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoopscopeProgram) lowered = loopscope_program_lower (program, &error);
  g_autoptr (GPtrArray) arguments = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GPtrArray) few = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  float values[32];
  const float *sums;

  g_assert_no_error (error);
  g_assert_false (loopscope_program_is_equal (program, lowered));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (float) i / 4;
  arguments = make_arguments (values, G_N_ELEMENTS (values), 7);
  results = loopscope_program_run (program, NULL, arguments, NULL, &error);
  g_assert_no_error (error);
  sums = g_bytes_get_data (results->pdata[1], NULL);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpfloat (sums[i], ==, values[i] + 7);
  /* What was given stays. */
  g_assert_cmpfloat (*(const float *) g_bytes_get_data (arguments->pdata[1], NULL), ==, 0);

  few = make_arguments (values, 4, 7);
  none = loopscope_program_run (program, "add", few, NULL, &error);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_ARGUMENT);
  g_clear_error (&error);
  none = loopscope_program_run (program, "nothing", arguments, NULL, &error);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  none = loopscope_program_run (program, NULL, arguments, cancellable, &error);
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_RUN);
  g_assert_null (none);
}

/* ---- the session ---- */

static void
count (LoopscopeWorkbench *workbench,
       guint              *n)
{
  ++*n;
}

static void
test_workbench (void)
{
  g_autoptr (LoopscopeWorkbench) workbench = loopscope_workbench_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoopscopeProgram) nothing = loopscope_workbench_dup_program (workbench);
  g_autofree char *step = NULL;
  guint changes = 0;

  g_signal_connect (workbench, "changed", G_CALLBACK (count), &changes);
  g_assert_null (nothing);
  g_assert_cmpuint (loopscope_workbench_get_n_steps (workbench), ==, 0);
  g_assert_false (loopscope_workbench_apply (workbench, SPLIT, &error));
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_REFUSED);
  g_clear_error (&error);
  g_assert_true (loopscope_workbench_open (workbench, "add.py", PROGRAM, SPLIT, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (loopscope_workbench_get_n_steps (workbench), ==, 2);
  g_assert_cmpuint (loopscope_workbench_get_position (workbench), ==, 1);
  step = loopscope_workbench_dup_step (workbench, 1);
  g_assert_cmpstr (step, ==, "split(j, [None, 4])");
  g_assert_null (loopscope_workbench_dup_step (workbench, 2));
  g_assert_cmpuint (changes, >, 0);

  changes = 0;
  loopscope_workbench_set_position (workbench, 0);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (loopscope_workbench_get_position (workbench), ==, 0);
  loopscope_workbench_set_position (workbench, 99);
  g_assert_cmpuint (loopscope_workbench_get_position (workbench), ==, 1);
  g_assert_true (loopscope_workbench_select (workbench, "B", "j_1"));
  g_assert_false (loopscope_workbench_select (workbench, "B", "j"));
  g_assert_false (loopscope_workbench_open (workbench, "wrong.py", "def", NULL, &error));
  g_assert_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_SYNTAX);
  g_assert_cmpuint (loopscope_workbench_get_n_steps (workbench), ==, 2);
  g_assert_cmpfloat (loopscope_workbench_get_time (workbench, 1), ==, 0);
}

#define PLAIN \
  "from tvm.script import tir as T\n" \
  "\n" \
  "@T.prim_func\n" \
  "def twice(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\")):\n" \
  "    for i, j in T.grid(64, 64):\n" \
  "        with T.block(\"B\"):\n" \
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "            B[vi, vj] = A[vi, vj] * T.float32(2)\n"

/* The worker is found, and times come. */
static void
test_measure (void)
{
  g_autoptr (LoopscopeWorkbench) workbench = loopscope_workbench_new ();

  g_assert_true (loopscope_workbench_open (workbench, "twice.py", PLAIN, SPLIT, NULL));
  loopscope_workbench_measure (workbench);
  g_assert_true (loopscope_workbench_is_running (workbench));
  while (loopscope_workbench_is_running (workbench))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpfloat (loopscope_workbench_get_time (workbench, 0), >, 0);
  g_assert_cmpfloat (loopscope_workbench_get_time (workbench, 1), >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/version", test_version);
  g_test_add_func ("/library/text", test_text);
  g_test_add_func ("/library/steps", test_steps);
  g_test_add_func ("/library/moves", test_moves);
  g_test_add_func ("/library/run", test_run);
  g_test_add_func ("/library/workbench", test_workbench);
  g_test_add_func ("/library/measure", test_measure);
  return g_test_run ();
}
