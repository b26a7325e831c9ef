/* relax-host: one call of Relax's vocabulary with the objects of a program as arguments.
 *
 * relax.op.matmul (x, w) in Python means what R.matmul (x, w) means in a script: the same parameters, defaults and
 * conversions.  Here the arguments come from the host instead of from the text.  What a script would bind to a variable
 * of its own (a call as an argument) is put back where it stood, as Python keeps expressions nested.
 */
#include "engine/script/script-private.h"

static void
state_clear (LsRelaxState *state)
{
  g_hash_table_unref (state->symbols);
  g_hash_table_unref (state->declared);
  g_hash_table_unref (state->signature);
  g_hash_table_unref (state->outputs);
  g_ptr_array_unref (state->params);
  g_ptr_array_unref (state->blocks);
  g_ptr_array_unref (state->bindings);
}

static void
state_init (LsRelaxState *state)
{
  memset (state, 0, sizeof *state);
  state->symbols = g_hash_table_new (g_str_hash, g_str_equal);
  state->declared = g_hash_table_new (g_str_hash, g_str_equal);
  state->signature = g_hash_table_new (NULL, NULL);
  state->outputs = g_hash_table_new (g_str_hash, g_str_equal);
  state->params = g_ptr_array_new ();
  state->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  state->bindings = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
}

/* The node with the values of the bindings for their variables. (transfer full) */
static LsNode *
nest (LsNode    *node,
      GPtrArray *bindings)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < bindings->len; i++)
    {
      LsVarBinding *binding = bindings->pdata[i];

      if (ls_is (binding, VAR_BINDING))
        g_hash_table_insert (values, binding->var, ls_substitute (binding->value, values));
    }
  return ls_substitute (node, values);
}

static void
fill_args (LsParse      *p,
           LsRelaxArgs  *args,
           const char   *path,
           gpointer     *objects,
           const char  **names,
           guint         n)
{
  memset (args, 0, sizeof *args);
  args->n = n;
  args->values = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));
  args->keywords = ls_arena_alloc (&p->arena, (n + 1) * sizeof (char *));
  args->taken = ls_arena_alloc (&p->arena, (n + 1) * sizeof (gboolean));
  args->spans = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsSpan));
  args->call = (LsSpan) { p->source_id, 0, (guint32) strlen (p->text) };
  args->name = path;
  for (guint i = 0; i < n; i++)
    {
      args->values[i] = ls_host_take (p, objects[i]);
      args->keywords[i] = names[i];
      args->spans[i] = args->call;
      args->n_positional += names[i] == NULL;
    }
}

LsNode *
ls_script_relax_call (const char    *path,
                      LsScriptHost  *host,
                      gpointer      *objects,
                      const char   **names,
                      guint          n,
                      LsDiagnostics *diagnostics)
{
  g_autoptr (LsSource) source = ls_source_new ("<python>", path, -1);
  LsRelaxState state;
  LsParse p;
  LsRelaxArgs args;
  LsValue *v;
  LsNode *result = NULL;

  ls_parse_init (&p, source, diagnostics);
  p.host = host;
  ls_python_defaults (&p);
  state_init (&state);
  p.relax = &state;
  state.unchecked = TRUE;
  fill_args (&p, &args, path, objects, names, n);
  v = ls_relax_call_args (&p, path, &args);
  if (v != NULL && v->kind == LS_VALUE_NODE && !ls_diagnostics_has_error (diagnostics))
    result = nest (v->node, state.bindings);
  else if (v != NULL && !ls_diagnostics_has_error (diagnostics))
    ls_parse_error (&p, args.call, "script/type", "%s gives %s.", path, ls_value_describe (&p, v));
  p.relax = NULL;
  ls_parse_clear (&p);
  state_clear (&state);
  return result;
}
