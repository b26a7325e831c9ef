/* op: what the operators of Relax take (the language of the table is told in relax.h).
 *
 * Names, order and defaults are those of TVM v0.20.0, because they are printed.
 */
#include "engine/relax/relax.h"

#include <stdlib.h>
#include <string.h>

#define CONV(rep, pad, layout, kernel) \
  "x w | strides:" rep "=1 padding:" pad "=0 dilation:" rep "=1 groups:int=1 data_layout:str=" layout " kernel_layout:str=" kernel \
  " out_layout:str=@data_layout out_dtype:dtype=void"
#define CONV_T(rep, pad, layout, kernel) \
  "x w | strides:" rep "=1 padding:" pad "=0 output_padding:" rep "=0 dilation:" rep "=1 groups:int=1 data_layout:str=" layout \
  " kernel_layout:str=" kernel " out_layout:str=@data_layout out_dtype:dtype=void"
#define POOL(rep, pad, layout) \
  "x | pool_size:" rep "=1 strides:" rep "=1 dilation:" rep "=1 padding:" pad "=0 ceil_mode:bool=False count_include_pad:bool=False layout:str=" \
  layout " out_layout:str=@layout"
#define UNARY(name) { name, "x" }
#define BINARY(name) { name, "x1 x2" }
#define REDUCE(name) { name, "x | axis:ints=None keepdims:bool=False" }


