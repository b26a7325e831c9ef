/* debug: a run of the interpreter under a debugger: stops, steps in both directions, values, and where two programs part.
 *
 *   inputs.c    what a function runs on: files, seeded random numbers
 *   memory.c    its accesses in the caches, on such inputs
 *   places.c    the text of the program, and which line shows which statement
 *   open.c      a session begun and ended
 *   session.c   the run with its checkpoints: to any position, forwards and backwards
 *   stops.c     breakpoints and what they watch
 *   look.c      what is seen at a stop, as data
 *   hover.c     the value of what stands at a place of the text
 *   record.c    the begin of a run written down, for pages and lessons
 *   past.c      what was done before: writes, the trail of accesses, a value over the run
 *   command.c   the words that a person says: one language for terminal, window and editor
 *   graph.c     a function of Relax, binding by binding; where the first NaN comes from
 *   graph-look.c    what is told of its values, and the way into what made one
 *   graph-inputs.c  random numbers for it that mean something
 *   graph-command.c  what is said to it
 *   graph-match.c  one graph against another: the same tensors before and after passes
 *   graph-beside.c  a graph against what torch computed for it
 *   toy.c, toy-steps.c  a program with its extents shrunk, before and after steps
 *   side.c      what one of two programs writes
 *   pair.c      two programs in step: the same element being made in both
 *   part.c      the first element in which two programs differ, and the step that made it so
 *
 * A position is a clock: the number of statements that were begun (interp/run.h).  Going back is going to the nearest checkpoint
 * before it and running from there.  Checkpoints share the pages of memory that did not change; together they take at most
 * LS_DEBUG_MEMORY bytes, then some of those that are far from where one is go; the begin and one more stay, whatever they take.
 */
#pragma once

#include "engine/interp/access-order.h"
#include "engine/interp/memory-lab.h"
#include "engine/interp/run.h"
#include "engine/runtime/runtime.h"
#include "engine/relax/lineage.h"
#include "engine/schedule/trace/trace.h"
#include "engine/script/script.h"
#include "engine/tir/index-values.h"

G_BEGIN_DECLS

#define LS_DEBUG_MEMORY ((gsize) 256 << 20)     /* bytes that checkpoints take, at most, unless told otherwise */
#define LS_DEBUG_SPACING 50000u                 /* statements between checkpoints, at the least */

#define LS_DEBUG_ERROR (ls_debug_error_quark ())
GQuark ls_debug_error_quark (void);
typedef enum {
  LS_DEBUG_ERROR_INPUT,         /* the program or its inputs */
  LS_DEBUG_ERROR_COMMAND,       /* what was asked */
  LS_DEBUG_ERROR_BUSY           /* it was interrupted */
} LsDebugError;

/* ---- inputs.c ------------------------------------------------------------------------ */

typedef struct {
  const char *const *files;     /* .npy for the arrays that are not written, in order, or NULL */
  const char *const *set;       /* "NAME=VALUE" for numbers and symbolic extents, or NULL */
  guint64            seed;      /* of the arrays without a file; the same numbers as `loopscope-cli run` makes of arrays that are only read */
  const guint       *places;    /* a graph's: of each parameter the place whose random numbers it gets, where that is not its own; or NULL */
  GHashTable        *given;     /* a graph's: place of a parameter -> GBytes, its values; or NULL */
} LsDebugInputs;

/* One argument for each parameter; arrays that the function writes begin with zeros.  NULL with an error.
 * (transfer full) of LsInterpArg, which own their memory */
GArray     *ls_debug_arguments (LsPrimFunc          *func,
                                const LsDebugInputs *inputs,
                                GError             **error);

/* Random numbers; where `values` (may be NULL) says so, those with which others can be indexed. */
void        ls_debug_fill      (const LsDLTensor    *tensor,
                                const LsIndexValues *values,
                                guint64              seed);

/* "K: 0–19999" (transfer full) */
char       *ls_debug_values_words (const char          *name,
                                   const LsIndexValues *values);

/* ---- memory.c ------------------------------------------------------------------------ */

/* ls_memory_lab_new(); where the accesses depend on data it is told on which numbers the program was run for that, in the lab's `data`.  `inputs`: as of
 * ls_debug_arguments(), may be NULL. (transfer full) */
