/* python: what stands around the definitions of a script: imports and plain values.
 *
 * `N = 128` and `shape = (N, 4 * N)` are carried out so that functions can use them; anything else that a file does
 * (building, running, printing) is none of the script's business and passes without a word.
 */
#include "engine/script/script-private.h"

void
ls_python_defaults (LsParse *p)
{
  static const char *const NAMES[][2] = {
    { "T", "T" }, { "Ts", "T" }, { "tir", "T" }, { "I", "I" }, { "ir", "tvm.ir" }, { "R", "R" }, { "relax", "tvm.relax" }, { "tvm", "tvm" }, { "te", "tvm.te" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    {
      LsValue *own = ls_host_lookup (p, NAMES[i][0], NULL);

      ls_parse_bind (p, NAMES[i][0], own != NULL && own->kind != LS_VALUE_NONE ? own : ls_module_value (p, NAMES[i][1]));
    }
}

static void
visit_import (LsParse *p,
              LsSyn   *stmt)
{
  for (guint i = 0; i < stmt->n; i++)
    {
      LsSyn *alias = stmt->items[i];
      const char *dot = strchr (alias->text, '.');

      if (alias->a != NULL)
        ls_parse_bind (p, alias->a->text, ls_module_value (p, alias->text));
      else
        {
          const char *head = dot != NULL ? ls_arena_strndup (&p->arena, alias->text, (gsize) (dot - alias->text)) : alias->text;

          ls_parse_bind (p, head, ls_module_value (p, head));
        }
    }
}

static void
visit_from (LsParse *p,
            LsSyn   *stmt)
{
  LsValue *base = ls_module_value (p, stmt->text);

  for (guint i = 0; i < stmt->n; i++)
    {
      LsSyn *alias = stmt->items[i];
      const char *name = alias->a != NULL ? alias->a->text : alias->text;
      const char *space = base->kind == LS_VALUE_MODULE ? base->s : "";

      if (strcmp (alias->text, "*") == 0)
        continue;
      if (strcmp (space, "T") == 0 || strcmp (space, "I") == 0 || strcmp (space, "R") == 0)
        ls_parse_bind (p, name, ls_eval_member (p, space, alias->text, alias));
      else
        ls_parse_bind (p, name, ls_module_value (p, ls_arena_printf (&p->arena, "%s.%s", stmt->text, alias->text)));
    }
}

static void
visit_value (LsParse *p,
             LsSyn   *target,
             LsSyn   *value_syn)
{
  LsValue *value = ls_eval (p, value_syn);

  if (target->kind != LS_SYN_NAME && target->kind != LS_SYN_TUPLE && target->kind != LS_SYN_LIST)
    return;
  if (value == NULL || (target->kind != LS_SYN_NAME && !ls_value_is_sequence (value)))
    value = NULL;
  ls_assign (p, target, value, LS_BIND_PLAIN, value_syn);
}

void
ls_python_stmt (LsParse *p,
                LsSyn   *stmt)
{
  gboolean quiet = p->quiet;

  p->quiet = TRUE;
  if (stmt->kind == LS_SYN_IMPORT)
    visit_import (p, stmt);
  else if (stmt->kind == LS_SYN_FROM)
    visit_from (p, stmt);
  else if (stmt->kind == LS_SYN_ASSIGN)
    for (guint i = 0; i < stmt->n; i++)
      visit_value (p, stmt->items[i], stmt->a);
  else if (stmt->kind == LS_SYN_ANNOTATED && stmt->c != NULL)
    visit_value (p, stmt->a, stmt->c);
  else if (stmt->kind == LS_SYN_AUGMENT && stmt->a->kind == LS_SYN_NAME)
    {
      LsValue *a = ls_eval (p, stmt->a);
      LsValue *b = ls_eval (p, stmt->b);

      ls_parse_bind (p, stmt->a->text, a != NULL && b != NULL ? ls_eval_binary (p, stmt->op, a, b, stmt) : NULL);
    }
  else if (stmt->kind == LS_SYN_DEF || stmt->kind == LS_SYN_CLASS)
    ls_parse_bind (p, stmt->text, ls_value_new (p, LS_VALUE_OPAQUE));
  p->quiet = quiet;
}
