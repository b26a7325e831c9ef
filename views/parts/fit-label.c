/* LsFitLabel: draws the first of its texts that fits; the layouts are kept until a text or the font changes.
 *
 * Setting letters is most of what a row of a list costs.  A GtkLabel that may be cut sets its text anew for each of its sizes and at the
 * width that it gets; here a text that fits is set once.
 */
#include "views/parts/fit-label.h"

#include "views/parts/words.h"

#include <pango/pangocairo.h>

struct _LsFitLabel
{
  GtkWidget   parent_instance;

  char      **texts;
  GPtrArray  *layouts;          /* of the texts, or NULL */
  GArray     *widths;           /* of int: of those layouts on one line; -1: not known yet */
  int         lines;
  int         width_chars;      /* that it asks for, or 0: the room of its first text */
  float       xalign;
  PangoEllipsizeMode ellipsize; /* how the last one is cut */
  guint       font;             /* the context's serial and the classes that the layouts were made for */
};

G_DEFINE_FINAL_TYPE (LsFitLabel, ls_fit_label, GTK_TYPE_WIDGET)

/* What style.css gives to labels of these classes, and GTK to its own labels only. */
static const struct {
  const char *css_class;
  const char *features;         /* or NULL: struck through */
} looks[] = { { "figure", "tnum=1" }, { "code", "liga=0, calt=0" }, { "stale", NULL }, { "struck", NULL } };

static guint
font_of (GtkWidget *widget)
{
  guint classes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    classes |= (guint) gtk_widget_has_css_class (widget, looks[i].css_class) << i;
  return pango_context_get_serial (gtk_widget_get_pango_context (widget)) << G_N_ELEMENTS (looks) | classes;
}

static void
add_looks (GtkWidget   *widget,
           PangoLayout *layout)
{
  PangoAttrList *attrs = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (gtk_widget_has_css_class (widget, looks[i].css_class))
      {
        attrs = attrs != NULL ? attrs : pango_attr_list_new ();
        pango_attr_list_insert (attrs, looks[i].features != NULL ? pango_attr_font_features_new (looks[i].features) : pango_attr_strikethrough_new (TRUE));
      }
  if (attrs == NULL)
    return;
  pango_layout_set_attributes (layout, attrs);
  pango_attr_list_unref (attrs);
}

static GPtrArray *
layouts (LsFitLabel *self)
{
  if (self->layouts != NULL)
    return self->layouts;
  self->layouts = g_ptr_array_new_with_free_func (g_object_unref);
  self->widths = g_array_new (FALSE, FALSE, sizeof (int));
  self->font = font_of (GTK_WIDGET (self));
  for (guint i = 0; self->texts != NULL && self->texts[i] != NULL; i++)
    {
      PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->texts[i]);

      add_looks (GTK_WIDGET (self), layout);
      ls_words_keep_in_layout (layout);
      g_ptr_array_add (self->layouts, layout);
      g_array_append_val (self->widths, (int) { -1 });
    }
  return self->layouts;
}

static void
forget (LsFitLabel *self)
{
  g_clear_pointer (&self->layouts, g_ptr_array_unref);
  g_clear_pointer (&self->widths, g_array_unref);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* On one line. */
static int
width_of (LsFitLabel *self,
          guint       index)
{
  int *width = &g_array_index (self->widths, int, index);
  PangoLayout *layout = g_ptr_array_index (self->layouts, index);

  if (*width >= 0)
    return *width;
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
  pango_layout_set_width (layout, -1);
  pango_layout_get_pixel_size (layout, width, NULL);
  return *width;
}

static gboolean
fits (LsFitLabel  *self,
      guint        index,
      int          width)
{
  PangoLayout *layout = g_ptr_array_index (self->layouts, index);
  gboolean line = width < 0 || width_of (self, index) <= width;

  if (!line && self->lines < 2)
    return FALSE;
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
  if (line)
    {
      pango_layout_set_width (layout, -1);
      return TRUE;
    }
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
  pango_layout_set_ellipsize (layout, self->ellipsize);
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

      if (fits (self, *index, width))
        return layout;
      if (last)
        cut (self, layout, width);
      if (last)
        return layout;
    }
  return NULL;
}

