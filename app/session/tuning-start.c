/* tuning-start: the command line of a search, and starting it. */
#include "app/session/tuning-start.h"

#include "app/search/run.h"

#include <glib/gi18n.h>

#define BUDGET_MS "200"         /* of measuring one program */
#define SEED "1"

/* Of texts that are its own; empty: the command is nowhere. (transfer full) */
static GPtrArray *
words_of (const LsTuningCommand *self,
          const char            *program,
          const char            *folder)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);
  const char *const fixed[] = { "tune", program, "--detach", "-o", folder, "--seed", SEED, "--budget-ms", BUDGET_MS };
  char *command = ls_search_run_locate_command ();

  if (command == NULL)
    return arguments;
  g_ptr_array_add (arguments, command);
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (arguments, g_strdup (fixed[i]));
  g_ptr_array_add (arguments, g_strdup_printf ("--trials=%u", self->trials));
  g_ptr_array_add (arguments, g_strdup_printf ("--seconds=%u", self->seconds));
  if (self->func != NULL)
    g_ptr_array_add (arguments, g_strdup_printf ("--func=%s", self->func));
  if (self->target != NULL)
    g_ptr_array_add (arguments, g_strdup_printf ("--target=%s", self->target));
  if (self->sizes != NULL)
    {
      g_auto (GStrv) sizes = g_strsplit (self->sizes, " ", -1);

      for (guint i = 0; sizes[i] != NULL; i++)
        g_ptr_array_add (arguments, g_strdup_printf ("--set=%s", sizes[i]));
    }
  if (*self->queue != '\0')
    g_ptr_array_add (arguments, g_strdup_printf ("--queue=%s", self->queue));
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

GSubprocess *
ls_tuning_spawn (const LsTuningCommand  *self,
                 GError                **error)
{
  g_autofree char *folder = ls_search_run_folder (self->text), *program = g_build_filename (folder, "program.py", NULL);
  g_autoptr (GPtrArray) command = words_of (self, program, folder);

  if (command->len == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("loopscope-cli, which searches, is not beside this program, and not in PATH."));
      return NULL;
    }
  if (g_mkdir_with_parents (folder, 0755) != 0 || !g_file_set_contents (program, self->text, -1, error))
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("%s cannot be made."), folder);
      return NULL;
    }
  return g_subprocess_newv ((const char *const *) command->pdata, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
}
