/* migrate-imports: what the names of a text stand for, how something is called there, and the import statements under the new names. */
#include "engine/script/migrate-private.h"

#include <string.h>

static void
binding_free (gpointer data)
{
  LsMigrateBinding *self = data;

  g_free (self->path);
  g_free (self->later);
  g_free (self->name);
  g_free (self);
}

/* (transfer full) */
static char *
later_of (const char *path)
{
  const LsMigrateRule *rule = ls_migrate_find_rule (path);

  return rule != NULL && rule->after != NULL ? ls_migrate_apply (rule, path) : g_strdup (path);
}

static const char *
last_of (const char *path)
{
  const char *dot = strrchr (path, '.');

  return dot != NULL ? dot + 1 : path;
}

/* The dotted name at token `at`; *at becomes the token after it. (transfer full) */
static char *
read_path (LsMigrator *self,
           guint      *at)
{
  GString *path = g_string_new (NULL);

  while (*at < self->n && self->tokens[*at].kind == LS_TOKEN_NAME)
    {
      g_autofree char *word = ls_migrator_word (self, *at);

      g_string_append (path, word);
      (*at)++;
      if (!ls_migrator_is_op (self, *at, LS_OP1 ('.')))
        break;
      g_string_append_c (path, '.');
      (*at)++;
    }
  return g_string_free (path, FALSE);
}

/* `name` stands for `path`; a name without `as` goes with the thing it names. */
static void
bind (LsMigrator *self,
      const char *name,
      const char *path,
      gboolean    as)
{
  LsMigrateBinding *binding = g_new0 (LsMigrateBinding, 1);

  binding->path = g_strdup (path);
  binding->later = later_of (path);
  binding->name = g_strdup (as ? name : last_of (binding->later));
  g_hash_table_replace (self->bindings, g_strdup (name), binding);
}

typedef struct {
  char  *path, *name;           /* what is imported, and `as` what (or NULL) */
  guint  first, last;           /* its tokens */
} Item;

static void
item_clear (gpointer data)
{
  Item *self = data;

  g_free (self->path);
  g_free (self->name);
}

/* The items of the statement; *module is that of `from`, or NULL; *module_last the token after it.  FALSE: a star, or relative. */
static gboolean
read_items (LsMigrator             *self,
            const LsMigrateImport  *import,
            GArray                 *items,
            char                  **module,
            guint                  *module_last)
{
  guint at = import->first;
  gboolean from = ls_migrator_is_word (self, at, "from");

  *module = NULL;
  at++;
  if (from)
    {
      *module = read_path (self, &at);
      *module_last = at;
      if (**module == '\0' || !ls_migrator_is_word (self, at, "import"))
        return FALSE;
      at++;
    }
  for (; at < import->last; at++)
    {
      Item item = { .first = at };
      g_autofree char *path = NULL;

      if (self->tokens[at].kind != LS_TOKEN_NAME)
        continue;
      path = read_path (self, &at);
      item.path = from ? g_strconcat (*module, ".", path, NULL) : g_strdup (path);
      if (ls_migrator_is_word (self, at, "as"))
        {
          item.name = ls_migrator_word (self, at + 1);
          at += 2;
        }
      item.last = at;
      at--;
      g_array_append_val (items, item);
    }
  return items->len > 0;
}

static gboolean
begins_statement (LsMigrator *self,
                  guint       at)
{
  LsTokenKind before = at > 0 ? self->tokens[at - 1].kind : LS_TOKEN_NEWLINE;

  return before == LS_TOKEN_NEWLINE || before == LS_TOKEN_INDENT || before == LS_TOKEN_DEDENT || ls_migrator_is_op (self, at - 1, LS_OP1 (';')) ||
         ls_migrator_is_op (self, at - 1, LS_OP1 (':'));
}

