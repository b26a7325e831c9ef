/* script/tags: see the header. */
#include "views/script/tags.h"

#include "views/models/gradual-list.h"

#include <string.h>

#define LARGE (64 * 1024)
#define SLICE_US 5000
#define SLICE_BYTES (64 * 1024)
#define HELD (1024 * 1024)        /* smaller ones are there in no time */
#define N_FAMILIES 7

struct _LsScriptTags
{
  GtkTextBuffer *buffer;
  LsScriptText  *text;
  GtkTextTag    *families[N_FAMILIES];
  GtkTextTag    *error;
  GtkTextTag    *words[2];      /* that went, that came */
  LsLook         look;          /* that the tags have */
  gboolean       coloured;
  gboolean       words_shown;
  int            changed_first; /* lines that differ since the text before; the last one -1: all below */
  int            changed_last;
  gsize          inserted;      /* bytes of the text that stand in the buffer */
  guint          next_span;
  gboolean       noted;         /* what is wrong is marked */
  guint          idle;
  gboolean       waits;         /* slices are left */
  gboolean       held;
};

static GtkTextTag *
create (LsScriptTags *self,
        const char   *property,
        int           value)
{
  return gtk_text_buffer_create_tag (self->buffer, NULL, property, value, NULL);
}

LsScriptTags *
ls_script_tags_new (GtkTextBuffer *buffer)
{
  LsScriptTags *self = g_new0 (LsScriptTags, 1);

  self->buffer = buffer;
  for (guint i = 0; i < G_N_ELEMENTS (self->families); i++)
    self->families[i] = create (self, "weight", PANGO_WEIGHT_BOLD);
  for (guint i = 0; i < G_N_ELEMENTS (self->words); i++)
    self->words[i] = create (self, "underline", PANGO_UNDERLINE_SINGLE);
  self->error = create (self, "underline", PANGO_UNDERLINE_ERROR);
  return self;
}

static void
stop (LsScriptTags *self)
{
  self->waits = FALSE;
  g_clear_handle_id (&self->idle, g_source_remove);
}

void
ls_script_tags_free (LsScriptTags *self)
{
  stop (self);
  g_clear_object (&self->text);
  g_free (self);
}

gboolean
ls_script_tags_is_done (LsScriptTags *self)
{
  return !self->waits;
}

gboolean
ls_script_tags_has_line (LsScriptTags *self,
                         guint         line)
{
  return !self->waits || ls_script_text_get_text (self->text)[self->inserted] == '\0' ||
         (int) line < gtk_text_buffer_get_line_count (self->buffer) - 1;
}

/* ---- colours ------------------------------------------------------------------ */

/* Stronger than the line, and underlined: not by colour alone. */
static void
colour_words (LsScriptTags *self,
              const LsLook *look)
{
  static const LsLookToken tokens[] = { LS_LOOK_WARN, LS_LOOK_ACCENT };

  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      GdkRGBA tint = ls_look_fade (look, tokens[i], look->dark ? 0.34 : 0.24);

      g_object_set (self->words[i], "background-rgba", &tint, "underline-rgba", ls_look_get (look, tokens[i]), NULL);
    }
}

void
ls_script_tags_set_look (LsScriptTags *self,
                         const LsLook *look)
{
  if (self->coloured && memcmp (&self->look, look, sizeof *look) == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->families); i++)
    g_object_set (self->families[i], "foreground-rgba", ls_look_family (look, i), NULL);
  g_object_set (self->error, "underline-rgba", ls_look_get (look, LS_LOOK_ERROR), NULL);
  colour_words (self, look);
  self->look = *look;
  self->coloured = TRUE;
}

/* ---- tags --------------------------------------------------------------------- */

static void
apply (LsScriptTags *self,
       GtkTextTag   *tag,
       guint         from,
       guint         to)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) from);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &end, (int) to);
  gtk_text_buffer_apply_tag (self->buffer, tag, &start, &end);
}

static void
tag_span (LsScriptTags       *self,
          const LsScriptSpan *span)
{
  if (span->families.n > 0)
    apply (self, self->families[span->families.family[0] % N_FAMILIES], span->start, span->end);
}

static void
tag_note (LsScriptTags       *self,
          const LsScriptNote *note)
{
  GtkTextIter start, end;

  if (note->line == 0)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &start, (int) note->line - 1);
  end = start;
  while (!gtk_text_iter_ends_line (&start) && g_unichar_isspace (gtk_text_iter_get_char (&start)))
    gtk_text_iter_forward_char (&start);
  gtk_text_iter_forward_to_line_end (&end);
  gtk_text_buffer_apply_tag (self->buffer, self->error, &start, &end);
}

