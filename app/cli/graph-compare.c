/* graph-compare: see the header. */
#include "app/cli/graph-compare.h"

#include "app/cli/input.h"

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
  printf ("score %.2f: %u of %u calls on the left and %u of %u on the right have a counterpart\n", self->score, self->n_left - self->only_left->len, self->n_left,
          self->n_right - self->only_right->len, self->n_right);
  printf ("%u the same, %u changed, %u fused; %u only on the left, %u only on the right\n", counts[LS_GRAPH_MATCH_SAME], counts[LS_GRAPH_MATCH_CHANGED],
          counts[LS_GRAPH_MATCH_FUSED], self->only_left->len, self->only_right->len);
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];
      g_autofree char *a = nodes_text (left, match->left), *b = nodes_text (right, match->right);

      if (!all && match->kind == LS_GRAPH_MATCH_SAME)
        continue;
      printf ("%c %s -> %s", SIGNS[match->kind], a, b);
      if (match->kind == LS_GRAPH_MATCH_CHANGED)
        printf ("  %.2f%s%s", match->score, match->words != NULL ? "  " : "", match->words != NULL ? match->words : "");
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
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < nodes->len; i++)
    json_builder_add_string_value (builder, ls_graph_node (graph, g_array_index (nodes, guint, i))->key);
  json_builder_end_array (builder);
}

void
ls_cli_graph_compare_json (const LsGraphComparison *self,
                           LsGraph                 *left,
                           LsGraph                 *right)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "score");
  json_builder_add_double_value (builder, self->score);
  json_builder_set_member_name (builder, "n_left");
  json_builder_add_int_value (builder, self->n_left);
  json_builder_set_member_name (builder, "n_right");
  json_builder_add_int_value (builder, self->n_right);
  json_builder_set_member_name (builder, "matches");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "kind");
      json_builder_add_string_value (builder, ls_graph_match_kind_name (match->kind));
      json_builder_set_member_name (builder, "score");
      json_builder_add_double_value (builder, match->score);
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
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}
