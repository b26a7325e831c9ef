/* fx/rule: which rule translates a node.  Rules are lines of the language that rule-text.c reads, functions
 * of this folder (rules-*.c), or functions of the user's; the latest of a name counts.
 */
#include "engine/frontend/frontend-private.h"

#include <string.h>

typedef struct {
  char         *name;           /* "relu", "module:ReLU" */
  LsFxText     *text;
  LsFxTranslate translate;      /* or built in */
  LsFxRuleFunc  func;           /* or the user's */
  gpointer      user_data;
} LsFxRule;

static GHashTable *all_rules;   /* name -> LsFxRule; what was replaced stays alive */
static GMutex lock;

/* ---- the table ---------------------------------------------------------------------------- */

static void
add_handlers (const LsFxHandler *handlers)
{
  for (; handlers->names != NULL; handlers++)
    {
      g_auto (GStrv) names = g_strsplit (handlers->names, " ", -1);

      for (guint i = 0; names[i] != NULL; i++)
        {
          LsFxRule *rule = g_new0 (LsFxRule, 1);

          rule->name = g_strdup (names[i]);
          rule->translate = handlers->translate;
          g_hash_table_insert (all_rules, rule->name, rule);
        }
    }
}

static void
rule_free (gpointer data)
{
  LsFxRule *rule = data;

  g_free (rule->name);
  g_clear_pointer (&rule->text, ls_fx_text_free);
  g_free (rule);
}

/* The rules of one line into a table; FALSE and the problem. */
static gboolean
add_line (GHashTable  *rules,
          const char  *line,
          const char **what)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_fx_text_free);

  if (!ls_fx_text_parse (line, names, texts, what))
    return FALSE;
  g_ptr_array_set_free_func (names, NULL);
  g_ptr_array_set_free_func (texts, NULL);
  for (guint i = 0; i < names->len; i++)
    {
      LsFxRule *rule = g_new0 (LsFxRule, 1);

      rule->name = names->pdata[i];
      rule->text = texts->pdata[i];
      g_hash_table_replace (rules, rule->name, rule);
    }
  return TRUE;
}

/* With the lock held. */
static void
ensure_rules (void)
{
  if (all_rules != NULL)
    return;
  all_rules = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; ls_fx_rule_texts[i] != NULL; i++)
    {
      const char *what = NULL;

      if (!add_line (all_rules, ls_fx_rule_texts[i], &what))
        g_error ("the rule \"%s\": %s", ls_fx_rule_texts[i], what);
    }
  add_handlers (ls_fx_handlers_basic);
  add_handlers (ls_fx_handlers_shape);
  add_handlers (ls_fx_handlers_nn);
  add_handlers (ls_fx_handlers_rare);
  add_handlers (ls_fx_handlers_aten);
  add_handlers (ls_fx_handlers_recurrent);
}

static void
add_rule (LsFxRule *rule)
{
  g_mutex_lock (&lock);
  ensure_rules ();
  g_hash_table_replace (all_rules, rule->name, rule);
  g_mutex_unlock (&lock);
}

void
ls_fx_rules_add (const char   *name,
                 LsFxRuleFunc  func,
                 gpointer      user_data)
{
  LsFxRule *rule = g_new0 (LsFxRule, 1);

  rule->name = g_str_has_prefix (name, "module ") ? g_strconcat ("module:", name + strlen ("module "), NULL) : g_strdup (name);
  rule->func = func;
  rule->user_data = user_data;
  add_rule (rule);
}

gboolean
ls_fx_rules_add_text (const char *text,
                      GError    **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) rules = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, rule_free);
  GHashTableIter iter;
  gpointer rule;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *what = NULL;

      if (add_line (rules, lines[i], &what))
        continue;
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("line %u: %s: %s"), i + 1, ls_translate (what), g_strstrip (lines[i]));
      return FALSE;
    }
  g_hash_table_iter_init (&iter, rules);
  while (g_hash_table_iter_next (&iter, NULL, &rule))
    {
      g_hash_table_iter_steal (&iter);
      add_rule (rule);
    }
  return TRUE;
}

