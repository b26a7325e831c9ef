/* LsStepItem: one node of the history tree. */
#include "views/models/step-item.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsStepItem
{
  GObject      parent_instance;

  LsStepRecord record;
  LsStepRail   rail;
  gboolean     current;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsStepItem, ls_step_item, G_TYPE_OBJECT)

static void
record_clear (LsStepRecord *record)
{
  g_free ((char *) record->call);
  g_free ((char *) record->name);
  g_free ((char *) record->branch);
  g_free ((char *) record->reason);
  g_free ((char *) record->conditions);
  g_free ((char *) record->device);
  *record = (LsStepRecord) { 0 };
}

static void
record_copy (LsStepRecord       *to,
             const LsStepRecord *from)
{
  *to = *from;
  to->call = g_strdup (from->call);
  to->name = g_strdup (from->name);
  to->branch = g_strdup (from->branch);
  to->reason = g_strdup (from->reason);
  to->conditions = g_strdup (from->conditions);
  to->device = g_strdup (from->device);
}

static gboolean
time_equal (const LsStepTime *a,
            const LsStepTime *b)
{
  return a->samples == b->samples && a->min == b->min && a->q1 == b->q1 && a->median == b->median && a->q3 == b->q3 && a->own == b->own;
}

static gboolean
record_equal (const LsStepRecord *a,
              const LsStepRecord *b)
{
  return a->id == b->id && a->parent == b->parent && a->number == b->number && a->prime == b->prime &&
         a->state == b->state && a->best == b->best && time_equal (&a->timing, &b->timing) && a->speedup == b->speedup &&
         a->no_difference == b->no_difference && a->done == b->done && a->total == b->total && a->stops == b->stops &&
         a->no_effect == b->no_effect && a->bookmark == b->bookmark && g_strcmp0 (a->call, b->call) == 0 &&
         g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->branch, b->branch) == 0 &&
         g_strcmp0 (a->reason, b->reason) == 0 && g_strcmp0 (a->conditions, b->conditions) == 0 &&
         g_strcmp0 (a->device, b->device) == 0;
}

static void
ls_step_item_finalize (GObject *object)
{
  LsStepItem *self = LS_STEP_ITEM (object);

  record_clear (&self->record);
  G_OBJECT_CLASS (ls_step_item_parent_class)->finalize (object);
}

