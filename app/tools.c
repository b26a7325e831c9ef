/* tools: the table; its order is that of the menu. */
#include "app/tools.h"

#include "app/access/window.h"
#include "app/beside/window.h"
#include "app/code/window.h"
#include "app/passes/own.h"
#include "app/practice/window.h"
#include "app/ranking/window.h"
#include "app/reading/window.h"
#include "app/rule/arithmetic.h"
#include "app/rule/window.h"
#include "app/run/graph.h"
#include "app/run/pair.h"
#include "app/run/vm.h"
#include "app/run/window.h"
#include "app/threads/window.h"

/* NULL: another section of the menu, which is as long as one reads at a glance. */
static const LsTool *const tools[] = {
  &ls_ranking_tool, &ls_rule_tool, &ls_access_tool, &ls_threads_tool, &ls_code_tool, &ls_reading_tool, NULL,
  &ls_run_tool, &ls_run_pair_tool, &ls_run_graph_tool, &ls_run_vm_tool, NULL,
  &ls_beside_tool, &ls_lowering_tool, &ls_own_passes_tool, NULL,
  &ls_arithmetic_tool, &ls_practice_tool,
};

void
ls_tools_register (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    if (tools[i] != NULL)
      ls_tool_register (tools[i]);
    else
      ls_tool_end_section ();
}
