/* relax-stmt: the statements of a Relax function.
 *
 * Each assignment binds a variable; what stands inside a call and is no leaf gets a variable of its own ("lv" in dataflow,
 * "gv" outside, numbered by the bindings so far, as TVM does).  Bindings in a row form a block, `with R.dataflow ()` a
 * dataflow block, whose variables are dataflow variables unless R.output names them.  Of an `if`, the last binding of both
 * branches is the value.
 */
#include "engine/script/script-private.h"

#include "engine/relax/analysis.h"
#include "engine/relax/relation.h"

/* ---- bindings --------------------------------------------------------------------------- */

void
ls_relax_close_block (LsParse *p)
{
  LsRelaxState *s = p->relax;
  LsArray *bindings;

  if (s->bindings->len == 0)
    return;
  bindings = ls_array_new (s->bindings->pdata, s->bindings->len);
  g_ptr_array_set_free_func (s->bindings, NULL);
  g_ptr_array_set_size (s->bindings, 0);
  g_ptr_array_set_free_func (s->bindings, (GDestroyNotify) ls_node_unref);
  g_ptr_array_add (s->blocks, s->dataflow ? ls_dataflow_block_new (bindings) : ls_binding_block_new (bindings));
}

static const char *
fresh_name (LsParse *p)
{
  LsRelaxState *s = p->relax;
  const char *stem = s->dataflow ? "lv" : "gv";
  guint i = s->dataflow ? s->n_lv : s->n_gv;

  return i == 0 ? stem : ls_arena_printf (&p->arena, "%s%u", stem, i);
}

/* What is known of the result of a function of the module. */
static LsStructInfo *
global_result (LsParse *p,
               LsNode  *value,
               LsSpan   span)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  LsFuncStructInfo *signature;
  LsValue *ret;

  if (!ls_is (value, RELAX_CALL) || !ls_is (call->op, GLOBAL_VAR))
    return NULL;
  if (p->globals == NULL || g_hash_table_lookup (p->globals, ((LsGlobalVar *) call->op)->name_hint) != (gpointer) call->op)
    {
      signature = (LsFuncStructInfo *) ls_host_struct_info (p, call->op);
      return ls_is (signature, FUNC_STRUCT_INFO) && signature->params != NULL && call->sinfo_args->n == 0
             ? ls_parse_keep (p, ls_signature_result_of_call (signature->params, signature->ret, call), span) : NULL;
    }
  if (p->global_rets == NULL)
    return NULL;
  signature = g_hash_table_lookup (p->global_sigs, ((LsGlobalVar *) call->op)->name_hint);
  if (signature != NULL && call->sinfo_args->n == 0)
    return ls_parse_keep (p, ls_signature_result_of_call (signature->params, signature->ret, call), span);
  ret = g_hash_table_lookup (p->global_rets, ((LsGlobalVar *) call->op)->name_hint);
  return ret != NULL && ret->kind == LS_VALUE_NODE && ls_is_struct_info (ret->node) ? ret->node : NULL;
}

static LsWalk
count_part (LsNode  *node,
            gpointer data)
{
  guint *left = data;

  return --*left == 0 ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Tuples of tuples double with every line: what is known of a value has its bound too. */
static LsStructInfo *
bounded_info (LsParse      *p,
              LsStructInfo *info,
              LsSpan        span)
{
  guint left = LS_SCRIPT_MAX_ITEMS;

  if (!ls_is (info, TUPLE_STRUCT_INFO) || ls_walk (info, count_part, NULL, &left))
    return info;
  ls_parse_error (p, span, "script/overflow", "This would hold more than %d values.", LS_SCRIPT_MAX_ITEMS);
  ls_unref (info);
  return ls_object_struct_info_new ();
}

/* A view whose type stands in a variable that this block binds to a type: the same view with the type itself, for what is known of it. */
static LsNode *
with_bound_type (LsParse *p,
                 LsNode  *value,
                 LsSpan   span)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  GPtrArray *bindings = p->relax->bindings;

  if (!ls_is_relax_call (value, "relax.memory.view") || call->args->n < 3 || !ls_is_relax_var (call->args->items[2]))
    return value;
  for (guint i = bindings->len; i-- > 0;)
    if ((gpointer) ls_binding_var (bindings->pdata[i]) == (gpointer) call->args->items[2] && ls_is (ls_binding_value (bindings->pdata[i]), DATA_TYPE_IMM))
      {
        GPtrArray *args = g_ptr_array_new ();

        for (guint k = 0; k < call->args->n; k++)
          g_ptr_array_add (args, ls_node_ref (k == 2 ? ls_binding_value (bindings->pdata[i]) : call->args->items[k]));
        return ls_parse_keep (p, ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (args), NULL, NULL, NULL), span);
      }
  return value;
}

