/* debugged: what the methods of the debugger share: the program that is asked about, the sizes that are to be told, and the language that is spoken. */
#include "app/worker/debugged.h"
#include "app/worker/server.h"

#include "engine/debug/debug.h"
#include "engine/debug/vm.h"

#include <string.h>

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

/* ---- language --------------------------------------------------------------------------------- */

#define MAGIC 0x950412deu

static GVariant *catalogue;     /* holds the texts */
static GHashTable *sentences;   /* English -> translated */

static const char *
translate (const char *text)
{
  const char *other = g_hash_table_lookup (sentences, text);

  return other != NULL ? other : text;
}

static guint32
word_at (const guchar *bytes,
         gsize         at)
{
  guint32 word;

  memcpy (&word, bytes + at, sizeof word);
  return word;
}

/* The text of an entry of a table of (length, offset), or NULL where it is not within the bytes. */
static const char *
text_at (const guchar *bytes,
         gsize         n,
         gsize         entry)
{
  guint32 length, offset;

  if (entry + 8 > n)
    return NULL;
  length = word_at (bytes, entry);
  offset = word_at (bytes, entry + 4);
  return (gsize) offset + length < n && bytes[offset + length] == 0 ? (const char *) bytes + offset : NULL;
}

/* The format is that of GNU gettext: magic, revision, how many, where the originals and the translations are told of. */
void
ls_worker_speak (GVariant *params)
{
  g_autoptr (GVariant) sent = ls_params_value (params, "catalogue");
  gsize n = 0;
  const guchar *bytes = sent != NULL && g_variant_is_of_type (sent, G_VARIANT_TYPE_BYTESTRING) ? g_variant_get_fixed_array (sent, &n, 1) : NULL;
  g_autoptr (GHashTable) table = NULL;
  guint32 count;

  if (bytes == NULL || n < 28 || word_at (bytes, 0) != MAGIC)
    return;
  count = word_at (bytes, 8);
  table = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint32 i = 0; i < count; i++)
    {
      const char *from = text_at (bytes, n, (gsize) word_at (bytes, 12) + 8 * (gsize) i), *to = text_at (bytes, n, (gsize) word_at (bytes, 16) + 8 * (gsize) i);

      if (from == NULL || to == NULL)
        break;
      if (*from != 0 && *to != 0)
        g_hash_table_insert (table, (gpointer) from, (gpointer) to);
    }
  ls_set_translator (NULL);
  g_clear_pointer (&sentences, g_hash_table_unref);
  g_clear_pointer (&catalogue, g_variant_unref);
  catalogue = g_steal_pointer (&sent);
  sentences = g_steal_pointer (&table);
  ls_set_translator (translate);
}
