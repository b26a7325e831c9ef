/* batch: see the header. */
#include "app/search/batch.h"

#include "app/search/turn.h"
#include "engine/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LOG "database_batches.json"
#define MOST_BARREN 8           /* turns in a row that gave nothing new, before the space counts as empty */

typedef enum { OUT, UNFIT, BACK } State;

/* The last that is known of a candidate. */
typedef struct {
  State  state;
  char  *trace;                 /* JSON, of the last time that it was given out; or NULL */
  char  *reason;                /* why it has no time, or NULL */
} Known;

struct _LsSearchBatch {
  LsSearchBatchOptions options; /* its texts are ours */
  LsModule            *module;
  GPtrArray           *designs;
  char                *path;    /* of the log */
  char                *program; /* hash, of the program with its sizes */
  char               **set;     /* these, or NULL */
  const char          *api;
  GHashTable          *known;   /* hash -> Known */
  LsSearchBatchCounts  counts;
  LsTuner             *tuner;   /* once there was a turn */
  LsTuneDatabase      *database;
  GPtrArray           *trials;  /* of LsSearchTrial: all that the turns have drawn */
  gint                 stop;    /* never */
  gboolean             exhausted;
};

static gboolean
fail (GError      **error,
      LsDeviceError code,
      const char   *format,
      ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (GError      **error,
      LsDeviceError code,
      const char   *format,
      ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (_(format), args);
  va_end (args);
  g_set_error_literal (error, LS_DEVICE_ERROR, code, text);
  return FALSE;
}

/* ---- the log ---- */

static void
known_free (gpointer data)
{
  g_free (((Known *) data)->trace);
  g_free (((Known *) data)->reason);
  g_free (data);
}

static void
learn (LsSearchBatch *self,
       const char    *hash,
       State          state,
       const char    *trace,
       const char    *reason)
{
  Known *known = g_hash_table_lookup (self->known, hash);

  if (known == NULL)
    g_hash_table_insert (self->known, g_strdup (hash), known = g_new0 (Known, 1));
  known->state = state;
  g_free (known->reason);
  known->reason = g_strdup (reason);
  if (trace == NULL)
    return;
  g_free (known->trace);
  known->trace = g_strdup (trace);
}

/* FALSE: it is no line of such a file. */
static gboolean
read_line (LsSearchBatch *self,
           const char    *line)
{
  g_autoptr (JsonNode) root = json_from_string (line, NULL);
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  const char *program = ls_json_text (object, "program"), *target = ls_json_text (object, "target"), *hash = ls_json_text (object, "candidate");
  const char *state = ls_json_text (object, "state"), *trace = ls_json_text (object, "trace"), *kind = ls_json_text (object, "kind");

  if (program == NULL || target == NULL || hash == NULL || state == NULL)
    return FALSE;
  if (strcmp (program, self->program) != 0 || strcmp (target, self->options.target) != 0)
    return TRUE;
  if (strcmp (state, "out") == 0 && trace != NULL)
    learn (self, hash, OUT, trace, NULL);
  else if (strcmp (state, "unfit") == 0)
    learn (self, hash, UNFIT, NULL, NULL);
  else if (strcmp (state, "back") == 0 && kind != NULL)
    {
      learn (self, hash, BACK, NULL, ls_json_text (object, "reason"));
      g_free (self->counts.kind);
      self->counts.kind = g_strdup (kind);
    }
  else
    return FALSE;
  return TRUE;
}

/* A line that cannot be read costs its candidate, not the others. */
static gboolean
read_log (LsSearchBatch *self,
          GError       **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) inner = NULL;
  g_auto (GStrv) lines = NULL;
  guint bad = 0, first = 0;

  if (!g_file_get_contents (self->path, &text, NULL, &inner))
    {
      if (g_error_matches (inner, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&inner));
      return FALSE;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != 0 && !read_line (self, lines[i]))
      first = bad++ == 0 ? i + 1 : first;
  if (bad > 0)
    self->counts.note = g_strdup_printf (_("Lines of %s that cannot be read, as when a disk was full, are left out: %u, the first is line %u."), self->path, bad, first);
  return TRUE;
}

