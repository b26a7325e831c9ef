/* log: a mapped file read once: dumps in their order as ranges of bytes, with their functions. */
#include "engine/passlog/private.h"

#include <string.h>

LsPassLog *
ls_pass_log_new (void)
{
  LsPassLog *self = g_new0 (LsPassLog, 1);

  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->file_names = g_ptr_array_new_with_free_func (g_free);
  self->sources = g_array_new (FALSE, FALSE, sizeof (LsPassSource));
  self->dumps = g_array_new (FALSE, FALSE, sizeof (LsPassDump));
  self->parts = g_array_new (FALSE, FALSE, sizeof (LsPassPart));
  self->times = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->state = g_hash_table_new (g_str_hash, g_str_equal);
  self->names = g_string_chunk_new (4096);
  return self;
}

void
ls_pass_log_free (LsPassLog *self)
{
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->file_names);
  g_array_unref (self->sources);
  g_clear_pointer (&self->shown, g_variant_unref);
  g_array_unref (self->dumps);
  g_array_unref (self->parts);
  g_hash_table_unref (self->times);
  g_hash_table_unref (self->state);
  g_clear_pointer (&self->prints, g_hash_table_unref);
  g_clear_pointer (&self->ir, ls_pass_ir_free);
  g_string_chunk_free (self->names);
  g_free (self);
}

static const char *
intern (LsPassLog  *self,
        const char *text,
        gsize       length)
{
  g_autofree char *copy = g_strndup (text, length);
  g_autofree char *valid = g_utf8_make_valid (copy, -1);

  return g_string_chunk_insert_const (self->names, valid);
}

static guint64
hash_bytes (const char *text,
            gsize       size)
{
  guint64 hash = size * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), word = 0;

  for (; size >= 8; text += 8, size -= 8)
    {
      memcpy (&word, text, 8);
      hash = (hash ^ word) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
      hash ^= hash >> 32;
    }
  word = 0;
  memcpy (&word, text, size);
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return hash ^ hash >> 29;
}

/* ---- one dump ---- */

typedef struct {
  LsPassLog  *log;
  const char *text;
  guint       dump;
  GHashTable *aliases;          /* of the dump, or NULL */
} Reading;

static void
add_part (Reading    *self,
          const char *name,
          gsize       start,
          gsize       end,
          gboolean    patch)
{
  LsPassDump *dump = &g_array_index (self->log->dumps, LsPassDump, self->dump);
  /* Any loop may be the one without a name. */
  guint before = g_str_has_prefix (name, "loop %<unnamed loop>") ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (self->log->state, name));
  LsPassPart part = { name, start, end, hash_bytes (self->text + start, end - start), self->dump, before, 0, patch };
  LsPassPart *old = before > 0 ? &g_array_index (self->log->parts, LsPassPart, before - 1) : NULL;

  if (self->aliases != NULL)
    part.hash += ls_pass_aliases_hash (self->aliases, self->text, start, end);
  if (old != NULL)
    old->after = self->log->parts->len + 1;
  if (patch)
    dump->effective |= ls_pass_patch_changes (self->text + start, end - start);
  else if ((dump->kind == LS_PASS_DUMP_AFTER || dump->kind == LS_PASS_DUMP_DELETED) && (old != NULL ? old->hash != part.hash : self->log->whole && dump->language != LS_PASS_LOG_TEXT && !g_str_has_prefix (name, "loop ")))
    dump->effective = TRUE;
  if (old != NULL && old->hash != part.hash && dump->kind == LS_PASS_DUMP_BEFORE)
    {
      LsPassDump *earlier = &g_array_index (self->log->dumps, LsPassDump, old->dump);

      if (earlier->kind == LS_PASS_DUMP_BEFORE)
        earlier->effective = TRUE;
    }
  g_array_append_val (self->log->parts, part);
  g_hash_table_insert (self->log->state, (gpointer) name, GUINT_TO_POINTER (self->log->parts->len));
}

static void
found_part (const char *name,
            gsize       length,
            gsize       start,
            gsize       end,
            gpointer    user_data)
{
  Reading *self = user_data;
  LsPassDump *dump = &g_array_index (self->log->dumps, LsPassDump, self->dump);

  add_part (self, length > 0 ? intern (self->log, name, length) : dump->unit, start, end, FALSE);
}

/* Every function that was printed so far by its text. */
static void
start_prints (LsPassLog *log)
{
  GHashTableIter iter;
  gpointer name, number;

  log->prints = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_hash_table_iter_init (&iter, log->state);
  while (g_hash_table_iter_next (&iter, &name, &number))
    {
      g_autofree char *text = ls_pass_log_part_text (log, GPOINTER_TO_UINT (number) - 1);
      guint64 print = ls_pass_patch_print (text);

      g_hash_table_insert (log->prints, g_memdup2 (&print, sizeof print), name);
    }
}

