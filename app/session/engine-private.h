/* What the files of the engine's session share. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/engine.h"
#include "app/session/history.h"
#include "app/session/module.h"
#include "app/session/pins.h"
#include "app/session/ready.h"
#include "app/session/source-lines.h"

G_BEGIN_DECLS

typedef struct _LsOffering LsOffering;

struct _LsEngineSession
{
  LsSession     parent_instance;

  LsHistory    *history;        /* NULL: nothing opened */
  guint         current;
  char         *target;         /* "llvm" */
  char         *name;           /* of the file */
  char         *text;           /* of the opened module */
  guint32       source;         /* number of `text` in the spans of its program; 0: the program was not read from it */
  GHashTable   *source_moves;   /* where its statements are in `text` after an edit that left the program, or NULL */
  LsSourceLines *source_lines;  /* of what is shown, or NULL until asked for */
  char         *draft;          /* another text that cannot be read (yet), or NULL */
  LsHistory    *unedited;       /* as it was before `text` was edited, or NULL */
  guint         edited_n;       /* nodes of `history` after the last edit: more are steps made since */
  guint         document;       /* counts what was opened */
  LsPins        pins;
  guint8        found_pins;     /* those that are in the shown program */

  LsHistory    *other;          /* of a file to compare with, or NULL */
  guint         other_current;

  LsReady      *ready;          /* that is being shown, or NULL; borrowed */
  guint         moves_due;      /* idle that works the moves out, or 0 */
  LsOffering   *offering;       /* how far it is, or NULL */

  GQueue        queue;          /* of LsMeasureJob: what waits to be measured */
  LsWorker     *worker;
  LsWorker     *checker;        /* reads large drafts, or NULL */
  GCancellable *checking;       /* of its call, or NULL */
  GCancellable *cancellable;    /* of the call under way, or NULL */
  guint         measuring;      /* node under way, or LS_HISTORY_NONE */
  guint         silence;        /* source that fires when nothing comes of it, or 0 */
  gboolean      silent;         /* and that was said */
  guint         done;           /* its samples so far */
  guint         total;
  GPtrArray    *results;        /* which programs give the same (results.c), or NULL */
  GCancellable *trying;         /* of the call that asks for it, or NULL */
  GCancellable *probing;        /* of the call that measures the machine, or NULL */
  char         *probe_trouble;  /* why it could not be measured, or NULL */

  double        blas;           /* seconds of OpenBLAS for the product in the program; 0: unknown */
  guint         blas_document;  /* that it was asked for */
};

/* engine.c: puts the state of the history into the shown lists. */
void ls_engine_session_show_history (LsEngineSession *self);
void ls_engine_session_go           (LsEngineSession *self,
                                     guint            id);

/* Shows a document; takes its history away. */
void ls_engine_session_start        (LsEngineSession *self,
                                     LsReady         *ready);

/* base.c */
void        ls_engine_session_edit_base   (LsSession       *session,
                                           const char      *text);
const char *ls_engine_session_get_base    (LsSession       *session);
/* Says what is wrong with a draft that a file had. */
void        ls_engine_session_check_draft (LsEngineSession *self);
/* Another document comes: the draft goes. */
void        ls_engine_session_forget_edit (LsEngineSession *self);

/* pinning.c */
char       *ls_engine_session_pin         (LsSession       *session,
                                           guint64          row,
                                           guint            offset,
                                           int              slot);
void        ls_engine_session_unpin       (LsSession       *session,
                                           guint8           pins);
/* Puts the pins into rows and texts of the current node before they are shown. */
void        ls_engine_session_place_pins  (LsEngineSession *self,
                                           GPtrArray       *roots,
                                           LsScriptText    *text,
                                           LsScriptText    *before);
/* Says which pins there are, after that. */
void        ls_engine_session_tell_pins   (LsEngineSession *self);
void        ls_engine_session_forget_pins (LsEngineSession *self);

/* source.c */
guint       ls_engine_session_find_source (LsSession       *session,
                                           guint            line,
                                           char           **words);
GArray     *ls_engine_session_find_result (LsSession       *session,
                                           guint            line,
                                           const char      *word,
                                           guint64         *row,
                                           int             *family);
/* What is opened was read from text number `source`; 0: from none. */
void        ls_engine_session_set_source  (LsEngineSession *self,
                                           guint32          source);
/* Another step, or another text of the same program. */
void        ls_engine_session_forget_source (LsEngineSession *self);

/* blas.c */

/* Asks for the time of OpenBLAS, once in a document, when there is a product in it. */
void ls_engine_session_ask_blas        (LsEngineSession *self);
/* Says what OpenBLAS takes before the conditions of the shown step; without it nothing changes. */
void ls_engine_session_show_conditions (LsEngineSession *self,
                                        const char      *time_error);

