/* script, private: tokens, syntax tree, values and the state of one parse.
 *
 *   lexer.c        text -> tokens (indentation as INDENT and DEDENT)
 *   string.c       the value of a string literal
 *   syntax-expr.c  tokens -> expressions, syntax-atom.c what they are made of          syntax-stmt.c  tokens -> statements
 *   syntax-token.c what all of these stand on
 *   arena.c        memory of one parse: everything below dies together
 *   value.c        Python's values beside IR nodes: naming, describing, converting
 *   host.c, relax-host.c   names of the program around the script, calls that it makes
 *   eval.c         expression -> value         eval-op.c  operators       eval-attr.c  attributes, methods, indices
 *   names.c        the table of T.* and I.*    bind.c     arguments of a call to parameters
 *   tir-intrin.c   calls of intrinsics         tir-buffer.c  buffers      tir-frame.c  open scopes
 *   tir-scope.c    loops and other scopes      tir-block.c   blocks       tir-value.c  operators     tir-object.c  other objects
 *   tir-stmt.c     statements                  tir-assign.c  names take values
 *   tir-func.c     functions                   module.c      classes, files
 *   relax-func.c   Relax functions     relax-stmt.c  statements     relax-call.c  R.*     relax-op.c  operators
 *   relax-value.c  conversions         relax-constant.c  R.const
 *   calls.c        steps of a schedule         docs.c        what a name means
 *
 * No node of IR is changed after others can see it; names and spans are put on while the parse holds the only
 * reference.  `keep` of LsParse owns a reference to every node made, so that values just point.
 */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/base/findings.h"
#include "engine/script/calls.h"
#include "engine/relax/relax.h"
#include "engine/script/parser.h"
#include "engine/tir/regions.h"

#include <inttypes.h>
#include <string.h>

G_BEGIN_DECLS

#define LS_SCRIPT_MAX_NESTING 100       /* brackets, operators without brackets, blocks */
#define LS_SCRIPT_MAX_DEPTH 600         /* height of a syntax tree without its chains, open loops, blocks and branches of one function */
#define LS_SCRIPT_MAX_CHAIN 100000      /* operators behind one another: a + b - c + ..., a and b and ... */
#define LS_SCRIPT_MAX_OPEN 20000        /* open scopes with those that need no indentation: scalars, allocations, asserts */
#define LS_SCRIPT_MAX_ITEMS 100000      /* elements of one list that is made, not written */

/* ---- arena.c ------------------------------------------------------------- */

typedef struct {
  GPtrArray *chunks;
  char      *at;
  gsize      left;
  gsize      chunk;             /* size of the next one */
} LsArena;

void     ls_arena_init    (LsArena    *self);
void     ls_arena_clear   (LsArena    *self);
gpointer ls_arena_alloc   (LsArena    *self,
                           gsize       size);   /* zeroed */
char    *ls_arena_strndup (LsArena    *self,
                           const char *text,
                           gsize       length);
/* a, b and c behind one another */
char    *ls_arena_join    (LsArena    *self,
                           const char *a,
                           const char *b,
                           const char *c);
char    *ls_arena_printf  (LsArena    *self,
                           const char *format,
                           ...) G_GNUC_PRINTF (2, 3);
gpointer ls_arena_list    (LsArena    *self,
                           GPtrArray  *items);  /* a copy of its pointers; NULL when there are none */
#define ls_arena_new(arena, Type) ((Type *) ls_arena_alloc ((arena), sizeof (Type)))

/* ---- lexer.c ------------------------------------------------------------- */

typedef enum {
  LS_TOKEN_END, LS_TOKEN_NEWLINE, LS_TOKEN_INDENT, LS_TOKEN_DEDENT,
  LS_TOKEN_NAME, LS_TOKEN_KEYWORD, LS_TOKEN_INT, LS_TOKEN_FLOAT, LS_TOKEN_IMAGINARY, LS_TOKEN_STRING,
  LS_TOKEN_OP
} LsTokenKind;

typedef struct {
  LsTokenKind kind;
  guint32     start, end;
  guint32     op;               /* OP: up to three characters packed by LS_OP3; STRING, NEWLINE: 1 where a finding was made */
} LsToken;

#define LS_OP1(a) ((guint32) (a))
#define LS_OP2(a, b) ((guint32) (a) | (guint32) (b) << 8)
#define LS_OP3(a, b, c) ((guint32) (a) | (guint32) (b) << 8 | (guint32) (c) << 16)

/* Tokens of the whole text, ending with END; findings go to `diagnostics`. (transfer full), of LsToken */
GArray  *ls_script_lex     (LsSource      *source,
                            LsDiagnostics *diagnostics);

/* ---- string.c ------------------------------------------------------------ */

/* The value of a string literal without its quotes, into the arena.  FALSE: no text (bytes, f-string, NUL). */
gboolean ls_script_unquote (LsArena       *arena,
                            const char    *text,
                            gsize          length,
                            LsSpan         span,
                            LsDiagnostics *diagnostics,
                            char         **value,
                            gboolean      *opaque);

