/* base: what every layer above shares and what knows nothing of compilers.
 *
 *   span          where in which text something stands
 *   diagnostics   many findings at once: code, place, sentence, notes, repair
 *   budget        operation count and cancellation, asked in inner loops
 *   stop          whether the work under way is still wanted
 *   cell          small pieces of memory that are used again
 *   ptr-map, table-order   (headers of their own) small tables from addresses to pointers; keys in an order that does not change
 *   stack         (a header of its own) recursion that is as deep as its data
 *   text          a string builder that knows line and column
 *   half          float16 and bfloat16 as bit patterns
 *   align         the longest common subsequence of two sequences
 *   text-diff     two texts by lines and by words
 *
 * Depends on GLib only.  Ownership words are those of GObject introspection:
 * (transfer none) borrows, (transfer full) hands over a reference.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* ---- span.c ------------------------------------------------------------- */

/* LsSource: one text that spans point into.  Reference counted, immutable. */
typedef struct _LsSource LsSource;

/* LsSpan: half-open byte range [start, end) of source number `source`;
 * source 0 means "nowhere". */
typedef struct {
  guint32 source;
  guint32 start;                /* bytes from the start of the text */
  guint32 end;                  /* one past the last byte */
} LsSpan;

#define LS_SPAN_NONE ((LsSpan) { 0, 0, 0 })

/* Line and column, both from 1.  Columns count characters, not bytes. */
typedef struct {
  guint line;
  guint column;
} LsPlace;

/* Registers `text` (copied; any bytes) under `name` (a path or a title) and
 * gives it a number that is unique in the process.  Thread safe. */
LsSource   *ls_source_new      (const char *name,
                                const char *text,
                                gssize      length);
LsSource   *ls_source_ref      (LsSource   *source);
void        ls_source_unref    (LsSource   *source);
/* The live source with this number, or NULL. (transfer full) */
LsSource   *ls_source_lookup   (guint32     id);
guint32     ls_source_get_id   (LsSource   *source);
const char *ls_source_get_name (LsSource   *source);
const char *ls_source_get_text (LsSource   *source,
                                gsize      *length);
LsPlace     ls_source_place    (LsSource   *source,
                                guint32     offset);
/* The text of line `line` (from 1) without its line end. (transfer full) */
char       *ls_source_line     (LsSource   *source,
                                guint       line);
LsSpan      ls_span_join       (LsSpan      a,
                                LsSpan      b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSource, ls_source_unref)

/* ---- diagnostics.c ------------------------------------------------------ */

typedef enum {
  LS_SEVERITY_ERROR,
  LS_SEVERITY_WARNING,
  LS_SEVERITY_NOTE
} LsSeverity;

/* One finding.  `code` is a stable name ("script/unknown-name"); `message` one
 * sentence that may improve over time; `found` and `expected` may be NULL. */
typedef struct {
  LsSeverity  severity;
  const char *code;             /* interned */
  LsSpan      span;
  char       *message;
  char       *repair;           /* the way out, or NULL */
  GPtrArray  *notes;            /* of LsDiagnostic, or NULL */
  GPtrArray  *culprits;         /* of char: paths in an IR (ls_path_print), or NULL */
  const char *checked_in;       /* static: our own source file whose check found it, "engine/schedule/legal/condition.c"; NULL: not told */
  guint       checked_at;       /* its line in that file */
} LsDiagnostic;

/* A sink that keeps every finding in the order of arrival.  Not thread safe. */
typedef struct _LsDiagnostics LsDiagnostics;

LsDiagnostics      *ls_diagnostics_new       (void);
LsDiagnostics      *ls_diagnostics_ref       (LsDiagnostics *self);
void                ls_diagnostics_unref     (LsDiagnostics *self);
/* Adds a finding and returns it (borrowed, stays valid) so that notes, culprits and a
 * repair can be hung on.  `self` may be NULL: the finding is dropped, NULL comes back. */
LsDiagnostic       *ls_diagnostics_add       (LsDiagnostics *self,
                                              LsSeverity     severity,
                                              const char    *code,
                                              LsSpan         span,
                                              const char    *format,
                                              ...) G_GNUC_PRINTF (5, 6);
LsDiagnostic       *ls_diagnostic_add_note   (LsDiagnostic  *self,
                                              LsSpan         span,
                                              const char    *format,
                                              ...) G_GNUC_PRINTF (3, 4);
void                ls_diagnostic_set_repair (LsDiagnostic  *self,
                                              const char    *format,
                                              ...) G_GNUC_PRINTF (2, 3);
/* `path` is copied: the printed path of the IR node that is at fault. */
void                ls_diagnostic_add_culprit (LsDiagnostic *self,
                                              const char    *path);
guint               ls_diagnostics_get_n     (LsDiagnostics *self);
const LsDiagnostic *ls_diagnostics_get       (LsDiagnostics *self,
                                              guint          i);
gboolean            ls_diagnostics_has_error (LsDiagnostics *self);
/* file:line:col: error[code]: message, the line, a caret; all of them. (transfer full) */
char               *ls_diagnostics_print     (LsDiagnostics *self);
/* The same as JSON text: a list of {severity, code, file, line, column, end_line,
 * end_column, message, repair, culprits, notes}. (transfer full) */
char               *ls_diagnostics_to_json   (LsDiagnostics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDiagnostics, ls_diagnostics_unref)

/* ---- budget.c ----------------------------------------------------------- */

