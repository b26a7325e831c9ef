/* autosave: what is on the disk at each moment, who takes it over, and that nothing goes which no file has. */
#include "app/session/autosave.h"
#include "app/session/copies.h"

#include "app/session/engine.h"
#include "app/session/file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char program[] =
  "@T.prim_func\n"
  "def scale(A: T.Buffer((128,)), B: T.Buffer((128,))):\n"
  "    for i in T.grid(128):\n"
  "        with T.block(\"B\"):\n"
  "            vi = T.axis.remap(\"S\", [i])\n"
  "            B[vi] = A[vi] * T.float32(2)\n";

static const char split[] =
  "b = sch.get_block(\"B\")\n"
  "i = sch.get_loops(b)[0]\n"
  "sch.split(i, factors=[None, 4])\n";

/* ---- help ------------------------------------------------------------------------ */

typedef struct {
  LsSession  *session;
  LsAutosave *autosave;
} Document;

static void
document_open (Document   *self,
               const char *name)
{
  self->session = ls_engine_session_new ();
  ls_engine_session_open_text (LS_ENGINE_SESSION (self->session), name, program, NULL);
  self->autosave = ls_autosave_new (self->session);
}


static void
document_change (Document *self)
{
  ls_engine_session_replay (LS_ENGINE_SESSION (self->session), split);
}

static gboolean
stop (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static void
run_for (guint ms)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  g_timeout_add (ms, stop, loop);
  g_main_loop_run (loop);
}

typedef struct {
  gboolean     done;
  LsSaveAnswer answer;
  GFile       *kept;
  GError      *error;
} Answer;

static void
answer_saved (GObject      *autosave,
              GAsyncResult *result,
              gpointer      data)
{
  Answer *self = data;

  self->answer = ls_autosave_save_finish (LS_AUTOSAVE (autosave), result, &self->error);
  self->done = TRUE;
}

static void
answer_closed (GObject      *autosave,
               GAsyncResult *result,
               gpointer      data)
{
  Answer *self = data;

  self->answer = ls_autosave_close_finish (LS_AUTOSAVE (autosave), result, &self->kept, &self->error);
  self->done = TRUE;
}

/* Until it has come. */
static LsSaveAnswer
take_answer (Answer  *self,
             GFile  **kept,
             GError **error)
{
  while (!self->done)
    g_main_context_iteration (NULL, TRUE);
  if (kept != NULL)
    *kept = g_steal_pointer (&self->kept);
  g_clear_object (&self->kept);
  if (self->error != NULL)
    g_propagate_error (error, self->error);
  return self->answer;
}

/* `ask`: whether another's file is to stay. */
static LsSaveAnswer
document_save (Document  *self,
               GFile     *file,
               gboolean   ask,
               GError   **error)
{
  Answer answer = { 0 };

  ls_autosave_save_async (self->autosave, file, ask, answer_saved, &answer);
  return take_answer (&answer, NULL, error);
}

static LsSaveAnswer
document_close (Document  *self,
                gboolean   leave,
                gboolean   ask,
                GFile    **kept,
                GError   **error)
{
  Answer answer = { 0 };

  if (kept != NULL)
    *kept = NULL;
  if (ls_autosave_close_at_once (self->autosave))
    return LS_SAVE_NOTHING;
  ls_autosave_close_async (self->autosave, leave, ask, answer_closed, &answer);
  return take_answer (&answer, kept, error);
}

/* As a program that ends without closing it: what is on the disk stays.  What is being written holds it until then. */
static void
document_drop (Document *self)
{
  LsAutosave *held = self->autosave;

  g_object_add_weak_pointer (G_OBJECT (held), (gpointer *) &held);
  g_clear_object (&self->autosave);
  g_clear_object (&self->session);
  for (guint i = 0; i < 3000 && held != NULL; i++)
    run_for (20);
  g_assert_null (held);
}

static char *
in_folder (const char *name)
{
  g_autofree char *folder = ls_copies_folder ();

  return g_build_filename (folder, name, NULL);
}

/* Files of the folder that begin and end so. (transfer full) of char */
static GPtrArray *
files (const char *prefix,
       const char *suffix)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = ls_copies_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix) && g_str_has_suffix (name, suffix))
      g_ptr_array_add (found, g_build_filename (folder, name, NULL));
  return found;
}

static guint
n_files (const char *prefix,
         const char *suffix)
{
  g_autoptr (GPtrArray) found = files (prefix, suffix);

  return found->len;
}

