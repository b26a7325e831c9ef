/* relax: the graph level, functions over tensors of known or symbolic shape.
 *
 *   struct-info   what is known about a value: TensorStructInfo, ShapeStructInfo, ...
 *   expr          leaves and calls: Var, Constant, ShapeExpr, Tuple, Call, If
 *   function      bindings, blocks, SeqExpr, Function
 *   op            the table of operators: parameters, attributes and their defaults (rows in op/)
 *   infer         the struct info of an expression
 *   distributed/  tensors that lie in parts on several devices
 *
 * Nodes as in ir.h.  A function is in A-normal form: the arguments of a call are leaves (variables, constants, shapes,
 * tuples of leaves).  Struct info is stored on variables and constants only; that of other expressions follows.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* ---- struct-info.c ------------------------------------------------------ */

typedef LsNode LsStructInfo;

#define LS_UNKNOWN_NDIM (-1)

typedef struct {
  LsNode  node;
  LsNode *shape;                /* ShapeExpr, a variable, or NULL */
  gint64  ndim;                 /* LS_UNKNOWN_NDIM */
  LsDType dtype;                /* LS_VOID: unknown */
  LsNode *vdevice;              /* what R.Tensor (vdevice=) said, or NULL */
} LsTensorStructInfo;

typedef struct { LsNode node; LsArray *values; gint64 ndim; } LsShapeStructInfo;        /* values NULL: only ndim */
typedef struct { LsNode node; LsExpr *value; LsDType dtype; } LsPrimStructInfo;         /* value or NULL */
typedef struct { LsNode node; LsArray *fields; } LsTupleStructInfo;
/* params NULL: opaque; then derive_func names the rule that gives the result of a call, or is NULL: the result is `ret` */
typedef struct { LsNode node; LsArray *params; LsStructInfo *ret; gboolean purity; LsString *derive_func; } LsFuncStructInfo;
typedef struct { LsNode node; } LsObjectStructInfo;
typedef struct { LsNode node; LsStructInfo *tensor_sinfo; LsNode *device_mesh; LsNode *placement; } LsDTensorStructInfo;

/* Constructors take their references. */
LsStructInfo *ls_tensor_struct_info_new (LsNode       *shape,
                                         gint64        ndim,    /* of no effect when the shape is a ShapeExpr */
                                         LsDType       dtype,
                                         LsNode       *vdevice);
LsStructInfo *ls_shape_struct_info_new  (LsArray      *values,
                                         gint64        ndim);
LsStructInfo *ls_prim_struct_info_new   (LsExpr       *value,   /* or NULL */
                                         LsDType       dtype);
LsStructInfo *ls_tuple_struct_info_new  (LsArray      *fields);
LsStructInfo *ls_func_struct_info_new   (LsArray      *params,
                                         LsStructInfo *ret,
                                         gboolean      purity);
/* An opaque function whose results the rule of that name gives, such as LS_INFER_VIEW. */
#define LS_INFER_VIEW "tvm.relax.struct_info.infer_view_sinfo"
LsStructInfo *ls_func_struct_info_derived (const char  *derive_func,
                                          gboolean     purity);
LsStructInfo *ls_object_struct_info_new (void);
/* What a variable has of which nothing was said yet: an ObjectStructInfo, known by its address. Borrowed. */
LsStructInfo *ls_unknown_struct_info    (void);
gboolean      ls_is_struct_info         (const void   *node);
/* A tuple of nothing: what a call for its effect alone gives. */
gboolean      ls_is_void_struct_info    (const void   *node);
/* The struct info as it can be said where only `known` variables exist (a set of LsVar): shapes with others keep their
 * number of dimensions.  Borrows. (transfer full) */
LsStructInfo *ls_struct_info_erase      (LsStructInfo *self,
                                         GHashTable   *known);
/* Puts the symbolic variables of a struct info into such a set (borrowed). */
void          ls_struct_info_add_symbols (LsStructInfo *self,
                                         GHashTable   *known);
