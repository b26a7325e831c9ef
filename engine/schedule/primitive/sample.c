/* sample_categorical, sample_perfect_tile, sample_partitioned_tile: numbers that are drawn when the schedule is made, and kept as decisions.
 *
 * A decision that is given stands for the draw; one that no longer fits a loop is mended as TVM does.
 * Source: TVM's tir sampling.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"

/* ---- sample_categorical -------------------------------------------------------- */

enum { CANDIDATES, PROBS };

static const LsParam categorical_params[] = {
  { "candidates", LS_PARAM_INTS, 0, NULL, "the numbers to choose from" },
  { "probs", LS_PARAM_FLOATS, 0, NULL, "how likely each of them is" },
};

static double
number_of (LsNode *node)
{
  gint64 whole;

  if (ls_is (node, FLOAT_IMM))
    return ((LsFloatImm *) node)->value;
  return ls_as_int (node, &whole) ? (double) whole : 0;
}

static gboolean
check_categorical (LsMove        *move,
                   LsDiagnostics *diagnostics)
{
  LsArray *candidates = ls_move_array (move, CANDIDATES);
  LsArray *probs = ls_move_array (move, PROBS);
  gboolean usable = TRUE;
  double sum = 0;
  gint64 decision;

  if (candidates->n != probs->n || candidates->n == 0)
    {
      ls_move_refuse (move, diagnostics, "lengths", NULL, ls_translate_plural ("There is %u candidate and %u probabilities; there has to be one for each, and one at least.",
                                           "There are %u candidates and %u probabilities; there has to be one for each, and one at least.", candidates->n),
                      candidates->n, probs->n);
      return FALSE;
    }
  for (guint i = 0; i < probs->n; i++)
    {
      usable &= number_of (probs->items[i]) >= 0;
      sum += number_of (probs->items[i]);
    }
  if (!usable || !(sum > 0))
    {
      ls_move_refuse (move, diagnostics, "probabilities", NULL, "Probabilities are at least 0, and not all of them 0.");
      return FALSE;
    }
  if (move->decision == NULL || (ls_as_int (move->decision, &decision) && decision >= 0 && decision < candidates->n))
    return TRUE;
  ls_move_refuse (move, diagnostics, "decision", NULL, "The decision of sample_categorical is the number of a candidate, from 0 to %u.", candidates->n - 1);
  return FALSE;
}

static gboolean
apply_categorical (LsMove        *move,
                   LsDiagnostics *diagnostics)
{
  LsArray *candidates = ls_move_array (move, CANDIDATES);
  LsArray *probs = ls_move_array (move, PROBS);
  g_autofree double *weights = g_new0 (double, probs->n);
  g_autoptr(LsExpr) value = NULL;
  gint64 choice;

  for (guint i = 0; i < probs->n; i++)
    weights[i] = number_of (probs->items[i]);
  if (!ls_as_int (move->decision, &choice))
    choice = ls_random_weighted (ls_schedule_random_state (move->schedule), weights, probs->n);
  ls_take (&move->decision, LS_NODE (ls_int (choice)));
  value = ls_int (((LsIntImm *) candidates->items[choice])->value);
  ls_move_result_expr (move, value);
  return TRUE;
}

const LsInstruction ls_instruction_sample_categorical = {
  .name = "sample_categorical",
  .params = categorical_params,
  .n_params = G_N_ELEMENTS (categorical_params),
  .result = LS_RESULT_EXPR,
  .flags = LS_INSTRUCTION_SAMPLES,
  .summary = LS_TEXT ("Chooses one of several numbers at random"),
  .condition = "There is one probability for each candidate.",
  .source = "TVM v0.20 tir.Schedule.sample_categorical",
  .check = check_categorical,
  .apply = apply_categorical,
};

/* ---- sample_perfect_tile --------------------------------------------------------- */

enum { LOOP, N, MAX_INNERMOST_FACTOR };

#define MAX_TILES 64

static const LsParam tile_params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop that will be split" },
  { "n", LS_PARAM_INT, 0, NULL, "into how many loops" },
  { "max_innermost_factor", LS_PARAM_INT, 0, "16", "the largest extent of the innermost one; -1: any" },
};