/* Runs the main loop until there are so many copies. */
static void
wait_for_copies (guint n)
{
  for (guint i = 0; i < 1200 && n_files ("open-", LS_SESSION_SUFFIX) != n; i++)
    run_for (50);
  g_assert_cmpuint (n_files ("open-", LS_SESSION_SUFFIX), ==, n);
}

/* The copies that nobody holds, when there are so many: the thread that wrote one lets go of it a moment after the document went.
 * (transfer full) of GFile */
static GPtrArray *
wait_for_left_over (guint n)
{
  GPtrArray *found = ls_copies_left_over ();

  for (guint i = 0; i < 3000 && found->len != n; i++)
    {
      g_ptr_array_unref (found);
      run_for (20);
      found = ls_copies_left_over ();
    }
  g_assert_cmpuint (found->len, ==, n);
  return found;
}

/* A member of a session file that is a text. (transfer full), or NULL */
static char *
member (const char *path,
        const char *name)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *object;

  if (!json_parser_load_from_file (parser, path, NULL))
    return NULL;
  object = json_node_get_object (json_parser_get_root (parser));
  return g_strdup (json_object_get_string_member_with_default (object, name, NULL));
}

static guint
n_steps (const char *path)
{
  g_autoptr (JsonParser) parser = json_parser_new ();

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  return json_array_get_length (json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "steps"));
}

static GFile *
own_file (const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), name, NULL);

  g_mkdir_with_parents (g_get_user_data_dir (), 0700);
  return g_file_new_for_path (path);
}

/* ---- what is on the disk ------------------------------------------------------------ */

/* While `clock_ns` is not 0 it is what the clock says, to GLib's main loop too. */
static gint64 clock_ns;

int clock_gettime (clockid_t id, struct timespec *at);

int
clock_gettime (clockid_t        id,
               struct timespec *at)
{
  if (id != CLOCK_MONOTONIC || clock_ns == 0)
    return (int) syscall (SYS_clock_gettime, id, at);
  *at = (struct timespec) { clock_ns / 1000000000, clock_ns % 1000000000 };
  return 0;
}

/* What is due now is done, and what a thread writes is written: it holds the object until then. */
static void
settle (LsAutosave *autosave)
{
  guint patience = 60000;

  while (g_main_context_iteration (NULL, FALSE) || (G_OBJECT (autosave)->ref_count > 1 && patience-- > 0))
    if (G_OBJECT (autosave)->ref_count > 1)
      g_usleep (1000);
  g_assert_cmpuint (G_OBJECT (autosave)->ref_count, ==, 1);
}

/* Keys come every 30 ms for two seconds and never pause: at each moment the disk has what was typed half a second before. */
static void
test_typing (void)
{
  Document document;
  g_autoptr (GString) text = g_string_new (program);
  guint looked = 0;

  document_open (&document, "scale.py");
  settle (document.autosave);
  g_string_append (text, "# ");
  clock_ns = g_get_monotonic_time () * 1000;
  for (guint i = 0; i < 67; i++)
    {
      guint due = i >= 16 ? i - 15 : 0;         /* the last of them came 510 ms ago */
      g_autoptr (GPtrArray) copies = NULL;
      g_autofree char *draft = NULL;

      g_string_append_c (text, 'x');
      ls_session_keep_typed (document.session, text->str);
      settle (document.autosave);
      clock_ns += 30 * 1000000;
      settle (document.autosave);
      if (due == 0)
        continue;
      copies = files ("open-", LS_SESSION_SUFFIX);
      g_assert_cmpuint (copies->len, ==, 1);
      draft = member (g_ptr_array_index (copies, 0), "draft");
      g_assert_nonnull (draft);
      g_assert_cmpuint (strlen (draft), >=, strlen (program) + 2 + due);
      looked++;
    }
  clock_ns = 0;
  g_assert_cmpuint (looked, ==, 51);
  document_drop (&document);
}

