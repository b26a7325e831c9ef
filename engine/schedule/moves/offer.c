/* offer: see the header.
 *
 * For a loop or block a list of candidates is made (which primitive with which arguments makes sense here), each is tried
 * on a copy of the schedule, and for each that is refused repairs are tried in this order: the same primitive on another
 * loop of the nest; a preparing primitive first; the same call before an earlier step with the later steps replayed.
 */
#include "engine/schedule/moves/private.h"

#include <inttypes.h>
#include <string.h>

#define MAX_FACTORS 64

typedef LsMoveSearch Search;

void
ls_offer_free (LsOffer *self)
{
  g_free (self->call);
  g_free (self->effect);
  g_free (self->text);
  g_free (self->reason);
  g_free (self->code);
  g_clear_pointer (&self->culprits, g_ptr_array_unref);
  g_free (self->repair);
  g_free (self->repair_text);
  g_free (self->advice);
  g_clear_pointer (&self->factors, g_array_unref);
  g_free (self);
}

/* ---- places as text --------------------------------------------------------- */

static guint
count_name (LsVersion  *version,
            guint       func,
            const char *name)
{
  guint n = 0;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);

      n += entity->type == LS_ENTITY_BLOCK && entity->func == func && strcmp (((LsBlock *) entity->node)->name_hint, name) == 0;
    }
  return n;
}

/* The first block at or below entity `at` whose name is its own in the function; -1: none. */
static gint
named_block (LsVersion *version,
             gint       at)
{
  guint depth = ls_version_at (version, at)->depth;

  for (guint i = (guint) at; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);

      if (i > (guint) at && (entity->depth <= depth && entity->type != LS_ENTITY_BUFFER))
        break;
      if (entity->type == LS_ENTITY_BLOCK && count_name (version, entity->func, ((LsBlock *) entity->node)->name_hint) == 1)
        return (gint) i;
    }
  return -1;
}

static char *
python_name (const char *prefix,
             const char *name)
{
  char *text = g_strdup_printf ("%s_%s", prefix, name);

  for (char *p = text; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p))
      *p = '_';
  return text;
}

static void
add_line (GString    *lines,
          const char *line)
{
  if (strstr (lines->str, line) == NULL)
    g_string_append (lines, line);
}

char *
ls_schedule_place_text (LsSchedule *self,
                        LsNode     *node,
                        GString    *lines)
{
  LsVersion *version = ls_schedule_get_version (self, ls_schedule_get_n_steps (self));
  gint at = ls_version_find_node (version, node);
  gint block = at >= 0 ? named_block (version, at) : -1;
  LsEntity *entity;
  g_autofree char *block_name = NULL;
  g_autofree char *loops_name = NULL;
  g_autofree char *line = NULL;
  const char *func;
  guint index = 0;

  if (block < 0)
    return NULL;
  entity = ls_version_at (version, block);
  func = ls_array_at (version->module->global_vars, entity->func, LsGlobalVar)->name_hint;
  block_name = python_name ("block", ((LsBlock *) entity->node)->name_hint);
  line = g_strdup_printf ("%s = sch.get_block(\"%s\", func_name=\"%s\")\n", block_name, ((LsBlock *) entity->node)->name_hint, func);
  add_line (lines, line);
  if (block == at)
    return g_steal_pointer (&block_name);
  for (gint up = ls_version_at (version, block)->parent; up >= 0 && up != at; up = ls_version_at (version, up)->parent)
    if (ls_version_at (version, up)->type == LS_ENTITY_BLOCK)
      return NULL;
  for (gint up = ls_version_at (version, at)->parent; up >= 0 && ls_version_at (version, up)->type == LS_ENTITY_LOOP; up = ls_version_at (version, up)->parent)
    index++;
  loops_name = python_name ("loops", ((LsBlock *) entity->node)->name_hint);
  g_free (line);
  line = g_strdup_printf ("%s = sch.get_loops(%s)\n", loops_name, block_name);
  add_line (lines, line);
  return g_strdup_printf ("%s[%u]", loops_name, index);
}