/* ---- syntax tree ---------------------------------------------------------- */

typedef enum {
  /* expressions */
  LS_SYN_NAME,                  /* text */
  LS_SYN_INT,                   /* integer; op 1: above the int64 range, as its bit pattern */
  LS_SYN_BIGINT,                /* more than 64 bits */
  LS_SYN_FLOAT,                 /* number */
  LS_SYN_STRING,                /* text */
  LS_SYN_BOOL_LITERAL,          /* integer */
  LS_SYN_NONE,
  LS_SYN_ELLIPSIS,
  LS_SYN_OPAQUE,                /* Python that IR has no use for: f-string, bytes, comprehension, yield */
  LS_SYN_TUPLE, LS_SYN_LIST, LS_SYN_SET,        /* items */
  LS_SYN_DICT,                  /* items: keys (NULL before **), more: values */
  LS_SYN_ATTR,                  /* a.text; name_span */
  LS_SYN_INDEX,                 /* a[b] */
  LS_SYN_SLICE,                 /* a:b:c */
  LS_SYN_CALL,                  /* a (items), with STAR and KEYWORD among them */
  LS_SYN_UNARY,                 /* op a: - + ~ ! (not) */
  LS_SYN_BINARY,                /* a op b; integer: the operators of its chain, as many as `a` is in a row */
  LS_SYN_BOOL,                  /* op & (and) | (or) over items */
  LS_SYN_COMPARE,               /* a ops[0] items[0] ops[1] ... */
  LS_SYN_COND,                  /* b if a else c */
  LS_SYN_LAMBDA,                /* items: PARAM, a: body */
  LS_SYN_STAR,                  /* *a, op 2: **a */
  LS_SYN_KEYWORD,               /* text = a */
  LS_SYN_PARAM,                 /* text: a = b; op 0 plain, 1 *, 2 **, 3 bare separator */
  /* statements */
  LS_SYN_EXPR,                  /* a */
  LS_SYN_ASSIGN,                /* items = a */
  LS_SYN_AUGMENT,               /* a op= b */
  LS_SYN_ANNOTATED,             /* a: b = c */
  LS_SYN_FOR,                   /* a in b: items else more */
  LS_SYN_WHILE,                 /* a: items else more */
  LS_SYN_IF,                    /* a: items else more */
  LS_SYN_WITH,                  /* more: WITH_ITEM (a as b): items */
  LS_SYN_WITH_ITEM,
  LS_SYN_DEF,                   /* text, params in a.items, -> b, items, decorators in more */
  LS_SYN_CLASS,                 /* text, items, decorators in more */
  LS_SYN_RETURN,                /* a */
  LS_SYN_ASSERT,                /* a, b */
  LS_SYN_IMPORT,                /* items: ALIAS */
  LS_SYN_FROM,                  /* text import items */
  LS_SYN_ALIAS,                 /* text as name (in `a`, a NAME, or NULL) */
  LS_SYN_PASS, LS_SYN_BREAK, LS_SYN_CONTINUE,
  LS_SYN_OTHER,                 /* Python that IR has no use for: try, del, raise, global */
  LS_SYN_BROKEN                 /* its head could not be read; items: what stands below it */
} LsSynKind;

typedef struct _LsSyn LsSyn;
struct _LsSyn {
  LsSynKind    kind;
  guint32      op;
  guint        depth;           /* 1 + highest child; a chain counts once */
  LsSpan       span;
  LsSpan       name_span;
  const char  *text;
  gint64       integer;
  double       number;
  LsSyn       *a, *b, *c;
  LsSyn      **items;
  guint        n;
  LsSyn      **more;
  guint        n_more;
  guint32     *ops;
};

typedef struct {
  LsSource      *source;
  const char    *text;
  LsArena       *arena;
  LsDiagnostics *diagnostics;
  GArray        *tokens;
  guint          at;
  guint          nesting;
  gboolean       panic;         /* a finding was made: nothing more is said until the next statement */
} LsSynParser;

void      ls_syn_parser_init       (LsSynParser   *self,
                                    LsSource      *source,
                                    LsArena       *arena,
                                    LsDiagnostics *diagnostics);
void      ls_syn_parser_clear      (LsSynParser   *self);
/* Statements up to the end of the text. */
GPtrArray *ls_syn_parse_file       (LsSynParser   *self);
/* One expression (a tuple without brackets too), or NULL; `syntax-stmt.c` uses it as well. */
LsSyn    *ls_syn_parse_expr        (LsSynParser   *self);         /* one expression, no bare tuple */
LsSyn    *ls_syn_parse_expr_list   (LsSynParser   *self);         /* with bare tuple and stars */
LsSyn    *ls_syn_parse_target_list (LsSynParser   *self);         /* stops before `in` */
LsSyn    *ls_syn_parse_atom        (LsSynParser   *self);         /* a name, a literal, something in brackets */
LsSyn    *ls_syn_parse_element     (LsSynParser   *self);         /* of a display: an expression, with a star or without */
LsSyn    *ls_syn_parse_star        (LsSynParser   *self);
/* The clauses after the element of a comprehension: `a for b in c` in the fields of those names; further clauses are read and
 * set aside. */
