/* LsComparison: a plain record. */
#include "views/models/comparison.h"

#include <string.h>

LsComparison *
ls_comparison_new (void)
{
  LsComparison *self = g_new0 (LsComparison, 1);

  self->links = g_array_new (FALSE, FALSE, sizeof (LsNestLink));
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_nest_label_free);
  self->counts = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static void
side_clear (LsComparedSide *side)
{
  g_free (side->title);
  g_clear_pointer (&side->loops, g_ptr_array_unref);
  g_clear_object (&side->text);
  g_free (side->samples);
}

void
ls_comparison_free (LsComparison *self)
{
  side_clear (&self->left);
  side_clear (&self->right);
  g_array_unref (self->links);
  g_ptr_array_unref (self->labels);
  g_ptr_array_unref (self->counts);
  g_free (self->verdict);
  g_free (self->why);
  g_free (self->distance);
  g_free (self);
}

/* ---- one column ------------------------------------------------------------- */

typedef struct {
  LsScriptText *text;
  char        **lines;
  guint         n;
  guint         at;
} Reader;

static void
reader_init (Reader       *self,
             LsScriptText *text)
{
  self->text = text;
  self->lines = g_strsplit (ls_script_text_get_text (text), "\n", -1);
  self->n = MIN (g_strv_length (self->lines), ls_script_text_n_lines (text));
  self->at = 0;
}

static void
take (Reader  *self,
      GString *out,
      GArray  *changes)
{
  LsLineChange change = ls_script_text_line (self->text, self->at)->change;

  if (out->len > 0 || changes->len > 0)
    g_string_append_c (out, '\n');
  g_string_append (out, self->lines[self->at++]);
  g_array_append_val (changes, change);
}

static gboolean
stands_at (Reader       *self,
           LsLineChange  change)
{
  return self->at < self->n && ls_script_text_line (self->text, self->at)->change == change;
}

LsScriptText *
ls_comparison_one_column (LsComparison *self)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (LsLineChange));
  LsScriptText *text;
  Reader left, right;

  reader_init (&left, self->left.text);
  reader_init (&right, self->right.text);
  while (left.at < left.n || right.at < right.n)
    {
      if (stands_at (&left, LS_LINE_GONE))
        take (&left, out, changes);
      else if (right.at < right.n)
        {
          left.at += !stands_at (&right, LS_LINE_NEW);
          take (&right, out, changes);
        }
      else
        left.at++;
    }
  g_strfreev (left.lines);
  g_strfreev (right.lines);
  text = ls_script_text_new (out->str);
  for (guint i = 0; i < MIN (changes->len, ls_script_text_n_lines (text)); i++)
    ls_script_text_line (text, i)->change = g_array_index (changes, LsLineChange, i);
  return text;
}
