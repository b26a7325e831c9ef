/* ir: the nodes of every intermediate representation and what is done to all of them alike.
 *
 *   dtype      scalar and vector types, as TVM names them ("float32", "int8x4", "bool")
 *   node       header, classes with field tables, references
 *   container  LsArray, LsMap, LsString: lists, attribute dictionaries, texts as nodes
 *   type       PrimType, PointerType, TupleType
 *   expr       PrimExpr nodes: variables, constants, operators, calls
 *   fold       the operators as people use them: types matched, constants folded (TVM's tir/op)
 *   op         the registry of intrinsics ("tir.exp")
 *   walk, rewrite, equal, path, diff, repr    generic algorithms over the field tables
 *   module     GlobalVar, IRModule
 *
 * Nodes are immutable once their constructor has returned, atomically reference
 * counted and structurally shared.  NOUNS TAKE, VERBS BORROW: constructors consume the
 * references that they are given; everything else borrows and returns new references;
 * getters and struct fields are borrowed.  Var, Buffer, GlobalVar and Op are identity
 * nodes: two of them are the same only if they are the same pointer.
 */
#pragma once

#include "engine/base/base.h"

G_BEGIN_DECLS

/* ---- dtype.c ------------------------------------------------------------ */

typedef enum {
  LS_TYPE_INT = 0,
  LS_TYPE_UINT = 1,
  LS_TYPE_FLOAT = 2,
  LS_TYPE_HANDLE = 3,
  LS_TYPE_BFLOAT = 4,
  LS_TYPE_E4M3 = 5,             /* float8_e4m3fn; from here on names only: processors do not compute with them */
  LS_TYPE_E5M2,                 /* float8_e5m2 */
  LS_TYPE_E3M4,                 /* ORDER NARROW */
  LS_TYPE_E4M3_IEEE,
  LS_TYPE_E4M3B11FNUZ,
  LS_TYPE_E4M3FNUZ,
  LS_TYPE_E5M2FNUZ,
  LS_TYPE_E8M0FNU,
  LS_TYPE_E2M3FN,               /* 6 bits */
  LS_TYPE_E3M2FN,
  LS_TYPE_E2M1FN                /* 4 bits */
} LsTypeCode;

/* DLPack's triple.  bool is UINT of 1 bit; void is HANDLE of 0 bits and 0 lanes.  A vector of n * vscale lanes has the
 * lanes -n as a 16-bit number (TVM's scalable types). */
typedef struct {
  guint8  code;
  guint8  bits;
  guint16 lanes;
} LsDType;

#define LS_DTYPE(c, b) ((LsDType) { (c), (b), 1 })
#define LS_INT32   LS_DTYPE (LS_TYPE_INT, 32)
#define LS_INT64   LS_DTYPE (LS_TYPE_INT, 64)
#define LS_BOOL    LS_DTYPE (LS_TYPE_UINT, 1)
#define LS_FLOAT32 LS_DTYPE (LS_TYPE_FLOAT, 32)
#define LS_FLOAT64 LS_DTYPE (LS_TYPE_FLOAT, 64)
#define LS_HANDLE  LS_DTYPE (LS_TYPE_HANDLE, 64)
#define LS_VOID    ((LsDType) { LS_TYPE_HANDLE, 0, 0 })

