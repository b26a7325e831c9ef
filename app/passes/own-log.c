/* passes/own-log: stages become dumps of a log; places of loop variables keep the ids that the window has for them. */
#include "app/passes/own-log.h"

#include "app/passes/llvm.h"
#include "app/rpc/rpc.h"
#include "engine/relax/pass/pass.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

static const struct { const char *method, *name, *start; LsPassLogKind language; } STAGES[LS_PASSES_N_STAGES] = {
  { "legalize", "Relax", "Relax", LS_PASS_LOG_TVM }, { "lower", "TensorIR", "TensorIR", LS_PASS_LOG_TVM }, { "optimise", "LLVM", "LLVM IR", LS_PASS_LOG_LLVM },
};

const char *
ls_passes_stage_method (LsPassesStage stage)
{
  return STAGES[stage].method;
}

const char *
ls_passes_stage_name (LsPassesStage stage)
{
  return STAGES[stage].name;
}

/* ---- loops ------------------------------------------------------------------------ */

/* From which to which byte of `text` the function `name` reaches. */
static gboolean
find_function (const char *text,
               const char *name,
               gsize      *from,
               gsize      *to)
{
  g_autofree char *head = g_strdup_printf ("def %s(", name);
  gboolean found = FALSE;

  *to = strlen (text);
  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (found && g_str_has_prefix (line + strspn (line, " "), "def "))
        {
          *to = (gsize) (line - text);
          return TRUE;
        }
      if (!found && g_str_has_prefix (line + strspn (line, " "), head))
        {
          *from = (gsize) (line - text);
          found = TRUE;
        }
    }
  return found;
}

/* A loop is opened where it is named first. */
static void
find_loops (LsPassesNotes *notes,
            LsScriptText  *text,
            const char    *function)
{
  const char *source = ls_script_text_get_text (text);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gsize from = 0, to;
  guint first, last;

  if (!find_function (source, function, &from, &to))
    return;
  first = (guint) g_utf8_pointer_to_offset (source, source + from);
  last = first + (guint) g_utf8_pointer_to_offset (source + from, source + to);
  for (guint i = 0; i < ls_script_text_n_spans (text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (text, i);
      LsPassesLoop loop = { span->id, span->families };

      if (span->start >= first && span->start < last && g_hash_table_add (seen, g_memdup2 (&span->id, sizeof span->id)))
        g_array_append_val (notes->loops, loop);
    }
}

/* ---- stages ----------------------------------------------------------------------- */

/* The engine puts the name of the pass before what it says of it. */
static char *
trouble_of (const char *name,
            const char *trouble)
{
  gsize n = strlen (name);

  if (*trouble == '\0')
    return NULL;
  if (strncmp (trouble, name, n) == 0 && g_str_has_prefix (trouble + n, ": "))
    trouble += n + 2;
  return g_strdup (trouble);
}

static const char *
summary_of (LsPassesStage stage,
            const char   *name)
{
  const LsRelaxPass *graph = stage == LS_PASSES_GRAPH ? ls_relax_pass_get (name, NULL) : NULL;
  const LsPass *tir = stage == LS_PASSES_TIR ? ls_pass_get (name) : NULL;

  return graph != NULL ? graph->summary : tir != NULL ? tir->summary : stage == LS_PASSES_LLVM ? ls_llvm_pass_summary (name) : "";
}

/* The texts of the stages live as long as the answer. */
static void
add_answer (LsPassesStage  stage,
            GVariant      *answer,
            GArray        *dumps,
            LsPassesNotes *notes)
{
  g_autoptr (GVariant) stages = g_variant_lookup_value (answer, "stages", G_VARIANT_TYPE ("a(sxssa(uuu))"));
  GVariant *places = NULL;

  for (gsize i = 0; stages != NULL && i < g_variant_n_children (stages); i++)
    {
      const char *name, *trouble, *text;
      gint64 ns;
      g_autoptr (GVariant) here = NULL;
      LsPassesNote note = { .stage = stage };
      LsPassStage dump;

      g_variant_get_child (stages, i, "(&sx&s&s@a(uuu))", &name, &ns, &trouble, &text, &here);
      if (i == 0 || *text != '\0')
        places = here;
      note.start = i == 0;
      note.summary = i > 0 ? summary_of (stage, name) : "";
      note.trouble = trouble_of (name, trouble);
      note.state = note.trouble != NULL ? LS_PASSES_FAILED : i > 0 && ns < 0 ? LS_PASSES_UNREACHED : LS_PASSES_RAN;
      note.places = g_variant_ref (places);
      g_array_append_val (notes->notes, note);
      dump = (LsPassStage) { i > 0 ? name : STAGES[stage].start, i == 0 || *text != '\0' ? text : NULL, STAGES[stage].language, i == 0,
                             ns >= 0 ? (double) ns / 1e9 : -1 };
      g_array_append_val (dumps, dump);
    }
}

LsPasses *
ls_own_passes_new (GVariant    *const *answers,
                   LsScriptText *text)
{
  g_autoptr (GArray) dumps = g_array_new (FALSE, FALSE, sizeof (LsPassStage));
  LsPassesNotes *notes = ls_passes_notes_new ();
  LsPassLog *log;

  for (guint i = 0; i < LS_PASSES_N_STAGES; i++)
    if (answers[i] != NULL)
      add_answer ((LsPassesStage) i, answers[i], dumps, notes);
  if (text != NULL && answers[LS_PASSES_TIR] != NULL)
    find_loops (notes, text, ls_params_string (answers[LS_PASSES_TIR], "function", ""));
  log = dumps->len > 0 ? ls_pass_log_from_stages ((const LsPassStage *) (void *) dumps->data, dumps->len, NULL) : NULL;
  if (log != NULL)
    return ls_passes_new_noted (log, notes);
  ls_passes_notes_free (notes);
  return NULL;
}

/* ---- what they did ---------------------------------------------------------------- */

void
ls_own_passes_sum (LsPasses     *passes,
                   LsPassesStage stage,
                   guint        *n,
                   guint        *effective,
                   double       *seconds)
{
  guint all = ls_passes_get_log (passes)->dumps->len;

  *n = *effective = 0;
  *seconds = 0.0;
  for (guint i = 0; i < all; i++)
    {
      const LsPassesNote *note = ls_passes_get_note (passes, i);

      if (note->stage != stage || note->start)
        continue;
      ++*n;
      *effective += ls_passes_get_dump (passes, i)->effective;
      *seconds += MAX (ls_passes_get_dump (passes, i)->seconds, 0.0);
    }
}

int
ls_own_passes_failed (LsPasses *passes)
{
  for (guint i = 0; i < ls_passes_get_log (passes)->dumps->len; i++)
    if (ls_passes_get_note (passes, i)->state == LS_PASSES_FAILED)
      return (int) i;
  return -1;
}
