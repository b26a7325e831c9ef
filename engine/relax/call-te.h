/* relax/call-te: tensor expressions called from Relax (TVM's BlockBuilder.call_te and emit_te).
 *
 * A bridge turns the arguments of one call into te: tensors into placeholders of the same name, dimensions and numbers
 * into expressions over variables of the new function's own.  What te makes of them becomes a private PrimFunc of the
 * builder's module (one that is equal is shared) and a call_tir of it, whose result has the old dimensions again; those
 * that no shape of an argument decides are handed over as tir_vars.
 *
 *   g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (builder);
 *   g_autoptr (LsTeTensor) x = ls_te_bridge_tensor (bridge, call->args->items[0], error);
 *   g_autoptr (LsTeTensor) y = ls_topi_relu (x, error);
 *   LsNode *result = ls_te_bridge_call_one (bridge, y, "relu", error);
 *
 * A NULL tensor gives NULL and leaves the error alone, as in te.
 */
#pragma once

#include "engine/relax/block-builder.h"
#include "engine/te/te.h"

G_BEGIN_DECLS

#define LS_TE_BRIDGE_ERROR (ls_te_bridge_error_quark ())
GQuark ls_te_bridge_error_quark (void);

typedef struct _LsTeBridge LsTeBridge;

LsTeBridge *ls_te_bridge_new      (LsBlockBuilder *builder);     /* borrowed, must outlive it */
void        ls_te_bridge_free     (LsTeBridge     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTeBridge, ls_te_bridge_free)

/* An expression of known shape as the next tensor argument.  NULL with an error when its shape is not known. */
LsTeTensor *ls_te_bridge_tensor   (LsTeBridge     *self,
                                   gpointer        expr,
                                   GError        **error);
/* The fields of a tuple expression as tensors: of a Tuple its fields, else TupleGetItem of it, emitted. (transfer full) */
LsArray    *ls_te_bridge_tensors  (LsTeBridge     *self,
                                   gpointer        expr,
                                   GError        **error);
/* A scalar of Relax: its value over the function's own variables, or, where that is not known, a variable that becomes the
 * next argument of the call.  NULL when it is no scalar. (transfer full) */
LsExpr     *ls_te_bridge_scalar   (LsTeBridge     *self,
                                   gpointer        expr);
/* A dimension or number that is an argument of the call. (transfer full) */
LsExpr     *ls_te_bridge_expr     (LsTeBridge     *self,
                                   LsExpr         *expr);
/* The same for each of a list. (transfer full) */
LsArray    *ls_te_bridge_exprs    (LsTeBridge     *self,
                                   LsArray        *exprs);
/* Changes the function before it is added: `edit` borrows it and returns another (transfer full), whose only result has the
 * extents `shape` (borrowed, the function's own variables). */
typedef LsPrimFunc *(*LsTeBridgeEdit) (gpointer user_data, LsPrimFunc *func);
void        ls_te_bridge_set_edit (LsTeBridge     *self,
                                   LsTeBridgeEdit  edit,
                                   gpointer        user_data,
                                   LsArray        *shape);
/* The call_tir of a function that computes `outputs` (array of TeTensor; several give a tuple), called like `name_hint`.
 * `attrs` (or NULL) are added to the function. (transfer full) */
LsNode     *ls_te_bridge_call     (LsTeBridge     *self,
                                   LsArray        *outputs,
                                   const char     *name_hint,
                                   LsMap          *attrs,
                                   GError        **error);
LsNode     *ls_te_bridge_call_one (LsTeBridge     *self,
                                   LsTeTensor     *output,
                                   const char     *name_hint,
                                   GError        **error);
/* A call_tir node: takes args (a Tuple is made of them) and tir_vars (of int64 expressions, or NULL). (transfer full) */
LsNode     *ls_call_tir_new       (LsGlobalVar    *func,
                                   LsArray        *args,
                                   LsStructInfo   *out_info,
                                   LsArray        *tir_vars);

G_END_DECLS
