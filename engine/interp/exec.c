/* exec: statements.
 *
 * The machine keeps what is under way in frames of its own, not on the stack of C, so that it can stand still between any two
 * statements, be looked at, kept and brought back.  `start` begins a statement and says which one inside it comes next; a statement
 * without any is done then.  `resume` says what comes after a statement inside another one was done.
 */
#include "engine/interp/interp-private.h"

#include <string.h>

/* ---- frames ------------------------------------------------------------------------- */

void
ls_machine_push (LsMachine *m,
                 LsAct     *act)
{
  if (m->n_frames == m->room)
    {
      m->room = MAX (2 * m->room, 16);
      m->frames = g_renew (LsFrame, m->frames, m->room);
    }
  m->frames[m->n_frames++] = (LsFrame) { .act = act, .mark = m->memory->len };
}

void
ls_machine_pop (LsMachine *m)
{
  LsFrame *frame = &m->frames[m->n_frames - 1];

  if (frame->mark < m->memory->len)
    ls_memory_cut (m, frame->mark);
  m->n_frames--;
}

/* ---- statements --------------------------------------------------------------------- */

static gboolean
truth (LsMachine *m,
       LsCode    *code)
{
  LsScalar v = ls_machine_eval (m, code, 0);

  return ls_is_float_type (code->t) ? v.f != 0 : v.i != 0;
}

static void
put (LsView  *view,
     gint64   element,
     guint    inner,
     LsScalar value)
{
  gint64 at = element * ls_dtype_bytes (view->dtype) + inner * ((view->dtype.bits + 7u) / 8u);

  ls_element_set (ls_dtype_element (view->dtype), view->data + at, value);
  if (view->written != NULL)
    view->written[(at + view->written_base) >> 3] |= (guint8) (1u << ((at + view->written_base) & 7));
}

/* All values and places first, then the writes. */
static gboolean
exec_store (LsMachine *m,
            LsAct     *act)
{
  LsBufferPlan *plan = act->allocs[0];
  LsView *view = &m->views[act->slot];
  guint lanes = act->a->t.lanes;
  guint per_element;
  g_autofree LsScalar *many = NULL;
  g_autofree gint64 *places = NULL;
  LsScalar one;
  LsScalar *values = &one;
  gint64 place;
  gint64 *elements = &place;

  if (plan->implicit && !ls_view_set_up (m, plan))
    return FALSE;
  per_element = MAX (view->dtype.lanes, 1);
  if (lanes > 1)
    {
      values = many = g_new0 (LsScalar, lanes);
      elements = places = g_new (gint64, lanes);
    }
  for (guint lane = 0; lane < lanes; lane++)
    values[lane] = ls_machine_eval (m, act->a, lane);
  for (guint lane = 0; lane < lanes && !m->failed; lane++)
    {
      guint outer = lane / per_element;

      elements[lane] = G_MININT64;
      if (act->b != NULL && ls_machine_eval (m, act->b, act->b->t.lanes > 1 ? outer : 0).i == 0)
        continue;
      if (!ls_view_element (m, act->args, act->n, outer, view, plan->buffer, &elements[lane]))
        return FALSE;
    }
  if (G_UNLIKELY (plan->seen & LS_SEE_WRITE))
    for (guint lane = 0; lane < lanes && !m->failed; lane += per_element)
      if (elements[lane] != G_MININT64)
        ls_observe_access (m, LS_SEE_WRITE, act->origin, plan, elements[lane], ls_scalar_fit (ls_dtype_element (view->dtype), values[lane]));
  for (guint lane = 0; lane < lanes && !m->failed; lane++)
    if (elements[lane] != G_MININT64)
      put (view, elements[lane], lane % per_element, values[lane]);
  return !m->failed;
}

static gboolean
bind_iters (LsMachine *m,
            LsAct     *act,
            gboolean  *first)
{
  LsBlock *block = ((LsBlockRealize *) act->origin)->block;
  g_autofree gint64 *values = g_new (gint64, act->n + 1);

  *first = TRUE;
  for (guint i = 0; i < act->n; i++)
    values[i] = ls_machine_eval (m, act->args[i], 0).i;
  for (guint i = 0; i < act->n && !m->failed; i++)
    {
      gint64 min = ls_machine_eval (m, act->mins[i], 0).i;
      gint64 extent = ls_machine_eval (m, act->extents[i], 0).i;

      if (values[i] < min || values[i] >= min + extent)
        ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, ls_translate ("%s of block %s is %lld; it goes from %lld to %lld."),
                         ls_array_at (block->iter_vars, i, LsIterVar)->var->name, block->name_hint, (long long) values[i], (long long) min, (long long) (min + extent - 1));
      if (act->is_reduce[i] && values[i] != min)
        *first = FALSE;
      m->vars[act->slots[i]].i = values[i];
    }
  return !m->failed;
}

