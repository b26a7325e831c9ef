/* LsLessonWindow: header with the pages as dots, a paned with page and result, a foot with the neighbours.
 *
 * Pages are built when they are first shown and kept, so that what was written and printed stays.  Findings of the
 * parser stand on top of the first page; they never keep a lesson from opening.
 */
#include "app/learn/lesson-window.h"

#include "app/learn/page-view.h"
#include "app/learn/play.h"
#include "app/learn/presenter.h"
#include "app/learn/prose.h"
#include "app/learn/result-pane.h"
#include "views/later.h"
#include "views/status.h"

#include <glib/gi18n.h>
#include <string.h>

#define LEFT_WIDTH 584
#define LEFT_LEAST 420
#define MOST_DOTS 14

struct _LsLessonWindow {
  GtkApplicationWindow parent_instance;

  LsPlay          *play;        /* NULL when the file could not be read */
  char            *folder;
  LsWorkbenchFunc  workbench;
  LsPresenter     *presenter;   /* or NULL */
  guint            tick;
  int              offered;     /* the part that Next went to last, or -1 */

  GtkWidget       *dots;
  GtkWidget       *count;
  GtkWidget       *pages;       /* GtkStack */
  GtkWidget       *result;
  GtkWidget       *previous;
  GtkWidget       *next;
  GtkWidget       *stop;
  GtkWidget       *notes;       /* revealer, while presenting */
  GtkWidget       *notes_text;
  GtkWidget       *clock;
  gint64           presenting_since;
};

G_DEFINE_FINAL_TYPE (LsLessonWindow, ls_lesson_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- pages ------------------------------------------------------------------------ */

static LsLesson *
lesson_of (LsLessonWindow *self)
{
  return ls_play_get_lesson (self->play);
}

static LsPageView *
page_view (LsLessonWindow *self,
           guint           page)
{
  g_autofree char *name = g_strdup_printf ("%u", page);
  GtkWidget *view = gtk_stack_get_child_by_name (GTK_STACK (self->pages), name);

  if (view == NULL)
    {
      view = ls_page_view_new (self->play, page, self->folder);
      gtk_stack_add_named (GTK_STACK (self->pages), view, name);
    }
  return LS_PAGE_VIEW (view);
}

static void
name_neighbour (LsLessonWindow *self,
                GtkWidget      *button,
                int             page,
                gboolean        forward)
{
  gboolean there = page >= 0 && page < (int) ls_lesson_get_n_pages (lesson_of (self));
  const char *title = there ? ls_lesson_get_page (lesson_of (self), (guint) page)->title : "";
  g_autofree char *words = g_strdup_printf (forward ? _("Next page: %s") : _("Previous page: %s"), title);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *icon = gtk_image_new_from_icon_name (forward ? "go-next-symbolic" : "go-previous-symbolic");

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), forward ? label : icon);
  gtk_box_append (GTK_BOX (box), forward ? icon : label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_set_tooltip_text (button, title);
  gtk_widget_set_visible (button, there);
  ls_set_label (button, words);
}

static void
dot_clicked (GtkWidget      *dot,
             LsLessonWindow *self)
{
  ls_play_set_page (self->play, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (dot), "ls-page")));
}

static void
make_dots (LsLessonWindow *self)
{
  guint n = ls_lesson_get_n_pages (lesson_of (self));

  for (guint i = 0; i < n && n <= MOST_DOTS; i++)
    {
      GtkWidget *dot = gtk_button_new ();
      const char *title = ls_lesson_get_page (lesson_of (self), i)->title;
      g_autofree char *label = g_strdup_printf (_("Page %u, %s"), i + 1, title);

      gtk_widget_add_css_class (dot, "lesson-dot");
      gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
      gtk_widget_set_tooltip_text (dot, title);
      ls_set_label (dot, label);
      g_object_set_data (G_OBJECT (dot), "ls-page", GUINT_TO_POINTER (i));
      g_signal_connect (dot, "clicked", G_CALLBACK (dot_clicked), self);
      gtk_box_append (GTK_BOX (self->dots), dot);
    }
}

