/* session/fast-math: see the header.
 *
 * The step is sch.annotate(BLOCK, "pragma_fast_math", 1), which TVM takes as well: Undo, comparing, the trace and measuring need nothing more.
 */
#include "app/session/fast-math.h"

#include "engine/schedule/moves/moves.h"
#include "engine/tir/fast-math.h"

#include <glib/gi18n.h>
#include <string.h>

static LsSchedule *
schedule_of (LsEngineSession *self)
{
  LsHistory *history = ls_engine_session_get_history (self);
  guint node = ls_engine_session_get_node (self);

  return history != NULL && node != LS_HISTORY_NONE ? ls_history_get (history, node)->schedule : NULL;
}

static gboolean
target_asks (LsEngineSession *self)
{
  g_auto (GStrv) words = g_strsplit (ls_engine_session_get_target (self), " ", -1);
  gboolean asks = FALSE;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], "-fast-math") == 0 || g_str_has_prefix (words[i], "-fast-math="))
      asks = strcmp (words[i], "-fast-math=0") != 0;
  return asks;
}

static LsPrimFunc *
function_at (LsModule *module,
             guint     i)
{
  LsNode *func = module->functions->items[i];

  return ls_is (func, PRIM_FUNC) ? (LsPrimFunc *) func : NULL;
}

/* ---- looking ---- */

LsFastMathLook *
ls_fast_math_look_new (LsEngineSession *session)
{
  LsFastMathLook *self = g_atomic_rc_box_new0 (LsFastMathLook);
  LsSchedule *schedule = session != NULL ? schedule_of (session) : NULL;

  if (schedule != NULL)
    {
      self->module = ls_ref (ls_schedule_get_module (schedule));
      self->by_target = target_asks (session);
    }
  return self;
}

LsFastMathLook *
ls_fast_math_look_ref (LsFastMathLook *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
look_clear (gpointer data)
{
  ls_unref (((LsFastMathLook *) data)->module);
}

void
ls_fast_math_look_unref (LsFastMathLook *self)
{
  g_atomic_rc_box_release_full (self, look_clear);
}

gboolean
ls_fast_math_look_equal (const LsFastMathLook *a,
                         const LsFastMathLook *b)
{
  return a->module == b->module && a->by_target == b->by_target;
}

/* Who asks for it. */
static LsFastMath
who_asks (const LsFastMathLook *self)
{
  gboolean by_steps = FALSE;

  if (self->by_target)
    return LS_FAST_MATH_BY_TARGET;
  for (guint i = 0; i < self->module->functions->n; i++)
    {
      LsPrimFunc *func = function_at (self->module, i);

      if (func != NULL && ls_fast_math_value_asks (ls_map_get (func->attrs, LS_FAST_MATH_ATTR)))
        return LS_FAST_MATH_BY_TEXT;
      by_steps = by_steps || (func != NULL && ls_fast_math_is_asked (func));
    }
  return by_steps ? LS_FAST_MATH_BY_STEPS : LS_FAST_MATH_OFF;
}

void
ls_fast_math_look_run (LsFastMathLook *self)
{
  self->now = self->module != NULL ? who_asks (self) : LS_FAST_MATH_OFF;
  for (guint i = 0; !self->possible && self->module != NULL && i < self->module->functions->n; i++)
    {
      LsPrimFunc *func = function_at (self->module, i);

      self->possible = func != NULL && ls_is (func->body, BLOCK_REALIZE) && ls_fast_math_matters (func->body);
    }
}

LsFastMath
ls_engine_session_get_fast_math (LsEngineSession *self)
{
  g_autoptr (LsFastMathLook) look = ls_fast_math_look_new (self);

  return look->module != NULL ? who_asks (look) : LS_FAST_MATH_OFF;
}

/* ---- the step ---- */

/* One line more, if the place has a name. */
static void
add_step (GString    *steps,
          LsSchedule *schedule,
          LsNode     *node,
          const char *format)
{
  g_autofree char *place = ls_schedule_place_text (schedule, node, steps);

  if (place != NULL)
    g_string_append_printf (steps, format, place);
}

static void
ask_for_it (GString    *steps,
            LsSchedule *schedule)
{
  LsModule *module = ls_schedule_get_module (schedule);

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsPrimFunc *func = function_at (module, i);

      if (func != NULL && ls_is (func->body, BLOCK_REALIZE) && ls_fast_math_matters (func->body))
        add_step (steps, schedule, LS_NODE (((LsBlockRealize *) func->body)->block), "sch.annotate(%s, \"" LS_FAST_MATH_PRAGMA "\", 1)\n");
    }
}

static void
take_back (GString    *steps,
           LsSchedule *schedule)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      LsMap *annotations = entity->type == LS_ENTITY_BLOCK  ? ((LsBlock *) entity->node)->annotations
                           : entity->type == LS_ENTITY_LOOP ? ((LsFor *) entity->node)->annotations
                                                            : NULL;

      if (annotations != NULL && ls_map_get (annotations, LS_FAST_MATH_PRAGMA) != NULL)
        add_step (steps, schedule, entity->node, "sch.unannotate(%s, \"" LS_FAST_MATH_PRAGMA "\")\n");
    }
}

static gboolean
refuse (GError     **error,
        const char  *words)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, words);
  return FALSE;
}

gboolean
ls_engine_session_set_fast_math (LsEngineSession *self,
                                 gboolean         fast,
                                 GError         **error)
{
  LsSchedule *schedule = schedule_of (self);
  LsFastMath now = ls_engine_session_get_fast_math (self);
  g_autoptr (GString) steps = g_string_new (NULL);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (schedule == NULL || (now != LS_FAST_MATH_OFF) == fast)
    return TRUE;
  if (now == LS_FAST_MATH_BY_TARGET)
    return refuse (error, _("The target asks for it with -fast-math; Target… changes that."));
  if (now == LS_FAST_MATH_BY_TEXT)
    return refuse (error, _("The text of the program asks for it with the attribute tir.fast_math of a function; Ctrl+E edits it."));
  if (fast)
    ask_for_it (steps, schedule);
  else
    take_back (steps, schedule);
  if (steps->len > 0 && ls_engine_session_apply_text (self, steps->str, findings))
    return TRUE;
  return refuse (error, ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0)->message
                                                            : _("No block of the program has a name of its own that a step could speak of."));
}
