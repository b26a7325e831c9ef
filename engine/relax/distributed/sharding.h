/* distributed/sharding: how the result of a call lies on the devices, from how its operands do (TVM's InferShardingSpec). */
#pragma once

#include "engine/relax/distributed/axes.h"

G_BEGIN_DECLS

/* The result as a whole, `plain` (a tensor or a tuple of tensors), as the call leaves it on the mesh of its operands, which
 * are variables and constants: the arguments, or of call_tir those of its tuple, with `func` what it calls.  NULL and the
 * reason: operands on different meshes, axes of which two things follow. (transfer full) */
LsStructInfo *ls_sharding_of_call (LsRelaxCall  *call,
                                   LsStructInfo *plain,
                                   LsAxesRule    rule,
                                   LsPrimFunc   *func,          /* or NULL */
                                   GError      **error);
/* Is any of these a tensor that lies in parts? */
gboolean      ls_any_dtensor      (LsStructInfo **infos,
                                   guint          n);
/* Each tensor of a struct info is distributed, or there are none (TVM's SinfoCompatibleWithDistIR). */
gboolean      ls_only_dtensors    (LsStructInfo *info);
/* None is (SinfoCompatibleWithRelax). */
gboolean      ls_no_dtensors      (LsStructInfo *info);

G_END_DECLS
