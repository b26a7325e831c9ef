/* annotate, unannotate: a key and a value on a loop or block, for passes and for people.
 *
 * annotate leaves a key that is there already as it is.  Source: TVM's tir annotate.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/fast-math.h"

#include <string.h>

enum { BLOCK_OR_LOOP, ANN_KEY, ANN_VAL };

static const LsParam params[] = {
  { "block_or_loop", LS_PARAM_BLOCK_OR_LOOP, 0, NULL, "the loop or block" },
  { "ann_key", LS_PARAM_STRING, 0, NULL, "the key" },
  { "ann_val", LS_PARAM_VALUE, LS_PARAM_INPUT, NULL, "the value: a number, a text, a list or a dictionary" },
};

static LsMap *
annotations_of (LsSref *sref)
{
  return sref->is_block ? ls_sref_block (sref)->annotations : ls_sref_for (sref)->annotations;
}

static void
set_annotations (LsMove *move,
                 LsSref *sref,
                 LsMap  *annotations)
{
  g_autoptr(LsNode) fresh = NULL;
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();

  if (sref->is_block)
    {
      fresh = LS_NODE (ls_block_with_annotations (ls_sref_block (sref), annotations));
      ls_block_reuse_add (reuse, ls_sref_block (sref), (LsBlock *) fresh);
    }
  else
    {
      fresh = LS_NODE (ls_for_with_annotations (ls_sref_for (sref), annotations));
    }
  ls_state_replace (move->state, sref, fresh, reuse);
}

/* Is there such a key, be its value None? */
static gboolean
has_key (LsSref     *sref,
         const char *key)
{
  LsMap *annotations = annotations_of (sref);

  for (guint i = 0; annotations != NULL && i < annotations->n; i++)
    if (strcmp (annotations->keys[i], key) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
apply_annotate (LsMove        *move,
                LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK_OR_LOOP);
  const char *key = ls_move_string (move, ANN_KEY);
  g_autoptr(LsMap) annotations = NULL;
  g_autoptr(LsNode) value = NULL;

  if (has_key (sref, key))
    return TRUE;
  value = ls_is_var (move->args[ANN_VAL]) ? LS_NODE (ls_move_expr (move, move->args[ANN_VAL])) : ls_node_ref (move->args[ANN_VAL]);
  annotations = ls_map_set (annotations_of (sref), key, value);
  set_annotations (move, sref, annotations);
  if (strcmp (key, LS_FAST_MATH_PRAGMA) == 0 && ls_fast_math_value_asks (value) && ls_fast_math_matters (sref->stmt))
    ls_move_warn (move, diagnostics, "fast-math", sref->stmt,
                  "%s %s gets code that computes floats as if they were real numbers: sums are rearranged, NaN and infinities are not looked after.",
                  ls_translate (sref->is_block ? "Block" : "Loop"), ls_sref_name (sref));
  return TRUE;
}

static gboolean
check_unannotate (LsMove        *move,
                  LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK_OR_LOOP);
  const char *key = ls_move_string (move, ANN_KEY);

  if (has_key (sref, key))
    return TRUE;
  ls_move_refuse (move, diagnostics, "no-such-key", sref->stmt, "%s %s has no annotation \"%s\".",
                  ls_translate (sref->is_block ? "Block" : "Loop"), ls_sref_name (sref), key);
  return FALSE;
}

static gboolean
apply_unannotate (LsMove        *move,
                  LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK_OR_LOOP);
  g_autoptr(LsMap) annotations = ls_map_remove (annotations_of (sref), ls_move_string (move, ANN_KEY));

  set_annotations (move, sref, annotations);
  return TRUE;
}

const LsInstruction ls_instruction_annotate = {
  .name = "annotate",
  .params = params,
  .n_params = 3,
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Puts a note on a loop or block"),
  .condition = "Always possible; a key that is there already keeps its value.",
  .source = "TVM v0.20 tir.Schedule.annotate",
  .apply = apply_annotate,
};

const LsInstruction ls_instruction_unannotate = {
  .name = "unannotate",
  .params = params,
  .n_params = 2,
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Takes a note off a loop or block"),
  .condition = "The loop or block carries an annotation of this key.",
  .source = "TVM v0.20 tir.Schedule.unannotate",
  .check = check_unannotate,
  .apply = apply_unannotate,
};
