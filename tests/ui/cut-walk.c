/* cut-walk: the widgets of a window, from the root down. */
#include "tests/ui/cut.h"

#include "app/window/window.h"
#include "views/parts/fit-label.h"
#include "views/parts/theme.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1.5f
#define WIDEST (1 << 20)        /* GTK asks so */
#define ROWS_WIDTH 1024         /* of windows in which no row of controls scrolls sideways, */
#define ROWS_SCALE 150          /* with letters up to this */

typedef struct {
  GtkWidget      *label;
  graphene_rect_t place;        /* in the window, without what is scrolled away */
} Word;

typedef struct {
  GtkWidget *root;
  GArray    *words;             /* of Word */
  GString   *found;             /* a line for each fault; NULL: only the words are wanted */
} Walk;

static const char *
text_of (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_text (GTK_LABEL (widget));
  return LS_IS_FIT_LABEL (widget) ? ls_fit_label_get_shown (LS_FIT_LABEL (widget)) : "";
}

static void
report (Walk       *walk,
        GtkWidget  *label,
        const char *fault)
{
  g_autoptr (GString) path = g_string_new (NULL);
  guint depth = 0;

  for (GtkWidget *at = gtk_widget_get_parent (label); at != NULL && depth < 5; at = gtk_widget_get_parent (at), depth++)
    g_string_append_printf (path, " < %s", G_OBJECT_TYPE_NAME (at));
  g_string_append_printf (walk->found, "\n  %s: \"%s\"%s", fault, text_of (label), path->str);
}

/* What is scrolled is as large as its contents. */
static gboolean
scrolls (GtkWidget *widget,
         gboolean   across)
{
  GtkWidget *window = GTK_IS_SCROLLABLE (widget) ? gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  GtkPolicyType h, v;

  if (window == NULL)
    return FALSE;
  gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (window), &h, &v);
  return (across ? h : v) != GTK_POLICY_NEVER;
}

/* Of the letters: a label may be larger, by margins that are less than nothing too. */
static gboolean
place_of (GtkWidget       *label,
          GtkWidget       *in,
          graphene_rect_t *place)
{
  graphene_point_t corner;
  PangoRectangle drawn;
  int x, y;

  if (!GTK_IS_LABEL (label))
    return gtk_widget_compute_bounds (label, in, place);
  gtk_label_get_layout_offsets (GTK_LABEL (label), &x, &y);
  /* A line from right to left does not begin where its layout does. */
  pango_layout_get_pixel_extents (gtk_label_get_layout (GTK_LABEL (label)), NULL, &drawn);
  if (!gtk_widget_compute_point (label, in, &GRAPHENE_POINT_INIT ((float) (x + drawn.x), (float) (y + drawn.y)), &corner))
    return FALSE;
  *place = GRAPHENE_RECT_INIT (corner.x, corner.y, (float) drawn.width, (float) drawn.height);
  return TRUE;
}

/* Within all that it stands in, up to where it can be scrolled to; FALSE: nothing of it is in sight. */
static gboolean
clip (Walk            *walk,
      GtkWidget       *label,
      graphene_rect_t *place)
{
  gboolean across = TRUE, down = TRUE;
  GtkWidget *cut = NULL;

  if (!place_of (label, walk->root, place))
    return FALSE;
  for (GtkWidget *at = gtk_widget_get_parent (label); at != NULL && at != gtk_widget_get_parent (walk->root); at = gtk_widget_get_parent (at))
    {
      graphene_rect_t room, own;

      across = walk->found != NULL && across && !scrolls (at, TRUE);
      down = walk->found != NULL && down && !scrolls (at, FALSE);
      room = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (at), (float) gtk_widget_get_height (at));
      if ((across || down) && !place_of (label, at, &own))
        return FALSE;
      if (across && (own.origin.x < -TOLERANCE || own.origin.x + own.size.width > room.size.width + TOLERANCE))
        cut = cut != NULL ? cut : at;
      if (down && (own.origin.y < -TOLERANCE || own.origin.y + own.size.height > room.size.height + TOLERANCE))
        cut = cut != NULL ? cut : at;
      if (gtk_widget_get_overflow (at) == GTK_OVERFLOW_HIDDEN || GTK_IS_SCROLLED_WINDOW (at))
        {
          graphene_rect_t in_root;

          if (!gtk_widget_compute_bounds (at, walk->root, &in_root) || !graphene_rect_intersection (place, &in_root, place))
            return FALSE;
        }
    }
  if (cut != NULL)
    {
      graphene_rect_t at_cut = *graphene_rect_zero ();
      gboolean known = place_of (label, cut, &at_cut);
      g_autofree char *fault = !known ? g_strdup ("cut") : g_strdup_printf ("%.0f x %.0f at %.0f, %.0f, cut by a %s of %d x %d", at_cut.size.width,
                                                at_cut.size.height, at_cut.origin.x, at_cut.origin.y, G_OBJECT_TYPE_NAME (cut),
                                                gtk_widget_get_width (cut), gtk_widget_get_height (cut));

      report (walk, label, fault);
    }
  return TRUE;
}

