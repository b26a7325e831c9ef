/* span: texts, byte ranges in them, and the way back to line and column.
 *
 * A span is three numbers, so that an IR node can carry one without keeping a text alive; the
 * number of a source is looked up in a process-wide table that holds no reference.  Numbers are
 * never used twice, therefore a span of a source that is gone finds nothing instead of something
 * else.
 *
 * Line ends are LF, CR LF and a CR alone, as Python reads them.  The starts of all lines are
 * found once, when the source is made; a place is then a binary search and a count along one
 * line.  A byte that is not UTF-8 counts as one character.
 */
#include "engine/base/base.h"

#include <string.h>

struct _LsSource {
  int      refs;                /* guarded by the table's lock when it may reach 0 */
  guint32  id;
  char    *name;
  char    *text;
  gsize    length;
  GArray  *starts;              /* of guint32: the first byte of each line */
};

static GMutex sources_lock;
static GHashTable *sources;     /* id -> LsSource, borrowed */
static guint32 last_source_id;

static GArray *
find_line_starts (const char *text,
                  gsize       length)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 start = 0;

  g_array_append_val (starts, start);
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] != '\n' && text[i] != '\r')
        continue;
      if (text[i] == '\r' && i + 1 < length && text[i + 1] == '\n')
        i++;
      start = (guint32) (i + 1);
      g_array_append_val (starts, start);
    }
  return starts;
}

LsSource *
ls_source_new (const char *name,
               const char *text,
               gssize      length)
{
  LsSource *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (text != NULL || length == 0, NULL);
  if (length < 0)
    length = (gssize) strlen (text);
  g_return_val_if_fail ((guint64) length < G_MAXUINT32, NULL);

  self = g_new0 (LsSource, 1);
  self->refs = 1;
  self->name = g_strdup (name);
  self->length = (gsize) length;
  self->text = g_malloc (self->length + 1);
  if (length > 0)
    memcpy (self->text, text, self->length);
  self->text[self->length] = '\0';
  self->starts = find_line_starts (self->text, self->length);

  g_mutex_lock (&sources_lock);
  if (sources == NULL)
    sources = g_hash_table_new (NULL, NULL);
  self->id = ++last_source_id;
  g_hash_table_insert (sources, GUINT_TO_POINTER (self->id), self);
  g_mutex_unlock (&sources_lock);
  return self;
}

LsSource *
ls_source_ref (LsSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_int_inc (&self->refs);
  return self;
}

static void
source_free (LsSource *self)
{
  g_free (self->name);
  g_free (self->text);
  g_array_unref (self->starts);
  g_free (self);
}

/* The lock spans the last decrement and the removal, so that a lookup never revives a dead one. */
void
ls_source_unref (LsSource *self)
{
  gboolean last;

  g_return_if_fail (self != NULL);

  g_mutex_lock (&sources_lock);
  last = g_atomic_int_dec_and_test (&self->refs);
  if (last)
    g_hash_table_remove (sources, GUINT_TO_POINTER (self->id));
  g_mutex_unlock (&sources_lock);
  if (last)
    source_free (self);
}

LsSource *
ls_source_lookup (guint32 id)
{
  LsSource *self = NULL;

  if (id == 0)
    return NULL;
  g_mutex_lock (&sources_lock);
  if (sources != NULL)
    self = g_hash_table_lookup (sources, GUINT_TO_POINTER (id));
  if (self != NULL)
    g_atomic_int_inc (&self->refs);
  g_mutex_unlock (&sources_lock);
  return self;
}

guint32
ls_source_get_id (LsSource *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->id;
}

const char *
ls_source_get_name (LsSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

const char *
ls_source_get_text (LsSource *self,
                    gsize    *length)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (length != NULL)
    *length = self->length;
  return self->text;
}

/* The number, from 0, of the line that holds byte `offset`. */
static guint
find_line (LsSource *self,
           guint32   offset)
{
  guint low = 0;
  guint high = self->starts->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->starts, guint32, middle) <= offset)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static gsize
next_character (const char *text,
                gsize       at,
                gsize       length)
{
  gunichar c = g_utf8_get_char_validated (text + at, (gssize) (length - at));

  if (c == (gunichar) -1 || c == (gunichar) -2)
    return at + 1;
  return at + (gsize) (g_utf8_skip[(guchar) text[at]]);
}

LsPlace
ls_source_place (LsSource *self,
                 guint32   offset)
{
  LsPlace place = { 1, 1 };
  guint line;

  g_return_val_if_fail (self != NULL, place);

  if (offset > self->length)
    offset = (guint32) self->length;
  line = find_line (self, offset);
  place.line = line + 1;
  for (gsize at = g_array_index (self->starts, guint32, line); at < offset; )
    {
      at = next_character (self->text, at, self->length);
      if (at <= offset)
        place.column++;
    }
  return place;
}

char *
ls_source_line (LsSource *self,
                guint     line)
{
  gsize start;
  gsize end;

  g_return_val_if_fail (self != NULL, NULL);

  if (line < 1 || line > self->starts->len)
    return NULL;
  start = g_array_index (self->starts, guint32, line - 1);
  end = line < self->starts->len ? g_array_index (self->starts, guint32, line) : self->length;
  while (end > start && (self->text[end - 1] == '\n' || self->text[end - 1] == '\r'))
    end--;
  return g_strndup (self->text + start, end - start);
}

LsSpan
ls_span_join (LsSpan a,
              LsSpan b)
{
  if (a.source == 0)
    return b;
  if (b.source != a.source)
    return a;
  return (LsSpan) { a.source, MIN (a.start, b.start), MAX (a.end, b.end) };
}
