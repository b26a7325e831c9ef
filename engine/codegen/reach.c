/* reach: accesses that plainly leave their memory, which are compared as they run.
 *
 * A step of a schedule that was accepted with a warning (a copy that may reach outside, a padded loop that other blocks share) can leave a
 * program whose indices leave the memory, and the process ends with it.  Before a function is emitted each index that is a sum, product,
 * quotient, least or greatest of loop variables is bounded from the extents of the loops; where these bounds leave the memory the access is
 * compared with its extents, as ls_cg_is_data() ones are, and the function returns with a sentence.  Bounds know nothing of conditions:
 * an access under a condition that has one of its variables (or a bound one, whose variables are not looked up) is taken to be guarded,
 * for such are the borders of padded operators, whose loops must stay free of comparisons.  Memory whose size is no constant, or is seen
 * through a larger buffer, is not looked at; through a smaller one (rows that storage_align has set apart end before the memory does) only
 * what leaves the memory counts.
 */
#include "engine/codegen/codegen-private.h"

#define FAR ((gint64) 1 << 40)

typedef struct {
  gint64   low, high;
  gboolean is_bound;    /* by a let or a block: stands for variables that are not looked up */
} Reach;

typedef struct {
  GHashTable *leaves;   /* LsArray of indices, to add to */
  GHashTable *vars;     /* LsVar -> Reach */
  GHashTable *room;     /* data LsVar -> gint64 bytes */
  GPtrArray  *guards;   /* of LsExpr: conditions around */
} Look;

static gboolean reach_of (Look *look, LsExpr *expr, Reach *reach);

static gboolean
is_near (Reach *reach)
{
  return reach->low > -FAR && reach->high < FAR && reach->low <= reach->high;
}

static gint64
quotient (gint64 a,
          gint64 b)
{
  return a / b - (a % b < 0 ? 1 : 0);
}

static gboolean
divided (LsKind  kind,
         Reach  *a,
         gint64  by,
         Reach  *reach)
{
  if (by <= 0)
    return FALSE;
  if (kind == LS_KIND_FLOOR_DIV)
    *reach = (Reach) { quotient (a->low, by), quotient (a->high, by), FALSE };
  else if (quotient (a->low, by) == quotient (a->high, by))
    *reach = (Reach) { a->low - quotient (a->low, by) * by, a->high - quotient (a->low, by) * by, FALSE };
  else
    *reach = (Reach) { 0, by - 1, FALSE };
  return TRUE;
}

static gboolean
multiplied (Reach *a,
            Reach *b,
            Reach *reach)
{
  gint64 at[4];

  for (guint i = 0; i < 4; i++)
    if (__builtin_mul_overflow (i & 1 ? a->low : a->high, i & 2 ? b->low : b->high, &at[i]))
      return FALSE;
  *reach = (Reach) { MIN (MIN (at[0], at[1]), MIN (at[2], at[3])), MAX (MAX (at[0], at[1]), MAX (at[2], at[3])), FALSE };
  return TRUE;
}

static gboolean
reach_of_two (Look     *look,
              LsBinary *expr,
              Reach    *reach)
{
  LsKind kind = ls_kind (expr);
  Reach a, b;

  if (!reach_of (look, expr->a, &a) || !reach_of (look, expr->b, &b))
    return FALSE;
  switch ((int) kind)
    {
    case LS_KIND_ADD: *reach = (Reach) { a.low + b.low, a.high + b.high, FALSE }; break;
    case LS_KIND_SUB: *reach = (Reach) { a.low - b.high, a.high - b.low, FALSE }; break;
    case LS_KIND_MIN: *reach = (Reach) { MIN (a.low, b.low), MIN (a.high, b.high), FALSE }; break;
    case LS_KIND_MAX: *reach = (Reach) { MAX (a.low, b.low), MAX (a.high, b.high), FALSE }; break;
    case LS_KIND_MUL:
      if (!multiplied (&a, &b, reach))
        return FALSE;
      break;
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      if (b.low != b.high || !divided (kind, &a, b.low, reach))
        return FALSE;
      break;
    default:
      return FALSE;
    }
  reach->is_bound = a.is_bound || b.is_bound;
  return is_near (reach);
}

