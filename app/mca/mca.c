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
  g_free (self);
}

/* ---- the answer ----------------------------------------------------------------------- */

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

      if (json_object_get_int_member_with_default (row, "InstructionIndex", -1) != last || usage <= self->busy || resource < 0
          || resource >= (gint64) json_array_get_length (names))
        continue;
      self->busy = usage;
      g_free (self->unit);
      self->unit = g_strdup (json_array_get_string_element (names, (guint) resource));
      self->unit[strcspn (self->unit, ".")] = '\0';       /* "Zn3LSU." is one of several alike */
    }
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
  self = g_new0 (LsMca, 1);
  self->cycles = (double) json_object_get_int_member_with_default (summary, "TotalCycles", 0) / (double) rounds;
  self->dispatch = json_object_get_double_member_with_default (summary, "BlockRThroughput", 0.0);
  if (target != NULL && json_object_has_member (target, "Resources"))
    read_pressure (self, region, json_object_get_array_member (target, "Resources"));
  return self;
}

/* ---- the question ---------------------------------------------------------------------- */

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GTask) task = data;
  g_autofree char *out = NULL, *err = NULL;
  GError *error = NULL;
  LsMca *mca;

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
  mca = ls_mca_read (out, &error);
  if (mca != NULL)
    g_task_return_pointer (task, mca, (GDestroyNotify) ls_mca_free);
  else
    g_task_return_error (task, error);
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
  GError *error = NULL;

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
