/* parts/theme: four providers: tokens (light.css or dark.css), style.css, text size, and high contrast over them. */
#include "views/parts/theme.h"

#include "views/parts/words.h"

#include "views/canvas/look.h"

#include <string.h>

#include "data/ls-resources.h"

#define ICON_SIZE 16            /* symbolic icons grow with the letters */

typedef struct {
  GtkCssProvider *tokens;
  GtkCssProvider *style;
  GtkCssProvider *size;
  GtkCssProvider *contrast;
  GtkCssProvider *flat;         /* without a compositor */
  GDBusProxy     *portal;
  LsScheme        scheme;
  int             percent;
  gboolean        system_dark;
  gboolean        dark;
  gboolean        contrast_wanted;
  gboolean        system_contrast;
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
}

static void
apply (void)
{
  gboolean dark = theme.scheme == LS_SCHEME_DARK ||
                  (theme.scheme == LS_SCHEME_SYSTEM && theme.system_dark);

  theme.dark = dark;
  gtk_css_provider_load_from_resource (theme.tokens, dark ? LS_LOOK_RESOURCE "dark.css"
                                                          : LS_LOOK_RESOURCE "light.css");
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
  apply_contrast ();
}

static void
apply_size (void)
{
  g_autofree char *icons = g_strdup_printf ("window.loopscope image { -gtk-icon-size: %dpx; }", ICON_SIZE * theme.percent / 100);
  g_autofree char *css = g_strdup_printf ("window.loopscope { font-size: %d%%; }\n%s", theme.percent, theme.percent > 100 ? icons : "");

  gtk_css_provider_load_from_data (theme.size, css, -1);
}

/* What is inside of all the boxes that portals put around a value. (transfer full) */
static GVariant *
unbox (GVariant *value)
{
  GVariant *plain = g_variant_ref (value);

  while (g_variant_is_of_type (plain, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *inner = g_variant_get_variant (plain);

      g_variant_unref (plain);
      plain = inner;
    }
  return plain;
}

/* org.freedesktop.appearance: color-scheme 0 no preference, 1 dark, 2 light; contrast 0 no preference, 1 higher. */
static void
take_appearance (const char *key,
                 GVariant   *value)
{
  g_autoptr (GVariant) plain = unbox (value);
  gboolean first;

  if (!g_variant_is_of_type (plain, G_VARIANT_TYPE_UINT32))
    return;
  first = g_variant_get_uint32 (plain) == 1;
  if (strcmp (key, "color-scheme") == 0)
    theme.system_dark = first;
  else if (strcmp (key, "contrast") == 0)
    theme.system_contrast = first;
  else
    return;
  apply ();
}

static void
portal_signal (GDBusProxy *proxy,
               const char *sender,
               const char *signal,
               GVariant   *parameters,
               gpointer    data)
{
  const char *group, *key;
  g_autoptr (GVariant) value = NULL;

  if (strcmp (signal, "SettingChanged") != 0 ||
      !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&sv)", &group, &key, &value);
  if (strcmp (group, "org.freedesktop.appearance") == 0)
    take_appearance (key, value);
}

static void
portal_read (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (GVariant) reply = g_dbus_proxy_call_finish (G_DBUS_PROXY (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply, G_VARIANT_TYPE ("(v)")))
    return;
  g_variant_get (reply, "(v)", &value);
  take_appearance (data, value);
}

static void
portal_ready (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  static const char *const keys[] = { "color-scheme", "contrast" };

  theme.portal = g_dbus_proxy_new_for_bus_finish (result, NULL);
  if (theme.portal == NULL)
    return;
  g_signal_connect (theme.portal, "g-signal", G_CALLBACK (portal_signal), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_dbus_proxy_call (theme.portal, "Read", g_variant_new ("(ss)", "org.freedesktop.appearance", keys[i]),
                       G_DBUS_CALL_FLAGS_NO_AUTO_START, 1000, NULL, portal_read, (gpointer) keys[i]);
}

static gboolean
theme_name_is_dark (void)
{
  g_autofree char *name = NULL;
  gboolean prefer = FALSE;

  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &name,
                "gtk-application-prefer-dark-theme", &prefer, NULL);
  return prefer || (name != NULL && g_str_has_suffix (name, "-dark"));
}

/* "HighContrast", "HighContrastInverse", "Adwaita-hc". */
static void
take_theme_name (void)
{
  g_autofree char *name = NULL;

  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &name, NULL);
  theme.system_contrast = name != NULL && (g_str_has_prefix (name, "HighContrast") || g_str_has_suffix (name, "-hc") ||
                                           g_str_has_suffix (name, "-hc-dark"));
}

static void
theme_name_changed (void)
{
  take_theme_name ();
  apply ();
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
  ls_words_install ();
  theme.system_dark = theme_name_is_dark ();
  take_theme_name ();
  theme.tokens = gtk_css_provider_new ();
  theme.style = gtk_css_provider_new ();
  theme.size = gtk_css_provider_new ();
  theme.contrast = gtk_css_provider_new ();
  theme.flat = gtk_css_provider_new ();
  follow_compositor (display);
  g_signal_connect (display, "notify::composited", G_CALLBACK (follow_compositor), NULL);
  gtk_css_provider_load_from_resource (theme.style, LS_LOOK_RESOURCE "style.css");
  apply ();
  apply_size ();
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
  g_signal_connect (gtk_settings_get_default (), "notify::gtk-theme-name", G_CALLBACK (theme_name_changed), NULL);
  /* Who tabs to words that can be copied has not asked for all of them. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  g_dbus_proxy_new_for_bus (G_BUS_TYPE_SESSION,
                            G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES |
                            G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START,
                            NULL, "org.freedesktop.portal.Desktop",
                            "/org/freedesktop/portal/desktop",
                            "org.freedesktop.portal.Settings", NULL, portal_ready, NULL);
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
  return theme.contrast_wanted || theme.system_contrast;
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
