/* relax/dpl: patterns of dataflow, TVM's relax.dpl.
 *
 *   pattern        the patterns: nodes, each equal to itself only, so that one that occurs twice means the same expression
 *   print          a pattern as text
 *   text           a pattern out of a text as Python has it
 *   match          does an expression fit a pattern, and what fits each part of it
 *   context        which pattern is used by which, and which have the same shape
 *   match-block    variables of a dataflow block that stand to each other as the patterns of a context do
 *   rewriter       rules: what takes the place of what fits
 *   rewrite        functions with rules applied until nothing changes
 *
 * Where a value is looked at, a variable stands for what it is bound to; wildcards get that value too.
 */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* ---- pattern.c ---------------------------------------------------------- */

typedef LsNode LsPattern;

typedef struct { LsNode node; LsNode *expr; } LsExprPattern;                    /* RelaxOp: is_op */
typedef struct { LsNode node; char *name; } LsNamePattern;                      /* Var, DataflowVar, GlobalVar, ExternFunc; "": any */
typedef struct { LsNode node; } LsPlainPattern;                                 /* Constant, Wildcard */
typedef struct {
  LsNode     node;
  LsPattern *op;
  LsArray   *args;
  gboolean   varg_default_wildcard;     /* more arguments may follow */
} LsCallPattern;
typedef struct { LsNode node; LsArray *params; LsPattern *body; } LsFunctionPattern;
typedef struct { LsNode node; LsArray *fields; } LsFieldsPattern;               /* Tuple, UnorderedTuple; PrimArr: of expressions */
typedef struct { LsNode node; LsPattern *tuple; gint64 index; } LsTupleGetItemPattern;  /* -1: any */
typedef struct { LsNode node; LsPattern *left, *right; } LsPairPattern;         /* Or, And */
typedef struct { LsNode node; LsPattern *reject; } LsNotPattern;
typedef struct { LsNode node; LsPattern *pattern; LsStructInfo *struct_info; } LsStructInfoPattern;
typedef struct { LsNode node; LsPattern *pattern; LsArray *shape; } LsShapePattern;
typedef struct { LsNode node; LsPattern *pattern; LsDType dtype; } LsDataTypePattern;
typedef struct { LsNode node; LsPattern *pattern; LsMap *attrs; } LsAttrPattern;
typedef struct { LsNode node; LsArray *args; } LsSameShape;                     /* a constraint, no pattern */

/* Constructors take their references. */
LsPattern *ls_expr_pattern_new           (LsNode       *expr);
LsPattern *ls_op_pattern_new             (const char   *name);          /* "relax.add" */
/* VAR_PATTERN, DATAFLOW_VAR_PATTERN, GLOBAL_VAR_PATTERN, EXTERN_FUNC_PATTERN */
LsPattern *ls_name_pattern_new           (LsKind        kind,
                                          const char   *name);
LsPattern *ls_constant_pattern_new       (void);
LsPattern *ls_wildcard_new               (void);
LsPattern *ls_call_pattern_new           (LsPattern    *op,
                                          LsArray      *args,
                                          gboolean      varg_default_wildcard);
LsPattern *ls_function_pattern_new       (LsArray      *params,
                                          LsPattern    *body);
/* TUPLE_PATTERN, UNORDERED_TUPLE_PATTERN, PRIM_ARR_PATTERN */
LsPattern *ls_fields_pattern_new         (LsKind        kind,
                                          LsArray      *fields);
LsPattern *ls_tuple_get_item_pattern_new (LsPattern    *tuple,
                                          gint64        index);
/* OR_PATTERN, AND_PATTERN */
LsPattern *ls_pair_pattern_new           (LsKind        kind,
                                          LsPattern    *left,
                                          LsPattern    *right);
LsPattern *ls_not_pattern_new            (LsPattern    *reject);
LsPattern *ls_struct_info_pattern_new    (LsPattern    *pattern,
                                          LsStructInfo *struct_info);
LsPattern *ls_shape_pattern_new          (LsPattern    *pattern,
                                          LsArray      *shape);
LsPattern *ls_data_type_pattern_new      (LsPattern    *pattern,
                                          LsDType       dtype);
LsPattern *ls_attr_pattern_new           (LsPattern    *pattern,
                                          LsMap        *attrs);
LsNode    *ls_same_shape_new             (LsArray      *args);
gboolean   ls_is_pattern                 (gconstpointer node);
/* Is what the pattern stands for a binding of its own, a call or a field of a tuple? */
gboolean   ls_pattern_is_computed        (LsPattern    *pattern);
/* Another pattern of the same form; what occurs twice in one occurs twice in the other. (transfer full) */
LsPattern *ls_pattern_duplicate          (LsPattern    *pattern);
void       ls_dpl_register_classes       (void);

/* ---- print.c ------------------------------------------------------------ */

/* `Op(relax.add)(*, *)`, as TVM prints it. (transfer full) */
char      *ls_pattern_print              (LsPattern    *pattern);

/* ---- text.c: patterns as they are written in Python ----------------------- */

/* Does the text begin like one? */
gboolean   ls_pattern_text_is            (const char   *text);
/* `is_op("relax.add")(is_op("relax.matmul")(wildcard(), wildcard()), is_const())`, with |, &, ~, arithmetic, .has_dtype(), .has_shape(), .has_attr(); parts
 * that occur twice are named before: `x = wildcard(); ...`.  NULL with an error that says the column and what was expected. (transfer full) */
LsPattern *ls_pattern_parse              (const char   *text,
                                          GError      **error);

