/* inspect: what can be known of a program: dependences between blocks, how long buffers live, which loop came from which;
 * of a loop or block: what it touches; with --iterations which iteration has to come after which, with --accesses
 * how far apart the touches of a cache line are and which caches would miss them.
 */
#include "app/cli/input.h"
#include "app/cli/inspect-accesses.h"
#include "engine/base/json.h"
#include "engine/interp/dependence.h"
#include "engine/schedule/inspect/inspect.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#define MAX_INSTANCES 20000
#define MAX_DISTANCES 6

typedef struct {
  const char *file, *steps, *func, *block, *loop;
  gint64      line_bytes;
  gboolean    iterations, accesses, json;
  LsSchedule *schedule;
  LsPrimFunc *prim;             /* borrowed */
  const char *prim_name;
} Request;

/* ---- finding -------------------------------------------------------------------------- */

static gboolean
find_func (Request *request, const char *command)
{
  LsModule *module = ls_schedule_get_module (request->schedule);
  guint n = 0;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], PRIM_FUNC) || (request->func != NULL && strcmp (name, request->func) != 0))
        continue;
      n++;
      request->prim = ls_array_at (module->functions, i, LsPrimFunc);
      request->prim_name = name;
    }
  if (n == 1)
    return TRUE;
  ls_cli_fail (command, n == 0 ? "there is no function %s" : "there are several functions; say which one with --func%s", n == 0 && request->func != NULL ? request->func : "");
  return FALSE;
}

typedef struct {
  Request   *request;
  GPtrArray *loops;
  LsNode    *block;
  LsNode    *loop;
  GString   *names;
} Finder;

static void
find_below (Finder *self, LsNode *node)
{
  if (node == NULL || ls_is_expr (node) || self->block != NULL)
    return;
  if (ls_is (node, BLOCK))
    {
      const char *name = ((LsBlock *) node)->name_hint;

      if (strcmp (name, "root") != 0)
        g_string_append_printf (self->names, "%s%s", self->names->len > 0 ? ", " : "", name);
      if (strcmp (name, self->request->block) == 0)
        {
          self->block = node;
          for (guint i = 0; self->request->loop != NULL && i < self->loops->len; i++)
            if (strcmp (((LsFor *) self->loops->pdata[i])->loop_var->name, self->request->loop) == 0)
              self->loop = self->loops->pdata[i];
          return;
        }
    }
  if (ls_is (node, FOR))
    g_ptr_array_add (self->loops, node);
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    find_below (self, ls_node_get_child (node, i));
  if (ls_is (node, FOR) && self->block == NULL)
    g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
}

/* ---- JSON and text, side by side --------------------------------------------------------- */

static void
add_number (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  if (value < 0)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, value);
}

static void
begin_list (JsonBuilder *builder, const char *name)
{
  if (builder == NULL)
    return;
  ls_json_begin_array (builder, name);
}

static void
end_list (JsonBuilder *builder)
{
  if (builder != NULL)
    json_builder_end_array (builder);
}

/* "12" or "?". (transfer full) */
static char *
number_text (gint64 value)
{
  return value < 0 ? g_strdup ("?") : g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

static const char *
name_of_node (LsNode *node)
{
  return node == NULL ? NULL : ls_is (node, FOR) ? ((LsFor *) node)->loop_var->name : ((LsBlock *) node)->name_hint;
}

/* ---- dependences ---- */

static void
give_dependences (Request *request, LsNode *only, JsonBuilder *builder)
{
  g_autoptr (GArray) found = ls_inspect_dependences (request->prim);
  guint n = 0;

  begin_list (builder, "dependences");
  if (builder == NULL)
    puts ("Dependences between blocks");
  for (guint i = 0; i < found->len; i++)
    {
      LsDependence *d = &g_array_index (found, LsDependence, i);

      if (only != NULL && LS_NODE (d->from) != only && LS_NODE (d->to) != only)
        continue;
      n++;
      if (builder == NULL)
        {
          printf ("  %s -> %s  %s  %s\n", d->from->name_hint, d->to->name_hint, ls_dependence_kind_name (d->kind), d->buffer->name);
          continue;
        }
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "from", d->from->name_hint);
      ls_json_put_text (builder, "to", d->to->name_hint);
      ls_json_put_text (builder, "kind", ls_dependence_kind_name (d->kind));
      ls_json_put_text (builder, "buffer", d->buffer->name);
      json_builder_end_object (builder);
    }
  if (builder == NULL && n == 0)
    puts ("  none");
  end_list (builder);
}

/* ---- lifetimes ---- */

