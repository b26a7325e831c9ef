/* rules-read: rewrite rules from text to trees (rule.h has the notation).
 *
 * Recursive descent over levels of operators; every `~` doubles the alternatives.
 */
#include "engine/arith/rule.h"

#include <string.h>

static const char *const slot_names[LS_RULE_N_SLOTS] = { "x", "y", "z", "w", "p", "q", "r", "s", "l", "c1", "c2", "c3", "c4", "f" };
#define FIRST_INT_SLOT 9
#define FLOAT_SLOT 13

typedef struct { const char *at; const char *text; } Reader;

static LsPattern *read_level (Reader *reader, guint level);

static LsPattern *
pattern_new (LsPatternOp  op,
             int          kind,
             LsPattern   *a,
             LsPattern   *b,
             LsPattern   *c)
{
  LsPattern *self = g_new0 (LsPattern, 1);

  *self = (LsPattern) { .op = op, .kind = kind, .args = { a, b, c } };
  return self;
}

static gboolean
skip (Reader     *reader,
      const char *token)
{
  while (*reader->at == ' ')
    reader->at++;
  if (strncmp (reader->at, token, strlen (token)) != 0)
    return FALSE;
  reader->at += strlen (token);
  return TRUE;
}

static void
expect (Reader     *reader,
        const char *token)
{
  if (!skip (reader, token))
    g_error ("rule \"%s\": %s expected at \"%s\"", reader->text, token, reader->at);
}

static const struct { const char *name; LsPatternOp op; int kind; guint n; } functions[] = {
  { "min", LS_PATTERN_BINARY, LS_KIND_MIN, 2 },    { "max", LS_PATTERN_BINARY, LS_KIND_MAX, 2 },
  { "tdiv", LS_PATTERN_BINARY, LS_KIND_DIV, 2 },   { "tmod", LS_PATTERN_BINARY, LS_KIND_MOD, 2 },
  { "select", LS_PATTERN_SELECT, 0, 3 },           { "ramp", LS_PATTERN_RAMP, 0, 3 },
  { "bcast", LS_PATTERN_BROADCAST, 0, 2 },         { "ge", LS_PATTERN_ASK, LS_ASK_GE, 2 },
  { "lt", LS_PATTERN_ASK, LS_ASK_LT, 2 },          { "zero", LS_PATTERN_ASK, LS_ASK_ZERO, 1 },
  { "prove", LS_PATTERN_ASK, LS_ASK_PROVE, 1 },    { "pure", LS_PATTERN_ASK, LS_ASK_PURE, 1 },
  { "fzero", LS_PATTERN_ASK, LS_ASK_FZERO, 1 },    { "vscale", LS_PATTERN_ASK, LS_ASK_VSCALE, 1 },
  { "whole", LS_PATTERN_ASK, LS_ASK_WHOLE, 1 },    { "index", LS_PATTERN_ASK, LS_ASK_INDEX, 1 },
};

/* name | name "(" expr {"," expr} ")" */
static LsPattern *
read_name (Reader *reader)
{
  char name[16];
  gsize length = 0;

  while (g_ascii_isalnum (reader->at[length]) && length + 1 < sizeof name)
    length++;
  memcpy (name, reader->at, length);
  name[length] = '\0';
  reader->at += length;
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    if (strcmp (name, slot_names[i]) == 0)
      {
        LsPattern *self = pattern_new (i == FLOAT_SLOT ? LS_PATTERN_FLOAT : i >= FIRST_INT_SLOT ? LS_PATTERN_INT : LS_PATTERN_EXPR, 0, NULL, NULL, NULL);

        self->slot = i;
        return self;
      }
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (name, functions[i].name) == 0)
      {
        LsPattern *self = pattern_new (functions[i].op, functions[i].kind, NULL, NULL, NULL);

        for (guint k = 0; k < functions[i].n; k++)
          {
            expect (reader, k == 0 ? "(" : ",");
            self->args[k] = read_level (reader, 0);
          }
        expect (reader, ")");
        return self;
      }
  g_error ("rule \"%s\": unknown name %s", reader->text, name);
}

/* number | name | "!" primary | "(" expr ")" */
static LsPattern *
read_primary (Reader *reader)
{
  LsPattern *self;

  if (skip (reader, "("))
    {
      self = read_level (reader, 0);
      expect (reader, ")");
      return self;
    }
  if (skip (reader, "!"))
    return pattern_new (LS_PATTERN_NOT, 0, read_primary (reader), NULL, NULL);
  if (g_ascii_isdigit (*reader->at))
    {
      self = pattern_new (LS_PATTERN_NUMBER, 0, NULL, NULL, NULL);
      self->number = g_ascii_strtoll (reader->at, (char **) &reader->at, 10);
      return self;
    }
  return read_name (reader);
}