LsSyn    *ls_syn_parse_comprehension (LsSynParser *self,
                                    LsSyn         *element);
/* One expression that is the whole text. */
LsSyn    *ls_syn_parse_single      (LsSynParser   *self);
const LsToken *ls_syn_peek         (LsSynParser   *self);
const LsToken *ls_syn_advance      (LsSynParser   *self);         /* the next token, passed; the end stays */
LsSpan    ls_syn_token_span        (LsSynParser   *self,
                                    const LsToken *token);
const char *ls_syn_token_text      (LsSynParser   *self,
                                    const LsToken *token);
/* One level of recursion deeper; FALSE at the bound (said). */
gboolean  ls_syn_enter             (LsSynParser   *self);
void      ls_syn_leave             (LsSynParser   *self);
gboolean  ls_syn_is_op             (LsSynParser   *self,
                                    guint32        op);
gboolean  ls_syn_accept            (LsSynParser   *self,
                                    guint32        op);
gboolean  ls_syn_expect            (LsSynParser   *self,
                                    guint32        op,
                                    const char    *where);
gboolean  ls_syn_is_word           (LsSynParser   *self,
                                    const char    *word);
gboolean  ls_syn_accept_word       (LsSynParser   *self,
                                    const char    *word);
void      ls_syn_unexpected        (LsSynParser   *self,
                                    const char    *expected);
LsSyn    *ls_syn_new               (LsSynParser   *self,
                                    LsSynKind      kind,
                                    guint32        start);
/* Sets end and depth from the children; NULL when the tree became too high (said). */
LsSyn    *ls_syn_finish            (LsSynParser   *self,
                                    LsSyn         *syn);
/* The operators of a chain of BINARY, the innermost first: `few` with room for LS_SYN_FEW, or what is to be freed. */
#define LS_SYN_FEW 8
LsSyn   **ls_syn_chain             (LsSyn         *syn,
                                    LsSyn        **few,
                                    guint         *n);
LsSyn    *ls_syn_parse_param       (LsSynParser   *self,
                                    gboolean       annotated);
LsSyn   **ls_syn_take              (LsSynParser   *self,
                                    GPtrArray     *items,
                                    guint         *n);

/* ---- values --------------------------------------------------------------- */

typedef struct _LsValue LsValue;
typedef struct _LsFrame LsFrame;
typedef struct _LsParse LsParse;
typedef struct _LsEntry LsEntry;

typedef enum {
  LS_VALUE_NONE,
  LS_VALUE_BOOL,                /* i */
  LS_VALUE_INT,                 /* i; big: above int64, its bit pattern */
  LS_VALUE_FLOAT,               /* f */
  LS_VALUE_STRING,              /* s */
  LS_VALUE_TUPLE, LS_VALUE_LIST,/* items */
  LS_VALUE_DICT,                /* keys, items */
  LS_VALUE_SLICE,               /* items[0..2], NULL where not given */
  LS_VALUE_NODE,                /* node: Expr, Buffer, BufferRegion, IterVar, Range, GlobalVar, Type, ... */
  LS_VALUE_MODULE,              /* s: dotted path */
  LS_VALUE_FUNC,                /* entry; dtype for entry "dtype" */
  LS_VALUE_DTYPE,               /* T.float32: i packs the LsDType */
  LS_VALUE_METHOD,              /* items[0].s */
  LS_VALUE_LAMBDA,              /* syn */
  LS_VALUE_FRAME,               /* frame, not entered yet */
  LS_VALUE_META,                /* items[0]: T.meta_var */
  LS_VALUE_STORE,               /* items: buffer, value, indices as a tuple (A.vstore) */
  LS_VALUE_IR_MODULE,           /* the class that is being read: its functions as attributes */
  LS_VALUE_OPAQUE,              /* Python that was not carried out */
  LS_VALUE_FOREIGN,             /* foreign: an object of the program around the script */
  LS_VALUE_POISON               /* an error was said about it: no more about it */
} LsValueKind;

struct _LsValue {
  LsValueKind    kind;
  gboolean       big;
  gint64         i;
  double         f;
  const char    *s;
  LsValue      **items;
  LsValue      **keys;
  guint          n;
  guint          weight;        /* sequences, dictionaries: values in them, all levels */
  LsNode        *node;          /* kept by the parse */
  const LsEntry *entry;
  LsDType        dtype;
  LsSyn         *syn;
  LsFrame       *frame;
  gpointer       foreign;       /* of a node that came from the program around the script too: the object that it was */
};

/* ---- the state of one parse ------------------------------------------------ */

