/* LsSession: what the views bind to.
 *
 * An abstract object that holds the shown state (lists, texts, current step,
 * selection, hover, running job) as properties, and takes the user's wishes as
 * methods.  A concrete session fulfils them and puts the new state in place with
 * the setters below; views never talk to each other and never to the engine.
 * The lists live as long as the session; only their items change.
 *
 * All of it belongs to the main thread.
 */
#pragma once

#include <gio/gio.h>

#include "views/models/branch-item.h"
#include "views/models/comparison.h"
#include "views/models/dependence.h"
#include "views/models/graph-model.h"
#include "views/models/loop-item.h"
#include "views/models/move-item.h"
#include "views/models/pin.h"
#include "views/models/results.h"
#include "views/models/roofline.h"
#include "views/models/script-text.h"
#include "views/models/step-item.h"
#include "views/models/why.h"
#include "views/models/tuning.h"

G_BEGIN_DECLS

typedef enum {
  LS_SESSION_EMPTY,             /* nothing opened */
  LS_SESSION_READY,
  LS_SESSION_BROKEN,            /* opened, but the text has errors; script shows it */
} LsSessionState;

#define LS_NO_HOVER (-1)

/* What a session can be written as. */
typedef enum {
  LS_EXPORT_SESSION,            /* JSON with the whole history */
  LS_EXPORT_TRACE_PYTHON,       /* of the current step, as TVM reads it */
  LS_EXPORT_TRACE_JSON,
  LS_EXPORT_MODULE,             /* TVMScript of the current step */
  LS_EXPORT_REPORT,             /* one HTML page */
} LsExportKind;

typedef enum {
  LS_FIGURE_HISTORY,
  LS_FIGURE_LOOPS,              /* as opened, and after the current step */
  LS_FIGURE_TIMES,
  LS_FIGURE_ROOFLINE,
  LS_FIGURE_COMPARED,           /* what the page for comparing shows; that page writes it, no session */
} LsFigureKind;

#define LS_TYPE_SESSION (ls_session_get_type ())
G_DECLARE_DERIVABLE_TYPE (LsSession, ls_session, LS, SESSION, GObject)

struct _LsSessionClass
{
  GObjectClass parent_class;

  void     (*open)         (LsSession *self, GFile *file);
  void     (*go_to)        (LsSession *self, guint step);
  void     (*select)       (LsSession *self, guint64 id);
  void     (*apply)        (LsSession *self, LsMoveItem *move);
  void     (*repair)       (LsSession *self, LsMoveItem *move);
  void     (*edit)         (LsSession *self, LsMoveItem *move, guint param, const char *value);
  void     (*preview)      (LsSession *self, LsMoveItem *move);
  void     (*measure)      (LsSession *self, gboolean all);
  void     (*measure_move) (LsSession *self, LsMoveItem *move);
  void     (*cancel)       (LsSession *self);
  void     (*name_branch)  (LsSession *self, guint step, const char *name);
  void     (*bookmark)     (LsSession *self, guint step);
  char    *(*get_trace)    (LsSession *self, guint step, GError **error);
  char    *(*export)       (LsSession *self, LsExportKind kind, GError **error);
  LsMoveItem *(*edit_step) (LsSession *self, guint step);
  LsComparison *(*compare) (LsSession *self, guint left, guint right);
  gboolean (*write_figure) (LsSession *self, LsFigureKind kind, const char *path, gboolean dark, GError **error);
  char    *(*describe_row) (LsSession *self, guint64 id);
  void     (*edit_base)    (LsSession *self, const char *text);
  const char *(*get_base)  (LsSession *self);
  LsDependences *(*find_dependences) (LsSession *self, guint64 id);
  gboolean (*reorder)      (LsSession *self, guint64 from, guint64 to, gboolean apply, char **reason);
  void     (*rank_moves)   (LsSession *self);
  void     (*apply_ranked) (LsSession *self, LsStepItem *item);
  void     (*measure_step) (LsSession *self, guint step);
  gboolean (*compare_later) (LsSession *self, guint left, guint right, GTask *task);
  void     (*compare_file) (LsSession *self, GFile *file, GTask *task);
  void     (*flush)        (LsSession *self);
  gboolean (*moves_are_due) (LsSession *self);
  void     (*export_later) (LsSession *self, LsExportKind kind, GTask *task);
  void     (*write_figure_later) (LsSession *self, LsFigureKind kind, const char *path, gboolean dark, GTask *task);

