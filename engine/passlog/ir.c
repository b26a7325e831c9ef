/* ir: functions of LLVM IR as LLVM's own parser reads them.
 *
 * LLVM says what each operation is, what it takes and what it makes; in which line of the text it stands says the tolerant reader, whose operations
 * must be as many.  Both sides of a diff are read by the same reader. */
#include "engine/passlog/private.h"

#include "engine/passlog/follow.h"

#include <string.h>

#define KEPT 4                  /* modules that were read and may be asked again */
#define MOST_TEXT (8u << 20)    /* bytes of a module that is given to LLVM: more takes seconds */

typedef struct {
  guint       dump;             /* + 1; 0: none */
  gint64      side;             /* of a patch: its part, with the side; else -1 */
  GHashTable *functions;        /* or NULL */
  char       *words;            /* what LLVM calls itself, or why not */
} Module;

struct _LsPassIr
{
  GMutex         mutex;
  LsPassIrRead   read;
  gpointer       data;
  GDestroyNotify gone;
  Module         modules[KEPT];
  guint          next;
};

static void
module_clear (Module *self)
{
  g_clear_pointer (&self->functions, g_hash_table_unref);
  g_clear_pointer (&self->words, g_free);
  self->dump = 0;
}

void
ls_pass_ir_free (LsPassIr *self)
{
  for (guint i = 0; i < KEPT; i++)
    module_clear (&self->modules[i]);
  if (self->gone != NULL)
    self->gone (self->data);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
ls_pass_log_set_ir (LsPassLog     *self,
                    LsPassIrRead   read,
                    gpointer       user_data,
                    GDestroyNotify gone)
{
  g_clear_pointer (&self->ir, ls_pass_ir_free);
  self->ir = g_new0 (LsPassIr, 1);
  *self->ir = (LsPassIr) { .read = read, .data = user_data, .gone = gone };
  g_mutex_init (&self->ir->mutex);
}

/* Functions of a dump that changed, here or in their next dump, and the one that is asked for. (transfer full) */
static char **
wanted (LsPassLog *log,
        guint      number)
{
  LsPassPart *asked = &g_array_index (log->parts, LsPassPart, number);
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, asked->dump);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = dump->first; i < dump->first + dump->n; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);
      LsPassPart *old = part->before > 0 ? &g_array_index (log->parts, LsPassPart, part->before - 1) : NULL;
      LsPassPart *new = part->after > 0 ? &g_array_index (log->parts, LsPassPart, part->after - 1) : NULL;

      if (part->end > part->start && (part == asked || old == NULL || old->hash != part->hash || (new != NULL && new->hash != part->hash)))
        g_ptr_array_add (names, g_strdup (part->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* The operations of a part; *words gets what LLVM calls itself or, with NULL, why not (transfer full).  The mutex is held. (transfer full) */
static GPtrArray *
ask (LsPassLog *log,
     guint      number,
     gboolean   before,
     char     **words)
{
  LsPassIr *self = log->ir;
  LsPassPart *part = &g_array_index (log->parts, LsPassPart, number);
  gint64 side = part->patch ? 2 * (gint64) number + before : -1;
  const char *why;
  Module *module = NULL;
  GPtrArray *operations;

  for (guint i = 0; i < KEPT; i++)
    if (self->modules[i].dump == part->dump + 1 && self->modules[i].side == side
        && (self->modules[i].functions == NULL || g_hash_table_contains (self->modules[i].functions, part->name)))
      module = &self->modules[i];
  if (module == NULL)
    {
      g_autofree char *text = ls_pass_log_part_module (log, number, before, &why);
      g_auto (GStrv) names = wanted (log, number);

      module = &self->modules[self->next++ % KEPT];
      module_clear (module);
      if (text == NULL || strlen (text) > MOST_TEXT)
        {
          g_autofree char *size = text != NULL ? g_strdup_printf ("%" G_GSIZE_FORMAT, strlen (text) >> 20) : NULL;

          *words = size == NULL ? g_strdup (why) : ls_pass_reason_new (LS_PASS_REASON_LARGE, size, NULL);
          return NULL;
        }
      module->dump = part->dump + 1;
      module->side = side;
      module->functions = self->read (text, (const char *const *) names, &module->words, self->data);
    }
  operations = module->functions != NULL ? g_hash_table_lookup (module->functions, part->name) : NULL;
  *words = operations != NULL || module->functions == NULL ? g_strdup (module->words) : ls_pass_reason_new (LS_PASS_REASON_NO_FUNCTION, part->name, NULL);
  return operations != NULL ? g_ptr_array_ref (operations) : NULL;
}

static gboolean
is_label (GPtrArray *operations,
          guint      i)
{
  return strcmp (((LsPassOperation *) operations->pdata[i])->name, "label") == 0;
}

/* LLVM's operations in the lines of the tolerant reader's. (transfer full); NULL: *words (transfer full) says why they do not go together. */
static GPtrArray *
put_lines (GPtrArray *llvm,
           GPtrArray *lines,
           char     **words)
{
  g_autoptr (GPtrArray) result = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_pass_operation_free);
  guint at = 0;

  for (guint i = 0; i < llvm->len; i++)
    {
      LsPassOperation *from = llvm->pdata[i], *to;

      /* The first block has no label where nothing goes back to it and it has no name. */
      if (i == 1 && is_label (llvm, i) && (at >= lines->len || !is_label (lines, at)))
        continue;
      if (at >= lines->len || is_label (llvm, i) != is_label (lines, at))
        break;
      to = g_new0 (LsPassOperation, 1);
      at++;
      *to = (LsPassOperation) { ((LsPassOperation *) lines->pdata[at - 1])->line, g_strdup (from->name), g_strdup (from->shape), g_array_ref (from->results), g_array_ref (from->operands), ((LsPassOperation *) lines->pdata[at - 1])->place };
      g_ptr_array_add (result, to);
    }
  if (at == lines->len && result->len + 1 >= llvm->len)
    return g_steal_pointer (&result);
  {
    g_autofree char *in_text = g_strdup_printf ("%u", lines->len), *by_llvm = g_strdup_printf ("%u", llvm->len);

    g_free (*words);
    *words = ls_pass_reason_new (LS_PASS_REASON_LINES, in_text, by_llvm);
  }
  return NULL;
}

/* A side as LLVM reads it. (transfer full); NULL: *words says why not.  Where there is something to read, *words gets what LLVM calls itself (transfer full). */
static GPtrArray *
read_side (const LsPassSide *side,
           GPtrArray        *lines,
           char            **words)
{
  g_autoptr (GPtrArray) llvm = NULL;
  g_autofree char *said = NULL;
  GPtrArray *result;

  if (side->part < 0 || side->text == NULL || *side->text == '\0')
    return g_ptr_array_ref (lines);             /* nothing to read */
  if (side->log->ir == NULL)
    return NULL;
  g_mutex_lock (&side->log->ir->mutex);
  llvm = ask (side->log, (guint) side->part, side->before, &said);
  g_mutex_unlock (&side->log->ir->mutex);
  result = llvm != NULL ? put_lines (llvm, lines, &said) : NULL;
  g_free (*words);
  *words = g_steal_pointer (&said);
  return result;
}

/* Where the operations come from, as far as the side's dump says it. */
static void
set_places (const LsPassSide *side,
            GPtrArray        *operations)
{
  g_auto (GStrv) places = NULL;
  guint n;

  if (side->part < 0 || side->text == NULL || (strstr (side->text, "!dbg") == NULL && strstr (side->text, "loc(") == NULL))
    return;
  places = ls_pass_log_line_places (side->log, g_array_index (side->log->parts, LsPassPart, side->part).dump, side->text);
  n = places != NULL ? g_strv_length (places) : 0;
  for (guint i = 0; i < operations->len; i++)
    {
      LsPassOperation *op = operations->pdata[i];

      op->place = op->line < n && *places[op->line] != '\0' && strcmp (op->name, "label") != 0 ? g_str_hash (places[op->line]) : 0;
    }
}

static LsPassLogKind
language_of (const LsPassSide *side)
{
  guint dump = g_array_index (side->log->parts, LsPassPart, side->part).dump;

  return g_array_index (side->log->dumps, LsPassDump, dump).language;
}

static GArray *
diff_sides (const LsPassSide *a,
            const LsPassSide *b,
            gboolean          llvm,
            LsPassCounts     *counts,
            char            **reader)
{
  LsPassLogKind kind = b->part >= 0 ? language_of (b) : a->part >= 0 ? language_of (a) : LS_PASS_LOG_TEXT;
  g_autoptr (GHashTable) aliases_a = a->part >= 0 ? ls_pass_log_part_aliases (a->log, (guint) a->part) : NULL;
  g_autoptr (GHashTable) aliases_b = b->part >= 0 ? ls_pass_log_part_aliases (b->log, (guint) b->part) : NULL;
  g_autoptr (GPtrArray) before = ls_pass_operations_read_aliased (a->text != NULL ? a->text : "", kind, aliases_a);
  g_autoptr (GPtrArray) after = ls_pass_operations_read_aliased (b->text != NULL ? b->text : "", kind, aliases_b), llvm_a = NULL, llvm_b = NULL;
  g_autofree char *words = NULL;

  set_places (a, before);
  set_places (b, after);
  if (kind == LS_PASS_LOG_LLVM && llvm)
    {
      llvm_b = read_side (b, after, &words);
      llvm_a = llvm_b != NULL ? read_side (a, before, &words) : NULL;
    }
  if (reader != NULL && kind == LS_PASS_LOG_LLVM)
    *reader = llvm_a == NULL && words != NULL ? g_strdup_printf ("the tolerant reader: %s", words) : llvm_a != NULL && words != NULL ? g_strdup (words)
              : g_strdup ("the tolerant reader");
  else if (reader != NULL)
    *reader = NULL;
  return llvm_a != NULL ? ls_pass_diff_operations (llvm_a, llvm_b, counts) : ls_pass_diff_operations (before, after, counts);
}

GArray *
ls_pass_sides_diff (const LsPassSide *a,
                    const LsPassSide *b,
                    LsPassCounts     *counts,
                    char            **reader)
{
  return diff_sides (a, b, TRUE, counts, reader);
}

GArray *
ls_pass_sides_diff_tolerant (const LsPassSide *a,
                             const LsPassSide *b,
                             LsPassCounts     *counts,
                             char            **reader)
{
  return diff_sides (a, b, FALSE, counts, reader);
}
