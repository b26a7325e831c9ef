/* match: is a computation what the description of a tensor intrinsic says?
 *
 * Two walks side by side.  "own" is the program, "asked" the description; variables and buffers are paired as they come,
 * indices are counted from where the block's region begins, and the first difference is kept as a sentence.
 *
 * In the mapping walk (`mapping`) shapes, memory scopes and positions do not matter yet: it only notes which buffer
 * stands for which and how both sides index them, from which mapping.c proposes a change of layout.
 * Source of the rules: TVM's TensorizeComparator and AutoTensorizeComparator.
 */
#include "engine/schedule/intrin/match.h"

#include "engine/base/plural.h"
#include "engine/script/script.h"
#include "engine/tir/scope.h"

#include <string.h>

/* ---- life --------------------------------------------------------------------- */

void
ls_intrin_match_init (LsIntrinMatch *self,
                      gboolean       mapping)
{
  *self = (LsIntrinMatch) { .vars = g_hash_table_new (NULL, NULL), .buffers = g_hash_table_new (NULL, NULL), .asked = g_ptr_array_new (),
                            .bases = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref),
                            .asked_indices = g_hash_table_new (NULL, NULL),
                            .own = ls_analyzer_new (), .analyzer = ls_analyzer_new (), .mapping = mapping };
}

void
ls_intrin_match_clear (LsIntrinMatch *self)
{
  g_hash_table_unref (self->vars);
  g_hash_table_unref (self->buffers);
  g_ptr_array_unref (self->asked);
  g_hash_table_unref (self->bases);
  g_hash_table_unref (self->asked_indices);
  ls_analyzer_free (self->own);
  ls_analyzer_free (self->analyzer);
  g_free (self->reason);
}

