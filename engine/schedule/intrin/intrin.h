/* intrin: tensor intrinsics by name, what tensorize puts in.
 *
 * An intrinsic is a pair of functions over the same buffers: the description says in loops and blocks what is computed,
 * the implementation computes it in another way (a call of a hardware instruction or of a C function).  The list is one
 * for the process, as TVM's TensorIntrin registry is, and holds TVM's own library (library.c) from the start; its functions
 * may be used from any thread.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Registers desc and impl (borrowed).  FALSE with findings: they have not the same number of buffer parameters, their body is
 * no block, a buffer of the implementation is neither read nor written, or (without `override`) the name is taken. */
gboolean    ls_tensor_intrin_register      (const char    *name,
                                            LsPrimFunc    *desc,
                                            LsPrimFunc    *impl,
                                            gboolean       override,
                                            LsDiagnostics *diagnostics);
/* FALSE when there is none. (transfer full) */
gboolean    ls_tensor_intrin_get           (const char    *name,
                                            LsPrimFunc   **desc,
                                            LsPrimFunc   **impl);
/* Names, sorted. (transfer full) of char */
GPtrArray  *ls_tensor_intrin_list          (void);
/* Reads the library in a thread of its own and returns at once: for programs that ask soon and cannot wait then. */
void        ls_tensor_intrin_preload       (void);
/* All that a text defines: functions, and lines TensorIntrin.register ("name", desc, impl[, override=True]).  Where there are no
 * such lines, functions NAME_desc and NAME_impl are the intrinsic NAME.  A later definition wins over an earlier one of
 * another text.  Returns how many there were; 0 with findings. */
guint       ls_tensor_intrin_register_text (LsSource      *source,
                                            LsDiagnostics *diagnostics);
/* The function with new variables and buffers throughout; index variables and expressions in `bits` bits. (transfer full) */
LsPrimFunc *ls_prim_func_renew             (LsPrimFunc    *func,
                                            guint          bits);

G_END_DECLS