static const LsFxRule *
find_rule (const char *name)
{
  const LsFxRule *rule;

  g_mutex_lock (&lock);
  ensure_rules ();
  rule = g_hash_table_lookup (all_rules, name);
  g_mutex_unlock (&lock);
  return rule;
}

char *
ls_fx_rules_list (const char *op)
{
  gboolean modules = strcmp (op, "call_module") == 0;
  GString *out = g_string_new (NULL);
  g_autoptr (GList) names = NULL;

  g_mutex_lock (&lock);
  ensure_rules ();
  names = g_list_sort (g_hash_table_get_keys (all_rules), (GCompareFunc) strcmp);
  g_mutex_unlock (&lock);
  for (GList *l = names; l != NULL; l = l->next)
    if (g_str_has_prefix (l->data, "module:") == modules)
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", (char *) l->data + (modules ? strlen ("module:") : 0));
  return g_string_free (out, FALSE);
}

/* ---- applying --------------------------------------------------------------------------------------- */

static LsFxValue *
apply_func (LsFxImport     *self,
            const LsFxRule *rule)
{
  LsNode **args = ls_fx_alloc (self, self->n_args * sizeof *args), *expr;

  for (guint i = 0; i < self->n_args; i++)
    args[i] = self->args[i]->kind == LS_FX_NODE ? self->args[i]->node : NULL;
  expr = rule->func (self->builder, args, self->n_args, rule->user_data, &self->error);
  return expr != NULL ? ls_fx_emit (self, expr) : NULL;
}

static LsFxValue *
apply (LsFxImport     *self,
       const LsFxRule *rule)
{
  return rule->translate != NULL ? rule->translate (self) : rule->func != NULL ? apply_func (self, rule) : ls_fx_text_apply (self, rule->text);
}

/* ---- which rule ---------------------------------------------------------------------------------------- */

/* Behind the last dot; of "aten.add.Tensor" and the like what stands before the overload. */
static char *
last_part (const char *target)
{
  g_auto (GStrv) parts = g_strsplit (target, ".", -1);
  guint n = g_strv_length (parts);
  gboolean overload = n >= 2 && strstr (target, "aten.") != NULL && strcmp (parts[n - 2], "aten") != 0;

  return g_strdup (n == 0 ? "" : overload ? parts[n - 2] : parts[n - 1]);
}

/* "relu_" is "relu", and the tensor is that from now on. */
static LsFxValue *
apply_in_place (LsFxImport     *self,
                const LsFxRule *rule)
{
  LsFxValue *value = apply (self, rule);
  JsonNode *first = json_array_get_length (self->node->args) > 0 ? json_array_get_element (self->node->args, 0) : NULL;
  JsonNode *name = first != NULL && JSON_NODE_HOLDS_OBJECT (first) ? json_object_get_member (json_node_get_object (first), "node") : NULL;

  if (value != NULL && name != NULL && JSON_NODE_HOLDS_VALUE (name))
    g_hash_table_insert (self->values, (gpointer) json_node_get_string (name), value);
  return value;
}

LsFxValue *
ls_fx_translate (LsFxImport *self)
{
  const char *target = self->node->target;
  g_autofree char *name = NULL, *key = NULL, *known = NULL;
  const LsFxRule *rule;
  gsize n;

  if (self->module != NULL)
    target = json_object_get_string_member (self->module, "type");
  name = last_part (target);
  self->name = ls_fx_text (self, LS_FX_TEXT, name)->s;
  key = g_strconcat (self->module != NULL ? "module:" : "", name, NULL);
  rule = find_rule (key);
  if (rule != NULL)
    return apply (self, rule);
  n = strlen (key);
  if (self->module == NULL && n > 1 && key[n - 1] == '_')
    {
      key[n - 1] = '\0';
      rule = find_rule (key);
      if (rule != NULL)
        return apply_in_place (self, rule);
    }
  known = ls_fx_rules_list (self->node->op);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "no rule translates %s %s; supported are %s; rules of one's own can be added", self->node->op, target, known);
}
