/* syntax-token: what the parsers of expressions and statements stand on: the next token, findings, nodes of the tree.
 *
 * Two bounds keep hostile texts from the stack: `nesting` counts open recursion, `depth` is the height of the tree
 * that later passes walk.  After the first finding of a statement the parser is in panic and says no more.
 */
#include "engine/script/script-private.h"

void
ls_syn_parser_init (LsSynParser   *self,
                    LsSource      *source,
                    LsArena       *arena,
                    LsDiagnostics *diagnostics)
{
  *self = (LsSynParser) { .source = source, .arena = arena, .diagnostics = diagnostics };
  self->text = ls_source_get_text (source, NULL);
  self->tokens = ls_script_lex (source, diagnostics);
}

void
ls_syn_parser_clear (LsSynParser *self)
{
  g_clear_pointer (&self->tokens, g_array_unref);
}

/* ---- tokens ------------------------------------------------------------------ */

const LsToken *
ls_syn_peek (LsSynParser *self)
{
  return &g_array_index (self->tokens, LsToken, self->at);
}

const LsToken *
ls_syn_advance (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);

  if (token->kind != LS_TOKEN_END)
    self->at++;
  return token;
}

gboolean
ls_syn_is_op (LsSynParser *self,
              guint32      op)
{
  const LsToken *token = ls_syn_peek (self);

  return token->kind == LS_TOKEN_OP && token->op == op;
}

gboolean
ls_syn_accept (LsSynParser *self,
               guint32      op)
{
  if (!ls_syn_is_op (self, op))
    return FALSE;
  self->at++;
  return TRUE;
}

gboolean
ls_syn_is_word (LsSynParser *self,
                const char  *word)
{
  const LsToken *token = ls_syn_peek (self);

  return token->kind == LS_TOKEN_KEYWORD && token->end - token->start == strlen (word) &&
         memcmp (self->text + token->start, word, strlen (word)) == 0;
}

gboolean
ls_syn_accept_word (LsSynParser *self,
                    const char  *word)
{
  if (!ls_syn_is_word (self, word))
    return FALSE;
  self->at++;
  return TRUE;
}

LsSpan
ls_syn_token_span (LsSynParser   *self,
                   const LsToken *token)
{
  return (LsSpan) { ls_source_get_id (self->source), token->start, token->end };
}

void
ls_syn_unexpected (LsSynParser *self,
                   const char  *expected)
{
  const LsToken *token = ls_syn_peek (self);
  const char *what = NULL;

  if (self->panic)
    return;
  self->panic = TRUE;
  if (token->kind == LS_TOKEN_NEWLINE && token->op == 1)
    return;
  switch (token->kind)
    {
    case LS_TOKEN_END: what = LS_TEXT ("The text ends where %s was expected."); break;
    case LS_TOKEN_NEWLINE: what = LS_TEXT ("The line ends where %s was expected."); break;
    case LS_TOKEN_INDENT: what = LS_TEXT ("An indented block starts where %s was expected."); break;
    case LS_TOKEN_DEDENT: what = LS_TEXT ("The block ends where %s was expected."); break;
    case LS_TOKEN_NAME:
    case LS_TOKEN_KEYWORD:
    case LS_TOKEN_INT:
    case LS_TOKEN_FLOAT:
    case LS_TOKEN_IMAGINARY:
    case LS_TOKEN_STRING:
    case LS_TOKEN_OP:
      break;
    }
  if (what != NULL)
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/expected-token", ls_syn_token_span (self, token),
                        what, ls_translate (expected));
  else
    {
      g_autofree char *found = g_utf8_make_valid (self->text + token->start, MIN (token->end - token->start, 40u));

      ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/expected-token", ls_syn_token_span (self, token),
                          "`%s` was found where %s was expected.", found, ls_translate (expected));
    }
}

gboolean
ls_syn_expect (LsSynParser *self,
               guint32      op,
               const char  *where)
{
  const char sign[] = { (char) op, (char) (op >> 8), '\0' };
  g_autofree char *text = NULL;

  if (ls_syn_accept (self, op))
    return TRUE;
  text = *where != '\0' ? g_strdup_printf (ls_translate ("`%s` %s"), sign, ls_translate (where)) : g_strdup_printf ("`%s`", sign);
  ls_syn_unexpected (self, text);
  return FALSE;
}

