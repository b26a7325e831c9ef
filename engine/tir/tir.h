/* tir: TensorIR's buffers, statements, blocks and functions.
 *
 *   buffer     Buffer, BufferRegion, MatchBufferRegion, BufferLoad, BufferStore helpers
 *   stmt       For, SeqStmt, IfThenElse, ... ;  ls_seq flattens as TVM's SeqStmt::Flatten
 *   block      IterVar, Block, BlockRealize, access regions completed as the script parser does
 *   prim_func  PrimFunc, its attributes
 *   verify     well-formedness of a PrimFunc with reasons
 *
 * Every name is that of TVM v0.20's tir.  Constructors take, everything else borrows (ir.h).
 */
#pragma once

#include "engine/ir/ir.h"
#include "engine/arith/arith.h"

G_BEGIN_DECLS

typedef LsNode LsStmt;
#define LS_STMT(n) ((LsStmt *) (n))

/* ---- buffer.c ----------------------------------------------------------- */

typedef enum { LS_BUFFER_DEFAULT = 1, LS_BUFFER_AUTO_BROADCAST = 2 } LsBufferType;

/* An identity node: two buffers are the same only by pointer. */
typedef struct {
  LsNode   node;
  LsVar   *data;                /* pointer variable; its type carries the storage scope */
  LsDType  dtype;
  LsArray *shape;               /* of Expr, in elements */
  LsArray *strides;             /* of Expr, in elements; empty: compact, row major */
  LsArray *axis_separators;     /* of IntImm */
  LsExpr  *elem_offset;         /* in elements */
  char    *name;
  gint64   data_alignment;      /* bytes; 64 unless given */
  gint64   offset_factor;       /* 1 unless given; 0 in none */
  int      buffer_type;         /* LsBufferType */
} LsBuffer;

typedef struct { LsNode node; LsBuffer *buffer; LsArray *region; } LsBufferRegion;          /* region: of Range */
typedef struct { LsNode node; LsBuffer *buffer; LsBufferRegion *source; } LsMatchBufferRegion;
typedef struct { LsExpr expr; LsBuffer *buffer; LsArray *indices; LsExpr *predicate; } LsBufferLoad;
typedef struct { LsExpr expr; LsNode *producer; LsArray *indices; } LsProducerLoad;

LS_DEFINE_CLEANUP (LsBuffer)
LS_DEFINE_CLEANUP (LsBufferRegion)

/* All at once.  elem_offset NULL: 0 (in the index type of the shape, int32 when empty); axis_separators NULL: none. */
LsBuffer   *ls_buffer_new_full (LsVar      *data,
                                LsDType     dtype,
                                LsArray    *shape,
                                LsArray    *strides,
                                LsExpr     *elem_offset,
                                const char *name,
                                gint64      data_alignment,
                                gint64      offset_factor,
                                int         buffer_type,
                                LsArray    *axis_separators);
/* TVM's decl_buffer: a fresh data variable of this name and scope ("" or "global" alike), compact. Takes shape. */
LsBuffer   *ls_buffer_new      (const char *name,
                                LsDType     dtype,
                                LsArray    *shape,
                                const char *scope);
/* "global" when the pointer's scope is "". Borrowed. */
const char *ls_buffer_scope    (LsBuffer   *self);
/* A copy with a fresh data variable: name NULL keeps the name, scope NULL the scope, shape NULL the shape (taken). */
LsBuffer   *ls_buffer_copy     (LsBuffer   *self,
                                const char *name,
                                const char *scope,
                                LsArray    *shape);
#define ls_buffer_ndim(b) (ls_array_n ((b)->shape))
/* Strides that say where elements are; those of TVM's cache_index (one for several dimensions) do not. */
#define ls_buffer_has_strides(b) ((b)->strides->n > 0 && (b)->strides->n == (b)->shape->n)
/* dtype of the indices: that of the shape, int32 for a scalar buffer */
LsDType     ls_buffer_index_dtype (LsBuffer *self);
/* Of a buffer with strides: one more than the last element that the axes from `first` to before `end` reach, in elements; -1: not known,
 * where an extent or a stride is no number or is negative, or 64 bits do not count them. */
