/* move-text: a move as a word, for logs of what was proposed. */
#include "engine/advice/advice.h"

#include <string.h>

#define NO_NAME "*"
#define N_PARTS 7

/* (transfer full) */
static char *
name_to_text (const char *name)
{
  return name != NULL ? g_uri_escape_string (name, NULL, FALSE) : g_strdup (NO_NAME);
}

/* (transfer full) */
static char *
name_from_text (const char *text)
{
  return strcmp (text, NO_NAME) != 0 ? g_uri_unescape_string (text, NULL) : NULL;
}

char *
ls_advice_move_to_text (const LsAdviceMove *move)
{
  g_autofree char *block = name_to_text (move->block), *loop = name_to_text (move->loop);

  return g_strdup_printf ("%d,%s,%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%u,%u", move->kind, block, loop, move->a, move->b, move->flags, move->inlined);
}

static void
move_clear (gpointer data)
{
  LsAdviceMove *self = data;

  g_free ((char *) self->block);
  g_free ((char *) self->loop);
}

/* FALSE: it is none. */
static gboolean
read_move (const char   *text,
           LsAdviceMove *move)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", N_PARTS + 1);
  gint64 kind, a, b;
  guint64 flags, inlined;

  if (g_strv_length (parts) != N_PARTS || !g_ascii_string_to_signed (parts[0], 10, 0, LS_ADVICE_N_KINDS - 1, &kind, NULL) ||
      !g_ascii_string_to_signed (parts[3], 10, G_MININT64, G_MAXINT64, &a, NULL) || !g_ascii_string_to_signed (parts[4], 10, G_MININT64, G_MAXINT64, &b, NULL) ||
      !g_ascii_string_to_unsigned (parts[5], 10, 0, G_MAXUINT, &flags, NULL) || !g_ascii_string_to_unsigned (parts[6], 10, 0, G_MAXUINT, &inlined, NULL))
    return FALSE;
  *move = (LsAdviceMove) { (LsAdviceKind) kind, name_from_text (parts[1]), name_from_text (parts[2]), a, b, (guint) flags, (guint) inlined };
  return TRUE;
}

GArray *
ls_advice_moves_from_text (const char *text)
{
  GArray *moves = g_array_new (FALSE, FALSE, sizeof (LsAdviceMove));
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ";", -1);
  LsAdviceMove move;

  g_array_set_clear_func (moves, move_clear);
  for (guint i = 0; words[i] != NULL && read_move (words[i], &move); i++)
    g_array_append_val (moves, move);
  return moves;
}