static gboolean differ (LsIntrinMatch *self, gpointer culprit, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Keeps the first difference. Always FALSE. */
static gboolean
differ (LsIntrinMatch *self,
        gpointer       culprit,
        const char    *format,
        ...)
{
  va_list args;

  if (self->reason != NULL)
    return FALSE;
  va_start (args, format);
  self->reason = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->culprit = culprit;
  return FALSE;
}

static gboolean match_stmt (LsIntrinMatch *self, LsStmt *own, LsStmt *asked);
static gboolean match_expr (LsIntrinMatch *self, LsExpr *own, LsExpr *asked);

static gboolean
define (LsIntrinMatch *self,
        LsVar         *own,
        LsVar         *asked)
{
  LsVar *known = g_hash_table_lookup (self->vars, own);

  if (own == asked || known == asked)
    return TRUE;
  if (known != NULL)
    return FALSE;
  g_hash_table_insert (self->vars, own, asked);
  if (!ls_dtype_is_handle (ls_dtype (own)))
    {
      g_autoptr(LsExpr) value = ls_dtype_equal (ls_dtype (own), ls_dtype (asked)) ? LS_EXPR (ls_ref (asked)) : ls_cast_new (ls_dtype (own), LS_EXPR (ls_ref (asked)));

      ls_analyzer_bind (self->analyzer, own, value, TRUE);
    }
  return TRUE;
}

/* Indices may have other widths. */
static gboolean
same_index (LsIntrinMatch *self,
            LsExpr        *own,
            LsExpr        *asked)
{
  g_autoptr(LsExpr) other = ls_dtype_equal (ls_dtype (own), ls_dtype (asked)) ? ls_ref (asked) : ls_cast_new (ls_dtype (own), ls_ref (asked));

  return ls_analyzer_can_prove_equal (self->analyzer, own, other);
}

static gboolean
match_buffer (LsIntrinMatch *self,
              LsBuffer      *own,
              LsBuffer      *asked)
{
  LsBuffer *known = g_hash_table_lookup (self->buffers, asked);

  if (own == asked || known == own)
    return TRUE;
  if (known != NULL)
    return differ (self, NULL, "%s of the description is %s, not %s too.", asked->name, known->name, own->name);
  if (!ls_dtype_equal (own->dtype, asked->dtype))
    return differ (self, NULL, "%s holds %s, %s of the description %s.", own->name, ls_dtype_name (own->dtype), asked->name, ls_dtype_name (asked->dtype));
  if (!self->mapping && strcmp (ls_buffer_scope (own), ls_buffer_scope (asked)) != 0)
    return differ (self, NULL, "%s is in %s memory, %s of the description in %s memory.", own->name, ls_buffer_scope (own), asked->name, ls_buffer_scope (asked));
  if (!define (self, own->data, asked->data))
    return differ (self, NULL, "%s stands for two buffers of the description.", own->name);
  g_hash_table_insert (self->buffers, asked, own);
  g_ptr_array_add (self->asked, asked);
  return TRUE;
}

/* The begin of a region of the outermost block: what its indices are counted from. */
static gboolean
note_base (LsIntrinMatch  *self,
           LsBufferRegion *own,
           LsBufferRegion *asked,
           guint           offset)
{
  GPtrArray *base = g_ptr_array_new ();
  gboolean same = TRUE;

  for (guint i = 0; i < ls_array_n (own->region); i++)
    {
      LsRange *range = ls_array_at (own->region, i, LsRange);

      g_ptr_array_add (base, ls_ref (range->min));
      if (i < offset && !ls_is_one (range->extent))
        same = differ (self, NULL, "%s is touched in more than one place of dimension %u, which the description does not have.", own->buffer->name, i);
      else if (i >= offset && !same_index (self, range->extent, ls_array_at (asked->region, i - offset, LsRange)->extent))
        {
          g_autofree char *here = ls_script_print_expr (range->extent);
          g_autofree char *there = ls_script_print_expr (ls_array_at (asked->region, i - offset, LsRange)->extent);

          same = differ (self, NULL, "The block touches %s elements of %s in dimension %u, the description %s of %s.", here, own->buffer->name, i, there, asked->buffer->name);
        }
    }
  g_hash_table_insert (self->bases, own->buffer, ls_array_take_ptr_array (base));
  return same;
}

static gboolean
same_place (LsIntrinMatch *self,
            LsExpr        *own,
            LsExpr        *base,
            LsExpr        *asked,
            gboolean       simplify)
{
  g_autoptr(LsExpr) distance = ls_sub (ls_ref (own), ls_ref (base));

  if (simplify)
    ls_take (&distance, ls_analyzer_simplify (self->own, distance));
  return same_index (self, distance, asked);
}

static gboolean
match_region (LsIntrinMatch  *self,
              LsBufferRegion *own,
              LsBufferRegion *asked)
{
  LsArray *base;
  guint offset;

  if (!match_buffer (self, own->buffer, asked->buffer))
    return FALSE;
  if (ls_array_n (own->region) < ls_array_n (asked->region))
    return differ (self, NULL, ls_translate_plural ("%s has %u dimension, %s of the description %u.", "%s has %u dimensions, %s of the description %u.", ls_array_n (own->region)), own->buffer->name, ls_array_n (own->region), asked->buffer->name,
                   ls_array_n (asked->region));
  offset = ls_array_n (own->region) - ls_array_n (asked->region);
  base = g_hash_table_lookup (self->bases, own->buffer);
  if (base == NULL)
    return !self->inside ? note_base (self, own, asked, offset)
                         : differ (self, NULL, "%s is used inside the block, but the block does not say so.", own->buffer->name);
  for (guint i = 0; i < ls_array_n (own->region); i++)
    {
      LsRange *range = ls_array_at (own->region, i, LsRange);
      LsRange *other = i >= offset ? ls_array_at (asked->region, i - offset, LsRange) : NULL;
      LsExpr *begin = ls_array_at (base, i, LsExpr);

      if (other == NULL ? !ls_is_one (range->extent) || !ls_analyzer_can_prove_equal (self->own, begin, range->min)
                        : !same_index (self, range->extent, other->extent) || !same_place (self, range->min, begin, other->min, TRUE))
        return differ (self, NULL, "The block and the description touch different parts of %s in dimension %u.", own->buffer->name, i);
    }
  return TRUE;
}

static gboolean
match_regions (LsIntrinMatch *self,
               LsBlock       *block,
               LsArray       *own,
               LsArray       *asked,
               const char    *verb)
{
  if (ls_array_n (own) != ls_array_n (asked))
    return differ (self, block, "Block %s %s %u regions, the description %u.", block->name_hint, ls_translate (verb), ls_array_n (own), ls_array_n (asked));
  for (guint i = 0; i < ls_array_n (own); i++)
    if (!match_region (self, ls_array_at (own, i, LsBufferRegion), ls_array_at (asked, i, LsBufferRegion)))
      {
        if (self->culprit == NULL)
          self->culprit = LS_NODE (block);
        return FALSE;
      }
  return TRUE;
}

static gboolean
same_indices (LsIntrinMatch *self,
              LsArray       *a,
              LsArray       *b)
{
  gboolean same = ls_array_n (a) == ls_array_n (b);

  for (guint i = 0; same && i < ls_array_n (a); i++)
    same = ls_analyzer_can_prove_equal (self->analyzer, ls_array_at (a, i, LsExpr), ls_array_at (b, i, LsExpr));
  return same;
}

/* Simplified, but not down to a number: a variable that takes one value only still is one. (transfer full) */
static LsArray *
simplified_indices (LsIntrinMatch *self,
                    LsArray       *indices)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      LsExpr *index = ls_array_at (indices, i, LsExpr);
      LsExpr *simple = ls_analyzer_simplify (self->analyzer, index);

      if (ls_is (simple, INT_IMM))
        ls_take (&simple, ls_ref (index));
      g_ptr_array_add (list, simple);
    }
  return ls_array_take_ptr_array (list);
}