/* From right to left a text without letters is turned round, "100 %" to "% 100"; ls_part_set_figure() isolates it. */
static gboolean
is_turned_figure (PangoLayout *layout)
{
  const char *text = pango_layout_get_text (layout), *last = NULL;
  gboolean digit = FALSE;
  PangoRectangle begin, end;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_isalpha (c) || c == '\n')
        return FALSE;
      if (g_unichar_isdigit (c))
        digit = TRUE;
      if (c != 0x2066 && c != 0x2069)
        {
          if (last == NULL)
            pango_layout_index_to_pos (layout, (int) (p - text), &begin);
          last = p;
        }
    }
  if (!digit)
    return FALSE;
  pango_layout_index_to_pos (layout, (int) (last - text), &end);
  return MIN (end.x, end.x + end.width) < MIN (begin.x, begin.x + begin.width);
}

static void
look_at_label (Walk      *walk,
               GtkWidget *label)
{
  PangoLayout *layout = LS_IS_FIT_LABEL (label) ? ls_fit_label_get_layout (LS_FIT_LABEL (label)) : gtk_label_get_layout (GTK_LABEL (label));
  int width, height, room = gtk_widget_get_width (label), line;

  pango_layout_get_pixel_size (layout, &width, &height);
  line = height / MAX (pango_layout_get_line_count (layout), 1);
  if (pango_layout_get_ellipsize (layout) == PANGO_ELLIPSIZE_NONE && width > room + 1)
    report (walk, label, "wider than its room");
  if (height > gtk_widget_get_height (label) + 1)
    report (walk, label, "higher than its room");
  if (pango_layout_is_ellipsized (layout) && room < 2 * line)
    report (walk, label, "nothing but dots");
  if (is_turned_figure (layout))
    report (walk, label, "a figure that is turned round");
}

static gboolean
is_seen (GtkWidget *widget)
{
  for (GtkWidget *at = widget; at != NULL; at = gtk_widget_get_parent (at))
    if (gtk_widget_get_opacity (at) < 0.1)
      return FALSE;
  return gtk_widget_get_mapped (widget);
}

/* With all the width there is nothing may ask for more height than where no width is given: GTK lays such widgets over each other.  Those of
 * which no child does the same. */
static gboolean
grows_with_width (GtkWidget *widget)
{
  int any, wide;

  if (gtk_widget_get_request_mode (widget) == GTK_SIZE_REQUEST_CONSTANT_SIZE)
    return FALSE;
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &any, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, WIDEST, &wide, NULL, NULL, NULL);
  return wide > any;
}

/* A widget of ours that lays its children out itself, whose height depends on their width, and that does not say so: GTK asks it for a
 * height without a width, and a box in it gets less than it needs. */
static gboolean
hides_its_mode (GtkWidget *widget)
{
  if (strncmp (G_OBJECT_TYPE_NAME (widget), "Ls", 2) != 0 || gtk_widget_get_layout_manager (widget) != NULL || GTK_IS_SCROLLABLE (widget) ||
      GTK_IS_LABEL (widget) || gtk_widget_get_request_mode (widget) != GTK_SIZE_REQUEST_CONSTANT_SIZE)
    return FALSE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child) && gtk_widget_get_request_mode (child) != GTK_SIZE_REQUEST_CONSTANT_SIZE)
      return TRUE;
  return FALSE;
}

