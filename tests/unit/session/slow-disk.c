/* slow-disk: on a disk that takes its time the main thread never waits for it, whatever is saved or closed, and nothing is lost or left
 * behind by that.
 *
 * fsync() is this program's own: it says who waits, and for how long; while `held` it goes on waiting.
 */
#include "app/session/autosave.h"
#include "app/session/copies.h"
#include "app/session/engine.h"
#include "app/session/file.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOW_MS 400

static const char program[] =
  "@T.prim_func\n"
  "def scale(A: T.Buffer((128,)), B: T.Buffer((128,))):\n"
  "    for i in T.grid(128):\n"
  "        with T.block(\"B\"):\n"
  "            vi = T.axis.remap(\"S\", [i])\n"
  "            B[vi] = A[vi] * T.float32(2)\n";

static GThread *main_thread;
static int n_on_main, n_beside; /* calls; atomic, as the next */
static int n_waiting;           /* of them, now */
static int held;

int
fsync (int file)
{
  int status;

  g_atomic_int_inc (g_thread_self () == main_thread ? &n_on_main : &n_beside);
  g_atomic_int_inc (&n_waiting);
  g_usleep (SLOW_MS * 1000);
  while (g_atomic_int_get (&held) && g_thread_self () != main_thread)
    g_usleep (1000);
  status = (int) syscall (SYS_fsync, file);
  g_atomic_int_add (&n_waiting, -1);
  return status;
}

typedef struct {
  LsSession   *session;
  LsAutosave  *autosave;
  GFile       *file;
  gboolean     done;
  LsSaveAnswer answer;
} Document;

static void
saved (GObject      *autosave,
       GAsyncResult *result,
       gpointer      data)
{
  Document *self = data;

  self->answer = ls_autosave_save_finish (LS_AUTOSAVE (autosave), result, NULL);
  self->done = TRUE;
}

static void
closed (GObject      *autosave,
        GAsyncResult *result,
        gpointer      data)
{
  Document *self = data;
  g_autoptr (GError) error = NULL;

  self->answer = ls_autosave_close_finish (LS_AUTOSAVE (autosave), result, NULL, &error);
  g_assert_no_error (error);
  self->done = TRUE;
}

static void
turn (void)
{
  g_main_context_iteration (NULL, FALSE);
  g_usleep (1000);
}

static void
wait_until_done (Document *self)
{
  while (!self->done)
    turn ();
  self->done = FALSE;
}

/* A thread waits for the disk now. */
static void
wait_until_waiting (void)
{
  for (guint i = 0; i < 60000 && g_atomic_int_get (&n_waiting) == 0; i++)
    turn ();
  g_assert_cmpint (g_atomic_int_get (&n_waiting), >, 0);
}

static guint
n_copies (void)
{
  g_autofree char *folder = ls_copies_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, "open-") && g_str_has_suffix (name, LS_SESSION_SUFFIX);
  return n;
}

static void
wait_until_copied (void)
{
  for (guint i = 0; i < 60000 && (n_copies () == 0 || g_atomic_int_get (&n_waiting) > 0); i++)
    turn ();
  g_assert_cmpuint (n_copies (), ==, 1);
}

static void
write_program (Document *self,
               const char *words)
{
  g_autofree char *text = g_strconcat ("# ", words, "\n", program, NULL);

  ls_session_edit_base (self->session, text);
}

static void
document_open (Document   *self,
               const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), name, NULL);

  g_mkdir_with_parents (g_get_user_state_dir (), 0700);
  *self = (Document) { .session = ls_engine_session_new (), .file = g_file_new_for_path (path) };
  ls_engine_session_open_text (LS_ENGINE_SESSION (self->session), "scale.py", program, NULL);
  self->autosave = ls_autosave_new (self->session);
  g_atomic_int_set (&n_on_main, 0);
  g_atomic_int_set (&n_beside, 0);
}

static void
document_save (Document *self)
{
  ls_autosave_save_async (self->autosave, self->file, TRUE, saved, self);
  wait_until_done (self);
  g_assert_cmpint (self->answer, ==, LS_SAVE_FILE);
}

/* The main thread has never waited. */
static void
document_drop (Document *self)
{
  LsAutosave *alive = self->autosave;

  g_assert_cmpint (g_atomic_int_get (&n_on_main), ==, 0);
  g_object_add_weak_pointer (G_OBJECT (alive), (gpointer *) &alive);
  g_clear_object (&self->autosave);
  g_clear_object (&self->session);
  for (guint i = 0; i < 60000 && alive != NULL; i++)
    turn ();
  g_assert_null (alive);
  g_clear_object (&self->file);
}

