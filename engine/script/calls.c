/* calls: the text of schedule steps to a list of calls (calls.h).
 *
 *   statements    `out = sch.method (args)` becomes a step; imports, prints and other work on other things pass;
 *                 functions are read where they are called, their parameters replaced by the arguments; a function that
 *                 nobody calls (apply_trace) is read where it stands; loops over written values are unrolled
 *   values        calls-value.c: syntax to LsCallValue
 */
#include "engine/script/calls-private.h"

#define MAX_STEPS 20000
#define MAX_CALL_DEPTH 20

static void visit_all (LsCallReader *r, LsSyn **stmts, guint n);

/* ---- names ------------------------------------------------------------------------------------ */

static void
say (LsCallReader *r,
     LsSpan        span,
     const char   *code,
     const char   *message)
{
  ls_diagnostics_add (r->diagnostics, LS_SEVERITY_ERROR, code, span, "%s", message);
}

static void
forget (LsCallReader *r,
        LsSyn        *target)
{
  if (target->kind == LS_SYN_NAME)
    g_hash_table_remove (r->values, target->text);
  else if (target->kind == LS_SYN_STAR)
    forget (r, target->a);
  else
    for (guint i = 0; i < target->n; i++)
      forget (r, target->items[i]);
}

static gboolean
is_module (LsCallReader *r,
           const char   *name)
{
  static const char *const NAMES[] = { "tvm", "T", "I", "R", "np", "numpy", "torch", "relax", "te", "topi", "tir", "IPython", "ms", "os", "sys", "plt", "json" };

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (NAMES[i], name) == 0)
      return TRUE;
  return g_hash_table_contains (r->modules, name);
}

/* ---- which calls are steps ------------------------------------------------------------------------ */

static const char *
last_part (LsSyn *callee)
{
  return callee->kind == LS_SYN_NAME || callee->kind == LS_SYN_ATTR ? callee->text : "";
}

