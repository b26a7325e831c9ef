/* generate: PostOrderApply.
 *
 * The blocks of each function are fetched in post-order, the root last.  Each rule goes over all of them, the last first,
 * on every design that the rules before gave; a block that is gone by then is passed over.
 */
#include "engine/schedule/space/private.h"

#include <string.h>

static const LsSpaceRule rules[] = {
  ls_rule_inline_constants, ls_rule_auto_inline, ls_rule_add_rfactor, ls_rule_tiling, ls_rule_parallelize, ls_rule_compute_location,
};

const char *const ls_space_rules[] = {
  "InlineConstantScalars", "AutoInline", "AddRFactor", "MultiLevelTiling", "ParallelizeVectorizeUnroll", "RandomComputeLocation", NULL,
};

typedef struct {
  LsSchedule *schedule;
  const char *func;
  GPtrArray  *blocks;           /* of LsVar, borrowed from the steps */
} Collector;

static gboolean
collect (LsNode         *stmt,
         LsBlockRealize *realize,
         gpointer        user_data)
{
  Collector *self = user_data;
  LsArray *outputs;

  if (ls_is (stmt, FOR))
    return ls_stmt_foreach_child (((LsFor *) stmt)->body, collect, self);
  ls_stmt_foreach_child (((LsBlock *) stmt)->body, collect, self);
  outputs = ls_space_step (self->schedule, NULL, "get_block", "name", ls_string_new (((LsBlock *) stmt)->name_hint), "func_name",
                           ls_string_new (self->func), NULL);
  if (outputs != NULL)
    g_ptr_array_add (self->blocks, outputs->items[0]);
  return TRUE;
}

static GPtrArray *
collect_blocks (LsSchedule *schedule,
                const char *func)
{
  g_autoptr(LsModule) module = ls_ref (ls_schedule_get_module (schedule));
  Collector collector = { schedule, NULL, g_ptr_array_new () };

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        collector.func = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
        if (func != NULL && strcmp (collector.func, func) != 0)
          continue;
        ls_stmt_foreach_child (ls_array_at (module->functions, i, LsPrimFunc)->body, collect, &collector);
      }
  return collector.blocks;
}

typedef struct {
  LsSpaceRule           rule;
  const LsSpaceOptions *options;
  GPtrArray            *blocks;
  GRand                *random;
  GPtrArray            *designs;        /* out */
} Application;

/* The designs that a rule makes of one, for the blocks from number n - 1 down: `most` of them at most. */
static void
apply_rule (Application *self,
            LsSchedule  *schedule,
            guint        n,
            guint        most)
{
  g_autoptr(GPtrArray) made = NULL;

  while (n > 0 && ls_space_place (schedule, self->blocks->pdata[n - 1]) == NULL)
    n--;
  if (n == 0)
    {
      g_ptr_array_add (self->designs, ls_schedule_ref (schedule));
      return;
    }
  made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_schedule_unref);
  self->rule (schedule, self->blocks->pdata[n - 1], self->options, made);
  if (made->len > most)
    apply_rule (self, made->pdata[g_rand_int_range (self->random, 0, (gint32) made->len)], n - 1, most);
  else
    for (guint i = made->len; i-- > 0;)
      apply_rule (self, made->pdata[i], n - 1, most / made->len);
}

static LsSpaceOptions
fill_options (const LsSpaceOptions *options)
{
  static const LsSpaceOptions none = { 0 };
  LsSpaceOptions full = options != NULL ? *options : none;

  full.n_cores = full.n_cores > 0 ? full.n_cores : (gint64) g_get_num_processors ();
  full.max_jobs_per_core = full.max_jobs_per_core > 0 ? full.max_jobs_per_core : 16;
  full.max_innermost_factor = full.max_innermost_factor > 0 ? full.max_innermost_factor : 64;
  full.max_vectorize_extent = full.max_vectorize_extent > 0 ? full.max_vectorize_extent : 64;
  return full;
}

GPtrArray *
ls_space_apply_rule (LsSchedule           *schedule,
                     LsVar                *block,
                     const char           *rule,
                     const LsSpaceOptions *options)
{
  LsSpaceOptions full = fill_options (options);

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strcmp (ls_space_rules[i], rule) == 0)
      {
        GPtrArray *made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_schedule_unref);

        rules[i] (schedule, block, &full, made);
        return made;
      }
  return NULL;
}

GPtrArray *
ls_space_designs (LsModule             *module,
                  const LsSpaceOptions *options,
                  gint64                seed)
{
  LsSpaceOptions full = fill_options (options);
  GPtrArray *designs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_schedule_unref);
  LsSchedule *first = ls_schedule_new (module);
  g_autoptr(GPtrArray) blocks = NULL;
  g_autoptr(GRand) random = g_rand_new_with_seed ((guint32) seed);

  ls_schedule_set_strict (first, FALSE);
  ls_schedule_set_order_asked (first, FALSE);
  ls_schedule_set_seed (first, seed);
  blocks = collect_blocks (first, full.func);
  g_ptr_array_add (designs, first);
  for (guint r = 0; r < G_N_ELEMENTS (rules); r++)
    {
      GPtrArray *next = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_schedule_unref);

      Application application = { rules[r], &full, blocks, random, next };

      for (guint i = 0; i < designs->len; i++)
        apply_rule (&application, designs->pdata[i], blocks->len, MAX (1, LS_SPACE_MOST_DESIGNS / designs->len));
      g_ptr_array_unref (designs);
      designs = next;
    }
  return designs;
}