  LsScriptText *(*get_base_text) (LsSession *self);
  void     (*compare_results) (LsSession *self, guint left, guint right);
  LsResults *(*get_results) (LsSession *self, guint left, guint right);
  LsRoofline *(*get_roofline) (LsSession *self);
  void     (*measure_machine) (LsSession *self);
  char   **(*get_devices)  (LsSession *self);
  const char *(*get_device) (LsSession *self);
  void     (*set_device)   (LsSession *self, const char *device);
  LsWhy   *(*get_why)      (LsSession *self, guint beside);
  void     (*try_likely)   (LsSession *self);
  gboolean (*set_sizes)    (LsSession *self, const char *text, char **trouble);

  char    *(*pin)          (LsSession *self, guint64 row, guint offset, int slot);
  void     (*unpin)        (LsSession *self, guint8 pins);
  guint    (*find_source)  (LsSession *self, guint line, char **words);
  GArray  *(*find_result)  (LsSession *self, guint line, const char *word, guint64 *row, int *family);

  void     (*keep_typed)   (LsSession *self, const char *text);

};

/* ---- what the user wants ------------------------------------------------ */

/* Reads `file`.  A program with errors becomes state BROKEN and `message`; when nothing could be read, what is shown stays
 * and ls_session_get_not_opened() says why. */
void           ls_session_open            (LsSession          *self,
                                           GFile              *file);
/* Makes the node with id `step` the current one. */
void           ls_session_go_to           (LsSession          *self,
                                           guint               step);
/* One step back or on along the shown path. */
void           ls_session_go_by           (LsSession          *self,
                                           int                 steps);
/* The same along the steps that are shown: those without effect are passed over. */
void           ls_session_go_by_shown     (LsSession          *self,
                                           int                 steps);
/* Gives the current step a bookmark, or takes it away; to the step with bookmark `number` (1 to 9). */
void           ls_session_toggle_bookmark (LsSession          *self);
void           ls_session_go_to_bookmark  (LsSession          *self,
                                           guint               number);
/* With TRUE steps without effect are shown too (notifies "all-steps"). */
void           ls_session_set_all_steps   (LsSession          *self,
                                           gboolean            all);
gboolean       ls_session_get_all_steps   (LsSession          *self);
/* To the first or last step of the path. */
void           ls_session_go_first        (LsSession          *self);
void           ls_session_go_last         (LsSession          *self);
/* Selects a loop or block by id; 0 clears. */
void           ls_session_select          (LsSession          *self,
                                           guint64             id);
/* Pins the loop or block `row`, or, when it is 0, what the shown text has at character `offset`, with pin number `slot`
 * (LS_PIN_NEXT: the first free one); what has that pin (any pin) loses it.  Why nothing was done, a sentence (transfer full),
 * or NULL. */
char          *ls_session_pin             (LsSession          *self,
                                           guint64             row,
                                           guint               offset,
                                           int                 slot);
/* Takes these pins away. */
void           ls_session_unpin           (LsSession          *self,
                                           guint8              pins);
/* The line of the opened text (from 1) that line `line` of the shown one (from 0) stems from; 0: none.  *words (may be NULL, may
 * get NULL) says it in a sentence, or why there is none. (transfer full) */
guint          ls_session_find_source     (LsSession          *self,
                                           guint               line,
                                           char              **words);
/* The lines of the shown text that line `line` of the opened one became (see app/session/source-lines.h), with the loop or block (0: none)
 * and its family (LS_NO_HOVER: none); `word`: the name that is meant. NULL when nothing is known. (transfer full) of guint */
GArray        *ls_session_find_result     (LsSession          *self,
                                           guint               line,
                                           const char         *word,
                                           guint64            *row,
                                           int                *family);
/* Lineage family under the pointer, or LS_NO_HOVER. */
void           ls_session_set_hover       (LsSession          *self,
                                           int                 family);
/* The line of the shown text (from 1) before which a run stands still, or 0; forgotten when another text is shown. */
void           ls_session_set_stand       (LsSession          *self,
                                           guint               line);
void           ls_session_apply           (LsSession          *self,
                                           LsMoveItem         *move);
void           ls_session_repair          (LsSession          *self,
                                           LsMoveItem         *move);
/* Parameter number `param` of `move` shall read `value`; the session works the
 * move out again and sets its record. */
void           ls_session_edit            (LsSession          *self,
                                           LsMoveItem         *move,
                                           guint               param,
                                           const char         *value);
/* Shows what `move` would make as a ghost; NULL takes it away. */
void           ls_session_preview         (LsSession          *self,
                                           LsMoveItem         *move);
void           ls_session_measure         (LsSession          *self,
                                           gboolean            all);
/* Measures one node, wherever it is. */
void           ls_session_measure_step    (LsSession          *self,
                                           guint               step);