static gboolean
file_has (Document   *self,
          const char *words)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (g_file_peek_path (self->file), &text, NULL, NULL) && strstr (text, words) != NULL;
}

/* What changed is in its file when it is closed, also what changes while it closes; no copy is left. */
static void
test_closed (void)
{
  Document document;

  document_open (&document, "closed.loopscope");
  document_save (&document);
  write_program (&document, "first");
  g_assert_false (ls_autosave_close_at_once (document.autosave));
  ls_autosave_close_async (document.autosave, FALSE, FALSE, closed, &document);
  wait_until_waiting ();
  g_assert_false (document.done);
  write_program (&document, "second");
  wait_until_done (&document);
  g_assert_cmpint (document.answer, ==, LS_SAVE_FILE);
  g_assert_true (file_has (&document, "# second"));
  g_assert_cmpuint (n_copies (), ==, 0);
  document_drop (&document);
}

static void
hand_over (LsSession *session,
           Document  *document)
{
  g_signal_handlers_disconnect_by_func (session, hand_over, document);
  write_program (document, "typed last");
}

/* What an editor holds back until the very end is written too. */
static void
test_held_back (void)
{
  Document document;

  document_open (&document, "held.loopscope");
  document_save (&document);
  write_program (&document, "first");
  ls_autosave_close_async (document.autosave, FALSE, FALSE, closed, &document);
  wait_until_waiting ();
  g_signal_connect (document.session, "settle", G_CALLBACK (hand_over), &document);
  wait_until_done (&document);
  g_assert_cmpint (document.answer, ==, LS_SAVE_FILE);
  g_assert_true (file_has (&document, "# typed last"));
  document_drop (&document);
}

/* Without a file it is among the kept work, on the disk itself. */
static void
test_kept (void)
{
  Document document;
  g_autoptr (GPtrArray) kept = NULL;

  document_open (&document, "none");
  write_program (&document, "kept");
  g_assert_false (ls_autosave_close_at_once (document.autosave));
  ls_autosave_close_async (document.autosave, FALSE, FALSE, closed, &document);
  wait_until_done (&document);
  g_assert_cmpint (document.answer, ==, LS_SAVE_KEPT);
  g_assert_cmpint (g_atomic_int_get (&n_beside), >, 0);
  kept = ls_copies_kept ();
  g_assert_cmpuint (kept->len, ==, 1);
  g_assert_cmpuint (n_copies (), ==, 0);
  document_drop (&document);
}

/* A copy that is not wanted any more, while it is being written: nobody waits, and it is gone in the end. */
static void
test_retired (void)
{
  Document document;

  document_open (&document, "retired.loopscope");
  write_program (&document, "one");
  wait_until_copied ();
  g_atomic_int_set (&held, TRUE);
  write_program (&document, "two");
  wait_until_waiting ();
  ls_autosave_opened (document.autosave, NULL, NULL);
  g_assert_cmpint (g_atomic_int_get (&n_waiting), >, 0);
  g_atomic_int_set (&held, FALSE);
  for (guint i = 0; i < 60000 && g_atomic_int_get (&n_waiting) > 0; i++)
    turn ();
  for (guint i = 0; i < 60000 && n_copies () > 0; i++)
    turn ();
  g_assert_cmpuint (n_copies (), ==, 0);
  document_drop (&document);
}

/* What was changed is as it was again, and the copy is still being written: who closes leaves none behind. */
static void
test_closed_in_copy (void)
{
  Document document;

  document_open (&document, "in-copy.loopscope");
  write_program (&document, "one");
  wait_until_copied ();
  g_atomic_int_set (&held, TRUE);
  write_program (&document, "two");
  wait_until_waiting ();
  ls_session_edit_base (document.session, program);
  g_assert_false (ls_autosave_is_changed (document.autosave));
  g_assert_false (ls_autosave_close_at_once (document.autosave));
  ls_autosave_close_async (document.autosave, FALSE, FALSE, closed, &document);
  g_assert_cmpint (g_atomic_int_get (&n_waiting), >, 0);
  g_atomic_int_set (&held, FALSE);
  wait_until_done (&document);
  g_assert_cmpint (document.answer, ==, LS_SAVE_NOTHING);
  g_assert_cmpuint (n_copies (), ==, 0);
  document_drop (&document);
}

int
main (int    argc,
      char **argv)
{
  main_thread = g_thread_self ();
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/slow-disk/closed", test_closed);
  g_test_add_func ("/slow-disk/held-back", test_held_back);
  g_test_add_func ("/slow-disk/kept", test_kept);
  g_test_add_func ("/slow-disk/retired", test_retired);
  g_test_add_func ("/slow-disk/closed-in-copy", test_closed_in_copy);
  return g_test_run ();
}
