/* nest: in which pass manager each pass ran, as far as the log tells: LLVM's module, cgscc, function and loop; MLIR's anchors; folders of --mlir-print-ir-tree-dir; XLA's
 * pipelines.
 *
 * Every dump has a path of what it was printed for, outermost first.  Dumps that stand together and share the beginning of their paths are in one nest. */
#include "engine/passlog/private.h"

#include <string.h>

#define MOST_LEVELS 8

typedef struct {
  const char *level, *name;     /* of the nesting's names */
} Step;

typedef struct {
  LsPassLog     *log;
  LsPassNesting *nesting;
  Step           path[MOST_LEVELS];
  guint          n;
  char         **scc;           /* functions of the last one, or NULL */
  const char    *scc_unit;
  GHashTable    *anchors;       /* operation and symbol of MLIR to the GPtrArray of names and levels, in turns */
  int            module;        /* the last dump of a whole module of MLIR, or -1 */
} Walk;

/* What a damaged text says may be no text at all. */
static const char *
intern (Walk       *self,
        const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_string_chunk_insert_const (self->nesting->names, valid);
}

static void
push (Walk       *self,
      const char *level,
      const char *name)
{
  if (self->n < MOST_LEVELS)
    self->path[self->n++] = (Step) { intern (self, *level != '\0' ? level : "operation"), intern (self, name) };
}

/* ---- LLVM ---- */

static void
set_scc (Walk       *self,
         const char *unit)
{
  g_autofree char *inner = unit != NULL ? g_strndup (unit + 1, strlen (unit) - (g_str_has_suffix (unit, ")") ? 2 : 1)) : NULL;

  g_clear_pointer (&self->scc, g_strfreev);
  self->scc = inner != NULL ? g_strsplit (inner, ", ", -1) : NULL;
  self->scc_unit = unit;
}

static void
push_function (Walk       *self,
               const char *function)
{
  if (self->scc != NULL && g_strv_contains ((const char *const *) self->scc, function))
    push (self, "cgscc", self->scc_unit);
  push (self, "function", function);
}

static void
walk_llvm (Walk       *self,
           const char *unit)
{
  const char *in = strstr (unit, " in function ");

  if (*unit == '[')
    set_scc (self, NULL);
  else if (*unit == '(' && unit[1] != '\0')
    {
      set_scc (self, unit);
      push (self, "cgscc", unit);
    }
  else if (in != NULL)
    {
      g_autofree char *loop = g_strndup (unit, (gsize) (in - unit));

      push_function (self, in + strlen (" in function "));
      push (self, "loop", loop);
    }
  else if (*unit != '\0')
    push_function (self, unit);
}

/* ---- MLIR ---- */

/* "'func.func' operation: @f": name of the operation and its symbol ("": none). FALSE: it is none. */
static gboolean
read_anchor (const char *unit,
             char      **level,
             char      **symbol)
{
  const char *stop = *unit == '\'' ? strchr (unit + 1, '\'') : NULL, *at = stop != NULL ? strchr (stop, '@') : NULL;

  if (stop == NULL)
    return FALSE;
  *level = g_strndup (unit + 1, (gsize) (stop - unit) - 1);
  *symbol = g_strdup (at != NULL ? at + 1 : "");
  return TRUE;
}

/* The same of the first line of a dump that is not of a module: without a name in the head the operation that was printed is the anchor.  FALSE: there is no text. */
static gboolean
read_first (LsPassLog  *log,
            LsPassDump *dump,
            char      **level,
            char      **symbol)
{
  const char *text = ls_pass_log_text (log, dump->file, NULL);

  for (gsize at = dump->start; at < dump->other;)
    {
      const char *stop = memchr (text + at, '\n', dump->other - at);
      g_autofree char *line = g_strndup (text + at, (stop != NULL ? (gsize) (stop - text) : dump->other) - at);
      const char *word = line + strspn (line, " "), *sign = strchr (line, '@');

      at += strlen (line) + 1;
      if (*word == '\0' || strchr ("#!/", *word) != NULL)
        continue;
      word += *word == '"';
      *level = g_strndup (word, strcspn (word, " (\""));
      *symbol = sign != NULL ? g_strndup (sign + 1, strcspn (sign + 1, " (){")) : g_strdup ("");
      if (strcmp (*level, "module") == 0)
        {
          g_free (*level);
          *level = g_strdup ("builtin.module");
        }
      return TRUE;
    }
  return FALSE;
}