/* Whole lines, under a lock, behind a line end. */
static gboolean
append (LsSearchBatch *self,
        const char    *text,
        GError       **error)
{
  int fd = g_open (self->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644), result = -1;
  gsize length = strlen (text), done = 0;
  off_t size;
  char last = '\n';
  gssize n = 0;

  if (fd >= 0)
    do
      result = flock (fd, LOCK_EX);
    while (result != 0 && errno == EINTR);
  if (result == 0)
    {
      size = lseek (fd, 0, SEEK_END);
      if (size > 0 && pread (fd, &last, 1, size - 1) == 1 && last != '\n')
        n = write (fd, "\n", 1);
      while (n >= 0 && done < length)
        if ((n = write (fd, text + done, length - done)) > 0)
          done += (gsize) n;
        else if (n < 0 && errno == EINTR)
          n = 0;
    }
  if (done < length)
    g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (errno), _("%s cannot be written: %s"), self->path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return done == length;
}

static void
begin_line (LsSearchBatch *self,
            JsonBuilder   *line,
            const char    *hash,
            const char    *state)
{
  json_builder_begin_object (line);
  ls_json_put_text (line, "program", self->program);
  ls_json_put_text (line, "target", self->options.target);
  ls_json_put_text (line, "candidate", hash);
  ls_json_put_text (line, "state", state);
}

static void
end_line (JsonBuilder *line,
          GString     *out)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_end_object (line);
  root = json_builder_get_root (line);
  text = json_to_string (root, FALSE);
  g_string_append_printf (out, "%s\n", text);
}

/* ---- the tuner ---- */

static const char *
kind_of (LsSearchBatch *self)
{
  return self->options.kind != NULL ? self->options.kind : self->counts.kind;
}

static void
forget_tuner (LsSearchBatch *self)
{
  g_clear_pointer (&self->tuner, ls_tuner_free);
  g_clear_pointer (&self->database, ls_tune_database_free);
  g_ptr_array_set_size (self->trials, 0);
  self->exhausted = FALSE;
}

/* One turn; what it drew is added to the trials. */
static gboolean
turn (LsSearchBatch *self,
      guint          n_wanted,
      GError       **error)
{
  LsSearchTurn *turn = ls_search_turn_new ();
  gboolean ok;

  turn->results = ls_search_results_new ();
  turn->late = ls_search_late_new ();
  turn->kind = ls_search_mark (kind_of (self), self->options.set);
  turn->target = g_strdup (self->options.target);
  turn->func = g_strdup (self->options.func);
  turn->n_wanted = n_wanted;
  turn->stop = &self->stop;
  turn->tuner = g_steal_pointer (&self->tuner);
  turn->database = g_steal_pointer (&self->database);
  turn->module = ls_ref (self->module);
  turn->designs = g_ptr_array_ref (self->designs);
  turn->tuner_options = (LsTunerOptions) { .strategy = self->options.strategy, .model = self->options.model, .seed = self->options.seed, .decided = self->options.decided };
  turn->folder = g_strdup (self->options.database);
  ls_search_turn_run (turn);
  self->tuner = g_steal_pointer (&turn->tuner);
  self->database = g_steal_pointer (&turn->database);
  self->exhausted = turn->exhausted;
  while (turn->drawn->len > 0)
    g_ptr_array_add (self->trials, g_ptr_array_steal_index (turn->drawn, 0));
  if (turn->note != NULL && self->counts.note == NULL)
    self->counts.note = g_steal_pointer (&turn->note);
  ok = !turn->failed || fail (error, LS_DEVICE_ERROR_FILE, "%s", turn->problem);
  ls_search_turn_free (turn);
  return ok;
}

/* The database has no reasons; the log has. */
static void
tell_reason (LsSearchBatch *self,
             LsSearchTrial *trial)
{
  g_autofree char *hash = trial->state == LS_TRIAL_FAILED ? ls_device_hash (ls_schedule_get_module (trial->schedule)) : NULL;
  Known *known = hash != NULL ? g_hash_table_lookup (self->known, hash) : NULL;

  if (known == NULL || known->reason == NULL)
    return;
  g_free (trial->problem);
  trial->problem = g_strdup (known->reason);
}

