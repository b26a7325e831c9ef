/* parts/desktop: see the header. */
#include "views/parts/desktop.h"

#include <adwaita.h>
#include <string.h>


static LsDesktop desktop = { .letters = 100 };
static void (*tell) (void);
static gboolean named_dark, named_contrast;
static gboolean preferred;      /* gtk-application-prefer-dark-theme before we set it */
static gboolean manages;        /* AdwStyleManager tells */

/* ---- names of themes -------------------------------------------------------- */

/* libadwaita puts a name of its own there, which says nothing. */
static void
take_theme_name (void)
{
  const char *forced = g_getenv ("GTK_THEME");
  g_autofree char *name = NULL;

  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &name, NULL);
  if (forced != NULL && *forced != '\0')
    {
      g_free (name);
      name = g_strdup (forced);
    }
  if (name == NULL || strcmp (name, "Adwaita-empty") == 0)
    return;
  named_dark = g_str_has_suffix (name, "-dark") || g_str_has_suffix (name, ":dark") || g_str_has_prefix (name, "HighContrastInverse");
  named_contrast = g_str_has_prefix (name, "HighContrast") || g_str_has_suffix (name, "-hc") || g_str_has_suffix (name, "-hc-dark");
}

/* ---- all together ----------------------------------------------------------- */

/* The text scale of the desktop comes as a resolution. */
static int
read_letters (void)
{
  g_autofree char *name = NULL;
  g_autoptr (PangoFontDescription) font = NULL;
  int dpi = 0, points;

  g_object_get (gtk_settings_get_default (), "gtk-font-name", &name, "gtk-xft-dpi", &dpi, NULL);
  font = pango_font_description_from_string (name != NULL ? name : "");
  points = pango_font_description_get_size_is_absolute (font) ? 0 : pango_font_description_get_size (font);
  points = MAX (points, LS_DESIGN_POINTS * PANGO_SCALE);
  dpi = dpi > 0 ? dpi : LS_DESIGN_DPI * 1024;
  return (int) (100.0 * points / (LS_DESIGN_POINTS * PANGO_SCALE) * dpi / (LS_DESIGN_DPI * 1024.0) + 0.5);
}

/* The manager's own answer is asked for only while it follows the desktop: what it was told to be says nothing of the desktop. */
static void
look (void)
{
  AdwStyleManager *manager = manages ? adw_style_manager_get_default () : NULL;
  LsDesktop now = { named_dark || preferred, named_contrast, read_letters () };

  if (manager != NULL && adw_style_manager_get_color_scheme (manager) == ADW_COLOR_SCHEME_DEFAULT)
    now.dark |= adw_style_manager_get_dark (manager);
  else if (manager != NULL && adw_style_manager_get_system_supports_color_schemes (manager))
    now.dark = desktop.dark;
  if (manager != NULL)
    now.contrast |= adw_style_manager_get_high_contrast (manager);
  if (memcmp (&now, &desktop, sizeof now) == 0)
    return;
  desktop = now;
  tell ();
}

static void
theme_name_changed (void)
{
  take_theme_name ();
  look ();
}

void
ls_desktop_follow (void (*changed) (void))
{
  GtkSettings *settings = gtk_settings_get_default ();
  AdwStyleManager *manager;

  tell = changed;
  take_theme_name ();
  manages = adw_is_initialized ();
  if (!manages)
    g_object_get (settings, "gtk-application-prefer-dark-theme", &preferred, NULL);
  if (manages)
    {
      manager = adw_style_manager_get_default ();
      g_signal_connect (manager, "notify::dark", G_CALLBACK (look), NULL);
      g_signal_connect (manager, "notify::high-contrast", G_CALLBACK (look), NULL);
    }
  g_signal_connect (settings, "notify::gtk-theme-name", G_CALLBACK (theme_name_changed), NULL);
  g_signal_connect (settings, "notify::gtk-xft-dpi", G_CALLBACK (look), NULL);
  g_signal_connect (settings, "notify::gtk-font-name", G_CALLBACK (look), NULL);
  look ();
}

const LsDesktop *
ls_desktop_get (void)
{
  return &desktop;
}

void
ls_desktop_ask (LsScheme scheme)
{
  gboolean dark = scheme == LS_SCHEME_DARK || (scheme == LS_SCHEME_SYSTEM && desktop.dark);

  if (!manages)
    {
      g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
      return;
    }
  /* A desktop that knows only names of themes is not heard by the manager. */
  if (scheme == LS_SCHEME_SYSTEM && !named_dark)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  else
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
  look ();
}