static void
ls_step_item_class_init (LsStepItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_step_item_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_step_item_init (LsStepItem *self)
{
}

LsStepItem *
ls_step_item_new (const LsStepRecord *record)
{
  LsStepItem *self = g_object_new (LS_TYPE_STEP_ITEM, NULL);

  record_copy (&self->record, record);
  return self;
}

LsStepItem *
ls_step_item_copy (LsStepItem *self)
{
  LsStepItem *copy = ls_step_item_new (&self->record);

  copy->rail = self->rail;
  copy->current = self->current;
  return copy;
}

void
ls_step_item_set (LsStepItem         *self,
                  const LsStepRecord *record)
{
  LsStepRecord old = self->record;

  g_return_if_fail (LS_IS_STEP_ITEM (self));

  if (record_equal (&old, record))
    return;
  record_copy (&self->record, record);
  record_clear (&old);
  g_signal_emit (self, signals[CHANGED], 0);
}

const LsStepRecord *
ls_step_item_get (LsStepItem *self)
{
  return &self->record;
}

const LsStepRail *
ls_step_item_get_rail (LsStepItem *self)
{
  return &self->rail;
}

void
ls_step_item_set_rail (LsStepItem       *self,
                       const LsStepRail *rail)
{
  if (memcmp (&self->rail, rail, sizeof *rail) == 0)
    return;
  self->rail = *rail;
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
ls_step_item_is_current (LsStepItem *self)
{
  return self->current;
}

void
ls_step_item_set_current (LsStepItem *self,
                          gboolean    current)
{
  if (self->current == current)
    return;
  self->current = current;
  g_signal_emit (self, signals[CHANGED], 0);
}

char *
ls_step_item_tag (LsStepItem *self)
{
  GString *tag = g_string_new (NULL);

  g_string_append_printf (tag, "%u", self->record.number);
  for (guint i = 0; i < self->record.prime && i < 3; i++)
    g_string_append (tag, "′");

  return g_string_free (tag, FALSE);
}

gboolean
ls_step_time_is_noisy (const LsStepTime *timing)
{
  return timing->samples > 0 && timing->median > 0.0 &&
         (timing->q3 - timing->q1) / 2.0 > 0.05 * timing->median;
}

gboolean
ls_step_item_is_noisy (LsStepItem *self)
{
  return ls_step_time_is_noisy (&self->record.timing);
}

/* What the figures say of a step, NULL when nothing. */
static const char *
standing (LsStepItem *self)
{
  if (self->current)
    return _("you are here");
  if (self->record.no_difference)
    return _("no real difference");
  return self->record.best ? _("best") : NULL;
}

/* The sign of warning beside it says "noisy" as well: that goes first, then the spread. */
static char **
measured_details (LsStepItem *self)
{
  const LsStepTime *timing = &self->record.timing;
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();
  g_autofree char *time = ls_format_time_spread (timing->median, (timing->q3 - timing->q1) / 2.0);
  g_autofree char *placed = standing (self) != NULL ? g_strdup_printf ("%s · %s", time, standing (self)) : NULL;
  g_autofree char *median = ls_format_time (timing->median);
  g_autofree char *shorter = standing (self) != NULL ? g_strdup_printf ("%s · %s", median, standing (self)) : NULL;
  g_autofree char *whole = NULL;

  if (ls_step_time_is_noisy (timing))
    {
      whole = g_strdup_printf ("%s · %s", placed != NULL ? placed : time, _("noisy"));
      g_strv_builder_add (texts, whole);
    }
  if (placed != NULL)
    g_strv_builder_add_many (texts, placed, shorter, NULL);
  g_strv_builder_add (texts, time);
  return g_strv_builder_end (texts);
}

static char *
other_detail (LsStepItem *self)
{
  const LsStepRecord *record = &self->record;

  switch (record->state)
    {
    case LS_STEP_MEASURED:
    case LS_STEP_UNMEASURED:
      return g_strdup (self->current ? _("you are here · not measured") : _("not measured"));
    case LS_STEP_STALE:
      return g_strdup (_("stale: measure again"));
    case LS_STEP_RUNNING:
      if (record->total > 0)
        return g_strdup_printf (_("measuring, sample %u of %u"), record->done, record->total);
      return g_strdup (_("building"));
    case LS_STEP_FAILED:
      if (record->reason != NULL && record->stops)
        return g_strdup_printf (_("stops here: %s"), record->reason);
      return g_strdup (record->reason != NULL ? record->reason : _("stops here"));
    case LS_STEP_UNREACHED:
      return g_strdup (_("not reached"));
    }

  return g_strdup ("");
}

/* A device's time stands before that of this machine, if there is one. */
static char **
device_details (LsStepItem *self)
{
  const char *device = self->record.device;
  g_autofree char *here = self->record.state == LS_STEP_MEASURED ? ls_format_time (self->record.timing.median) : NULL;
  g_autofree char *both = here != NULL ? g_strdup_printf (_("%s; here %s"), device, here) : g_strdup (device);
  g_autofree char *placed = self->current ? g_strdup_printf ("%s · %s", both, _("you are here")) : g_strdup (both);
  const char *texts[] = { placed, both, device, NULL };

  return g_strdupv ((char **) texts);
}

char **
ls_step_item_details (LsStepItem *self)
{
  g_autofree char *detail = NULL;
  const char *texts[3] = { NULL };

  if (self->record.device != NULL && self->record.state != LS_STEP_RUNNING && !self->record.stops)
    return device_details (self);
  if (self->record.state == LS_STEP_MEASURED)
    return measured_details (self);
  detail = other_detail (self);
  texts[0] = detail;
  if (self->record.state == LS_STEP_UNMEASURED && self->current)
    texts[1] = _("you are here");
  return g_strdupv ((char **) texts);
}

char *
ls_step_item_detail (LsStepItem *self)
{
  g_auto (GStrv) details = ls_step_item_details (self);

  return g_strdup (details[0]);
}

char *
ls_step_item_describe (LsStepItem *self)
{
  g_autofree char *tag = ls_step_item_tag (self);
  g_autofree char *detail = ls_step_item_detail (self);
  g_autofree char *words = NULL;
  g_autofree char *speedup = NULL, *bookmark = NULL;

  if (self->record.bookmark > 0)
    bookmark = g_strdup_printf (_(", bookmark %u"), self->record.bookmark);
  if (self->record.state == LS_STEP_MEASURED && self->record.speedup > 0.0)
    speedup = self->record.no_difference ? ls_format_factor (self->record.speedup)
                                         : ls_format_speedup (self->record.speedup);

  /* Translators: step number, trace line, time or state, speed-up if known */
  words = g_strdup_printf (_("step %s, %s, %s%s%s"), tag, self->record.call, detail,
                           speedup != NULL ? ", " : "", speedup != NULL ? speedup : "");
  return g_strconcat (words, self->record.no_effect ? _(", without effect") : "", bookmark, NULL);
}
