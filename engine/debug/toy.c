/* toy: a program with its extents shrunk and its structure kept.
 *
 * Extents larger than the size become multiples of it, in their order, so that different ones stay different; one that is a little
 * more than another (a window, a padding) stays as much more.  The numbers are replaced wherever the text has them, the text is read
 * again, and the result has to have the same statements and to run without an access outside.  A number in an expression that came from
 * an extent in another form (a mean's 1/n) stays what it was.
 */
#include "engine/debug/debug-private.h"

#include <string.h>

#define LITTLE 8                /* an extent this much over another one belongs to it */
#define MOST_STATEMENTS 20000000

static void
add_extent (GArray  *extents,
            gpointer expr)
{
  gint64 value;

  if (expr == NULL || !ls_as_int (expr, &value))
    return;
  for (guint i = 0; i < extents->len; i++)
    if (g_array_index (extents, gint64, i) == value)
      return;
  g_array_append_val (extents, value);
}

static LsWalk
collect (LsNode  *node,
         gpointer user_data)
{
  if (ls_is (node, FOR))
    add_extent (user_data, ((LsFor *) node)->extent);
  else if (ls_is (node, ITER_VAR) && ((LsIterVar *) node)->dom != NULL)
    add_extent (user_data, ((LsIterVar *) node)->dom->extent);
  else if (ls_is (node, BUFFER))
    for (guint i = 0; i < ((LsBuffer *) node)->shape->n; i++)
      add_extent (user_data, ((LsBuffer *) node)->shape->items[i]);
  return LS_WALK_CONTINUE;
}

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/* What becomes of each extent, as text -> text; *words tells it. */
static GHashTable *
choose (GArray  *extents,
        gint64   size,
        char   **words)
{
  GHashTable *becomes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GString *told = g_string_new (NULL);
  gint64 before = 0, after = 0, next = size;

  for (guint i = 0; i < extents->len; i++)
    {
      gint64 old = g_array_index (extents, gint64, i), fresh;

      if (old <= size)
        continue;
      if (before > 0 && old - before <= LITTLE)
        fresh = after + (old - before);
      else
        {
          fresh = next;
          next += size;
        }
      fresh = MIN (fresh, old);
      next = MAX (next, (fresh / size + 1) * size);
      before = old;
      after = fresh;
      if (fresh == old)
        continue;
      g_hash_table_insert (becomes, g_strdup_printf ("%" G_GINT64_FORMAT, old), g_strdup_printf ("%" G_GINT64_FORMAT, fresh));
      g_string_append_printf (told, "%s%" G_GINT64_FORMAT " \xe2\x86\x92 %" G_GINT64_FORMAT, told->len > 0 ? ", " : "", old, fresh);
    }
  *words = g_string_free (told, FALSE);
  return becomes;
}

/* A number that is no extent but near one, such as the bound of a padding, stays as near. */
static gboolean
replace_number (const GMatchInfo *match,
                GString          *result,
                gpointer          user_data)
{
  g_autofree char *number = g_match_info_fetch (match, 0);
  const char *fresh = g_hash_table_lookup (user_data, number);

  for (gint64 k = 1; fresh == NULL && k <= LITTLE; k++)
    for (int sign = -1; fresh == NULL && sign <= 1; sign += 2)
      {
        gint64 value = g_ascii_strtoll (number, NULL, 10);
        g_autofree char *near = g_strdup_printf ("%" G_GINT64_FORMAT, value + sign * k);
        const char *of_near = value > LITTLE ? g_hash_table_lookup (user_data, near) : NULL;

        if (of_near == NULL)
          continue;
        g_string_append_printf (result, "%" G_GINT64_FORMAT, MAX (g_ascii_strtoll (of_near, NULL, 10) - sign * k, 0));
        return FALSE;
      }
  g_string_append (result, fresh != NULL ? fresh : number);
  return FALSE;
}

static LsWalk
note_kind (LsNode  *node,
           gpointer user_data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is_stmt (node))
    g_string_append_c (user_data, (char) ('!' + ls_kind (node) % 90));
  return LS_WALK_CONTINUE;
}

gboolean
ls_debug_same_structure (LsModule *a,
                         LsModule *b)
{
  g_autoptr (GString) left = g_string_new (NULL);
  g_autoptr (GString) right = g_string_new (NULL);

  for (guint i = 0; i < ls_array_n (a->functions); i++)
    if (ls_is (a->functions->items[i], PRIM_FUNC))
      ls_walk (ls_array_at (a->functions, i, LsPrimFunc)->body, note_kind, NULL, left);
  for (guint i = 0; i < ls_array_n (b->functions); i++)
    if (ls_is (b->functions->items[i], PRIM_FUNC))
      ls_walk (ls_array_at (b->functions, i, LsPrimFunc)->body, note_kind, NULL, right);
  return g_string_equal (left, right);
}

static gboolean
runs (LsModule  *module,
      GError   **error)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);
      g_autoptr (GArray) args = NULL;
      LsBudget budget;
      LsInterpOptions options = { .module = module, .budget = &budget };
      g_autoptr (GError) trouble = NULL;

      if (!ls_is (func, PRIM_FUNC))
        continue;
      args = ls_debug_arguments (func, NULL, NULL);
      if (args == NULL)
        continue;               /* symbolic extents: its caller gives them */
      ls_budget_init (&budget, MOST_STATEMENTS, NULL);
      if (!ls_interp_run (func, (LsInterpArg *) args->data, args->len, &options, &trouble)
          && g_error_matches (trouble, LS_INTERP_ERROR, LS_INTERP_ERROR_BOUNDS))
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&trouble), "%s ", ls_translate ("With shrunk extents the program reaches outside:"));
          return FALSE;
        }
    }
  return TRUE;
}

LsModule *
ls_debug_toy (LsModule  *module,
              gint64     size,
              char     **words,
              GError   **error)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) becomes = NULL;
  g_autoptr (GRegex) number = g_regex_new ("(?<![\\w.\"])\\d+(?![\\w.\"])", 0, 0, NULL);
  LsScriptPrintOptions options = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (module, &options, NULL);
  g_autofree char *told = NULL;
  g_autofree char *fresh = NULL;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) made = NULL;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);

        ls_walk (func->body, collect, NULL, extents);
        for (guint k = 0; k < func->params->n; k++)
          if (ls_prim_func_get_buffer (func, k) != NULL)
            collect (LS_NODE (ls_prim_func_get_buffer (func, k)), extents);
      }
  g_array_sort (extents, by_size);
  becomes = choose (extents, MAX (size, 2), &told);
  fresh = g_regex_replace_eval (number, text, -1, 0, 0, replace_number, becomes, NULL);
  source = ls_source_new ("toy", fresh, -1);
  made = ls_script_parse (source, findings);
  if (made == NULL || ls_diagnostics_has_error (findings) || !ls_debug_same_structure (module, made))
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The extents cannot be shrunk with the structure kept (%s)."), told);
      return NULL;
    }
  if (!runs (made, error))
    return NULL;
  if (words != NULL)
    *words = g_steal_pointer (&told);
  return g_steal_pointer (&made);
}
