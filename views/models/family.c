/* family: letters and lists of lineage families. */
#include "views/models/family.h"

#include "engine/schedule/schedule.h"

#include <glib/gi18n.h>
#include <string.h>

LsFamilies
ls_families_one (guint family)
{
  LsFamilies families = LS_FAMILIES_NONE;

  ls_families_add (&families, family);
  return families;
}

void
ls_families_add (LsFamilies *families,
                 guint       family)
{
  if (ls_families_contains (families, family))
    return;
  if (families->n < LS_FAMILIES_MAX)
    families->family[families->n] = family;
  if (families->n < G_MAXUINT8)
    families->n++;
}

gboolean
ls_families_equal (const LsFamilies *a,
                   const LsFamilies *b)
{
  return a->n == b->n && memcmp (a->family, b->family, MIN (a->n, LS_FAMILIES_MAX) * sizeof a->family[0]) == 0;
}

guint
ls_families_shown (const LsFamilies *families)
{
  return MIN (families->n, LS_FAMILIES_MAX);
}

gboolean
ls_families_contains (const LsFamilies *families,
                      guint             family)
{
  for (guint i = 0; i < ls_families_shown (families); i++)
    if (families->family[i] == family)
      return TRUE;

  return FALSE;
}

char *
ls_families_describe (const LsFamilies *families)
{
  g_autoptr (GString) letters = g_string_new (NULL);

  if (families->n == 0)
    return NULL;

  for (guint i = 0; i < ls_families_shown (families); i++)
    {
      g_autofree char *letter = ls_family_letter (families->family[i]);

      if (i > 0)
        g_string_append (letters, ", ");
      g_string_append (letters, letter);
    }

  /* Translators: %s is a letter, or letters separated by commas */
  return g_strdup_printf (ngettext ("family %s", "families %s", families->n), letters->str);
}