/* Pango sets a sentence for the metrics of a font, each time: they are kept, as rows of one list ask for the same. */
static int
width_of_char (GtkWidget *widget)
{
  static GHashTable *known;     /* PangoFontDescription -> width in Pango's units */
  static double resolution;
  PangoContext *pango = gtk_widget_get_pango_context (widget);
  const PangoFontDescription *font = pango_context_get_font_description (pango);
  PangoFontMetrics *metrics;
  int width;

  if (known == NULL)
    known = g_hash_table_new_full ((GHashFunc) pango_font_description_hash, (GEqualFunc) pango_font_description_equal, (GDestroyNotify) pango_font_description_free, NULL);
  if (resolution != pango_cairo_context_get_resolution (pango))
    g_hash_table_remove_all (known);
  resolution = pango_cairo_context_get_resolution (pango);
  width = GPOINTER_TO_INT (g_hash_table_lookup (known, font));
  if (width > 0)
    return width;
  metrics = pango_context_get_metrics (pango, font, NULL);
  width = MAX (pango_font_metrics_get_approximate_char_width (metrics), pango_font_metrics_get_approximate_digit_width (metrics));
  pango_font_metrics_unref (metrics);
  g_hash_table_insert (known, pango_font_description_copy (font), GINT_TO_POINTER (width));
  return width;
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
  if (self->width_chars > 0 && orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = PANGO_PIXELS_CEIL (self->width_chars * width_of_char (widget));
      return;
    }
  if (all->len == 0)
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = width_of (self, 0);
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
  float align = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? 1.0f - self->xalign : self->xalign;
  guint index;
  PangoLayout *layout = choose (self, width, &index);

  if (layout == NULL)
    return;
  pango_layout_get_pixel_size (layout, &used, &height);
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget),
                              (int) (align * (float) (width - used)),
                              (gtk_widget_get_height (widget) - height) / 2, layout);
}

static void
ls_fit_label_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  LsFitLabel *self = LS_FIT_LABEL (widget);

  /* Another colour is drawn, and nothing set anew. */
  GTK_WIDGET_CLASS (ls_fit_label_parent_class)->css_changed (widget, change);
  if (self->layouts != NULL && self->font != font_of (widget))
    forget (self);
}

static void
ls_fit_label_finalize (GObject *object)
{
  LsFitLabel *self = LS_FIT_LABEL (object);

  g_clear_pointer (&self->layouts, g_ptr_array_unref);
  g_clear_pointer (&self->widths, g_array_unref);
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
  self->ellipsize = PANGO_ELLIPSIZE_END;
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
ls_fit_label_set_text (LsFitLabel *self,
                       const char *text)
{
  ls_fit_label_set (self, (const char *const[]) { text, NULL });
}

void
ls_fit_label_set_figure (LsFitLabel *self,
                         const char *figure)
{
  g_autofree char *isolated = ls_words_isolate (GTK_WIDGET (self), figure);

  ls_fit_label_set_text (self, isolated);
}

void
ls_fit_label_set_xalign (LsFitLabel *self,
                         float       xalign)
{
  self->xalign = xalign;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_fit_label_set_width_chars (LsFitLabel *self,
                              int         chars)
{
  if (self->width_chars == chars)
    return;
  self->width_chars = chars;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_fit_label_set_ellipsize (LsFitLabel        *self,
                            PangoEllipsizeMode mode)
{
  self->ellipsize = mode;
  gtk_widget_queue_draw (GTK_WIDGET (self));
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

PangoLayout *
ls_fit_label_get_layout (LsFitLabel *self)
{
  guint index;

  return choose (self, gtk_widget_get_width (GTK_WIDGET (self)), &index);
}
