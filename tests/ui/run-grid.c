/* The keyboard in a part of an array while other parts are on their way: wherever they are when they come, it stands where its keys led. */
#include "views/run/grid.h"

#define ROWS 96
#define COLUMNS 80
#define SHOWN 32

typedef struct {
  LsRunGrid *grid;
  GQueue     asked;             /* of Part: what is on its way, and what was asked for last since then, as the debugger's windows do */
} Source;

typedef struct {
  gint64 row, column;
} Part;

static void
show_part (LsRunGrid  *grid,
           const char *buffer,
           gint64      row,
           gint64      column)
{
  const gint64 shape[] = { ROWS, COLUMNS };
  GVariantBuilder values_builder, written_builder;
  GVariantDict dict;
  g_autoptr (GVariant) part = NULL;

  g_assert_true (row >= 0 && column >= 0 && row + SHOWN <= ROWS && column + SHOWN <= COLUMNS);
  g_variant_builder_init (&values_builder, G_VARIANT_TYPE ("ad"));
  g_variant_builder_init (&written_builder, G_VARIANT_TYPE ("ab"));
  for (guint i = 0; i < SHOWN * SHOWN; i++)
    {
      g_variant_builder_add (&values_builder, "d", (double) ((row + i / SHOWN) * COLUMNS + column + i % SHOWN));
      g_variant_builder_add (&written_builder, "b", TRUE);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "buffer", "s", buffer);
  g_variant_dict_insert (&dict, "row", "x", row);
  g_variant_dict_insert (&dict, "column", "x", column);
  g_variant_dict_insert (&dict, "rows", "u", (guint) SHOWN);
  g_variant_dict_insert (&dict, "columns", "u", (guint) SHOWN);
  g_variant_dict_insert_value (&dict, "slice", g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, NULL, 0, sizeof *shape));
  g_variant_dict_insert_value (&dict, "shape", g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, shape, 2, sizeof *shape));
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&values_builder));
  g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&written_builder));
  part = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_run_grid_set (grid, part, NULL);
}

static void
part_wanted (LsRunGrid *grid,
             gint64     row,
             gint64     column,
             Source    *source)
{
  Part *part = g_new (Part, 1);

  *part = (Part) { row, column };
  if (source->asked.length > 1)
    g_free (g_queue_pop_tail (&source->asked));
  g_queue_push_tail (&source->asked, part);
}

static void
answer (Source *source)
{
  g_autofree Part *part = g_queue_pop_head (&source->asked);

  if (part != NULL)
    show_part (source->grid, "C", part->row, part->column);
}

static void
press (LsRunGrid       *grid,
       guint            key,
       GdkModifierType  state)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (grid));
  gboolean handled = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (one))
        g_signal_emit_by_name (one, "key-pressed", key, 0, state, &handled);
    }
  g_assert_true (handled);
}

static void
expect (LsRunGrid *grid,
        gint64     row,
        gint64     column)
{
  g_autofree char *words = ls_run_grid_words (grid);
  g_autofree char *wanted = g_strdup_printf ("C[%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "] = %" G_GINT64_FORMAT, row, column, row * COLUMNS + column);

  g_assert_cmpstr (words, ==, wanted);
}

static void
test_keys (void)
{
  static const struct { guint key; int down, right; } keys[] = {
    { GDK_KEY_Up, -1, 0 }, { GDK_KEY_Down, 1, 0 }, { GDK_KEY_Left, 0, -1 }, { GDK_KEY_Right, 0, 1 }, { GDK_KEY_Page_Up, -SHOWN, 0 }, { GDK_KEY_Page_Down, SHOWN, 0 },
  };

  for (guint round = 0; round < 30; round++)
    {
      g_autoptr (GtkWidget) widget = g_object_ref_sink (ls_run_grid_new ());
      Source source = { LS_RUN_GRID (widget), G_QUEUE_INIT };
      gint64 row = 0, column = 0;
      guint key = 0;

      g_signal_connect (widget, "part-wanted", G_CALLBACK (part_wanted), &source);
      show_part (source.grid, "C", 0, 0);
      for (guint i = 0; i < 200; i++)
        {
          /* The same key again and again, as one holds it. */
          if (g_test_rand_int_range (0, 12) == 0)
            key = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (keys));
          press (source.grid, keys[key].key, 0);
          row = CLAMP (row + keys[key].down, 0, ROWS - 1);
          column = CLAMP (column + keys[key].right, 0, COLUMNS - 1);
          if (g_test_rand_int_range (0, 4) == 0)
            answer (&source);
        }
      while (source.asked.length > 0)
        answer (&source);
      expect (source.grid, row, column);
    }
}

/* A pointer says where, whatever was on its way; another array has nothing to do with it. */
static void
test_else (void)
{
  g_autoptr (GtkWidget) widget = g_object_ref_sink (ls_run_grid_new ());
  Source source = { LS_RUN_GRID (widget), G_QUEUE_INIT };

  g_signal_connect (widget, "part-wanted", G_CALLBACK (part_wanted), &source);
  show_part (source.grid, "C", 0, 0);
  ls_run_grid_go (source.grid, 31, 31);
  press (source.grid, GDK_KEY_Down, 0);
  ls_run_grid_go (source.grid, 20, 30);
  answer (&source);
  expect (source.grid, 20, 30);
  press (source.grid, GDK_KEY_End, GDK_CONTROL_MASK);
  show_part (source.grid, "D", 0, 0);
  show_part (source.grid, "C", 0, 0);
  press (source.grid, GDK_KEY_Home, GDK_CONTROL_MASK);
  press (source.grid, GDK_KEY_Right, 0);
  expect (source.grid, 0, 1);
  g_queue_clear_full (&source.asked, g_free);
}

int
main (int    argc,
      char **argv)
{
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-grid/keys", test_keys);
  g_test_add_func ("/run-grid/else", test_else);
  return g_test_run ();
}