/* ---- trying ------------------------------------------------------------------- */

static gboolean
try_text (LsSchedule    *schedule,
          const char    *text,
          LsDiagnostics *diagnostics)
{
  LsSource *source = ls_source_new ("move", text, -1);
  gboolean ok;

  ls_schedule_apply_text (schedule, source, 0, diagnostics);
  ok = !ls_diagnostics_has_error (diagnostics);
  ls_source_unref (source);
  return ok;
}

static gboolean
is_possible (LsSchedule *schedule,
             const char *text)
{
  g_autoptr(LsSchedule) copy = ls_schedule_copy (schedule);
  g_autoptr(LsDiagnostics) diagnostics = ls_diagnostics_new ();

  return try_text (copy, text, diagnostics);
}

static const char *
name_of (LsNode *node)
{
  return ls_is (node, FOR) ? ((LsFor *) node)->loop_var->name : ((LsBlock *) node)->name_hint;
}

/* "%1" and "%2" in `format` stand for the places of a and b. NULL when one of them cannot be named. */
static char *
move_text (LsSchedule *schedule,
           const char *format,
           LsNode     *a,
           LsNode     *b)
{
  g_autoptr(GString) lines = g_string_new (NULL);
  g_autofree char *first = ls_schedule_place_text (schedule, a, lines);
  g_autofree char *second = b != NULL ? ls_schedule_place_text (schedule, b, lines) : NULL;

  if (first == NULL || (b != NULL && second == NULL))
    return NULL;
  g_string_append (lines, format);
  g_string_append_c (lines, '\n');
  g_string_replace (lines, "%1", first, 0);
  if (second != NULL)
    g_string_replace (lines, "%2", second, 0);
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

/* The call as people say it: "sch.split(%1, ...)" with names in place of the marks and without "sch.". */
static char *
call_text (const char *format,
           LsNode     *a,
           LsNode     *b)
{
  GString *text = g_string_new (strstr (format, "sch.") != NULL ? strstr (format, "sch.") + strlen ("sch.") : format);

  g_string_replace (text, "%1", name_of (a), 0);
  if (b != NULL)
    g_string_replace (text, "%2", name_of (b), 0);
  return g_string_free (text, FALSE);
}

/* ---- repairs -------------------------------------------------------------------- */

static void
set_repair (LsOffer *offer,
            char    *label,
            char    *text,
            gboolean replays)
{
  offer->group = LS_OFFER_WITH_CHANGE;
  offer->repair = label;
  offer->repair_text = text;
  offer->replays = replays;
}

static gboolean
repair_by_other_loop (Search     *self,
                      LsOffer    *offer,
                      const char *format,
                      LsNode     *a,
                      LsNode     *b)
{
  g_autoptr(GPtrArray) loops = NULL;
  LsNode *asked = ls_is (a, FOR) ? a : b;
  LsSref *sref = asked != NULL && ls_is (asked, FOR) ? ls_state_sref (self->state, asked) : NULL;
  g_autoptr(GPtrArray) blocks = NULL;

  if (sref == NULL || (b != NULL && ls_is (a, FOR)))
    return FALSE;
  blocks = ls_state_child_blocks (self->state, sref);
  if (blocks->len == 0)
    return FALSE;
  loops = ls_state_loops (self->state, blocks->pdata[0]);
  for (guint i = loops->len; i-- > 0;)
    {
      LsNode *other = ((LsSref *) loops->pdata[i])->stmt;
      g_autofree char *text = NULL;

      if (other == asked)
        continue;
      text = move_text (self->schedule, format, asked == a ? other : a, asked == b ? other : b);
      if (text != NULL && is_possible (self->schedule, text))
        {
          set_repair (offer, g_strdup_printf (ls_translate ("Use %s instead"), name_of (other)), g_steal_pointer (&text), FALSE);
          return TRUE;
        }
    }
  return FALSE;
}

/* The move on each loop of this name in `prepared`; the steps of the first that can be done, or NULL. (transfer full) */
static char *
move_on_namesake (LsSchedule *prepared,
                  const char *format,
                  const char *name)
{
  LsVersion *version = ls_schedule_get_version (prepared, ls_schedule_get_n_steps (prepared));

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      g_autofree char *move = NULL;

      if (entity->type != LS_ENTITY_LOOP || strcmp (name_of (entity->node), name) != 0)
        continue;
      move = move_text (prepared, format, entity->node, NULL);
      if (move != NULL && is_possible (prepared, move))
        return g_steal_pointer (&move);
    }
  return NULL;
}

