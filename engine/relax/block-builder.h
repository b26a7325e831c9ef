/* relax/block-builder: makes Relax functions binding by binding (TVM's BlockBuilder).
 *
 * Blocks of bindings stand in each other like brackets.  What is emitted is brought into A-normal form: an argument
 * that is no leaf gets a binding of its own before.  Variables are called as the caller says, else lv, lv1, ... in
 * dataflow and gv, gv1, ... outside; no name is given twice, functions included.
 *
 * The first thing that goes wrong is remembered and everything goes on with values of unknown type, so that callers look
 * at ls_block_builder_get_error once, when they are done.
 */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

#define LS_BLOCK_BUILDER_ERROR (ls_block_builder_error_quark ())
GQuark ls_block_builder_error_quark (void);

typedef enum {
  LS_BLOCK_BUILDER_ERROR_ORDER,         /* a call at a place where it has no meaning */
  LS_BLOCK_BUILDER_ERROR_TYPE,          /* an expression whose parts do not fit */
  LS_BLOCK_BUILDER_ERROR_UNSUPPORTED    /* a program that cannot be treated so */
} LsBlockBuilderError;

typedef struct _LsBlockBuilder LsBlockBuilder;

/* Over a module (NULL: an empty one); its functions are there from the beginning. */
LsBlockBuilder *ls_block_builder_new            (LsModule       *module);
void            ls_block_builder_free           (LsBlockBuilder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBlockBuilder, ls_block_builder_free)

/* The first thing that went wrong, or NULL. Borrowed. */
const GError   *ls_block_builder_get_error      (LsBlockBuilder *self);
/* Forgets it. */
void            ls_block_builder_clear_error    (LsBlockBuilder *self);
/* Remembers an error unless there is one. */
void            ls_block_builder_fail           (LsBlockBuilder *self,
                                                 LsBlockBuilderError code,
                                                 const char     *format,
                                                 ...) G_GNUC_PRINTF (3, 4);
void            ls_block_builder_take_error     (LsBlockBuilder *self,
                                                 GError         *error);        /* taken */

/* ---- functions ---------------------------------------------------------- */

/* A name like `hint` that no variable or function of this builder has: "add", "add1", ... (transfer full) */
char           *ls_block_builder_unique_name    (LsBlockBuilder *self,
                                                 const char     *hint);
/* Starts a function, inside the one that is open if there is one; params (of RelaxVar) may come now or with emit_func_output (NULL), not twice.  `attrs` may be NULL;
 * global_symbol is set unless `is_private`. */
void            ls_block_builder_begin_function (LsBlockBuilder *self,
                                                 const char     *name,
                                                 LsArray        *params,
                                                 LsMap          *attrs,
                                                 gboolean        is_pure,
                                                 gboolean        is_private);
/* Forgets the function that is open, with what was emitted into it. */
void            ls_block_builder_abandon_function (LsBlockBuilder *self);
/* Ends it with its result and adds it to the module.  Borrowed; NULL with an error. */
LsGlobalVar    *ls_block_builder_emit_func_output (LsBlockBuilder *self,
                                                 gpointer        output,
                                                 LsArray        *params);       /* or NULL */
/* Adds a function (PrimFunc or relax Function) under a name like `hint`; one that is structurally equal to a function of
 * the module is not added again, the other's GlobalVar comes back. Borrowed. */
LsGlobalVar    *ls_block_builder_add_func       (LsBlockBuilder *self,
                                                 gpointer        func,
                                                 const char     *hint);
/* Replaces the function of a GlobalVar, or adds it under exactly its name. */
void            ls_block_builder_update_func    (LsBlockBuilder *self,
                                                 LsGlobalVar    *var,
                                                 gpointer        func);
/* Takes a function out of the module. */
void            ls_block_builder_remove_func    (LsBlockBuilder *self,
                                                 LsGlobalVar    *var);
/* The function of a GlobalVar (by pointer, else by name), or NULL. Borrowed. */
LsNode         *ls_block_builder_lookup_func    (LsBlockBuilder *self,
                                                 LsGlobalVar    *var);
/* The module as it is now. (transfer full) */
LsModule       *ls_block_builder_get            (LsBlockBuilder *self);

