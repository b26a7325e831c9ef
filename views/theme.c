/* theme: three providers: tokens (light.css or dark.css), style.css, text size. */
#include "views/theme.h"

#include "views/canvas/look.h"

#include <string.h>

#include "data/ls-resources.h"

typedef struct {
  GtkCssProvider *tokens;
  GtkCssProvider *style;
  GtkCssProvider *size;
  GDBusProxy     *portal;
  LsScheme        scheme;
  int             percent;
  gboolean        system_dark;
  gboolean        dark;
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

static void
apply (void)
{
  gboolean dark = theme.scheme == LS_SCHEME_DARK ||
                  (theme.scheme == LS_SCHEME_SYSTEM && theme.system_dark);

  theme.dark = dark;
  gtk_css_provider_load_from_resource (theme.tokens, dark ? LS_LOOK_RESOURCE "dark.css"
                                                          : LS_LOOK_RESOURCE "light.css");
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}

static void
apply_size (void)
{
  g_autofree char *css = g_strdup_printf ("window.loopscope { font-size: %d%%; }", theme.percent);

  gtk_css_provider_load_from_data (theme.size, css, -1);
}

/* org.freedesktop.appearance color-scheme: 0 no preference, 1 dark, 2 light. */
static void
take_color_scheme (GVariant *value)
{
  g_autoptr (GVariant) plain = g_variant_ref (value);

  while (g_variant_is_of_type (plain, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *inner = g_variant_get_variant (plain);

      g_variant_unref (plain);
      plain = inner;
    }
  if (!g_variant_is_of_type (plain, G_VARIANT_TYPE_UINT32))
    return;
  theme.system_dark = g_variant_get_uint32 (plain) == 1;
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
  if (strcmp (group, "org.freedesktop.appearance") == 0 && strcmp (key, "color-scheme") == 0)
    take_color_scheme (value);
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
  take_color_scheme (value);
}

static void
portal_ready (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  theme.portal = g_dbus_proxy_new_for_bus_finish (result, NULL);
  if (theme.portal == NULL)
    return;
  g_signal_connect (theme.portal, "g-signal", G_CALLBACK (portal_signal), NULL);
  g_dbus_proxy_call (theme.portal, "Read",
                     g_variant_new ("(ss)", "org.freedesktop.appearance", "color-scheme"),
                     G_DBUS_CALL_FLAGS_NO_AUTO_START, 1000, NULL, portal_read, NULL);
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

void
ls_theme_install (GdkDisplay *display)
{
  if (theme.tokens != NULL)
    return;

  ls_views_init ();
  theme.system_dark = theme_name_is_dark ();
  theme.tokens = gtk_css_provider_new ();
  theme.style = gtk_css_provider_new ();
  theme.size = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (theme.style, LS_LOOK_RESOURCE "style.css");
  apply ();
  apply_size ();
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.tokens),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme.size),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
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
