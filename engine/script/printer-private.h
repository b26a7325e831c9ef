/* printer-private: the state of one run of the printer, for the files printer*.c.
 *
 * Text is written front to back into one string.  Two things come late: the name on the left of an assignment is
 * chosen after its right-hand side was printed (names are given in that order), and a variable that nothing
 * binds is declared before the statement of the frame that TVM picks.  Both are insertions into the string;
 * everything that remembers an offset (ranges of the source map, frames, marks) moves along.
 */
#pragma once

#include "engine/relax/relax.h"
#include "engine/script/printer.h"

#include <string.h>

G_BEGIN_DECLS

#define LS_NO_POSITION G_MAXUINT

/* A Python scope of the printed text: TVM's TIRFrame. */
typedef struct {
  LsNode  *tir;                 /* whose frame: statement, block, function; NULL: the fallback frame of a fragment */
  guint    position;            /* where its current statement starts, or LS_NO_POSITION before its first one */
  guint    indent;              /* level of its statements */
  guint    first_def;           /* index into defs when it was entered */
  gboolean concise;             /* may the current statement open its scope without `with`? */
  GString *pending;             /* declarations that came before its first statement, or NULL */
} LsFrame;

typedef struct { LsNode *node; guint depth; } LsDef;
typedef struct { guint32 parent; guint32 step; } LsPathStep;

typedef struct {
  guint position;
  guint range;                  /* ranges from this one on move with an insertion here */
} LsMark;

/* Operators of Python by how tightly they bind, as far as they are printed. */
typedef enum {
  LS_BIND_NONE = 0,
  LS_BIND_LAMBDA,
  LS_BIND_OR,
  LS_BIND_AND,
  LS_BIND_NOT,
  LS_BIND_COMPARE,
  LS_BIND_ADD,
  LS_BIND_MULTIPLY,
  LS_BIND_UNARY,
  LS_BIND_ATOM
} LsBinding;

typedef enum {
  LS_DATA_DECLARED,             /* buffer->data must be known already (T.Buffer, T.decl_buffer) */
  LS_DATA_OWN,                  /* the buffer brings its data pointer: it is not printed */
  LS_DATA_HIDDEN                /* not printed either; own_data says how it will be called */
} LsBufferData;

/* What lies above all uses of a variable or buffer. */
typedef struct _LsAncestors LsAncestors;

typedef struct {
  GString              *text;               /* the whole text */
  GString              *out;                /* where printing goes: `text`, or one line that is inserted later */
  LsScriptPrintOptions  options;
  guint                 indent_width;
  gboolean              sugar;
  gboolean              relax;              /* inside a Relax function: integers have no type */
  GHashTable           *signature;          /* in its head: the dimensions that it brings, else NULL */
  GPtrArray            *constants;          /* LsConstant, in the order of their numbers in the metadata */
  LsArray              *devices;            /* of the module that is printed, or NULL */
  LsMap                *infos;              /* its global infos behind their own line, or NULL */
  const char           *module_title;       /* of the module that is printed, or NULL */
  gboolean              renamed;            /* something is not called in the text as it is called */
  gboolean              drop_declarations;  /* printing an expression alone */
  GHashTable           *names;              /* node -> text (char *): "A", "A.data", "Module.f" */
  GHashTable           *used;               /* names that are taken (char *, owned by `names` or static) */
  GHashTable           *numbers;            /* "x" -> n: x_1 to x_n are taken */
  GArray               *defs;               /* of LsDef */
  GArray               *frames;             /* of LsFrame */
  GArray               *marks;              /* of LsMark */
  LsVar                *own_data;           /* to be called after the buffer that the scope under way defines */
  LsNode               *scope_root;         /* below which common ancestors are looked for */
  LsAncestors          *ancestors;          /* made on demand */
  gboolean              mapping;
  guint                 muted;              /* inside a line that is inserted later: no ranges */
  guint                 temporary;          /* inside expressions that the printer made up itself */
  guint32               path;               /* number of the current path */
  GArray               *paths;              /* of LsPathStep */
  GArray               *ranges;             /* of LsSourceRange */
} LsPrinter;

/* ---- source-map.c ------------------------------------------------------- */

/* Takes text offsets from `text`; steals both arrays. */
LsSourceMap *ls_source_map_new (LsNode     *root,
                                const char *text,
                                GArray     *paths,
                                GArray     *ranges);

/* ---- printer-scope.c: names, frames, places ----------------------------- */