/* A printed module has its imports as remarks: "# from tvm.script import tir as T". */
static void
read_remarks (LsMigrator *self)
{
  static const char *const REMARK = "# from tvm.script import tir";

  for (const char *line = self->text; line != NULL; line = strchr (line, '\n'))
    {
      g_autofree char *name = NULL;
      const char *end;

      line += *line == '\n';
      if (strncmp (line, REMARK, strlen (REMARK)) != 0)
        continue;
      end = line + strlen (REMARK);
      if (strncmp (end, " as ", 4) == 0)
        name = g_strndup (end + 4, strspn (end + 4, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"));
      else if (*end == '\n' || *end == '\0')
        name = g_strdup ("tir");
      if (name == NULL || g_hash_table_contains (self->bindings, name))
        continue;
      bind (self, name, "tvm.script.tir", *end == ' ');
      ls_migrator_rewrite (self, end - self->text - strlen ("tir"), end - self->text, "tirx", ls_migrate_find_rule ("tvm.script.tir")->why);
    }
}

void
ls_migrator_read_imports (LsMigrator *self)
{
  for (guint at = 0; at < self->n; at++)
    {
      LsMigrateImport import = { at, at };
      g_autoptr (GArray) items = NULL;
      g_autofree char *module = NULL;
      guint module_last;

      if (!(ls_migrator_is_word (self, at, "from") || ls_migrator_is_word (self, at, "import")) || !begins_statement (self, at))
        continue;
      while (import.last < self->n && self->tokens[import.last].kind != LS_TOKEN_NEWLINE && self->tokens[import.last].kind != LS_TOKEN_END &&
             !ls_migrator_is_op (self, import.last, LS_OP1 (';')))
        import.last++;
      g_array_append_val (self->imports, import);
      items = g_array_new (FALSE, FALSE, sizeof (Item));
      g_array_set_clear_func (items, item_clear);
      read_items (self, &import, items, &module, &module_last);
      for (guint i = 0; i < items->len; i++)
        {
          Item *item = &g_array_index (items, Item, i);
          g_autofree char *top = g_strndup (item->path, strcspn (item->path, "."));

          if (module != NULL)
            bind (self, item->name != NULL ? item->name : last_of (item->path), item->path, item->name != NULL);
          else if (item->name != NULL)
            bind (self, item->name, item->path, TRUE);
          else
            bind (self, top, top, TRUE);
        }
      at = import.last;
    }
  read_remarks (self);
}

const LsMigrateImport *
ls_migrator_import_at (LsMigrator *self,
                       guint       at)
{
  for (guint i = 0; i < self->imports->len; i++)
    {
      const LsMigrateImport *import = &g_array_index (self->imports, LsMigrateImport, i);

      if (import->first == at)
        return import;
    }
  return NULL;
}

/* `binding` is how the text says the beginning of `path`. (transfer full) */
static char *
say_by (LsMigrateBinding *binding,
        const char       *path)
{
  binding->n_kept++;
  return g_strconcat (binding->name, path + strlen (binding->later), NULL);
}

/* The name that stands for the longest beginning of `path`, or NULL. */
static LsMigrateBinding *
find_binding (LsMigrator *self,
              const char *path)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->bindings), (GCompareFunc) strcmp);
  LsMigrateBinding *best = NULL;

  for (GList *l = names; l != NULL; l = l->next)
    {
      LsMigrateBinding *binding = g_hash_table_lookup (self->bindings, l->data);

      if (ls_migrate_is_under (path, binding->later) && (best == NULL || strlen (binding->later) > strlen (best->later)))
        best = binding;
    }
  return best;
}

char *
ls_migrator_spell (LsMigrator       *self,
                   LsMigrateBinding *binding,
                   const char       *path)
{
  LsMigrateBinding *other;
  g_auto (GStrv) parts = NULL;
  g_autofree char *line = NULL;

  if (binding != NULL && ls_migrate_is_under (path, binding->later))
    return say_by (binding, path);
  if (binding != NULL)
    binding->n_left++;
  other = find_binding (self, path);
  if (other != NULL)
    return say_by (other, path);
  parts = g_strsplit (path, ".", 3);
  line = ls_migrate_is_under (path, "tvm.s_tir") || ls_migrate_is_under (path, "tvm.tirx") ? g_strdup_printf ("from tvm import %s", parts[1])
         : g_strdup_printf ("import %s", parts[0]);
  if (!g_ptr_array_find_with_equal_func (self->needed, line, g_str_equal, NULL))
    g_ptr_array_add (self->needed, g_strdup (line));
  return g_strdup (g_str_has_prefix (line, "from ") ? path + strlen ("tvm.") : path);
}

/* Is the item a module or name that nobody needs under its new name, since all its uses are spelled otherwise now? */
static gboolean
is_left (LsMigrator *self,
         const Item *item)
{
  const char *name = item->name != NULL ? item->name : last_of (item->path);
  LsMigrateBinding *binding = g_hash_table_lookup (self->bindings, name);

  return binding != NULL && binding->n_kept == 0 && binding->n_left > 0 && strcmp (binding->path, item->path) == 0 && strcmp (binding->path, binding->later) != 0;
}

/* "tir as T" under its new name, behind its module. (transfer full) */
static char *
item_text (const Item *item,
           const char *later)
{
  const char *name = last_of (later);

  return item->name != NULL && strcmp (item->name, name) != 0 ? g_strdup_printf ("%s as %s", name, item->name) : g_strdup (name);
}

