/* passes-nested: see the header. */
#include "app/cli/passes-nested.h"

#include "app/cli/passes-list.h"

#include <stdio.h>

/* "  function sum: 12 passes, 3 with an effect" */
static void
print_nest (const LsPassNest *nest)
{
  g_autofree char *words = ls_pass_nest_words (nest);

  printf ("%*s%s: %u %s, %u with an effect\n", (int) (7 + 2 * nest->depth), "", words, nest->end - nest->first, nest->end - nest->first == 1 ? "pass" : "passes", nest->effective);
}

int
ls_cli_passes_nested (LsPassLog    *log,
                      guint         depth,
                      LsPassCounts *counts)
{
  g_autoptr (LsPassNesting) nesting = ls_pass_nesting_new (log);
  guint next = 0, deepest = 0;

  for (guint i = 0; i < log->dumps->len; i++)
    {
      const LsPassNest *nest = nesting->of[i] >= 0 ? &g_array_index (nesting->nests, LsPassNest, nesting->of[i]) : NULL;
      guint shown = nest != NULL ? nest->depth + 1 : 0;

      for (; next < nesting->nests->len && g_array_index (nesting->nests, LsPassNest, next).first == i; next++)
        {
          deepest = MAX (deepest, g_array_index (nesting->nests, LsPassNest, next).depth + 1);
          if (g_array_index (nesting->nests, LsPassNest, next).depth <= depth)
            print_nest (&g_array_index (nesting->nests, LsPassNest, next));
        }
      if (shown > depth)
        continue;
      printf ("%*s", (int) (2 * shown), "");
      ls_cli_passes_print_dump (log, i, counts != NULL ? &counts[i] : NULL, 1);
    }
  printf ("%u dumps in %u nests, up to %u deep\n", log->dumps->len, nesting->nests->len, deepest);
  return LS_CLI_DONE;
}