/* Can a value of struct info `actual` be one of `claimed`?  FALSE only for certain conflicts (kind, ndim, type, constant
 * extents, number of fields). */
gboolean      ls_struct_info_may_be     (LsStructInfo *claimed,
                                         LsStructInfo *actual);

/* ---- expr.c --------------------------------------------------------------- */

typedef struct { LsNode node; LsStructInfo *struct_info; char *name; } LsRelaxVar;      /* Var and DataflowVar */
typedef struct { LsNode node; LsTensor *data; LsStructInfo *struct_info; } LsConstant;
typedef struct { LsNode node; LsExpr *value; } LsPrimValue;
typedef struct { LsNode node; char *value; } LsRelaxString;
typedef struct { LsNode node; LsDType value; } LsDataTypeImm;
typedef struct { LsNode node; LsArray *values; } LsShapeExpr;
typedef struct { LsNode node; LsArray *fields; } LsRelaxTuple;
typedef struct { LsNode node; LsNode *tuple; gint64 index; } LsTupleGetItem;
typedef struct { LsNode node; char *name; } LsRelaxOp;          /* "relax.nn.relu"; equal by name */
typedef struct { LsNode node; char *global_symbol; LsStructInfo *struct_info; LsMap *attrs; } LsExternFunc;  /* struct_info NULL: opaque */
typedef struct {
  LsNode   node;
  LsNode  *op;                  /* RelaxOp, GlobalVar, ExternFunc or a variable */
  LsArray *args;
  LsArray *attr_names;          /* of String, in the order in which they are printed */
  LsArray *attrs;               /* values: String, IntImm, FloatImm, Array, ... or NULL for None */
  LsArray *sinfo_args;          /* of StructInfo */
} LsRelaxCall;
typedef struct { LsNode node; LsNode *cond; LsNode *true_branch; LsNode *false_branch; } LsRelaxIf;     /* branches: SeqExpr */

LS_DEFINE_CLEANUP (LsRelaxVar)
LS_DEFINE_CLEANUP (LsRelaxCall)

LsRelaxVar *ls_relax_var_new       (const char   *name,
                                    LsStructInfo *struct_info);
LsRelaxVar *ls_dataflow_var_new    (const char   *name,
                                    LsStructInfo *struct_info);
/* Tells a variable of which nothing was said (struct_info NULL above) what its value is; others stay as they are.
 * The one change that a node ever sees: bindings made by hand get their struct info when they are normalized. */
void        ls_relax_var_learn     (LsRelaxVar   *self,
                                    LsStructInfo *struct_info);     /* borrowed */
#define ls_is_relax_var(n) (ls_is (n, RELAX_VAR) || ls_is (n, DATAFLOW_VAR))
/* A variable, no dataflow variable, whose value is the empty tuple: where it is used, the tuple may stand. */
#define ls_is_void_var(n) (ls_is (n, RELAX_VAR) && ls_is_empty_tuple_info (((LsRelaxVar *) (n))->struct_info))
#define ls_is_empty_tuple_info(info) (ls_is (info, TUPLE_STRUCT_INFO) && ((LsTupleStructInfo *) (info))->fields->n == 0)
/* The struct info follows from the data. */
LsNode     *ls_constant_new        (LsTensor     *data);
/* One of which more is said than the data tell: a constant that lies on a device mesh. */
LsNode     *ls_constant_new_full   (LsTensor     *data,
                                    LsStructInfo *struct_info);
LsNode     *ls_prim_value_new      (LsExpr       *value);
LsNode     *ls_relax_string_new    (const char   *value);
LsNode     *ls_data_type_imm_new   (LsDType       value);
LsNode     *ls_shape_expr_new      (LsArray      *values);      /* of int64 expressions */
LsNode     *ls_relax_tuple_new     (LsArray      *fields);
LsNode     *ls_tuple_get_item_new  (LsNode       *tuple,
                                    gint64        index);
