/* session/why-tables: the tables of the page Why: counts, simulated caches, and the innermost loop as machine code, of both steps. */
#include "app/session/why-private.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define LEAST_ERROR 0.05         /* percent: what is less is none */
#define MOST_BUFFERS 6

gboolean
ls_why_is_measured (LsHistoryNode *node)
{
  return node != NULL && node->time.samples > 0 && !node->stale;
}

static char **
cells_new (const char *first,
           char       *second,
           char       *third)
{
  char **cells = g_new0 (char *, 4);

  cells[0] = g_strdup (first);
  cells[1] = second != NULL ? second : g_strdup ("–");
  cells[2] = third != NULL ? third : g_strdup ("–");
  return cells;
}

/* Of both steps where there are two, else of one. */
static void
put_pair (LsWhyPair    *pair,
          LsWhyTableId  id,
          const char   *first,
          char         *beside,
          char         *shown)
{
  char **cells = cells_new (first, beside, shown);

  if (pair->nodes[LS_WHY_BESIDE] == NULL)
    {
      g_free (cells[1]);
      cells[1] = cells[2];
      cells[2] = NULL;
    }
  ls_why_add_row (&pair->why->tables[id], cells);
}

static void
put_heads (LsWhyPair    *pair,
           LsWhyTableId  id)
{
  char *heads[LS_WHY_N_SIDES] = { NULL };

  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    if (pair->nodes[side] != NULL)
      {
        g_autofree char *tag = ls_step_item_tag (pair->nodes[side]->item);

        heads[side] = g_strdup_printf (_("Step %s"), tag);
      }
  put_pair (pair, id, "", heads[LS_WHY_BESIDE], heads[LS_WHY_SHOWN]);
}

#define BOTH(pair, id, name, expression) \
  G_STMT_START { \
    char *texts_[LS_WHY_N_SIDES] = { NULL }; \
    for (guint side = 0; side < LS_WHY_N_SIDES; side++) \
      texts_[side] = (expression); \
    put_pair (pair, id, name, texts_[LS_WHY_BESIDE], texts_[LS_WHY_SHOWN]); \
  } G_STMT_END

static char *
time_text (LsHistoryNode *node)
{
  return ls_why_is_measured (node) ? ls_format_time_spread (node->time.median, (node->time.q3 - node->time.q1) / 2.0) : NULL;
}

static char *
number_text (double value)
{
  return value > 0.0 ? g_strdup_printf ("%.3g", value) : NULL;
}

/* The nest that takes longest. */
static const LsNestCost *
longest (const LsAdviceCost *cost)
{
  const LsNestCost *best = NULL;

  for (guint i = 0; cost != NULL && i < cost->nests->len; i++)
    if (best == NULL || ((LsNestCost *) cost->nests->pdata[i])->seconds > best->seconds)
      best = cost->nests->pdata[i];
  return best;
}

static char *
of_text (double value,
         int    all)
{
  /* Translators: 4 of 8: a number that is used, and how many there are */
  return value > 0.0 ? g_strdup_printf (_("%.3g of %d"), value, all) : NULL;
}

void
ls_why_put_counts (LsWhyPair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_COUNTS];
  const LsAdviceCost *costs[LS_WHY_N_SIDES] = { NULL };
  const LsAdviceMachine *machine = NULL;
  const LsNestCost *nests[LS_WHY_N_SIDES];

  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    {
      costs[side] = pair->facts[side] != NULL ? pair->facts[side]->cost : NULL;
      nests[side] = longest (costs[side]);
      machine = costs[side] != NULL ? &pair->facts[side]->machine : machine;
      table->busy |= pair->facts[side] != NULL && pair->facts[side]->looking && costs[side] == NULL;
    }
  if (machine == NULL)
    {
      table->words = g_strdup (table->busy ? _("Being counted…") : _("Not known until the machine is measured."));
      return;
    }
  put_heads (pair, LS_WHY_COUNTS);
  BOTH (pair, LS_WHY_COUNTS, _("Time"), time_text (pair->nodes[side]));
  BOTH (pair, LS_WHY_COUNTS, _("Least the machine needs"), pair->verdicts[side] != NULL && pair->verdicts[side]->roof_seconds > 0.0 ? ls_format_time (pair->verdicts[side]->roof_seconds) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Expected by the count"), costs[side] != NULL && costs[side]->seconds > 0.0 ? ls_format_time (costs[side]->seconds) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Operations"), costs[side] != NULL && costs[side]->flop > 0.0 ? ls_format_short_count (costs[side]->flop) : NULL);
  for (int i = 0; i < machine->n_levels; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Fetched from %s"), machine->behind[i]);

      BOTH (pair, LS_WHY_COUNTS, name, costs[side] != NULL && costs[side]->bytes[i] >= 0.0 ? ls_format_bytes ((gint64) costs[side]->bytes[i]) : NULL);
    }
  BOTH (pair, LS_WHY_COUNTS, _("Lanes used"), nests[side] != NULL ? of_text (nests[side]->lanes, machine->lanes) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Sums side by side"), nests[side] != NULL ? number_text (nests[side]->chains) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Cores used"), nests[side] != NULL ? of_text (nests[side]->cores, machine->cores) : NULL);
  table->words = g_strdup_printf (_("Counted in the program. Lanes, sums and cores are those of block %s, which takes most."),
                                  nests[LS_WHY_SHOWN] != NULL && nests[LS_WHY_SHOWN]->name[0] != '\0' ? nests[LS_WHY_SHOWN]->name : "–");
}

