/* text-cache: see the header.
 *
 * Two tables: what is asked for is in the young one; when that is full, the old one is dropped and the young one becomes the old
 * one.  So what is drawn in every frame stays, and what scrolled away goes, without a clock or a list.
 */
#include "views/canvas/text-cache.h"

#include <string.h>

#define YOUNG_MOST 2048
#define TEXT_MOST 80            /* bytes; longer texts are seldom drawn twice */

typedef struct {
  LsFont font;
  char   text[TEXT_MOST + 1];
} Key;

typedef struct {
  GHashTable *young;            /* Key -> PangoLayout */
  GHashTable *old;
  guint       serial;           /* of the context that they were laid out with */
} Cache;

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint style = (guint) key->font.bold << 2 | (guint) key->font.mono << 1 | (guint) key->font.tabular;

  return g_str_hash (key->text) ^ (style * 0x9e3779b1u) ^ (guint) (key->font.pixels * 64.0f) ^ (guint) (key->font.scale * 4096.0f);
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->font.pixels == y->font.pixels && x->font.scale == y->font.scale && x->font.bold == y->font.bold &&
         x->font.mono == y->font.mono && x->font.tabular == y->font.tabular && strcmp (x->text, y->text) == 0;
}

static GHashTable *
table_new (void)
{
  return g_hash_table_new_full (key_hash, key_equal, g_free, g_object_unref);
}

static void
cache_free (gpointer data)
{
  Cache *cache = data;

  g_hash_table_unref (cache->young);
  g_hash_table_unref (cache->old);
  g_free (cache);
}

static GQuark
cache_quark (void)
{
  return g_quark_from_static_string ("ls-text-cache");
}

void
ls_text_cache_add (PangoContext *pango)
{
  Cache *cache = g_object_get_qdata (G_OBJECT (pango), cache_quark ());

  if (cache != NULL)
    return;
  cache = g_new0 (Cache, 1);
  cache->young = table_new ();
  cache->old = table_new ();
  cache->serial = pango_context_get_serial (pango);
  g_object_set_qdata_full (G_OBJECT (pango), cache_quark (), cache, cache_free);
}

/* Another serial: the context sets everything differently now. */
static void
follow_context (Cache        *cache,
                PangoContext *pango)
{
  guint serial = pango_context_get_serial (pango);

  if (serial == cache->serial)
    return;
  g_hash_table_remove_all (cache->young);
  g_hash_table_remove_all (cache->old);
  cache->serial = serial;
}

static void
keep (Cache       *cache,
      const Key   *key,
      PangoLayout *layout)
{
  if (g_hash_table_size (cache->young) >= YOUNG_MOST)
    {
      g_hash_table_unref (cache->old);
      cache->old = g_steal_pointer (&cache->young);
      cache->young = table_new ();
    }
  g_hash_table_insert (cache->young, g_memdup2 (key, sizeof *key), g_object_ref (layout));
}

PangoLayout *
ls_text_cache_get (PangoContext *pango,
                   const LsFont *font,
                   const char   *text)
{
  Cache *cache = g_object_get_qdata (G_OBJECT (pango), cache_quark ());
  gsize length = strlen (text);
  Key key;
  PangoLayout *layout;

  if (cache == NULL || length > TEXT_MOST)
    return ls_draw_layout (pango, font, text);
  follow_context (cache, pango);
  key.font = *font;
  memcpy (key.text, text, length + 1);
  layout = g_hash_table_lookup (cache->young, &key);
  if (layout != NULL)
    return g_object_ref (layout);
  layout = g_hash_table_lookup (cache->old, &key);
  layout = layout != NULL ? g_object_ref (layout) : ls_draw_layout (pango, font, text);
  keep (cache, &key, layout);
  return layout;
}