/* The least and the greatest value; FALSE where they are not known. */
static gboolean
reach_of (Look   *look,
          LsExpr *expr,
          Reach  *reach)
{
  Reach *known;
  gint64 n;

  if (ls_as_int (expr, &n))
    {
      *reach = (Reach) { n, n, FALSE };
      return is_near (reach);
    }
  if (ls_is_var (expr))
    {
      if ((known = g_hash_table_lookup (look->vars, expr)) == NULL)
        return FALSE;
      *reach = *known;
      return TRUE;
    }
  if (ls_is (expr, CAST))
    return ls_dtype (expr).code == LS_TYPE_INT && ls_dtype (expr).bits >= 32 && reach_of (look, ((LsCast *) expr)->value, reach);
  if (ls_is (expr, BROADCAST))
    return reach_of (look, ((LsBroadcast *) expr)->value, reach);
  if (ls_is (expr, RAMP))
    {
      LsRamp *ramp = (LsRamp *) expr;
      gint64 step;

      if (!ls_as_int (ramp->stride, &step) || !ls_as_int (ramp->lanes, &n) || ABS (step) > FAR / 4096 || n > 4096 || !reach_of (look, ramp->base, reach))
        return FALSE;
      reach->low += MIN (0, step * (n - 1));
      reach->high += MAX (0, step * (n - 1));
      return is_near (reach);
    }
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
    case LS_KIND_MIN:
    case LS_KIND_MAX:
      return reach_of_two (look, (LsBinary *) expr, reach);
    default:
      return FALSE;
    }
}

static void
note_var (Look  *look,
          LsVar *var,
          Reach  reach)
{
  if (is_near (&reach))
    g_hash_table_insert (look->vars, var, g_memdup2 (&reach, sizeof reach));
  else
    g_hash_table_remove (look->vars, var);
}

static void
note_value (Look   *look,
            LsVar  *var,
            LsExpr *value)
{
  Reach reach = { 1, 0, FALSE };

  if (!reach_of (look, value, &reach))
    reach = (Reach) { 1, 0, FALSE };
  reach.is_bound = TRUE;
  note_var (look, var, reach);
}

static void
note_loop (Look  *look,
           LsFor *loop)
{
  Reach reach = { 1, 0, FALSE };
  gint64 min, extent;

  if (ls_as_int (loop->min, &min) && ls_as_int (loop->extent, &extent) && ABS (min) < FAR && extent < FAR)
    reach = (Reach) { min, min + extent - 1, FALSE };
  note_var (look, loop->loop_var, reach);
}

/* ---- the memory --------------------------------------------------------------- */

/* Of a shape; -1 when it is no constant. */
static gint64
bytes_of (LsArray *shape,
          LsDType  dtype)
{
  gint64 n = ls_dtype_bytes (dtype);

  for (guint i = 0; i < shape->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (shape->items[i], &extent) || extent < 0 || __builtin_mul_overflow (n, extent, &n))
        return -1;
    }
  return n;
}

static void
note_room (Look   *look,
           LsVar  *data,
           gint64  bytes)
{
  if (bytes >= 0)
    g_hash_table_insert (look->room, data, g_memdup2 (&bytes, sizeof bytes));
}

static gboolean
is_bound_var (LsVar   *var,
              gpointer look)
{
  Reach *reach = g_hash_table_lookup (((Look *) look)->vars, var);

  return reach != NULL && reach->is_bound;
}

typedef struct {
  LsExpr *index;
} Shared;

static gboolean
is_in_index (LsVar   *var,
             gpointer shared)
{
  return ls_uses (((Shared *) shared)->index, var);
}

static gboolean
is_guarded (Look   *look,
            LsExpr *index,
            Reach  *reach)
{
  Shared shared = { index };

  if (reach->is_bound && look->guards->len > 0)
    return TRUE;
  for (guint i = 0; i < look->guards->len; i++)
    if (ls_uses_var (look->guards->pdata[i], is_bound_var, look) || ls_uses_var (look->guards->pdata[i], is_in_index, &shared))
      return TRUE;
  return FALSE;
}