static void
give_lifetime (LsLifetime *l, JsonBuilder *builder)
{
  g_autofree char *bytes = number_text (l->bytes);
  const char *first = l->first != NULL ? l->first->name_hint : "never used";
  const char *last = l->last != NULL ? l->last->name_hint : "";

  if (builder == NULL)
    {
      printf ("  %-20s %-10s %12s bytes  %s%s%s%s%s\n", l->buffer->name, l->is_param ? "parameter" : ls_buffer_scope (l->buffer), bytes, first,
              l->last != l->first ? " .. " : "", l->last != l->first ? last : "", l->around != NULL ? "  in each iteration of " : "",
              l->around != NULL ? name_of_node (l->around) : "");
      return;
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "buffer", l->buffer->name);
  ls_json_put_text (builder, "scope", ls_buffer_scope (l->buffer));
  ls_json_put_bool (builder, "parameter", l->is_param);
  add_number (builder, "bytes", l->bytes);
  ls_json_put_text (builder, "first", l->first != NULL ? first : NULL);
  ls_json_put_text (builder, "last", l->last != NULL ? last : NULL);
  ls_json_put_text (builder, "around", name_of_node (l->around));
  json_builder_end_object (builder);
}

static void
give_lifetimes (Request *request, JsonBuilder *builder)
{
  gint64 peak;
  g_autoptr (GArray) lifetimes = ls_inspect_lifetimes (request->prim, &peak);
  g_autofree char *text = number_text (peak);

  begin_list (builder, "buffers");
  if (builder == NULL)
    puts ("\nBuffers, from the block that uses them first to the last one");
  for (guint i = 0; i < lifetimes->len; i++)
    give_lifetime (&g_array_index (lifetimes, LsLifetime, i), builder);
  end_list (builder);
  if (builder != NULL)
    add_number (builder, "peak_bytes", peak);
  else
    printf ("  allocations alive at one time: at most %s bytes\n", text);
}

/* ---- the tree of loops ---- */

static void
print_tree (LsLoopNode *node, guint depth)
{
  printf ("  %*s%s", (int) depth * 2, "", node->name);
  if (node->step > 0)
    printf ("  (%s in step %u", ls_lineage_how_name (node->how), node->step);
  for (guint i = 0; node->parents->len > 1 && i < node->parents->len; i++)
    printf ("%s%s", i == 0 ? ", from " : " and ", ((LsLoopNode *) node->parents->pdata[i])->name);
  printf ("%s%s\n", node->step > 0 ? ")" : "", node->is_alive ? "" : "  gone");
  for (guint i = 0; i < node->children->len; i++)
    print_tree (node->children->pdata[i], depth + 1);
}

static void
add_tree (JsonBuilder *builder, LsLoopNode *node)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "loop", node->name);
  add_number (builder, "id", node->id);
  add_number (builder, "step", node->step);
  ls_json_put_text (builder, "how", node->step > 0 ? ls_lineage_how_name (node->how) : "first");
  ls_json_put_bool (builder, "alive", node->is_alive);
  begin_list (builder, "parents");
  for (guint i = 0; i < node->parents->len; i++)
    json_builder_add_int_value (builder, ((LsLoopNode *) node->parents->pdata[i])->id);
  end_list (builder);
  json_builder_end_object (builder);
}

static void
give_tree (Request *request, JsonBuilder *builder)
{
  g_autoptr (GPtrArray) tree = ls_schedule_loop_tree (request->schedule);

  begin_list (builder, "loops");
  if (builder == NULL)
    puts ("\nLoops and what became of them");
  for (guint i = 0; i < tree->len; i++)
    {
      LsLoopNode *node = tree->pdata[i];

      if (builder != NULL)
        add_tree (builder, node);
      else if (node->parents->len == 0)
        print_tree (node, 0);
    }
  end_list (builder);
}

/* ---- a footprint ---- */

