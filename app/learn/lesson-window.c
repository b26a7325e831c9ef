/* LsLessonWindow: header with the pages as dots, a paned with page and result, a foot with the neighbours.
 *
 * Pages are built when they are first shown and kept, so that what was written and printed stays.  Findings of the
 * parser stand on top of the first page; they never keep a lesson from opening.
 */
#include "app/learn/lesson-window-private.h"

#include "app/jail/jail.h"
#include "app/learn/course-window.h"
#include "app/learn/prose.h"
#include "app/learn/result-pane.h"
#include "engine/base/task.h"
#include "views/parts/status.h"

#include <glib/gi18n.h>

#define MOST_DOTS 14
#define RELOAD_MS 300

G_DEFINE_FINAL_TYPE (LsLessonWindow, ls_lesson_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- pages ------------------------------------------------------------------------ */

LsLesson *
ls_lesson_window_get_lesson (LsLessonWindow *self)
{
  return ls_play_get_lesson (self->play);
}

LsPageView *
ls_lesson_window_get_page_view (LsLessonWindow *self,
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
  gboolean there = page >= 0 && page < (int) ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self));
  const char *title = there ? ls_lesson_get_page (ls_lesson_window_get_lesson (self), (guint) page)->title : "";
  g_autoptr (LsLesson) lesson = !there && forward ? ls_course_find_next (ls_lesson_window_get_lesson (self)) : NULL;
  g_autofree char *after = lesson != NULL ? g_strdup_printf (_("Next lesson: %s"), ls_lesson_get_title (lesson)) : NULL;
  g_autofree char *words = after != NULL ? g_strdup (after) : g_strdup_printf (forward ? _("Next page: %s") : _("Previous page: %s"), title);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (after != NULL ? after : title);
  GtkWidget *icon = gtk_image_new_from_icon_name (forward ? "go-next-symbolic" : "go-previous-symbolic");

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), forward ? label : icon);
  gtk_box_append (GTK_BOX (box), forward ? icon : label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_set_tooltip_text (button, title);
  gtk_widget_set_visible (button, there || after != NULL);
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
  guint n = ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self));

  for (guint i = 0; i < n && n <= MOST_DOTS; i++)
    {
      GtkWidget *dot = gtk_button_new ();
      const char *title = ls_lesson_get_page (ls_lesson_window_get_lesson (self), i)->title;
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

/* What is done is told apart from what was only passed over. */
static void
update_dots (LsLessonWindow *self)
{
  guint page = ls_play_get_page (self->play), i = 0;

  for (GtkWidget *dot = gtk_widget_get_first_child (self->dots); dot != NULL; dot = gtk_widget_get_next_sibling (dot), i++)
    {
      gboolean done = ls_play_is_page_done (self->play, i);

      gtk_widget_remove_css_class (dot, "past");
      gtk_widget_remove_css_class (dot, "here");
      if (done)
        gtk_widget_add_css_class (dot, "past");
      if (i == page)
        gtk_widget_add_css_class (dot, "here");
      gtk_accessible_update_property (GTK_ACCESSIBLE (dot), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, done ? _("done") : "", -1);
    }
}

void
ls_lesson_window_show_notes (LsLessonWindow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const LsLessonPage *page = ls_lesson_get_page (ls_lesson_window_get_lesson (self), ls_play_get_page (self->play));

  for (guint i = page->first; i < page->first + page->n_parts; i++)
    {
      const LsLessonPart *part = ls_lesson_get_part (ls_lesson_window_get_lesson (self), i);

      for (guint k = 0; part->kind == LS_PART_NOTES && k < part->blocks->len; k++)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", ((LsLessonBlock *) part->blocks->pdata[k])->text);
    }
  gtk_label_set_label (GTK_LABEL (self->notes_text), text->len > 0 ? text->str : _("No notes for this page."));
}

/* At the end of the lesson there is nothing more to go to. */
static void
update_next (LsLessonWindow *self)
{
  gboolean last = ls_play_get_page (self->play) + 1 == ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self));
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "next");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), !last || ls_play_find_next (self->play, -1) >= 0);
}

static void
page_changed (LsLessonWindow *self)
{
  guint page = ls_play_get_page (self->play);
  g_autofree char *count = g_strdup_printf (_("%u of %u"), page + 1, ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self)));

  self->offered = -1;
  gtk_stack_set_visible_child (GTK_STACK (self->pages), GTK_WIDGET (ls_lesson_window_get_page_view (self, page)));
  gtk_label_set_label (GTK_LABEL (self->count), count);
  name_neighbour (self, self->previous, (int) page - 1, FALSE);
  name_neighbour (self, self->next, (int) page + 1, TRUE);
  update_dots (self);
  update_next (self);
  ls_page_view_focus (ls_lesson_window_get_page_view (self, page));
  ls_lesson_window_show_notes (self);
  ls_result_pane_turn_to (LS_RESULT_PANE (self->result), self->play, page);
}

