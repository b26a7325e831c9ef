/* mca/mca: llvm-mca is started, gets the loop, and its JSON is read. */
#include "app/mca/mca.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define ROUNDS 200

void
ls_mca_free (LsMca *self)
{
  if (self == NULL)
    return;
  g_free (self->unit);
  g_array_unref (self->units);
  g_array_unref (self->latencies);
  g_array_unref (self->chain);
  g_free (self);
}

static void
unit_clear (gpointer data)
{
  g_free (((LsMcaUnit *) data)->name);
}

static void
link_clear (gpointer data)
{
  g_free (((LsMcaLink *) data)->through);
}

static LsMca *
mca_new (void)
{
  LsMca *self = g_new0 (LsMca, 1);

  self->units = g_array_new (FALSE, FALSE, sizeof (LsMcaUnit));
  self->latencies = g_array_new (FALSE, TRUE, sizeof (guint));
  self->chain = g_array_new (FALSE, FALSE, sizeof (LsMcaLink));
  g_array_set_clear_func (self->units, unit_clear);
  g_array_set_clear_func (self->chain, link_clear);
  return self;
}

/* ---- the answer ----------------------------------------------------------------------- */

static gint
busier (gconstpointer a,
        gconstpointer b)
{
  const LsMcaUnit *x = a, *y = b;

  return (x->cycles < y->cycles) - (x->cycles > y->cycles);
}

static void
add_unit (LsMca      *self,
          const char *name,
          double      cycles)
{
  LsMcaUnit unit = { g_strndup (name, strcspn (name, ".")), cycles };     /* "Zn3LSU." is one of several alike */

  for (guint i = 0; i < self->units->len; i++)
    {
      LsMcaUnit *known = &g_array_index (self->units, LsMcaUnit, i);

      if (strcmp (known->name, unit.name) != 0)
        continue;
      known->cycles = MAX (known->cycles, cycles);
      g_free (unit.name);
      return;
    }
  g_array_append_val (self->units, unit);
}

/* What is busiest in a round: the usages of all instructions stand at the number behind the last one. */
static void
read_pressure (LsMca      *self,
               JsonObject *region,
               JsonArray  *names)
{
  JsonObject *view = json_object_has_member (region, "ResourcePressureView") ? json_object_get_object_member (region, "ResourcePressureView") : NULL;
  JsonArray *list = view != NULL && json_object_has_member (view, "ResourcePressureInfo") ? json_object_get_array_member (view, "ResourcePressureInfo") : NULL;
  gint64 last = -1;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    last = MAX (last, json_object_get_int_member_with_default (json_array_get_object_element (list, i), "InstructionIndex", -1));
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *row = json_array_get_object_element (list, i);
      gint64 resource = json_object_get_int_member_with_default (row, "ResourceIndex", -1);
      double usage = json_object_get_double_member_with_default (row, "ResourceUsage", 0.0);

      if (json_object_get_int_member_with_default (row, "InstructionIndex", -1) != last || usage <= 0.0 || resource < 0
          || resource >= (gint64) json_array_get_length (names))
        continue;
      add_unit (self, json_array_get_string_element (names, (guint) resource), usage);
    }
  g_array_sort (self->units, busier);
  if (self->units->len > 0)
    {
      self->busy = g_array_index (self->units, LsMcaUnit, 0).cycles;
      self->unit = g_strdup (g_array_index (self->units, LsMcaUnit, 0).name);
    }
}

static void
read_latencies (LsMca      *self,
                JsonObject *region)
{
  JsonObject *view = json_object_has_member (region, "InstructionInfoView") ? json_object_get_object_member (region, "InstructionInfoView") : NULL;
  JsonArray *list = view != NULL && json_object_has_member (view, "InstructionList") ? json_object_get_array_member (view, "InstructionList") : NULL;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      guint cycles = (guint) json_object_get_int_member_with_default (json_array_get_object_element (list, i), "Latency", 0);

      g_array_append_val (self->latencies, cycles);
    }
}

#define WAITS 1.25              /* a round takes that much longer than its busiest unit works, or its instructions need to begin */

gboolean
ls_mca_waits (const LsMca *self)
{
  return self->cycles > WAITS * MAX (self->busy, self->dispatch);
}

LsMca *
ls_mca_read (const char  *json,
             GError     **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root, *region, *summary, *target;
  JsonArray *regions;
  LsMca *self;
  gint64 rounds;

  if (!json_parser_load_from_data (parser, json, -1, error))
    return NULL;
  root = JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)) ? json_node_get_object (json_parser_get_root (parser)) : NULL;
  regions = root != NULL && json_object_has_member (root, "CodeRegions") ? json_object_get_array_member (root, "CodeRegions") : NULL;
  region = regions != NULL && json_array_get_length (regions) > 0 ? json_array_get_object_element (regions, 0) : NULL;
  summary = region != NULL && json_object_has_member (region, "SummaryView") ? json_object_get_object_member (region, "SummaryView") : NULL;
  target = root != NULL && json_object_has_member (root, "TargetInfo") ? json_object_get_object_member (root, "TargetInfo") : NULL;
  rounds = summary != NULL ? json_object_get_int_member_with_default (summary, "Iterations", 0) : 0;
  if (rounds <= 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _("The answer of llvm-mca has no summary."));
      return NULL;
    }
  self = mca_new ();
  read_latencies (self, region);
  self->cycles = (double) json_object_get_int_member_with_default (summary, "TotalCycles", 0) / (double) rounds;
  self->dispatch = json_object_get_double_member_with_default (summary, "BlockRThroughput", 0.0);
  if (target != NULL && json_object_has_member (target, "Resources"))
    read_pressure (self, region, json_object_get_array_member (target, "Resources"));
  return self;
}

