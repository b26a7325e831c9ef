/* LsPresenter: made anew for each page and each change of it; there is little on a slide (slide.c makes programs short,
 * slide-right.c fills the side beside the words).
 *
 * Nothing on the slide itself reacts to a click but answers before they are revealed and views that can be stepped, so that a slip of the
 * pointer does nothing that the audience would see; who wants to point and to mark says so (P).  Programs are shown without their reads and writes, which a sentence says.
 */
#include "app/learn/presenter.h"

#include "app/learn/marker.h"
#include "app/learn/prose.h"
#include "app/learn/question-view.h"
#include "app/learn/screens.h"
#include "app/learn/slide.h"
#include "app/learn/slide-right.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>
#include <string.h>

#define SIZES 7
#define COLUMNS 10
#define LINE_PX 21              /* a line of code at 100 % */
#define ROUND_ABOUT 210         /* foot, borders and legend */

struct _LsPresenter {
  GtkWindow   parent_instance;

  LsPlay     *play;
  char       *folder;
  int         size;
  guint       grown[2];         /* the steps by which the letters of both sides exceed that */
  guint       most;             /* the most that they may on this page */
  int         grown_page;       /* the page that it was found for, */
  int         fitted[2];        /* and width and height of the window */
  guint       room;             /* lines, when the slide was filled last */
  gboolean    sized;            /* by hand: then it stays when the window changes */
  guint       idle;
  guint       fitting;
  GtkWidget  *slide;            /* both sides, without the foot */
  GtkWidget  *sides;            /* grid of ten columns of one width */
  GtkWidget  *left;             /* box */
  GtkWidget  *left_side;
  GtkWidget  *right;            /* box */
  GtkWidget  *right_side;       /* away while there is nothing to show at the right */
  GtkWidget  *place;
  GtkWidget  *next;
  GtkWidget  *hide;
  GtkWidget  *marker;           /* over both sides */
  GtkWidget  *point;            /* the button that switches it */
  GtkWidget  *screen;           /* the button for the next one, where there is one */
  GtkWidget  *question;         /* of a page that asks for a primitive, or NULL */
};

G_DEFINE_FINAL_TYPE (LsPresenter, ls_presenter, GTK_TYPE_WINDOW)

static LsLesson *
lesson_of (LsPresenter *self)
{
  return ls_play_get_lesson (self->play);
}

static const LsLessonPage *
page_of (LsPresenter *self)
{
  return ls_lesson_get_page (lesson_of (self), ls_play_get_page (self->play));
}

/* How many lines of code the window has room for at this size of its letters; what is folded stands around what is marked. */
static guint
room_of (LsPresenter *self)
{
  static const int percent[SIZES] = { 150, 160, 175, 190, 250, 300, 380 };          /* of style.css */
  int height = gtk_widget_get_height (GTK_WIDGET (self)), line = percent[self->size] * LINE_PX / 100;

  return height > 0 ? (guint) CLAMP ((height - ROUND_ABOUT) / line, 12, 44) : 15;
}

/* ---- the slide ------------------------------------------------------------------------- */

static void
chosen (GtkWidget   *button,
        LsPresenter *self)
{
  guint part = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ls-part"));

  if (!ls_play_get (self->play, part)->revealed)
    ls_play_choose (self->play, part, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "ls-choice")));
}

static void
add_choice (LsPresenter          *self,
            guint                 part,
            int                   i,
            const LsLessonChoice *choice)
{
  const LsPlayPart *played = ls_play_get (self->play, part);
  GtkWidget *button = gtk_button_new ();
  g_autofree char *number = g_strdup_printf ("%d", i + 1);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18), *count = gtk_label_new (number);
  GtkWidget *label = ls_slide_label (choice->markup, "presenter-choice-text");

  gtk_widget_add_css_class (count, "presenter-count");
  gtk_widget_set_valign (count, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), count);
  gtk_box_append (GTK_BOX (row), label);
  if (played->revealed && (choice->right || played->choice == i))
    gtk_box_append (GTK_BOX (row), gtk_label_new (choice->right ? "✓" : "✗"));
  gtk_button_set_child (GTK_BUTTON (button), row);
  gtk_widget_add_css_class (button, "presenter-choice");
  if (played->revealed ? choice->right : played->choice == i)
    gtk_widget_add_css_class (button, "chosen");
  gtk_widget_set_can_target (button, !played->revealed);
  g_object_set_data (G_OBJECT (button), "ls-part", GUINT_TO_POINTER (part));
  g_object_set_data (G_OBJECT (button), "ls-choice", GINT_TO_POINTER (i));
  g_signal_connect (button, "clicked", G_CALLBACK (chosen), self);
  gtk_box_append (GTK_BOX (self->left), button);
}

