/* Words on the screen: at each size of window and letters every text that is shown has its room, or ends in dots, or can be scrolled to;
 * none lies over another.  What canvases draw is not seen by this.
 *
 * A program of its own for each language: LANGUAGE is what it runs in.
 */
#include "app/application.h"
#include "app/base/language.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "tests/ui/fixture-session.h"
#include "views/parts/fit-label.h"
#include "views/parts/theme.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 1.5f
#define WIDEST (1 << 20)        /* GTK asks so */
#define PATIENCE_S 60           /* for what is to come */
#define ROWS_WIDTH 1024         /* of windows in which no row of controls scrolls sideways, */
#define ROWS_SCALE 150          /* with letters up to this */
#define FAULTY_S 5              /* a fault that stands so long is one */

static LsApplication *application;

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- looking --------------------------------------------------------------- */

typedef struct {
  GtkWidget      *label;
  graphene_rect_t place;        /* in the window, without what is scrolled away */
} Word;

typedef struct {
  GtkWidget *root;
  GArray    *words;             /* of Word */
  GString   *found;             /* a line for each fault */
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

      across = across && !scrolls (at, TRUE);
      down = down && !scrolls (at, FALSE);
      room = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (at), (float) gtk_widget_get_height (at));
      if (!place_of (label, at, &own))
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
is_turned_figure (GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
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
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  int width, height, room = gtk_widget_get_width (label), line;

  pango_layout_get_pixel_size (layout, &width, &height);
  line = height / MAX (pango_layout_get_line_count (layout), 1);
  if (gtk_label_get_ellipsize (GTK_LABEL (label)) == PANGO_ELLIPSIZE_NONE && width > room + 1)
    report (walk, label, "wider than its room");
  if (height > gtk_widget_get_height (label) + 1)
    report (walk, label, "higher than its room");
  if (pango_layout_is_ellipsized (layout) && room < 2 * line)
    report (walk, label, "nothing but dots");
  if (is_turned_figure (GTK_LABEL (label)))
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
  if (gtk_widget_get_mapped (widget))
    look_at_request (walk, widget);
  if (gtk_widget_get_mapped (widget) && GTK_IS_VIEWPORT (widget))
    look_at_viewport (walk, widget);
  if (!gtk_widget_get_mapped (widget) || (GTK_IS_NATIVE (widget) && widget != walk->root) || GTK_IS_TEXT_VIEW (widget))
    return;
  if ((GTK_IS_LABEL (widget) || LS_IS_FIT_LABEL (widget)) && *text_of (widget) != '\0' && is_seen (widget))
    {
      Word word = { widget };

      if (clip (walk, widget, &word.place))
        {
          g_array_append_val (walk->words, word);
          if (GTK_IS_LABEL (widget))
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

        if (g_str_has_prefix (text_of (a->label), "Left") && g_str_has_prefix (text_of (b->label), "Right") &&
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

/* ---- pictures: with LS_CUT_PICTURES=FOLDER in the environment, of all that is looked at -------------------------- */

/* A part that is about to be laid out anew is left out of the picture, and GTK warns of it. */
static void
take_picture (GtkWidget  *window,
              const char *where)
{
  const char *folder = g_getenv ("LS_CUT_PICTURES");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *name = g_strdelimit (g_strconcat (where, ".png", NULL), " /:…", '-'), *path = NULL;
  GLogLevelFlags fatal;

  if (folder == NULL || *folder == '\0')
    return;
  fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  paintable = gtk_widget_paintable_new (window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (window), gtk_widget_get_height (window));
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  texture = node != NULL ? gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, NULL) : NULL;
  path = g_build_filename (folder, name, NULL);
  if (texture != NULL)
    gdk_texture_save_to_png (texture, path);
  g_log_set_always_fatal (fatal);
}

/* ---- a window ---------------------------------------------------------------- */

static guint n_faults;

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

/* (transfer full): what is wrong; in `print` what is said, and where, in `n_words` how much of it on the page. */
static char *
faults_in (GtkWidget *window,
           guint     *n_words,
           guint     *print)
{
  Walk walk = { window, g_array_new (FALSE, FALSE, sizeof (Word)), g_string_new (NULL) };
  GtkWidget *page = page_in (window);

  look (&walk, window);
  look_at_rows (&walk, window);
  look_for_overlaps (&walk);
  look_for_sides (&walk);
  *n_words = *print = 0;
  for (guint i = 0; i < walk.words->len; i++)
    {
      Word *word = &g_array_index (walk.words, Word, i);

      *n_words += page == NULL || gtk_widget_is_ancestor (word->label, page);
      *print = *print * 31 + g_str_hash (text_of (word->label)) + (guint) (int) word->place.origin.x * 7 + (guint) (int) word->place.origin.y;
    }
  g_array_unref (walk.words);
  return g_string_free (walk.found, FALSE);
}

static gboolean
count_frame (GtkWidget     *widget,
             GdkFrameClock *clock,
             gpointer       data)
{
  return --*(guint *) data > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Frames that were drawn, however long they took, and all that waits for an idle turn. */
static void
pass_frames (GtkWidget *widget,
             guint      n)
{
  gboolean idle = FALSE;

  gtk_widget_add_tick_callback (widget, count_frame, &n, NULL);
  while (n > 0)
    g_main_context_iteration (NULL, TRUE);
  g_idle_add_full (G_PRIORITY_LOW + 100, passed, &idle, NULL);
  while (!idle)
    g_main_context_iteration (NULL, TRUE);
}

/* What has not come yet, or moves, is looked at when it stands: as much is said as is said there, and it was the same a few frames ago.  What
 * is wrong may be so on the way. */
static void
inspect (GtkWidget  *window,
         const char *where,
         guint       least)
{
  g_autofree char *found = NULL;
  guint n_words = 0, print = 0, last = 1;
  gint64 patience = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC, stood = 0;

  while (g_get_monotonic_time () < patience)
    {
      pass_frames (window, 4);
      last = print;
      g_free (found);
      found = faults_in (window, &n_words, &print);
      if (n_words < least || print != last)
        stood = 0;
      else if (stood == 0)
        stood = g_get_monotonic_time ();
      if (stood != 0 && (*found == '\0' || g_get_monotonic_time () > stood + FAULTY_S * G_USEC_PER_SEC))
        break;
    }
  g_test_message ("%s: %u words", where, n_words);
  if (n_words < least)
    {
      char *all = g_strdup_printf ("%s\n  only %u words of %u have come", found, n_words, least);

      g_free (found);
      found = all;
    }
  take_picture (window, where);
  if (*found == '\0')
    return;
  n_faults++;
  g_test_message ("%s:%s", where, found);
}

/* ---- where ------------------------------------------------------------------- */

static const int scales[] = { 100, 150, 200 };
static const struct { int width, height; } sizes[] = { { 800, 560 }, { 1024, 700 }, { 1280, 800 }, { 1440, 900 } };

static void
set_scale (int percent)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * percent / 100, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", NULL);
}

static GtkWidget *
open_window (LsSession *taken,
             int        width,
             int        height)
{
  g_autoptr (LsSession) session = taken;
  GtkWidget *window = ls_window_new (GTK_APPLICATION (application), session);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  pass_frames (window, 2);
  return window;
}

static void
activate (GtkWidget  *window,
          const char *action,
          const char *target)
{
  GAction *found = g_action_map_lookup_action (G_ACTION_MAP (window), action);

  g_assert_nonnull (found);
  g_action_activate (found, target != NULL ? g_variant_new_string (target) : NULL);
}

/* What asks for the most height, from the window down, and for how much. (transfer full) */
static char *
tallest (GtkWidget *root)
{
  GString *path = g_string_new (NULL);

  while (root != NULL)
    {
      GtkWidget *largest = NULL;
      int most = 0, minimum;

      for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
        {
          minimum = 0;
          if (gtk_widget_get_visible (child) && !GTK_IS_NATIVE (child))
            gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, MAX (gtk_widget_get_width (child), -1), &minimum, NULL, NULL, NULL);
          if (minimum > most)
            largest = child, most = minimum;
        }
      if (largest != NULL)
        g_string_append_printf (path, " > %s %d", G_OBJECT_TYPE_NAME (largest), most);
      root = largest;
    }
  return g_string_free (path, FALSE);
}

/* No larger than it was asked to be: what does not fit must not push the window's edge off the screen. */
static void
expect_size (GtkWidget  *window,
             int         width,
             int         height,
             const char *where)
{
  if (gtk_widget_get_width (window) > width || gtk_widget_get_height (window) > height)
    {
      g_autofree char *path = tallest (window);

      n_faults++;
      g_test_message ("%s: the window is %d x %d:%s", where, gtk_widget_get_width (window), gtk_widget_get_height (window), path);
    }
}

static void
expect_on_screen (GtkWidget  *window,
                  const char *where)
{
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (gdk_display_get_monitors (gtk_widget_get_display (window)), 0);
  GdkRectangle room;

  gdk_monitor_get_geometry (monitor, &room);
  expect_size (window, room.width, room.height, where);
}

/* Whose pages: the sample has something on each, the others not. */
typedef enum { OF_SAMPLE, OF_FIXTURE, OF_FINDINGS, N_OF } Of;

static void
look_at_pages (LsSession  *session,
               Of          of,
               const char *what,
               int         width,
               int         height,
               int         percent)
{
  GtkWidget *window;
  /* least: words of the page; fewer have not all come. */
  const struct { const char *name, *action, *target; guint least[N_OF]; } states[] = {
    { "Explore", NULL, NULL, { 30, 36, 10 } }, { "with the difference", "diff", NULL, { 30, 36, 10 } }, { "Compare", "page", "compare", { 18, 2, 2 } },
    { "Graph", "page", "graph", { 24, 14, 14 } }, { "Why", "page", "why", { 12, 1, 1 } }, { "Tune", "page", "tune", { 6, 4, 4 } },
    { "Explore again", "page", "explore", { 30, 36, 10 } }, { "with the program to edit", "edit-base", NULL, { 30, 36, 10 } },
    { "with the history turned", "history", NULL, { 30, 36, 10 } }, { "with the moves turned", "moves", NULL, { 30, 36, 10 } },
  };

  set_scale (percent);
  window = open_window (session, width, height);
  g_assert_cmpint (ls_theme_get_scale (), ==, MAX (percent, 100));
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s, %d x %d, letters %d, %s", what, width, height, percent, states[i].name);

      if (states[i].action != NULL)
        activate (window, states[i].action, states[i].target);
      inspect (window, where, states[i].least[of]);
      expect_size (window, width, height, where);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  wait_ms (100);
}

static void
test_pages (gconstpointer data)
{
  int percent = GPOINTER_TO_INT (data);

  n_faults = 0;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      /* Letters of twice the size have no room in the smallest window. */
      if (percent == 200 && sizes[i].width < 1024)
        continue;
      if (sizes[i].width == 1024 && percent == 150)
        look_at_pages (ls_fixture_session_new_broken (), OF_FINDINGS, "findings", sizes[i].width, sizes[i].height, percent);
      look_at_pages (ls_engine_session_new_sample (), OF_SAMPLE, "the sample", sizes[i].width, sizes[i].height, percent);
      if (sizes[i].width == 1024 || sizes[i].width == 1440)
        look_at_pages (ls_fixture_session_new (), OF_FIXTURE, "branches and times", sizes[i].width, sizes[i].height, percent);
    }
  if (n_faults > 0)
    g_test_fail ();
}

/* A kernel, which shows what Threads and Machine Code have. */
static const char kernel[] =
  "from tvm.script import tir as T\n\n@T.prim_func\ndef transpose(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\")):\n"
  "    T.func_attr({\"tir.noalias\": True})\n    S = T.alloc_buffer((64, 64), scope=\"shared\")\n"
  "    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n        for y, x in T.grid(64, 1):\n"
  "            for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n                with T.block(\"S\"):\n"
  "                    vy, vx = T.axis.remap(\"SS\", [y, t])\n                    S[vy, vx] = A[vy, vx]\n"
  "        for y, x in T.grid(64, 1):\n            for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n                with T.block(\"B\"):\n"
  "                    vy, vx = T.axis.remap(\"SS\", [y, t])\n                    B[vy, vx] = S[vx, vy]\n";

/* A graph, which shows what Graph, Binding by Binding has: one of its values is no number. */
static const char graph[] =
  "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n    @R.function\n"
  "    def main(x: R.Tensor((4, 6), \"float32\"), w: R.Tensor((6, 6), \"float32\")) -> R.Tensor((4, 6), \"float32\"):\n        with R.dataflow():\n"
  "            q = R.matmul(x, w)\n            r = R.sqrt(q)\n            a = R.nn.softmax(r)\n            R.output(a)\n        return a\n";

typedef enum { SAMPLE, STEPS, KERNEL, GRAPH, N_SHOWN } Shown;

/* (transfer full) */
static LsSession *
session_of (const char *text)
{
  LsSession *session = ls_engine_session_new ();
  g_autofree char *folder = g_dir_make_tmp ("loopscope-cut-XXXXXX", NULL), *path = g_build_filename (folder, "program.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ls_session_open (session, file);
  for (guint i = 0; i < 200 && ls_session_get_current (session) == NULL; i++)
    wait_ms (20);
  g_assert_nonnull (ls_session_get_current (session));
  g_remove (path);
  g_rmdir (folder);
  return session;
}

/* The sample after its last step. (transfer full) */
static LsSession *
steps_session (void)
{
  LsSession *session = ls_engine_session_new_sample ();

  ls_session_go_to (session, g_list_model_get_n_items (ls_session_get_history (session)) - 1);
  return session;
}

/* (transfer full): the window that the action opens. */
static GtkWidget *
open_tool (GtkWidget  *window,
           const char *action)
{
  GListModel *all = gtk_window_get_toplevels ();
  guint before = g_list_model_get_n_items (all);
  g_autoptr (GtkWidget) tool = NULL;

  activate (window, action, NULL);
  for (gint64 patience = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC; g_list_model_get_n_items (all) <= before && g_get_monotonic_time () < patience;)
    g_main_context_iteration (NULL, TRUE);
  pass_frames (window, 2);
  for (guint j = 0; j < g_list_model_get_n_items (all) && tool == NULL; j++)
    {
      g_autoptr (GtkWidget) one = g_list_model_get_item (all, j);

      if (one != window && gtk_widget_get_mapped (one) && GTK_IS_WINDOW (one))
        tool = g_steal_pointer (&one);
    }
  g_assert_cmpuint (g_list_model_get_n_items (all), >, before);
  g_assert_nonnull (tool);
  return g_steal_pointer (&tool);
}

/* Each tool window at its own size, beside a main window of the smallest screen that counts. */
static void
look_at_tools (const char *what,
               int         percent)
{
  /* least: words, with those that come from the worker. */
  static const struct { const char *name; Shown shown; guint least; } tools[] = {
    { "preferences", .least = 15 }, { "help", .least = 15 }, { "access-order", .least = 10 }, { "lowering", .least = 40 },
    { "machine-code", .least = 5 }, { "rank-moves", .least = 15 }, { "rule", .least = 5 }, { "arithmetic", .least = 20 },
    { "program-passes", .least = 40 }, { "run", .least = 10 }, { "run-pair", STEPS, 9 }, { "threads", .least = 4 },
    { "threads", KERNEL, 10 }, { "machine-code", KERNEL, 3 }, { "run-graph", GRAPH, 14 }, { "run-vm", GRAPH, 14 },
    { "compare-models", GRAPH, 8 }, { "reading", .least = 4 }, { "practice", STEPS, 6 },
  };
  static const char *const names[] = { "", " of the last step", " of a kernel", " of a graph" };
  GtkWidget *windows[N_SHOWN];

  set_scale (percent);
  windows[SAMPLE] = open_window (ls_engine_session_new_sample (), 1024, 700);
  windows[STEPS] = open_window (steps_session (), 1024, 700);
  windows[KERNEL] = open_window (session_of (kernel), 1024, 700);
  windows[GRAPH] = open_window (session_of (graph), 1024, 700);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s, letters %d, %s%s", what, percent, tools[i].name, names[tools[i].shown]);
      g_autoptr (GtkWidget) tool = NULL;

      g_test_message ("%s", where);
      for (guint j = 0; j < N_SHOWN; j++)
        gtk_widget_set_visible (windows[j], j == tools[i].shown);
      gtk_window_present (GTK_WINDOW (windows[tools[i].shown]));
      tool = open_tool (windows[tools[i].shown], tools[i].name);
      inspect (tool, where, tools[i].least);
      expect_on_screen (tool, where);
      gtk_window_destroy (GTK_WINDOW (tool));
      wait_ms (100);
    }
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    gtk_window_destroy (GTK_WINDOW (windows[i]));
  wait_ms (100);
}

static void
test_tools (gconstpointer data)
{
  n_faults = 0;
  look_at_tools ("tools", GPOINTER_TO_INT (data));
  if (n_faults > 0)
    g_test_fail ();
}

/* ---- the other looks, directions and screens ------------------------------------- */

typedef struct {
  const char *name;
  gboolean    quick;            /* in ./check too */
  gboolean    dark, contrast, turned;
  int         width, height, percent;
} Look;

static const Look looks[] = {
  { "turned", .turned = TRUE, .width = 1024, .height = 700, .percent = 100, .quick = TRUE },
  { "turned", .turned = TRUE, .width = 1440, .height = 900, .percent = 150 },
  { "turned", .turned = TRUE, .width = 1280, .height = 800, .percent = 200 },
  { "dark", .dark = TRUE, .width = 1440, .height = 900, .percent = 100 },
  { "contrast", .contrast = TRUE, .width = 1440, .height = 900, .percent = 100 },
  { "contrast", .contrast = TRUE, .width = 1024, .height = 700, .percent = 150 },
  { "dark-contrast", .dark = TRUE, .contrast = TRUE, .width = 1280, .height = 800, .percent = 100 },
  { "small", .width = 1024, .height = 700, .percent = 80 },
  { "small", .width = 800, .height = 560, .percent = 90 },
  { "large", .width = 1920, .height = 1080, .percent = 100 },
  { "large", .width = 1920, .height = 1080, .percent = 200 },
  { "largest", .width = 3840, .height = 2160, .percent = 100 },
  { "largest", .width = 3840, .height = 2160, .percent = 200 },
};

static void
test_look (gconstpointer data)
{
  const Look *self = data;
  g_autofree char *sample = g_strconcat (self->name, ", the sample", NULL), *fixture = g_strconcat (self->name, ", branches and times", NULL);

  ls_theme_set_scheme (self->dark ? LS_SCHEME_DARK : LS_SCHEME_LIGHT);
  ls_theme_set_contrast (self->contrast);
  gtk_widget_set_default_direction (self->turned ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  n_faults = 0;
  look_at_pages (ls_engine_session_new_sample (), OF_SAMPLE, sample, self->width, self->height, self->percent);
  look_at_pages (ls_fixture_session_new (), OF_FIXTURE, fixture, self->width, self->height, self->percent);
  look_at_tools (self->name, self->percent);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  ls_theme_set_contrast (FALSE);
  ls_theme_set_scheme (LS_SCHEME_LIGHT);
  if (n_faults > 0)
    g_test_fail ();
}

int
main (int    argc,
      char **argv)
{
  int status;

  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  ls_language_init ();
  g_test_init (&argc, &argv, NULL);
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autofree char *pages = g_strdup_printf ("/cut/%d/pages", scales[i]), *tools = g_strdup_printf ("/cut/%d/tools", scales[i]);

      g_test_add_data_func (pages, GINT_TO_POINTER (scales[i]), test_pages);
      g_test_add_data_func (tools, GINT_TO_POINTER (scales[i]), test_tools);
    }
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cut/looks/%s-%dx%d-%d", looks[i].name, looks[i].width, looks[i].height, looks[i].percent);

      if (looks[i].quick || g_test_thorough ())
        g_test_add_data_func (path, &looks[i], test_look);
    }
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
