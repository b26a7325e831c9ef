/* LsSearchTurn: what one turn of a search asks of the tuner, in a thread of its own.
 *
 * A turn tells the tuner what was measured since the last one and asks it for programs, one for each worker that has nothing to do; the
 * first also makes the designs and reads the database.  It holds all that it needs of the search, which may be gone before it ends.
 */
#pragma once

#include "app/search/search.h"

G_BEGIN_DECLS

/* What an earlier life of the search asked for. */
typedef struct {
  char   *job, *trace;
  double  seconds;              /* below 0: it has none */
} LsSearchLate;

/* What was measured, for the tuner. */
typedef struct {
  LsSearchTrial   *trial;       /* for the main loop */
  LsTuneCandidate *drawn;
  double           seconds;
  char            *problem;
  gboolean         told;        /* the tuner knows it; it is only to be kept */
  gboolean         kept;        /* out: the database has it, or there is none */
} LsSearchResult;

typedef struct {
  /* In: what was measured, how many are wanted. */
  GArray         *results;      /* of LsSearchResult */
  guint           n_wanted;
  guint           max_trials;   /* of the tuner */
  LsTuner        *tuner;        /* taken by the turn, made where it is NULL; given back */
  LsTuneDatabase *database;     /* the same */
  LsModule       *module;
  GPtrArray      *designs;      /* of LsTrace, or NULL: those of the space */
  LsTunerOptions  tuner_options;
  char           *folder;       /* of the database that is to be opened, or NULL */
  char           *kind;         /* of machines, or NULL */
  char           *target;       /* or NULL: this machine */
  char           *func;         /* that is measured, or NULL */
  GArray         *late;         /* of LsSearchLate */
  const gint     *stop;         /* atomic: not 0 ends it early */
  /* Out. */
  GPtrArray      *drawn;        /* of LsSearchTrial */
  GArray         *kinds;        /* of LsTuneKind, a reference, or NULL */
  guint           n_trials, n_refused, n_remembered, n_designs;
  guint           n_elsewhere;  /* results that another search has recorded meanwhile */
  double          model_share;  /* of the time, that training took */
  char           *refusal, *note, *problem;
  gboolean        exhausted;    /* the tuner gives nothing any more */
  gboolean        failed;       /* the database cannot be opened: problem says why */
} LsSearchTurn;

void          ls_search_trial_free  (gpointer trial);
/* (transfer full): of LsSearchLate, of LsSearchResult. */
GArray       *ls_search_late_new    (void);
GArray       *ls_search_results_new (void);

/* What records of a device are marked with: its kind, and the sizes of the program, with which times are other times.  NULL of NULL. (transfer full) */
char         *ls_search_mark        (const char         *kind,
                                     const char *const  *set);
/* (transfer full): with what it drew and has no results yet; the rest is filled in by who makes it. */
LsSearchTurn *ls_search_turn_new    (void);
void          ls_search_turn_free   (gpointer turn);
/* Tells, recalls and asks.  Only one at a time touches a tuner; may take seconds. */
void          ls_search_turn_run    (LsSearchTurn *turn);

G_END_DECLS
