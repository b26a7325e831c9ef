/* tool/window: a parent knows its windows by the data of its own object, under the name of their kind.
 *
 * A tool window is no dialog: it may stand behind its parent, beside it, on another screen.  It goes when its parent goes.
 */
#include "app/tool/window.h"

#include "app/base/settings.h"
#include "views/parts/theme.h"

#include <adwaita.h>

#define LEAST 120               /* a size below it was no size */

static void
close_by_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

/* ---- how large: wanted with letters of the usual size, given with those of today, and cut to the screen ------------- */

typedef struct {
  int wanted, given;            /* pixels; less than nothing: as large as it needs */
} Side;

typedef struct {
  Side width, height;
} Size;

static const Size unknown = { { -1, -1 }, { -1, -1 } };  /* of a window that came with a size of its own */

#define SIZE "ls-tool-size"

/* With larger letters it is larger, as far as the screen goes. */
static int
grown (int size,
       int room)
{
  return size < 0 ? size : MIN (ls_theme_grow (size), MAX (room, 0));
}

static void
give_size (GtkWidget *window,
           int        width,
           int        height)
{
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (gdk_display_get_monitors (gtk_widget_get_display (window)), 0);
  GdkRectangle room = { 0, 0, G_MAXINT, G_MAXINT };
  Size *size = g_new (Size, 1);

  if (monitor != NULL)
    gdk_monitor_get_geometry (monitor, &room);
  *size = (Size) { { width, grown (width, room.width) }, { height, grown (height, room.height) } };
  gtk_window_set_default_size (GTK_WINDOW (window), size->width.given, size->height.given);
  g_object_set_data_full (G_OBJECT (window), SIZE, size, g_free);
}

/* What to ask for next time.  A side that nobody changed wants what it wanted, however much of it the screen cut off. */
static int
wanted (const Side *side,
        int         now)
{
  int scale = ls_theme_get_scale ();

  return side->given == now ? side->wanted : (now * 100 + scale - 1) / scale;
}

/* ---- with its parent ---------------------------------------------------------------- */

#define PARENT "ls-tool-parent"

GtkWindow *
ls_tool_window_get_parent (GtkWidget *window)
{
  return g_object_get_data (G_OBJECT (window), PARENT);
}

static void
parent_goes (GtkWidget *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The title of the parent is the document's: it stands below that of the tool. */
static void
name_document (GtkWindow      *parent,
               GParamSpec     *pspec,
               AdwWindowTitle *title)
{
  const char *name = gtk_window_get_title (parent);

  adw_window_title_set_subtitle (title, name != NULL ? name : "");
}

static GtkWidget *
header_new (GtkWindow  *parent,
            const char *title)
{
  GtkWidget *header = gtk_header_bar_new (), *words = adw_window_title_new (title, NULL);

  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (header), words);
  name_document (parent, NULL, ADW_WINDOW_TITLE (words));
  g_signal_connect_object (parent, "notify::title", G_CALLBACK (name_document), words, 0);
  return header;
}

void
ls_tool_window_set_title (GtkWidget  *window,
                          const char *title)
{
  GtkWidget *header = gtk_window_get_titlebar (GTK_WINDOW (window));

  gtk_window_set_title (GTK_WINDOW (window), title);
  adw_window_title_set_title (ADW_WINDOW_TITLE (gtk_header_bar_get_title_widget (GTK_HEADER_BAR (header))), title);
}

void
ls_tool_window_join (GtkWidget *window,
                     GtkWindow *parent)
{
  g_object_set_data (G_OBJECT (window), PARENT, parent);
  g_signal_connect_object (parent, "destroy", G_CALLBACK (parent_goes), window, G_CONNECT_SWAPPED);
  close_by_escape (window);
}

GtkWidget *
ls_tool_window_new (GtkWindow  *parent,
                    const char *title,
                    int         width,
                    int         height,
                    GtkWidget  *content,
                    GtkWidget  *foot)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_titlebar (GTK_WINDOW (window), header_new (parent, title));
  gtk_window_set_application (GTK_WINDOW (window), gtk_window_get_application (parent));
  ls_tool_window_join (window, parent);
  give_size (window, width, height);
  gtk_widget_add_css_class (window, "loopscope");
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (box), content);
  if (foot != NULL)
    {
      gtk_widget_add_css_class (foot, "pane-footer");
      gtk_label_set_wrap (GTK_LABEL (foot), TRUE);
      gtk_box_append (GTK_BOX (box), foot);
    }
  gtk_window_set_child (GTK_WINDOW (window), box);
  return window;
}

/* ---- its size, from one time to the next ---------------------------------------------- */

static void
keep_size (GtkWidget *window)
{
  const char *kind = g_object_get_data (G_OBJECT (window), "ls-kind");
  const Size *given = g_object_get_data (G_OBJECT (window), SIZE), *size = given != NULL ? given : &unknown;
  g_autoptr (GVariant) old = g_settings_get_value (ls_settings_get (), "tool-windows");
  GVariantBuilder builder;
  GVariantIter iter;
  const char *name;
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  if (width < LEAST || height < LEAST || gtk_window_is_maximized (GTK_WINDOW (window)))
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{s(ii)}"));
  g_variant_builder_add (&builder, "{s(ii)}", kind, wanted (&size->width, width), wanted (&size->height, height));
  g_variant_iter_init (&iter, old);
  while (g_variant_iter_next (&iter, "{&s(ii)}", &name, &width, &height))
    if (g_strcmp0 (name, kind) != 0)
      g_variant_builder_add (&builder, "{s(ii)}", name, width, height);
  g_settings_set_value (ls_settings_get (), "tool-windows", g_variant_builder_end (&builder));
}

static void
take_size (GtkWidget  *window,
           const char *kind)
{
  g_autoptr (GVariant) sizes = g_settings_get_value (ls_settings_get (), "tool-windows");
  int width, height;

  if (g_variant_lookup (sizes, kind, "(ii)", &width, &height) && width >= LEAST && height >= LEAST)
    give_size (window, width, height);
}

/* ---- one of a kind ------------------------------------------------------------------ */

static char *
name_of_kind (const char *key)
{
  return g_strconcat ("ls-tool-", key, NULL);
}

/* Another may have taken its place. */
static void
forget (GtkWidget *window,
        GtkWindow *parent)
{
  g_autofree char *name = name_of_kind (g_object_get_data (G_OBJECT (window), "ls-kind"));

  if (g_object_get_data (G_OBJECT (parent), name) == window)
    g_object_set_data (G_OBJECT (parent), name, NULL);
}

void
ls_tool_window_keep (GtkWidget      *window,
                     const char     *key,
                     gpointer        data,
                     GDestroyNotify  data_free)
{
  GtkWindow *parent = ls_tool_window_get_parent (window);
  g_autofree char *name = name_of_kind (key);

  g_object_set_data_full (G_OBJECT (window), "ls-kind", g_strdup (key), g_free);
  g_object_set_data_full (G_OBJECT (window), name, data, data_free);
  g_object_set_data (G_OBJECT (parent), name, window);
  g_signal_connect_object (window, "destroy", G_CALLBACK (forget), parent, 0);
  take_size (window, key);
  g_signal_connect (window, "unmap", G_CALLBACK (keep_size), NULL);
}

gpointer
ls_tool_window_find (GtkWindow  *parent,
                     const char *key)
{
  g_autofree char *name = name_of_kind (key);
  GtkWidget *window = g_object_get_data (G_OBJECT (parent), name);

  return window != NULL ? g_object_get_data (G_OBJECT (window), name) : NULL;
}