/* A readable text takes its place under the steps again; another one is the draft. */
static void
test_typed_comes_back (void)
{
  static const struct { const char *text; gboolean reads; } cases[] = { { "8", TRUE }, { "(", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Document document, later;
      g_autofree char *typed = NULL, *aside = NULL;
      g_autoptr (GPtrArray) left = NULL;
      GString *text = g_string_new (program);

      g_string_replace (text, "T.float32(2)", cases[i].reads ? "T.float32(28)" : "T.float32(2(", 0);
      typed = g_string_free (text, FALSE);
      document_open (&document, "scale.py");
      document_change (&document);
      ls_session_keep_typed (document.session, typed);
      wait_for_copies (1);
      document_drop (&document);

      left = wait_for_left_over (1);
      later.session = ls_engine_session_new ();
      later.autosave = ls_autosave_new (later.session);
      g_assert_cmpint (ls_autosave_restore (later.autosave, g_ptr_array_index (left, 0), &aside, NULL), ==, LS_AUTOSAVE_RESTORED);
      g_assert_cmpstr (ls_session_get_base (later.session), ==, typed);
      g_assert_true ((ls_session_get_draft (later.session) == NULL) == cases[i].reads);
      g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_path (later.session)), ==, 2);
      g_assert_true (ls_autosave_is_changed (later.autosave));
      ls_autosave_opened (later.autosave, NULL, NULL);
      wait_for_copies (0);
      document_drop (&later);
    }
}

static void
hand_over (LsSession *session)
{
  ls_session_edit_base (session, "# typed last\n@T.prim_func\ndef scale(A: T.Buffer((64,))):\n    T.evaluate(0)\n");
}

/* Who holds something back hands it over before anything is written or closed. */
static void
test_settles (void)
{
  Document document;
  g_autoptr (GFile) file = own_file ("settled.loopscope"), kept = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *later = NULL, *module = NULL;
  gulong handler;

  document_open (&document, "scale.py");
  handler = g_signal_connect (document.session, "settle", G_CALLBACK (hand_over), NULL);
  g_assert_cmpint (document_save (&document, file, TRUE, &error), ==, LS_SAVE_FILE);
  g_assert_no_error (error);
  text = member (g_file_peek_path (file), "module");
  g_assert_true (g_str_has_prefix (text, "# typed last"));
  document_drop (&document);

  document_open (&document, "scale.py");
  handler = g_signal_connect (document.session, "settle", G_CALLBACK (hand_over), NULL);
  module = ls_session_export (document.session, LS_EXPORT_MODULE, &error);
  g_assert_nonnull (strstr (module, "(64,)"));
  g_signal_handler_disconnect (document.session, handler);
  document_drop (&document);

  document_open (&document, "scale.py");
  g_signal_connect (document.session, "settle", G_CALLBACK (hand_over), NULL);
  g_assert_cmpint (document_close (&document, FALSE, FALSE, &kept, &error), ==, LS_SAVE_KEPT);
  g_assert_nonnull (kept);
  later = member (g_file_peek_path (kept), "module");
  g_assert_true (g_str_has_prefix (later, "# typed last"));
  document_drop (&document);
}

static guint
steps_in (GFile *file)
{
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, &length, NULL));
  return ls_session_file_count (text, (gssize) length);
}

static void
save_done (GObject      *autosave,
           GAsyncResult *result,
           gpointer      n)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (ls_autosave_save_finish (LS_AUTOSAVE (autosave), result, &error), ==, LS_SAVE_FILE);
  g_assert_no_error (error);
  ++*(guint *) n;
}

/* What changes while a thread writes is not in the file, and known not to be; who closes waits for what is under way. */
static void
test_saved_beside (void)
{
  Document document;
  g_autoptr (GFile) file = own_file ("beside.loopscope"), other = own_file ("other.loopscope"), kept = NULL;
  guint n = 0;

  document_open (&document, "scale.py");
  ls_autosave_save_async (document.autosave, file, TRUE, save_done, &n);
  g_assert_true (ls_autosave_is_saving (document.autosave));
  document_change (&document);
  for (guint i = 0; i < 3000 && n == 0; i++)
    run_for (20);
  g_assert_cmpuint (n, ==, 1);
  g_assert_false (ls_autosave_is_saving (document.autosave));
  g_assert_true (g_file_equal (ls_autosave_get_file (document.autosave), file));
  g_assert_cmpuint (steps_in (file), ==, 1);
  g_assert_true (ls_autosave_is_changed (document.autosave));
  /* Two at once, and the end. */
  ls_autosave_save_async (document.autosave, file, TRUE, save_done, &n);
  ls_autosave_save_async (document.autosave, other, TRUE, save_done, &n);
  g_assert_cmpint (document_close (&document, FALSE, FALSE, &kept, NULL), ==, LS_SAVE_NOTHING);
  g_assert_null (kept);
  g_assert_cmpuint (steps_in (file), ==, 2);
  g_assert_cmpuint (steps_in (other), ==, 2);
  for (guint i = 0; i < 3000 && n < 3; i++)
    run_for (20);
  g_assert_cmpuint (n, ==, 3);
  wait_for_copies (0);
  document_drop (&document);
}

