/* beside/found: what is under way and what was found, in words and rows. */
#include "app/beside/private.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

/* ---- what is under way ------------------------------------------------------------------- */

void
ls_beside_show_busy (LsBeside   *self,
                     const char *words)
{
  gboolean can = words == NULL && self->comparison != NULL;
  g_autofree char *untimed = can ? ls_engine_graph_untimed (self->sides[0].module) : NULL;

  if (untimed == NULL && can)
    untimed = ls_engine_graph_untimed (self->sides[1].module);
  gtk_widget_set_visible (self->stop, self->asking != NULL);
  gtk_widget_set_sensitive (self->measure, can && untimed == NULL);
  gtk_widget_set_sensitive (self->values, can && untimed == NULL);
  gtk_widget_set_tooltip_text (self->measure, untimed != NULL ? untimed : _("Runs both models and times every call"));
  gtk_widget_set_tooltip_text (self->values, untimed != NULL ? untimed : _("Runs both on the same numbers in the interpreter and compares what matched calls make"));
  if (words != NULL)
    gtk_label_set_label (GTK_LABEL (self->reason), words);
  else
    ls_beside_pictures_follow_letters (self);   /* they may have changed meanwhile */
}

void
ls_beside_leave (LsBeside *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

/* ---- what was found ------------------------------------------------------------------------ */

static void
add_alone (GString    *words,
           const char *begin,
           LsGraph    *graph,
           GArray     *nodes)
{
  for (guint i = 0; i < MIN (nodes->len, 6); i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, g_array_index (nodes, guint, i));

      g_string_append_printf (words, "%s %s%s%s%s", i == 0 ? begin : ",", node->title, node->name != NULL ? " (" : "", node->name != NULL ? node->name : "", node->name != NULL ? ")" : "");
    }
  if (nodes->len > 6)
    g_string_append_printf (words, _(" and %u more"), nodes->len - 6);
  if (nodes->len > 0)
    g_string_append (words, ". ");
}

void
ls_beside_say_found (LsBeside *self)
{
  const LsGraphComparison *found = self->comparison;
  g_autofree char *score = ls_format_share (ls_graph_score_told (found->score));
  g_autofree char *sentence = g_strdup_printf (ngettext ("%u of %u call on the left and %u of %u on the right have a counterpart; score %s.",
                                                         "%u of %u calls on the left and %u of %u on the right have a counterpart; score %s.", found->n_left),
                                               found->n_left - found->only_left->len,
                                               found->n_left, found->n_right - found->only_right->len, found->n_right, score);
  g_autoptr (GString) words = g_string_new (NULL);

  if (found->n_known > 0 && found->n_known == found->matches->len)
    g_string_append (words, _("All matches are known from what the passes and steps noted. "));
  else if (found->n_known > 0)
    g_string_append_printf (words, ngettext ("%u of %u matches is known from what the passes noted, the others by structure. ",
                                                      "%u of %u matches are known from what the passes noted, the others by structure. ", found->n_known), found->n_known, found->matches->len);
  else
    g_string_append (words, _("Matched by structure. "));
  add_alone (words, _("Only on the left:"), self->sides[0].graph, found->only_left);
  add_alone (words, _("Only on the right:"), self->sides[1].graph, found->only_right);
  gtk_label_set_label (GTK_LABEL (self->sentence), sentence);
  gtk_label_set_label (GTK_LABEL (self->reason), words->str);
}

/* A row is known by its last node on each side. */
static guint
hash_row (gconstpointer data)
{
  const LsGraphBeside *row = data;

  return (guint) row->left * 2654435761u ^ (guint) row->right;
}

static gboolean
same_row (gconstpointer a,
          gconstpointer b)
{
  const LsGraphBeside *one = a, *two = b;

  return one->left == two->left && one->right == two->right;
}

void
ls_beside_renew_rows (LsBeside *self)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->rows);
  g_autoptr (GHashTable) known = g_hash_table_new (hash_row, same_row);

  self->rows = ls_graph_beside_new (self->comparison, self->sides[0].graph, self->sides[1].graph);
  for (guint i = 0; old != NULL && i < old->len; i++)
    g_hash_table_add (known, &g_array_index (old, LsGraphBeside, i));
  for (guint i = 0; i < self->rows->len; i++)   /* what was found out about values holds */
    {
      LsGraphBeside *now = &g_array_index (self->rows, LsGraphBeside, i), *was = g_hash_table_lookup (known, now);

      if (was == NULL)
        continue;
      now->error = was->error;
      now->relative = was->relative;
      now->place = g_steal_pointer (&was->place);
      now->trouble = g_steal_pointer (&was->trouble);
    }
  ls_graph_beside_sort (self->rows);
  ls_beside_table_show (self);
}
