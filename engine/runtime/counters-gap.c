/* counters-gap: why a processor counts other misses than a simulation of its caches has. */
#include "engine/runtime/counters.h"

#include "engine/base/base.h"

#define ALIKE 0.15              /* of the simulated */
#define TLB_PAGES 64            /* whose places a core knows without asking */
#define BUSY 1.5                /* load for each processor that is in use */

const char *
ls_counters_gap_name (LsCounterGapKind kind)
{
  static const char *const names[] = { "none", "prefetcher", "mapping", "other-cores", "tlb", "other-programs", "unknown" };

  return names[kind];
}

LsCounterGapKind
ls_counters_gap_kind (const LsCounterGap *gap)
{
  double difference = gap->counted - gap->simulated;

  if (ABS (difference) <= ALIKE * MAX (gap->simulated, 1.0))
    return LS_COUNTER_GAP_NONE;
  /* Lines that lie apart by a power of two share a set only if their pages lie so in memory, too. */
  if (difference < 0.0)
    return gap->level > 1 && gap->conflict > 0.5 * gap->simulated ? LS_COUNTER_GAP_MAPPING : LS_COUNTER_GAP_PREFETCHER;
  if (gap->cores > 1)
    return LS_COUNTER_GAP_OTHER_CORES;
  if (gap->load > BUSY)
    return LS_COUNTER_GAP_OTHER_PROGRAMS;
  return gap->pages > TLB_PAGES ? LS_COUNTER_GAP_TLB : LS_COUNTER_GAP_UNKNOWN;
}

char *
ls_counters_gap_words (const LsCounterGap *gap)
{
  static const char *const words[] = {
    LS_TEXT ("as many as simulated: nothing else is in the way."),
    LS_TEXT ("fewer than simulated: the prefetcher brings lines before they are asked for, and the simulation has none."),
    LS_TEXT ("fewer than simulated, of which most push each other out of their sets: pages lie elsewhere in memory than in the program, so that fewer meet in a set."),
    LS_TEXT ("more than simulated: the program runs on several cores, which take lines from each other and share the last cache; the simulation has one."),
    LS_TEXT ("more than simulated: more pages are touched than a core knows the places of, and looking them up (TLB) goes through the caches, too."),
    LS_TEXT ("more than simulated: the machine was busy, and what else ran pushed lines out."),
    LS_TEXT ("more than simulated, and nobody knows why: one core, a calm machine, few pages."),
  };

  return g_strdup_printf (ls_translate (LS_TEXT ("Loads that missed L%d: %.3g counted, %.3g simulated; %s")), gap->level, gap->counted, gap->simulated,
                          ls_translate (words[ls_counters_gap_kind (gap)]));
}
