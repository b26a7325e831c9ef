/* instruction: finding a row of the table of primitives.
 */
#include "engine/schedule/step/instruction.h"

#include <string.h>

static const LsInstruction *const *rows;
static guint n_rows;

void
ls_instructions_register (const LsInstruction *const *instructions,
                          guint                       n)
{
  rows = instructions;
  n_rows = n;
}

const LsInstruction *const *
ls_instruction_list (guint *n)
{
  *n = n_rows;
  return rows;
}

const LsInstruction *
ls_instruction_get (const char *name)
{
  for (guint i = 0; i < n_rows; i++)
    if (strcmp (rows[i]->name, name) == 0)
      return rows[i];
  return NULL;
}

const char *
ls_result_prefix (LsResultType type)
{
  switch (type)
    {
    case LS_RESULT_BLOCK:
    case LS_RESULT_BLOCKS: return "b";
    case LS_RESULT_LOOP:
    case LS_RESULT_LOOPS:  return "l";
    case LS_RESULT_EXPR:
    case LS_RESULT_EXPRS:
    case LS_RESULT_NONE:   return "v";
    }
  return "v";
}