LsMemoryLab *ls_debug_memory_lab  (LsPrimFunc            *func,
                                   const LsMemoryOptions *options,
                                   const LsDebugInputs   *inputs,
                                   GCancellable          *cancellable,
                                   GError               **error);

/* ls_access_order_new(); where the order depends on data it is that of a run on such numbers, and the order's `data` tells which.  `inputs` may be NULL.
 * (transfer full) */
LsAccessOrder *ls_debug_access_order (LsPrimFunc           *func,
                                      guint                 most,
                                      const LsDebugInputs  *inputs,
                                      GCancellable         *cancellable,
                                      GError              **error);

/* ---- places.c ------------------------------------------------------------------------ */

/* A statement of a function, in the order of the text. */
typedef struct {
  LsNode  *stmt;                /* borrowed */
  LsPath  *path;                /* from the module */
  guint    parent;              /* number of the statement around it; its own: none */
  guint    depth;               /* statements around it; sequences count for nothing */
  guint    end;                 /* one past the last statement inside it */
  guint    line;                /* of the text, from 1; 0: it is not shown */
  guint    file_line;           /* of the file that the statement was read from; 0: it was made, or nobody asked */
} LsDebugPlace;

typedef struct {
  LsModule    *module;          /* settled: as it runs */
  char        *text;
  LsSourceMap *map;
  GPtrArray   *funcs;           /* of LsPrimFunc, borrowed */
  GPtrArray   *places;          /* of GArray of LsDebugPlace, for each function */
} LsDebugText;

LsDebugText        *ls_debug_text_new    (LsModule       *module);
void                ls_debug_text_free   (LsDebugText    *self);
/* NULL: the function or the statement is none of the text. Borrowed. */
const LsDebugPlace *ls_debug_text_place  (LsDebugText    *self,
                                          LsPrimFunc     *func,
                                          guint           number);
/* The first statement that begins on the line, or on the first line after it that has one; NULL: none comes. Borrowed; *func and
 * *number get where it is. */
const LsDebugPlace *ls_debug_text_at_line (LsDebugText   *self,
                                           guint          line,
                                           LsPrimFunc   **func,
                                           guint         *number);
/* Looks up `file_line` of all statements in the file that the module was read from. FALSE: none of them stands there. */
gboolean            ls_debug_text_set_file (LsDebugText    *self,
                                            LsSource       *source);
/* ls_debug_text_at_line for a line of the file. */
const LsDebugPlace *ls_debug_text_at_file_line (LsDebugText  *self,
                                                guint         line,
                                                LsPrimFunc  **func,
                                                guint        *number);
/* The name that a variable or buffer has in the text. (transfer full) */
char               *ls_debug_text_name   (LsDebugText    *self,
                                          gpointer        identity);
/* Names that hold at a statement: variables around it, and its own when it is a loop or block; all buffers of the function.
 * (transfer full), name -> LsNode, for ls_script_parse_expr */
GHashTable         *ls_debug_text_names  (LsDebugText    *self,
                                          LsPrimFunc     *func,
                                          guint           number);

/* ---- open.c, session.c ----------------------------------------------------------------------- */

typedef struct _LsDebug LsDebug;

/* Why it stands where it stands. */
typedef struct {
  guint     stop;               /* number of the breakpoint, 0: none */
  char     *words;              /* NULL: it was told to come here */
  LsSee     kind;               /* of the event */
  guint64   clock;
  LsBuffer *buffer;             /* access; borrowed */
  gint64    element;
  LsDType   dtype;
  double    value;              /* what is read, or will be written */
} LsDebugHit;

/* A run of the function `name` of the module (NULL: its only one) before its first statement.  NULL with an error. (transfer full) */
LsDebug     *ls_debug_new          (LsModule            *module,
                                    const char          *name,
                                    const LsDebugInputs *inputs,
                                    GError             **error);
void         ls_debug_free         (LsDebug             *self);
LsRun       *ls_debug_get_run      (LsDebug             *self);
LsDebugText *ls_debug_get_text     (LsDebug             *self);
LsPrimFunc  *ls_debug_get_func     (LsDebug             *self);
/* Bytes that checkpoints may take. */
void         ls_debug_set_memory   (LsDebug             *self,
                                    gsize                bytes);
