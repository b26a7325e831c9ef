/* calls-value: values of steps from syntax; what they become is in calls-convert. */
#include "engine/script/calls-private.h"

GPtrArray *
ls_call_list_new_list (LsCallList *list)
{
  GPtrArray *items = g_ptr_array_new ();

  g_ptr_array_add (list->lists, items);
  return items;
}

/* ---- from syntax ---------------------------------------------------------------------------- */

static LsCallValue *weigh (LsCallReader *r, LsCallValue *v);

static LsCallValue *
new_value (LsCallReader   *r,
           LsCallValueKind kind,
           LsSyn          *syn)
{
  LsCallValue *v = ls_arena_new (&r->list->arena, LsCallValue);

  v->kind = kind;
  v->span = syn->span;
  v->syntax = syn;
  return v;
}

static char *
source_text (LsCallReader *r,
             LsSyn        *syn)
{
  g_autofree char *valid = g_utf8_make_valid (r->text + syn->span.start, syn->span.end - syn->span.start);

  return ls_arena_strndup (&r->list->arena, valid, strlen (valid));
}

static LsCallValue *
expression (LsCallReader *r,
            LsSyn        *syn)
{
  LsCallValue *v = new_value (r, LS_CALL_VALUE_EXPR, syn);

  v->text = source_text (r, syn);
  return v;
}

static LsCallValue *
number (LsCallReader *r,
        LsSyn        *syn,
        gboolean      real,
        gint64        i,
        double        f)
{
  LsCallValue *v = new_value (r, real ? LS_CALL_VALUE_FLOAT : LS_CALL_VALUE_INT, syn);

  v->integer = i;
  v->number = real ? f : (double) i;
  return v;
}

static gboolean
is_number (const LsCallValue *v)
{
  return v->kind == LS_CALL_VALUE_INT || v->kind == LS_CALL_VALUE_FLOAT;
}

static gboolean
int_result (guint32 op,
            gint64  a,
            gint64  b,
            gint64 *out)
{
  switch (op)
    {
    case '+': return !__builtin_add_overflow (a, b, out);
    case '-': return !__builtin_sub_overflow (a, b, out);
    case '*': return !__builtin_mul_overflow (a, b, out);
    case LS_OP2 ('/', '/'):
      *out = b > 0 ? ls_floordiv_i64 (a, b) : 0;
      return b > 0;
    case '%':
      *out = b > 0 ? ls_floormod_i64 (a, b) : 0;
      return b > 0;
    case LS_OP2 ('<', '<'):
      *out = b >= 0 && b < 62 && a >= 0 && a < (G_MAXINT64 >> b) ? a << b : 0;
      return b >= 0 && b < 62 && a >= 0 && a < (G_MAXINT64 >> b);
    case LS_OP2 ('*', '*'):
      *out = 1;
      for (gint64 i = 0; i < b; i++)
        if (i > 63 || __builtin_mul_overflow (*out, a, out))
          return FALSE;
      return b >= 0;
    default:
      return FALSE;
    }
}

static gboolean
is_sequence (const LsCallValue *v)
{
  return v->kind == LS_CALL_VALUE_LIST || v->kind == LS_CALL_VALUE_TUPLE;
}

/* Results of steps, of which it is not known here whether they are lists. */
static gboolean
is_step_value (const LsCallValue *v)
{
  return (v->kind == LS_CALL_VALUE_CALL && strncmp (v->text, "T.", 2) != 0) || v->kind == LS_CALL_VALUE_SUBSCRIPT;
}

static gboolean
may_be_list (const LsCallValue *v)
{
  return is_sequence (v) || is_step_value (v) || v->kind == LS_CALL_VALUE_NAME;
}

