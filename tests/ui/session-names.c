/* session-names: a program whose names the text cannot show, saved and opened again: every step is replayed.
 *
 * Buffers and loops of random programs are called like modules of the script, words of Python, functions, each other, or nothing that
 * a text can show; steps ask for blocks that primitives name after them.
 */
#include "app/session/engine.h"
#include "engine/script/script.h"
#include "tests/support/support.h"
#include "tests/ui/session-parts.h"

#include <string.h>

static const char *const NAMES[] = {
  "R", "T", "I", "cls", "in", "for", "None", "main", "A", "A_1", "A_2", "R_1", "T_1", "x.y", "x_y", "1st", "v1st", "\xcf\x83", "a \"b\"", "t\n", "\\", "_", "buffer"
};

/* Names of buffers, all different so that the blocks made from them are; the others may be the same. */
typedef struct {
  const char *buffers[4];
  const char *vars[10];
} Drawn;

static const char *
draw_name (GRand *rand)
{
  return NAMES[g_rand_int_range (rand, 0, G_N_ELEMENTS (NAMES))];
}

static void
draw (GRand *rand,
      Drawn *self)
{
  for (guint i = 0; i < 4; i++)
    do
      self->buffers[i] = draw_name (rand);
    while ((i > 0 && self->buffers[i] == self->buffers[0]) || (i > 1 && self->buffers[i] == self->buffers[1]) ||
           (i > 2 && self->buffers[i] == self->buffers[2]));
  for (guint i = 0; i < 10; i++)
    self->vars[i] = draw_name (rand);
}

static void
put_name (GString    *text,
          const char *key,
          const char *name)
{
  g_autofree char *escaped = g_strescape (name, NULL);

  g_string_append_printf (text, "%s%s \"%s\"", g_str_has_suffix (text->str, ": ") ? "" : ", ", key, escaped);
}

/* A product, and what is done to each of its elements, as text with its names behind it. (transfer full) */
static char *
make_program (GRand       *rand,
              const Drawn *drawn)
{
  static const char *const buffers[] = { "b0", "b1", "b2", "s0" };
  static const char *const vars[] = { "i0", "i1", "i2", "v0", "v1", "v2", "j0", "j1", "w0", "w1" };
  guint n = (guint) g_rand_int_range (rand, 5, 40), m = (guint) g_rand_int_range (rand, 5, 40), k = (guint) g_rand_int_range (rand, 5, 40);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;

  g_string_append_printf (text,
                          "@T.prim_func\n"
                          "def main(b0: T.Buffer((%u, %u)), b1: T.Buffer((%u, %u)), b2: T.Buffer((%u, %u))):\n"
                          "    T.func_attr({\"tir.noalias\": True})\n"
                          "    s0 = T.alloc_buffer((%u, %u))\n"
                          "    for i0, i1, i2 in T.grid(%u, %u, %u):\n"
                          "        with T.block(\"sum\"):\n"
                          "            v0, v1, v2 = T.axis.remap(\"SSR\", [i0, i1, i2])\n"
                          "            with T.init():\n"
                          "                s0[v0, v1] = T.float32(0)\n"
                          "            s0[v0, v1] = s0[v0, v1] + b0[v0, v2] * b1[v2, v1]\n"
                          "    for j0, j1 in T.grid(%u, %u):\n"
                          "        with T.block(\"cut\"):\n"
                          "            w0, w1 = T.axis.remap(\"SS\", [j0, j1])\n"
                          "            b2[w0, w1] = T.max(s0[w0, w1], T.float32(0))\n"
                          "# loopscope: names of main: ", n, k, k, m, n, m, n, m, n, m, k, n, m);
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    put_name (text, buffers[i], drawn->buffers[i]);
  for (guint i = 0; i < G_N_ELEMENTS (vars); i++)
    put_name (text, vars[i], drawn->vars[i]);
  source = ls_source_new ("drawn.py", text->str, -1);
  module = ls_script_parse (source, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  g_assert_cmpstr (ls_array_at (((LsPrimFunc *) ls_module_get (module, "main"))->buffers, 0, LsBuffer)->name, ==, drawn->buffers[0]);
  return ls_script_print (module, &(LsScriptPrintOptions) { .show_meta = TRUE, .keep_names = TRUE }, NULL);
}

static void
put_step (GString    *steps,
          const char *format,
          const char *name,
          const char *suffix)
{
  g_autofree char *whole = g_strconcat (name, suffix, NULL);
  g_autofree char *escaped = g_strescape (whole, "\xcf\x83");

  g_string_append_printf (steps, format, escaped);
}

/* (transfer full) */
static char *
make_steps (GRand       *rand,
            const Drawn *drawn)
{
  GString *steps = g_string_new ("p = sch.get_block(\"sum\")\n");

  if (g_rand_boolean (rand))
    g_string_append (steps, "i, j, k = sch.get_loops(p)\nj0, j1 = sch.split(j, factors=[None, 4])\nsch.reorder(j0, k, i, j1)\n");
  if (g_rand_boolean (rand))
    {
      g_string_append (steps, "c0 = sch.cache_read(p, 0, \"local\")\nc1 = sch.cache_read(p, 1, \"shared\")\n");
      put_step (steps, "r = sch.get_block(\"%s\")\n", drawn->buffers[0], "_local");
      put_step (steps, "s = sch.get_block(\"%s\")\nsch.unroll(sch.get_loops(s)[-1])\n", drawn->buffers[1], "_shared");
      g_string_append (steps, "sch.vectorize(sch.get_loops(r)[-1])\n");
    }
  else
    {
      g_string_append (steps, "sch.cache_write(p, 0, \"local\")\n");
      put_step (steps, "w = sch.get_block(\"%s\")\nsch.fuse(*sch.get_loops(w))\n", drawn->buffers[3], "_local");
    }
  g_string_append (steps, "q = sch.get_block(\"cut\")\nx, y = sch.get_loops(q)\nsch.parallel(x)\n");
  return g_string_free (steps, FALSE);
}

/* The steps that were done, and the program after the last. (transfer full) */
static char *
words_of (LsSession *session,
          guint     *done)
{
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  GString *all = g_string_new (NULL);

  *done = 0;
  for (guint i = 0; i < ls_history_get_n (history); i++)
    {
      const LsHistoryNode *node = ls_history_get (history, i);

      *done += node->refused == NULL && i > 0;
      g_string_append_printf (all, "%s%s\n", ls_history_lines (history, i), node->refused != NULL ? node->refused : "");
    }
  g_string_append (all, ls_script_text_get_text (ls_session_get_script (session)));
  return g_string_free (all, FALSE);
}

static void
check_one (guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (LsSession) session = NULL, again = ls_engine_session_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *program = NULL, *steps = NULL, *json = NULL, *twice = NULL, *before = NULL, *after = NULL;
  guint n = 0, m = 0;
  Drawn drawn;

  draw (rand, &drawn);
  program = make_program (rand, &drawn);
  steps = make_steps (rand, &drawn);
  session = open_text (program, steps);
  before = words_of (session, &n);
  json = ls_session_export (session, LS_EXPORT_SESSION, &error);
  g_assert_no_error (error);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error));
  g_assert_no_error (error);
  after = words_of (again, &m);
  if (m != n || n + 1 != ls_history_get_n (ls_engine_session_get_history (LS_ENGINE_SESSION (session))))
    g_error ("seed %u: %u and %u steps are done of\n%s\n%s", seed, n, m, steps, before);
  g_assert_cmpstr (after, ==, before);
  twice = ls_session_export (again, LS_EXPORT_SESSION, NULL);
  g_assert_cmpstr (twice, ==, json);
}

