/* The map of lessons: one row a lesson, read again whenever the window comes to the front, since progress is made in other windows. */
#include "app/learn/course-window.h"

#include "app/learn/play.h"
#include "app/learn/prose.h"
#include "views/parts/ask-file.h"
#include "views/parts/scroller.h"
#include "views/parts/tab-stop.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GtkWindow  *window;
  GtkWidget  *list;
  GtkWidget  *languages;        /* GtkDropDown */
  GPtrArray  *lessons;          /* of LsLesson, of all folders */
  char       *language;
} Course;

static const struct { const char *code, *name; } LANGUAGES[] = { { "en", "English" }, { "zh_CN", "简体中文" }, { "ko", "한국어" } };

const char *
ls_course_language (const char *code)
{
  for (gsize i = 0; i < G_N_ELEMENTS (LANGUAGES); i++)
    if (strcmp (LANGUAGES[i].code, code) == 0)
      return LANGUAGES[i].name;
  return code;
}

/* ---- folders ------------------------------------------------------------------------------------ */

static char *
courses_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "loopscope", "courses.ini", NULL);
}

char **
ls_course_folders (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = courses_path ();
  char **folders = NULL;

  if (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    folders = g_key_file_get_string_list (file, "courses", "folders", NULL, NULL);
  return folders != NULL ? folders : g_new0 (char *, 1);
}

void
ls_course_add_folder (const char *added)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) folders = ls_course_folders ();
  g_autofree char *path = courses_path (), *parent = g_path_get_dirname (path);
  guint n = g_strv_length (folders);

  if (g_strv_contains ((const char *const *) folders, added))
    return;
  folders = g_renew (char *, folders, n + 2);
  folders[n] = g_strdup (added);
  folders[n + 1] = NULL;
  g_mkdir_with_parents (parent, 0700);
  g_key_file_set_string_list (file, "courses", "folders", (const char *const *) folders, n + 1);
  if (!g_key_file_save_to_file (file, path, NULL))
    g_warning ("the folder of lessons is not kept");
}

/* Ours, then those that were added. (transfer full) */
static GPtrArray *
read_lessons (void)
{
  g_autofree char *own = ls_lesson_folder ();
  g_auto (GStrv) folders = ls_course_folders ();
  GPtrArray *all = own != NULL ? ls_lesson_list (own) : g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lesson_unref);

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) more = ls_lesson_list (folders[i]);

      for (guint k = 0; k < more->len; k++)
        if (!ls_lesson_is_foreign (more->pdata[k]))
          g_ptr_array_add (all, ls_lesson_ref (more->pdata[k]));
    }
  return all;
}

LsLesson *
ls_course_find_next (LsLesson *lesson)
{
  g_autofree char *folder = g_path_get_dirname (ls_lesson_get_path (lesson));
  g_autoptr (GPtrArray) all = ls_lesson_list (folder);
  LsLesson *best = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      LsLesson *other = all->pdata[i];

      if (!ls_lesson_is_foreign (other) && strcmp (ls_lesson_get_language (other), ls_lesson_get_language (lesson)) == 0
          && ls_lesson_get_order (other) > ls_lesson_get_order (lesson) && (best == NULL || ls_lesson_get_order (other) < ls_lesson_get_order (best)))
        best = other;
    }
  return best != NULL ? ls_lesson_ref (best) : NULL;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static GtkWidget *
