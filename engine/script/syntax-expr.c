/* syntax-expr: tokens to expressions, Python's grammar by precedence climbing.
 *
 *   lambda < if-else < or < and < not < comparison < | < ^ < & < shifts < + - < * / // % @ < unary < ** < primary
 */
#include "engine/script/script-private.h"

/* ---- calls, indices, attributes ------------------------------------------------------ */

static gboolean
next_is_assign (LsSynParser *self)
{
  const LsToken *next = &g_array_index (self->tokens, LsToken, self->at + 1);

  return ls_syn_peek (self)->kind == LS_TOKEN_NAME && next->kind == LS_TOKEN_OP && next->op == '=';
}

static LsSyn *
parse_argument (LsSynParser *self)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_KEYWORD, ls_syn_peek (self)->start);

  if (next_is_assign (self))
    {
      syn->text = ls_syn_token_text (self, ls_syn_advance (self));
      syn->name_span = ls_syn_finish (self, syn)->span;
      ls_syn_advance (self);
    }
  else if (ls_syn_is_op (self, '*') || ls_syn_is_op (self, LS_OP2 ('*', '*')))
    {
      syn->kind = LS_SYN_STAR;
      syn->op = ls_syn_advance (self)->op == '*' ? 1 : 2;
    }
  else
    {
      LsSyn *item = ls_syn_parse_expr (self);

      return item != NULL && ls_syn_is_word (self, "for") ? ls_syn_parse_comprehension (self, item) : item;
    }
  syn->a = ls_syn_parse_expr (self);
  return syn->a != NULL ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_call (LsSynParser *self,
            LsSyn       *callee)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, LS_SYN_CALL, callee->span.start);

  ls_syn_advance (self);
  while (!ls_syn_is_op (self, ')'))
    {
      LsSyn *item = parse_argument (self);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
      if (!ls_syn_accept (self, ',') && !ls_syn_is_op (self, ')'))
        {
          ls_syn_unexpected (self, "`,` or `)`");
          return NULL;
        }
    }
  ls_syn_advance (self);
  syn->a = callee;
  syn->items = ls_syn_take (self, items, &syn->n);
  return ls_syn_finish (self, syn);
}

static gboolean
at_slice_end (LsSynParser *self)
{
  return ls_syn_is_op (self, ':') || ls_syn_is_op (self, ',') || ls_syn_is_op (self, ']');
}