static void
update_dots (LsLessonWindow *self)
{
  guint page = ls_play_get_page (self->play), i = 0;

  for (GtkWidget *dot = gtk_widget_get_first_child (self->dots); dot != NULL; dot = gtk_widget_get_next_sibling (dot), i++)
    {
      gtk_widget_remove_css_class (dot, "past");
      gtk_widget_remove_css_class (dot, "here");
      if (i <= page)
        gtk_widget_add_css_class (dot, i == page ? "here" : "past");
    }
}

static void
show_notes (LsLessonWindow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const LsLessonPage *page = ls_lesson_get_page (lesson_of (self), ls_play_get_page (self->play));

  for (guint i = page->first; i < page->first + page->n_parts; i++)
    {
      const LsLessonPart *part = ls_lesson_get_part (lesson_of (self), i);

      for (guint k = 0; part->kind == LS_PART_NOTES && k < part->blocks->len; k++)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", ((LsLessonBlock *) part->blocks->pdata[k])->text);
    }
  gtk_label_set_label (GTK_LABEL (self->notes_text), text->len > 0 ? text->str : _("No notes for this page."));
}

/* At the end of the lesson there is nothing more to go to. */
static void
update_next (LsLessonWindow *self)
{
  gboolean last = ls_play_get_page (self->play) + 1 == ls_lesson_get_n_pages (lesson_of (self));
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "next");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), !last || ls_play_find_next (self->play, -1) >= 0);
}

static void
page_changed (LsLessonWindow *self)
{
  guint page = ls_play_get_page (self->play);
  g_autofree char *count = g_strdup_printf (_("%u of %u"), page + 1, ls_lesson_get_n_pages (lesson_of (self)));

  self->offered = -1;
  gtk_stack_set_visible_child (GTK_STACK (self->pages), GTK_WIDGET (page_view (self, page)));
  gtk_label_set_label (GTK_LABEL (self->count), count);
  name_neighbour (self, self->previous, (int) page - 1, FALSE);
  name_neighbour (self, self->next, (int) page + 1, TRUE);
  update_dots (self);
  update_next (self);
  show_notes (self);
}

static void
shown (LsLessonWindow *self,
       guint           part)
{
  ls_result_pane_show (LS_RESULT_PANE (self->result), self->play, part);
}

static void
kernel_changed (LsLessonWindow *self)
{
  gtk_widget_set_visible (self->stop, ls_play_is_busy (self->play));
}

/* ---- actions ------------------------------------------------------------------------ */

/* Does Next do something with this part itself?  A question with a guess is revealed, an exercise checked: one that was written in
 * since, and on the last page any. */
static gboolean
act_on (LsLessonWindow *self,
        guint           part)
{
  LsPartKind kind = ls_lesson_get_part (lesson_of (self), part)->kind;
  gboolean last = ls_play_get_page (self->play) + 1 == ls_lesson_get_n_pages (lesson_of (self));
  const char *ran = ls_play_get (self->play, part)->ran;
  gboolean written = ls_play_is_edited (self->play, part) && (ran == NULL || strcmp (ran, ls_play_get_code (self->play, part)) != 0);

  if (kind == LS_PART_PREDICT && ls_play_get (self->play, part)->choice >= 0)
    ls_play_reveal (self->play, part, TRUE);
  else if (kind == LS_PART_EXERCISE && (written || (last && (int) part == self->offered)))
    ls_play_run (self->play, part);
  else
    return FALSE;
  return TRUE;
}

/* What Next is about: a question that was offered and left open is passed over, so that the cells behind it are reached. */
static int
find_next (LsLessonWindow *self)
{
  int part = ls_play_find_next (self->play, -1);

  if (part < 0 || part > self->offered || ls_play_get (self->play, (guint) part)->choice >= 0
      || ls_lesson_get_part (lesson_of (self), (guint) part)->kind == LS_PART_EXERCISE)
    return part;
  return ls_play_find_next (self->play, self->offered);
}