static void
add_part (LsCallReader *r,
          LsCallValue  *list,
          LsCallValue  *part,
          LsSyn        *syn)
{
  LsCallValue *star;

  for (guint i = 0; is_sequence (part) && i < part->items->len; i++)
    g_ptr_array_add (list->items, part->items->pdata[i]);
  if (is_sequence (part))
    return;
  star = new_value (r, LS_CALL_VALUE_STAR, syn);
  star->items = ls_call_list_new_list (r->list);
  g_ptr_array_add (star->items, part);
  g_ptr_array_add (list->items, star);
}

/* a + b of lists: [*a, *b] */
static LsCallValue *
joined (LsCallReader *r,
        LsCallValue  *a,
        LsCallValue  *b,
        LsSyn        *syn)
{
  LsCallValue *v = new_value (r, LS_CALL_VALUE_LIST, syn);

  v->items = ls_call_list_new_list (r->list);
  add_part (r, v, a, syn);
  add_part (r, v, b, syn);
  return weigh (r, v);
}

static LsCallValue *
binary (LsCallReader *r,
        LsCallValue  *a,
        LsCallValue  *b,
        LsSyn        *syn)
{
  gint64 i;

  if (syn->op == '+' && may_be_list (a) && may_be_list (b) && (is_sequence (a) || is_sequence (b) || (is_step_value (a) && is_step_value (b))))
    return joined (r, a, b, syn);
  if (!is_number (a) || !is_number (b))
    return expression (r, syn);
  if (a->kind == LS_CALL_VALUE_INT && b->kind == LS_CALL_VALUE_INT && syn->op != '/')
    return int_result (syn->op, a->integer, b->integer, &i) ? number (r, syn, FALSE, i, 0) : expression (r, syn);
  switch (syn->op)
    {
    case '+': return number (r, syn, TRUE, 0, a->number + b->number);
    case '-': return number (r, syn, TRUE, 0, a->number - b->number);
    case '*': return number (r, syn, TRUE, 0, a->number * b->number);
    case '/': return b->number != 0.0 ? number (r, syn, TRUE, 0, a->number / b->number) : expression (r, syn);
    default: return expression (r, syn);
    }
}

static LsCallValue *
chain (LsCallReader *r,
       LsSyn        *syn)
{
  LsSyn *few[LS_SYN_FEW];
  guint n;
  LsSyn **operators = ls_syn_chain (syn, few, &n);
  LsCallValue *v = ls_call_reader_value (r, operators[0]->a);

  for (guint i = 0; i < n; i++)
    v = binary (r, v, ls_call_reader_value (r, operators[i]->b), operators[i]);
  if (operators != few)
    g_free (operators);
  return v;
}

static LsCallValue *
unary (LsCallReader *r,
       LsSyn        *syn)
{
  LsCallValue *a = ls_call_reader_value (r, syn->a);

  if (syn->op == '-' && a->kind == LS_CALL_VALUE_INT && a->integer != G_MININT64)
    return number (r, syn, FALSE, -a->integer, 0);
  if (syn->op == '-' && a->kind == LS_CALL_VALUE_FLOAT)
    return number (r, syn, TRUE, 0, -a->number);
  if (syn->op == '+' && is_number (a))
    return a;
  return expression (r, syn);
}

static gboolean
is_list (const LsCallValue *v)
{
  return v->kind == LS_CALL_VALUE_LIST || v->kind == LS_CALL_VALUE_TUPLE || v->kind == LS_CALL_VALUE_DICT;
}

static GPtrArray *
values_of (LsCallReader *r,
           LsSyn       **items,
           guint         n)
{
  GPtrArray *out = ls_call_list_new_list (r->list);

  for (guint i = 0; i < n; i++)
    {
      LsCallValue *v = ls_call_reader_value (r, items[i]);

      if (v->kind == LS_CALL_VALUE_STAR && (((LsCallValue *) v->items->pdata[0])->kind == LS_CALL_VALUE_LIST ||
                                            ((LsCallValue *) v->items->pdata[0])->kind == LS_CALL_VALUE_TUPLE))
        {
          GPtrArray *inner = ((LsCallValue *) v->items->pdata[0])->items;

          for (guint k = 0; k < inner->len; k++)
            g_ptr_array_add (out, inner->pdata[k]);
        }
      else
        g_ptr_array_add (out, v);
    }
  return out;
}

