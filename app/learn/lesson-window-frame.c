/* The frame of a lesson window: its header with the pages as dots, the panes below it, the foot with the neighbours. */
#include "app/learn/lesson-window-private.h"

#include "app/learn/prose.h"
#include "app/learn/result-pane.h"
#include "views/parts/later.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

#define LEFT_WIDTH 584
#define LEFT_LEAST 420

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

  for (guint i = 0; i < ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self)); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u  %s", i + 1, ls_lesson_get_page (ls_lesson_window_get_lesson (self), i)->title);
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

GtkWidget *
ls_lesson_window_make_menu_button (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new (), sizes = g_menu_new (), files = g_menu_new ();
  g_autoptr (GMenuModel) lessons = ls_lesson_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  g_menu_append (section, _("Restart Python"), "win.restart");
  g_menu_append (section, _("Begin again…"), "win.reset");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_menu_append (files, _("Edit this lesson"), "win.edit");
  g_menu_append (files, _("Practice"), "win.practice");
  g_menu_append (files, _("Save my answers…"), "win.submit");
  g_menu_append (files, _("Share as a page…"), "win.share");
  g_menu_append (files, _("Save as PDF…"), "win.paper");
  g_menu_append (files, _("All lessons…"), "win.lessons");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append (sizes, _("Larger letters"), "win.text-larger");
  g_menu_append (sizes, _("Smaller letters"), "win.text-smaller");
  g_menu_append (sizes, _("Letters of the usual size"), "win.text-normal");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (sizes));
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
  LsLesson *lesson = ls_lesson_window_get_lesson (self);
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

GtkWidget *
ls_lesson_window_make_header (LsLessonWindow *self)
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
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), ls_lesson_window_make_menu_button ());
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

/* Hidden until it is known that this machine refuses a jail. */
static GtkWidget *
make_refusal (LsLessonWindow *self)
{
  GtkWidget *run = gtk_button_new_with_label (_("Run anyway"));

  self->refusal = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->refusal_text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->refusal_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->refusal_text), 0.0f);
  gtk_widget_set_halign (run, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (run, _("Cells run with what this machine allows, until Loopscope is closed"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (run), "win.run-anyway");
  gtk_widget_add_css_class (self->refusal, "error-line");
  gtk_widget_set_visible (self->refusal, FALSE);
  gtk_box_append (GTK_BOX (self->refusal), self->refusal_text);
  gtk_box_append (GTK_BOX (self->refusal), run);
  return self->refusal;
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
  gtk_paned_set_position (paned, CLAMP (width * 43 / 100, MIN (ls_theme_grow (LEFT_LEAST), width / 2), ls_theme_grow (LEFT_WIDTH)));
  g_object_set_data (G_OBJECT (paned), "ls-given", GINT_TO_POINTER (gtk_paned_get_position (paned)));
}

static void
queue_divide (GtkWidget *paned)
{
  ls_later (paned, G_PRIORITY_HIGH_IDLE, 0, divide);
}

GtkWidget *
ls_lesson_window_make_body (LsLessonWindow *self,
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
  gtk_box_append (GTK_BOX (left), make_refusal (self));
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
  gtk_paned_set_position (GTK_PANED (paned), ls_theme_grow (LEFT_WIDTH));
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (queue_divide), NULL);
  gtk_widget_set_focusable (paned, FALSE);
  return paned;
}