static void
part_changed (LsLessonWindow *self)
{
  update_next (self);
  update_dots (self);
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
      ls_play_set_page (self->play, MIN ((guint) number, ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self))) - 1);
      return;
    }
  part = ls_lesson_find (ls_lesson_window_get_lesson (self), g_str_has_prefix (place, "cell=") ? place + 5 : place);
  if (part == NULL)
    return;
  ls_play_set_page (self->play, part->page);
  for (guint i = 0; i < ls_lesson_get_n_parts (ls_lesson_window_get_lesson (self)); i++)
    if (ls_lesson_get_part (ls_lesson_window_get_lesson (self), i) == part)
      ls_page_view_reveal (ls_lesson_window_get_page_view (self, part->page), i);
}

/* ---- the jail ---------------------------------------------------------------------------------- */

static void
try_jail (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  ls_jail_probe ();
  g_task_return_boolean (task, ls_jail_may_run ());
}

static char *
describe_refusal (const LsJailReport *report)
{
  if (report->state == LS_JAIL_PARTLY)
    return g_strdup_printf (_("This machine lets the jail for cells hold only in part: %s."), report->why);
  return g_strdup_printf (_("This machine allows no jail for cells: %s."), report->why);
}

static void
jail_tried (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  LsLessonWindow *self = LS_LESSON_WINDOW (source);
  g_autofree char *what = NULL, *text = NULL;

  if (g_task_propagate_boolean (G_TASK (result), NULL) || self->play == NULL)
    return;
  what = describe_refusal (ls_jail_probe ());
  text = g_strconcat (what, " ", _("A lesson is a program: without a jail its cells can do what you can do. Nothing runs until you say so."), NULL);
  gtk_label_set_label (GTK_LABEL (self->refusal_text), text);
  gtk_widget_set_visible (self->refusal, TRUE);
}

void
ls_lesson_window_look_at_jail (LsLessonWindow *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, jail_tried, NULL);

  ls_task_run (task, try_jail);
}

/* ---- making it --------------------------------------------------------------------------------- */

static void
ls_lesson_window_dispose (GObject *object)
{
  LsLessonWindow *self = LS_LESSON_WINDOW (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_handle_id (&self->reload, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_object (&self->file);
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
  self->offered = -1;
  gtk_widget_add_css_class (GTK_WIDGET (self), "loopscope");
  gtk_window_set_default_size (GTK_WINDOW (self), 1440, 900);
  ls_lesson_window_add_actions (self);
}

static void
show_unreadable (LsLessonWindow *self,
                 const char     *sentence)
{
  GtkWidget *status = ls_status_new ();
  GtkWidget *header = gtk_header_bar_new ();

  ls_status_set (LS_STATUS (status), sentence, _("Open a lesson"), "win.open", NULL);
  ls_status_set_failed (LS_STATUS (status), TRUE);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), ls_lesson_window_make_menu_button ());
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
  gtk_window_set_titlebar (GTK_WINDOW (self), ls_lesson_window_make_header (self));
  gtk_window_set_title (GTK_WINDOW (self), ls_lesson_get_title (lesson));
  gtk_window_set_child (GTK_WINDOW (self), ls_lesson_window_make_body (self, findings));
  make_dots (self);
  g_signal_connect_object (self->play, "page-changed", G_CALLBACK (page_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->play, "part-changed", G_CALLBACK (part_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->play, "shown", G_CALLBACK (shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->play, "kernel-changed", G_CALLBACK (kernel_changed), self, G_CONNECT_SWAPPED);
  page_changed (self);
  kernel_changed (self);
  ls_lesson_window_look_at_jail (self);
  if (place != NULL && *place != 0)
    go_to_place (self, place);
}

/* ---- a file that is written while it is shown ---------------------------------------------------- */

static void
drop_play (LsLessonWindow *self)
{
  if (self->presenter != NULL)
    gtk_window_destroy (GTK_WINDOW (self->presenter));
  if (self->play == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->play, self);
  ls_play_save (self->play);
  g_clear_object (&self->play);
}

/* Reads the file again: findings that were mended go, what was answered stays where it belongs; Python begins anew. */
static gboolean
reload (gpointer data)
{
  LsLessonWindow *self = data;
  g_autofree char *path = g_file_get_path (self->file), *place = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLesson) lesson = NULL;

  self->reload = 0;
  if (!g_file_query_exists (self->file, NULL))
    return G_SOURCE_REMOVE;
  lesson = ls_lesson_load (path, findings, &error);
  drop_play (self);
  if (lesson != NULL)
    begin (self, lesson, findings, NULL);
  else
    show_unreadable (self, error->message);
  ls_lesson_window_enable_actions (self, lesson != NULL);
  return G_SOURCE_REMOVE;
}

void
ls_lesson_window_preview (LsLessonWindow *self,
                          LsLesson       *lesson,
                          LsDiagnostics  *findings)
{
  drop_play (self);
  begin (self, lesson, findings, NULL);
  ls_lesson_window_enable_actions (self, TRUE);
}

static void
file_changed (LsLessonWindow *self)
{
  g_clear_handle_id (&self->reload, g_source_remove);
  self->reload = g_timeout_add (RELOAD_MS, reload, self);
}

static void
watch (LsLessonWindow *self,
       GFile          *file)
{
  self->file = g_object_ref (file);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (file_changed), self, G_CONNECT_SWAPPED);
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
  ls_lesson_window_enable_actions (self, lesson != NULL);
  if (path != NULL)
    watch (self, file);
  return GTK_WIDGET (self);
}