typedef enum {
  LS_FRAME_FUNC, LS_FRAME_BLOCK, LS_FRAME_INIT, LS_FRAME_FOR, LS_FRAME_WHILE, LS_FRAME_IF, LS_FRAME_THEN, LS_FRAME_ELSE,
  LS_FRAME_ASSERT, LS_FRAME_LET, LS_FRAME_LAUNCH, LS_FRAME_REALIZE, LS_FRAME_ALLOCATE, LS_FRAME_ALLOCATE_CONST,
  LS_FRAME_ATTR, LS_FRAME_DECL
} LsFrameKind;

/* A statement whose body is still open. */
struct _LsFrame {
  LsFrameKind kind;
  LsSpan      span;
  GPtrArray  *stmts;            /* of LsStmt (one reference each) */
  LsValue    *value;            /* what `as` or `=` binds */
  const char *name;             /* block: its name */
  /* loops */
  LsForKind   for_kind;
  GPtrArray  *vars;             /* of LsVar, borrowed */
  guint       below;            /* open scopes that are indented, without this one */
  GPtrArray  *mins, *extents;   /* of LsExpr, borrowed */
  const char *thread;
  LsMap      *annotations;      /* borrowed, or NULL; block: NULL until T.block_attr */
  /* the rest: borrowed nodes, by kind */
  LsNode     *node;             /* attr, launch: subject; let: variable; decl: buffer; allocate: buffer variable */
  LsExpr     *value_expr;       /* attr, let: value; assert, while, if, realize, allocate: condition */
  LsNode     *extra;            /* assert: message; allocate_const: data; realize: region */
  const char *key;
  LsDType     dtype;
  LsArray    *extents_array;
  LsStmt     *then_case, *else_case;    /* if (one reference each) */
  /* blocks */
  GPtrArray  *iter_vars, *iter_values, *alloc_buffers, *match_buffers;
  LsArray    *reads, *writes;   /* borrowed, NULL: not given */
  LsStmt     *init;             /* one reference */
  LsExpr     *predicate;
  gboolean    no_realize;
  gboolean    entered;
};

typedef struct {
  const char *name;
  gboolean    private_;
  GPtrArray  *params;           /* of LsVar, borrowed */
  GPtrArray  *buffers;          /* of LsBuffer or NULL, borrowed */
  GHashTable *attrs;            /* name -> LsNode, borrowed */
  GPtrArray  *attr_order;
  LsType     *ret_type;
  GPtrArray  *allocs;           /* of LsBuffer, borrowed: allocations outside of blocks */
  GHashTable *env_threads;      /* LsVar -> LsIterVar with no domain, or with one after the launch */
} LsFuncState;

/* A Relax function whose body is still open. */
typedef struct _LsRelaxState LsRelaxState;
struct _LsRelaxState {
  gboolean    unchecked;        /* operators take what they are given: a call from Python, looked at when it is normalized */
  LsRelaxState *outer;          /* of the function around it, or NULL */
  GHashTable   *symbols;        /* name -> LsVar: dimensions */
  GHashTable   *declared;       /* name -> LsVar: those that the body declares, for the names in the signature */
  GHashTable   *signature;      /* set of LsVar: those that parameters bring */
  GPtrArray    *params;         /* of LsRelaxVar, borrowed */
  GPtrArray    *blocks;         /* of BindingBlock and DataflowBlock (references) */
  GPtrArray    *bindings;       /* of the open block (references) */
  gboolean      dataflow;
  GHashTable   *outputs;        /* dataflow: name -> the statement that gives it its last value */
  LsSyn        *stmt;           /* the one being read */
  guint         n_lv, n_gv;
  LsMap        *attrs;          /* borrowed, or NULL */
  LsNode       *ret;            /* borrowed, or NULL */
};

struct _LsParse {
  LsSource      *source;
  guint32        source_id;
  const char    *text;
  LsDiagnostics *diagnostics;
  LsArena        arena;
  GPtrArray     *keep;          /* references */
  GPtrArray     *lists;         /* of GPtrArray */
  GPtrArray     *scopes;        /* of GHashTable name -> LsValue */
  GPtrArray     *frames;        /* of LsFrame, outermost first */
  LsAnalyzer    *analyzer;
  LsFuncState   *func;
  LsRelaxState  *relax;         /* the Relax function that is being read, or NULL */
  GHashTable    *metadata;      /* "relax.expr.Constant" -> LsValue list, or NULL */
  GHashTable    *globals;       /* name -> LsGlobalVar of the module being read, or NULL */
  LsMap         *module_attrs;  /* borrowed, or NULL */
  LsMap         *global_infos;
  GHashTable    *known;         /* variables that a name stands for */
  GPtrArray     *made;          /* GlobalVar and function by turns (references): what R.emit_te has made */
  GHashTable    *global_sigs;   /* name -> FuncStructInfo of a Relax function, as far as it is said or read */
  GHashTable    *global_rets;   /* name -> LsValue of the return annotation */
  const char    *module_name;
  guint          eval_depth;
  LsScriptExprFlags expr_flags;
  GHashTable    *expr_vars;     /* ls_script_parse_expr */
  gboolean       quiet;         /* top-level Python: nothing is said, unknown things become OPAQUE */
  gboolean       relaxed_names; /* expressions alone: intrinsics without T. */
  LsSyn         *callee;        /* the name that is being called */
  LsScriptHost  *host;          /* the program around the script, or NULL */
  GPtrArray     *foreign;       /* its objects that values point to, or NULL */
};