gint64      ls_buffer_strided_reach (LsBuffer *self,
                                     guint     first,
                                     guint     end);

LsBufferRegion *ls_buffer_region_new   (LsBuffer *buffer,
                                        LsArray  *region);
/* The whole buffer: [0, shape) in each dimension. */
LsBufferRegion *ls_buffer_region_full  (LsBuffer *buffer);
/* One point: extent 1 in each dimension. Takes both. */
LsBufferRegion *ls_buffer_region_point (LsBuffer *buffer,
                                        LsArray  *indices);
LsMatchBufferRegion *ls_match_buffer_region_new (LsBuffer       *buffer,
                                                 LsBufferRegion *source);
/* dtype follows from the buffer and the lanes of the last index. predicate may be NULL. */
LsExpr     *ls_buffer_load_new     (LsBuffer *buffer,
                                    LsArray  *indices,
                                    LsExpr   *predicate);
LsExpr     *ls_producer_load_new   (gpointer  producer,
                                    LsDType   dtype,
                                    LsArray  *indices);

/* ---- side-effect.c: expressions, or arrays of them (borrowed) ----------- */

/* The most that evaluating does: LS_EFFECT_PURE at the least, LS_EFFECT_READ_STATE for loads, a call what its operator does, a
 * call of what is no operator LS_EFFECT_OPAQUE (TVM's tir::SideEffect). */
LsEffect    ls_side_effect         (gpointer node);
gboolean    ls_is_pure             (gpointer node);

/* Reductions (te): kept for create_prim_func and for rfactor's reducers. */
typedef struct { LsNode node; LsArray *lhs, *rhs, *result, *identity_element; } LsCommReducer;
typedef struct { LsExpr expr; LsCommReducer *combiner; LsArray *source, *init, *axis; LsExpr *condition; gint64 value_index; } LsReduce;
LsCommReducer *ls_comm_reducer_new (LsArray *lhs, LsArray *rhs, LsArray *result, LsArray *identity_element);
LsExpr        *ls_reduce_new       (LsCommReducer *combiner, LsArray *source, LsArray *axis, LsExpr *condition, gint64 value_index, LsArray *init);
/* reduce.c: the source of a reduction without axes; else the reduction without components that nothing needs.  The parts are
 * simple already. */
LsExpr        *ls_reduce_simplify  (LsReduce *self, LsAnalyzer *analyzer);

/* ---- stmt.c ------------------------------------------------------------- */

typedef enum {                  /* TVM's ForKind */
  LS_FOR_SERIAL,
  LS_FOR_PARALLEL,
  LS_FOR_VECTORIZED,
  LS_FOR_UNROLLED,
  LS_FOR_THREAD_BINDING
} LsForKind;

typedef enum {                  /* TVM's IterVarType */
  LS_ITER_DATA_PAR = 0,         /* spatial */
  LS_ITER_THREAD_INDEX = 1,
  LS_ITER_COMM_REDUCE = 2,      /* reduce */
  LS_ITER_ORDERED = 3,          /* scan */
  LS_ITER_OPAQUE = 4,
  LS_ITER_UNROLLED = 5,
  LS_ITER_VECTORIZED = 6,
  LS_ITER_PARALLELIZED = 7,
  LS_ITER_TENSORIZED = 8
} LsIterType;

typedef struct { LsNode node; LsRange *dom; LsVar *var; int iter_type; char *thread_tag; } LsIterVar;   /* dom may be NULL */