/* moves.c, move-item.c, move-variants.c, step-edit.c (app/session/moves.h) */

/* What "Measure all" tries: the program after the move with another last factor. */
typedef struct {
  LsMoveItem *move;
  gint64      inner;            /* the factor */
  LsSchedule *schedule;
} LsMoveVariant;

/* The variants of a move, (transfer full) of LsMoveVariant. */
GPtrArray *ls_engine_session_variants (LsEngineSession *self,
                                       LsMoveItem      *move);
/* Puts the words for a running or finished trial into the move's row and, with `inner` above 0, that factor. */
void ls_engine_session_tell_move    (LsEngineSession *self,
                                     LsMoveItem      *move,
                                     gint64           inner,
                                     const char      *tag);
/* Works the moves of the selection out before the next frame: in a turn of its own, once for many changes. */
void ls_engine_session_queue_moves  (LsEngineSession *self);
/* The same after the next frame: for a document that was just opened. */
void ls_engine_session_queue_first_moves (LsEngineSession *self);
/* Does it now when it is due; with `show` FALSE leaves it. */
void ls_engine_session_flush_moves  (LsEngineSession *self,
                                     gboolean         show);
void ls_engine_session_apply        (LsSession       *session,
                                     LsMoveItem      *move);
void ls_engine_session_repair       (LsSession       *session,
                                     LsMoveItem      *move);
void ls_engine_session_edit         (LsSession       *session,
                                     LsMoveItem      *move,
                                     guint            param,
                                     const char      *value);
void ls_engine_session_preview      (LsSession       *session,
                                     LsMoveItem      *move);

/* The arguments of node `id` as an item to edit. (transfer full) */
LsMoveItem *ls_engine_session_edit_step (LsSession       *session,
                                         guint            id);

/* The Python text that does a move, and all its choices. (transfer full), of char */
GPtrArray *ls_engine_session_choices (LsEngineSession *self,
                                      LsMoveItem      *move);

/* drag.c */
gboolean   ls_engine_session_reorder (LsSession       *session,
                                      guint64          from,
                                      guint64          to,
                                      gboolean         apply,
                                      char           **reason);

/* export.c */
char       *ls_engine_session_get_trace    (LsSession     *session,
                                            guint          step,
                                            GError       **error);
char       *ls_engine_session_export       (LsSession     *session,
                                            LsExportKind   kind,
                                            GError       **error);
/* TRUE: `task` will be answered. */
gboolean    ls_engine_session_export_later (LsSession     *session,
                                            LsExportKind   kind,
                                            GTask         *task);
gboolean    ls_engine_session_write_figure (LsSession     *session,
                                            LsFigureKind   kind,
                                            const char    *path,
                                            gboolean       dark,
                                            GError       **error);

/* rank.c */
typedef struct _LsMeasureJob LsMeasureJob;
void ls_engine_session_rank_moves   (LsSession       *session);
void ls_engine_session_apply_ranked (LsSession       *session,
                                     LsStepItem      *item);
/* Puts a measured time, or (with NULL) a trouble, into the ranking. Takes nothing. */
void ls_engine_session_take_ranked  (LsEngineSession  *self,
                                     LsStepItem       *item,
                                     const LsStepTime *time,
                                     double           *samples,
                                     const char       *trouble);
void ls_engine_session_queue        (LsEngineSession *self,
                                     LsMeasureJob    *job);

/* measure.c */

/* One thing to measure: a node, or a variant of a move. */
struct _LsMeasureJob {
  guint          node;          /* LS_HISTORY_NONE for a variant */
  LsMoveVariant *variant;
  LsStepItem    *ranked;        /* of the ranking of moves, or NULL; then `schedule` too */
  LsSchedule    *schedule;
  gboolean       last;          /* of its move */
  guint          document;      /* number of the document that it belongs to */
};

/* The function that is timed: the first PrimFunc of the module, or NULL. */
const char *ls_engine_session_timed_function (LsModule  *module);
void ls_engine_session_measure      (LsSession       *session,
                                     gboolean         all);
void ls_engine_session_measure_step (LsSession       *session,
                                     guint            id);
void ls_engine_session_measure_move (LsSession       *session,
                                     LsMoveItem      *move);
void ls_engine_session_cancel       (LsSession       *session);

/* results.c */
LsResults *ls_engine_session_get_results     (LsSession *session,
                                              guint      left,
                                              guint      right);
void       ls_engine_session_compare_results (LsSession *session,
                                              guint      left,
                                              guint      right);
void       ls_engine_session_cancel_results  (LsEngineSession *self);

/* roofline.c */
LsRoofline *ls_engine_session_get_roofline    (LsSession *session);
void        ls_engine_session_measure_machine (LsSession *session);
void        ls_engine_session_cancel_machine  (LsEngineSession *self);

G_END_DECLS
