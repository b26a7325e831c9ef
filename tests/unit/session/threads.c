/* threads: sessions without windows, used at random for a while and always before what came before is through: what threads do for them must not touch what
 * is theirs, and must not be there for who is gone.
 *
 * Threads let go of their tasks late (tests/support/late-tasks.c), so that what is taken apart by the wrong thread is taken apart by it each time.  In a build
 * with ThreadSanitizer the program is one of its own (tests/support/tsan-glib.c).  LS_FUZZ_SEED is where to begin. */
#include "app/session/autosave.h"
#include "app/session/engine.h"
#include "engine/runtime/runtime.h"
#include "engine/schedule/intrin/intrin.h"
#include "engine/schedule/schedule.h"
#include "tests/support/models.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#define QUICK 300
#define FULL 6000
#define N_SESSIONS 3
#define MOST_STEPS 40           /* of one document: then a program is opened anew */

typedef struct {
  LsSession  *session;
  LsAutosave *autosave;
} Document;

static Document documents[N_SESSIONS];
static char *folder;
static GRand *rand_;
static guint n_asked, n_answered;       /* of what comes later */

static guint
below (guint n)
{
  return (guint) g_rand_int_range (rand_, 0, (gint) n);
}

/* ---- programs ------------------------------------------------------------------------ */

static char *
program (guint n)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def f%u(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\")):\n"
                                  "        Y = T.alloc_buffer((32, 32))\n"
                                  "        for i, j, k in T.grid(32, 32, 32):\n            with T.block(\"Y\"):\n"
                                  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                                  "                with T.init():\n                    Y[vi, vj] = T.float32(0)\n"
                                  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * A[vk, vj]\n"
                                  "        for i, j in T.grid(32, 32):\n            with T.block(\"B\"):\n"
                                  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                  "                B[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n\n", i);
  return g_string_free (text, FALSE);
}

/* Its rounds depend on each other: steps that change their order are refused or doubted. */
static const char scan[] =
  "@T.prim_func\n"
  "def scan(A: T.Buffer((12, 16), \"int32\"), B: T.Buffer((12, 16), \"int32\")):\n"
  "    for i, j in T.grid(11, 15):\n"
  "        with T.block(\"S\"):\n"
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "            A[vi + 1, vj] = A[vi, vj + 1] + 1\n"
  "    for i, j in T.grid(12, 16):\n"
  "        with T.block(\"B\"):\n"
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "            B[vi, vj] = A[vi, vj] * 2\n";

static struct { const char *name; char *text; } files[6];

static GFile *
file_of (guint i)
{
  g_autofree char *path = g_build_filename (folder, files[i].name, NULL);

  return g_file_new_for_path (path);
}

static void
write_files (void)
{
  files[0].name = "one.py", files[0].text = program (1);
  files[1].name = "scan.py", files[1].text = g_strdup (scan);
  files[2].name = "three.py", files[2].text = program (3);
  files[3].name = "many.py", files[3].text = program (70);
  files[4].name = "model.py", files[4].text = ls_model_transformer (12);
  files[5].name = "broken.py", files[5].text = g_strdup ("@T.prim_func\ndef f(A: T.Buffer((4,)):\n");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = file_of (i);

      g_assert_true (g_file_set_contents (g_file_peek_path (file), files[i].text, -1, NULL));
    }
}

/* ---- sessions come and go -------------------------------------------------------------- */

static void
open_any (Document *self)
{
  /* small ones mostly: the others take long */
  guint i = below (8);
  const char *name = files[i < 2 ? i : i < 5 ? i % 3 : i - 2].name, *text = files[i < 2 ? i : i < 5 ? i % 3 : i - 2].text;

  ls_engine_session_open_text (LS_ENGINE_SESSION (self->session), name, text, NULL);
  ls_autosave_opened (self->autosave, NULL, NULL);
}

static void
begin (Document *self)
{
  self->session = ls_engine_session_new ();
  self->autosave = ls_autosave_new (self->session);
  if (below (2) == 0)
    ls_engine_session_show_later (LS_ENGINE_SESSION (self->session));
  ls_graph_model_set_watched (ls_session_get_graph (self->session), TRUE);
  open_any (self);
}

static void
end (Document *self)
{
  ls_autosave_give_up (self->autosave);
  g_clear_object (&self->autosave);
  g_clear_object (&self->session);
}

static void
reopen (Document *self)
{
  end (self);
  begin (self);
}

/* ---- wishes ------------------------------------------------------------------------------ */

/* (transfer full), or NULL */
static LsLoopItem *
any_row (LsSession *session)
{
  GListModel *rows = ls_session_get_loops (session);
  LsLoopItem *item = NULL;

  while (rows != NULL && g_list_model_get_n_items (rows) > 0 && (item == NULL || below (4) > 0))
    {
      g_clear_object (&item);
      item = g_list_model_get_item (rows, below (g_list_model_get_n_items (rows)));
      rows = ls_loop_item_get_children (item);
    }
  return item;
}

