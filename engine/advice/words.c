/* words: the English sentences of verdicts and proposals, made of their data alone. */
#include "engine/advice/advice.h"

#include "engine/base/plural.h"

/* ---- verdicts ------------------------------------------------------------------ */

static char *
reason_words (const LsAdviceReason *reason,
              int                   lanes,
              int                   cores)
{
  const char *name = reason->block[0] != '\0' ? reason->block : "the innermost statement";

  switch (reason->cause)
    {
    case LS_CAUSE_ARITHMETIC:
      return g_strdup_printf ("arithmetic: the operations of %s fill the vector units", name);
    case LS_CAUSE_BANDWIDTH:
      return g_strdup_printf ("the bandwidth of %s: %.3g MB come from there", reason->behind[0] != '\0' ? reason->behind : "memory", reason->bytes * 1e-6);
    case LS_CAUSE_LATENCY:
      return g_strdup_printf ("far loads: %s goes through memory across the lines, and of each line that comes few numbers are used before it goes", name);
    case LS_CAUSE_CHAIN:
      return g_strdup_printf ("a chain: the sums of %s wait for each other, %.3g side by side%s", name, reason->chains,
                              reason->in_registers ? "" : ", and go through memory");
    case LS_CAUSE_LOADS:
      return g_strdup_printf ("loads and stores: %s moves more vectors than it computes with", name);
    case LS_CAUSE_OVERHEAD:
      return g_strdup_printf ("the loop itself: in %s counting and branching take longer than the work of a round", name);
    case LS_CAUSE_LANES:
      return g_strdup_printf ("empty lanes: %s uses %.3g of the %d numbers of a vector", name, reason->lanes, lanes);
    case LS_CAUSE_CALLS:
      return g_strdup_printf ("calls: %s calls a library function for each number", name);
    case LS_CAUSE_CORES:
      return g_strdup_printf ("idle cores: %s runs on %.3g of %d cores", name, reason->cores, cores);
    case LS_CAUSE_SHARING:
      return g_strdup_printf ("false sharing: cores write to the same lines in %s", name);
    case LS_CAUSE_THREADS:
      return g_strdup_printf ("starting threads: %s starts them so often, or does so little, that this takes longest", name);
    default:
      return g_strdup ("nothing that is counted");
    }
}

/* "37 %", "0.4 %": a small share is not none. */
static char *
share_words (double share)
{
  return g_strdup_printf (share < 0.02 ? "%.1g %%" : "%.0f %%", 100.0 * share);
}

char *
ls_advice_words_verdict (const LsAdviceVerdict *verdict)
{
  g_autofree char *first = NULL, *second = NULL, *share = NULL;

  if (g_strcmp0 (verdict->loop, LS_LOOP_WHILE) == 0)
    return g_strdup ("What holds this step is not known: how often its while goes round depends on what it computes.");
  if (verdict->n_reasons == 0 && verdict->loop != NULL)
    return g_strdup_printf ("What holds this step is not known: how often loop %s runs is not a number.", verdict->loop);
  if (verdict->n_reasons == 0)
    return g_strdup ("What holds this step is not known: it does nothing.");
  first = reason_words (&verdict->reasons[0], verdict->lanes, verdict->cores);
  second = verdict->n_reasons > 1 ? reason_words (&verdict->reasons[1], verdict->lanes, verdict->cores) : g_strdup ("the roof itself");
  share = share_words (verdict->share);
  if (verdict->known)
    return g_strdup_printf ("Held by %s. It reaches %s of its roof; next would be %s.", first, share, second);
  return g_strdup_printf ("What is counted explains %.0f %% of the time, the rest is not known; of what is known %s is the most. It reaches %s of its roof.",
                          100.0 * verdict->explained, first, share);
}

/* ---- proposals ----------------------------------------------------------------- */

static char *
tile_words (const LsAdviceMove *move)
{
  static const struct { guint flag; const char *words; } parts[] = {
    { LS_ADVICE_PADDED, ", filled up to whole tiles" }, { LS_ADVICE_COLUMNS_OUTSIDE, ", columns outside" },
    { LS_ADVICE_SUMS_OUTSIDE, ", a part of the sums outside" }, { LS_ADVICE_PACKED, ", operand packed" },
    { LS_ADVICE_ROWS_IN_BLOCKS, ", rows in blocks" }, { LS_ADVICE_ALL_CORES, ", on all cores" },
    { LS_ADVICE_READER_INSIDE, ", its reader inside" },
  };
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "Tile %s: %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " sums in registers", move->block, move->a, move->b);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_string_append (words, (move->flags & parts[i].flag) != 0 ? parts[i].words : "");
  return g_string_free (words, FALSE);
}