/* ---- nodes ------------------------------------------------------------------- */

LsSyn *
ls_syn_new (LsSynParser *self,
            LsSynKind    kind,
            guint32      start)
{
  LsSyn *syn = ls_arena_new (self->arena, LsSyn);

  syn->kind = kind;
  syn->depth = 1;
  syn->span = (LsSpan) { ls_source_get_id (self->source), start, start };
  return syn;
}

LsSyn **
ls_syn_take (LsSynParser *self,
             GPtrArray   *items,
             guint       *n)
{
  *n = items->len;
  return ls_arena_list (self->arena, items);
}

static void
raise_depth (LsSyn *syn,
             LsSyn *child)
{
  if (child != NULL && child->depth >= syn->depth)
    syn->depth = child->depth + 1;
}

LsSyn *
ls_syn_finish (LsSynParser *self,
               LsSyn       *syn)
{
  guint32 end = self->at > 0 ? g_array_index (self->tokens, LsToken, self->at - 1).end : syn->span.start;
  LsSpan at = syn->span;
  gint64 chain;

  syn->span.end = MAX (end, syn->span.start);
  if (syn->kind == LS_SYN_BINARY && syn->a != NULL && syn->a->kind == LS_SYN_BINARY)    /* gone through in a loop: ls_syn_chain */
    syn->depth = MAX (syn->depth, syn->a->depth);
  else
    raise_depth (syn, syn->a);
  if (syn->kind == LS_SYN_BINARY)
    syn->integer = 1 + (syn->a != NULL && syn->a->kind == LS_SYN_BINARY ? syn->a->integer : 0);
  raise_depth (syn, syn->b);
  raise_depth (syn, syn->c);
  for (guint i = 0; i < syn->n; i++)
    raise_depth (syn, syn->items[i]);
  for (guint i = 0; i < syn->n_more; i++)
    raise_depth (syn, syn->more[i]);
  chain = syn->kind == LS_SYN_BINARY ? syn->integer : syn->kind == LS_SYN_BOOL || syn->kind == LS_SYN_COMPARE ? syn->n : 0;
  if (syn->depth <= LS_SCRIPT_MAX_DEPTH && chain <= LS_SCRIPT_MAX_CHAIN)
    return syn;
  at.end = at.start + 1;
  if (!self->panic && chain > LS_SCRIPT_MAX_CHAIN)
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/nesting", at, "More than %d operators follow each other here.", LS_SCRIPT_MAX_CHAIN);
  else if (!self->panic)
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/nesting", at, "This is more than %d levels deep.", LS_SCRIPT_MAX_DEPTH);
  self->panic = TRUE;
  return NULL;
}

LsSyn **
ls_syn_chain (LsSyn  *syn,
              LsSyn **few,
              guint  *n)
{
  LsSyn **chain = syn->integer <= LS_SYN_FEW ? few : g_new (LsSyn *, syn->integer);

  *n = (guint) syn->integer;
  for (guint i = *n; i > 0; syn = syn->a)
    chain[--i] = syn;
  return chain;
}

gboolean
ls_syn_enter (LsSynParser *self)
{
  if (self->nesting < LS_SCRIPT_MAX_NESTING)
    {
      self->nesting++;
      return TRUE;
    }
  if (!self->panic)
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/nesting", ls_syn_token_span (self, ls_syn_peek (self)),
                        "This nests more than %d levels deep.", LS_SCRIPT_MAX_NESTING);
  self->panic = TRUE;
  return FALSE;
}

void
ls_syn_leave (LsSynParser *self)
{
  self->nesting--;
}

const char *
ls_syn_token_text (LsSynParser   *self,
                   const LsToken *token)
{
  const char *text = self->text + token->start;
  gsize length = token->end - token->start;

  if (!g_utf8_validate (text, length, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (text, length);

      return ls_arena_strndup (self->arena, valid, strlen (valid));
    }
  return ls_arena_strndup (self->arena, text, length);
}
