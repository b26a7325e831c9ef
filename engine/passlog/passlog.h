/* passlog: what the passes of any compiler did, read from its log.
 *
 *   kind        which compiler wrote a text, and how it announces a dump
 *   log         a mapped file read once: dumps in their order as ranges of bytes, with their functions
 *   folder      the same of a folder of files, one dump a file; folder-name: in which order, of which pass
 *   parts       where the functions of a dump begin and end
 *   patch       dumps whose lines have signs (-print-changed=diff)
 *   rows        lines before and after side by side
 *   sides       a function before and after a pass, and what is counted of that
 *   session     a log as one file, with each text once
 *   align       two logs side by side
 *   stages      a log of passes of our own
 *   times       reports of times; times-gcc: which row of GCC's has a pass
 *   hide        a text without metadata, debug information or attributes
 *   operations  a function as operations with names, operands and results, of any dialect and of damaged texts
 *   scan        which dumps a log announces while it is still written
 *   search      what mentions a text, or removed it, asked while the log is still read
 *   aliases     what #blocked of MLIR stands for in a dump
 *   words       what of a line is a value, and what it writes
 *   places      where in the source a line comes from, by what its dump says
 *   reason      why LLVM did not read a text
 *   ir          functions of LLVM IR as LLVM's own parser reads them, where somebody can ask it; complete: texts that it takes
 *   nest        in which pass manager each pass ran
 *   flow        blocks of a function and where control goes; flow-data: regions of MLIR, operations of HLO
 *   follow      a value, operation, block or source line through all dumps
 *   pins        which lines a value, block, source line or text stands for
 *   diff        what made one function of another; names and numbers that only changed are no change
 *
 * No text is copied: a dump is a place in a file that stays mapped while the log lives.  A file that is made shorter by
 * another program meanwhile must not be mapped: ls_pass_log_open() is for files that are complete. */
#pragma once

#include "engine/base/base.h"

G_BEGIN_DECLS

#define LS_PASS_LOG_ERROR (ls_pass_log_error_quark ())
GQuark ls_pass_log_error_quark (void);

typedef enum {
  LS_PASS_LOG_ERROR_EMPTY,      /* there is nothing in it */
  LS_PASS_LOG_ERROR_UNKNOWN     /* no dump of the kind that was asked for, or of any kind */
} LsPassLogError;

typedef enum {
  LS_PASS_LOG_AUTO,             /* to be recognised */
  LS_PASS_LOG_LLVM,             /* *** IR Dump After P on F ***, *** IR Dump After P *** */
  LS_PASS_LOG_MLIR,             /* // -----// IR Dump After P (p) //----- // */
  LS_PASS_LOG_TVM,              /* # from tvm.script, PrintAfterAll */
  LS_PASS_LOG_GCC,              /* ;; Function f (f, ...) */
  LS_PASS_LOG_XLA,              /* HloModule */
  LS_PASS_LOG_PTX,              /* .version, .target: NVIDIA's assembly */
  LS_PASS_LOG_TEXT              /* files of anything, compared line by line */
} LsPassLogKind;

/* "llvm", "mlir", "tvm", "gcc", "xla", "ptx", "text"; "auto". */
const char    *ls_pass_log_kind_name  (LsPassLogKind kind);
/* The other way. FALSE: there is none of this name. */
gboolean       ls_pass_log_kind_parse (const char    *name,
                                       LsPassLogKind *kind);

typedef enum {
  LS_PASS_DUMP_AFTER,
  LS_PASS_DUMP_BEFORE,
  LS_PASS_DUMP_START,           /* before all passes */
  LS_PASS_DUMP_UNCHANGED,       /* the log says that the pass changed nothing; there is no text */
  LS_PASS_DUMP_FILTERED,        /* the log says that it was left out; there is no text */
  LS_PASS_DUMP_DELETED          /* the pass deleted what it ran on; there is no text */
} LsPassDumpKind;

/* A function (or what else has a name) of a dump. One that a pass deleted is a part without bytes. */
typedef struct {
  const char *name;             /* of the log; "" for a text without functions */
  gsize       start, end;       /* bytes in the file */
  guint64     hash;             /* of these bytes */
  guint       dump;             /* whose part it is */
  guint       before, after;    /* number + 1 of the part that this one was and of the one it became; 0: none */
  gboolean    patch;            /* its bytes are lines with signs, both what it was and what it is */
} LsPassPart;

