/* LsScriptText: a printed module with its source map. */
#include "views/models/script-text.h"

#include <string.h>

struct _LsScriptText
{
  GObject  parent_instance;

  char    *text;
  gboolean plain;
  GArray  *spans;
  GArray  *lines;
  GArray  *notes;
  GArray  *words;
  GArray  *things;
  GArray  *names;
  GArray  *pins;

  LsScriptNamer  namer;
  gpointer       namer_data;
  GDestroyNotify namer_destroy;
};

G_DEFINE_FINAL_TYPE (LsScriptText, ls_script_text, G_TYPE_OBJECT)

static void
note_clear (gpointer data)
{
  LsScriptNote *note = data;

  g_free (note->message);
  g_free (note->code);
  g_free (note->repair);
  g_free (note->fix);
}

static void
thing_clear (gpointer data)
{
  g_free (((LsScriptThing *) data)->words);
}

static void
ls_script_text_finalize (GObject *object)
{
  LsScriptText *self = LS_SCRIPT_TEXT (object);

  g_free (self->text);
  g_array_unref (self->spans);
  g_array_unref (self->lines);
  g_array_unref (self->notes);
  g_array_unref (self->words);
  g_array_unref (self->things);
  g_array_unref (self->names);
  g_array_unref (self->pins);
  if (self->namer_destroy != NULL)
    self->namer_destroy (self->namer_data);
  G_OBJECT_CLASS (ls_script_text_parent_class)->finalize (object);
}

static void
ls_script_text_class_init (LsScriptTextClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_script_text_finalize;
}

static void
ls_script_text_init (LsScriptText *self)
{
  self->spans = g_array_new (FALSE, FALSE, sizeof (LsScriptSpan));
  self->lines = g_array_new (FALSE, TRUE, sizeof (LsScriptLine));
  self->notes = g_array_new (FALSE, FALSE, sizeof (LsScriptNote));
  g_array_set_clear_func (self->notes, note_clear);
  self->words = g_array_new (FALSE, FALSE, sizeof (LsScriptWord));
  self->things = g_array_new (FALSE, FALSE, sizeof (LsScriptThing));
  g_array_set_clear_func (self->things, thing_clear);
  self->names = g_array_new (FALSE, FALSE, sizeof (LsScriptMention));
  self->pins = g_array_new (FALSE, FALSE, sizeof (LsScriptPin));
}

LsScriptText *
ls_script_text_new (const char *text)
{
  LsScriptText *self = g_object_new (LS_TYPE_SCRIPT_TEXT, NULL);
  guint n = 1;

  self->text = g_utf8_make_valid (text, -1);
  for (const char *p = self->text; *p != '\0'; p++)
    n += *p == '\n' && p[1] != '\0';
  g_array_set_size (self->lines, n);

  return self;
}

const char *
ls_script_text_get_text (LsScriptText *self)
{
  return self->text;
}

void
ls_script_text_set_plain (LsScriptText *self,
                          gboolean      plain)
{
  self->plain = plain;
}

gboolean
ls_script_text_is_plain (LsScriptText *self)
{
  return self->plain;
}

void
ls_script_text_add_span (LsScriptText       *self,
                         const LsScriptSpan *span)
{
  g_array_append_vals (self->spans, span, 1);
}

void
ls_script_text_add_note (LsScriptText *self,
                         guint         line,
                         guint         column,
                         const char   *code,
                         const char   *message)
{
  LsScriptNote note = { .line = line, .column = column, .message = g_strdup (message), .code = g_strdup (code) };

  g_array_append_val (self->notes, note);
}

void
ls_script_text_add_repair (LsScriptText *self,
                           const char   *repair,
                           gsize         start,
                           gsize         end,
                           const char   *fix)
{
  LsScriptNote *note = &g_array_index (self->notes, LsScriptNote, self->notes->len - 1);

  note->repair = g_strdup (repair);
  if (fix == NULL || start > end || end > strlen (self->text))
    return;
  note->fix = g_strdup (fix);
  note->fix_start = (guint) g_utf8_pointer_to_offset (self->text, self->text + start);
  note->fix_end = (guint) g_utf8_pointer_to_offset (self->text, self->text + end);
}

void
ls_script_text_add_word (LsScriptText *self,
                         guint         start,
                         guint         end)
{
  LsScriptWord word = { start, end };

  g_array_append_val (self->words, word);
}

guint
ls_script_text_n_words (LsScriptText *self)
{
  return self->words->len;
}

const LsScriptWord *
ls_script_text_get_word (LsScriptText *self,
                         guint         i)
{
  return &g_array_index (self->words, LsScriptWord, i);
}

void
ls_script_text_set_namer (LsScriptText   *self,
                          LsScriptNamer   namer,
                          gpointer        data,
                          GDestroyNotify  destroy)
{
  g_return_if_fail (self->namer == NULL);

  self->namer = namer;
  self->namer_data = data;
  self->namer_destroy = destroy;
}

guint
ls_script_text_add_thing (LsScriptText *self,
                          gpointer      node)
{
  LsScriptThing thing = { NULL, G_MAXUINT, G_MAXUINT, node };

  g_array_append_val (self->things, thing);
  return self->things->len - 1;
}

void
ls_script_text_add_name (LsScriptText *self,
                         guint         start,
                         guint         end,
                         guint         thing,
                         gboolean      defines)
{
  LsScriptMention name = { start, end, thing };
  LsScriptThing *owner = &g_array_index (self->things, LsScriptThing, thing);

  g_array_append_val (self->names, name);
  if (!defines || owner->start != G_MAXUINT)
    return;
  owner->start = start;
  owner->end = end;
}

