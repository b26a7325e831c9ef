/* LsFitLabel: draws the first of its texts that fits; the layouts are kept until a text or the font changes. */
#include "views/parts/fit-label.h"

#include "views/parts/words.h"

struct _LsFitLabel
{
  GtkWidget   parent_instance;

  char      **texts;
  GPtrArray  *layouts;          /* of the texts, or NULL */
  int         lines;
};

G_DEFINE_FINAL_TYPE (LsFitLabel, ls_fit_label, GTK_TYPE_WIDGET)

static GPtrArray *
layouts (LsFitLabel *self)
{
  if (self->layouts != NULL)
    return self->layouts;
  self->layouts = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; self->texts != NULL && self->texts[i] != NULL; i++)
    {
      PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->texts[i]);

      ls_words_keep_in_layout (layout);
      g_ptr_array_add (self->layouts, layout);
    }
  return self->layouts;
}

static void
forget (LsFitLabel *self)
{
  g_clear_pointer (&self->layouts, g_ptr_array_unref);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static int
width_of (PangoLayout *layout)
{
  int width;

  pango_layout_set_width (layout, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static gboolean
fits (LsFitLabel  *self,
      PangoLayout *layout,
      int          width)
{
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
  if (width < 0 || width_of (layout) <= width)
    return TRUE;
  if (self->lines < 2)
    return FALSE;
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  return pango_layout_get_line_count (layout) <= self->lines;
}

static void
cut (LsFitLabel  *self,
     PangoLayout *layout,
     int          width)
{
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_height (layout, -self->lines);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
}

/* The layout for a width, set to it when it has to wrap or is cut; NULL: there is no text. Borrowed. */
static PangoLayout *
choose (LsFitLabel *self,
        int         width,
        guint      *index)
{
  GPtrArray *all = layouts (self);

  for (*index = 0; *index < all->len; ++*index)
    {
      PangoLayout *layout = g_ptr_array_index (all, *index);
      gboolean last = *index + 1 == all->len;

      if (fits (self, layout, width))
        return layout;
      if (last)
        cut (self, layout, width);
      if (last)
        return layout;
    }
  return NULL;
}

static GtkSizeRequestMode
ls_fit_label_get_request_mode (GtkWidget *widget)
{
  return LS_FIT_LABEL (widget)->lines > 1 ? GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
ls_fit_label_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  LsFitLabel *self = LS_FIT_LABEL (widget);
  GPtrArray *all = layouts (self);
  guint index;

  *minimum = *natural = 0;
  if (all->len == 0)
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = width_of (g_ptr_array_index (all, 0));
  else
    {
      pango_layout_get_pixel_size (choose (self, self->lines > 1 ? for_size : -1, &index), NULL, natural);
      *minimum = *natural;
    }
}

static void
ls_fit_label_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  LsFitLabel *self = LS_FIT_LABEL (widget);
  int width = gtk_widget_get_width (widget), used, height;
  guint index;
  PangoLayout *layout = choose (self, width, &index);

  if (layout == NULL)
    return;
  pango_layout_get_pixel_size (layout, &used, &height);
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget),
                              gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? width - used : 0,
                              (gtk_widget_get_height (widget) - height) / 2, layout);
}

static void
ls_fit_label_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_fit_label_parent_class)->css_changed (widget, change);
  forget (LS_FIT_LABEL (widget));
}

static void
ls_fit_label_finalize (GObject *object)
{
  LsFitLabel *self = LS_FIT_LABEL (object);

  g_clear_pointer (&self->layouts, g_ptr_array_unref);
  g_clear_pointer (&self->texts, g_strfreev);
  G_OBJECT_CLASS (ls_fit_label_parent_class)->finalize (object);
}

static void
ls_fit_label_class_init (LsFitLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_fit_label_finalize;
  widget_class->get_request_mode = ls_fit_label_get_request_mode;
  widget_class->measure = ls_fit_label_measure;
  widget_class->snapshot = ls_fit_label_snapshot;
  widget_class->css_changed = ls_fit_label_css_changed;
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
ls_fit_label_init (LsFitLabel *self)
{
  self->lines = 1;
}

GtkWidget *
ls_fit_label_new (void)
{
  return g_object_new (LS_TYPE_FIT_LABEL, NULL);
}

void
ls_fit_label_set (LsFitLabel        *self,
                  const char *const *texts)
{
  if (self->texts != NULL && g_strv_equal ((const char *const *) self->texts, texts))
    return;
  g_strfreev (self->texts);
  self->texts = g_strdupv ((char **) texts);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, texts[0] != NULL ? texts[0] : "", -1);
  forget (self);
}

void
ls_fit_label_set_lines (LsFitLabel *self,
                        int         lines)
{
  if (self->lines == lines)
    return;
  self->lines = lines;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

const char *
ls_fit_label_get_shown (LsFitLabel *self)
{
  guint index;

  return choose (self, gtk_widget_get_width (GTK_WIDGET (self)), &index) != NULL ? self->texts[index] : "";
}