make_label (const char *text,
            const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

/* The title of the lesson with this id, in the language of the map. */
static const char *
title_of (Course     *self,
          const char *id)
{
  for (guint i = 0; i < self->lessons->len; i++)
    if (strcmp (ls_lesson_get_id (self->lessons->pdata[i]), id) == 0 && strcmp (ls_lesson_get_language (self->lessons->pdata[i]), self->language) == 0)
      return ls_lesson_get_title (self->lessons->pdata[i]);
  return id;
}

/* "builds on: ...; needs: ...", or NULL. (transfer full) */
static char *
needs_words (Course   *self,
             LsLesson *lesson)
{
  g_auto (GStrv) after = g_strsplit_set (ls_lesson_get_after (lesson), ", ", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; after[i] != NULL; i++)
    if (*after[i] != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : _("builds on: "), title_of (self, after[i]));
  if (*ls_lesson_get_needs (lesson) != 0)
    g_string_append_printf (text, "%s%s%s", text->len > 0 ? " · " : "", _("needs: "), ls_lesson_get_needs (lesson));
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Returns whether all is done.  A grid: a box would ask words that wrap for their width at the height of the row, and would not give them less. */
static gboolean
add_row (Course   *self,
         LsLesson *lesson,
         gboolean  first_open)
{
  guint done, pages;
  gboolean begun = ls_play_read_progress (lesson, &done, &pages), whole = begun && done == pages && pages > 0;
  g_autofree char *title = g_strdup_printf ("%d  %s", ls_lesson_get_order (lesson), ls_lesson_get_title (lesson)), *needs = needs_words (self, lesson);
  g_autofree char *state = whole ? g_strdup (_("✓ done")) : begun ? g_strdup_printf (_("%u of %u pages done"), done, pages)
                           : first_open ? g_strdup (_("next")) : g_strdup ("");
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_grid_new (), *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *mark = make_label (state, first_open && !whole ? "strong" : "caption");

  gtk_box_append (GTK_BOX (words), make_label (title, "strong"));
  if (*ls_lesson_get_summary (lesson) != 0)
    gtk_box_append (GTK_BOX (words), make_label (ls_lesson_get_summary (lesson), NULL));
  if (needs != NULL)
    gtk_box_append (GTK_BOX (words), make_label (needs, "caption"));
  gtk_label_set_wrap (GTK_LABEL (mark), FALSE);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (mark, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (box, "course-row");
  gtk_grid_set_column_spacing (GTK_GRID (box), 18);
  gtk_grid_attach (GTK_GRID (box), words, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (box), mark, 1, 0, 1, 1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  ls_set_label (row, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, state, -1);
  g_object_set_data_full (G_OBJECT (row), "ls-path", g_strdup (ls_lesson_get_path (lesson)), g_free);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  return whole;
}

static void
fill (Course *self)
{
  GtkWidget *row;
  gboolean found = FALSE;

  g_clear_pointer (&self->lessons, g_ptr_array_unref);
  self->lessons = read_lessons ();
  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = 0; i < self->lessons->len; i++)
    if (strcmp (ls_lesson_get_language (self->lessons->pdata[i]), self->language) == 0)
      found |= !add_row (self, self->lessons->pdata[i], !found);
}

/* ---- what is done --------------------------------------------------------------------------------- */

static void
row_activated (GtkListBox    *list,
               GtkListBoxRow *row,
               Course        *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_object_get_data (G_OBJECT (row), "ls-path"));

  g_application_open (G_APPLICATION (gtk_window_get_application (self->window)), &file, 1, "");
}

static void
language_chosen (Course *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->languages));

  if (at >= G_N_ELEMENTS (LANGUAGES) || strcmp (self->language, LANGUAGES[at].code) == 0)
    return;
  g_free (self->language);
  self->language = g_strdup (LANGUAGES[at].code);
  fill (self);
}

static void
folder_chosen (GtkWidget *window,
               GFile     *file,
               gpointer   data)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    return;
  ls_course_add_folder (path);
  fill (data);
}

static void
ask_folder (Course *self)
{
  ls_ask_file (gtk_file_chooser_native_new (_("Add a folder of lessons"), self->window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("Add"), _("Cancel")),
               GTK_WIDGET (self->window), folder_chosen, self, NULL);
}

static void
became_active (Course *self)
{
  if (gtk_window_is_active (self->window))
    fill (self);
}

static void
course_free (gpointer data)
{
  Course *self = data;

  g_clear_pointer (&self->lessons, g_ptr_array_unref);
  g_free (self->language);
  g_free (self);
}

/* ---- making it ------------------------------------------------------------------------------------- */

/* The language of the interface, where there are lessons in it. */
static guint
usual_language (void)
{
  const char *const *names = g_get_language_names ();

  for (guint i = 0; names[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (LANGUAGES); k++)
      if (g_str_has_prefix (names[i], LANGUAGES[k].code))
        return k;
  return 0;
}

static GtkWidget *
make_header (Course *self)
{
  GtkWidget *header = gtk_header_bar_new (), *add = gtk_button_new_with_label (_("Add a folder…"));
  const char *names[G_N_ELEMENTS (LANGUAGES) + 1] = { NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (LANGUAGES); i++)
    names[i] = LANGUAGES[i].name;
  self->languages = gtk_drop_down_new_from_strings (names);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->languages), usual_language ());
  ls_set_label (self->languages, _("Language of the lessons"));
  g_signal_connect_swapped (self->languages, "notify::selected", G_CALLBACK (language_chosen), self);
  gtk_widget_set_tooltip_text (add, _("Lessons of your own: a folder with Markdown files"));
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (ask_folder), self);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), self->languages);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), add);
  return header;
}

static GtkWindow *
make_window (GtkApplication *application)
{
  Course *self = g_new0 (Course, 1);
  GtkWidget *scroll = gtk_scrolled_window_new ();

  self->language = g_strdup (LANGUAGES[usual_language ()].code);
  self->window = g_object_new (GTK_TYPE_APPLICATION_WINDOW, "application", application, "title", _("Lessons"), "default-width", 760, "default-height", 820, NULL);
  self->list = gtk_list_box_new ();
  ls_tab_stop_make (self->list);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->window), "loopscope");
  gtk_widget_add_css_class (self->list, "course");
  g_signal_connect (self->list, "row-activated", G_CALLBACK (row_activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  ls_scroller_steady (scroll);
  gtk_window_set_titlebar (self->window, make_header (self));
  gtk_window_set_child (self->window, scroll);
  g_signal_connect_swapped (self->window, "notify::is-active", G_CALLBACK (became_active), self);
  g_object_set_data_full (G_OBJECT (self->window), "ls-course", self, course_free);
  fill (self);
  return self->window;
}

void
ls_course_window_show (GtkApplication *application,
                       GtkWindow      *near)
{
  for (GList *at = gtk_application_get_windows (application); at != NULL; at = at->next)
    if (g_object_get_data (at->data, "ls-course") != NULL)
      {
        gtk_window_present (at->data);
        return;
      }
  gtk_window_present (make_window (application));
}
