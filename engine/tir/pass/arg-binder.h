/* arg-binder: parameters of a function taken out of what a packed call passes. */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"

G_BEGIN_DECLS

typedef struct {
  GHashTable *defined;          /* Vars that have a value */
  GPtrArray  *init;             /* of LsStmt with an empty body: bindings, in order */
  GPtrArray  *asserts;          /* of LsStmt with an empty body: what has to hold, behind all bindings */
  LsAnalyzer *analyzer;
  GError     *error;
} LsArgBinder;

LsArgBinder *ls_arg_binder_new    (void);
void         ls_arg_binder_free   (LsArgBinder *self);
/* Binds a variable to a value, or asserts that an expression has it.  Takes the value.  TRUE: it was bound. */
gboolean     ls_arg_binder_bind   (LsArgBinder *self,
                                   LsExpr      *arg,
                                   LsExpr      *value,
                                   const char  *name);
/* Binds all variables of a buffer to the fields of the DLTensor at `handle`; device_id: the variable of the device's number. */
void         ls_arg_binder_tensor (LsArgBinder *self,
                                   LsBuffer    *buffer,
                                   gint64       device_type,
                                   LsVar       *device_id,
                                   LsVar       *handle,
                                   const char  *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsArgBinder, ls_arg_binder_free)

G_END_DECLS
