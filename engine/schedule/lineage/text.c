/* text: see the header.
 *
 * Two programs that are equal up to the names of variables have no changes.
 */
#include "engine/schedule/lineage/text-private.h"

#include "engine/script/printer.h"

#include <string.h>

void
ls_lineage_change_free (LsLineageChange *self)
{
  g_free (self->text);
  g_free (self->detail);
  g_array_unref (self->before);
  g_array_unref (self->after);
  g_free (self);
}

/* ---- all of it ---------------------------------------------------------------- */

/* The one thing before that this is still, or -1. */
static gint
source_of (LsTeller *self,
           gint      after)
{
  g_autoptr (GArray) list = ls_teller_sources_of (self, after, how_bit (LS_LINEAGE_KEPT) | how_bit (LS_LINEAGE_MOVED) | how_bit (LS_LINEAGE_CHANGED));

  return list->len > 0 ? (gint) g_array_index (list, guint, 0) : -1;
}

static gboolean *
without_link (LsTeller  *self,
              LsVersion *version)
{
  gboolean *alone = g_new0 (gboolean, ls_version_get_n (version) + 1);

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      g_autoptr (GArray) others = version == self->after ? ls_teller_sources_of (self, (gint) i, ALL_HOW) : ls_teller_results_of (self, (gint) i, ALL_HOW);

      alone[i] = others->len == 0 && !ls_teller_is_root (ls_version_at (version, i));
    }
  return alone;
}

static void
tell_itself (LsTeller *self,
             guint     after)
{
  LsEntity *entity = ls_version_at (self->after, after);
  g_autoptr (GArray) sources = ls_teller_sources_of (self, (gint) after, ALL_HOW);
  gint before = source_of (self, (gint) after);

  switch (entity->type)
    {
    case LS_ENTITY_LOOP:
      ls_teller_loop_itself (self, after, before);
      ls_teller_kind (self, after, sources);
      break;
    case LS_ENTITY_BLOCK:
      ls_teller_block_itself (self, after, before);
      break;
    case LS_ENTITY_BUFFER:
      ls_teller_buffer_itself (self, after, before);
      break;
    }
  ls_teller_annotations (self, after, sources);
}

/* What is neither loop, block nor buffer: attributes, bindings of axes, statements between. */
static void
tell_rest (LsTeller *self)
{
  LsModule *was = self->before->module;
  LsModule *is = self->after->module;
  g_autofree char *a = NULL, *b = NULL;

  if (ls_array_n (was->functions) == 1 && ls_array_n (is->functions) == 1)
    {
      const char *old = ls_array_at (was->global_vars, 0, LsGlobalVar)->name_hint;
      const char *new = ls_array_at (is->global_vars, 0, LsGlobalVar)->name_hint;

      if (strcmp (old, new) != 0)
        ls_teller_tell (self, LS_TEXT ("renamed"), LS_ENTITY_BLOCK, 0, g_strdup_printf ("function %s -> %s", old, new), NULL);
    }
  if (self->changes->len == 0 && !ls_structural_equal (self->before->module, self->after->module, FALSE, &a, &b))
    ls_teller_tell (self, LS_TEXT ("changed"), LS_ENTITY_BLOCK, 0, b == NULL ? g_strdup ("module") : g_strdup (b), g_strcmp0 (a, b) != 0 ? g_strdup_printf ("before: %s", a) : NULL);
}

static gint
by_place (gconstpointer a,
          gconstpointer b)
{
  const LsLineageChange *x = *(LsLineageChange *const *) a;
  const LsLineageChange *y = *(LsLineageChange *const *) b;
  guint left = x->after->len > 0 ? g_array_index (x->after, guint, 0) : G_MAXUINT;
  guint right = y->after->len > 0 ? g_array_index (y->after, guint, 0) : G_MAXUINT;

  return left < right ? -1 : left > right;
}

