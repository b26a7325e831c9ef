/* session-pins: what a pin is on after other steps, in files, and in a program that was edited. */
#include "tests/ui/session-parts.h"

#include <string.h>

static guint
place_of (LsSession  *session,
          const char *words)
{
  const char *text = ls_script_text_get_text (ls_session_get_script (session)), *at = strstr (text, words);

  g_assert_nonnull (at);
  return (guint) g_utf8_strlen (text, at - text);
}

static void
pin_at (LsSession  *session,
        const char *words,
        int         slot)
{
  g_assert_cmpstr (ls_session_pin (session, 0, place_of (session, words), slot), ==, NULL);
}

/* "i_0 i_1": the words of the shown text that have the pin, each once, in order. */
static char *
pinned_words (LsScriptText *text,
              guint         slot)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < ls_script_text_n_pins (text); i++)
    {
      const LsScriptPin *pin = ls_script_text_get_pin (text, i);
      g_autofree char *word = g_utf8_substring (ls_script_text_get_text (text), pin->start, pin->end);

      if ((pin->pins & LS_PIN_BIT (slot)) && !g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL))
        g_ptr_array_add (words, g_steal_pointer (&word));
    }
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" ", (char **) words->pdata);
}

#define assert_pinned(session, slot, words)                                                                       \
  G_STMT_START                                                                                                    \
  {                                                                                                               \
    g_autofree char *found = pinned_words (ls_session_get_script (session), slot);                                \
    g_assert_cmpstr (found, ==, words);                                                                           \
  }                                                                                                               \
  G_STMT_END

static LsLoopItem *
row (LsSession  *session,
     const char *name)
{
  return ls_loop_list_find (ls_session_get_loops (session), loop (session, name)->id);
}

/* A loop is two after its split, a loop of a step is what it came from before it, and on another branch too. */
static void
test_steps (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);

  ls_session_go_to (session, 0);
  pin_at (session, "j, k in T.grid", LS_PIN_NEXT);
  assert_pinned (session, 0, "j");
  g_assert_cmpuint (ls_loop_item_get_pins (row (session, "j")), ==, LS_PIN_BIT (0));
  ls_session_go_to (session, 2);
  assert_pinned (session, 0, "j_0 j_1");
  g_assert_cmpuint (ls_loop_item_get_pins (row (session, "j_0")), ==, LS_PIN_BIT (0));
  g_assert_cmpuint (ls_loop_item_get_pins (row (session, "j_1")), ==, LS_PIN_BIT (0));
  g_assert_cmpuint (ls_loop_item_get_pins (row (session, "k")), ==, 0);
  g_assert_true (ls_session_get_pin (session, 0)->is_there);

  pin_at (session, "j_1 in T.grid", 4);         /* it moves to another letter, and off the sibling */
  assert_pinned (session, 0, "");
  assert_pinned (session, 4, "j_1");
  ls_session_go_to (session, 0);
  assert_pinned (session, 4, "j");
  g_assert_cmpstr (ls_session_get_pin (session, 4)->name, ==, "j_1");
  ls_session_apply (session, find_move (session, "parallel(i)") != NULL ? find_move (session, "parallel(i)")
                                                                        : g_list_model_get_item (ls_session_get_moves (session), 0));
  g_assert_cmpuint (ls_step_item_get (ls_session_get_current (session))->number, ==, 1);
  assert_pinned (session, 4, "j");
  ls_session_go_to (session, 1);
  assert_pinned (session, 4, "j_1");
}

/* Beside the names of a line with several loops the selected one is meant, else the first. */
static void
test_line (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);

  ls_session_select (session, loop (session, "C")->id);
  pin_at (session, "for i, j_0", LS_PIN_NEXT);
  assert_pinned (session, 0, "i");
  ls_session_select (session, loop (session, "k")->id);
  pin_at (session, "for i, j_0", LS_PIN_NEXT);
  assert_pinned (session, 1, "k");
}

