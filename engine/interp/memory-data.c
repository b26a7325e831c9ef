/* memory-data: what buffers hold that say where accesses go, from a run of the interpreter.
 *
 * Parameters that nothing writes hold what was given.  Of others each load in an index, a bound or a condition is looked at while the program
 * runs: its element keeps the value that was loaded.  An element that held two values at two such loads is one that this cannot say, and
 * the program is refused.
 */
#include "engine/interp/memory-private.h"

#include "engine/interp/observer.h"
#include "engine/tir/settle.h"

#define MOST_STATEMENTS 100000000

/* ---- floats --------------------------------------------------------------------------- */

/* It compares floats that are loaded, or what is computed of them. */
static LsWalk
find_floats (LsNode  *node,
             gpointer found)
{
  *(gboolean *) found |= ls_is (node, BUFFER_LOAD) && ls_dtype_is_float (((LsBufferLoad *) node)->buffer->dtype);
  *(gboolean *) found |= ls_is_var (node) && ls_dtype_is_float (ls_dtype (node));
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
memory_compares_floats (LsNode *condition)
{
  gboolean found = FALSE;

  ls_walk (condition, find_floats, NULL, &found);
  return found;
}

/* ---- which loads ------------------------------------------------------------------- */

typedef struct {
  GHashTable *loads;            /* of BufferLoad nodes that place accesses, borrowed */
  GHashTable *written;          /* of LsVar (data) */
  GHashTable *vars;             /* of LsVar that are in such places */
  gboolean    changed;
} Places;

static LsWalk
note_load (LsNode  *node,
           gpointer data)
{
  Places *self = data;

  if (ls_is (node, BUFFER_LOAD))
    g_hash_table_add (self->loads, node);
  else if (ls_is_var (node))
    self->changed |= g_hash_table_add (self->vars, node);
  return LS_WALK_CONTINUE;
}

static void
note_all (Places  *self,
          gpointer node)
{
  if (node != NULL)
    ls_walk (LS_NODE (node), note_load, NULL, self);
}

static LsWalk
note_place (LsNode  *node,
            gpointer data)
{
  Places *self = data;

  if (ls_is (node, BUFFER_LOAD))
    note_all (self, ((LsBufferLoad *) node)->indices);
  else if (ls_is (node, BUFFER_STORE))
    {
      note_all (self, ((LsBufferStore *) node)->indices);
      g_hash_table_add (self->written, ((LsBufferStore *) node)->buffer->data);
    }
  else if (ls_is (node, FOR))
    {
      note_all (self, ((LsFor *) node)->min);
      note_all (self, ((LsFor *) node)->extent);
    }
  else if (ls_is (node, IF_THEN_ELSE))
    note_all (self, ((LsIfThenElse *) node)->condition);
  else if (ls_is_call (node, "tir.if_then_else") && (LS_NODE (((LsCall *) node)->args)->facts & LS_FACT_HAS_LOAD) != 0
           && !memory_compares_floats (((LsCall *) node)->args->items[0]))
    note_all (self, ((LsCall *) node)->args->items[0]);
  else if (ls_is (node, LET_STMT) && g_hash_table_contains (self->vars, ((LsLetStmt *) node)->var))
    note_all (self, ((LsLetStmt *) node)->value);
  else if (ls_is (node, BLOCK_REALIZE))
    {
      note_all (self, ((LsBlockRealize *) node)->predicate);
      note_all (self, ((LsBlockRealize *) node)->iter_values);
    }
  return LS_WALK_CONTINUE;
}

static void
find_places (LsPrimFunc *func,
             Places     *places)
{
  places->loads = g_hash_table_new (NULL, NULL);
  places->written = g_hash_table_new (NULL, NULL);
  places->vars = g_hash_table_new (NULL, NULL);
  /* A let comes before where its variable is used. */
  do
    {
      places->changed = FALSE;
      ls_walk (func->body, note_place, NULL, places);
    }
  while (places->changed);
}

static void
places_clear (Places *self)
{
  g_hash_table_unref (self->loads);
  g_hash_table_unref (self->written);
  g_hash_table_unref (self->vars);
}

gboolean
ls_memory_lab_needs_data (LsPrimFunc *func)
{
  Places places;
  gboolean needs;

  find_places (func, &places);
  needs = g_hash_table_size (places.loads) > 0;
  places_clear (&places);
  return needs;
}

/* ---- what they hold ------------------------------------------------------------------ */

typedef struct {
  Places      places;
  GPtrArray  *tables;           /* of MemoryTable */
  MemoryTable *other;           /* whose element held two values */
} Watch;

static void
see_load (LsRun            *run,
          const LsRunEvent *event,
          gpointer          data)
{
  Watch *self = data;

  if (!g_hash_table_contains (self->places.loads, event->node))
    return;
  for (guint i = 0; i < self->tables->len; i++)
    {
      MemoryTable *table = self->tables->pdata[i];

      if (table->known == NULL || table->data != event->buffer->data || event->element < 0 || event->element >= table->n)
        continue;
      if (table->known[event->element] != 0 && table->values[event->element] != event->int_value)
        {
          self->other = table;
          ls_run_stop (run);
        }
      table->known[event->element] = 1;
      table->values[event->element] = event->int_value;
    }
}

static void
take_given (MemoryTable       *table,
            const LsInterpArg *arg)
{
  gsize bytes = ls_dtype_bytes (arg->dtype);

  for (gint64 i = 0; i < table->n; i++)
    table->values[i] = (gint64) ls_interp_load (arg->dtype, (const guint8 *) arg->data + (gsize) i * bytes);
}

/* The argument for a buffer that nothing writes, or NULL. */
static const LsInterpArg *
given (LsPrimFunc            *func,
       const MemoryTable     *table,
       const LsMemoryOptions *options,
       GHashTable            *written)
{
  for (guint i = 0; i < func->params->n && i < options->n_args; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer != NULL && buffer->data == table->data && !g_hash_table_contains (written, buffer->data) && options->args[i].strides == NULL)
        return &options->args[i];
    }
  return NULL;
}