/* The function that a unit is about where it is of one: "loop %3 in function sum" is of sum. */
static const char *
function_of (const char *unit)
{
  const char *in = strstr (unit, " in function ");

  return in != NULL ? in + strlen (" in function ") : unit;
}

/* A function of a dump with signs. */
static void
found_patch (const char *name,
             gsize       length,
             gsize       start,
             gsize       end,
             gpointer    user_data)
{
  Reading *self = user_data;
  const char *unit = g_array_index (self->log->dumps, LsPassDump, self->dump).unit;
  g_autofree char *before = ls_pass_patch_side (self->text + start, end - start, FALSE);
  g_autofree char *after = ls_pass_patch_side (self->text + start, end - start, TRUE);
  guint64 print = ls_pass_patch_print (before);
  const char *known;

  if (*before == '\0' && *after == '\0')
    return;
  if (self->log->prints == NULL)
    start_prints (self->log);
  known = strchr ("[(", *unit) != NULL ? g_hash_table_lookup (self->log->prints, &print) : function_of (unit);
  known = known != NULL ? known : unit;
  add_part (self, known, start, end, TRUE);
  print = ls_pass_patch_print (after);
  g_hash_table_insert (self->log->prints, g_memdup2 (&print, sizeof print), (gpointer) known);
}

/* Is the text of a dump all of the program, so that a function that is not there is gone? */
static gboolean
is_whole (LsPassLog  *log,
          LsPassDump *dump,
          const char *text)
{
  static const char *const STARTS[] = { "; ModuleID", "module ", "builtin.module", "\"builtin.module\"", "#map", "#loc" };
  gsize at = dump->start;

  if (strcmp (dump->unit, "[module]") == 0)
    return TRUE;
  while (at < dump->end && g_ascii_isspace (text[at]))
    at++;
  for (guint i = 0; i < G_N_ELEMENTS (STARTS); i++)
    if (dump->end - at >= strlen (STARTS[i]) && memcmp (text + at, STARTS[i], strlen (STARTS[i])) == 0)
      return i < 4 || dump->n > 1;
  return log->kind == LS_PASS_LOG_XLA || (log->kind == LS_PASS_LOG_TVM && dump->n > 1);
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Functions that a dump of everything no longer has. */
static void
add_gone (Reading *self)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name, number;

  g_hash_table_iter_init (&iter, self->log->state);
  while (g_hash_table_iter_next (&iter, &name, &number))
    {
      LsPassPart *part = &g_array_index (self->log->parts, LsPassPart, GPOINTER_TO_UINT (number) - 1);

      if (part->dump != self->dump && part->end > part->start && *part->name != '\0' && *part->name != '[' && !g_str_has_prefix (part->name, "loop "))
        g_ptr_array_add (gone, name);
    }
  g_ptr_array_sort (gone, by_name);
  for (guint i = 0; i < gone->len; i++)
    {
      add_part (self, gone->pdata[i], 0, 0, FALSE);
      g_hash_table_remove (self->log->state, gone->pdata[i]);
    }
}

/* "(invalidated)": the loop is gone, and where it was the whole module is printed. */
static gboolean
has_text (Reading    *self,
          LsPassDump *dump)
{
  for (gsize at = dump->start; at < dump->end; at++)
    if (!g_ascii_isspace (self->text[at]))
      return self->text[at] == ';' || self->text[at] == 'd';
  return FALSE;
}

static void
end_dump (Reading *self,
          gsize    end)
{
  LsPassDump *dump;

  if (self->log->dumps->len == 0)
    return;
  self->dump = self->log->dumps->len - 1;
  dump = &g_array_index (self->log->dumps, LsPassDump, self->dump);
  if (dump->file + 1 != self->log->files->len || dump->end != G_MAXSIZE)
    return;
  dump->end = dump->other = MAX (end, dump->start);
  dump->first = self->log->parts->len;
  if (dump->kind == LS_PASS_DUMP_AFTER && dump->language == LS_PASS_LOG_LLVM && ls_pass_patch_is (self->text, dump->start, dump->end))
    ls_pass_patch_find (self->text, dump->start, dump->end, found_patch, self);
  else if (dump->kind <= LS_PASS_DUMP_START || (dump->kind == LS_PASS_DUMP_DELETED && has_text (self, dump)))
    {
      if (dump->language == LS_PASS_LOG_MLIR)
        self->aliases = ls_pass_aliases_read (self->text, dump->start, dump->end);
      ls_pass_parts_find (self->text, dump->start, dump->end, self->log->kind, found_part, self);
      g_clear_pointer (&self->aliases, g_hash_table_unref);
      dump->n = self->log->parts->len - dump->first;
      if (dump->n > 0)
        dump->other = ls_pass_other_begins (self->text, g_array_index (self->log->parts, LsPassPart, self->log->parts->len - 1).end, dump->end,
                                            dump->language);
      if (is_whole (self->log, dump, self->text))
        {
          add_gone (self);
          self->log->whole = TRUE;
        }
    }
  else
    dump->other = dump->start;
  if (dump->kind == LS_PASS_DUMP_DELETED)
    {
      dump->effective = TRUE;
      if (dump->n > 0)                  /* what went is missing in its function */
        g_hash_table_remove (self->log->state, dump->unit);
      else if (g_hash_table_contains (self->log->state, dump->unit))
        add_part (self, dump->unit, 0, 0, FALSE);
    }
  dump->n = self->log->parts->len - dump->first;
}

