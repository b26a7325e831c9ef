/* What the files of the window of two models share: window.c (which two), runs.c (times and values), found.c
 * (what was found out of them), pictures.c (side by side, and as one), table.c (a row for each match), plans.c (memory and time). */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/graph.h"
#include "engine/graph/beside.h"
#include "engine/graph/memory.h"
#include "engine/graph/timeline.h"
#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_BESIDE_KEY "compare-models"

typedef struct _LsBeside LsBeside;

typedef struct {
  LsModule        *module;
  LsGraph         *graph;       /* nothing is folded in */
  LsGraph         *shown;       /* folded; of the right side with the keys of the left one */
  LsGraphTimeline *timeline;    /* or NULL */
  gint            *nodes;       /* of each of its calls the node that made it, -1: none; or NULL */
  GHashTable      *weights;     /* name of a parameter -> GBytes, of the file that it comes from; or NULL */
  char            *name;        /* "as opened", "FuseOps()", "model.onnx" */
} LsBesideSide;

typedef struct _LsBesideMemory LsBesideMemory;

struct _LsBeside
{
  /* Selects a node of a side (its whole graph) and what it is matched with, everywhere; -1: nothing. */
  void             (*select) (LsBeside *self, guint side, gint node);
  GtkWidget         *window;    /* owns this */
  GtkWidget         *sentence, *reason;
  GtkWidget         *choices[2];        /* drop-downs */
  GtkWidget         *measure, *values, *stop;
  GtkWidget         *stack;
  GtkWidget         *canvases[2], *merged, *titles[2];
  GtkWidget         *table;     /* held: what is to come for it is called off when the widgets of the window are gone */
  GtkWidget         *plans[4];  /* memory left, right; time left, right */
  GtkWidget         *holders[2];        /* labels: who holds the peak */
  LsSession         *session;
  LsEngineGraph     *model;
  LsWorker          *worker;
  GCancellable      *asking;    /* of what is under way, or NULL */
  LsBesideSide       sides[2];
  LsGraphComparison *comparison;        /* or NULL */
  GArray            *rows;      /* of LsGraphBeside, or NULL */
  LsGraphSeries     *series;    /* of both shown graphs, or NULL */
  LsGraphLayout     *layout;    /* of what the canvases show, or NULL */
  GListStore        *items;     /* of the table; none while it is not looked at */
  GPtrArray         *made;      /* of the table's items those that are made but not shown yet; NULL: none are being made */
  gint               wanted[2]; /* node of a side whose row is to be selected, -1: none */
  LsModule          *other;     /* of a file, or NULL */
  char              *other_name;
  GHashTable        *other_weights;     /* or NULL */
  guint              choosing;  /* widgets are being set */
  gboolean           linking;   /* a camera follows another */
};

/* found.c */

/* What is under way, and what can be begun; NULL: nothing is. */
void       ls_beside_show_busy      (LsBeside   *self,
                                     const char *words);
/* Cancels what is under way. */
void       ls_beside_leave          (LsBeside *self);
/* How the two compare, as a sentence; the rows are made anew. */
void       ls_beside_say_found      (LsBeside *self);
void       ls_beside_renew_rows     (LsBeside *self);

/* runs.c */

/* The calls of both are timed, one side after the other. */
void       ls_beside_measure        (LsBeside *self);
/* Both on the same numbers: what matched calls make is compared. */
void       ls_beside_compare_values (LsBeside *self);

/* pictures.c */

/* The two canvases, and the one of both; sets the widgets of `self`. (transfer none, floating) */
GtkWidget *ls_beside_pictures_new   (LsBeside *self);
GtkWidget *ls_beside_merged_new     (LsBeside *self);
/* Measures the series and asks for its layout, which is then shown; until then what was shown before stays. */
void       ls_beside_pictures_show  (LsBeside *self);
/* Lays out anew if the letters are others than those it was laid out with, and nothing else is under way. */
void       ls_beside_pictures_follow_letters (LsBeside *self);
/* Nothing is drawn any more. */
void       ls_beside_pictures_clear (LsBeside *self);
void       ls_beside_pictures_select (LsBeside *self,
                                     gint      left,
                                     gint      right);
/* The numbers at the nodes changed. */
void       ls_beside_pictures_numbers (LsBeside *self);

/* table.c */

/* Sets the widgets of `self`. (transfer none, floating) */
GtkWidget *ls_beside_table_new      (LsBeside *self);
/* The rows, when there are any; until then what it shows stays. */
void       ls_beside_table_show     (LsBeside *self);
void       ls_beside_table_clear    (LsBeside *self);
/* Rows that are not made yet are not made: what they are made of goes. */
void       ls_beside_table_stop     (LsBeside *self);
void       ls_beside_table_select   (LsBeside *self,
                                     gint      left,
                                     gint      right);

/* given.c */

/* Of each side the parameters (by place) that have values: place -> GBytes.  Both are compared. (transfer full) */
void       ls_beside_given          (LsBeside   *self,
                                     GHashTable *given[2]);
/* As the worker takes it: a{uay}. (transfer none, floating) */
GVariant  *ls_beside_given_variant  (GHashTable *given);

/* plans.c */

/* Sets the widgets of `self`. (transfer none, floating) */
GtkWidget *ls_beside_memory_new     (LsBeside *self);
GtkWidget *ls_beside_times_new      (LsBeside *self);
/* Where each value of a graph is in one storage, and when; by any thread. (transfer full) */
LsBesideMemory *ls_beside_memory_find (LsGraph        *graph);
void       ls_beside_memory_free    (LsBesideMemory *self);
/* Shows those of both sides, of which the boxes are taken; and the times, where there are any. */
void       ls_beside_plans_memory   (LsBeside       *self,
                                     LsBesideMemory *memories[2]);
void       ls_beside_plans_times    (LsBeside *self);
void       ls_beside_plans_select   (LsBeside *self,
                                     gint      left,
                                     gint      right);

G_END_DECLS