/* How many there are, and the bytes that they take. */
void         ls_debug_get_checkpoints (LsDebug          *self,
                                       guint            *n,
                                       gsize            *bytes);
/* Goes to a position; the end where it is beyond it. */
void         ls_debug_go_to        (LsDebug             *self,
                                    guint64              clock);
/* Ask now and then whether to give up; a run that is given up stands where it was asked. */
void         ls_debug_set_asker    (LsDebug             *self,
                                    gboolean           (*asked) (gpointer user_data),
                                    gpointer             user_data);
/* Was it given up? Cleared by the next command. */
gboolean     ls_debug_was_interrupted (LsDebug          *self);
/* Tells an observer of everything between two positions and comes back to where it was; what was given up before can still be gone on
 * with.  Returns: how far it came: `to`, the end, or where it was asked to give up. */
guint64      ls_debug_replay       (LsDebug             *self,
                                    guint64              from,
                                    guint64              to,
                                    const LsObserver    *observer,
                                    gpointer             user_data);
const LsDebugHit *ls_debug_get_hit (LsDebug             *self);

/* ---- stops.c ------------------------------------------------------------------------- */

typedef enum {
  LS_STOP_STATEMENT,            /* before statements: `number`, or with `depth` those that are no deeper */
  LS_STOP_ROUND,                /* before a round of the loop `number` */
  LS_STOP_BLOCK,                /* in a block: `number`, or any */
  LS_STOP_READ,                 /* of an element of `buffer` inside the region */
  LS_STOP_WRITE,
  LS_STOP_NAN,                  /* a NaN or an infinity is written */
  LS_STOP_RANGE                 /* a value outside low..high is written; `buffer` or any */
} LsStopKind;

#define LS_STOP_ANY G_MAXUINT

typedef struct {
  guint        id;              /* 0: for one step */
  LsStopKind   kind;
  LsPrimFunc  *func;
  guint        number;          /* of a statement, or LS_STOP_ANY */
  guint        depth;           /* STATEMENT with number ANY: at most this deep */
  LsBuffer    *buffer;          /* or NULL: any */
  guint        ndim;            /* of the region; 0: the whole buffer */
  gint64       from[16], to[16];        /* half open */
  double       low, high;
  char        *condition;       /* or NULL */
  char        *words;           /* as it was said */
  LsRunExpr   *ready;           /* the condition of one statement, or NULL */
  GHashTable  *by_statement;    /* else: number + 1 -> LsRunExpr, made when it is needed */
  guint64      hits;
} LsStop;

/* Reads "line 12 if i == 3", "loop i if i == 3 and k > 5", "write C[0:4, 3]", "read A", "nan", "range -1 1 Y", "block Y".  NULL with
 * an error that says what was expected. (transfer full) */
LsStop      *ls_debug_stop_parse   (LsDebug             *self,
                                    const char          *words,
                                    GError             **error);
void         ls_stop_free          (LsStop              *stop);
/* Takes it; returns its number. */
guint        ls_debug_add_stop     (LsDebug             *self,
                                    LsStop              *stop);
gboolean     ls_debug_remove_stop  (LsDebug             *self,
                                    guint                id);
void         ls_debug_clear_stops  (LsDebug             *self);
GPtrArray   *ls_debug_get_stops    (LsDebug             *self);         /* of LsStop, borrowed */

/* Goes on to the next stop, or back to the one before; `once` (taken) is for this time only, and with it the others hold too unless
 * `alone`.  FALSE: the end (or the begin) came first. */
gboolean     ls_debug_seek         (LsDebug             *self,
                                    gboolean             backwards,
                                    LsStop              *once,
                                    gboolean             alone);

/* Is it on its way back? */
gboolean     ls_debug_goes_back    (LsDebug             *self);
/* Goes on with what was given up. FALSE: nothing was.  On its way back a run that is given up stands at the last place from which on everything was looked at. */
gboolean     ls_debug_more         (LsDebug             *self);

/* ---- look.c: everything as a{sv} ------------------------------------------------------ */

