/* calls-value: values of steps - from syntax, to expressions and attributes, to text. */
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
        LsSyn        *syn)
{
  LsCallValue *a = ls_call_reader_value (r, syn->a);
  LsCallValue *b = ls_call_reader_value (r, syn->b);
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
    case LS_SYN_BINARY: return binary (r, syn);
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

/* ---- to expressions ------------------------------------------------------------------------------ */

static LsValue *
to_script_value (LsParse           *p,
                 const LsCallValue *v)
{
  LsValue *out;

  switch (v->kind)
    {
    case LS_CALL_VALUE_NONE: return ls_value_new (p, LS_VALUE_NONE);
    case LS_CALL_VALUE_BOOL: return ls_value_bool (p, v->integer != 0);
    case LS_CALL_VALUE_INT: return ls_value_int (p, v->integer);
    case LS_CALL_VALUE_FLOAT: return ls_value_float (p, v->number);
    case LS_CALL_VALUE_STRING: return ls_value_string (p, v->text);
    case LS_CALL_VALUE_LIST:
    case LS_CALL_VALUE_TUPLE:
      out = ls_value_list (p, v->kind == LS_CALL_VALUE_LIST ? LS_VALUE_LIST : LS_VALUE_TUPLE,
                           ls_arena_alloc (&p->arena, (v->items->len + 1) * sizeof (LsValue *)), v->items->len);
      for (guint i = 0; i < out->n; i++)
        out->items[i] = to_script_value (p, v->items->pdata[i]);
      return out;
    case LS_CALL_VALUE_NAME:
    case LS_CALL_VALUE_DICT:
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_CALL:
    case LS_CALL_VALUE_SUBSCRIPT:
    case LS_CALL_VALUE_STAR:
    case LS_CALL_VALUE_EXPR:
      break;
    }
  return ls_value_new (p, LS_VALUE_OPAQUE);
}

static void
open_parse (LsParse       *p,
            LsCallList    *list,
            GHashTable    *vars,
            LsDiagnostics *diagnostics)
{
  GHashTableIter iter;
  gpointer key, value;

  ls_parse_init (p, list->source, diagnostics);
  p->relaxed_names = TRUE;
  p->expr_vars = vars;
  ls_python_defaults (p);
  ls_parse_bind (p, "IndexMap", ls_module_value (p, "T.IndexMap"));
  g_hash_table_iter_init (&iter, list->constants);
  while (g_hash_table_iter_next (&iter, &key, &value))
    ls_parse_bind (p, key, to_script_value (p, value));
}

/* Begin and end of each item: a pair, or an index and the next. (transfer full) */
static LsArray *
ends_of (LsParse *p,
         LsValue *result,
         LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; ls_value_is_sequence (result) && i < result->n; i++)
    {
      LsValue *item = result->items[i];
      gboolean pair = ls_value_is_sequence (item);
      LsExpr *begin, *end;

      if (pair && item->n != 2)
        {
          ls_parse_error (p, span, "script/type", "A range is a pair of begin and end.");
          return NULL;
        }
      begin = ls_value_to_expr (p, pair ? item->items[0] : item, span);
      end = pair && begin != NULL ? ls_value_to_expr (p, item->items[1], span) : NULL;
      if (begin == NULL || (pair && end == NULL))
        return NULL;
      g_ptr_array_add (out, ls_ref (begin));
      g_ptr_array_add (out, pair ? ls_ref (end) : ls_add (ls_ref (begin), ls_const_int (ls_dtype (begin), 1)));
    }
  if (!ls_value_is_sequence (result))
    {
      ls_parse_error (p, span, "script/type", "The result of the lambda is a tuple or a list of ranges.");
      return NULL;
    }
  return ls_array_take_ptr_array (g_steal_pointer (&out));
}