/* How many values a list holds, all levels; kept in `integer`. */
static LsCallValue *
weigh (LsCallReader *r,
       LsCallValue  *v)
{
  v->integer = 1;
  for (guint i = 0; i < v->items->len; i++)
    v->integer += MAX (((LsCallValue *) v->items->pdata[i])->integer, 1) > LS_SCRIPT_MAX_ITEMS || !is_list (v->items->pdata[i])
                  ? 1 : ((LsCallValue *) v->items->pdata[i])->integer;
  if (v->integer <= LS_SCRIPT_MAX_ITEMS)
    return v;
  if (!r->full)
    ls_diagnostics_add (r->diagnostics, LS_SEVERITY_ERROR, "script/overflow", v->span, "This would hold more than %d values.", LS_SCRIPT_MAX_ITEMS);
  r->full = TRUE;
  v->items = ls_call_list_new_list (r->list);
  return v;
}

/* "tvm.tir.IndexMap" of a chain of names, or NULL */
static char *
dotted (LsCallReader *r,
        LsSyn        *syn)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; syn->kind == LS_SYN_ATTR; syn = syn->a)
    {
      g_string_prepend (text, syn->text);
      g_string_prepend_c (text, '.');
    }
  if (syn->kind != LS_SYN_NAME)
    return NULL;
  if (text->len > 0)
    {
      LsCallValue *known = g_hash_table_lookup (r->values, syn->text);

      g_string_prepend (text, known != NULL && known->kind == LS_CALL_VALUE_NAME ? known->text : syn->text);
    }
  else
    g_string_prepend (text, syn->text);
  return ls_arena_strndup (&r->list->arena, text->str, text->len);
}

/* min, max, len, abs and int of what is written out; NULL: another function or other arguments. */
static LsCallValue *
builtin (LsCallReader *r,
         const char   *name,
         LsCallValue  *call_value,
         LsSyn        *syn)
{
  GPtrArray *items = call_value->items;
  LsCallValue *best;

  if (items->len == 1 && strcmp (name, "len") == 0 && is_sequence (items->pdata[0]))
    return number (r, syn, FALSE, ((LsCallValue *) items->pdata[0])->items->len, 0);
  if (items->len == 1 && is_sequence (items->pdata[0]))
    items = ((LsCallValue *) items->pdata[0])->items;
  for (guint i = 0; i < items->len; i++)
    if (((LsCallValue *) items->pdata[i])->kind != LS_CALL_VALUE_INT)
      return NULL;
  best = items->len > 0 ? items->pdata[0] : NULL;
  if (best == NULL)
    return NULL;
  if (items->len == 1 && strcmp (name, "int") == 0)
    return best;
  if (items->len == 1 && strcmp (name, "abs") == 0)
    return best->integer == G_MININT64 ? NULL : number (r, syn, FALSE, ABS (best->integer), 0);
  if (strcmp (name, "min") != 0 && strcmp (name, "max") != 0)
    return NULL;
  for (guint i = 1; i < items->len; i++)
    if ((((LsCallValue *) items->pdata[i])->integer < best->integer) == (name[1] == 'i'))
      best = items->pdata[i];
  return best;
}

static LsCallValue *
call (LsCallReader *r,
      LsSyn        *syn)
{
  char *callee = dotted (r, syn->a);
  LsCallValue *v, *known;

  if (callee == NULL)
    return expression (r, syn);
  v = new_value (r, LS_CALL_VALUE_CALL, syn);
  v->text = callee;
  v->items = ls_call_list_new_list (r->list);
  v->keys = ls_call_list_new_list (r->list);
  v->keyword_values = ls_call_list_new_list (r->list);
  for (guint i = 0; i < syn->n; i++)
    {
      LsSyn *arg = syn->items[i];

      if (arg->kind == LS_SYN_KEYWORD)
        {
          LsCallValue *key = new_value (r, LS_CALL_VALUE_STRING, arg);

          key->text = (char *) arg->text;
          g_ptr_array_add (v->keys, key);
          g_ptr_array_add (v->keyword_values, ls_call_reader_value (r, arg->a));
        }
      else
        g_ptr_array_add (v->items, ls_call_reader_value (r, arg));
    }
  known = v->keys->len == 0 ? builtin (r, callee, v, syn) : NULL;
  return known != NULL ? known : v;
}

