/* LsPageView: the parts of a page in a scrolled column. */
#include "app/learn/page-view.h"

#include "app/learn/cell-view.h"
#include "app/learn/code-view.h"
#include "app/learn/prose.h"
#include "app/learn/question-view.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>

struct _LsPageView {
  GtkBox      parent_instance;

  LsPlay     *play;
  guint       page;
  GtkWidget  *scroll;
  GtkWidget  *column;
  GHashTable *widgets;          /* part -> widget */
  guint       running;          /* part that runs, and 1; or 0 */
};

G_DEFINE_FINAL_TYPE (LsPageView, ls_page_view, GTK_TYPE_BOX)

static gboolean
is_question (const LsLessonPart *part)
{
  return part->kind == LS_PART_PREDICT || part->kind == LS_PART_PRIMITIVE;
}

/* "question 2 of 3" in the whole lesson. (transfer full) */
static char *
place_of (LsLesson *lesson,
          guint     part)
{
  guint n = 0, here = 0;

  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    if (is_question (ls_lesson_get_part (lesson, i)))
      {
        n++;
        here = i == part ? n : here;
      }
  return g_strdup_printf (_("question %u of %u"), here, n);
}

static GtkWidget *
make_part (LsPageView *self,
           guint       i,
           const char *folder)
{
  LsLesson *lesson = ls_play_get_lesson (self->play);
  const LsLessonPart *part = ls_lesson_get_part (lesson, i);
  g_autofree char *place = NULL;

  switch (part->kind)
    {
    case LS_PART_PROSE:
      return ls_prose_new (part->blocks, folder);
    case LS_PART_CELL:
    case LS_PART_EXERCISE:
      return ls_cell_view_new (self->play, i, folder);
    case LS_PART_OUTPUT:
      return ls_scroller_new_wide (ls_code_view_new (part->output, FALSE, _("Output")));
    case LS_PART_PREDICT:
    case LS_PART_PRIMITIVE:
      place = place_of (lesson, i);
      return ls_question_view_new (self->play, i, folder, place);
    case LS_PART_NOTES:
      return NULL;
    }

  return NULL;
}

/* ---- bringing into view ---- */

typedef struct {
  LsPageView *self;
  guint       part;
  gboolean    end;              /* of a part that is taller than the window: what it has given, not its beginning */
} Reveal;

static gboolean
scroll_to (gpointer data)
{
  Reveal *reveal = data;
  GtkWidget *widget = g_hash_table_lookup (reveal->self->widgets, GUINT_TO_POINTER (reveal->part));
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (reveal->self->scroll));
  graphene_rect_t bounds;

  if (widget != NULL && gtk_widget_compute_bounds (widget, reveal->self->column, &bounds))
    {
      double top = bounds.origin.y, bottom = top + bounds.size.height;
      double page = gtk_adjustment_get_page_size (adjustment), value = gtk_adjustment_get_value (adjustment);

      if (top < value || bottom > value + page)
        gtk_adjustment_set_value (adjustment, MAX (0, MIN (top - 16, bottom - page + 16 > value ? MAX (bottom - page + 16, 0) : top - 16)));
      if (bottom - top > page)
        gtk_adjustment_set_value (adjustment, reveal->end ? bottom - page + 16 : MAX (0, top - 16));
    }
  return G_SOURCE_REMOVE;
}

static void
reveal_free (gpointer data)
{
  g_object_unref (((Reveal *) data)->self);
  g_free (data);
}

/* What a cell has given gets its room a moment later, and again when it is seen that it needs a bar. */
static void
bring_into_view (LsPageView *self,
                 guint       part,
                 gboolean    end)
{
  static const guint delays[] = { 60, 350 };

  for (gsize i = 0; i < (end ? G_N_ELEMENTS (delays) : 1); i++)
    {
      Reveal *reveal = g_new0 (Reveal, 1);

      reveal->self = g_object_ref (self);
      reveal->end = end;
      reveal->part = part;
      g_timeout_add_full (G_PRIORITY_DEFAULT, delays[i], scroll_to, reveal, reveal_free);
    }
}

/* What a cell has given stands below it, perhaps below the edge of the page. */
static void
part_changed (LsPlay     *play,
              guint       part,
              LsPageView *self)
{
  gboolean here = g_hash_table_contains (self->widgets, GUINT_TO_POINTER (part)) && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (here && ls_play_get (play, part)->state == LS_PLAY_RUNNING)
    self->running = part + 1;
  else if (self->running == part + 1)
    {
      self->running = 0;
      if (here)
        bring_into_view (self, part, TRUE);
    }
}

