/* LsPlay: what an answer of the kernel says about a part. */
#include "app/learn/play-private.h"

#include "app/lesson/runner.h"
#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

void
ls_play_set_trouble (LsPlayPart *part,
                     const char *sentence,
                     const char *trouble)
{
  g_free (part->sentence);
  g_free (part->trouble);
  part->sentence = g_strdup (sentence);
  part->trouble = trouble != NULL && *trouble != 0 ? g_strdup (trouble) : NULL;
}

/* How many steps of a schedule were shown before; from now on all of them. */
static void
note_steps (LsPlay     *self,
            LsPlayPart *part)
{
  part->steps_before = 0;
  for (guint i = 0; part->outputs != NULL && i < ls_outputs_get_n (part->outputs); i++)
    {
      const LsOutput *output = ls_outputs_get (part->outputs, i);
      gint64 key;

      if (output->view == NULL || strcmp (ls_params_string (output->view, "kind", ""), "schedule") != 0)
        continue;
      key = ls_params_int (output->view, "key", 0);
      part->steps_before = GPOINTER_TO_UINT (g_hash_table_lookup (self->steps, GINT_TO_POINTER (key)));
      g_hash_table_replace (self->steps, GINT_TO_POINTER (key), GUINT_TO_POINTER ((guint) ls_params_int (output->view, "steps", 0)));
    }
}

void
ls_play_judge (LsPlay   *self,
               guint     number,
               GVariant *answer)
{
  const LsLessonPart *of = part_of (self, number);
  LsPlayPart *part = at (self, number);
  const char *status = ls_params_string (answer, "status", "?");
  g_auto (GStrv) names = ls_params_strv (answer, "names");

  part->ns = ls_params_double (answer, "ns", 0);
  part->state = LS_PLAY_DONE;
  ls_play_set_trouble (part, NULL, NULL);
  if (of->kind != LS_PART_CELL)
    {
      g_clear_pointer (&part->answer, g_variant_unref);
      part->answer = g_variant_ref (answer);
    }
  if (strcmp (status, "interrupted") == 0)
    {
      part->state = LS_PLAY_FAILED;
      ls_play_set_trouble (part, _("Interrupted."), NULL);
    }
  else if (strcmp (status, "fragment") == 0)
    ls_play_set_trouble (part, _("This text is not Python; it was left out."), NULL);
  else if (strcmp (status, "error") == 0)
    {
      g_autofree char *difference = ls_play_describe_difference (answer);
      g_autofree char *sentence = difference != NULL
                                    ? g_steal_pointer (&difference)
                                    : ls_run_describe_problem (answer);

      ls_play_set_trouble (part, sentence, ls_params_string (answer, "told", ls_params_string (answer, "traceback", "")));
      if (of->expect == NULL || names == NULL || !g_strv_contains ((const char *const *) names, of->expect))
        part->state = LS_PLAY_FAILED;
    }
  else if (strcmp (status, "failed") == 0)
    part->state = LS_PLAY_FAILED;
  else if (of->kind == LS_PART_EXERCISE)
    part->solved = TRUE;
  part->done_once |= part->state == LS_PLAY_DONE;
  note_steps (self, part);
}

/* The first failed case that tells `key`. (transfer full), or NULL */
static GVariant *
find_failed (GVariant   *answer,
             const char *key)
{
  g_autoptr (GVariant) list = answer != NULL ? ls_params_value (answer, "cases") : NULL;

  for (gsize i = 0; list != NULL && g_variant_is_container (list) && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) row = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);
      g_autoptr (GVariant) told = ls_params_value (row, key);

      if (!ls_params_bool (row, "passed", FALSE) && told != NULL)
        return g_steal_pointer (&row);
    }
  return NULL;
}

GVariant *
ls_play_find_sides (GVariant *answer)
{
  return find_failed (answer, "yours");
}

GVariant *
ls_play_find_arrays (GVariant *answer)
{
  g_autoptr (GVariant) row = find_failed (answer, "arrays");

  return row != NULL ? ls_params_value (row, "arrays") : NULL;
}

char *
ls_play_describe_difference (GVariant *answer)
{
  const char *first = ls_params_string (answer, "first", NULL), *second = ls_params_string (answer, "second", NULL);

  if (first == NULL || second == NULL)
    return NULL;
  return g_strdup_printf (_("The two programs differ: the first has %s where the second has %s."), first, second);
}

char *
ls_play_describe_end (LsKernel     *kernel,
                      const GError *error)
{
  const char *name = ls_kernel_get_last_signal (kernel);

  if (error->domain != LS_KERNEL_ERROR)
    return g_strdup (error->message);
  switch ((LsKernelError) error->code)
    {
    case LS_KERNEL_ERROR_NOT_FOUND:
      return g_strdup_printf (_("Cells cannot run here: %s."), error->message);
    case LS_KERNEL_ERROR_SPAWN:
      return g_strdup_printf (_("Python cannot be started: %s."), error->message);
    case LS_KERNEL_ERROR_DIED:
      return name != NULL ? g_strdup_printf (_("Python was ended by %s in this cell. What the cells had defined is gone; Run begins anew."), name)
                          : g_strdup (_("Python ended by itself in this cell. What the cells had defined is gone; Run begins anew."));
    case LS_KERNEL_ERROR_MEMORY:
      return g_strdup (_("Python took more memory than it may and was ended. What the cells had defined is gone; Run begins anew."));
    case LS_KERNEL_ERROR_TIMEOUT:
      return g_strdup (_("This took too long and did not listen; Python was ended. What the cells had defined is gone; Run begins anew."));
    case LS_KERNEL_ERROR_STOPPED:
      return g_strdup (_("Python was ended. What the cells had defined is gone; Run begins anew."));
    case LS_KERNEL_ERROR_JAIL:
      return g_strdup (_("Not run: this machine refuses a jail for cells, and nobody has said yet that they may run without one."));
    case LS_KERNEL_ERROR_PROTOCOL:
      break;
    }
  return g_strdup (error->message);
}
