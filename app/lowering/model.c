/* lowering/model: programs with the places of loop variables in them; a pass is a pair of programs. */
#include "app/lowering/model.h"

#include "app/lowering/llvm.h"
#include "app/rpc/rpc.h"
#include "engine/tir/pass/pass.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  char     *text;
  GVariant *places;             /* a(uuu) */
} Program;

/* What a loop as written is in the window. */
typedef struct {
  guint64    id;
  LsFamilies families;
} Loop;

struct _LsLowering
{
  gatomicrefcount refs;
  gint            serial;       /* another one for each */
  gboolean        llvm;
  char           *function;
  GArray         *programs;     /* of Program */
  GArray         *passes;       /* of LsLoweringPass */
  GArray         *loops;        /* of Loop, in the order in which the text opens them */
};

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
find_loops (LsLowering   *self,
            LsScriptText *text)
{
  const char *source = ls_script_text_get_text (text);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gsize from = 0, to;
  guint first, last;

  if (!find_function (source, self->function, &from, &to))
    return;
  first = (guint) g_utf8_pointer_to_offset (source, source + from);
  last = first + (guint) g_utf8_pointer_to_offset (source + from, source + to);
  for (guint i = 0; i < ls_script_text_n_spans (text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (text, i);
      Loop loop = { span->id, span->families };

      if (span->start >= first && span->start < last && g_hash_table_add (seen, g_memdup2 (&span->id, sizeof span->id)))
        g_array_append_val (self->loops, loop);
    }
}

/* ---- texts ------------------------------------------------------------------------ */

static LsScriptText *
text_of (LsLowering *self,
         guint       program)
{
  const Program *shown = &g_array_index (self->programs, Program, program);
  LsScriptText *text = ls_script_text_new (shown->text);
  GVariantIter iter;
  guint start, end, loop;

  ls_script_text_set_plain (text, self->llvm);
  g_variant_iter_init (&iter, shown->places);
  while (g_variant_iter_next (&iter, "(uuu)", &start, &end, &loop))
    if (loop < self->loops->len)
      {
        const Loop *known = &g_array_index (self->loops, Loop, loop);

        ls_script_text_add_span (text, &(LsScriptSpan) { start, end, known->id, known->families });
      }
  return text;
}

LsComparison *
ls_lowering_compare (LsLowering *self,
                     guint       i)
{
  const LsLoweringPass *pass = ls_lowering_get_pass (self, i);
  LsComparison *answer = ls_comparison_new ();

  /* The titles are not shown, but tell the same texts of another pass apart: their loops may be others. */
  answer->left.title = g_strdup_printf ("%d", self->serial);
  answer->right.title = g_strdup (pass->name);
  answer->left.text = text_of (self, pass->before);
  answer->right.text = text_of (self, pass->after);
  answer->same = pass->before == pass->after;
  if (!answer->same)
    ls_script_text_compare (answer->left.text, answer->right.text);
  return answer;
}

static void
count_lines (LsLowering     *self,
             guint           i,
             LsLoweringPass *pass)
{
  g_autoptr (LsComparison) compared = ls_lowering_compare (self, i);

  for (guint line = 0; line < ls_script_text_n_lines (compared->left.text); line++)
    pass->n_gone += ls_script_text_line (compared->left.text, line)->change == LS_LINE_GONE;
  for (guint line = 0; line < ls_script_text_n_lines (compared->right.text); line++)
    {
      pass->n_new += ls_script_text_line (compared->right.text, line)->change == LS_LINE_NEW;
      pass->n_moved += ls_script_text_line (compared->right.text, line)->change == LS_LINE_MOVED;
    }
}

/* ---- passes ----------------------------------------------------------------------- */

/* The engine puts the name of the pass before what it says of it. */
static char *
trouble_of (const char *name,
            const char *trouble)
{
  gsize n = strlen (name);

  if (strncmp (trouble, name, n) == 0 && g_str_has_prefix (trouble + n, ": "))
    trouble += n + 2;
  return g_strdup (trouble);
}

static void
add_pass (LsLowering *self,
          const char *name,
          gint64      ns,
          const char *trouble,
          gboolean    changes)
{
  const LsPass *known = self->llvm ? NULL : ls_pass_get (name);
  LsLoweringPass pass = { .number = self->passes->len + 1 };

  pass.name = g_intern_string (name);
  pass.summary = known != NULL ? known->summary : ls_llvm_pass_summary (name);
  pass.seconds = ns < 0 ? -1.0 : (double) ns / 1e9;
  pass.state = *trouble != '\0' ? LS_LOWERING_FAILS : ns < 0 ? LS_LOWERING_UNREACHED : changes ? LS_LOWERING_CHANGES : LS_LOWERING_NOTHING;
  pass.trouble = *trouble != '\0' ? trouble_of (name, trouble) : NULL;
  pass.after = self->programs->len - 1;
  pass.before = changes ? pass.after - 1 : pass.after;
  g_array_append_val (self->passes, pass);
}

static void
program_clear (gpointer data)
{
  g_free (((Program *) data)->text);
  g_variant_unref (((Program *) data)->places);
}

static void
pass_clear (gpointer data)
{
  g_free (((LsLoweringPass *) data)->trouble);
}

LsLowering *
ls_lowering_new (GVariant     *answer,
                 gboolean      llvm,
                 LsScriptText *text)
{
  static gint serials;
  LsLowering *self = g_new0 (LsLowering, 1);
  g_autoptr (GVariant) stages = g_variant_lookup_value (answer, "stages", G_VARIANT_TYPE ("a(sxssa(uuu))"));

  g_atomic_ref_count_init (&self->refs);
  self->llvm = llvm;
  self->serial = g_atomic_int_add (&serials, 1);
  self->function = g_strdup (ls_params_string (answer, "function", ""));
  self->programs = g_array_new (FALSE, FALSE, sizeof (Program));
  self->passes = g_array_new (FALSE, FALSE, sizeof (LsLoweringPass));
  self->loops = g_array_new (FALSE, FALSE, sizeof (Loop));
  g_array_set_clear_func (self->programs, program_clear);
  g_array_set_clear_func (self->passes, pass_clear);
  if (text != NULL)
    find_loops (self, text);
  for (gsize i = 0; stages != NULL && i < g_variant_n_children (stages); i++)
    {
      g_autoptr (GVariant) stage = g_variant_get_child_value (stages, i);
      const char *name, *trouble, *shown;
      gint64 ns;
      Program program = { 0 };

      g_variant_get (stage, "(&sx&s&s@a(uuu))", &name, &ns, &trouble, &shown, &program.places);
      program.text = g_strdup (shown);
      if (i == 0 || *shown != '\0')
        g_array_append_val (self->programs, program);
      else
        program_clear (&program);
      if (i > 0)
        add_pass (self, name, ns, trouble, *shown != '\0');
    }
  for (guint i = 0; i < self->passes->len; i++)
    if (ls_lowering_get_pass (self, i)->state == LS_LOWERING_CHANGES)
      count_lines (self, i, &g_array_index (self->passes, LsLoweringPass, i));
  return self;
}

LsLowering *
ls_lowering_ref (LsLowering *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_lowering_unref (LsLowering *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->programs);
  g_array_unref (self->passes);
  g_array_unref (self->loops);
  g_free (self->function);
  g_free (self);
}

/* ---- reading ---------------------------------------------------------------------- */

const char *
ls_lowering_get_function (LsLowering *self)
{
  return self->function;
}

gboolean
ls_lowering_is_llvm (LsLowering *self)
{
  return self->llvm;
}

guint
ls_lowering_n_passes (LsLowering *self)
{
  return self->passes->len;
}

const LsLoweringPass *
ls_lowering_get_pass (LsLowering *self,
                      guint       i)
{
  return &g_array_index (self->passes, LsLoweringPass, i);
}

guint
ls_lowering_count (LsLowering      *self,
                   LsLoweringState  state)
{
  guint n = 0;

  for (guint i = 0; i < self->passes->len; i++)
    n += ls_lowering_get_pass (self, i)->state == state;
  return n;
}

double
ls_lowering_get_seconds (LsLowering *self)
{
  double sum = 0.0;

  for (guint i = 0; i < self->passes->len; i++)
    sum += MAX (ls_lowering_get_pass (self, i)->seconds, 0.0);
  return sum;
}

static char *
change_words (const LsLoweringPass *pass)
{
  g_autofree char *lines = NULL, *moved = NULL;

  if (pass->n_new + pass->n_gone + pass->n_moved == 0)
    return g_strdup (_("changes what the text does not show"));
  /* Translators: lines that are new, and lines that are gone: "+3 −5 lines" */
  if (pass->n_new + pass->n_gone > 0)
    lines = g_strdup_printf (_("+%u −%u lines"), pass->n_new, pass->n_gone);
  if (pass->n_moved == 0)
    return g_steal_pointer (&lines);
  if (lines == NULL)
    return g_strdup_printf (ngettext ("%u line moved", "%u lines moved", pass->n_moved), pass->n_moved);
  /* Translators: lines that stand deeper or further up, behind "+3 −5 lines" */
  moved = g_strdup_printf (ngettext ("%u moved", "%u moved", pass->n_moved), pass->n_moved);
  return g_strdup_printf (_("%s, %s"), lines, moved);
}

char *
ls_lowering_pass_words (const LsLoweringPass *pass)
{
  switch (pass->state)
    {
    case LS_LOWERING_CHANGES:
      return change_words (pass);
    case LS_LOWERING_NOTHING:
      return g_strdup (_("changes nothing"));
    case LS_LOWERING_FAILS:
      return g_strdup (_("cannot go on"));
    case LS_LOWERING_UNREACHED:
      return g_strdup (_("not reached"));
    }

  return NULL;
}

const char *
ls_lowering_pass_summary (const LsLoweringPass *pass)
{
  return *pass->summary != '\0' ? _(pass->summary) : "";
}
