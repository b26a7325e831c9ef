/* What a part is known by where its answers are kept: its id, else what it says.  What a teacher puts in before it moves nothing. */
#include "app/lesson/lesson-private.h"

#include <string.h>

static void
add_words (GChecksum *sum,
           GPtrArray *blocks)
{
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    g_checksum_update (sum, (const guchar *) ((LsLessonBlock *) blocks->pdata[i])->text, -1);
}

static char *
print_of (const LsLessonPart *part)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  add_words (sum, part->blocks);
  g_checksum_update (sum, (const guchar *) (part->code != NULL ? part->code : ""), -1);
  g_checksum_update (sum, (const guchar *) (part->schedule != NULL ? part->schedule : ""), -1);
  return g_strndup (g_checksum_get_string (sum), 16);
}

/* The second part that says the same has a number. */
static char *
free_name (GHashTable *taken,
           const char *name)
{
  char *own = g_strdup (name);

  for (guint n = 2; !g_hash_table_add (taken, g_strdup (own)); n++)
    {
      g_free (own);
      own = g_strdup_printf ("%s %u", name, n);
    }
  return own;
}

char **
ls_lesson_hints (const LsLessonPart *part)
{
  return part->hints != NULL ? g_strdupv (part->hints) : g_new0 (char *, 1);
}

char **
ls_lesson_keys (LsLesson *lesson)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *keys = g_ptr_array_new ();

  for (guint i = 0; i < lesson->parts->len; i++)
    {
      const LsLessonPart *part = lesson->parts->pdata[i];
      g_autofree char *print = part->id == NULL ? print_of (part) : NULL;
      g_autofree char *name = part->id != NULL ? g_strdup_printf ("part %s", part->id) : g_strdup_printf ("says %s", print);

      g_ptr_array_add (keys, free_name (taken, name));
    }
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (keys, FALSE);
}