static void
add_question (LsPresenter *self,
              guint        part)
{
  const LsLessonPart *of = ls_lesson_get_part (lesson_of (self), part);

  for (guint i = 0; i < of->blocks->len; i++)
    gtk_box_append (GTK_BOX (self->left), ls_slide_label (((LsLessonBlock *) of->blocks->pdata[i])->markup, i == 0 ? "presenter-title" : "presenter-text"));
  for (guint i = 0; i < of->choices->len; i++)
    add_choice (self, part, (int) i, of->choices->pdata[i]);
  if (ls_play_get (self->play, part)->revealed)
    {
      GtkWidget *answer = ls_prose_new (of->answer, self->folder);

      gtk_widget_add_css_class (answer, "lesson-answer");
      gtk_box_append (GTK_BOX (self->left), answer);
    }
}

static void
add_prose (LsPresenter *self)
{
  const LsLessonPage *page = page_of (self);
  g_autofree char *title = g_markup_escape_text (page->title, -1);

  gtk_box_append (GTK_BOX (self->left), ls_slide_label (title, "presenter-title"));
  for (guint i = page->first; i < page->first + page->n_parts; i++)
    {
      const LsLessonPart *of = ls_lesson_get_part (lesson_of (self), i);

      for (guint k = 0; of->kind == LS_PART_PROSE && k < of->blocks->len; k++)
        {
          const LsLessonBlock *block = of->blocks->pdata[k];

          if (block->kind != LS_BLOCK_HEADING && block->kind != LS_BLOCK_TABLE && block->kind != LS_BLOCK_IMAGE)
            gtk_box_append (GTK_BOX (self->left), ls_slide_label (block->markup, block->kind == LS_BLOCK_CODE ? "presenter-code" : "presenter-text"));
        }
    }
}

/* A question that was put and got no answer is not in the way. */
static gboolean
can_answer (LsPresenter *self,
            guint        part)
{
  const LsPlayPart *played = ls_play_get (self->play, part);

  return played->answer == NULL || (played->verdict == NULL && played->choice >= 0);
}

static char *
next_words (LsPresenter *self)
{
  int part = ls_play_find_next (self->play, -1);
  guint page = ls_play_get_page (self->play);
  const LsLessonPart *of = part >= 0 ? ls_lesson_get_part (lesson_of (self), (guint) part) : NULL;

  if (of != NULL && of->kind == LS_PART_PREDICT)
    return g_strdup (_("Reveal"));
  if (of != NULL && of->kind == LS_PART_PRIMITIVE && can_answer (self, (guint) part))
    return g_strdup (ls_play_get (self->play, (guint) part)->answer == NULL ? _("Ask me") : _("Check"));
  if (of != NULL && of->kind == LS_PART_CELL)
    return g_strdup_printf (_("Run cell %u"), of->number);
  if (page + 1 < ls_lesson_get_n_pages (lesson_of (self)))
    return g_strdup_printf (_("Next: %s"), ls_lesson_get_page (lesson_of (self), page + 1)->title);
  return g_strdup (_("The end"));
}

/* Which primitive was this? */
static void
add_primitive (LsPresenter *self)
{
  int part = ls_play_find_part (self->play, LS_PART_PRIMITIVE);

  self->question = part >= 0 ? ls_question_view_new (self->play, (guint) part, self->folder, "") : NULL;
  if (part >= 0)
    gtk_box_append (GTK_BOX (self->left), self->question);
}

