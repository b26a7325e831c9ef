/* LoopscopeProgram: an immutable module with its schedule, over the engine.
 *
 * Errors carry all findings, each with its place, as loopscope-cli prints them.
 */
#include "app/library/program-private.h"

#include "engine/schedule/intrin/intrin.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

struct _LoopscopeProgram
{
  GObject parent_instance;

  LsModule   *module;
  LsSchedule *schedule;         /* never changed: a step is made on a copy */
};

G_DEFINE_FINAL_TYPE (LoopscopeProgram, loopscope_program, G_TYPE_OBJECT)

G_DEFINE_QUARK (loopscope-error-quark, loopscope_error)

const char *
loopscope_get_version (void)
{
  return LS_VERSION;
}

static void
loopscope_program_finalize (GObject *object)
{
  LoopscopeProgram *self = LOOPSCOPE_PROGRAM (object);

  ls_schedule_unref (self->schedule);
  ls_unref (self->module);
  G_OBJECT_CLASS (loopscope_program_parent_class)->finalize (object);
}

static void
loopscope_program_class_init (LoopscopeProgramClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = loopscope_program_finalize;
  ls_tensor_intrin_preload ();
}

static void
loopscope_program_init (LoopscopeProgram *self)
{
}

LoopscopeProgram *
ls_library_new_program (LsModule   *module,
                        LsSchedule *schedule)
{
  LoopscopeProgram *self = g_object_new (LOOPSCOPE_TYPE_PROGRAM, NULL);

  self->module = ls_ref (module);
  self->schedule = ls_schedule_ref (schedule);
  return self;
}

LsSchedule *
ls_library_peek_schedule (LoopscopeProgram *self)
{
  return self->schedule;
}

gboolean
ls_library_take_error (LsDiagnostics *diagnostics,
                       int            code,
                       GError       **error)
{
  g_autofree char *words = NULL;

  if (!ls_diagnostics_has_error (diagnostics))
    return FALSE;
  words = ls_diagnostics_print (diagnostics);
  g_set_error_literal (error, LOOPSCOPE_ERROR, code, g_strchomp (words));
  return TRUE;
}

/* ---- text ------------------------------------------------------------------ */

LoopscopeProgram *
loopscope_program_parse (const char *name,
                         const char *text,
                         GError    **error)
{
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) schedule = NULL;

  g_return_val_if_fail (name != NULL && text != NULL, NULL);
  g_type_class_unref (g_type_class_ref (LOOPSCOPE_TYPE_PROGRAM));
  source = ls_source_new (name, text, -1);
  module = ls_script_parse (source, diagnostics);
  if (ls_library_take_error (diagnostics, LOOPSCOPE_ERROR_SYNTAX, error))
    return NULL;
  if (module == NULL)
    {
      g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_SYNTAX, ls_translate ("%s holds no function"), name);
      return NULL;
    }
  schedule = ls_schedule_new (module);
  return ls_library_new_program (module, schedule);
}

/* ORDER STYLE: as LsScriptStyle. */
G_STATIC_ASSERT ((int) LOOPSCOPE_STYLE_RELEASE == (int) LS_SCRIPT_STYLE_0_20 && (int) LOOPSCOPE_STYLE_MAIN == (int) LS_SCRIPT_STYLE_2026);

char *
loopscope_program_to_script (LoopscopeProgram *self,
                             LoopscopeStyle    style)
{
  LsScriptPrintOptions options = { .style = (LsScriptStyle) style, .show_meta = TRUE };

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self), NULL);
  return ls_script_print (self->module, &options, NULL);
}

gboolean
loopscope_program_is_equal (LoopscopeProgram *self,
                            LoopscopeProgram *other)
{
  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self) && LOOPSCOPE_IS_PROGRAM (other), FALSE);
  return ls_structural_equal (self->module, other->module, FALSE, NULL, NULL);
}

char **
loopscope_program_list_functions (LoopscopeProgram *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self), NULL);
  for (guint i = 0; i < self->module->global_vars->n; i++)
    g_strv_builder_add (names, ls_array_at (self->module->global_vars, i, LsGlobalVar)->name_hint);
  return g_strv_builder_end (names);
}

/* ---- steps ----------------------------------------------------------------- */

/* A trace as JSON is a list of lists. */
static gboolean
is_json (const char *steps)
{
  steps += strspn (steps, " \t\r\n");
  return *steps == '[' && steps[1 + strspn (steps + 1, " \t\r\n")] == '[';
}