LsNode     *ls_relax_op_new        (const char   *name);
LsNode     *ls_extern_func_new     (const char   *global_symbol);
/* A function from outside whose signature is known; NULL: it is not. */
LsNode     *ls_extern_func_new_full (const char   *global_symbol,
                                     LsStructInfo *struct_info);
/* NULL lists are empty. */
LsNode     *ls_relax_call_new      (LsNode       *op,
                                    LsArray      *args,
                                    LsArray      *attr_names,
                                    LsArray      *attrs,
                                    LsArray      *sinfo_args);
LsNode     *ls_relax_if_new        (LsNode       *cond,
                                    LsNode       *true_branch,
                                    LsNode       *false_branch);
/* Is the node a call of this operator ("relax.call_tir")? */
gboolean    ls_is_relax_call       (const void   *node,
                                    const char   *op);
/* Is the node a call of a PrimFunc: call_tir or call_tir_inplace? */
gboolean    ls_is_relax_call_tir   (const void   *node);
/* Which argument becomes result `i` of call_tir_inplace; -1: it has a parameter of its own. */
gint64      ls_relax_call_inplace_index (LsRelaxCall *call,
                                         guint        i);
/* May the node stand as an argument in A-normal form? */
gboolean    ls_is_relax_leaf       (const void   *node);
gboolean    ls_is_relax_expr       (const void   *node);

/* ---- function.c ----------------------------------------------------------- */

typedef struct { LsNode node; LsNode *value; LsRelaxVar *var; } LsVarBinding;
typedef struct { LsNode node; LsNode *value; LsStructInfo *struct_info; LsRelaxVar *var; } LsMatchCast; /* var NULL: not bound yet */
typedef struct { LsNode node; LsArray *bindings; } LsBindingBlock;                      /* BindingBlock and DataflowBlock */
typedef struct { LsNode node; LsArray *blocks; LsNode *body; } LsSeqExpr;
typedef struct {
  LsNode        node;
  LsArray      *params;         /* of RelaxVar */
  LsStructInfo *ret_struct_info;
  LsNode       *body;           /* SeqExpr */
  LsMap        *attrs;
  gboolean      is_pure;
} LsFunction;

LS_DEFINE_CLEANUP (LsFunction)

LsNode     *ls_var_binding_new     (LsRelaxVar   *var,
                                    LsNode       *value);
LsNode     *ls_match_cast_new      (LsRelaxVar   *var,
                                    LsNode       *value,
                                    LsStructInfo *struct_info);
LsNode     *ls_binding_block_new   (LsArray      *bindings);
LsNode     *ls_dataflow_block_new  (LsArray      *bindings);
LsNode     *ls_seq_expr_new        (LsArray      *blocks,
                                    LsNode       *body);
LsFunction *ls_function_new        (LsArray      *params,
                                    LsNode       *body,
                                    LsStructInfo *ret_struct_info,
                                    LsMap        *attrs,        /* or NULL */
                                    gboolean      is_pure);

/* ---- distributed/mesh.c ------------------------------------------------------- */

/* Devices as a grid: their numbers in the order of its places.  `is_range` only says how they were told. */
typedef struct { LsNode node; LsArray *shape; LsArray *device_ids; gboolean is_range; } LsDeviceMesh;
typedef enum { LS_PLACEMENT_SHARDING, LS_PLACEMENT_REPLICA } LsPlacementKind;
/* Along one dimension of the mesh: cut at this axis of the tensor, or whole on each device (axis -1). */
typedef struct { LsNode node; gint64 axis; int kind; } LsPlacementSpec;
typedef struct { LsNode node; LsArray *dim_specs; } LsPlacement;

/* Constructors take their references.  NULL and the reason: not as many devices as the grid has places. */
LsNode     *ls_device_mesh_new     (LsArray      *shape,
                                    LsArray      *device_ids,
                                    gboolean      is_range,
                                    GError      **error);