gboolean
ls_page_view_reveal (LsPageView *self,
                     guint       part)
{
  GtkWidget *widget = g_hash_table_lookup (self->widgets, GUINT_TO_POINTER (part));

  if (widget == NULL)
    return FALSE;
  if (LS_IS_CELL_VIEW (widget))
    ls_cell_view_focus (LS_CELL_VIEW (widget));
  else if (LS_IS_QUESTION_VIEW (widget))
    ls_question_view_focus (LS_QUESTION_VIEW (widget));
  bring_into_view (self, part, FALSE);
  return TRUE;
}

static LsQuestionView *
open_question (LsPageView *self)
{
  const LsLessonPage *page = ls_lesson_get_page (ls_play_get_lesson (self->play), self->page);

  for (guint i = page->first; i < page->first + page->n_parts; i++)
    {
      GtkWidget *widget = g_hash_table_lookup (self->widgets, GUINT_TO_POINTER (i));

      if (widget != NULL && LS_IS_QUESTION_VIEW (widget) && !ls_play_get (self->play, i)->revealed)
        return LS_QUESTION_VIEW (widget);
    }
  return NULL;
}

gboolean
ls_page_view_answer (LsPageView *self,
                     int         choice)
{
  LsQuestionView *question = open_question (self);

  if (question == NULL)
    return FALSE;
  if (choice >= 0)
    return ls_question_view_choose (question, choice);
  ls_question_view_reveal (question);
  return TRUE;
}

gboolean
ls_page_view_scroll (LsPageView *self,
                     gboolean    forward)
{
  GtkAdjustment *of = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll));
  double page = gtk_adjustment_get_page_size (of), before = gtk_adjustment_get_value (of);

  gtk_adjustment_set_value (of, before + (forward ? page : -page) * 0.85);
  return ABS (gtk_adjustment_get_value (of) - before) > 1.0;
}

void
ls_page_view_focus (LsPageView *self)
{
  gtk_widget_grab_focus (self->scroll);
}

/* ---- making it ---- */

static void
ls_page_view_finalize (GObject *object)
{
  g_hash_table_unref (LS_PAGE_VIEW (object)->widgets);
  G_OBJECT_CLASS (ls_page_view_parent_class)->finalize (object);
}

static void
ls_page_view_class_init (LsPageViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_page_view_finalize;
}

static void
ls_page_view_init (LsPageView *self)
{
  self->widgets = g_hash_table_new (NULL, NULL);
  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 14);
  self->scroll = gtk_scrolled_window_new ();
  gtk_widget_add_css_class (self->column, "lesson-page");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroll), self->column);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  ls_scroller_steady (self->scroll);
  gtk_widget_set_focusable (self->scroll, TRUE);
  gtk_widget_set_vexpand (self->scroll, TRUE);
  gtk_widget_set_hexpand (self->scroll, TRUE);
  gtk_box_append (GTK_BOX (self), self->scroll);
}

/* Does the page begin with a heading of its own? */
static gboolean
has_heading (LsLesson           *lesson,
             const LsLessonPage *page)
{
  const LsLessonPart *part = page->n_parts > 0 ? ls_lesson_get_part (lesson, page->first) : NULL;
  const LsLessonBlock *block = part != NULL && part->kind == LS_PART_PROSE ? part->blocks->pdata[0] : NULL;

  return block != NULL && block->kind == LS_BLOCK_HEADING;
}

GtkWidget *
ls_page_view_new (LsPlay     *play,
                  guint       page,
                  const char *folder)
{
  LsPageView *self = g_object_new (LS_TYPE_PAGE_VIEW, NULL);
  const LsLessonPage *of = ls_lesson_get_page (ls_play_get_lesson (play), page);

  self->play = play;
  self->page = page;
  g_signal_connect_object (play, "part-changed", G_CALLBACK (part_changed), self, 0);
  if (page == 0 && !has_heading (ls_play_get_lesson (play), of))
    {
      GtkWidget *title = gtk_label_new (ls_lesson_get_title (ls_play_get_lesson (play)));

      gtk_label_set_wrap (GTK_LABEL (title), TRUE);
      gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
      gtk_label_set_max_width_chars (GTK_LABEL (title), 40);
      gtk_widget_add_css_class (title, "lesson-heading");
      gtk_box_append (GTK_BOX (self->column), title);
    }
  for (guint i = of->first; i < of->first + of->n_parts; i++)
    {
      GtkWidget *widget = make_part (self, i, folder);

      if (widget == NULL)
        continue;
      g_hash_table_insert (self->widgets, GUINT_TO_POINTER (i), widget);
      gtk_box_append (GTK_BOX (self->column), widget);
    }
  return GTK_WIDGET (self);
}