static void
select_row (Document *self)
{
  g_autoptr (LsLoopItem) item = any_row (self->session);

  if (item != NULL)
    ls_session_select (self->session, ls_loop_item_get (item)->id);
}

static void
go_to (Document *self)
{
  ls_session_go_to (self->session, below (g_list_model_get_n_items (ls_session_get_history (self->session)) + 1));
}

static gboolean
is_long (Document *self)
{
  return g_list_model_get_n_items (ls_session_get_history (self->session)) > MOST_STEPS;
}

static void
use_move (Document *self)
{
  static const char *const values[] = { "4", "[None, 4]", "0", "-1", "\"local\"", "x", "", "128" };
  GListModel *moves = below (2) == 0 ? ls_session_get_moves (self->session) : ls_session_watch_moves (self->session);
  guint n = g_list_model_get_n_items (moves);
  g_autoptr (LsMoveItem) move = n > 0 ? g_list_model_get_item (moves, below (n)) : NULL;

  if (move == NULL)
    return;
  switch (below (6))
    {
    case 0:
      ls_session_preview (self->session, move);
      break;
    case 1:
      ls_session_edit (self->session, move, below (3), values[below (G_N_ELEMENTS (values))]);
      break;
    case 2:
      ls_session_repair (self->session, move);
      break;
    default:
      if (!is_long (self))
        ls_session_apply (self->session, move);
      else
        open_any (self);
      break;
    }
}

static void
reorder (Document *self)
{
  g_autoptr (LsLoopItem) from = any_row (self->session), to = any_row (self->session);
  g_autofree char *reason = NULL;

  if (from != NULL && to != NULL && !is_long (self))
    ls_session_reorder (self->session, ls_loop_item_get (from)->id, ls_loop_item_get (to)->id, below (2) == 0, &reason);
}

static void
edit_step (Document *self)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (self->session));
  g_autoptr (LsMoveItem) item = n > 1 && !is_long (self) ? ls_session_edit_step (self->session, below (n)) : NULL;

  if (item == NULL)
    return;
  ls_session_edit (self->session, item, below (3), below (2) == 0 ? "8" : "[None, 2]");
  if (below (2) == 0)
    ls_session_apply (self->session, item);
}

static void
edit_text (Document *self)
{
  guint i = below (4);

  ls_session_edit_base (self->session, i == 3 ? "T.nothing" : files[i].text);
}

static void
exported (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  g_autofree char *text = ls_session_export_finish (LS_SESSION (session), result, NULL);

  n_answered++;
}

static void
export_it (Document *self)
{
  static const LsExportKind kinds[] = { LS_EXPORT_SESSION, LS_EXPORT_TRACE_PYTHON, LS_EXPORT_TRACE_JSON, LS_EXPORT_MODULE };

  n_asked++;
  ls_session_export_async (self->session, kinds[below (G_N_ELEMENTS (kinds))], NULL, exported, NULL);
}

static void
compared (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsComparison) comparison = ls_session_compare_finish (data, result);

  g_object_unref (data);
  n_answered++;
}

static void
compare (Document *self)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (self->session));
  guint left = below (n + 1), right = below (n + 1);

  if (ls_session_compare_later (self->session, left, right, NULL, compared, g_object_ref (self->session)))
    {
      n_asked++;
      return;
    }
  g_object_unref (self->session);
  {
    g_autoptr (LsComparison) comparison = ls_session_compare_steps (self->session, left, right);
  }
}

static void
file_read (GObject      *session,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (LsStepItem) item = ls_session_compare_file_finish (LS_SESSION (session), result, NULL);

  n_answered++;
}

static void
compare_file (Document *self)
{
  g_autoptr (GFile) file = file_of (below (G_N_ELEMENTS (files)));

  n_asked++;
  ls_session_compare_file_async (self->session, file, file_read, NULL);
}

static void
extracted (GObject      *model,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree char *text = ls_graph_model_extract_finish (LS_GRAPH_MODEL (model), result, NULL);

  n_answered++;
}