/* Tags until `end`; FALSE: something is left. */
static gboolean
work (LsScriptTags *self,
      gint64        end)
{
  guint n_spans = ls_script_text_n_spans (self->text);

  while (self->next_span < n_spans)
    {
      tag_span (self, ls_script_text_get_span (self->text, self->next_span++));
      if (self->next_span % 16 == 0 && g_get_monotonic_time () > end)
        return FALSE;
    }
  return TRUE;
}

static void
tag_notes (LsScriptTags *self)
{
  for (guint i = 0; i < ls_script_text_n_notes (self->text); i++)
    tag_note (self, ls_script_text_get_note (self->text, i));
  self->noted = TRUE;
}

/* The text up to the end of a line some way on. */
static void
insert_slice (LsScriptTags *self)
{
  const char *text = ls_script_text_get_text (self->text), *from = text + self->inserted;
  const char *line = strlen (from) > SLICE_BYTES ? strchr (from + SLICE_BYTES, '\n') : NULL;
  gsize n = line != NULL ? (gsize) (line - from) + 1 : strlen (from);
  GtkTextIter end;

  gtk_text_buffer_begin_irreversible_action (self->buffer);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert (self->buffer, &end, from, (int) n);
  gtk_text_buffer_end_irreversible_action (self->buffer);
  self->inserted += n;
}

/* First the rest of the text, then what is wrong, then the families: a slice in a turn. */
static gboolean
work_idle (gpointer data)
{
  LsScriptTags *self = data;
  const char *text = ls_script_text_get_text (self->text);

  if (text[self->inserted] != '\0')
    {
      insert_slice (self);
      return G_SOURCE_CONTINUE;
    }
  if (!self->noted)
    {
      tag_notes (self);
      return G_SOURCE_CONTINUE;
    }
  if (!work (self, g_get_monotonic_time () + SLICE_US))
    return G_SOURCE_CONTINUE;
  self->idle = 0;
  self->waits = FALSE;
  return G_SOURCE_REMOVE;
}

static void
go_on (LsScriptTags *self)
{
  gboolean held = self->held && strlen (ls_script_text_get_text (self->text)) > HELD;

  if (held)
    g_clear_handle_id (&self->idle, g_source_remove);
  else if (self->idle == 0)
    self->idle = g_idle_add_full (LS_PIECES_TEXT, work_idle, self, NULL);
}

void
ls_script_tags_hold (LsScriptTags *self,
                     gboolean      held)
{
  self->held = held;
  if (self->waits)
    go_on (self);
}

static void
show_whole (LsScriptTags *self)
{
  const char *text = self->text != NULL ? ls_script_text_get_text (self->text) : "";
  gboolean large = strlen (text) > LARGE;

  self->changed_first = 0;
  self->changed_last = -1;
  self->next_span = 0;
  self->noted = FALSE;
  self->inserted = 0;
  gtk_text_buffer_set_text (self->buffer, large ? "" : text, -1);
  if (self->text == NULL)
    return;
  if (large)
    {
      insert_slice (self);
      self->waits = TRUE;
      go_on (self);
      return;
    }
  tag_notes (self);
  work (self, G_MAXINT64);
}

/* ---- only what differs --------------------------------------------------------- */

/* Where two texts differ: lines before and after that are the same. */
typedef struct {
  gsize head;                   /* bytes */
  gsize old_tail, new_tail;     /* where the tail begins, bytes */
  guint head_chars;
  guint old_end, new_end;       /* where the tail begins, characters */
} Patch;

static gboolean
starts_line (const char *text,
             gsize       at)
{
  return at == 0 || text[at - 1] == '\n';
}

static Patch
find_patch (const char *old,
            const char *text)
{
  gsize n = strlen (old), m = strlen (text), most;
  Patch patch = { 0 };
  gsize tail = 0;

  while (patch.head < MIN (n, m) && old[patch.head] == text[patch.head])
    patch.head++;
  while (patch.head > 0 && text[patch.head - 1] != '\n')
    patch.head--;
  most = MIN (n, m) - patch.head;
  while (tail < most && old[n - tail - 1] == text[m - tail - 1])
    tail++;
  while (tail > 0 && !(starts_line (old, n - tail) && starts_line (text, m - tail)))
    tail--;
  patch.old_tail = n - tail;
  patch.new_tail = m - tail;
  patch.head_chars = (guint) g_utf8_strlen (text, (gssize) patch.head);
  patch.old_end = patch.head_chars + (guint) g_utf8_strlen (old + patch.head, (gssize) (patch.old_tail - patch.head));
  patch.new_end = patch.head_chars + (guint) g_utf8_strlen (text + patch.head, (gssize) (patch.new_tail - patch.head));
  return patch;
}

