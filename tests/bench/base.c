/* Benchmark of base: what the parser pays for a source and the printers for a text. */
#include "engine/base/base.h"
#include "tests/bench/bench.h"

static void
make_source (gpointer data)
{
  g_autoptr (LsSource) source = ls_source_new ("bench", data, -1);
}

static void
find_place (gpointer data)
{
  ls_source_place (data, 30000);
}

static void
write_text (gpointer data)
{
  LsText text;

  ls_text_init (&text);
  for (guint i = 0; i < 1000; i++)
    ls_text_append (&text, "Y[vi, vj] = T.float32(0)\n");
  ls_text_clear (&text);
}

int
main (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (LsSource) source = NULL;

  while (text->len < 60000)
    g_string_append (text, "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n");
  source = ls_source_new ("bench", text->str, -1);
  ls_bench_head ();
  ls_bench_run ("base/source 60 kB", 0, make_source, text->str);
  ls_bench_run ("base/place", 0, find_place, source);
  ls_bench_run ("base/text 1000 lines", 0, write_text, NULL);
  return 0;
}