typedef struct { LsNode node; LsVar *var; LsExpr *value; LsStmt *body; } LsLetStmt;
typedef struct { LsNode node; LsNode *subject; char *attr_key; LsExpr *value; LsStmt *body; } LsAttrStmt;  /* TVM: node */
typedef struct { LsNode node; LsExpr *condition; LsExpr *message; LsStmt *body; } LsAssertStmt;
typedef struct { LsNode node; LsBuffer *buffer; LsExpr *value; LsArray *indices; LsExpr *predicate; } LsBufferStore;
typedef struct { LsNode node; LsBuffer *buffer; LsArray *bounds; LsExpr *condition; LsStmt *body; } LsBufferRealize;
typedef struct { LsNode node; LsVar *buffer_var; LsDType dtype; LsArray *extents; LsExpr *condition; LsStmt *body; LsMap *annotations; } LsAllocate;
typedef struct { LsNode node; LsVar *buffer_var; LsTensor *data; LsDType dtype; LsArray *extents; LsStmt *body; LsMap *annotations; } LsAllocateConst;
typedef struct { LsNode node; LsBuffer *buffer; LsStmt *body; } LsDeclBuffer;
typedef struct { LsNode node; LsArray *seq; } LsSeqStmt;
typedef struct { LsNode node; LsExpr *condition; LsStmt *then_case; LsStmt *else_case; } LsIfThenElse;   /* else_case may be NULL */
typedef struct { LsNode node; LsExpr *value; } LsEvaluate;
typedef struct {
  LsNode     node;
  LsVar     *loop_var;
  LsExpr    *min;
  LsExpr    *extent;
  int        kind;              /* LsForKind */
  LsIterVar *thread_binding;    /* thread-bound loops only */
  LsMap     *annotations;       /* never NULL */
  LsStmt    *body;
} LsFor;
typedef struct { LsNode node; LsExpr *condition; LsStmt *body; } LsWhile;
typedef struct {
  LsNode   node;
  LsArray *iter_vars;           /* of IterVar */
  LsArray *alloc_buffers;       /* of Buffer */
  LsArray *match_buffers;       /* of MatchBufferRegion */
  LsArray *reads;               /* of BufferRegion */
  LsArray *writes;
  char    *name_hint;
  LsMap   *annotations;         /* never NULL */
  LsStmt  *init;                /* or NULL */
  LsStmt  *body;
} LsBlock;
typedef struct { LsNode node; LsArray *iter_values; LsExpr *predicate; LsBlock *block; } LsBlockRealize;

LS_DEFINE_CLEANUP (LsIterVar)
LS_DEFINE_CLEANUP (LsFor)
LS_DEFINE_CLEANUP (LsBlock)
LS_DEFINE_CLEANUP (LsBlockRealize)

LsStmt  *ls_let_stmt_new       (LsVar *var, LsExpr *value, LsStmt *body);
LsStmt  *ls_attr_stmt_new      (gpointer subject, const char *attr_key, LsExpr *value, LsStmt *body);
LsStmt  *ls_assert_stmt_new    (LsExpr *condition, LsExpr *message, LsStmt *body);
/* The value is cast to nothing here: the caller has matched it (script does as TVM's parser). */
LsStmt  *ls_buffer_store_new   (LsBuffer *buffer, LsExpr *value, LsArray *indices, LsExpr *predicate);
LsStmt  *ls_buffer_realize_new (LsBuffer *buffer, LsArray *bounds, LsExpr *condition, LsStmt *body);
LsStmt  *ls_allocate_new       (LsVar *buffer_var, LsDType dtype, LsArray *extents, LsExpr *condition, LsStmt *body, LsMap *annotations);
LsStmt  *ls_allocate_const_new (LsVar *buffer_var, LsTensor *data, LsDType dtype, LsArray *extents, LsStmt *body, LsMap *annotations);
LsStmt  *ls_decl_buffer_new    (LsBuffer *buffer, LsStmt *body);
/* Exactly these statements (two or more). */
LsStmt  *ls_seq_stmt_new       (LsArray *seq);
/* TVM's SeqStmt::Flatten: nested sequences opened, Evaluate(0) dropped, one statement stands alone, none: Evaluate(0). */
LsStmt  *ls_seq                (LsArray *seq);
LsStmt  *ls_if_then_else_new   (LsExpr *condition, LsStmt *then_case, LsStmt *else_case);
LsStmt  *ls_evaluate_new       (LsExpr *value);
LsStmt  *ls_evaluate_zero      (void);
/* annotations NULL: none. */
LsFor   *ls_for_new            (LsVar *loop_var, LsExpr *min, LsExpr *extent, LsForKind kind, LsStmt *body, LsIterVar *thread_binding, LsMap *annotations);
LsStmt  *ls_while_new          (LsExpr *condition, LsStmt *body);
#define ls_is_stmt(n) ((n) != NULL && (LS_NODE (n)->klass->flags & LS_CLASS_STMT) != 0)
#define ls_is_expr(n) ((n) != NULL && (LS_NODE (n)->klass->flags & LS_CLASS_EXPR) != 0)
/* Verbs: a copy with one field changed (borrowed). */
LsFor   *ls_for_with_body      (LsFor *self, LsStmt *body);
LsFor   *ls_for_with_kind      (LsFor *self, LsForKind kind);
LsFor   *ls_for_with_annotations (LsFor *self, LsMap *annotations);
const char *ls_for_kind_name   (LsForKind kind);            /* "serial", "parallel", ... */