/* Runs or asks what is next on the page; what was offered before is left behind. */
static void
go_on (LsLessonWindow *self)
{
  int part = find_next (self);
  LsPartKind kind = part >= 0 ? ls_lesson_get_part (lesson_of (self), (guint) part)->kind : LS_PART_PROSE;

  if (part >= 0 && act_on (self, (guint) part))
    {
      self->offered = part;
      return;
    }
  if (part < 0 || (kind != LS_PART_CELL && part == self->offered))
    {
      ls_play_set_page (self->play, ls_play_get_page (self->play) + 1);
      return;
    }
  self->offered = part;
  ls_page_view_reveal (page_view (self, ls_play_get_page (self->play)), (guint) part);
  if (kind == LS_PART_CELL || (kind == LS_PART_PRIMITIVE && ls_play_get (self->play, (guint) part)->answer == NULL))
    ls_play_run (self->play, (guint) part);
}

static void
next_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL)
    go_on (self);
}

static void
next_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL)
    ls_play_set_page (self->play, ls_play_get_page (self->play) + 1);
}

static void
previous_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL && ls_play_get_page (self->play) > 0)
    ls_play_set_page (self->play, ls_play_get_page (self->play) - 1);
}

static void
stop (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play == NULL)
    return;
  if (ls_play_get_unheard (self->play) > 0.5)
    ls_play_restart (self->play);
  else
    ls_play_interrupt (self->play);
}

static void
restart (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL)
    ls_play_restart (self->play);
}

static void
reset_answered (GtkDialog      *dialog,
                int             response,
                LsLessonWindow *self)
{
  if (response == GTK_RESPONSE_OK && self->play != NULL)
    {
      ls_play_reset (self->play);
      ls_result_pane_clear (LS_RESULT_PANE (self->result));
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *dialog = gtk_message_dialog_new (data, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                                              _("Begin this lesson again? Your edits and answers go."));

  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _("Keep"), GTK_RESPONSE_CANCEL, _("Begin again"), GTK_RESPONSE_OK, NULL);
  g_signal_connect (dialog, "response", G_CALLBACK (reset_answered), data);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
workbench (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;
  const char *steps = NULL, *text = ls_result_pane_get_text (LS_RESULT_PANE (self->result), &steps);

  self->workbench (gtk_window_get_application (data), self->play != NULL ? ls_lesson_get_title (lesson_of (self)) : "Loopscope", text, steps);
}

static void
open_lesson (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));

  g_application_open (G_APPLICATION (gtk_window_get_application (data)), &file, 1, "");
}

static void
file_chosen (GtkNativeDialog *dialog,
             int              response,
             LsLessonWindow  *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  if (file != NULL)
    g_application_open (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))), &file, 1, "");
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

static void
open_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open a lesson"), data, GTK_FILE_CHOOSER_ACTION_OPEN, _("Open"), _("Cancel"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_autofree char *path = ls_lesson_folder ();
  g_autoptr (GFile) folder = path != NULL ? g_file_new_for_path (path) : NULL;

  gtk_file_filter_set_name (filter, _("Lessons (Markdown)"));
  gtk_file_filter_add_pattern (filter, "*.md");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  g_signal_connect (dialog, "response", G_CALLBACK (file_chosen), data);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* ---- presenting ------------------------------------------------------------------------ */

static gboolean
show_clock (gpointer data)
{
  LsLessonWindow *self = data;
  gint64 seconds = (g_get_monotonic_time () - self->presenting_since) / G_USEC_PER_SEC;
  g_autofree char *text = g_strdup_printf ("%02d:%02d", (int) (seconds / 60), (int) (seconds % 60));

  gtk_label_set_label (GTK_LABEL (self->clock), text);
  return G_SOURCE_CONTINUE;
}

static void
presenter_gone (LsLessonWindow *self)
{
  self->presenter = NULL;
  g_clear_handle_id (&self->tick, g_source_remove);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->notes), FALSE);
}

static void
present (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play == NULL)
    return;
  if (self->presenter == NULL)
    {
      self->presenter = LS_PRESENTER (ls_presenter_new (gtk_window_get_application (data), self->play, self->folder));
      g_signal_connect_object (self->presenter, "destroy", G_CALLBACK (presenter_gone), self, G_CONNECT_SWAPPED);
      self->presenting_since = g_get_monotonic_time ();
      self->tick = g_timeout_add_seconds (1, show_clock, self);
      show_clock (self);
    }
  show_notes (self);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->notes), TRUE);
  gtk_window_present (GTK_WINDOW (self->presenter));
}

