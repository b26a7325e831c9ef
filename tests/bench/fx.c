/* Benchmark of the graph level: a saved graph of torch.fx of 10, 100, 1,000 and 10,000 nodes is read, imported in both variants and goes
 * through passes.  Reading and importing 1,000 nodes has a budget of 50 ms together; the growth from 100 to 10,000 nodes says whether a
 * step is linear (100).
 */
#include "engine/frontend/fx/fx.h"
#include "engine/relax/pass/pass.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  char       *text;
  GHashTable *tensors;
  LsFxVariant variant;
  const LsRelaxPass *pass;
  LsMap      *args;
  LsModule   *module;           /* before the pass */
} Graph;

/* linear -> relu -> residual add, four nodes each. */
static char *
make_text (guint n)
{
  GString *text = g_string_new ("{\"format\":\"loopscope.fx\",\"nodes\":[{\"name\":\"x\",\"op\":\"placeholder\",\"target\":\"x\",\"args\":[],\"shape\":[4,16],\"dtype\":\"float32\"}");
  g_autofree char *before = g_strdup ("x");

  for (guint i = 0; i * 4 + 2 < n; i++)
    {
      g_string_append_printf (text, ",{\"name\":\"w%u\",\"op\":\"get_attr\",\"target\":\"w\",\"args\":[]}", i);
      g_string_append_printf (text, ",{\"name\":\"l%u\",\"op\":\"call_function\",\"target\":\"torch.nn.functional.linear\",\"args\":[{\"node\":\"%s\"},{\"node\":\"w%u\"}],\"kwargs\":{}}", i, before, i);
      g_string_append_printf (text, ",{\"name\":\"r%u\",\"op\":\"call_function\",\"target\":\"torch.relu\",\"args\":[{\"node\":\"l%u\"}],\"kwargs\":{}}", i, i);
      g_string_append_printf (text, ",{\"name\":\"a%u\",\"op\":\"call_function\",\"target\":\"operator.add\",\"args\":[{\"node\":\"r%u\"},{\"node\":\"%s\"}],\"kwargs\":{}}", i, i, before);
      g_free (before);
      before = g_strdup_printf ("a%u", i);
    }
  g_string_append_printf (text, ",{\"name\":\"output\",\"op\":\"output\",\"target\":\"output\",\"args\":[{\"node\":\"%s\"}]}]}", before);
  return g_string_free (text, FALSE);
}

static LsModule *
import (Graph *self)
{
  const LsFxOptions options = { .variant = self->variant };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = ls_fx_graph_parse ("graph", self->text, strlen (self->text), self->tensors, &error);
  LsModule *module = graph != NULL ? ls_fx_graph_import (graph, &options, &error) : NULL;

  if (module == NULL)
    g_error ("%s", error->message);
  return module;
}

static void
run_import (gpointer data)
{
  ls_unref (import (data));
}

static void
run_pass (gpointer data)
{
  Graph *self = data;
  g_autoptr (GError) error = NULL;
  LsModule *module = ls_relax_pass_run (self->pass, self->module, self->args, &error);

  if (module == NULL)
    g_error ("%s", error->message);
  ls_unref (module);
}

static const guint SIZES[] = { 10, 100, 1000, 10000 };

static void
measure (const char *name,
         LsBenchFunc func,
         Graph      *graphs,
         double      budget)
{
  double figures[G_N_ELEMENTS (SIZES)];

  for (guint i = 0; i < G_N_ELEMENTS (SIZES); i++)
    {
      g_autofree char *line = g_strdup_printf ("%s, %u nodes", name, SIZES[i]);

      figures[i] = ls_bench_run (line, SIZES[i] == 1000 ? budget : 0, func, &graphs[i]).minimum;
    }
  printf ("    growth of the minimum from 100 to 10,000 nodes: %.0f times\n", figures[3] / figures[1]);
}

int
main (void)
{
  static const char *const PASSES[] = { "CanonicalizeBindings", "DeadCodeElimination", "EliminateCommonSubexpr", "LegalizeOps", "FoldConstant" };
  g_autoptr (GHashTable) tensors = g_hash_table_new (g_str_hash, g_str_equal);
  LsTensor *weight = ls_tensor_new (LS_FLOAT32, ls_array_of (ls_int_imm_new (LS_INT64, 16), ls_int_imm_new (LS_INT64, 16), NULL), g_bytes_new_take (g_malloc0 (1024), 1024));
  Graph graphs[G_N_ELEMENTS (SIZES)] = { 0 };

  ls_bench_head ();
  g_hash_table_insert (tensors, (gpointer) "w", weight);
  for (guint i = 0; i < G_N_ELEMENTS (SIZES); i++)
    {
      graphs[i].text = make_text (SIZES[i]);
      graphs[i].tensors = tensors;
    }
  measure ("fx: read and import as ops", run_import, graphs, 50e6);
  for (guint i = 0; i < G_N_ELEMENTS (SIZES); i++)
    graphs[i].variant = LS_FX_TE;
  measure ("fx: read and import as te", run_import, graphs, 50e6);
  for (guint i = 0; i < G_N_ELEMENTS (SIZES); i++)
    {
      graphs[i].variant = LS_FX_OPS;
      graphs[i].module = import (&graphs[i]);
    }
  for (guint p = 0; p < G_N_ELEMENTS (PASSES); p++)
    {
      g_autofree char *name = g_strconcat ("pass: ", PASSES[p], NULL);

      for (guint i = 0; i < G_N_ELEMENTS (SIZES); i++)
        {
          graphs[i].pass = ls_relax_pass_get (PASSES[p], NULL);
          ls_take (&graphs[i].args, ls_relax_pass_arguments (graphs[i].pass, NULL, NULL, NULL));
        }
      measure (name, run_pass, graphs, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (SIZES); i++)
    {
      g_free (graphs[i].text);
      ls_unref (graphs[i].module);
      ls_unref (graphs[i].args);
    }
  ls_unref (weight);
  return 0;
}
