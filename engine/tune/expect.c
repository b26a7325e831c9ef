/* expect: what a program is expected to take, before anything was measured; and how much of it is written out.
 *
 * That is what engine/advice's model says of its statements, without the traffic of its caches (which takes ten times as long to count), on a
 * processor with the cores, vectors and caches of this one and usual speeds.  It orders programs; it does not tell times: over 160
 * random programs of each of fifteen operators its rank correlation with what was measured lay between 0.1 and 0.7.
 */
#include "engine/tune/expect.h"

#include "engine/tune/features-private.h"

#include <math.h>

static gpointer
usual_machine (gpointer unused)
{
  LsAdviceMachine *machine = g_new0 (LsAdviceMachine, 1);

  ls_advice_machine_init_usual (machine, 0);
  return machine;
}

const LsAdviceMachine *
ls_tune_machine (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, usual_machine, NULL);
}

/* Threads of a GPU are no cores of this machine. */
static gboolean
binds_threads (const LsNest *nest)
{
  for (guint l = 0; l < nest->n_loops; l++)
    if (nest->loops[l]->kind == LS_FOR_THREAD_BINDING)
      return TRUE;
  return FALSE;
}

double
ls_tune_expected_of (GPtrArray *nests)
{
  for (guint n = 0; nests != NULL && n < nests->len; n++)
    if (binds_threads (nests->pdata[n]))
      return NAN;
  return nests != NULL ? ls_nests_seconds (nests, ls_tune_machine ()) : NAN;
}

double
ls_tune_expected_seconds (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        g_autofree char *reason = NULL;
        g_autoptr (GPtrArray) nests = ls_nests_of ((LsPrimFunc *) module->functions->items[i], &reason);

        return ls_tune_expected_of (nests);
      }
  return NAN;
}

/* Vector registers that a statement goes through, once for each copy that unrolled loops make of it. */
static double
copies_of (const LsNest *nest)
{
  const LsNestAccess *access = nest->accesses->len > 0 ? nest->accesses->pdata[0] : NULL;
  double bytes = access != NULL ? (double) access->bytes : 4.0, copies = 1.0;

  for (guint l = 0; l < nest->n_loops; l++)
    if (nest->loops[l]->kind == LS_FOR_UNROLLED)
      copies *= (double) nest->extents[l];
    else if (nest->loops[l]->kind == LS_FOR_VECTORIZED)
      copies *= ceil ((double) nest->extents[l] * bytes / (4.0 * ls_tune_machine ()->lanes));
  return copies;
}

double
ls_tune_written_out (LsModule *module)
{
  double most = 0.0;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        g_autoptr (GPtrArray) nests = ls_nests_guess ((LsPrimFunc *) module->functions->items[i]);

        for (guint n = 0; n < nests->len; n++)
          most = fmax (most, copies_of (nests->pdata[n]));
      }
  return most;
}
