/* text-diff: two texts line by line, and within changed lines word by word. */
#include "engine/base/base.h"

#include <string.h>

#define MAX_LINE_EDITS 2000
#define MAX_WORD_EDITS 200

/* ---- pieces: lines or words ------------------------------------------------ */

typedef struct {
  const char *text;
  GArray     *starts;           /* of guint32; one more than there are pieces */
} Pieces;

typedef struct { Pieces a, b; } Two;

static guint
n_pieces (const Pieces *self)
{
  return self->starts->len - 1;
}

static guint32
piece_start (const Pieces *self,
             guint         i)
{
  return g_array_index (self->starts, guint32, i);
}

static gboolean
same_piece (guint    a,
            guint    b,
            gpointer user_data)
{
  Two *two = user_data;
  guint32 start_a = piece_start (&two->a, a), start_b = piece_start (&two->b, b);
  guint32 n = piece_start (&two->a, a + 1) - start_a;

  return n == piece_start (&two->b, b + 1) - start_b && memcmp (two->a.text + start_a, two->b.text + start_b, n) == 0;
}

static void
split_lines (Pieces     *self,
             const char *text)
{
  guint32 at = 0;

  self->text = text;
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint32));
  while (text[at] != '\0')
    {
      g_array_append_val (self->starts, at);
      at += (guint32) strcspn (text + at, "\n");
      at += text[at] == '\n';
    }
  g_array_append_val (self->starts, at);
}

static gboolean
is_word (char c)
{
  return c == '_' || g_ascii_isalnum (c) || (c & 0x80) != 0;
}

static void
split_words (Pieces     *self,
             const char *text,
             guint32     start,
             guint32     end)
{
  self->text = text;
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint32));
  while (start < end)
    {
      gboolean word = is_word (text[start]);

      g_array_append_val (self->starts, start);
      do
        start++;
      while (start < end && word && is_word (text[start]));
    }
  g_array_append_val (self->starts, end);
}

static void
clear (Two *two)
{
  g_array_unref (two->a.starts);
  g_array_unref (two->b.starts);
}

/* ---- edits ------------------------------------------------------------------- */

static void
add_edit (GArray     *edits,
          LsTextEdit  kind,
          Two        *two,
          guint       a,
          guint       n_a,
          guint       b,
          guint       n_b)
{
  LsTextDiff edit = {
    kind, a, b, piece_start (&two->a, a), piece_start (&two->a, a + n_a), piece_start (&two->b, b), piece_start (&two->b, b + n_b)
  };

  g_array_append_val (edits, edit);
}

static GArray *
edits_of (Two   *two,
          guint  max_edits)
{
  g_autoptr (GArray) pairs = ls_align (n_pieces (&two->a), n_pieces (&two->b), max_edits, same_piece, two);
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (LsTextDiff));
  guint a = 0, b = 0;

  for (guint i = 0; i <= pairs->len; i++)
    {
      LsAlignPair pair = i < pairs->len ? g_array_index (pairs, LsAlignPair, i) : (LsAlignPair) { n_pieces (&two->a), n_pieces (&two->b) };

      for (; a < pair.a; a++)
        add_edit (edits, LS_TEXT_DELETE, two, a, 1, b, 0);
      for (; b < pair.b; b++)
        add_edit (edits, LS_TEXT_INSERT, two, a, 0, b, 1);
      if (i < pairs->len)
        add_edit (edits, LS_TEXT_KEEP, two, a++, 1, b++, 1);
    }
  return edits;
}

GArray *
ls_text_diff_lines (const char *a,
                    const char *b)
{
  Two two;
  GArray *edits;

  split_lines (&two.a, a);
  split_lines (&two.b, b);
  edits = edits_of (&two, MAX_LINE_EDITS);
  clear (&two);
  return edits;
}

GArray *
ls_text_diff_words (const char *a,
                    guint32     start_a,
                    guint32     end_a,
                    const char *b,
                    guint32     start_b,
                    guint32     end_b)
{
  Two two;
  GArray *edits;

  split_words (&two.a, a, start_a, end_a);
  split_words (&two.b, b, start_b, end_b);
  edits = edits_of (&two, MAX_WORD_EDITS);
  clear (&two);
  return edits;
}

/* ---- unified ------------------------------------------------------------------- */

#define edit_at(edits, i) (&g_array_index ((edits), LsTextDiff, (i)))

static void
append_line (GString    *out,
             char        sign,
             const char *text,
             guint32     start,
             guint32     end)
{
  g_string_append_c (out, sign);
  g_string_append_len (out, text + start, end - start);
  if (start == end || text[end - 1] != '\n')
    g_string_append (out, "\n\\ No newline at end of file\n");
}

/* One hunk: edits [from, to). */
static void
append_hunk (GString    *out,
             const char *a,
             const char *b,
             GArray     *edits,
             guint       from,
             guint       to)
{
  guint n_a = 0, n_b = 0;

  for (guint i = from; i < to; i++)
    {
      n_a += edit_at (edits, i)->edit != LS_TEXT_INSERT;
      n_b += edit_at (edits, i)->edit != LS_TEXT_DELETE;
    }
  g_string_append_printf (out, "@@ -%u,%u +%u,%u @@\n", edit_at (edits, from)->a + (n_a > 0), n_a, edit_at (edits, from)->b + (n_b > 0), n_b);
  for (guint i = from; i < to; i++)
    {
      const LsTextDiff *edit = edit_at (edits, i);

      if (edit->edit == LS_TEXT_INSERT)
        append_line (out, '+', b, edit->start_b, edit->end_b);
      else
        append_line (out, edit->edit == LS_TEXT_KEEP ? ' ' : '-', a, edit->start_a, edit->end_a);
    }
}

char *
ls_text_diff_unified (const char *a,
                      const char *b,
                      const char *label_a,
                      const char *label_b,
                      guint       context)
{
  g_autoptr (GArray) edits = ls_text_diff_lines (a, b);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < edits->len; i++)
    {
      guint from, to, kept = 0;

      if (edit_at (edits, i)->edit == LS_TEXT_KEEP)
        continue;
      from = i > context ? i - context : 0;
      for (to = i; to < edits->len && kept <= 2 * context; to++)
        kept = edit_at (edits, to)->edit == LS_TEXT_KEEP ? kept + 1 : 0;
      if (kept > context)
        to -= kept - context;
      if (out->len == 0)
        g_string_append_printf (out, "--- %s\n+++ %s\n", label_a, label_b);
      append_hunk (out, a, b, edits, from, to);
      i = to - 1;
    }
  return g_string_free (out, FALSE);
}
