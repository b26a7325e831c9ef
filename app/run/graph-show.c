/* run/graph-show: what is seen of a graph: its values in rows, the one where it stands with figures and picture, and what stands beside it. */
#include "app/run/graph-private.h"

#include "app/run/compared.h"
#include "views/models/format.h"
#include "views/models/named-values.h"
#include "views/parts/choice-name.h"
#include "views/run/grid.h"
#include "views/run/histogram.h"
#include "views/run/slices.h"

#include <glib/gi18n.h>
#include <string.h>

void
ls_run_graph_say (LsRunGraph *self,
                  const char *sentence,
                  const char *reason)
{
  ls_run_frame_say (&self->frame, sentence, reason);
}

static char *
type_words (GVariant *value)
{
  g_autoptr (GVariant) shape = ls_params_value (value, "shape");
  GString *words = g_string_new ("(");

  for (gsize d = 0; shape != NULL && d < g_variant_n_children (shape); d++)
    {
      gint64 extent;

      g_variant_get_child (shape, d, "x", &extent);
      g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", extent);
    }
  g_string_append_printf (words, ") %s", ls_params_string (value, "type", ""));
  return g_string_free (words, FALSE);
}

/* "(4, 6) float32, from -1.2 over 0.1 on average to 3.4, 0 NaN, 0 infinite". (transfer full) */
static char *
figures_words (GVariant *value)
{
  const char *trouble = ls_params_string (value, "trouble", NULL);
  g_autofree char *nan = ls_format_count (ls_params_int (value, "nan", 0));
  g_autofree char *infinite = ls_format_count (ls_params_int (value, "infinite", 0));
  g_autofree char *type = type_words (value);

  if (trouble != NULL)
    return g_strdup_printf (_("Not known: %s."), trouble);
  return g_strdup_printf (_("%s, from %.4g over %.4g on average to %.4g, %s NaN, %s infinite"), type, ls_params_double (value, "least", 0), ls_params_double (value, "mean", 0),
                          ls_params_double (value, "most", 0), nan, infinite);
}

/* The cards of the program's text tell the values too. */
static void
tell_names (LsRunGraph *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "bindings");
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autofree char *figures = figures_words (one);

      /* Translators: type and figures of a tensor */
      g_hash_table_replace (table, g_strdup (ls_params_string (one, "binding", "?")), g_strdup_printf (_("In the run of the graph: %s"), figures));
    }
  ls_named_values_set (self->session, table);
}

/* "lv2 = relax.matmul: (4, 6) float32" */
static char *
row_words (GVariant *value,
           GVariant *compared,
           gboolean  with_torch)
{
  g_autofree char *type = type_words (value);
  GString *words = g_string_new (ls_params_string (value, "binding", "?"));
  gint64 odd = ls_params_int (value, "nan", 0) + ls_params_int (value, "infinite", 0);

  g_string_append_printf (words, " = %s", ls_params_string (value, "op", "?"));
  if (ls_params_string (value, "trouble", NULL) != NULL)
    g_string_append_printf (words, ": %s", ls_params_string (value, "trouble", ""));
  else
    g_string_append_printf (words, ": %s", type);
  if (odd > 0)
    {
      g_autofree char *count = ls_format_count (odd);

      /* Translators: how many values of a tensor are no finite number */
      g_string_append_printf (words, _(", %s NaN or infinite"), count);
    }
  if (compared != NULL && ls_params_string (compared, "other", NULL) == NULL)
    g_string_append (words, with_torch ? "" : _(", gone after the pass"));
  else if (compared != NULL && ls_params_string (compared, "trouble", NULL) != NULL)
    g_string_append_printf (words, ", %s", ls_params_string (compared, "trouble", ""));
  else if (compared != NULL)
    g_string_append_printf (words, _(", error %.3g"), ls_params_double (compared, "error", 0));
  return g_string_free (words, FALSE);
}

static void
fill_rows (LsRunGraph *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "bindings");
  g_autoptr (GStrvBuilder) rows = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) compared = self->compared != NULL ? g_variant_get_child_value (self->compared, i) : NULL;
      g_autofree char *words = row_words (one, compared, self->with_torch);

      g_strv_builder_add (rows, words);
    }
  all = g_strv_builder_end (rows);
  self->choosing++;
  gtk_string_list_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), (const char *const *) all);
  self->choosing--;
}

