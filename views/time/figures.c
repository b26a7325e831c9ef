/* time/figures: texts only; the time pane puts them into labels. */
#include "views/time/figures.h"

#include <glib/gi18n.h>

const LsStepRecord *
ls_time_before (GListModel *path,
                LsStepItem *item)
{
  const LsStepRecord *before = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) other = g_list_model_get_item (path, i);
      const LsStepRecord *record = ls_step_item_get (other);

      if (other == item)
        break;
      if (record->timing.samples > 0 && record->state != LS_STEP_FAILED && record->state != LS_STEP_RUNNING)
        before = record;
    }

  return before;
}

static char *
iqr_text (const LsStepTime *timing,
          LsTimeUnit        unit)
{
  g_autofree char *q1 = ls_format_time_in (timing->q1, unit);
  g_autofree char *q3 = ls_format_time_in (timing->q3, unit);

  return g_strdup_printf ("%s – %s", q1, q3);
}

static char *
faster_text (LsStepItem *item,
             gboolean    waterfall,
             GListModel *path)
{
  const LsStepRecord *record = ls_step_item_get (item);
  const LsStepRecord *before = waterfall ? ls_time_before (path, item) : NULL;

  if (waterfall)
    return before != NULL ? ls_format_speedup (before->timing.median / record->timing.median) : g_strdup ("");
  if (record->speedup <= 0.0)
    return g_strdup ("");
  return record->no_difference ? ls_format_factor (record->speedup) : ls_format_speedup (record->speedup);
}

char *
ls_time_figure_text (LsStepItem  *item,
                     LsTimeFigure figure,
                     LsTimeUnit   unit,
                     gboolean     waterfall,
                     GListModel  *path)
{
  const LsStepRecord *record = ls_step_item_get (item);
  gboolean known = record->timing.samples > 0 && record->state != LS_STEP_FAILED && record->state != LS_STEP_RUNNING;

  switch (figure)
    {
    case LS_TIME_NUMBER:
      return ls_step_item_tag (item);
    case LS_TIME_NAME:
      return g_strdup (record->name);
    case LS_TIME_MIN:
      return known && record->timing.min > 0.0 ? ls_format_time_in (record->timing.min, unit) : g_strdup ("–");
    case LS_TIME_MEDIAN:
      if (known)
        return ls_format_time_in (record->timing.median, unit);
      return g_strdup (record->state == LS_STEP_RUNNING ? "…" : "–");
    case LS_TIME_IQR:
      if (known)
        return iqr_text (&record->timing, unit);
      if (record->state == LS_STEP_RUNNING && record->total > 0)
        return g_strdup_printf (_("%u of %u"), record->done, record->total);
      break;
    case LS_TIME_FASTER:
      if (known)
        return faster_text (item, waterfall, path);
      break;
    case LS_TIME_N_FIGURES:
      break;
    }

  return g_strdup ("");
}
