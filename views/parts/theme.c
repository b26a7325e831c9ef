/* parts/theme: four providers: tokens (light.css or dark.css), style.css, text size, and high contrast over them. */
#include "views/parts/theme.h"

#include "views/parts/icons.h"
#include "views/parts/syntax.h"
#include "views/parts/toplevel.h"
#include "views/parts/words.h"

#include "views/canvas/look.h"

#include "data/ls-resources.h"

#define ICON_SIZE 16            /* symbolic icons grow with the letters */

typedef struct {
  GtkCssProvider *tokens;
  GtkCssProvider *style;
  GtkCssProvider *size;
  GtkCssProvider *contrast;
  GtkCssProvider *flat;         /* without a compositor */
  LsScheme        scheme;
  int             percent;
  gboolean        dark;
  gboolean        contrast_wanted;
} Theme;

static Theme theme = { .percent = 100 };

void
ls_views_init (void)
{
  static gsize once;

  if (!g_once_init_enter (&once))
    return;
  g_resources_register (ls_get_resource ());
  g_once_init_leave (&once, 1);
}

/* The file of the resource as text. (transfer full) */
static char *
sheet (const char *name)
{
  g_autofree char *path = g_strconcat (LS_LOOK_RESOURCE, name, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);

  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) : g_strdup ("");
}

static void
apply_contrast (void)
{
  g_autofree char *tokens = sheet (theme.dark ? "contrast-dark.css" : "contrast-light.css");
  g_autofree char *rules = sheet ("contrast.css");
  g_autofree char *css = ls_theme_is_contrast () ? g_strconcat (tokens, rules, NULL) : g_strdup ("");

  gtk_css_provider_load_from_data (theme.contrast, css, -1);
  ls_look_forget ();
  ls_syntax_set_look (theme.dark, ls_theme_is_contrast ());
}

static void
forget_sizes (GtkWidget *root)
{
  gtk_widget_queue_resize (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    forget_sizes (child);
}

/* GTK keeps what a widget asked for until the widget has its new style, which is in the next frame, and what is presented before is measured
 * at once, with old sizes beside new ones. */
static void
forget_all_sizes (void)
{
  GListModel *tops = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (tops, i);

      forget_sizes (top);
    }
}

static void
apply (void)
{
  gboolean dark = theme.scheme == LS_SCHEME_DARK || (theme.scheme == LS_SCHEME_SYSTEM && ls_desktop_get ()->dark);

  theme.dark = dark;
  gtk_css_provider_load_from_resource (theme.tokens, dark ? LS_LOOK_RESOURCE "dark.css"
                                                          : LS_LOOK_RESOURCE "light.css");
  ls_desktop_ask (theme.scheme);
  apply_contrast ();
}

static void
apply_size (void)
{
  int scale = ls_theme_get_scale ();
  g_autofree char *icons = g_strdup_printf ("window.loopscope image { -gtk-icon-size: %dpx; }", ICON_SIZE * scale / 100);
  /* A graph is laid out with the letters of the window, wherever it stands, and made larger by its zoom.  GTK's own style gives popovers
   * the desktop's letters, whatever the window has. */
  g_autofree char *css = g_strdup_printf ("window.loopscope { font-size: %d%%; }\n"
                                          "window.presenter graphcanvas, window.loopscope popover.background, tooltip.background { font-size: %d.%02drem; }\n%s",
                                          theme.percent, theme.percent / 100, theme.percent % 100, scale > 100 ? icons : "");

  gtk_css_provider_load_from_data (theme.size, css, -1);
  forget_all_sizes ();
}

static void
desktop_changed (void)
{
  apply ();
  apply_size ();
}

/* Without a compositor what is transparent is black: popovers then are plain boxes. */
static void
follow_compositor (GdkDisplay *display)
{
  gtk_css_provider_load_from_data (theme.flat, gdk_display_is_composited (display) ? "" :
    "popover.background { background: @ls_view; }"
    "popover.background > contents { background: @ls_view; box-shadow: none; border: 1px solid @ls_border; border-radius: 0; }"
    "popover.background > arrow { background: @ls_view; border: none; box-shadow: none; }"
    "tooltip.background { border-radius: 0; }", -1);
}

void
ls_theme_install (GdkDisplay *display)
{
  if (theme.tokens != NULL)
    return;

  ls_views_init ();
  ls_icons_install ();
  ls_words_install ();
  ls_toplevel_install ();
  theme.tokens = gtk_css_provider_new ();
  theme.style = gtk_css_provider_new ();
  theme.size = gtk_css_provider_new ();
  theme.contrast = gtk_css_provider_new ();
  theme.flat = gtk_css_provider_new ();
  follow_compositor (display);
  g_signal_connect (display, "notify::composited", G_CALLBACK (follow_compositor), NULL);
  gtk_css_provider_load_from_resource (theme.style, LS_LOOK_RESOURCE "style.css");
  ls_desktop_follow (desktop_changed);
  desktop_changed ();
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.tokens),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.size),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.flat),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.contrast),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  /* Who tabs to words that can be copied has not asked for all of them. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
}

void
ls_theme_set_scheme (LsScheme scheme)
{
  theme.scheme = scheme;
  if (theme.tokens != NULL)
    apply ();
}

LsScheme
ls_theme_get_scheme (void)
{
  return theme.scheme;
}

void
ls_theme_set_contrast (gboolean wanted)
{
  theme.contrast_wanted = wanted;
  if (theme.contrast != NULL)
    apply_contrast ();
}

gboolean
ls_theme_get_contrast (void)
{
  return theme.contrast_wanted;
}

gboolean
ls_theme_is_contrast (void)
{
  return theme.contrast_wanted || ls_desktop_get ()->contrast;
}

gboolean
ls_theme_is_dark (void)
{
  return theme.dark;
}

void
ls_theme_set_text_size (int percent)
{
  theme.percent = CLAMP (percent, LS_TEXT_SIZE_MIN, LS_TEXT_SIZE_MAX);
  if (theme.size != NULL)
    apply_size ();
}

int
ls_theme_get_text_size (void)
{
  return theme.percent;
}

int
ls_theme_get_scale (void)
{
  return MAX (100, theme.percent * ls_desktop_get ()->letters / 100);
}

int
ls_theme_grow (int pixels)
{
  return pixels * ls_theme_get_scale () / 100;
}

int
ls_theme_grow_in (GtkWidget *widget,
                  int        pixels)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  const PangoFontDescription *font = pango_context_get_font_description (context);
  double size = pango_font_description_get_size (font) / (double) PANGO_SCALE;

  if (!pango_font_description_get_size_is_absolute (font))
    size *= pango_cairo_context_get_resolution (context) / 72.0;
  return (int) (pixels * MAX (1.0, size / (LS_DESIGN_POINTS * LS_DESIGN_DPI / 72.0)));
}