static gboolean
apply_json (LsSchedule    *schedule,
            const char    *steps,
            LsDiagnostics *diagnostics,
            int           *code)
{
  g_autoptr (LsTrace) trace = ls_trace_from_json (steps, diagnostics);

  if (trace == NULL)
    {
      *code = LOOPSCOPE_ERROR_SYNTAX;
      return FALSE;
    }
  return ls_trace_apply (trace, schedule, TRUE, FALSE, diagnostics) == ls_trace_get_n (trace);
}

static gboolean
apply_python (LsSchedule    *schedule,
              const char    *steps,
              LsDiagnostics *diagnostics,
              int           *code)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, diagnostics);

  if (ls_diagnostics_has_error (diagnostics))
    {
      *code = LOOPSCOPE_ERROR_SYNTAX;
      return FALSE;
    }
  for (guint i = 0; i < ls_call_list_get_n (list); i++)
    if (!ls_schedule_apply_call (schedule, list, ls_call_list_get (list, i), diagnostics))
      return FALSE;
  return TRUE;
}

LoopscopeProgram *
loopscope_program_apply (LoopscopeProgram *self,
                         const char       *steps,
                         GError          **error)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsSchedule) schedule = NULL;
  int code = LOOPSCOPE_ERROR_REFUSED;

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self) && steps != NULL, NULL);
  schedule = ls_schedule_copy (self->schedule);
  if (is_json (steps) ? apply_json (schedule, steps, diagnostics, &code) : apply_python (schedule, steps, diagnostics, &code))
    return ls_library_new_program (ls_schedule_get_module (schedule), schedule);
  if (!ls_library_take_error (diagnostics, code, error))
    g_set_error (error, LOOPSCOPE_ERROR, code, ls_translate ("a step gives another number of results than the trace says"));
  return NULL;
}

char *
loopscope_program_dup_trace (LoopscopeProgram    *self,
                             LoopscopeTraceFormat format)
{
  g_autoptr (LsTrace) trace = NULL;

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self), NULL);
  trace = ls_trace_of (self->schedule);
  return format == LOOPSCOPE_TRACE_JSON ? ls_trace_to_json (trace, FALSE) : ls_trace_print (trace);
}

LoopscopeProgram *
loopscope_program_lower (LoopscopeProgram *self,
                         GError          **error)
{
  g_autoptr (GError) trouble = NULL;
  g_autoptr (LsModule) lowered = NULL;
  g_autoptr (LsSchedule) schedule = NULL;

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self), NULL);
  lowered = ls_lower_module (self->module, NULL, NULL, &trouble);
  if (lowered == NULL)
    {
      g_set_error_literal (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_RUN, trouble->message);
      return NULL;
    }
  schedule = ls_schedule_new (lowered);
  return ls_library_new_program (lowered, schedule);
}

/* ---- moves ----------------------------------------------------------------- */

LsEntity *
ls_library_find_place (LsVersion   *version,
                       const char  *block,
                       const char  *loop,
                       GError     **error)
{
  LsEntity *found = NULL;

  for (guint i = 0; found == NULL && i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);

      if (entity->type == LS_ENTITY_BLOCK && strcmp (ls_entity_name (entity), block) == 0)
        found = entity;
    }
  if (found == NULL)
    {
      g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME, ls_translate ("there is no block %s"), block);
      return NULL;
    }
  while (loop != NULL && (found->type == LS_ENTITY_BLOCK || strcmp (ls_entity_name (found), loop) != 0))
    {
      found = found->parent >= 0 ? ls_version_at (version, found->parent) : NULL;
      if (found == NULL || found->type != LS_ENTITY_LOOP)
        {
          g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME, ls_translate ("there is no loop %s around block %s"), loop, block);
          return NULL;
        }
    }
  return found;
}

GPtrArray *
loopscope_program_list_moves (LoopscopeProgram *self,
                              const char       *block,
                              const char       *loop,
                              GError          **error)
{
  g_autoptr (GPtrArray) offers = NULL;
  g_autoptr (LsSchedule) schedule = NULL;
  GPtrArray *moves;
  LsEntity *place;

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self) && block != NULL, NULL);
  schedule = ls_schedule_copy (self->schedule);
  place = ls_library_find_place (ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule)), block, loop, error);
  if (place == NULL)
    return NULL;
  moves = g_ptr_array_new_with_free_func (g_object_unref);
  offers = ls_schedule_offers (schedule, place->node, NULL);
  for (guint i = 0; i < offers->len; i++)
    g_ptr_array_add (moves, ls_library_new_move (offers->pdata[i]));
  return moves;
}
