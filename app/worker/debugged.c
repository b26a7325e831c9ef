/* debugged: what the methods of the debugger share: the program that is asked about, the sizes that are to be told, and which part of an array is
 * shown.
 */
#include "app/worker/debugged.h"
#include "app/worker/server.h"

#include "engine/debug/debug.h"
#include "engine/debug/vm.h"

#include <string.h>

#define SHOWN 32                /* rows and columns of a grid: MOST_GRID of engine/debug/command.c */

/* ---- what is shown of a buffer -------------------------------------------------------------------- */

/* The list of numbers `key` of the first of `list` that is of the buffer whose name `grid` begins with; NULL: none. (transfer full) */
static GVariant *
numbers_of (GVariant   *list,
            const char *name_key,
            const char *grid,
            const char *key)
{
  gsize length = strcspn (grid, "[ ");

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      const char *name = ls_params_string (one, name_key, "");
      GVariant *found = strlen (name) == length && strncmp (name, grid, length) == 0 ? ls_params_value (one, key) : NULL;

      if (found != NULL && g_variant_is_of_type (found, G_VARIANT_TYPE ("ax")) && g_variant_n_children (found) > 0)
        return found;
      if (found != NULL)
        g_variant_unref (found);
    }
  return NULL;
}

/* Where the statement touches the buffer: one index for each dimension. (transfer full), or NULL */
static GVariant *
touched (GVariant   *look,
         const char *grid)
{
  g_autoptr (GVariant) accesses = ls_params_value (look, "accesses");

  return numbers_of (accesses, "buffer", grid, "at");
}

/* From where on `SHOWN` of `extent` elements are shown that have the element `at` among them, in steps of half of that. */
static gint64
shown_from (gint64 at,
            gint64 extent)
{
  return CLAMP (at / (SHOWN / 2) * (SHOWN / 2) - SHOWN / 4, 0, MAX (extent - SHOWN, 0));
}

char *
ls_worker_part_touched (GVariant   *look,
                        const char *grid)
{
  g_autoptr (GVariant) buffers = ls_params_value (look, "buffers");
  g_autoptr (GVariant) at = touched (look, grid);
  g_autoptr (GVariant) shape = numbers_of (buffers, "name", grid, "shape");
  const char *behind = strchr (grid, ']') != NULL ? strchr (grid, ']') : grid;
  gsize n = 0, n_extents = 0;
  const gint64 *indices = at != NULL ? g_variant_get_fixed_array (at, &n, sizeof (gint64)) : NULL;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n_extents, sizeof (gint64)) : NULL;

  if (strchr (behind, ' ') != NULL || indices == NULL || n != n_extents)
    return g_strdup ("");       /* it says itself which part, or nothing is touched */
  return g_strdup_printf (" %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, n > 1 ? shown_from (indices[n - 2], extents[n - 2]) : 0, shown_from (indices[n - 1], extents[n - 1]));
}

char *
ls_worker_slice_followed (GVariant   *look,
                          const char *grid)
{
  g_autoptr (GVariant) at = touched (look, grid);
  const char *behind = strchr (grid, ']') != NULL ? strchr (grid, ']') + 1 : grid + strcspn (grid, " ");
  gsize n = 0;
  const gint64 *indices = at != NULL ? g_variant_get_fixed_array (at, &n, sizeof (gint64)) : NULL;
  GString *words;

  if (n < 3)
    return g_strdup (grid);
  words = g_string_new_len (grid, (gssize) strcspn (grid, "[ "));
  for (gsize d = 0; d + 2 < n; d++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "[", indices[d]);
  g_string_append_printf (words, "]%s", behind);
  return g_string_free (words, FALSE);
}

/* ---- the program ------------------------------------------------------------------------------ */

LsModule *
ls_worker_debugged (const char  *text,
                    gint64       toy,
                    GError     **error)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_source_new ("module", text, -1);
  g_autoptr (LsModule) module = ls_script_parse (source, findings);

  if (module == NULL || ls_diagnostics_has_error (findings))
    {
      ls_worker_refuse (error, "The program cannot be read.");
      return NULL;
    }
  return toy > 0 ? ls_debug_toy (module, toy, NULL, error) : g_steal_pointer (&module);
}

GPtrArray *
ls_worker_toys (GVariant   *params,
                gint64      size,
                char      **words,
                GError    **error)
{
  g_auto (GStrv) texts = ls_params_strv (params, "steps");
  const char *base_text = ls_params_require_string (params, "base", error);
  g_autoptr (LsModule) base = base_text != NULL ? ls_worker_debugged (base_text, 0, error) : NULL;
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_trace_unref);
  GPtrArray *made;

  if (base == NULL)
    return NULL;
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      LsTrace *trace = ls_trace_from_json (texts[i], findings);

      if (trace == NULL)
        {
          ls_worker_refuse (error, "The steps cannot be read.");
          return NULL;
        }
      g_ptr_array_add (traces, trace);
    }
  made = ls_debug_toy_scheduled (base, (LsTrace **) traces->pdata, traces->len, size, words, error);
  if (made != NULL)
    g_ptr_array_remove_index (made, 0);
  return made;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void
add_symbols (GPtrArray         *names,
             GVariant          *params,
             const char        *text,
             const char *const *set)
{
  g_autoptr (LsModule) module = text != NULL ? ls_worker_debugged (text, 0, NULL) : NULL;
  g_auto (GStrv) own = module != NULL ? ls_debug_symbols (module, ls_params_string (params, "func", NULL), set) : NULL;

  for (guint i = 0; own != NULL && own[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (names, own[i], g_str_equal, NULL))
      g_ptr_array_add (names, g_strdup (own[i]));
}

GVariant *
ls_worker_asks (GVariant  *params,
                GError   **error)
{
  static const char *const keys[] = { "module", "left", "right" };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) set = ls_params_strv (params, "set");
  GVariantDict dict;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    add_symbols (names, params, ls_params_string (params, keys[i], NULL), (const char *const *) set);
  if (names->len == 0)
    return NULL;
  g_ptr_array_add (names, NULL);
  g_clear_error (error);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "asks", "^as", names->pdata);
  return g_variant_dict_end (&dict);
}