static void
set_size (LsPresenter *self,
          int          size)
{
  g_autofree char *old = g_strdup_printf ("size-%d", self->size);
  g_autofree char *new = NULL;

  self->size = CLAMP (size, 0, SIZES - 1);
  new = g_strdup_printf ("size-%d", self->size);
  gtk_widget_remove_css_class (GTK_WIDGET (self), old);
  gtk_widget_add_css_class (GTK_WIDGET (self), new);
}

static void
put_side (LsPresenter *self,
          GtkWidget   *side,
          int          column,
          int          row,
          int          span)
{
  GtkLayoutManager *grid = gtk_widget_get_layout_manager (self->sides);
  GtkGridLayoutChild *at = GTK_GRID_LAYOUT_CHILD (gtk_layout_manager_get_layout_child (grid, side));

  gtk_grid_layout_child_set_column (at, column);
  gtk_grid_layout_child_set_row (at, row);
  gtk_grid_layout_child_set_column_span (at, span);
}

/* Words and program side by side, the words in `columns` of ten columns; 0: a title alone stands above. */
static void
put_sides (LsPresenter *self,
           guint        columns)
{
  gboolean both = gtk_widget_get_visible (self->right_side), above = both && columns == 0;
  int left = both && !above ? (int) columns : COLUMNS;

  put_side (self, self->left_side, 0, 0, left);
  put_side (self, self->right_side, above ? 0 : left, above ? 1 : 0, above ? COLUMNS : COLUMNS - left);
  gtk_widget_set_vexpand (self->left_side, !above);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->left_side), above);
  if (above)
    gtk_widget_add_css_class (self->slide, "title-above");
  else
    gtk_widget_remove_css_class (self->slide, "title-above");
}

/* On a slide with little on it the letters are larger.  `anew`: as large as there is room for; else they are not larger than they were, so that what a page shows
 * more and more of does not jump about. */
static void
grow (LsPresenter *self,
      gboolean     anew)
{
  static const char *const classes[] = { "grown-0", "grown-1", "grown-2", "grown-3" };
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (self->slide);
  GtkWidget *right = gtk_widget_get_visible (self->right_side) ? self->right : NULL, *sides[] = { self->left_side, self->right_side };
  guint steps[] = { self->grown[0], self->grown[1] }, columns = COLUMNS / 2;

  self->fitted[0] = width;
  self->fitted[1] = gtk_widget_get_height (GTK_WIDGET (self));
  if (height > 0)
    columns = ls_slide_fit (self->left, right, width, height, steps);
  put_sides (self, columns);
  for (gsize i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      if (self->sized || height <= 0)
        steps[i] = 0;
      if (!anew)
        steps[i] = MIN (steps[i], self->most);
      gtk_widget_remove_css_class (sides[i], classes[self->grown[i]]);
      self->grown[i] = steps[i];
      gtk_widget_add_css_class (sides[i], classes[steps[i]]);
    }
  self->most = self->grown[0];
}

static void
fill (LsPresenter *self)
{
  int question = ls_play_find_part (self->play, LS_PART_PREDICT);
  guint page = ls_play_get_page (self->play), n = ls_lesson_get_n_pages (lesson_of (self));
  g_autofree char *place = g_strdup_printf (_("%u of %u"), page + 1, n);
  g_autofree char *words = next_words (self);

  ls_slide_empty (self->left);
  if (question >= 0)
    add_question (self, (guint) question);
  else
    add_prose (self);
  add_primitive (self);
  ls_slide_fill_right (self->right, self->play, self->folder, room_of (self));
  gtk_widget_set_visible (self->right_side, gtk_widget_get_first_child (self->right) != NULL);
  gtk_label_set_label (GTK_LABEL (self->place), place);
  gtk_button_set_label (GTK_BUTTON (self->next), words);
  gtk_widget_set_sensitive (self->next, ls_play_find_next (self->play, -1) >= 0 || page + 1 < n);
  gtk_widget_set_visible (self->hide, question >= 0 && ls_play_get (self->play, (guint) question)->revealed);
  grow (self, self->grown_page != (int) page);
  self->grown_page = (int) page;
}