/* Does the line (from its first letter on) declare this symbol? */
static gboolean
declares (const char *line,
          gsize       length,
          const char *symbol)
{
  gsize n = strlen (symbol);
  const char *at = memchr (line, '@', length);

  at = at != NULL && (gsize) (line + length - at) > 1 && at[1] == '"' ? at + 1 : at;
  return at != NULL && (gsize) (line + length - at) > n + 1 && memcmp (at + 1, symbol, n) == 0 && !ls_pass_is_word (at[n + 1]);
}

/* What stands around the line at text[at]: lines above it that stand less deep and open a region. (transfer full): names and levels in turns, outermost first */
static GPtrArray *
read_around (const char *text,
             gsize       at,
             gsize       indent)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);

  while (at > 0 && indent > 0 && found->len < 2 * MOST_LEVELS)
    {
      gsize end = at - 1, start = end, deep;

      while (start > 0 && text[start - 1] != '\n')
        start--;
      for (deep = 0; start + deep < end && text[start + deep] == ' '; deep++)
        ;
      at = start;
      if (deep >= indent || end == start + deep || text[end - 1] != '{')
        continue;
      indent = deep;
      {
        g_autofree char *line = g_strndup (text + start + deep, end - start - deep);
        g_autofree char *level = g_strndup (line, strcspn (line, " ("));
        const char *sign = strchr (line, '@');
        g_autofree char *name = sign != NULL ? g_strndup (sign + 1, strspn (sign + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")) : g_strdup ("");

        if (indent == 0 && (strcmp (level, "module") == 0 || strcmp (level, "builtin.module") == 0))
          break;
        g_ptr_array_insert (found, 0, g_steal_pointer (&level));
        g_ptr_array_insert (found, 0, g_steal_pointer (&name));
      }
    }
  return found;
}

/* Where in a dump the operation with this symbol stands. NULL: it is not in it, or at its top. (transfer full) */
static GPtrArray *
find_around (LsPassLog  *log,
             int         number,
             const char *level,
             const char *symbol)
{
  LsPassDump *dump = number >= 0 ? &g_array_index (log->dumps, LsPassDump, number) : NULL;
  const char *text = dump != NULL ? ls_pass_log_text (log, dump->file, NULL) + dump->start : NULL;
  gsize size = dump != NULL ? dump->other - dump->start : 0, n = strlen (level);

  for (gsize at = 0; at < size;)
    {
      const char *stop = memchr (text + at, '\n', size - at);
      gsize end = stop != NULL ? (gsize) (stop - text) : size, indent = 0;

      while (at + indent < end && text[at + indent] == ' ')
        indent++;
      if (indent > 0 && end - at - indent > n && memcmp (text + at + indent, level, n) == 0 && declares (text + at + indent, end - at - indent, symbol))
        return read_around (text, at, indent);
      at = end + 1;
    }
  return NULL;
}

static void
walk_mlir (Walk       *self,
           guint       number,
           const char *unit)
{
  g_autofree char *level = NULL, *symbol = NULL, *key = NULL;
  GPtrArray *around;

  if (!read_anchor (unit, &level, &symbol) && (*unit != '\0' || !read_first (self->log, &g_array_index (self->log->dumps, LsPassDump, number), &level, &symbol)))
    {
      if (*unit != '\0')
        push (self, "operation", unit);
      return;
    }
  if (strcmp (level, "builtin.module") == 0 && *symbol == '\0')
    {
      self->module = (int) number;
      return;
    }
  key = g_strconcat (level, " ", symbol, NULL);
  around = g_hash_table_lookup (self->anchors, key);
  if (around == NULL)
    {
      around = *symbol != '\0' ? find_around (self->log, (int) number, level, symbol) : NULL;
      if (around == NULL && *symbol != '\0')
        around = find_around (self->log, self->module, level, symbol);
      around = around != NULL ? around : g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->anchors, g_strdup (key), around);
    }
  for (guint i = 0; i + 1 < around->len; i += 2)
    push (self, around->pdata[i + 1], around->pdata[i]);
  push (self, level, symbol);
}