/* ---- the chain -------------------------------------------------------------------------- */

/* "REGISTER dependency:  %xmm2", "MEMORY dependency.", "RESOURCE interference:  Zn3FP0 [ probability: 50% ]" */
static char *
through_of (const char *line)
{
  const char *at = strstr (line, "## ");
  const char *name = at != NULL ? strchr (at, ':') : NULL;
  g_autofree char *word = name != NULL ? g_strstrip (g_strdup (name + 1)) : NULL;

  if (at == NULL)
    return NULL;
  if (word != NULL)
    word[strcspn (word, " ")] = '\0';
  if (g_str_has_prefix (at + 3, "MEMORY"))
    return g_strdup (_("memory"));
  if (word == NULL)
    return NULL;
  return g_str_has_prefix (at + 3, "REGISTER") ? g_strdup_printf (_("register %s"), word) : g_strdup_printf (_("unit %s"), word);
}

/* A sequence of three rounds is shown, parted by "< loop carried >": the links of the one in the middle, else all. */
void
ls_mca_read_chain (LsMca      *self,
                   const char *words)
{
  const char *begin = strstr (words, "Critical sequence");
  g_auto (GStrv) lines = g_strsplit (begin != NULL ? begin : "", "\n", -1);
  gboolean carried = FALSE;
  guint rounds = 0;

  for (guint i = 1; lines[i] != NULL && !g_str_has_prefix (lines[i], "Instruction Info") && !g_str_has_prefix (lines[i], "Resources:"); i++)
    {
      const char *mark = strstr (lines[i], "+----");
      LsMcaLink link = { 0, NULL, carried };

      if (strstr (lines[i], "< loop carried >") != NULL)
        {
          carried = TRUE;
          if (++rounds == 2 && self->chain->len > 0)
            return;
        }
      if (mark == NULL || mark[5] != '>')
        continue;
      link.instruction = (guint) g_ascii_strtoull (mark + 6, NULL, 10);
      link.through = through_of (lines[i]);
      g_array_append_val (self->chain, link);
      carried = FALSE;
    }
}

/* ---- the question ---------------------------------------------------------------------- */

typedef struct {
  char  *path, *model, *text;
  LsMca *mca;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  ls_mca_free (self->mca);
  g_free (self->path);
  g_free (self->model);
  g_free (self->text);
  g_free (self);
}

/* The chain is in words alone; without it the figures stand. */
static void
chain_answered (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (GTask) task = data;
  Question *question = g_task_get_task_data (task);
  g_autofree char *out = NULL;
  GError *error = NULL;

  if (!g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &out, NULL, &error))
    {
      g_subprocess_force_exit (G_SUBPROCESS (source));
      g_task_return_error (task, error);
      return;
    }
  if (out != NULL)
    ls_mca_read_chain (question->mca, out);
  ls_mca_settle_chain (question->mca, question->text);
  g_task_return_pointer (task, g_steal_pointer (&question->mca), (GDestroyNotify) ls_mca_free);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GTask) task = data;
  Question *question = g_task_get_task_data (task);
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GSubprocess) child = NULL;
  GCancellable *cancellable;
  GError *error = NULL;

  if (!g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &out, &err, &error))
    {
      g_subprocess_force_exit (G_SUBPROCESS (source));
      g_task_return_error (task, error);
      return;
    }
  if (!g_subprocess_get_successful (G_SUBPROCESS (source)))
    {
      const char *first = err != NULL ? err : "";

      first = g_str_has_prefix (first, "error: ") ? first + strlen ("error: ") : first;
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "%.*s", (int) strcspn (first, "\n"), first);
      return;
    }
  question->mca = ls_mca_read (out, &error);
  if (question->mca != NULL)
    child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, question->path,
                              question->model, "-iterations=200", "-bottleneck-analysis", "-instruction-info=false", "-resource-pressure=false", "-", NULL);
  if (child == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  cancellable = g_task_get_cancellable (task);
  g_subprocess_communicate_utf8_async (child, question->text, cancellable, chain_answered, g_steal_pointer (&task));
}

/* (transfer full), or NULL */
static char *
program (void)
{
  static const char *const names[] = { "llvm-mca-19", "llvm-mca" };
  char *path = NULL;

  for (guint i = 0; path == NULL && i < G_N_ELEMENTS (names); i++)
    path = g_find_program_in_path (names[i]);
  return path;
}

void
ls_mca_ask (const char          *text,
            const char          *cpu,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  g_autofree char *path = program (), *model = g_strdup_printf ("-mcpu=%s", cpu), *rounds = g_strdup_printf ("-iterations=%d", ROUNDS);
  g_autoptr (GSubprocess) child = NULL;
  Question *question = g_new0 (Question, 1);
  GError *error = NULL;

  question->path = g_strdup (path);
  question->model = g_strdup (model);
  question->text = g_strdup (text);
  g_task_set_task_data (task, question, question_free);
  if (path == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("llvm-mca is not installed; it comes with the package llvm-19."));
      return;
    }
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error,
                            path, model, rounds, "-json", "-", NULL);
  if (child == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_subprocess_communicate_utf8_async (child, text, cancellable, answered, g_steal_pointer (&task));
}

LsMca *
ls_mca_finish (GAsyncResult  *result,
               GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