static gboolean
legal_decision (LsMove        *move,
                LsDiagnostics *diagnostics,
                gint64         n)
{
  LsArray *decision = (LsArray *) move->decision;
  gboolean fits;
  gint64 factor;

  if (decision == NULL)
    return TRUE;
  fits = ls_is (decision, ARRAY) && decision->n == n && n >= 2;
  for (guint i = 0; fits && i < decision->n; i++)
    fits = ls_as_int (decision->items[i], &factor) && (factor > 0 || i == 0);
  if (!fits)
    ls_move_refuse (move, diagnostics, "decision", NULL, ls_translate_plural ("The decision of %s is a list of %" PRId64 " factor.", "The decision of %s is a list of %" PRId64 " factors.", (gulong) n),
                    move->instruction->name, n);
  return fits;
}

static gboolean
legal_extent (LsMove        *move,
              LsDiagnostics *diagnostics,
              LsSref        *loop)
{
  gint64 extent;

  if (!ls_as_int (ls_sref_for (loop)->extent, &extent) || (extent >= 1 && extent <= G_MAXINT32))
    return TRUE;
  ls_move_refuse (move, diagnostics, "extent", loop->stmt, "Loop %s does not run at all, or more than 2^31 times.", ls_sref_name (loop));
  return FALSE;
}

static gboolean
check_tile (LsMove        *move,
            LsDiagnostics *diagnostics)
{
  gint64 n = ls_move_int (move, N);
  gint64 max = ls_move_int (move, MAX_INNERMOST_FACTOR);
  LsSref *loop = ls_move_sref (move, LOOP);

  if (n < 1 || n > MAX_TILES || (max != -1 && n < 2))
    {
      ls_move_refuse (move, diagnostics, "n", loop->stmt, "A loop is split into 2 to %d loops.", MAX_TILES);
      return FALSE;
    }
  if (max < 1 && max != -1)
    {
      ls_move_refuse (move, diagnostics, "max-innermost-factor", loop->stmt, "max_innermost_factor is at least 1, or -1 for any.");
      return FALSE;
    }
  return legal_extent (move, diagnostics, loop) && legal_decision (move, diagnostics, n);
}

/* Factors from the inside out; one that does not divide what is left takes all of it. */
static void
mend_decision (LsArray *decision,
               gint64   extent,
               gint64  *tiles)
{
  for (guint i = decision->n - 1; i > 0; i--)
    {
      ls_as_int (decision->items[i], &tiles[i]);
      if (extent % tiles[i] != 0)
        tiles[i] = extent;
      extent /= tiles[i];
    }
  tiles[0] = extent;
}

/* The numbers as results and as the decision. */
static gboolean
give_tiles (LsMove       *move,
            const gint64 *tiles,
            guint         n)
{
  GPtrArray *decision = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(LsExpr) value = ls_int (tiles[i]);

      ls_move_result_expr (move, value);
      g_ptr_array_add (decision, g_steal_pointer (&value));
    }
  ls_take (&move->decision, LS_NODE (ls_array_take_ptr_array (decision)));
  return TRUE;
}

/* What is given for a loop of which nothing is known: all of it is the outer loop's. */
static void
no_tiles (gint64 *tiles,
          guint   n)
{
  for (guint i = 0; i < n; i++)
    tiles[i] = i == 0 ? -1 : 1;
}

static gboolean
apply_tile (LsMove        *move,
            LsDiagnostics *diagnostics)
{
  guint n = (guint) ls_move_int (move, N);
  LsFor *loop = ls_sref_for (ls_move_sref (move, LOOP));
  gint64 tiles[MAX_TILES];
  gint64 extent;

  no_tiles (tiles, n);
  if (ls_as_int (loop->extent, &extent))
    {
      if (move->decision != NULL)
        mend_decision ((LsArray *) move->decision, extent, tiles);
      else
        ls_random_perfect_tile (ls_schedule_random_state (move->schedule), extent, (gint) n, ls_move_int (move, MAX_INNERMOST_FACTOR), tiles);
    }
  return give_tiles (move, tiles, n);
}

