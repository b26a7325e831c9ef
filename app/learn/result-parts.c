/* result-parts: see the header. */
#include "app/learn/result-parts.h"

#include "app/learn/chart.h"
#include "app/learn/code-view.h"
#include "app/rpc/rpc.h"
#include "views/parts/scroller.h"
#include "app/learn/prose.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LOGARITHMIC 20          /* times, from the quickest to the slowest; as on exported pages */

GtkWidget *
ls_result_scrolled (GtkWidget *child)
{
  GtkWidget *scroll = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), child);
  ls_scroller_show_bars (scroll);
  return scroll;
}

GtkWidget *
ls_result_text_new (const char *text)
{
  return ls_result_scrolled (ls_code_view_new (text, FALSE, _("Result as text")));
}

GtkWidget *
ls_result_picture_new (const char *encoded,
                       gboolean    svg,
                       const char *label)
{
  g_autofree guchar *raw = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GError) error = NULL;
  GtkWidget *picture;
  gsize n;

  raw = svg ? (guchar *) g_strdup (encoded) : g_base64_decode (encoded, &n);
  bytes = g_bytes_new (raw, svg ? strlen (encoded) : n);
  texture = gdk_texture_new_from_bytes (bytes, &error);
  if (texture == NULL)
    return ls_result_text_new (error->message);
  picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), label);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_add_css_class (picture, "lesson-result");
  ls_set_label (picture, label);
  return picture;
}

static void
attach_row (GtkGrid    *grid,
            int         at,
            char      **cells,
            const char *class)
{
  for (int k = 0; cells != NULL && cells[k] != NULL; k++)
    {
      GtkWidget *label = gtk_label_new (cells[k]);

      gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_widget_set_focusable (label, FALSE);
      gtk_widget_add_css_class (label, class);
      gtk_grid_attach (grid, label, k, at, 1, 1);
    }
}

/* Rows of a view: a list of lists of texts. */
GtkWidget *
ls_result_table_new (GVariant *view)
{
  g_autoptr (GVariant) rows = ls_params_value (view, "rows");
  g_auto (GStrv) columns = ls_params_strv (view, "columns");
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 14);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_widget_add_css_class (grid, "lesson-result");
  attach_row (GTK_GRID (grid), 0, columns, "strong");
  for (gsize i = 0; rows != NULL && i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (rows, i);
      GVariantDict dict;
      g_autoptr (GVariant) wrapped = NULL;
      g_auto (GStrv) cells = NULL;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert_value (&dict, "row", g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : child);
      wrapped = g_variant_ref_sink (g_variant_dict_end (&dict));
      cells = ls_params_strv (wrapped, "row");
      attach_row (GTK_GRID (grid), (int) i + 1, cells, "code");
    }
  return grid;
}

GtkWidget *
ls_result_array_new (GVariant   *view,
                     const char *wanted)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  const char *png = ls_params_string (view, "png", NULL);
  g_autofree char *words = g_strdup_printf (_("from %.6g to %.6g, mean %.6g%s"), ls_params_double (view, "low", 0), ls_params_double (view, "high", 0),
                                            ls_params_double (view, "mean", 0), ls_params_int (view, "cut", 0) && g_strcmp0 (wanted, "picture") != 0 ? _("; the first rows and columns") : "");
  GtkWidget *label = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, "lesson-result");
  gtk_box_append (GTK_BOX (box), label);
  if (png != NULL && g_strcmp0 (wanted, "table") != 0)
    {
      GtkWidget *picture = ls_result_picture_new (png, FALSE, ls_params_string (view, "title", ""));

      gtk_widget_set_size_request (picture, 280, 280);
      gtk_widget_set_halign (picture, GTK_ALIGN_START);
      gtk_box_append (GTK_BOX (box), picture);
    }
  if (g_strcmp0 (wanted, "picture") != 0)
    gtk_box_append (GTK_BOX (box), ls_result_table_new (view));
  return ls_result_scrolled (box);
}

/* The numbers of a list. (transfer full) */
static GArray *
numbers_of (GVariant *list)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) value = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);
      double number = g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) ? g_variant_get_double (value) : 0;

      g_array_append_val (numbers, number);
    }
  return numbers;
}

/* One measurement, or all of a cell on one axis. */
GtkWidget *
ls_result_chart_new (GVariant           *view,
                     const LsLessonPart *of)
{
  g_autoptr (GVariant) one = ls_params_value (view, "seconds");
  g_autoptr (GVariant) several = ls_params_value (view, "series");
  g_autoptr (GPtrArray) series = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  guint n_names = of->names != NULL ? g_strv_length (of->names) : 0;
  double top = 0, bottom = G_MAXDOUBLE, least = G_MAXDOUBLE, most = 0, first = 0;

  if (one != NULL)
    g_ptr_array_add (series, numbers_of (one));
  for (gsize i = 0; several != NULL && i < g_variant_n_children (several); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (several, i);
      g_autoptr (GVariant) list = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);

      g_ptr_array_add (series, numbers_of (list));
    }
  for (guint i = 0; i < series->len; i++)
    for (guint k = 0; k < ((GArray *) series->pdata[i])->len; k++)
      {
        double seconds = g_array_index ((GArray *) series->pdata[i], double, k);

        top = MAX (top, seconds);
        bottom = seconds > 0 ? MIN (bottom, seconds) : bottom;
      }
  for (guint i = 0; i < series->len; i++)
    {
      double median = ls_chart_median ((const double *) ((GArray *) series->pdata[i])->data, ((GArray *) series->pdata[i])->len);

      least = MIN (least, median);
      most = MAX (most, median);
    }
  /* Where one of them would be too close to 0 to be seen, the axis goes in factors. */
  bottom = least > 0 && most / least > LOGARITHMIC ? pow (10, floor (log10 (bottom))) : 0;
  if (bottom > 0)
    {
      GtkWidget *how = gtk_label_new (_("The axis is logarithmic: each step to the right is ten times as long."));

      gtk_label_set_xalign (GTK_LABEL (how), 0.0f);
      gtk_label_set_wrap (GTK_LABEL (how), TRUE);
      gtk_widget_add_css_class (how, "caption");
      gtk_widget_add_css_class (how, "lesson-result");
      gtk_box_append (GTK_BOX (box), how);
    }
  if (series->len > 0)
    first = ls_chart_median ((const double *) ((GArray *) series->pdata[0])->data, ((GArray *) series->pdata[0])->len);
  for (guint i = 0; i < series->len; i++)
    gtk_box_append (GTK_BOX (box), ls_chart_new (series->len > 1 ? i + 1 : 0, i < n_names ? of->names[i] : NULL, (const double *) ((GArray *) series->pdata[i])->data,
                                                 ((GArray *) series->pdata[i])->len, bottom, top * 1.1, first));
  return ls_result_scrolled (box);
}

/* Two programs side by side: what a primitive question asks about. */
GtkWidget *
ls_result_pair_new (GVariant *answer)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *sides[2];
  static const char *const keys[] = { "before", "after" };

  for (int i = 0; i < 2; i++)
    sides[i] = ls_result_scrolled (ls_code_view_new (ls_params_string (answer, keys[i], ""), FALSE, i == 0 ? _("The left program") : _("The right program")));
  gtk_paned_set_start_child (GTK_PANED (paned), sides[0]);
  gtk_paned_set_end_child (GTK_PANED (paned), sides[1]);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), TRUE);
  return paned;
}
