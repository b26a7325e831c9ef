/* cycles: see the header. */
#include "app/cli/cycles.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "app/mca/mca.h"

#include "engine/base/json.h"

#include <stdio.h>
#include <string.h>

#define MOST_UNITS 8

/* ---- asking llvm-mca --------------------------------------------------------------- */

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static LsMca *
analyse (const LsInnerLoop *loop,
         const char        *cpu,
         GError           **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ls_mca_ask (loop->text, cpu, NULL, answered, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return ls_mca_finish (result, error);
}

/* What a round waits for. */
static const char *
bound_of (const LsMca *mca)
{
  if (ls_mca_waits (mca))
    return "chain";
  return mca->busy >= 0.9 * mca->cycles ? "unit" : "dispatch";
}

static gboolean
in_chain (const LsMca *mca,
          guint        instruction)
{
  for (guint i = 0; mca != NULL && strcmp (bound_of (mca), "chain") == 0 && i < mca->chain->len; i++)
    if (g_array_index (mca->chain, LsMcaLink, i).instruction == instruction)
      return TRUE;
  return FALSE;
}

/* The first remark about the line that says why there are no vectors, in words; NULL: there is none. (transfer full) */
static char *
warning_of (GVariant          *remarks,
            const LsInnerLoop *loop)
{
  GVariantIter iter;
  const char *sentence;
  guint line;

  g_variant_iter_init (&iter, remarks);
  while (loop->bits <= 64 && loop->arithmetic > 0 && g_variant_iter_next (&iter, "(u&s)", &line, &sentence))
    if (line == loop->line && strstr (sentence, "not vectorized") != NULL)
      return ls_remark_words (sentence);
  return NULL;
}

/* ---- words --------------------------------------------------------------------------- */

static void
print_head (const LsInnerLoop *loop,
            char             **lines)
{
  if (loop->line > 0 && loop->line <= g_strv_length (lines))
    printf ("%5u | %s\n", loop->line, lines[loop->line - 1]);
  printf ("  a round: %u instructions, %u of arithmetic", loop->n, loop->arithmetic);
  if (loop->arithmetic > 0)
    printf (" (%u multiply-adds) in registers of %u bits", loop->fused, loop->bits);
  printf (", %u loads, %u stores", loop->loads, loop->stores);
  printf (loop->spills > 0 ? ", %u with the stack: registers were too few\n" : ", nothing with the stack\n", loop->spills);
}

static void
print_mca (const LsMca *mca,
           const char  *cpu)
{
  const char *bound = bound_of (mca);

  printf ("  %.3g cycles a round on %s where each load hits the first cache: ", mca->cycles, cpu);
  if (strcmp (bound, "chain") == 0)
    printf ("it waits for operations that depend on each other (marked), units alone need %.3g\n", MAX (mca->busy, mca->dispatch));
  else if (strcmp (bound, "unit") == 0)
    printf ("as long as unit %s works\n", mca->unit);
  else
    printf ("as long as its instructions take to begin\n");
  printf ("  units, cycles a round:");
  for (guint i = 0; i < MIN (mca->units->len, MOST_UNITS); i++)
    printf (" %s %.2f", g_array_index (mca->units, LsMcaUnit, i).name, g_array_index (mca->units, LsMcaUnit, i).cycles);
  printf ("\n");
  for (guint i = 0; strcmp (bound, "chain") == 0 && i < mca->chain->len; i++)
    {
      const LsMcaLink *link = &g_array_index (mca->chain, LsMcaLink, i);

      printf ("  %s instruction %u%s%s%s\n", i == 0 ? "critical chain:" : "           then", link->instruction + 1, link->through != NULL ? " waits for " : "",
              link->through != NULL ? link->through : "", link->carried ? " of the round before" : "");
    }
}

static void
print_instructions (const LsInnerLoop *loop,
                    const LsMca       *mca)
{
  g_auto (GStrv) rows = g_strsplit (loop->text, "\n", -1);
  guint n = 0;

  printf ("     cycles, instruction, what it does\n");
  for (guint i = 0; rows[i] != NULL; i++)
    {
      const char *text = g_strchug (rows[i]);
      g_autofree char *words = NULL;

      if (*text == '\0' || g_str_has_suffix (text, ":"))
        continue;
      words = ls_instruction_words (text);
      printf ("  %s %3u  ", in_chain (mca, n) ? "*" : " ", n + 1);
      if (mca != NULL && n < mca->latencies->len)
        printf ("%3u  ", g_array_index (mca->latencies, guint, n));
      printf ("%-44s %s\n", text, words != NULL ? words : "");
      n++;
    }
}

/* ---- JSON ------------------------------------------------------------------------------ */

static void
add_instructions (JsonBuilder       *builder,
                  const LsInnerLoop *loop,
                  const LsMca       *mca)
{
  g_auto (GStrv) rows = g_strsplit (loop->text, "\n", -1);
  guint n = 0;

  ls_json_begin_array (builder, "instructions");
  for (guint i = 0; rows[i] != NULL; i++)
    {
      const char *text = g_strchug (rows[i]);
      g_autofree char *words = NULL;

      if (*text == '\0' || g_str_has_suffix (text, ":"))
        continue;
      words = ls_instruction_words (text);
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "text", text);
      ls_json_put_text (builder, "words", words);
      if (mca != NULL && n < mca->latencies->len)
        ls_json_put_double (builder, "latency", g_array_index (mca->latencies, guint, n));
      ls_json_put_bool (builder, "critical", in_chain (mca, n));
      json_builder_end_object (builder);
      n++;
    }
  json_builder_end_array (builder);
}

