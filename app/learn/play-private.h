/* Inside app/learn only: what the files of LsPlay share.
 *
 *   play           the queue of requests, what is next, the kernel
 *   play-progress  pages, answers and edits on disk
 *   play-stale     what stands behind changed code
 *   play-result    what an answer of the kernel says about a part
 */
#pragma once

#include "app/learn/play.h"

G_BEGIN_DECLS

/* Of one part, while presenting: what belongs to the learner. */
typedef struct {
  int      choice;
  gboolean revealed, solved;
  char    *code, *stops;
} LsPlayKept;

struct _LsPlay {
  GObject     parent_instance;

  LsLesson   *lesson;
  LsKernel   *kernel;
  GArray     *parts;            /* of LsPlayPart */
  GQueue      jobs;             /* of Job; the first one is under way when `running` */
  gboolean    running;
  gboolean    asked_needs;
  char      **missing;          /* modules, or NULL */
  GHashTable *steps;            /* key of a schedule -> steps that were shown */
  guint       page;
  gboolean   *seen;             /* of each page */
  GArray     *kept;             /* of LsPlayKept while presenting, else NULL */
  gint64      interrupted;      /* monotonic, 0 = not */
  guint       save_source;
};

static inline LsPlayPart *
at (LsPlay *self,
    guint   part)
{
  return &g_array_index (self->parts, LsPlayPart, part);
}

static inline const LsLessonPart *
part_of (LsPlay *self,
         guint   part)
{
  return ls_lesson_get_part (self->lesson, part);
}

/* The code of a part changed, or what is known of it: tells the widgets. */
void     ls_play_part_changed  (LsPlay     *self,
                                guint       part);

/* ---- play-progress.c ---- */

/* What an earlier session left; nothing when there is nothing. */
void     ls_play_load          (LsPlay     *self);

/* ---- play-stale.c ---- */

/* Did it end well, be it with code that is another one now? */
gboolean ls_play_is_done       (LsPlayState state);
/* Marks done and stale parts anew. */
void     ls_play_refresh_stale (LsPlay     *self);
/* A part starts to run: later ones that ran before it are out of date when its code is another one than then. */
void     ls_play_note_run      (LsPlay     *self,
                                guint       number);

/* ---- play-result.c ---- */

/* Both may be NULL. */
void     ls_play_set_trouble   (LsPlayPart *part,
                                const char *sentence,
                                const char *trouble);
/* Why a request has no answer, as the reader is told: translated. (transfer full) */
char    *ls_play_describe_end  (LsKernel     *kernel,
                                const GError *error);
/* State, time and words of a part that was answered. */
void     ls_play_judge         (LsPlay     *self,
                                guint       number,
                                GVariant   *answer);

G_END_DECLS
