/* beside/plans: of each side the values in one storage from the call that makes them to their last use, and the calls over the time of a run; both
 * sides on one scale. */
#include "app/beside/private.h"

#include "views/graph/plan.h"
#include "views/models/format.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

static const char *
name_of (const LsGraphNode *node)
{
  return node->name != NULL ? node->name : node->title;
}

/* ---- memory ---------------------------------------------------------------------------- */

static GArray *
memory_boxes (LsGraph             *graph,
              const LsGraphMemory *memory)
{
  GArray *boxes = ls_graph_plan_boxes ();

  for (guint i = 0; i < memory->lifetimes->len; i++)
    {
      const LsGraphLifetime *life = &g_array_index (memory->lifetimes, LsGraphLifetime, i);
      const LsGraphNode *node = ls_graph_node (graph, life->node);
      g_autofree char *size = life->bytes > 0.0 ? ls_format_bytes ((gint64) life->bytes) : NULL;
      LsGraphPlanBox box = { life->from, life->to + 1.0, life->offset, life->offset + life->bytes, (gint) life->node };

      if (size == NULL)
        continue;
      box.label = g_strdup (name_of (node));
      /* Translators: a value, its size, the calls (by their numbers) from which to which it is there */
      box.words = g_strdup_printf (_("%s, %s: from call %u to call %u"), name_of (node), size, life->from + 1, MIN (life->to + 1, memory->calls->len));
      g_array_append_val (boxes, box);
    }
  return boxes;
}

/* "peak 1.6 KiB at lv0 (call 3 of 7), held by lv 1.1 KiB, x 0.5 KiB". (transfer full) */
static char *
holder_words (LsGraph             *graph,
              const LsGraphMemory *memory)
{
  g_autofree char *peak = ls_format_bytes ((gint64) memory->peak_bytes), *fixed = ls_format_bytes ((gint64) memory->fixed_bytes);
  g_autofree char *plan = ls_format_bytes ((gint64) memory->plan_bytes);
  GString *words = g_string_new (NULL);
  guint n = 0;

  g_string_append_printf (words, _("Most at call %u of %u, %s: %s (one storage: %s); inputs and weights %s more. Held by"), memory->peak + 1, memory->calls->len,
                          name_of (ls_graph_node (graph, g_array_index (memory->calls, guint, memory->peak))), peak, plan, fixed);
  for (guint i = 0; i < memory->lifetimes->len; i++)
    {
      const LsGraphLifetime *life = &g_array_index (memory->lifetimes, LsGraphLifetime, i);
      g_autofree char *size = NULL;

      if (life->from > memory->peak || memory->peak > life->to || life->bytes <= 0.0)
        continue;
      size = ls_format_bytes ((gint64) life->bytes);
      if (n < 8)
        g_string_append_printf (words, "%s %s %s", n > 0 ? "," : "", name_of (ls_graph_node (graph, life->node)), size);
      n++;
    }
  if (n > 8)
    g_string_append_printf (words, _(" and %u more"), n - 8);
  if (memory->n_unknown > 0)
    g_string_append_printf (words, ngettext ("; the size of %u value is not known", "; the size of %u values is not known", memory->n_unknown), memory->n_unknown);
  g_string_append_c (words, '.');
  return g_string_free (words, FALSE);
}

struct _LsBesideMemory
{
  GArray *boxes;
  char   *words;
  guint   n_calls;
  double  bytes, peak;          /* of the storage; where the peak is, -1: nowhere */
};

LsBesideMemory *
ls_beside_memory_find (LsGraph *graph)
{
  LsBesideMemory *self = g_new0 (LsBesideMemory, 1);
  g_autoptr (LsGraphMemory) memory = ls_graph_memory_new (graph);
  gboolean is_known = memory->calls->len > 0 && memory->peak_bytes > 0.0;

  self->boxes = memory_boxes (graph, memory);
  self->words = is_known ? holder_words (graph, memory) : g_strdup (_("There are no values of known size."));
  self->n_calls = memory->calls->len;
  self->bytes = memory->plan_bytes;
  self->peak = memory->calls->len > 0 ? memory->peak + 0.5 : -1.0;
  return self;
}

void
ls_beside_memory_free (LsBesideMemory *self)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  g_free (self->words);
  g_free (self);
}

