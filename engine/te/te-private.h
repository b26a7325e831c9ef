/* te-private: what the files of engine/te share. */
#pragma once

#include "engine/ir/ir-private.h"
#include "engine/te/te.h"

G_BEGIN_DECLS

extern const LsNodeClass ls_te_operation_class, ls_te_tensor_class;

G_END_DECLS