/* Position, line, statements under way, variables, expressions of the statement, accesses of the statement, why it stands here. */
GVariant    *ls_debug_look         (LsDebug             *self);
/* hover.c.  Value of an expression with the names of the place: "expression", "text", "value", "type"; of an element that the program writes and has not
 * yet "written", FALSE, and where its memory held nothing before no "value". NULL with an error: it cannot be read, or has no value. */
GVariant    *ls_debug_ask          (LsDebug             *self,
                                    const char          *text,
                                    GError             **error);
/* The value of the innermost expression at a character of a line of the text, both from 1: "expression", "text" (all lanes of a vector: "[0, 1]"),
 * "value", "type" and "written" as above.  The name of a buffer where no element is meant tells its shape, how much is written, the least and the most.  What has no
 * value has "reason" in the place of it: nothing that binds a variable of it is under way, no memory, a call that may do something, an access outside.
 * NULL with an error: no expression stands there. */
GVariant    *ls_debug_ask_at       (LsDebug             *self,
                                    guint                line,
                                    guint                column,
                                    GError             **error);
/* A buffer as a grid of at most `rows` x `columns` from `row`, `column` on; the last two dimensions, with `at` for those before
 * (or NULL: zeros). */
GVariant    *ls_debug_grid         (LsDebug             *self,
                                    LsBuffer            *buffer,
                                    const gint64        *at,
                                    gint64               row,
                                    gint64               column,
                                    guint                rows,
                                    guint                columns);
LsBuffer    *ls_debug_find_buffer  (LsDebug             *self,
                                    const char          *name);
/* "C[3, 5]" of an element offset. (transfer full) */
char        *ls_debug_element_words (LsDebug            *self,
                                     LsBuffer           *buffer,
                                     gint64              element);
/* "NaN", "0.5", "12". (transfer full) */
char        *ls_debug_value_words  (const LsRunValue    *value);
/* hover.c.  What an element of a buffer holds: "0.5", "not written yet" where there is nothing, and "0, not written yet" in an array of the caller's that the
 * program writes. (transfer full) */
char        *ls_debug_stored_words (LsDebug             *self,
                                    LsBuffer            *buffer,
                                    const LsRunBuffer   *view,
                                    gint64               element);

/* ---- record.c ------------------------------------------------------------------------ */

#define LS_RECORD_MOST 4000u            /* statements that are written down at most */

/* The first `most` statements of a run, written down: "text", "buffers" (name, shape, values, written: as each is when it is met first), "steps" (line,
 * vars, stop: one of the breakpoints `stops` stops there; accesses a(uxbds): number of the buffer, row-major element, whether it is a write, the
 * value, in words), "whole": it is all of the run.  NULL with an error: a breakpoint cannot be read or stops nowhere, the buffers are too
 * large, or the run fails. (transfer full) */
GVariant    *ls_debug_record       (LsDebug             *self,
                                    const char *const   *stops,
                                    guint                most,
                                    GError             **error);

/* ---- command.c ----------------------------------------------------------------------- */

/* Does what one line says and answers: "command", and what belongs to it; after a move what ls_debug_look() tells.  NULL with an
 * error that says what was expected. */
GVariant    *ls_debug_command      (LsDebug             *self,
                                    const char          *line,
                                    GError             **error);
/* What can be said, one line each. */
const char  *ls_debug_help         (void);

/* ---- graph.c ------------------------------------------------------------------------- */

#define LS_GRAPH_BINS 16

/* One of the times that a variable was bound to something that holds a value. */
typedef struct {
  LsRelaxVar *var;              /* borrowed */
  guint       time;             /* 0: the first */
  guint       field, n_fields;  /* which field of the tuple; a tensor is field 0 of 1 */
} LsGraphPlace;

/* The value of one binding (or parameter, or constant) of a Relax function. */
typedef struct {
  guint       number;           /* in the order in which they were made */
  char       *name;
  char       *op;               /* "relax.matmul", "parameter", "constant" */
  char       *trouble;          /* why it is not known; NULL: it is */
  LsDType     dtype;
  guint       ndim;
  gint64      shape[16];
  gint64      n;                /* elements */
  guint8     *data;             /* compact */
  double      least, mean, most;        /* of the finite ones */
  gint64      n_nan, n_infinite;
  gint64      first_odd;        /* row-major number of the first NaN or infinity, -1: none */
  gint64      histogram[LS_GRAPH_BINS]; /* from least to most */
  GArray     *inputs;           /* of guint: numbers of the values that went in */
  LsPrimFunc *func;             /* that made it, borrowed, or NULL */
  GArray     *places;           /* of LsGraphPlace: the variables that stand for it */
} LsGraphValue;