static const struct { const char *name; const char *spec; } ROWS[] = {
  UNARY ("abs"), UNARY ("acos"), UNARY ("acosh"), BINARY ("add"),
  { "arange", "start:prim end:prim step:prim | dtype:dtype=void" },
  { "argmax", "x | axis:int=None keepdims:bool=False" }, { "argmin", "x | axis:int=None keepdims:bool=False" },
  { "argsort", "data | axis:int=-1 descending:bool=False dtype:dtype=int32" },
  UNARY ("asin"), UNARY ("asinh"), { "astype", "x | dtype:dtype" }, UNARY ("atan"), UNARY ("atanh"),
  BINARY ("bitwise_and"), UNARY ("bitwise_not"), BINARY ("bitwise_or"), BINARY ("bitwise_xor"),
  { "broadcast_to", "x shape:shape" },
  { "builtin.alloc_tensor", "shape:shape dtype:type index:prim scope:text" },
  UNARY ("ceil"), { "clip", "x min:prim max:prim" }, { "collapse_sum_like", "data target" }, { "collapse_sum_to", "data shape:shape" },
  { "concat", "tensors:tensors | axis:int=0" }, UNARY ("cos"), UNARY ("cosh"),
  { "cumprod", "data | axis:int=None dtype:dtype=void exclusive:bool=False" },
  { "cumsum", "data | axis:int=None dtype:dtype=void exclusive:bool=False" },
  { "dequantize", "data scale zero_point | out_dtype:dtype=float32 axis:int=-1" }, BINARY ("divide"),
  { "dynamic_strided_slice", "x begin end strides" }, { "einsum", "operands:tensors | subscripts:str" },
  BINARY ("equal"), UNARY ("erf"), { "ewise_fma", "x1 x2 x3" }, UNARY ("exp"), { "expand_dims", "x | axis:ints" },
  { "eye", "n:prim m:prim k:prim | dtype:dtype=float32" }, { "flatten", "x" }, { "flip", "data | axis:int" }, UNARY ("floor"),
  BINARY ("floor_divide"), BINARY ("floor_mod"), { "full", "shape:shape fill_value | dtype:dtype=void" },
  { "full_like", "x fill_value | dtype:dtype=void" }, { "gather_elements", "data indices | axis:int=0" },
  { "gather_nd", "data indices | batch_dims:int=0" }, BINARY ("greater"), BINARY ("greater_equal"),
  { "image.resize2d", "data size:shape | roi:any=None layout:str=NCHW method:str=linear coordinate_transformation_mode:str=half_pixel "
    "rounding_method:str=round cubic_alpha:float=-0.75 cubic_exclude:int=0 extrapolation_value:float=0.0 out_dtype:dtype=void" },
  UNARY ("isfinite"), UNARY ("isinf"), UNARY ("isnan"),
  { "layout_transform", "x | index_map:any pad_value:any=None axis_separators:any=[] input_axis_separators:any=[]" },
  BINARY ("left_shift"), BINARY ("less"), BINARY ("less_equal"), UNARY ("log"), BINARY ("logical_and"), UNARY ("logical_not"),
  BINARY ("logical_or"), BINARY ("logical_xor"), { "matmul", "x1 x2 | out_dtype:dtype=void" }, REDUCE ("max"), BINARY ("maximum"),
  REDUCE ("mean"), { "memory.alloc_storage", "size:shape index:prim scope:text dtype:type" },
  { "memory.alloc_tensor", "storage offset:prim shape:shape dtype:type" }, { "memory.kill_storage", "storage" },
  { "memory.kill_tensor", "tensor" }, REDUCE ("min"), BINARY ("minimum"), BINARY ("mod"), BINARY ("multiply"), UNARY ("negative"),
  { "nn.adaptive_avg_pool2d", "data | output_size:pair=None layout:str=NCHW out_layout:str=@layout" },
  { "nn.attention", "query key value bias? | scale:any=None causal_mask:any=None window_size:any=None" },
  { "nn.avg_pool1d", POOL ("single", "pad2", "NCW") }, { "nn.avg_pool2d", POOL ("pair", "pad4", "NCHW") },
  { "nn.avg_pool3d", POOL ("triple", "pad6", "NCDHW") },
  { "nn.batch_norm", "data gamma beta moving_mean moving_var | axis:int epsilon:float=1e-05 center:bool=True scale:bool=True "
    "momentum:float=0.1 training:bool=True" },
  { "nn.conv1d", CONV ("single", "pad2", "NCW", "OIW") }, { "nn.conv1d_transpose", CONV_T ("single", "pad2", "NCW", "IOW") },
  { "nn.conv2d", CONV ("pair", "pad4", "NCHW", "OIHW") }, { "nn.conv2d_transpose", CONV_T ("pair", "pad4", "NCHW", "IOHW") },
  { "nn.conv3d", CONV ("triple", "pad6", "NCDHW", "OIDHW") }, { "nn.cross_entropy_with_logits", "predictions labels" },
  { "nn.dropout", "data | rate:float=0.5" }, UNARY ("nn.gelu"), UNARY ("nn.gelu_tanh"),
  { "nn.group_norm", "data gamma beta | num_groups:int channel_axis:int axes:ints epsilon:float=1e-05 center:bool=True scale:bool=True" },
  { "nn.layer_norm", "data gamma beta | axes:ints epsilon:float=1e-05 center:bool=True scale:bool=True" },
  { "nn.leakyrelu", "data | alpha:float=0.01" }, { "nn.log_softmax", "data | axis:int=-1" },
  { "nn.max_pool1d", POOL ("single", "pad2", "NCW") }, { "nn.max_pool2d", POOL ("pair", "pad4", "NCHW") },
  { "nn.max_pool3d", POOL ("triple", "pad6", "NCDHW") },
  { "nn.nll_loss", "predictions targets weights? | reduction:str=mean ignore_index:int=-100" },
  { "nn.pad", "data | pad_width:ints pad_value:float=0.0 pad_mode:str=constant" }, { "nn.relu", "data" },
  { "nn.rms_norm", "data weight | axes:ints=-1 epsilon:float=1e-05" }, { "nn.silu", "data" }, { "nn.softmax", "data | axis:int=-1" },
  { "nn.softplus", "data | beta:float=1.0 threshold:float=20.0" }, BINARY ("not_equal"), { "null_value", "" },
  { "ones", "shape:shape | dtype:dtype" }, { "ones_like", "x | dtype:dtype=void" }, { "permute_dims", "x | axes:ints=None" },
  BINARY ("power"), REDUCE ("prod"), { "quantize", "data scale zero_point | out_dtype:dtype=int8 axis:int=-1" },
  { "repeat", "data | repeats:int axis:int=None" }, { "reshape", "x shape:shape" }, BINARY ("right_shift"), UNARY ("round"), UNARY ("rsqrt"),
  { "scatter_elements", "data indices updates | axis:int=0 reduction:str=update" },
  { "scatter_nd", "data indices updates | reduction:str=update" }, { "shape_of", "expr" }, { "shape_to_tensor", "expr" },
  UNARY ("sigmoid"), UNARY ("sign"), UNARY ("sin"), UNARY ("sinh"), { "sort", "data | axis:int=-1 descending:bool=False" },
  { "split", "x | indices_or_sections:any axis:int=0" }, UNARY ("sqrt"), UNARY ("square"), { "squeeze", "x | axis:ints=None" },
  REDUCE ("std"), { "strided_slice", "x axes:prims begin:prims end:prims strides:prims? | assume_inbound:bool=False" },
  BINARY ("subtract"), REDUCE ("sum"), { "take", "x indices | axis:int=None" }, UNARY ("tan"), UNARY ("tanh"), { "tensor_to_shape", "expr" },
  { "tile", "data | repeats:ints" },
  { "topk", "data | k:int=1 axis:int=-1 ret_type:str=both largest:bool=True dtype:dtype=int32" },
  { "tril", "x k:prim" }, { "triu", "x k:prim" }, REDUCE ("variance"),
  { "vm.alloc_storage", "size:shape index:prim dtype:type scope:text" }, { "vm.alloc_tensor", "storage offset:prim shape:shape dtype:type" },
  { "vm.call_tir_dyn", "func args" }, { "vm.kill_object", "obj" }, { "where", "condition x1 x2" },
  { "zeros", "shape:shape | dtype:dtype" }, { "zeros_like", "x | dtype:dtype=void" },
};

const char *
ls_relax_op_spec (const char *name)
{
  if (!g_str_has_prefix (name, "relax."))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    if (strcmp (ROWS[i].name, name + strlen ("relax.")) == 0)
      return ROWS[i].spec;
  return NULL;
}

const char *const *
ls_relax_op_names (guint *n)
{
  static const char *names[G_N_ELEMENTS (ROWS)];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
        names[i] = ROWS[i].name;
      g_once_init_leave (&ready, 1);
    }
  *n = G_N_ELEMENTS (ROWS);
  return names;
}
