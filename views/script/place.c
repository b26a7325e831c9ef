/* script/place: see the header. */
#include "views/script/place.h"

#include "views/models/named-values.h"
#include "views/script/card.h"

#include <glib/gi18n.h>

/* The loop of the span: what its row says, and its card. (transfer full), or NULL */
static char *
loop_words (LsSession          *session,
            const LsScriptSpan *span)
{
  LsLoopItem *item = ls_loop_list_find (ls_session_get_loops (session), span->id);
  g_autofree char *words = NULL, *card = NULL;

  if (item == NULL)
    return NULL;
  words = ls_loop_item_describe (item);
  card = ls_session_describe_row (session, span->id);
  return card != NULL ? g_strdup_printf ("%s\n\n%s", words, card) : g_steal_pointer (&words);
}

/* "A: buffer of float32, ...": the name at a place, with its line. (transfer full), or NULL */
static char *
name_words (LsScriptText      *text,
            const GtkTextIter *iter)
{
  const LsScriptMention *name = ls_script_text_name_at (text, (guint) gtk_text_iter_get_offset (iter));
  const LsScriptThing *thing = name != NULL ? ls_script_text_get_thing (text, name->thing) : NULL;
  GtkTextIter start = *iter;

  if (thing == NULL)
    return NULL;
  if (thing->start == G_MAXUINT)
    return g_strdup (thing->words);
  gtk_text_iter_set_offset (&start, (int) thing->start);
  return g_strdup_printf (_("%s\ndefined in line %d (F12)"), thing->words, gtk_text_iter_get_line (&start) + 1);
}

/* (transfer full), or NULL */
static char *
plain_words (LsSession         *session,
             LsScriptText      *text,
             const GtkTextIter *iter)
{
  const LsScriptSpan *span = ls_script_text_span_at (text, (guint) gtk_text_iter_get_offset (iter));
  g_autofree char *loop = span != NULL && session != NULL ? loop_words (session, span) : NULL;
  g_autofree char *name = name_words (text, iter);

  if (loop != NULL && name != NULL)
    return g_strdup_printf ("%s\n\n%s", name, loop);
  if (loop != NULL || name != NULL)
    return loop != NULL ? g_steal_pointer (&loop) : g_steal_pointer (&name);
  return ls_script_card_construct (iter);
}

/* Beside its names the line of a block stands for the block. */
static guint8
pins_at (LsSession         *session,
         LsScriptText      *text,
         const GtkTextIter *iter)
{
  guint offset = (guint) gtk_text_iter_get_offset (iter), line = (guint) gtk_text_iter_get_line (iter);
  guint8 pins = ls_script_text_pins_at (text, offset);
  LsLoopItem *item = NULL;

  if (pins == 0 && session != NULL && line < ls_script_text_n_lines (text) && ls_script_text_name_at (text, offset) == NULL)
    item = ls_loop_list_find (ls_session_get_loops (session), ls_script_text_line (text, line)->id);
  return item != NULL ? ls_loop_item_get_pins (item) : pins;
}

static void
append_line (GString    *words,
             const char *line)
{
  if (line != NULL)
    g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", line);
}

char *
ls_script_place_describe (LsSession         *session,
                          LsScriptText      *text,
                          const GtkTextIter *iter)
{
  g_autofree char *plain = text != NULL ? plain_words (session, text, iter) : ls_script_card_construct (iter);
  g_autofree char *source = NULL, *pins = NULL;
  GString *words = g_string_new (plain);

  if (text != NULL && session != NULL && text == ls_session_get_script (session))
    {
      ls_session_find_source (session, (guint) gtk_text_iter_get_line (iter), &source);
      pins = ls_pins_describe (pins_at (session, text, iter));
    }
  append_line (words, session != NULL && text != NULL ? ls_named_values_get (session, text, (guint) gtk_text_iter_get_offset (iter)) : NULL);
  append_line (words, source);
  append_line (words, pins);
  return g_string_free (words, words->len == 0);
}