void      ls_parse_init    (LsParse       *p,
                            LsSource      *source,
                            LsDiagnostics *diagnostics);
void      ls_parse_clear   (LsParse       *p);
/* Adds a finding; nothing while quiet.  NULL then. */
LsDiagnostic *ls_parse_error   (LsParse    *p,
                                LsSpan      span,
                                const char *code,
                                const char *format,
                                ...) G_GNUC_PRINTF (4, 5);
LsDiagnostic *ls_parse_warning (LsParse    *p,
                                LsSpan      span,
                                const char *code,
                                const char *format,
                                ...) G_GNUC_PRINTF (4, 5);
/* Takes a reference over; the node lives as long as the parse. Puts the span on a node that has none. */
gpointer  ls_parse_keep    (LsParse       *p,
                            gpointer       node,
                            LsSpan         span);
#define ls_keep(p, node, syn) ((__typeof__ (node)) ls_parse_keep ((p), (node), (syn)->span))
void      ls_parse_push_scope (LsParse    *p);
void      ls_parse_pop_scope  (LsParse    *p);
LsValue  *ls_parse_lookup  (LsParse       *p,
                            const char    *name);
/* Binds in the innermost scope, replacing. */
void      ls_parse_bind    (LsParse       *p,
                            const char    *name,
                            LsValue       *value);
const char *ls_parse_nearest_name (LsParse *p,
                            const char    *name);
/* Analyzer's simplification; kept. */
LsExpr   *ls_parse_simplify (LsParse      *p,
                            LsExpr        *expr);

/* value.c */
LsValue  *ls_value_new        (LsParse *p, LsValueKind kind);
LsValue  *ls_value_int        (LsParse *p, gint64 i);
LsValue  *ls_value_bool       (LsParse *p, gboolean b);
LsValue  *ls_value_float      (LsParse *p, double f);
LsValue  *ls_value_string     (LsParse *p, const char *s);
LsValue  *ls_value_node       (LsParse *p, gpointer node);       /* borrowed, kept elsewhere */
LsValue  *ls_value_list       (LsParse *p, LsValueKind kind, LsValue **items, guint n);
LsValue  *ls_value_meta       (LsParse *p, LsValue *inner);             /* T.meta_var (inner) */
/* Where nothing is said (quiet), a value that its uses complain about. */
LsValue  *ls_value_poison     (LsParse *p);
/* Counts what a sequence or dictionary holds; NULL with a finding when it is more than LS_SCRIPT_MAX_ITEMS. */
LsValue  *ls_value_weigh      (LsParse *p, LsValue *v, LsSpan span);
/* A value that may be used many times (lambda, meta variable): NULL with a finding when its tree is that large. */
LsValue  *ls_value_bounded    (LsParse *p, LsValue *v, LsSpan span);
gboolean  ls_value_is_number  (const LsValue *v);                /* bool, int, float of Python */
gboolean  ls_value_is_expr    (const LsValue *v);                /* a node that is an expression */
gboolean  ls_value_is_sequence (const LsValue *v);
/* "the number 3", "the buffer A", "a text", ... for messages. In the arena. */
const char *ls_value_describe (LsParse *p, const LsValue *v);
/* As an expression (numbers become int32, int64 or float32 constants), or NULL with a finding. Borrowed. */
LsExpr   *ls_value_to_expr    (LsParse *p, LsValue *v, LsSpan span);
/* The same for values that mean the same as no finding: NULL when it is none. */
LsExpr   *ls_value_try_expr   (LsParse *p, LsValue *v, LsSpan span);
gboolean  ls_value_to_int     (LsParse *p, LsValue *v, LsSpan span, const char *what, gint64 *out);
const char *ls_value_to_string (LsParse *p, LsValue *v, LsSpan span, const char *what);
gboolean  ls_value_to_dtype   (LsParse *p, LsValue *v, LsSpan span, LsDType *out);
/* A sequence, or one expression, as expressions; NULL with a finding. Borrowed. */
LsArray  *ls_value_to_exprs   (LsParse *p, LsValue *v, LsSpan span, const char *what);
/* An attribute's value: String, IntImm, FloatImm, Array, Map or the node. Borrowed. NULL with a finding. */
LsNode   *ls_value_to_attr    (LsParse *p, LsValue *v, LsSpan span);
/* module.c: the device of the module that "cuda:1" (the second of this kind) or "vdevice:3" names; anything else as it is. */
LsNode   *ls_vdevice_resolve  (LsParse *p, LsNode *name);
LsMap    *ls_value_to_map     (LsParse *p, LsValue *v, LsSpan span, const char *what);
/* Constants with a check of the type's range; NULL with a finding. Borrowed. */
LsExpr   *ls_value_int_imm    (LsParse *p, LsDType t, gint64 i, LsSpan span);
LsExpr   *ls_value_float_imm  (LsParse *p, LsDType t, double f, LsSpan span);
/* Names variables, buffers (with strides, and data that was made for them: "$buffer" so far) and iteration
 * variables as TVM's namer does. */
