/* script/printer: any node as TVMScript text, and which byte of the text shows which node.
 *
 * The default text is that of TVM v0.20.0, byte for byte.  `2023` is how TVM printed in
 * the year of the course (float constants without ".0", plain booleans as attributes, global_symbol
 * shown, inputs of functions that come from tensor expressions called rxplaceholder), `2026` uses the names of TVM's main (T.sblock).  The printer never fails: a node that has no
 * TVMScript form is shown as a call of its class name, and a variable that nothing binds is
 * declared where TVM declares it.
 */
#pragma once

#include "engine/ir/ir.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum {
  LS_SCRIPT_STYLE_0_20 = 0,     /* the default */
  LS_SCRIPT_STYLE_2023,
  LS_SCRIPT_STYLE_2026
} LsScriptStyle;

/* "0.20", "2023", "2026".  FALSE when the text names none. */
gboolean    ls_script_style_parse (const char    *name,
                                   LsScriptStyle *out);
const char *ls_script_style_name  (LsScriptStyle  style);

typedef struct {
  LsScriptStyle style;
  const char   *module_name;      /* NULL: "Module" */
  const char   *function_name;    /* name of a free function; NULL: its global_symbol, else "main" */
  const char   *only_function;    /* of a module print only this function (inside its class); NULL: all */
  gboolean      show_meta;        /* say the constants in front; else a note behind says that they are left out */
  gboolean      no_header;        /* leave out the "# from tvm.script import" lines */
  gboolean      verbose;          /* no syntax sugar: no T.grid, T.axis.remap, implicit root block, T.Buffer parameters */
  gboolean      hide_known;       /* relax: leave out the struct info of a variable that is that of its value */
  gboolean      whole_heads;      /* relax: the head of a function is one line, as TVM has it; else more than 200 parameters go over several, for views */
  gboolean      keep_names;       /* names that the text has to change stand behind it, in comments that ls_script_parse reads */
  guint         indent;           /* spaces per level; 0: 4 */
} LsScriptPrintOptions;

/* ---- source-map.c ------------------------------------------------------- */

typedef enum {
  LS_SOURCE_NODE,               /* the text of a whole node: statement, expression, function */
  LS_SOURCE_DEFINE,             /* the place that gives a variable or buffer its name */
  LS_SOURCE_USE,                /* a variable or buffer mentioned */
} LsSourceRole;

/* One byte range of the text and the node that it shows.  Ranges nest; a node may have several
 * (a block's axis lines, a buffer's declaration and its uses).  Text that no node stands for has the path of the
 * nearest one that does: the end of a slice that of its extent, the declaration of a variable that nothing binds that of
 * the statement or buffer that needs it. */
typedef struct {
  guint32      start;
  guint32      end;             /* one past the last byte */
  guint32      line;            /* of `start`, from 1 */
  LsSourceRole role;
  guint32      path;            /* number of the path (ls_source_map_dup_path) */
  LsNode      *node;            /* the node shown; kept alive by the map's root */
} LsSourceRange;

/* Reference counted, immutable; keeps the printed root alive. */
typedef struct _LsSourceMap LsSourceMap;

LsSourceMap         *ls_source_map_ref        (LsSourceMap   *self);
void                 ls_source_map_unref      (LsSourceMap   *self);    /* NULL allowed */
/* The node that was printed, borrowed: all paths start there. */
LsNode              *ls_source_map_get_root   (LsSourceMap   *self);
/* All ranges, sorted by start, the outer before the inner one. */
const LsSourceRange *ls_source_map_get_ranges (LsSourceMap   *self,
                                               guint         *n);
/* The path of a range. (transfer full) */
LsPath              *ls_source_map_dup_path   (LsSourceMap         *self,
                                               const LsSourceRange *range);
/* The innermost range around a byte offset, or NULL (comments, `class`). Borrowed. */
const LsSourceRange *ls_source_map_at         (LsSourceMap   *self,
                                               guint32        offset);
/* All ranges that show exactly the node at `path`: an array of const LsSourceRange *, in text order. (transfer container) */
GPtrArray           *ls_source_map_find_path  (LsSourceMap   *self,
                                               const LsPath  *path);
/* The same for a node by pointer: for a Var or Buffer its definition and all its uses. (transfer container) */
GPtrArray           *ls_source_map_find_node  (LsSourceMap   *self,
                                               gconstpointer  node);
/* The definition of a variable or buffer, or NULL. Borrowed. */
const LsSourceRange *ls_source_map_find_definition (LsSourceMap   *self,
                                                    gconstpointer  identity);
/* The range of the nearest ancestor-or-self of `path` that is shown at all, or NULL. Borrowed. */
const LsSourceRange *ls_source_map_find_nearest (LsSourceMap   *self,
                                                 const LsPath  *path);
/* Lines, from 1. */
guint                ls_source_map_get_n_lines (LsSourceMap   *self);
guint                ls_source_map_line_of     (LsSourceMap   *self,
                                                guint32        offset);
guint32              ls_source_map_line_start  (LsSourceMap   *self,
                                                guint          line);
/* The line on which the node at `path` begins, 0 when it is not shown. */
guint                ls_source_map_line_of_path (LsSourceMap  *self,
                                                 const LsPath *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSourceMap, ls_source_map_unref)

/* ---- printer.c ---------------------------------------------------------- */

/* A module, function, block, statement, expression, buffer, type or container as TVMScript text that ends with a
 * line end (modules, functions, statements) or without one (all else).  options NULL: the defaults.  `map` may be
 * NULL; otherwise it gets the source map (transfer full). (transfer full) */
char *ls_script_print      (gpointer                     node,
                            const LsScriptPrintOptions  *options,
                            LsSourceMap                **map);
/* One expression in the default style; free variables by their names. (transfer full) */
char *ls_script_print_expr (gpointer                     expr);

G_END_DECLS