/* print (...), x.show (), display (...): looking, not doing. */
static gboolean
only_shows (LsSyn *call)
{
  static const char *const NAMES[] = { "print", "show", "display", "script", "code2html", "HTML", "assert_structural_equal", "assert_allclose", "simplify_trace" };

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (NAMES[i], last_part (call->a)) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
makes_schedule (LsSyn *call)
{
  return strcmp (last_part (call->a), "Schedule") == 0;
}

/* sch.method (...) of something that is no Python module, or helper (...) */
static gboolean
is_step (LsCallReader *r,
         LsSyn        *syn)
{
  if (syn->kind != LS_SYN_CALL || only_shows (syn) || makes_schedule (syn))
    return FALSE;
  if (syn->a->kind == LS_SYN_ATTR)
    return syn->a->a->kind == LS_SYN_NAME && !is_module (r, syn->a->a->text);
  return FALSE;
}

static LsSyn *
called_def (LsCallReader *r,
            LsSyn        *syn)
{
  return syn->kind == LS_SYN_CALL && syn->a->kind == LS_SYN_NAME ? g_hash_table_lookup (r->defs, syn->a->text) : NULL;
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static LsCallStep *
new_step (LsCallReader *r,
          LsSyn        *stmt)
{
  LsCallStep *step = ls_arena_new (&r->list->arena, LsCallStep);

  step->span = stmt->span;
  step->line = ls_source_place (r->list->source, stmt->span.start).line;
  step->outputs = g_array_new (FALSE, FALSE, sizeof (LsCallOutput));
  g_ptr_array_add (r->list->arrays, step->outputs);
  step->args = ls_call_list_new_list (r->list);
  step->keywords = ls_call_list_new_list (r->list);
  step->keyword_values = ls_call_list_new_list (r->list);
  step->receiver = (char *) "";
  step->method = (char *) "";
  return step;
}

static gboolean
add_output (LsCallReader *r,
            LsCallStep   *step,
            LsSyn        *target)
{
  gboolean star = target->kind == LS_SYN_STAR;
  LsSyn *name = star ? target->a : target;
  LsCallOutput out = { (char *) name->text, star, name->span };

  if (name->kind != LS_SYN_NAME)
    {
      say (r, target->span, "script/target", "The result of a step goes to a name.");
      return FALSE;
    }
  g_hash_table_remove (r->values, name->text);
  g_array_append_val (step->outputs, out);
  return TRUE;
}

static gboolean
add_outputs (LsCallReader *r,
             LsCallStep   *step,
             LsSyn        *target)
{
  if (target == NULL)
    return TRUE;
  if (target->kind == LS_SYN_TUPLE || target->kind == LS_SYN_LIST)
    {
      step->output_form = LS_CALL_OUTPUT_TUPLE;
      for (guint i = 0; i < target->n; i++)
        if (!add_output (r, step, target->items[i]))
          return FALSE;
      return TRUE;
    }
  step->output_form = LS_CALL_OUTPUT_ONE;
  return add_output (r, step, target);
}

static void
push_step (LsCallReader *r,
           LsCallStep   *step)
{
  if (r->list->steps->len >= MAX_STEPS)
    {
      if (!r->full)
        say (r, step->span, "script/overflow", "There are more than 20000 steps.");
      r->full = TRUE;
      return;
    }
  g_ptr_array_add (r->list->steps, step);
}

static void
add_arguments (LsCallReader *r,
               LsSyn        *call,
               GPtrArray    *args,
               GPtrArray    *keywords,
               GPtrArray    *values)
{
  for (guint i = 0; i < call->n; i++)
    {
      LsSyn *arg = call->items[i];

      if (arg->kind == LS_SYN_KEYWORD)
        {
          g_ptr_array_add (keywords, (gpointer) arg->text);
          g_ptr_array_add (values, ls_call_reader_value (r, arg->a));
        }
      else
        g_ptr_array_add (args, ls_call_reader_value (r, arg));
    }
}

static void
visit_step (LsCallReader *r,
            LsSyn        *call,
            LsSyn        *target,
            LsSyn        *stmt)
{
  LsCallStep *step = new_step (r, stmt);
  LsCallValue *receiver = g_hash_table_lookup (r->values, call->a->a->text);

  step->receiver = (char *) (receiver != NULL && receiver->kind == LS_CALL_VALUE_NAME ? receiver->text : call->a->a->text);
  step->method = (char *) call->a->text;
  step->method_span = call->a->name_span;
  add_arguments (r, call, step->args, step->keywords, step->keyword_values);
  if (add_outputs (r, step, target))
    push_step (r, step);
}

/* ---- functions of the text ------------------------------------------------------------------------------ */

static void
bind_params (LsCallReader *r,
             LsSyn        *def,
             LsSyn        *call)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  guint position = 0;

  for (guint i = 0; i < def->a->n; i++)
    {
      LsSyn *param = def->a->items[i];
      LsCallValue *value = NULL;

      while (call != NULL && position < call->n && (call->items[position]->kind == LS_SYN_KEYWORD || call->items[position]->kind == LS_SYN_STAR))
        position++;
      for (guint k = 0; call != NULL && k < call->n; k++)
        if (call->items[k]->kind == LS_SYN_KEYWORD && strcmp (call->items[k]->text, param->text) == 0)
          value = ls_call_reader_value (r, call->items[k]->a);
      if (value == NULL && call != NULL && position < call->n)
        value = ls_call_reader_value (r, call->items[position++]);
      if (value == NULL && param->b != NULL)
        value = ls_call_reader_value (r, param->b);
      g_ptr_array_add (values, value);
    }
  for (guint i = 0; i < def->a->n; i++)
    if (values->pdata[i] != NULL)
      g_hash_table_insert (r->values, (gpointer) ((LsSyn *) def->a->items[i])->text, values->pdata[i]);
    else
      g_hash_table_remove (r->values, ((LsSyn *) def->a->items[i])->text);
}

static void
expand_def (LsCallReader *r,
            LsSyn        *def,
            LsSyn        *call)
{
  if (r->depth >= MAX_CALL_DEPTH)
    {
      say (r, def->name_span, "script/nesting", "Functions call each other more than 20 levels deep.");
      return;
    }
  r->depth++;
  bind_params (r, def, call);
  visit_all (r, def->items, def->n);
  r->depth--;
}

/* Is the name written anywhere but at its definition? */
static gboolean
is_called (LsCallReader *r,
           LsSyn        *def)
{
  for (guint i = 1; i + 1 < r->tokens->len; i++)
    {
      const LsToken *t = &g_array_index (r->tokens, LsToken, i);
      const LsToken *next = &g_array_index (r->tokens, LsToken, i + 1);

      if (t->kind == LS_TOKEN_NAME && t->start != def->name_span.start && next->kind == LS_TOKEN_OP && next->op == '(' &&
          t->end - t->start == strlen (def->text) && memcmp (r->text + t->start, def->text, strlen (def->text)) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
visit_def (LsCallReader *r,
           LsSyn        *def)
{
  if (def->n_more > 0)
    return;
  g_hash_table_insert (r->defs, (gpointer) def->text, def);
  if (!is_called (r, def))
    expand_def (r, def, NULL);
}

/* ---- statements ---------------------------------------------------------------------------------------------- */

static void
visit_call_statement (LsCallReader *r,
                      LsSyn        *call,
                      LsSyn        *target,
                      LsSyn        *stmt)
{
  LsSyn *def = called_def (r, call);

  if (def != NULL)
    expand_def (r, def, call);
  else if (is_step (r, call))
    visit_step (r, call, target, stmt);
  else if (target != NULL)
    forget (r, target);
}

/* Does the value stand for outputs of steps: a name, an element, a call inside? */
static gboolean
is_reference (const LsCallValue *v)
{
  if (v->kind == LS_CALL_VALUE_NAME || v->kind == LS_CALL_VALUE_SUBSCRIPT || v->kind == LS_CALL_VALUE_CALL || v->kind == LS_CALL_VALUE_STAR)
    return TRUE;
  if (v->kind == LS_CALL_VALUE_LIST || v->kind == LS_CALL_VALUE_TUPLE)
    for (guint i = 0; i < v->items->len; i++)
      if (is_reference (v->items->pdata[i]))
        return TRUE;
  return FALSE;
}

static void
bind_constant (LsCallReader *r,
               LsSyn        *target,
               LsCallValue  *value,
               LsSyn        *stmt)
{
  if (target->kind == LS_SYN_NAME)
    g_hash_table_insert (r->values, (gpointer) target->text, value);
  else if ((target->kind == LS_SYN_TUPLE || target->kind == LS_SYN_LIST) && value->items != NULL && value->items->len == target->n)
    for (guint i = 0; i < target->n; i++)
      bind_constant (r, target->items[i], value->items->pdata[i], stmt);
  else
    forget (r, target);
}

/* A subscript on a module or on its result: `tvm.IRModule ({...})["main"]`, `sch.mod["main"]` */
static gboolean
is_foreign (LsCallReader *r,
            LsSyn        *syn)
{
  while (syn->kind == LS_SYN_INDEX || syn->kind == LS_SYN_ATTR || syn->kind == LS_SYN_CALL)
    {
      if (syn->kind == LS_SYN_CALL && is_step (r, syn))
        return FALSE;
      if (syn->kind == LS_SYN_ATTR)
        return TRUE;
      syn = syn->a;
    }
  return FALSE;
}

static void
visit_assign (LsCallReader *r,
              LsSyn        *target,
              LsSyn        *value,
              LsSyn        *stmt)
{
  LsCallValue *v;
  LsCallStep *step;

  if (value->kind == LS_SYN_CALL)
    {
      visit_call_statement (r, value, target, stmt);
      return;
    }
  if (is_foreign (r, value))
    {
      forget (r, target);
      return;
    }
  v = ls_call_reader_value (r, value);
  if (value->kind == LS_SYN_OPAQUE && v->kind == LS_CALL_VALUE_EXPR)
    {
      forget (r, target);
      return;
    }
  if (!is_reference (v))
    {
      bind_constant (r, target, v, stmt);
      return;
    }
  step = new_step (r, stmt);
  g_ptr_array_add (step->args, v);
  if (add_outputs (r, step, target))
    push_step (r, step);
}

static void
visit_for (LsCallReader *r,
           LsSyn        *stmt)
{
  LsCallValue *v = ls_call_reader_value (r, stmt->b);
  GPtrArray *items = ls_call_reader_iterate (r, v);

  if (items == NULL)
    {
      say (r, stmt->b->span, "script/unsupported", "A loop over steps runs over a list that is written out or a range of numbers.");
      return;
    }
  for (guint i = 0; i < items->len && !r->full; i++)
    {
      LsCallValue *item = items->pdata[i];

      if (is_reference (item) && stmt->a->kind != LS_SYN_NAME)
        {
          LsCallStep *step = new_step (r, stmt);

          g_ptr_array_add (step->args, item);
          if (add_outputs (r, step, stmt->a))
            push_step (r, step);
        }
      else
        bind_constant (r, stmt->a, item, stmt);
      visit_all (r, stmt->items, stmt->n);
    }
  forget (r, stmt->a);
}

static void
visit_if (LsCallReader *r,
          LsSyn        *stmt)
{
  LsCallValue *v;

  if (stmt->a->kind == LS_SYN_COMPARE && stmt->a->a->kind == LS_SYN_NAME && strcmp (stmt->a->a->text, "__name__") == 0)
    {
      visit_all (r, stmt->items, stmt->n);
      return;
    }
  v = ls_call_reader_value (r, stmt->a);
  if (v->kind == LS_CALL_VALUE_BOOL || v->kind == LS_CALL_VALUE_INT)
    visit_all (r, v->integer ? stmt->items : stmt->more, v->integer ? stmt->n : stmt->n_more);
  else
    say (r, stmt->a->span, "script/unsupported", "Steps stand one after the other; this condition is not known here.");
}

static void
visit_import (LsCallReader *r,
              LsSyn        *stmt)
{
  for (guint i = 0; i < stmt->n; i++)
    {
      LsSyn *alias = stmt->items[i];
      const char *name = alias->a != NULL ? alias->a->text : alias->text;
      const char *dot = strchr (name, '.');

      g_hash_table_add (r->modules, dot != NULL ? ls_arena_strndup (&r->list->arena, name, (gsize) (dot - name)) : (char *) name);
    }
}

static void
visit (LsCallReader *r,
       LsSyn        *stmt)
{
  switch (stmt->kind)
    {
    case LS_SYN_EXPR:
      if (stmt->a->kind == LS_SYN_CALL)
        visit_call_statement (r, stmt->a, NULL, stmt);
      return;
    case LS_SYN_ASSIGN:
      for (guint i = 0; i < stmt->n; i++)
        visit_assign (r, stmt->items[i], stmt->a, stmt);
      return;
    case LS_SYN_ANNOTATED:
      if (stmt->c != NULL)
        visit_assign (r, stmt->a, stmt->c, stmt);
      return;
    case LS_SYN_FOR: visit_for (r, stmt); return;
    case LS_SYN_IF: visit_if (r, stmt); return;
    case LS_SYN_DEF: visit_def (r, stmt); return;
    case LS_SYN_IMPORT:
    case LS_SYN_FROM: visit_import (r, stmt); return;
    case LS_SYN_BROKEN: visit_all (r, stmt->items, stmt->n); return;
    case LS_SYN_RETURN:
      if (stmt->a != NULL && is_step (r, stmt->a))
        visit_step (r, stmt->a, NULL, stmt);
      return;
    case LS_SYN_CLASS:
    case LS_SYN_ASSERT:
    case LS_SYN_PASS:
    case LS_SYN_OTHER:
      return;
    case LS_SYN_AUGMENT:
    case LS_SYN_WHILE:
    case LS_SYN_WITH:
    case LS_SYN_BREAK:
    case LS_SYN_CONTINUE:
      say (r, stmt->span, "script/unsupported", "Steps are calls, one after the other; this statement is not carried out.");
      return;
    default:
      return;
    }
}

static void
visit_all (LsCallReader *r,
           LsSyn       **stmts,
           guint         n)
{
  for (guint i = 0; i < n && !r->full; i++)
    visit (r, stmts[i]);
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

LsCallList *
ls_script_parse_calls (LsSource      *source,
                       LsDiagnostics *diagnostics)
{
  LsCallList *list = g_new0 (LsCallList, 1);
  LsCallReader reader = { .list = list };
  LsSynParser syntax;
  g_autoptr (GPtrArray) stmts = NULL;

  g_return_val_if_fail (source != NULL, NULL);
  g_atomic_ref_count_init (&list->refs);
  list->source = ls_source_ref (source);
  ls_arena_init (&list->arena);
  list->steps = g_ptr_array_new ();
  list->arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  list->lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  list->constants = g_hash_table_new (g_str_hash, g_str_equal);
  reader.diagnostics = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  reader.values = list->constants;
  reader.modules = g_hash_table_new (g_str_hash, g_str_equal);
  reader.defs = g_hash_table_new (g_str_hash, g_str_equal);
  reader.text = ls_source_get_text (source, NULL);
  ls_syn_parser_init (&syntax, source, &list->arena, reader.diagnostics);
  reader.tokens = syntax.tokens;
  stmts = ls_syn_parse_file (&syntax);
  visit_all (&reader, (LsSyn **) stmts->pdata, stmts->len);
  ls_syn_parser_clear (&syntax);
  g_hash_table_unref (reader.modules);
  g_hash_table_unref (reader.defs);
  ls_diagnostics_unref (reader.diagnostics);
  return list;
}

LsCallList *
ls_call_list_ref (LsCallList *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_call_list_unref (LsCallList *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->steps);
  g_ptr_array_unref (self->arrays);
  g_ptr_array_unref (self->lists);
  g_hash_table_unref (self->constants);
  ls_arena_clear (&self->arena);
  ls_source_unref (self->source);
  g_free (self);
}

guint
ls_call_list_get_n (LsCallList *self)
{
  return self->steps->len;
}

const LsCallStep *
ls_call_list_get (LsCallList *self,
                  guint       i)
{
  g_return_val_if_fail (i < self->steps->len, NULL);
  return self->steps->pdata[i];
}

const LsCallValue *
ls_call_step_keyword (const LsCallStep *step,
                      const char       *name)
{
  for (guint i = 0; i < step->keywords->len; i++)
    if (strcmp (step->keywords->pdata[i], name) == 0)
      return step->keyword_values->pdata[i];
  return NULL;
}

const LsCallValue *
ls_call_step_argument (const LsCallStep *step,
                       guint             position,
                       const char       *name)
{
  return position < step->args->len ? step->args->pdata[position] : ls_call_step_keyword (step, name);
}
