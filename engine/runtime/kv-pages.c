/* kv-pages: which token of which sequence lies where in a memory of pages. */
#include "engine/runtime/kv-pages.h"

#include <inttypes.h>

struct _LsKVPages {
  gint64      page_size;
  guint       n_pages;
  guint      *users;            /* of each page */
  GArray     *free;             /* of gint32: pages without users, the next one last */
  GHashTable *sequences;        /* id -> LsKVSequence */
};

static void
sequence_free (gpointer data)
{
  LsKVSequence *self = data;

  g_array_unref (self->table);
  g_array_unref (self->tree);
  g_free (self);
}

LsKVPages *
ls_kv_pages_new (gint64 n_pages,
                 gint64 page_size)
{
  LsKVPages *self = g_new0 (LsKVPages, 1);

  self->page_size = page_size;
  self->n_pages = (guint) n_pages;
  self->users = g_new0 (guint, n_pages);
  self->free = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->sequences = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, sequence_free);
  ls_kv_pages_clear (self);
  return self;
}

void
ls_kv_pages_free (LsKVPages *self)
{
  g_hash_table_unref (self->sequences);
  g_array_unref (self->free);
  g_free (self->users);
  g_free (self);
}

void
ls_kv_pages_clear (LsKVPages *self)
{
  g_hash_table_remove_all (self->sequences);
  g_array_set_size (self->free, 0);
  for (guint i = 0; i < self->n_pages; i++)
    {
      gint32 page = (gint32) (self->n_pages - 1 - i);

      self->users[i] = 0;
      g_array_append_val (self->free, page);
    }
}

gint64
ls_kv_pages_n_free (LsKVPages *self)
{
  return self->free->len;
}

guint
ls_kv_pages_n_sequences (LsKVPages *self)
{
  return g_hash_table_size (self->sequences);
}

gint64
ls_kv_pages_total_length (LsKVPages *self)
{
  GHashTableIter iter;
  gpointer sequence;
  gint64 total = 0;

  g_hash_table_iter_init (&iter, self->sequences);
  while (g_hash_table_iter_next (&iter, NULL, &sequence))
    total += ((LsKVSequence *) sequence)->length;
  return total;
}

LsKVSequence *
ls_kv_pages_get (LsKVPages *self,
                 gint64     id,
                 GError   **error)
{
  LsKVSequence *sequence = g_hash_table_lookup (self->sequences, &id);

  if (sequence == NULL)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, ls_translate ("the cache has no sequence %" PRId64 "."), id);
  return sequence;
}

/* ---- pages ---------------------------------------------------------------------- */

static gint32
page_at (LsKVSequence *sequence,
         guint         i)
{
  return g_array_index (sequence->table, gint32, i);
}

static gint32
take_page (LsKVPages *self)
{
  gint32 page = g_array_index (self->free, gint32, self->free->len - 1);

  g_array_set_size (self->free, self->free->len - 1);
  self->users[page] = 1;
  return page;
}

static void
leave_page (LsKVPages *self,
            gint32     page)
{
  if (--self->users[page] == 0)
    g_array_append_val (self->free, page);
}

/* The table's pages from number `first` up to `end`, which are not the sequence's any more. */
static void
leave_pages (LsKVPages    *self,
             LsKVSequence *sequence,
             guint         first,
             guint         end)
{
  for (guint i = end; i > first; i--)
    leave_page (self, page_at (sequence, i - 1));
  if (end > first)
    g_array_remove_range (sequence->table, first, end - first);
}

static guint
pages_for (LsKVPages *self,
           gint64     slots)
{
  return (guint) ((slots + self->page_size - 1) / self->page_size);
}

static gint64
slot_of (LsKVSequence *sequence,
         gint64        position)
{
  return position < sequence->kept ? position : position - sequence->kept + sequence->window_at;
}

gint64
ls_kv_sequence_end (LsKVSequence *sequence)
{
  return slot_of (sequence, sequence->length);
}

gint64
ls_kv_sequence_end_of (LsKVSequence *sequence,
                       gint64        count)
{
  return count > 0 ? slot_of (sequence, count - 1) + 1 : 0;
}

