/* analyzer: its life.  known.c holds what it is told, answer.c what follows, limits.c how far it goes.
 * Source of the concept: TVM's arith::Analyzer.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"
#include "engine/arith/int-set.h"

static void
bound_fact_clear (LsBoundFact *fact)
{
  ls_unref (fact->expr);
}

static void
modular_undo_clear (LsModularUndo *undo)
{
  ls_unref (undo->var);
}

static void
simplifier_init (LsSimplifier *self,
                 LsAnalyzer   *analyzer,
                 gboolean      canonical)
{
  self->analyzer = analyzer;
  self->canonical = canonical;
  self->values = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  self->literals = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
}

static void
simplifier_clear (LsSimplifier *self)
{
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->literals);
  ls_fact_index_clear (&self->literal_index);
  ls_unref (self->stand_in);
}

static void
destroy (LsAnalyzer *self)
{
  ls_known_vars_clear (&self->known);
  g_hash_table_unref (self->modulars);
  g_array_unref (self->bound_facts);
  ls_fact_index_clear (&self->bound_index);
  g_array_unref (self->modular_undo);
  g_ptr_array_unref (self->constraints);
  g_array_unref (self->scopes);
  ls_transitive_free (self->transitive);
  g_clear_pointer (&self->data, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  simplifier_clear (&self->rewrite);
  simplifier_clear (&self->canonical);
  g_free (self);
}

/* Analysers are made for a question or two and dropped; each thread keeps a few, emptied. */
#define MAX_SPARE 4

typedef struct {
  guint       n;
  LsAnalyzer *items[MAX_SPARE];
} Spare;

static void
spare_free (gpointer data)
{
  Spare *self = data;

  for (guint i = 0; i < self->n; i++)
    destroy (self->items[i]);
  g_free (self);
}

static GPrivate spare_key = G_PRIVATE_INIT (spare_free);

static Spare *
get_spare (void)
{
  Spare *self = g_private_get (&spare_key);

  if (self == NULL)
    {
      self = g_new0 (Spare, 1);
      g_private_set (&spare_key, self);
    }
  return self;
}

static void
empty_table (GHashTable *table)
{
  if (g_hash_table_size (table) > 0)
    g_hash_table_remove_all (table);
}

static void
simplifier_reset (LsSimplifier *self)
{
  empty_table (self->values);
  g_ptr_array_set_size (self->literals, 0);
  ls_fact_index_cut (&self->literal_index, 0);
  self->extensions = 0;
  self->again = 0;
}

static void
reset (LsAnalyzer *self)
{
  ls_known_vars_reset (&self->known);
  empty_table (self->modulars);
  g_array_set_size (self->bound_facts, 0);
  ls_fact_index_cut (&self->bound_index, 0);
  g_array_set_size (self->modular_undo, 0);
  g_ptr_array_set_size (self->constraints, 0);
  g_array_set_size (self->scopes, 0);
  ls_transitive_reset (self->transitive);
  g_clear_pointer (&self->data, g_hash_table_unref);
  self->data_bits = 0;
  g_clear_pointer (&self->names, g_hash_table_unref);
  simplifier_reset (&self->rewrite);
  simplifier_reset (&self->canonical);
  self->budget = NULL;
  ls_analyzer_forget (self);
  self->calls = 0;
  self->depth = 0;
  self->stack = 0;
  self->steps = 0;
  self->stats = (LsRewriteStats) { 0 };
}

LsAnalyzer *
ls_analyzer_new (void)
{
  Spare *spare = get_spare ();
  LsAnalyzer *self;

  if (spare->n > 0)
    return spare->items[--spare->n];
  self = g_new0 (LsAnalyzer, 1);

  self->modulars = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, g_free);
  self->bound_facts = g_array_new (FALSE, FALSE, sizeof (LsBoundFact));
  g_array_set_clear_func (self->bound_facts, (GDestroyNotify) bound_fact_clear);
  self->modular_undo = g_array_new (FALSE, FALSE, sizeof (LsModularUndo));
  g_array_set_clear_func (self->modular_undo, (GDestroyNotify) modular_undo_clear);
  self->constraints = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->scopes = g_array_new (FALSE, FALSE, sizeof (LsScope));
  self->transitive = ls_transitive_new ();
  simplifier_init (&self->rewrite, self, FALSE);
  simplifier_init (&self->canonical, self, TRUE);
  return self;
}

void
ls_analyzer_free (LsAnalyzer *self)
{
  Spare *spare;

  if (self == NULL)
    return;
  spare = get_spare ();
  if (spare->n == MAX_SPARE)
    {
      destroy (self);
      return;
    }
  reset (self);
  spare->items[spare->n++] = self;
}

static void
copy_data (LsAnalyzer *from,
           LsAnalyzer *to)
{
  GHashTableIter iter;
  gpointer var;

  if (from->data == NULL)
    return;
  to->data = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  to->data_bits = from->data_bits;
  g_hash_table_iter_init (&iter, from->data);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    g_hash_table_add (to->data, ls_node_ref (var));
}

static void
copy_names (LsAnalyzer *from,
            LsAnalyzer *to)
{
  GHashTableIter iter;
  gpointer name, memory;

  if (from->names == NULL)
    return;
  g_hash_table_iter_init (&iter, from->names);
  while (g_hash_table_iter_next (&iter, &name, &memory))
    ls_analyzer_note_name (to, name, memory);
}

static void
copy_nodes (GHashTable *from,
            GHashTable *to)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, ls_node_ref (key), ls_node_ref (value));
}

static void
copy_values (GHashTable *from,
             GHashTable *to,
             gsize       size)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, ls_node_ref (key), g_memdup2 (value, size));
}

LsAnalyzer *
ls_analyzer_clone (LsAnalyzer *self)
{
  LsAnalyzer *copy = ls_analyzer_new ();

  ls_known_vars_copy (&self->known, &copy->known);
  copy_values (self->modulars, copy->modulars, sizeof (LsModularSet));
  copy_nodes (self->rewrite.values, copy->rewrite.values);
  copy_nodes (self->canonical.values, copy->canonical.values);
  ls_transitive_free (copy->transitive);
  copy->transitive = ls_transitive_copy (self->transitive);
  copy->rewrite.extensions = self->rewrite.extensions;
  copy->budget = self->budget;
  copy_data (self, copy);
  copy_names (self, copy);
  return copy;
}
