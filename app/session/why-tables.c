/* session/why-tables: the tables of the page Why: counts, simulated caches, and the innermost loop as machine code, of both steps. */
#include "app/session/why-private.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

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
      table->words = g_strdup (table->busy ? _("Being counted…") : _("Not known before the machine is measured."));
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

static const LsLocalityRow *
row_of (LsWhyFacts *facts,
        const char *name)
{
  if (facts == NULL || facts->locality == NULL)
    return NULL;
  if (name == NULL)
    return &facts->locality->all;
  for (guint i = 0; i < facts->buffers->len; i++)
    if (strcmp (facts->buffers->pdata[i], name) == 0)
      return &facts->locality->buffers[i];
  return NULL;
}

static char *
misses_text (const LsLocalityRow *row,
             guint                level)
{
  return row != NULL ? ls_format_short_count ((double) (row->misses[level].cold + row->misses[level].capacity + row->misses[level].conflict)) : NULL;
}

/* It misses what the one before it misses: the columns would be the same. */
static gboolean
is_same_level (LsWhyPair *pair,
               guint level)
{
  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    {
      const LsLocality *locality = pair->facts[side] != NULL ? pair->facts[side]->locality : NULL;

      for (guint i = 0; locality != NULL && i < locality->n_buffers; i++)
        if (level == 0 || memcmp (&locality->buffers[i].misses[level], &locality->buffers[i].misses[level - 1], sizeof (LsMisses)) != 0)
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
  for (guint level = 0; level < shown->locality->n_levels; level++)
    {
      g_autofree char *text = NULL;

      if (is_same_level (pair, level))
        continue;
      text = ls_why_both (misses_text (row_of (pair->facts[LS_WHY_BESIDE], name), level), misses_text (row_of (shown, name), level));

      g_strv_builder_add (cells, text);
    }
  ls_why_add_row (&pair->why->tables[LS_WHY_CACHES], g_strv_builder_end (cells));
}

void
ls_why_put_caches (LsWhyPair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_CACHES];
  LsWhyFacts *shown = pair->facts[LS_WHY_SHOWN];
  g_autoptr (GStrvBuilder) heads = g_strv_builder_new ();
  g_autofree char *count = NULL;

  table->busy = shown != NULL && shown->looking && !shown->looked;
  if (shown == NULL || shown->locality == NULL)
    {
      table->words = g_strdup (table->busy ? _("The program is being followed.") : shown != NULL && shown->cache_trouble != NULL ? shown->cache_trouble
                                                                                : _("Not followed yet."));
      return;
    }
  g_strv_builder_add (heads, _("Misses"));
  for (guint level = 0; level < shown->locality->n_levels; level++)
    {
      g_autofree char *bytes = ls_format_bytes (shown->locality->levels[level].bytes), *head = NULL;
      guint last = level;

      if (is_same_level (pair, level))
        continue;
      while (last + 1 < shown->locality->n_levels && is_same_level (pair, last + 1))
        last++;
      head = last > level ? g_strdup_printf ("L%u, L%u", level + 1, last + 1) : g_strdup_printf ("L%u %s", level + 1, bytes);
      g_strv_builder_add (heads, head);
    }
  ls_why_add_row (table, g_strv_builder_end (heads));
  for (guint i = 0; i < MIN (shown->buffers->len, MOST_BUFFERS); i++)
    put_misses (pair, shown->buffers->pdata[i]);
  put_misses (pair, NULL);
  count = ls_format_count (shown->accesses);
  table->words = g_strdup_printf (shown->stopped ? ngettext ("Simulated, for the first %s access.", "Simulated, for the first %s accesses; the count beside it is of all.", shown->accesses)
                                                 : ngettext ("Simulated, for the only access (%s).", "Simulated, for all %s accesses.", shown->accesses), count);
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
           : mca->unit != NULL && mca->busy >= 0.9 * mca->cycles ? g_strdup_printf (_("A round is as long as unit %s needs."), mca->unit)
                                                              : g_strdup (_("A round is as long as its instructions need to begin."));
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
