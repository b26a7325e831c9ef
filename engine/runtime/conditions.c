/* conditions: on what machine, and how busy, something was measured.
 */
#include "engine/runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LsConditions *
ls_conditions_record (void)
{
  LsConditions *self = g_new0 (LsConditions, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  self->cpu = g_strdup (ls_host_cpu_name ());
  self->n_cpus = ls_host_n_cpus ();
  self->n_threads = ls_parallel_num_threads ();
  self->pinned = ls_pool_is_pinned ();
  if (getloadavg (self->load, 3) != 3)
    self->load[0] = self->load[1] = self->load[2] = -1;
  self->time = g_date_time_format_iso8601 (now);
  return self;
}

void
ls_conditions_free (LsConditions *self)
{
  if (self == NULL)
    return;
  g_free (self->cpu);
  g_free (self->time);
  g_free (self);
}

char *
ls_conditions_print (const LsConditions *self)
{
  char load[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (load, sizeof load, "%.2f", self->load[0]);
  return g_strdup_printf ("%s, %d of %d CPUs, %s, load %s, %s", self->cpu, self->n_threads,
                          self->n_cpus, self->pinned ? "pinned" : "not pinned",
                          self->load[0] < 0 ? "unknown" : load, self->time);
}

/* From the end: a name of a processor may have commas. */
static char *
cut_last (char *text)
{
  char *comma = g_strrstr (text, ", ");

  if (comma == NULL)
    return NULL;
  *comma = '\0';
  return comma + 2;
}

LsConditions *
ls_conditions_read (const char *text)
{
  g_autoptr (LsConditions) self = g_new0 (LsConditions, 1);
  g_autofree char *rest = g_strdup (text != NULL ? text : "");
  const char *time = cut_last (rest), *load = cut_last (rest), *pinned = cut_last (rest), *cores = cut_last (rest);
  int end = 0;

  if (cores == NULL || !g_str_has_prefix (load, "load ") || (strcmp (pinned, "pinned") != 0 && strcmp (pinned, "not pinned") != 0) ||
      sscanf (cores, "%d of %d CPUs%n", &self->n_threads, &self->n_cpus, &end) != 2 || end == 0 || cores[end] != '\0')
    return NULL;
  load += strlen ("load ");
  self->load[0] = strcmp (load, "unknown") == 0 ? -1.0 : g_ascii_strtod (load, NULL);
  self->load[1] = self->load[2] = -1.0;
  self->pinned = strcmp (pinned, "pinned") == 0;
  self->time = g_strdup (time);
  self->cpu = g_strdup (rest);
  return g_steal_pointer (&self);
}