static void
give_footprint (Request *request, LsNode *node, JsonBuilder *builder)
{
  g_autoptr (GArray) footprint = ls_inspect_footprint (request->prim, node, (guint) request->line_bytes);

  begin_list (builder, "footprint");
  if (builder == NULL)
    printf ("What %s %s touches in one execution\n  %-20s %-5s %12s %12s %12s %14s %12s\n", ls_is (node, FOR) ? "loop" : "block", name_of_node (node), "", "",
            "elements", "bytes", "cache lines", "per iteration", "accesses");
  for (guint i = 0; i < footprint->len; i++)
    {
      LsFootprint *f = &g_array_index (footprint, LsFootprint, i);
      g_autofree char *elements = number_text (f->elements);
      g_autofree char *bytes = number_text (f->bytes);
      g_autofree char *lines = number_text (f->lines);
      g_autofree char *once = number_text (f->per_iteration);
      g_autofree char *accesses = number_text (f->accesses);

      if (builder == NULL)
        {
          printf ("  %-20s %-5s %12s %12s %12s %14s %12s\n", f->buffer->name, f->is_read && f->is_written ? "r+w" : f->is_read ? "r" : "w", elements, bytes, lines, once,
                  accesses);
          continue;
        }
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "buffer", f->buffer->name);
      ls_json_put_bool (builder, "read", f->is_read);
      ls_json_put_bool (builder, "written", f->is_written);
      add_number (builder, "elements", f->elements);
      add_number (builder, "bytes", f->bytes);
      add_number (builder, "cache_lines", f->lines);
      add_number (builder, "per_iteration", f->per_iteration);
      add_number (builder, "accesses", f->accesses);
      json_builder_end_object (builder);
    }
  end_list (builder);
}

/* ---- iterations ---- */

/* Edges of one pair of blocks, kind and buffer. */
typedef struct {
  LsIterationDep first;
  LsBlock   *from, *to;
  guint      n;
  GPtrArray *distances;         /* of char */
  gboolean   more;
} Bundle;

static void
bundle_clear (gpointer data)
{
  g_ptr_array_unref (((Bundle *) data)->distances);
}

/* How many loops two instances' blocks share: loops of the block that come first in both. */
static guint
shared_loops (LsPrimFunc *func, LsBlock *a, LsBlock *b)
{
  Request one = { .block = a->name_hint };
  Request other = { .block = b->name_hint };
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  g_autoptr (GPtrArray) right = g_ptr_array_new ();
  Finder first = { &one, left, NULL, NULL, names };
  Finder second = { &other, right, NULL, NULL, names };
  guint n = 0;

  find_below (&first, LS_NODE (func->body));
  find_below (&second, LS_NODE (func->body));
  while (n < left->len && n < right->len && left->pdata[n] == right->pdata[n])
    n++;
  return n;
}

