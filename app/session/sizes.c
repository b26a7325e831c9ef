/* session/sizes: see the header. */
#include "app/session/sizes.h"

#include "app/session/run.h"
#include "engine/debug/vm.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST ((gint64) 1 << 40)

/* (transfer full), or NULL: no program */
static char **
names_of (LsDocument        *document,
          const char *const *set)
{
  LsModule *base = ls_document_get_base (document);
  const char *func = base != NULL ? ls_run_function (base) : NULL;

  return func != NULL ? ls_debug_symbols (base, func, set) : NULL;
}

/* "n" of "n=256". */
static gboolean
is_of (const char *word,
       const char *name)
{
  gsize length = strlen (name);

  return strncmp (word, name, length) == 0 && word[length] == '=';
}

/* Of the sizes that the program has: it may have been edited since. (transfer full) */
static char **
said (LsDocument *document)
{
  const char *sizes = ls_document_get (document)->sizes;
  g_auto (GStrv) words = g_strsplit (sizes != NULL ? sizes : "", " ", -1), names = words[0] != NULL ? names_of (document, NULL) : NULL;
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++)
    for (guint k = 0; names != NULL && names[k] != NULL; k++)
      if (is_of (words[i], names[k]))
        g_strv_builder_add (kept, words[i]);
  return g_strv_builder_end (kept);
}

char *
ls_sizes_text (LsDocument *document)
{
  g_auto (GStrv) all = names_of (document, NULL), set = said (document), left = NULL;
  GString *text;

  if (all == NULL || all[0] == NULL)
    return NULL;
  left = names_of (document, (const char *const *) set);
  text = g_string_new (NULL);
  for (guint i = 0; set[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", set[i]);
  for (guint i = 0; left[i] != NULL; i++)
    g_string_append_printf (text, "%s%s=", text->len > 0 ? " " : "", left[i]);
  return g_string_free (text, FALSE);
}

char *
ls_sizes_missing (LsDocument *document)
{
  g_auto (GStrv) set = said (document), left = names_of (document, (const char *const *) set);

  return left != NULL && left[0] != NULL ? g_strjoinv (", ", left) : NULL;
}

GPtrArray *
ls_sizes_list (LsDocument *document)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) set = said (document);

  for (guint i = 0; set[i] != NULL; i++)
    g_ptr_array_add (list, g_strdup (set[i]));
  return list;
}

void
ls_sizes_put (LsDocument   *document,
              GVariantDict *params)
{
  g_auto (GStrv) set = said (document);

  if (set[0] != NULL)
    g_variant_dict_insert (params, "set", "^as", set);
}

/* ---- what is said ------------------------------------------------------------------ */

static char *
trouble_of (const char  *word,
            char       **names)
{
  const char *equals = strchr (word, '=');
  gboolean known = FALSE;
  gint64 value;

  if (equals == NULL || equals == word)
    return g_strdup_printf (_("A size is said as NAME=NUMBER, not as %s."), word);
  for (guint i = 0; names[i] != NULL; i++)
    known |= is_of (word, names[i]);
  if (!known)
    {
      g_autofree char *name = g_strndup (word, (gsize) (equals - word)), *all = g_strjoinv (", ", names);

      return g_strdup_printf (_("The program has no size %s; it has %s."), name, all);
    }
  if (g_ascii_string_to_signed (equals + 1, 10, 1, MOST, &value, NULL))
    return NULL;
  return g_strdup_printf (_("A size is a whole number from 1 on, not %s."), equals + 1);
}

/* A later one of the same name counts. */
static void
put_word (GPtrArray  *words,
          const char *word)
{
  g_autofree char *name = g_strndup (word, strcspn (word, "="));

  for (guint i = 0; i < words->len; i++)
    if (is_of (words->pdata[i], name))
      g_ptr_array_remove_index (words, i--);
  g_ptr_array_add (words, g_strdup (word));
}

gboolean
ls_sizes_check (LsDocument  *document,
                const char  *text,
                char       **clean,
                char       **trouble)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ,;\t", -1), names = names_of (document, NULL);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);

  *clean = *trouble = NULL;
  if (names == NULL || names[0] == NULL)
    {
      *trouble = g_strdup (_("The program has no symbolic sizes."));
      return FALSE;
    }
  for (guint i = 0; words[i] != NULL; i++)
    {
      /* What was not filled in says nothing. */
      if (*words[i] == '\0' || (g_str_has_suffix (words[i], "=") && strlen (words[i]) > 1))
        continue;
      *trouble = trouble_of (words[i], names);
      if (*trouble != NULL)
        return FALSE;
      put_word (kept, words[i]);
    }
  g_ptr_array_add (kept, NULL);
  *clean = g_strjoinv (" ", (char **) kept->pdata);
  return TRUE;
}