gint64
ls_kv_pages_place (LsKVPages    *self,
                   LsKVSequence *sequence,
                   gint64        position)
{
  gint64 slot = slot_of (sequence, position);

  return page_at (sequence, (guint) (slot / self->page_size)) * self->page_size + slot % self->page_size;
}

void
ls_kv_pages_cut (LsKVPages    *self,
                 LsKVSequence *sequence,
                 gint64        length)
{
  sequence->length = length;
  /* with nothing behind it there is no hole */
  if (length <= sequence->kept)
    sequence->kept = sequence->window_at = 0;
  leave_pages (self, sequence, pages_for (self, ls_kv_sequence_end (sequence)), sequence->table->len);
}

/* ---- sequences -------------------------------------------------------------------- */

static LsKVSequence *
add (LsKVPages *self,
     gint64     id,
     GError   **error)
{
  LsKVSequence *sequence;

  if (g_hash_table_contains (self->sequences, &id))
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_EXISTS, ls_translate ("the cache has a sequence %" PRId64 " already."), id);
      return NULL;
    }
  sequence = g_new0 (LsKVSequence, 1);
  sequence->id = id;
  sequence->table = g_array_new (FALSE, FALSE, sizeof (gint32));
  sequence->tree = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_hash_table_insert (self->sequences, &sequence->id, sequence);
  return sequence;
}

gboolean
ls_kv_pages_add (LsKVPages *self,
                 gint64     id,
                 GError   **error)
{
  return add (self, id, error) != NULL;
}

gboolean
ls_kv_pages_remove (LsKVPages *self,
                    gint64     id,
                    GError   **error)
{
  LsKVSequence *sequence = ls_kv_pages_get (self, id, error);

  if (sequence == NULL)
    return FALSE;
  leave_pages (self, sequence, 0, sequence->table->len);
  g_hash_table_remove (self->sequences, &id);
  return TRUE;
}

static gboolean
is_settled (LsKVSequence *sequence,
            GError      **error)
{
  if (sequence->tree->len == 0)
    return TRUE;
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
               ls_translate ("sequence %" PRId64 " ends in a tree of tokens of which none was accepted yet."), sequence->id);
  return FALSE;
}

gboolean
ls_kv_pages_fork (LsKVPages *self,
                  gint64     parent,
                  gint64     child,
                  gint64     position,
                  GError   **error)
{
  LsKVSequence *from = ls_kv_pages_get (self, parent, error), *to;

  if (from == NULL || !is_settled (from, error))
    return FALSE;
  if (position < -1 || position > from->length)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                   ls_translate ("sequence %" PRId64 " has %" PRId64 " tokens; it cannot be forked at %" PRId64 "."),
                   parent, from->length, position);
      return FALSE;
    }
  to = add (self, child, error);
  if (to == NULL)
    return FALSE;
  to->kept = from->kept;
  to->window_at = from->window_at;
  g_array_append_vals (to->table, from->table->data, from->table->len);
  for (guint i = 0; i < to->table->len; i++)
    self->users[page_at (to, i)]++;
  ls_kv_pages_cut (self, to, position < 0 ? from->length : position);
  return TRUE;
}

gboolean
ls_kv_pages_pop (LsKVPages    *self,
                 LsKVSequence *sequence,
                 gint64        count,
                 GError      **error)
{
  if (!is_settled (sequence, error))
    return FALSE;
  if (count < 0 || count > sequence->length)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                   ls_translate ("sequence %" PRId64 " has %" PRId64 " tokens; %" PRId64 " cannot go."),
                   sequence->id, sequence->length, count);
      return FALSE;
    }
  ls_kv_pages_cut (self, sequence, sequence->length - count);
  return TRUE;
}

/* ---- windows ----------------------------------------------------------------------- */

