/* names: the table of what stands behind T. and I., collected from the files that carry it out, and the search for
 * the name that was probably meant (Damerau-Levenshtein distance). */
#include "engine/script/script-private.h"

static const LsEntryTable *
t_tables (guint i)
{
  switch (i)
    {
    case 0: return &ls_scope_entries;
    case 1: return &ls_buffer_entries;
    case 2: return &ls_math_entries;
    case 3: return &ls_intrin_entries;
    case 4: return &ls_stmt_entries;
    case 5: return &ls_object_entries;
    case 6: return &ls_block_entries;
    default: return NULL;
    }
}

typedef struct {
  GHashTable *entries;
  GPtrArray  *names;
} Space;

static void
add_table (Space              *space,
           const LsEntryTable *table)
{
  for (guint i = 0; i < table->n; i++)
    {
      g_hash_table_insert (space->entries, (gpointer) table->rows[i].name, (gpointer) &table->rows[i]);
      g_ptr_array_add (space->names, (gpointer) table->rows[i].name);
    }
}

static const Space *
space_of (const char *name)
{
  static Space t, ir;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      t = (Space) { g_hash_table_new (g_str_hash, g_str_equal), g_ptr_array_new () };
      ir = (Space) { g_hash_table_new (g_str_hash, g_str_equal), g_ptr_array_new () };
      for (guint i = 0; t_tables (i) != NULL; i++)
        add_table (&t, t_tables (i));
      add_table (&ir, &ls_ir_entries);
      g_once_init_leave (&ready, 1);
    }
  return strcmp (name, "T") == 0 ? &t : strcmp (name, "I") == 0 ? &ir : NULL;
}

const LsEntry *
ls_entry_lookup (const char *space,
                 const char *name)
{
  const Space *s = space_of (space);

  return s != NULL ? g_hash_table_lookup (s->entries, name) : NULL;
}

const char *
ls_entry_nearest (const char *space,
                  const char *name)
{
  const Space *s = space_of (space);

  return s != NULL ? ls_script_nearest (name, (const char *const *) s->names->pdata, s->names->len) : NULL;
}

#define MAX_NAME 40

static guint
distance (const char *a,
          const char *b)
{
  guint n = strlen (a), m = strlen (b);
  guint d[MAX_NAME + 1][MAX_NAME + 1];

  if (n > MAX_NAME || m > MAX_NAME)
    return G_MAXUINT;
  for (guint i = 0; i <= n; i++)
    d[i][0] = i;
  for (guint j = 0; j <= m; j++)
    d[0][j] = j;
  for (guint i = 1; i <= n; i++)
    for (guint j = 1; j <= m; j++)
      {
        guint cost = g_ascii_tolower (a[i - 1]) != g_ascii_tolower (b[j - 1]);

        d[i][j] = MIN (MIN (d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          d[i][j] = MIN (d[i][j], d[i - 2][j - 2] + 1);
      }
  return d[n][m];
}

const char *
ls_script_nearest (const char        *name,
                   const char *const *candidates,
                   guint              n)
{
  const char *best = NULL;
  guint best_distance = MAX (1, strlen (name) / 3) + 1;

  for (guint i = 0; i < n; i++)
    {
      guint d = distance (name, candidates[i]);

      if (d < strlen (name) && (d < best_distance || (d == best_distance && best != NULL && strcmp (candidates[i], best) < 0)))
        {
          best = candidates[i];
          best_distance = d;
        }
    }
  return best;
}

guint
ls_entry_count (void)
{
  return space_of ("T")->names->len + space_of ("I")->names->len;
}