static LsStructInfo *
known_of (LsParse      *p,
          const char   *name,
          LsNode       *value,
          LsStructInfo *annotation,
          LsSpan        span)
{
  g_autoptr (GError) error = NULL;
  LsStructInfo *found = ls_is (value, MATCH_CAST) ? ls_ref (((LsMatchCast *) value)->struct_info)
                        : ls_relax_infer (with_bound_type (p, value, span), NULL, &error);
  LsStructInfo *global = global_result (p, value, span);

  if (found == NULL)
    {
      if (!ls_parse_is_lenient (p))
        ls_parse_error (p, span, "script/type", "%s", error->message);
      found = ls_object_struct_info_new ();
    }

  if (global != NULL && ls_is (found, OBJECT_STRUCT_INFO))
    ls_take (&found, ls_ref (global));
  found = ls_parse_keep (p, bounded_info (p, found, span), span);
  if (annotation == NULL)
    return found;
  if (!ls_struct_info_may_be (annotation, found) && !ls_parse_is_lenient (p))
    ls_parse_error (p, span, "script/type", "The value of `%s` is of another shape or type than the annotation says.", name != NULL ? name : "it");
  if (ls_is_relax_var (value) && ls_struct_info_is_base_of (annotation, found))
    return found;
  return annotation;
}

LsRelaxVar *
ls_relax_emit (LsParse      *p,
               const char   *name,
               LsNode       *value,
               LsStructInfo *annotation,
               LsSpan        span)
{
  LsRelaxState *s = p->relax;
  LsStructInfo *info = known_of (p, name, value, annotation, span);
  gboolean inner = s->dataflow && !(name != NULL && g_hash_table_lookup (s->outputs, name) == s->stmt);
  const char *called = name != NULL ? name : fresh_name (p);
  LsRelaxVar *var = inner ? ls_dataflow_var_new (called, ls_ref (info)) : ls_relax_var_new (called, ls_ref (info));
  LsNode *binding;

  *(s->dataflow ? &s->n_lv : &s->n_gv) += 1;
  ls_parse_keep (p, var, span);
  if (ls_is (value, MATCH_CAST))
    binding = ls_match_cast_new (ls_ref (var), ls_ref (((LsMatchCast *) value)->value), ls_ref (((LsMatchCast *) value)->struct_info));
  else
    binding = ls_var_binding_new (ls_ref (var), ls_ref (value));
  g_ptr_array_add (s->bindings, ls_node_set_span (binding, span));
  return var;
}

/* ---- assignments ------------------------------------------------------------------------- */

gboolean
ls_relax_is_fresh_symbol (LsParse *p,
                          LsValue *v)
{
  return v->kind == LS_VALUE_NODE && ls_is_var (v->node) && !g_hash_table_contains (p->known, v->node);
}