/* The devices `from` to `from + n - 1`. */
LsNode     *ls_device_mesh_new_range (LsArray    *shape,
                                    gint64        from,
                                    gint64        n,
                                    GError      **error);
LsNode     *ls_placement_spec_new  (gint64        axis);                    /* -1: a replica */
LsNode     *ls_placement_new       (LsArray      *dim_specs);
/* "S[0], R"; NULL and the reason: it is no placement. */
LsNode     *ls_placement_parse     (const char   *text,
                                    GError      **error);
char       *ls_placement_text      (LsNode       *placement);               /* (transfer full) */
/* NULL and the reason: the placement has not the dimensions of the mesh, or the tensor not the axis. */
LsStructInfo *ls_dtensor_struct_info_new (LsStructInfo *tensor_sinfo,
                                    LsNode       *device_mesh,
                                    LsNode       *placement,
                                    GError      **error);
/* The tensor that a struct info tells of, as a whole where it is distributed; NULL: it is none.  Borrowed. */
LsTensorStructInfo *ls_tensor_of   (const void   *info);

/* ---- op.c ------------------------------------------------------------------- */

/* What an operator takes, as text: "x1 x2 | out_dtype:dtype=void"; arguments before `|`, attributes behind it, each
 * NAME[:KIND][=DEFAULT], `?` for an argument that may be missing.  The kinds:
 *   arguments    (none) any expression; shape; prim; prims (a tuple of them); tensors (a tuple); type; text
 *   (of an argument, DEFAULT is a number, a truth value or @NAME, another argument)
 *   attributes   any int ints bool float dtype str map (an index map or lambda); single, pair, triple, pad2, pad4, pad6 (numbers repeated as TVM does), sections (of split)
 * DEFAULT @NAME is the value of that attribute.  NULL when the operator is not in the table. */
const char *ls_relax_op_spec       (const char   *name);        /* "relax.matmul" */
/* All names in the table, without "relax.". */
const char *const *ls_relax_op_names (guint      *n);

/* ---- infer.c ------------------------------------------------------------------ */

#define LS_RELAX_ERROR (ls_relax_error_quark ())
GQuark        ls_relax_error_quark (void);
typedef enum { LS_RELAX_ERROR_TYPE } LsRelaxError;

/* The struct info of an expression: exact where the shapes are known, else what is certain.  NULL and the reason when the
 * parts do not fit (wrong number of dimensions, types that differ, shapes that do not broadcast, an axis that is not
 * there, ...).  `module` (or NULL) knows the functions that are called. (transfer full) */
LsStructInfo *ls_relax_infer       (LsNode       *expr,
                                    LsModule     *module,
                                    GError      **error);
/* What a call gives of an operator that the table lacks, or of a function whose signature names a rule, for a program that
 * registers some; NULL without an error: nothing is known. (transfer full) */
typedef LsStructInfo *(*LsRelaxInferFunc) (LsRelaxCall *call, GError **error);
void          ls_relax_infer_registered (LsRelaxInferFunc infer);
/* The shape that reshape is asked for (a ShapeExpr), 0 standing for the extent that the tensor has there and one -1 for what
 * is left. (transfer full) */
LsNode       *ls_relax_resolve_shape (LsNode     *tensor,
                                    LsNode       *shape,
                                    GError      **error);
/* ls_relax_infer without a module; Object where it refuses. (transfer full) */
LsStructInfo *ls_relax_struct_info (LsNode       *expr);

/* A struct info, an extent or a list of extents on one line, as TVM writes it: "R.Tensor((n, 4), dtype="float32")".
 * (transfer full) */
char         *ls_struct_info_text  (gpointer      info);

/* Makes ls_class_get know the classes of relax.  Needed only where classes are listed. */
void ls_relax_register_classes (void);

G_END_DECLS