typedef struct {
  const char    *pass;          /* of the log, as all names are */
  const char    *unit;          /* "sum", "[module]", "loop %1 in function sum"; "" where the log does not say */
  LsPassDumpKind kind;
  LsPassLogKind  language;      /* how its text is read; differs in a folder of several stages */
  guint          file;          /* number of the file in a folder, else 0 */
  guint          line;          /* of the head in the file, from 1 */
  gsize          head;          /* where its head begins, bytes in the file */
  gsize          start, end;    /* the text without its head, bytes in the file */
  gsize          other;         /* where in it or at its end begins what is no dump: warnings, other output */
  guint          first, n;      /* its parts */
  gboolean       effective;     /* a part differs in its bytes from what it was, is new or gone, or the log says so */
  double         seconds;       /* where the log has times, of all runs of this pass together; else -1 */
} LsPassDump;

typedef struct _LsPassLog LsPassLog;
typedef struct _LsPassIr LsPassIr;

/* A file of a log, and how it was read. */
typedef struct {
  LsPassLogKind kind;
  gboolean      whole;          /* all of it is one dump */
  gboolean      anew;           /* nothing in it is what was before */
} LsPassSource;

/* While a log is read, in the thread that reads: this many dumps at the beginning of its array are complete, but for `effective`, `seconds`
 * and what later dumps say of them.  FALSE: stop reading; what there is so far is the log. */
typedef gboolean (*LsPassProgress) (LsPassLog *log,
                                    guint      n_dumps,
                                    gpointer   user_data);

struct _LsPassLog {
  LsPassLogKind kind;
  gboolean      recognised;     /* nobody asked for this kind */
  GPtrArray    *files;          /* GBytes, in their order; mapped where they come from a disk */
  GPtrArray    *file_names;
  GArray       *sources;        /* LsPassSource, one for each file */
  gboolean      forgot;         /* while it is read: the next file begins anew */
  GVariant     *shown;          /* of a session: a{sv} that was given when it was saved; else NULL */
  GArray       *dumps;          /* LsPassDump */
  GArray       *parts;          /* LsPassPart */
  GHashTable   *times;          /* name of a pass to double * (seconds) */
  GHashTable   *state;          /* name of a function to number + 1 of its last part */
  gboolean      before_only;    /* what a pass changed shows in the next dump of the same function */
  gboolean      whole;          /* a dump of everything was there */
  GHashTable   *prints;         /* where dumps have lines with signs: print of a function to its name; else NULL */
  LsPassProgress progress;      /* only while it is read */
  gpointer      progress_data;
  LsPassIr     *ir;             /* who reads LLVM IR beside the tolerant reader, or NULL */
  gboolean      stopped;        /* progress said so */
  GStringChunk *names;
};

/* Opens a file, a folder, or what comes through a pipe until that ends, and reads where its dumps are. NULL: `error` says why. (transfer full) */
LsPassLog  *ls_pass_log_open      (const char    *path,
                                   LsPassLogKind  kind,
                                   GError       **error);
/* The same, telling every now and then; `copy`: a file of up to 1 GiB is read into memory, so that another program may write it again
 * meanwhile.  progress may be NULL. (transfer full) */
LsPassLog  *ls_pass_log_open_full (const char    *path,
                                   LsPassLogKind  kind,
                                   gboolean       copy,
                                   LsPassProgress progress,
                                   gpointer       user_data,
                                   GError       **error);
/* Can it be read only once: a pipe? */
gboolean    ls_pass_log_is_pipe   (const char    *path);
/* Is this a log of passes, by how it begins? LS_PASS_LOG_AUTO: it is not.  A pipe is one.  A folder is one where its name says so or its files do.
 * A text that TVM's script reads is a program and no log. */
LsPassLogKind ls_pass_log_recognise (const char  *path);
/* The same of a text in memory (from a pipe). (transfer full) */
LsPassLog  *ls_pass_log_read      (GBytes        *bytes,
                                   LsPassLogKind  kind,
                                   GError       **error);
/* A log that is still written, read as it comes. */
typedef struct _LsPassScan LsPassScan;