/* The statement that begins the first round, or NULL: there is none. */
static LsAct *
start_loop (LsMachine *m,
            LsAct     *act,
            gint64     min,
            gint64     extent)
{
  LsFrame *frame;

  if (extent <= 0 || m->failed)
    return NULL;
  ls_machine_push (m, act);
  frame = &m->frames[m->n_frames - 1];
  frame->min = min;
  frame->extent = extent;
  m->vars[act->slot].i = min;
  if (G_UNLIKELY (act->seen & LS_SEE_ROUND))
    ls_observe_round (m, act, 0, min);
  return act->acts[0];
}

static LsAct *
start_block (LsMachine *m,
             LsAct     *act)
{
  gboolean first;

  if (!truth (m, act->a) || !bind_iters (m, act, &first))
    return NULL;
  ls_machine_push (m, act);
  for (guint i = 0; i < act->n_allocs && !m->failed; i++)
    {
      LsView *view = &m->views[act->allocs[i]->slot];
      guint8 *made = NULL;

      if (ls_view_shape (m, act->allocs[i], view))
        made = ls_memory_new (m, view->dtype, ls_view_size (view));
      m->vars[act->allocs[i]->data_slot].i = (gint64) (gintptr) made;
      if (made != NULL)
        ls_view_set_up (m, act->allocs[i]);
    }
  for (guint i = 0; i < act->n_matches && !m->failed; i++)
    ls_view_match (m, &act->matches[i]);
  if (m->failed)
    return NULL;
  if (G_UNLIKELY (act->seen & LS_SEE_BLOCK))
    ls_observe_block (m, act);
  if (first && act->init != NULL)
    return act->init;
  m->frames[m->n_frames - 1].at = LS_IN_BODY;
  return act->acts[0];
}

static LsAct *
start_allocate (LsMachine *m,
                LsAct     *act)
{
  gint64 n = 1;
  guint8 *data;

  for (guint i = 0; i < act->n; i++)
    {
      gint64 extent = ls_machine_eval (m, act->extents[i], 0).i;

      n = extent < 0 || (extent > 0 && n > G_MAXINT64 / extent) ? -1 : n * extent;
      if (n < 0)
        break;
    }
  if (m->failed)
    return NULL;
  ls_machine_push (m, act);
  data = ls_memory_new (m, ((LsAllocate *) act->origin)->dtype, n);
  if (data == NULL)
    return NULL;
  m->vars[act->slot].i = (gint64) (gintptr) data;
  return act->acts[0];
}

static LsAct *
start_allocate_const (LsMachine *m,
                      LsAct     *act)
{
  gsize bytes;
  const guint8 *data = g_bytes_get_data (((LsAllocateConst *) act->origin)->data->data, &bytes);

  ls_machine_push (m, act);
  m->vars[act->slot].i = (gint64) (gintptr) ls_memory_copy (m, data, bytes);
  return act->acts[0];
}

static LsAct *
start_evaluate (LsMachine *m,
                LsAct     *act)
{
  if (act->a->kind == LS_KIND_CALL && act->a->call == LS_CALL_FUNCTION)
    {
      ls_machine_push (m, act);
      return ls_call_begin (m, act->a);
    }
  ls_machine_eval (m, act->a, 0);
  return NULL;
}

static LsAct *
start_assert (LsMachine *m,
              LsAct     *act)
{
  LsExpr *message = ((LsAssertStmt *) act->origin)->message;

  if (!truth (m, act->a))
    {
      if (!m->failed)
        ls_machine_fail (m, LS_INTERP_ERROR_ASSERT, ls_translate ("Assert failed: %s"), ls_is (message, STRING_IMM) ? ((LsStringImm *) message)->value : "");
      return NULL;
    }
  ls_machine_push (m, act);
  return act->acts[0];
}

static LsAct *
start_within (LsMachine *m,
              LsAct     *act,
              guint      part)
{
  ls_machine_push (m, act);
  return act->acts[part];
}

/* What comes next inside it; NULL: it is done, or failed. */
static LsAct *
start (LsMachine *m,
       LsAct     *act)
{
  switch ((int) act->kind)
    {
    case LS_KIND_FOR:
      {
        gint64 min = ls_machine_eval (m, act->a, 0).i;

        return start_loop (m, act, min, ls_machine_eval (m, act->b, 0).i);
      }
    case LS_KIND_BLOCK_REALIZE:
      return start_block (m, act);
    case LS_KIND_BUFFER_STORE:
      exec_store (m, act);
      return NULL;
    case LS_KIND_EVALUATE:
      return start_evaluate (m, act);
    case LS_KIND_IF_THEN_ELSE:
      if (truth (m, act->a))
        return start_within (m, act, 0);
      return act->n_acts > 1 && !m->failed ? start_within (m, act, 1) : NULL;
    case LS_KIND_WHILE:
      if (!truth (m, act->a))
        return NULL;
      if (G_UNLIKELY (act->seen & LS_SEE_ROUND))
        ls_observe_round (m, act, 0, 0);
      return start_within (m, act, 0);
    case LS_KIND_LET_STMT:
      for (guint lane = 0; lane < MAX (1u, act->a->t.lanes); lane++)
        m->vars[act->slot + lane] = ls_machine_eval (m, act->a, lane);
      return m->failed ? NULL : start_within (m, act, 0);
    case LS_KIND_ASSERT_STMT:
      return start_assert (m, act);
    case LS_KIND_ATTR_STMT:
      if (act->is_thread)
        return start_loop (m, act, 0, ls_machine_eval (m, act->a, 0).i);
      return start_within (m, act, 0);
    case LS_KIND_ALLOCATE:
      return start_allocate (m, act);
    case LS_KIND_ALLOCATE_CONST:
      return start_allocate_const (m, act);
    case LS_KIND_DECL_BUFFER:
    case LS_KIND_BUFFER_REALIZE:
      return ls_view_set_up (m, act->allocs[0]) ? start_within (m, act, 0) : NULL;
    default:
      g_assert_not_reached ();
    }
}