GPtrArray *
ls_search_batch_get_known (LsSearchBatch *self,
                           GError       **error)
{
  if (self->tuner == NULL && !turn (self, 0, error))
    return NULL;
  for (guint i = 0; i < self->trials->len; i++)
    tell_reason (self, self->trials->pdata[i]);
  return self->trials;
}

/* ---- back ---- */

static gboolean
check_stranger (LsSearchBatch        *self,
                const LsDeviceResult *result,
                const char           *kind,
                GError              **error)
{
  guint n = 0;

  if (strcmp (result->program, self->program) != 0)
    return fail (error, LS_DEVICE_ERROR_STRANGER, N_("the result is of another program: its structural hash is %s, that of %s is %s"), result->program, self->options.name,
                 self->program);
  if (strcmp (result->api, self->api) != 0)
    return fail (error, LS_DEVICE_ERROR_STRANGER, N_("the result was made by %s, and --target %s is measured by %s"), result->api, self->options.target, self->api);
  if (self->options.kind != NULL && strcmp (self->options.kind, kind) != 0)
    return fail (error, LS_DEVICE_ERROR_STRANGER, N_("the result is of the kind %s (%s), and --kind is %s: times of different devices are not compared"), kind, result->device,
                 self->options.kind);
  for (guint i = 0; i < result->steps->len; i++)
    n += g_hash_table_contains (self->known, ((LsDeviceResultStep *) result->steps->pdata[i])->hash);
  if (n > 0)
    return TRUE;
  return fail (error, LS_DEVICE_ERROR_STRANGER, N_("the result has none of the candidates that %s gave out for %s (their structural hashes are others): it was made with another "
               "database, or the programs are made otherwise by this version; the bundle was made by %s"), self->options.database, self->options.target, result->made_by);
}

/* One step: into the database, then into the log. */
static gboolean
take_step (LsSearchBatch            *self,
           const LsDeviceResult     *result,
           const LsDeviceResultStep *step,
           const char               *kind,
           GError                  **error)
{
  Known *known = g_hash_table_lookup (self->known, step->hash);
  g_autofree char *problem = ls_bundle_step_problem (step), *mark = ls_search_mark (kind, self->options.set), *target = ls_tune_target_json (self->options.target, mark);
  g_autoptr (JsonBuilder) line = json_builder_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsTrace) trace = NULL;
  double seconds = problem == NULL ? step->time.median / 1e9 : -1;

  if (known == NULL || known->trace == NULL || known->state == UNFIT)
    self->counts.unknown++;
  else if (known->state == BACK)
    self->counts.again++;
  if (known == NULL || known->trace == NULL || known->state != OUT)
    return TRUE;
  trace = ls_trace_from_json (known->trace, findings);
  if (trace == NULL)
    return fail (error, LS_DEVICE_ERROR_DAMAGED, N_("the steps of candidate %s in %s cannot be read"), step->hash, self->path);
  if (!ls_tune_database_add (self->database, trace, seconds, target, NULL, error))
    return FALSE;
  begin_line (self, line, step->hash, "back");
  ls_json_put_text (line, "kind", kind);
  ls_json_put_text (line, "device", result->device);
  ls_json_put_text (line, "when", result->when);
  if (problem == NULL)
    ls_json_put_double (line, "seconds", seconds);
  ls_json_put_text (line, "reason", problem);
  end_line (line, text);
  if (!append (self, text->str, error))
    return FALSE;
  learn (self, step->hash, BACK, NULL, problem);
  self->counts.measured += problem == NULL;
  self->counts.failed += problem != NULL;
  if (problem != NULL && self->counts.failed_reason == NULL)
    self->counts.failed_reason = g_steal_pointer (&problem);
  return TRUE;
}