LsPassScan *ls_pass_scan_new      (LsPassLogKind  kind);
void        ls_pass_scan_free     (LsPassScan    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassScan, ls_pass_scan_free)
/* Takes more of its bytes, cut anywhere; appends the dumps that whole lines announce: pass, unit (both live as long as the scan), kind, language,
 * line, head. */
void        ls_pass_scan_feed     (LsPassScan    *self,
                                   const char    *text,
                                   gsize          size,
                                   GArray        *dumps);
/* A program after a pass of our own. */
typedef struct {
  const char   *pass;
  const char   *text;           /* NULL: as the one before */
  LsPassLogKind language;
  gboolean      start;          /* what the first of a row of passes gets */
  double        seconds;        /* below 0: not known */
} LsPassStage;

/* A log of them. (transfer full) */
LsPassLog  *ls_pass_log_from_stages (const LsPassStage *stages,
                                   guint          n,
                                   GError       **error);
/* Writes the log as one file, with each text once, which ls_pass_log_open() opens.  shown: a{sv}, what a window shows of it, or NULL; a floating
 * reference is taken.  FALSE: `error` is set. */
gboolean    ls_pass_log_save      (LsPassLog     *log,
                                   const char    *path,
                                   GVariant      *shown,
                                   GError       **error);
void        ls_pass_log_free      (LsPassLog     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassLog, ls_pass_log_free)

/* The bytes of a file of the log; not ended by a zero. (transfer none) */
const char *ls_pass_log_text      (LsPassLog     *self,
                                   guint          file,
                                   gsize         *size);
/* Bytes of all files. */
gsize       ls_pass_log_size      (LsPassLog     *self);
/* The text of a dump. (transfer full) */
char       *ls_pass_log_dump_text (LsPassLog     *self,
                                   guint          dump);
/* The text of a part (number from 0), as it is after the pass where the log has lines with signs. (transfer full) */
char       *ls_pass_log_part_text (LsPassLog     *self,
                                   guint          part);
/* What the pass of the dump made of this part of it: the function before and after; NULL where the log does not have it.
 * (transfer full) */
void        ls_pass_log_part_sides (LsPassLog    *self,
                                   guint          part,
                                   char         **before,
                                   char         **after);
/* What "#blocked" and the like stand for in the dump of a part; NULL: there are none. (transfer full): texts to texts */
GHashTable *ls_pass_log_part_aliases (LsPassLog  *log,
                                   guint          part);
/* The same of both sides; see ls_pass_log_part_sides(). */
void        ls_pass_log_side_aliases (LsPassLog  *self,
                                   guint          part,
                                   GHashTable   **before,
                                   GHashTable   **after);
/* Names that stand for one thing before and for another after; both tables may be NULL. (transfer full) */
char      **ls_pass_aliases_changed (GHashTable  *before,
                                   GHashTable    *after);
/* Do both differ in their bytes?  FALSE also where one is not known. */
gboolean    ls_pass_log_part_changed (LsPassLog  *self,
                                   guint          part);
/* What stands outside of all dumps before this one's head (warnings, reports, other output); with the number of dumps what stands
 * behind the last one.  FALSE: nothing but empty lines. */
gboolean    ls_pass_log_between   (LsPassLog     *self,
                                   guint          dump,
                                   guint         *file,
                                   gsize         *start,
                                   gsize         *end);
/* The first dump, from `from` on, whose text has `what` in it; -1: none has. */
int         ls_pass_log_first     (LsPassLog     *self,
                                   const char    *what,
                                   guint          from);
/* The first dump with a text of a unit in which an earlier dump of the same unit or function has `what`, and it has not; -1: it never goes. */
int         ls_pass_log_remover   (LsPassLog     *self,
                                   const char    *what);
/* A question to a log that is still read; each call goes on behind what was looked through. */
typedef struct {
  char    *what;
  gboolean remover;             /* who removed it, not who mentions it */
  guint    next, next_part;     /* dumps and parts that were looked through */
  guint    hits;                /* dumps that mention it; of a remover 1 when it is found */
  int      first;               /* the first of them; -1: none so far */
  GArray  *found;               /* of guint: all of them */
} LsPassSearch;

void        ls_pass_search_init   (LsPassSearch  *self,
                                   const char    *what,
                                   gboolean       remover);
