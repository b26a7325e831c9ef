/* times-gcc: by which name GCC's report of times has a pass.
 *
 * A dump is named by its pass and which run of it ("fre3"), a row of -ftime-report by what it measures ("tree FRE").  The pairs are those of
 * GCC 12 (timevar.def, and the pass_data of each pass); passes that share a row with others ("unaccounted optimizations") have none. */
#include "engine/passlog/private.h"

#include <string.h>

typedef struct {
  const char *pass, *measure;
} Pair;

static const Pair PAIRS[] = {
  { "backprop", "tree backward propagate" },
  { "bbro", "reorder blocks" },
  { "ccp", "tree CCP" },
  { "cdce", "tree buildin call DCE" },
  { "cddce", "tree aggressive DCE" },
  { "ch", "tree copy headers" },
  { "combine", "combiner" },
  { "copyprop", "tree copy propagation" },
  { "cprop", "CPROP" },
  { "cprop_hardreg", "hard reg cprop" },
  { "cse1", "CSE" },
  { "cse2", "CSE 2" },
  { "csa", "combine stack adjustments" },
  { "cunroll", "complete unrolling" },
  { "cunrolli", "complete unrolling" },
  { "dce", "tree conservative DCE" },
  { "dom", "dominator optimization" },
  { "dse", "tree DSE" },
  { "esra", "tree SRA" },
  { "ethread", "backwards jump threading" },
  { "expand", "expand" },
  { "final", "final" },
  { "forwprop", "tree forward propagate" },
  { "fre", "tree FRE" },
  { "fwprop", "forward prop" },
  { "gcse2", "load CSE after reload" },
  { "gimple", "tree gimplify" },
  { "hoist", "code hoisting" },
  { "ifcombine", "tree if-combine" },
  { "ifcvt", "tree loop if-conversion" },
  { "ira", "integrated RA" },
  { "isolate-paths", "isolate eroneous paths" },
  { "iftoswitch", "if to switch conversion" },
  { "ivcanon", "tree canonical iv" },
  { "ivopts", "tree iv optimization" },
  { "laddress", "address lowering" },
  { "ldist", "tree loop distribution" },
  { "lim", "tree loop invariant motion" },
  { "linterchange", "tree loop interchange" },
  { "loop2_invariant", "loop invariant motion" },
  { "loop2_unroll", "loop unrolling" },
  { "lsplit", "loop splitting" },
  { "mach", "machine dep reorg" },
  { "mergephi", "PHI merge" },
  { "mode_sw", "mode switching" },
  { "nrv", "tree NRV optimization" },
  { "pcom", "predictive commoning" },
  { "peephole2", "peephole 2" },
  { "phiopt", "tree linearize phis" },
  { "phiprop", "tree phiprop" },
  { "postreload", "reload CSE regs" },
  { "pre", "tree PRE" },
  { "pro_and_epilogue", "thread pro- & epilogue" },
  { "reassoc", "tree reassociation" },
  { "ree", "ree" },
  { "reload", "LRA non-specific" },
  { "rnreg", "rename registers" },
  { "sccp", "scev constant prop" },
  { "sched1", "scheduling" },
  { "sched2", "scheduling 2" },
  { "shorten", "shorten branches" },
  { "sink", "tree code sinking" },
  { "slp", "tree slp vectorization" },
  { "slsr", "straight-line strength reduction" },
  { "split-paths", "split paths" },
  { "sra", "tree SRA" },
  { "ssa", "tree SSA other" },
  { "stack", "reg stack" },
  { "store-merging", "store merging" },
  { "strlen", "tree strlen optimization" },
  { "subreg", "lower subreg" },
  { "switchconv", "tree switch conversion" },
  { "switchlower", "tree switch lowering" },
  { "thread", "backwards jump threading" },
  { "threadfull", "backwards jump threading" },
  { "uncprop", "tree SSA uncprop" },
  { "unswitch", "tree loop unswitching" },
  { "vartrack", "variable tracking" },
  { "vect", "tree vectorization" },
  { "vrp", "tree VRP" },
};

const char *
ls_pass_gcc_measure (const char *pass)
{
  gsize n = strlen (pass), name = n;

  while (name > 1 && g_ascii_isdigit (pass[name - 1]))
    name--;
  for (guint i = 0; i < G_N_ELEMENTS (PAIRS); i++)
    if (strcmp (PAIRS[i].pass, pass) == 0)
      return PAIRS[i].measure;
  for (guint i = 0; i < G_N_ELEMENTS (PAIRS); i++)
    if (strlen (PAIRS[i].pass) == name && strncmp (PAIRS[i].pass, pass, name) == 0)
      return PAIRS[i].measure;
  return NULL;
}
