/* LsPresenter: made anew for each page and each change of it; there is little on a slide.
 *
 * Nothing on the slide itself reacts to a click but answers before they are revealed, so that a slip of the pointer does nothing that
 * the audience would see.  Programs are shown without their reads and writes, which a sentence says.
 */
#include "app/learn/presenter.h"

#include "app/learn/prose.h"
#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_LINES 15
#define SIZES 5
#define LONG_LINE 56

struct _LsPresenter {
  GtkWindow   parent_instance;

  LsPlay     *play;
  char       *folder;
  int         size;
  guint       idle;
  GtkWidget  *left;             /* box */
  GtkWidget  *right;            /* box */
  GtkWidget  *place;
  GtkWidget  *next;
  GtkWidget  *hide;
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

/* The first part of the page of this kind, or -1. */
static int
find_part (LsPresenter *self,
           LsPartKind   kind)
{
  const LsLessonPage *page = page_of (self);

  for (guint i = page->first; i < page->first + page->n_parts; i++)
    if (ls_lesson_get_part (lesson_of (self), i)->kind == kind)
      return (int) i;
  return -1;
}

static void
empty (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static GtkWidget *
make_label (const char *markup,
            const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, class);
  return label;
}

/* ---- the program at the right -------------------------------------------------------- */

static gboolean
is_quiet (const char *line)
{
  const char *at = line + strspn (line, " ");

  return g_str_has_prefix (at, "T.reads(") || g_str_has_prefix (at, "T.writes(") || g_str_has_prefix (at, "# from tvm") || g_str_has_prefix (at, "from tvm");
}

/* A long signature has a line for each of its parameters. */
static void
append_line (GString    *out,
             const char *line)
{
  const char *def = strstr (line, "def "), *open = def != NULL ? strchr (def, '(') : NULL;
  int indent = (int) strspn (line, " "), depth = 0;

  if (open == NULL || strlen (line) < LONG_LINE || def != line + indent)
    {
      g_string_append_printf (out, "%s\n", line);
      return;
    }
  g_string_append_len (out, line, open + 1 - line);
  g_string_append_printf (out, "\n%*s", indent + 4, "");
  for (const char *at = open + 1; *at != 0; at++)
    {
      depth += *at == '(' || *at == '[' ? 1 : 0;
      if ((*at == ')' || *at == ']') && depth-- == 0)
        {
          g_string_append_printf (out, ",\n%*s%s\n", indent, "", at);
          return;
        }
      g_string_append_c (out, *at);
      if (*at == ',' && depth == 0)
        {
          g_string_append_printf (out, "\n%*s", indent + 4, "");
          at += at[1] == ' ';
        }
    }
  g_string_append_c (out, '\n');
}

/* A module with one function is shown as this function. */
static gboolean
is_one_function (char **lines)
{
  guint n = 0, classes = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      n += g_str_has_prefix (lines[i], "    def ");
      classes += g_str_has_prefix (lines[i], "class ");
    }
  return n == 1 && classes == 1;
}

/* At most MOST_LINES lines without those nobody reads on a wall. (transfer full) */
static char *
short_program (const char *text,
               gboolean   *hidden)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);
  gboolean one = is_one_function (lines);

  for (guint i = 0, n = 0; lines[i] != NULL; i++)
    {
      const char *line = one && g_str_has_prefix (lines[i], "    ") ? lines[i] + 4 : lines[i];

      if (is_quiet (lines[i]))
        {
          *hidden |= strstr (lines[i], "T.reads(") != NULL || strstr (lines[i], "T.writes(") != NULL;
          continue;
        }
      if ((out->len == 0 && *line == 0) || (one && (g_str_has_prefix (line, "@I.") || g_str_has_prefix (line, "@tvm.") || g_str_has_prefix (line, "class "))))
        continue;
      if (++n > MOST_LINES)
        {
          g_string_append (out, "…\n");
          break;
        }
      append_line (out, line);
    }
  return g_string_free (out, FALSE);
}