/* Measures the move for each choice of its last factor. */
void           ls_session_measure_move    (LsSession          *self,
                                           LsMoveItem         *move);
void           ls_session_cancel          (LsSession          *self);
void           ls_session_name_branch     (LsSession          *self,
                                           guint               step,
                                           const char         *name);
/* The trace from the root to `step` as the Python text that TVM reads.
 * (transfer full); NULL with `error` set when there is none. */
char          *ls_session_get_trace       (LsSession          *self,
                                           guint               step,
                                           GError            **error);

/* The text of such a file. (transfer full); NULL with `error` set when nothing is opened. */
char          *ls_session_export          (LsSession          *self,
                                           LsExportKind        kind,
                                           GError            **error);
/* The same while the main loop goes on, of the document as it is now. */
void           ls_session_export_async    (LsSession          *self,
                                           LsExportKind        kind,
                                           GCancellable       *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer            data);
char          *ls_session_export_finish   (LsSession          *self,
                                           GAsyncResult       *result,
                                           GError            **error);
/* One picture as a file; the suffix says the format (.png, .pdf, else SVG). */
gboolean       ls_session_write_figure    (LsSession          *self,
                                           LsFigureKind        kind,
                                           const char         *path,
                                           gboolean            dark,
                                           GError            **error);
void           ls_session_write_figure_async  (LsSession          *self,
                                               LsFigureKind        kind,
                                               const char         *path,
                                               gboolean            dark,
                                               GCancellable       *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer            data);
gboolean       ls_session_write_figure_finish (LsSession          *self,
                                               GAsyncResult       *result,
                                               GError            **error);
/* The card of a row: what one run touches, strides, dependences. (transfer full), or NULL */
char          *ls_session_describe_row    (LsSession          *self,
                                           guint64             id);
/* The text of the opened program, or the draft in its place; NULL when there is none. Borrowed. */
const char    *ls_session_get_base        (LsSession          *self);
/* The opened program as it was read last, printed, with what its names stand for. (transfer full), or NULL */
LsScriptText  *ls_session_get_base_text   (LsSession          *self);
/* The opened program shall read `text`: what can be read takes its place under all steps, else it is the draft. */
void           ls_session_edit_base       (LsSession          *self,
                                           const char         *text);
/* The opened program is being typed and reads `text` at this moment: it is kept, and in all that is written, but not read yet.
 * Emits ::typed. */
void           ls_session_keep_typed      (LsSession          *self,
                                           const char         *text);
/* Emits ::settle, at which everyone who holds back what the user did hands it over: before all is written or closed. */
void           ls_session_settle          (LsSession          *self);
/* What has to come after what, for a row. (transfer full), or NULL */
LsDependences *ls_session_find_dependences (LsSession         *self,
                                            guint64            id);
/* Loop `from` takes the place of loop `to`: with `apply` it is done, else only tried. FALSE with the reason (transfer
 * full) when it cannot be. */
gboolean       ls_session_reorder         (LsSession          *self,
                                           guint64             from,
                                           guint64             to,
                                           gboolean            apply,
                                           char              **reason);
/* Measures every move that can be applied to the selection, each with its choices; see ls_session_get_ranking(). */
void           ls_session_rank_moves      (LsSession          *self);
/* Applies one of them. */
void           ls_session_apply_ranked    (LsSession          *self,
                                           LsStepItem         *item);
/* The arguments of an earlier step as an item to edit; applying it replays the later steps.  NULL for the root.
 * (transfer full) */
LsMoveItem    *ls_session_edit_step       (LsSession          *self,
                                           guint               step);

/* Two nodes side by side; LS_COMPARE_FILE stands for the file of ls_session_compare_file_async(). NULL when there are no such
 * nodes. (transfer full) */
#define LS_COMPARE_FILE (1u << 30)
LsComparison  *ls_session_compare_steps   (LsSession          *self,
                                           guint               left,
                                           guint               right);
/* The same beside the main loop, for programs of which it takes longer than a frame.  FALSE: it does not, nothing was begun. */
gboolean       ls_session_compare_later   (LsSession          *self,
                                           guint               left,
                                           guint               right,
                                           GCancellable       *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer            data);
/* NULL: it was left off. (transfer full) */
LsComparison  *ls_session_compare_finish  (LsSession          *self,
                                           GAsyncResult       *result);
/* Reads a program, a session or a model to compare with, beside the main loop. */
void           ls_session_compare_file_async (LsSession          *self,
                                              GFile              *file,
                                              GAsyncReadyCallback callback,
                                              gpointer            data);
