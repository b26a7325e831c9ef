/* replay: the steps of a schedule with others in the place of one.
 *
 * The steps are printed, the text of the new ones takes the place of the old one's line, and all of it is applied to the
 * first program again.
 */
#include "engine/schedule/call/call.h"
#include "engine/schedule/trace/trace.h"

#include <string.h>

/* The single call of the text, or NULL when there are more, or one that gives its results names. */
static const LsCallStep *
bare_call (LsCallList *list)
{
  const LsCallStep *call = ls_call_list_get_n (list) == 1 ? ls_call_list_get (list, 0) : NULL;

  return call != NULL && call->output_form == LS_CALL_OUTPUT_NONE ? call : NULL;
}

/* "l4, l5": the left side of a printed line, or NULL. */
static char *
left_side (const char *line)
{
  const char *equals = strstr (line, " = sch.");

  return equals != NULL ? g_strndup (line, equals - line) : NULL;
}

static char *
edited_text (LsSchedule *self,
             guint       i,
             const char *text,
             LsCallList *list)
{
  GString *whole = g_string_new (NULL);
  guint n = ls_schedule_get_n_steps (self);

  for (guint s = 0; s < n; s++)
    {
      g_autofree char *line = ls_schedule_print_step (self, s);
      g_autofree char *left = s == i && bare_call (list) != NULL ? left_side (line) : NULL;

      if (s != i)
        g_string_append_printf (whole, "%s\n", line);
      else
        g_string_append_printf (whole, "%s%s%s\n", left != NULL ? left : "", left != NULL ? " = " : "", text);
    }
  return g_string_free (whole, FALSE);
}

LsSchedule *
ls_schedule_replay_with (LsSchedule    *self,
                         guint          i,
                         const char    *text,
                         guint         *n_kept,
                         LsDiagnostics *diagnostics)
{
  LsSource *asked = ls_source_new ("step", text, -1);
  g_autoptr(LsCallList) list = ls_script_parse_calls (asked, diagnostics);
  guint n_new = ls_call_list_get_n (list);
  g_autofree char *whole = NULL;
  LsSource *source;
  LsSchedule *fresh;
  guint done;

  g_return_val_if_fail (i < ls_schedule_get_n_steps (self), NULL);

  whole = edited_text (self, i, text, list);
  source = ls_source_new ("steps", whole, -1);
  fresh = ls_schedule_new (ls_schedule_get_version (self, 0)->module);
  done = ls_schedule_apply_text (fresh, source, 0, diagnostics);
  if (n_kept != NULL)
    *n_kept = done <= i ? done : done < i + n_new ? i : done - n_new;
  ls_source_unref (source);
  ls_source_unref (asked);
  return fresh;
}