static gboolean
fill_now (gpointer data)
{
  LsPresenter *self = data;

  self->idle = 0;
  fill (self);
  return G_SOURCE_REMOVE;
}

static void
fill_soon (LsPresenter *self)
{
  if (self->idle == 0)
    self->idle = g_timeout_add (60, fill_now, self);
}

/* ---- buttons and keys --------------------------------------------------------------------- */

static void
go_on (LsPresenter *self)
{
  int part = ls_play_find_next (self->play, -1);
  const LsLessonPart *of = part >= 0 ? ls_lesson_get_part (lesson_of (self), (guint) part) : NULL;

  if (of != NULL && of->kind == LS_PART_PREDICT)
    ls_play_reveal (self->play, (guint) part, TRUE);
  else if (of != NULL && of->kind == LS_PART_CELL)
    ls_play_run (self->play, (guint) part);
  else if (of != NULL && of->kind == LS_PART_PRIMITIVE && self->question != NULL && can_answer (self, (guint) part))
    ls_question_view_reveal (LS_QUESTION_VIEW (self->question));
  else
    ls_play_set_page (self->play, ls_play_get_page (self->play) + 1);
}

static void
go_back (LsPresenter *self)
{
  if (ls_play_get_page (self->play) > 0)
    ls_play_set_page (self->play, ls_play_get_page (self->play) - 1);
}

static void
hide_answer (LsPresenter *self)
{
  int question = ls_play_find_part (self->play, LS_PART_PREDICT);

  if (question >= 0)
    ls_play_reveal (self->play, (guint) question, FALSE);
}

/* The letters that leave room for fifteen lines of code beside the words. */
static gboolean
fit_size (gpointer data)
{
  LsPresenter *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  static const int widths[SIZES - 1] = { 1100, 1300, 1800, 2400, 3000, 3600 };
  int size = 0;

  self->fitting = 0;
  while (size < SIZES - 1 && width >= widths[size])
    size++;
  if (!self->sized && size != self->size)
    set_size (self, size);
  if (width != self->fitted[0] || gtk_widget_get_height (GTK_WIDGET (self)) != self->fitted[1])
    grow (self, TRUE);
  if (room_of (self) != self->room)
    {
      self->room = room_of (self);
      fill_soon (self);
    }
  return G_SOURCE_REMOVE;
}

static void
ls_presenter_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  LsPresenter *self = LS_PRESENTER (widget);

  GTK_WIDGET_CLASS (ls_presenter_parent_class)->size_allocate (widget, width, height, baseline);
  if (self->fitting == 0)
    self->fitting = g_idle_add (fit_size, self);
}

/* From here on they are as large as somebody wants them, on each slide. */
static void
size_by_hand (LsPresenter *self,
              int          by)
{
  self->sized = TRUE;
  set_size (self, self->size + by);
  grow (self, TRUE);
}

static void
smaller (LsPresenter *self)
{
  size_by_hand (self, -1);
}

static void
larger (LsPresenter *self)
{
  size_by_hand (self, 1);
}

static void
full_screen (LsPresenter *self)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static void
next_screen (LsPresenter *self)
{
  g_autoptr (GdkMonitor) monitor = ls_screens_other (GTK_WINDOW (self));

  if (monitor != NULL)
    ls_screens_fill (GTK_WINDOW (self), monitor);
}

/* Only where there is another one. */
static void
show_screens (LsPresenter *self)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));

  gtk_widget_set_visible (self->screen, g_list_model_get_n_items (monitors) > 1);
}

static gboolean
choose (LsPresenter *self,
        int          choice)
{
  int question = ls_play_find_part (self->play, LS_PART_PREDICT);

  if (question < 0 && self->question != NULL)
    return ls_question_view_choose (LS_QUESTION_VIEW (self->question), choice);
  if (question < 0 || choice >= (int) ls_lesson_get_part (lesson_of (self), (guint) question)->choices->len
      || ls_play_get (self->play, (guint) question)->revealed)
    return FALSE;
  ls_play_choose (self->play, (guint) question, choice);
  return TRUE;
}