/* A picture and a label that wraps in a row of a GtkBox have baselines that differ by a pixel at some sizes of letters, and GTK 4.8 finds the
 * height with a width a pixel more than without one, about which it complains.  At which sizes is chance; so none may stand so.  A grid is asked
 * otherwise. */
static gboolean
stands_beside_wrapped (GtkWidget *box)
{
  gboolean image = FALSE, wrapped = FALSE;

  if (!GTK_IS_BOX (box) || !GTK_IS_BOX_LAYOUT (gtk_widget_get_layout_manager (box)) ||
      gtk_orientable_get_orientation (GTK_ORIENTABLE (box)) != GTK_ORIENTATION_HORIZONTAL)
    return FALSE;
  for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      image = image || GTK_IS_IMAGE (child);
      wrapped = wrapped || (GTK_IS_LABEL (child) && gtk_label_get_wrap (GTK_LABEL (child)));
    }
  return image && wrapped;
}

/* Those that are not shown now, too; a tooltip of GTK's is one itself. */
static void
look_at_rows (Walk      *walk,
              GtkWidget *widget)
{
  if (strcmp (G_OBJECT_TYPE_NAME (widget), "GtkTooltipWindow") == 0)
    return;
  if (stands_beside_wrapped (widget))
    report (walk, widget, "a picture and a label that wraps in one GtkBox");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    look_at_rows (walk, child);
}

static void
look_at_request (Walk      *walk,
                 GtkWidget *widget)
{
  gboolean inside = FALSE;
  g_autofree char *fault = NULL;

  if (hides_its_mode (widget))
    {
      fault = g_strdup_printf ("%s does not say that its height depends on its width", G_OBJECT_TYPE_NAME (widget));
      report (walk, widget, fault);
      return;
    }
  if (!grows_with_width (widget))
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    inside = inside || grows_with_width (child);
  fault = g_strdup_printf ("%s asks for more height with all the width than with none", G_OBJECT_TYPE_NAME (widget));
  if (!inside)
    report (walk, widget, fault);
}

static void
look_at_requests (Walk      *walk,
                  GtkWidget *widget)
{
  if (!gtk_widget_get_visible (widget))
    return;
  look_at_request (walk, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    look_at_requests (walk, child);
}

char *
ls_cut_grown (GtkWidget *window)
{
  Walk walk = { window, NULL, g_string_new (NULL) };

  look_at_requests (&walk, window);
  return g_string_free (walk.found, FALSE);
}

/* What is laid out is read down, not across.  Pictures may be as large as they are; a row of ls_part_slim() goes to what has the keyboard,
 * and in the windows there has to be room for it but in the smallest and with the largest letters. */
static void
look_at_viewport (Walk      *walk,
                  GtkWidget *viewport)
{
  GtkWidget *child = gtk_viewport_get_child (GTK_VIEWPORT (viewport));
  GtkPolicyType policy;
  GtkAdjustment *across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (viewport));
  double over = gtk_adjustment_get_upper (across) - gtk_adjustment_get_page_size (across);
  g_autofree char *fault = NULL;

  gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (viewport, GTK_TYPE_SCROLLED_WINDOW)), &policy, NULL);
  if (over < 1.0 || gtk_widget_get_layout_manager (child) == NULL)
    return;
  if (policy == GTK_POLICY_EXTERNAL && (!LS_IS_WINDOW (walk->root) || gtk_widget_get_width (walk->root) < ROWS_WIDTH || ls_theme_get_scale () > ROWS_SCALE))
    return;
  fault = g_strdup_printf ("runs %.0f past the edge of %.0f", over, gtk_adjustment_get_page_size (across));
  report (walk, child, fault);
}

