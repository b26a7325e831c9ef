/* syntax-atom: tokens to what an expression is made of: numbers, texts, names, displays and comprehensions.
 */
#include "engine/script/script-private.h"

/* ---- literals ------------------------------------------------------------------ */

static LsSyn *
parse_int (LsSynParser *self)
{
  const LsToken *token = ls_syn_advance (self);
  LsSyn *syn = ls_syn_new (self, LS_SYN_INT, token->start);
  const char *at = self->text + token->start;
  const char *end = self->text + token->end;
  guint base = 10;
  guint64 value = 0;
  gboolean wide = FALSE;

  if (end - at > 2 && at[0] == '0' && g_ascii_isalpha (at[1]))
    {
      base = g_ascii_tolower (at[1]) == 'x' ? 16 : g_ascii_tolower (at[1]) == 'o' ? 8 : 2;
      at += 2;
    }
  for (; at < end; at++)
    {
      int digit = g_ascii_xdigit_value (*at);

      if (*at == '_')
        continue;
      if (digit < 0 || digit >= (int) base)
        {
          if (!self->panic)
            ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/number", ls_syn_token_span (self, token),
                                "`%c` is no digit of a number of base %u.", *at, base);
          self->panic = TRUE;
          return NULL;
        }
      if (value > (G_MAXUINT64 - (guint64) digit) / base)
        wide = TRUE;
      value = value * base + (guint64) digit;
    }
  if (wide)
    syn->kind = LS_SYN_BIGINT;
  syn->integer = (gint64) value;
  syn->op = value > G_MAXINT64;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_float (LsSynParser *self)
{
  const LsToken *token = ls_syn_advance (self);
  LsSyn *syn = ls_syn_new (self, LS_SYN_FLOAT, token->start);
  g_autoptr (GString) digits = g_string_new (NULL);

  for (guint32 i = token->start; i < token->end; i++)
    if (self->text[i] != '_')
      g_string_append_c (digits, self->text[i]);
  syn->number = g_ascii_strtod (digits->str, NULL);
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_strings (LsSynParser *self)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_STRING, ls_syn_peek (self)->start);
  g_autoptr (GString) all = g_string_new (NULL);

  while (ls_syn_peek (self)->kind == LS_TOKEN_STRING)
    {
      const LsToken *token = ls_syn_advance (self);
      char *value = NULL;
      gboolean opaque;

      if (token->op == 0 &&
          ls_script_unquote (self->arena, self->text + token->start, token->end - token->start, ls_syn_token_span (self, token),
                             self->diagnostics, &value, &opaque))
        {
          if (opaque)
            syn->kind = LS_SYN_OPAQUE;
          g_string_append (all, value);
        }
    }
  syn->text = ls_arena_strndup (self->arena, all->str, all->len);
  return ls_syn_finish (self, syn);
}

/* ---- comprehensions ------------------------------------------------------------- */

LsSyn *
ls_syn_parse_comprehension (LsSynParser *self,
                            LsSyn       *element)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_OPAQUE, element->span.start);
  LsSyn *target, *over;
  guint clauses = 0;

  syn->text = "a comprehension";
  while (!self->panic && (ls_syn_is_word (self, "for") || ls_syn_is_word (self, "async")))
    {
      ls_syn_accept_word (self, "async");
      if (!ls_syn_accept_word (self, "for"))
        {
          ls_syn_unexpected (self, "`for`");
          break;
        }
      target = ls_syn_parse_target_list (self);
      over = NULL;
      if (!ls_syn_accept_word (self, "in"))
        ls_syn_unexpected (self, "`in`");
      else
        over = ls_syn_parse_expr (self);
      clauses++;
      syn->a = element;
      syn->b = target;
      syn->c = over;
      while (!self->panic && ls_syn_accept_word (self, "if"))
        {
          ls_syn_parse_expr (self);
          clauses++;
        }
    }
  if (clauses != 1)
    syn->a = syn->b = syn->c = NULL;
  return self->panic ? NULL : ls_syn_finish (self, syn);
}

/* ---- displays: tuples, lists, sets, dictionaries ------------------------------------- */

LsSyn *
ls_syn_parse_star (LsSynParser *self)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_STAR, ls_syn_peek (self)->start);

  ls_syn_advance (self);
  syn->a = ls_syn_parse_expr (self);
  return syn->a != NULL ? ls_syn_finish (self, syn) : NULL;
}

LsSyn *
ls_syn_parse_element (LsSynParser *self)
{
  return ls_syn_is_op (self, '*') ? ls_syn_parse_star (self) : ls_syn_parse_expr (self);
}

