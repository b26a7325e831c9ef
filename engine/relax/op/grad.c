/* op/grad: what automatic differentiation leaves in programs. */
#include "engine/relax/op/op.h"

static LsStructInfo *
like_second (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 1);

  return x != NULL ? LS_NODE (ls_ref (x)) : NULL;
}

/* A checkpoint has a name: it is about a variable. */
static LsStructInfo *
checkpoint (LsInfer *self)
{
  LsNode *input = self->n > 0 ? self->call->args->items[0] : NULL;

  if (ls_is (input, RELAX_TUPLE) || ls_is (input, CONSTANT))
    return ls_infer_fail (self, "takes a variable; this is %s.", ls_is (input, CONSTANT) ? "a constant" : "a tuple");
  return ls_infer_same_as_first (self);
}

#define POOL "output_grad data | pool_size:pair=1 strides:pair=1 padding:pad4=0 dilation:pair=1 ceil_mode:bool=False count_include_pad:bool=False " \
  "layout:str=NCHW out_layout:str=@layout"

const LsRelaxOpRow ls_relax_ops_grad[] = {
  { "grad.avg_pool2d_backward", POOL, like_second },
  { "grad.end_checkpoint", "input", checkpoint },
  { "grad.max_pool2d_backward", POOL, like_second },
  { "grad.nll_loss_backward", "output_grad predictions targets weights? | reduction:str=mean ignore_index:int=-100", like_second },
  { "grad.no_grad", "input", ls_infer_same_as_first },
  { "grad.start_checkpoint", "input", checkpoint },
  { "grad.take_backward", "output_grad x indices | axis:int=None", like_second },
  { NULL }
};