/* What comes after the part of the topmost frame that is done; NULL: the frame is done too, and gone. */
static LsAct *
resume (LsMachine *m)
{
  LsFrame *frame = &m->frames[m->n_frames - 1];
  LsAct *act = frame->act;

  switch ((int) act->kind)
    {
    case LS_KIND_SEQ_STMT:
      if (frame->at < act->n_acts)
        return act->acts[frame->at++];
      break;
    case LS_KIND_FOR:
    case LS_KIND_ATTR_STMT:
      if (++frame->i >= frame->extent)
        break;
      m->vars[act->slot].i = frame->min + frame->i;
      if (G_UNLIKELY (act->seen & LS_SEE_ROUND))
        ls_observe_round (m, act, frame->i, frame->min + frame->i);
      return act->acts[0];
    case LS_KIND_BLOCK_REALIZE:
      if (frame->at == LS_IN_BODY)
        break;
      frame->at = LS_IN_BODY;
      return act->acts[0];
    case LS_KIND_WHILE:
      ls_machine_pop (m);
      return act;               /* the condition is asked again */
    case LS_KIND_EVALUATE:
      ls_machine_leave (m);
      break;
    default:
      break;
    }
  ls_machine_pop (m);
  return NULL;
}

/* T.ret: the function ends; the frame of its call is left on top, or `base` frames. */
static void
leave_function (LsMachine *m,
                guint      base)
{
  guint call = m->activations->len > 1 ? g_array_index (m->activations, LsActivation, m->activations->len - 1).frame + 1 : 0;

  while (m->n_frames > MAX (base, call))
    ls_machine_pop (m);
  m->returned = FALSE;
}

/* ---- going on ------------------------------------------------------------------------- */

/* Is this where the machine stands still? */
static gboolean
stands_still (LsMachine *m,
              LsAct     *act)
{
  if (m->atomic > 0)
    return FALSE;
  if (m->clock < m->stop_at && !m->stop_wanted && (act->seen & LS_SEE_STATEMENT) != 0)
    ls_observe_statement (m, act);
  if (m->clock < m->stop_at && !m->stop_wanted)
    return FALSE;
  m->stop_wanted = FALSE;
  m->next = act;
  return TRUE;
}

/* The statement that an observer stopped in the midst of: everything is as it was before it. */
static void
take_back (LsMachine *m,
           LsAct     *act,
           guint      n_frames,
           guint      mark,
           guint      depth)
{
  while (m->n_frames > n_frames)
    ls_machine_pop (m);
  ls_memory_cut (m, mark);
  while (m->activations->len > depth)
    ls_machine_leave (m);
  m->failed = m->is_aborted = m->stop_wanted = FALSE;
  m->clock--;
  m->next = act;
}

gboolean
ls_machine_go (LsMachine *m,
               LsAct     *next,
               guint      base)
{
  LsBudget *budget = m->options != NULL ? m->options->budget : NULL;

  while (next != NULL || m->n_frames > base)
    {
      guint n_frames, mark, depth;
      LsAct *act;

      if (next == NULL)
        {
          next = resume (m);
          continue;
        }
      while (next->kind == LS_KIND_SEQ_STMT && next->n_acts > 0)
        {
          ls_machine_push (m, next);
          m->frames[m->n_frames - 1].at = 1;
          next = next->acts[0];
        }
      if (next->kind == LS_KIND_SEQ_STMT)
        {
          next = NULL;
          continue;
        }
      if (G_UNLIKELY (m->clock >= m->stop_at || m->stop_wanted || (next->seen & LS_SEE_STATEMENT) != 0) && stands_still (m, next))
        return FALSE;
      if (budget != NULL && !ls_budget_take (budget, 1))
        {
          ls_machine_fail (m, LS_INTERP_ERROR_BUDGET, ls_translate ("The interpreter was stopped: its budget is used up."));
          return FALSE;
        }
      m->clock++;
      act = m->act = next;
      n_frames = m->n_frames;
      mark = m->memory->len;
      depth = m->activations->len;
      next = start (m, act);
      if (G_UNLIKELY (m->failed))
        {
          if (m->is_aborted)
            take_back (m, act, n_frames, mark, depth);
          return FALSE;
        }
      if (G_UNLIKELY (m->returned))
        {
          leave_function (m, base);
          next = NULL;
        }
    }
  m->next = NULL;
  return TRUE;
}
