/* table: the families of operators.
 *
 * It stands above them and hands them over when the program starts.  Nobody calls it: the build asks the linker for
 * `ls_relax_op_families`.
 */
#include "engine/relax/op/op.h"

extern const LsRelaxOpRow *const ls_relax_op_families[];

const LsRelaxOpRow *const ls_relax_op_families[] = {
  ls_relax_ops_unary, ls_relax_ops_binary, ls_relax_ops_linear_algebra, ls_relax_ops_reshape, ls_relax_ops_manipulate, ls_relax_ops_scatter,
  ls_relax_ops_index, ls_relax_ops_statistical, ls_relax_ops_sort, ls_relax_ops_create, ls_relax_ops_convolution, ls_relax_ops_pooling,
  ls_relax_ops_norm, ls_relax_ops_nn, ls_relax_ops_quantize, ls_relax_ops_memory, ls_relax_ops_call, ls_relax_ops_ccl, ls_relax_ops_grad,
  ls_relax_ops_distributed,
};

__attribute__ ((constructor))
static void
hand_over (void)
{
  ls_relax_ops_register (ls_relax_op_families, G_N_ELEMENTS (ls_relax_op_families));
}