/* Notes how both sides index the buffer; every access has to do it in the same way. */
static gboolean
note_indices (LsIntrinMatch *self,
              LsBuffer      *own,
              LsArray       *own_indices,
              LsBuffer      *asked,
              LsArray       *asked_indices)
{
  LsArray *known = g_hash_table_lookup (self->bases, own);
  LsArray *other = g_hash_table_lookup (self->asked_indices, asked);

  if (known != NULL && other != NULL)
    return (same_indices (self, own_indices, known) && same_indices (self, asked_indices, other)) ||
           differ (self, NULL, "%s is indexed in several ways.", own->name);
  if (known != NULL || other != NULL)
    return differ (self, NULL, "%s and %s of the description do not stand for each other everywhere.", own->name, asked->name);
  for (guint i = 0; i < ls_array_n (asked_indices); i++)
    if (!ls_is_var (asked_indices->items[i]) && !(ls_array_n (asked_indices) == 1 && ls_is_zero (asked_indices->items[i])))
      return differ (self, NULL, "%s of the description is not indexed by variables alone.", asked->name);
  g_hash_table_insert (self->bases, own, simplified_indices (self, own_indices));
  g_hash_table_insert (self->asked_indices, asked, asked_indices);
  return TRUE;
}

static gboolean
match_access (LsIntrinMatch *self,
              LsBuffer      *own,
              LsArray       *own_indices,
              LsBuffer      *asked,
              LsArray       *asked_indices)
{
  guint n = ls_array_n (asked_indices);
  LsArray *base;
  guint offset;

  if (!match_buffer (self, own, asked))
    return FALSE;
  if (self->mapping)
    return note_indices (self, own, own_indices, asked, asked_indices);
  base = g_hash_table_lookup (self->bases, own);
  if (base == NULL || ls_array_n (own_indices) < n)
    return differ (self, NULL, "%s is not indexed as %s of the description is.", own->name, asked->name);
  offset = ls_array_n (own_indices) - n;
  for (guint i = 0; i < n; i++)
    if (!same_place (self, own_indices->items[i + offset] == NULL ? NULL : ls_array_at (own_indices, i + offset, LsExpr), ls_array_at (base, i + offset, LsExpr),
                     ls_array_at (asked_indices, i, LsExpr), FALSE))
      {
        g_autofree char *here = ls_script_print_expr (ls_array_at (own_indices, i + offset, LsExpr));
        g_autofree char *there = ls_script_print_expr (ls_array_at (asked_indices, i, LsExpr));

        return differ (self, NULL, "%s is indexed with %s, %s of the description with %s.", own->name, here, asked->name, there);
      }
  return TRUE;
}