void      ls_value_name       (LsNode *node, const char *name);

/* eval.c, eval-op.c, eval-attr.c: NULL: an error has been said */
LsValue  *ls_eval             (LsParse *p, LsSyn *syn);
LsExpr   *ls_eval_expr        (LsParse *p, LsSyn *syn);
LsValue  *ls_eval_binary      (LsParse *p, guint32 op, LsValue *a, LsValue *b, LsSyn *at);
LsValue  *ls_eval_compare     (LsParse *p, LsSyn *syn);
LsValue  *ls_eval_bool        (LsParse *p, LsSyn *syn);
LsValue  *ls_eval_unary       (LsParse *p, LsSyn *syn);
LsValue  *ls_eval_attr        (LsParse *p, LsSyn *syn);
/* getattr (base, name): the same attribute of a value that is known already; `at` is where it is said. */
LsValue  *ls_eval_attr_of     (LsParse *p, LsValue *base, const char *name, LsSyn *at);
/* T.name as a value: function, type or dotted part of one; NULL: said. */
LsValue  *ls_eval_member      (LsParse *p, const char *space, const char *name, LsSyn *at);
#define ls_syn_is_callee(p, syn) ((p)->callee == (syn))
LsValue  *ls_eval_index       (LsParse *p, LsSyn *syn);
LsValue  *ls_eval_index_value (LsParse *p, LsValue *base, LsValue *index, LsSyn *at);
LsValue  *ls_eval_call        (LsParse *p, LsSyn *syn);
LsValue  *ls_eval_method      (LsParse *p, LsValue *method, LsSyn *call);
LsValue  *ls_eval_lambda      (LsParse *p, LsValue *lambda, LsValue **args, guint n, LsSyn *at);
/* Raw comparison and and/or of two values as TVM's parser makes them. */
LsExpr   *ls_eval_raw_binary  (LsParse *p, LsKind kind, LsExpr *a, LsExpr *b, LsSpan span);
LsExpr   *ls_eval_math        (LsParse *p, LsKind kind, LsExpr *a, LsExpr *b, LsSpan span);
LsValue  *ls_module_value     (LsParse *p, const char *path);
/* Indices of a load or store: a sequence of expressions and slices to expressions (slices become ramps). NULL: said. */
LsArray  *ls_eval_indices     (LsParse *p, LsBuffer *buffer, LsValue *index, LsSpan span);
/* BufferRegion to a load (TVM's conversion): NULL when an extent is not constant (said). */
LsExpr   *ls_region_to_load   (LsParse *p, LsBufferRegion *region, LsSpan span);
LsBufferRegion *ls_load_to_region (LsParse *p, LsBufferLoad *load, LsSpan span);

/* host.c: only with a host; NULL: there is none, or said */
LsValue  *ls_host_lookup      (LsParse *p, const char *name, LsSyn *at);
LsValue  *ls_host_take        (LsParse *p, gpointer object);     /* borrows the reference */
gpointer  ls_host_give        (LsParse *p, LsValue *v);         /* a reference; NULL: no value of a program */
LsValue  *ls_host_attribute   (LsParse *p, LsValue *base, LsSyn *at);
LsNode   *ls_host_struct_info (LsParse *p, LsNode *node);     /* what the host knows of a node, or NULL */
LsValue  *ls_host_node_attribute (LsParse *p, LsValue *base, LsSyn *at);     /* the same of a node */
LsValue  *ls_host_item        (LsParse *p, LsValue *base, LsValue *index, LsSyn *at);
LsValue  *ls_host_call        (LsParse *p, LsValue *callee, LsSyn *call);
LsValue  *ls_host_eval        (LsParse *p, LsSyn *syn);
/* Is a program read that need not be well formed? */
gboolean  ls_parse_is_lenient (LsParse *p);
/* The index map that a function of the host computes; NULL and an error when it computes none. */
LsNode   *ls_host_index_map   (LsParse *p, LsValue *function, const char *dtype, LsSpan span);

/* bind.c: the arguments of a call, put to the parameters of `spec`:
 * "shape dtype? data? *rest | annotations?": required, optional, variadic, keyword only. */
#define LS_MAX_PARAMS 16
typedef struct {
  LsValue *slot[LS_MAX_PARAMS];         /* NULL: not given */
  LsSpan   span[LS_MAX_PARAMS];
  LsValue **rest;
  LsSpan  *rest_spans;
  guint    n_rest;
  LsSpan   call;
  LsSpan   callee;
  const char *name;             /* "T.grid" */
} LsArgs;

gboolean  ls_args_bind        (LsParse *p, const char *name, const char *spec, LsSyn *call, LsArgs *args);