const LsInstruction ls_instruction_sample_perfect_tile = {
  .name = "sample_perfect_tile",
  .params = tile_params,
  .n_params = G_N_ELEMENTS (tile_params),
  .result = LS_RESULT_EXPRS,
  .flags = LS_INSTRUCTION_SAMPLES,
  .summary = LS_TEXT ("Draws factors at random whose product is the extent of a loop"),
  .condition = "The loop runs at least once. A decision has one factor for each loop.",
  .source = "TVM v0.20 tir.Schedule.sample_perfect_tile",
  .check = check_tile,
  .apply = apply_tile,
};

/* ---- sample_partitioned_tile ------------------------------------------------------ */

enum { PARTITION_POS = 2, INNERPART_FACTOR };

static const LsParam partitioned_params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop that will be split" },
  { "n", LS_PARAM_INT, 0, NULL, "into how many loops" },
  { "partition_pos", LS_PARAM_INT, 0, "0", "how many of them, from outside, are the first part" },
  { "innerpart_factor", LS_PARAM_INT, 0, "1", "a number that divides the product of the second part" },
};

static gboolean
check_partitioned (LsMove        *move,
                   LsDiagnostics *diagnostics)
{
  gint64 n = ls_move_int (move, N);
  gint64 at = ls_move_int (move, PARTITION_POS);
  gint64 factor = ls_move_int (move, INNERPART_FACTOR);
  LsSref *loop = ls_move_sref (move, LOOP);

  if (n < 1 || n > MAX_TILES || (n < 2 && (at != 0 || factor != 1)))
    {
      ls_move_refuse (move, diagnostics, "n", loop->stmt, "A loop is split into 2 to %d loops.", MAX_TILES);
      return FALSE;
    }
  if (at < 0 || at >= n || factor < 1)
    {
      ls_move_refuse (move, diagnostics, "partition", loop->stmt,
                      "The second part begins at one of the %" PRId64 " loops, and innerpart_factor is at least 1.", n);
      return FALSE;
    }
  return legal_extent (move, diagnostics, loop) && legal_decision (move, diagnostics, n);
}

static void
mend_partition (LsArray *decision,
                gint64   extent,
                guint    at,
                gint64   factor,
                gint64  *tiles)
{
  gint64 inner = 1;
  gint64 tile;

  for (guint i = at; i < decision->n; i++)
    if (ls_as_int (decision->items[i], &tile))
      inner = inner * (tile % factor) % factor;
  if (factor == 1 || inner == 0)
    {
      mend_decision (decision, extent, tiles);
      return;
    }
  for (guint i = 0; i < decision->n; i++)
    tiles[i] = 1;
  tiles[0] = extent / factor;
  tiles[at] = factor;
}

static gboolean
apply_partitioned (LsMove        *move,
                   LsDiagnostics *diagnostics)
{
  guint n = (guint) ls_move_int (move, N);
  guint at = (guint) ls_move_int (move, PARTITION_POS);
  gint64 factor = ls_move_int (move, INNERPART_FACTOR);
  LsFor *loop = ls_sref_for (ls_move_sref (move, LOOP));
  gint64 tiles[MAX_TILES];
  gint64 extent;

  no_tiles (tiles, n);
  if (ls_as_int (loop->extent, &extent) && extent % factor == 0)
    {
      if (move->decision != NULL)
        mend_partition ((LsArray *) move->decision, extent, at, factor, tiles);
      else
        ls_random_partitioned_tile (ls_schedule_random_state (move->schedule), extent, (gint) n, (gint) at, factor, tiles);
    }
  return give_tiles (move, tiles, n);
}

const LsInstruction ls_instruction_sample_partitioned_tile = {
  .name = "sample_partitioned_tile",
  .params = partitioned_params,
  .n_params = G_N_ELEMENTS (partitioned_params),
  .result = LS_RESULT_EXPRS,
  .flags = LS_INSTRUCTION_SAMPLES,
  .summary = LS_TEXT ("Draws factors of a loop of which the inner ones make a multiple of a number"),
  .condition = "The loop runs at least once, and the second part begins at one of the loops. A decision has one factor for each loop.",
  .source = "TVM v0.20 tir.Schedule.sample_partitioned_tile",
  .check = check_partitioned,
  .apply = apply_partitioned,
};
