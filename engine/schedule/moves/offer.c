/* offer: see the header.
 *
 * For a loop or block a list of candidates is made (everyday.c: which primitive with which arguments makes sense here), each is tried
 * on a copy of the schedule, and for each that is refused repairs are tried in this order: the same primitive on another
 * loop of the nest; a preparing primitive first; the same call before an earlier step with the later steps replayed.
 */
#include "engine/schedule/moves/private.h"

#include <inttypes.h>
#include <string.h>

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
  g_free (self->retarget);
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

const char *
ls_moves_name_of (LsNode *node)
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

  g_string_replace (text, "%1", ls_moves_name_of (a), 0);
  if (b != NULL)
    g_string_replace (text, "%2", ls_moves_name_of (b), 0);
  return g_string_free (text, FALSE);
}

/* ---- repairs -------------------------------------------------------------------- */

void
ls_offer_set_repair (LsOffer *offer,
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
          ls_offer_set_repair (offer, g_strdup_printf (ls_translate ("Use %s instead"), ls_moves_name_of (other)), g_steal_pointer (&text), FALSE);
          return TRUE;
        }
    }
  return FALSE;
}

/* The move on each loop of this name in that function of `prepared`, which is where the preparing step was; the steps of the first that
 * can be done, or NULL. (transfer full) */
static char *
move_on_namesake (Search     *self,
                  LsSchedule *prepared,
                  const char *format,
                  guint       func,
                  const char *name)
{
  LsVersion *version = ls_schedule_get_version (prepared, ls_schedule_get_n_steps (prepared));

  for (guint i = 0; i < ls_version_get_n (version) && !ls_moves_is_stopped (self); i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      g_autofree char *move = NULL;

      if (entity->func != func || entity->type != LS_ENTITY_LOOP || strcmp (ls_moves_name_of (entity->node), name) != 0)
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
        move = move_on_namesake (self, prepared, format, self->sref->func, ls_moves_name_of (a));
      if (move != NULL)
        {
          g_autofree char *shown = call_text (preparing, a, other);

          ls_offer_set_repair (offer, g_strdup_printf (ls_translate ("First %s"), shown), g_strconcat (first, move, NULL), FALSE);
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
          ls_offer_set_repair (offer, g_strdup_printf (ls_translate ("Do it before step %u, replay"), shown), g_string_free (g_steal_pointer (&whole), FALSE), TRUE);
          return TRUE;
        }
    }
  return FALSE;
}

/* ---- one candidate ------------------------------------------------------------------ */

/* The first finding that refuses, else the first one; NULL: none. */
static const LsDiagnostic *
first_finding (LsDiagnostics *diagnostics)
{
  guint n = ls_diagnostics_get_n (diagnostics);

  for (guint i = 0; i < n; i++)
    if (ls_diagnostics_get (diagnostics, i)->severity == LS_SEVERITY_ERROR)
      return ls_diagnostics_get (diagnostics, i);
  return n > 0 ? ls_diagnostics_get (diagnostics, 0) : NULL;
}

static void
take_reason (LsOffer       *offer,
             LsDiagnostics *diagnostics)
{
  const LsDiagnostic *finding = first_finding (diagnostics);

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

LsOffer *
ls_moves_search (LsMoveSearch *self,
                 const char   *primitive,
                 const char   *format,
                 LsNode       *a,
                 LsNode       *b,
                 char         *effect,
                 gboolean      search_far)
{
  const LsInstruction *instruction = ls_instruction_get (primitive);
  g_autofree char *text = instruction != NULL && !ls_moves_is_stopped (self) ? move_text (self->schedule, format, a, b) : NULL;
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

LsOffer *
ls_moves_try (LsMoveSearch *self,
              const char   *primitive,
              const char   *format,
              LsNode       *a,
              LsNode       *b,
              const char   *effect)
{
  return ls_moves_search (self, primitive, format, a, b, g_strdup (effect), FALSE);
}