void
ls_run_graph_show_passes (LsRunGraph *self)
{
  GListModel *there = gtk_drop_down_get_model (GTK_DROP_DOWN (self->passes));
  g_auto (GStrv) names = self->look != NULL ? ls_params_strv (self->look, "passes") : NULL;
  gboolean offers = ls_run_torch_has (self->session);
  const char *words = offers ? _("Pass after which the same tensors are shown, or torch") : _("Pass after which the same tensors are shown");
  g_autoptr (GtkStringList) model = NULL;

  if (self->offers_torch == offers && (names == NULL || g_list_model_get_n_items (there) > 2))
    return;
  model = gtk_string_list_new (NULL);
  gtk_string_list_append (model, _("No pass beside it"));
  if (offers)
    gtk_string_list_append (model, _("Torch\342\200\231s own values"));
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    gtk_string_list_append (model, names[i]);
  for (guint i = self->offers_torch ? 2 : 1; names == NULL && i < g_list_model_get_n_items (there); i++)
    gtk_string_list_append (model, gtk_string_list_get_string (GTK_STRING_LIST (there), i));
  self->choosing++;
  ls_choice_set_words (GTK_DROP_DOWN (self->passes), model);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->passes), 0);
  self->choosing--;
  self->offers_torch = offers;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->passes), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_tooltip_text (self->passes, words);
}

void
ls_run_graph_show_rows (LsRunGraph *self)
{
  fill_rows (self);
  tell_names (self);
  ls_run_graph_show_passes (self);
}

static GVariant *
compared_here (LsRunGraph *self)
{
  gint64 number = ls_params_int (self->look, "number", 0);

  return self->compared != NULL && number < (gint64) g_variant_n_children (self->compared) ? g_variant_get_child_value (self->compared, (gsize) number) : NULL;
}

/* Of all values, or NULL: nothing is beside them. (transfer full) */
static char *
beside_words (LsRunGraph *self)
{
  g_autofree char *compared = NULL;

  if (!self->with_torch)
    return ls_run_compared_words (self->compared);
  compared = self->compared != NULL ? ls_run_torch_words (self->compared, self->n_without) : NULL;
  if (self->torch_trouble == NULL)
    return g_steal_pointer (&compared);
  return compared != NULL ? g_strdup_printf ("%s %s", self->torch_trouble, compared) : g_strdup (self->torch_trouble);
}

/* Of one value, which somebody else has too, or not. (transfer full) */
static char *
error_words (LsRunGraph *self,
             GVariant   *compared)
{
  const char *other = ls_params_string (compared, "other", NULL), *trouble = ls_params_string (compared, "trouble", NULL), *place = ls_params_string (compared, "place", NULL);
  double error = ls_params_double (compared, "error", 0);

  if (other == NULL)
    return g_strdup (self->with_torch ? _("No value of torch stands for it.") : _("After the pass nothing is like it."));
  if (trouble != NULL && self->with_torch)
    return g_strdup_printf (_("In torch it is %s, and cannot be compared: %s."), other, trouble);
  if (trouble != NULL)
    return g_strdup (trouble);
  if (self->with_torch)
    return place != NULL ? g_strdup_printf (_("In torch it is %s: largest error %.3g, at %s."), other, error, place)
                         : g_strdup_printf (_("In torch it is %s, with the same values."), other);
  return place != NULL ? g_strdup_printf (_("After the pass it is %s: largest error %.3g, at %s."), other, error, place)
                       : g_strdup_printf (_("After the pass it is %s, with the same values."), other);
}