/* ---- block.c ------------------------------------------------------------ */

LsIterVar *ls_iter_var_new     (LsRange *dom, LsVar *var, LsIterType type, const char *thread_tag);
/* NULL for any array: empty; annotations NULL: none; init may be NULL. */
LsBlock   *ls_block_new        (LsArray *iter_vars, LsArray *reads, LsArray *writes, const char *name_hint, LsStmt *body,
                                LsStmt *init, LsArray *alloc_buffers, LsArray *match_buffers, LsMap *annotations);
LsBlockRealize *ls_block_realize_new (LsArray *iter_values, LsExpr *predicate, LsBlock *block);
LsBlock   *ls_block_with_body  (LsBlock *self, LsStmt *body);
LsBlock   *ls_block_with_reads_writes (LsBlock *self, LsArray *reads, LsArray *writes);
LsBlock   *ls_block_with_alloc_buffers (LsBlock *self, LsArray *alloc_buffers);
LsBlock   *ls_block_with_annotations (LsBlock *self, LsMap *annotations);
LsBlockRealize *ls_block_realize_with_block (LsBlockRealize *self, LsBlock *block);

/* ---- prim_func.c -------------------------------------------------------- */

typedef struct {
  LsNode   node;
  LsArray *params;              /* of Var */
  LsArray *buffers;             /* buffer_map by position: Buffer or NULL for each parameter */
  LsType  *ret_type;
  LsMap   *attrs;               /* never NULL; global_symbol, tir.noalias, ... */
  LsStmt  *body;
} LsPrimFunc;

LS_DEFINE_CLEANUP (LsPrimFunc)

/* ret_type NULL: void; attrs NULL: none. */
LsPrimFunc *ls_prim_func_new        (LsArray *params, LsStmt *body, LsType *ret_type, LsArray *buffers, LsMap *attrs);
LsPrimFunc *ls_prim_func_with_body  (LsPrimFunc *self, LsStmt *body);
LsPrimFunc *ls_prim_func_with_attr  (LsPrimFunc *self, const char *key, gpointer value);    /* value NULL: removed */
/* The buffer of a handle parameter, borrowed, or NULL. */
LsBuffer   *ls_prim_func_get_buffer (LsPrimFunc *self, guint param);
/* The root block realize of a schedulable function (body is a BlockRealize), borrowed, or NULL. */
LsBlockRealize *ls_prim_func_root   (LsPrimFunc *self);

/* ---- index_map.c -------------------------------------------------------- */

typedef struct {
  LsNode   node;
  LsArray *initial_indices;     /* of Var */
  LsArray *final_indices;       /* of Expr */
  LsNode  *inverse_index_map;   /* IndexMap or NULL */
} LsIndexMap;
LsIndexMap *ls_index_map_new (LsArray *initial_indices, LsArray *final_indices, LsIndexMap *inverse);
LS_DEFINE_CLEANUP (LsIndexMap)
/* The final indices with `indices` (of Expr) for the variables, simplified. analyzer may be NULL. */
LsArray    *ls_index_map_map_indices  (LsIndexMap *self,
                                       LsArray    *indices,
                                       LsAnalyzer *analyzer);
/* The ranges of the final indices over ranges of the initial ones (of Range). */
LsArray    *ls_index_map_map_ranges   (LsIndexMap *self,
                                       LsArray    *ranges,
                                       LsAnalyzer *analyzer);
/* The shape of a buffer after its layout was changed: the extents of map_ranges over [0, shape). */
LsArray    *ls_index_map_map_shape    (LsIndexMap *self,
                                       LsArray    *shape,
                                       LsAnalyzer *analyzer);
