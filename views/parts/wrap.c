/* LsWrapLayout: see the header. */
#include "views/parts/wrap.h"

struct _LsWrapLayout
{
  GtkLayoutManager parent_instance;
  int              spacing;
};

/* A GtkBox asks the layout that it has for its orientation, which is always the same. */
G_DEFINE_FINAL_TYPE_WITH_CODE (LsWrapLayout, ls_wrap_layout, GTK_TYPE_LAYOUT_MANAGER, G_IMPLEMENT_INTERFACE (GTK_TYPE_ORIENTABLE, NULL))

enum { PROP_0, PROP_ORIENTATION };

/* A child in its line. */
typedef struct {
  GtkWidget *widget;
  int        least, natural, width;
} Part;

/* ---- lines --------------------------------------------------------------------- */

/* (transfer full): of Part, those that are shown. */
static GArray *
parts_of (GtkWidget *widget)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        Part part = { child, 0, 0, 0 };

        gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &part.least, &part.natural, NULL, NULL);
        part.width = part.natural;
        g_array_append_val (parts, part);
      }
  return parts;
}

/* How many from `first` on stand in one line of this width; in `left` what their least widths leave of it. */
static guint
line_from (GArray *parts,
           guint   first,
           int     spacing,
           int     width,
           int    *left)
{
  guint n = 1;

  *left = width - g_array_index (parts, Part, first).least;
  while (first + n < parts->len && *left >= spacing + g_array_index (parts, Part, first + n).least)
    {
      *left -= spacing + g_array_index (parts, Part, first + n).least;
      n++;
    }
  return n;
}

/* What a line has left goes to those that would like more, then evenly to those that expand. */
static void
share (Part *line,
       guint n,
       int   left)
{
  g_autofree GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n);
  guint expand = 0;

  for (guint i = 0; i < n; i++)
    {
      sizes[i].minimum_size = line[i].least;
      sizes[i].natural_size = MAX (line[i].natural, line[i].least);
      expand += gtk_widget_compute_expand (line[i].widget, GTK_ORIENTATION_HORIZONTAL);
    }
  left = gtk_distribute_natural_allocation (MAX (left, 0), n, sizes);
  for (guint i = 0; i < n; i++)
    {
      line[i].width = sizes[i].minimum_size;
      if (gtk_widget_compute_expand (line[i].widget, GTK_ORIENTATION_HORIZONTAL))
        {
          int more = left / (int) expand;

          line[i].width += more;
          left -= more;
          expand--;
        }
    }
}

static int
height_of (const Part *line,
           guint       n,
           gboolean    natural)
{
  int height = 0;

  for (guint i = 0; i < n; i++)
    {
      int least, liked;

      gtk_widget_measure (line[i].widget, GTK_ORIENTATION_VERTICAL, line[i].width, &least, &liked, NULL, NULL);
      height = MAX (height, natural ? liked : least);
    }
  return height;
}

/* ---- the layout ------------------------------------------------------------------- */

static GtkSizeRequestMode
ls_wrap_layout_get_request_mode (GtkLayoutManager *manager,
                                 GtkWidget        *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_width (LsWrapLayout *self,
               GArray       *parts,
               int          *minimum,
               int          *natural)
{
  *natural = parts->len > 1 ? self->spacing * (int) (parts->len - 1) : 0;
  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);

      *minimum = MAX (*minimum, part->least);
      *natural += MAX (part->natural, part->least);
    }
}

static void
measure_height (LsWrapLayout *self,
                GArray       *parts,
                int           width,
                int          *minimum,
                int          *natural)
{
  int left;

  for (guint first = 0, n = 0; first < parts->len; first += n)
    {
      Part *line = &g_array_index (parts, Part, first);
      int between = first > 0 ? self->spacing : 0;

      n = width >= 0 ? line_from (parts, first, self->spacing, width, &left) : parts->len;
      if (width >= 0)
        share (line, n, left);
      *minimum += between + height_of (line, n, FALSE);
      *natural += between + height_of (line, n, TRUE);
    }
}

static void
ls_wrap_layout_measure (GtkLayoutManager *manager,
                        GtkWidget        *widget,
                        GtkOrientation    orientation,
                        int               size,
                        int              *minimum,
                        int              *natural,
                        int              *minimum_baseline,
                        int              *natural_baseline)
{
  g_autoptr (GArray) parts = parts_of (widget);

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    measure_width (LS_WRAP_LAYOUT (manager), parts, minimum, natural);
  else
    measure_height (LS_WRAP_LAYOUT (manager), parts, size, minimum, natural);
}

static void
ls_wrap_layout_allocate (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         int               width,
                         int               height,
                         int               baseline)
{
  LsWrapLayout *self = LS_WRAP_LAYOUT (manager);
  gboolean turned = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  g_autoptr (GArray) parts = parts_of (widget);
  int y = 0, left;

  for (guint first = 0, n = 0; first < parts->len; first += n)
    {
      Part *line = &g_array_index (parts, Part, first);
      int x = 0, high;

      n = line_from (parts, first, self->spacing, width, &left);
      share (line, n, left);
      /* The only line, and the last one, have what there is. */
      high = first + n == parts->len ? height - y : height_of (line, n, TRUE);
      for (guint i = 0; i < n; i++)
        {
          GtkAllocation place = { turned ? width - x - line[i].width : x, y, line[i].width, MAX (high, height_of (&line[i], 1, FALSE)) };

          gtk_widget_size_allocate (line[i].widget, &place, -1);
          x += line[i].width + self->spacing;
        }
      y += high + self->spacing;
    }
}

static void
ls_wrap_layout_get_property (GObject    *object,
                             guint       id,
                             GValue     *value,
                             GParamSpec *spec)
{
  if (id == PROP_ORIENTATION)
    g_value_set_enum (value, GTK_ORIENTATION_HORIZONTAL);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
ls_wrap_layout_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *spec)
{
  if (id == PROP_ORIENTATION)
    g_return_if_fail (g_value_get_enum (value) == GTK_ORIENTATION_HORIZONTAL);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
ls_wrap_layout_class_init (LsWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->get_property = ls_wrap_layout_get_property;
  G_OBJECT_CLASS (klass)->set_property = ls_wrap_layout_set_property;
  g_object_class_override_property (G_OBJECT_CLASS (klass), PROP_ORIENTATION, "orientation");
  layout_class->get_request_mode = ls_wrap_layout_get_request_mode;
  layout_class->measure = ls_wrap_layout_measure;
  layout_class->allocate = ls_wrap_layout_allocate;
}

static void
ls_wrap_layout_init (LsWrapLayout *self)
{
}

GtkLayoutManager *
ls_wrap_layout_new (int spacing)
{
  LsWrapLayout *self = g_object_new (LS_TYPE_WRAP_LAYOUT, NULL);

  self->spacing = spacing;
  return GTK_LAYOUT_MANAGER (self);
}