void
ls_beside_plans_memory (LsBeside       *self,
                        LsBesideMemory *memories[2])
{
  double height = MAX (memories[0]->bytes, memories[1]->bytes);
  g_autofree char *top = ls_format_bytes ((gint64) height);

  for (guint i = 0; i < 2; i++)
    {
      gtk_label_set_label (GTK_LABEL (self->holders[i]), memories[i]->words);
      ls_graph_plan_set (LS_GRAPH_PLAN (self->plans[i]), g_steal_pointer (&memories[i]->boxes), memories[i]->n_calls, height, memories[i]->peak, top,
                         i == 0 ? _("Memory of the left model") : _("Memory of the right model"));
    }
}

/* ---- time ---------------------------------------------------------------------------------- */

static GArray *
time_boxes (LsBesideSide *side)
{
  GArray *boxes = ls_graph_plan_boxes ();

  if (side->timeline == NULL || side->nodes == NULL)
    return boxes;
  for (guint i = 0; i < side->timeline->calls->len; i++)
    {
      const LsGraphCallTime *call = &g_array_index (side->timeline->calls, LsGraphCallTime, i);
      double length = side->timeline->lengths[(gsize) side->timeline->middle * side->timeline->calls->len + i];
      g_autofree char *start = ls_format_time (call->start_ns * 1e-9), *time = ls_format_time_spread (call->ns * 1e-9, call->spread_ns * 1e-9);
      LsGraphPlanBox box = { call->start_ns, call->start_ns + length, 0.0, 1.0, side->nodes[i] };

      box.label = g_strdup (side->nodes[i] >= 0 ? ls_graph_node (side->graph, side->nodes[i])->title : call->name);
      /* Translators: a call, when it began, its usual time */
      box.words = g_strdup_printf (_("%s at %s; it takes %s"), box.label, start, time);
      g_array_append_val (boxes, box);
    }
  return boxes;
}

void
ls_beside_plans_times (LsBeside *self)
{
  double width = 0.0;

  for (guint i = 0; i < 2; i++)
    if (self->sides[i].timeline != NULL)
      width = MAX (width, g_array_index (self->sides[i].timeline->runs, double, self->sides[i].timeline->middle));
  for (guint i = 0; i < 2; i++)
    {
      LsGraphTimeline *timeline = self->sides[i].timeline;
      g_autofree char *time = timeline != NULL ? ls_format_time_spread (timeline->ns * 1e-9, timeline->spread_ns * 1e-9) : NULL;
      g_autofree char *words = time != NULL ? g_strdup_printf (ngettext ("%s: %s, %u run", "%1$s: the median of %3$u runs; %2$s", timeline->runs->len), self->sides[i].name, time, timeline->runs->len)
                                            : g_strdup_printf (_("%s: not measured"), self->sides[i].name);

      ls_graph_plan_set (LS_GRAPH_PLAN (self->plans[2 + i]), time_boxes (&self->sides[i]), width, 1.0, -1.0, words,
                         i == 0 ? _("Run of the left model") : _("Run of the right model"));
    }
}

void
ls_beside_plans_select (LsBeside *self,
                        gint      left,
                        gint      right)
{
  for (guint i = 0; i < 4; i++)
    ls_graph_plan_choose (LS_GRAPH_PLAN (self->plans[i]), i % 2 == 0 ? left : right);
}

/* ---- widgets ---------------------------------------------------------------------------------- */

static void
chosen (GtkWidget *plan,
        int        node,
        LsBeside  *self)
{
  for (guint i = 0; i < 4; i++)
    if (plan == self->plans[i])
      self->select (self, i % 2, node);
}

static GtkWidget *
plan_new (LsBeside *self,
          guint     number)
{
  GtkWidget *plan = self->plans[number] = ls_graph_plan_new ();

  gtk_widget_set_vexpand (plan, TRUE);
  gtk_widget_set_hexpand (plan, TRUE);
  g_signal_connect (plan, "chosen", G_CALLBACK (chosen), self);
  return plan;
}

GtkWidget *
ls_beside_memory_new (LsBeside *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

      self->holders[i] = ls_part_label (NULL, "reason");
      gtk_label_set_wrap (GTK_LABEL (self->holders[i]), TRUE);
      gtk_box_append (GTK_BOX (side), self->holders[i]);
      gtk_box_append (GTK_BOX (side), plan_new (self, i));
      gtk_box_append (GTK_BOX (box), side);
    }
  gtk_widget_set_direction (box, GTK_TEXT_DIR_LTR);     /* left is left */
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

GtkWidget *
ls_beside_times_new (LsBeside *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  for (guint i = 0; i < 2; i++)
    gtk_box_append (GTK_BOX (box), plan_new (self, 2 + i));
  gtk_widget_add_css_class (box, "run-part");
  return box;
}