static LsArray *
apply_lambda (LsCallList        *list,
              const LsCallValue *lambda_value,
              LsExpr           **args,
              guint              n_args,
              gboolean           ranges,
              LsDiagnostics     *diagnostics)
{
  g_autoptr (LsDiagnostics) own = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  LsParse p;
  LsValue *fn, *result, **values;
  LsSyn *syn = (LsSyn *) lambda_value->syntax;
  LsArray *out = NULL;

  g_return_val_if_fail (lambda_value->kind == LS_CALL_VALUE_LAMBDA, NULL);
  open_parse (&p, list, NULL, own);
  fn = ls_value_new (&p, LS_VALUE_LAMBDA);
  fn->syn = syn;
  values = ls_arena_alloc (&p.arena, (n_args + 1) * sizeof (LsValue *));
  for (guint i = 0; i < n_args; i++)
    values[i] = ls_value_node (&p, args[i]);
  result = ls_eval_lambda (&p, fn, values, n_args, syn);
  if (result != NULL && ranges)
    out = ends_of (&p, result, lambda_value->span);
  else if (result != NULL)
    out = ls_value_to_exprs (&p, result, lambda_value->span, "The result of the lambda");
  if (out != NULL && !ranges)
    ls_ref (out);
  ls_parse_clear (&p);
  return out;
}

LsArray *
ls_call_value_apply (LsCallList        *list,
                     const LsCallValue *lambda_value,
                     LsExpr           **args,
                     guint              n_args,
                     LsDiagnostics     *diagnostics)
{
  return apply_lambda (list, lambda_value, args, n_args, FALSE, diagnostics);
}

LsArray *
ls_call_value_apply_ranges (LsCallList        *list,
                            const LsCallValue *lambda_value,
                            LsExpr           **args,
                            guint              n_args,
                            LsDiagnostics     *diagnostics)
{
  return apply_lambda (list, lambda_value, args, n_args, TRUE, diagnostics);
}

LsExpr *
ls_call_value_to_expr (LsCallList        *list,
                       const LsCallValue *value,
                       GHashTable        *vars,
                       LsDiagnostics     *diagnostics)
{
  g_autoptr (LsDiagnostics) own = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  LsParse p;
  LsExpr *e;

  open_parse (&p, list, vars, own);
  if (value->kind == LS_CALL_VALUE_INT || value->kind == LS_CALL_VALUE_FLOAT || value->kind == LS_CALL_VALUE_BOOL || value->kind == LS_CALL_VALUE_STRING)
    e = ls_value_to_expr (&p, to_script_value (&p, value), value->span);
  else
    e = ls_eval_expr (&p, (LsSyn *) value->syntax);
  if (e != NULL)
    ls_ref (e);
  ls_parse_clear (&p);
  return e;
}

/* ---- to attributes and text ---------------------------------------------------------------------------- */

static LsNode *
list_to_node (const LsCallValue *value,
              LsDiagnostics     *diagnostics)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < value->items->len; i++)
    {
      LsNode *item = ls_call_value_to_node (value->items->pdata[i], diagnostics);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (out, item);
    }
  return LS_NODE (ls_array_take_ptr_array (g_steal_pointer (&out)));
}

static LsNode *
dict_to_node (const LsCallValue *value,
              LsDiagnostics     *diagnostics)
{
  g_autoptr (LsMap) map = ls_map_empty ();

  for (guint i = 0; i < value->items->len; i++)
    {
      const LsCallValue *key = value->keys->pdata[i];
      g_autoptr (LsNode) item = ls_call_value_to_node (value->items->pdata[i], diagnostics);

      if (item == NULL || key->kind != LS_CALL_VALUE_STRING)
        {
          if (item != NULL)
            ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/type", key->span, "The keys of an attribute are texts.");
          return NULL;
        }
      ls_take (&map, ls_map_set (map, key->text, item));
    }
  return LS_NODE (g_steal_pointer (&map));
}