/* Keys of somebody who writes are theirs, but those that leave. */
static gboolean
write_pressed (LsPresenter *self,
               guint        key)
{
  if (key == GDK_KEY_Escape)
    gtk_window_set_focus (GTK_WINDOW (self), NULL);
  else if (key == GDK_KEY_Page_Down)
    go_on (self);
  else if (key == GDK_KEY_Page_Up)
    go_back (self);
  else
    return FALSE;
  return TRUE;
}

static gboolean
key_pressed (LsPresenter     *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && GTK_IS_TEXT_VIEW (focus) && gtk_text_view_get_editable (GTK_TEXT_VIEW (focus)))
    return write_pressed (self, key);
  switch (key)
    {
    case GDK_KEY_Page_Down:
    case GDK_KEY_Right:
    case GDK_KEY_space:
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      go_on (self);
      return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_Left:
      go_back (self);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      larger (self);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      smaller (self);
      return TRUE;
    case GDK_KEY_F11:
      full_screen (self);
      return TRUE;
    case GDK_KEY_s:
    case GDK_KEY_S:
      next_screen (self);
      return TRUE;
    case GDK_KEY_p:
    case GDK_KEY_P:
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->point), !ls_marker_get_pointing (LS_MARKER (self->marker)));
      return TRUE;
    case GDK_KEY_Delete:
    case GDK_KEY_BackSpace:
      ls_marker_clear (LS_MARKER (self->marker));
      return TRUE;
    case GDK_KEY_Escape:
      if (ls_marker_get_pointing (LS_MARKER (self->marker)))
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->point), FALSE);
      else
        gtk_window_close (GTK_WINDOW (self));
      return TRUE;
    }
  return key >= GDK_KEY_1 && key <= GDK_KEY_9 && choose (self, (int) (key - GDK_KEY_1));
}

/* ---- making it -------------------------------------------------------------------------------- */

static GtkWidget *
foot_button (LsPresenter *self,
             GtkWidget   *foot,
             const char  *text,
             const char  *label,
             GCallback    callback)
{
  GtkWidget *button = gtk_button_new_with_label (text);

  ls_set_label (button, label);
  gtk_widget_set_focus_on_click (button, FALSE);
  g_signal_connect_swapped (button, "clicked", callback, self);
  gtk_box_append (GTK_BOX (foot), button);
  return button;
}

static void
point (GtkToggleButton *button,
       LsPresenter     *self)
{
  ls_marker_set_pointing (LS_MARKER (self->marker), gtk_toggle_button_get_active (button));
}

static GtkWidget *
make_foot (LsPresenter *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_label_new (_("Notes are in the other window"));

  gtk_widget_add_css_class (foot, "presenter-foot");
  gtk_button_set_icon_name (GTK_BUTTON (foot_button (self, foot, "", _("Previous page"), G_CALLBACK (go_back))), "go-previous-symbolic");
  self->place = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->place, "presenter-place");
  gtk_box_append (GTK_BOX (foot), self->place);
  self->next = foot_button (self, foot, "", _("Next"), G_CALLBACK (go_on));
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self->next), GTK_ACCESSIBLE_PROPERTY_LABEL);
  gtk_widget_add_css_class (self->next, "primary");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_halign (words, GTK_ALIGN_END);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (words, "presenter-small");
  gtk_box_append (GTK_BOX (foot), words);
  self->hide = foot_button (self, foot, _("Hide answer"), _("Hide answer"), G_CALLBACK (hide_answer));
  self->point = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->point), "document-edit-symbolic");
  ls_set_label (self->point, _("Point and mark"));
  gtk_widget_set_tooltip_text (self->point, _("Point, and mark by dragging (P); Delete takes the marks away"));
  gtk_widget_set_focus_on_click (self->point, FALSE);
  g_signal_connect (self->point, "toggled", G_CALLBACK (point), self);
  gtk_box_append (GTK_BOX (foot), self->point);
  gtk_button_set_icon_name (GTK_BUTTON (foot_button (self, foot, "", _("Smaller"), G_CALLBACK (smaller))), "value-decrease-symbolic");
  gtk_button_set_icon_name (GTK_BUTTON (foot_button (self, foot, "", _("Larger"), G_CALLBACK (larger))), "value-increase-symbolic");
  self->screen = foot_button (self, foot, "", _("Next screen"), G_CALLBACK (next_screen));
  gtk_button_set_icon_name (GTK_BUTTON (self->screen), "display-projector-symbolic");
  gtk_widget_set_tooltip_text (self->screen, _("To the next screen (S)"));
  g_signal_connect_object (gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self))), "items-changed", G_CALLBACK (show_screens), self, G_CONNECT_SWAPPED);
  show_screens (self);
  gtk_button_set_icon_name (GTK_BUTTON (foot_button (self, foot, "", _("Full screen"), G_CALLBACK (full_screen))), "view-fullscreen-symbolic");
  return foot;
}

