/* base/language: gettext, and the engine's way to ask it. */
#include "app/base/language.h"

#include "engine/base/base.h"
#include "engine/base/plural.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

/* (transfer full) */
static char *
locale_dir (void)
{
  static const char *const ups[] = { "..", "../.." };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");

  for (guint i = 0; i < G_N_ELEMENTS (ups); i++)
    {
      g_autofree char *built = g_build_filename (folder, ups[i], "data", "po", NULL);

      if (g_file_test (built, G_FILE_TEST_IS_DIR))
        return g_canonicalize_filename (built, NULL);
    }
  return g_strdup (LS_LOCALE_DIR);
}

static const char *
translate (const char *text)
{
  return dgettext (GETTEXT_PACKAGE, text);
}

static const char *
plural (const char *one,
        const char *many,
        gulong      n)
{
  return dngettext (GETTEXT_PACKAGE, one, many, n);
}

static void
bind (void)
{
  g_autofree char *locales = locale_dir ();

  bindtextdomain (GETTEXT_PACKAGE, locales);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  ls_set_translator (translate);
  ls_set_plural_translator (plural);
}

void
ls_language_init (void)
{
  setlocale (LC_ALL, "");
  bind ();
  textdomain (GETTEXT_PACKAGE);
}

void
ls_language_bind (void)
{
  bind ();
  if (g_strcmp0 (textdomain (NULL), "messages") == 0)
    textdomain (GETTEXT_PACKAGE);
}

GBytes *
ls_language_catalogue (void)
{
  g_autofree char *locales = locale_dir ();
  const char *const *names = g_get_language_names ();

  for (guint i = 0; names[i] != NULL && !g_str_has_prefix (names[i], "en") && strcmp (names[i], "C") != 0; i++)
    {
      g_autofree char *path = g_build_filename (locales, names[i], "LC_MESSAGES", GETTEXT_PACKAGE ".mo", NULL);
      char *text;
      gsize n;

      if (g_file_get_contents (path, &text, &n, NULL))
        return g_bytes_new_take (text, n);
    }
  return NULL;
}
