/* session/advice-words: see the header.  The engine gives causes, names and numbers; every sentence here is whole, so that each language
 * can put them in its own order. */
#include "app/session/advice-words.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

/* ---- verdicts -------------------------------------------------------------------- */

char *
ls_advice_say_cause (const LsAdviceReason *reason)
{
  switch (reason->cause)
    {
    case LS_CAUSE_ARITHMETIC:
      return g_strdup (_("arithmetic"));
    case LS_CAUSE_BANDWIDTH:
      return reason->behind[0] != '\0' ? g_strdup_printf (_("the bandwidth of %s"), reason->behind) : g_strdup (_("the bandwidth of memory"));
    case LS_CAUSE_LATENCY:
      return g_strdup (_("loads that reach far"));
    case LS_CAUSE_CHAIN:
      return g_strdup (_("a chain of operations"));
    case LS_CAUSE_LOADS:
      return g_strdup (_("loads and stores"));
    case LS_CAUSE_OVERHEAD:
      return g_strdup (_("the loop itself"));
    case LS_CAUSE_LANES:
      return g_strdup (_("empty lanes"));
    case LS_CAUSE_CALLS:
      return g_strdup (_("calls of functions"));
    case LS_CAUSE_CORES:
      return g_strdup (_("idle cores"));
    case LS_CAUSE_SHARING:
      return g_strdup (_("false sharing"));
    case LS_CAUSE_THREADS:
      return g_strdup (_("starting threads"));
    default:
      return g_strdup ("");
    }
}

char *
ls_advice_say_reason (const LsAdviceVerdict *verdict,
                      const LsAdviceReason  *reason)
{
  const char *name = reason->block[0] != '\0' ? reason->block : _("the innermost statement");
  g_autofree char *figure = NULL;
  guint chains = (guint) MAX (1.0, floor (reason->chains + 0.5));

  switch (reason->cause)
    {
    case LS_CAUSE_ARITHMETIC:
      return g_strdup_printf (_("The operations of %s fill the vector units."), name);
    case LS_CAUSE_BANDWIDTH:
      figure = ls_format_bytes ((gint64) reason->bytes);
      /* Translators: a number of bytes; a cache or memory: L2, DRAM */
      return g_strdup_printf (_("%s come from %s."), figure, reason->behind[0] != '\0' ? reason->behind : _("memory"));
    case LS_CAUSE_LATENCY:
      return g_strdup_printf (_("%s goes through memory across the lines: of each line that is fetched, few numbers are used before the line is gone."), name);
    case LS_CAUSE_CHAIN:
      if (reason->in_registers)
        return g_strdup_printf (ngettext ("Each sum of %s waits for the one before; %u goes on at a time.",
                                          "The sums of %s wait for each other; %u go on side by side.", chains), name, chains);
      return g_strdup_printf (ngettext ("Each sum of %s waits for the one before, through memory; %u goes on at a time.",
                                        "The sums of %s wait for each other, through memory; %u go on side by side.", chains), name, chains);
    case LS_CAUSE_LOADS:
      return g_strdup_printf (_("%s moves more vectors than it computes with."), name);
    case LS_CAUSE_OVERHEAD:
      return g_strdup_printf (_("In %s, counting and branching take longer than the work of a round."), name);
    case LS_CAUSE_LANES:
      figure = g_strdup_printf ("%.3g", reason->lanes);
      return g_strdup_printf (ngettext ("%s uses %s of the %d number of a vector.", "%s uses %s of the %d numbers of a vector.", (gulong) verdict->lanes),
                              name, figure, verdict->lanes);
    case LS_CAUSE_CALLS:
      return g_strdup_printf (_("%s calls a library function for each number."), name);
    case LS_CAUSE_CORES:
      figure = g_strdup_printf ("%.3g", reason->cores);
      return g_strdup_printf (ngettext ("%s runs on %s of %d core.", "%s runs on %s of %d cores.", (gulong) verdict->cores), name, figure, verdict->cores);
    case LS_CAUSE_SHARING:
      return g_strdup_printf (_("Cores write to the same lines in %s."), name);
    case LS_CAUSE_THREADS:
      return g_strdup_printf (_("%s starts threads so often, or does so little, that this takes longest."), name);
    default:
      return g_strdup ("");
    }
}