/* What the thread writes is the document as it was, whatever becomes of it meanwhile. */
static void
test_image (void)
{
  Document document;
  LsSessionFile now;
  g_autoptr (LsSessionImage) image = NULL;
  g_autofree char *before = NULL, *after = NULL, *first = NULL, *second = NULL;

  document_open (&document, "scale.py");
  g_assert_true (ls_engine_session_peek_file (LS_ENGINE_SESSION (document.session), &now));
  before = ls_session_file_write (&now);
  first = ls_session_file_sum (&now);
  image = ls_session_image_new (&now);
  document_change (&document);
  g_assert_true (ls_engine_session_peek_file (LS_ENGINE_SESSION (document.session), &now));
  second = ls_session_file_sum (&now);
  document_drop (&document);
  after = ls_session_image_write (image);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpstr (first, !=, second);
}

/* The lines of a history, asked for from its end or one by one, are those that each step prints. */
static void
test_lines (void)
{
  LsSession *sessions[2];
  GString *steps = g_string_new ("b = sch.get_block(\"B\")\nl0 = sch.get_loops(b)[0]\n");

  for (guint i = 0; i < 6; i++)
    g_string_append_printf (steps, "l%u, x%u = sch.split(l%u, factors=[None, 2])\n", i + 1, i, i);
  for (guint i = 0; i < 2; i++)
    {
      sessions[i] = ls_engine_session_new ();
      ls_engine_session_open_text (LS_ENGINE_SESSION (sessions[i]), "scale.py", program, steps->str);
    }
  {
    LsHistory *one = ls_engine_session_get_history (LS_ENGINE_SESSION (sessions[0]));
    LsHistory *other = ls_engine_session_get_history (LS_ENGINE_SESSION (sessions[1]));
    guint n = ls_history_get_n (one);

    g_assert_cmpuint (n, ==, 7);
    ls_history_lines (one, n - 1);
    for (guint i = 0; i < n; i++)
      {
        g_autofree char *alone = ls_history_lines_in (other, i, G_MAXUINT);

        g_assert_cmpstr (ls_history_lines (one, i), ==, alone);
        g_assert_cmpstr (ls_history_lines (other, i), ==, alone);
      }
  }
  for (guint i = 0; i < 2; i++)
    g_object_unref (sessions[i]);
  g_string_free (steps, TRUE);
}

/* Going about is no change; a step, a name and what is typed are. */
static void
test_changed (void)
{
  Document document;

  document_open (&document, "scale.py");
  g_assert_false (ls_autosave_is_changed (document.autosave));
  document_change (&document);
  g_assert_true (ls_autosave_is_changed (document.autosave));
  ls_autosave_opened (document.autosave, NULL, NULL);
  ls_session_go_to (document.session, 0);
  g_assert_false (ls_autosave_is_changed (document.autosave));
  ls_session_go_to (document.session, 1);
  ls_session_name_branch (document.session, 1, "fast");
  g_assert_true (ls_autosave_is_changed (document.autosave));
  ls_autosave_opened (document.autosave, NULL, NULL);
  ls_session_keep_typed (document.session, "x");
  g_assert_true (ls_autosave_is_changed (document.autosave));
  ls_session_keep_typed (document.session, program);
  g_assert_false (ls_autosave_is_changed (document.autosave));
  document_drop (&document);
}

/* ---- kept work ------------------------------------------------------------------------ */

/* Two that are closed in the same second have the same title: both stay. */
static void
test_both_kept (void)
{
  Document one, two;
  g_autoptr (GFile) first = NULL, second = NULL;

  document_open (&one, "scale.py");
  document_open (&two, "scale.py");
  document_change (&one);
  ls_session_edit_base (two.session, "# the other\n");
  wait_for_copies (2);
  g_assert_cmpint (document_close (&one, FALSE, FALSE, &first, NULL), ==, LS_SAVE_KEPT);
  g_assert_cmpint (document_close (&two, FALSE, FALSE, &second, NULL), ==, LS_SAVE_KEPT);
  g_assert_false (g_file_equal (first, second));
  g_assert_cmpuint (n_files ("closed-", LS_SESSION_SUFFIX), ==, 2);
  g_assert_cmpuint (n_steps (g_file_peek_path (first)), ==, 2);
  g_assert_cmpuint (n_steps (g_file_peek_path (second)), ==, 1);
  document_drop (&one);
  document_drop (&two);
  g_assert_cmpuint (n_files ("open-", ""), ==, 0);
}

