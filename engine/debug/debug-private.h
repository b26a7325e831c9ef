/* debug-private: what the files of a session share. */
#pragma once

#include "engine/debug/debug.h"

G_BEGIN_DECLS

typedef enum {
  LS_SEEK_NOT,                  /* nobody looks for a stop */
  LS_SEEK_ON,                   /* for the first one after `from` */
  LS_SEEK_BACK                  /* for the last one before `from` */
} LsSeekMode;

/* A search backwards that was given up: one stretch between checkpoints is looked through after another, from here to the begin, and the last hit of a
 * stretch is the one. */
typedef struct {
  guint64     from;             /* where it set out */
  guint64     begin, end;       /* the stretch that is being looked through */
  LsSaved    *first, *there;    /* the states at both, owned; `there` is NULL where the run was over */
  LsSaved    *here;             /* how far it was looked through, owned; NULL: it was not begun */
  LsDebugHit  hit;              /* the last one of it so far */
} LsDebugBack;

struct _LsDebug {
  LsDebugText    *text;
  LsPrimFunc     *func;         /* borrowed from the text */
  GArray         *args;
  LsInterpOptions options;
  LsRun          *run;

  GPtrArray      *saved;        /* of LsSaved, by clock; the first is the begin */
  guint           spacing;      /* statements between two of them */
  gsize           memory;

  GHashTable     *written;      /* data variables of what the function writes */
  GHashTable     *ready;        /* expression of the text -> LsRunExpr */
  GPtrArray      *stops;
  guint           n_stops;      /* that there ever were */
  LsStop         *once;
  gboolean        alone;        /* only `once` counts */
  LsSeekMode      mode;
  guint64         from;
  gboolean        has_hit;      /* the run is to stand still for it */
  LsDebugHit      hit;

  gboolean      (*asked) (gpointer user_data);
  gpointer        asked_data;
  guint64         since_asked;  /* statements */
  gboolean        is_interrupted;
  gboolean        goes_back;
  enum { LS_LEFT_NOTHING, LS_LEFT_POSITION, LS_LEFT_SEEK, LS_LEFT_BACK } left_what;   /* what was given up */
  guint64         left_clock;
  LsStop         *left;         /* owned */
  gboolean        left_alone;
  LsDebugBack     back;
};

/* The number of the last checkpoint that is not after the clock. */
guint    ls_debug_checkpoint_before (LsDebug *self,
                                     guint64  clock);
/* To the nearest checkpoint before the clock, unless the run stands between both. */
void     ls_debug_return_to         (LsDebug *self,
                                     guint64  clock);
/* Goes on and keeps checkpoints, until the clock is there, a hit is to be stopped at, or the end. */
void     ls_debug_run_on            (LsDebug *self,
                                     guint64  until);
/* The same; where the way is long a checkpoint stays shortly before the clock, so that the next steps back are short. */
void     ls_debug_run_near          (LsDebug *self,
                                     guint64  until);
void     ls_debug_forget_hit        (LsDebug *self);
/* Of a search backwards nothing is left. */
void     ls_debug_forget_back       (LsDebug *self);
/* The observer of the stops looks on from now on. */
void     ls_debug_watch             (LsDebug *self);
/* The condition of a stop as an expression of the place with this number; NULL with an error: it cannot be read there. (transfer full) */
LsRunExpr *ls_debug_prepare_condition (LsDebug     *self,
                                       LsStop      *stop,
                                       LsPrimFunc  *func,
                                       guint        number,
                                       GError     **error);

/* places.c: the pointer whose memory a buffer lies in: a matched region lies in that of its source. Borrowed. */
LsVar   *ls_debug_memory_of         (LsPrimFunc *func,
                                     LsVar      *data);
/* inputs.c: no arguments yet; those that are added are freed with it: data and shape. (transfer full) */
GArray  *ls_debug_arguments_empty   (void);
/* open.c: on arguments that are there (taken). `func` is one of the module's. */
LsDebug *ls_debug_new_with          (LsModule   *module,
                                     LsPrimFunc *func,
                                     GArray     *args,
                                     GError    **error);
/* inputs.c: the data variables of the buffers that a function writes. (transfer full) */
GHashTable *ls_debug_written        (LsPrimFunc *func);
/* inputs.c: a type as arrays of the runtime have it, and back. */
LsDLDataType ls_debug_dl_dtype      (LsDType      dtype);
LsDType      ls_debug_dtype_of_dl   (LsDLDataType dtype);
/* past.c: what was done before, told by running again; commands, as in the table of command.c. */
GVariant *ls_debug_past_writes      (LsDebug     *self,
                                     const char  *rest,
                                     GError     **error);
GVariant *ls_debug_past_trail       (LsDebug     *self,
                                     const char  *rest,
                                     GError     **error);
GVariant *ls_debug_past_plot        (LsDebug     *self,
                                     const char  *rest,
                                     GError     **error);
/* look.c: the indices of an element offset; FALSE: it is none of the buffer's. */
gboolean ls_debug_indices           (const LsRunBuffer *view,
                                     gint64             element,
                                     gint64            *indices);
/* graph.c: it as an argument of the interpreter; its memory is the value's. */
LsInterpArg ls_graph_value_argument (const LsGraphValue *value);
/* graph.c: least, mean, most, histogram and the odd ones of data that is there. */
void     ls_debug_value_summarise   (LsGraphValue      *value);
/* graph-inputs.c: `n` values of an integer parameter that pick rows of a table (relax.take) are brought between its ends; others stay. */
void     ls_debug_keep_indices      (LsDType            dtype,
                                     guint8            *data,
                                     gint64             n,
                                     LsFunction        *func,
                                     guint              param);
/* graph-command.c: "[2, 0] 32 0": the indices before the last two dimensions (`at`, of 16), row and column (`from`); all may be left out. FALSE with an
 * error. */
gboolean ls_debug_grid_place        (const char        *words,
                                     gint64            *at,
                                     gint64            *from,
                                     GError           **error);
/* A part of a tensor as ls_debug_grid() tells one of a buffer. (transfer full) */
GVariant *ls_debug_value_grid       (const LsGraphValue *value,
                                     const gint64      *at,
                                     gint64             row,
                                     gint64             column);
/* look.c: "checkpoints", the "checkpoint-bytes" that they take, and the "checkpoint-limit". */
void     ls_debug_put_checkpoints   (LsDebug           *self,
                                     GVariantDict      *dict);
/* The statement that comes next, NULL at the end. */
const LsDebugPlace *ls_debug_here   (LsDebug           *self,
                                     LsPrimFunc       **func,
                                     guint             *number);
/* words.c: a command cannot be done, for this reason. Returns: NULL. */
GVariant *ls_debug_refuse           (GError           **error,
                                     const char        *format,
                                     ...) G_GNUC_PRINTF (2, 3);
/* The breakpoints of a graph or a machine, which are words, as "stops". (transfer full) */
GVariant *ls_debug_stops_tell       (GPtrArray         *stops);
/* Takes away the one with this number, counted from 1; all of them for "". What is left (transfer full), or NULL with an error. */
GVariant *ls_debug_stops_remove     (GPtrArray         *stops,
                                     const char        *rest,
                                     GError           **error);

G_END_DECLS