const LsScriptMention *
ls_script_text_name_at (LsScriptText *self,
                        guint         offset)
{
  guint low = 0, high = self->names->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      const LsScriptMention *name = &g_array_index (self->names, LsScriptMention, middle);

      if (offset < name->start)
        high = middle;
      else if (offset >= name->end)
        low = middle + 1;
      else
        return name;
    }
  return NULL;
}

/* What the text calls a thing. (transfer full) */
static char *
name_of_thing (LsScriptText *self,
               guint         thing)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      const LsScriptMention *name = &g_array_index (self->names, LsScriptMention, i);

      if (name->thing == thing)
        return g_utf8_substring (self->text, name->start, name->end);
    }
  return g_strdup ("");
}

const LsScriptThing *
ls_script_text_get_thing (LsScriptText *self,
                          guint         i)
{
  LsScriptThing *thing = &g_array_index (self->things, LsScriptThing, i);
  g_autofree char *name = thing->words == NULL && self->namer != NULL ? name_of_thing (self, i) : NULL;

  if (name != NULL)
    thing->words = self->namer (thing->node, name, self->namer_data);
  return thing;
}

const LsScriptThing *
ls_script_text_find_thing (LsScriptText *self,
                           const char   *name,
                           guint         n)
{
  gsize length = strlen (name);
  const LsScriptThing *found = NULL;

  for (guint i = 0; i < self->things->len && n > 0; i++)
    {
      const LsScriptThing *thing = &g_array_index (self->things, LsScriptThing, i);
      const char *start, *end;

      if (thing->start == G_MAXUINT)
        continue;
      start = g_utf8_offset_to_pointer (self->text, thing->start);
      end = g_utf8_offset_to_pointer (start, (glong) (thing->end - thing->start));
      if ((gsize) (end - start) != length || strncmp (start, name, length) != 0)
        continue;
      found = ls_script_text_get_thing (self, i);
      n--;
    }
  return found;
}

guint
ls_script_text_n_things (LsScriptText *self)
{
  return self->things->len;
}

const LsScriptThing *
ls_script_text_peek_thing (LsScriptText *self,
                           guint         i)
{
  return &g_array_index (self->things, LsScriptThing, i);
}

guint
ls_script_text_n_names (LsScriptText *self)
{
  return self->names->len;
}

const LsScriptMention *
ls_script_text_get_name (LsScriptText *self,
                         guint         i)
{
  return &g_array_index (self->names, LsScriptMention, i);
}

/* ---- pins ---------------------------------------------------------------------- */

void
ls_script_text_clear_pins (LsScriptText *self)
{
  g_array_set_size (self->pins, 0);
}

void
ls_script_text_add_pin (LsScriptText *self,
                        guint         start,
                        guint         end,
                        guint8        pins)
{
  LsScriptPin pin = { start, end, pins };

  g_array_append_val (self->pins, pin);
}

static int
compare_pins (gconstpointer a,
              gconstpointer b)
{
  const LsScriptPin *first = a, *second = b;

  if (first->start != second->start)
    return first->start < second->start ? -1 : 1;
  return first->end < second->end ? -1 : first->end > second->end;
}

void
ls_script_text_sort_pins (LsScriptText *self)
{
  guint n = 0;

  g_array_sort (self->pins, compare_pins);
  for (guint i = 0; i < self->pins->len; i++)
    {
      LsScriptPin pin = g_array_index (self->pins, LsScriptPin, i);
      LsScriptPin *last = n > 0 ? &g_array_index (self->pins, LsScriptPin, n - 1) : NULL;

      if (last != NULL && compare_pins (last, &pin) == 0)
        last->pins |= pin.pins;
      else
        g_array_index (self->pins, LsScriptPin, n++) = pin;
    }
  g_array_set_size (self->pins, n);
}

guint
ls_script_text_n_pins (LsScriptText *self)
{
  return self->pins->len;
}

const LsScriptPin *
ls_script_text_get_pin (LsScriptText *self,
                        guint         i)
{
  return &g_array_index (self->pins, LsScriptPin, i);
}

guint
ls_script_text_find_pin (LsScriptText *self,
                         guint         offset)
{
  guint low = 0, high = self->pins->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->pins, LsScriptPin, middle).end > offset)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

guint8
ls_script_text_pins_at (LsScriptText *self,
                        guint         offset)
{
  guint i = ls_script_text_find_pin (self, offset);

  return i < self->pins->len && ls_script_text_get_pin (self, i)->start <= offset ? ls_script_text_get_pin (self, i)->pins : 0;
}

/* ---- spans --------------------------------------------------------------------- */

guint
ls_script_text_n_spans (LsScriptText *self)
{
  return self->spans->len;
}

const LsScriptSpan *
ls_script_text_get_span (LsScriptText *self,
                         guint         i)
{
  return &g_array_index (self->spans, LsScriptSpan, i);
}

guint
ls_script_text_n_notes (LsScriptText *self)
{
  return self->notes->len;
}

const LsScriptNote *
ls_script_text_get_note (LsScriptText *self,
                         guint         i)
{
  return &g_array_index (self->notes, LsScriptNote, i);
}

guint
ls_script_text_n_lines (LsScriptText *self)
{
  return self->lines->len;
}

LsScriptLine *
ls_script_text_line (LsScriptText *self,
                     guint         i)
{
  g_return_val_if_fail (i < self->lines->len, NULL);

  return &g_array_index (self->lines, LsScriptLine, i);
}

const LsScriptSpan *
ls_script_text_span_at (LsScriptText *self,
                        guint         offset)
{
  const LsScriptSpan *found = NULL;

  for (guint i = 0; i < self->spans->len; i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (self, i);

      if (span->start <= offset && offset < span->end &&
          (found == NULL || span->end - span->start < found->end - found->start))
        found = span;
    }

  return found;
}