static char *
title_alone (const LsAdviceMove *move)
{
  const char *cores = (move->flags & LS_ADVICE_ALL_CORES) != 0 ? ", on all cores" : "";
  int a = (int) move->a;

  switch (move->kind)
    {
    case LS_ADVICE_TILE:
      return tile_words (move);
    case LS_ADVICE_BLOCKS:
      return g_strdup_printf ("Go through %s in blocks of %d x %d", move->block, a, (int) move->b);
    case LS_ADVICE_VECTORS:
    case LS_ADVICE_VECTORIZE:
      return g_strdup_printf ("Vectors of %d in %s%s", a, move->block, cores);
    case LS_ADVICE_VECTORS_ALL:
      return g_strdup_printf ("Vectors in all %d blocks without a sum", a);
    case LS_ADVICE_INLINE:
      return g_strdup_printf (ls_translate_plural ("Compute %d block where it is read", "Compute %d blocks where they are read", (gulong) a), a);
    case LS_ADVICE_PARALLEL:
      return g_strdup_printf ("Spread %s over %d cores", move->block, a);
    case LS_ADVICE_DECOMPOSE:
      return g_strdup_printf ("Start the sums of %s before loop %s", move->block, move->loop);
    case LS_ADVICE_UNROLL:
      return g_strdup_printf ("Unroll %s of %s", move->loop, move->block);
    case LS_ADVICE_SUMS:
      return g_strdup_printf ("%s: %d sums side by side%s", move->block, a, (move->flags & LS_ADVICE_ADDED_IN_VECTORS) != 0 ? ", added up in vectors" : "");
    case LS_ADVICE_ROWS:
      if (move->loop != NULL)
        return g_strdup_printf ("All %d blocks together in loop %s%s", a, move->loop, cores);
      return g_strdup_printf ("All %d blocks row by row%s%s%s%s", a, (move->flags & LS_ADVICE_SUMS_IN_VECTORS) != 0 ? ", sums in vectors" : "",
                              (move->flags & LS_ADVICE_FEWER) != 0 ? ", fewer of them" : "",
                              (move->flags & LS_ADVICE_ADDED_IN_VECTORS) != 0 ? ", added up in vectors" : "", cores);
    default:
      return g_strdup ("");
    }
}

char *
ls_advice_words_title (const LsAdviceMove *move)
{
  g_autofree char *title = title_alone (move);

  if (move->inlined == 0)
    return g_steal_pointer (&title);
  return g_strdup_printf (ls_translate_plural ("%s, %u block computed where it is read", "%s, %u blocks computed where they are read", move->inlined), title, move->inlined);
}

static const struct {
  const char *name;
  const char *why;
} kinds[LS_ADVICE_N_KINDS] = {
  [LS_ADVICE_TILE] = { "tile", "Sums side by side do not wait for each other, stay in registers, and share what they load." },
  [LS_ADVICE_BLOCKS] = { "blocks", "One side is read along its rows and the other written along its own: in a block all of each line that comes is used before it goes." },
  [LS_ADVICE_VECTORS] = { "vectors", "Its elements do not depend on each other and lie side by side: a vector does several at once." },
  [LS_ADVICE_VECTORS_ALL] = { "vectors-all", "Their elements do not depend on each other and lie side by side: a vector does several at once." },
  [LS_ADVICE_INLINE] = { "inline", "What lies between the blocks is not written to memory and read again." },
  [LS_ADVICE_PARALLEL] = { "parallel", "Its outer rounds do not depend on each other, and one core does them all." },
  [LS_ADVICE_DECOMPOSE] = { "decompose", "Every round asks whether it is the first; without that the sums can stay in registers." },
  [LS_ADVICE_VECTORIZE] = { "vectorize", "The elements of the inner loop lie side by side and do not depend on each other." },
  [LS_ADVICE_UNROLL] = { "unroll", "A short loop counts and branches nearly as much as it works; unrolled its sums can be registers." },
  [LS_ADVICE_SUMS] = { "rows", "Each step of the sum waits for the one before; side by side they do not, and are vectors." },
  [LS_ADVICE_ROWS] = { "rows", "A row stays in the first cache from its first block to its last, and sums along it do not wait for each other." },
};

const char *
ls_advice_words_why (const LsAdviceMove *move)
{
  if ((move->flags & LS_ADVICE_FREE_OF_CALLS) != 0 && move->kind == LS_ADVICE_ROWS)
    return "A row stays in the first cache from its first block to its last, and as vectors its calls of functions become plain arithmetic.";
  if ((move->flags & LS_ADVICE_FREE_OF_CALLS) != 0)
    return "As vectors it is plain arithmetic; now a library function is called for each number.";
  return kinds[move->kind].why;
}

const char *
ls_advice_kind_name (LsAdviceKind kind)
{
  return kinds[kind].name;
}