/* ---- match.c ------------------------------------------------------------ */

/* What fits the parts of a pattern, in the order in which it was found. */
typedef struct _LsPatternMatch LsPatternMatch;

/* `values` (or NULL): LsRelaxVar -> LsNode, what variables are bound to.  NULL: it does not fit. (transfer full) */
LsPatternMatch *ls_pattern_match         (LsPattern      *pattern,
                                          LsNode         *expr,
                                          GHashTable     *values);
LsPatternMatch *ls_pattern_match_new     (void);         /* of nothing */
void            ls_pattern_match_free    (LsPatternMatch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPatternMatch, ls_pattern_match_free)
guint           ls_pattern_match_get_n   (LsPatternMatch *self);
LsPattern      *ls_pattern_match_pattern (LsPatternMatch *self,
                                          guint           i);           /* borrowed */
LsNode         *ls_pattern_match_expr    (LsPatternMatch *self,
                                          guint           i);           /* borrowed */
/* What fits a part, or NULL when it took no part in the match. Borrowed. */
LsNode         *ls_pattern_match_get     (LsPatternMatch *self,
                                          LsPattern      *pattern);
/* What is known of what fits a part: of the variable that it was bound to, if there is one. (transfer full) */
LsStructInfo   *ls_pattern_match_info    (LsPatternMatch *self,
                                          LsPattern      *pattern);
/* Adds a pair (borrowed). */
void            ls_pattern_match_add     (LsPatternMatch *self,
                                          LsPattern      *pattern,
                                          LsNode         *expr);
/* The value of a variable that `values` knows, else the expression itself. Borrowed. */
LsNode         *ls_pattern_jump          (LsNode         *expr,
                                          GHashTable     *values);
/* The values of all variables that a function or block binds. (transfer container) */
GHashTable     *ls_relax_values          (gpointer        node);

/* ---- context.c ---------------------------------------------------------- */

typedef struct _LsPatternContext LsPatternContext;

LsPatternContext *ls_pattern_context_new      (LsPatternContext *from);         /* or NULL; its constraints are taken over */
void              ls_pattern_context_free     (LsPatternContext *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPatternContext, ls_pattern_context_free)
/* The producer is used by the consumer, as its variable number `index` (-1: any); only: by nothing else in the block. */
void              ls_pattern_context_use      (LsPatternContext *self,
                                               LsPattern        *producer,
                                               LsPattern        *consumer,
                                               gboolean          only,
                                               int               index);
/* A SameShapeConstraint. Borrowed. */
void              ls_pattern_context_add      (LsPatternContext *self,
                                               LsNode           *constraint);

/* ---- match-block.c ------------------------------------------------------ */

/* LsPattern -> LsRelaxVar (borrowed), for all patterns of the context; NULL when there is no match.  `values` as above
 * (NULL: those of the bindings). (transfer container) */
GHashTable       *ls_pattern_context_match    (LsPatternContext *self,
                                               LsArray          *bindings,
                                               GHashTable       *values);

/* ---- rewriter.c: rules ---------------------------------------------------- */

/* What takes the place of an expression: another one, the same or NULL to leave it. (transfer full) */
typedef LsNode *(*LsPatternReplaceFunc)  (LsNode         *expr,
                                          LsPatternMatch *match,
                                          gpointer        user_data,
                                          GError        **error);
/* What takes the place of bound variables: adds LsRelaxVar -> LsNode (a reference) to `replacements`.  `match` is that of
 * ls_pattern_context_match, `values` what the variables are bound to. */
typedef gboolean (*LsBlockReplaceFunc)   (GHashTable     *match,
                                          GHashTable     *values,
                                          GHashTable     *replacements,
                                          gpointer        user_data,
                                          GError        **error);

typedef struct _LsPatternRewriter LsPatternRewriter;

/* An OrPattern at the top is tried side by side; a TuplePattern is also looked for among all bindings of a block. */
LsPatternRewriter *ls_pattern_rewriter_new         (LsPattern            *pattern,
                                                    LsPatternReplaceFunc  func,
                                                    gpointer              user_data,
                                                    GDestroyNotify        destroy);     /* or NULL */
/* All patterns of a context at once. */
LsPatternRewriter *ls_pattern_rewriter_new_context (LsPatternContext     *context,      /* stays the caller's, and alive */
                                                    LsBlockReplaceFunc    func,
                                                    gpointer              user_data);
/* Left first; what it leaves, right. Takes both. */
LsPatternRewriter *ls_pattern_rewriter_or          (LsPatternRewriter    *left,
                                                    LsPatternRewriter    *right);
LsPatternRewriter *ls_pattern_rewriter_ref         (LsPatternRewriter    *self);
void               ls_pattern_rewriter_unref       (LsPatternRewriter    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPatternRewriter, ls_pattern_rewriter_unref)
/* What takes the place of which variables among these bindings: adds to `replacements`. */
gboolean           ls_pattern_rewriter_find        (LsPatternRewriter    *self,
                                                    LsArray              *bindings,
                                                    GHashTable           *replacements,
                                                    GError              **error);

/* ---- rewrite.c: applies them ---------------------------------------------- */

/* A function with everything replaced that fits, until nothing changes; `module` (or NULL) knows the functions that are
 * called.  NULL with an error. (transfer full) */
LsNode            *ls_pattern_rewriter_apply       (LsPatternRewriter    *self,
                                                    LsNode               *func,
                                                    LsModule             *module,
                                                    GError              **error);

G_END_DECLS
