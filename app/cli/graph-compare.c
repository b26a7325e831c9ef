/* graph-compare: see the header. */
#include "app/cli/graph-compare.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"

#include "engine/base/json.h"

#include <math.h>
#include <stdio.h>

static const char *
name_of (LsGraph *graph,
         guint    at)
{
  LsGraphNode *node = ls_graph_node (graph, at);

  return node->name != NULL ? node->name : node->title;
}

/* "lv1 matmul, lv2 add". (transfer full) */
static char *
nodes_text (LsGraph *graph,
            GArray  *nodes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < nodes->len; i++)
    {
      guint at = g_array_index (nodes, guint, i);

      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", name_of (graph, at), ls_graph_node (graph, at)->title);
    }
  return g_string_free (text, FALSE);
}

void
ls_cli_graph_compare_text (const LsGraphComparison *self,
                           LsGraph                 *left,
                           LsGraph                 *right,
                           gboolean                 all)
{
  static const char SIGNS[] = { '=', '~', '>' };
  guint counts[3] = { 0 };

  for (guint i = 0; i < self->matches->len; i++)
    counts[((LsGraphMatch *) self->matches->pdata[i])->kind]++;
  printf ("score %.2f: %u of %u call%s on the left and %u of %u on the right have a counterpart\n", ls_graph_score_told (self->score), self->n_left - self->only_left->len, self->n_left, self->n_left == 1 ? "" : "s",
          self->n_right - self->only_right->len, self->n_right);
  printf ("%u the same, %u changed, %u fused; %u only on the left, %u only on the right\n", counts[LS_GRAPH_MATCH_SAME], counts[LS_GRAPH_MATCH_CHANGED],
          counts[LS_GRAPH_MATCH_FUSED], self->only_left->len, self->only_right->len);
  if (self->n_known > 0)
    printf ("%u of %u matches %s known from the passes, the others by structure\n", self->n_known, self->matches->len, self->n_known == 1 ? "is" : "are");
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];
      g_autofree char *a = nodes_text (left, match->left), *b = nodes_text (right, match->right);

      if (!all && match->kind == LS_GRAPH_MATCH_SAME)
        continue;
      printf ("%c %s -> %s", SIGNS[match->kind], a, b);
      if (match->kind == LS_GRAPH_MATCH_CHANGED && match->is_known)
        printf ("  known  %s", match->words);
      else if (match->kind == LS_GRAPH_MATCH_CHANGED)
        printf ("  %.2f%s%s", ls_graph_score_told (match->score), match->words != NULL ? "  " : "", match->words != NULL ? match->words : "");
      putchar ('\n');
    }
  for (guint i = 0; i < self->only_left->len; i++)
    printf ("- %s %s\n", name_of (left, g_array_index (self->only_left, guint, i)), ls_graph_node (left, g_array_index (self->only_left, guint, i))->title);
  for (guint i = 0; i < self->only_right->len; i++)
    printf ("+ %s %s\n", name_of (right, g_array_index (self->only_right, guint, i)), ls_graph_node (right, g_array_index (self->only_right, guint, i))->title);
}

static void
put_names (JsonBuilder *builder,
           const char  *member,
           LsGraph     *graph,
           GArray      *nodes)
{
  ls_json_begin_array (builder, member);
  for (guint i = 0; i < nodes->len; i++)
    json_builder_add_string_value (builder, ls_graph_node (graph, g_array_index (nodes, guint, i))->key);
  json_builder_end_array (builder);
}

static void
put_number (JsonBuilder *builder,
            const char  *member,
            double       value,
            gboolean     known)
{
  if (!known)
    return;
  ls_json_put_double (builder, member, value);
}

static void
put_row (JsonBuilder         *builder,
         const LsGraphBeside *row,
         LsGraph             *left,
         LsGraph             *right)
{
  json_builder_begin_object (builder);
  if (row->left >= 0)
    ls_json_put_text (builder, "left", ls_graph_node (left, row->left)->key);
  if (row->right >= 0)
    ls_json_put_text (builder, "right", ls_graph_node (right, row->right)->key);
  put_number (builder, "left_ns", row->left_ns, row->left_ns >= 0.0);
  put_number (builder, "left_spread_ns", row->left_spread_ns, row->left_spread_ns >= 0.0);
  put_number (builder, "right_ns", row->right_ns, row->right_ns >= 0.0);
  put_number (builder, "right_spread_ns", row->right_spread_ns, row->right_spread_ns >= 0.0);
  put_number (builder, "change_ns", row->change_ns, !isnan (row->change_ns));
  put_number (builder, "error", row->error, row->error >= 0.0);
  put_number (builder, "relative", row->relative, row->relative >= 0.0);
  ls_json_put_text (builder, "place", row->place);
  ls_json_put_text (builder, "trouble", row->trouble);
  json_builder_end_object (builder);
}

