/* passes/model: see the header. */
#include "app/passes/model.h"

#include "app/llvm/reader.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsPasses
{
  gatomicrefcount refs;
  LsPassLog      *log;
  LsPassesNotes  *notes;        /* or NULL */
  GMutex          mutex;
  LsPassCounts   *counts;       /* one for each dump */
  guint8         *counted;
  GHashTable     *runs;         /* dump to Run, or NULL */
  LsPassNesting  *nesting;      /* or NULL */
};

/* What the program is as the pass of a dump left it. */
typedef struct {
  double ns;                    /* 0: it did not run */
  char  *wrong;                 /* or NULL */
} Run;

/* ---- notes --------------------------------------------------------------------------- */

static void
note_clear (gpointer data)
{
  g_free (((LsPassesNote *) data)->trouble);
  g_variant_unref (((LsPassesNote *) data)->places);
}

LsPassesNotes *
ls_passes_notes_new (void)
{
  static gint serials;
  LsPassesNotes *self = g_new0 (LsPassesNotes, 1);

  self->notes = g_array_new (FALSE, FALSE, sizeof (LsPassesNote));
  self->loops = g_array_new (FALSE, FALSE, sizeof (LsPassesLoop));
  self->serial = g_atomic_int_add (&serials, 1);
  g_array_set_clear_func (self->notes, note_clear);
  return self;
}

void
ls_passes_notes_free (LsPassesNotes *self)
{
  g_array_unref (self->notes);
  g_array_unref (self->loops);
  g_free (self);
}

/* ---- a log --------------------------------------------------------------------------- */

LsPasses *
ls_passes_new_noted (LsPassLog     *log,
                     LsPassesNotes *notes)
{
  LsPasses *self = ls_passes_new (log);

  self->notes = notes;
  return self;
}

const LsPassesNotes *
ls_passes_get_notes (LsPasses *self)
{
  return self->notes;
}

const LsPassesNote *
ls_passes_get_note (LsPasses *self,
                    guint     dump)
{
  return self->notes != NULL && dump < self->notes->notes->len ? &g_array_index (self->notes->notes, LsPassesNote, dump) : NULL;
}

static void
run_free (gpointer data)
{
  g_free (((Run *) data)->wrong);
  g_free (data);
}

void
ls_passes_set_run (LsPasses   *self,
                   guint       dump,
                   double      nanoseconds,
                   const char *wrong)
{
  Run *run = g_new0 (Run, 1);

  if (self->runs == NULL)
    self->runs = g_hash_table_new_full (NULL, NULL, NULL, run_free);
  *run = (Run) { nanoseconds, *wrong != '\0' ? g_strdup (wrong) : NULL };
  g_hash_table_insert (self->runs, GUINT_TO_POINTER (dump), run);
}

gboolean
ls_passes_get_run (LsPasses    *self,
                   guint        dump,
                   double      *nanoseconds,
                   const char **wrong)
{
  const Run *run = self->runs != NULL ? g_hash_table_lookup (self->runs, GUINT_TO_POINTER (dump)) : NULL;

  *nanoseconds = run != NULL ? run->ns : 0;
  *wrong = run != NULL ? run->wrong : NULL;
  return run != NULL;
}

const char *
ls_passes_get_summary (LsPasses *self,
                       guint     dump)
{
  const LsPassesNote *note = ls_passes_get_note (self, dump);

  return note != NULL && *note->summary != '\0' ? _(note->summary) : "";
}