static const GActionEntry entries[] = {
  { .name = "next", .activate = next_action },
  { .name = "next-page", .activate = next_page },
  { .name = "previous-page", .activate = previous_page },
  { .name = "stop", .activate = stop },
  { .name = "restart", .activate = restart },
  { .name = "reset", .activate = reset },
  { .name = "present", .activate = present },
  { .name = "workbench", .activate = workbench },
  { .name = "open", .activate = open_file },
  { .name = "lesson", .activate = open_lesson, .parameter_type = "s" },
};

void
ls_lesson_window_set_accels (GtkApplication *application)
{
  static const struct { const char *action; const char *keys[3]; } accels[] = {
    { "win.next", { "<Shift>Return", "<Shift>KP_Enter" } },
    { "win.next-page", { "<Alt>Page_Down" } },
    { "win.previous-page", { "<Alt>Page_Up" } },
    { "win.stop", { "<Control>period" } },
    { "win.present", { "<Shift>F11" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (application, accels[i].action, accels[i].keys);
}

/* 1 to 9 choose, Enter reveals, where no text is being written. */
static gboolean
key_pressed (LsLessonWindow  *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  if (self->play == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)))
    return FALSE;
  if (focus != NULL && (GTK_IS_TEXT (focus) || (GTK_IS_TEXT_VIEW (focus) && gtk_text_view_get_editable (GTK_TEXT_VIEW (focus)))))
    return FALSE;
  if (key >= GDK_KEY_1 && key <= GDK_KEY_9)
    return ls_page_view_answer (page_view (self, ls_play_get_page (self->play)), (int) (key - GDK_KEY_1));
  if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && (focus == NULL || GTK_IS_CHECK_BUTTON (focus)))
    return ls_page_view_answer (page_view (self, ls_play_get_page (self->play)), -1);
  return FALSE;
}

/* ---- header ------------------------------------------------------------------------------- */

static void
jump_clicked (GtkWidget      *button,
              LsLessonWindow *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (button, GTK_TYPE_POPOVER);

  ls_play_set_page (self->play, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ls-page")));
  gtk_popover_popdown (GTK_POPOVER (popover));
}

/* Pages by their titles. */
static GtkWidget *
make_jump_list (LsLessonWindow *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroll = gtk_scrolled_window_new ();

  for (guint i = 0; i < ls_lesson_get_n_pages (lesson_of (self)); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u  %s", i + 1, ls_lesson_get_page (lesson_of (self), i)->title);
      GtkWidget *button = gtk_button_new_with_label (text);

      gtk_label_set_xalign (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), 0.0f);
      gtk_widget_add_css_class (button, "flat");
      g_object_set_data (G_OBJECT (button), "ls-page", GUINT_TO_POINTER (i));
      g_signal_connect (button, "clicked", G_CALLBACK (jump_clicked), self);
      gtk_box_append (GTK_BOX (box), button);
    }
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), box);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroll), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroll), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroll), 500);
  gtk_popover_set_child (GTK_POPOVER (popover), scroll);
  return popover;
}

static GtkWidget *
icon_button (const char *icon,
             const char *action,
             const char *label)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, label);
  ls_set_label (button, label);
  return button;
}

static GtkWidget *
make_menu_button (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuModel) lessons = ls_lesson_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  g_menu_append (section, _("Restart Python"), "win.restart");
  g_menu_append (section, _("Begin again…"), "win.reset");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  if (g_menu_model_get_n_items (lessons) > 0)
    g_menu_append_submenu (menu, _("Lessons"), lessons);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "open-menu-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_primary (GTK_MENU_BUTTON (button), TRUE);
  ls_set_label (button, _("Menu"));
  return button;
}