typedef struct {
  LsModule   *module;           /* legalized */
  GPtrArray  *values;           /* of LsGraphValue */
  GHashTable *ops;              /* name of a binding -> operator that it was */
  GHashTable *constants;        /* LsConstant -> LsGraphValue */
  GHashTable *bound;            /* LsRelaxVar of `module` -> GPtrArray of GPtrArray of LsGraphValue: each time it was bound, the tensor or the fields of the tuple */
  LsRelaxLineage *legalized;    /* what of the module's own variables became those of `module` */
  LsFunction *func;             /* that is run, borrowed */
  gboolean  (*asked) (gpointer user_data);
  gpointer    asked_data;
  gboolean    is_ended;         /* asked said so */
  GHashTable *named;            /* name of a binding of the function itself -> number of its value plus one */
  int         result;           /* number of what the function returns; -1: it is no single tensor of these */
  gboolean    is_whole;         /* it was run to its end */
  guint       at;               /* where one stands: ls_debug_graph_command */
  GPtrArray  *stops;            /* of char *: patterns */
} LsDebugGraph;

/* Runs the function of Relax `name` (NULL: main, else the first one).  Files are for the parameters in order.  NULL with an error.
 * (transfer full) */
LsDebugGraph *ls_debug_graph_new       (LsModule            *module,
                                        const char          *name,
                                        const LsDebugInputs *inputs,
                                        GError             **error);
/* The same before anything of it was run; then ls_debug_graph_run().  NULL with an error. (transfer full) */
LsDebugGraph *ls_debug_graph_open      (LsModule            *module,
                                        const char          *name,
                                        const LsDebugInputs *inputs,
                                        GError             **error);
/* Runs it, once.  `asked` (or NULL) is called now and then, between two statements of TensorIR at the latest after some thousands of them; while it
 * waits the values that were made so far may be looked at, from other threads too.  It returns FALSE to end the run: the others are never made. */
void          ls_debug_graph_run       (LsDebugGraph        *self,
                                        gboolean           (*asked) (gpointer user_data),
                                        gpointer             user_data);
void          ls_debug_graph_free      (LsDebugGraph        *self);
/* binding, op, shape, type, inputs, least, mean, most, nan, infinite, histogram; or trouble. (transfer full) */
GVariant     *ls_debug_graph_look      (LsDebugGraph        *self,
                                        guint                number);
/* The number of the first value with a NaN or infinity into which none goes; -1: there is none. */
int           ls_debug_graph_first_odd (LsDebugGraph        *self);
/* That one as ls_debug_graph_look() tells it, and `inside`: what is seen at the statement that writes it.  NULL: none. (transfer full) */
GVariant     *ls_debug_graph_nan       (LsDebugGraph        *self);
/* The call that made a value under the debugger, with what went into it. NULL with an error. (transfer full) */
LsDebug      *ls_debug_graph_into      (LsDebugGraph        *self,
                                        guint                number,
                                        GError             **error);

/* The number of the value that a binding of the function itself has, whoever made it; -1: there is no such binding, or it has no single value. */
int           ls_debug_graph_find      (LsDebugGraph        *self,
                                        const char          *name);

/* "[3, 0]" of a row-major number. (transfer full) */
char         *ls_debug_graph_element   (const LsGraphValue  *value,
                                        gint64               i);

/* ---- graph-command.c ------------------------------------------------------------------ */

/* Does what one line says: step, back, start, end, goto BINDING, continue, back-continue (to the next binding that a breakpoint
 * names), break PATTERN (of operators or bindings; "nan"), breaks, delete [N], grid [SLICE ROW COLUMN], list, nan, where.  Those that move
 * answer what ls_debug_graph_look() tells, with "of" and, where a breakpoint was the reason, "stopped-for".  NULL with an error.
 * (transfer full) */
GVariant     *ls_debug_graph_command   (LsDebugGraph        *self,
                                        const char          *line,
                                        GError             **error);
