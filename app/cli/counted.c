/* counted: see the header. */
#include "app/cli/counted.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/runtime/counters.h"

#include <stdio.h>

#define PAGE 4096.0

GVariant *
ls_cli_counted_ask (const char *command,
                    LsModule   *module,
                    const char *func,
                    GPtrArray  *set)
{
  g_autofree char *text = ls_cli_module_text (module);
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (func != NULL)
    g_variant_dict_insert (&params, "func", "s", func);
  g_variant_dict_insert (&params, "budget-ms", "x", (gint64) 200);
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) set->pdata, (gssize) set->len));
  return ls_cli_ask (command, "time", &params, 120, NULL, NULL);
}

/* FALSE: it was not counted. */
static gboolean
gap_of (GVariant          *answer,
        const LsMemoryLab *memory,
        guint              level,
        LsCounterGap      *gap)
{
  g_autoptr (GVariant) counters = ls_params_value (answer, "counters");
  g_autoptr (GVariant) one = counters != NULL ? ls_params_value (counters, ls_counter_name (level == 0 ? LS_COUNTER_L1D_MISSES : LS_COUNTER_LLC_MISSES)) : NULL;
  const LsMemoryMisses *misses = &memory->all.misses[level];

  if (one == NULL || ls_params_string (one, "error", NULL) != NULL)
    return FALSE;
  *gap = (LsCounterGap) {
    .level = (int) level + 1,
    .counted = ls_cli_number (one, "value"),
    .simulated = misses->cold + misses->capacity + misses->conflict,
    .conflict = misses->conflict,
    .cores = (int) ls_params_int (answer, "threads", 1),
    .load = ls_cli_number (answer, "load") / (double) g_get_num_processors (),
  };
  for (guint i = 0; i < memory->buffers->len; i++)
    gap->pages += g_array_index (memory->buffers, LsMemoryBuffer, i).lines * memory->options.line_bytes / PAGE;
  return TRUE;
}

/* The first level and the last one: what processors count. */
static guint
next_level (const LsMemoryLab *memory,
            guint              level)
{
  return level + 1 < memory->options.n_levels && level == 0 ? memory->options.n_levels - 1 : G_MAXUINT;
}

void
ls_cli_counted_print (GVariant          *answer,
                      const LsMemoryLab *memory)
{
  LsCounterGap gap;

  printf ("\n");
  if (ls_params_string (answer, "counters-text", NULL) != NULL)
    printf ("%s\n", ls_params_string (answer, "counters-text", NULL));
  for (guint level = 0; level != G_MAXUINT; level = next_level (memory, level))
    if (gap_of (answer, memory, level, &gap))
      {
        g_autofree char *words = ls_counters_gap_words (&gap);

        printf ("%s\n", words);
      }
}

void
ls_cli_counted_add (GVariant          *answer,
                    const LsMemoryLab *memory,
                    JsonBuilder       *builder)
{
  LsCounterGap gap;

  ls_json_put_text (builder, "counters-text", ls_params_string (answer, "counters-text", NULL));
  ls_json_begin_array (builder, "counted");
  for (guint level = 0; level != G_MAXUINT; level = next_level (memory, level))
    if (gap_of (answer, memory, level, &gap))
      {
        g_autofree char *words = ls_counters_gap_words (&gap);

        json_builder_begin_object (builder);
        ls_json_put_int (builder, "level", gap.level);
        ls_json_put_double (builder, "counted", gap.counted);
        ls_json_put_double (builder, "simulated", gap.simulated);
        ls_json_put_text (builder, "why", ls_counters_gap_name (ls_counters_gap_kind (&gap)));
        ls_json_put_text (builder, "words", words);
        json_builder_end_object (builder);
      }
  json_builder_end_array (builder);
}