/* ---- blocks ---------------------------------------------------------------- */

/* Inside a function: closes the open block and starts a dataflow block, and back. */
void            ls_block_builder_begin_dataflow (LsBlockBuilder *self);
void            ls_block_builder_end_dataflow   (LsBlockBuilder *self);
/* A block of its own, outside of any function (mutators). */
void            ls_block_builder_begin_block    (LsBlockBuilder *self,
                                                 gboolean        dataflow);
/* The block with what was emitted since, maybe empty; NULL with an error when none was begun. (transfer full) */
LsNode         *ls_block_builder_end_block      (LsBlockBuilder *self);
/* The variable that an expression (by address) got when it stood as an argument in the open block, or NULL: what is used
 * twice is bound once. Borrowed. */
LsRelaxVar     *ls_block_builder_recall         (LsBlockBuilder *self,
                                                 gpointer        expr);
void            ls_block_builder_remember       (LsBlockBuilder *self,
                                                 gpointer        expr,
                                                 LsRelaxVar     *var);
/* Was a function begun that is not at its end? */
gboolean        ls_block_builder_in_function    (LsBlockBuilder *self);
/* Is the open block a dataflow block? */
gboolean        ls_block_builder_in_dataflow    (LsBlockBuilder *self);

/* ---- bindings ----------------------------------------------------------------- */

/* Binds an expression to a new variable (a DataflowVar in dataflow).  name_hint NULL: lv or gv.  The builder keeps the
 * variable. Borrowed, never NULL. */
LsRelaxVar     *ls_block_builder_emit           (LsBlockBuilder *self,
                                                 gpointer        expr,
                                                 const char     *name_hint);
/* The same; takes the expression. */
LsRelaxVar     *ls_block_builder_emit_take      (LsBlockBuilder *self,
                                                 gpointer        expr,
                                                 const char     *name_hint);
LsRelaxVar     *ls_block_builder_emit_match_cast (LsBlockBuilder *self,
                                                 gpointer        value,
                                                 LsStructInfo   *struct_info,
                                                 const char     *name_hint);
/* Where the bindings that follow were read: each gets it. */
void            ls_block_builder_set_span       (LsBlockBuilder *self,
                                                 LsSpan          span);
/* Binds an expression to a variable that is seen outside of the open dataflow block. */
LsRelaxVar     *ls_block_builder_emit_output    (LsBlockBuilder *self,
                                                 gpointer        expr,
                                                 const char     *name_hint);
/* A binding as it is (VarBinding or MatchCast); its value is in A-normal form already. */
void            ls_block_builder_emit_binding   (LsBlockBuilder *self,
                                                 gpointer        binding);
/* Binds the expression (in A-normal form) to this variable. */
void            ls_block_builder_emit_to        (LsBlockBuilder *self,
                                                 LsRelaxVar     *var,
                                                 gpointer        value);
/* What a variable was bound to, or NULL (parameters). Borrowed. */
LsNode         *ls_block_builder_lookup_binding (LsBlockBuilder *self,
                                                 LsRelaxVar     *var);
/* Lets lookup_binding know a binding that was not emitted here. */
void            ls_block_builder_note_binding   (LsBlockBuilder *self,
                                                 LsRelaxVar     *var,
                                                 gpointer        value);

/* ---- normalize.c ------------------------------------------------------------------ */

/* The expression with leaves for arguments; what is none is emitted into the open block.  The same pointer when nothing is
 * to be done. (transfer full) */
LsNode         *ls_block_builder_normalize      (LsBlockBuilder *self,
                                                 gpointer        expr);
/* The same, and a leaf: the expression itself is emitted if it is none. (transfer full) */
LsNode         *ls_block_builder_normalize_argument (LsBlockBuilder *self,
                                                 gpointer        expr);
/* The struct info of an expression; calls of functions of the module take it from there. (transfer full) */
LsStructInfo   *ls_block_builder_struct_info    (LsBlockBuilder *self,
                                                 gpointer        expr);
/* Neighbours of one kind joined, empty blocks dropped, sequences that stand as values of bindings taken apart.
 * Borrows; the same pointer when there is nothing to do. (transfer full) */
LsArray        *ls_relax_join_blocks            (LsArray        *blocks);

G_END_DECLS
