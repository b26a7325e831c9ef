/* device: targets with threads: their kinds, tags and limits, as TVM names them.
 *
 * "cuda", "cuda -arch=sm_80 -max_threads_per_block=512", "nvidia/nvidia-a100", "opencl", "rocm -mcpu=gfx90a", "nvptx".  Limits that a text does
 * not say are the kind's. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;             /* "nvidia/nvidia-a100" */
  const char *kind;             /* "cuda" */
  const char *arch;             /* "sm_80", or "" */
  gint64      registers;        /* of a block of threads; 0: not told */
  gint64      l2_bytes;         /* 0: not told */
  gint64      shared_bytes;
} LsDeviceTag;

typedef struct {
  char   *text;                 /* as given */
  char   *kind;                 /* "cuda", "nvptx", "opencl", "rocm", "metal", "vulkan", "webgpu" */
  char   *tag;                  /* or NULL */
  char   *arch;                 /* "sm_80", "gfx90a"; never NULL */
  gint64  warp_size;
  gint64  max_threads;          /* of a block */
  gint64  max_shared;           /* bytes of a block */
  gint64  registers;            /* of a block; 0: not told */
} LsDeviceTarget;

/* Does the text name a target whose programs run on threads (by its first word)? NULL: no. */
gboolean        ls_device_target_is    (const char *text);
/* Reads a target with threads.  NULL with G_IO_ERROR_INVALID_ARGUMENT: an unknown kind, tag or number. (transfer full) */
LsDeviceTarget *ls_device_target_parse (const char      *text,
                                        GError         **error);
void            ls_device_target_free  (LsDeviceTarget  *self);
/* The attribute "target" that passes read: kind, arch, warp and limits; the host is llvm. (transfer full) */
LsMap          *ls_device_target_attrs (const LsDeviceTarget *self);
/* Bytes of shared memory of a block that may have a size fixed by a compiler: 49152 on NVIDIA's devices; else 0, no limit of its own. */
gint64          ls_device_target_most_static (const LsDeviceTarget *self);
/* All tags. */
const LsDeviceTag *ls_device_tags      (guint           *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDeviceTarget, ls_device_target_free)

G_END_DECLS