static void
test_none_pruned (void)
{
  g_autoptr (GPtrArray) kept = NULL;
  g_autofree char *folder = ls_copies_folder ();

  g_mkdir_with_parents (folder, 0700);
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("closed-2020-01-%02u-120000-old.loopscope", i + 1);
      g_autofree char *path = in_folder (name);

      g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
    }
  for (guint i = 0; i < 3; i++)
    {
      Document document;

      document_open (&document, "scale.py");
      document_change (&document);
      g_assert_cmpint (document_close (&document, FALSE, FALSE, NULL, NULL), ==, LS_SAVE_KEPT);
      document_drop (&document);
    }
  kept = ls_copies_kept ();
  g_assert_cmpuint (kept->len, ==, 23);
  {
    g_autofree char *latest = g_file_get_basename (g_ptr_array_index (kept, 0));

    g_assert_false (g_str_has_prefix (latest, "closed-2020"));
  }
}

/* A title is text of the program and may be anything. */
static void
test_odd_title (void)
{
  Document document;
  g_autoptr (GFile) kept = NULL;
  g_autofree char *long_name = g_strnfill (400, 'f');
  g_autofree char *text = g_strdup_printf ("@T.prim_func\ndef %s(A: T.Buffer((64,))):\n    T.evaluate(0)\n", long_name);

  document.session = ls_engine_session_new ();
  ls_engine_session_open_text (LS_ENGINE_SESSION (document.session), "x.py", text, NULL);
  document.autosave = ls_autosave_new (document.session);
  ls_session_edit_base (document.session, "# ../../../x\n");
  g_assert_cmpint (document_close (&document, FALSE, FALSE, &kept, NULL), ==, LS_SAVE_KEPT);
  g_assert_true (ls_copies_own (kept));
  document_drop (&document);
}

/* ---- whose copy it is --------------------------------------------------------------------- */

/* A copy whose program lives is left alone, also by another document of the same program. */
static void
test_live (void)
{
  Document document;
  g_autoptr (GPtrArray) left = NULL;

  document_open (&document, "scale.py");
  document_change (&document);
  wait_for_copies (1);
  left = ls_copies_left_over ();
  g_assert_cmpuint (left->len, ==, 0);
  document_drop (&document);
}

/* In a container each start may have the same number: its copy is neither taken for one's own nor deleted. */
static void
test_same_number (void)
{
  Document document;
  g_autofree char *folder = ls_copies_folder ();
  g_autofree char *name = g_strdup_printf ("open-%d-0.loopscope", (int) getpid ());
  g_autofree char *path = in_folder (name);
  g_autoptr (GPtrArray) left = NULL;

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  document_open (&document, "scale.py");
  document_change (&document);
  wait_for_copies (2);
  g_assert_cmpint (document_close (&document, FALSE, FALSE, NULL, NULL), ==, LS_SAVE_KEPT);
  document_drop (&document);
  left = wait_for_left_over (1);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Two programs that start at once: one gets it. */
static void
test_taken_once (void)
{
  Document document, one, two;
  g_autoptr (GPtrArray) left = NULL;
  g_autofree char *aside = NULL;

  document_open (&document, "scale.py");
  document_change (&document);
  wait_for_copies (1);
  document_drop (&document);
  left = wait_for_left_over (1);
  one.session = ls_engine_session_new ();
  one.autosave = ls_autosave_new (one.session);
  two.session = ls_engine_session_new ();
  two.autosave = ls_autosave_new (two.session);
  g_assert_cmpint (ls_autosave_restore (one.autosave, g_ptr_array_index (left, 0), &aside, NULL), ==, LS_AUTOSAVE_RESTORED);
  g_assert_cmpint (ls_autosave_restore (two.autosave, g_ptr_array_index (left, 0), &aside, NULL), ==, LS_AUTOSAVE_TAKEN);
  wait_for_copies (1);
  document_drop (&one);
  document_drop (&two);
}

/* What cannot be read stays under another name, and a second one beside it. */
static void
test_broken (void)
{
  g_autofree char *folder = ls_copies_folder ();

  g_mkdir_with_parents (folder, 0700);
  for (guint i = 0; i < 2; i++)
    {
      Document document;
      g_autofree char *path = in_folder ("open-1999999999-0.loopscope"), *aside = NULL;
      g_autoptr (GPtrArray) left = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, "{ \"format\": ", -1, NULL));
      left = wait_for_left_over (1);
      document.session = ls_engine_session_new ();
      document.autosave = ls_autosave_new (document.session);
      g_assert_cmpint (ls_autosave_restore (document.autosave, g_ptr_array_index (left, 0), &aside, &error), ==, LS_AUTOSAVE_BROKEN);
      g_assert_nonnull (error);
      g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
      document_drop (&document);
    }
  g_assert_cmpuint (n_files ("open-", ".broken"), ==, 2);
}