/* ---- expressions --------------------------------------------------------------------- */

static gboolean
other_expr (LsIntrinMatch *self,
            LsExpr        *own,
            LsExpr        *asked)
{
  g_autofree char *here = ls_script_print_expr (own);
  g_autofree char *there = ls_script_print_expr (asked);

  return differ (self, NULL, "The block computes %s where the description computes %s.", here, there);
}

static gboolean
match_call (LsIntrinMatch *self,
            LsCall        *own,
            LsCall        *asked)
{
  gboolean same = ls_array_n (own->args) == ls_array_n (asked->args) && (own->op == asked->op || ls_deep_equal (own->op, asked->op));

  for (guint i = 0; same && i < ls_array_n (own->args); i++)
    same = match_expr (self, ls_array_at (own->args, i, LsExpr), ls_array_at (asked->args, i, LsExpr));
  return same || other_expr (self, LS_EXPR (own), LS_EXPR (asked));
}

static gboolean
match_expr (LsIntrinMatch *self,
            LsExpr        *own,
            LsExpr        *asked)
{
  LsBinary *pair = (LsBinary *) own, *other = (LsBinary *) asked;
  LsSelect *select = (LsSelect *) own, *choice = (LsSelect *) asked;
  gboolean same = FALSE;

  if (own == asked)
    return TRUE;
  if (ls_kind (own) != ls_kind (asked) || ls_dtype (own).code != ls_dtype (asked).code)
    return other_expr (self, own, asked);
  if (ls_is_var (own))
    same = g_hash_table_lookup (self->vars, own) == asked;
  else if (ls_is (own, INT_IMM))
    same = ((LsIntImm *) own)->value == ((LsIntImm *) asked)->value;
  else if (ls_is (own, FLOAT_IMM))
    same = ((LsFloatImm *) own)->value == ((LsFloatImm *) asked)->value;
  else if (ls_is (own, STRING_IMM))
    same = strcmp (((LsStringImm *) own)->value, ((LsStringImm *) asked)->value) == 0;
  else if (ls_is (own, CAST))
    return match_expr (self, ((LsCast *) own)->value, ((LsCast *) asked)->value);
  else if (ls_is (own, NOT))
    return match_expr (self, ((LsNot *) own)->a, ((LsNot *) asked)->a);
  else if (ls_is (own, CALL))
    return match_call (self, (LsCall *) own, (LsCall *) asked);
  else if (ls_is (own, BUFFER_LOAD))
    return match_access (self, ((LsBufferLoad *) own)->buffer, ((LsBufferLoad *) own)->indices, ((LsBufferLoad *) asked)->buffer, ((LsBufferLoad *) asked)->indices);
  else if (ls_is (own, SELECT))
    return match_expr (self, select->condition, choice->condition) && match_expr (self, select->true_value, choice->true_value) &&
           match_expr (self, select->false_value, choice->false_value);
  else if (ls_kind_is_binary (ls_kind (own)))
    return match_expr (self, pair->a, other->a) && match_expr (self, pair->b, other->b);
  return same || other_expr (self, own, asked);
}

