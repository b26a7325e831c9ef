/* enter_postproc: marks where a trace ends that a search may change; the steps behind it are put on anew each time.
 *
 * It does nothing to the program.  Source: TVM's EnterPostproc.
 */
#include "engine/schedule/primitive/primitive.h"

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  return TRUE;
}

const LsInstruction ls_instruction_enter_postproc = {
  .name = "enter_postproc",
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_POSTPROC,
  .summary = LS_TEXT ("Marks that what follows finishes the program and is not searched"),
  .condition = "Always possible.",
  .source = "TVM v0.20 tir.Schedule.enter_postproc",
  .apply = apply,
};