static GtkWidget *
make_side (GtkWidget **box,
           const char *class)
{
  GtkWidget *scroll = gtk_scrolled_window_new ();

  *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_widget_add_css_class (*box, class);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), *box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  ls_scroller_steady (scroll);
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_widget_set_hexpand (scroll, TRUE);
  return scroll;
}

static void
ls_presenter_dispose (GObject *object)
{
  LsPresenter *self = LS_PRESENTER (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_handle_id (&self->fitting, g_source_remove);
  if (self->play != NULL)
    g_signal_handlers_disconnect_by_data (self->play, self);
  g_clear_object (&self->play);
  G_OBJECT_CLASS (ls_presenter_parent_class)->dispose (object);
}

static void
ls_presenter_finalize (GObject *object)
{
  g_free (LS_PRESENTER (object)->folder);
  G_OBJECT_CLASS (ls_presenter_parent_class)->finalize (object);
}

static void
ls_presenter_class_init (LsPresenterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_presenter_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_presenter_finalize;
  GTK_WIDGET_CLASS (klass)->size_allocate = ls_presenter_size_allocate;
}

static void
ls_presenter_init (LsPresenter *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class (GTK_WIDGET (self), "loopscope");
  gtk_widget_add_css_class (GTK_WIDGET (self), "presenter");
  gtk_window_set_default_size (GTK_WINDOW (self), 1440, 900);
  self->sides = gtk_grid_new ();
  gtk_grid_set_column_homogeneous (GTK_GRID (self->sides), TRUE);
  self->left_side = make_side (&self->left, "presenter-left");
  self->right_side = make_side (&self->right, "presenter-right");
  gtk_grid_attach (GTK_GRID (self->sides), self->left_side, 0, 0, COLUMNS / 2, 1);
  gtk_grid_attach (GTK_GRID (self->sides), self->right_side, COLUMNS / 2, 0, COLUMNS / 2, 1);
  self->marker = ls_marker_new ();
  self->slide = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (self->slide), self->sides);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->slide), self->marker);
  gtk_box_append (GTK_BOX (box), self->slide);
  gtk_box_append (GTK_BOX (box), make_foot (self));
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  self->size = 2;
  self->grown_page = -1;
  set_size (self, 2);
}

GtkWidget *
ls_presenter_new (GtkApplication *application,
                  LsPlay         *play,
                  const char     *folder)
{
  LsPresenter *self = g_object_new (LS_TYPE_PRESENTER, "application", application, "title", ls_lesson_get_title (ls_play_get_lesson (play)), NULL);

  self->play = g_object_ref (play);
  self->folder = g_strdup (folder);
  g_signal_connect_object (play, "page-changed", G_CALLBACK (fill_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (play, "page-changed", G_CALLBACK (ls_marker_clear), self->marker, G_CONNECT_SWAPPED);
  g_signal_connect_object (play, "part-changed", G_CALLBACK (fill_soon), self, G_CONNECT_SWAPPED);
  fill (self);
  return GTK_WIDGET (self);
}
