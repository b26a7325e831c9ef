/* migrate: goes over the tokens of a text, finds what its names stand for, and writes them as they are called now. */
#include "engine/script/migrate-private.h"

#include <string.h>

/* The token after the bracket that closes the one at `at`; `n` when nothing does. */
static guint
after_bracket (LsMigrator *self,
               guint       at)
{
  guint depth = 0;

  for (; at < self->n; at++)
    {
      depth += ls_migrator_is_op (self, at, LS_OP1 ('(')) || ls_migrator_is_op (self, at, LS_OP1 ('[')) || ls_migrator_is_op (self, at, LS_OP1 ('{'));
      if (ls_migrator_is_op (self, at, LS_OP1 (')')) || ls_migrator_is_op (self, at, LS_OP1 (']')) || ls_migrator_is_op (self, at, LS_OP1 ('}')))
        if (--depth == 0)
          return at + 1;
    }
  return self->n;
}

/* ---- what stands behind a name ---- */

/* The decorator of a function that blocks stand in: @T.prim_func(s_tir=True). `at` is the token after it. */
static void
mark_scheduled (LsMigrator *self,
                guint       at)
{
  static const char *const WHY = "A function that is scheduled says so: s_tir=True";
  g_autofree char *text = NULL;
  guint end;

  if (!ls_migrator_is_op (self, at, LS_OP1 ('(')))
    {
      ls_migrator_insert (self, self->tokens[at - 1].end, "(s_tir=True)");
      ((LsMigrateEdit *) self->edits->data)[self->edits->len - 1].before = ls_migrator_word (self, at - 1);
      ((LsMigrateEdit *) self->edits->data)[self->edits->len - 1].why = WHY;
      return;
    }
  end = after_bracket (self, at);
  for (guint i = at; i < end; i++)
    if (ls_migrator_is_word (self, i, "s_tir"))
      return;
  text = g_strdup_printf ("%.*s%ss_tir=True)", (int) (self->tokens[end - 1].start - self->tokens[at].start), self->text + self->tokens[at].start,
                          end - at == 2 || ls_migrator_is_op (self, end - 2, LS_OP1 (',')) ? "" : ", ");
  ls_migrator_replace (self, at, end, text, WHY);
}

/* T.Buffer[shape, type] of 2022 is a call. */
static void
call_brackets (LsMigrator *self,
               guint       at)
{
  static const char *const WHY = "A buffer's type is a call: T.Buffer(shape, dtype)";
  guint end = after_bracket (self, at);

  if (end > at + 1 && end <= self->n && ls_migrator_is_op (self, end - 1, LS_OP1 (']')))
    {
      ls_migrator_replace (self, at, at + 1, "(", WHY);
      ls_migrator_replace (self, end - 1, end, ")", WHY);
    }
}