void        ls_pass_search_clear  (LsPassSearch  *self);
/* The first `n` dumps of the log are complete: see LsPassProgress. */
void        ls_pass_search_log    (LsPassSearch  *self,
                                   LsPassLog     *log,
                                   guint          n);
/* The same of a text whose dumps begin with lines at `heads`; the last one may not be complete and is left. Only for who mentions it.  `text`
 * begins at byte `base` of it all: what was looked at need not be kept. */
void        ls_pass_search_text   (LsPassSearch  *self,
                                   const char    *text,
                                   gsize          base,
                                   const gsize   *heads,
                                   guint          n);
/* Dumps of loops that changed something (or that have nothing to be compared with), in functions of dump `dump` that were printed before them and not again until it: what it is said to have
 * changed may be theirs.  LLVM prints only the loop, but for -print-module-scope. (transfer full): of guint */
GArray     *ls_pass_log_unprinted (LsPassLog     *self,
                                   guint          dump);
/* The part of this name that held when dump `dump` was printed (its own or the last one before); -1: there was none. */
int         ls_pass_log_part_at   (LsPassLog     *self,
                                   const char    *name,
                                   guint          dump);

/* ---- diff ---- */

/* One line of a function that is an operation. */
typedef struct {
  guint    line;                /* in the text, from 0 */
  char    *name;                /* "add", "arith.mulf", "label" */
  char    *shape;               /* the line with values, metadata and locations taken out */
  GArray  *results;             /* guint: numbers of values */
  GArray  *operands;            /* guint: numbers of values, in their order */
  guint    place;               /* hash of where in the source it comes from; 0: not known */
  gboolean opens;               /* a region of MLIR stands behind it */
} LsPassOperation;

void       ls_pass_operation_free  (LsPassOperation *self);
/* A text as operations; what it cannot make sense of stays as a line. (transfer full): of LsPassOperation */
GPtrArray *ls_pass_operations_read (const char   *text,
                                    LsPassLogKind kind);

typedef enum {
  LS_PASS_SAME,
  LS_PASS_ADDED,
  LS_PASS_DUPLICATED,           /* added, and one like it was there and stayed: inlined, unrolled */
  LS_PASS_REMOVED,
  LS_PASS_REWRITTEN,            /* the same kind of operation at the same place with other operands */
  LS_PASS_MOVED                 /* the same operation with the same operands elsewhere */
} LsPassChangeKind;

typedef struct {
  LsPassChangeKind kind;
  int              a, b;        /* lines of the texts, from 0; -1: none */
} LsPassChange;

typedef struct {
  guint same, added, duplicated, removed, rewritten, moved;     /* operations; labels do not count */
} LsPassCounts;

/* What makes text b of text a: lines of operations in the order of b, what was removed where it stood.
 * counts may be NULL. (transfer full): of LsPassChange */
GArray     *ls_pass_diff          (const char    *a,
                                   const char    *b,
                                   LsPassLogKind  kind,
                                   LsPassCounts  *counts);
/* The same where aliases of MLIR are what they stand for in the two dumps: ls_pass_log_part_aliases(), NULL: they stand for themselves. */
GArray     *ls_pass_diff_aliased  (const char    *a,
                                   GHashTable    *aliases_a,
                                   const char    *b,
                                   GHashTable    *aliases_b,
                                   LsPassLogKind  kind,
                                   LsPassCounts  *counts);
/* The same of texts that were read already; both of LsPassOperation, borrowed. (transfer full): of LsPassChange */
GArray     *ls_pass_diff_operations (GPtrArray     *a,
                                   GPtrArray     *b,
                                   LsPassCounts  *counts);
/* Lines of two texts that stand side by side. */
typedef struct {
  int      a, b;                /* lines, from 0; -1: none */
  gboolean changed;
  guint    left_out;            /* rows that this one stands for; 0: it is one itself */
  gboolean moved;               /* changed, but only its place */
} LsPassRow;

/* All lines of both texts in their orders.  changes: of ls_pass_diff(), or NULL: lines are compared letter by letter.
 * (transfer full): of LsPassRow */
GArray     *ls_pass_rows          (char        **before,
                                   char        **after,
                                   GArray       *changes);
