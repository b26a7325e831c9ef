/* database: TVM's two files in a folder, kept by several processes at once.
 *
 * A file is only ever added to.  Who adds holds the lock of that file (flock, which ends with the process), looks whether the line before was
 * written to its end, and writes one whole line.  A last line without its line end can only come from a process that was killed while it
 * wrote, or from a full disk: whoever finds it, under the lock, moves it to FILE.torn and cuts it off.
 */
#include "engine/tune/tune.h"

#include "engine/script/script.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NO_TIME 1e10            /* what TVM writes for a time that is not known */

#define FLEET "\"tag\": \"kind/"          /* of a record: its kind of machine stands behind it */

struct _LsTuneDatabase {
  LsModule *module;
  char     *workloads, *records;        /* paths */
  guint     workload;                   /* the line of the program, from 0 */
  char     *note;
  char     *kind;                       /* of machine; NULL: this one */
  char     *target;                     /* as ls_tune_target_key() */
  guint     n_other;
  GHashTable *known;                    /* steps as JSON -> seconds (double *): records of the program and of this kind */
  off_t     seen;                       /* up to where of the records' file that is so */
  GArray     *kinds;            /* of LsTuneKind */
};

static gboolean
fail (GError     **error,
      const char  *path,
      const char  *format)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (code), ls_translate (format), path, g_strerror (code));
  return FALSE;
}

