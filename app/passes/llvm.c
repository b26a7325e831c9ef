/* passes/llvm: a table. */
#include "app/passes/llvm.h"

#include <glib/gi18n.h>
#include <string.h>

/* By the beginning of the name: options in <> stand behind it. */
static const struct { const char *name, *summary; } PASSES[] = {
  { "sroa", N_("Keeps in registers what stands in memory of the stack.") },
  { "early-cse", N_("Computes once what is computed several times.") },
  { "simplifycfg", N_("Joins and removes blocks of instructions; makes choices of short branches.") },
  { "instcombine", N_("Puts fewer or simpler instructions for groups of them.") },
  { "loop-simplify", N_("Gives each loop one way in, one way back and exits of its own.") },
  { "lcssa", N_("Lets values that leave a loop pass through a phi behind it.") },
  { "loop-mssa(licm)", N_("Moves out of loops what does not change in them.") },
  { "loop(indvars,", N_("Simplifies the counters of loops, makes memset and memcpy of loops that do just that, removes those without effect.") },
  { "loop-vectorize", N_("Computes several rounds of a loop at once, with vectors.") },
  { "loop-unroll", N_("Writes several rounds of a loop one after the other.") },
  { "default<", N_("LLVM's own pipeline for this level, as a whole.") },
};

const char *
ls_llvm_pass_summary (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    if (g_str_has_prefix (name, PASSES[i].name))
      return PASSES[i].summary;
  return "";
}
