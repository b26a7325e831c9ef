/* session/devices: see the header. */
#include "app/session/devices.h"

#include "views/models/format.h"
#include "engine/base/json.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MOST_NOTES 20           /* of a step; the oldest go */

/* What the simulator counts, what ncu calls it, and words for it. */
static const struct { const char *simulated, *counter, *words; } COUNTS[] = {
  { "global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", N_("sectors read") },
  { "global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", N_("sectors written") },
  { "shared_load_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", N_("bank conflicts of reads") },
  { "shared_store_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", N_("bank conflicts of writes") },
};

void
ls_device_note_free (gpointer data)
{
  LsDeviceNote *self = data;

  g_free (self->device);
  g_free (self->kind);
  g_free (self->when);
  g_free (self->verdict);
  g_free (self->reason);
  g_free (self->counts);
  g_free (self);
}

static char *
counts_of (const LsDeviceResultStep *step)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (COUNTS); i++)
    {
      const double *simulated = step->simulated != NULL ? g_hash_table_lookup (step->simulated, COUNTS[i].simulated) : NULL;
      const double *counted = step->counters != NULL ? g_hash_table_lookup (step->counters, COUNTS[i].counter) : NULL;

      if (simulated == NULL && counted == NULL)
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      if (counted == NULL)
        g_string_append_printf (text, _("%s: simulator %.0f, not counted on the device"), _(COUNTS[i].words), *simulated);
      else if (simulated == NULL)
        g_string_append_printf (text, _("%s: %.0f"), _(COUNTS[i].words), *counted);
      else
        g_string_append_printf (text, _("%s: %.0f (simulator %.0f)"), _(COUNTS[i].words), *counted, *simulated);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

LsDeviceNote *
ls_device_note_new (const LsDeviceResult     *result,
                    const LsDeviceResultStep *step)
{
  LsDeviceNote *self = g_new0 (LsDeviceNote, 1);

  *self = (LsDeviceNote) { .device = g_strdup (result->device), .kind = g_strdup (result->kind), .when = g_strdup (result->when),
                           .verdict = g_strdup (step->verdict), .reason = g_strdup (step->reason), .counts = counts_of (step), .bandwidth = result->bandwidth, .peak = result->peak };
  if (step->time.n > 0)
    {
      self->samples = step->time.n;
      self->min = step->time.min * 1e-9;
      self->median = step->time.median * 1e-9;
      self->q1 = step->time.q1 * 1e-9;
      self->q3 = step->time.q3 * 1e-9;
    }
  if (step->flushed.n > 0)
    self->flushed = step->flushed.median * 1e-9;
  return self;
}

GPtrArray *
ls_device_notes_copy (GPtrArray *notes)
{
  GPtrArray *copy = notes != NULL ? g_ptr_array_new_with_free_func (ls_device_note_free) : NULL;

  for (guint i = 0; notes != NULL && i < notes->len; i++)
    {
      const LsDeviceNote *from = notes->pdata[i];
      LsDeviceNote *to = g_memdup2 (from, sizeof *from);

      to->device = g_strdup (from->device);
      to->kind = g_strdup (from->kind);
      to->when = g_strdup (from->when);
      to->verdict = g_strdup (from->verdict);
      to->reason = g_strdup (from->reason);
      to->counts = g_strdup (from->counts);
      g_ptr_array_add (copy, to);
    }
  return copy;
}

void
ls_device_notes_add (GPtrArray    **notes,
                     LsDeviceNote  *note)
{
  if (*notes == NULL)
    *notes = g_ptr_array_new_with_free_func (ls_device_note_free);
  for (guint i = (*notes)->len; i > 0; i--)
    {
      const LsDeviceNote *old = (*notes)->pdata[i - 1];

      if (g_strcmp0 (old->device, note->device) == 0 && g_strcmp0 (old->when, note->when) == 0)
        g_ptr_array_remove_index (*notes, i - 1);
    }
  g_ptr_array_add (*notes, note);
  if ((*notes)->len > MOST_NOTES)
    g_ptr_array_remove_index (*notes, 0);
}

const LsDeviceNote *
ls_device_notes_of (GPtrArray  *notes,
                    const char *device)
{
  for (guint i = notes != NULL ? notes->len : 0; i-- > 0;)
    {
      const LsDeviceNote *note = notes->pdata[i];

      if (note->median > 0 && strcmp (note->verdict, "same") == 0 && g_strcmp0 (note->device, device) == 0)
        return note;
    }
  return NULL;
}

LsStepTime
ls_device_note_time (const LsDeviceNote *note)
{
  if (note == NULL)
    return (LsStepTime) { 0 };
  return (LsStepTime) { .min = note->min, .q1 = note->q1, .median = note->median, .q3 = note->q3, .samples = MAX (note->samples, 1) };
}

/* ---- as JSON ---- */

static double
positive (JsonObject *object,
          const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  double value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0;

  return isfinite (value) && value > 0 ? value : 0;
}

GPtrArray *
ls_device_notes_read (JsonArray *list)
{
  GPtrArray *notes = NULL;

  for (guint i = 0; list != NULL && i < MIN (json_array_get_length (list), MOST_NOTES); i++)
    {
      JsonNode *node = json_array_get_element (list, i);
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      LsDeviceNote *note;

      if (object == NULL)
        continue;
      note = g_new0 (LsDeviceNote, 1);
      *note = (LsDeviceNote) {
        .device = g_strdup (ls_json_text (object, "device")), .kind = g_strdup (ls_json_text (object, "kind")),
        .when = g_strdup (ls_json_text (object, "when")), .verdict = g_strdup (ls_json_text (object, "verdict")),
        .reason = g_strdup (ls_json_text (object, "reason")), .min = positive (object, "min"),
        .samples = (guint) CLAMP (positive (object, "samples"), 0, G_MAXINT), .median = positive (object, "median"), .q1 = positive (object, "q1"),
        .q3 = positive (object, "q3"), .flushed = positive (object, "flushed"), .bandwidth = positive (object, "bandwidth"), .peak = positive (object, "peak"), .counts = g_strdup (ls_json_text (object, "counts")),
      };
      if (note->device != NULL && note->verdict != NULL && note->when != NULL)
        ls_device_notes_add (&notes, note);
      else
        ls_device_note_free (note);
    }
  return notes;
}

static void
put_positive (JsonBuilder *out,
              const char  *name,
              double       value)
{
  if (value <= 0)
    return;
  ls_json_put_double (out, name, value);
}

void
ls_device_notes_write (GPtrArray   *notes,
                       JsonBuilder *out)
{
  if (notes == NULL || notes->len == 0)
    return;
  ls_json_begin_array (out, "devices");
  for (guint i = 0; i < notes->len; i++)
    {
      const LsDeviceNote *note = notes->pdata[i];

      json_builder_begin_object (out);
      ls_json_put_text (out, "device", note->device);
      ls_json_put_text (out, "kind", note->kind);
      ls_json_put_text (out, "when", note->when);
      ls_json_put_text (out, "verdict", note->verdict);
      ls_json_put_text (out, "reason", note->reason);
      put_positive (out, "samples", note->samples);
      put_positive (out, "min", note->min);
      put_positive (out, "median", note->median);
      put_positive (out, "q1", note->q1);
      put_positive (out, "q3", note->q3);
      put_positive (out, "flushed", note->flushed);
      put_positive (out, "bandwidth", note->bandwidth);
      put_positive (out, "peak", note->peak);
      ls_json_put_text (out, "counts", note->counts);
      json_builder_end_object (out);
    }
  json_builder_end_array (out);
}

/* ---- in words ---- */

static char *
brief (const LsDeviceNote *note)
{
  g_autofree char *time = note->median > 0 ? ls_format_time (note->median) : NULL;

  if (strcmp (note->verdict, "same") != 0)
    return g_strdup_printf (strcmp (note->verdict, "differs") == 0 ? _("wrong on %s") : _("failed on %s"), note->device);
  return time != NULL ? g_strdup_printf (_("%s on %s"), time, note->device) : g_strdup_printf (_("right on %s"), note->device);
}

char *
ls_device_notes_brief (GPtrArray *notes)
{
  return notes != NULL && notes->len > 0 ? brief (notes->pdata[notes->len - 1]) : NULL;
}

static void
append (GString            *text,
        const LsDeviceNote *note)
{
  g_autofree char *first = brief (note);
  g_autofree char *flushed = note->flushed > 0 ? ls_format_time (note->flushed) : NULL;

  g_string_append_printf (text, "%s%s (%s)", text->len > 0 ? "\n" : "", first, note->when);
  if (flushed != NULL)
    g_string_append_printf (text, _("; %s with an emptied cache"), flushed);
  if (note->reason != NULL)
    g_string_append_printf (text, "\n%s", note->reason);
  if (note->counts != NULL)
    g_string_append_printf (text, "\n%s", note->counts);
  if (note->bandwidth <= 0 || note->peak <= 0)
    return;
  g_string_append_c (text, '\n');
  g_string_append_printf (text, _("At best it moves %.4g GB/s and does %.4g GFLOP/s in float32, by kernels that do nothing else."), note->bandwidth / 1e9,
                          note->peak / 1e9);
}

char *
ls_device_notes_words (GPtrArray *notes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; notes != NULL && i < notes->len; i++)
    append (text, notes->pdata[notes->len - 1 - i]);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}