gboolean
ls_search_batch_import (LsSearchBatch        *self,
                        const LsDeviceResult *result,
                        GError              **error)
{
  g_autofree char *kind = ls_bundle_device_kind (result->api, result->device), *mark = ls_search_mark (kind, self->options.set);
  gboolean ok = TRUE;

  if (!check_stranger (self, result, kind, error))
    return FALSE;
  forget_tuner (self);
  self->database = ls_tune_database_open (self->options.database, self->module, error);
  if (self->database == NULL)
    return FALSE;
  ls_tune_database_set_kind (self->database, mark);
  ls_tune_database_set_target (self->database, self->options.target);
  g_free (self->counts.kind);
  self->counts.kind = g_strdup (kind);
  g_free (self->counts.device);
  self->counts.device = g_strdup (result->device);
  for (guint i = 0; ok && i < result->steps->len; i++)
    ok = take_step (self, result, result->steps->pdata[i], kind, error);
  forget_tuner (self);          /* the next turn reads what there is now */
  return ok;
}

/* ---- out ---- */

/* Adds a candidate to the bundle, or notes why that cannot be. */
static void
add_candidate (LsSearchBatch *self,
               LsBundleMaker *maker,
               LsSearchTrial *trial,
               const char    *hash,
               GString       *lines)
{
  g_autofree char *name = g_strdup_printf ("c%03u_%.8s", ls_bundle_maker_get (maker)->steps->len + 1, hash), *title = ls_search_decisions_text (trial->schedule);
  g_autofree char *trace = ls_trace_to_json (trial->trace, FALSE);
  g_autoptr (JsonBuilder) line = json_builder_new ();
  g_autoptr (GError) inner = NULL;
  gboolean fits = ls_bundle_maker_add (maker, name, *title != 0 ? title : _("nothing was drawn"), ls_schedule_get_module (trial->schedule), &inner) != NULL;

  begin_line (self, line, hash, fits ? "out" : "unfit");
  ls_json_put_text (line, "trace", trace);
  if (!fits)
    ls_json_put_text (line, "reason", inner->message);
  end_line (line, lines);
  learn (self, hash, fits ? OUT : UNFIT, trace, NULL);
  self->counts.given += fits;
  self->counts.unfit += !fits;
  if (!fits && self->counts.unfit_reason == NULL)
    self->counts.unfit_reason = g_strdup (inner->message);
}

/* Candidates of the trials from `from` on; whether one of them was new. */
static gboolean
add_new (LsSearchBatch *self,
         LsBundleMaker *maker,
         guint          from,
         guint          n,
         GString       *lines)
{
  gboolean found = FALSE;

  for (guint i = from; i < self->trials->len && ls_bundle_maker_get (maker)->steps->len < n; i++)
    {
      LsSearchTrial *trial = self->trials->pdata[i];
      g_autofree char *hash = ls_device_hash (ls_schedule_get_module (trial->schedule));
      Known *known = g_hash_table_lookup (self->known, hash);

      if (trial->state != LS_TRIAL_DRAWN || (known != NULL && known->state != BACK))
        continue;
      found = TRUE;
      add_candidate (self, maker, trial, hash, lines);
    }
  return found;
}

static gboolean
fill (LsSearchBatch *self,
      LsBundleMaker *maker,
      guint          n,
      GString       *lines,
      GError       **error)
{
  guint barren = 0, from = 0;

  while (ls_bundle_maker_get (maker)->steps->len < n && !self->exhausted && barren < MOST_BARREN)
    {
      if (!turn (self, n - ls_bundle_maker_get (maker)->steps->len, error))
        return FALSE;
      barren = add_new (self, maker, from, n, lines) ? 0 : barren + 1;
      from = self->trials->len;
    }
  if (ls_bundle_maker_get (maker)->steps->len > 0)
    return TRUE;
  if (self->counts.unfit_reason != NULL)
    return fail (error, LS_DEVICE_ERROR_UNSUPPORTED, N_("none of the %u candidates is a program for %s; the first: %s"), self->counts.unfit, self->options.target,
                 self->counts.unfit_reason);
  return fail (error, LS_DEVICE_ERROR_UNSUPPORTED, N_("the steps give no candidate that is not measured or given out already%s%s"),
               ls_tuner_get_refusal (self->tuner) != NULL ? _("; the first that was refused: ") : "", ls_tuner_get_refusal (self->tuner) != NULL ? ls_tuner_get_refusal (self->tuner) : "");
}