static void
note_distance (Bundle *bundle, LsIterationDeps *deps, LsIterationDep *dep, guint shared)
{
  LsInstance *from = &g_array_index (deps->instances, LsInstance, dep->from);
  LsInstance *to = &g_array_index (deps->instances, LsInstance, dep->to);
  GString *text = g_string_new ("(");

  for (guint i = 0; i < shared && i < from->n_values && i < to->n_values; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", to->values[i] - from->values[i]);
  g_string_append_c (text, ')');
  for (guint i = 0; i < bundle->distances->len; i++)
    if (strcmp (bundle->distances->pdata[i], text->str) == 0)
      {
        g_string_free (text, TRUE);
        return;
      }
  if (bundle->distances->len < MAX_DISTANCES)
    {
      g_ptr_array_add (bundle->distances, g_string_free (text, FALSE));
      return;
    }
  bundle->more = TRUE;
  g_string_free (text, TRUE);
}

static GArray *
make_bundles (Request *request, LsIterationDeps *deps)
{
  GArray *bundles = g_array_new (FALSE, FALSE, sizeof (Bundle));

  g_array_set_clear_func (bundles, bundle_clear);
  for (guint i = 0; i < deps->deps->len; i++)
    {
      LsIterationDep *dep = &g_array_index (deps->deps, LsIterationDep, i);
      LsBlock *from = g_array_index (deps->instances, LsInstance, dep->from).block;
      LsBlock *to = g_array_index (deps->instances, LsInstance, dep->to).block;
      Bundle fresh = { *dep, from, to, 0, NULL, FALSE };
      Bundle *bundle = NULL;

      for (guint k = 0; bundle == NULL && k < bundles->len; k++)
        {
          Bundle *known = &g_array_index (bundles, Bundle, k);

          if (known->from == from && known->to == to && known->first.kind == dep->kind && known->first.buffer == dep->buffer)
            bundle = known;
        }
      if (bundle == NULL)
        {
          fresh.distances = g_ptr_array_new_with_free_func (g_free);
          g_array_append_val (bundles, fresh);
          bundle = &g_array_index (bundles, Bundle, bundles->len - 1);
        }
      bundle->n++;
      note_distance (bundle, deps, dep, shared_loops (request->prim, from, to));
    }
  return bundles;
}

static void
give_iterations (Request *request, LsIterationDeps *deps, LsNode *only, JsonBuilder *builder)
{
  static const char *const KINDS[] = { "RAW", "WAW", "WAR" };
  g_autoptr (GArray) bundles = make_bundles (request, deps);

  begin_list (builder, "iterations");
  if (builder == NULL)
    printf (deps->instances->len == 1 ? "\nDependences between iterations (%u instance ran); distances over the loops that both blocks share\n"
                                      : "\nDependences between iterations (%u instances ran); distances over the loops that both blocks share\n", deps->instances->len);
  for (guint i = 0; i < bundles->len; i++)
    {
      Bundle *b = &g_array_index (bundles, Bundle, i);

      if (only != NULL && LS_NODE (b->from) != only && LS_NODE (b->to) != only)
        continue;
      if (builder == NULL)
        {
          printf ("  %s -> %s  %s  %s: %u, distance", b->from->name_hint, b->to->name_hint, KINDS[b->first.kind], b->first.buffer->name, b->n);
          for (guint d = 0; d < b->distances->len; d++)
            printf (" %s", (const char *) b->distances->pdata[d]);
          printf ("%s\n", b->more ? " ..." : "");
          continue;
        }
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "from", b->from->name_hint);
      ls_json_put_text (builder, "to", b->to->name_hint);
      ls_json_put_text (builder, "kind", KINDS[b->first.kind]);
      ls_json_put_text (builder, "buffer", b->first.buffer->name);
      add_number (builder, "edges", b->n);
      begin_list (builder, "distances");
      for (guint d = 0; d < b->distances->len; d++)
        json_builder_add_string_value (builder, b->distances->pdata[d]);
      end_list (builder);
      ls_json_put_bool (builder, "more_distances", b->more);
      json_builder_end_object (builder);
    }
  end_list (builder);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void
give_all (Request *request, LsIterationDeps *deps, LsNode *block, LsNode *place, JsonBuilder *builder)
{
  if (place != NULL)
    give_footprint (request, place, builder);
  if (builder == NULL && place != NULL)
    putchar ('\n');
  give_dependences (request, block, builder);
  if (place == NULL)
    {
      give_lifetimes (request, builder);
      give_tree (request, builder);
    }
  if (deps != NULL)
    give_iterations (request, deps, block, builder);
}

static int
give (Request *request, const char *command, LsNode *block, LsNode *place)
{
  g_autoptr (JsonBuilder) builder = request->json ? json_builder_new () : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsIterationDeps) deps = request->iterations ? ls_iteration_deps (request->prim, MAX_INSTANCES, &error) : NULL;

  if (error != NULL)
    return ls_cli_fail (command, "%s", error->message);
  if (builder != NULL)
    json_builder_begin_object (builder);
  give_all (request, deps, block, place, builder);
  if (request->accesses && !ls_cli_give_accesses (request->prim, builder, &error))
    return ls_cli_fail (command, "%s", error->message);
  if (builder == NULL)
    return LS_CLI_DONE;
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

static int
inspect (Request *request, const char *command)
{
  g_autoptr (LsSchedule) schedule = ls_cli_read_schedule (command, request->file, request->steps, 0);
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  g_autoptr (GString) names = g_string_new (NULL);
  Finder finder = { request, loops, NULL, NULL, names };

  request->schedule = schedule;
  if (schedule == NULL || !find_func (request, command))
    return LS_CLI_FAILED;
  if (request->block == NULL)
    return give (request, command, NULL, NULL);
  find_below (&finder, LS_NODE (request->prim->body));
  if (finder.block == NULL)
    return ls_cli_fail (command, "there is no block %s; the blocks are %s", request->block, names->str);
  if (request->loop != NULL && finder.loop == NULL)
    {
      g_string_truncate (names, 0);
      for (guint i = 0; i < loops->len; i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name_of_node (loops->pdata[i]));
      return ls_cli_fail (command, "there is no loop %s around block %s; its loops are %s", request->loop, request->block, names->str);
    }
  return give (request, command, finder.block, finder.loop != NULL ? finder.loop : finder.block);
}

int
ls_cli_inspect (int argc, char **argv)
{
  Request request = { .line_bytes = 64 };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--accesses", LS_CLI_FLAG, &request.accesses },
    { "--iterations", LS_CLI_FLAG, &request.iterations },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--block", LS_CLI_TEXT, &request.block },
    { "--loop", LS_CLI_TEXT, &request.loop },
    { "--line-bytes", LS_CLI_NUMBER, &request.line_bytes },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.file == NULL)
    return ls_cli_usage (argv[0], "a file is expected");
  if (request.loop != NULL && request.block == NULL)
    return ls_cli_usage (argv[0], "--loop needs --block: the loop around which block?");
  if (request.line_bytes < 1 || request.line_bytes > 65536)
    return ls_cli_usage (argv[0], "--line-bytes is a number from 1 to 65536");
  return inspect (&request, argv[0]);
}
