/* What the files of the window of two programs share: pair.c (the runs, one clock), pair-side.c (the text and
 * the array of one), pair-part.c (where they part). */
#pragma once

#include "app/rpc/rpc.h"
#include "app/run/frame.h"
#include "app/session/engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_PAIR_KEY "run-pair"

typedef struct _LsPairRun LsPairRun;

/* One of the two programs. */
typedef struct {
  LsPairRun *run;
  guint      number;            /* 0: the left one */
  GtkWidget *title, *text;
  GtkWidget *value;             /* of the expression under the cursor */
  GtkWidget *slices, *grid, *cell;
  char      *part;              /* " 32 0": row and column that the keyboard went to in the grid, until the run moves; or NULL */
  gboolean   has_chosen;        /* a slice, until the run moves */
} LsPairSide;

struct _LsPairRun
{
  /* Sends a command of the debugger to the side that leads. */
  void          (*send) (LsPairRun  *self,
                         const char *command);
  /* Begins anew with these two steps, which the session need not show; then sends `command` (taken) to the side `leads`, if it is there. */
  void          (*open) (LsPairRun  *self,
                         guint       left,
                         guint       right,
                         guint       leads,
                         char       *command);
  /* Asks for the same place once more, with the parts and slices that were chosen; when the call under way has come back. */
  void          (*look_again) (LsPairRun *self);
  /* What is under way has changed: the buttons follow. */
  void          (*show_buttons) (LsPairRun *self);
  GtkWidget      *window;       /* owns this */
  LsRunFrame      frame;
  GtkWidget      *right_leads;  /* toggle */
  GtkWidget      *toy;          /* toggle */
  GtkWidget      *sizes;        /* what the symbolic sizes are, where there are some */
  GtkWidget      *pause, *give_up;      /* buttons */
  GtkWidget      *kept;         /* label: what is kept for going back */
  GtkWidget      *clock;        /* scale */
  LsPairSide      sides[2];
  GtkWidget      *part;         /* button */
  GtkWidget      *verdict;      /* label */
  GtkWidget      *writes[2];    /* list boxes */
  GtkWidget      *writes_box;
  LsSession      *session;
  LsWorker       *worker;
  GCancellable   *asking;       /* of the call under way, or NULL */
  GCancellable   *parting;      /* of the question where they part, or NULL */
  LsWorker       *part_worker;
  GVariant       *look;         /* what was answered last, or NULL */
  guint           ids[2];       /* nodes of the history */
  gboolean        compared;     /* they are what the Compare page has */
  char           *names[2];     /* what they are called by who asked, or NULL */
  gboolean        known;        /* what they compute was found to differ, by who asked */
  gboolean        has_ids;
  gboolean        placing;      /* the scale is being set */
  gboolean        wants_pause;
  gboolean        wants_part;   /* another part or slice is to be asked for when the call under way has come back */
  gint64          wanted;       /* write that the scale asks for meanwhile, or -1 */
  char           *after_open;   /* command, or NULL */
  guint           lead_after;
  GArray         *path;         /* of guint: the nodes that the question is about */
};

/* pair-side.c: the widgets of one program; it is not the owner of anything but `part`. (transfer none, floating) */
GtkWidget *ls_pair_side_new    (LsPairSide *self,
                                LsPairRun  *run,
                                guint       number);
/* What the last answer has of it. */
void       ls_pair_side_show   (LsPairSide *self,
                                GVariant   *answer);
/* Nothing yet, of a program with this title. */
void       ls_pair_side_clear  (LsPairSide *self,
                                const char *title);
void       ls_pair_side_follow_cursor (LsPairSide *self);
/* What was chosen, for the method debug-pair. */
void       ls_pair_side_put    (LsPairSide   *self,
                                GVariantDict *params);
/* Nothing was chosen. */
void       ls_pair_side_forget (LsPairSide *self);
/* pair-part.c: the button, the sentence, the writes of both; sets the widgets of `self`. (transfer none, floating) */
GtkWidget *ls_pair_part_new    (LsPairRun *self);
/* Asks: over all steps from the program as it was opened, or what the Compare page shows. */
void       ls_pair_part_ask    (LsPairRun *self);
/* Gives up what was asked; the widgets may be gone. */
void       ls_pair_part_end    (LsPairRun *self);
/* Nothing was asked. */
void       ls_pair_part_forget (LsPairRun *self);
/* "Before: step 2, split(j, [None, 4])". (transfer full) */
char      *ls_pair_title       (LsPairRun *self,
                                guint      side);
/* The history of a node (a compared file has its own) with its id there, or NULL. */
LsHistory *ls_pair_history     (LsPairRun *self,
                                guint      side,
                                guint     *id);

G_END_DECLS