static void
test_replayed (void)
{
  for (guint seed = 1; seed <= 60; seed++)
    check_one (seed);
}

/* A function that a pass made of a graph, opened for its steps: nobody wrote its text, and its buffer is called as the graph's variable. */
static void
test_of_a_pass (void)
{
  static const char text[] =
    "@I.ir_module\n"
    "class Module:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((8, 8), \"float32\")) -> R.Tensor((8, 8), \"float32\"):\n"
    "        with R.dataflow():\n"
    "            y = R.exp(x)\n"
    "            R.output(y)\n"
    "        return y\n"
    "# loopscope: names of main: x \"R\"\n";
  g_autoptr (LsSession) session = open_text (text, NULL), again = ls_engine_session_new ();
  LsGraphModel *graph = ls_session_get_graph (session);
  g_autofree char *json = NULL, *before = NULL, *after = NULL;
  guint n = 0, m = 0;

  ls_graph_model_add_pass (graph, "LegalizeOps()");
  ls_graph_model_set_state (graph, 1);
  for (gint place = 0; place < 8 && strstr (ls_session_get_base (session), "tir_exp") == NULL; place++)
    {
      ls_graph_model_select (graph, place);
      ls_graph_model_schedule (graph);
    }
  g_assert_nonnull (strstr (ls_session_get_base (session), "tir_exp"));
  ls_engine_session_replay (LS_ENGINE_SESSION (session), "b = sch.get_block(\"compute\", func_name=\"tir_exp\")\n"
                                                         "sch.cache_read(b, 0, \"local\")\n"
                                                         "c = sch.get_block(\"R_local\", func_name=\"tir_exp\")\n"
                                                         "sch.fuse(*sch.get_loops(c))\n");
  before = words_of (session, &n);
  g_assert_cmpuint (n, ==, 2);
  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  after = words_of (again, &m);
  g_assert_cmpuint (m, ==, 2);
  g_assert_cmpstr (after, ==, before);
}

/* What is shown has the text's names, whatever is kept behind the saved text; names stay where the text is edited around them. */
static void
test_edited (void)
{
  static const char text[] =
    "@T.prim_func\n"
    "def main(R_1: T.Buffer((8, 8)), S: T.Buffer((8, 8))):\n"
    "    for i, j in T.grid(8, 8):\n"
    "        with T.block(\"S\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            S[vi, vj] = R_1[vi, vj] + T.float32(1)\n"
    "# loopscope: names of main: R_1 \"R\"\n";
  g_autoptr (LsSession) session = open_text (text, "b = sch.get_block(\"S\")\nsch.cache_read(b, 0, \"local\")\n"
                                                   "c = sch.get_block(\"R_local\")\nsch.fuse(*sch.get_loops(c))\n");
  g_auto (GStrv) parts = g_strsplit (text, "T.float32(1)", 2);
  g_autofree char *edited = g_strjoinv ("T.float32(2)", parts);
  g_autofree char *before = NULL, *after = NULL;
  guint n = 0, m = 0;

  before = words_of (session, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_null (strstr (ls_script_text_get_text (ls_session_get_script (session)), "loopscope"));
  g_assert_nonnull (strstr (ls_script_text_get_text (ls_session_get_script (session)), "R_1: T.Buffer"));
  ls_session_edit_base (session, edited);
  g_assert_null (ls_session_get_draft (session));
  after = words_of (session, &m);
  g_assert_cmpuint (m, ==, 2);
  g_assert_nonnull (strstr (after, "T.float32(2.0)"));
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);
  g_test_add_func ("/session/names/replayed", test_replayed);
  g_test_add_func ("/session/names/of-a-pass", test_of_a_pass);
  g_test_add_func ("/session/names/edited", test_edited);
  return g_test_run ();
}