char *
ls_advice_say_verdict (const LsAdviceVerdict *verdict)
{
  g_autofree char *cause = NULL, *reason = NULL, *share = NULL, *explained = NULL;

  if (g_strcmp0 (verdict->loop, LS_LOOP_WHILE) == 0)
    return g_strdup (_("What holds this step back is not known: how many rounds its while loop has depends on what it computes."));
  if (verdict->n_reasons == 0 && verdict->loop != NULL)
    return g_strdup_printf (_("What holds this step back is not known: how often loop %s runs is not a number."), verdict->loop);
  if (verdict->n_reasons == 0)
    return g_strdup (_("What holds this step back is not known: it has no statement that computes."));
  cause = ls_advice_say_cause (&verdict->reasons[0]);
  reason = ls_advice_say_reason (verdict, &verdict->reasons[0]);
  share = ls_format_share (verdict->share);
  if (verdict->known)
    return g_strdup_printf (_("Held back by %s: %s It reaches %s of its roof."), cause, reason, share);
  explained = ls_format_share (verdict->explained);
  return g_strdup_printf (_("What is counted explains %s of the time, the rest is not known; of what is known %s is the most. It reaches %s of its roof."),
                          explained, cause, share);
}

/* ---- proposals ------------------------------------------------------------------- */

/* The parts of a title stand beside each other. */
static char *
tile_title (const LsAdviceMove *move)
{
  static const struct { guint flag; const char *words; } parts[] = {
    { LS_ADVICE_PADDED, N_("filled up to whole tiles") }, { LS_ADVICE_COLUMNS_OUTSIDE, N_("columns outside") },
    { LS_ADVICE_SUMS_OUTSIDE, N_("a part of the sums outside") }, { LS_ADVICE_PACKED, N_("operand packed") },
    { LS_ADVICE_ROWS_IN_BLOCKS, N_("rows in blocks") }, { LS_ADVICE_ALL_CORES, N_("on all cores") },
    { LS_ADVICE_READER_INSIDE, N_("its reader inside") },
  };
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, _("Tile %s: %d × %d sums in registers"), move->block, (int) move->a, (int) move->b);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if ((move->flags & parts[i].flag) != 0)
      g_string_append_printf (words, LS_PARTS "%s", _(parts[i].words));
  return g_string_free (words, FALSE);
}

static char *
title_alone (const LsAdviceMove *move)
{
  int a = (int) move->a;

  switch (move->kind)
    {
    case LS_ADVICE_TILE:
      return tile_title (move);
    case LS_ADVICE_BLOCKS:
      return g_strdup_printf (_("Go through %s in blocks of %d × %d"), move->block, a, (int) move->b);
    case LS_ADVICE_VECTORS:
    case LS_ADVICE_VECTORIZE:
      return g_strdup_printf (ngettext ("Vectors of %d in %s", "Vectors of %d in %s", (gulong) a), a, move->block);
    case LS_ADVICE_VECTORS_ALL:
      return g_strdup_printf (ngettext ("Vectors in the %d block without a sum", "Vectors in all %d blocks without a sum", (gulong) a), a);
    case LS_ADVICE_INLINE:
      return g_strdup_printf (ngettext ("Compute %d block where it is read", "Compute %d blocks where they are read", (gulong) a), a);
    case LS_ADVICE_PARALLEL:
      return g_strdup_printf (ngettext ("Spread %s over %d core", "Spread %s over %d cores", (gulong) a), move->block, a);
    case LS_ADVICE_DECOMPOSE:
      return g_strdup_printf (_("Start the sums of %s before loop %s"), move->block, move->loop);
    case LS_ADVICE_UNROLL:
      return g_strdup_printf (_("Unroll %s of %s"), move->loop, move->block);
    case LS_ADVICE_SUMS:
      return g_strdup_printf (ngettext ("%s: %d sum at a time", "%s: %d sums side by side", (gulong) a), move->block, a);
    case LS_ADVICE_ROWS:
      if (move->loop != NULL)
        return g_strdup_printf (ngettext ("The %d block together in loop %s", "All %d blocks together in loop %s", (gulong) a), a, move->loop);
      return g_strdup_printf (ngettext ("The %d block row by row", "All %d blocks row by row", (gulong) a), a);
    default:
      return g_strdup ("");
    }
}