/* The next span of what stays, from *i on; in the tail it counts from there. */
static gboolean
next_kept (LsScriptText *text,
           guint        *i,
           guint         head,
           guint         end,
           LsScriptSpan *found)
{
  for (; *i < ls_script_text_n_spans (text); (*i)++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (text, *i);
      guint shift = span->start >= end ? end : 0;

      if ((span->start >= head && span->start < end) || span->families.n == 0)
        continue;
      *found = *span;
      found->start -= shift;
      found->end -= shift;
      (*i)++;
      return TRUE;
    }
  return FALSE;
}

static gboolean
spans_stay (LsScriptText *old,
            LsScriptText *text,
            const Patch  *patch)
{
  guint i = 0, j = 0;

  for (;;)
    {
      LsScriptSpan a = { 0 }, b = { 0 };
      gboolean more = next_kept (old, &i, patch->head_chars, patch->old_end, &a);

      if (next_kept (text, &j, patch->head_chars, patch->new_end, &b) != more)
        return FALSE;
      if (!more)
        return TRUE;
      if (a.start != b.start || a.end != b.end || a.families.family[0] % N_FAMILIES != b.families.family[0] % N_FAMILIES)
        return FALSE;
    }
}

static void
replace_middle (LsScriptTags *self,
                const Patch  *patch)
{
  const char *text = ls_script_text_get_text (self->text);
  int n_lines = gtk_text_buffer_get_line_count (self->buffer);
  GtkTextIter start, end;

  gtk_text_buffer_begin_irreversible_action (self->buffer);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) patch->head_chars);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &end, (int) patch->old_end);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  gtk_text_buffer_insert (self->buffer, &start, text + patch->head, (int) (patch->new_tail - patch->head));
  gtk_text_buffer_end_irreversible_action (self->buffer);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) patch->head_chars);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &end, (int) patch->new_end);
  gtk_text_buffer_remove_all_tags (self->buffer, &start, &end);
  self->changed_first = gtk_text_iter_get_line (&start);
  self->changed_last = gtk_text_buffer_get_line_count (self->buffer) == n_lines ? gtk_text_iter_get_line (&end) : -1;
}

static void
show_patch (LsScriptTags *self,
            const Patch  *patch)
{
  if (patch->head < patch->old_tail || patch->head < patch->new_tail)
    replace_middle (self, patch);
  for (guint i = 0; i < ls_script_text_n_spans (self->text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (self->text, i);

      if (span->start >= patch->head_chars && span->start < patch->new_end)
        tag_span (self, span);
    }
}

void
ls_script_tags_show (LsScriptTags *self,
                     LsScriptText *text)
{
  g_autoptr (LsScriptText) old = g_steal_pointer (&self->text);
  gboolean can_patch = old != NULL && text != NULL && !self->waits && ls_script_text_n_notes (old) == 0 &&
                       ls_script_text_n_notes (text) == 0;
  Patch patch;

  stop (self);
  self->text = text != NULL ? g_object_ref (text) : NULL;
  if (can_patch)
    patch = find_patch (ls_script_text_get_text (old), ls_script_text_get_text (text));
  if (can_patch && patch.new_tail - patch.head <= LARGE && spans_stay (old, text, &patch))
    {
      ls_script_tags_show_words (self, FALSE);
      show_patch (self, &patch);
    }
  else
    show_whole (self);
}

void
ls_script_tags_get_changed (LsScriptTags *self,
                            int          *first,
                            int          *last)
{
  *first = self->changed_first;
  *last = self->changed_last;
}

/* ---- words that changed --------------------------------------------------------- */

static void
tag_word (LsScriptTags       *self,
          const LsScriptWord *word)
{
  GtkTextIter start;
  guint line;

  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) word->start);
  line = (guint) gtk_text_iter_get_line (&start);
  if (line < ls_script_text_n_lines (self->text))
    apply (self, self->words[ls_script_text_line (self->text, line)->change == LS_LINE_NEW], word->start, word->end);
}

/* A text view lays all lines of a range out afresh, whether they had the tag or not. */
static void
drop_words (LsScriptTags *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  for (guint i = 0; i < G_N_ELEMENTS (self->words); i++)
    gtk_text_buffer_remove_tag (self->buffer, self->words[i], &start, &end);
}

void
ls_script_tags_show_words (LsScriptTags *self,
                           gboolean      on)
{
  if (self->words_shown)
    drop_words (self);
  self->words_shown = on;
  for (guint i = 0; on && self->text != NULL && i < ls_script_text_n_words (self->text); i++)
    tag_word (self, ls_script_text_get_word (self->text, i));
}