/* a:b:c as slice (a, b, c) */
static LsCallValue *
slice (LsCallReader *r,
       LsSyn        *syn)
{
  LsCallValue *v = new_value (r, LS_CALL_VALUE_CALL, syn);
  LsSyn *parts[3] = { syn->a, syn->b, syn->c };

  v->text = (char *) "slice";
  v->items = ls_call_list_new_list (r->list);
  v->keys = ls_call_list_new_list (r->list);
  v->keyword_values = ls_call_list_new_list (r->list);
  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (v->items, parts[i] != NULL ? ls_call_reader_value (r, parts[i]) : new_value (r, LS_CALL_VALUE_NONE, syn));
  return v;
}

gboolean
ls_call_value_is_slice (const LsCallValue *value,
                        guint              n,
                        gint64            *first,
                        gint64            *step,
                        guint             *count)
{
  gint64 bounds[3] = { 0, 0, 1 };
  gboolean open[3];

  if (value->kind != LS_CALL_VALUE_CALL || strcmp (value->text, "slice") != 0 || value->items->len != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      const LsCallValue *part = value->items->pdata[i];

      open[i] = part->kind == LS_CALL_VALUE_NONE;
      if (!open[i] && part->kind != LS_CALL_VALUE_INT)
        return FALSE;
      if (!open[i])
        bounds[i] = CLAMP (part->integer, -(gint64) G_MAXINT32, (gint64) G_MAXINT32);
    }
  *step = bounds[2];
  if (*step == 0)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (open[i])
      bounds[i] = (*step > 0) == (i == 0) ? (*step > 0 ? 0 : -1) : (*step > 0 ? n : (gint64) n - 1);
    else
      bounds[i] = CLAMP (bounds[i] < 0 ? bounds[i] + n : bounds[i], *step > 0 ? 0 : -1, *step > 0 ? (gint64) n : (gint64) n - 1);
  *first = bounds[0];
  *count = 0;
  for (gint64 i = bounds[0]; *step > 0 ? i < bounds[1] : i > bounds[1]; i += *step)
    (*count)++;
  return TRUE;
}

static LsCallValue *
subscript (LsCallReader *r,
           LsSyn        *syn)
{
  LsCallValue *base = ls_call_reader_value (r, syn->a);
  LsCallValue *index = syn->b->kind == LS_SYN_SLICE ? slice (r, syn->b) : ls_call_reader_value (r, syn->b);
  LsCallValue *v;
  gint64 first, step;
  guint count;

  if ((base->kind == LS_CALL_VALUE_LIST || base->kind == LS_CALL_VALUE_TUPLE) && index->kind == LS_CALL_VALUE_INT)
    {
      gint64 i = index->integer < 0 ? index->integer + base->items->len : index->integer;

      if (i >= 0 && i < base->items->len)
        return base->items->pdata[i];
    }
  if (is_sequence (base) && ls_call_value_is_slice (index, base->items->len, &first, &step, &count))
    {
      v = new_value (r, base->kind, syn);
      v->items = ls_call_list_new_list (r->list);
      for (guint i = 0; i < count; i++, first += step)
        g_ptr_array_add (v->items, base->items->pdata[first]);
      return weigh (r, v);
    }
  v = new_value (r, LS_CALL_VALUE_SUBSCRIPT, syn);
  v->items = ls_call_list_new_list (r->list);
  g_ptr_array_add (v->items, base);
  g_ptr_array_add (v->items, index);
  return v;
}