static void
add_program (LsPresenter *self,
             const char  *text)
{
  gboolean hidden = FALSE;
  g_autofree char *program = short_program (text, &hidden);
  GtkWidget *view = ls_code_view_new (program, FALSE, _("Program"));

  if (hidden)
    {
      GtkWidget *label = gtk_label_new (_("reads and writes hidden"));

      gtk_widget_set_halign (label, GTK_ALIGN_END);
      gtk_widget_add_css_class (label, "presenter-small");
      gtk_box_append (GTK_BOX (self->right), label);
    }
  gtk_widget_set_can_target (view, FALSE);
  gtk_widget_set_focusable (view, FALSE);
  gtk_box_append (GTK_BOX (self->right), view);
}

static void
add_picture (LsPresenter *self,
             const char  *png)
{
  gsize n;
  g_autofree guchar *raw = g_base64_decode (png, &n);
  g_autoptr (GBytes) bytes = g_bytes_new (raw, n);
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, NULL);
  GtkWidget *picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));

  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_vexpand (picture, TRUE);
  gtk_box_append (GTK_BOX (self->right), picture);
}

/* What the last cell of the page that was run gave; else its code. */
static void
fill_right (LsPresenter *self)
{
  const LsLessonPage *page = page_of (self);
  const char *text = NULL, *png = NULL, *code = NULL;
  g_autofree char *printed = NULL;

  empty (self->right);
  for (guint i = page->first; i < page->first + page->n_parts; i++)
    {
      const LsLessonPart *of = ls_lesson_get_part (lesson_of (self), i);
      const LsPlayPart *part = ls_play_get (self->play, i);

      if (of->kind != LS_PART_CELL || of->folded)
        continue;
      code = ls_play_get_code (self->play, i);
      if (part->outputs == NULL || part->state == LS_PLAY_QUEUED)
        continue;
      g_free (printed);
      printed = ls_outputs_get_text (part->outputs);
      for (guint k = 0; k < ls_outputs_get_n (part->outputs); k++)
        {
          GVariant *view = ls_outputs_get (part->outputs, k)->view;

          if (view != NULL)
            {
              text = ls_params_string (view, "text", text);
              png = ls_params_string (view, "png", NULL);
            }
        }
    }
  if (png != NULL)
    add_picture (self, png);
  else if (text != NULL && *text != 0)
    add_program (self, text);
  else if (printed != NULL && *printed != 0)
    add_program (self, printed);
  else if (code != NULL)
    add_program (self, code);
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
  g_autofree char *markup = g_strdup_printf ("<b>%d</b>   %s%s", i + 1, choice->markup, played->revealed && choice->right ? "   ✓" : "");
  GtkWidget *label = make_label (markup, "presenter-choice-text");

  gtk_button_set_child (GTK_BUTTON (button), label);
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
    gtk_box_append (GTK_BOX (self->left), make_label (((LsLessonBlock *) of->blocks->pdata[i])->markup, i == 0 ? "presenter-title" : "presenter-text"));
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

  gtk_box_append (GTK_BOX (self->left), make_label (title, "presenter-title"));
  for (guint i = page->first; i < page->first + page->n_parts; i++)
    {
      const LsLessonPart *of = ls_lesson_get_part (lesson_of (self), i);

      for (guint k = 0; (of->kind == LS_PART_PROSE || of->kind == LS_PART_EXERCISE || of->kind == LS_PART_PRIMITIVE) && k < of->blocks->len; k++)
        {
          const LsLessonBlock *block = of->blocks->pdata[k];

          if (block->kind != LS_BLOCK_HEADING && block->kind != LS_BLOCK_TABLE && block->kind != LS_BLOCK_IMAGE)
            gtk_box_append (GTK_BOX (self->left), make_label (block->markup, block->kind == LS_BLOCK_CODE ? "presenter-code" : "presenter-text"));
        }
    }
}

static char *
next_words (LsPresenter *self)
{
  int part = ls_play_find_next (self->play);
  guint page = ls_play_get_page (self->play);
  const LsLessonPart *of = part >= 0 ? ls_lesson_get_part (lesson_of (self), (guint) part) : NULL;

  if (of != NULL && of->kind == LS_PART_PREDICT)
    return g_strdup (_("Reveal"));
  if (of != NULL && of->kind == LS_PART_CELL)
    return g_strdup_printf (_("Run cell %u"), of->number);
  if (page + 1 < ls_lesson_get_n_pages (lesson_of (self)))
    return g_strdup_printf (_("Next: %s"), ls_lesson_get_page (lesson_of (self), page + 1)->title);
  return g_strdup (_("The end"));
}

