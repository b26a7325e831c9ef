/* script/gaps: see the header. */
#include "views/script/gaps.h"

struct _LsScriptGaps
{
  GtkTextBuffer *buffer;
  int            above, below;
  LsScriptText  *text;          /* NULL: no room anywhere */
  int            row;
  GHashTable    *tags;          /* rows above and below, packed: GtkTextTag, held */
};

LsScriptGaps *
ls_script_gaps_new (GtkTextBuffer *buffer,
                    int            above,
                    int            below)
{
  LsScriptGaps *self = g_new0 (LsScriptGaps, 1);

  self->buffer = buffer;
  self->above = above;
  self->below = below;
  self->tags = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  return self;
}

void
ls_script_gaps_free (LsScriptGaps *self)
{
  g_hash_table_unref (self->tags);
  g_clear_object (&self->text);
  g_free (self);
}

static const LsScriptLine *
line_of (LsScriptGaps *self,
         guint         line)
{
  return self->text != NULL && line < ls_script_text_n_lines (self->text) ? ls_script_text_line (self->text, line) : NULL;
}

int
ls_script_gaps_get_above (LsScriptGaps *self,
                          guint         line)
{
  const LsScriptLine *info = line_of (self, line);

  return info != NULL ? (int) info->gap_before * self->row : 0;
}

int
ls_script_gaps_get_below (LsScriptGaps *self,
                          guint         line)
{
  const LsScriptLine *info = line_of (self, line);

  return info != NULL ? (int) info->gap * self->row : 0;
}

static void
drop (LsScriptGaps *self)
{
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (self->buffer);
  GHashTableIter iter;
  gpointer tag;

  g_hash_table_iter_init (&iter, self->tags);
  while (g_hash_table_iter_next (&iter, NULL, &tag))
    gtk_text_tag_table_remove (table, tag);
  g_hash_table_remove_all (self->tags);
}

static GtkTextTag *
tag_for (LsScriptGaps       *self,
         const LsScriptLine *info)
{
  gint64 key = (gint64) info->gap_before << 32 | (gint64) info->gap;
  GtkTextTag *tag = g_hash_table_lookup (self->tags, &key);

  if (tag != NULL)
    return tag;
  tag = gtk_text_tag_new (NULL);
  g_object_set (tag, "pixels-above-lines", self->above + (int) info->gap_before * self->row,
                "pixels-below-lines", self->below + (int) info->gap * self->row, NULL);
  gtk_text_tag_table_add (gtk_text_buffer_get_tag_table (self->buffer), tag);
  g_hash_table_insert (self->tags, g_memdup2 (&key, sizeof key), tag);
  return tag;
}

void
ls_script_gaps_set (LsScriptGaps *self,
                    LsScriptText *text,
                    int           row)
{
  GtkTextIter start, end;

  drop (self);
  g_set_object (&self->text, text);
  self->row = row;
  for (guint i = 0; text != NULL && i < ls_script_text_n_lines (text); i++)
    {
      const LsScriptLine *info = ls_script_text_line (text, i);

      if (info->gap == 0 && info->gap_before == 0)
        continue;
      gtk_text_buffer_get_iter_at_line (self->buffer, &start, (int) i);
      end = start;
      if (!gtk_text_iter_forward_line (&end))
        gtk_text_buffer_get_end_iter (self->buffer, &end);
      gtk_text_buffer_apply_tag (self->buffer, tag_for (self, info), &start, &end);
    }
}