/* The folders between that of the log and the file, without that of the module. */
static void
walk_folders (Walk       *self,
              const char *file_name)
{
  g_auto (GStrv) names = g_strsplit (file_name, "/", -1);
  guint n = g_strv_length (names);

  for (guint i = 0; i + 1 < n; i++)
    if (*names[i] != '\0' && !(self->n == 0 && g_str_has_prefix (names[i], "builtin_module")))
      push (self, "folder", names[i]);
}

/* ---- all dumps ---- */

static void
walk_dump (Walk *self,
           guint number)
{
  LsPassDump *dump = &g_array_index (self->log->dumps, LsPassDump, number);
  const char *unit = *dump->unit == '\0' && dump->n == 1 && dump->kind != LS_PASS_DUMP_START ? g_array_index (self->log->parts, LsPassPart, dump->first).name : dump->unit;
  const char *file = self->log->file_names->pdata[dump->file];

  self->n = 0;
  if (strchr (file + (*file == '/'), '/') != NULL)
    walk_folders (self, file);
  else if (dump->language == LS_PASS_LOG_LLVM)
    walk_llvm (self, unit);
  else if (dump->language == LS_PASS_LOG_MLIR)
    walk_mlir (self, number, dump->unit);
  else if (dump->language == LS_PASS_LOG_XLA && *dump->unit != '\0')
    push (self, "pipeline", dump->unit);
}

static LsPassNest *
nest_at (LsPassNesting *self,
         int            nest)
{
  return &g_array_index (self->nests, LsPassNest, nest);
}

/* The dump goes into the nests of its path: those that are open still, and new ones. */
static void
take_path (Walk  *self,
           int   *open,
           guint *n_open,
           guint  number)
{
  LsPassNesting *nesting = self->nesting;
  gboolean effective = g_array_index (self->log->dumps, LsPassDump, number).effective;
  guint same = 0;

  while (same < MIN (*n_open, self->n) && nest_at (nesting, open[same])->level == self->path[same].level && nest_at (nesting, open[same])->name == self->path[same].name)
    same++;
  for (guint i = same; i < self->n; i++)
    {
      LsPassNest nest = { self->path[i].level, self->path[i].name, i > 0 ? open[i - 1] : -1, i, number, number, 0 };

      open[i] = (int) nesting->nests->len;
      g_array_append_val (nesting->nests, nest);
    }
  *n_open = self->n;
  for (guint i = 0; i < self->n; i++)
    {
      nest_at (nesting, open[i])->end = number + 1;
      nest_at (nesting, open[i])->effective += effective;
    }
  nesting->of[number] = self->n > 0 ? open[self->n - 1] : -1;
}

LsPassNesting *
ls_pass_nesting_new (LsPassLog *log)
{
  LsPassNesting *self = g_new0 (LsPassNesting, 1);
  Walk walk = { .log = log, .nesting = self, .module = -1 };
  int open[MOST_LEVELS];
  guint n_open = 0;

  self->nests = g_array_new (FALSE, FALSE, sizeof (LsPassNest));
  self->names = g_string_chunk_new (1024);
  self->of = g_new (int, log->dumps->len + 1);
  walk.anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < log->dumps->len; i++)
    {
      walk_dump (&walk, i);
      take_path (&walk, open, &n_open, i);
    }
  set_scc (&walk, NULL);
  g_hash_table_unref (walk.anchors);
  return self;
}

void
ls_pass_nesting_free (LsPassNesting *self)
{
  g_array_unref (self->nests);
  g_string_chunk_free (self->names);
  g_free (self->of);
  g_free (self);
}

char *
ls_pass_nest_words (const LsPassNest *self)
{
  if (*self->name == '\0')
    return g_strdup (self->level);
  if (strcmp (self->level, "loop") == 0 || strcmp (self->level, "folder") == 0)
    return g_strdup (self->name);
  return g_strdup_printf ("%s %s", self->level, self->name);
}