static char *
time_text (double ns,
           double spread)
{
  g_autofree char *time = ns >= 0.0 ? ls_cli_duration (ns) : NULL, *off = spread >= 0.0 ? ls_cli_duration (spread) : NULL;

  return time == NULL ? g_strdup ("-") : off != NULL ? g_strdup_printf ("%s ± %s", time, off) : g_strdup (time);
}

/* To the width in letters, not bytes. */
static void
print_field (const char *text,
             int         width,
             gboolean    right)
{
  int gap = MAX (0, width - (int) g_utf8_strlen (text, -1));

  printf (right ? "%*s%s  " : "%*s%s", right ? gap : 0, "", text);
  if (!right)
    printf ("%*s  ", gap, "");
}

static char *
change_text (const LsGraphBeside *row)
{
  g_autofree char *size = isnan (row->change_ns) ? NULL : ls_cli_duration (fabs (row->change_ns));

  if (size == NULL)
    return g_strdup ("-");
  if (row->left_ns > 0.0 && row->right_ns > 0.0)
    return g_strdup_printf ("%s%s (x%.2f)", row->change_ns < 0.0 ? "-" : "+", size, row->right_ns / row->left_ns);
  return g_strdup_printf ("%s%s", row->change_ns < 0.0 ? "-" : "+", size);
}

static char *
error_text (const LsGraphBeside *row)
{
  if (row->trouble != NULL)
    return g_strdup_printf ("not known: %s", row->trouble);
  if (row->error < 0.0)
    return g_strdup ("-");
  if (row->error == 0.0)
    return g_strdup ("equal");
  return g_strdup_printf ("%.3g%s%s", row->error, row->place != NULL ? " at " : "", row->place != NULL ? row->place : "");
}

void
ls_cli_graph_beside_text (GArray   *rows,
                          LsGraph  *left,
                          LsGraph  *right,
                          gboolean  times,
                          gboolean  values)
{
  printf ("\n");
  for (gint i = -1; i < (gint) rows->len; i++)
    {
      const LsGraphBeside *row = i >= 0 ? &g_array_index (rows, LsGraphBeside, (guint) i) : NULL;
      g_autofree char *a = NULL, *b = NULL, *left_time = NULL, *right_time = NULL, *change = NULL, *error = NULL;

      if (row != NULL && row->match != NULL)
        a = nodes_text (left, row->match->left), b = nodes_text (right, row->match->right);
      else if (row != NULL)
        {
          a = row->left >= 0 ? g_strdup_printf ("%s %s", name_of (left, (guint) row->left), ls_graph_node (left, row->left)->title) : g_strdup ("-");
          b = row->right >= 0 ? g_strdup_printf ("%s %s", name_of (right, (guint) row->right), ls_graph_node (right, row->right)->title) : g_strdup ("-");
        }
      print_field (row != NULL ? a : "left", 34, FALSE);
      print_field (row != NULL ? b : "right", 30, FALSE);
      if (times)
        {
          left_time = row != NULL ? time_text (row->left_ns, row->left_spread_ns) : g_strdup ("left time");
          right_time = row != NULL ? time_text (row->right_ns, row->right_spread_ns) : g_strdup ("right time");
          change = row != NULL ? change_text (row) : g_strdup ("change");
          print_field (left_time, 19, TRUE);
          print_field (right_time, 19, TRUE);
          print_field (change, 18, TRUE);
        }
      error = row != NULL ? error_text (row) : g_strdup ("largest difference");
      printf ("%s\n", values ? error : "");
    }
}

void
ls_cli_graph_compare_json (const LsGraphComparison *self,
                           LsGraph                 *left,
                           LsGraph                 *right,
                           GArray                  *rows)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_double (builder, "score", self->score);
  ls_json_put_int (builder, "n_left", self->n_left);
  ls_json_put_int (builder, "n_right", self->n_right);
  ls_json_put_int (builder, "n_known", self->n_known);
  ls_json_begin_array (builder, "matches");
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "kind");
      json_builder_add_string_value (builder, ls_graph_match_kind_name (match->kind));
      ls_json_put_double (builder, "score", match->score);
      ls_json_put_bool (builder, "known", match->is_known);
      put_names (builder, "left", left, match->left);
      put_names (builder, "right", right, match->right);
      if (match->words != NULL)
        {
          json_builder_set_member_name (builder, "words");
          json_builder_add_string_value (builder, match->words);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  put_names (builder, "only_left", left, self->only_left);
  put_names (builder, "only_right", right, self->only_right);
  if (rows != NULL)
    {
      ls_json_begin_array (builder, "rows");
      for (guint i = 0; i < rows->len; i++)
        put_row (builder, &g_array_index (rows, LsGraphBeside, i), left, right);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}