/* ---- two on one file ------------------------------------------------------------------------- */

/* The second that saves is told, and what it did is kept when it closes; the file stays that of the first. */
static void
test_one_file (void)
{
  Document one, two;
  g_autoptr (GFile) file = own_file ("shared.loopscope"), kept = NULL;
  g_autofree char *before = NULL, *after = NULL;

  document_open (&one, "scale.py");
  g_assert_cmpint (document_save (&one, file, TRUE, NULL), ==, LS_SAVE_FILE);
  two.session = ls_engine_session_new ();
  ls_session_open (two.session, file);
  two.autosave = ls_autosave_new (two.session);
  ls_autosave_opened (two.autosave, file, NULL);
  document_change (&one);
  ls_session_edit_base (two.session, "# of the second\n");
  g_assert_cmpint (document_save (&one, file, TRUE, NULL), ==, LS_SAVE_FILE);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &before, NULL, NULL));
  g_assert_cmpint (document_close (&two, FALSE, TRUE, NULL, NULL), ==, LS_SAVE_OTHER);
  g_assert_cmpint (document_close (&two, FALSE, FALSE, &kept, NULL), ==, LS_SAVE_KEPT);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_assert_nonnull (kept);
  {
    g_autofree char *draft = member (g_file_peek_path (kept), "draft");

    g_assert_cmpstr (draft, ==, "# of the second\n");
  }
  document_drop (&one);
  document_drop (&two);
}

/* The file changes, within the same second, while the program that had it is dead: the restored document knows. */
static void
test_origin_changed (void)
{
  Document document, later;
  g_autoptr (GFile) file = own_file ("origin.loopscope");
  g_autoptr (GPtrArray) left = NULL;
  g_autofree char *aside = NULL;

  document_open (&document, "scale.py");
  g_assert_cmpint (document_save (&document, file, TRUE, NULL), ==, LS_SAVE_FILE);
  document_change (&document);
  wait_for_copies (1);
  document_drop (&document);
  g_assert_true (g_file_set_contents (g_file_peek_path (file), "{}", -1, NULL));
  left = wait_for_left_over (1);
  later.session = ls_engine_session_new ();
  later.autosave = ls_autosave_new (later.session);
  g_assert_cmpint (ls_autosave_restore (later.autosave, g_ptr_array_index (left, 0), &aside, NULL), ==, LS_AUTOSAVE_RESTORED);
  g_assert_true (g_file_equal (ls_autosave_get_file (later.autosave), file));
  g_assert_cmpint (document_save (&later, file, TRUE, NULL), ==, LS_SAVE_OTHER);
  document_drop (&later);
}

/* ---- disks that take nothing ------------------------------------------------------------------- */

static void
count_up (LsAutosave *autosave,
          const char *why,
          guint      *n)
{
  g_assert_cmpstr (why, !=, "");
  ++*n;
}

/* A file has the name of the folder. */
static void
test_closed_folder (void)
{
  Document document;
  g_autofree char *folder = ls_copies_folder (), *parent = g_path_get_dirname (folder);
  g_autoptr (GFile) file = own_file ("elsewhere.loopscope");
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_mkdir_with_parents (parent, 0700);
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  document_open (&document, "scale.py");
  g_signal_connect (document.autosave, "failed", G_CALLBACK (count_up), &n);
  document_change (&document);
  for (guint i = 0; i < 1200 && n == 0; i++)
    run_for (50);
  ls_session_keep_typed (document.session, "x");
  run_for (500);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (document_close (&document, FALSE, FALSE, NULL, &error), ==, LS_SAVE_FAILED);
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_cmpint (document_close (&document, TRUE, FALSE, NULL, &error), ==, LS_SAVE_FAILED);
  g_assert_true (ls_autosave_is_changed (document.autosave));
  /* The folder can be made again: what could not be written then is, without another change. */
  g_unlink (folder);
  wait_for_copies (1);
  g_assert_cmpint (document_save (&document, file, TRUE, NULL), ==, LS_SAVE_FILE);
  wait_for_copies (0);
  g_assert_cmpint (document_close (&document, FALSE, FALSE, NULL, NULL), ==, LS_SAVE_NOTHING);
  document_drop (&document);
}