static const LsMemoryBuffer *
buffer_at (const LsMemoryLab *memory,
           guint              i)
{
  return &g_array_index (memory->buffers, LsMemoryBuffer, i);
}

static double
misses_of (const LsMemoryBuffer *buffer,
           guint                 level)
{
  const LsMemoryMisses *misses = &buffer->misses[level];

  return misses->cold + misses->capacity + misses->conflict;
}

/* The buffer of this name, NULL: all together. */
static const LsMemoryBuffer *
row_of (LsWhyFacts *facts,
        const char *name)
{
  if (facts == NULL || facts->memory == NULL)
    return NULL;
  if (name == NULL)
    return &facts->memory->all;
  for (guint i = 0; i < facts->memory->buffers->len; i++)
    if (strcmp (buffer_at (facts->memory, i)->name, name) == 0)
      return buffer_at (facts->memory, i);
  return NULL;
}

static char *
misses_text (const LsMemoryBuffer *row,
             guint                 level)
{
  return row != NULL ? ls_format_short_count (misses_of (row, level)) : NULL;
}

/* It misses what the one before it misses: the columns would be the same. */
static gboolean
is_same_level (LsWhyPair *pair,
               guint      level)
{
  if (level == 0)
    return FALSE;
  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    {
      const LsMemoryLab *memory = pair->facts[side] != NULL ? pair->facts[side]->memory : NULL;

      for (guint i = 0; memory != NULL && i < memory->buffers->len; i++)
        if (memcmp (&buffer_at (memory, i)->misses[level], &buffer_at (memory, i)->misses[level - 1], sizeof (LsMemoryMisses)) != 0)
          return FALSE;
    }
  return TRUE;
}

static void
put_misses (LsWhyPair  *pair,
            const char *name)
{
  LsWhyFacts *shown = pair->facts[LS_WHY_SHOWN];
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();

  g_strv_builder_add (cells, name != NULL ? name : _("all"));
  for (guint level = 0; level < shown->memory->options.n_levels; level++)
    {
      g_autofree char *text = NULL;

      if (is_same_level (pair, level))
        continue;
      text = ls_why_both (misses_text (row_of (pair->facts[LS_WHY_BESIDE], name), level), misses_text (row_of (shown, name), level));

      g_strv_builder_add (cells, text);
    }
  ls_why_add_row (&pair->why->tables[LS_WHY_CACHES], g_strv_builder_end (cells));
}

/* It is one of the few of which most is missed, the earlier one where two are alike. */
static gboolean
is_listed (const LsMemoryLab *memory,
           guint              i)
{
  guint before = 0;

  for (guint k = 0; k < memory->buffers->len; k++)
    {
      double more = misses_of (buffer_at (memory, k), 0) - misses_of (buffer_at (memory, i), 0);

      before += more > 0.0 || (more == 0.0 && k < i);
    }
  return before < MOST_BUFFERS;
}

static void
put_heads_of_caches (LsWhyPair *pair)
{
  const LsMemoryOptions *options = &pair->facts[LS_WHY_SHOWN]->memory->options;
  g_autoptr (GStrvBuilder) heads = g_strv_builder_new ();

  g_strv_builder_add (heads, _("Misses"));
  for (guint level = 0; level < options->n_levels; level++)
    {
      g_autofree char *bytes = ls_format_bytes (options->levels[level].bytes), *head = NULL;
      guint last = level;

      if (is_same_level (pair, level))
        continue;
      while (last + 1 < options->n_levels && is_same_level (pair, last + 1))
        last++;
      head = last > level ? g_strdup_printf ("L%u, L%u", level + 1, last + 1) : g_strdup_printf ("L%u %s", level + 1, bytes);
      g_strv_builder_add (heads, head);
    }
  ls_why_add_row (&pair->why->tables[LS_WHY_CACHES], g_strv_builder_end (heads));
}

/* Of a simulation that did not follow each access. */
static char *
words_of_part (const LsMemoryLab *memory)
{
  double percent = 100.0 * (double) memory->simulated / (double) memory->all.accesses, error = 100.0 * memory->error[0];

  if (error < LEAST_ERROR)
    return g_strdup_printf (_("%.2g\u202f%% of the accesses were simulated, in parts that are all alike; the others are taken to be like them."), percent);
  return g_strdup_printf (_("%.2g\u202f%% of the accesses were simulated, the others are taken to be like them: within %.2g\u202f%%."), percent, error);
}

