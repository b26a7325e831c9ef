/* passes-list: what a pass changed is counted by a thread, and shown by the first one, also when that is not in its main loop at the moment: a thread that finds the
 * loop free must not take it over. */
#include "app/passes/list.h"
#include "tests/support/support.h"
#include "views/parts/theme.h"

#define PASSES 6

static GThread *first;
static guint n_counted;

static void
counted (LsPassesList *list,
         guint         dump,
         gpointer      data)
{
  g_assert_true (g_thread_self () == first);
  n_counted++;
}

/* Each pass adds an instruction. */
static LsPasses *
passes_new (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  LsPassLog *log;

  for (guint i = 0; i < PASSES; i++)
    {
      g_string_append_printf (text, "*** IR Dump After Pass%u on f ***\ndefine i32 @f(i32 %%a) {\n", i);
      for (guint k = 0; k < i; k++)
        g_string_append_printf (text, "  %%v%u = add i32 %%a, %u\n", k, k);
      g_string_append (text, "  ret i32 %a\n}\n");
    }
  bytes = g_string_free_to_bytes (g_steal_pointer (&text));
  log = ls_pass_log_read (bytes, LS_PASS_LOG_LLVM, &error);
  g_assert_no_error (error);
  return ls_passes_new (log);
}

static void
test_counted (void)
{
  GtkWidget *window = gtk_window_new (), *list = ls_passes_list_new ();

  first = g_thread_self ();
  g_signal_connect (list, "counted", G_CALLBACK (counted), NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 600);
  gtk_window_set_child (GTK_WINDOW (window), list);
  ls_passes_list_set (LS_PASSES_LIST (list), passes_new ());
  gtk_window_present (GTK_WINDOW (window));
  /* Most of the time nobody is in the loop. */
  for (guint i = 0; i < 24000 && n_counted < PASSES - 1; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_cmpuint (n_counted, >=, PASSES - 1);
  gtk_window_destroy (GTK_WINDOW (window));
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
  ls_views_init ();
  g_test_add_func ("/passes-list/counted", test_counted);
  return g_test_run ();
}
