/* verify: is what a schedule keeps of its program true?  TVM's debug_mask.
 *
 * The kept tree and flags are compared with those of a schedule that is made anew from the program.  A kept flag may say less than what
 * holds (new blocks begin with nothing known), never more.
 */
#include "engine/schedule/step/flags.h"
#include "engine/schedule/step/move.h"

static LsState *
state_of (LsSchedule *schedule)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
  guint n = 0;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    n = MAX (n, ls_version_at (version, i)->id + 1);
  return ls_state_new (version, n);
}

static void
report (LsDiagnostics *findings,
        LsState       *state,
        LsSref        *place,
        const char    *words)
{
  const char *name = ls_sref_name (place);

  ls_diagnostics_add (findings, LS_SEVERITY_ERROR, "schedule/verify", (LsSpan) { 0 }, "%s %s: %s", place->is_block ? "Block" : "Loop", name, words);
}

/* Every loop and block of the program has its place below the right one. */
static void
verify_tree (LsState       *kept,
             LsState       *fresh,
             LsDiagnostics *findings)
{
  for (guint i = 0; i < fresh->by_id->len; i++)
    {
      LsSref *place = fresh->by_id->pdata[i];
      LsSref *own = place != NULL ? ls_state_sref (kept, place->stmt) : NULL;

      if (place == NULL)
        continue;
      if (own == NULL || own->is_block != place->is_block)
        report (findings, fresh, place, "it has no place in the kept tree.");
      else if ((own->parent == NULL) != (place->parent == NULL) || (own->parent != NULL && own->parent->stmt != place->parent->stmt))
        report (findings, fresh, place, "its kept parent is another one.");
    }
}

static void
verify_flags (LsState       *kept,
              LsState       *fresh,
              LsDiagnostics *findings)
{
  for (guint i = 0; i < fresh->by_id->len; i++)
    {
      LsSref *place = fresh->by_id->pdata[i];
      LsSref *own = place != NULL && place->is_block ? ls_state_sref (kept, place->stmt) : NULL;

      if (own == NULL)
        continue;
      if (own->affine_binding && !place->affine_binding)
        report (findings, fresh, place, "its binding is not affine, as is kept.");
      if (own->region_cover && !place->region_cover)
        report (findings, fresh, place, "its producers do not cover what it reads, as is kept.");
      if (own->stage_pipeline && !place->stage_pipeline)
        report (findings, fresh, place, "its scope is no stage pipeline, as is kept.");
    }
}

gboolean
ls_schedule_verify (LsSchedule    *schedule,
                    gboolean       tree,
                    gboolean       flags,
                    LsDiagnostics *findings)
{
  g_autoptr(LsSchedule) anew = ls_schedule_new (ls_schedule_get_module (schedule));
  g_autoptr(LsState) kept = state_of (schedule);
  g_autoptr(LsState) fresh = state_of (anew);

  if (tree)
    verify_tree (kept, fresh, findings);
  if (flags)
    verify_flags (kept, fresh, findings);
  return !ls_diagnostics_has_error (findings);
}

gboolean
ls_schedule_get_flags (LsSchedule   *schedule,
                       LsNode       *block,
                       LsBlockFlags *flags)
{
  g_autoptr(LsState) state = state_of (schedule);
  LsSref *sref = ls_state_sref (state, block);

  if (sref == NULL || !sref->is_block)
    return FALSE;
  *flags = (LsBlockFlags) { sref->affine_binding, sref->region_cover, sref->stage_pipeline };
  return TRUE;
}
