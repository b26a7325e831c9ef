/* move: one call of a primitive while it is checked or applied.
 *
 * Gives the primitives their arguments as places in the tree and takes their results, findings and lineage notes.
 */
#include "engine/schedule/step/move.h"
#include "engine/tir/index-map.h"

static LsSref *
place_of (LsMove *self,
          LsNode *handle)
{
  const LsHandle *meaning = handle != NULL ? ls_handles_get (self->handles, (LsVar *) handle) : NULL;

  return meaning != NULL ? ls_state_sref_by_id (self->state, meaning->id) : NULL;
}

void
ls_move_keep (LsMove         *self,
              gpointer        data,
              GDestroyNotify  drop)
{
  if (self->kept != NULL)
    self->drop_kept (self->kept);
  self->kept = data;
  self->drop_kept = drop;
}

static void
meaning_clear (gpointer data)
{
  LsMeaning *self = data;

  ls_unref (self->realize);
  ls_unref (self->stmt);
}

void
ls_move_means (LsMove         *move,
               LsBlockRealize *realize,
               LsStmt         *stmt)
{
  LsMeaning meaning = { ls_ref (realize), stmt };

  if (move->meanings == NULL)
    {
      move->meanings = g_array_new (FALSE, FALSE, sizeof (LsMeaning));
      g_array_set_clear_func (move->meanings, meaning_clear);
    }
  g_array_append_val (move->meanings, meaning);
}

LsSref *
ls_move_sref (LsMove *self,
              guint   param)
{
  return place_of (self, self->args[param]);
}

GPtrArray *
ls_move_srefs (LsMove *self,
               guint   param)
{
  GPtrArray *places = g_ptr_array_new ();
  LsNode *arg = self->args[param];

  if (!ls_is (arg, ARRAY))
    {
      g_ptr_array_add (places, place_of (self, arg));
      return places;
    }
  for (guint i = 0; i < ((LsArray *) arg)->n; i++)
    g_ptr_array_add (places, place_of (self, ((LsArray *) arg)->items[i]));
  return places;
}

gint64
ls_move_int (LsMove *self,
             guint   param)
{
  g_autoptr(LsExpr) value = ls_move_expr (self, self->args[param]);
  gint64 number = 0;

  ls_as_int (value, &number);
  return number;
}

gboolean
ls_move_bool (LsMove *self,
              guint   param)
{
  return ls_move_int (self, param) != 0;
}

const char *
ls_move_string (LsMove *self,
                guint   param)
{
  LsNode *arg = self->args[param];

  return ls_is (arg, STRING) ? ((LsString *) arg)->value : NULL;
}

static LsNode *
put_numbers_in (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  LsMove *self = user_data;

  if (ls_is_var (node))
    {
      const LsHandle *meaning = ls_handles_get (self->handles, (LsVar *) node);

      if (meaning != NULL && meaning->value != NULL)
        return LS_NODE (ls_ref (meaning->value));
    }
  return ls_rewrite_default (rewriter, node);
}

LsExpr *
ls_move_expr (LsMove *self,
              LsNode *value)
{
  if (value == NULL)
    return NULL;
  if (ls_is (value, INT_IMM))
    return (LsExpr *) ls_node_ref (value);
  return (LsExpr *) ls_rewrite_with (value, put_numbers_in, self);
}

void
ls_move_result (LsMove *self,
                LsSref *sref)
{
  LsMoveResult result = { sref, NULL, 0 };

  g_array_append_val (self->results, result);
}

void
ls_move_result_expr (LsMove *self,
                     LsExpr *value)
{
  LsMoveResult result = { NULL, ls_ref (value), 0 };

  g_array_append_val (self->results, result);
}

void
ls_move_result_mark (LsMove *self,
                     guint   mark)
{
  LsMoveResult result = { NULL, NULL, mark };

  g_array_append_val (self->results, result);
}

guint
ls_move_mark (LsMove *self,
              guint   param)
{
  LsNode *arg = self->args[param];
  const LsHandle *meaning = arg != NULL && ls_is_var (arg) ? ls_handles_get (self->handles, (LsVar *) arg) : NULL;

  return meaning != NULL && meaning->value == NULL && meaning->id >= LS_MARK_INLINE ? meaning->id : 0;
}

void
ls_move_add_culprit (LsMove       *self,
                     LsDiagnostic *diagnostic,
                     gpointer      node)
{
  g_autofree char *path = NULL;

  if (diagnostic == NULL || node == NULL)
    return;
  path = ls_state_print_path (self->state, node);
  if (path != NULL)
    ls_diagnostic_add_culprit (diagnostic, path);
}