/* names.c */
typedef LsValue *(*LsHandler) (LsParse *p, const LsEntry *entry, LsArgs *args);
struct _LsEntry {
  const char *name;             /* behind "T.": "axis.spatial" */
  const char *spec;
  LsHandler   handler;
  const char *detail;           /* for shared handlers: the intrinsic, the kind */
  int         rule;
};
/* The entry behind T. or I., NULL when there is none. */
const LsEntry *ls_entry_lookup (const char *space, const char *name);
const char    *ls_entry_nearest (const char *space, const char *name);
guint          ls_entry_count   (void);

/* tir-intrin.c, tir-buffer.c, tir-scope.c, tir-block.c, tir-value.c, tir-object.c: the tables that names.c collects */
typedef struct { const LsEntry *rows; guint n; } LsEntryTable;
extern const LsEntryTable ls_intrin_entries;
extern const LsEntryTable ls_math_entries;
extern const LsEntryTable ls_buffer_entries;
extern const LsEntryTable ls_scope_entries;
extern const LsEntryTable ls_block_entries;
extern const LsEntryTable ls_object_entries;
extern const LsEntryTable ls_stmt_entries;
extern const LsEntryTable ls_ir_entries;        /* behind I. */
LsBuffer *ls_buffer_from_args (LsParse *p, LsArgs *args, guint first, int default_align, const char *default_type, gboolean index_strides);
LsValue  *ls_call_dtype       (LsParse *p, LsDType dtype, LsSyn *call);
LsValue  *ls_buffer_proxy     (LsParse *p, LsValue *index, LsSyn *at);  /* T.Buffer[...] */
LsValue  *ls_pointer_proxy    (LsParse *p, LsValue *index, LsSyn *at);  /* T.Ptr[...] */

/* tir-frame.c */
LsFrame  *ls_frame_new        (LsParse *p, LsFrameKind kind, LsSpan span);
void      ls_frame_enter      (LsParse *p, LsFrame *frame);
/* Closes frames until `depth` are open; each becomes a statement of the one below it. */
void      ls_frame_exit_to    (LsParse *p, guint depth);
void      ls_frame_add        (LsParse *p, LsStmt *stmt);       /* takes it, to the innermost frame */
LsFrame  *ls_frame_top        (LsParse *p);
/* Whether one more scope may be open; FALSE: said. */
gboolean  ls_frame_room       (LsParse *p, LsSpan span);
/* The same for a frame, which is opened once. */
gboolean  ls_frame_may_open   (LsParse *p, LsFrame *frame, LsSpan span);
/* For the rest of the block, as a call that stands alone does; what the name before `=` is then.  NULL: said. */
LsValue  *ls_frame_open       (LsParse *p, LsFrame *frame, LsSyn *at);
LsFrame  *ls_frame_find       (LsParse *p, LsFrameKind kind);
LsValue  *ls_frame_value      (LsParse *p, LsFrame *frame);
/* A list that lives as long as the parse. */
GPtrArray *ls_list_new        (LsParse *p);
/* An array of the pointers in `list`, each referenced. */
LsArray  *ls_list_to_array    (GPtrArray *list);
/* tir-scope.c: a let of `value`; NULL when the types differ (said). */
LsFrame  *ls_frame_let        (LsParse *p, LsVar *var, LsExpr *value, LsSpan span);
/* tir-scope.c: constants take the type of the loop variable; NULL when something else has another type (said). */
LsExpr   *ls_loop_fit         (LsParse *p, LsExpr *e, LsDType t, LsSpan span);
/* tir-block.c: adds the region that `v` is to `out`; FALSE when it is none (said). */
gboolean  ls_block_add_region (LsParse *p, LsArgs *args, LsValue *v, LsSpan span, GPtrArray *out);
/* tir-value.c: the first two arguments as expressions. */
gboolean  ls_two_operands     (LsParse *p, LsArgs *args, LsExpr **a, LsExpr **b);
/* The innermost frame if it is a block, else NULL with a finding. */
LsFrame  *ls_frame_block      (LsParse *p, LsArgs *args);

/* tir-stmt.c, tir-assign.c, tir-func.c, module.c */
void        ls_tir_visit_body (LsParse *p, LsSyn **stmts, guint n);
LsPrimFunc *ls_tir_visit_func (LsParse *p, LsSyn *def, gboolean private_);
/* How a name takes a value: `=` in a function, `for`, `as`, outside of functions. */
typedef enum { LS_BIND_ASSIGN, LS_BIND_FOR, LS_BIND_WITH, LS_BIND_PLAIN } LsBindMode;
void        ls_assign         (LsParse *p, LsSyn *target, LsValue *value, LsBindMode mode, LsSyn *at);
void        ls_bind_poison    (LsParse *p, LsSyn *target);
void        ls_python_stmt    (LsParse *p, LsSyn *stmt);        /* imports and plain values outside of functions */
void        ls_python_defaults (LsParse *p);                    /* T, I, R, tvm without an import */

