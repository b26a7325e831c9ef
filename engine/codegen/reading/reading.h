/* reading: a program in a language that people read, for the command line and the window.
 *
 *   numpy                              as it stands, with its loops, as low-level NumPy; a Relax function as calls of NumPy
 *   c                                  lowered, as C11
 *   cuda, nvidia/…, opencl, rocm       lowered for a GPU: its kernels as CUDA C, OpenCL C or HIP
 */
#pragma once

#include "engine/codegen/c/text.h"

G_BEGIN_DECLS

/* The functions of `module`, or `func` with what it calls (NULL: all; of kernels there is one function).  `language` is a word of the table
 * above or any target of a GPU.  The lines of the text are told by those of the text that the module was read from.  Errors: LS_TEXT_ERROR, and
 * those of targets and passes. (transfer full) */
LsDeviceText *ls_reading_new (LsModule    *module,
                              const char  *func,
                              const char  *language,
                              GError     **error);

G_END_DECLS
