/* kv-pages: which token of which sequence lies where in a memory of pages.  Knows no tensors.
 *
 * A sequence has a table of pages; a fork shares them, counted, and whoever writes into a page that others hold gets one of
 * its own first.  Slots number the places of the table one after the other; where a window was slid there is a hole
 * in them: the first `kept` tokens lie in the first slots, those after them from slot `window_at` on.
 */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

typedef struct {
  gint64   id;
  GArray  *table;               /* of gint32: numbers of pages */
  gint64   length;              /* tokens */
  gint64   kept, window_at;     /* 0, 0: there is no hole */
  gint64   window, sinks;       /* what end of a forward leaves of it; window 0: all */
  GArray  *tree;                /* of gint64: the parents of its last tokens that are not accepted yet, -1: a root; counted from the first of them */
} LsKVSequence;

/* `count` tokens of page `from` are to be copied to page `to`, in all layers. */
typedef struct { gint32 from, to, count; } LsKVCopy;

typedef struct _LsKVPages LsKVPages;

LsKVPages    *ls_kv_pages_new          (gint64          n_pages,
                                        gint64          page_size);
void          ls_kv_pages_free         (LsKVPages      *self);
/* Forgets all sequences. */
void          ls_kv_pages_clear        (LsKVPages      *self);
gint64        ls_kv_pages_n_free       (LsKVPages      *self);
guint         ls_kv_pages_n_sequences  (LsKVPages      *self);
/* Of all sequences; what is shared counts for each. */
gint64        ls_kv_pages_total_length (LsKVPages      *self);
/* Errors: NOT_FOUND, naming it. Borrowed. */
LsKVSequence *ls_kv_pages_get          (LsKVPages      *self,
                                        gint64          id,
                                        GError        **error);
/* An empty sequence.  Errors: EXISTS. */
gboolean      ls_kv_pages_add          (LsKVPages      *self,
                                        gint64          id,
                                        GError        **error);
gboolean      ls_kv_pages_remove       (LsKVPages      *self,
                                        gint64          id,
                                        GError        **error);
/* `child` begins with the first `position` tokens of `parent`; -1: all.  It has no window.  Errors: NOT_FOUND, EXISTS,
 * ARGUMENT. */
gboolean      ls_kv_pages_fork         (LsKVPages      *self,
                                        gint64          parent,
                                        gint64          child,
                                        gint64          position,
                                        GError        **error);
/* Forgets the last tokens.  Errors: ARGUMENT when there are not so many. */
gboolean      ls_kv_pages_pop          (LsKVPages      *self,
                                        LsKVSequence   *sequence,
                                        gint64          count,
                                        GError        **error);
/* Only so many tokens stay. */
void          ls_kv_pages_cut          (LsKVPages      *self,
                                        LsKVSequence   *sequence,
                                        gint64          length);
/* From the end of the next forward on only the first `sinks` tokens and the last ones stay, `window` in all.  Errors: ARGUMENT. */
gboolean      ls_kv_pages_set_window   (LsKVPages      *self,
                                        LsKVSequence   *sequence,
                                        gint64          window,
                                        gint64          sinks,
                                        GError        **error);
/* Room for `lengths[i]` more tokens at the end of each sequence, which count from now on; what is to be copied before one
 * writes is put into `copies`.  Nothing has changed when it fails.  Errors: MEMORY when there are not so many pages. */
gboolean      ls_kv_pages_reserve      (LsKVPages      *self,
                                        LsKVSequence  **sequences,
                                        const gint64   *lengths,
                                        guint           n,
                                        GArray         *copies,         /* of LsKVCopy */
                                        GError        **error);
/* What is more than the sequence's window goes; nothing while it ends in a tree. */
void          ls_kv_pages_slide        (LsKVPages      *self,
                                        LsKVSequence   *sequence);
/* Number of the slot behind the last token. */
gint64        ls_kv_sequence_end       (LsKVSequence   *sequence);
/* Number of the slot behind the first `count` tokens; 0: of none. */
gint64        ls_kv_sequence_end_of    (LsKVSequence   *sequence,
                                        gint64          count);
/* Where a token lies: number of the page times the size of one, plus its place there. */
gint64        ls_kv_pages_place        (LsKVPages      *self,
                                        LsKVSequence   *sequence,
                                        gint64          position);

G_END_DECLS
