/* bind: arguments of a call put to the parameters of the function.
 *
 * A specification lists parameters: "shape dtype? *rest | annotations?" - required, optional with `?`, the rest with
 * `*`, by keyword only behind `|`.
 */
#include "engine/script/script-private.h"

#include "engine/base/plural.h"

typedef struct {
  char     names[LS_MAX_PARAMS][32];
  gboolean optional[LS_MAX_PARAMS];
  guint    n;                   /* by position: n_positional of them */
  guint    n_positional;
  gboolean variadic;
} Spec;

static void
add_param (Spec       *spec,
           const char *word,
           gsize       n,
           gboolean    keyword_only)
{
  if (spec->n == LS_MAX_PARAMS)
    return;
  spec->optional[spec->n] = word[n - 1] == '?';
  n = MIN (n - (spec->optional[spec->n] ? 1 : 0), sizeof spec->names[0] - 1);
  memcpy (spec->names[spec->n], word, n);
  spec->names[spec->n][n] = '\0';
  spec->n++;
  if (!keyword_only)
    spec->n_positional = spec->n;
}

static void
parse_spec (const char *text,
            Spec       *spec)
{
  gboolean keyword_only = FALSE;

  spec->n = spec->n_positional = 0;
  spec->variadic = FALSE;
  while (*text != '\0')
    {
      gsize n = strcspn (text, " ");

      if (n == 1 && *text == '|')
        keyword_only = TRUE;
      else if (n > 0 && *text == '*')
        spec->variadic = keyword_only = TRUE;
      else if (n > 0)
        add_param (spec, text, n, keyword_only);
      text += n + (text[n] != '\0' ? 1 : 0);
    }
}

typedef struct {
  LsParse   *p;
  Spec       spec;
  LsArgs    *args;
  GPtrArray *rest;
  GArray    *rest_spans;
  guint      position;
  guint      n_given;
  gboolean   failed;
} Binding;

static void
bind_positional (Binding *b,
                 LsValue *value,
                 LsSpan   span)
{
  b->n_given++;
  if (b->position < b->spec.n_positional)
    {
      b->args->slot[b->position] = value;
      b->args->span[b->position] = span;
      b->position++;
    }
  else if (b->spec.variadic)
    {
      g_ptr_array_add (b->rest, value);
      g_array_append_val (b->rest_spans, span);
    }
}

/* T.reinterpret (value, dtype="handle"): a type that is named takes the first place, what was given there moves on, as TVM's scripts
 * forward it.  FALSE: there is no room. */
static gboolean
make_room_for_dtype (Binding    *b,
                     guint       slot,
                     const char *name)
{
  if (slot != 0 || strcmp (name, "dtype") != 0 || b->position == 0 || b->position >= b->spec.n_positional || b->args->slot[b->position] != NULL)
    return FALSE;
  for (guint i = b->position; i > 0; i--)
    {
      b->args->slot[i] = b->args->slot[i - 1];
      b->args->span[i] = b->args->span[i - 1];
    }
  b->position++;
  return TRUE;
}

static void
bind_keyword (Binding *b,
              LsSyn   *syn,
              LsValue *value)
{
  const char *names[LS_MAX_PARAMS];
  LsDiagnostic *d;
  const char *near;

  for (guint i = 0; i < b->spec.n; i++)
    {
      names[i] = b->spec.names[i];
      if (strcmp (names[i], syn->text) != 0)
        continue;
      if (b->args->slot[i] != NULL && !make_room_for_dtype (b, i, syn->text))
        {
          ls_parse_error (b->p, syn->name_span, "script/arity", "%s got `%s` twice.", b->args->name, syn->text);
          b->failed = TRUE;
        }
      b->args->slot[i] = value;
      b->args->span[i] = syn->a->span;
      return;
    }
  d = ls_parse_error (b->p, syn->name_span, "script/argument", "%s has no parameter `%s`.", b->args->name, syn->text);
  near = ls_script_nearest (syn->text, names, b->spec.n);
  if (near != NULL)
    {
      ls_diagnostic_set_repair (d, "Did you mean `%s`?", near);
      ls_diagnostic_set_fix (d, syn->name_span, near);
    }
  b->failed = TRUE;
}

static void
bind_star (Binding *b,
           LsSyn   *syn,
           LsValue *value)
{
  if (syn->op == 1 && ls_value_is_sequence (value))
    {
      for (guint i = 0; i < value->n; i++)
        bind_positional (b, value->items[i], syn->span);
      return;
    }
  ls_parse_error (b->p, syn->span, "script/type", syn->op == 1 ? "`*` takes a list or a tuple apart here; this is %s."
                                                                 : LS_TEXT ("`**` takes nothing apart here; this is %s."), ls_value_describe (b->p, value));
  b->failed = TRUE;
}

static void
check_count (Binding *b,
             LsSyn   *call)
{
  guint n_required = 0;

  for (guint i = 0; i < b->spec.n; i++)
    n_required += !b->spec.optional[i];
  if (b->n_given > b->spec.n_positional && !b->spec.variadic)
    {
      ls_parse_error (b->p, call->span, "script/arity", 
                      ls_translate_plural ("%s takes at most %u argument by position; it got %u.", "%s takes at most %u arguments by position; it got %u.",
                                           b->spec.n_positional),
                      b->args->name, b->spec.n_positional, b->n_given);
      b->failed = TRUE;
      return;
    }
  for (guint i = 0; i < b->spec.n; i++)
    if (!b->spec.optional[i] && b->args->slot[i] == NULL)
      {
        ls_parse_error (b->p, call->span, "script/arity", "%s lacks its argument `%s`.", b->args->name, b->spec.names[i]);
        b->failed = TRUE;
        return;
      }
}

gboolean
ls_args_bind (LsParse    *p,
              const char *name,
              const char *spec,
              LsSyn      *call,
              LsArgs     *args)
{
  Binding b;
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LsSpan));

  memset (args, 0, sizeof *args);
  args->call = call->span;
  args->callee = call->a->span;
  args->name = name;
  b.p = p;
  b.args = args;
  b.rest = rest;
  b.rest_spans = spans;
  b.position = b.n_given = 0;
  b.failed = FALSE;
  parse_spec (spec, &b.spec);
  for (guint i = 0; i < call->n; i++)
    {
      LsSyn *syn = call->items[i];
      gboolean named = syn->kind == LS_SYN_KEYWORD || syn->kind == LS_SYN_STAR;
      LsValue *value = ls_eval (p, named ? syn->a : syn);

      if (value == NULL || value->kind == LS_VALUE_POISON)
        b.failed = TRUE;
      else if (syn->kind == LS_SYN_KEYWORD)
        bind_keyword (&b, syn, value);
      else if (syn->kind == LS_SYN_STAR)
        bind_star (&b, syn, value);
      else
        bind_positional (&b, value, syn->span);
    }
  if (!b.failed)
    check_count (&b, call);
  args->n_rest = rest->len;
  args->rest = ls_arena_list (&p->arena, rest);
  if (spans->len > 0)
    {
      args->rest_spans = ls_arena_alloc (&p->arena, spans->len * sizeof (LsSpan));
      memcpy (args->rest_spans, spans->data, spans->len * sizeof (LsSpan));
    }
  for (guint i = 0; i < b.spec.n; i++)
    if (args->slot[i] != NULL && args->slot[i]->kind == LS_VALUE_NONE && b.spec.optional[i])
      args->slot[i] = NULL;
  return !b.failed;
}
