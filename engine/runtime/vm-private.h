/* What the files of the virtual machine share. */
#pragma once

#include "engine/runtime/runtime-private.h"
#include "engine/runtime/vm.h"

G_BEGIN_DECLS

/* ---- vm-pool.c ---- */

/* Memory of dead tensors by size; atomically counted, because tensors may outlive the machine. */
typedef struct _LsVMPool LsVMPool;

LsVMPool  *ls_vm_pool_new   (void);
void       ls_vm_pool_unref (LsVMPool *self);
/* A compact tensor whose elements are whatever they are. (transfer full) */
LsNDArray *ls_vm_pool_alloc (LsVMPool     *self,
                             int           ndim,
                             const gint64 *shape,
                             LsDLDataType  dtype,
                             GError      **error);

/* ---- vm-arg.c, vm-builtin.c, vm-shape.c, vm-sort.c, vm-unique.c ---- */

typedef LsVMValue *(*LsVMBuiltinFunc) (LsVMPool   *pool,
                                       LsVMValue **args,
                                       guint       n,
                                       GError    **error);

typedef struct {
  const char      *name;
  int              n_args;      /* -1: any number */
  LsVMBuiltinFunc  func;
} LsVMBuiltin;

extern const LsVMBuiltin ls_vm_shape_builtins[];
extern const LsVMBuiltin ls_vm_inspect_builtins[];
extern const LsVMBuiltin ls_vm_sort_builtins[];
extern const LsVMBuiltin ls_vm_unique_builtins[];
extern const LsVMBuiltin ls_vm_concat_builtins[];
extern const LsVMBuiltin ls_kv_builtins[];          /* kv-builtin.c */
/* NULL when there is none of this name. */
const LsVMBuiltin *ls_vm_builtin_get (const char *name);

/* The i-th argument as what it must be.  Errors: ARGUMENT naming its place. */
gboolean   ls_vm_arg_wrong  (guint i, LsVMValue *value, const char *expected, GError **error);   /* FALSE, with the error */
LsNDArray *ls_vm_arg_tensor (LsVMValue **args, guint i, GError **error);
gboolean   ls_vm_arg_int    (LsVMValue **args, guint i, gint64 *value, GError **error);

G_END_DECLS