/* Rows within `around` rows of a change, and one for each run of the others. (transfer full): of LsPassRow */
GArray     *ls_pass_rows_around   (GArray       *rows,
                                   guint         around);
/* Does the log tell whether this dump's pass changed something? FALSE: it has no text of the same functions to hold against it
 * (the first dump of a function where nothing was printed before the first pass, or a dump without a function). */
gboolean   ls_pass_log_tells      (LsPassLog     *self,
                                   guint          dump);
/* What must not be seen in a text. */
typedef enum {
  LS_PASS_HIDE_METADATA = 1 << 0,       /* !tbaa !5, !0 = !{...}; aliases of MLIR; metadata={...} */
  LS_PASS_HIDE_DEBUG = 1 << 1,          /* !dbg !5, #dbg_value, llvm.dbg; loc(...) */
  LS_PASS_HIDE_ATTRIBUTES = 1 << 2      /* #0, nounwind, noundef; {attributes} of MLIR; ;; lines of GCC */
} LsPassHide;

/* A text without that; lines that are nothing else go. (transfer full) */
char       *ls_pass_text_hide     (const char    *text,
                                   LsPassLogKind  kind,
                                   LsPassHide     hide);

/* What a dump changed, over all of its parts. */
void        ls_pass_log_count     (LsPassLog     *self,
                                   guint          dump,
                                   LsPassCounts  *counts);
/* The same, and who read it: see ls_pass_sides_diff(); of several functions the first that LLVM did not take says it.  *reader may get NULL: nothing was read. */
void        ls_pass_log_count_full (LsPassLog    *self,
                                   guint          dump,
                                   LsPassCounts  *counts,
                                   char         **reader);
/* The same of all dumps: one for each dump, zeros for those without an effect.  readers: room for as many (transfer full), NULL where nothing was read; or NULL.
 * (transfer full) */
LsPassCounts *ls_pass_log_count_all (LsPassLog    *self,
                                   char         **readers);

/* ---- nesting ---- */

/* Passes that ran on one thing, and stand together. */
typedef struct {
  const char *level;            /* "cgscc", "function", "loop" of LLVM; the operation of MLIR ("func.func"); "folder", "pipeline" */
  const char *name;             /* "(f, g)", "f", "loop %3"; "" */
  int         parent;           /* another nest, -1: none */
  guint       depth;            /* from 0 */
  guint       first, end;       /* dumps: all from the first one to before `end` are in it or in nests below it */
  guint       effective;        /* how many of these changed something */
} LsPassNest;

typedef struct {
  GArray       *nests;          /* of LsPassNest: parents before their children, in the order of the log */
  int          *of;             /* of each dump the innermost nest; -1: what it ran on is the whole module, or not told */
  GStringChunk *names;
} LsPassNesting;

/* As far as the log tells it. (transfer full) */
LsPassNesting *ls_pass_nesting_new  (LsPassLog        *log);
void           ls_pass_nesting_free (LsPassNesting    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassNesting, ls_pass_nesting_free)
/* "function sum", "loop %3", "func.func f". (transfer full) */
char          *ls_pass_nest_words   (const LsPassNest *self);

/* ---- LLVM IR as LLVM reads it ---- */

/* Asks LLVM, which is in another process: functions of the text of a module by name. In any thread, one call at a time.  *words gets what LLVM calls itself
 * ("LLVM 19.1.7"), or, with NULL, why it was not read, in LLVM's sentence where there is one (transfer full).  A function that it does not have is left
 * out. (transfer full): char * to GPtrArray of LsPassOperation, whose lines are numbers of operations; of a function first its head, then for each block
 * a label and its instructions. */
typedef GHashTable *(*LsPassIrRead) (const char         *module,
                                     const char *const  *functions,
                                     char              **words,
                                     gpointer            user_data);

/* Lets diffs and counts of the log read LLVM IR by `read`. `gone` (or NULL) frees the data with the log.  Before other threads have the log. */
void        ls_pass_log_set_ir    (LsPassLog     *self,
                                   LsPassIrRead   read,
                                   gpointer       user_data,
                                   GDestroyNotify gone);