static void
use_graph (Document *self)
{
  static const char *const passes[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", "FuseTIR()", "Nothing()" };
  LsGraphModel *model = ls_session_get_graph (self->session);

  switch (below (7))
    {
    case 0:
      ls_graph_model_drop_pass (model);
      break;
    case 1:
      ls_graph_model_cancel (model);
      break;
    case 2:
      n_asked++;
      ls_graph_model_extract_async (model, NULL, NULL, extracted, NULL);
      break;
    case 3:
      ls_graph_model_set_folded (model, below (2) == 0);
      break;
    case 4:
      ls_graph_model_go_to (model, below (4));
      break;
    default:
      ls_graph_model_add_pass (model, passes[below (G_N_ELEMENTS (passes))]);
      break;
    }
}

static void
ask_why (Document *self)
{
  g_autoptr (LsWhy) why = ls_session_get_why (self->session, LS_WHY_BEFORE);
}

static void
describe (Document *self)
{
  guint64 row = ls_session_get_selection (self->session);
  g_autofree char *card = ls_session_describe_row (self->session, row);
  LsDependences *dependences = ls_session_find_dependences (self->session, row);

  if (dependences != NULL)
    ls_dependences_free (dependences);
}

static void
be_strict (Document *self)
{
  ls_schedule_set_strict_default (below (2) == 0);
}

static void
cancel (Document *self)
{
  ls_session_cancel (self->session);
}

static const struct { const char *name; guint weight; void (*wish) (Document *self); } all[] = {
  { "select", 14, select_row }, { "go to", 12, go_to }, { "move", 18, use_move }, { "reorder", 6, reorder }, { "edit step", 5, edit_step },
  { "edit text", 2, edit_text }, { "export", 3, export_it }, { "compare", 4, compare }, { "compare file", 2, compare_file }, { "graph", 6, use_graph },
  { "why", 3, ask_why }, { "describe", 3, describe }, { "strict", 3, be_strict }, { "open", 4, open_any }, { "another", 4, reopen }, { "cancel", 1, cancel },
};

static void
wish (void)
{
  guint sum = 0, at;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    sum += all[i].weight;
  at = below (sum);
  for (guint i = 0; i < G_N_ELEMENTS (all); at -= all[i].weight, i++)
    if (at < all[i].weight)
      {
        if (g_test_verbose ())
          g_printerr ("%s\n", all[i].name);
        all[i].wish (&documents[below (N_SESSIONS)]);
        return;
      }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void
turn (guint us)
{
  gint64 end_time = g_get_monotonic_time () + us;

  for (;;)
    {
      while (g_main_context_iteration (NULL, FALSE))
        continue;
      if (g_get_monotonic_time () >= end_time)
        return;
      g_usleep (50);            /* the processor is the threads' */
    }
}

static gboolean
is_quiet (void)
{
  for (guint i = 0; i < N_SESSIONS; i++)
    if (documents[i].session != NULL)
      return FALSE;
  return n_answered == n_asked;
}

static void
test_random (void)
{
  const char *first = g_getenv ("LS_FUZZ_SEED"), *wishes = g_getenv ("LS_RANDOM_WISHES");
  guint n = wishes != NULL ? (guint) g_ascii_strtoull (wishes, NULL, 10) : ls_test_count (QUICK, FULL);
  guint32 seed = first != NULL ? (guint32) g_ascii_strtoull (first, NULL, 10) : (guint32) g_test_rand_int ();
  gpointer gone[N_SESSIONS];

  g_test_message ("LS_FUZZ_SEED=%u", seed);
  rand_ = g_rand_new_with_seed (seed);
  write_files ();
  for (guint i = 0; i < N_SESSIONS; i++)
    begin (&documents[i]);
  for (guint i = 0; i < n; i++)
    {
      wish ();
      if (below (2) == 0)
        turn (below (6) == 0 ? below (30000) : below (2000));
    }
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      gone[i] = documents[i].session;
      g_object_add_weak_pointer (gone[i], &gone[i]);
      end (&documents[i]);
    }
  for (guint i = 0; i < 12000 && (!is_quiet () || gone[0] != NULL || gone[1] != NULL || gone[2] != NULL); i++)
    turn (10000);
  g_test_message ("%u wishes, %u answers of threads", n, n_answered);
  g_assert_cmpuint (n_answered, ==, n_asked);
  for (guint i = 0; i < N_SESSIONS; i++)
    g_assert_null (gone[i]);
  turn (100000);                /* threads that let go late */
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_free (files[i].text);
  g_rand_free (rand_);
}

/* An excerpt is read by a thread: what it says of being strict, which may be old, is no news for the schedules that it shares. */
static void
test_excerpt (void)
{
  g_autofree char *text = program (1);
  g_autoptr (LsSource) source = ls_source_new ("one.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsReady) ready = ls_ready_read (source, NULL, findings);
  LsHistory *history = ready->history, *excerpt;
  gboolean strict = !ls_history_is_strict (history);

  g_assert_nonnull (ls_history_get (history, 0));
  excerpt = ls_history_excerpt (history, 0, 0);
  ls_history_set_strict (history, strict);
  g_assert_cmpint (ls_schedule_is_strict (ls_history_get (history, 0)->schedule), ==, strict);
  g_assert_cmpint (ls_schedule_is_strict (ls_history_get (excerpt, 0)->schedule), ==, strict);
  ls_history_free (excerpt);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_all (inner);
    }
  g_remove (path);
}

int
main (int    argc,
      char **argv)
{
  LsPeaks peaks = { 50.0, 2, { { "L1", 32768, 150.0 }, { "DRAM", 1 << 28, 12.0 } } };
  int status;

  folder = g_dir_make_tmp ("loopscope-threads-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_setenv ("LS_WORKER", "/bin/false", TRUE);          /* what a worker says is looked at elsewhere */
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  ls_peaks_store (ls_host_cpu_name (), &peaks, NULL);
  g_test_add_func ("/session/excerpt", test_excerpt);
  g_test_add_func ("/session/threads", test_random);
  status = g_test_run ();
  remove_all (folder);
  g_free (folder);
  return status;
}