static void
look_at_access (Look     *look,
                LsBuffer *buffer,
                LsArray  *indices)
{
  gint64 *room = g_hash_table_lookup (look->room, buffer->data), offset, bytes = bytes_of (buffer->shape, buffer->dtype);

  if (room == NULL || ls_buffer_has_strides (buffer) || (buffer->elem_offset != NULL && (!ls_as_int (buffer->elem_offset, &offset) || offset != 0))
      || bytes < 0 || bytes > *room || (bytes < *room && indices->n != 1) || indices->n != buffer->shape->n)
    return;
  for (guint i = 0; i < indices->n; i++)
    {
      LsExpr *index = ls_array_at (indices, i, LsExpr);
      Reach reach;
      gint64 extent;

      if (ls_as_int (buffer->shape->items[i], &extent) && reach_of (look, index, &reach)
          && (reach.low < 0 || reach.high >= (bytes < *room ? *room / ls_dtype_bytes (buffer->dtype) : extent))
          && !is_guarded (look, index, &reach))
        g_hash_table_add (look->leaves, indices);
    }
}

/* ---- the walk ----------------------------------------------------------------- */

/* The condition under which parts of a node run, or NULL. */
static LsExpr *
condition_of (LsNode *node)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_IF_THEN_ELSE: return ((LsIfThenElse *) node)->condition;
    case LS_KIND_SELECT: return ((LsSelect *) node)->condition;
    case LS_KIND_WHILE: return ((LsWhile *) node)->condition;
    case LS_KIND_ASSERT_STMT: return ((LsAssertStmt *) node)->condition;
    case LS_KIND_BLOCK_REALIZE: return ls_is_one (((LsBlockRealize *) node)->predicate) ? NULL : ((LsBlockRealize *) node)->predicate;
    case LS_KIND_AND:
    case LS_KIND_OR: return ((LsBinary *) node)->a;
    case LS_KIND_CALL: return ls_is_call (node, "tir.if_then_else") ? ls_array_at (((LsCall *) node)->args, 0, LsExpr) : NULL;
    default: return NULL;
    }
}

static void
note_block (Look           *look,
            LsBlockRealize *realize)
{
  LsBlock *block = realize->block;

  for (guint i = 0; i < block->iter_vars->n && i < realize->iter_values->n; i++)
    note_value (look, ls_array_at (block->iter_vars, i, LsIterVar)->var, ls_array_at (realize->iter_values, i, LsExpr));
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    {
      LsBuffer *buffer = ls_array_at (block->alloc_buffers, i, LsBuffer);

      if (!ls_buffer_has_strides (buffer))
        note_room (look, buffer->data, bytes_of (buffer->shape, buffer->dtype));
    }
}

static LsWalk
enter (LsNode  *node,
       gpointer user_data)
{
  Look *look = user_data;
  LsExpr *condition = condition_of (node);

  if (condition != NULL)
    g_ptr_array_add (look->guards, condition);
  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR: note_loop (look, (LsFor *) node); break;
    case LS_KIND_LET: note_value (look, ((LsLet *) node)->var, ((LsLet *) node)->value); break;
    case LS_KIND_LET_STMT: note_value (look, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value); break;
    case LS_KIND_BLOCK_REALIZE: note_block (look, (LsBlockRealize *) node); break;
    case LS_KIND_ALLOCATE:
      note_room (look, ((LsAllocate *) node)->buffer_var, bytes_of (((LsAllocate *) node)->extents, ((LsAllocate *) node)->dtype));
      break;
    case LS_KIND_BUFFER_LOAD:
      look_at_access (look, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
      break;
    case LS_KIND_BUFFER_STORE:
      look_at_access (look, ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices);
      break;
    default: break;
    }
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode  *node,
       gpointer user_data)
{
  Look *look = user_data;

  if (condition_of (node) != NULL)
    g_ptr_array_set_size (look->guards, look->guards->len - 1);
}

void
ls_cg_look_where_it_reaches (LsCg       *cg,
                             LsPrimFunc *func)
{
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) room = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GPtrArray) guards = g_ptr_array_new ();
  Look look = { cg->leaves, vars, room, guards };

  g_hash_table_remove_all (cg->leaves);
  if (cg->target->is_device || !cg->target->is_host)     /* code for another machine is read, not called */
    return;
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer != NULL && !ls_buffer_has_strides (buffer))
        note_room (&look, buffer->data, bytes_of (buffer->shape, buffer->dtype));
    }
  ls_walk (func->body, enter, leave, &look);
}