/* How far the numbers can be trusted, and which are not there. */
static char *
words_of_caches (const LsMemoryLab *memory)
{
  g_autofree char *accesses = ls_format_count ((gint64) memory->all.accesses);
  g_autofree char *all = g_strdup_printf (ngettext ("Simulated, for the only access (%s).", "Simulated, for all %s accesses.", (gulong) memory->all.accesses), accesses);
  g_autofree char *part = words_of_part (memory);
  guint others = memory->buffers->len > MOST_BUFFERS ? memory->buffers->len - MOST_BUFFERS : 0;
  g_autofree char *more = others > 0 ? g_strdup_printf (ngettext ("%u buffer that is missed less is not shown.", "%u buffers that are missed less are not shown.", others), others) : NULL;

  g_autofree char *data = memory->data != NULL ? g_strdup_printf (_("Where accesses go depends on data; these come from a run on random numbers (%s)."), memory->data) : NULL;

  return g_strjoin (" ", memory->simulated < memory->all.accesses ? part : all, data != NULL ? data : more, data != NULL ? more : NULL, NULL);
}

void
ls_why_put_caches (LsWhyPair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_CACHES];
  LsWhyFacts *shown = pair->facts[LS_WHY_SHOWN];

  table->busy = shown != NULL && shown->looking && !shown->looked;
  if (shown == NULL || shown->memory == NULL)
    {
      table->words = g_strdup (table->busy ? _("The program is being followed.") : shown != NULL && shown->cache_trouble != NULL ? shown->cache_trouble
                                                                                : _("Not followed yet."));
      return;
    }
  put_heads_of_caches (pair);
  for (guint i = 0; i < shown->memory->buffers->len; i++)
    if (is_listed (shown->memory, i))
      put_misses (pair, buffer_at (shown->memory, i)->name);
  put_misses (pair, NULL);
  table->words = words_of_caches (shown->memory);
}

static char *
width_text (const LsInnerLoop *loop)
{
  if (loop == NULL || loop->arithmetic == 0)
    return NULL;
  return loop->bits <= 64 ? g_strdup (_("1 number")) : g_strdup_printf (ngettext ("%u bit", "%u bits", loop->bits), loop->bits);
}

static char *
busy_text (const LsMca *mca)
{
  return mca != NULL && mca->unit != NULL ? g_strdup_printf ("%s %.3g", mca->unit, mca->busy) : NULL;
}

/* What a round waits for, by the model. */
static char *
code_words (LsWhyFacts *facts)
{
  const LsMca *mca = facts->mca;
  g_autofree char *reason = NULL;

  if (facts->code_trouble != NULL)
    return g_strdup (facts->code_trouble);
  if (facts->loop == NULL)
    return g_strdup (_("The machine code has no loop: LLVM unrolled all of them, or there is none."));
  if (facts->loop->call != NULL)
    return g_strdup_printf (_("The innermost loop calls %s, whose cycles llvm-mca does not know."), facts->loop->call);
  if (mca == NULL)
    return g_strdup_printf (_("Cycles are not known: %s"), facts->mca_trouble != NULL ? facts->mca_trouble : _("llvm-mca gave no answer."));
  reason = ls_mca_waits (mca)
             ? g_strdup (_("A round waits for operations that depend on each other: no unit is busy all the time."))
           : mca->unit != NULL && mca->busy >= 0.9 * mca->cycles ? g_strdup_printf (_("A round takes as long as unit %s needs."), mca->unit)
                                                              : g_strdup (_("A round takes as long as its instructions need to be started."));
  return g_strdup_printf (_("%s By llvm-mca's model of %s, in which each load hits the first cache."), reason, facts->cpu);
}

void
ls_why_put_code (LsWhyPair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_CODE];
  LsWhyFacts *shown = pair->facts[LS_WHY_SHOWN];
  const LsInnerLoop *loops[LS_WHY_N_SIDES] = { NULL };
  const LsMca *mcas[LS_WHY_N_SIDES] = { NULL };

  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    if (pair->facts[side] != NULL && pair->facts[side]->compiled)
      {
        loops[side] = pair->facts[side]->loop;
        mcas[side] = pair->facts[side]->mca;
      }
  table->busy = shown != NULL && shown->compiling;
  if (shown == NULL || !shown->compiled)
    {
      table->words = g_strdup (table->busy ? _("The program is being compiled.") : _("Not compiled yet."));
      return;
    }
  if (loops[LS_WHY_SHOWN] != NULL)
    {
      put_heads (pair, LS_WHY_CODE);
      BOTH (pair, LS_WHY_CODE, _("Instructions in a round"), loops[side] != NULL ? ls_format_count (loops[side]->n) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Arithmetic"), loops[side] != NULL ? ls_format_count (loops[side]->arithmetic) : NULL);
      BOTH (pair, LS_WHY_CODE, _("multiply-adds of it"), loops[side] != NULL ? ls_format_count (loops[side]->fused) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Widest register"), width_text (loops[side]));
      BOTH (pair, LS_WHY_CODE, _("Loads"), loops[side] != NULL ? ls_format_count (loops[side]->loads) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Stores"), loops[side] != NULL ? ls_format_count (loops[side]->stores) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Cycles of a round"), mcas[side] != NULL ? g_strdup_printf ("%.3g", mcas[side]->cycles) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Busiest unit, its cycles"), busy_text (mcas[side]));
    }
  table->words = code_words (shown);
}