static LsCallValue *
lambda (LsCallReader *r,
        LsSyn        *syn)
{
  LsCallValue *v = new_value (r, LS_CALL_VALUE_LAMBDA, syn);

  v->text = source_text (r, syn);
  v->params = ls_call_list_new_list (r->list);
  for (guint i = 0; i < syn->n; i++)
    g_ptr_array_add (v->params, syn->items[i]->op == 0 ? (char *) syn->items[i]->text
                                                       : ls_arena_printf (&r->list->arena, "*%s", syn->items[i]->text));
  return v;
}

static LsCallValue *
name (LsCallReader *r,
      LsSyn        *syn)
{
  LsCallValue *known = g_hash_table_lookup (r->values, syn->text);
  LsCallValue *v = new_value (r, LS_CALL_VALUE_NAME, syn);

  if (known != NULL)
    {
      *v = *known;
      v->span = syn->span;
      return v;
    }
  v->text = (char *) syn->text;
  return v;
}

/* [a for b in c] where c is written out. */
static LsCallValue *
comprehension (LsCallReader *r,
               LsSyn        *syn)
{
  LsCallValue *over = ls_call_reader_value (r, syn->c);
  GPtrArray *items = ls_call_reader_iterate (r, over);
  LsCallValue *before, *v;

  if (items == NULL || syn->b->kind != LS_SYN_NAME)
    return expression (r, syn);
  before = g_hash_table_lookup (r->values, syn->b->text);
  v = new_value (r, LS_CALL_VALUE_LIST, syn);
  v->items = ls_call_list_new_list (r->list);
  for (guint i = 0; i < items->len && !r->full; i++)
    {
      g_hash_table_insert (r->values, (gpointer) syn->b->text, items->pdata[i]);
      g_ptr_array_add (v->items, ls_call_reader_value (r, syn->a));
    }
  if (before != NULL)
    g_hash_table_insert (r->values, (gpointer) syn->b->text, before);
  else
    g_hash_table_remove (r->values, syn->b->text);
  return weigh (r, v);
}

/* f"B_{i}" with names of texts and whole numbers; NULL: something else stands in the braces. */
static LsCallValue *
formatted (LsCallReader *r,
           LsSyn        *syn)
{
  g_autofree char *source = source_text (r, syn) != NULL ? g_strdup (source_text (r, syn)) : NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  gsize n = strlen (source);
  LsCallValue *v;

  if (n < 3 || (source[0] != 'f' && source[0] != 'F') || (source[1] != '"' && source[1] != '\'') || source[n - 1] != source[1] || strchr (source, '\\') != NULL)
    return NULL;
  for (const char *c = source + 2; c < source + n - 1; c++)
    {
      const char *end = *c == '{' ? strchr (c, '}') : NULL;
      g_autofree char *key = end != NULL ? g_strstrip (g_strndup (c + 1, (gsize) (end - c - 1))) : NULL;
      const LsCallValue *known = key != NULL ? g_hash_table_lookup (r->values, key) : NULL;

      if (*c == '}' || (*c == '{' && known == NULL))
        return NULL;
      if (known == NULL)
        g_string_append_c (out, *c);
      else if (known->kind == LS_CALL_VALUE_INT)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, known->integer);
      else if (known->kind == LS_CALL_VALUE_STRING)
        g_string_append (out, known->text);
      else
        return NULL;
      if (end != NULL)
        c = end;
    }
  v = new_value (r, LS_CALL_VALUE_STRING, syn);
  v->text = ls_arena_strndup (&r->list->arena, out->str, out->len);
  return v;
}