static void
add_mca (JsonBuilder *builder,
         const LsMca *mca)
{
  ls_json_put_double (builder, "cycles", mca->cycles);
  ls_json_put_text (builder, "bound", bound_of (mca));
  ls_json_begin_object (builder, "units");
  for (guint i = 0; i < mca->units->len; i++)
    ls_json_put_double (builder, g_array_index (mca->units, LsMcaUnit, i).name, g_array_index (mca->units, LsMcaUnit, i).cycles);
  json_builder_end_object (builder);
  ls_json_begin_array (builder, "chain");
  for (guint i = 0; i < mca->chain->len; i++)
    {
      const LsMcaLink *link = &g_array_index (mca->chain, LsMcaLink, i);

      json_builder_begin_object (builder);
      ls_json_put_double (builder, "instruction", link->instruction);
      ls_json_put_text (builder, "through", link->through);
      ls_json_put_bool (builder, "carried", link->carried);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_loop (JsonBuilder       *builder,
          const LsInnerLoop *loop,
          const LsMca       *mca,
          const char        *warning,
          const char        *trouble)
{
  json_builder_begin_object (builder);
  ls_json_put_double (builder, "line", loop->line);
  ls_json_put_double (builder, "arithmetic", loop->arithmetic);
  ls_json_put_double (builder, "multiply-adds", loop->fused);
  ls_json_put_double (builder, "bits", loop->bits);
  ls_json_put_double (builder, "loads", loop->loads);
  ls_json_put_double (builder, "stores", loop->stores);
  ls_json_put_double (builder, "spills", loop->spills);
  ls_json_put_text (builder, "warning", warning);
  ls_json_put_text (builder, "trouble", trouble);
  if (mca != NULL)
    add_mca (builder, mca);
  add_instructions (builder, loop, mca);
  json_builder_end_object (builder);
}

/* ---- all loops --------------------------------------------------------------------------- */

gboolean
ls_cli_print_cycles (const char *command,
                     GVariant   *answer,
                     char      **lines,
                     gint64      line,
                     gboolean    json)
{
  g_autoptr (GVariant) groups = ls_params_value (answer, "groups"), remarks = ls_params_value (answer, "remarks");
  g_autoptr (GPtrArray) loops = ls_inner_loops (groups);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const char *cpu = ls_params_string (answer, "cpu", "generic");
  guint n = 0;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "cpu", cpu);
  ls_json_begin_array (builder, "loops");
  for (guint i = 0; i < loops->len; i++)
    {
      const LsInnerLoop *loop = loops->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (LsMca) mca = NULL;
      g_autofree char *warning = warning_of (remarks, loop);

      if (line > 0 && loop->line != line)
        continue;
      n++;
      if (loop->call != NULL)
        g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "It calls %s, whose cycles llvm-mca does not know.", loop->call);
      else
        mca = analyse (loop, cpu, &error);
      if (json)
        {
          add_loop (builder, loop, mca, warning, error != NULL ? error->message : NULL);
          continue;
        }
      printf ("%s", n > 1 ? "\n" : "");
      print_head (loop, lines);
      if (mca != NULL)
        print_mca (mca, cpu);
      else
        printf ("  cycles are not known: %s\n", error->message);
      if (warning != NULL)
        printf ("  warning: %s\n", warning);
      print_instructions (loop, mca);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  if (json)
    ls_cli_put_json (builder);
  if (n == 0 && !json)
    ls_cli_fail (command, line > 0 ? "no innermost loop of the machine code comes from line %d" : "the machine code has no loop: LLVM unrolled all of them, or there is none", (int) line);
  return n > 0;
}
