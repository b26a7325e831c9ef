/* sort: the packed functions tvm.contrib.sort.sort, argsort and topk, which topi's functions of these names call.
 *
 * Arguments: the tensor, one or two tensors for what is found, then axis and is_ascend; topk has k, axis, ret_type
 * ("values", "indices", "both") and is_ascend.  Tensors are compact.
 */
#include "engine/runtime/lines.h"
#include "engine/runtime/runtime-private.h"

#include <inttypes.h>
#include <string.h>

/* The tensors that begin the arguments, with the lines of the first; -1 with an error. */
static int
take_lines (const LsArg *args,
            int          n_args,
            int          n_tensors,
            int          axis_at,
            LsLines     *lines)
{
  for (int i = 0; i < n_tensors; i++)
    if (i >= n_args || args[i].kind != LS_ARG_TENSOR || !ls_tensor_is_compact (args[i].v_tensor))
      return ls_runtime_fail ("argument %d is no compact tensor", i);
  for (int i = axis_at; i < n_args; i++)
    if (args[i].kind != LS_ARG_INT && args[i].kind != LS_ARG_STRING)
      return ls_runtime_fail ("argument %d is no number", i);
  if (n_args <= axis_at || args[axis_at].kind != LS_ARG_INT || !ls_lines_init (lines, args[0].v_tensor, args[axis_at].v_int))
    return ls_runtime_fail ("the axis is none of the tensor's");
  return 0;
}

/* The extents of `out` are those of the input, but `keep` along the axis. */
static int
check_extents (const LsLines    *lines,
               const LsDLTensor *out,
               gint64            keep)
{
  if (keep <= lines->length && ls_tensor_n_scalars (out) == lines->outer * keep * lines->inner)
    return 0;
  return ls_runtime_fail ("a tensor for the result has %" PRId64 " elements; %" PRId64 " are expected", ls_tensor_n_scalars (out),
                          lines->outer * keep * lines->inner);
}

static gboolean
ascends (const LsArg *args,
         int          n_args,
         int          at)
{
  return at >= n_args || args[at].kind != LS_ARG_INT || args[at].v_int != 0;
}

static int
sort_with (const LsArg *args,
           int          n_args,
           gboolean     indices)
{
  LsLines lines;

  if (take_lines (args, n_args, 2, 2, &lines) != 0 || check_extents (&lines, args[1].v_tensor, lines.length) != 0)
    return -1;
  ls_lines_sort (&lines, !ascends (args, n_args, 3), lines.length, indices ? NULL : args[1].v_tensor, indices ? args[1].v_tensor : NULL);
  return 0;
}

static int
sort (const LsArg *args,
      int          n_args,
      LsArg       *result,
      void        *closure)
{
  return sort_with (args, n_args, FALSE);
}

static int
argsort (const LsArg *args,
         int          n_args,
         LsArg       *result,
         void        *closure)
{
  return sort_with (args, n_args, TRUE);
}

static int
topk (const LsArg *args,
      int          n_args,
      LsArg       *result,
      void        *closure)
{
  int outs = n_args > 2 && args[2].kind == LS_ARG_TENSOR ? 2 : 1;
  const char *wanted = n_args > outs + 3 && args[outs + 3].kind == LS_ARG_STRING ? args[outs + 3].v_string : "";
  LsDLTensor *values, *indices;
  gint64 keep;
  LsLines lines;

  if (take_lines (args, n_args, outs + 1, outs + 2, &lines) != 0)
    return -1;
  if (args[outs + 1].kind != LS_ARG_INT || (outs == 2) != (strcmp (wanted, "both") == 0))
    return ls_runtime_fail ("k is no number, or the results are not those that \"%s\" names", wanted);
  keep = args[outs + 1].v_int < 1 ? lines.length : args[outs + 1].v_int;
  if (keep > lines.length)
    return ls_runtime_fail ("the first %" PRId64 " are asked for, and there are %" PRId64, keep, lines.length);
  values = strcmp (wanted, "indices") == 0 ? NULL : args[1].v_tensor;
  indices = strcmp (wanted, "values") == 0 ? NULL : args[outs].v_tensor;
  if ((values != NULL && check_extents (&lines, values, keep) != 0) || (indices != NULL && check_extents (&lines, indices, keep) != 0))
    return -1;
  ls_lines_sort (&lines, !ascends (args, n_args, outs + 4), keep, values, indices);
  return 0;
}

const LsEnvRow ls_sort_rows[] = {
  { "tvm.contrib.sort.sort", sort },
  { "tvm.contrib.sort.argsort", argsort },
  { "tvm.contrib.sort.topk", topk },
  { NULL, NULL },
};