/* Steps that may make a move on a loop possible, as formats. (transfer full) */
static GPtrArray *
preparations (Search *self,
              LsNode *loop)
{
  GPtrArray *formats = g_ptr_array_new_with_free_func (g_free);
  LsMap *annotations = ((LsFor *) loop)->annotations;

  for (guint i = 0; i < annotations->n; i++)
    g_ptr_array_add (formats, g_strdup_printf ("sch.unannotate(%%1, \"%s\")", annotations->keys[i]));
  g_ptr_array_add (formats, g_strdup ("sch.rfactor(%1, 0)"));
  g_ptr_array_add (formats, g_strdup ("sch.decompose_reduction(%2, %1)"));
  return formats;
}

static LsNode *
first_block_below (Search *self,
                   LsNode *loop)
{
  LsSref *sref = ls_state_sref (self->state, loop);
  g_autoptr(GPtrArray) blocks = sref != NULL ? ls_state_child_blocks (self->state, sref) : NULL;

  return blocks != NULL && blocks->len > 0 ? ((LsSref *) blocks->pdata[0])->stmt : NULL;
}

static gboolean
repair_by_preparing (Search     *self,
                     LsOffer    *offer,
                     const char *format,
                     LsNode     *a,
                     LsNode     *b)
{
  g_autoptr(GPtrArray) formats = ls_is (a, FOR) && b == NULL ? preparations (self, a) : NULL;
  LsNode *block = formats != NULL ? first_block_below (self, a) : NULL;

  for (guint i = 0; formats != NULL && i < formats->len; i++)
    {
      const char *preparing = formats->pdata[i];
      LsNode *other = strstr (preparing, "%2") != NULL ? block : NULL;
      g_autofree char *first = other != NULL || strstr (preparing, "%2") == NULL ? move_text (self->schedule, preparing, a, other) : NULL;
      g_autoptr(LsSchedule) prepared = NULL;
      g_autoptr(LsDiagnostics) diagnostics = ls_diagnostics_new ();
      g_autofree char *move = NULL;

      if (first == NULL || strstr (preparing, offer->instruction->name) != NULL)
        continue;
      prepared = ls_schedule_copy (self->schedule);
      if (try_text (prepared, first, diagnostics))
        move = move_on_namesake (prepared, format, name_of (a));
      if (move != NULL)
        {
          g_autofree char *shown = call_text (preparing, a, other);

          set_repair (offer, g_strdup_printf (ls_translate ("First %s"), shown), g_strconcat (first, move, NULL), FALSE);
          offer->prepares = TRUE;
          return TRUE;
        }
    }
  return FALSE;
}

/* The node that stood for the same loop or block after `step` steps, or NULL. */
static LsNode *
node_at (Search *self,
         LsNode *node,
         guint   step)
{
  LsVersion *now = ls_schedule_get_version (self->schedule, ls_schedule_get_n_steps (self->schedule));
  LsVersion *then = ls_schedule_get_version (self->schedule, step);
  gint at = ls_version_find_node (now, node);
  gint before = at >= 0 ? ls_version_find_id (then, ls_version_at (now, at)->id) : -1;

  return before >= 0 ? ls_version_at (then, before)->node : NULL;
}