/* Why LLVM does not read a text, where it is not LLVM that says it. */
typedef enum {
  LS_PASS_REASON_NO_LLVM,
  LS_PASS_REASON_MACHINE,
  LS_PASS_REASON_PIECE,
  LS_PASS_REASON_LARGE,         /* how many MiB */
  LS_PASS_REASON_NO_FUNCTION,   /* its name */
  LS_PASS_REASON_LINES,         /* operations of the text, and LLVM's */
  LS_PASS_REASON_BYTES,
  LS_PASS_REASON_SILENT         /* what happened */
} LsPassReason;

/* Words in another language for those of a table; borrowed. */
typedef const char *(*LsPassReasonText) (const char *text, gpointer user_data);

/* In English, %s for what is said behind it above. */
const char *ls_pass_reason_text     (LsPassReason       reason);
/* The sentence with one or two texts (or NULL). (transfer full) */
char       *ls_pass_reason_new      (LsPassReason       reason,
                                     const char        *first,
                                     const char        *second);
/* A sentence in another language: translate gets the text of the reason that it was made of. What LLVM itself said comes back as it is. (transfer full) */
char       *ls_pass_reason_words    (const char        *sentence,
                                     LsPassReasonText   translate,
                                     gpointer           user_data);
/* The text of a part and which part of which log it is. */
typedef struct {
  LsPassLog    *log;
  const char   *text;           /* as it is shown; lines are counted in it */
  int           part;           /* -1: of none, and the text is empty */
  gboolean      before;         /* of lines with signs: as it was */
} LsPassSide;

/* What makes b of a; both are read by LLVM where it takes both, else both by the tolerant reader.  counts and reader may be NULL.  *reader gets, of LLVM IR, "LLVM 19.1.7"
 * or "the tolerant reader", with a reason behind a colon where LLVM was asked (transfer full); else NULL. (transfer full): of LsPassChange */
GArray     *ls_pass_sides_diff    (const LsPassSide *a,
                                   const LsPassSide *b,
                                   LsPassCounts  *counts,
                                   char         **reader);
/* What the part was before its pass and is after it, as parts of the log: -1: none. */
void        ls_pass_log_side_parts (LsPassLog    *self,
                                   guint          part,
                                   int           *before,
                                   int           *after);
/* The text of a module that LLVM may read a part from: its dump where that is a module, else its function with declarations of what it mentions and types from other
 * dumps. NULL: it is no function of LLVM IR, and *words says what (borrowed). (transfer full) */
char       *ls_pass_log_part_module (LsPassLog   *self,
                                   guint          part,
                                   gboolean       before,
                                   const char   **words);

/* ---- two logs ---- */

/* Dumps of two logs, from 0; -1: only the other log has it. */
typedef struct {
  int a, b;
} LsPassPair;

/* All dumps of both in their orders, side by side where pass and unit are the same. (transfer full): of LsPassPair */
GArray     *ls_pass_logs_align    (LsPassLog     *a,
                                   LsPassLog     *b);
/* How two logs are held against each other. */
typedef struct {
  const char *function;         /* only this function and its loops; NULL: all */
  gboolean    quick;            /* LLVM, where a log asks it, is asked only of what the tolerant reader finds different: all of a large log takes minutes */
} LsPassTwo;

/* Did they come out differently, renumbering aside?  how may be NULL.  counts: what makes the dump of b of that of a.  *reader gets who read what was held against
 * each other, as ls_pass_log_count_full() says it (transfer full), NULL where nothing of LLVM IR was read; reader may be NULL. */
gboolean    ls_pass_dumps_differ  (LsPassLog       *a,
                                   guint            dump_a,
                                   LsPassLog       *b,
                                   guint            dump_b,
                                   const LsPassTwo *how,
                                   LsPassCounts    *counts,
                                   char           **reader);
/* A function that is not the same at the end of two logs. */
typedef struct {
  const char  *name;            /* of one of the logs */
  int          a, b;            /* its last parts; -1: that log does not have it, or no longer */
  LsPassCounts counts;          /* zeros where one of them does not have it */
  char        *reader;          /* or NULL */
} LsPassEnd;

/* All of them in the order of the first log, then what only the second has.  how may be NULL. (transfer full): of LsPassEnd, which it frees */
GArray     *ls_pass_logs_ends     (LsPassLog       *a,
                                   LsPassLog       *b,
                                   const LsPassTwo *how);

G_END_DECLS
