/* storage-scope: which threads share the memory of a storage scope.
 *
 * Scopes and thread axes have ranks (blockIdx 0, threadIdx and vthread 1; global 0, shared 1, warp 2, local 3, ...), as TVM
 * gives them: memory of rank r is shared by the threads of rank r and more.  A warp shares over threadIdx.x alone.
 */
#include "engine/tir/storage-scope.h"

#include <string.h>

/* The level of sharing of a storage scope, as TVM ranks them; a buffer of rank r lives in every thread of rank < r. */
static gint
storage_rank (const char *scope)
{
  static const struct { const char *prefix; gint rank; } ranks[] = {
    { "global", 0 }, { "shared", 1 }, { "warp", 2 }, { "local", 3 }, { "wmma.matrix_a", 4 }, { "wmma.matrix_b", 5 },
    { "wmma.accumulator", 6 }, { "texture", 7 }, { "amx.tmm", 8 }, { "m16n8k8.matrixA", 9 }, { "m16n8k8.matrixB", 10 },
    { "m16n8k8.matrixC", 11 }, { "metal.simdgroup", 12 },
  };

  if (scope == NULL || *scope == '\0')
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    if (g_str_has_prefix (scope, ranks[i].prefix))
      return ranks[i].rank;
  return 0;
}

gboolean
ls_storage_spans_thread (const char *scope,
                         const char *thread)
{
  gint rank = storage_rank (scope);

  if (rank == 2)
    return strcmp (thread, "threadIdx.x") == 0;
  return rank <= (g_str_has_prefix (thread, "blockIdx.") ? 0 : 1);
}
