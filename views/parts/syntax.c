/* parts/syntax: one buffer nobody sees has the scheme of the look; that of all others is bound to it. */
#include "views/parts/syntax.h"

#include "views/canvas/look.h"

#include <glib/gstdio.h>

#define RESOURCES LS_LOOK_RESOURCE "syntax"

#define SHORT 30000             /* characters: at most a frame of C, half of one of ours */

static const char *const languages[] = { [LS_SYNTAX_SCRIPT] = "loopscope-script", [LS_SYNTAX_C] = "c", [LS_SYNTAX_MARKDOWN] = "markdown" };

/* By contrast, then by darkness. */
static const char *const schemes[] = { "loopscope-light", "loopscope-dark", "loopscope-contrast-light", "loopscope-contrast-dark" };
static GtkSourceBuffer *pattern;        /* NULL: not asked for yet */
static guint is_dark, is_contrast;

/* GtkSourceView 5.6 reads languages from resources, but schemes only from files: they are files until they are read, which the manager
 * does with all of a folder at once. */
static void
read_schemes (void)
{
  GtkSourceStyleSchemeManager *manager = gtk_source_style_scheme_manager_get_default ();
  g_autofree char *folder = g_dir_make_tmp ("loopscope-XXXXXX", NULL);

  if (folder == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    {
      g_autofree char *file = g_strconcat (schemes[i], ".xml", NULL), *path = g_build_filename (folder, file, NULL);
      g_autofree char *from = g_strconcat (RESOURCES, "/", file, NULL);
      g_autoptr (GBytes) bytes = g_resources_lookup_data (from, 0, NULL);

      if (bytes != NULL)
        g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), NULL);
    }
  gtk_source_style_scheme_manager_append_search_path (manager, folder);
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    {
      g_autofree char *file = g_strconcat (schemes[i], ".xml", NULL), *path = g_build_filename (folder, file, NULL);

      gtk_source_style_scheme_manager_get_scheme (manager, schemes[i]);
      g_remove (path);
    }
  g_rmdir (folder);
}

/* Once for the process: a manager that has been asked for a language takes no other folders. */
static void
add_folders (void)
{
  static gsize once;

  if (!g_once_init_enter (&once))
    return;
  gtk_source_language_manager_append_search_path (gtk_source_language_manager_get_default (), "resource://" RESOURCES);
  read_schemes ();
  g_once_init_leave (&once, 1);
}

static void
update (void)
{
  const char *name = schemes[2 * is_contrast + is_dark];

  gtk_source_buffer_set_style_scheme (pattern, gtk_source_style_scheme_manager_get_scheme (gtk_source_style_scheme_manager_get_default (), name));
}

void
ls_syntax_set_look (gboolean dark,
                    gboolean contrast)
{
  is_dark = dark != FALSE;
  is_contrast = contrast != FALSE;
  if (pattern != NULL)
    update ();
}

void
ls_syntax_attach (GtkSourceBuffer *buffer,
                  LsSyntax         syntax)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();

  add_folders ();
  if (pattern == NULL)
    {
      pattern = gtk_source_buffer_new (NULL);
      update ();
    }
  g_object_bind_property (pattern, "style-scheme", buffer, "style-scheme", G_BINDING_SYNC_CREATE);
  gtk_source_buffer_set_language (buffer, gtk_source_language_manager_get_language (manager, languages[syntax]));
  gtk_source_buffer_set_highlight_syntax (buffer, TRUE);
  gtk_source_buffer_set_highlight_matching_brackets (buffer, FALSE);
}

void
ls_syntax_settle (GtkSourceBuffer *buffer)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (buffer), &start, &end);
  if (gtk_text_iter_get_offset (&end) <= SHORT)
    gtk_source_buffer_ensure_highlight (buffer, &start, &end);
}