/* In a child, whose files may not grow: as on a disk that is full.  What was whole before is whole after. */
static void
full_disk (GFile *file)
{
  struct rlimit limit = { 300, 300 };
  Document document;
  g_autoptr (GError) error = NULL;

  signal (SIGXFSZ, SIG_IGN);
  document.session = ls_engine_session_new ();
  ls_session_open (document.session, file);
  document.autosave = ls_autosave_new (document.session);
  ls_autosave_opened (document.autosave, file, NULL);
  document_change (&document);
  wait_for_copies (1);
  setrlimit (RLIMIT_FSIZE, &limit);
  ls_session_edit_base (document.session, "# more\n");
  run_for (500);
  g_assert_cmpint (document_save (&document, file, TRUE, &error), ==, LS_SAVE_FAILED);
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_cmpint (document_close (&document, FALSE, FALSE, NULL, &error), ==, LS_SAVE_FAILED);
  g_assert_nonnull (error);
  g_print ("reached the end\n");
  fflush (stdout);
  kill (getpid (), SIGKILL);
}

static void
test_full_disk (void)
{
  Document document;
  g_autoptr (GFile) file = own_file ("full.loopscope");
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GPtrArray) left = NULL, copies = NULL;

  if (g_test_subprocess ())
    {
      g_autoptr (GFile) given = g_file_new_for_path (g_getenv ("LS_TEST_FILE"));

      full_disk (given);
      return;
    }
  document_open (&document, "scale.py");
  g_assert_cmpint (document_save (&document, file, TRUE, NULL), ==, LS_SAVE_FILE);
  document_drop (&document);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &before, NULL, NULL));
  g_setenv ("LS_TEST_FILE", g_file_peek_path (file), TRUE);
  g_setenv ("LS_TEST_STATE", g_get_user_state_dir (), TRUE);
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stdout ("*reached the end*");
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  copies = files ("open-", LS_SESSION_SUFFIX);
  g_assert_cmpuint (copies->len, ==, 1);
  g_assert_cmpuint (n_steps (g_ptr_array_index (copies, 0)), ==, 2);
  left = wait_for_left_over (1);
}

int
main (int    argc,
      char **argv)
{
  gboolean child = g_getenv ("LS_TEST_STATE") != NULL;

  /* The child looks into the folder of its parent. */
  if (child)
    {
      g_setenv ("XDG_STATE_HOME", g_getenv ("LS_TEST_STATE"), TRUE);
      g_test_init (&argc, &argv, NULL);
    }
  else
    g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/autosave/typing", test_typing);
  g_test_add_func ("/autosave/typed-comes-back", test_typed_comes_back);
  g_test_add_func ("/autosave/settles", test_settles);
  g_test_add_func ("/autosave/saved-beside", test_saved_beside);
  g_test_add_func ("/autosave/image", test_image);
  g_test_add_func ("/autosave/lines", test_lines);
  g_test_add_func ("/autosave/changed", test_changed);
  g_test_add_func ("/autosave/both-kept", test_both_kept);
  g_test_add_func ("/autosave/none-pruned", test_none_pruned);
  g_test_add_func ("/autosave/odd-title", test_odd_title);
  g_test_add_func ("/autosave/live", test_live);
  g_test_add_func ("/autosave/same-number", test_same_number);
  g_test_add_func ("/autosave/taken-once", test_taken_once);
  g_test_add_func ("/autosave/broken", test_broken);
  g_test_add_func ("/autosave/one-file", test_one_file);
  g_test_add_func ("/autosave/origin-changed", test_origin_changed);
  g_test_add_func ("/autosave/closed-folder", test_closed_folder);
  g_test_add_func ("/autosave/full-disk", test_full_disk);
  return g_test_run ();
}
