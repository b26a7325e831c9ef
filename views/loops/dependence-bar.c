/* LsDependenceBar: two labels and a drawing; the drawing's words are its accessible description. */
#include "views/loops/dependence-bar.h"

#include "views/canvas/draw-arrows.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>

#define MOST_ARROWS 6

struct _LsDependenceBar
{
  GtkWidget        parent_instance;

  const LsRounds  *rounds;      /* borrowed until the next call of set() */
  GtkWidget       *box;
  GtkWidget       *blocks;
  GtkWidget       *line;
  GtkWidget       *picture;
  GtkWidget       *words;
  GtkWidget       *legend;
};

G_DEFINE_FINAL_TYPE (LsDependenceBar, ls_dependence_bar, GTK_TYPE_WIDGET)

/* ---- the picture, a child of its own so that it gets its place from the layout ------- */

#define LS_TYPE_ROUND_PICTURE (ls_round_picture_get_type ())
G_DECLARE_FINAL_TYPE (LsRoundPicture, ls_round_picture, LS, ROUND_PICTURE, GtkWidget)

struct _LsRoundPicture
{
  GtkWidget        parent_instance;
  LsDependenceBar *bar;
};

G_DEFINE_FINAL_TYPE (LsRoundPicture, ls_round_picture, GTK_TYPE_WIDGET)

static void
ls_round_picture_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  const LsRounds *rounds = LS_ROUND_PICTURE (widget)->bar->rounds;

  if (rounds == NULL)
    *minimum = *natural = 0;
  else
    *minimum = *natural = (int) (orientation == GTK_ORIENTATION_HORIZONTAL ? ls_draw_rounds_width (rounds)
                                                                           : ls_draw_rounds_height (rounds));
}

static void
ls_round_picture_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  const LsRounds *rounds = LS_ROUND_PICTURE (widget)->bar->rounds;
  LsLook look;

  if (rounds == NULL)
    return;
  ls_look_from_widget (widget, &look);
  ls_draw_rounds (snapshot, gtk_widget_get_pango_context (widget), &look, rounds);
}

static void
ls_round_picture_class_init (LsRoundPictureClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = ls_round_picture_measure;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_round_picture_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_round_picture_init (LsRoundPicture *self)
{
}

/* ---- words ------------------------------------------------------------------------- */

static char *
block_words (const LsDependences *dependences)
{
  GString *text = g_string_new (NULL);
  guint n = dependences->arrows->len;

  for (guint i = 0; i < MIN (n, MOST_ARROWS); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " · " : "", ((LsArrow *) g_ptr_array_index (dependences->arrows, i))->words);
  if (n > MOST_ARROWS)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%u more", "%u more", n - MOST_ARROWS), n - MOST_ARROWS);
    }
  return g_string_free (text, FALSE);
}

/* "rounds 0 to 5 of k (128)" */
static char *
range_words (const char *name,
             guint       n,
             gint64      extent)
{
  if (extent == n)
    return g_strdup_printf (ngettext ("%s: its one round", "%s: all %u rounds", n), name, n);
  if (extent > 0)
    {
      g_autofree char *all = ls_format_count (extent);

      return g_strdup_printf (ngettext ("%s: the first %u of %s rounds", "%s: the first %u of %s rounds", n), name, n, all);
    }
  return g_strdup_printf (ngettext ("%s: the first round", "%s: the first %u rounds", n), name, n);
}

static char *
legend_words (const LsRounds *rounds)
{
  g_autofree char *outer = range_words (rounds->outer, rounds->n_outer, rounds->extent_outer);
  g_autofree char *inner = rounds->inner != NULL ? range_words (rounds->inner, rounds->n_inner, rounds->extent_inner) : NULL;
  const char *lines = _("solid RAW, dashed WAW, dotted WAR");

  return inner != NULL ? g_strdup_printf ("%s\n%s\n%s", outer, inner, lines) : g_strdup_printf ("%s\n%s", outer, lines);
}

static void
show_rounds (LsDependenceBar *self)
{
  g_autofree char *legend = NULL;

  gtk_widget_set_visible (self->line, self->rounds != NULL);
  if (self->rounds == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->words), "");
      return;
    }
  legend = legend_words (self->rounds);
  gtk_label_set_label (GTK_LABEL (self->words), self->rounds->words);
  gtk_label_set_label (GTK_LABEL (self->legend), legend);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->picture), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Rounds of the loop"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->rounds->words, -1);
  gtk_widget_queue_resize (self->picture);
}

void
ls_dependence_bar_set (LsDependenceBar     *self,
                       const LsDependences *dependences,
                       gboolean             rounds)
{
  g_autofree char *words = dependences != NULL && dependences->arrows->len > 0 ? block_words (dependences) : NULL;

  self->rounds = rounds && dependences != NULL ? dependences->rounds : NULL;
  gtk_label_set_wrap (GTK_LABEL (self->blocks), FALSE);
  gtk_widget_set_visible (self->blocks, words != NULL);
  gtk_label_set_label (GTK_LABEL (self->blocks), words != NULL ? words : "");
  ls_tip_set (self->blocks, words);
  show_rounds (self);
  gtk_widget_set_visible (GTK_WIDGET (self), words != NULL || self->rounds != NULL);
}

void
ls_dependence_bar_say (LsDependenceBar *self,
                       const char      *words)
{
  gtk_label_set_wrap (GTK_LABEL (self->blocks), words != NULL);
  gtk_label_set_label (GTK_LABEL (self->blocks), words != NULL ? words : "");
  gtk_widget_set_visible (self->blocks, words != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), words != NULL || self->rounds != NULL);
}

/* ---- class ------------------------------------------------------------------------- */

static void
ls_dependence_bar_dispose (GObject *object)
{
  LsDependenceBar *self = LS_DEPENDENCE_BAR (object);

  self->rounds = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_dependence_bar_parent_class)->dispose (object);
}

static void
ls_dependence_bar_class_init (LsDependenceBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_dependence_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "dependencebar");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_dependence_bar_init (LsDependenceBar *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->blocks = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->blocks), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (self->box), self->blocks);

  self->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  self->picture = g_object_new (LS_TYPE_ROUND_PICTURE, "valign", GTK_ALIGN_START, NULL);
  LS_ROUND_PICTURE (self->picture)->bar = self;
  self->words = ls_part_label (NULL, "strong");
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_widget_set_hexpand (self->words, TRUE);
  self->legend = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->legend), TRUE);
  gtk_widget_set_valign (column, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (column), self->words);
  gtk_box_append (GTK_BOX (column), self->legend);
  gtk_box_append (GTK_BOX (self->line), self->picture);
  gtk_box_append (GTK_BOX (self->line), column);
  gtk_box_append (GTK_BOX (self->box), self->line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Dependences of the selection"), -1);
  ls_dependence_bar_set (self, NULL, FALSE);
}

GtkWidget *
ls_dependence_bar_new (void)
{
  return g_object_new (LS_TYPE_DEPENDENCE_BAR, NULL);
}
