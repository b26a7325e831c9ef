/* LsMark: chips or a badge as a widget; all drawing is canvas/draw. */
#include "views/parts/mark.h"

#include "views/canvas/draw-pin.h"
#include "views/parts/theme.h"

#include <math.h>

struct _LsMark
{
  GtkWidget    parent_instance;

  LsFamilies   families;
  LsBadgeStyle style;
  char        *letter;
  gboolean     badge;
  guint8       pins;
  guint8       uses;
};

G_DEFINE_FINAL_TYPE (LsMark, ls_mark, GTK_TYPE_WIDGET)

#define BLOCK_SIZE 11.0f

/* They grow with the letters beside them: those of the desktop, and those of a slide. */
static float
grown (LsMark *self,
       float   size)
{
  return MAX (roundf (size * (float) ls_theme_get_scale () / 100.0f), (float) ls_theme_grow_in (GTK_WIDGET (self), (int) roundf (size)));
}

static float
badge_size (LsMark *self)
{
  return grown (self, self->style == LS_BADGE_EMPTY ? BLOCK_SIZE : LS_CHIP_SIZE);
}

static float
badge_width (LsMark *self)
{
  gsize letters = self->letter != NULL ? (gsize) g_utf8_strlen (self->letter, -1) : 0;

  return badge_size (self) + (letters > 1 ? grown (self, 6.0f) * (float) (letters - 1) : 0.0f);
}

static void
ls_mark_measure (GtkWidget      *widget,
                 GtkOrientation  orientation,
                 int             for_size,
                 int            *minimum,
                 int            *natural,
                 int            *minimum_baseline,
                 int            *natural_baseline)
{
  LsMark *self = LS_MARK (widget);

  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = (int) grown (self, LS_CHIP_SIZE);
  else if (self->pins != 0 || self->uses != 0)
    *minimum = *natural = (int) ceilf (ls_draw_pins_width (self->pins, self->uses, grown (self, LS_CHIP_SIZE)));
  else if (self->badge)
    *minimum = *natural = (int) ceilf (badge_width (self));
  else
    *minimum = *natural = (int) ls_draw_chips_width (&self->families, grown (self, LS_CHIP_SIZE));
}

static void
ls_mark_snapshot (GtkWidget   *widget,
                  GtkSnapshot *snapshot)
{
  LsMark *self = LS_MARK (widget);
  float height = (float) gtk_widget_get_height (widget);
  float size = self->badge ? badge_size (self) : grown (self, LS_CHIP_SIZE);
  float y = roundf ((height - size) / 2.0f);
  LsLook look;

  ls_look_from_widget (widget, &look);
  if (self->pins != 0 || self->uses != 0)
    ls_draw_pins (snapshot, gtk_widget_get_pango_context (widget), &look, 0.0f, roundf ((height - grown (self, LS_CHIP_SIZE)) / 2.0f),
                  grown (self, LS_CHIP_SIZE), self->pins, self->uses);
  else if (self->badge)
    ls_draw_badge (snapshot, gtk_widget_get_pango_context (widget), &look, 0.0f, y, size,
                   self->style, self->letter);
  else
    ls_draw_chips (snapshot, gtk_widget_get_pango_context (widget), &look, 0.0f, y, size,
                   &self->families);
}

static void
ls_mark_css_changed (GtkWidget         *widget,
                     GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_mark_parent_class)->css_changed (widget, change);
  gtk_widget_queue_resize (widget);
}

static void
ls_mark_finalize (GObject *object)
{
  g_free (LS_MARK (object)->letter);
  G_OBJECT_CLASS (ls_mark_parent_class)->finalize (object);
}

static void
ls_mark_class_init (LsMarkClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_mark_finalize;
  widget_class->css_changed = ls_mark_css_changed;
  widget_class->measure = ls_mark_measure;
  widget_class->snapshot = ls_mark_snapshot;
  gtk_widget_class_set_css_name (widget_class, "mark");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_mark_init (LsMark *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
ls_mark_new (void)
{
  return g_object_new (LS_TYPE_MARK, NULL);
}

void
ls_mark_set_families (LsMark           *self,
                      const LsFamilies *families)
{
  gtk_widget_set_visible (GTK_WIDGET (self), families->n > 0);
  if (!self->badge && ls_families_equal (&self->families, families))
    return;
  self->families = *families;
  self->badge = FALSE;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_mark_set_badge (LsMark       *self,
                   LsBadgeStyle  style,
                   const char   *letter)
{
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  if (self->badge && self->style == style && g_strcmp0 (self->letter, letter) == 0)
    return;
  self->badge = TRUE;
  self->style = style;
  g_free (self->letter);
  self->letter = g_strdup (letter);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_mark_set_pins (LsMark *self,
                  guint8  pins,
                  guint8  uses)
{
  gtk_widget_set_visible (GTK_WIDGET (self), pins != 0 || uses != 0);
  if (self->pins == pins && self->uses == uses)
    return;
  self->pins = pins;
  self->uses = uses;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