static GtkWidget *
make_title (LsLessonWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  LsLesson *lesson = lesson_of (self);
  int order = ls_lesson_get_order (lesson);
  g_autofree char *file = g_path_get_basename (ls_lesson_get_path (lesson));
  g_autofree char *words = order > 0 ? g_strdup_printf (_("Lesson %d · %s"), order, file) : g_strdup (file);
  GtkWidget *labels[2] = { gtk_label_new (ls_lesson_get_title (lesson)), gtk_label_new (words) };

  for (int i = 0; i < 2; i++)
    {
      gtk_label_set_xalign (GTK_LABEL (labels[i]), 0.0f);
      gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_END);
      gtk_label_set_max_width_chars (GTK_LABEL (labels[i]), 32);
      gtk_widget_add_css_class (labels[i], i == 0 ? "strong" : "caption");
      gtk_box_append (GTK_BOX (box), labels[i]);
    }
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (box, "name-box");
  return box;
}

static GtkWidget *
make_header (LsLessonWindow *self)
{
  GtkWidget *header = gtk_header_bar_new ();
  GtkWidget *jump = gtk_menu_button_new ();
  GtkWidget *middle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *presenting = gtk_button_new ();
  GtkWidget *bench = gtk_button_new ();

  ls_set_icon_and_word (GTK_BUTTON (presenting), "display-projector-symbolic", _("Present"));
  ls_set_icon_and_word (GTK_BUTTON (bench), "view-dual-symbolic", _("Workbench"));
  gtk_widget_add_css_class (presenting, "framed");
  gtk_widget_add_css_class (bench, "framed");
  gtk_widget_set_tooltip_text (presenting, _("Show this lesson in large letters (Shift+F11)"));
  gtk_widget_set_tooltip_text (bench, _("Open the workbench with what is shown at the right"));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (jump), "view-list-symbolic");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (jump), make_jump_list (self));
  gtk_widget_set_tooltip_text (jump, _("Pages"));
  ls_set_label (jump, _("Pages"));
  self->dots = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  self->count = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (middle), icon_button ("go-previous-symbolic", "win.previous-page", _("Previous page (Alt+Page Up)")));
  gtk_box_append (GTK_BOX (middle), self->dots);
  gtk_box_append (GTK_BOX (middle), self->count);
  gtk_box_append (GTK_BOX (middle), icon_button ("go-next-symbolic", "win.next-page", _("Next page (Alt+Page Down)")));
  self->stop = icon_button ("media-playback-stop-symbolic", "win.stop", _("Stop the running cell (Ctrl+.)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (presenting), "win.present");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (bench), "win.workbench");
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), jump);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), icon_button ("document-open-symbolic", "win.open", _("Open a lesson (Ctrl+O)")));
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), make_title (self));
  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (header), middle);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), make_menu_button ());
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), bench);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), presenting);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), self->stop);
  return header;
}

/* ---- body ------------------------------------------------------------------------------------ */

static GtkWidget *
make_findings (LsDiagnostics *findings)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  gtk_widget_add_css_class (box, "error-line");
  for (guint i = 0; i < ls_diagnostics_get_n (findings) && i < 5; i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);
      g_autoptr (LsSource) source = ls_source_lookup (finding->span.source);
      g_autofree char *text = source != NULL ? g_strdup_printf (_("Line %u: %s"), ls_source_place (source, finding->span.start).line, finding->message)
                                             : g_strdup (finding->message);
      GtkWidget *label = gtk_label_new (text);

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
      gtk_box_append (GTK_BOX (box), label);
    }
  if (ls_diagnostics_get_n (findings) > 5)
    {
      g_autofree char *text = g_strdup_printf (_("and %u more; loopscope-cli lesson check lists them all"), ls_diagnostics_get_n (findings) - 5);

      gtk_box_append (GTK_BOX (box), gtk_label_new (text));
    }
  return box;
}

static GtkWidget *
make_notes (LsLessonWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->notes = gtk_revealer_new ();
  self->notes_text = gtk_label_new (NULL);
  self->clock = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->notes_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->notes_text), 0.0f);
  gtk_widget_set_hexpand (self->notes_text, TRUE);
  gtk_widget_add_css_class (self->clock, "figure");
  gtk_widget_add_css_class (self->clock, "strong");
  gtk_widget_set_valign (self->clock, GTK_ALIGN_START);
  gtk_widget_add_css_class (box, "lesson-notes");
  gtk_box_append (GTK_BOX (box), self->notes_text);
  gtk_box_append (GTK_BOX (box), self->clock);
  gtk_revealer_set_child (GTK_REVEALER (self->notes), box);
  return self->notes;
}