/* ---- statements ------------------------------------------------------------------------ */

static gboolean
match_annotations (LsIntrinMatch *self,
                   LsFor         *own,
                   LsFor         *asked)
{
  gboolean same = own->annotations->n == asked->annotations->n;

  for (guint i = 0; same && i < own->annotations->n; i++)
    {
      LsNode *other = ls_map_get (asked->annotations, own->annotations->keys[i]);

      same = other != NULL && ls_deep_equal (own->annotations->values[i], other);
    }
  return same || differ (self, own, "Loop %s and the loop of the description carry different annotations.", own->loop_var->name);
}

static gboolean
match_for (LsIntrinMatch *self,
           LsFor         *own,
           LsFor         *asked)
{
  const char *name = own->loop_var->name;

  if (!define (self, own->loop_var, asked->loop_var))
    return differ (self, own, "Loop %s stands for two loops of the description.", name);
  if (!match_expr (self, own->min, asked->min) || !match_expr (self, own->extent, asked->extent))
    {
      g_autofree char *here = ls_script_print_expr (own->extent);
      g_autofree char *there = ls_script_print_expr (asked->extent);

      g_clear_pointer (&self->reason, g_free);
      return differ (self, own, "Loop %s runs %s times, %s of the description %s times.", name, here, asked->loop_var->name, there);
    }
  if (own->kind != asked->kind || (own->thread_binding != NULL) != (asked->thread_binding != NULL))
    return differ (self, own, "Loop %s is of another kind than %s of the description.", name, asked->loop_var->name);
  return match_annotations (self, own, asked) && match_stmt (self, own->body, asked->body);
}

static gboolean
match_iter_vars (LsIntrinMatch *self,
                 LsBlock       *own,
                 LsBlock       *asked)
{
  if (ls_array_n (own->iter_vars) != ls_array_n (asked->iter_vars))
    return differ (self, own, ls_translate_plural ("Block %s has %u iteration variable, the block of the description %u.",
                                               "Block %s has %u iteration variables, the block of the description %u.", ls_array_n (own->iter_vars)), own->name_hint, ls_array_n (own->iter_vars),
                   ls_array_n (asked->iter_vars));
  for (guint i = 0; i < ls_array_n (own->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (own->iter_vars, i, LsIterVar);
      LsIterVar *other = ls_array_at (asked->iter_vars, i, LsIterVar);

      if (!define (self, iter->var, other->var) || iter->iter_type != other->iter_type)
        return differ (self, own, "%s of block %s is not of the type of %s in the description.", iter->var->name, own->name_hint, other->var->name);
    }
  return TRUE;
}

static gboolean
match_allocations (LsIntrinMatch *self,
                   LsBlock       *own,
                   LsBlock       *asked)
{
  if (ls_array_n (own->alloc_buffers) != ls_array_n (asked->alloc_buffers))
    return differ (self, own, ls_translate_plural ("Block %s allocates %u buffer, the block of the description %u.", "Block %s allocates %u buffers, the block of the description %u.",
                                               ls_array_n (own->alloc_buffers)), own->name_hint, ls_array_n (own->alloc_buffers),
                   ls_array_n (asked->alloc_buffers));
  for (guint i = 0; i < ls_array_n (own->alloc_buffers); i++)
    if (!match_buffer (self, ls_array_at (own->alloc_buffers, i, LsBuffer), ls_array_at (asked->alloc_buffers, i, LsBuffer)))
      return FALSE;
  return TRUE;
}

static gboolean
know_variables (LsIntrinMatch *self,
                LsBlock       *block)
{
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type != LS_ITER_DATA_PAR && iter->iter_type != LS_ITER_COMM_REDUCE)
        return differ (self, block, "%s of block %s is neither spatial nor a reduction.", iter->var->name, block->name_hint);
    }
  ls_scope_bind (self->analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  return TRUE;
}

