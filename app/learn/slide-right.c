/* slide-right: see the header. */
#include "app/learn/slide-right.h"

#include "app/learn/cell-view.h"
#include "app/learn/result-pane.h"
#include "app/learn/shown.h"
#include "app/learn/slide.h"
#include "app/rpc/rpc.h"

#include <string.h>

typedef struct {
  GtkWidget  *box;
  LsPlay     *play;
  const char *folder;
  guint       room;             /* lines of code */
} Right;

static void
add_program_within (Right      *self,
                    const char *text,
                    const char *before,
                    const char *mark,
                    guint       room)
{
  gtk_box_append (GTK_BOX (self->box), ls_slide_new (text, before, mark, room));
}

static void
add_program (Right      *self,
             const char *text,
             const char *before,
             const char *mark)
{
  add_program_within (self, text, before, mark, self->room);
}

/* Lines of a program that a sentence below it takes the room of. */
static guint
lines_of (const char *sentence)
{
  return sentence != NULL ? 5 + (guint) (strlen (sentence) / 40) : 0;   /* with its frame, and with lines that take two */
}

/* What was wrong with a cell, below its program or its code. */
static void
add_sentence (Right      *self,
              const char *sentence)
{
  g_autofree char *markup = g_markup_escape_text (sentence, -1);
  GtkWidget *label = ls_slide_label (markup, "presenter-text");

  gtk_widget_add_css_class (label, "presenter-wrong");
  gtk_box_append (GTK_BOX (self->box), label);
}

static void
add_picture (Right      *self,
             const char *png)
{
  gsize n;
  g_autofree guchar *raw = g_base64_decode (png, &n);
  g_autoptr (GBytes) bytes = g_bytes_new (raw, n);
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, NULL);
  GtkWidget *picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));

  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_vexpand (picture, TRUE);
  gtk_box_append (GTK_BOX (self->box), picture);
}

/* The pane of the window, in the letters of the slide; it stays as it is while the same result is shown, so that it can be stepped. */
static void
add_pane (Right *self,
          guint  part)
{
  GtkWidget *child = gtk_widget_get_first_child (self->box);
  gpointer outputs = ls_play_get (self->play, part)->outputs;

  if (child != NULL && g_object_get_data (G_OBJECT (child), "ls-outputs") == outputs)
    return;
  ls_slide_empty (self->box);
  child = ls_result_pane_new ();
  ls_result_pane_set_plain (LS_RESULT_PANE (child));
  g_object_set_data_full (G_OBJECT (child), "ls-outputs", ls_outputs_ref (outputs), (GDestroyNotify) ls_outputs_unref);
  gtk_widget_set_vexpand (child, TRUE);
  gtk_box_append (GTK_BOX (self->box), child);
  ls_result_pane_show (LS_RESULT_PANE (child), self->play, part);
}

/* The exercise stays as it is while somebody writes into it. */
static void
add_exercise (Right *self,
              int    part)
{
  GtkWidget *child = gtk_widget_get_first_child (self->box);

  if (child != NULL && GPOINTER_TO_INT (g_object_get_data (G_OBJECT (child), "ls-exercise")) == part + 1)
    return;
  ls_slide_empty (self->box);
  child = ls_cell_view_new (self->play, (guint) part, self->folder);
  ls_cell_view_set_plain (LS_CELL_VIEW (child));
  g_object_set_data (G_OBJECT (child), "ls-exercise", GINT_TO_POINTER (part + 1));
  gtk_box_append (GTK_BOX (self->box), child);
}

static gboolean
has_pair (Right *self,
          int    part)
{
  GVariant *answer = part >= 0 ? ls_play_get (self->play, (guint) part)->answer : NULL;

  return answer != NULL && ls_params_string (answer, "after", NULL) != NULL;
}

/* The two programs that a question about a primitive is asked about, as one with its changes. */
static gboolean
add_pair (Right *self,
          int    part)
{
  GVariant *answer = part >= 0 ? ls_play_get (self->play, (guint) part)->answer : NULL;

  if (!has_pair (self, part))
    return FALSE;
  add_program (self, ls_params_string (answer, "after", ""), ls_params_string (answer, "before", ""), NULL);
  return TRUE;
}

/* What the page gave, compared with what was shown before; what was shown before, when it gave nothing; else code. */
static void
fill (Right *self)
{
  int exercise = ls_play_find_part (self->play, LS_PART_EXERCISE), question = ls_play_find_part (self->play, LS_PART_PREDICT), primitive = ls_play_find_part (self->play, LS_PART_PRIMITIVE);
  g_auto (LsShown) shown = { .pane = -1 };

  if (exercise >= 0)
    {
      add_exercise (self, exercise);
      return;
    }
  ls_shown_find (&shown, self->play);
  if (shown.pane >= 0 && !has_pair (self, primitive))
    {
      add_pane (self, (guint) shown.pane);
      return;
    }
  ls_slide_empty (self->box);
  if (add_pair (self, primitive))
    return;
  if (shown.png != NULL)
    add_picture (self, shown.png);
  else if (shown.here)
    add_program_within (self, shown.text, shown.before, shown.mark, MAX (self->room, 12 + lines_of (shown.sentence)) - lines_of (shown.sentence));
  else if (shown.sentence != NULL || (shown.printed != NULL && *shown.printed != 0))
    {
      add_program (self, shown.code, NULL, NULL);
      if (shown.printed != NULL && *shown.printed != 0)
        add_program (self, shown.printed, NULL, NULL);
    }
  else if (question >= 0 && shown.text != NULL && *shown.text != 0)
    add_program (self, shown.text, NULL, shown.mark);
  else if (shown.code != NULL)
    add_program (self, shown.code, NULL, NULL);
  if (shown.sentence != NULL)
    add_sentence (self, shown.sentence);
}

void
ls_slide_fill_right (GtkWidget  *box,
                     LsPlay     *play,
                     const char *folder,
                     guint       room)
{
  fill (&(Right) { box, play, folder, room });
}
