/* passes-own: the worker brings graphs to TensorIR, lowers and compiles, pass by pass. */
#include "app/cli/passes-own.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"

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