/* Bounds a long analysis: a number of operations and a GCancellable. */
typedef struct {
  gint64        left;           /* operations left; negative = no bound */
  GCancellable *cancellable;    /* borrowed, or NULL */
  gboolean      exhausted;      /* set once, never cleared */
} LsBudget;

void     ls_budget_init (LsBudget     *self,
                         gint64        operations,
                         GCancellable *cancellable);
/* Takes `n` operations.  FALSE when there are none left or the cancellable was
 * cancelled; from then on always FALSE.  A NULL budget never ends. */
gboolean ls_budget_take (LsBudget     *self,
                         gint64        n);

/* ---- stop.c ------------------------------------------------------------- */

/* Whether somebody wants the calling thread to stop. */
typedef gboolean (*LsStopFunc) (void);

/* Who is asked for the work of this thread, from now on; NULL: nobody. */
void     ls_stop_set_asker    (LsStopFunc   asker);
/* Is there somebody to ask in this thread? */
gboolean ls_stop_can_be_asked (void);
/* Asks, at most every 2 ms.  TRUE, with G_IO_ERROR_CANCELLED: the work is to be given up. */
gboolean ls_stop_asked        (GError     **error);

/* ---- cell.c ------------------------------------------------------------- */

/* Memory for a small struct, not zeroed; pieces that were dropped are handed out again. */
gpointer ls_cell_alloc (gsize    size);
/* The same with every byte zero. */
gpointer ls_cell_alloc0 (gsize   size);
/* Drops a piece (NULL allowed); `size` as it was asked for.  Any thread may do so. */
void     ls_cell_free  (gpointer piece,
                        gsize    size);

/* ---- text.c ------------------------------------------------------------- */

/* A growing text that knows where its end stands. */
typedef struct {
  GString *string;
  guint    line;                /* of the end, from 1 */
  guint    column;              /* of the end in bytes, from 0 */
} LsText;

void  ls_text_init   (LsText     *self);
void  ls_text_clear  (LsText     *self);
void  ls_text_append (LsText     *self,
                      const char *string);
void  ls_text_printf (LsText     *self,
                      const char *format,
                      ...) G_GNUC_PRINTF (2, 3);
/* Hands the text over and leaves `self` cleared. (transfer full) */
char *ls_text_steal  (LsText     *self);

/* Can a JSON parser that calls itself read this text: nothing but JSON's characters outside of strings, and brackets
 * up to 200 deep? */
gboolean  ls_json_is_flat        (const char    *text);

/* ---- translate.c -------------------------------------------------------- */

/* Looks up a sentence or a template of printf; what it has not comes back as it is. The result lives on. */
typedef const char *(*LsTranslateFunc) (const char *text);

/* Marks a text for the catalogues where a table holds it; whoever shows it calls ls_translate. */
#define LS_TEXT(text) text

/* How sentences for people are translated from now on, NULL: not at all. Call it before other threads start. */
void        ls_set_translator (LsTranslateFunc  translate);
/* `text`, or a template with the same arguments, in the language of the user. Borrowed. */
const char *ls_translate      (const char      *text) G_GNUC_FORMAT (1);

/* ---- align.c ------------------------------------------------------------ */

typedef struct { guint32 a, b; } LsAlignPair;
typedef gboolean (*LsAlignEqual) (guint a, guint b, gpointer user_data);

/* The longest common subsequence, as pairs of positions in order.  When that takes more than `max_edits` insertions
 * and deletions only the common start and end are paired. (transfer full): an array of LsAlignPair */
GArray *ls_align (guint         n_a,
                  guint         n_b,
                  guint         max_edits,
                  LsAlignEqual  equal,
                  gpointer      user_data);

/* ---- text-diff.c -------------------------------------------------------- */

typedef enum { LS_TEXT_KEEP, LS_TEXT_DELETE, LS_TEXT_INSERT } LsTextEdit;

/* One line or word.  Where it is not in a text, that text's range is empty and says where it would be. */
typedef struct {
  LsTextEdit edit;
  guint      a, b;              /* number of the line or word, from 0 */
  guint32    start_a, end_a;    /* bytes in text a, the line end included */
  guint32    start_b, end_b;
} LsTextDiff;

/* What makes b of a, line by line. (transfer full): an array of LsTextDiff */
GArray *ls_text_diff_lines   (const char *a,
                              const char *b);
/* The same word by word for a range of each: names and numbers are words, any other character is one of its own. */
GArray *ls_text_diff_words   (const char *a,
                              guint32     start_a,
                              guint32     end_a,
                              const char *b,
                              guint32     start_b,
                              guint32     end_b);
/* As `diff -u` prints it; "" when the texts are equal. (transfer full) */
char   *ls_text_diff_unified (const char *a,
                              const char *b,
                              const char *label_a,
                              const char *label_b,
                              guint       context);

/* ---- half.c -------------------------------------------------------------- */

/* IEEE binary16 and bfloat16 as bit patterns.  Rounding is to nearest, ties to even; what is too
 * large becomes infinity; subnormals are kept; a NaN stays a (quiet) NaN of its sign. */
guint16 ls_half_from_float       (float          value);
guint16 ls_half_from_double      (double         value);
float   ls_half_to_float         (guint16        bits);
guint16 ls_bfloat_from_float     (float          value);
guint16 ls_bfloat_from_double    (double         value);
float   ls_bfloat_to_float       (guint16        bits);

G_END_DECLS