/* The file with its lock; -1: it cannot be had.  Closing it gives the lock back. */
static int
open_locked (const char  *path,
             GError     **error)
{
  int fd = g_open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644), result = -1;

  if (fd >= 0)
    do
      result = flock (fd, LOCK_EX);
    while (result != 0 && errno == EINTR);
  if (result == 0)
    return fd;
  fail (error, path, fd < 0 ? LS_TEXT ("%s cannot be opened: %s") : LS_TEXT ("%s cannot be locked: %s"));
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
write_all (int         fd,
           const char *text,
           gsize       length)
{
  while (length > 0)
    {
      gssize n = write (fd, text, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      text += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* What the file has from `from` to `end`. (transfer full), or NULL */
static char *
read_part (int    fd,
           off_t  from,
           off_t  end)
{
  char *text = g_malloc ((gsize) (end - from) + 1);
  gsize have = 0;

  while (from + (off_t) have < end)
    {
      gssize n = pread (fd, text + have, (gsize) (end - from) - have, from + (off_t) have);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_free (text);
          return NULL;
        }
      have += (gsize) n;
    }
  text[have] = '\0';
  return text;
}

/* ---- a line that was not written to its end ------------------------------------ */

/* Where the last line begins that has no end; the size of the file where there is none. */
static off_t
find_torn (int   fd,
           off_t size)
{
  off_t at = size;

  while (at > 0)
    {
      off_t from = MAX (at - 65536, 0);
      g_autofree char *part = read_part (fd, from, at);
      char *end;

      if (part == NULL)
        return size;
      end = g_strrstr_len (part, at - from, "\n");
      if (end != NULL)
        return from + (end - part) + 1;
      at = from;
    }
  return 0;
}

static void
note_torn (LsTuneDatabase *self,
           const char     *path,
           const char     *aside)
{
  g_autofree char *before = g_steal_pointer (&self->note);
  g_autofree char *now = g_strdup_printf (ls_translate ("The last line of %s was not written to its end, as when a run is killed; it was put aside in %s."), path, aside);

  self->note = before == NULL ? g_steal_pointer (&now) : g_strdup_printf ("%s %s", before, now);
}

/* Under the lock: the file ends with whole lines then. */
static gboolean
mend (LsTuneDatabase  *self,
      const char      *path,
      int              fd,
      GError         **error)
{
  off_t size = lseek (fd, 0, SEEK_END), from = size > 0 ? find_torn (fd, size) : size;
  g_autofree char *torn = from < size ? read_part (fd, from, size) : NULL;
  g_autofree char *aside = g_strconcat (path, ".torn", NULL);
  gboolean kept;
  int to;

  if (from == size)
    return TRUE;
  to = torn != NULL ? g_open (aside, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
  kept = to >= 0 && write_all (to, torn, (gsize) (size - from)) && write_all (to, "\n", 1);
  if (to >= 0)
    close (to);
  if (!kept)
    return fail (error, aside, LS_TEXT ("%s cannot be written: %s"));
  if (ftruncate (fd, from) != 0)
    return fail (error, path, LS_TEXT ("%s cannot be mended: %s"));
  note_torn (self, path, aside);
  return TRUE;
}

/* Adds a line, or nothing: what a full disk let through of it is taken back. */
static gboolean
add_line (int          fd,
          const char  *path,
          const char  *line,
          GError     **error)
{
  g_autofree char *whole = g_strconcat (line, "\n", NULL);
  off_t before = lseek (fd, 0, SEEK_END);
  int code;

  if (write_all (fd, whole, strlen (whole)))
    return TRUE;
  code = errno;
  if (ftruncate (fd, before) != 0)
    g_warning ("%s: a part of a line stands at its end", path);
  errno = code;
  return fail (error, path, LS_TEXT ("%s cannot be written: %s"));
}

/* ---- the program ----------------------------------------------------------------- */

static gboolean
is_same (LsTuneDatabase *self,
         const char     *line,
         const char     *own)
{
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr(LsModule) module = NULL;

  if (strcmp (line, own) == 0)
    return TRUE;
  module = ls_tune_workload_read (line, findings);
  return module != NULL && !ls_diagnostics_has_error (findings) && ls_structural_equal (module, self->module, FALSE, NULL, NULL);
}

/* Its line, from 0; a fresh one at the end where it is not there. */
static gboolean
find_workload (LsTuneDatabase  *self,
               GError         **error)
{
  g_autofree char *own = ls_tune_workload_line (self->module), *text = NULL;
  g_auto(GStrv) lines = NULL;
  int fd = open_locked (self->workloads, error);
  gboolean good = fd >= 0 && mend (self, self->workloads, fd, error);
  guint n = 0;

  if (good && (text = read_part (fd, 0, lseek (fd, 0, SEEK_END))) == NULL)
    good = fail (error, self->workloads, LS_TEXT ("%s cannot be read: %s"));
  lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (guint i = 0; good && lines[i] != NULL && lines[i][0] != '\0'; i++, n++)
    if (is_same (self, lines[i], own))
      {
        self->workload = i;
        close (fd);
        return TRUE;
      }
  self->workload = n;
  good = good && add_line (fd, self->workloads, own, error);
  if (fd >= 0)
    close (fd);
  return good;
}

LsTuneDatabase *
ls_tune_database_open (const char  *folder,
                       LsModule    *module,
                       GError     **error)
{
  g_autoptr(LsTuneDatabase) self = g_new0 (LsTuneDatabase, 1);
  int fd;

  self->module = ls_ref (module);
  self->target = g_strdup ("");
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->kinds = ls_tune_kinds_new ();
  self->workloads = g_build_filename (folder, "database_workload.json", NULL);
  self->records = g_build_filename (folder, "database_tuning_record.json", NULL);
  if (g_mkdir_with_parents (folder, 0755) != 0)
    {
      fail (error, folder, LS_TEXT ("%s cannot be made: %s"));
      return NULL;
    }
  if (!find_workload (self, error) || (fd = open_locked (self->records, error)) < 0)
    return NULL;
  if (!mend (self, self->records, fd, error))
    {
      close (fd);
      return NULL;
    }
  close (fd);
  return g_steal_pointer (&self);
}

void
ls_tune_database_free (LsTuneDatabase *self)
{
  if (self == NULL)
    return;
  ls_unref (self->module);
  g_free (self->workloads);
  g_free (self->records);
  g_free (self->note);
  g_free (self->kind);
  g_free (self->target);
  g_hash_table_unref (self->known);
  g_array_unref (self->kinds);
  g_free (self);
}

void
ls_tune_database_set_kind (LsTuneDatabase *self,
                           const char     *kind)
{
  if (g_strcmp0 (self->kind, kind) == 0)
    return;
  g_free (self->kind);
  self->kind = g_strdup (kind);
  g_hash_table_remove_all (self->known);
  self->seen = 0;
}

void
ls_tune_database_set_target (LsTuneDatabase *self,
                             const char     *target)
{
  g_autofree char *key = ls_tune_target_key (target);

  if (strcmp (self->target, key) == 0)
    return;
  g_free (self->target);
  self->target = g_steal_pointer (&key);
  g_hash_table_remove_all (self->known);
  self->seen = 0;
}

guint
ls_tune_database_get_n_other (LsTuneDatabase *self)
{
  return self->n_other;
}

static gboolean
is_of_target (LsTuneDatabase *self,
              const char     *line)
{
  g_autofree char *key = ls_tune_record_target_key (line);

  return strcmp (self->target, key) == 0;
}

/* Whether a record was measured on the kind of machine that is asked for: it stands in the tag of its target, which TVM leaves to its users. */
static gboolean
is_of_kind (LsTuneDatabase *self,
            const char     *line)
{
  g_autofree char *tag = self->kind != NULL ? g_strdup_printf ("%s%s\"", FLEET, self->kind) : NULL;

  return tag != NULL ? strstr (line, tag) != NULL : strstr (line, FLEET) == NULL;
}

static void
kind_clear (gpointer data)
{
  g_free (((LsTuneKind *) data)->kind);
}

GArray *
ls_tune_kinds_new (void)
{
  GArray *self = g_array_new (FALSE, TRUE, sizeof (LsTuneKind));

  g_array_set_clear_func (self, kind_clear);
  return self;
}

GArray *
ls_tune_database_get_kinds (LsTuneDatabase *self)
{
  return self->kinds;
}

/* What a record says of the kind of machine that it was measured on. */
static void
count_kind (GArray     *kinds,
            const char *line,
            double      seconds)
{
  const char *tag = strstr (line, FLEET), *name = tag != NULL ? tag + strlen (FLEET) : NULL;
  g_autofree char *kind = name != NULL ? g_strndup (name, strcspn (name, "\"")) : NULL;
  LsTuneKind *found = NULL;

  for (guint i = 0; i < kinds->len && found == NULL; i++)
    if (g_strcmp0 (g_array_index (kinds, LsTuneKind, i).kind, kind) == 0)
      found = &g_array_index (kinds, LsTuneKind, i);
  if (found == NULL)
    {
      LsTuneKind fresh = { g_steal_pointer (&kind), 0, seconds };

      g_array_append_val (kinds, fresh);
      found = &g_array_index (kinds, LsTuneKind, kinds->len - 1);
    }
  found->n++;
  found->best = MIN (found->best, seconds);
}

const char *
ls_tune_database_get_note (LsTuneDatabase *self)
{
  return self->note;
}

/* ---- records --------------------------------------------------------------------- */

guint
ls_tune_database_recall (LsTuneDatabase *self,
                         LsTuner        *tuner,
                         guint          *n_left_out)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;
  guint n = 0;

  *n_left_out = self->n_other = 0;
  g_array_unref (self->kinds);
  self->kinds = ls_tune_kinds_new ();
  if (!g_file_get_contents (self->records, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  /* What stands behind the last line end is being written. */
  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr(LsTrace) trace = NULL;
      guint workload = 0, before;
      double seconds = -1;

      if (lines[i][0] == '\0')
        continue;
      trace = ls_tune_record_read (lines[i], &workload, &seconds, findings);
      if (trace != NULL && workload == self->workload && seconds >= 0 && is_of_target (self, lines[i]))
        count_kind (self->kinds, lines[i], seconds);
      if (trace != NULL && (workload != self->workload || !is_of_kind (self, lines[i])))
        continue;
      if (trace != NULL && !is_of_target (self, lines[i]))
        {
          self->n_other++;
          continue;
        }
      before = ls_tuner_get_n_trials (tuner);
      if (trace == NULL || !ls_tuner_remember (tuner, trace, seconds))
        (*n_left_out)++;
      n += ls_tuner_get_n_trials (tuner) - before;
    }
  return n;
}

static void
know (LsTuneDatabase *self,
      LsTrace        *trace,
      double          seconds)
{
  double *time = g_new (double, 1);

  *time = seconds;
  g_hash_table_replace (self->known, ls_trace_to_json (trace, FALSE), time);
}

/* Under the lock: what was added since the last look, by whomever. */
static void
look (LsTuneDatabase *self,
      int             fd)
{
  off_t size = lseek (fd, 0, SEEK_END);
  g_autofree char *text = size > self->seen ? read_part (fd, self->seen, size) : NULL;
  char *line = text, *end;

  while (line != NULL && (end = strchr (line, '\n')) != NULL)
    {
      g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr(LsTrace) trace = NULL;
      double seconds = -1;
      guint workload = 0;

      *end = '\0';
      trace = *line != '\0' ? ls_tune_record_read (line, &workload, &seconds, findings) : NULL;
      if (trace != NULL && workload == self->workload && is_of_kind (self, line) && is_of_target (self, line))
        know (self, trace, seconds);
      self->seen += end + 1 - line;
      line = end + 1;
    }
}

gboolean
ls_tune_database_find (LsTuneDatabase *self,
                       LsTrace        *trace,
                       double         *seconds)
{
  g_autofree char *steps = ls_trace_to_json (trace, FALSE);
  int fd = open_locked (self->records, NULL);
  const double *time;

  if (fd >= 0)
    {
      look (self, fd);
      close (fd);
    }
  time = g_hash_table_lookup (self->known, steps);
  if (time == NULL)
    return FALSE;
  *seconds = *time;
  return TRUE;
}

gboolean
ls_tune_database_add (LsTuneDatabase  *self,
                      LsTrace         *trace,
                      double           seconds,
                      const char      *target_json,
                      gboolean        *was_there,
                      GError         **error)
{
  double time = seconds >= 0 ? seconds : NO_TIME;
  g_autofree char *line = ls_tune_record_line (self->workload, self->module, trace, &time, 1, target_json), *steps = ls_trace_to_json (trace, FALSE);
  int fd = open_locked (self->records, error);
  gboolean good = fd >= 0 && mend (self, self->records, fd, error);
  gboolean known = FALSE;

  if (good)
    {
      look (self, fd);
      known = g_hash_table_contains (self->known, steps);
      good = known || add_line (fd, self->records, line, error);
    }
  if (was_there != NULL)
    *was_there = known;
  if (good && !known)
    {
      know (self, trace, seconds);
      self->seen += (off_t) strlen (line) + 1;
    }
  if (fd >= 0)
    close (fd);
  return good;
}
