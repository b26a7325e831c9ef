/* passes-own: the worker brings graphs to TensorIR, lowers and compiles, pass by pass. */
#include "app/cli/passes-own.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"

#include "engine/base/json.h"

#include <string.h>

typedef struct {
  GArray    *stages;            /* of LsPassStage */
  GPtrArray *strings;
} Own;

/* text NULL: as before */
static void
put (Own          *self,
     const char   *pass,
     const char   *text,
     LsPassLogKind language,
     gboolean      start,
     gint64        ns)
{
  char *name = g_strdup (pass), *copy = g_strdup (text);
  LsPassStage stage = { name, copy, language, start, ns >= 0 ? (double) ns / 1e9 : -1 };

  g_ptr_array_add (self->strings, name);
  g_ptr_array_add (self->strings, copy);
  g_array_append_val (self->stages, stage);
}

/* The stages that a method of the worker gives, whose first one is called `start`.  FALSE: it said what is wrong. */
static gboolean
ask (Own            *self,
     const char     *command,
     const LsCliOwn *own,
     const char     *text,
     const char     *method,
     LsPassLogKind   language,
     const char     *start)
{
  GVariantDict params;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) stages = NULL;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (own->func != NULL)
    g_variant_dict_insert (&params, "func", "s", own->func);
  if (own->target != NULL)
    g_variant_dict_insert (&params, "target", "s", own->target);
  answer = ls_cli_ask (command, method, &params, 0, NULL, NULL);
  stages = answer != NULL ? g_variant_lookup_value (answer, "stages", G_VARIANT_TYPE ("a(sxssa(uuu))")) : NULL;
  for (gsize i = 0; stages != NULL && i < g_variant_n_children (stages); i++)
    {
      const char *name, *trouble, *shown;
      gint64 ns;

      g_variant_get_child (stages, i, "(&sx&s&s@a(uuu))", &name, &ns, &trouble, &shown, NULL);
      if (*trouble != '\0')
        fprintf (stderr, "loopscope-cli %s: %s: %s\n", command, name, trouble);
      if (i > 0 && ns < 0)
        break;          /* not reached */
      put (self, i > 0 ? name : start, i == 0 || *shown != '\0' ? shown : NULL, language, i == 0, ns);
    }
  return stages != NULL;
}

LsPassLog *
ls_cli_own_passes (const char     *command,
                   const LsCliOwn *own)
{
  g_autoptr (LsModule) module = own->steps != NULL ? ls_cli_read_scheduled (command, own->file, own->steps) : ls_cli_read_module (command, own->file);
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;
  g_autoptr (GArray) stages = g_array_new (FALSE, FALSE, sizeof (LsPassStage));
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);
  Own self = { stages, strings };
  g_autoptr (GError) error = NULL;
  LsPassLog *log;
  gboolean done;

  if (module == NULL)
    return NULL;
  done = strstr (text, "@R.function") != NULL
           ? ask (&self, command, own, text, "legalize", LS_PASS_LOG_TVM, "Relax")
           : ask (&self, command, own, text, "lower", LS_PASS_LOG_TVM, "TensorIR") && ask (&self, command, own, text, "optimise", LS_PASS_LOG_LLVM, "LLVM IR");
  if (!done)
    return NULL;
  log = ls_pass_log_from_stages ((const LsPassStage *) (void *) stages->data, stages->len, &error);
  if (log == NULL)
    ls_cli_fail (command, "%s", error->message);
  return log;
}

/* ---- times ---- */

/* "2.41×" of the time before it, "" at the first. (transfer full) */
static char *
ratio_words (double before,
             double now)
{
  return before > 0 && now > 0 ? g_strdup_printf ("%.2f\u00d7", before / now) : g_strdup ("");
}

static void
print_times (GVariant *passes)
{
  GVariantIter iter;
  const char *name, *trouble;
  gint32 number;
  double median, iqr, before = 0;

  printf ("%5s  %-36s %14s %12s  %s\n", "", "cut off after", "time", "faster", "result");
  g_variant_iter_init (&iter, passes);
  while (g_variant_iter_next (&iter, "(i&sdd&s)", &number, &name, &median, &iqr, &trouble))
    {
      g_autofree char *ratio = ratio_words (before, median);

      printf ("%5d  %-36s %11.2f \u00b5s %12s  %s\n", number, number > 0 ? name : "(no pass)", median / 1e3, ratio, *trouble != '\0' ? trouble : "same");
      before = median;
    }
}

int
ls_cli_own_times (const char     *command,
                  const LsCliOwn *own,
                  gboolean        json)
{
  g_autoptr (LsModule) module = own->steps != NULL ? ls_cli_read_scheduled (command, own->file, own->steps) : ls_cli_read_module (command, own->file);
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) passes = NULL;
  GVariantDict params;

  if (module == NULL)
    return LS_CLI_FAILED;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (own->func != NULL)
    g_variant_dict_insert (&params, "func", "s", own->func);
  if (own->target != NULL)
    g_variant_dict_insert (&params, "target", "s", own->target);
  answer = ls_cli_ask (command, "time-passes", &params, 0, NULL, NULL);
  if (answer == NULL)
    return LS_CLI_FAILED;
  passes = g_variant_lookup_value (answer, "passes", G_VARIANT_TYPE ("a(isdds)"));
  if (!json)
    print_times (passes);
  else
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();
      GVariantIter iter;
      const char *name, *trouble;
      gint32 number;
      double median, iqr;

      json_builder_begin_array (builder);
      g_variant_iter_init (&iter, passes);
      while (g_variant_iter_next (&iter, "(i&sdd&s)", &number, &name, &median, &iqr, &trouble))
        {
          json_builder_begin_object (builder);
          ls_json_put_int (builder, "number", number);
          ls_json_put_text (builder, "pass", name);
          ls_json_put_double (builder, "median_ns", median);
          ls_json_put_double (builder, "iqr_ns", iqr);
          ls_json_put_bool (builder, "equal", *trouble == '\0');
          ls_json_put_text (builder, "mismatch", trouble);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      ls_cli_put_json (builder);
    }
  return LS_CLI_DONE;
}