LsFrame    *ls_printer_top         (LsPrinter *p);
void        ls_printer_push        (LsPrinter *p, gpointer tir, guint indent);
void        ls_printer_pop         (LsPrinter *p);
const char *ls_printer_name        (LsPrinter *p, gpointer node);       /* NULL: not defined */
/* Gives the node a name of its own in frame number `depth` (what it has already stays). */
const char *ls_printer_define      (LsPrinter *p, gpointer node, guint depth);
/* The same with another name to start from than the node's own. */
const char *ls_printer_define_like (LsPrinter *p, gpointer node, guint depth, const char *hint);
/* The node is written as this text (transfer full) while frame `depth` lasts. */
void        ls_printer_define_as   (LsPrinter *p, gpointer node, guint depth, char *text);
/* May Python not have it as a name? */
gboolean    ls_printer_is_keyword  (const char *name);
/* Reserves a name without a node. */
void        ls_printer_reserve     (LsPrinter *p, const char *name);
/* What `ancestors` is: made when it is asked for the first time. */
void        ls_ancestors_free      (LsAncestors *self);
/* The frame in which TVM declares a variable that nothing binds; -1: none. */
int         ls_printer_lowest_frame (LsPrinter *p, gpointer node);
/* Does `stmt` lie above all uses of `node`? */
gboolean    ls_printer_is_above_all (LsPrinter *p, gpointer stmt, gpointer node);
/* Adds one whole line of text to frame `depth`, before its current statement.  It begins with the names of the
 * `n` nodes `defined`, with ", " between. */
void        ls_printer_declare     (LsPrinter *p, guint depth, const char *line, gpointer *defined, guint n);
/* Inserts text that shows no node. */
void        ls_printer_insert      (LsPrinter *p, guint position, const char *text);
guint       ls_printer_mark        (LsPrinter *p);
/* Inserts the name of `node` at the mark, shown as its definition, and drops the mark. */
void        ls_printer_insert_name (LsPrinter *p, guint mark, gpointer node, const char *name);
void        ls_printer_drop_mark   (LsPrinter *p, guint mark);
/* Starts a statement of the top frame and indents its first line. */
void        ls_printer_begin       (LsPrinter *p);
void        ls_printer_line        (LsPrinter *p, guint indent);        /* indentation only */

guint       ls_printer_open        (LsPrinter *p, gpointer node, LsSourceRole role);
void        ls_printer_close       (LsPrinter *p, guint range);
guint32     ls_printer_enter       (LsPrinter *p, gpointer parent, gsize offset);
guint32     ls_printer_enter_item  (LsPrinter *p, guint i);

/* Runs `call` with the path of a field of `parent`, or of an item of the list at the current path. */
#define LS_AT(p, parent, Type, member, call) \
  G_STMT_START { guint32 saved_ = ls_printer_enter ((p), (parent), G_STRUCT_OFFSET (Type, member)); call; (p)->path = saved_; } G_STMT_END
#define LS_AT_ITEM(p, i, call) \
  G_STMT_START { guint32 item_saved_ = ls_printer_enter_item ((p), (i)); call; (p)->path = item_saved_; } G_STMT_END

/* Most of the printer's time goes into short appends, so they are inlined; strlen of a literal is a constant. */
static inline void
ls_put_n (LsPrinter  *p,
          const char *text,
          gsize       n)
{
  GString *out = p->out;

  if (G_UNLIKELY (out->len + n >= out->allocated_len))
    {
      g_string_append_len (out, text, (gssize) n);
      return;
    }
  memcpy (out->str + out->len, text, n);
  out->len += n;
  out->str[out->len] = '\0';
}

#define ls_put(p, text) G_STMT_START { const char *text_ = (text); ls_put_n ((p), text_, strlen (text_)); } G_STMT_END
#define ls_put_char(p, c) g_string_append_c ((p)->out, (c))
void        ls_printer_put_int     (LsPrinter *p, gint64 value);
void        ls_printer_put_float   (LsPrinter *p, double value);
void        ls_printer_put_string  (LsPrinter *p, const char *text);
void        ls_printer_put_dtype   (LsPrinter *p, LsDType dtype);       /* quoted */
/* `name` shown as a definition of `node`. */
void        ls_printer_put_name    (LsPrinter *p, gpointer node, const char *name, LsSourceRole role);

/* ---- printer-expr.c ----------------------------------------------------- */

void        ls_printer_expr        (LsPrinter *p, gpointer expr, LsBinding parent, gboolean strict);
/* Any node where a value stands: expressions, types, containers, regions. */
void        ls_printer_value       (LsPrinter *p, gpointer node);
/* Makes sure that the variable has a name, declaring it if nothing binds it. */
const char *ls_printer_var_name    (LsPrinter *p, LsVar *var);
/* "T.int64()", "T.handle("float32", "shared")" for a declaration. (transfer full) */
char       *ls_printer_var_creation (LsVar *var);
/* A variable that is used. */
void        ls_printer_var         (LsPrinter *p, LsVar *var);

/* ---- printer-list.c ----------------------------------------------------- */

