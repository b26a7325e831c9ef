/* ptx: instructions of NVIDIA's tensor cores and asynchronous copies as PTX, for CUDA C (asm) and for LLVM.
 *
 * Operands of a text are %0, %1, ...: the registers of the result first, then those of the factors and of the sum, then addresses and numbers. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Registers of a lane: 'r' of 32 bits, 'f' float32, 'd' float64. */
typedef struct {
  guint n;
  char  type;
} LsPtxRegisters;

typedef enum { LS_PTX_A, LS_PTX_B, LS_PTX_C } LsPtxRole;

/* A fragment (scope "wmma."), as the calls use it that fill, load or store it. */
typedef struct {
  LsPtxRole   role;
  guint       m, n, k;
  LsDType     dtype;
  gboolean    by_column;        /* A, B: its layout in memory */
} LsPtxFragment;

typedef struct {
  char          *text;          /* owned */
  LsPtxRegisters d, a, b;       /* the sum has those of d */
  guint          arch;          /* the first that has the instruction: 80 for sm_80 */
} LsPtxProduct;

void           ls_ptx_product_clear      (LsPtxProduct *self);

/* What a pointer points to, as its type annotation, access_ptr or address_of says; void: nobody knows. */
LsDType        ls_ptx_pointee            (LsExpr *pointer);
/* The product of a T.ptx_mma.  FALSE: NVIDIA has no such instruction. */
gboolean       ls_ptx_mma                (LsCall *call, LsPtxProduct *product);
/* All fragments of a kernel: LsVar -> LsPtxFragment. (transfer full) */
GHashTable    *ls_ptx_fragments          (LsStmt *body);
/* Elements of its matrix. */
guint          ls_ptx_fragment_size      (const LsPtxFragment *self);
/* n = 0: there is no such fragment. */
LsPtxRegisters ls_ptx_fragment_registers (const LsPtxFragment *self);
/* FALSE: the fragments do not go together, or there is no such instruction. */
gboolean       ls_ptx_wmma               (const LsPtxFragment *d, const LsPtxFragment *a, const LsPtxFragment *b, const LsPtxFragment *c, LsPtxProduct *product);
/* Operands: the registers, the address, the stride. (transfer full) */
char          *ls_ptx_wmma_load          (const LsPtxFragment *self, gboolean by_column);
char          *ls_ptx_wmma_store         (const LsPtxFragment *self, gboolean by_column);
/* Operands: a register for each matrix, a generic address. (transfer full) */
char          *ls_ptx_ldmatrix           (guint matrices, gboolean transposed);
/* Operands: generic addresses to and from; with_size: how many bytes are fetched, the others become zero. (transfer full) */
char          *ls_ptx_copy_async         (guint bytes, gboolean with_size);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPtxProduct, ls_ptx_product_clear)

G_END_DECLS