/* The map from final to initial indices; `initial_ranges` (of Range) bound the initial ones. NULL and the reason
 * (LS_INDEX_MAP_ERROR) when it is not bijective. */
LsIndexMap *ls_index_map_inverse      (LsIndexMap *self,
                                       LsArray    *initial_ranges,
                                       LsAnalyzer *analyzer,
                                       GError    **error);
/* An inverse that may cover more than the initial space: *padding_predicate (of the inverse's initial variables) is
 * true where there is no initial element; false when there is no padding. */
LsIndexMap *ls_index_map_non_surjective_inverse (LsIndexMap *self,
                                       LsArray    *initial_ranges,
                                       LsAnalyzer *analyzer,
                                       LsExpr    **padding_predicate,
                                       GError    **error);
/* The same map with new variables: the name that `rename` gives to an old one, or NULL to keep it. */
LsIndexMap *ls_index_map_rename       (LsIndexMap *self,
                                       const char *(*rename) (LsVar *var, gpointer user_data),
                                       gpointer    user_data);
/* Do two maps take the same indices to the same ones (as far as simplification tells)? */
gboolean    ls_index_map_equivalent   (LsIndexMap *self,
                                       LsIndexMap *other,
                                       LsAnalyzer *analyzer);
/* "lambda i, j: (i // 4, j, i % 4,)" (transfer full) */
char       *ls_index_map_to_python    (LsIndexMap *self);

#define LS_INDEX_MAP_ERROR (ls_index_map_error_quark ())
GQuark      ls_index_map_error_quark  (void);
typedef enum {
  LS_INDEX_MAP_ERROR_NOT_BIJECTIVE, /* the map has no inverse over these ranges */
  LS_INDEX_MAP_ERROR_ARITY          /* not as many indices or ranges as the map has */
} LsIndexMapError;

/* ---- regions.c: what a statement reads and writes ------------------------ */

/* TVM's GetBlockAccessRegion for a block: the regions of buffers that are visible outside the block (its own
 * alloc_buffers left out), loops inside relaxed, in order of first access.  `buffers` are the buffers visible at the
 * block (data var -> Buffer), used for opaque accesses.  Implemented with arith's integer sets, so it stands in
 * engine/tir although it is used by script (completion) and schedule. */
void        ls_block_access_region  (LsBlock  *block,
                                     LsArray **reads,       /* (transfer full), of BufferRegion */
                                     LsArray **writes,
                                     LsArray **opaques);    /* or NULL */

/* ---- verify.c ----------------------------------------------------------- */

/* Well-formedness: every variable defined once and used inside its scope, buffers declared, block bindings outside
 * only through iter vars, loop nests legal.  FALSE and findings in `diagnostics` (may be NULL) when not. */
gboolean    ls_verify_prim_func     (LsPrimFunc    *func,
                                     LsDiagnostics *diagnostics);
gboolean    ls_verify_module        (LsModule      *module,
                                     LsDiagnostics *diagnostics);

/* Makes ls_class_get know the classes of tir.  Needed only where classes are listed. */
void ls_tir_register_classes (void);

/* ---- lasting.c: what conditions still say while a statement runs (all borrowed) ---- */

/* ls_analyzer_enter_constraint with those terms of a conjunction that last in `scope`. */
guint       ls_analyzer_enter_in   (LsAnalyzer *analyzer,
                                    LsExpr     *condition,
                                    gpointer    scope);
/* Binds the variable of a loop to its range; to numbers only where its body changes what the range reads. */
void        ls_analyzer_bind_loop  (LsAnalyzer *analyzer,
                                    LsFor      *loop);

/* ---- unrolled loops ---- */

/* More statements than this are not written out of unrolled loops when code is made: the outermost of the loops stays one.  LLVM's
 * scheduler needs time with the square of them (three seconds for a thousand). */
#define LS_MAX_WRITTEN_OUT 1024
/* The statements (stores, evaluations) of `stmt` with each unrolled loop of constant extent written out; G_MAXINT64 where they are more. */
gint64      ls_stmt_count_written_out (gpointer stmt);

G_END_DECLS
