/* What things that cells show are called, without a display. */
#include "app/learn/view-title.h"

static void
expect (const char *view,
        const char *title)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) parsed = g_variant_ref_sink (g_variant_parse (G_VARIANT_TYPE_VARDICT, view, NULL, NULL, &error));
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = ls_view_title (parsed);
  g_assert_cmpstr (found, ==, title);
}

static void
test_counts (void)
{
  expect ("{'kind': <'schedule'>, 'title': <'Schedule'>, 'steps': <int64 1>}", "Schedule, 1 step");
  expect ("{'kind': <'schedule'>, 'title': <'Schedule'>, 'steps': <int64 3>}", "Schedule, 3 steps");
  expect ("{'kind': <'timing'>, 'title': <'?'>, 'series': <[<[<1.0>, <2.0>]>]>}", "1 measurement");
  expect ("{'kind': <'timing'>, 'title': <'?'>, 'count': <int64 20>, 'series': <[<[<1.0>]>, <[<2.0>]>]>}", "20 measurements");
  expect ("{'kind': <'timing'>, 'title': <'?'>, 'seconds': <[<1.0>, <2.0>, <3.0>]>}", "3 samples");
  expect ("{'kind': <'graph'>, 'title': <'?'>, 'count': <int64 7>, 'rows': <[<'a'>]>}", "torch.fx graph, 7 nodes");
}

static void
test_names (void)
{
  expect ("{'kind': <'table'>, 'title': <'?'>, 'name': <'DataFrame'>, 'height': <int64 3>, 'width': <int64 1>}", "DataFrame, 3 rows, 1 column");
  expect ("{'kind': <'table'>, 'title': <'?'>, 'name': <'list'>, 'height': <int64 2>}", "list, 2 rows");
  expect ("{'kind': <'picture'>, 'title': <'?'>, 'figure': <int64 2>, 'words': <'growth'>}", "Figure 2: growth");
  expect ("{'kind': <'picture'>, 'title': <'?'>, 'figure': <int64 0>, 'words': <''>}", "Figure");
  expect ("{'kind': <'picture'>, 'title': <'Image'>}", "Image");
  expect ("{'kind': <'array'>, 'title': <'NDArray (4, 2) float32'>}", "NDArray (4, 2) float32");
  expect ("{'kind': <'text'>}", "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-title/counts", test_counts);
  g_test_add_func ("/view-title/names", test_names);
  return g_test_run ();
}
