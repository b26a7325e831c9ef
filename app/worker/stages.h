/* stages: a program before and after each of a list of passes, as an answer that fits into a message.
 *
 * a(sxssa(uuu)): name of the pass ("": what the first one gets), what it took in ns (-1: it did not run), why it could not go on or "",
 * the program after it or "" where it is as before, and places in that text: from and to which character, of which loop.
 * Where all texts together are too long for a message the long ones end early, with a line that says so.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_STAGES_MOST (12 * 1024 * 1024)       /* bytes of texts and places; a message takes 15 MiB */

typedef struct {
  guint32 start;
  guint32 end;
  guint32 loop;
} LsStagePlace;

typedef struct _LsStages LsStages;

LsStages *ls_stages_new    (void);
void      ls_stages_free   (LsStages   *self);
/* `trouble`, `text` and `places` (of LsStagePlace, in the order of the text) may be NULL; takes `text` and `places`. */
void      ls_stages_add    (LsStages   *self,
                            const char *name,
                            gint64      ns,
                            const char *trouble,
                            char       *text,
                            GArray     *places);
/* At most `most` bytes, or little more. (floating) */
GVariant *ls_stages_end    (LsStages   *self,
                            gsize       most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsStages, ls_stages_free)

G_END_DECLS