static gboolean
repair_by_replay (Search     *self,
                  LsOffer    *offer,
                  const char *format,
                  LsNode     *a,
                  LsNode     *b)
{
  guint n = ls_schedule_get_n_steps (self->schedule);
  LsVersion *first = ls_schedule_get_version (self->schedule, 0);

  for (guint step = n; step-- > 0;)
    {
      LsNode *a_then = node_at (self, a, step);
      LsNode *b_then = b != NULL ? node_at (self, b, step) : NULL;
      g_autoptr(LsSchedule) base = NULL;
      g_autoptr(LsSchedule) fresh = NULL;
      g_autoptr(GString) whole = NULL;
      g_autofree char *move = NULL;
      guint shown = 1;

      if (ls_step_is_pure (ls_schedule_get_step (self->schedule, step)))
        continue;
      if (a_then == NULL || (b != NULL && b_then == NULL))
        return FALSE;
      base = ls_schedule_copy (self->schedule);
      ls_schedule_undo_to (base, step);
      move = move_text (base, format, a_then, b_then);
      if (move == NULL || !is_possible (base, move))
        continue;
      whole = g_string_new (NULL);
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *line = ls_schedule_print_step (self->schedule, i);

          if (i == step)
            g_string_append (whole, move);
          g_string_append_printf (whole, "%s\n", line);
          shown += i < step && !ls_step_is_pure (ls_schedule_get_step (self->schedule, i));
        }
      fresh = ls_schedule_new (first->module);
      if (is_possible (fresh, whole->str))
        {
          set_repair (offer, g_strdup_printf (ls_translate ("Do it before step %u, replay"), shown), g_string_free (g_steal_pointer (&whole), FALSE), TRUE);
          return TRUE;
        }
    }
  return FALSE;
}

/* ---- one candidate ------------------------------------------------------------------ */

static void
take_reason (LsOffer       *offer,
             LsDiagnostics *diagnostics)
{
  const LsDiagnostic *finding = ls_diagnostics_get_n (diagnostics) > 0 ? ls_diagnostics_get (diagnostics, 0) : NULL;

  if (finding == NULL)
    return;
  offer->reason = g_strdup (finding->message);
  offer->code = g_strdup (finding->code);
  offer->advice = g_strdup (finding->repair);
  offer->checked_in = finding->checked_in;
  offer->checked_at = finding->checked_at;
  offer->culprits = finding->culprits != NULL ? g_ptr_array_ref (finding->culprits) : NULL;
}

/* Accepted, but not without doubt: the doubt is what there is to say of it. */
static void
take_warning (LsOffer       *offer,
              LsDiagnostics *diagnostics)
{
  if (ls_diagnostics_get_n (diagnostics) == 0)
    return;
  take_reason (offer, diagnostics);
  g_free (offer->effect);
  offer->effect = g_strdup_printf (ls_translate ("May change the result: %s"), offer->reason);
}

static LsOffer *
try_offer (Search     *self,
           const char *primitive,
           const char *format,
           LsNode     *a,
           LsNode     *b,
           char       *effect,
           gboolean    search_far)
{
  const LsInstruction *instruction = ls_instruction_get (primitive);
  g_autofree char *text = instruction != NULL ? move_text (self->schedule, format, a, b) : NULL;
  g_autoptr(LsSchedule) copy = NULL;
  g_autoptr(LsDiagnostics) diagnostics = NULL;
  LsOffer *offer;

  if (text == NULL)
    {
      g_free (effect);
      return NULL;
    }
  offer = g_new0 (LsOffer, 1);
  offer->effect = effect;
  offer->instruction = instruction;
  offer->call = call_text (format, a, b);
  offer->text = g_steal_pointer (&text);
  copy = ls_schedule_copy (self->schedule);
  diagnostics = ls_diagnostics_new ();
  g_ptr_array_add (self->offers, offer);
  if (try_text (copy, offer->text, diagnostics))
    {
      take_warning (offer, diagnostics);
      return offer;
    }
  offer->group = LS_OFFER_CANNOT;
  take_reason (offer, diagnostics);
  if (!repair_by_preparing (self, offer, format, a, b) && !repair_by_other_loop (self, offer, format, a, b)
      && (!search_far || !repair_by_replay (self, offer, format, a, b)) && offer->advice != NULL)
    offer->group = LS_OFFER_WITH_CHANGE;
  return offer;
}