/* n = T.int64 (): the dimension of that name, if the signature has brought it already. */
static void
bind_symbol (LsParse *p,
             LsSyn   *target,
             LsValue *v)
{
  LsVar *known = NULL;

  for (LsRelaxState *s = p->relax; s != NULL && known == NULL; s = s->outer)
    known = g_hash_table_lookup (s->symbols, target->text);
  if (known != NULL && ls_dtype_equal (ls_dtype (known), ls_dtype (v->node)))
    {
      ls_parse_bind (p, target->text, ls_value_node (p, known));
      return;
    }
  ls_value_name (v->node, target->text);
  g_hash_table_insert (p->relax->symbols, (gpointer) target->text, v->node);
  ls_parse_bind (p, target->text, v);
}

static gboolean
all_symbols (LsParse *p,
             LsSyn   *target,
             LsValue *v)
{
  if (target->kind == LS_SYN_NAME)
    return ls_relax_is_fresh_symbol (p, v);
  if ((target->kind != LS_SYN_TUPLE && target->kind != LS_SYN_LIST) || !ls_value_is_sequence (v) || v->n != target->n)
    return FALSE;
  for (guint i = 0; i < v->n; i++)
    if (target->items[i]->kind != LS_SYN_NAME || !ls_relax_is_fresh_symbol (p, v->items[i]))
      return FALSE;
  return TRUE;
}

static void
bind_target (LsParse      *p,
             LsSyn        *target,
             LsValue      *v,
             LsStructInfo *annotation,
             LsSyn        *stmt)
{
  LsNode *value;

  if (v == NULL || v->kind == LS_VALUE_POISON)
    {
      ls_bind_poison (p, target);
      return;
    }
  if (all_symbols (p, target, v))
    {
      if (target->kind == LS_SYN_NAME)
        bind_symbol (p, target, v);
      else
        for (guint i = 0; i < target->n; i++)
          bind_symbol (p, target->items[i], v->items[i]);
      return;
    }
  if (target->kind != LS_SYN_NAME)
    {
      ls_parse_error (p, target->span, "script/unsupported", "An assignment of Relax has one name on its left.");
      ls_bind_poison (p, target);
      return;
    }
  if (v->kind == LS_VALUE_IR_MODULE || v->kind == LS_VALUE_MODULE || v->kind == LS_VALUE_LAMBDA
      || (v->kind == LS_VALUE_NODE && ls_is (v->node, MAP)))       /* such as a device: no value of the program */
    {
      ls_parse_bind (p, target->text, v);
      return;
    }
  value = ls_relax_expr (p, v, stmt->span);
  ls_parse_bind (p, target->text, value != NULL ? ls_value_node (p, ls_relax_emit (p, target->text, value, annotation, stmt->span)) : NULL);
}

static void
visit_annotated (LsParse *p,
                 LsSyn   *stmt)
{
  LsValue *info = ls_eval (p, stmt->b);
  LsStructInfo *annotation = info != NULL ? ls_relax_sinfo (p, info, stmt->b->span) : NULL;
  guint n_bindings = p->relax->bindings->len;
  LsValue *v;

  if (stmt->c == NULL)
    {
      ls_parse_error (p, stmt->span, "script/structure", "A variable of Relax has a value.");
      return;
    }
  v = ls_eval (p, stmt->c);
  /* A call whose arguments got variables of their own is made anew, and what is known of it is found, not said. */
  if (p->relax->bindings->len > n_bindings && v != NULL && v->kind == LS_VALUE_NODE && ls_is (v->node, RELAX_CALL))
    annotation = NULL;
  bind_target (p, stmt->a, v, annotation, stmt);
}

/* ---- dataflow ------------------------------------------------------------------------------ */

static gboolean
calls (LsSyn      *stmt,
       const char *member)
{
  return stmt->kind == LS_SYN_EXPR && stmt->a->kind == LS_SYN_CALL && stmt->a->a->kind == LS_SYN_ATTR && strcmp (stmt->a->a->text, member) == 0;
}