static gboolean
run_for (LsPrimFunc            *func,
         Watch                 *watch,
         const LsMemoryOptions *options,
         GCancellable          *cancellable,
         GError               **error)
{
  static const LsObserver observer = { .sees = LS_SEE_READ, .see = see_load };
  LsBudget budget;
  LsInterpOptions how = { .observer = &observer, .user_data = watch, .budget = &budget };
  g_autoptr (GError) trouble = NULL;

  ls_budget_init (&budget, MOST_STATEMENTS, cancellable);
  if (ls_interp_run (func, options->args, options->n_args, &how, &trouble) && watch->other == NULL)
    return TRUE;
  if (watch->other != NULL)
    g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("The accesses depend on what %s holds, and that changes between them."), watch->other->name);
  else
    g_set_error (error, LS_INTERP_ERROR, trouble->code, ls_translate ("The accesses depend on what %s holds, and the program does not run for it: %s"),
                 ((MemoryTable *) watch->tables->pdata[0])->name, trouble->message);
  return FALSE;
}

gboolean
memory_data_read (LsPrimFunc            *func,
                  GPtrArray             *tables,
                  const LsMemoryOptions *options,
                  GCancellable          *cancellable,
                  GError               **error)
{
  g_autoptr (LsPrimFunc) settled = NULL;
  Watch watch = { .tables = tables };
  gboolean runs = FALSE, ok;

  if (tables->len == 0)
    return TRUE;
  if (options->args == NULL)
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("The accesses depend on what %s holds."), ((MemoryTable *) tables->pdata[0])->name);
      return FALSE;
    }
  settled = ls_settle_sums (func);
  find_places (settled, &watch.places);
  for (guint i = 0; i < tables->len; i++)
    {
      MemoryTable *table = tables->pdata[i];
      const LsInterpArg *arg = given (func, table, options, watch.places.written);

      table->values = g_new0 (gint64, table->n + 1);
      if (arg != NULL)
        take_given (table, arg);
      else
        table->known = g_new0 (guint8, table->n + 1);
      runs |= arg == NULL;
    }
  ok = !runs || run_for (settled, &watch, options, cancellable, error);
  places_clear (&watch.places);
  return ok;
}

void
memory_table_free (gpointer data)
{
  MemoryTable *self = data;

  g_free (self->name);
  g_free (self->values);
  g_free (self->known);
  g_free (self);
}