LsNode *
ls_call_value_to_node (const LsCallValue *value,
                       LsDiagnostics     *diagnostics)
{
  switch (value->kind)
    {
    case LS_CALL_VALUE_BOOL: return LS_NODE (ls_bool (value->integer != 0));
    case LS_CALL_VALUE_INT:
      return LS_NODE (ls_int_imm_new (value->integer >= G_MININT32 && value->integer <= G_MAXINT32 ? LS_INT32 : LS_INT64, value->integer));
    case LS_CALL_VALUE_FLOAT: return LS_NODE (ls_float_imm_new (LS_FLOAT32, value->number));
    case LS_CALL_VALUE_STRING: return LS_NODE (ls_string_new (value->text));
    case LS_CALL_VALUE_LIST:
    case LS_CALL_VALUE_TUPLE: return list_to_node (value, diagnostics);
    case LS_CALL_VALUE_DICT: return dict_to_node (value, diagnostics);
    case LS_CALL_VALUE_NONE:
    case LS_CALL_VALUE_NAME:
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_CALL:
    case LS_CALL_VALUE_SUBSCRIPT:
    case LS_CALL_VALUE_STAR:
    case LS_CALL_VALUE_EXPR:
      break;
    }
  ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/type", value->span,
                      "An attribute holds a text, a number, a list or a dictionary.");
  return NULL;
}

static void
print_list (GString         *out,
            const GPtrArray *items,
            const char      *open,
            const char      *close);

static void
print_string (GString    *out,
              const char *text)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if (*c == '\n')
      g_string_append (out, "\\n");
    else if ((guchar) *c < 0x20)
      g_string_append_printf (out, "\\x%02x", (guchar) *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

static void
print_float (GString *out,
             double   f)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr (text, sizeof text, f);
  g_string_append (out, text);
  if (strpbrk (text, ".einf") == NULL)
    g_string_append (out, ".0");
}

static void
print_value (GString           *out,
             const LsCallValue *v)
{
  switch (v->kind)
    {
    case LS_CALL_VALUE_NONE: g_string_append (out, "None"); return;
    case LS_CALL_VALUE_BOOL: g_string_append (out, v->integer ? "True" : "False"); return;
    case LS_CALL_VALUE_INT: g_string_append_printf (out, "%" G_GINT64_FORMAT, v->integer); return;
    case LS_CALL_VALUE_FLOAT: print_float (out, v->number); return;
    case LS_CALL_VALUE_STRING: print_string (out, v->text); return;
    case LS_CALL_VALUE_NAME:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_EXPR: g_string_append (out, v->text); return;
    case LS_CALL_VALUE_LIST: print_list (out, v->items, "[", "]"); return;
    case LS_CALL_VALUE_TUPLE: print_list (out, v->items, "(", v->items->len == 1 ? ",)" : ")"); return;
    case LS_CALL_VALUE_STAR:
      g_string_append_c (out, '*');
      print_value (out, v->items->pdata[0]);
      return;
    case LS_CALL_VALUE_SUBSCRIPT:
      print_value (out, v->items->pdata[0]);
      g_string_append_c (out, '[');
      print_value (out, v->items->pdata[1]);
      g_string_append_c (out, ']');
      return;
    case LS_CALL_VALUE_DICT:
      g_string_append_c (out, '{');
      for (guint i = 0; i < v->items->len; i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          print_value (out, v->keys->pdata[i]);
          g_string_append (out, ": ");
          print_value (out, v->items->pdata[i]);
        }
      g_string_append_c (out, '}');
      return;
    case LS_CALL_VALUE_CALL:
      g_string_append_printf (out, "%s(", v->text);
      print_list (out, v->items, "", "");
      for (guint i = 0; i < v->keys->len; i++)
        {
          g_string_append_printf (out, "%s%s=", i + v->items->len > 0 ? ", " : "", ((LsCallValue *) v->keys->pdata[i])->text);
          print_value (out, v->keyword_values->pdata[i]);
        }
      g_string_append_c (out, ')');
      return;
    }
}

static void
print_list (GString         *out,
            const GPtrArray *items,
            const char      *open,
            const char      *close)
{
  g_string_append (out, open);
  for (guint i = 0; i < items->len; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      print_value (out, items->pdata[i]);
    }
  g_string_append (out, close);
}

char *
ls_call_value_print (const LsCallValue *value)
{
  GString *out = g_string_new (NULL);

  print_value (out, value);
  return g_string_free (out, FALSE);
}