static LsOffer *
offer_move (Search     *self,
            const char *primitive,
            const char *format,
            LsNode     *a,
            LsNode     *b,
            const char *effect,
            ...)
{
  va_list args;
  char *text;

  va_start (args, effect);
  text = g_strdup_vprintf (ls_translate (effect), args);
  va_end (args);
  return try_offer (self, primitive, format, a, b, text, TRUE);
}

LsOffer *
ls_moves_try (LsMoveSearch *self,
              const char   *primitive,
              const char   *format,
              LsNode       *a,
              LsNode       *b,
              const char   *effect)
{
  return try_offer (self, primitive, format, a, b, g_strdup (effect), FALSE);
}

/* ---- candidates for a loop -------------------------------------------------------------- */

static GArray *
divisors (gint64 extent)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 d = 2; d < extent && d <= 65536 && list->len < MAX_FACTORS; d++)
    if (extent % d == 0)
      g_array_append_val (list, d);
  return list;
}

/* The inner extent to begin with: 4 if it divides, else the divisor nearest to it. */
static gint64
first_factor (GArray *list)
{
  gint64 best = 0;

  for (guint i = 0; i < list->len; i++)
    {
      gint64 d = g_array_index (list, gint64, i);

      if (best == 0 || ABS (d - 4) < ABS (best - 4))
        best = d;
    }
  return best;
}

static void
offer_split (Search *self,
             LsFor  *loop)
{
  GArray *list;
  gint64 extent = 0;
  gint64 inner;
  g_autofree char *format = NULL;
  LsOffer *offer;

  ls_as_int (loop->extent, &extent);
  list = divisors (extent);
  inner = first_factor (list);
  if (inner > 0)
    format = g_strdup_printf ("sch.split(%%1, factors=[%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "])", extent / inner, inner);
  else
    format = g_strdup ("sch.split(%1, factors=[None, 4])");
  offer = offer_move (self, "split", format, LS_NODE (loop), NULL,
               inner > 0 ? "Cuts %s into an outer and an inner loop."
                         : LS_TEXT ("Cuts %s into an outer and an inner loop, with a guard where 4 does not divide."),
               loop->loop_var->name);
  if (offer != NULL && inner == 0 && extent > 4 && offer->group == LS_OFFER_CAN)
    {
      offer->reason = g_strdup_printf (ls_translate ("split needs a factor that divides %" PRId64 ", and there is none."), extent);
      offer->code = g_strdup ("schedule/split/no-divisor");
      offer->checked_in = __FILE__;
      offer->checked_at = __LINE__;
      set_repair (offer, g_strdup_printf (ls_translate ("With a predicate it becomes possible: split(%s, [None, 4])"), loop->loop_var->name), g_strdup (offer->text), FALSE);
    }
  if (offer != NULL)
    {
      g_autofree char *call = g_strdup (offer->call);
      char *at = strstr (call, "factors=");

      if (at != NULL)
        memmove (at, at + strlen ("factors="), strlen (at + strlen ("factors=")) + 1);
      g_free (offer->call);
      offer->call = g_steal_pointer (&call);
      offer->factors = g_steal_pointer (&list);
    }
  g_clear_pointer (&list, g_array_unref);
}

static void
offer_order (Search *self,
             LsSref *sref)
{
  LsNode *loop = sref->stmt;
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (self->state, sref);
  g_autoptr(GPtrArray) loops = blocks->len > 0 ? ls_state_loops (self->state, blocks->pdata[0]) : NULL;
  guint at = 0;

  if (loops == NULL || !g_ptr_array_find (loops, sref, &at))
    return;
  for (guint i = 0; i < loops->len; i++)
    {
      LsNode *other = ((LsSref *) loops->pdata[i])->stmt;

      if (i == at || i + 2 < at || i > at + 2)
        continue;
      if (i < at)
        offer_move (self, "reorder", "sch.reorder(%1, %2)", loop, other, "Moves %s out, around %s.", name_of (loop), name_of (other));
      else
        offer_move (self, "reorder", "sch.reorder(%2, %1)", loop, other, "Moves %s in, inside %s.", name_of (loop), name_of (other));
    }
  if (at + 1 < loops->len)
    offer_move (self, "fuse", "sch.fuse(%1, %2)", loop, ((LsSref *) loops->pdata[at + 1])->stmt, "Makes one loop of %s and %s.", name_of (loop),
         name_of (((LsSref *) loops->pdata[at + 1])->stmt));
  if (at > 0)
    offer_move (self, "fuse", "sch.fuse(%2, %1)", loop, ((LsSref *) loops->pdata[at - 1])->stmt, "Makes one loop of %s and %s.",
         name_of (((LsSref *) loops->pdata[at - 1])->stmt), name_of (loop));
}

