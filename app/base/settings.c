/* base/settings: a GKeyFile with a group for the look and one for the switches of the loop nest. */
#include "app/base/settings.h"

#include "engine/schedule/step/step.h"

static char *
file_name (void)
{
  return g_build_filename (g_get_user_config_dir (), "loopscope", "settings.ini", NULL);
}

static gboolean reduced_motion;

gboolean
ls_settings_get_reduced_motion (void)
{
  return reduced_motion;
}

void
ls_settings_set_reduced_motion (gboolean reduced)
{
  GtkSettings *settings = gtk_settings_get_default ();

  reduced_motion = reduced;
  if (settings == NULL)
    return;
  if (reduced)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (settings, "gtk-enable-animations");
}

gboolean
ls_settings_get_strict (void)
{
  return ls_schedule_get_strict_default ();
}

void
ls_settings_set_strict (gboolean strict)
{
  ls_schedule_set_strict_default (strict);
}

static struct {
  const char *name;
  gboolean    on;
} switches[] = { { "arrows", TRUE }, { "rounds", FALSE } };

gboolean
ls_settings_get_switch (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    if (g_strcmp0 (switches[i].name, name) == 0)
      return switches[i].on;
  return FALSE;
}

void
ls_settings_set_switch (const char *name,
                        gboolean    on)
{
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    if (g_strcmp0 (switches[i].name, name) == 0)
      switches[i].on = on;
}

LsScheme
ls_settings_parse_scheme (const char *name)
{
  if (g_strcmp0 (name, "light") == 0)
    return LS_SCHEME_LIGHT;
  if (g_strcmp0 (name, "dark") == 0)
    return LS_SCHEME_DARK;
  return LS_SCHEME_SYSTEM;
}

const char *
ls_settings_scheme_name (LsScheme scheme)
{
  switch (scheme)
    {
    case LS_SCHEME_LIGHT:
      return "light";
    case LS_SCHEME_DARK:
      return "dark";
    case LS_SCHEME_SYSTEM:
      return "system";
    }

  return "system";
}

void
ls_settings_load (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *name = file_name ();
  g_autofree char *scheme = NULL;
  int size;

  ls_settings_set_strict (TRUE);
  if (!g_key_file_load_from_file (file, name, G_KEY_FILE_NONE, NULL))
    return;
  scheme = g_key_file_get_string (file, "Look", "colours", NULL);
  size = g_key_file_get_integer (file, "Look", "text-size", NULL);
  ls_theme_set_scheme (ls_settings_parse_scheme (scheme));
  if (size > 0)
    ls_theme_set_text_size (size);
  if (g_key_file_get_boolean (file, "Look", "high-contrast", NULL))
    ls_theme_set_contrast (TRUE);
  if (g_key_file_get_boolean (file, "Look", "less-motion", NULL))
    ls_settings_set_reduced_motion (TRUE);
  if (g_key_file_has_key (file, "Moves", "strict", NULL))
    ls_settings_set_strict (g_key_file_get_boolean (file, "Moves", "strict", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    if (g_key_file_has_key (file, "Loops", switches[i].name, NULL))
      switches[i].on = g_key_file_get_boolean (file, "Loops", switches[i].name, NULL);
}

void
ls_settings_save (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *name = file_name ();
  g_autofree char *folder = g_path_get_dirname (name);

  g_mkdir_with_parents (folder, 0700);
  g_key_file_load_from_file (file, name, G_KEY_FILE_KEEP_COMMENTS, NULL);
  g_key_file_set_string (file, "Look", "colours",
                         ls_settings_scheme_name (ls_theme_get_scheme ()));
  g_key_file_set_integer (file, "Look", "text-size", ls_theme_get_text_size ());
  g_key_file_set_boolean (file, "Look", "high-contrast", ls_theme_get_contrast ());
  g_key_file_set_boolean (file, "Look", "less-motion", reduced_motion);
  g_key_file_set_boolean (file, "Moves", "strict", ls_settings_get_strict ());
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    g_key_file_set_boolean (file, "Loops", switches[i].name, switches[i].on);
  g_key_file_save_to_file (file, name, NULL);
}