static LsDiagnostic *
find (LsMove        *self,
      LsDiagnostics *diagnostics,
      LsSeverity     severity,
      const char    *condition,
      gpointer       culprit,
      const char    *format,
      va_list        args)
{
  g_autofree char *code = g_strdup_printf ("schedule/%s/%s", self->instruction->name, condition);
  g_autofree char *message = g_strdup_vprintf (ls_translate (format), args);
  LsDiagnostic *finding =
    ls_diagnostics_add (diagnostics, severity, g_intern_string (code), LS_SPAN_NONE, "%s", message);

  ls_move_add_culprit (self, finding, culprit);
  return finding;
}

LsDiagnostic *
ls_move_refuse_at (const char    *file,
                   guint          line,
                   LsMove        *self,
                   LsDiagnostics *diagnostics,
                   const char    *condition,
                   gpointer       culprit,
                   const char    *format,
                   ...)
{
  LsDiagnostic *finding;
  va_list args;

  if (diagnostics == NULL)
    return NULL;
  va_start (args, format);
  finding = find (self, diagnostics, LS_SEVERITY_ERROR, condition, culprit, format, args);
  va_end (args);
  finding->checked_in = file;
  finding->checked_at = line;
  return finding;
}

LsDiagnostic *
ls_move_warn_at (const char    *file,
                 guint          line,
                 LsMove        *self,
                 LsDiagnostics *diagnostics,
                 const char    *condition,
                 gpointer       culprit,
                 const char    *format,
                 ...)
{
  LsDiagnostic *finding;
  va_list args;

  if (diagnostics == NULL)
    return NULL;
  va_start (args, format);
  finding = find (self, diagnostics, LS_SEVERITY_WARNING, condition, culprit, format, args);
  va_end (args);
  finding->checked_in = file;
  finding->checked_at = line;
  return finding;
}

static void
note (LsMove       *self,
      LsLineageHow  how,
      guint         id,
      guint         from)
{
  LsLineageNote entry = { how, id, from };

  g_array_append_val (self->state->notes, entry);
}

void
ls_move_note (LsMove       *self,
              LsLineageHow  how,
              LsSref       *fresh,
              LsSref       *from)
{
  note (self, how, fresh->id, from->id);
}

void
ls_move_note_buffer (LsMove       *self,
                     LsLineageHow  how,
                     LsBuffer     *node,
                     LsBuffer     *from)
{
  guint from_id = ls_state_buffer_id (self->state, from);

  note (self, how, ls_state_buffer_id (self->state, node), from_id);
}

/* ---- index maps -------------------------------------------------------------- */

/* TVM's rule: the type of the first iteration variable, else of the first index that it reads or writes, else int64. */
static LsDType
index_dtype (LsBlock *block)
{
  LsArray *lists[2] = { block->reads, block->writes };

  if (ls_array_n (block->iter_vars) > 0)
    return ls_dtype (ls_array_at (block->iter_vars, 0, LsIterVar)->var);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; k < ls_array_n (lists[i]); k++)
      {
        LsArray *region = ls_array_at (lists[i], k, LsBufferRegion)->region;

        if (ls_array_n (region) > 0)
          return ls_dtype (ls_array_at (region, 0, LsRange)->min);
      }
  return LS_INT64;
}

typedef struct {
  LsHandles  *handles;
  GHashTable *values;           /* Var -> Expr, borrowed */
} Drawn;

static LsWalk
look_for_drawn (LsNode   *node,
                gpointer  user_data)
{
  Drawn *self = user_data;
  const LsHandle *meaning = ls_is_var (node) ? ls_handles_get (self->handles, (LsVar *) node) : NULL;

  if (meaning != NULL && meaning->value != NULL)
    g_hash_table_insert (self->values, node, meaning->value);
  return LS_WALK_CONTINUE;
}

/* Indices with the numbers that were drawn in place of their handles. (transfer full) */
static LsArray *
with_drawn_numbers (LsMove  *move,
                    LsArray *indices)
{
  g_autoptr(GHashTable) values = g_hash_table_new (NULL, NULL);
  Drawn drawn = { move->handles, values };

  ls_walk (indices, look_for_drawn, NULL, &drawn);
  return g_hash_table_size (values) > 0 ? (LsArray *) ls_substitute (indices, values) : ls_ref (indices);
}

LsIndexMap *
ls_move_index_map (LsMove *self,
                   guint   param,
                   LsSref *block)
{
  LsIndexMap *map = (LsIndexMap *) self->args[param];
  g_autoptr(LsArray) final = with_drawn_numbers (self, map->final_indices);
  g_autoptr(LsIndexMap) drawn = final == map->final_indices ? ls_ref (map) : ls_index_map_new (ls_ref (map->initial_indices), ls_ref (final), NULL);

  return ls_index_map_in (drawn, index_dtype (ls_sref_block (block)));
}