/* T.var("int32") is T.int32(): tokens [first, at + 3). */
static gboolean
typed_var (LsMigrator *self,
           guint       first,
           guint       at)
{
  g_autofree char *type = NULL;
  g_autofree char *head = NULL;
  g_autofree char *text = NULL;

  if (!ls_migrator_is_op (self, at, LS_OP1 ('(')) || at + 2 >= self->n || self->tokens[at + 1].kind != LS_TOKEN_STRING || !ls_migrator_is_op (self, at + 2, LS_OP1 (')')))
    return FALSE;
  type = ls_migrator_word (self, at + 1);
  for (const char *c = type + 1; *c != '\0' && c[1] != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      return FALSE;
  head = ls_migrator_word (self, first);
  text = g_strdup_printf ("%s.%.*s()", head, (int) strlen (type) - 2, type + 1);
  ls_migrator_replace (self, first, at + 3, text, "A variable is called by its type: T.int32()");
  return TRUE;
}

/* `lib = tvm.build(...)`: remembers lib. */
static void
remember_built (LsMigrator *self,
                guint       first,
                const char *path)
{
  if (strcmp (path, "tvm.build") == 0 && first >= 2 && ls_migrator_is_op (self, first - 1, LS_OP1 ('=')) && self->tokens[first - 2].kind == LS_TOKEN_NAME)
    g_hash_table_add (self->built, ls_migrator_word (self, first - 2));
}

/* A dotted name whose head is bound: tokens first, first + 2, ... up to `last` (after it). */
static void
read_bound (LsMigrator       *self,
            LsMigrateBinding *binding,
            guint             first,
            guint             last)
{
  g_autoptr (GString) path = g_string_new (binding->path);
  const LsMigrateRule *rule;
  g_autofree char *later = NULL;
  g_autofree char *said = NULL;
  guint end = first + 1;        /* after the components that the rule is about */
  gboolean decorated = ls_migrator_is_op (self, first - 1, LS_OP1 ('@'));

  for (guint i = first + 2; i < last; i += 2)
    {
      g_autofree char *word = ls_migrator_word (self, i);

      g_string_append_printf (path, ".%s", word);
    }
  rule = ls_migrate_find_rule (path->str);
  if (g_str_has_suffix (path->str, ".prim_func") && (ls_migrate_is_under (path->str, "tvm.script.tir") || ls_migrate_is_under (path->str, "tvm.script.parser.tir")) &&
      decorated)
    mark_scheduled (self, last);
  if (strcmp (path->str, "tvm.script.tir.Buffer") == 0 && ls_migrator_is_op (self, last, LS_OP1 ('[')))
    call_brackets (self, last);
  if (strcmp (path->str, "tvm.script.tir.var") == 0 && last == first + 3 && typed_var (self, first, last))
    {
      binding->n_kept++;
      return;
    }
  if (rule == NULL)
    {
      binding->n_kept++;
      return;
    }
  if (rule->after == NULL)
    {
      binding->n_kept++;
      ls_migrator_replace (self, first, last, NULL, rule->why);
      return;
    }
  remember_built (self, first, path->str);
  /* what the rule does not name stays as it is written */
  g_string_assign (path, binding->path);
  for (guint i = first + 2; i < last && !ls_migrate_is_under (path->str, rule->before); i += 2)
    {
      g_autofree char *word = ls_migrator_word (self, i);

      g_string_append_printf (path, ".%s", word);
      end = i + 1;
    }
  if (strcmp (rule->before, "tvm.tir.transform") == 0 && strcmp (path->str, rule->before) == 0 && end < last)
    {                           /* the rule is about the pass behind it */
      g_autofree char *word = ls_migrator_word (self, end + 1);

      g_string_append_printf (path, ".%s", word);
      end += 2;
    }
  later = ls_migrate_apply (rule, path->str);
  said = ls_migrator_spell (self, binding, later);
  ls_migrator_replace (self, first, end, said, rule->why);
}

/* .get_block( of something whose type nobody knows. */
static void
read_method (LsMigrator *self,
             guint       at)
{
  g_autofree char *name = ls_migrator_word (self, at);
  const LsMigrateRule *rule = ls_migrate_find_method (name);

  if (rule != NULL && ls_migrator_is_op (self, at + 1, LS_OP1 ('(')))
    ls_migrator_replace (self, at, at + 1, rule->after, rule->why);
}

/* x.struct_info. */
static void
read_attribute (LsMigrator *self,
                guint       at)
{
  g_autofree char *name = ls_migrator_word (self, at);
  const LsMigrateRule *rule = ls_migrate_find_attribute (name);

  if (rule != NULL && !ls_migrator_is_op (self, at + 1, LS_OP1 ('(')))
    ls_migrator_replace (self, at, at + 1, rule->after, rule->why);
}

/* out_sinfo= of a call such as R.call_tir(...), relax.Call(...). */
static void
read_keyword (LsMigrator *self,
              guint       at)
{
  g_autofree char *name = ls_migrator_word (self, at);
  const LsMigrateRule *rule = ls_migrate_find_keyword (name);
  g_autofree char *callee = NULL;
  guint depth = 1, open = at;

  if (rule == NULL || !ls_migrator_is_op (self, at + 1, LS_OP1 ('=')))
    return;
  while (open > 0 && depth > 0)
    {
      open--;
      if (ls_migrator_is_op (self, open, LS_OP1 (')')) || ls_migrator_is_op (self, open, LS_OP1 (']')) || ls_migrator_is_op (self, open, LS_OP1 ('}')))
        depth++;
      else if (ls_migrator_is_op (self, open, LS_OP1 ('(')) || ls_migrator_is_op (self, open, LS_OP1 ('[')) || ls_migrator_is_op (self, open, LS_OP1 ('{')))
        depth--;
    }
  if (depth > 0 || open == 0 || !ls_migrator_is_op (self, open, LS_OP1 ('(')) || self->tokens[open - 1].kind != LS_TOKEN_NAME
      || (open >= 2 && ls_migrator_is_word (self, open - 2, "def")))
    return;
  callee = ls_migrator_word (self, open - 1);
  if (g_str_has_prefix (callee, "call_") || g_str_has_prefix (callee, "invoke_") || strcmp (callee, "Call") == 0 || strcmp (callee, "Function") == 0)
    ls_migrator_replace (self, at, at + 1, rule->after, rule->why);
}

/* lib.time_evaluator, of a lib that tvm.build gave. */
static void
read_of_built (LsMigrator *self,
               guint       at)
{
  g_autofree char *object = ls_migrator_word (self, at - 2);
  g_autofree char *name = ls_migrator_word (self, at);
  const LsMigrateRule *rule = ls_migrate_find_of_built (name);

  if (rule != NULL && self->tokens[at - 2].kind == LS_TOKEN_NAME && g_hash_table_contains (self->built, object) &&
      !(at >= 3 && ls_migrator_is_op (self, at - 3, LS_OP1 ('.'))))
    ls_migrator_replace (self, at, at + 1, rule->after, rule->why);
}

static void
read_string (LsMigrator *self,
             guint       at)
{
  const LsToken *token = &self->tokens[at];
  gsize length = token->end - token->start;
  char quote = self->text[token->start];
  g_autofree char *now = NULL;
  g_autofree char *text = NULL;

  if (length < 3 || (quote != '"' && quote != '\'') || self->text[token->end - 1] != quote || self->text[token->start + 1] == quote)
    return;
  now = ls_migrate_string (self->text + token->start + 1, length - 2);
  if (now == NULL)
    return;
  text = g_strdup_printf ("%c%s%c", quote, now, quote);
  ls_migrator_replace (self, at, at + 1, text, "Attributes, options and operators of tir are called tirx.…, those of passes that schedule s_tir.…");
}

static gboolean
imports_tvm (LsMigrator *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->bindings);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (ls_migrate_is_under (((LsMigrateBinding *) value)->path, "tvm"))
      return TRUE;
  return FALSE;
}