static void
look (Walk      *walk,
      GtkWidget *widget)
{
  if (walk->found != NULL && gtk_widget_get_mapped (widget))
    look_at_request (walk, widget);
  if (walk->found != NULL && gtk_widget_get_mapped (widget) && GTK_IS_VIEWPORT (widget))
    look_at_viewport (walk, widget);
  if (!gtk_widget_get_mapped (widget) || (GTK_IS_NATIVE (widget) && widget != walk->root) || GTK_IS_TEXT_VIEW (widget))
    return;
  if ((GTK_IS_LABEL (widget) || LS_IS_FIT_LABEL (widget)) && *text_of (widget) != '\0' && is_seen (widget))
    {
      Word word = { widget };

      if (clip (walk, widget, &word.place))
        {
          g_array_append_val (walk->words, word);
          if (walk->found != NULL)
            look_at_label (walk, widget);
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    look (walk, child);
}

/* Two names of sides in one line: left is left, whatever one reads.  For English only. */
static void
look_for_sides (Walk *walk)
{
  for (guint i = 0; i < walk->words->len; i++)
    for (guint j = 0; j < walk->words->len; j++)
      {
        Word *a = &g_array_index (walk->words, Word, i), *b = &g_array_index (walk->words, Word, j);

        /* In a table the two times stand behind the two sides. */
        if (g_str_has_prefix (text_of (a->label), "Left") && g_str_has_prefix (text_of (b->label), "Right") &&
            g_str_has_prefix (text_of (a->label) + strlen ("Left"), " Time") == g_str_has_prefix (text_of (b->label) + strlen ("Right"), " Time") &&
            fabsf (a->place.origin.y - b->place.origin.y) < 4.0f && a->place.origin.x > b->place.origin.x)
          report (walk, a->label, "left stands at the right");
      }
}

/* One may float over the other on purpose. */
static gboolean
one_floats (GtkWidget *a,
            GtkWidget *b)
{
  GtkWidget *common = a;

  while (common != NULL && !gtk_widget_is_ancestor (b, common))
    common = gtk_widget_get_parent (common);
  return common == NULL || GTK_IS_OVERLAY (common) || GTK_IS_FIXED (common);
}

static void
look_for_overlaps (Walk *walk)
{
  for (guint i = 0; i < walk->words->len; i++)
    for (guint j = i + 1; j < walk->words->len; j++)
      {
        Word *a = &g_array_index (walk->words, Word, i), *b = &g_array_index (walk->words, Word, j);
        graphene_rect_t both;

        if (graphene_rect_intersection (&a->place, &b->place, &both) && both.size.width > 2.0f && both.size.height > 4.0f &&
            !one_floats (a->label, b->label))
          {
            report (walk, a->label, "lies over another");
            report (walk, b->label, "  namely over");
          }
      }
}
/* ---- all of it ------------------------------------------------------------------ */

/* The page that the window shows; a tool window is one. */
static GtkWidget *
page_in (GtkWidget *widget)
{
  if (GTK_IS_STACK (widget) && gtk_stack_get_child_by_name (GTK_STACK (widget), "explore") != NULL)
    return gtk_stack_get_visible_child (GTK_STACK (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *page = page_in (child);

      if (page != NULL)
        return page;
    }
  return NULL;
}

guint
ls_cut_print (GtkWidget *window,
              guint     *n_words)
{
  Walk walk = { window, g_array_new (FALSE, FALSE, sizeof (Word)), NULL };
  GtkWidget *page = page_in (window);
  guint print = 0;

  look (&walk, window);
  *n_words = 0;
  for (guint i = 0; i < walk.words->len; i++)
    {
      Word *word = &g_array_index (walk.words, Word, i);

      *n_words += page == NULL || gtk_widget_is_ancestor (word->label, page);
      print = print * 31 + g_str_hash (text_of (word->label)) + (guint) (int) word->place.origin.x * 7 + (guint) (int) word->place.origin.y;
    }
  g_array_unref (walk.words);
  return print;
}

char *
ls_cut_faults (GtkWidget *window)
{
  Walk walk = { window, g_array_new (FALSE, FALSE, sizeof (Word)), g_string_new (NULL) };

  look (&walk, window);
  look_at_rows (&walk, window);
  look_for_overlaps (&walk);
  look_for_sides (&walk);
  ls_cut_icons (window, walk.found);
  g_array_unref (walk.words);
  return g_string_free (walk.found, FALSE);
}
