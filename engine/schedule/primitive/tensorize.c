/* tensorize: the computation of a block, or of the loops from one down, is done by a tensor intrinsic.
 *
 *   C_o:  for i, j, k: C: ...        ->      C_o:  C_1 = match_buffer (C[...]) ...
 *                                                  call_extern ("mm16", C_1.access_ptr ("w"), ...)
 *
 * A loop is turned into a block first, as blockize does.  The block has to be what the intrinsic's description says,
 * up to names, positions in the buffers and leading dimensions that are not touched; the first place where it is not
 * is the reason of the refusal.  Then the body of the implementation takes its place, over views (match_buffer) of the
 * program's buffers.  Source: TVM's tir tensorize and its TensorizeComparator.
 */
#include "engine/schedule/intrin.h"
#include "engine/schedule/schedule-private.h"
#include "engine/script/script.h"

enum { BLOCK_OR_LOOP, TENSOR_INTRIN, PRESERVE_UNIT_ITERS };

static const LsParam params[] = {
  { "block_or_loop", LS_PARAM_BLOCK_OR_LOOP, 0, NULL, "the block, or the loop whose inside becomes one" },
  { "tensor_intrin", LS_PARAM_STRING, 0, NULL, "the name of a registered intrinsic" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep iteration variables that take one value only" },
};

/* ---- comparing --------------------------------------------------------------------- */

typedef struct {
  GHashTable *vars;             /* Var of the program -> Var of the description */
  GHashTable *buffers;          /* Buffer of the description -> Buffer of the program */
  GHashTable *bases;            /* Buffer of the program -> Array of where its region begins */
  LsAnalyzer *own;              /* knows the block's variables */
  LsAnalyzer *analyzer;
  gboolean    inside;           /* below the outermost block */
  char       *reason;           /* where they first differ */
  LsNode     *culprit;          /* borrowed */
} Matcher;

static void
matcher_init (Matcher *self)
{
  *self = (Matcher) { g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
                      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref), ls_analyzer_new (), ls_analyzer_new (), FALSE, NULL, NULL };
}

static void
matcher_clear (Matcher *self)
{
  g_hash_table_unref (self->vars);
  g_hash_table_unref (self->buffers);
  g_hash_table_unref (self->bases);
  ls_analyzer_free (self->own);
  ls_analyzer_free (self->analyzer);
  g_free (self->reason);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Matcher, matcher_clear)

