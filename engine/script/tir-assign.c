/* tir-assign: names take values: `name = value` in a function, `for`, `as`, and outside of functions. */
#include "engine/script/script-private.h"

#include "engine/base/plural.h"

void
ls_bind_poison (LsParse *p,
                LsSyn   *target)
{
  if (target->kind == LS_SYN_NAME)
    ls_parse_bind (p, target->text, ls_value_poison (p));
  else if (target->kind == LS_SYN_STAR)
    ls_bind_poison (p, target->a);
  else if (target->kind == LS_SYN_TUPLE || target->kind == LS_SYN_LIST)
    for (guint i = 0; i < target->n; i++)
      ls_bind_poison (p, target->items[i]);
}

static void
name_items (LsParse    *p,
            const char *name,
            LsValue    *value)
{
  for (guint i = 0; i < value->n; i++)
    {
      LsValue *item = value->items[i];
      const char *sub = ls_arena_printf (&p->arena, "%s_%u", name, i);

      if (ls_value_is_sequence (item))
        name_items (p, sub, item);
      else if (item->kind == LS_VALUE_NODE && (ls_is_var (item->node) || ls_is (item->node, BUFFER)) &&
               !g_hash_table_contains (p->known, item->node))
        ls_value_name (item->node, sub);
    }
}

/* What a name becomes by `name = value` inside a function. */
static LsValue *
assigned (LsParse    *p,
          const char *name,
          LsValue    *value,
          LsSyn      *at)
{
  LsExpr *e;
  LsVar *var;
  LsFrame *frame;

  switch (value->kind)
    {
    case LS_VALUE_META:
      return value->items[0];
    case LS_VALUE_TUPLE:
    case LS_VALUE_LIST:
      name_items (p, name, value);
      return value;
    case LS_VALUE_FRAME:
      value = ls_frame_open (p, value->frame, at);
      if (value != NULL && value->kind == LS_VALUE_NODE)
        ls_value_name (value->node, name);
      return value;
    case LS_VALUE_NODE:
      if (ls_is (value->node, BUFFER) || ls_is (value->node, ITER_VAR) || (ls_is_var (value->node) && !g_hash_table_contains (p->known, value->node)))
        {
          ls_value_name (value->node, name);
          return value;
        }
      if (!ls_value_is_expr (value))
        return value;
      break;
    case LS_VALUE_BOOL:
    case LS_VALUE_INT:
    case LS_VALUE_FLOAT:
      break;
    case LS_VALUE_NONE:
    case LS_VALUE_STORE:
      ls_parse_error (p, at->span, "script/type", "This gives no value that %s could stand for.", name);
      return NULL;
    case LS_VALUE_STRING:
    case LS_VALUE_DICT:
    case LS_VALUE_SLICE:
    case LS_VALUE_MODULE:
    case LS_VALUE_FUNC:
    case LS_VALUE_DTYPE:
    case LS_VALUE_METHOD:
    case LS_VALUE_LAMBDA:
    case LS_VALUE_IR_MODULE:
    case LS_VALUE_OPAQUE:
    case LS_VALUE_FOREIGN:
    case LS_VALUE_POISON:
      return value;
    }
  if ((e = ls_value_to_expr (p, value, at->span)) == NULL || !ls_frame_room (p, at->span))
    return NULL;
  var = ls_keep (p, ls_var_new (name, ls_dtype (e)), at);
  if ((frame = ls_frame_let (p, var, e, at->span)) == NULL)
    return NULL;
  ls_frame_enter (p, frame);
  return frame->value;
}

static LsValue *
named (LsParse    *p,
       const char *name,
       LsValue    *value,
       LsBindMode  mode,
       LsSyn      *at)
{
  if (mode == LS_BIND_PLAIN)
    return value;
  if (mode == LS_BIND_ASSIGN)
    return assigned (p, name, value, at);
  if (ls_value_is_sequence (value))
    name_items (p, name, value);
  else if (value->kind == LS_VALUE_NODE && (ls_is_var (value->node) || ls_is (value->node, BUFFER)))
    ls_value_name (value->node, name);
  else
    {
      ls_parse_error (p, at->span, "script/target", "%s cannot stand for %s here.", name, ls_value_describe (p, value));
      return NULL;
    }
  return value;
}