/* An item with the id LS_COMPARE_FILE that says what it is, or NULL with `error` set. (transfer full) */
LsStepItem    *ls_session_compare_file_finish (LsSession         *self,
                                               GAsyncResult      *result,
                                               GError           **error);

/* Runs the programs of two nodes on the same random inputs; ::results-changed tells of it, ls_session_cancel() ends it. */
void           ls_session_compare_results (LsSession          *self,
                                           guint               left,
                                           guint               right);
/* What is known of that by now. (transfer full); NULL when there are no such nodes. */
LsResults     *ls_session_get_results     (LsSession          *self,
                                           guint               left,
                                           guint               right);
/* The steps of the path under the roofs of this machine, or of the device that is shown. (transfer full), or NULL */
LsRoofline    *ls_session_get_roofline    (LsSession          *self);
/* The devices that have measured steps of the history, by their results. (transfer full) */
char         **ls_session_get_devices     (LsSession          *self);
/* Whose times and roofs are shown: one of these, or NULL: this machine. Borrowed.  Setting it tells ::timing-changed. */
const char    *ls_session_get_device      (LsSession          *self);
void           ls_session_set_device      (LsSession          *self,
                                           const char         *device);
/* Measures what the machine can do at best; ::timing-changed comes when it is known. */
void           ls_session_measure_machine (LsSession          *self);
/* Why the shown step takes what it takes, beside node `beside` (LS_WHY_BEFORE: the one before it), as far as it is known; asking
 * begins to find out the rest, and ::why-changed tells when there is more. (transfer full); NULL when nothing is opened. */
#define LS_WHY_BEFORE G_MAXUINT
LsWhy         *ls_session_get_why         (LsSession          *self,
                                           guint               beside);
/* What the symbolic sizes of the opened program are, "n=256 m=8" ("": nothing is said of them any more): from then on all that needs numbers takes these.
 * Times of other sizes are stale.  FALSE with *trouble (transfer full), a sentence. */
gboolean       ls_session_set_sizes       (LsSession          *self,
                                           const char         *text,
                                           char              **trouble);
/* Measures what is likely to help as branches of the history; the rows of the moves get their times and their rank. */
void           ls_session_try_likely      (LsSession          *self);

/* ---- what is shown; all (transfer none) --------------------------------- */

/* What has pin `slot`; its place in texts and rows is asked of these.  ::pins-changed tells of another state. */
const LsPinRecord *ls_session_get_pin     (LsSession          *self,
                                           guint               slot);
/* All that are in use. */
guint8         ls_session_get_pins        (LsSession          *self);

LsSessionState ls_session_get_state       (LsSession          *self);
const char    *ls_session_get_title       (LsSession          *self);
const char    *ls_session_get_place       (LsSession          *self);
const char    *ls_session_get_message     (LsSession          *self);
/* Why the last file was not opened, so that what was there is still shown; NULL: it was. */
const char    *ls_session_get_not_opened  (LsSession          *self);
/* What of the last file could not be taken, a sentence, or NULL. */
const char    *ls_session_get_left_out    (LsSession          *self);
/* Rows of the history in display order, LsStepItem. */
GListModel    *ls_session_get_history     (LsSession          *self);
/* The steps of the current branch from the root to its tip, LsStepItem. */
GListModel    *ls_session_get_path        (LsSession          *self);
/* The path without the steps that change nothing; where one is and what has a bookmark stays in it. */
GListModel    *ls_session_get_shown       (LsSession          *self);
/* How many steps of the path are not in it or, with all shown, would not be. */
guint          ls_session_get_n_hidden    (LsSession          *self);
GListModel    *ls_session_get_branches    (LsSession          *self);
/* Roots of the loop nest, LsLoopItem. */
GListModel    *ls_session_get_loops       (LsSession          *self);
/* LsMoveItem, without headers, in group order.  The list stays the same object; a session may fill it a moment after the
 * selection changed, and asking for it here does that at once. */