gboolean
ls_kv_pages_set_window (LsKVPages    *self,
                        LsKVSequence *sequence,
                        gint64        window,
                        gint64        sinks,
                        GError      **error)
{
  if (sequence->window > 0)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("sequence %" PRId64 " has a sliding window already."), sequence->id);
  else if (window < 1 || sinks < 0 || sinks >= window)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                 ls_translate ("a sliding window has at least one token, and fewer sinks than tokens; it is to have %" PRId64 " tokens and %" PRId64 " sinks."),
                 window, sinks);
  else if (sequence->window_at > 0 && sequence->kept != sinks)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                 ls_translate ("sequence %" PRId64 " was forked from a window with %" PRId64 " sinks; it cannot have %" PRId64 "."),
                 sequence->id, sequence->kept, sinks);
  else
    {
      sequence->window = window;
      sequence->sinks = sinks;
      return TRUE;
    }
  return FALSE;
}

void
ls_kv_pages_slide (LsKVPages    *self,
                   LsKVSequence *sequence)
{
  gint64 more = sequence->length - sequence->window;
  guint first, end;

  if (sequence->window == 0 || more <= 0 || sequence->tree->len > 0)
    return;
  if (sequence->window_at == 0)
    sequence->kept = sequence->window_at = sequence->sinks;
  sequence->window_at += more;
  sequence->length -= more;
  /* pages that lie in the hole as a whole */
  first = pages_for (self, sequence->kept);
  end = (guint) (sequence->window_at / self->page_size);
  if (end > first)
    {
      leave_pages (self, sequence, first, end);
      sequence->window_at -= (gint64) (end - first) * self->page_size;
    }
}

/* ---- room ---------------------------------------------------------------------------- */

/* The page that the sequence would write into first when others hold it as well, or -1. */
static gint32
shared_end (LsKVPages    *self,
            LsKVSequence *sequence)
{
  gint64 end = ls_kv_sequence_end (sequence);
  gint32 page = end % self->page_size != 0 ? page_at (sequence, sequence->table->len - 1) : -1;

  return page >= 0 && self->users[page] > 1 ? page : -1;
}

/* How many pages the reservation takes: the last of those who share a page keeps it. */
static guint
pages_needed (LsKVPages     *self,
              LsKVSequence **sequences,
              const gint64  *lengths,
              guint          n)
{
  g_autoptr (GHashTable) left = g_hash_table_new (NULL, NULL);
  guint needed = 0;

  for (guint i = 0; i < n; i++)
    {
      gint32 page = shared_end (self, sequences[i]);
      guint users;

      needed += pages_for (self, ls_kv_sequence_end (sequences[i]) + lengths[i]) - sequences[i]->table->len;
      if (page < 0)
        continue;
      users = GPOINTER_TO_UINT (g_hash_table_lookup (left, GINT_TO_POINTER (page + 1)));
      users = users > 0 ? users : self->users[page];
      needed += users > 1;
      g_hash_table_insert (left, GINT_TO_POINTER (page + 1), GUINT_TO_POINTER (MAX (users, 2) - 1));
    }
  return needed;
}

gboolean
ls_kv_pages_reserve (LsKVPages     *self,
                     LsKVSequence **sequences,
                     const gint64  *lengths,
                     guint          n,
                     GArray        *copies,
                     GError       **error)
{
  guint needed = pages_needed (self, sequences, lengths, n);

  if (needed > self->free->len)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY,
                   ls_translate ("the cache has no pages left: %u would be needed, %u of %u are free."), needed, self->free->len, self->n_pages);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      LsKVSequence *sequence = sequences[i];
      gint32 shared = shared_end (self, sequence);
      gint64 end = ls_kv_sequence_end (sequence);

      if (shared >= 0)
        {
          LsKVCopy copy = { shared, take_page (self), (gint32) (end % self->page_size) };

          leave_page (self, shared);
          g_array_index (sequence->table, gint32, sequence->table->len - 1) = copy.to;
          g_array_append_val (copies, copy);
        }
      while (sequence->table->len < pages_for (self, end + lengths[i]))
        {
          gint32 page = take_page (self);

          g_array_append_val (sequence->table, page);
        }
      sequence->length += lengths[i];
    }
  return TRUE;
}