static inline gboolean
ls_dtype_equal (LsDType a, LsDType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

static inline LsDType
ls_dtype_with_lanes (LsDType t, guint lanes)
{
  t.lanes = (guint16) lanes;
  return t;
}

static inline gboolean
ls_dtype_is_scalable (LsDType t)
{
  return (gint16) t.lanes < 0;
}

/* n of a vector of n * vscale lanes */
static inline guint
ls_dtype_vscale_factor (LsDType t)
{
  return (guint) - (gint16) t.lanes;
}

static inline LsDType
ls_dtype_element (LsDType t)
{
  return ls_dtype_with_lanes (t, 1);
}

static inline gboolean ls_dtype_is_int   (LsDType t) { return t.code == LS_TYPE_INT; }
static inline gboolean ls_dtype_is_uint  (LsDType t) { return t.code == LS_TYPE_UINT; }
static inline gboolean ls_dtype_is_bool  (LsDType t) { return t.code == LS_TYPE_UINT && t.bits == 1; }
static inline gboolean ls_dtype_is_float (LsDType t) { return t.code == LS_TYPE_FLOAT || t.code >= LS_TYPE_BFLOAT; }
static inline gboolean ls_dtype_is_handle (LsDType t) { return t.code == LS_TYPE_HANDLE && t.bits > 0; }
static inline gboolean ls_dtype_is_void  (LsDType t) { return t.code == LS_TYPE_HANDLE && t.bits == 0; }
/* int32 or int64, one lane: what indices are made of */
static inline gboolean ls_dtype_is_index (LsDType t) { return t.code == LS_TYPE_INT && t.lanes == 1 && (t.bits == 32 || t.bits == 64); }

/* Bytes of one element with all its lanes; bool takes one byte. */
guint    ls_dtype_bytes  (LsDType     t);
/* TVM's name: "float32", "int8x4", "bool", "handle", "void". Interned, never freed. */
const char *ls_dtype_name (LsDType    t);
/* Reads such a name.  FALSE when it is none. */
gboolean ls_dtype_parse  (const char *name,
                          LsDType    *out);
/* The lowest and highest value of an integer type (int64 range; uint64 is clipped). */
gint64   ls_dtype_int_min (LsDType    t);
gint64   ls_dtype_int_max (LsDType    t);
/* The largest finite value of a float type. */
double   ls_dtype_float_max (LsDType    t);

/* ---- node.c ------------------------------------------------------------- */

typedef struct _LsNode      LsNode;
typedef struct _LsNodeClass LsNodeClass;

/* X (Name, STEM): the struct is Ls<Name> or one shared with siblings (LsBinary). */
#define LS_KINDS(X) \
  /* containers and types */ \
  X (Array, ARRAY) X (Map, MAP) X (String, STRING) X (Tensor, TENSOR) \
  X (PrimType, PRIM_TYPE) X (PointerType, POINTER_TYPE) X (TupleType, TUPLE_TYPE) \
  X (Range, RANGE) X (Op, OP) X (GlobalVar, GLOBAL_VAR) X (Module, MODULE) \
  /* expressions */ \
  X (Var, VAR) X (SizeVar, SIZE_VAR) X (IntImm, INT_IMM) X (FloatImm, FLOAT_IMM) \
  X (StringImm, STRING_IMM) X (Cast, CAST) \
  X (Add, ADD) X (Sub, SUB) X (Mul, MUL) X (Div, DIV) X (Mod, MOD) \
  X (FloorDiv, FLOOR_DIV) X (FloorMod, FLOOR_MOD) X (Min, MIN) X (Max, MAX) \
  X (EQ, EQ) X (NE, NE) X (LT, LT) X (LE, LE) X (GT, GT) X (GE, GE) \
  X (And, AND) X (Or, OR) X (Not, NOT) X (Select, SELECT) \
  X (Ramp, RAMP) X (Broadcast, BROADCAST) X (Let, LET) X (Call, CALL) X (Shuffle, SHUFFLE) \
  /* expressions that arith makes while it works */ \
  X (IterMark, ITER_MARK) X (IterSplit, ITER_SPLIT) X (IterSum, ITER_SUM) \
  X (SplitExpr, SPLIT_EXPR) X (SumExpr, SUM_EXPR) \
  /* tir */ \
  X (IterVar, ITER_VAR) X (Buffer, BUFFER) X (BufferRegion, BUFFER_REGION) \
  X (MatchBufferRegion, MATCH_BUFFER_REGION) \
  X (BufferLoad, BUFFER_LOAD) X (ProducerLoad, PRODUCER_LOAD) X (CommReducer, COMM_REDUCER) X (Reduce, REDUCE) \
  X (LetStmt, LET_STMT) X (AttrStmt, ATTR_STMT) X (AssertStmt, ASSERT_STMT) \
  X (BufferStore, BUFFER_STORE) X (BufferRealize, BUFFER_REALIZE) \
  X (Allocate, ALLOCATE) X (AllocateConst, ALLOCATE_CONST) X (DeclBuffer, DECL_BUFFER) \
  X (SeqStmt, SEQ_STMT) X (IfThenElse, IF_THEN_ELSE) X (Evaluate, EVALUATE) \
  X (For, FOR) X (While, WHILE) X (Block, BLOCK) X (BlockRealize, BLOCK_REALIZE) \
  X (PrimFunc, PRIM_FUNC) X (IndexMap, INDEX_MAP) \
  /* te */ \
  X (TeOperation, TE_OPERATION) X (TeTensor, TE_TENSOR) \
  /* relax */ \
  X (TensorStructInfo, TENSOR_STRUCT_INFO) X (ShapeStructInfo, SHAPE_STRUCT_INFO) X (PrimStructInfo, PRIM_STRUCT_INFO) \
  X (TupleStructInfo, TUPLE_STRUCT_INFO) X (FuncStructInfo, FUNC_STRUCT_INFO) X (DTensorStructInfo, DTENSOR_STRUCT_INFO) \
  X (ObjectStructInfo, OBJECT_STRUCT_INFO) X (DeviceMesh, DEVICE_MESH) X (PlacementSpec, PLACEMENT_SPEC) X (Placement, PLACEMENT) \
  X (RelaxVar, RELAX_VAR) X (DataflowVar, DATAFLOW_VAR) X (Constant, CONSTANT) X (PrimValue, PRIM_VALUE) \
  X (RelaxString, RELAX_STRING) X (DataTypeImm, DATA_TYPE_IMM) X (ShapeExpr, SHAPE_EXPR) X (RelaxTuple, RELAX_TUPLE) \
  X (TupleGetItem, TUPLE_GET_ITEM) X (RelaxOp, RELAX_OP) X (ExternFunc, EXTERN_FUNC) X (RelaxCall, RELAX_CALL) \
  X (RelaxIf, RELAX_IF) X (SeqExpr, SEQ_EXPR) X (BindingBlock, BINDING_BLOCK) X (DataflowBlock, DATAFLOW_BLOCK) \
  X (VarBinding, VAR_BINDING) X (MatchCast, MATCH_CAST) X (Function, FUNCTION) \
  /* relax: patterns of dataflow */ \
  X (ExprPattern, EXPR_PATTERN) X (VarPattern, VAR_PATTERN) X (DataflowVarPattern, DATAFLOW_VAR_PATTERN) \
  X (GlobalVarPattern, GLOBAL_VAR_PATTERN) X (ExternFuncPattern, EXTERN_FUNC_PATTERN) X (ConstantPattern, CONSTANT_PATTERN) \
  X (CallPattern, CALL_PATTERN) X (FunctionPattern, FUNCTION_PATTERN) X (TuplePattern, TUPLE_PATTERN) \
  X (UnorderedTuplePattern, UNORDERED_TUPLE_PATTERN) X (TupleGetItemPattern, TUPLE_GET_ITEM_PATTERN) \
  X (OrPattern, OR_PATTERN) X (AndPattern, AND_PATTERN) X (NotPattern, NOT_PATTERN) X (WildcardPattern, WILDCARD_PATTERN) \
  X (StructInfoPattern, STRUCT_INFO_PATTERN) X (ShapePattern, SHAPE_PATTERN) X (DataTypePattern, DATA_TYPE_PATTERN) \
  X (AttrPattern, ATTR_PATTERN) X (PrimArrPattern, PRIM_ARR_PATTERN) X (SameShapeConstraint, SAME_SHAPE_CONSTRAINT)

typedef enum {
#define X(name, stem) LS_KIND_##stem,
  LS_KINDS (X)
#undef X
} LsKind;

typedef enum {
  LS_FIELD_NODE,                /* LsNode *, NULL allowed: a child */
  LS_FIELD_INT,                 /* gint64 */
  LS_FIELD_FLOAT,               /* double */
  LS_FIELD_BOOL,                /* gboolean */
  LS_FIELD_STRING,              /* char *, owned, NULL allowed */
  LS_FIELD_DTYPE,               /* LsDType */
  LS_FIELD_ENUM                 /* int, with names in enum_names */
} LsFieldType;

typedef enum {
  LS_FIELD_PLAIN = 0,
  LS_FIELD_BINDS = 1 << 0,      /* variables or buffers that this field names are bound in the fields after it */
  LS_FIELD_HINT  = 1 << 1,      /* a name for people: no part of equality */
} LsFieldFlags;

typedef struct {
  const char  *name;            /* TVM's attribute name: "loop_var" */
  LsFieldType  type;
  gsize        offset;
  guint        flags;           /* LsFieldFlags */
  const char *const *enum_names;
} LsField;

typedef enum {
  LS_CLASS_PLAIN = 0,
  LS_CLASS_IDENTITY = 1 << 0,   /* equal only to itself; walk and rewrite do not go inside */
  LS_CLASS_EXPR = 1 << 1,       /* the struct starts with LsExpr */
  LS_CLASS_STMT = 1 << 2,
  LS_CLASS_BINARY = 1 << 3,     /* the struct is LsBinary */
} LsClassFlags;

struct _LsNodeClass {
  LsKind         kind;
  const char    *name;          /* TVM's name of the class: "For" */
  gsize          size;
  guint          flags;         /* LsClassFlags */
  const LsField *fields;
  guint          n_fields;
};

/* The header of every node. */
struct _LsNode {
  const LsNodeClass *klass;
  gatomicrefcount    refs;
  guint32            hash;      /* structural, names left out; filled by ls_node_finish */
  guint32            facts;     /* LsFacts */
  LsSpan             span;      /* no part of equality */
};

/* Bottom-up facts: the node or something below it ... */
typedef enum {
  LS_FACT_HAS_VAR = 1 << 0,     /* ... is a Var or SizeVar */
  LS_FACT_HAS_LOAD = 1 << 1,    /* ... is a BufferLoad or ProducerLoad */
  LS_FACT_HAS_CALL = 1 << 2,    /* ... is a Call */
  LS_FACT_HAS_BLOCK = 1 << 3,   /* ... is a Block */
  LS_FACT_HAS_REDUCTION = 1 << 4, /* ... is a Block with an init, or a Reduce */
} LsFacts;

/* The upper bits of the facts: each identity node (Var, Buffer, ...) has one of them, by its address, and so has all
 * that holds it.  Where the bit is missing, the node is not inside. */
#define LS_FACT_INSIDE_SHIFT 8
#define LS_FACTS_INSIDE (~0u << LS_FACT_INSIDE_SHIFT)
#define ls_may_hold(node, identity) ((LS_NODE (node)->facts & LS_NODE (identity)->facts & LS_FACTS_INSIDE) != 0)

#define LS_NODE(n) ((LsNode *) (n))
#define ls_kind(n) (((const LsNode *) (n))->klass->kind)
#define ls_is(n, STEM) ((n) != NULL && ls_kind (n) == LS_KIND_##STEM)

/* Allocates a zeroed node of a class with one reference.  The caller fills in the fields,
 * then calls ls_node_finish.  For constructors only. */
gpointer     ls_node_alloc     (const LsNodeClass *klass);
/* Computes hash and facts; after it the node never changes.  Returns `node`. */
gpointer     ls_node_finish    (gpointer           node);
static inline LsNode *
ls_node_ref (LsNode *node)                                    /* NULL stays NULL */
{
  if (node != NULL)
    g_atomic_int_inc (&node->refs);
  return node;
}
void         ls_node_unref     (LsNode            *node);     /* NULL allowed; long chains do not overflow the stack */
#define ls_ref(n) ((__typeof__ (n)) ls_node_ref ((LsNode *) (n)))
#define ls_unref(n) ls_node_unref ((LsNode *) (n))
/* Puts a span on a node that nobody else has seen yet (parser). Returns `node`. */
gpointer     ls_node_set_span  (gpointer           node,
                                LsSpan             span);
/* The class of a kind (from the table that the modules fill in at compile time). */
const LsNodeClass *ls_class_get (LsKind            kind);
/* Children: for a plain node its NODE fields in order, for an Array its items, for a Map its values. */
guint        ls_node_get_n_children (const LsNode *node);
LsNode      *ls_node_get_child      (const LsNode *node,
                                     guint         i);       /* borrowed, may be NULL */
/* Role of child i: field name, "[3]" or "[\"key\"]". (transfer full) */
char        *ls_node_dup_child_role (const LsNode *node,
                                     guint         i);
/* A copy of `node` in which child i is `child` (borrowed).  Same pointer (new reference) if nothing changes. */
LsNode      *ls_node_with_child     (LsNode       *node,
                                     guint         i,
                                     LsNode       *child);
/* A copy of a plain node with all its children replaced (borrowed array of ls_node_get_n_children entries). */
LsNode      *ls_node_with_children  (LsNode       *node,
                                     LsNode      **children);

#define LS_DEFINE_CLEANUP(Type) \
  static inline void Type##_cleanup_unref (Type *p) { ls_node_unref ((LsNode *) p); } \
  G_DEFINE_AUTOPTR_CLEANUP_FUNC (Type, Type##_cleanup_unref)

LS_DEFINE_CLEANUP (LsNode)

/* Swaps a reference held in *slot for `fresh` (taken). */
#define ls_take(slot, fresh) G_STMT_START { __typeof__ (*(slot)) _old = *(slot); *(slot) = (fresh); ls_unref (_old); } G_STMT_END

/* ---- container.c -------------------------------------------------------- */

/* An immutable list of nodes; NULL items are allowed. */
typedef struct {
  LsNode   node;
  guint    n;
  LsNode **items;
} LsArray;

/* An immutable dictionary with text keys, sorted by key (bytes). */
typedef struct {
  LsNode   node;
  guint    n;
  char   **keys;
  LsNode **values;
} LsMap;

/* A text as an attribute value or dictionary entry. */
typedef struct {
  LsNode node;
  char  *value;
} LsString;

/* Constant data (metadata, allocate_const): shape and raw little-endian bytes, C order. */
typedef struct {
  LsNode   node;
  LsDType  dtype;
  LsArray *shape;               /* of IntImm */
  GBytes  *data;
} LsTensor;

LS_DEFINE_CLEANUP (LsArray)
LS_DEFINE_CLEANUP (LsMap)
LS_DEFINE_CLEANUP (LsString)
LS_DEFINE_CLEANUP (LsTensor)

/* Takes the references in items[0..n); the array itself stays the caller's. */
LsArray    *ls_array_new      (gpointer       items,
                               guint          n);
/* Of a NULL-terminated argument list; each reference is taken. */
LsArray    *ls_array_of       (gpointer       first,
                               ...) G_GNUC_NULL_TERMINATED;
/* Takes all items out of `items` (a GPtrArray of references) and frees it. */
LsArray    *ls_array_take_ptr_array (GPtrArray *items);
LsArray    *ls_array_empty    (void);         /* (transfer full) */
/* Verbs: borrow, return new references. */
LsArray    *ls_array_append   (LsArray       *self,
                               gpointer       item);
LsArray    *ls_array_with     (LsArray       *self,
                               guint          i,
                               gpointer       item);
LsArray    *ls_array_remove   (LsArray       *self,
                               guint          i);
LsArray    *ls_array_insert   (LsArray       *self,
                               guint          i,
                               gpointer       item);
/* `type` *: item i, borrowed */
#define ls_array_at(array, i, type) ((type *) (array)->items[i])
/* Where two arrays (NULL: empty) differ, by pointer: items first .. first + n - 1 of each. */
void        ls_array_difference (LsArray      *a,
                                 LsArray      *b,
                                 guint        *first,
                                 guint        *n_a,
                                 guint        *n_b);
#define ls_array_n(array) ((array) != NULL ? (array)->n : 0u)
gint        ls_array_index_of (LsArray       *self,
                               gpointer       item);        /* by pointer; -1 */
/* The same items, by pointer, in the same order. */
gboolean    ls_array_same_items (LsArray      *a,
                               LsArray       *b);

LsMap      *ls_map_empty      (void);
/* Takes the value references; keys are copied.  A key that occurs twice keeps the last value. */
LsMap      *ls_map_new        (const char   **keys,
                               gpointer       values,
                               guint          n);
LsNode     *ls_map_get        (LsMap         *self,         /* NULL allowed */
                               const char    *key);         /* borrowed or NULL */
LsMap      *ls_map_set        (LsMap         *self,
                               const char    *key,
                               gpointer       value);       /* borrowed, NULL for None; a new map */
LsMap      *ls_map_remove     (LsMap         *self,
                               const char    *key);

LsString   *ls_string_new     (const char    *value);
LsTensor   *ls_tensor_new     (LsDType        dtype,
                               LsArray       *shape,
                               GBytes        *data);        /* takes shape and data */

/* ---- type.c ------------------------------------------------------------- */

typedef LsNode LsType;          /* PrimType, PointerType or TupleType */

typedef struct {
  LsNode  node;
  LsDType dtype;
} LsPrimType;

typedef struct {
  LsNode  node;
  LsType *element_type;
  char   *storage_scope;        /* "" where none was given */
} LsPointerType;

typedef struct {
  LsNode   node;
  LsArray *fields;              /* none: void */
} LsTupleType;

LsType *ls_prim_type_new    (LsDType     dtype);
LsType *ls_pointer_type_new (LsType     *element_type,
                             const char *storage_scope);
LsType *ls_tuple_type_new   (LsArray    *fields);
LsType *ls_void_type_new    (void);

/* ---- expr.c ------------------------------------------------------------- */

/* The head of every PrimExpr. */
typedef struct {
  LsNode  node;
  LsDType dtype;
} LsExpr;

#define LS_EXPR(n) ((LsExpr *) (n))
#define ls_dtype(e) (((const LsExpr *) (e))->dtype)

typedef struct { LsExpr expr; char *name; LsType *type_annotation; } LsVar;   /* Var and SizeVar */
typedef struct { LsExpr expr; gint64 value; } LsIntImm;       /* bool too; uint64 as its bit pattern */
typedef struct { LsExpr expr; double value; } LsFloatImm;
typedef struct { LsExpr expr; char *value; } LsStringImm;
typedef struct { LsExpr expr; LsExpr *value; } LsCast;
typedef struct { LsExpr expr; LsExpr *a; LsExpr *b; } LsBinary;               /* Add .. Or */
typedef struct { LsExpr expr; LsExpr *a; } LsNot;
typedef struct { LsExpr expr; LsExpr *condition; LsExpr *true_value; LsExpr *false_value; } LsSelect;
typedef struct { LsExpr expr; LsExpr *base; LsExpr *stride; LsExpr *lanes; } LsRamp;
typedef struct { LsExpr expr; LsExpr *value; LsExpr *lanes; } LsBroadcast;
typedef struct { LsExpr expr; LsVar *var; LsExpr *value; LsExpr *body; } LsLet;
typedef struct { LsExpr expr; LsNode *op; LsArray *args; } LsCall;            /* op: Op, GlobalVar or StringImm */
typedef struct { LsExpr expr; LsArray *vectors; LsArray *indices; } LsShuffle;
typedef struct { LsNode node; LsExpr *min; LsExpr *extent; } LsRange;

LS_DEFINE_CLEANUP (LsExpr)
LS_DEFINE_CLEANUP (LsVar)
LS_DEFINE_CLEANUP (LsRange)
LS_DEFINE_CLEANUP (LsCall)
LS_DEFINE_CLEANUP (LsIntImm)

LsVar    *ls_var_new        (const char *name,
                             LsDType     dtype);
/* With a type (pointers): dtype follows from it. Takes `type`. */
LsVar    *ls_var_new_typed  (const char *name,
                             LsType     *type);
LsVar    *ls_size_var_new   (const char *name,
                             LsDType     dtype);
/* A new variable of the same kind and type with another name (NULL: the same). */
LsVar    *ls_var_copy       (LsVar      *var,
                             const char *name);
#define ls_is_var(n) (ls_is (n, VAR) || ls_is (n, SIZE_VAR))

LsExpr   *ls_int_imm_new    (LsDType     dtype,
                             gint64      value);            /* wraps to the type's width */
LsExpr   *ls_float_imm_new  (LsDType     dtype,
                             double      value);            /* kept as a double, as TVM does: T.float32(0.1) prints 0.1; round where it is computed with */
LsExpr   *ls_string_imm_new (const char *value);
LsExpr   *ls_int            (gint64      value);            /* int32 */
LsExpr   *ls_bool           (gboolean    value);
/* A constant of any scalar or vector (Broadcast) type. */
LsExpr   *ls_const_int      (LsDType     dtype,
                             gint64      value);
LsExpr   *ls_const_float    (LsDType     dtype,
                             double      value);

/* Raw constructors: no folding, no type matching (the caller has matched them).  Take their arguments. */
LsExpr   *ls_cast_new       (LsDType     dtype,
                             LsExpr     *value);
LsExpr   *ls_binary_new     (LsKind      kind,
                             LsExpr     *a,
                             LsExpr     *b);
LsExpr   *ls_not_new        (LsExpr     *a);
LsExpr   *ls_select_new     (LsExpr     *condition,
                             LsExpr     *true_value,
                             LsExpr     *false_value);
LsExpr   *ls_ramp_new       (LsExpr     *base,
                             LsExpr     *stride,
                             LsExpr     *lanes);
LsExpr   *ls_broadcast_new  (LsExpr     *value,
                             LsExpr     *lanes);
/* A scalar spread over the lanes of a type, vscale () times a number too; the scalar itself for one lane. */
LsExpr   *ls_broadcast_like (LsDType     dtype,
                             LsExpr     *value);
LsExpr   *ls_let_new        (LsVar      *var,
                             LsExpr     *value,
                             LsExpr     *body);
LsExpr   *ls_call_new       (LsDType     dtype,
                             gpointer    op,
                             LsArray    *args);
LsExpr   *ls_shuffle_new    (LsArray    *vectors,
                             LsArray    *indices);
LsRange  *ls_range_new      (LsExpr     *min,
                             LsExpr     *extent);

/* Reads a constant.  FALSE if the expression is none. */
gboolean  ls_as_int         (const void *expr,
                             gint64     *value);
gboolean  ls_is_int_value   (const void *expr,
                             gint64      value);
#define ls_is_zero(e) ls_is_int_value ((e), 0)
#define ls_is_one(e) ls_is_int_value ((e), 1)

static inline gboolean
ls_kind_is_binary (LsKind kind)
{
  return kind >= LS_KIND_ADD && kind <= LS_KIND_OR;
}

static inline gboolean
ls_kind_is_compare (LsKind kind)
{
  return kind >= LS_KIND_EQ && kind <= LS_KIND_GE;
}

/* ---- fold.c: operators as TVM's: operands cast to a common type, constants folded,
 *      neutral elements dropped.  All take their arguments. -------------------- */

LsExpr   *ls_binary         (LsKind      kind,
                             LsExpr     *a,
                             LsExpr     *b);
#define ls_add(a, b) ls_binary (LS_KIND_ADD, (a), (b))
#define ls_sub(a, b) ls_binary (LS_KIND_SUB, (a), (b))
#define ls_mul(a, b) ls_binary (LS_KIND_MUL, (a), (b))
#define ls_truncdiv(a, b) ls_binary (LS_KIND_DIV, (a), (b))
#define ls_truncmod(a, b) ls_binary (LS_KIND_MOD, (a), (b))
#define ls_floordiv(a, b) ls_binary (LS_KIND_FLOOR_DIV, (a), (b))
#define ls_floormod(a, b) ls_binary (LS_KIND_FLOOR_MOD, (a), (b))
#define ls_min(a, b) ls_binary (LS_KIND_MIN, (a), (b))
#define ls_max(a, b) ls_binary (LS_KIND_MAX, (a), (b))
#define ls_eq(a, b) ls_binary (LS_KIND_EQ, (a), (b))
#define ls_ne(a, b) ls_binary (LS_KIND_NE, (a), (b))
#define ls_lt(a, b) ls_binary (LS_KIND_LT, (a), (b))
#define ls_le(a, b) ls_binary (LS_KIND_LE, (a), (b))
#define ls_gt(a, b) ls_binary (LS_KIND_GT, (a), (b))
#define ls_ge(a, b) ls_binary (LS_KIND_GE, (a), (b))
#define ls_and(a, b) ls_binary (LS_KIND_AND, (a), (b))
#define ls_or(a, b) ls_binary (LS_KIND_OR, (a), (b))
LsExpr   *ls_not            (LsExpr     *a);
LsExpr   *ls_neg            (LsExpr     *a);
LsExpr   *ls_cast           (LsDType     dtype,
                             LsExpr     *value);            /* same type: the value itself; constants folded, unless the type does not hold them */
/* The value of float type t that is nearest. */
double    ls_dtype_round    (LsDType     t,
                             double      value);
/* The folded constant of kind (a, b), or NULL when nothing folds.  Borrows; operands have one type. */
LsExpr   *ls_try_fold       (LsKind      kind,
                             LsExpr     *a,
                             LsExpr     *b);
/* Are both integer constants, and is the exact result of + - * or a division none of their type?  What folds then is
 * the program's own wrapping; an algorithm that made the constants up must not use it. */
gboolean  ls_fold_overflows (LsKind     kind,
                             LsExpr     *a,
                             LsExpr     *b);
/* Casts the two operands to a common type in place (TVM's BinaryOpMatchTypes).  FALSE when there is none. */
gboolean  ls_match_types    (LsExpr    **a,
                             LsExpr    **b);
LsExpr   *ls_if_then_else   (LsExpr     *condition,
                             LsExpr     *then_value,
                             LsExpr     *else_value);       /* tir.if_then_else; folds a constant condition */
LsExpr   *ls_likely         (LsExpr     *condition);
/* Floor division and modulo on numbers; b != 0. */
gint64    ls_floordiv_i64   (gint64      a,
                             gint64      b);
gint64    ls_floormod_i64   (gint64      a,
                             gint64      b);

/* ---- op.c --------------------------------------------------------------- */

typedef enum {
  LS_EFFECT_ANNOTATION,         /* kExprAnnotation: likely */
  LS_EFFECT_PURE,
  LS_EFFECT_READ_STATE,
  LS_EFFECT_UPDATE_STATE,
  LS_EFFECT_SPECIAL,            /* kSpecialCallArg: type_annotation */
  LS_EFFECT_EMBED_INFO,
  LS_EFFECT_CONTROL,            /* kControlJump: ret */
  LS_EFFECT_OPAQUE
} LsEffect;

typedef struct {
  LsNode     node;
  const char *name;             /* "tir.exp" */
  const char *script_name;      /* "exp": what stands behind T. */
  int         n_args;           /* -1: any number */
  LsEffect    effect;
} LsOp;

/* The registered intrinsic of this name ("tir.exp"), or NULL. Borrowed, lives for ever. */
LsOp     *ls_op_get         (const char *name);
/* By the name behind "T." in scripts. */
LsOp     *ls_op_get_script  (const char *script_name);
/* All of them, in the table's order. */
LsOp *const *ls_op_list     (guint      *n);
/* A call of an intrinsic; takes `args`. */
LsExpr   *ls_call_op        (const char *name,
                             LsDType     dtype,
                             LsArray    *args);
/* Is the expression a call of this intrinsic? */
gboolean  ls_is_call        (const void *expr,
                             const char *name);

/* ---- walk.c ------------------------------------------------------------- */

typedef enum { LS_WALK_CONTINUE, LS_WALK_PRUNE, LS_WALK_STOP } LsWalk;
typedef LsWalk (*LsEnterFunc) (LsNode *node, gpointer user_data);
typedef void   (*LsLeaveFunc) (LsNode *node, gpointer user_data);

/* Pre-order over all children (identity nodes are visited as leaves); `leave` (or NULL) after the
 * children.  FALSE when stopped. */
gboolean  ls_walk           (gpointer    root,
                             LsEnterFunc enter,
                             LsLeaveFunc leave,
                             gpointer    user_data);
/* Does this identity node (by pointer; a Var, Buffer, ...) occur below `root`? */
gboolean  ls_uses           (gpointer    root,
                             gpointer    identity);
/* Does any Var for which the function says TRUE occur? (NULL: any at all) */
gboolean  ls_uses_var       (gpointer    root,
                             gboolean  (*is) (LsVar *, gpointer),
                             gpointer    user_data);

/* ---- rewrite.c ---------------------------------------------------------- */

typedef struct _LsRewriter LsRewriter;
/* Returns a reference: the same node, another one, or NULL to drop it from a list. */
typedef LsNode *(*LsRewriteFunc) (LsRewriter *rewriter, LsNode *node, gpointer user_data);

struct _LsRewriter {
  LsRewriteFunc filter;
  gpointer      user_data;
  GHashTable   *memo;           /* node -> result, or NULL: no memo (filters that depend on context) */
  void        (*on_replace) (LsNode *old, LsNode *fresh, gpointer user_data);
};

/* Runs the filter on `node` (with memo).  Borrowed in, new reference out; NULL in, NULL out. */
LsNode   *ls_rewrite         (LsRewriter *self,
                              gpointer    node);
/* Runs the filter on all children; the SAME pointer comes back when none changed.  Does not go into
 * identity nodes.  Nodes are rebuilt without folding, as TVM's mutators do. */
LsNode   *ls_rewrite_default (LsRewriter *self,
                              gpointer    node);
/* One call with a throw-away rewriter. */
LsNode   *ls_rewrite_with    (gpointer      node,
                              LsRewriteFunc filter,
                              gpointer      user_data);
/* Replaces identity nodes (Var, Buffer) by the values of a GHashTable pointer -> LsNode (borrowed).
 * Replaces uses only of what is in the table; binders are replaced too if the value is of the same kind. */
LsNode   *ls_substitute      (gpointer    node,
                              GHashTable *map);
/* What the facts of a node have in common with that when a key of the table may be inside; else it can be left out. */
guint32   ls_facts_of_keys   (GHashTable *map);
LsNode   *ls_substitute_one  (gpointer    node,
                              gpointer    from,
                              gpointer    to);

/* ---- equal.c ------------------------------------------------------------ */

/* Structural equality up to the names of bound variables (TVM's StructuralEqual).  With map_free, variables
 * that are bound nowhere are matched too, first come.  On inequality *mismatch_a / *mismatch_b (may be NULL)
 * get the printed paths of the first place that differs (transfer full). */
gboolean  ls_structural_equal (gpointer   a,
                               gpointer   b,
                               gboolean   map_free,
                               char     **mismatch_a,
                               char     **mismatch_b);
/* Equality of expressions where variables are the same only by identity (TVM's ExprDeepEqual). Fast. */
gboolean  ls_deep_equal       (const void *a,
                               const void *b);
/* A hash that goes with it: other than the structural one, it tells variables apart by their addresses, those among the first few nodes.
 * Not the same in another run. */
guint     ls_deep_hash        (const void *expr);

/* ---- path.c ------------------------------------------------------------- */

/* A position: the child number at each level below a root.  A pointer is none, because a shared subtree
 * can occur more than once.  Plain value, owned by whoever made it. */
typedef struct {
  guint   n;
  guint32 steps[];
} LsPath;

LsPath   *ls_path_new       (const guint32 *steps,
                             guint          n);
void      ls_path_free      (LsPath        *self);
LsPath   *ls_path_copy      (const LsPath  *self);
gboolean  ls_path_equal     (const LsPath  *a,
                             const LsPath  *b);
/* The node at a path below root, borrowed; NULL when the path leaves the tree. */
LsNode   *ls_path_get       (const LsPath  *self,
                             gpointer       root);
/* `root` with the node at the path replaced (borrowed); only the ancestors are rebuilt. */
LsNode   *ls_path_replace   (const LsPath  *self,
                             gpointer       root,
                             gpointer       sub);
/* The path of the first occurrence of a pointer below root, or NULL. (transfer full) */
LsPath   *ls_path_find      (gpointer       root,
                             gpointer       node);
/* The same where only what `enter` says TRUE to is looked into. */
typedef gboolean (*LsPathEnter) (LsNode *node, gpointer user_data);
LsPath   *ls_path_find_in   (gpointer       root,
                             gpointer       node,
                             LsPathEnter    enter,
                             gpointer       user_data);
/* ".functions["main"].body.block.body[0]"-like text; root gives the names. (transfer full) */
char     *ls_path_print     (const LsPath  *self,
                             gpointer       root);
LsPath   *ls_path_parse     (const char    *text,
                             gpointer       root);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPath, ls_path_free)

/* ---- diff.c ------------------------------------------------------------- */

typedef enum { LS_DIFF_KEEP, LS_DIFF_CHANGE, LS_DIFF_INSERT, LS_DIFF_DELETE } LsDiffOp;
typedef void (*LsDiffFunc) (LsDiffOp op, const LsPath *a, const LsPath *b, gpointer user_data);

/* Compares two trees: equal pointers stop, same kinds go field by field, lists by Myers' algorithm with a cost
 * cap.  Calls `func` for each maximal difference.  TRUE when there is none. */
gboolean  ls_diff           (gpointer    a,
                             gpointer    b,
                             LsDiffFunc  func,
                             gpointer    user_data);

/* ---- repr.c ------------------------------------------------------------- */

/* Any node as text from its field table, for debugging and errors of lower layers; not TVMScript.
 * `depth` limits the nesting shown (0: no limit). (transfer full) */
char     *ls_repr           (gpointer    node,
                             guint       depth);
/* The same tree as JSON text. (transfer full) */
char     *ls_repr_json      (gpointer    node);

/* ---- module.c ----------------------------------------------------------- */

typedef struct { LsNode node; char *name_hint; } LsGlobalVar;

typedef struct {
  LsNode   node;
  LsArray *global_vars;         /* of GlobalVar, in the order in which they came */
  LsArray *functions;           /* PrimFunc, ...: same order */
  LsMap   *attrs;               /* module attributes, or NULL */
  LsMap   *global_infos;        /* or NULL */
} LsModule;

LS_DEFINE_CLEANUP (LsGlobalVar)
LS_DEFINE_CLEANUP (LsModule)

LsGlobalVar *ls_global_var_new     (const char  *name_hint);
LsModule    *ls_module_new         (LsArray     *global_vars,
                                    LsArray     *functions,
                                    LsMap       *attrs,
                                    LsMap       *global_infos);
/* The function of this name, borrowed, or NULL. */
LsNode      *ls_module_get         (LsModule    *self,
                                    const char  *name);
LsGlobalVar *ls_module_get_global_var (LsModule *self,
                                    const char  *name);
/* A new module in which this function is replaced or, when the name is new, added. */
LsModule    *ls_module_with        (LsModule    *self,
                                    const char  *name,
                                    gpointer     function);
LsModule    *ls_module_without     (LsModule    *self,
                                    const char  *name);

G_END_DECLS