static void
fill (LsPresenter *self)
{
  int question = find_part (self, LS_PART_PREDICT);
  guint page = ls_play_get_page (self->play), n = ls_lesson_get_n_pages (lesson_of (self));
  g_autofree char *place = g_strdup_printf (_("%u of %u"), page + 1, n);
  g_autofree char *words = next_words (self);

  empty (self->left);
  if (question >= 0)
    add_question (self, (guint) question);
  else
    add_prose (self);
  fill_right (self);
  gtk_label_set_label (GTK_LABEL (self->place), place);
  gtk_button_set_label (GTK_BUTTON (self->next), words);
  gtk_widget_set_sensitive (self->next, ls_play_find_next (self->play) >= 0 || page + 1 < n);
  gtk_widget_set_visible (self->hide, question >= 0 && ls_play_get (self->play, (guint) question)->revealed);
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
  int part = ls_play_find_next (self->play);
  const LsLessonPart *of = part >= 0 ? ls_lesson_get_part (lesson_of (self), (guint) part) : NULL;

  if (of != NULL && of->kind == LS_PART_PREDICT)
    ls_play_reveal (self->play, (guint) part, TRUE);
  else if (of != NULL && of->kind == LS_PART_CELL)
    ls_play_run (self->play, (guint) part);
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
  int question = find_part (self, LS_PART_PREDICT);

  if (question >= 0)
    ls_play_reveal (self->play, (guint) question, FALSE);
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
smaller (LsPresenter *self)
{
  set_size (self, self->size - 1);
}

static void
larger (LsPresenter *self)
{
  set_size (self, self->size + 1);
}

static void
full_screen (LsPresenter *self)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static gboolean
choose (LsPresenter *self,
        int          choice)
{
  int question = find_part (self, LS_PART_PREDICT);

  if (question < 0 || choice >= (int) ls_lesson_get_part (lesson_of (self), (guint) question)->choices->len
      || ls_play_get (self->play, (guint) question)->revealed)
    return FALSE;
  ls_play_choose (self->play, (guint) question, choice);
  return TRUE;
}

static gboolean
key_pressed (LsPresenter     *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
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
    case GDK_KEY_Escape:
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

static GtkWidget *
make_foot (LsPresenter *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_label_new (_("Notes are in the other window"));

  gtk_widget_add_css_class (foot, "presenter-foot");
  foot_button (self, foot, "‹", _("Previous page"), G_CALLBACK (go_back));
  self->place = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (foot), self->place);
  self->next = foot_button (self, foot, "", _("Next"), G_CALLBACK (go_on));
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self->next), GTK_ACCESSIBLE_PROPERTY_LABEL);
  gtk_widget_add_css_class (self->next, "primary");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_halign (words, GTK_ALIGN_END);
  gtk_widget_add_css_class (words, "presenter-small");
  gtk_box_append (GTK_BOX (foot), words);
  self->hide = foot_button (self, foot, _("Hide answer"), _("Hide answer"), G_CALLBACK (hide_answer));
  foot_button (self, foot, "−", _("Smaller"), G_CALLBACK (smaller));
  foot_button (self, foot, "+", _("Larger"), G_CALLBACK (larger));
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
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_widget_set_hexpand (scroll, TRUE);
  return scroll;
}

static void
ls_presenter_dispose (GObject *object)
{
  LsPresenter *self = LS_PRESENTER (object);

  g_clear_handle_id (&self->idle, g_source_remove);
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
}

static void
ls_presenter_init (LsPresenter *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *sides = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (GTK_WIDGET (self), "loopscope");
  gtk_widget_add_css_class (GTK_WIDGET (self), "presenter");
  gtk_window_set_default_size (GTK_WINDOW (self), 1440, 900);
  gtk_box_set_homogeneous (GTK_BOX (sides), TRUE);
  gtk_box_append (GTK_BOX (sides), make_side (&self->left, "presenter-left"));
  gtk_box_append (GTK_BOX (sides), make_side (&self->right, "presenter-right"));
  gtk_box_append (GTK_BOX (box), sides);
  gtk_box_append (GTK_BOX (box), make_foot (self));
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  self->size = 2;
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
  g_signal_connect_object (play, "part-changed", G_CALLBACK (fill_soon), self, G_CONNECT_SWAPPED);
  fill (self);
  return GTK_WIDGET (self);
}