/* relax-func.c */
LsFunction  *ls_relax_visit_func  (LsParse *p, LsSyn *def, gboolean is_global);
/* Its FuncStructInfo by the annotations; NULL when they do not say it all. Kept. */
LsNode      *ls_relax_signature   (LsParse *p, LsSyn *def);
/* What an annotation outside of functions says of a value, kept by the parse; NULL: told. */
LsStructInfo *ls_relax_annotation (LsParse *p, LsSyn *syn);
LsVar       *ls_relax_symbol      (LsParse *p, const char *name);       /* the dimension of this name, made on demand */

/* relax-stmt.c */
/* Binds a value in the open block; name NULL: one of its own ("lv", "gv").  `annotation` or NULL. Borrowed. */
LsRelaxVar  *ls_relax_emit        (LsParse *p, const char *name, LsNode *value, LsStructInfo *annotation, LsSpan span);
void         ls_relax_visit_stmts (LsParse *p, LsSyn **stmts, guint n);
void         ls_relax_close_block (LsParse *p);                 /* the bindings since the last one are a block */
gboolean     ls_relax_is_fresh_symbol (LsParse *p, LsValue *v); /* a variable of TIR that nothing has declared */

/* relax-value.c: NULL: said.  Borrowed. */
LsNode       *ls_relax_expr       (LsParse *p, LsValue *v, LsSpan span);        /* any expression; calls stay calls */
LsNode       *ls_relax_arg        (LsParse *p, LsValue *v, LsSpan span);        /* a leaf: what is none gets a variable */
LsStructInfo *ls_relax_sinfo      (LsParse *p, LsValue *v, LsSpan span);
LsArray      *ls_relax_sinfos     (LsParse *p, LsValue *v, LsSpan span);
LsArray      *ls_relax_dimensions (LsParse *p, LsValue *v, LsSpan span);
LsExpr       *ls_relax_dimension  (LsParse *p, LsValue *v, LsSpan span);

/* tir-object.c: a lambda over int64 indices, or an index map as it is */
LsNode       *ls_index_map_from_lambda (LsParse *p, LsValue *lambda, LsSpan span);

/* relax-call.c, relax-op.c */
typedef struct {
  LsValue    **values;          /* by position, then by keyword */
  LsSpan      *spans;
  const char **keywords;        /* NULL: by position */
  gboolean    *taken;
  guint        n, n_positional;
  LsSpan       call;
  const char  *name;            /* "R.add" */
} LsRelaxArgs;

LsValue     *ls_relax_call        (LsParse *p, const char *path, LsSyn *call);
LsValue     *ls_relax_call_args   (LsParse *p, const char *path, LsRelaxArgs *args);
LsValue     *ls_relax_call_value  (LsParse *p, LsNode *callee, LsSyn *call);    /* cls.f (...), f (...) */
gboolean     ls_relax_args        (LsParse *p, const char *name, LsSyn *call, LsRelaxArgs *args);
/* The argument of this position or keyword, marked as taken; NULL when it is not given. */
LsValue     *ls_relax_take        (LsRelaxArgs *args, guint position, const char *keyword, LsSpan *span);
LsValue     *ls_relax_take_infos  (LsRelaxArgs *args, LsSpan *span); /* sinfo_args, which are ty_args since 2026 */
/* The same where it must be there; NULL: said. */
LsValue     *ls_relax_need        (LsParse *p, LsRelaxArgs *args, guint position, const char *keyword, LsSpan *span);
gboolean     ls_relax_all_taken   (LsParse *p, LsRelaxArgs *args);
/* relax-info.c: who reads R.NAME (...), a struct info or a value; NULL: it is neither. */
typedef LsValue *(*LsRelaxReader) (LsParse *p, LsRelaxArgs *args);
LsRelaxReader ls_relax_reader     (const char *name);
/* relax-constant.c: R.const of a value that stands at `at`; `type` may be NULL. */
LsValue     *ls_relax_constant    (LsParse *p, LsValue *v, LsSpan at, LsValue *type, LsSpan type_at, LsSpan call);
/* relax-distributed.c: R.DTensor, R.device_mesh and R.dist.const; the mesh and the placement that a value names. */
LsRelaxReader ls_relax_distributed_reader (const char *name);
LsNode      *ls_relax_mesh        (LsParse *p, LsValue *v, LsSpan span);
LsNode      *ls_relax_placement   (LsParse *p, LsValue *v, LsSpan span);
LsValue     *ls_relax_op_call     (LsParse *p, const char *op, LsRelaxArgs *args);
/* The same, and what is no operator but is put together from some (R.linear). */
LsValue     *ls_relax_composed    (LsParse *p, const char *op, LsRelaxArgs *args);
/* R.add and its kin for Python's operators; NULL when there is none for it. */
LsValue     *ls_relax_operator    (LsParse *p, guint32 op, LsValue *a, LsValue *b, LsSpan span);
/* Is it a comparison that gives a tensor? */
gboolean    ls_relax_compares   (guint32       op);
/* The same for `-a`. */
LsValue    *ls_relax_minus      (LsParse      *p,
                                 LsValue      *a,
                                 LsSpan        span);
gboolean     ls_relax_is_value    (const LsValue *v);

G_END_DECLS