static gboolean
has_threads (Search *self)
{
  return self->target != NULL && (g_str_has_prefix (self->target, "cuda") || g_str_has_prefix (self->target, "nvptx")
                                  || g_str_has_prefix (self->target, "nvidia") || g_str_has_prefix (self->target, "metal")
                                  || g_str_has_prefix (self->target, "rocm") || g_str_has_prefix (self->target, "vulkan"));
}

static void
offer_kinds (Search *self,
             LsFor  *loop)
{
  LsNode *node = LS_NODE (loop);
  const char *name = loop->loop_var->name;
  LsOffer *bind;
  gint64 extent;

  offer_move (self, "parallel", "sch.parallel(%1)", node, NULL, "Runs the iterations of %s on several cores.", name);
  offer_move (self, "vectorize", "sch.vectorize(%1)", node, NULL, "Runs all iterations of %s as one vector operation.", name);
  if (ls_as_int (loop->extent, &extent))
    offer_move (self, "unroll", "sch.unroll(%1)", node, NULL, "Writes out all %" PRId64 " iterations.", extent);
  else
    offer_move (self, "unroll", "sch.unroll(%1)", node, NULL, "Writes out all iterations of %s.", name);
  bind = offer_move (self, "bind", "sch.bind(%1, \"threadIdx.x\")", node, NULL, "Runs each iteration of %s on a thread of its own.", name);
  if (bind != NULL && !has_threads (self))
    {
      bind->group = LS_OFFER_CANNOT;
      g_clear_pointer (&bind->repair, g_free);
      g_clear_pointer (&bind->repair_text, g_free);
      g_free (bind->reason);
      bind->reason = g_strdup_printf (ls_translate ("Target %s has no threads to bind to."), self->target != NULL ? self->target : "llvm");
      g_free (bind->code);
      bind->code = g_strdup ("schedule/bind/no-threads");
      bind->checked_in = __FILE__;
      bind->checked_at = __LINE__;
    }
}

static void
offer_with_blocks (Search *self,
                   LsSref *loop)
{
  g_autoptr(GPtrArray) below = ls_state_child_blocks (self->state, loop);
  LsSref *root = ls_state_scope_root (self->state, loop);
  LsScope *scope = root != NULL ? ls_state_scope (self->state, root) : NULL;

  for (guint i = 0; i < below->len; i++)
    {
      LsNode *block = ((LsSref *) below->pdata[i])->stmt;

      if (((LsBlock *) block)->init == NULL)
        continue;
      offer_move (self, "decompose_reduction", "sch.decompose_reduction(%2, %1)", loop->stmt, block,
           "Puts the start value of %s before loop %s, so that %s only adds.", name_of (block), name_of (loop->stmt), name_of (block));
      offer_move (self, "rfactor", "sch.rfactor(%1, 0)", loop->stmt, NULL, "Sums %s in parts, so that the parts can run apart.", name_of (loop->stmt));
    }
  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *block = scope->blocks->pdata[i];
      g_autoptr(GPtrArray) producers = NULL;
      g_autoptr(GPtrArray) consumers = NULL;
      gboolean related = FALSE;

      if (g_ptr_array_find (below, block, NULL))
        continue;
      producers = ls_state_producers (self->state, block);
      consumers = ls_state_consumers (self->state, block);
      for (guint k = 0; !related && k < below->len; k++)
        related = g_ptr_array_find (producers, below->pdata[k], NULL);
      if (related)
        {
          offer_move (self, "reverse_compute_at", "sch.reverse_compute_at(%2, %1)", loop->stmt, block->stmt,
               "Moves block %s into loop %s, right after what it reads is ready.", name_of (block->stmt), name_of (loop->stmt));
          continue;
        }
      for (guint k = 0; !related && k < below->len; k++)
        related = g_ptr_array_find (consumers, below->pdata[k], NULL);
      if (related)
        offer_move (self, "compute_at", "sch.compute_at(%2, %1)", loop->stmt, block->stmt, "Moves block %s into loop %s, right before it is needed.",
             name_of (block->stmt), name_of (loop->stmt));
    }
}