/* ---- a file ---- */

void
ls_pass_log_forget (LsPassLog *self)
{
  g_hash_table_remove_all (self->state);
  self->whole = FALSE;
  self->forgot = TRUE;
}

static void
start_dump (LsPassLog  *self,
            LsPassHead *head,
            guint       line,
            gsize       at,
            gsize       start)
{
  LsPassDump dump = { intern (self, head->pass, head->pass_length), intern (self, head->unit, head->unit_length), head->kind, self->kind,
                      self->files->len - 1, line, at, start, G_MAXSIZE, G_MAXSIZE, 0, 0, FALSE, -1 };

  g_array_append_val (self->dumps, dump);
}

static gboolean
is_report (const char *line,
           gsize       length)
{
  return length > 10 && memcmp (line, "===-----", 8) == 0;
}

/* A second head for the same text: the line under TVM's "After Running Pass". */
static gboolean
repeats (LsPassLog  *self,
         LsPassHead *head,
         guint       line)
{
  LsPassDump *last = self->dumps->len > 0 ? &g_array_index (self->dumps, LsPassDump, self->dumps->len - 1) : NULL;

  return self->kind == LS_PASS_LOG_TVM && head->pass_length == strlen ("module") && memcmp ("module", head->pass, strlen ("module")) == 0 && last != NULL
         && last->file + 1 == self->files->len && line - last->line <= 2;
}

/* Asked at each head; heard of every 256th and of the first few. */
static void
tell (LsPassLog *self)
{
  guint n = self->dumps->len;

  if (self->progress != NULL && n > 0 && (n % 256 == 0 || (n < 256 && n % 16 == 1)))
    self->stopped = !self->progress (self, n, self->progress_data);
}

void
ls_pass_log_take (LsPassLog  *self,
                  GBytes     *bytes,
                  const char *file_name,
                  const char *pass,
                  const char *unit)
{
  Reading reading = { self, NULL, 0, NULL };
  LsPassTimes times = { 0 };
  guint number = 1;
  gsize size;
  LsPassSource source = { self->kind, pass != NULL, self->forgot };

  g_array_append_val (self->sources, source);
  self->forgot = FALSE;
  g_ptr_array_add (self->files, g_bytes_ref (bytes));
  g_ptr_array_add (self->file_names, g_strdup (file_name));
  reading.text = ls_pass_log_text (self, self->files->len - 1, &size);
  if (pass != NULL)
    start_dump (self, &(LsPassHead) { LS_PASS_DUMP_AFTER, pass, unit, strlen (pass), strlen (unit) }, 1, 0, 0);
  for (gsize at = 0; at < size && !self->stopped; number++)
    {
      const char *stop = memchr (reading.text + at, '\n', size - at);
      gsize length = (stop != NULL ? (gsize) (stop - reading.text) : size) - at;
      const char *line = reading.text + at;
      LsPassHead head;

      if (pass == NULL && ls_pass_head_read (line, length, self->kind, &head) && !repeats (self, &head, number))
        {
          end_dump (&reading, at);
          tell (self);
          start_dump (self, &head, number, at, self->kind == LS_PASS_LOG_XLA ? at : MIN (at + length + 1, size));
        }
      else if (is_report (line, length) || (ls_pass_times_line (&times, self, line, length) && times.gcc && pass == NULL))
        end_dump (&reading, at);
      at += length + 1;
    }
  end_dump (&reading, size);
}

LsPassLog *
ls_pass_log_finish (LsPassLog *self,
                    GError   **error)
{
  gboolean after = FALSE, before = FALSE;

  if (self->dumps->len == 0)
    {
      g_set_error (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN,
                   ls_translate ("No dump of a pass was found (kind %s). Expected are lines such as \"*** IR Dump After P on F ***\" (LLVM), "
                   "\"// -----// IR Dump After P\" (MLIR), \"# from tvm.script\" (TVM), \"HloModule\" (XLA), or a folder of numbered files."),
                   ls_pass_log_kind_name (self->kind));
      ls_pass_log_free (self);
      return NULL;
    }
  ls_pass_times_set (self);
  for (guint i = 0; i < self->dumps->len; i++)
    {
      LsPassDumpKind kind = g_array_index (self->dumps, LsPassDump, i).kind;

      after |= kind == LS_PASS_DUMP_AFTER;
      before |= kind == LS_PASS_DUMP_BEFORE;
    }
  self->before_only = before && !after;
  self->progress = NULL;
  return self;
}

