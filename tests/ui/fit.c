/* What has too little room: captions give way whole, a label says less, Korean words stay together. */
#include "views/canvas/captions.h"
#include "views/models/step-item.h"
#include "views/parts/fit-label.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/parts/words.h"

#include <string.h>

/* ---- captions ------------------------------------------------------------- */

static void
check_placed (const LsCaption *captions,
              guint            n,
              float            width)
{
  for (guint i = 0; i < n; i++)
    {
      float end = captions[i].left + captions[i].widths[captions[i].form];

      if (captions[i].row < 0)
        continue;
      g_assert_cmpfloat (captions[i].left, >=, 0.0f);
      g_assert_cmpfloat (end, <=, width);
      for (guint j = 0; j < i; j++)
        if (captions[j].row == captions[i].row)
          g_assert_true (captions[j].left + captions[j].widths[captions[j].form] < captions[i].left || end < captions[j].left);
    }
}

static void
fill (LsCaption   *captions,
      const float *widths,
      guint        n,
      guint        current,
      float        width)
{
  for (guint i = 0; i < n; i++)
    captions[i] = (LsCaption) { .middle = 56.0f + (width - 112.0f) * (float) i / (float) (n - 1), .widths = { widths[i] },
                                .distance = i > current ? i - current : current - i };
}

static void
test_captions (void)
{
  static const float widths[] = { 28.0f, 24.0f, 46.0f, 118.0f, 60.0f, 150.0f };
  LsCaption captions[G_N_ELEMENTS (widths)];
  guint n = G_N_ELEMENTS (widths), left_out = 0;

  fill (captions, widths, n, 5, 900.0f);
  g_assert_cmpuint (ls_captions_place (captions, n, 900.0f), ==, 1);
  check_placed (captions, n, 900.0f);
  fill (captions, widths, n, 5, 470.0f);
  captions[3].widths[1] = 90.0f;
  captions[5].widths[1] = 105.0f;
  g_assert_cmpuint (ls_captions_place (captions, n, 470.0f), ==, 2);
  check_placed (captions, n, 470.0f);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (captions[i].row, ==, (int) (i % 2));
  g_assert_cmpint (captions[2].form, ==, 0);
  g_assert_cmpint (captions[3].form, ==, 1);
  fill (captions, widths, n, 5, 240.0f);
  ls_captions_place (captions, n, 240.0f);
  check_placed (captions, n, 240.0f);
  g_assert_cmpint (captions[5].row, ==, 0);
  for (guint i = 0; i < n; i++)
    left_out += captions[i].row < 0;
  g_assert_cmpuint (left_out, >, 0);
}

/* Whatever the widths are: nothing is cut, nothing meets, and the current step has its words when there is room for one. */
static void
test_captions_random (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      guint n = (guint) g_test_rand_int_range (2, 13), current = (guint) g_test_rand_int_range (0, (int) n);
      float width = (float) g_test_rand_int_range (180, 1200), widths[12];
      LsCaption captions[12];

      for (guint i = 0; i < n; i++)
        widths[i] = (float) g_test_rand_int_range (10, 170);
      fill (captions, widths, n, current, width);
      ls_captions_place (captions, n, width);
      check_placed (captions, n, width);
      g_assert_cmpint (captions[current].row, >=, 0);
    }
}

/* ---- one label --------------------------------------------------------------- */