gboolean
ls_intrin_match_block (LsIntrinMatch *self,
                       LsBlock       *own,
                       LsBlock       *asked)
{
  ls_scope_bind (self->own, LS_NODE (own), LS_SCOPE_BLOCKS);
  if (self->inside && (!match_iter_vars (self, own, asked) || !match_allocations (self, own, asked)))
    return FALSE;
  if (self->mapping && !self->inside && (!know_variables (self, own) || !know_variables (self, asked)))
    return FALSE;
  if (!self->mapping && (!match_regions (self, own, own->writes, asked->writes, "writes") || !match_regions (self, own, own->reads, asked->reads, "reads")))
    return FALSE;
  self->inside = TRUE;
  return match_stmt (self, own->body, asked->body);
}

gboolean
ls_intrin_match_realize (LsIntrinMatch  *self,
                         LsBlockRealize *own,
                         LsBlockRealize *asked)
{
  gboolean same = !self->inside || ls_array_n (own->iter_values) == ls_array_n (asked->iter_values);

  for (guint i = 0; self->inside && same && i < ls_array_n (own->iter_values); i++)
    same = match_expr (self, ls_array_at (own->iter_values, i, LsExpr), ls_array_at (asked->iter_values, i, LsExpr));
  if (!same || !match_expr (self, own->predicate, asked->predicate))
    {
      g_clear_pointer (&self->reason, g_free);
      return differ (self, own->block, "The variables of block %s are bound in another way, or under another condition, than in the description.", own->block->name_hint);
    }
  return ls_intrin_match_block (self, own->block, asked->block);
}

static gboolean
match_seq (LsIntrinMatch *self,
           LsSeqStmt     *own,
           LsSeqStmt     *asked)
{
  if (ls_array_n (own->seq) != ls_array_n (asked->seq))
    return differ (self, NULL, ls_translate_plural ("There is %u statement in a row, %u in the description.", "There are %u statements in a row, %u in the description.", ls_array_n (own->seq)), ls_array_n (own->seq), ls_array_n (asked->seq));
  for (guint i = 0; i < ls_array_n (own->seq); i++)
    if (!match_stmt (self, ls_array_at (own->seq, i, LsStmt), ls_array_at (asked->seq, i, LsStmt)))
      return FALSE;
  return TRUE;
}

static gboolean
match_store (LsIntrinMatch *self,
             LsBufferStore *own,
             LsBufferStore *asked)
{
  return match_access (self, own->buffer, own->indices, asked->buffer, asked->indices) && match_expr (self, own->value, asked->value);
}

static const char *
kind_words (LsStmt *stmt)
{
  return ls_translate (ls_is (stmt, FOR) ? LS_TEXT ("a loop") : ls_is (stmt, BLOCK_REALIZE) ? LS_TEXT ("a block")
                       : ls_is (stmt, SEQ_STMT) ? LS_TEXT ("a row of statements") : LS_TEXT ("another statement"));
}

static gboolean
match_stmt (LsIntrinMatch *self,
            LsStmt        *own,
            LsStmt        *asked)
{
  if (own == asked)
    return TRUE;
  if (ls_kind (own) == ls_kind (asked))
    {
      if (ls_is (own, FOR))
        return match_for (self, (LsFor *) own, (LsFor *) asked);
      if (ls_is (own, SEQ_STMT))
        return match_seq (self, (LsSeqStmt *) own, (LsSeqStmt *) asked);
      if (ls_is (own, BUFFER_STORE))
        return match_store (self, (LsBufferStore *) own, (LsBufferStore *) asked);
      if (ls_is (own, BLOCK_REALIZE))
        return ls_intrin_match_realize (self, (LsBlockRealize *) own, (LsBlockRealize *) asked);
    }
  return differ (self, ls_is (own, FOR) ? own : NULL, "There is %s where the description has %s.",
                 kind_words (own),
                 kind_words (asked));
}