gboolean
ls_search_batch_export (LsSearchBatch *self,
                        guint          n,
                        const char    *folder,
                        GError       **error)
{
  const LsBundleWishes wishes = { .name = self->options.name, .target = self->options.target, .func = self->options.func, .arch = self->options.arch, .set = self->options.set,
                                  .timeout_s = self->options.timeout_s };
  g_autoptr (LsBundleMaker) maker = NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  GHashTableIter iter;
  gpointer known;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, NULL, &known))
    self->counts.waiting += ((Known *) known)->state == OUT;
  maker = ls_bundle_maker_new (self->module, &wishes, error);
  return maker != NULL && fill (self, maker, n, lines, error) && ls_bundle_write (ls_bundle_maker_get (maker), folder, error) && append (self, lines->str, error);
}

/* ---- life ---- */

LsSearchBatch *
ls_search_batch_open (const LsSearchBatchOptions *options,
                      GError                    **error)
{
  g_autoptr (LsSearchBatch) self = g_new0 (LsSearchBatch, 1);
  g_autoptr (LsModule) sized = NULL;

  self->options = *options;
  self->options.name = g_strdup (options->name);
  self->options.database = g_strdup (options->database);
  self->options.target = g_strdup (options->target);
  self->options.func = g_strdup (options->func);
  self->options.arch = g_strdup (options->arch);
  self->options.kind = g_strdup (options->kind);
  self->module = ls_ref (options->module);
  self->designs = options->designs != NULL ? g_ptr_array_ref (options->designs) : g_ptr_array_new ();
  self->path = g_build_filename (options->database, LOG, NULL);
  self->set = g_strdupv ((char **) options->set);
  self->options.set = (const char *const *) self->set;
  sized = ls_bundle_sized (options->module, options->func, self->options.set);
  self->program = ls_device_hash (sized);
  self->api = ls_bundle_api_of (options->target);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, known_free);
  self->trials = g_ptr_array_new_with_free_func (ls_search_trial_free);
  if (self->api == NULL)
    fail (error, LS_DEVICE_ERROR_UNSUPPORTED, N_("a batch is for cuda, opencl or rocm, and --target is %s"), options->target);
  else if (g_mkdir_with_parents (options->database, 0755) != 0)
    fail (error, LS_DEVICE_ERROR_FILE, N_("the folder %s cannot be made: %s"), options->database, g_strerror (errno));
  else if (read_log (self, error))
    return g_steal_pointer (&self);
  return NULL;
}

void
ls_search_batch_free (LsSearchBatch *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->trials);
  g_clear_pointer (&self->tuner, ls_tuner_free);
  g_clear_pointer (&self->database, ls_tune_database_free);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->designs);
  ls_unref (self->module);
  g_free (self->path);
  g_free (self->program);
  g_strfreev (self->set);
  g_free ((char *) self->options.name);
  g_free ((char *) self->options.database);
  g_free ((char *) self->options.target);
  g_free ((char *) self->options.func);
  g_free ((char *) self->options.arch);
  g_free ((char *) self->options.kind);
  g_free (self->counts.unfit_reason);
  g_free (self->counts.failed_reason);
  g_free (self->counts.kind);
  g_free (self->counts.device);
  g_free (self->counts.note);
  g_free (self);
}

const LsSearchBatchCounts *
ls_search_batch_get_counts (LsSearchBatch *self)
{
  return &self->counts;
}

char *
ls_search_decisions_text (LsSchedule *schedule)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      const LsStep *step = ls_schedule_get_step (schedule, i);
      g_autofree char *line = step->decision != NULL ? ls_schedule_print_step (schedule, i) : NULL;
      char *at = line != NULL ? g_strrstr (line, "decision=") : NULL;

      if (at == NULL)
        continue;
      at[strlen (at) - 1] = '\0';
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", at + strlen ("decision="));
    }
  return g_string_free (text, FALSE);
}
