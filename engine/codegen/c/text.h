/* c: lowered TensorIR as text in a language like C: C11, CUDA C, OpenCL C, Metal's C++.
 *
 *   dialect   what the languages differ in: a row of words each
 *   expr      expressions; a vector one lane at a time
 *   stmt      statements
 *   text      functions and kernels; which line of the text comes from which line of TVMScript
 *
 * The text computes what engine/ir/meaning.h says: integers that come from memory wrap, divisions round as they are meant to, min and max of a NaN
 * are NaN.  Floats are C's: a compiler that contracts products and sums (-ffp-contract) rounds once less.  No LLVM, no compiler is needed.
 */
#pragma once

#include "engine/tir/device.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum { LS_TEXT_C, LS_TEXT_CUDA, LS_TEXT_OPENCL, LS_TEXT_METAL, LS_TEXT_NUMPY } LsTextLanguage;

#define LS_TEXT_ERROR (ls_text_error_quark ())
GQuark ls_text_error_quark (void);

typedef enum {
  LS_TEXT_ERROR_UNSUPPORTED     /* the program has what the language has no words for, or what is not written yet */
} LsTextError;

typedef struct {
  LsTextLanguage language;
  char    *text;
  GArray  *lines;               /* of guint: for each line of `text` the line of TVMScript that it comes from; 0: none */
  char   **functions;           /* names of the functions that can be called or launched */
} LsDeviceText;

/* A function that ls_lower_device has lowered as a module: the host's part under `name`, each kernel under its own, with
 * its dynamic shared memory as one allocation.  Errors: of the passes. (transfer full) */
LsModule     *ls_device_split     (const char            *name,
                                   LsPrimFunc            *lowered,
                                   GError               **error);
/* Would the target's assembler take the shared memory of a kernel whose size is fixed?  FALSE with UNSUPPORTED. */
gboolean      ls_check_static_shared (const char         *kernel,
                                   LsPrimFunc            *func,
                                   const LsDeviceTarget  *target,
                                   GError               **error);
/* The kernels of a function that ls_lower_device has lowered, for the kind of the target: "cuda" and "nvptx" as CUDA C, "opencl" as OpenCL C,
 * "metal" as Metal's C++, "rocm" as HIP, which is CUDA C by another name.  Errors: UNSUPPORTED, and those of the passes. (transfer full) */
LsDeviceText *ls_device_text_new  (const char            *name,
                                   LsPrimFunc            *lowered,
                                   const LsDeviceTarget  *target,
                                   GError               **error);
/* The functions of a module that ls_lower_module has lowered, as C11.  A function `main` is called main_. (transfer full) */
LsDeviceText *ls_c_text_new       (LsModule              *lowered,
                                   GError               **error);
void          ls_device_text_free (LsDeviceText          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDeviceText, ls_device_text_free)

G_END_DECLS