static void
assign_name (LsParse   *p,
             LsSyn     *target,
             LsValue   *value,
             LsBindMode mode,
             LsSyn     *at)
{
  LsValue *old = g_hash_table_lookup (p->scopes->pdata[p->scopes->len - 1], target->text);

  if (mode != LS_BIND_PLAIN && old != NULL && old->kind != LS_VALUE_POISON && old != value)
    {
      ls_parse_error (p, target->span, "script/duplicate", "The name `%s` is defined twice in this block.", target->text);
      return;
    }
  ls_parse_bind (p, target->text, named (p, target->text, value, mode, at));
}

static void
count_mismatch (LsParse   *p,
                LsSyn     *target,
                guint      n,
                LsBindMode mode,
                LsSyn     *at)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < target->n; i++)
    if (target->items[i]->kind == LS_SYN_NAME)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", target->items[i]->text);
  if (mode == LS_BIND_FOR)
    ls_parse_error (p, at->span, "script/arity",
                    ls_translate_plural ("%.*s got %u extent for %u loop variables %s.", "%.*s got %u extents for %u loop variables %s.", n),
                    at->kind == LS_SYN_CALL ? (int) (at->a->span.end - at->a->span.start) : G_MAXINT,
                    at->kind == LS_SYN_CALL ? p->text + at->a->span.start : ls_translate ("The loop"), n, target->n, names->str);
  else
    ls_parse_error (p, target->span, "script/arity",
                    ls_translate_plural ("There is %u value for the %u names %s.", "There are %u values for the %u names %s.", n), n, target->n, names->str);
  ls_bind_poison (p, target);
}

static void
assign_sequence (LsParse   *p,
                 LsSyn     *target,
                 LsValue   *value,
                 LsBindMode mode,
                 LsSyn     *at)
{
  guint star = target->n;
  guint extra;
  gboolean meta = value->kind == LS_VALUE_META;

  for (guint i = 0; i < target->n; i++)
    if (target->items[i]->kind == LS_SYN_STAR)
      star = MIN (star, i);
  if (meta)
    value = value->items[0];
  if (!ls_value_is_sequence (value))
    {
      count_mismatch (p, target, 1, mode, at);
      return;
    }
  if (star == target->n ? value->n != target->n : value->n + 1 < target->n)
    {
      count_mismatch (p, target, value->n, mode, at);
      return;
    }
  extra = value->n - (target->n - (star < target->n));
  for (guint i = 0, k = 0; i < target->n; i++)
    if (i == star)
      {
        ls_assign (p, target->items[i]->a, ls_value_list (p, LS_VALUE_LIST, value->items + k, extra), mode, at);
        k += extra;
      }
    else if (target->items[i]->kind == LS_SYN_STAR)
      {
        ls_parse_error (p, target->items[i]->span, "script/target", "Only one name may take the rest.");
        return;
      }
    else
      ls_assign (p, target->items[i], meta ? ls_value_meta (p, value->items[k++]) : value->items[k++], mode, at);
}

void
ls_assign (LsParse   *p,
           LsSyn     *target,
           LsValue   *value,
           LsBindMode mode,
           LsSyn     *at)
{
  if (value == NULL || value->kind == LS_VALUE_POISON)
    ls_bind_poison (p, target);
  else if (target->kind == LS_SYN_NAME)
    assign_name (p, target, value, mode, at);
  else if (target->kind == LS_SYN_TUPLE || target->kind == LS_SYN_LIST)
    assign_sequence (p, target, value, mode, at);
  else if (mode != LS_BIND_PLAIN)
    ls_parse_error (p, target->span, "script/target", "A value goes to a name or to an element of a buffer.");
}