static void
write_from (LsMigrator            *self,
            const LsMigrateImport *import,
            GArray                *items,
            const char            *module,
            guint                  module_last)
{
  g_autoptr (GPtrArray) modules = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean changed = FALSE, dropped = FALSE;
  const char *why = NULL;
  gsize line = self->tokens[import->first].start;
  g_autofree char *indent = NULL;

  for (guint i = 0; i < items->len; i++)
    {
      Item *item = &g_array_index (items, Item, i);
      const LsMigrateRule *rule = ls_migrate_find_rule (item->path);
      g_autofree char *later = later_of (item->path);
      const char *dot = strrchr (later, '.');
      g_autofree char *of = dot != NULL ? g_strndup (later, dot - later) : NULL;
      guint at;

      if (rule != NULL && why == NULL)
        why = rule->why;
      if (rule != NULL && rule->after == NULL)
        ls_migrator_replace (self, item->first, item->last, NULL, rule->why);
      if (is_left (self, item))
        {
          changed = dropped = TRUE;
          continue;
        }
      changed |= strcmp (later, item->path) != 0;
      if (of == NULL)           /* a module at the top, tvm_ffi */
        of = g_strdup ("");
      if (!g_ptr_array_find_with_equal_func (modules, of, g_str_equal, &at))
        {
          at = modules->len;
          g_ptr_array_add (modules, g_strdup (of));
          g_ptr_array_add (names, g_ptr_array_new_with_free_func (g_free));
        }
      g_ptr_array_add (g_ptr_array_index (names, at), item_text (item, later));
    }
  if (!changed)
    return;
  if (modules->len == 1 && !dropped && *(const char *) modules->pdata[0] != '\0')
    {                           /* word by word, so that brackets and comments stay */
      if (strcmp (modules->pdata[0], module) != 0)
        ls_migrator_replace (self, import->first + 1, module_last, modules->pdata[0], why);
      for (guint i = 0; i < items->len; i++)
        {
          Item *item = &g_array_index (items, Item, i);
          const char *now = g_ptr_array_index ((GPtrArray *) names->pdata[0], i);
          g_autofree char *was = item_text (item, item->path);

          if (strcmp (now, was) != 0)
            ls_migrator_replace (self, item->first, item->last, now, why);
        }
      return;
    }
  while (line > 0 && self->text[line - 1] != '\n')
    line--;
  indent = g_strndup (self->text + line, strspn (self->text + line, " \t"));
  for (guint i = 0; i < modules->len; i++)
    {
      GPtrArray *group = names->pdata[i];

      if (i > 0)
        g_string_append_printf (text, "\n%s", indent);
      if (*(const char *) modules->pdata[i] == '\0')
        g_string_append (text, "import ");
      else
        g_string_append_printf (text, "from %s import ", (const char *) modules->pdata[i]);
      for (guint j = 0; j < group->len; j++)
        g_string_append_printf (text, "%s%s", j > 0 ? ", " : "", (const char *) group->pdata[j]);
    }
  if (text->len == 0 && self->needed->len > 0)
    {
      g_string_append (text, self->needed->pdata[0]);
      g_ptr_array_remove_index (self->needed, 0);
    }
  else if (text->len == 0 && *indent != '\0')
    g_string_append (text, "pass");
  else if (text->len == 0)
    {
      ls_migrator_drop (self, import->first, import->last, why);
      return;
    }
  ls_migrator_replace (self, import->first, import->last, text->str, why);
}

static void
write_plain (LsMigrator *self,
             GArray     *items)
{
  for (guint i = 0; i < items->len; i++)
    {
      Item *item = &g_array_index (items, Item, i);
      const LsMigrateRule *rule = ls_migrate_find_rule (item->path);
      g_autofree char *later = later_of (item->path);
      guint last = item->name != NULL ? item->last - 2 : item->last;

      if (rule != NULL && strcmp (later, item->path) != 0)
        ls_migrator_replace (self, item->first, last, later, rule->why);
      else if (rule != NULL && rule->after == NULL)
        ls_migrator_replace (self, item->first, last, NULL, rule->why);
    }
}

void
ls_migrator_write_imports (LsMigrator *self)
{
  const LsMigrateImport *home = NULL;

  for (guint i = 0; i < self->imports->len; i++)
    {
      const LsMigrateImport *import = &g_array_index (self->imports, LsMigrateImport, i);
      g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
      g_autofree char *module = NULL;
      guint module_last = 0;
      gboolean tvm = FALSE;

      g_array_set_clear_func (items, item_clear);
      if (!read_items (self, import, items, &module, &module_last))
        {
          if (module != NULL && ls_migrate_find_rule (module) != NULL)
            ls_migrator_replace (self, import->first, import->last, NULL, "Which names a star brings is not known: write them out, then this can be brought over");
          continue;
        }
      for (guint j = 0; j < items->len; j++)
        tvm |= ls_migrate_is_under (g_array_index (items, Item, j).path, "tvm");
      if (tvm && home == NULL)
        home = import;
      if (module != NULL)
        write_from (self, import, items, module, module_last);
      else
        write_plain (self, items);
    }
  for (guint i = 0; i < self->needed->len && home != NULL; i++)
    {
      gsize line = self->tokens[home->first].start;
      g_autofree char *text = NULL;

      while (line > 0 && self->text[line - 1] != '\n')
        line--;
      text = g_strdup_printf ("\n%.*s%s", (int) strspn (self->text + line, " \t"), self->text + line, (const char *) self->needed->pdata[i]);
      ls_migrator_insert (self, self->tokens[home->last - 1].end, text);
    }
}

GHashTable *
ls_migrate_bindings_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, binding_free);
}