static gboolean
gives (LsSyn      *stmt,
       const char *name)
{
  if (stmt->kind == LS_SYN_DEF)
    return strcmp (stmt->text, name) == 0;
  if (stmt->kind == LS_SYN_ANNOTATED)
    return stmt->a->kind == LS_SYN_NAME && strcmp (stmt->a->text, name) == 0;
  for (guint i = 0; stmt->kind == LS_SYN_ASSIGN && i < stmt->n; i++)
    if (stmt->items[i]->kind == LS_SYN_NAME && strcmp (stmt->items[i]->text, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
ends_with_return (LsSyn *with)
{
  return with->n > 0 && with->items[with->n - 1]->kind == LS_SYN_RETURN;
}

static void
put_output (LsParse    *p,
            LsSyn      *with,
            const char *name)
{
  for (guint k = with->n; k-- > 0;)
    if (gives (with->items[k], name))
      {
        g_hash_table_insert (p->relax->outputs, (gpointer) name, with->items[k]);
        return;
      }
}

/* What a return at the end of a dataflow block names is an output of the block. */
static void
put_returned (LsParse *p,
              LsSyn   *with,
              LsSyn   *value)
{
  if (value == NULL)
    return;
  if (value->kind == LS_SYN_NAME)
    put_output (p, with, value->text);
  put_returned (p, with, value->a);
  put_returned (p, with, value->b);
  put_returned (p, with, value->c);
  for (guint i = 0; i < value->n; i++)
    put_returned (p, with, value->items[i]);
}

static void
find_outputs (LsParse *p,
              LsSyn   *with)
{
  LsSyn *output = with->n > 0 && calls (with->items[with->n - 1], "output") ? with->items[with->n - 1]->a : NULL;

  for (guint i = 0; output != NULL && i < output->n; i++)
    if (output->items[i]->kind == LS_SYN_NAME)
      put_output (p, with, output->items[i]->text);
  if (ends_with_return (with))
    put_returned (p, with, with->items[with->n - 1]->a);
}

static void
check_outputs (LsParse *p,
               LsSyn   *with)
{
  LsSyn *last = with->n > 0 ? with->items[with->n - 1] : NULL;

  for (guint i = 0; i + 1 < with->n; i++)
    if (calls (with->items[i], "output"))
      ls_parse_error (p, with->items[i]->span, "script/structure", "R.output stands at the end of a dataflow block.");
  if (last == NULL || !calls (last, "output"))
    return;
  for (guint i = 0; i < last->a->n; i++)
    if (last->a->items[i]->kind != LS_SYN_NAME || !g_hash_table_contains (p->relax->outputs, last->a->items[i]->text))
      ls_parse_error (p, last->a->items[i]->span, "script/structure", "R.output names variables of its dataflow block.");
}

static const char *
path_of_call (LsParse *p,
              LsSyn   *syn)
{
  LsValue *v;

  if (syn->kind != LS_SYN_CALL)
    return NULL;
  v = ls_eval (p, syn->a);
  return v != NULL && v->kind == LS_VALUE_MODULE ? v->s : NULL;
}

static void visit_return (LsParse *p, LsSyn *stmt);

static void
visit_with (LsParse *p,
            LsSyn   *stmt)
{
  LsRelaxState *s = p->relax;
  const char *path = stmt->n_more == 1 ? path_of_call (p, stmt->more[0]->a) : NULL;
  GHashTable *inner;
  GHashTableIter iter;
  gpointer name;

  if (path == NULL || strcmp (path, "R.dataflow") != 0 || s->dataflow)
    {
      ls_parse_error (p, stmt->span, "script/structure", s->dataflow ? "A dataflow block holds no other one."
                      : LS_TEXT ("The only scope of a Relax function is R.dataflow ()."));
      return;
    }
  ls_relax_close_block (p);
  s->dataflow = TRUE;
  g_hash_table_remove_all (s->outputs);
  find_outputs (p, stmt);
  ls_parse_push_scope (p);
  ls_relax_visit_stmts (p, stmt->items, stmt->n - ends_with_return (stmt));
  check_outputs (p, stmt);
  ls_relax_close_block (p);
  s->dataflow = FALSE;
  inner = g_hash_table_ref (p->scopes->pdata[p->scopes->len - 1]);
  ls_parse_pop_scope (p);
  g_hash_table_iter_init (&iter, s->outputs);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    ls_parse_bind (p, name, g_hash_table_lookup (inner, name));
  g_hash_table_unref (inner);
  if (ends_with_return (stmt))
    visit_return (p, stmt->items[stmt->n - 1]);
}

/* ---- if ---------------------------------------------------------------------------------------- */

typedef struct {
  const char   *name;
  LsStructInfo *info;
  LsNode       *seq;            /* kept by the parse */
} Branch;

/* The variable that the dataflow block before this place ends with, if it is seen outside. Borrowed. */
static LsRelaxVar *
last_of_dataflow (LsParse *p)
{
  GPtrArray *blocks = p->relax->blocks;
  LsBindingBlock *block = blocks->len > 0 ? blocks->pdata[blocks->len - 1] : NULL;
  LsRelaxVar *var;

  if (!ls_is (block, DATAFLOW_BLOCK) || block->bindings->n == 0)
    return NULL;
  var = ls_is (block->bindings->items[block->bindings->n - 1], VAR_BINDING) ? ls_array_at (block->bindings, block->bindings->n - 1, LsVarBinding)->var : NULL;
  return ls_is (var, RELAX_VAR) ? var : NULL;
}

/* The last binding of the open block as the value of the branch. */
static gboolean
take_last (LsParse *p,
           Branch  *branch,
           LsSpan   span)
{
  GPtrArray *bindings = p->relax->bindings;
  LsVarBinding *last = bindings->len > 0 ? bindings->pdata[bindings->len - 1] : NULL;
  LsNode *body;

  if (last == NULL)
    {
      LsRelaxVar *var = last_of_dataflow (p);

      if (var == NULL)
        {
          ls_parse_error (p, span, "script/structure", "A branch ends with the assignment of its value.");
          return FALSE;
        }
      branch->name = var->name;
      branch->info = var->struct_info;
      branch->seq = ls_parse_keep (p, ls_seq_expr_new (ls_array_take_ptr_array (g_steal_pointer (&p->relax->blocks)), LS_NODE (ls_ref (var))), span);
      return TRUE;
    }
  if (ls_is (last, MATCH_CAST))
    {
      LsRelaxVar *var = ((LsMatchCast *) (LsNode *) last)->var;

      branch->name = var->name;
      branch->info = var->struct_info;
      ls_relax_close_block (p);
      branch->seq = ls_parse_keep (p, ls_seq_expr_new (ls_array_take_ptr_array (g_steal_pointer (&p->relax->blocks)), LS_NODE (ls_ref (var))), span);
      return TRUE;
    }
  ls_parse_keep (p, ls_ref (last), span);
  g_ptr_array_remove_index (bindings, bindings->len - 1);
  branch->name = last->var->name;
  branch->info = last->var->struct_info;
  body = last->value;
  if (!ls_is_relax_leaf (body))
    body = LS_NODE (ls_relax_emit (p, NULL, body, branch->info, span));
  if (ls_is_void_var (body))
    body = ls_parse_keep (p, ls_relax_tuple_new (ls_array_empty ()), span);
  ls_relax_close_block (p);
  branch->seq = ls_parse_keep (p, ls_seq_expr_new (ls_array_take_ptr_array (g_steal_pointer (&p->relax->blocks)), ls_ref (body)), span);
  return TRUE;
}

static gboolean
visit_branch (LsParse *p,
              LsSyn  **stmts,
              guint    n,
              LsSpan   span,
              Branch  *branch)
{
  LsRelaxState *s = p->relax;
  GPtrArray *blocks = s->blocks, *bindings = s->bindings;
  gboolean fine;

  s->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  s->bindings = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  ls_parse_push_scope (p);
  ls_relax_visit_stmts (p, stmts, n);
  fine = take_last (p, branch, span);
  ls_parse_pop_scope (p);
  g_clear_pointer (&s->blocks, g_ptr_array_unref);
  g_ptr_array_unref (s->bindings);
  s->blocks = blocks;
  s->bindings = bindings;
  return fine;
}

static void
visit_if (LsParse *p,
          LsSyn   *stmt)
{
  LsValue *v = ls_eval (p, stmt->a);
  LsNode *cond = v != NULL ? ls_relax_arg (p, v, stmt->a->span) : NULL, *value;
  Branch yes, no;
  gboolean fine;

  if (p->relax->dataflow)
    {
      ls_parse_error (p, stmt->span, "script/structure", "A dataflow block holds no branches.");
      return;
    }
  fine = visit_branch (p, stmt->items, stmt->n, stmt->span, &yes);
  if (stmt->n_more == 0)
    {
      ls_parse_error (p, stmt->span, "script/structure", "An `if` of Relax has an `else`: both give the value.");
      return;
    }
  fine = visit_branch (p, stmt->more, stmt->n_more, stmt->span, &no) && fine;
  if (!fine || cond == NULL)
    return;
  if (strcmp (yes.name, no.name) != 0)
    {
      ls_parse_error (p, stmt->span, "script/structure", "The branches give `%s` and `%s`; both give the same name its value.", yes.name, no.name);
      return;
    }
  value = ls_parse_keep (p, ls_relax_if_new (ls_ref (cond), ls_ref (yes.seq), ls_ref (no.seq)), stmt->span);
  ls_parse_bind (p, ls_arena_strndup (&p->arena, yes.name, strlen (yes.name)),
                 ls_value_node (p, ls_relax_emit (p, yes.name, value, ls_deep_equal (yes.info, no.info) ? yes.info : NULL, stmt->span)));
}

/* ---- the other statements ------------------------------------------------------------------------ */

static void
visit_attributes (LsParse *p,
                  LsSyn   *call)
{
  LsRelaxArgs args;
  LsSpan at;
  LsValue *v;

  if (!ls_relax_args (p, "R.func_attr", call, &args))
    return;
  if ((v = ls_relax_take (&args, 0, "attrs", &at)) == NULL)
    ls_parse_error (p, call->span, "script/arity", "R.func_attr needs a dictionary.");
  else if (ls_relax_all_taken (p, &args))
    p->relax->attrs = ls_value_to_map (p, v, at, "The attributes of a function");
}

static void
visit_expression (LsParse *p,
                  LsSyn   *stmt)
{
  const char *path = path_of_call (p, stmt->a);
  LsValue *v;
  LsNode *value;

  if (path != NULL && strcmp (path, "R.func_attr") == 0)
    {
      visit_attributes (p, stmt->a);
      return;
    }
  if (path != NULL && strcmp (path, "R.output") == 0)
    {
      if (!p->relax->dataflow || p->relax->stmt != stmt)
        ls_parse_error (p, stmt->span, "script/structure", "R.output stands at the end of a dataflow block.");
      return;
    }
  if ((v = ls_eval (p, stmt->a)) == NULL || v->kind == LS_VALUE_STRING || v->kind == LS_VALUE_POISON)
    return;
  if ((value = ls_relax_expr (p, v, stmt->span)) == NULL)
    return;
  {
    g_autoptr (LsNode) known = ls_relax_struct_info (value);
    LsStructInfo *nothing = ls_parse_keep (p, ls_tuple_struct_info_new (ls_array_empty ()), stmt->span), *info;

    info = ls_relax_emit (p, "_", value, ls_is (known, OBJECT_STRUCT_INFO) ? nothing : NULL, stmt->span)->struct_info;
    if (!ls_is_empty_tuple_info (info))
      {
        LsDiagnostic *d = ls_parse_error (p, stmt->span, "script/structure", "The value of this call is given to no variable.");

        if (d != NULL)
          ls_diagnostic_set_repair (d, "Write a name and = in front of it.");
      }
  }
}

static void
visit_return (LsParse *p,
              LsSyn   *stmt)
{
  LsValue *v = stmt->a != NULL ? ls_eval (p, stmt->a) : ls_value_list (p, LS_VALUE_TUPLE, NULL, 0);

  if (p->relax->dataflow)
    ls_parse_error (p, stmt->span, "script/structure", "A dataflow block returns at its end.");
  else if (p->relax->ret != NULL)
    ls_parse_error (p, stmt->span, "script/structure", "A Relax function returns once, at its end.");
  else if (v != NULL)
    p->relax->ret = ls_relax_arg (p, v, stmt->span);
  if (p->relax->ret == NULL)
    p->relax->ret = ls_parse_keep (p, ls_relax_tuple_new (ls_array_empty ()), stmt->span);
}

/* The variable of a local function that says what it takes and gives: known in its own body. */
static LsRelaxVar *
declare_def (LsParse *p,
             LsSyn   *stmt)
{
  LsRelaxState *s = p->relax;
  LsNode *signature = ls_relax_signature (p, stmt);
  gboolean inner = s->dataflow && g_hash_table_lookup (s->outputs, stmt->text) != s->stmt;
  LsRelaxVar *var;

  if (signature == NULL)
    return NULL;
  var = inner ? ls_dataflow_var_new (stmt->text, ls_ref (signature)) : ls_relax_var_new (stmt->text, ls_ref (signature));
  ls_parse_keep (p, var, stmt->span);
  ls_parse_bind (p, stmt->text, ls_value_node (p, var));
  return var;
}

static void
visit_def (LsParse *p,
           LsSyn   *stmt)
{
  LsRelaxState *s = p->relax;
  LsRelaxVar *var = declare_def (p, stmt);
  LsFunction *func = ls_relax_visit_func (p, stmt, FALSE);

  s->stmt = stmt;
  if (func == NULL)
    {
      ls_parse_bind (p, stmt->text, NULL);
      return;
    }
  ls_parse_keep (p, func, stmt->span);
  if (var == NULL || !ls_uses (func->body, var))
    {
      ls_parse_bind (p, stmt->text, ls_value_node (p, ls_relax_emit (p, stmt->text, LS_NODE (func), NULL, stmt->span)));
      return;
    }
  *(s->dataflow ? &s->n_lv : &s->n_gv) += 1;
  g_ptr_array_add (s->bindings, ls_node_set_span (ls_var_binding_new (ls_ref (var), LS_NODE (ls_ref (func))), stmt->span));
}

static void
visit_stmt (LsParse *p,
            LsSyn   *stmt)
{
  LsRelaxState *s = p->relax;

  s->stmt = stmt;
  if (s->ret != NULL)
    {
      ls_parse_error (p, stmt->span, "script/structure", "Nothing follows the end of a Relax function.");
      return;
    }
  switch ((int) stmt->kind)
    {
    case LS_SYN_EXPR: visit_expression (p, stmt); return;
    case LS_SYN_ASSIGN:
      {
        LsValue *v = ls_eval (p, stmt->a);

        if (stmt->n > 1)
          ls_parse_error (p, stmt->span, "script/unsupported", "An assignment of Relax has one name on its left; write one for each.");
        for (guint i = 0; i < stmt->n; i++)
          bind_target (p, stmt->items[i], v, NULL, stmt);
        return;
      }
    case LS_SYN_ANNOTATED: visit_annotated (p, stmt); return;
    case LS_SYN_WITH: visit_with (p, stmt); return;
    case LS_SYN_IF: visit_if (p, stmt); return;
    case LS_SYN_RETURN: visit_return (p, stmt); return;
    case LS_SYN_DEF: visit_def (p, stmt); return;
    case LS_SYN_PASS:
    case LS_SYN_BROKEN: return;
    default:
      ls_parse_error (p, stmt->span, "script/unsupported", "This Python statement has no meaning in a Relax function.");
      return;
    }
}

void
ls_relax_visit_stmts (LsParse *p,
                      LsSyn  **stmts,
                      guint    n)
{
  for (guint i = 0; i < n; i++)
    visit_stmt (p, stmts[i]);
}
