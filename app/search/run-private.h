/* What the files of a search that is read share: run.c (the file, what it shows), run-read.c (what a line says). */
#pragma once

#include "app/search/run.h"

G_BEGIN_DECLS

struct _LsSearchRun
{
  GObject         parent_instance;

  char           *folder, *name, *path;
  int             fd;           /* of the log, or -1 */
  GString        *line_part;    /* of a line that has no end yet */
  guint           source, more; /* the clock, and what a frame had no time for */
  int             process;
  gboolean        started;      /* the log has begun */
  gboolean        has_news, has_ended;  /* to be told when what is there was read */
  LsSearchRunLine       line;
  gpointer        data;

  GPtrArray      *trials;       /* of LsSearchTrial */
  GPtrArray      *tasks;        /* of LsSearchRunTask, or NULL */
  GArray         *totals;       /* of LsSearchRunTotal */
  double          base;         /* ns, of a model */
  guint           planned;
  LsSearchState   state;
  int             end;
  LsSearchCounts  counts;
  gint64          counted;      /* when the counts came, of the monotonic clock */
  char           *problem, *note, *refusal, *conditions, *trouble, *kind;
  char           *complaint;    /* what keeps the process from writing its log, or NULL */
  GPtrArray      *machines;     /* of LsFleetPeer, or NULL */
  GArray         *kinds;        /* of LsTuneKind, or NULL */
};

/* ---- run-read.c ---- */

/* What a line of the log says; one that says nothing known is passed over. */
void ls_search_run_read_line (LsSearchRun *self,
                              const char  *line);
/* It is over, and how. */
void ls_search_run_finish    (LsSearchRun *self,
                              int          how);
void ls_search_run_set_text  (char       **text,
                              const char  *value);

G_END_DECLS