LsPasses *
ls_passes_new (LsPassLog *log)
{
  LsPasses *self = g_new0 (LsPasses, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  self->log = log;
  ls_llvm_reader_set (log);
  self->counts = g_new0 (LsPassCounts, log->dumps->len);
  self->counted = g_new0 (guint8, log->dumps->len);
  return self;
}

LsPasses *
ls_passes_ref (LsPasses *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_passes_unref (LsPasses *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_pass_log_free (self->log);
  g_clear_pointer (&self->notes, ls_passes_notes_free);
  g_clear_pointer (&self->runs, g_hash_table_unref);
  g_clear_pointer (&self->nesting, ls_pass_nesting_free);
  g_mutex_clear (&self->mutex);
  g_free (self->counts);
  g_free (self->counted);
  g_free (self);
}

LsPassLog *
ls_passes_get_log (LsPasses *self)
{
  return self->log;
}

LsPassDump *
ls_passes_get_dump (LsPasses *self,
                    guint     dump)
{
  return &g_array_index (self->log->dumps, LsPassDump, dump);
}

const LsPassNesting *
ls_passes_get_nesting (LsPasses *self)
{
  if (self->nesting == NULL)
    self->nesting = ls_pass_nesting_new (self->log);
  return self->nesting;
}

gboolean
ls_passes_get_counts (LsPasses     *self,
                      guint         dump,
                      LsPassCounts *counts)
{
  gboolean known;

  g_mutex_lock (&self->mutex);
  known = self->counted[dump] != 0;
  *counts = self->counts[dump];
  g_mutex_unlock (&self->mutex);
  return known;
}

void
ls_passes_count (LsPasses *self,
                 guint     dump)
{
  LsPassCounts counts;

  if (ls_passes_get_counts (self, dump, &counts))
    return;
  ls_pass_log_count (self->log, dump, &counts);
  g_mutex_lock (&self->mutex);
  self->counts[dump] = counts;
  self->counted[dump] = 1;
  g_mutex_unlock (&self->mutex);
}

const char *
ls_passes_get_unit (LsPasses *self,
                    guint     dump)
{
  LsPassDump *at = ls_passes_get_dump (self, dump);

  if (*at->unit != '\0' || at->n != 1)
    return at->unit;
  return g_array_index (self->log->parts, LsPassPart, at->first).name;
}

static gboolean
contains (const char *text,
          const char *word)
{
  gsize n = strlen (word);

  for (; *text != '\0'; text++)
    if (g_ascii_strncasecmp (text, word, n) == 0)
      return TRUE;
  return n == 0;
}

gboolean
ls_passes_matches (LsPasses   *self,
                   guint       dump,
                   const char *word)
{
  LsPassDump *at = ls_passes_get_dump (self, dump);

  if (contains (at->pass, word) || contains (at->unit, word))
    return TRUE;
  for (guint i = at->first; i < at->first + at->n; i++)
    if (contains (g_array_index (self->log->parts, LsPassPart, i).name, word) && (at->n == 1 || ls_pass_log_part_changed (self->log, i)))
      return TRUE;
  return FALSE;
}

char *
ls_passes_words (LsPasses *self,
                 guint     dump)
{
  LsPassDump *at = ls_passes_get_dump (self, dump);
  const LsPassesNote *note = ls_passes_get_note (self, dump);
  LsPassCounts counts;

  if (note != NULL && note->state != LS_PASSES_RAN)
    return g_strdup (note->state == LS_PASSES_FAILED ? _("cannot go on") : _("not reached"));
  switch (at->kind)
    {
    case LS_PASS_DUMP_START:
      return g_strdup (_("before all passes"));
    case LS_PASS_DUMP_FILTERED:
      return g_strdup (_("left out of the log"));
    case LS_PASS_DUMP_DELETED:
      if (ls_passes_get_counts (self, dump, &counts) && counts.same > 0)
        break;          /* a loop that is gone, with all of the program behind it */
      return g_strdup (strstr (at->unit, "loop ") != NULL ? _("deletes the loop") : _("deletes the function"));
    case LS_PASS_DUMP_UNCHANGED:
      return g_strdup (_("changes nothing"));
    case LS_PASS_DUMP_AFTER:
    case LS_PASS_DUMP_BEFORE:
      break;
    }
  if (!ls_pass_log_tells (self->log, dump))
    return g_strdup (at->n == 0 ? _("no function in it") : _("nothing earlier to compare with"));
  if (!at->effective)
    return g_strdup (_("changes nothing"));
  if (!ls_passes_get_counts (self, dump, &counts))
    return g_strdup ("…");
  if (counts.added + counts.duplicated + counts.removed + counts.rewritten + counts.moved == 0)
    return g_strdup (_("only names, attributes or metadata"));
  /* Translators: operations that are new, gone, rewritten: "+3 −5 ~2" */
  if (counts.moved == 0)
    return g_strdup_printf (_("+%u −%u ~%u"), counts.added + counts.duplicated, counts.removed, counts.rewritten);
  /* Translators: operations that are new, gone, rewritten, and that stand elsewhere: "+3 −5 ~2 →1" */
  return g_strdup_printf (_("+%u −%u ~%u →%u"), counts.added + counts.duplicated, counts.removed, counts.rewritten, counts.moved);
}

const char *
ls_passes_kind_words (LsPassLogKind kind)
{
  switch (kind)
    {
    case LS_PASS_LOG_LLVM:
      return "LLVM";
    case LS_PASS_LOG_MLIR:
      return "MLIR";
    case LS_PASS_LOG_TVM:
      return "TVM";
    case LS_PASS_LOG_GCC:
      return "GCC";
    case LS_PASS_LOG_XLA:
      return "XLA";
    case LS_PASS_LOG_PTX:
      return "PTX";
    case LS_PASS_LOG_TEXT:
      return _("Text");
    case LS_PASS_LOG_AUTO:
      return _("Recognise");
    }

  return "";
}

/* ---- who read it --------------------------------------------------------------------- */

/* LsPassReasonText */
static const char *
translated (const char *text,
            gpointer    user_data)
{
  return _(text);
}

char *
ls_passes_reader_words (const char *reader)
{
  const char *why = reader != NULL ? strstr (reader, ": ") : NULL;
  g_autofree char *reason = why != NULL ? ls_pass_reason_words (why + 2, translated, NULL) : NULL;

  if (reader == NULL)
    return g_strdup ("");
  if (g_str_has_prefix (reader, "LLVM "))
    return g_strdup_printf (_("read by %s"), reader);
  /* Translators: %s is why LLVM does not read a text, often in LLVM's words */
  return reason != NULL ? g_strdup_printf (_("read by the tolerant reader: %s"), reason) : g_strdup (_("read by the tolerant reader"));
}
