/* wrap: loops that LLVM must not make vectors of.
 *
 * LLVM 19 sees A[i * 5 % 32] as memory with a stride of 5 elements under the condition that i * 5 does not leave five bits.  The check that it
 * makes of the condition is constantly "it holds" as long as i itself fits, and the vectorised loop reads A[35].  (The same in
 * opt-19 alone, -passes=loop-vectorize, for every remainder by a power of two of a multiple.)  Steps of one are checked rightly.
 *
 * The condition is only made for addresses.  What such a remainder is else, a value, a condition, costs five times the time where the loop stays
 * scalar (65,536 elements of float32: 39.8 us for 7.4) and was never wrong: tests/property/programs tries it (/programs/wraps).  So it counts in an
 * index, in what a variable stands for, whose uses are not followed, and in calls, which may give addresses. */
#include "engine/codegen/codegen-private.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

typedef struct {
  LsVar *var;
} Search;

static LsWalk
look_for_multiple (LsNode   *node,
                   gpointer  user_data)
{
  Search *self = user_data;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_MUL:
      return ls_uses (node, self->var) ? LS_WALK_STOP : LS_WALK_PRUNE;
    case LS_KIND_ADD:
      /* i + i */
      return ls_uses (((LsBinary *) node)->a, self->var) && ls_uses (((LsBinary *) node)->b, self->var) ? LS_WALK_STOP : LS_WALK_CONTINUE;
    case LS_KIND_SUB:
      return ls_uses (((LsBinary *) node)->b, self->var) ? LS_WALK_STOP : LS_WALK_CONTINUE;
    case LS_KIND_CALL:
      return ls_uses (node, self->var) ? LS_WALK_STOP : LS_WALK_PRUNE;
    case LS_KIND_DIV:
    case LS_KIND_FLOOR_DIV:
      return LS_WALK_PRUNE;
    default:
      return LS_WALK_CONTINUE;
    }
}

static gboolean
is_multiple (Search *self,
             LsExpr *expr)
{
  return ls_uses (expr, self->var) && !ls_walk (expr, look_for_multiple, NULL, self);
}

static gboolean
is_power_of_two (LsExpr *expr)
{
  gint64 n;

  return ls_as_int (expr, &n) && n > 1 && (n & (n - 1)) == 0;
}

/* Low bits of a multiple of the variable. */
static LsWalk
look_for_wrap (LsNode   *node,
               gpointer  user_data)
{
  LsBinary *binary = (LsBinary *) node;
  LsCast *cast = (LsCast *) node;
  LsExpr *inner = NULL;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_MOD:
      inner = ls_dtype_is_index (ls_dtype (node)) && is_power_of_two (binary->b) ? binary->a : NULL;
      break;
    case LS_KIND_CAST:
      inner = !ls_dtype_is_float (ls_dtype (node)) && ls_dtype_is_index (ls_dtype (cast->value)) && ls_dtype (node).bits < ls_dtype (cast->value).bits ? cast->value : NULL;
      break;
    case LS_KIND_CALL:
      if (ls_is_call (node, "tir.bitwise_and"))
        inner = LS_EXPR (node);
      break;
    default:
      break;
    }
  return inner != NULL && is_multiple (user_data, inner) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Does it wrap where an address is made of it? */
static LsWalk
look_for_address (LsNode   *node,
                  gpointer  user_data)
{
  LsNode *address = NULL;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_BUFFER_LOAD:
      address = LS_NODE (((LsBufferLoad *) node)->indices);
      break;
    case LS_KIND_BUFFER_STORE:
      address = LS_NODE (((LsBufferStore *) node)->indices);
      break;
    case LS_KIND_LET:
      address = LS_NODE (((LsLet *) node)->value);
      break;
    case LS_KIND_LET_STMT:
      address = LS_NODE (((LsLetStmt *) node)->value);
      break;
    case LS_KIND_CALL:
      address = node;
      break;
    case LS_KIND_DECL_BUFFER:
    case LS_KIND_BLOCK_REALIZE:
    case LS_KIND_ALLOCATE:
      /* offsets, strides, bindings: rarely here, and not told apart */
      return ls_walk (node, look_for_wrap, NULL, user_data) ? LS_WALK_CONTINUE : LS_WALK_STOP;
    default:
      break;
    }
  return address != NULL && !ls_walk (address, look_for_wrap, NULL, user_data) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_cg_wraps (LsFor *loop)
{
  Search search = { loop->loop_var };

  return !ls_walk (loop->body, look_for_address, NULL, &search);
}

void
ls_cg_keep_scalar (LsCg        *cg,
                   LLVMValueRef branch)
{
  LLVMContextRef context = LLVMGetModuleContext (LLVMGetGlobalParent (LLVMGetBasicBlockParent (LLVMGetInstructionParent (branch))));
  LLVMMetadataRef no[2] = { LLVMMDStringInContext2 (context, "llvm.loop.vectorize.enable", strlen ("llvm.loop.vectorize.enable")),
                            LLVMValueAsMetadata (LLVMConstInt (LLVMInt1TypeInContext (context), 0, FALSE)) };
  /* the first operand is the node itself */
  LLVMMetadataRef self = LLVMTemporaryMDNode (context, NULL, 0);
  LLVMMetadataRef parts[2] = { self, LLVMMDNodeInContext2 (context, no, 2) };
  LLVMMetadataRef node = LLVMMDNodeInContext2 (context, parts, 2);

  LLVMMetadataReplaceAllUsesWith (self, node);
  LLVMSetMetadata (branch, LLVMGetMDKindIDInContext (context, "llvm.loop", strlen ("llvm.loop")), LLVMMetadataAsValue (context, node));
}
