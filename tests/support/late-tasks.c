/* late-tasks: a machine on which threads are slow to let go of what they did.
 *
 * A program that is linked with this runs GLib's tasks as ever, but the thread of each holds it for a while after it was handed back, so that it is the last to
 * let go of it and takes its data apart.  And no other thread than the first may let go of a session, a document, a graph or a widget: that ends the
 * program. */
#include <dlfcn.h>
#include <gio/gio.h>
#include <unistd.h>

#define LATE_US 20000

/* ---- slow threads ------------------------------------------------------------------ */

static GQuark
func_quark (void)
{
  return g_quark_from_static_string ("late-tasks-func");
}

static gpointer
let_go (gpointer task)
{
  g_usleep (LATE_US);
  g_object_unref (task);
  return NULL;
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  GTaskThreadFunc func = (GTaskThreadFunc) g_object_get_qdata (G_OBJECT (task), func_quark ());

  func (task, source, data, cancellable);
  g_thread_unref (g_thread_new ("late", let_go, g_object_ref (task)));
}

void
g_task_run_in_thread (GTask           *task,
                      GTaskThreadFunc  func)
{
  void (*next) (GTask *, GTaskThreadFunc) = (void (*) (GTask *, GTaskThreadFunc)) dlsym (RTLD_NEXT, "g_task_run_in_thread");

  g_object_set_qdata (G_OBJECT (task), func_quark (), (gpointer) func);
  next (task, run);
}

/* ---- what belongs to the first thread ------------------------------------------------ */

static gboolean
is_of_first (gpointer object)
{
  static const char *const names[] = { "LsSession", "LsDocument", "LsGraphModel", "LsTuning", "LsAutosave", "LsSearch", "GtkWidget" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GType type = g_type_from_name (names[i]);

      if (type != 0 && G_TYPE_CHECK_INSTANCE_TYPE (object, type))
        return TRUE;
    }
  return FALSE;
}

/* Asked at each letting go, some millions a minute: the system is asked once for each thread. */
static gboolean
is_first_thread (void)
{
  static _Thread_local enum { NOT_KNOWN, FIRST, OTHER } thread;

  if (thread == NOT_KNOWN)
    thread = gettid () == getpid () ? FIRST : OTHER;
  return thread == FIRST;
}

void
g_object_unref (gpointer object)
{
  static void (*next) (gpointer);

  if (g_atomic_pointer_get (&next) == NULL)
    g_atomic_pointer_set (&next, dlsym (RTLD_NEXT, "g_object_unref"));
  if (!is_first_thread () && is_of_first (object))
    g_error ("A thread lets go of a %s, which belongs to the first one", G_OBJECT_TYPE_NAME (object));
  ((void (*) (gpointer)) g_atomic_pointer_get (&next)) (object);
}
