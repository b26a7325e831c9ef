/* The method lower: a function before and after each pass of the pipeline that builds it. */
#include "app/worker/program.h"

#include "engine/script/printer.h"
#include "engine/tir/pass/pass.h"

#define STAGE "(sxssa(uuu))"

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
static GVariant *
list_places (Lowering    *self,
             const char  *text,
             LsSourceMap *map)
{
  GVariantBuilder builder;
  guint n, characters = 0;
  guint32 byte = 0;
  const LsSourceRange *ranges = ls_source_map_get_ranges (map, &n);

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(uuu)"));
  for (guint i = 0; i < n; i++)
    {
      guint loop = GPOINTER_TO_UINT (g_hash_table_lookup (self->loops, ranges[i].node));
      glong length = g_utf8_strlen (text + ranges[i].start, (gssize) (ranges[i].end - ranges[i].start));

      if (ranges[i].role == LS_SOURCE_NODE || loop == 0)
        continue;
      characters += (guint) g_utf8_strlen (text + byte, (gssize) (ranges[i].start - byte));
      byte = ranges[i].start;
      g_variant_builder_add (&builder, "(uuu)", characters, characters + (guint) length, loop - 1);
    }
  return g_variant_builder_end (&builder);
}

/* Takes `places`. */
static void
add_stage (GVariantBuilder *stages,
           const char      *name,
           gint64           ns,
           const char      *trouble,
           const char      *text,
           GVariant        *places)
{
  g_variant_builder_open (stages, G_VARIANT_TYPE (STAGE));
  g_variant_builder_add (stages, "s", name);
  g_variant_builder_add (stages, "x", ns);
  g_variant_builder_add (stages, "s", trouble);
  g_variant_builder_add (stages, "s", text);
  g_variant_builder_add_value (stages, places);
  g_variant_builder_close (stages);
}

/* Adds the program: that after the pass `name`, which took `ns`. */
static void
add_program (GVariantBuilder *stages,
             Lowering        *self,
             LsModule        *module,
             const char      *name,
             gint64           ns)
{
  LsScriptPrintOptions options = { .function_name = self->name, .no_header = TRUE };
  g_autoptr (LsSourceMap) map = NULL;
  g_autofree char *text = ls_script_print (ls_module_get (module, self->name), &options, &map);

  add_stage (stages, name, ns, "", text, list_places (self, text, map));
}

static void
add_nothing (GVariantBuilder *stages,
             const char      *name,
             gint64           ns,
             const char      *trouble)
{
  add_stage (stages, name, ns, trouble, "", g_variant_new_array (G_VARIANT_TYPE ("(uuu)"), NULL, 0));
}

/* All passes in order, each named before it runs; behind one that cannot do its work the others are only listed. */
static GVariant *
run_passes (LsRequest *request,
            Lowering  *self,
            LsModule  *module)
{
  GVariantBuilder stages;
  g_autoptr (LsModule) current = ls_ref (module);
  gboolean stopped = FALSE;
  guint n;
  const LsPass *const *passes = ls_pass_list (&n);

  g_variant_builder_init (&stages, G_VARIANT_TYPE ("a" STAGE));
  add_program (&stages, self, module, "", -1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) trouble = NULL;
      g_autoptr (LsModule) after = NULL;
      gint64 start = ls_clock_ns (), ns;

      if (stopped)
        {
          add_nothing (&stages, passes[i]->name, -1, "");
          continue;
        }
      ls_request_progress (request, (double) i / n, passes[i]->name);
      after = ls_pass_run_module (passes[i], current, &trouble);
      ns = ls_clock_ns () - start;
      stopped = after == NULL;
      if (stopped)
        add_nothing (&stages, passes[i]->name, ns, trouble->message);
      else if (ls_structural_equal (current, after, FALSE, NULL, NULL))
        add_nothing (&stages, passes[i]->name, ns, "");
      else
        add_program (&stages, self, after, passes[i]->name, ns);
      if (!stopped)
        ls_take (&current, g_steal_pointer (&after));
    }
  return g_variant_builder_end (&stages);
}

/* module, func -> function s; stages a(sxssa(uuu)): the function as written, then for each pass its name, what it took in ns (-1: not
 * reached), why it could not go on or "", the function after it or "" where it is as before, and in that text the variables of
 * the loops as written: from and to which character, which loop. */
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