GListModel    *ls_session_get_moves       (LsSession          *self);
/* The same list as it is now, for who follows it. */
GListModel    *ls_session_watch_moves     (LsSession          *self);
/* TRUE: what stands there is not yet what the selection has. */
gboolean       ls_session_moves_are_due   (LsSession          *self);
/* Why nothing is known that would make the shown program faster, a sentence; NULL: something is, or it is not worked out yet.  Comes with the moves. */
const char    *ls_session_get_likely_words (LsSession         *self);
/* What ls_session_rank_moves() found, fastest first, LsStepItem; those that wait come last. */
GListModel    *ls_session_get_ranking     (LsSession          *self);
LsStepItem    *ls_session_get_current     (LsSession          *self);
/* Position of the current step in the path. */
guint          ls_session_get_position    (LsSession          *self);
LsScriptText  *ls_session_get_script      (LsSession          *self);
/* The text that is edited with what is wrong with it; NULL: all of it could be read. Changes with ::draft-changed. */
LsScriptText  *ls_session_get_draft       (LsSession          *self);
/* What came of the last edit, in one sentence, or NULL. */
const char    *ls_session_get_draft_words (LsSession          *self);
/* Text of the step before, NULL on step 0. */
LsScriptText  *ls_session_get_before      (LsSession          *self);
guint64        ls_session_get_selection   (LsSession          *self);
/* The selected row, NULL for none. */
LsLoopItem    *ls_session_get_selected    (LsSession          *self);
int            ls_session_get_hover       (LsSession          *self);
guint          ls_session_get_stand       (LsSession          *self);
/* The loop or block that opens at that line, or on the nearest one above it; 0: none. */
guint64        ls_session_get_stand_row   (LsSession          *self);
/* Conditions of the shown times: "30 samples · 1 core pinned, load 0.12". */
const char    *ls_session_get_conditions  (LsSession          *self);
/* Why measuring ended early: shown in the time pane. */
const char    *ls_session_get_time_error  (LsSession          *self);
gboolean       ls_session_is_running      (LsSession          *self);
/* Sum of floating point operations of the module; 0 when unknown. */
double         ls_session_get_flop        (LsSession          *self);
/* What the graph page shows; NULL when the session has none. It stays the same object. */
LsGraphModel  *ls_session_get_graph       (LsSession          *self);
/* What the Tune page shows; NULL when the session has none. It stays the same object. */
LsTuning      *ls_session_get_tuning      (LsSession          *self);
gboolean       ls_session_can_undo        (LsSession          *self);
gboolean       ls_session_can_redo        (LsSession          *self);

/* ---- for concrete sessions ---------------------------------------------- */

/* Before the session is shown. */
void           ls_session_set_graph       (LsSession          *self,
                                           LsGraphModel       *graph);
void           ls_session_set_tuning      (LsSession          *self,
                                           LsTuning           *tuning);

void           ls_session_set_opening     (LsSession          *self,
                                           const char         *not_opened,
                                           const char         *left_out);
void           ls_session_set_state       (LsSession          *self,
                                           LsSessionState      state,
                                           const char         *message);
void           ls_session_set_title       (LsSession          *self,
                                           const char         *title,
                                           const char         *place);
/* `rows` and `path` are arrays of LsStepItem, borrowed. Marks `current`. */
void           ls_session_set_history     (LsSession          *self,
                                           GPtrArray          *rows,
                                           GPtrArray          *path,
                                           LsStepItem         *current);
void           ls_session_set_branches    (LsSession          *self,
                                           GPtrArray          *branches);
/* The shown module: roots of its loop nest, its text and the text before; also
 * finds the selected row again. Borrows all. */
void           ls_session_set_module      (LsSession          *self,
                                           GPtrArray          *loops,
                                           double              flop,
                                           LsScriptText       *script,
                                           LsScriptText       *before);
/* Emits ::draft-changed. */
void           ls_session_set_draft       (LsSession          *self,
                                           LsScriptText       *draft,
                                           const char         *words);
/* Copies LS_PINS_MAX records; emits ::pins-changed, after texts and rows have their pins. */
void           ls_session_set_pins        (LsSession          *self,
                                           const LsPinRecord  *pins);
void           ls_session_set_selection   (LsSession          *self,
                                           guint64             id);
void           ls_session_set_moves       (LsSession          *self,
                                           GPtrArray          *moves);
/* Before the moves that it comes with. */
void           ls_session_set_likely_words (LsSession         *self,
                                           const char         *words);
void           ls_session_set_ranking     (LsSession          *self,
                                           GPtrArray          *items);
/* An item that changed goes where the order (of LsStepItems) wants it.  The list tells of it also where that is the place that
 * it had; an item that the ranking no longer has is left out. */
void           ls_session_place_ranked    (LsSession          *self,
                                           LsStepItem         *item,
                                           GCompareDataFunc    order);
void           ls_session_set_running     (LsSession          *self,
                                           gboolean            running);
void           ls_session_set_conditions  (LsSession          *self,
                                           const char         *conditions,
                                           const char         *time_error);
/* Says that figures in step items changed (best, axis). */
void           ls_session_timing_changed  (LsSession          *self);

/* Says that ls_session_get_why() has something new to say. */
void           ls_session_why_changed     (LsSession          *self);

/* Says that ls_session_get_results() has something new to say. */
void           ls_session_results_changed (LsSession          *self);

G_END_DECLS
