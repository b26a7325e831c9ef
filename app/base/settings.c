/* base/settings: see the header. */
#include "app/base/settings.h"

#include "engine/schedule/step/step.h"
#include "views/parts/theme.h"

#define G_SETTINGS_ENABLE_BACKEND      /* the header of backends asks for it */
#include <gio/gsettingsbackend.h>

#define SCHEMA "org.loopscope.Loopscope"
#define PATH "/org/loopscope/Loopscope/"

static GSettings *settings;

/* ---- where they are --------------------------------------------------------- */

/* The folder with the compiled schema of a program that runs where it was built, or NULL. (transfer full) */
static char *
built_schemas (void)
{
  static const char *const ups[] = { "..", "../.." };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");

  for (guint i = 0; i < G_N_ELEMENTS (ups); i++)
    {
      g_autofree char *built = g_build_filename (folder, ups[i], "data", NULL);
      g_autofree char *compiled = g_build_filename (built, "gschemas.compiled", NULL);

      if (g_file_test (compiled, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&built);
    }
  return NULL;
}

static GSettingsSchema *
find_schema (void)
{
  g_autofree char *built = built_schemas ();
  GSettingsSchemaSource *usual = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchemaSource) own = NULL;

  if (built != NULL)
    own = g_settings_schema_source_new_from_directory (built, usual, TRUE, NULL);
  if (own == NULL && usual == NULL)
    return NULL;
  return g_settings_schema_source_lookup (own != NULL ? own : usual, SCHEMA, TRUE);
}

/* GLib's own choice where nothing is installed that keeps settings forgets them at the end. */
static GSettingsBackend *
choose_backend (void)
{
  GSettingsBackend *usual = g_settings_backend_get_default ();
  g_autofree char *file = NULL;

  if (g_getenv ("GSETTINGS_BACKEND") != NULL || g_strcmp0 (G_OBJECT_TYPE_NAME (usual), "GMemorySettingsBackend") != 0)
    return usual;
  g_object_unref (usual);
  file = g_build_filename (g_get_user_config_dir (), "loopscope", "settings.keyfile", NULL);
  return g_keyfile_settings_backend_new (file, PATH, "Loopscope");
}

GSettings *
ls_settings_get (void)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsBackend) backend = NULL;

  if (settings != NULL)
    return settings;
  schema = find_schema ();
  if (schema == NULL)
    g_error ("The schema %s is not installed (share/glib-2.0/schemas).", SCHEMA);
  backend = choose_backend ();
  settings = g_settings_new_full (schema, backend, NULL);
  return settings;
}

/* ---- of earlier versions ------------------------------------------------------ */

static void
take_boolean (GKeyFile   *file,
              const char *group,
              const char *name,
              const char *key)
{
  if (g_key_file_has_key (file, group, name, NULL))
    g_settings_set_boolean (settings, key, g_key_file_get_boolean (file, group, name, NULL));
}

/* Once: what is chosen later holds. */
static void
migrate (void)
{
  g_autofree char *name = g_build_filename (g_get_user_config_dir (), "loopscope", "settings.ini", NULL);
  g_autofree char *scheme = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  int size;

  if (g_settings_get_boolean (settings, "migrated"))
    return;
  g_settings_set_boolean (settings, "migrated", TRUE);
  if (!g_key_file_load_from_file (file, name, G_KEY_FILE_NONE, NULL))
    return;
  scheme = g_key_file_get_string (file, "Look", "colours", NULL);
  size = g_key_file_get_integer (file, "Look", "text-size", NULL);
  if (g_strcmp0 (scheme, "light") == 0 || g_strcmp0 (scheme, "dark") == 0)
    g_settings_set_string (settings, "scheme", scheme);
  if (size > 0)
    g_settings_set_int (settings, "text-size", CLAMP (size, LS_TEXT_SIZE_MIN, LS_TEXT_SIZE_MAX));
  take_boolean (file, "Look", "high-contrast", "contrast");
  take_boolean (file, "Look", "less-motion", "less-motion");
  take_boolean (file, "Moves", "strict", "strict-moves");
  take_boolean (file, "Loops", "arrows", "arrows");
  take_boolean (file, "Loops", "rounds", "rounds");
}

/* ---- the look ------------------------------------------------------------------ */

/* The desktop's own wish for less motion holds as well. */
static void
apply_motion (void)
{
  GtkSettings *gtk = gtk_settings_get_default ();

  if (gtk == NULL)
    return;
  if (g_settings_get_boolean (settings, "less-motion"))
    g_object_set (gtk, "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (gtk, "gtk-enable-animations");
}

static void
changed (GSettings  *of,
         const char *key)
{
  if (g_str_equal (key, "scheme"))
    ls_theme_set_scheme ((LsScheme) g_settings_get_enum (of, "scheme"));
  else if (g_str_equal (key, "contrast"))
    ls_theme_set_contrast (g_settings_get_boolean (of, "contrast"));
  else if (g_str_equal (key, "text-size"))
    ls_theme_set_text_size (g_settings_get_int (of, "text-size"));
  else if (g_str_equal (key, "less-motion"))
    apply_motion ();
  else if (g_str_equal (key, "strict-moves"))
    ls_schedule_set_strict_default (g_settings_get_boolean (of, "strict-moves"));
}

void
ls_settings_start (void)
{
  static const char *const followed[] = { "scheme", "contrast", "text-size", "less-motion", "strict-moves" };

  ls_settings_get ();
  migrate ();
  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    changed (settings, followed[i]);
  g_signal_connect (settings, "changed", G_CALLBACK (changed), NULL);
}

void
ls_settings_add_actions (GActionMap        *map,
                         const char *const *keys)
{
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GAction) action = g_settings_create_action (ls_settings_get (), keys[i]);

      g_action_map_add_action (map, action);
    }
}

static void
set_text_size (int percent)
{
  g_settings_set_int (ls_settings_get (), "text-size", CLAMP (percent, LS_TEXT_SIZE_MIN, LS_TEXT_SIZE_MAX));
}

static void
text_larger (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_text_size (ls_theme_get_text_size () + 10);
}

static void
text_smaller (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_text_size (ls_theme_get_text_size () - 10);
}

static void
text_normal (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_text_size (100);
}

void
ls_settings_add_text_size (GActionMap *map)
{
  static const GActionEntry entries[] = {
    { .name = "text-larger", .activate = text_larger },
    { .name = "text-smaller", .activate = text_smaller },
    { .name = "text-normal", .activate = text_normal },
  };

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), NULL);
}
