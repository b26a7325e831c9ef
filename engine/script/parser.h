/* script/parser: TVMScript text to IR.
 *
 *   text -> lexer.c (tokens, indentation) -> syntax-*.c (Python-subset syntax tree, script-private.h)
 *        -> eval-*.c (expressions as values: Python's own and IR's) -> tir-*.c (functions, statements) -> LsModule
 *
 * All findings of a text go to one LsDiagnostics; a statement that cannot be read is left out and
 * reading goes on with the next one.  Codes (stable):
 *   script/encoding  script/character  script/string  script/number  script/indent  script/expected-token
 *   script/nesting  script/unsupported  script/unknown-name  script/unknown-attribute  script/arity
 *   script/argument  script/type  script/dtype  script/shape  script/target  script/duplicate  script/scope
 *   script/overflow  script/division  script/structure  script/relax
 */
#pragma once

#include "engine/ir/ir.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Reads a whole file: one or more module classes and free functions (decorated with T.prim_func or R.function).
 * One class: that module.  Free functions are wrapped into a module under their names; several classes are
 * merged with the later definition of a name winning (a warning says so).  Relax functions are left out with a
 * warning (script/relax).  Everything that could be built comes back, also after errors: ask
 * ls_diagnostics_has_error.  NULL when there is no function at all.  Names that were kept behind the text (`keep_names` of
 * printer.h) are given back.  (transfer full) */
LsModule *ls_script_parse            (LsSource      *source,
                                      LsDiagnostics *diagnostics);

/* The same; when the text is one free function and no class, *only gets that function (transfer full), else NULL. */
LsModule *ls_script_parse_file       (LsSource      *source,
                                      LsDiagnostics *diagnostics,
                                      LsNode       **only);

/* ---- host.c: a script inside a program ------------------------------------ */

/* One object of the program as the reader sees it. */
typedef enum {
  LS_HOST_OTHER = 0,            /* stays the program's own */
  LS_HOST_NONE,
  LS_HOST_BOOL,                 /* i */
  LS_HOST_INT,                  /* i */
  LS_HOST_FLOAT,                /* f */
  LS_HOST_STRING,               /* s */
  LS_HOST_TUPLE, LS_HOST_LIST,  /* items, n */
  LS_HOST_DICT,                 /* items: key, value, key, ...; n of both */
  LS_HOST_NODE,                 /* node */
  LS_HOST_META,                 /* items[0]: the value of a T.meta_var; n 1 */
  LS_HOST_PATH                  /* s: a module ("tvm.script.tir") or a member of one ("T.grid") */
} LsHostKind;

/* Texts are borrowed from the object.  `read` hands out references to node and items, the array is g_malloc'ed; `make`
 * borrows all of them. */
typedef struct {
  LsHostKind  kind;
  gint64      i;
  double      f;
  const char *s;
  LsNode     *node;
  gpointer   *items;
  guint       n;
} LsHostValue;

/* The program: objects are references of its own kind. */
typedef struct _LsScriptHost LsScriptHost;
struct _LsScriptHost {
  gpointer   user_data;
  gpointer (*lookup)    (LsScriptHost *host, const char *name);         /* NULL: there is no such name */
  void     (*read)      (LsScriptHost *host, gpointer object, LsHostValue *value);
  gpointer (*make)      (LsScriptHost *host, const LsHostValue *value);
  gpointer (*attribute) (LsScriptHost *host, gpointer object, const char *name, GError **error);
  gpointer (*item)      (LsScriptHost *host, gpointer object, gpointer index, GError **error);
  /* names[i] NULL: by position */
  gpointer (*call)      (LsScriptHost *host, gpointer object, gpointer *args, const char **names, guint n, GError **error);
  /* The value of an expression that the reader does not know, with the script's names. */
  gpointer (*eval)      (LsScriptHost *host, const char *text, const char **names, gpointer *objects, guint n, GError **error);
  gpointer (*keep)      (LsScriptHost *host, gpointer object);
  void     (*release)   (LsScriptHost *host, gpointer object);
  gboolean   lenient;           /* what does not fit its annotation or its operator is read all the same; a check of the module says it */
};

/* ls_script_parse for a text inside a program: names that the text does not define are the host's.  Findings in
 * Python functions that were called have the code script/python. */
LsModule *ls_script_parse_with       (LsSource      *source,
                                      LsScriptHost  *host,
                                      LsDiagnostics *diagnostics);

/* What "R.matmul" gives for a program's objects (positional ones first, names[i] NULL): a Relax expression or struct
 * info; calls among the arguments stay nested.  NULL with findings. (transfer full) */
LsNode   *ls_script_relax_call       (const char    *path,
                                      LsScriptHost  *host,
                                      gpointer      *objects,
                                      const char   **names,
                                      guint          n,
                                      LsDiagnostics *diagnostics);

typedef enum {
  LS_SCRIPT_EXPR_PLAIN = 0,
  LS_SCRIPT_EXPR_DECLARE = 1 << 0,      /* an unknown name becomes an int32 variable, added to `vars` */
} LsScriptExprFlags;

/* Reads one expression.  `vars` maps names (char *) to LsVar or LsBuffer (LsNode *, one reference owned by the
 * table: create it with g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref)).
 * The names T, tir, I stand for the script modules; min, max, floordiv, floormod, truncdiv, truncmod and the
 * intrinsics are known without a prefix too unless a variable has the name.  NULL with findings in
 * `diagnostics` when the text is no expression.  (transfer full) */
LsExpr   *ls_script_parse_expr       (LsSource         *source,
                                      GHashTable       *vars,
                                      LsScriptExprFlags flags,
                                      LsDiagnostics    *diagnostics);

/* T.target ({...}) becomes a Map of its options with this entry, a true IntImm, added; a text ("llvm -num-cores=4") is
 * taken apart into one. */
#define LS_SCRIPT_TARGET_KEY "__target__"

/* What stands behind a prefix: documentation for hover and glossary. */
typedef struct {
  const char *name;             /* "T.grid" */
  const char *signature;        /* "(*extents)" */
  const char *doc;              /* one sentence */
} LsScriptName;

/* The names that the parser knows, sorted; `n` gets the number.  Lives for ever. */
const LsScriptName *ls_script_names  (guint         *n);
/* The entry of "T.grid", or NULL. */
const LsScriptName *ls_script_name_lookup (const char *name);

/* The known name nearest to `name` (edit distance, at most a third of its length), or NULL. Borrowed from `candidates`. */
const char *ls_script_nearest        (const char        *name,
                                      const char *const *candidates,
                                      guint              n);

G_END_DECLS