/* Buffers, blocks and names without a lineage; uses are in the rows of blocks. */
static void
test_kinds (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *words = NULL;

  pin_at (session, "Y = T.alloc_buffer", LS_PIN_NEXT);
  pin_at (session, "with T.block(\"C\")", LS_PIN_NEXT);
  pin_at (session, "vi = T.axis", LS_PIN_NEXT);
  pin_at (session, "A: T.Buffer", LS_PIN_NEXT);
  assert_pinned (session, 0, "Y");
  assert_pinned (session, 1, "\"C\"");
  assert_pinned (session, 2, "vi");
  assert_pinned (session, 3, "A");
  g_assert_cmpuint (ls_loop_item_get_pins (row (session, "C")), ==, LS_PIN_BIT (1));
  g_assert_cmpuint (ls_loop_item_get_uses (row (session, "C")), ==, LS_PIN_BIT (0));
  words = ls_loop_item_describe (row (session, "C"));
  g_assert_true (g_str_has_prefix (words, "block C, pinned B, uses what is pinned A, "));
  ls_session_go_to (session, 0);
  assert_pinned (session, 2, "vi");
  for (guint i = 0; i < ls_script_text_n_pins (ls_session_get_script (session)); i++)
    if (ls_script_text_get_pin (ls_session_get_script (session), i)->pins & LS_PIN_BIT (2))
      g_assert_cmpuint (ls_script_text_get_pin (ls_session_get_script (session), i)->start, <, place_of (session, "with T.block(\"C\")"));
}

/* A variable of Relax stays pinned while a function beside it is scheduled; its card says what it is. */
static void
test_relax (void)
{
  static const char text[] =
    "@I.ir_module\n"
    "class Module:\n"
    "    @T.prim_func(private=True)\n"
    "    def copy(x: T.Buffer((16,), \"float32\"), y: T.Buffer((16,), \"float32\")):\n"
    "        for i in range(16):\n"
    "            with T.block(\"y\"):\n"
    "                vi = T.axis.spatial(16, i)\n"
    "                y[vi] = x[vi]\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((16,), dtype=\"float32\")) -> R.Tensor((16,), dtype=\"float32\"):\n"
    "        cls = Module\n"
    "        with R.dataflow():\n"
    "            lv = R.call_tir(cls.copy, (x,), out_sinfo=R.Tensor((16,), dtype=\"float32\"))\n"
    "            gv = R.add(lv, lv)\n"
    "            R.output(gv)\n"
    "        return gv\n";
  g_autoptr (LsSession) session = open_text (text, "b = sch.get_block(\"y\", func_name=\"copy\")\n"
                                                   "i, = sch.get_loops(b)\nsch.split(i, factors=[None, 4])\n");
  LsScriptText *script = ls_session_get_script (session);
  const LsScriptMention *name = ls_script_text_name_at (script, place_of (session, "lv = "));

  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 2);
  g_assert_nonnull (name);
  g_assert_cmpstr (ls_script_text_get_thing (script, name->thing)->words, ==, "lv: variable of Relax, R.Tensor((16,), dtype=\"float32\")");
  pin_at (session, "lv = ", LS_PIN_NEXT);
  pin_at (session, "x: R.Tensor", LS_PIN_NEXT);
  g_assert_cmpuint (ls_script_text_n_pins (script), ==, 3 + 2);
  assert_pinned (session, 0, "lv");
  ls_session_go_to (session, 0);
  assert_pinned (session, 0, "lv");
  g_assert_cmpuint (ls_script_text_n_pins (ls_session_get_script (session)), ==, 3 + 2);
}

/* The eighth has no letter; a letter can be given anew; all can go. */
static void
test_letters (void)
{
  static const char *const places[] = { "A: T", "B: T", "C: T", "Y = T", "i, j_0", "k, j_1", "j_1 in T.grid" };
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *reason = NULL, *nothing = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    pin_at (session, places[i], LS_PIN_NEXT);
  g_assert_cmpuint (ls_session_get_pins (session), ==, 0x7f);
  reason = ls_session_pin (session, 0, place_of (session, "vk = T.axis"), LS_PIN_NEXT);
  g_assert_true (g_str_has_prefix (reason, "All seven pins are in use"));
  pin_at (session, "vk = T.axis", 2);
  assert_pinned (session, 2, "vk");
  pin_at (session, "vk = T.axis", 2);
  g_assert_cmpuint (ls_session_get_pins (session), ==, 0x7b);
  nothing = ls_session_pin (session, 0, place_of (session, "T.reads("), LS_PIN_NEXT);
  g_assert_nonnull (nothing);
  ls_session_unpin (session, G_MAXUINT8);
  g_assert_cmpuint (ls_session_get_pins (session), ==, 0);
  g_assert_cmpuint (ls_script_text_n_pins (ls_session_get_script (session)), ==, 0);
  g_assert_cmpuint (ls_loop_item_get_pins (row (session, "k")), ==, 0);
}

static LsSession *
with_pins (void)
{
  LsSession *session = open_text (session_source, session_steps);

  pin_at (session, "j_1 in T.grid", LS_PIN_NEXT);
  pin_at (session, "with T.block(\"C\")", 2);
  pin_at (session, "vi = T.axis", 6);
  return session;
}

