/* help/window: Markdown out of the resource, through the reader and the widgets of the lessons.
 *
 * A page is a file LANGUAGE/N-NAME.md; its first heading is its title.  Searching leaves the pages in the list that hold all
 * the words.
 */
#include "app/help/window.h"

#include "app/learn/prose.h"
#include "app/tool/window.h"
#include "views/parts/theme.h"
#include "views/parts/scroller.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <string.h>

#define HELP "/org/loopscope/help/"

#define KEY "help"

typedef struct {
  char *name;                   /* "moves" */
  char *title;
  char *text;
  char *folded;                 /* for searching */
} Page;

typedef struct {
  GtkWidget *window;
  GtkWidget *list;
  GtkWidget *place;             /* GtkScrolledWindow of the page */
  GtkWidget *search;
  GtkWidget *none;
  GPtrArray *pages;             /* of Page */
} Help;

static void
page_free (gpointer data)
{
  Page *page = data;

  g_free (page->name);
  g_free (page->title);
  g_free (page->text);
  g_free (page->folded);
  g_free (page);
}

static void
help_free (gpointer data)
{
  Help *help = data;

  g_ptr_array_unref (help->pages);
  g_free (help);
}

/* ---- pages -------------------------------------------------------------------- */

/* The first language of the user that there are pages in. (transfer full) */
static char *
language (void)
{
  static const char *const have[][2] = { { "en", "en" }, { "ko", "ko" }, { "zh", "zh_CN" } };
  const char *const *wanted = g_get_language_names ();

  for (guint i = 0; wanted[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (have); k++)
      if (g_str_has_prefix (wanted[i], have[k][0]))
        return g_strdup (have[k][1]);
  return g_strdup ("en");
}

static Page *
read_page (const char *folder,
           const char *file)
{
  g_autofree char *path = g_strconcat (folder, file, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  const char *end;
  Page *page;

  if (bytes == NULL)
    return NULL;
  page = g_new0 (Page, 1);
  page->text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  page->folded = g_utf8_casefold (page->text, -1);
  page->name = g_strndup (file + 2, strcspn (file + 2, "."));
  end = strchr (page->text, '\n');
  page->title = g_strndup (page->text + 2, end != NULL && end > page->text + 2 ? (gsize) (end - page->text - 2) : 0);
  return page;
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
read_pages (void)
{
  g_autofree char *own = language ();
  g_autofree char *folder = g_strconcat (HELP, own, "/", NULL);
  g_auto (GStrv) files = g_resources_enumerate_children (folder, 0, NULL);
  GPtrArray *pages = g_ptr_array_new_with_free_func (page_free);

  if (files != NULL)
    qsort (files, g_strv_length (files), sizeof *files, by_name);
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      Page *page = read_page (folder, files[i]);

      if (page != NULL)
        g_ptr_array_add (pages, page);
    }
  return pages;
}

/* ---- list and page --------------------------------------------------------------- */

static void
row_selected (Help          *help,
              GtkListBoxRow *row)
{
  GtkWidget *prose;
  g_autoptr (GPtrArray) blocks = NULL;
  Page *page;

  if (row == NULL)
    return;
  page = g_ptr_array_index (help->pages, (guint) gtk_list_box_row_get_index (row));
  blocks = ls_prose_parse (page->text);
  prose = ls_prose_new (blocks, NULL);
  gtk_widget_add_css_class (prose, "help-page");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (help->place), prose);
  ls_set_label (help->place, page->title);
}

static gboolean
is_match (GtkListBoxRow *row,
          gpointer       data)
{
  Help *help = data;
  Page *page = g_ptr_array_index (help->pages, (guint) gtk_list_box_row_get_index (row));
  g_autofree char *asked = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (help->search)), -1);
  g_auto (GStrv) words = g_strsplit (asked, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (page->folded, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

static void
searched (Help *help)
{
  GtkListBoxRow *first = NULL;

  gtk_list_box_invalidate_filter (GTK_LIST_BOX (help->list));
  for (guint i = 0; first == NULL && i < help->pages->len; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (help->list), (int) i);

      if (is_match (row, help))
        first = row;
    }
  gtk_widget_set_visible (help->none, first == NULL);
  if (first != NULL)
    gtk_list_box_select_row (GTK_LIST_BOX (help->list), first);
}

static GtkWidget *
make_row (const Page *page)
{
  GtkWidget *label = gtk_label_new (page->title);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, "help-entry");
  return label;
}

static GtkWidget *
make_left (Help *help)
{
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new ();

  help->search = gtk_search_entry_new ();
  g_object_set (help->search, "placeholder-text", _("Search"), NULL);
  help->list = gtk_list_box_new ();
  ls_tab_stop_make (help->list);
  help->none = gtk_label_new (_("No page has these words."));
  gtk_widget_add_css_class (help->none, "caption");
  gtk_widget_set_visible (help->none, FALSE);
  gtk_widget_set_margin_top (help->search, 12);
  gtk_widget_set_margin_bottom (help->search, 12);
  gtk_widget_set_margin_start (help->search, 12);
  gtk_widget_set_margin_end (help->search, 12);
  ls_set_label (help->search, _("Search in the help"));
  ls_set_label (help->list, _("Contents"));
  for (guint i = 0; i < help->pages->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (help->list), make_row (g_ptr_array_index (help->pages, i)));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (help->list), is_match, help, NULL);
  g_signal_connect_swapped (help->search, "search-changed", G_CALLBACK (searched), help);
  gtk_box_append (GTK_BOX (left), help->search);
  gtk_box_append (GTK_BOX (left), help->none);
  /* With large letters of some scripts the entries are higher than a small screen. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), help->list);
  gtk_widget_set_focusable (scroller, FALSE);
  gtk_widget_set_vexpand (scroller, TRUE);
  ls_scroller_steady (scroller);
  gtk_box_append (GTK_BOX (left), scroller);
  gtk_widget_set_size_request (left, ls_theme_grow (220), -1);
  gtk_widget_add_css_class (left, "help-contents");
  return left;
}

static Help *
help_new (GtkWindow *parent)
{
  Help *help = g_new0 (Help, 1);
  GtkWidget *halves = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  help->pages = read_pages ();
  help->place = gtk_scrolled_window_new ();
  gtk_paned_set_start_child (GTK_PANED (halves), make_left (help));
  gtk_paned_set_end_child (GTK_PANED (halves), help->place);
  gtk_paned_set_resize_start_child (GTK_PANED (halves), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (halves), FALSE);
  gtk_widget_set_focusable (halves, FALSE);
  gtk_widget_add_css_class (help->place, "help-place");
  help->window = ls_tool_window_new (parent, _("Help"), 860, 620, halves, NULL);
  g_signal_connect_swapped (help->list, "row-selected", G_CALLBACK (row_selected), help);
  ls_tool_window_keep (help->window, KEY, help, help_free);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (help->search), help->window);
  return help;
}

void
ls_help_window_show (GtkWindow  *parent,
                     const char *page)
{
  Help *open = ls_tool_window_find (parent, KEY);
  Help *help = open != NULL ? open : help_new (parent);
  guint at = 0;

  for (guint i = 0; page != NULL && i < help->pages->len; i++)
    if (strcmp (((Page *) g_ptr_array_index (help->pages, i))->name, page) == 0)
      at = i;
  if (open == NULL || page != NULL)
    gtk_list_box_select_row (GTK_LIST_BOX (help->list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (help->list), (int) at));
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_selected_row (GTK_LIST_BOX (help->list))));
  gtk_window_present (GTK_WINDOW (help->window));
}
