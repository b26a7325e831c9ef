/* parts/icons: icons are taken apart by the main thread.
 *
 * GTK loads what an image shows in a thread, which holds the icon; where the image got another one meanwhile (other letters, another look), that
 * thread is the last to let go of it.  GTK's table of icons still has it then, and who looks it up gets an object that is being finalized.
 * dispose() may give an object back its life: an icon that is disposed of elsewhere is let go of once more here.
 */
#include "views/parts/icons.h"

static GThread *main_thread;
static void (*dispose) (GObject *icon);

static gboolean
let_go (gpointer icon)
{
  g_object_unref (icon);
  return G_SOURCE_REMOVE;
}

static void
dispose_here (GObject *icon)
{
  if (g_thread_self () == main_thread)
    dispose (icon);
  else
    g_idle_add_full (G_PRIORITY_DEFAULT, let_go, g_object_ref (icon), NULL);
}

void
ls_icons_install (void)
{
  GObjectClass *klass;

  if (main_thread != NULL)
    return;
  main_thread = g_thread_self ();
  klass = g_type_class_ref (GTK_TYPE_ICON_PAINTABLE);   /* for good */
  dispose = klass->dispose;
  klass->dispose = dispose_here;
}