/* Longer tokens of a level first. */
static const struct { const char *token; guint level; int kind; } operators[] = {
  { "||", 0, LS_KIND_OR },  { "&&", 1, LS_KIND_AND }, { "==", 2, LS_KIND_EQ },        { "!=", 2, LS_KIND_NE },
  { "<=", 2, LS_KIND_LE },  { ">=", 2, LS_KIND_GE },  { "<", 2, LS_KIND_LT },         { ">", 2, LS_KIND_GT },
  { "+", 3, LS_KIND_ADD },  { "-", 3, LS_KIND_SUB },  { "//", 4, LS_KIND_FLOOR_DIV }, { "*", 4, LS_KIND_MUL },
  { "%", 4, LS_KIND_FLOOR_MOD },
};

/* The operator that stands next, or -1. */
static int
next_operator (const char *at)
{
  if (strchr ("|&=!<>+-/*%", *at) == NULL || *at == '\0')
    return -1;
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (at[0] == operators[i].token[0] && (operators[i].token[1] == '\0' || at[1] == operators[i].token[1]))
      return (int) i;
  return -1;
}

/* Operators of this level or above, left to right. */
static LsPattern *
read_level (Reader *reader,
            guint   level)
{
  LsPattern *self = read_primary (reader);

  for (;;)
    {
      const char *start;
      gboolean swappable;
      int op;

      skip (reader, "");
      start = reader->at;
      swappable = *reader->at == '~';
      op = next_operator (reader->at + (swappable ? 1 : 0));
      if (op < 0 || operators[op].level < level)
        {
          reader->at = start;
          return self;
        }
      reader->at += (swappable ? 1 : 0) + strlen (operators[op].token);
      self = pattern_new (LS_PATTERN_BINARY, operators[op].kind, self, read_level (reader, operators[op].level + 1), NULL);
      self->swappable = swappable;
    }
}

static guint
count_swappable (LsPattern *self)
{
  guint n = 0;

  if (self == NULL)
    return 0;
  for (guint i = 0; i < 3; i++)
    n += count_swappable (self->args[i]);
  return n + (self->swappable ? 1 : 0);
}

/* A copy in which the k-th swappable node, inner ones first, is swapped if bit k of *bits is set. */
static LsPattern *
expand (LsPattern *self,
        guint   *bits)
{
  LsPattern *copy;

  if (self == NULL)
    return NULL;
  copy = g_memdup2 (self, sizeof *self);
  for (guint i = 0; i < 3; i++)
    copy->args[i] = expand (self->args[i], bits);
  if (self->swappable)
    {
      if (*bits & 1)
        {
          LsPattern *first = copy->args[0];

          copy->args[0] = copy->args[1];
          copy->args[1] = first;
        }
      *bits >>= 1;
    }
  return copy;
}

static void
pattern_free (LsPattern *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    pattern_free (self->args[i]);
  g_free (self);
}

static LsPattern *
read_all (const char *text)
{
  Reader reader = { text, text };
  LsPattern *self = read_level (&reader, 0);

  skip (&reader, "");
  if (*reader.at != '\0')
    g_error ("rule \"%s\": cannot read \"%s\"", text, reader.at);
  return self;
}

static gboolean
is_ring (const LsPattern *self)
{
  if (self == NULL)
    return TRUE;
  if (self->op == LS_PATTERN_BINARY ? !(self->kind == LS_KIND_ADD || self->kind == LS_KIND_SUB || self->kind == LS_KIND_MUL)
                            : !(self->op == LS_PATTERN_EXPR || self->op == LS_PATTERN_INT || self->op == LS_PATTERN_NUMBER))
    return FALSE;
  return is_ring (self->args[0]) && is_ring (self->args[1]) && is_ring (self->args[2]);
}

void
ls_rule_read (const LsRule *rule,
              LsRuleForm   *form)
{
  g_auto (GStrv) parts = g_strsplit (rule->pattern, ";", -1);

  form->alternatives = g_ptr_array_new ();
  for (guint i = 0; parts[i] != NULL; i++)
    {
      LsPattern *pattern = read_all (g_strstrip (parts[i]));
      guint n = count_swappable (pattern);

      for (guint variant = 0; variant < 1u << n; variant++)
        {
          guint bits = variant;

          g_ptr_array_add (form->alternatives, expand (pattern, &bits));
        }
      form->ring = (i == 0 || form->ring) && is_ring (pattern);
      pattern_free (pattern);
    }
  form->result = read_all (rule->result);
  form->condition = rule->condition != NULL ? read_all (rule->condition) : NULL;
  form->again = rule->again;
  form->ring = form->ring && is_ring (form->result);
}

void
ls_rule_form_clear (LsRuleForm *form)
{
  for (guint i = 0; i < form->alternatives->len; i++)
    pattern_free (form->alternatives->pdata[i]);
  g_ptr_array_unref (form->alternatives);
  pattern_free (form->result);
  pattern_free (form->condition);
  *form = (LsRuleForm) { 0 };
}

const char *
ls_rule_slot_name (guint slot)
{
  return slot_names[slot];
}