static int
natural_width (GtkWidget *label)
{
  int natural;

  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

static int
height_at (GtkWidget *label,
           int        width)
{
  int natural;

  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

static void
test_label (void)
{
  static const char *const texts[] = { "688 µs · you are here · noisy", "688 µs · you are here", "688 µs", NULL };
  g_autoptr (GtkWidget) label = g_object_ref_sink (ls_fit_label_new ());
  LsFitLabel *self = LS_FIT_LABEL (label);
  int whole, low;

  g_assert_cmpstr (ls_fit_label_get_shown (self), ==, "");
  ls_fit_label_set (self, texts);
  whole = natural_width (label);
  low = height_at (label, -1);
  gtk_widget_allocate (label, whole, low, -1, NULL);
  g_assert_cmpstr (ls_fit_label_get_shown (self), ==, texts[0]);
  gtk_widget_allocate (label, whole - 1, low, -1, NULL);
  g_assert_cmpstr (ls_fit_label_get_shown (self), ==, texts[1]);
  gtk_widget_allocate (label, whole / 3, low, -1, NULL);
  g_assert_cmpstr (ls_fit_label_get_shown (self), ==, texts[2]);
  ls_fit_label_set (self, (const char *const[]) { "stops here: j_0 has two children, k and ax0; fuse needs one", NULL });
  g_assert_cmpint (height_at (label, 160), ==, low);
  ls_fit_label_set_lines (self, 3);
  g_assert_cmpint (height_at (label, 160), >, low);
  g_assert_cmpint (height_at (label, 40), <=, 3 * low + 3);
}

/* The sign beside the row says that it is noisy: that word goes first, then the spread, then where the reader is. */
static void
test_details (void)
{
  g_autoptr (LsStepItem) item = ls_step_item_new (&(LsStepRecord) {
    .call = "fuse(i, j)", .name = "fuse", .state = LS_STEP_MEASURED, .timing = { 90e-6, 95e-6, 100e-6, 125e-6, 30 }, .speedup = 2.0 });
  g_auto (GStrv) details = NULL;

  ls_step_item_set_current (item, TRUE);
  details = ls_step_item_details (item);
  g_assert_cmpuint (g_strv_length (details), ==, 4);
  g_assert_cmpstr (details[0], ==, "100 ±15\u202fµs · you are here · noisy");
  g_assert_cmpstr (details[1], ==, "100 ±15\u202fµs · you are here");
  g_assert_cmpstr (details[2], ==, "100\u202fµs · you are here");
  g_assert_cmpstr (details[3], ==, "100 ±15\u202fµs");
}

/* In a row a pane gets as little as it says it needs, whatever its height is; sentences that can be broken anywhere ask for more at a
 * great height. */
static void
test_status (void)
{
  static const char *const sentences[] = { "Open a TVMScript file to compare its steps.", "打开一个 TVMScript 文件来比较它的步骤。", "TVMScript 파일을 열어 그 단계를 비교하세요." };

  for (gsize i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      g_autoptr (GtkWidget) row = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
      GtkWidget *status = ls_status_new ();
      int least, at_height;

      ls_status_set (LS_STATUS (status), sentences[i], "Open…", "win.open", NULL);
      gtk_box_append (GTK_BOX (row), status);
      gtk_widget_measure (status, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      for (int height = 50; height < 3000; height += 50)
        {
          gtk_widget_measure (status, GTK_ORIENTATION_HORIZONTAL, height, &at_height, NULL, NULL, NULL);
          g_assert_cmpint (at_height, <=, least);
        }
      g_assert_cmpint (height_at (row, least), >, height_at (row, 4 * least));
    }
}

static guint
buttons_in (GtkWidget *root)
{
  guint n = GTK_IS_BUTTON (root) && gtk_widget_get_visible (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += buttons_in (child);
  return n;
}

/* Before anything is said there is nothing to press: a page that is shown a moment before its words had a button without any. */
static void
test_status_empty (void)
{
  g_autoptr (GtkWidget) status = g_object_ref_sink (ls_status_new ());

  g_assert_cmpuint (buttons_in (status), ==, 0);
  ls_status_set (LS_STATUS (status), "Nothing is opened.", "Open…", "win.open", NULL);
  g_assert_cmpuint (buttons_in (status), ==, 1);
  ls_status_set (LS_STATUS (status), "Nothing is opened.", NULL, NULL, NULL);
  g_assert_cmpuint (buttons_in (status), ==, 0);
}

/* ---- Korean ---------------------------------------------------------------------- */

static guint
cut_words (PangoLayout *layout)
{
  const char *text = pango_layout_get_text (layout);
  guint cut = 0;

  for (int i = 1; i < pango_layout_get_line_count (layout); i++)
    {
      PangoLayoutLine *line = pango_layout_get_line_readonly (layout, i);

      cut += text[line->start_index - 1] != ' ';
    }
  return cut;
}

static void
test_words (void)
{
  static const char text[] = "블록 Y는 k에 걸쳐 더합니다. 부분마다 init이 다시 실행됩니다.";
  g_autoptr (GtkWidget) label = g_object_ref_sink (gtk_label_new (NULL));
  guint before = 0;

  for (int width = 60; width < 400; width += 7)
    {
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (label, text);

      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
      pango_layout_set_width (layout, width * PANGO_SCALE);
      before += cut_words (layout);
      ls_words_keep_in_layout (layout);
      if (width >= 100)
        g_assert_cmpuint (cut_words (layout), ==, 0);
    }
  g_assert_cmpuint (before, >, 0);
  g_assert_null (ls_words_keep (NULL, "no Hangul here, 没有"));
}

/* A tip that is the text of its label comes where that is cut, and only there. */
static void
test_tip (void)
{
  GtkWidget *window = gtk_window_new (), *label = gtk_label_new ("fused_matmul_add_relu_of_a_name_that_is_long"), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), label);
  gtk_window_set_child (GTK_WINDOW (window), box);
  ls_tip_set (label, gtk_label_get_text (GTK_LABEL (label)));
  for (guint i = 0; i < 3; i++)
    {
      static const struct { int width; const char *tip; gboolean comes; } cases[] = {
        { 60, "fused_matmul_add_relu_of_a_name_that_is_long", TRUE }, { 900, "fused_matmul_add_relu_of_a_name_that_is_long", FALSE }, { 900, "more than it", TRUE },
      };
      gboolean comes = FALSE;

      ls_tip_set (label, cases[i].tip);
      gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_allocate (label, cases[i].width, 40, -1, NULL);
      g_signal_emit_by_name (label, "query-tooltip", 1, 1, FALSE, g_object_new (GTK_TYPE_TOOLTIP, NULL), &comes);
      g_assert_cmpint (comes, ==, cases[i].comes);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/views/fit/captions", test_captions);
  g_test_add_func ("/views/fit/captions-random", test_captions_random);
  if (gtk_init_check ())
    {
      ls_theme_install (gdk_display_get_default ());
      g_test_add_func ("/views/fit/label", test_label);
      g_test_add_func ("/views/fit/details", test_details);
      g_test_add_func ("/views/fit/status", test_status);
  g_test_add_func ("/views/fit/status-empty", test_status_empty);
      g_test_add_func ("/views/fit/words", test_words);
      g_test_add_func ("/views/fit/tip", test_tip);
    }
  return g_test_run ();
}