char *
ls_advice_say_title (const LsAdviceMove *move)
{
  g_autofree char *title = title_alone (move);
  GString *words = g_string_new (title);

  if (move->inlined > 0)
    {
      g_string_append (words, LS_PARTS);
      g_string_append_printf (words, ngettext ("%u block computed where it is read", "%u blocks computed where they are read", move->inlined), move->inlined);
    }
  if (move->kind == LS_ADVICE_TILE)
    return g_string_free (words, FALSE);
  if ((move->flags & LS_ADVICE_SUMS_IN_VECTORS) != 0)
    g_string_append_printf (words, LS_PARTS "%s", (move->flags & LS_ADVICE_FEWER) != 0 ? _("sums in fewer vectors") : _("sums in vectors"));
  if ((move->flags & LS_ADVICE_ADDED_IN_VECTORS) != 0)
    g_string_append_printf (words, LS_PARTS "%s", _("added up in vectors"));
  if ((move->flags & LS_ADVICE_ALL_CORES) != 0)
    g_string_append_printf (words, LS_PARTS "%s", _("on all cores"));
  return g_string_free (words, FALSE);
}

char *
ls_advice_say_moves (const char *moves)
{
  g_autoptr (GArray) list = ls_advice_moves_from_text (moves);
  g_autofree char *first = list->len > 0 ? ls_advice_say_title (&g_array_index (list, LsAdviceMove, 0)) : NULL;
  g_autofree char *second = list->len > 1 ? ls_advice_say_title (&g_array_index (list, LsAdviceMove, 1)) : NULL;

  /* TRANSLATORS: two moves, "Tile C: 4 × 16 sums in registers; then: Unroll k_0 of C". */
  return second != NULL ? g_strdup_printf (_("%s; then: %s"), first, second) : g_steal_pointer (&first);
}

char *
ls_advice_say_why (const LsAdviceMove *move)
{
  static const char *const whys[LS_ADVICE_N_KINDS] = {
    [LS_ADVICE_TILE] = N_("Sums side by side do not wait for each other, stay in registers, and share what they load."),
    [LS_ADVICE_BLOCKS] = N_("One side is read along its rows and the other written along its own: within a block, all of each fetched line is used before the line is gone."),
    [LS_ADVICE_VECTORS] = N_("Its elements do not depend on each other and lie side by side: a vector computes several at once."),
    [LS_ADVICE_VECTORS_ALL] = N_("Their elements do not depend on each other and lie side by side: a vector computes several at once."),
    [LS_ADVICE_INLINE] = N_("What lies between the blocks is not written to memory and read again."),
    [LS_ADVICE_PARALLEL] = N_("Its outer rounds do not depend on each other, and one core does them all."),
    [LS_ADVICE_DECOMPOSE] = N_("Every round asks whether it is the first; without that the sums can stay in registers."),
    [LS_ADVICE_VECTORIZE] = N_("The elements of the inner loop lie side by side and do not depend on each other."),
    [LS_ADVICE_UNROLL] = N_("A short loop counts and branches nearly as much as it works; once it is unrolled, its sums can stay in registers."),
    [LS_ADVICE_SUMS] = N_("Each step of the sum waits for the one before; sums side by side do not, and can be vectors."),
    [LS_ADVICE_ROWS] = N_("A row stays in the first cache from its first block to its last, and sums along it do not wait for each other."),
  };

  if ((move->flags & LS_ADVICE_FREE_OF_CALLS) != 0 && move->kind == LS_ADVICE_ROWS)
    return g_strdup (_("A row stays in the first cache from its first block to its last, and as vectors its calls of functions become plain arithmetic."));
  if ((move->flags & LS_ADVICE_FREE_OF_CALLS) != 0)
    return g_strdup (_("As vectors it is plain arithmetic; now a library function is called for each number."));
  return g_strdup (_(whys[move->kind]));
}