static LsSyn *
parse_slice (LsSynParser *self)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_SLICE, ls_syn_peek (self)->start);

  if (!at_slice_end (self))
    {
      syn->a = ls_syn_parse_element (self);
      if (syn->a == NULL || !ls_syn_is_op (self, ':'))
        return syn->a;
    }
  if (!ls_syn_accept (self, ':'))
    {
      ls_syn_unexpected (self, "`:` or an index");
      return NULL;
    }
  if (!at_slice_end (self) && (syn->b = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  if (ls_syn_accept (self, ':') && !at_slice_end (self) && (syn->c = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_index (LsSynParser *self,
             LsSyn       *base)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, LS_SYN_INDEX, base->span.start);
  LsSyn *tuple;
  gboolean comma = FALSE;

  ls_syn_advance (self);
  tuple = ls_syn_new (self, LS_SYN_TUPLE, ls_syn_peek (self)->start);
  do
    {
      LsSyn *item = parse_slice (self);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
      comma = ls_syn_accept (self, ',');
      if (!comma && !ls_syn_is_op (self, ']'))
        {
          ls_syn_unexpected (self, "`,` or `]`");
          return NULL;
        }
    }
  while (!ls_syn_is_op (self, ']'));
  tuple->items = ls_syn_take (self, items, &tuple->n);
  syn->a = base;
  syn->b = tuple->n == 1 && !comma ? tuple->items[0] : ls_syn_finish (self, tuple);
  ls_syn_advance (self);
  return syn->b != NULL ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_attribute (LsSynParser *self,
                 LsSyn       *base)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_ATTR, base->span.start);
  const LsToken *token;

  ls_syn_advance (self);
  token = ls_syn_peek (self);
  if (token->kind != LS_TOKEN_NAME && token->kind != LS_TOKEN_KEYWORD)
    {
      ls_syn_unexpected (self, "a name");
      return NULL;
    }
  syn->a = base;
  syn->text = ls_syn_token_text (self, token);
  syn->name_span = ls_syn_token_span (self, ls_syn_advance (self));
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_primary (LsSynParser *self)
{
  LsSyn *syn;

  if (ls_syn_accept_word (self, "await"))
    {
    }
  syn = ls_syn_parse_atom (self);
  while (syn != NULL)
    {
      if (ls_syn_is_op (self, '('))
        syn = parse_call (self, syn);
      else if (ls_syn_is_op (self, '['))
        syn = parse_index (self, syn);
      else if (ls_syn_is_op (self, '.'))
        syn = parse_attribute (self, syn);
      else
        break;
    }
  return syn;
}

/* ---- operators ------------------------------------------------------------------------ */

static LsSyn *parse_unary (LsSynParser *self);

static LsSyn *
parse_power (LsSynParser *self)
{
  LsSyn *base = parse_primary (self);
  LsSyn *syn;

  if (base == NULL || !ls_syn_is_op (self, LS_OP2 ('*', '*')))
    return base;
  if (!ls_syn_enter (self))
    return NULL;
  syn = ls_syn_new (self, LS_SYN_BINARY, base->span.start);
  syn->op = ls_syn_advance (self)->op;
  syn->a = base;
  syn->b = parse_unary (self);
  ls_syn_leave (self);
  return syn->b != NULL ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_unary (LsSynParser *self)
{
  LsSyn *syn;

  if (!ls_syn_is_op (self, '-') && !ls_syn_is_op (self, '+') && !ls_syn_is_op (self, '~'))
    return parse_power (self);
  if (!ls_syn_enter (self))
    return NULL;
  syn = ls_syn_new (self, LS_SYN_UNARY, ls_syn_peek (self)->start);
  syn->op = ls_syn_advance (self)->op;
  syn->a = parse_unary (self);
  ls_syn_leave (self);
  return syn->a != NULL ? ls_syn_finish (self, syn) : NULL;
}

/* The level of a binary operator, 0 for others: higher binds closer. */
static int
binary_level (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);

  if (token->kind != LS_TOKEN_OP)
    return 0;
  switch (token->op)
    {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case LS_OP2 ('<', '<'):
    case LS_OP2 ('>', '>'): return 4;
    case '+':
    case '-': return 5;
    case '*':
    case '/':
    case '%':
    case '@':
    case LS_OP2 ('/', '/'): return 6;
    default: return 0;
    }
}

static LsSyn *
parse_binary (LsSynParser *self,
              int          level)
{
  LsSyn *left = parse_unary (self);

  while (left != NULL)
    {
      int here = binary_level (self);
      LsSyn *syn;

      if (here < level || here == 0)
        break;
      syn = ls_syn_new (self, LS_SYN_BINARY, left->span.start);
      syn->op = ls_syn_advance (self)->op;
      syn->a = left;
      syn->b = parse_binary (self, here + 1);
      left = syn->b != NULL ? ls_syn_finish (self, syn) : NULL;
    }
  return left;
}

/* The comparison operator that stands here (in: 'i', not in: 'n', is: 's', is not: 't'), consumed; 0 for none. */
static guint32
accept_comparison (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);
  const LsToken *next = &g_array_index (self->tokens, LsToken, MIN (self->at + 1, self->tokens->len - 1));

  if (token->kind == LS_TOKEN_OP)
    switch (token->op)
      {
      case '<':
      case '>':
      case LS_OP2 ('<', '='):
      case LS_OP2 ('>', '='):
      case LS_OP2 ('=', '='):
      case LS_OP2 ('!', '='):
        return ls_syn_advance (self)->op;
      default:
        return 0;
      }
  if (ls_syn_accept_word (self, "in"))
    return 'i';
  if (ls_syn_accept_word (self, "is"))
    return ls_syn_accept_word (self, "not") ? 't' : 's';
  if (ls_syn_is_word (self, "not") && next->kind == LS_TOKEN_KEYWORD && next->end - next->start == 2 &&
      memcmp (self->text + next->start, "in", 2) == 0)
    {
      self->at += 2;
      return 'n';
    }
  return 0;
}

static LsSyn *
parse_comparison (LsSynParser *self)
{
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (GArray) ops = NULL;
  LsSyn *left = parse_binary (self, 1);
  LsSyn *syn;
  guint32 op = left != NULL ? accept_comparison (self) : 0;

  if (op == 0)
    return left;
  items = g_ptr_array_new ();
  ops = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (; op != 0; op = accept_comparison (self))
    {
      LsSyn *right = parse_binary (self, 1);

      if (right == NULL)
        return NULL;
      g_array_append_val (ops, op);
      g_ptr_array_add (items, right);
    }
  syn = ls_syn_new (self, LS_SYN_COMPARE, left->span.start);
  syn->a = left;
  syn->items = ls_syn_take (self, items, &syn->n);
  syn->ops = ls_arena_alloc (self->arena, ops->len * sizeof (guint32));
  memcpy (syn->ops, ops->data, ops->len * sizeof (guint32));
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_not (LsSynParser *self)
{
  LsSyn *syn;

  if (!ls_syn_is_word (self, "not"))
    return parse_comparison (self);
  if (!ls_syn_enter (self))
    return NULL;
  syn = ls_syn_new (self, LS_SYN_UNARY, ls_syn_advance (self)->start);
  syn->op = '!';
  syn->a = parse_not (self);
  ls_syn_leave (self);
  return syn->a != NULL ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_bool (LsSynParser *self,
            gboolean     or)
{
  const char *word = or ? "or" : "and";
  LsSyn *first = or ? parse_bool (self, FALSE) : parse_not (self);
  g_autoptr (GPtrArray) items = NULL;
  LsSyn *syn;

  if (first == NULL || !ls_syn_is_word (self, word))
    return first;
  items = g_ptr_array_new ();
  g_ptr_array_add (items, first);
  while (ls_syn_accept_word (self, word))
    {
      LsSyn *item = or ? parse_bool (self, FALSE) : parse_not (self);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  syn = ls_syn_new (self, LS_SYN_BOOL, first->span.start);
  syn->op = or ? '|' : '&';
  syn->items = ls_syn_take (self, items, &syn->n);
  return ls_syn_finish (self, syn);
}

LsSyn *
ls_syn_parse_param (LsSynParser *self,
                    gboolean     annotated)
{
  LsSyn *syn = ls_syn_new (self, LS_SYN_PARAM, ls_syn_peek (self)->start);

  if (ls_syn_accept (self, '*'))
    syn->op = ls_syn_is_op (self, ',') ? 3 : 1;
  else if (ls_syn_accept (self, LS_OP2 ('*', '*')))
    syn->op = 2;
  else if (ls_syn_accept (self, '/'))
    syn->op = 3;
  if (syn->op == 3)
    {
      syn->text = "";
      return ls_syn_finish (self, syn);
    }
  if (ls_syn_peek (self)->kind != LS_TOKEN_NAME)
    {
      ls_syn_unexpected (self, "the name of a parameter");
      return NULL;
    }
  syn->name_span = ls_syn_token_span (self, ls_syn_peek (self));
  syn->text = ls_syn_token_text (self, ls_syn_advance (self));
  if (annotated && ls_syn_accept (self, ':') && (syn->a = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  if (ls_syn_accept (self, '=') && (syn->b = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_lambda (LsSynParser *self)
{
  g_autoptr (GPtrArray) params = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, LS_SYN_LAMBDA, ls_syn_advance (self)->start);

  while (!ls_syn_is_op (self, ':'))
    {
      LsSyn *param = ls_syn_parse_param (self, FALSE);

      if (param == NULL)
        return NULL;
      g_ptr_array_add (params, param);
      if (!ls_syn_accept (self, ',') && !ls_syn_is_op (self, ':'))
        {
          ls_syn_unexpected (self, "`,` or `:`");
          return NULL;
        }
    }
  ls_syn_advance (self);
  syn->items = ls_syn_take (self, params, &syn->n);
  syn->a = ls_syn_parse_expr (self);
  return syn->a != NULL ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_conditional (LsSynParser *self)
{
  LsSyn *value, *syn;

  if (ls_syn_is_word (self, "lambda"))
    return parse_lambda (self);
  value = parse_bool (self, TRUE);
  if (value == NULL)
    return NULL;
  if (value->kind == LS_SYN_NAME && ls_syn_accept (self, LS_OP2 (':', '=')))
    return ls_syn_parse_expr (self);
  if (!ls_syn_accept_word (self, "if"))
    return value;
  syn = ls_syn_new (self, LS_SYN_COND, value->span.start);
  syn->b = value;
  syn->a = parse_bool (self, TRUE);
  if (syn->a == NULL)
    return NULL;
  if (!ls_syn_accept_word (self, "else"))
    {
      ls_syn_unexpected (self, "`else`");
      return NULL;
    }
  syn->c = ls_syn_parse_expr (self);
  return syn->c != NULL ? ls_syn_finish (self, syn) : NULL;
}

LsSyn *
ls_syn_parse_expr (LsSynParser *self)
{
  LsSyn *syn;

  if (!ls_syn_enter (self))
    return NULL;
  syn = parse_conditional (self);
  ls_syn_leave (self);
  return syn;
}

static gboolean
at_list_end (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);

  if (token->kind == LS_TOKEN_NEWLINE || token->kind == LS_TOKEN_END)
    return TRUE;
  if (token->kind == LS_TOKEN_OP)
    return token->op == '=' || token->op == ':' || token->op == ')' || token->op == ']' || token->op == ';';
  return ls_syn_is_word (self, "in");
}

static LsSyn *
parse_list (LsSynParser *self,
            LsSyn     *(*parse_one) (LsSynParser *))
{
  guint32 start = ls_syn_peek (self)->start;
  LsSyn *item = parse_one (self);
  g_autoptr (GPtrArray) items = NULL;
  LsSyn *syn;

  if (item == NULL || !ls_syn_accept (self, ','))
    return item;
  items = g_ptr_array_new ();
  g_ptr_array_add (items, item);
  for (gboolean comma = TRUE; comma && !at_list_end (self); comma = ls_syn_accept (self, ','))
    {
      if ((item = parse_one (self)) == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  syn = ls_syn_new (self, LS_SYN_TUPLE, start);
  syn->items = ls_syn_take (self, items, &syn->n);
  return ls_syn_finish (self, syn);
}

LsSyn *
ls_syn_parse_expr_list (LsSynParser *self)
{
  return parse_list (self, ls_syn_parse_element);
}

static LsSyn *
parse_target (LsSynParser *self)
{
  LsSyn *syn;

  if (!ls_syn_enter (self))
    return NULL;
  syn = ls_syn_is_op (self, '*') ? ls_syn_parse_star (self) : parse_binary (self, 1);
  ls_syn_leave (self);
  return syn;
}

LsSyn *
ls_syn_parse_target_list (LsSynParser *self)
{
  return parse_list (self, parse_target);
}

LsSyn *
ls_syn_parse_single (LsSynParser *self)
{
  LsSyn *syn;

  while (ls_syn_peek (self)->kind == LS_TOKEN_NEWLINE || ls_syn_peek (self)->kind == LS_TOKEN_INDENT)
    ls_syn_advance (self);
  syn = ls_syn_parse_expr_list (self);
  if (syn == NULL)
    return NULL;
  while (ls_syn_peek (self)->kind == LS_TOKEN_NEWLINE || ls_syn_peek (self)->kind == LS_TOKEN_DEDENT)
    ls_syn_advance (self);
  if (ls_syn_peek (self)->kind != LS_TOKEN_END)
    {
      ls_syn_unexpected (self, "the end of the expression");
      return NULL;
    }
  return syn;
}