LsCallValue *
ls_call_reader_value (LsCallReader *r,
                      LsSyn        *syn)
{
  LsCallValue *v;

  switch (syn->kind)
    {
    case LS_SYN_NAME: return name (r, syn);
    case LS_SYN_NONE: return new_value (r, LS_CALL_VALUE_NONE, syn);
    case LS_SYN_BOOL_LITERAL:
      v = new_value (r, LS_CALL_VALUE_BOOL, syn);
      v->integer = syn->integer;
      return v;
    case LS_SYN_INT:
    case LS_SYN_BIGINT:
      if (syn->kind == LS_SYN_INT && syn->op == 0)
        return number (r, syn, FALSE, syn->integer, 0);
      ls_diagnostics_add (r->diagnostics, LS_SEVERITY_ERROR, "script/overflow", syn->span, "This number does not fit into 64 bits.");
      return expression (r, syn);
    case LS_SYN_FLOAT: return number (r, syn, TRUE, 0, syn->number);
    case LS_SYN_STRING:
      v = new_value (r, LS_CALL_VALUE_STRING, syn);
      v->text = (char *) syn->text;
      return v;
    case LS_SYN_TUPLE:
    case LS_SYN_LIST:
      v = new_value (r, syn->kind == LS_SYN_TUPLE ? LS_CALL_VALUE_TUPLE : LS_CALL_VALUE_LIST, syn);
      v->items = values_of (r, syn->items, syn->n);
      return weigh (r, v);
    case LS_SYN_DICT:
      v = new_value (r, LS_CALL_VALUE_DICT, syn);
      v->keys = values_of (r, syn->items, syn->n);
      v->items = values_of (r, syn->more, syn->n_more);
      return weigh (r, v);
    case LS_SYN_ATTR:
      v = new_value (r, LS_CALL_VALUE_ATTRIBUTE, syn);
      v->text = dotted (r, syn);
      return v->text != NULL ? v : expression (r, syn);
    case LS_SYN_OPAQUE:
      v = syn->c != NULL ? comprehension (r, syn) : formatted (r, syn);
      return v != NULL ? v : expression (r, syn);
    case LS_SYN_INDEX: return subscript (r, syn);
    case LS_SYN_CALL: return call (r, syn);
    case LS_SYN_UNARY: return unary (r, syn);
    case LS_SYN_BINARY: return chain (r, syn);
    case LS_SYN_LAMBDA: return lambda (r, syn);
    case LS_SYN_STAR:
      v = new_value (r, LS_CALL_VALUE_STAR, syn);
      v->items = ls_call_list_new_list (r->list);
      g_ptr_array_add (v->items, ls_call_reader_value (r, syn->a));
      return v;
    default:
      return expression (r, syn);
    }
}

static GPtrArray *
count (LsCallReader      *r,
       const LsCallValue *value)
{
  gint64 bounds[3] = { 0, 0, 1 };
  guint n = value->items->len;
  GPtrArray *out;

  if (n < 1 || n > 3)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      const LsCallValue *v = value->items->pdata[i];

      if (v->kind != LS_CALL_VALUE_INT)
        return NULL;
      bounds[n == 1 ? 1 : i] = v->integer;
    }
  if (bounds[2] == 0 || bounds[1] > 100000 || bounds[0] < -100000 || bounds[1] < -100000 || bounds[0] > 100000)
    return NULL;
  out = ls_call_list_new_list (r->list);
  for (gint64 i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1]; i += CLAMP (bounds[2], -1000000, 1000000))
    {
      LsCallValue *v = ls_arena_new (&r->list->arena, LsCallValue);

      v->kind = LS_CALL_VALUE_INT;
      v->span = value->span;
      v->integer = i;
      v->number = (double) i;
      v->syntax = value->syntax;
      g_ptr_array_add (out, v);
    }
  return out;
}

GPtrArray *
ls_call_reader_iterate (LsCallReader      *r,
                        const LsCallValue *value)
{
  if (value->kind == LS_CALL_VALUE_LIST || value->kind == LS_CALL_VALUE_TUPLE)
    return value->items;
  if (value->kind == LS_CALL_VALUE_CALL && strcmp (value->text, "range") == 0)
    return count (r, value);
  return NULL;
}