/* ---- candidates for a block -------------------------------------------------------------- */

static void
offer_neighbours (Search     *self,
                  LsSref     *block,
                  GPtrArray  *neighbours,
                  const char *primitive,
                  const char *format,
                  const char *effect)
{
  for (guint i = 0; i < neighbours->len; i++)
    {
      g_autoptr(GPtrArray) loops = ls_state_loops (self->state, neighbours->pdata[i]);

      for (guint k = 0; k < loops->len; k++)
        if (!ls_sref_is_ancestor (loops->pdata[k], block))
          offer_move (self, primitive, format, block->stmt, ((LsSref *) loops->pdata[k])->stmt, effect, name_of (block->stmt),
               name_of (((LsSref *) loops->pdata[k])->stmt));
    }
}

static void
offer_for_block (Search *self,
                 LsSref *sref)
{
  LsNode *block = sref->stmt;
  g_autoptr(GPtrArray) producers = ls_state_producers (self->state, sref);
  g_autoptr(GPtrArray) consumers = ls_state_consumers (self->state, sref);
  g_autoptr(GPtrArray) loops = ls_state_loops (self->state, sref);

  offer_move (self, "compute_inline", "sch.compute_inline(%1)", block, NULL, "Puts what %s computes into the blocks that read it.", name_of (block));
  offer_move (self, "reverse_compute_inline", "sch.reverse_compute_inline(%1)", block, NULL, "Puts what %s computes into the block that it reads.", name_of (block));
  offer_neighbours (self, sref, consumers, "compute_at", "sch.compute_at(%1, %2)",
                    LS_TEXT ("Moves block %s into loop %s, right before it is needed."));
  offer_neighbours (self, sref, producers, "reverse_compute_at", "sch.reverse_compute_at(%1, %2)",
                    LS_TEXT ("Moves block %s into loop %s, right after what it reads is ready."));
  for (guint i = 0; ((LsBlock *) block)->init != NULL && i < loops->len; i++)
    offer_move (self, "decompose_reduction", "sch.decompose_reduction(%1, %2)", block, ((LsSref *) loops->pdata[i])->stmt,
         "Puts the start value of %s before loop %s.", name_of (block), name_of (((LsSref *) loops->pdata[i])->stmt));
  offer_move (self, "cache_read", "sch.cache_read(%1, 0, \"global\")", block, NULL, "Copies what %s reads first into a small buffer.", name_of (block));
  offer_move (self, "cache_write", "sch.cache_write(%1, 0, \"global\")", block, NULL, "Lets %s write into a small buffer that is copied out afterwards.", name_of (block));
  offer_move (self, "set_scope", "sch.set_scope(%1, 0, \"local\")", block, NULL, "Keeps what %s writes in local memory.", name_of (block));
}

gboolean
ls_moves_offer_own (Search *self,
                    guint   part)
{
  LsFor *loop = self->sref->is_block ? NULL : (LsFor *) self->node;

  if (loop == NULL)
    {
      if (part == 0 && self->sref->parent != NULL)
        offer_for_block (self, self->sref);
      return part == 0;
    }
  switch (part)
    {
    case 0:
      offer_split (self, loop);
      return TRUE;
    case 1:
      offer_order (self, self->sref);
      return TRUE;
    case 2:
      offer_with_blocks (self, self->sref);
      return TRUE;
    case 3:
      offer_kinds (self, loop);
      return TRUE;
    default:
      return FALSE;
    }
}