static GtkWidget *
make_foot (LsLessonWindow *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *run = gtk_button_new_with_label (_("Run next"));

  self->previous = gtk_button_new ();
  self->next = gtk_button_new ();
  gtk_widget_add_css_class (self->previous, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->previous), "win.previous-page");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->next), "win.next-page");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (run), "win.next");
  gtk_widget_set_tooltip_text (run, _("Runs the next cell and shows what it gives; then turns the page (Shift+Enter)"));
  gtk_widget_set_hexpand (space, TRUE);
  gtk_widget_add_css_class (foot, "pane-footer");
  gtk_box_append (GTK_BOX (foot), self->previous);
  gtk_box_append (GTK_BOX (foot), space);
  gtk_box_append (GTK_BOX (foot), run);
  gtk_box_append (GTK_BOX (foot), self->next);
  return foot;
}

/* A small window gives the page less than a large one, until the divider is moved by hand. */
static void
divide (gpointer data)
{
  GtkPaned *paned = GTK_PANED (data);
  int given = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (paned), "ls-given"));
  int position = gtk_paned_get_position (paned), width = gtk_widget_get_width (GTK_WIDGET (paned));

  if (width <= 0 || (given != 0 && given != position))
    return;
  gtk_paned_set_position (paned, CLAMP (width * 43 / 100, LEFT_LEAST, LEFT_WIDTH));
  g_object_set_data (G_OBJECT (paned), "ls-given", GINT_TO_POINTER (gtk_paned_get_position (paned)));
}

static void
queue_divide (GtkWidget *paned)
{
  ls_later (paned, G_PRIORITY_HIGH_IDLE, 0, divide);
}

static GtkWidget *
make_body (LsLessonWindow *self,
           LsDiagnostics  *findings)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->pages = gtk_stack_new ();
  self->result = ls_result_pane_new ();
  gtk_stack_set_vhomogeneous (GTK_STACK (self->pages), FALSE);
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_widget_set_size_request (left, LEFT_LEAST, -1);
  gtk_widget_add_css_class (left, "lesson-left");
  if (ls_diagnostics_get_n (findings) > 0)
    gtk_box_append (GTK_BOX (left), make_findings (findings));
  gtk_box_append (GTK_BOX (left), self->pages);
  gtk_box_append (GTK_BOX (left), make_notes (self));
  gtk_box_append (GTK_BOX (left), make_foot (self));
  gtk_paned_set_start_child (GTK_PANED (paned), left);
  gtk_paned_set_end_child (GTK_PANED (paned), self->result);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_position (GTK_PANED (paned), LEFT_WIDTH);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (queue_divide), NULL);
  gtk_widget_set_focusable (paned, FALSE);
  return paned;
}

/* ---- places ------------------------------------------------------------------------------------ */

/* A place that is not in the lesson is said among the findings. */
static void
check_place (LsLesson      *lesson,
             const char    *place,
             LsDiagnostics *findings)
{
  guint n = ls_lesson_get_n_pages (lesson);
  gboolean step = g_str_has_prefix (place, "step=");
  guint64 number = 0;

  if (step && (!g_ascii_string_to_unsigned (place + 5, 10, 1, n, &number, NULL)))
    ls_diagnostics_add (findings, LS_SEVERITY_WARNING, "lesson-place", LS_SPAN_NONE,
                        ngettext ("This lesson has %u step; there is no step %s.", "This lesson has %u steps; there is no step %s.", n),
                        n, place + 5);
  else if (!step && ls_lesson_find (lesson, g_str_has_prefix (place, "cell=") ? place + 5 : place) == NULL)
    ls_diagnostics_add (findings, LS_SEVERITY_WARNING, "lesson-place", LS_SPAN_NONE, _("There is no part named %s in this lesson."),
                        g_str_has_prefix (place, "cell=") ? place + 5 : place);
}