static void
say_position (LsRunGraph *self)
{
  g_autoptr (GVariant) inside = ls_params_value (self->look, "inside");
  g_auto (GStrv) inputs = ls_params_strv (self->look, "inputs");
  g_autofree char *from = inputs != NULL && inputs[0] != NULL ? g_strjoinv (", ", inputs) : NULL;
  const char *name = ls_params_string (self->look, "binding", "?"), *op = ls_params_string (self->look, "op", "?");
  g_autofree char *sentence = NULL;
  g_autofree char *reason = NULL;

  if (strcmp (ls_params_string (self->look, "command", ""), "nan") == 0 || inside != NULL)
    {
      /* Translators: a tensor, the place in it, the operator that made it */
      sentence = g_strdup_printf (_("The first NaN or infinity is in %s%s, made by %s."), name, ls_params_string (self->look, "first-odd", ""), op);
      reason = inside != NULL ? g_strdup_printf (_("Its statement: %s"), ls_params_string (inside, "statement", "")) : NULL;
    }
  else
    {
      sentence = from != NULL ? g_strdup_printf (_("%s is made by %s from %s."), name, op, from)
                 : strcmp (op, "parameter") == 0 ? g_strdup_printf (_("%s: parameter"), name) : g_strdup_printf (_("%s: %s"), name, op);
      if (ls_params_string (self->look, "stopped-for", NULL) != NULL)
        reason = g_strdup_printf (_("Stopped for %s."), ls_params_string (self->look, "stopped-for", ""));
      else
        reason = beside_words (self);
    }
  ls_run_graph_say (self, sentence, reason);
}

static void
show_figures (LsRunGraph *self)
{
  const char *trouble = ls_params_string (self->look, "trouble", NULL);
  g_autoptr (GVariant) bins = ls_params_value (self->look, "histogram");
  g_autoptr (GVariant) compared = compared_here (self);
  g_autofree char *words = figures_words (self->look);
  g_autofree char *error = NULL;
  double least = ls_params_double (self->look, "least", 0), most = ls_params_double (self->look, "most", 0);

  if (compared != NULL)
    error = error_words (self, compared);
  {
    gboolean has_like = compared != NULL && !self->with_torch && ls_params_string (compared, "other", NULL) != NULL;
    g_autofree char *all = has_like ? g_strdup_printf ("%s\n%s %s", words, error, ls_run_matched_words (compared)) : error != NULL ? g_strdup_printf ("%s\n%s", words, error) : g_strdup (words);

    gtk_label_set_label (GTK_LABEL (self->figures), all);
  }
  ls_run_histogram_set (LS_RUN_HISTOGRAM (self->histogram), trouble == NULL ? bins : NULL, least, most);
}

static void
show_slices (LsRunGraph *self)
{
  g_autoptr (GVariant) shape = ls_params_value (self->look, "shape");
  gint64 number = ls_params_int (self->look, "number", 0);
  gsize n = 0;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n, sizeof (gint64)) : NULL;

  if (number == self->shown)
    return;
  self->shown = number;
  g_clear_pointer (&self->part, g_free);
  ls_run_slices_set_shape (LS_RUN_SLICES (self->slices), NULL, NULL, 0);        /* another tensor begins with its first slice */
  ls_run_slices_set_shape (LS_RUN_SLICES (self->slices), NULL, extents, n);
}

void
ls_run_graph_show_cell (LsRunGraph *self)
{
  g_autofree char *before = ls_run_grid_words (LS_RUN_GRID (self->grids[0]));

  gtk_label_set_label (GTK_LABEL (self->cell), before);
}

static void
show_grids (LsRunGraph *self)
{
  g_autoptr (GVariant) grid = ls_params_value (self->look, "grid");
  g_autoptr (GVariant) after = ls_params_value (self->look, "grid-after");

  ls_run_grid_set (LS_RUN_GRID (self->grids[0]), grid, NULL);
  ls_run_grid_set (LS_RUN_GRID (self->grids[1]), after, NULL);
  gtk_label_set_label (GTK_LABEL (self->heads[0]), self->compared == NULL ? _("Its values") : self->with_torch ? _("Here") : _("Before the pass"));
  gtk_label_set_label (GTK_LABEL (self->heads[1]), self->with_torch ? _("In torch") : _("After the pass"));
  gtk_widget_set_visible (self->grids[1], after != NULL);
  gtk_widget_set_visible (self->heads[1], after != NULL);
  ls_run_graph_show_cell (self);
}

void
ls_run_graph_show (LsRunGraph *self)
{
  say_position (self);
  show_figures (self);
  show_slices (self);
  show_grids (self);
  self->choosing++;
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->list))), (guint) ls_params_int (self->look, "number", 0));
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", (guint) ls_params_int (self->look, "number", 0));
  self->choosing--;
}