static void
test_saved (void)
{
  g_autoptr (LsSession) session = with_pins ();
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL), *twice = NULL;

  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  g_assert_null (ls_session_get_left_out (again));
  assert_pinned (again, 0, "j_1");
  assert_pinned (again, 2, "\"C\"");
  assert_pinned (again, 6, "vi");
  twice = ls_session_export (again, LS_EXPORT_SESSION, NULL);
  g_assert_cmpstr (twice, ==, json);
  ls_engine_session_open_text (LS_ENGINE_SESSION (again), "other.py", session_source, NULL);
  g_assert_cmpuint (ls_session_get_pins (again), ==, 0);
}

/* Pins that a file has wrong are left out in words, the rest of the file is read. */
static void
test_corrupt (void)
{
  static const struct { const char *from, *to; guint8 left; const char *said; } cases[] = {
    { "\"pin\" : \"A\"", "\"pin\" : \"H\"", 0x44, "1 pin names" },
    { "\"pin\" : \"A\"", "\"pin\" : \"G\"", 0x44, "1 pin names" },
    { "\"pin\" : \"A\"", "\"pin\" : 3", 0x44, "1 pin names" },
    { "\"kind\" : \"loop\"", "\"kind\" : \"loops\"", 0x44, "1 pin names" },
    { "\"step\" : 2", "\"step\" : 99", 0x00, "3 pins name" },
    { "\"step\" : 2", "\"step\" : -1", 0x00, "3 pins name" },
    { "\"step\" : 2", "\"step\" : \"2\"", 0x00, "3 pins name" },
    { "\"nth\" : 0", "\"nth\" : -5", 0x05, "1 pin names" },
    { "\"pins\" : [", "\"pins\" : 7, \"other\" : [", 0x00, "1 pin names" },
    { "\"pins\" : [", "\"pins\" : [null, [], {}, ", 0x45, "3 pins name" },
  };
  g_autoptr (LsSession) session = with_pins ();
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) parts = g_strsplit (json, cases[i].from, -1);
      g_autofree char *bad = g_strjoinv (cases[i].to, parts);
      g_autoptr (LsSession) again = ls_engine_session_new ();

      g_assert_cmpuint (g_strv_length (parts), >, 1);
      g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", bad, -1, NULL, NULL));
      g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (again)), ==, 3);
      g_assert_cmpuint (ls_session_get_pins (again), ==, cases[i].left);
      g_assert_nonnull (strstr (ls_session_get_left_out (again), cases[i].said));
    }
}

/* A pin whose id leads to something else goes by its name, in a file that was changed and in a program that was edited. */
static void
test_by_name (void)
{
  g_autoptr (LsSession) session = with_pins ();
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_auto (GStrv) parts = g_strsplit (json, "\"id\" : ", -1);
  g_autofree char *other = g_strjoinv ("\"id\" : 1", parts);    /* 5 is 15 */
  g_auto (GStrv) lines = g_strsplit (session_source, "    Y = T.alloc_buffer((128, 128))\n", -1);
  g_autofree char *edited = g_strjoinv ("    Z = T.alloc_buffer((128, 128))\n    Y = T.alloc_buffer((128, 128))\n", lines);
  g_auto (GStrv) blocks = g_strsplit (edited, "T.block(\"C\")", -1);
  g_autofree char *renamed = g_strjoinv ("T.block(\"D\")", blocks);

  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", other, -1, NULL, NULL));
  assert_pinned (again, 0, "j_1");
  assert_pinned (again, 2, "\"C\"");
  ls_session_edit_base (session, edited);
  g_assert_null (ls_session_get_draft (session));
  assert_pinned (session, 0, "j_1");
  assert_pinned (session, 2, "\"C\"");
  assert_pinned (session, 6, "vi");
  ls_session_edit_base (session, renamed);
  assert_pinned (session, 2, "");
  g_assert_true (ls_session_get_pin (session, 2)->used);
  g_assert_false (ls_session_get_pin (session, 2)->is_there);
  ls_session_edit_base (session, edited);
  assert_pinned (session, 2, "\"C\"");
}

int
main (int   argc,
      char *argv[])
{
  session_parts_init (&argc, &argv);
  g_test_add_func ("/session-pins/steps", test_steps);
  g_test_add_func ("/session-pins/line", test_line);
  g_test_add_func ("/session-pins/kinds", test_kinds);
  g_test_add_func ("/session-pins/relax", test_relax);
  g_test_add_func ("/session-pins/letters", test_letters);
  g_test_add_func ("/session-pins/saved", test_saved);
  g_test_add_func ("/session-pins/corrupt", test_corrupt);
  g_test_add_func ("/session-pins/by-name", test_by_name);
  return g_test_run ();
}