static void
go_to_place (LsLessonWindow *self,
             const char     *place)
{
  const LsLessonPart *part;
  guint64 number = 0;

  if (g_str_has_prefix (place, "step=") && g_ascii_string_to_unsigned (place + 5, 10, 1, G_MAXUINT, &number, NULL))
    {
      ls_play_set_page (self->play, MIN ((guint) number, ls_lesson_get_n_pages (lesson_of (self))) - 1);
      return;
    }
  part = ls_lesson_find (lesson_of (self), g_str_has_prefix (place, "cell=") ? place + 5 : place);
  if (part == NULL)
    return;
  ls_play_set_page (self->play, part->page);
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson_of (self)); i++)
    if (ls_lesson_get_part (lesson_of (self), i) == part)
      ls_page_view_reveal (page_view (self, part->page), i);
}

/* ---- making it --------------------------------------------------------------------------------- */

static void
ls_lesson_window_dispose (GObject *object)
{
  LsLessonWindow *self = LS_LESSON_WINDOW (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->presenter != NULL)
    gtk_window_destroy (GTK_WINDOW (self->presenter));
  if (self->play != NULL)
    g_signal_handlers_disconnect_by_data (self->play, self);
  G_OBJECT_CLASS (ls_lesson_window_parent_class)->dispose (object);
  g_clear_object (&self->play);
}

static void
ls_lesson_window_finalize (GObject *object)
{
  g_free (LS_LESSON_WINDOW (object)->folder);
  G_OBJECT_CLASS (ls_lesson_window_parent_class)->finalize (object);
}

static void
ls_lesson_window_class_init (LsLessonWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_lesson_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_lesson_window_finalize;
}

static void
ls_lesson_window_init (LsLessonWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->offered = -1;
  gtk_widget_add_css_class (GTK_WIDGET (self), "loopscope");
  gtk_window_set_default_size (GTK_WINDOW (self), 1440, 900);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
show_unreadable (LsLessonWindow *self,
                 const char     *sentence)
{
  GtkWidget *status = ls_status_new ();
  GtkWidget *header = gtk_header_bar_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    if (strcmp (entries[i].name, "open") != 0 && strcmp (entries[i].name, "lesson") != 0)
      g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name)), FALSE);
  ls_status_set (LS_STATUS (status), sentence, _("Open a lesson"), "win.open", NULL);
  ls_status_set_failed (LS_STATUS (status), TRUE);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), make_menu_button ());
  gtk_window_set_titlebar (GTK_WINDOW (self), header);
  gtk_window_set_title (GTK_WINDOW (self), "Loopscope");
  gtk_window_set_child (GTK_WINDOW (self), status);
}

static void
begin (LsLessonWindow *self,
       LsLesson       *lesson,
       LsDiagnostics  *findings,
       const char     *place)
{
  self->play = ls_play_new (lesson);
  if (place != NULL && *place != 0)
    check_place (lesson, place, findings);
  gtk_window_set_titlebar (GTK_WINDOW (self), make_header (self));
  gtk_window_set_title (GTK_WINDOW (self), ls_lesson_get_title (lesson));
  gtk_window_set_child (GTK_WINDOW (self), make_body (self, findings));
  make_dots (self);
  g_signal_connect_object (self->play, "page-changed", G_CALLBACK (page_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->play, "part-changed", G_CALLBACK (update_next), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->play, "shown", G_CALLBACK (shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->play, "kernel-changed", G_CALLBACK (kernel_changed), self, G_CONNECT_SWAPPED);
  page_changed (self);
  kernel_changed (self);
  if (place != NULL && *place != 0)
    go_to_place (self, place);
}

GtkWidget *
ls_lesson_window_new (GtkApplication  *application,
                      GFile           *file,
                      const char      *place,
                      LsWorkbenchFunc  workbench_func)
{
  LsLessonWindow *self = g_object_new (LS_TYPE_LESSON_WINDOW, "application", application, NULL);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLesson) lesson = path != NULL ? ls_lesson_load (path, findings, &error) : NULL;

  self->workbench = workbench_func;
  self->folder = path != NULL ? g_path_get_dirname (path) : g_strdup (".");
  if (lesson != NULL)
    begin (self, lesson, findings, place);
  else
    show_unreadable (self, error != NULL ? error->message : _("The lesson is not a file of this machine."));
  return GTK_WIDGET (self);
}
