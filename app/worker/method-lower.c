/* The method lower: a function before and after each pass of the pipeline that builds it. */
#include "app/worker/program.h"
#include "app/worker/stages.h"

#include "engine/script/printer.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/settle.h"

typedef struct {
  const char *name;             /* of the function */
  GHashTable *loops;            /* LsVar -> its number among the loops of the function as written, plus one */
} Lowering;

static LsWalk
number_loop (LsNode  *node,
             gpointer data)
{
  GHashTable *loops = data;

  if (ls_is (node, FOR))
    g_hash_table_insert (loops, ((LsFor *) node)->loop_var, GUINT_TO_POINTER (g_hash_table_size (loops) + 1));
  return LS_WALK_CONTINUE;
}

/* Passes keep the variable of a loop that they keep: where it stands in the printed text, in characters. */
static GArray *
find_places (Lowering    *self,
             const char  *text,
             LsSourceMap *map)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (LsStagePlace));
  guint n, characters = 0;
  guint32 byte = 0;
  const LsSourceRange *ranges = ls_source_map_get_ranges (map, &n);

  for (guint i = 0; i < n; i++)
    {
      guint loop = GPOINTER_TO_UINT (g_hash_table_lookup (self->loops, ranges[i].node));
      glong length = g_utf8_strlen (text + ranges[i].start, (gssize) (ranges[i].end - ranges[i].start));
      LsStagePlace place;

      if (ranges[i].role == LS_SOURCE_NODE || loop == 0)
        continue;
      characters += (guint) g_utf8_strlen (text + byte, (gssize) (ranges[i].start - byte));
      byte = ranges[i].start;
      place = (LsStagePlace) { characters, characters + (guint) length, loop - 1 };
      g_array_append_val (places, place);
    }
  return places;
}

/* Adds the program: that after the pass `name`, which took `ns`. */
static void
add_program (LsStages   *stages,
             Lowering   *self,
             LsModule   *module,
             const char *name,
             gint64      ns)
{
  LsScriptPrintOptions options = { .function_name = self->name, .no_header = TRUE };
  g_autoptr (LsSourceMap) map = NULL;
  char *text = ls_script_print (ls_module_get (module, self->name), &options, &map);

  ls_stages_add (stages, name, ns, NULL, text, find_places (self, text, map));
}

/* All passes in order, each named before it runs; behind one that cannot do its work the others are only listed. */
static GVariant *
run_passes (LsRequest *request,
            Lowering  *self,
            LsModule  *module)
{
  g_autoptr (LsStages) stages = ls_stages_new ();
  g_autoptr (LsModule) current = ls_settle_sums_module (module);
  gboolean stopped = FALSE;
  guint n;
  const LsPass *const *passes = ls_pass_list (&n);

  add_program (stages, self, module, "", -1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) trouble = NULL;
      g_autoptr (LsModule) after = NULL;
      gint64 start = ls_clock_ns (), ns;

      if (stopped)
        {
          ls_stages_add (stages, passes[i]->name, -1, NULL, NULL, NULL);
          continue;
        }
      ls_request_progress (request, (double) i / n, passes[i]->name);
      after = ls_pass_run_module (passes[i], current, &trouble);
      ns = ls_clock_ns () - start;
      stopped = after == NULL;
      if (stopped)
        ls_stages_add (stages, passes[i]->name, ns, trouble->message, NULL, NULL);
      else if (ls_structural_equal (current, after, FALSE, NULL, NULL))
        ls_stages_add (stages, passes[i]->name, ns, NULL, NULL, NULL);
      else
        add_program (stages, self, after, passes[i]->name, ns);
      if (!stopped)
        ls_take (&current, g_steal_pointer (&after));
    }
  return ls_stages_end (stages, LS_STAGES_MOST);
}

/* module, func -> function s; stages as of ls_stages_end(), for the passes of the pipeline; the loops are those of the function as
 * written, in their order. */
static GVariant *
method_lower (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsModule) module = text != NULL ? ls_program_read_module (text, error) : NULL;
  g_autoptr (GHashTable) loops = g_hash_table_new (NULL, NULL);
  g_autoptr (LsModule) alone = NULL;
  Lowering self = { NULL, loops };
  LsPrimFunc *func = module != NULL ? ls_program_find_function (module, ls_params_string (params, "func", NULL), &self.name, error) : NULL;
  GVariantDict dict;

  if (func == NULL)
    return NULL;
  alone = ls_module_new (ls_array_of (ls_ref (ls_module_get_global_var (module, self.name)), NULL), ls_array_of (ls_ref (func), NULL), NULL, NULL);
  ls_walk (func, number_loop, NULL, loops);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", self.name);
  g_variant_dict_insert_value (&dict, "stages", run_passes (request, &self, alone));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_lower[] = {
  { "lower", method_lower, "A function before and after each pass of lowering." },
  { NULL, NULL, NULL },
};