static void
read_tokens (LsMigrator *self)
{
  for (guint at = 0; at < self->n; at++)
    {
      const LsMigrateImport *import = ls_migrator_import_at (self, at);
      gboolean attribute = at > 0 && ls_migrator_is_op (self, at - 1, LS_OP1 ('.'));
      LsMigrateBinding *binding;
      g_autofree char *word = NULL;
      guint last;

      if (import != NULL)
        {
          at = import->last - 1;
          continue;
        }
      if (self->tokens[at].kind == LS_TOKEN_STRING)
        read_string (self, at);
      if (self->tokens[at].kind != LS_TOKEN_NAME)
        continue;
      if (attribute)
        {
          read_method (self, at);
          read_attribute (self, at);
          if (at >= 2)
            read_of_built (self, at);
          continue;
        }
      read_keyword (self, at);
      word = ls_migrator_word (self, at);
      binding = g_hash_table_lookup (self->bindings, word);
      if (binding == NULL)
        continue;
      for (last = at + 1; ls_migrator_is_op (self, last, LS_OP1 ('.')) && last + 1 < self->n && self->tokens[last + 1].kind == LS_TOKEN_NAME; last += 2)
        ;
      if (last == at + 1 && ls_migrator_is_op (self, last, LS_OP1 ('=')) && !ls_migrator_is_op (self, at - 1, LS_OP1 (':')))
        continue;               /* a keyword argument, or a name of the text's own; an annotation is neither */
      if (ls_migrate_is_under (binding->path, "tvm"))
        {
          read_bound (self, binding, at, last);
          at = last - 1;
        }
    }
}

char *
ls_script_migrate (LsSource      *source,
                   GPtrArray     *report,
                   LsDiagnostics *diagnostics)
{
  guint n_before = ls_diagnostics_get_n (diagnostics);
  g_autoptr (GArray) tokens = ls_script_lex (source, diagnostics);
  g_autoptr (GArray) imports = g_array_new (FALSE, FALSE, sizeof (LsMigrateImport));
  g_autoptr (GArray) edits = ls_migrate_edits_new ();
  g_autoptr (GPtrArray) needed = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) built = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) bindings = ls_migrate_bindings_new ();
  LsMigrator self = { source, ls_source_get_text (source, NULL), (const LsToken *) tokens->data, tokens->len, bindings, imports, needed, built, edits, report };

  if (ls_diagnostics_get_n (diagnostics) > n_before && ls_diagnostics_has_error (diagnostics))
    return NULL;
  ls_migrator_read_imports (&self);
  if (imports_tvm (&self))
    {
      read_tokens (&self);
      ls_migrator_write_imports (&self);
    }
  return ls_migrator_apply (&self);
}
