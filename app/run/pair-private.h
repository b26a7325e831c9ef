/* What the files of the window of two programs share: pair.c (the runs, one clock), pair-part.c (where they part). */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_PAIR_KEY "run-pair"

typedef struct _LsPairRun LsPairRun;

typedef struct {
  LsPairRun *run;
  guint      side;
} LsPairAsked;

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
  /* What is under way has changed: the buttons follow. */
  void          (*show_buttons) (LsPairRun *self);
  GtkWidget      *window;       /* owns this */
  GtkWidget      *sentence, *reason;
  GtkWidget      *moves[12];
  GtkWidget      *right_leads;  /* toggle */
  GtkWidget      *toy;          /* toggle */
  GtkWidget      *sizes;        /* what the symbolic sizes are, where there are some */
  GtkWidget      *pause, *give_up;      /* buttons */
  GtkWidget      *clock;        /* scale */
  GtkWidget      *titles[2], *texts[2], *values[2], *grids[2], *cells[2];
  LsPairAsked     asked[2];     /* what the texts and the grids ask with */
  char           *parts[2];     /* " 32 0": row and column that the keyboard went to in a grid, until the run moves; or NULL */
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
  gboolean        wants_part;   /* one of `parts` is to be asked for when the call under way has come back */
  gint64          wanted;       /* write that the scale asks for meanwhile, or -1 */
  char           *after_open;   /* command, or NULL */
  guint           lead_after;
  GArray         *path;         /* of guint: the nodes that the question is about */
};

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