/* ---- graph-match.c --------------------------------------------------------------------- */

/* Why two values of two graphs are taken for the same tensor. */
typedef enum {
  LS_GRAPH_LIKE_NONE,           /* nothing is like it */
  LS_GRAPH_LIKE_LINEAGE,        /* the passes put the one in the place of the other, or left it alone */
  LS_GRAPH_LIKE_POSITION,       /* parameters by their number */
  LS_GRAPH_LIKE_STRUCTURE,      /* the same operator on what is alike, whatever its type */
  LS_GRAPH_LIKE_NAME,           /* the same name and shape */
  LS_GRAPH_LIKE_RESULT          /* what both functions return */
} LsGraphWhy;

typedef struct {
  int        other;             /* number in the other graph, -1: none */
  LsGraphWhy why;
} LsGraphLike;

/* For each value its like in another graph, that of a module made of the first by passes.  `passes`: what was recorded while they ran, or NULL
 * where nobody knows how the one became the other; then, and for values that nothing was noted for, by structure. (transfer full) of
 * LsGraphLike */
GArray       *ls_debug_graph_match     (LsDebugGraph        *self,
                                        LsDebugGraph        *other,
                                        LsRelaxLineage      *passes);
/* "lineage", "position", "structure", "name", "result"; "" for none. */
const char   *ls_graph_why_name        (LsGraphWhy           why);
/* A value and an array that somebody else made for it, such as torch, under the name `name`: the same answer. (transfer full) */
GVariant     *ls_debug_graph_compare_array (LsDebugGraph    *self,
                                            guint            number,
                                            const char      *name,
                                            LsNDArray       *array);
/* Two values: binding, other, matched (ls_graph_why_name), error (the largest distance), relative (to the largest value), mean-error, place, differ (how many do), n; or
 * trouble. (transfer full) */
GVariant     *ls_debug_graph_compare   (LsDebugGraph        *self,
                                        guint                number,
                                        LsDebugGraph        *other,
                                        LsGraphLike          like);

/* ---- graph-beside.c -------------------------------------------------------------------- */

/* What somebody else computed for the values of a graph; `names` are pairs: how a value is called there, and how the binding or parameter of
 * the graph is; a file is FOLDER/NAME.npy.  Where several stand for one value, the last of them counts. */
typedef struct _LsGraphBeside LsGraphBeside;

/* Writes the values that there are. FALSE with an error: one cannot be written. */
gboolean       ls_debug_graph_write_values (LsDebugGraph      *self,
                                            const char        *folder,
                                            const char *const *names,
                                            GError           **error);
/* Reads what is there; `graph` outlives it. NULL with an error: a file is torn. (transfer full) */
LsGraphBeside *ls_graph_beside_read        (LsDebugGraph      *graph,
                                            const char        *folder,
                                            const char *const *names,
                                            GError           **error);
void           ls_graph_beside_free        (LsGraphBeside     *self);
/* How many of the names have no file, or no value of the graph. */
guint          ls_graph_beside_get_n_without (LsGraphBeside   *self);
/* As ls_debug_graph_compare_array() says it; NULL: there is nothing for this value. (transfer full) */
GVariant      *ls_graph_beside_compare     (LsGraphBeside     *self,
                                            guint              number);
/* As "grid PLACE" of ls_debug_graph_command() says it, of the other value; NULL: there is none. (transfer full) */
GVariant      *ls_graph_beside_grid        (LsGraphBeside     *self,
                                            guint              number,
                                            const char        *place);

/* ---- toy.c --------------------------------------------------------------------------- */

/* The module with its large extents shrunk: every extent is divided by as much as all of the text's structure allows, down to about
 * `size`.  *words gets what became of which extent.  NULL with an error: the structure cannot be kept. (transfer full) */
LsModule    *ls_debug_toy          (LsModule            *module,
                                    gint64               size,
                                    char               **words,
                                    GError             **error);

/* The module as above and what each of `n` lists of steps (NULL: none) makes of it: of the smallest size from `size` on, doubled, with which all of them do
 * what they do to the module as it is. NULL with an error. (transfer full) of LsModule: the first is without steps */