GPtrArray *
ls_lineage_describe (LsLineage *lineage)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lineage_change_free);
  g_autofree gboolean *spoken = g_new0 (gboolean, ls_version_get_n (lineage->after) + 1);
  g_autofree gboolean *fused = g_new0 (gboolean, ls_version_get_n (lineage->after) + 1);
  LsTeller self = { lineage, lineage->before, lineage->after, changes, fused, spoken };
  g_autofree gboolean *fresh = without_link (&self, lineage->after);
  g_autofree gboolean *gone = without_link (&self, lineage->before);

  if (ls_structural_equal (lineage->before->module, lineage->after->module, FALSE, NULL, NULL))
    return changes;
  for (guint i = 0; i < ls_version_get_n (lineage->before); i++)
    {
      if (ls_version_at (lineage->before, i)->type == LS_ENTITY_LOOP)
        ls_teller_split (&self, i);
      ls_teller_copied (&self, i);
    }
  for (guint i = 0; i < ls_version_get_n (lineage->after); i++)
    ls_teller_fused (&self, i);
  for (guint i = 0; i < ls_version_get_n (lineage->after); i++)
    {
      if (fresh[i])
        {
          ls_teller_alone (&self, lineage->after, LS_TEXT ("created"), &i, fresh);
          continue;
        }
      ls_teller_move (&self, i);
      tell_itself (&self, i);
    }
  g_ptr_array_sort (changes, by_place);
  for (guint i = 0; i < ls_version_get_n (lineage->before); i++)
    if (gone[i])
      ls_teller_alone (&self, lineage->before, LS_TEXT ("removed"), &i, gone);
  tell_rest (&self);
  return changes;
}

/* ---- the summary -------------------------------------------------------------- */

guint
ls_lineage_count_kept (LsLineage    *self,
                       GPtrArray    *changes,
                       LsEntityType  type)
{
  guint n = 0;

  for (guint i = 0; i < ls_version_get_n (self->after); i++)
    {
      gboolean told = ls_teller_is_root (ls_version_at (self->after, i)) || ls_version_at (self->after, i)->type != type;

      for (guint k = 0; !told && k < changes->len; k++)
        told = ls_teller_list_has (((LsLineageChange *) changes->pdata[k])->after, i);
      n += !told;
    }
  return n;
}

static void
append_count (GString      *text,
              const char   *before,
              guint         n,
              LsEntityType  type)
{
  static const char *const many[] = { [LS_ENTITY_LOOP] = "loops", [LS_ENTITY_BLOCK] = "blocks", [LS_ENTITY_BUFFER] = "buffers" };

  g_string_append_printf (text, "%s%u %s", before, n, n == 1 ? ls_entity_type_name (type) : many[type]);
}

static gboolean
was_counted (GPtrArray *changes,
             guint      at)
{
  LsLineageChange *change = changes->pdata[at];

  for (guint i = 0; i < at; i++)
    {
      LsLineageChange *other = changes->pdata[i];

      if (other->type == change->type && strcmp (other->how, change->how) == 0)
        return TRUE;
    }
  return FALSE;
}

char *
ls_lineage_summarize (LsLineage *self,
                      GPtrArray *changes)
{
  GString *text = g_string_new (NULL);
  guint kinds = 0, named = 0;

  for (guint i = 0; i < changes->len; i++)
    {
      LsLineageChange *change = changes->pdata[i];
      guint n = 0;

      if (was_counted (changes, i) || change->n_things == 0)
        continue;
      for (guint k = i; k < changes->len; k++)
        {
          LsLineageChange *other = changes->pdata[k];

          n += other->type == change->type && strcmp (other->how, change->how) == 0 ? other->n_things : 0;
        }
      append_count (text, text->len > 0 ? ", " : "", n, change->type);
      g_string_append_printf (text, " %s", change->how);
    }
  for (int type = LS_ENTITY_LOOP; type <= LS_ENTITY_BUFFER; type++)
    kinds += ls_lineage_count_kept (self, changes, (LsEntityType) type) > 0;
  for (int type = LS_ENTITY_LOOP; type <= LS_ENTITY_BUFFER; type++)
    {
      guint n = ls_lineage_count_kept (self, changes, (LsEntityType) type);

      if (n > 0)
        append_count (text, named++ == 0 ? (text->len > 0 ? "; " : "") : named == kinds ? " and " : ", ", n, (LsEntityType) type);
    }
  if (kinds > 0)
    g_string_append (text, " kept");
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