static gboolean differ (Matcher *self, gpointer culprit, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Keeps the first difference. Always FALSE. */
static gboolean
differ (Matcher    *self,
        gpointer    culprit,
        const char *format,
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

static gboolean match_stmt (Matcher *self, LsStmt *own, LsStmt *asked);
static gboolean match_expr (Matcher *self, LsExpr *own, LsExpr *asked);

static gboolean
define (Matcher *self,
        LsVar   *own,
        LsVar   *asked)
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
same_index (Matcher *self,
            LsExpr  *own,
            LsExpr  *asked)
{
  g_autoptr(LsExpr) other = ls_dtype_equal (ls_dtype (own), ls_dtype (asked)) ? ls_ref (asked) : ls_cast_new (ls_dtype (own), ls_ref (asked));

  return ls_analyzer_can_prove_equal (self->analyzer, own, other);
}

static gboolean
match_buffer (Matcher  *self,
              LsBuffer *own,
              LsBuffer *asked)
{
  LsBuffer *known = g_hash_table_lookup (self->buffers, asked);

  if (own == asked || known == own)
    return TRUE;
  if (known != NULL)
    return differ (self, NULL, "%s of the description is %s, not %s too.", asked->name, known->name, own->name);
  if (!ls_dtype_equal (own->dtype, asked->dtype))
    return differ (self, NULL, "%s holds %s, %s of the description %s.", own->name, ls_dtype_name (own->dtype), asked->name, ls_dtype_name (asked->dtype));
  if (strcmp (ls_buffer_scope (own), ls_buffer_scope (asked)) != 0)
    return differ (self, NULL, "%s is in %s memory, %s of the description in %s memory.", own->name, ls_buffer_scope (own), asked->name, ls_buffer_scope (asked));
  if (!define (self, own->data, asked->data))
    return differ (self, NULL, "%s stands for two buffers of the description.", own->name);
  g_hash_table_insert (self->buffers, asked, own);
  return TRUE;
}

/* The begin of a region of the outermost block: what its indices are counted from. */
static gboolean
note_base (Matcher        *self,
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
same_place (Matcher *self,
            LsExpr  *own,
            LsExpr  *base,
            LsExpr  *asked,
            gboolean simplify)
{
  g_autoptr(LsExpr) distance = ls_sub (ls_ref (own), ls_ref (base));

  if (simplify)
    ls_take (&distance, ls_analyzer_simplify (self->own, distance));
  return same_index (self, distance, asked);
}

static gboolean
match_region (Matcher        *self,
              LsBufferRegion *own,
              LsBufferRegion *asked)
{
  LsArray *base;
  guint offset;

  if (!match_buffer (self, own->buffer, asked->buffer))
    return FALSE;
  if (ls_array_n (own->region) < ls_array_n (asked->region))
    return differ (self, NULL, "%s has %u dimensions, %s of the description %u.", own->buffer->name, ls_array_n (own->region), asked->buffer->name,
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
match_regions (Matcher    *self,
               LsBlock    *block,
               LsArray    *own,
               LsArray    *asked,
               const char *verb)
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
match_access (Matcher  *self,
              LsBuffer *own,
              LsArray  *own_indices,
              LsBuffer *asked,
              LsArray  *asked_indices)
{
  guint n = ls_array_n (asked_indices);
  LsArray *base;
  guint offset;

  if (!match_buffer (self, own, asked))
    return FALSE;
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
other_expr (Matcher *self,
            LsExpr  *own,
            LsExpr  *asked)
{
  g_autofree char *here = ls_script_print_expr (own);
  g_autofree char *there = ls_script_print_expr (asked);

  return differ (self, NULL, "The block computes %s where the description computes %s.", here, there);
}

static gboolean
match_call (Matcher *self,
            LsCall  *own,
            LsCall  *asked)
{
  gboolean same = ls_array_n (own->args) == ls_array_n (asked->args) && (own->op == asked->op || ls_deep_equal (own->op, asked->op));

  for (guint i = 0; same && i < ls_array_n (own->args); i++)
    same = match_expr (self, ls_array_at (own->args, i, LsExpr), ls_array_at (asked->args, i, LsExpr));
  return same || other_expr (self, LS_EXPR (own), LS_EXPR (asked));
}

static gboolean
match_expr (Matcher *self,
            LsExpr  *own,
            LsExpr  *asked)
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
match_annotations (Matcher *self,
                   LsFor   *own,
                   LsFor   *asked)
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
match_for (Matcher *self,
           LsFor   *own,
           LsFor   *asked)
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
match_iter_vars (Matcher *self,
                 LsBlock *own,
                 LsBlock *asked)
{
  if (ls_array_n (own->iter_vars) != ls_array_n (asked->iter_vars))
    return differ (self, own, "Block %s has %u iteration variables, the block of the description %u.", own->name_hint, ls_array_n (own->iter_vars),
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
match_allocations (Matcher *self,
                   LsBlock *own,
                   LsBlock *asked)
{
  if (ls_array_n (own->alloc_buffers) != ls_array_n (asked->alloc_buffers))
    return differ (self, own, "Block %s allocates %u buffers, the block of the description %u.", own->name_hint, ls_array_n (own->alloc_buffers),
                   ls_array_n (asked->alloc_buffers));
  for (guint i = 0; i < ls_array_n (own->alloc_buffers); i++)
    if (!match_buffer (self, ls_array_at (own->alloc_buffers, i, LsBuffer), ls_array_at (asked->alloc_buffers, i, LsBuffer)))
      return FALSE;
  return TRUE;
}

static gboolean
match_block (Matcher *self,
             LsBlock *own,
             LsBlock *asked)
{
  for (guint i = 0; i < ls_array_n (own->iter_vars); i++)
    ls_analyzer_bind_range (self->own, ls_array_at (own->iter_vars, i, LsIterVar)->var, ls_array_at (own->iter_vars, i, LsIterVar)->dom, TRUE);
  if (self->inside && (!match_iter_vars (self, own, asked) || !match_allocations (self, own, asked)))
    return FALSE;
  if (!match_regions (self, own, own->writes, asked->writes, "writes") || !match_regions (self, own, own->reads, asked->reads, "reads"))
    return FALSE;
  self->inside = TRUE;
  return match_stmt (self, own->body, asked->body);
}

static gboolean
match_realize (Matcher        *self,
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
  return match_block (self, own->block, asked->block);
}

static gboolean
match_seq (Matcher   *self,
           LsSeqStmt *own,
           LsSeqStmt *asked)
{
  if (ls_array_n (own->seq) != ls_array_n (asked->seq))
    return differ (self, NULL, "There are %u statements in a row, %u in the description.", ls_array_n (own->seq), ls_array_n (asked->seq));
  for (guint i = 0; i < ls_array_n (own->seq); i++)
    if (!match_stmt (self, ls_array_at (own->seq, i, LsStmt), ls_array_at (asked->seq, i, LsStmt)))
      return FALSE;
  return TRUE;
}

static gboolean
match_store (Matcher       *self,
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
match_stmt (Matcher *self,
            LsStmt  *own,
            LsStmt  *asked)
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
        return match_realize (self, (LsBlockRealize *) own, (LsBlockRealize *) asked);
    }
  return differ (self, ls_is (own, FOR) ? own : NULL, "There is %s where the description has %s.",
                 kind_words (own),
                 kind_words (asked));
}

/* ---- the new block ------------------------------------------------------------------------ */

/* The view of the program's buffer that stands for a parameter of the implementation. (transfer full) */
static LsNode *
view_of (Matcher    *matcher,
         LsPrimFunc *desc,
         LsPrimFunc *impl,
         guint       i)
{
  LsBlock *block = ls_prim_func_root (impl)->block;
  LsBuffer *inner = ls_prim_func_get_buffer (impl, i);
  LsBuffer *outer = g_hash_table_lookup (matcher->buffers, ls_prim_func_get_buffer (desc, i));
  LsBufferRegion *region = ls_region_of (block->reads, inner);
  LsArray *base = g_hash_table_lookup (matcher->bases, outer);
  GPtrArray *ranges = g_ptr_array_new ();
  guint offset;

  if (region == NULL)
    region = ls_region_of (block->writes, inner);
  offset = ls_array_n (base) - MIN (ls_array_n (base), ls_array_n (region->region));
  for (guint d = 0; d < ls_array_n (base); d++)
    {
      LsExpr *min = ls_array_at (base, d, LsExpr);
      LsExpr *extent = d < offset ? NULL : ls_array_at (region->region, d - offset, LsRange)->extent;
      gint64 value;

      if (extent == NULL)
        extent = ls_const_int (ls_dtype (min), 1);
      else if (ls_as_int (extent, &value))
        extent = ls_const_int (ls_dtype (min), value);
      else
        extent = ls_dtype_equal (ls_dtype (extent), ls_dtype (min)) ? ls_ref (extent) : ls_cast_new (ls_dtype (min), ls_ref (extent));
      g_ptr_array_add (ranges, ls_range_new (ls_ref (min), extent));
    }
  return LS_NODE (ls_match_buffer_region_new (ls_ref (inner), ls_buffer_region_new (ls_ref (outer), ls_array_take_ptr_array (ranges))));
}

static LsMap *
joined_annotations (LsMap *own,
                    LsMap *more)
{
  LsMap *joined = ls_ref (own);

  for (guint i = 0; i < more->n; i++)
    if (ls_map_get (joined, more->keys[i]) == NULL)
      ls_take (&joined, ls_map_set (joined, more->keys[i], more->values[i]));
  return joined;
}

static guint
widest_index (LsArray *regions,
              guint    bits)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsArray *region = ls_array_at (regions, i, LsBufferRegion)->region;

      for (guint d = 0; d < ls_array_n (region); d++)
        bits = MAX (bits, ls_dtype (ls_array_at (region, d, LsRange)->min).bits);
    }
  return bits;
}

/* The realize of the block that the intrinsic does, or NULL with findings.  `reuse` gets what blockize reuses. */
static LsBlockRealize *
tensorized (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsBlockReuse  *reuse)
{
  LsSref *target = ls_move_sref (move, BLOCK_OR_LOOP);
  const char *name = ls_move_string (move, TENSOR_INTRIN);
  g_autoptr(LsPrimFunc) desc = NULL;
  g_autoptr(LsPrimFunc) given = NULL;
  g_autoptr(LsPrimFunc) impl = NULL;
  g_autoptr(LsBlockRealize) realize = NULL;
  g_auto(Matcher) matcher;
  GPtrArray *views;
  LsBlock *block, *body;
  g_autoptr (LsBlock) fresh = NULL;

  matcher_init (&matcher);
  if (!ls_tensor_intrin_get (name, &desc, &given))
    {
      ls_move_refuse (move, diagnostics, "unknown-intrin", NULL, "There is no tensor intrinsic %s; it has to be registered first.", name);
      return NULL;
    }
  realize = target->is_block ? ls_ref (ls_state_realize (move->state, target))
                             : ls_blockize_loop (move, diagnostics, target, ls_move_bool (move, PRESERVE_UNIT_ITERS), reuse);
  if (realize == NULL)
    return NULL;
  block = realize->block;
  if (!match_realize (&matcher, realize, ls_prim_func_root (desc)))
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "mismatch", target->stmt, "%s %s is not what %s describes: %s", ls_translate (target->is_block ? LS_TEXT ("Block") : LS_TEXT ("Loop")),
                                              ls_sref_name (target), name, matcher.reason);

      if (matcher.culprit != NULL && matcher.culprit != target->stmt && ls_state_sref (move->state, matcher.culprit) != NULL)
        ls_move_add_culprit (move, finding, matcher.culprit);
      return NULL;
    }
  impl = ls_prim_func_renew (given, widest_index (block->writes, widest_index (block->reads, 32)));
  body = ls_prim_func_root (impl)->block;
  views = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (impl->params); i++)
    g_ptr_array_add (views, view_of (&matcher, desc, impl, i));
  fresh = ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (body->body), ls_ref (block->init),
                        ls_ref (block->alloc_buffers), ls_array_take_ptr_array (views), joined_annotations (block->annotations, body->annotations));
  return ls_block_realize_with_block (realize, fresh);
}

/* ---- the row ---------------------------------------------------------------------------------- */

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  LsSref *target = ls_move_sref (move, BLOCK_OR_LOOP);
  g_autoptr(LsBlockRealize) realize = NULL;

  if (target->is_block && !ls_legal_not_root (move, diagnostics, target))
    return FALSE;
  realize = tensorized (move, diagnostics, reuse);
  return realize != NULL;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockReuse) none = ls_block_reuse_new ();
  LsSref *target = ls_move_sref (move, BLOCK_OR_LOOP);
  g_autoptr(LsBlockRealize) realize = tensorized (move, NULL, none);
  LsSref *scope = ls_state_scope_root (move->state, target);

  if (target->is_block)
    ls_block_reuse_add (reuse, ls_sref_block (target), realize->block);
  ls_state_replace (move->state, target, target->is_block ? (gpointer) realize->block : (gpointer) realize, reuse);
  ls_state_update_flags_below (move->state, scope);
  return TRUE;
}

const LsInstruction ls_instruction_tensorize = {
  .name = "tensorize",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Let a tensor intrinsic do what a block does"),
  .condition = "The intrinsic is registered. The block, or the block that the loop's inside becomes, does what the description of the intrinsic says: "
               "the same loops, bindings, regions, indices and values, up to names and positions in the buffers.",
  .source = "TVM v0.20 tir.Schedule.tensorize",
  .check = check,
  .apply = apply,
};