/* ( ... ) or [ ... ], behind the opening bracket */
static LsSyn *
parse_sequence (LsSynParser *self,
                guint32      start,
                guint32      closer)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, closer == ')' ? LS_SYN_TUPLE : LS_SYN_LIST, start);
  gboolean comma = FALSE;

  while (!ls_syn_is_op (self, closer))
    {
      LsSyn *item = ls_syn_parse_element (self);

      if (item == NULL)
        return NULL;
      if (ls_syn_is_word (self, "for") && items->len == 0)
        {
          if ((item = ls_syn_parse_comprehension (self, item)) == NULL || !ls_syn_expect (self, closer, ""))
            return NULL;
          item->span.start = start;
          return ls_syn_finish (self, item);
        }
      g_ptr_array_add (items, item);
      comma = ls_syn_accept (self, ',');
      if (!comma && !ls_syn_is_op (self, closer))
        {
          ls_syn_unexpected (self, closer == ')' ? "`,` or `)`" : "`,` or `]`");
          return NULL;
        }
    }
  ls_syn_advance (self);
  if (closer == ')' && items->len == 1 && !comma)
    return items->pdata[0];
  syn->items = ls_syn_take (self, items, &syn->n);
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_braces (LsSynParser *self)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, LS_SYN_DICT, ls_syn_advance (self)->start);

  while (!ls_syn_is_op (self, '}'))
    {
      gboolean spread = ls_syn_accept (self, LS_OP2 ('*', '*'));
      LsSyn *key = ls_syn_parse_element (self);

      if (key == NULL)
        return NULL;
      if (!spread && ls_syn_accept (self, ':'))
        {
          LsSyn *value = ls_syn_parse_expr (self);

          if (value == NULL)
            return NULL;
          g_ptr_array_add (keys, key);
          g_ptr_array_add (values, value);
        }
      else
        {
          syn->kind = spread ? LS_SYN_OPAQUE : LS_SYN_SET;
          g_ptr_array_add (values, key);
        }
      if (ls_syn_is_word (self, "for"))
        {
          if ((key = ls_syn_parse_comprehension (self, key)) == NULL || !ls_syn_expect (self, '}', ""))
            return NULL;
          return key;
        }
      if (!ls_syn_accept (self, ',') && !ls_syn_is_op (self, '}'))
        {
          ls_syn_unexpected (self, "`,` or `}`");
          return NULL;
        }
    }
  ls_syn_advance (self);
  if (syn->kind == LS_SYN_DICT)
    {
      syn->items = ls_syn_take (self, keys, &syn->n);
      syn->more = ls_syn_take (self, values, &syn->n_more);
    }
  else
    syn->items = ls_syn_take (self, values, &syn->n);
  return ls_syn_finish (self, syn);
}

/* ---- atoms ----------------------------------------------------------------------- */

static LsSyn *
parse_yield (LsSynParser *self)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_OPAQUE, ls_syn_advance (self)->start);

  syn->text = "`yield`";
  ls_syn_accept_word (self, "from");
  if (ls_syn_peek (self)->kind != LS_TOKEN_NEWLINE && !ls_syn_is_op (self, ')') && ls_syn_parse_expr_list (self) == NULL)
    return NULL;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_keyword_atom (LsSynParser *self)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_NONE, ls_syn_peek (self)->start);

  if (ls_syn_accept_word (self, "None"))
    return ls_syn_finish (self, syn);
  syn->kind = LS_SYN_BOOL_LITERAL;
  if (ls_syn_accept_word (self, "False"))
    return ls_syn_finish (self, syn);
  syn->integer = 1;
  if (ls_syn_accept_word (self, "True"))
    return ls_syn_finish (self, syn);
  if (ls_syn_is_word (self, "yield"))
    return parse_yield (self);
  ls_syn_unexpected (self, "an expression");
  return NULL;
}

LsSyn *
ls_syn_parse_atom (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);
  guint32 start = token->start;
  LsSyn *syn;

  switch (token->kind)
    {
    case LS_TOKEN_NAME:
      syn = ls_syn_new (self, LS_SYN_NAME, start);
      syn->text = ls_syn_token_text (self, ls_syn_advance (self));
      syn = ls_syn_finish (self, syn);
      syn->name_span = syn->span;
      return syn;
    case LS_TOKEN_INT:
      return parse_int (self);
    case LS_TOKEN_FLOAT:
      return parse_float (self);
    case LS_TOKEN_IMAGINARY:
      ls_syn_advance (self);
      syn = ls_syn_new (self, LS_SYN_OPAQUE, start);
      syn->text = "an imaginary number";
      return ls_syn_finish (self, syn);
    case LS_TOKEN_STRING:
      return parse_strings (self);
    case LS_TOKEN_KEYWORD:
      return parse_keyword_atom (self);
    case LS_TOKEN_OP:
      if (ls_syn_accept (self, '('))
        return parse_sequence (self, start, ')');
      if (ls_syn_accept (self, '['))
        return parse_sequence (self, start, ']');
      if (token->op == '{')
        return parse_braces (self);
      if (ls_syn_accept (self, LS_OP3 ('.', '.', '.')))
        return ls_syn_finish (self, ls_syn_new (self, LS_SYN_ELLIPSIS, start));
      break;
    case LS_TOKEN_END:
    case LS_TOKEN_NEWLINE:
    case LS_TOKEN_INDENT:
    case LS_TOKEN_DEDENT:
      break;
    }
  ls_syn_unexpected (self, "an expression");
  return NULL;
}