/* Items with ", " between, without brackets. */
void        ls_printer_items       (LsPrinter *p, LsArray *items);
/* A tuple: "(1,)" for one item. */
void        ls_printer_tuple       (LsPrinter *p, LsArray *items);
/* An expression that is no part of the tree (taken). */
void        ls_printer_temporary   (LsPrinter *p, LsExpr *expr);
/* "[...]": indices of an access; Ramps as slices; "()" for none. */
void        ls_printer_indices     (LsPrinter *p, LsArray *indices);
/* "[...]": a region of Ranges. */
void        ls_printer_region      (LsPrinter *p, LsArray *region);
void        ls_printer_list        (LsPrinter *p, LsArray *items);
void        ls_printer_map         (LsPrinter *p, LsMap *map);
/* A buffer that is used. */
void        ls_printer_buffer      (LsPrinter *p, LsBuffer *buffer);
void        ls_printer_load        (LsPrinter *p, LsBufferLoad *load);
void        ls_printer_buffer_region (LsPrinter *p, LsBufferRegion *region);

/* ---- printer-lambda.c --------------------------------------------------- */

void        ls_printer_reducer     (LsPrinter *p, LsCommReducer *reducer);
void        ls_printer_index_map   (LsPrinter *p, LsIndexMap *map);
void        ls_printer_reduce      (LsPrinter *p, LsReduce *reduce);
void        ls_printer_iter_var    (LsPrinter *p, LsIterVar *iter);
/* `opening`, the first value and the one behind the last, ")". */
void        ls_printer_dom         (LsPrinter *p, const char *opening, LsRange *dom);

/* ---- printer-buffer.c --------------------------------------------------- */

/* "T.match_buffer(first, shape, ...)"; `first` (or NULL) prints the first argument. */
typedef void (*LsPrintArgument) (LsPrinter *p, gpointer user_data);
void        ls_printer_buffer_decl (LsPrinter *p, LsBuffer *buffer, const char *method, LsPrintArgument first, gpointer user_data,
                                    guint depth, LsBufferData data);
/* The name of a buffer, declared with T.Buffer if nothing declares it. */
const char *ls_printer_buffer_name (LsPrinter *p, LsBuffer *buffer);
/* A parameter that is fully said by T.Buffer(shape, dtype). */
gboolean    ls_printer_buffer_is_simple (LsBuffer *buffer);
/* A line `name = T.method(...)` in the top frame. */
void        ls_printer_buffer_line (LsPrinter *p, LsBuffer *buffer, const char *method, LsPrintArgument first, gpointer user_data,
                                    LsBufferData data);

/* ---- printer-stmt.c, printer-block.c, printer-func.c -------------------- */

void        ls_printer_stmt        (LsPrinter *p, LsStmt *stmt);
/* Writes what stands before the right-hand side of a statement that opens a scope: " = " (the name is inserted later, at the
 * mark that is returned) or "with ". */
guint       ls_printer_begin_scope (LsPrinter *p, gboolean concise, gboolean named);
/* The rest of such a statement, whose opening (the text after `mark`) has been written: the name that it defines, if any, and its
 * body, the field of `parent` at `offset`.  `named` is defined in the new frame, unless it has a name already. */
void        ls_printer_finish_scope (LsPrinter *p, gpointer stmt, guint mark, gpointer named, gboolean concise, LsStmt *body,
                                     gpointer parent, gsize offset);
/* printer-alloc.c; annotations as the last argument, nothing without any. */
void        ls_printer_annotations (LsPrinter *p, gpointer parent, gsize offset, LsMap *annotations);
void        ls_printer_decl_buffer (LsPrinter *p, LsDeclBuffer *stmt, gboolean concise, LsBufferData data);
void        ls_printer_allocate    (LsPrinter *p, LsAllocate *stmt, gboolean concise);
void        ls_printer_allocate_const (LsPrinter *p, LsAllocateConst *stmt, gboolean concise);
/* A statement or the members of a sequence as the body of the top frame. */
void        ls_printer_body        (LsPrinter *p, LsStmt *body);
/* "pass" when nothing was written since `from`. */
void        ls_printer_pass        (LsPrinter *p, guint from);
void        ls_printer_block       (LsPrinter *p, LsBlock *block, LsBlockRealize *realize);
const char *ls_printer_block_word  (LsPrinter *p);                      /* "T.block" */
const char *ls_printer_alloc_word  (LsPrinter *p);                      /* "alloc_buffer" */
void        ls_printer_prim_func   (LsPrinter *p, LsPrimFunc *func, const char *name);
void        ls_printer_relax_func  (LsPrinter *p, LsFunction *func, const char *name, guint indent, gboolean is_global);
void        ls_printer_relax_expr  (LsPrinter *p, LsNode *node);
/* A binding, a block of bindings or a sequence by itself; variables from outside are declared in front. */
void        ls_printer_relax_part  (LsPrinter *p, LsNode *node);
void        ls_printer_module      (LsPrinter *p, LsModule *module);

G_END_DECLS