GPtrArray   *ls_debug_toy_scheduled (LsModule           *base,
                                     LsTrace           **steps,
                                     guint               n,
                                     gint64              size,
                                     char              **words,
                                     GError            **error);

/* The same statements inside each other, whatever their numbers? */
gboolean     ls_debug_same_structure (LsModule           *a,
                                      LsModule           *b);

/* ---- pair.c: two programs in step ------------------------------------------------------- */

#define LS_PAIR_WRITES (3u << 20)       /* writes of each program that are kept, 32 bytes each; a program with more is known up to there */

/* Two programs that should do the same (one before and after a primitive, say), on the same inputs.  Their clock counts the writes of the
 * side that leads; the other one is brought to where it makes the same element: before the statement of the write of that element that is
 * its first, second, ... as in the leading one. */
typedef struct _LsDebugPair LsDebugPair;

/* Begins both; neither was run yet, and nothing can be asked. NULL with an error: a run cannot be made. (transfer full) */
LsDebugPair *ls_debug_pair_begin   (LsModule            *left,
                                    LsModule            *right,
                                    const char          *name,
                                    const LsDebugInputs *inputs,
                                    GError             **error);
/* Runs one of them on: to its end, to where it fails, to LS_PAIR_WRITES writes, or until the asker wants to give up.  TRUE: both are through, and
 * stand before their first statement. */
gboolean     ls_debug_pair_run     (LsDebugPair         *self,
                                    guint                side);
/* Whoever is not through is known up to where it is now; both stand before their first statement. */
void         ls_debug_pair_cut     (LsDebugPair         *self);
/* Ask now and then whether to give up: ls_debug_pair_run(), or a command, whose answer has "interrupted" then and which "more" goes on with. */
void         ls_debug_pair_set_asker (LsDebugPair       *self,
                                      gboolean         (*asked) (gpointer user_data),
                                      gpointer           user_data);
/* Begins both and runs them.  NULL with an error: a run cannot be made. (transfer full) */
LsDebugPair *ls_debug_pair_new     (LsModule            *left,
                                    LsModule            *right,
                                    const char          *name,
                                    const LsDebugInputs *inputs,
                                    GError             **error);
void         ls_debug_pair_free    (LsDebugPair         *self);
/* 0: the left one, 1: the right one. Borrowed. */
LsDebug     *ls_debug_pair_get     (LsDebugPair         *self,
                                    guint                side);
/* Does what one line says in the side that leads, brings the other one along, and answers what is seen in both: "left", "right" (what
 * ls_debug_look() tells), "element" that the next write of the leading one makes, "write" (from 1), "writes-left", "writes-right" of it in all,
 * "value-left", "value-right" of that write and "differ" ("none"; "rounding" or "real" of the last write in both; "way" before), "at" and "of": the clock; "ends-left", "ends-right": why it is known no further, where it did not
 * come to its end.  A command that does not move is
 * answered as ls_debug_command() does.  "goto-write N": to the leading one's write N, from 0.  NULL with an error. (transfer full) */
GVariant    *ls_debug_pair_command (LsDebugPair         *self,
                                    guint                leads,
                                    const char          *line,
                                    GError             **error);

/* ---- part.c -------------------------------------------------------------------------- */

/* Runs both functions on the same inputs.  "differ": none, rounding, real; the first element with a real difference (else with one
 * by rounding), its values, the writes that made it in both, the largest difference in units in the last place, and in words why.
 * "at-once": the loops ("j_1 (vectorized)") whose
 * rounds machine code runs at once, and this run one after the other.  NULL with an error. */
GVariant    *ls_debug_part         (LsModule            *left,
                                    LsModule            *right,
                                    const char          *name,
                                    const LsDebugInputs *inputs,
                                    GError             **error);
/* The first of modules[1..n) whose results differ really from those of modules[0]: found by halving, so it is the first one where a
 * later step does not take the difference back.  0: none; -1 with an error. */
int          ls_debug_first_step   (LsModule           **modules,
                                    guint                n,
                                    const char          *name,
                                    const LsDebugInputs *inputs,
                                    GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDebug, ls_debug_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDebugPair, ls_debug_pair_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDebugGraph, ls_debug_graph_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDebugText, ls_debug_text_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphBeside, ls_graph_beside_free)

G_END_DECLS
