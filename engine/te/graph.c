/* graph: which tensors a stage reads, and all stages in the order in which they must run.
 *
 * Depth first from the wanted tensors; a stage's inputs come in the order in which its body is walked after its
 * operands, so that the order of the function's stages is that in which values are read (TVM: ReadGraph, PostDFSOrder).
 */
#include "engine/te/te-private.h"

typedef struct {
  GPtrArray *tensors;           /* of LsTeTensor, referenced */
} Reader;

static void
add_tensor (GPtrArray  *tensors,
            LsTeTensor *tensor)
{
  for (guint i = 0; i < tensors->len; i++)
    if (ls_te_tensor_same (tensors->pdata[i], tensor))
      return;
  g_ptr_array_add (tensors, ls_ref (tensor));
}

static LsWalk
enter (LsNode  *node,
       gpointer user_data)
{
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode  *node,
       gpointer user_data)
{
  Reader *self = user_data;

  if (ls_kind (node) == LS_KIND_PRODUCER_LOAD && ls_is (((LsProducerLoad *) node)->producer, TE_TENSOR))
    add_tensor (self->tensors, (LsTeTensor *) ((LsProducerLoad *) node)->producer);
}

LsArray *
ls_te_operation_inputs (LsTeOperation *self)
{
  Reader reader = { g_ptr_array_new () };

  for (guint i = 0; i < self->inputs->n; i++)
    add_tensor (reader.tensors, ls_array_at (self->inputs, i, LsTeTensor));
  for (guint i = 0; i < self->body->n; i++)
    ls_walk (self->body->items[i], enter, leave, &reader);
  return ls_array_take_ptr_array (reader.tensors);
}

typedef struct {
  LsTeOperation *op;
  LsArray       *inputs;
  guint          next;
} Frame;

static void
push (GArray        *stack,
      GHashTable    *seen,
      LsTeOperation *op)
{
  Frame frame = { op, NULL, 0 };

  if (!g_hash_table_add (seen, op))
    return;
  frame.inputs = ls_te_operation_inputs (op);
  g_array_append_val (stack, frame);
}

/* Pushes everything below `op`, producers first; a stack of frames, so that deep graphs are safe. */
static void
visit (LsTeOperation *op,
       GHashTable    *seen,
       GPtrArray     *order)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));

  push (stack, seen, op);
  while (stack->len > 0)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);

      if (top->next < top->inputs->n)
        {
          push (stack, seen, ls_array_at (top->inputs, top->next++, LsTeTensor)->op);
          continue;
        }
      g_ptr_array_add (order, ls_ref (top->op));
      ls_unref (top->inputs);
      g_array_set_size (stack, stack->len - 1);
    }
}

LsArray *
ls_te_order (LsArray *tensors)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GPtrArray *order = g_ptr_array_new ();

  for (guint i = 0; i < tensors->n; i++)
    if (ls_is (tensors->items[i], TE_TENSOR))
      visit (ls_array_at (tensors, i, LsTeTensor)->op, seen, order);
  return ls_array_take_ptr_array (order);
}
