/* printer-relax: Relax functions.
 *
 * What is returned is printed first, because it is that which names dimensions first; it is put behind the parameters.
 * Dimensions are declared at the top of the function.  A call that says its result (call_tir, call_dps_packed) needs no
 * annotation on its left.
 */
#include "engine/relax/analysis.h"
#include "engine/script/printer-private.h"

#define MANY 200                /* parameters; fewer are one line, as TVM prints them */
#define LINE 100                /* characters after which a line of them ends */

static LsNode branch_frame;     /* the frame of a branch: no declaration goes there */

static void put_seq (LsPrinter *p, LsSeqExpr *seq, guint indent);

/* ---- bindings --------------------------------------------------------------------------------- */

static void
put_left (LsPrinter  *p,
          LsRelaxVar *var,
          gboolean    annotated)
{
  ls_printer_put_name (p, var, ls_printer_define (p, var, p->frames->len - 1), LS_SOURCE_DEFINE);
  if (annotated)
    {
      ls_put (p, ": ");
      LS_AT (p, var, LsRelaxVar, struct_info, ls_printer_value (p, var->struct_info));
    }
  ls_put (p, " = ");
}

/* A value on the right of `=`: a tuple stands without brackets. */
static void
put_right (LsPrinter *p,
           LsNode    *value)
{
  LsRelaxTuple *tuple = (LsRelaxTuple *) value;

  if (!ls_is (value, RELAX_TUPLE) || tuple->fields->n == 0)
    {
      ls_printer_value (p, value);
      return;
    }
  LS_AT (p, tuple, LsRelaxTuple, fields, ls_printer_items (p, tuple->fields));
  ls_put (p, tuple->fields->n == 1 ? "," : "");
}

static void
put_branch (LsPrinter  *p,
            LsSeqExpr  *seq,
            LsRelaxVar *var,
            guint       indent)
{
  ls_printer_push (p, &branch_frame, indent);
  if (ls_is (seq, SEQ_EXPR))
    put_seq (p, seq, indent);
  ls_printer_line (p, indent);
  put_left (p, var, TRUE);
  if (ls_is (seq, SEQ_EXPR))
    LS_AT (p, seq, LsSeqExpr, body, put_right (p, seq->body));
  else
    put_right (p, LS_NODE (seq));
  ls_put_char (p, '\n');
  ls_printer_pop (p);
}

static void
put_if (LsPrinter  *p,
        LsRelaxIf  *value,
        LsRelaxVar *var,
        guint       indent)
{
  ls_printer_define (p, var, p->frames->len - 1);
  ls_printer_line (p, indent);
  ls_put (p, "if ");
  LS_AT (p, value, LsRelaxIf, cond, ls_printer_value (p, value->cond));
  ls_put (p, ":\n");
  LS_AT (p, value, LsRelaxIf, true_branch, put_branch (p, (LsSeqExpr *) value->true_branch, var, indent + 1));
  ls_printer_line (p, indent);
  ls_put (p, "else:\n");
  LS_AT (p, value, LsRelaxIf, false_branch, put_branch (p, (LsSeqExpr *) value->false_branch, var, indent + 1));
}

static void
put_local_function (LsPrinter  *p,
                    LsFunction *func,
                    LsRelaxVar *var,
                    guint       indent)
{
  const char *name = ls_printer_define (p, var, p->frames->len - 1);

  if (!p->options.no_header)
    {
      ls_printer_line (p, indent);
      ls_put (p, "# from tvm.script import relax as R\n");
      ls_printer_line (p, indent);
      ls_put_char (p, '\n');
    }
  ls_printer_relax_func (p, func, name, indent, FALSE);
  ls_put_char (p, '\n');
}

/* A value that says its result, when that is what is known of the variable: a call that names it, and where known things
 * are hidden whatever follows from operands. */
static gboolean
says_result (LsPrinter    *p,
             LsNode       *value,
             LsStructInfo *known)
{
  gboolean names = ls_is_relax_call (value, "relax.call_tir") || ls_is_relax_call (value, "relax.call_dps_packed");
  gboolean follows = ls_is (value, RELAX_CALL) || ls_is (value, RELAX_TUPLE) || ls_is (value, TUPLE_GET_ITEM) || ls_is_relax_var (value);
  g_autoptr (LsNode) info = NULL;

  if (!names && !(p->options.hide_known && follows))
    return FALSE;
  info = ls_relax_struct_info (value);
  return ls_structural_equal (info, known, FALSE, NULL, NULL);
}

static gboolean
is_for_effect (LsVarBinding *binding)
{
  g_autoptr (LsNode) info = NULL;

  if (!ls_is (binding->value, RELAX_CALL) || !ls_is_void_struct_info (binding->var->struct_info))
    return FALSE;
  info = ls_relax_struct_info (binding->value);
  return ls_is_void_struct_info (info) || ls_is (info, OBJECT_STRUCT_INFO);
}

static void
put_var_binding (LsPrinter    *p,
                 LsVarBinding *binding,
                 guint         indent)
{
  if (ls_is (binding->value, RELAX_IF))
    {
      LS_AT (p, binding, LsVarBinding, value, put_if (p, (LsRelaxIf *) binding->value, binding->var, indent));
      return;
    }
  if (ls_is (binding->value, FUNCTION))
    {
      LS_AT (p, binding, LsVarBinding, value, put_local_function (p, (LsFunction *) binding->value, binding->var, indent));
      return;
    }
  ls_printer_line (p, indent);
  if (!is_for_effect (binding))
    LS_AT (p, binding, LsVarBinding, var, put_left (p, binding->var, !says_result (p, binding->value, binding->var->struct_info)));
  LS_AT (p, binding, LsVarBinding, value, put_right (p, binding->value));
  ls_put_char (p, '\n');
}

static void
put_match_cast (LsPrinter   *p,
                LsMatchCast *cast,
                guint        indent)
{
  ls_printer_line (p, indent);
  if (cast->var != NULL)
    LS_AT (p, cast, LsMatchCast, var, put_left (p, cast->var, !p->options.hide_known));
  ls_put (p, "R.match_cast(");
  LS_AT (p, cast, LsMatchCast, value, ls_printer_value (p, cast->value));
  ls_put (p, ", ");
  LS_AT (p, cast, LsMatchCast, struct_info, ls_printer_value (p, cast->struct_info));
  ls_put (p, ")\n");
}

static void
put_declaration (LsPrinter  *p,
                 LsRelaxVar *var,
                 guint       indent)
{
  ls_printer_line (p, indent);
  ls_printer_put_name (p, var, ls_printer_define (p, var, p->frames->len - 1), LS_SOURCE_DEFINE);
  ls_put (p, ": ");
  ls_printer_value (p, var->struct_info);
  ls_put_char (p, '\n');
}

typedef struct {
  LsPrinter *printer;
  guint      indent;
} Declarations;

static LsWalk
declare_unknown (LsNode  *node,
                 gpointer user_data)
{
  const Declarations *self = user_data;

  if (ls_is (node, RELAX_IF) || ls_is (node, FUNCTION) || ls_is (node, CONSTANT))
    return LS_WALK_PRUNE;
  if (ls_is_relax_var (node) && ls_printer_name (self->printer, node) == NULL)
    put_declaration (self->printer, (LsRelaxVar *) node, self->indent);
  return LS_WALK_CONTINUE;
}

/* What no binding above has made, as a storage that StaticPlanBlockMemory names in both branches of an If: TVM says only
 * what it is. */
static void
put_unknown (LsPrinter *p,
             LsNode    *binding,
             guint      indent)
{
  Declarations declarations = { p, indent };

  ls_walk (ls_binding_value (binding), declare_unknown, NULL, &declarations);
}

static void
put_binding (LsPrinter *p,
             LsNode    *binding,
             guint      indent)
{
  guint range;

  put_unknown (p, binding, indent);
  range = ls_printer_open (p, binding, LS_SOURCE_NODE);
  if (ls_is (binding, MATCH_CAST))
    put_match_cast (p, (LsMatchCast *) binding, indent);
  else
    put_var_binding (p, (LsVarBinding *) binding, indent);
  ls_printer_close (p, range);
}

static LsRelaxVar *
bound_by (LsNode *binding)
{
  return ls_is (binding, MATCH_CAST) ? ((LsMatchCast *) binding)->var : ((LsVarBinding *) binding)->var;
}

static void
put_outputs (LsPrinter      *p,
             LsBindingBlock *block,
             guint           indent)
{
  gboolean first = TRUE;

  ls_printer_line (p, indent);
  ls_put (p, "R.output(");
  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsRelaxVar *var = bound_by (block->bindings->items[i]);

      if (!ls_is (var, RELAX_VAR))
        continue;
      ls_put (p, first ? "" : ", ");
      first = FALSE;
      ls_printer_value (p, var);
    }
  ls_put (p, ")\n");
}

static void
put_block (LsPrinter      *p,
           LsBindingBlock *block,
           guint           indent)
{
  gboolean dataflow = ls_is (block, DATAFLOW_BLOCK);
  guint range = ls_printer_open (p, block, LS_SOURCE_NODE);

  if (dataflow)
    {
      ls_printer_line (p, indent);
      ls_put (p, "with R.dataflow():\n");
    }
  for (guint i = 0; i < block->bindings->n; i++)
    LS_AT (p, block, LsBindingBlock, bindings, LS_AT_ITEM (p, i, put_binding (p, block->bindings->items[i], indent + dataflow)));
  if (dataflow)
    put_outputs (p, block, indent + 1);
  ls_printer_close (p, range);
}

static void
put_seq (LsPrinter *p,
         LsSeqExpr *seq,
         guint      indent)
{
  for (guint i = 0; i < seq->blocks->n; i++)
    LS_AT (p, seq, LsSeqExpr, blocks, LS_AT_ITEM (p, i, put_block (p, (LsBindingBlock *) seq->blocks->items[i], indent)));
}

/* ---- parts by themselves -------------------------------------------------------------------------- */

static void
put_outside_vars (LsPrinter *p,
                  LsNode    *node)
{
  g_autoptr (GPtrArray) vars = ls_relax_free_vars (node);

  for (guint i = 0; i < vars->len; i++)
    put_declaration (p, vars->pdata[i], 0);
}

void
ls_printer_relax_part (LsPrinter *p,
                       LsNode    *node)
{
  ls_printer_begin (p);
  put_outside_vars (p, node);
  if (ls_is (node, SEQ_EXPR))
    {
      put_seq (p, (LsSeqExpr *) node, 0);
      LS_AT (p, (LsSeqExpr *) node, LsSeqExpr, body, ls_printer_value (p, ((LsSeqExpr *) node)->body));
    }
  else if (ls_is (node, BINDING_BLOCK) || ls_is (node, DATAFLOW_BLOCK))
    put_block (p, (LsBindingBlock *) node, 0);
  else
    put_binding (p, node, 0);
}

/* ---- functions ----------------------------------------------------------------------------------- */

static char *
print_result (LsPrinter  *p,
              LsFunction *func)
{
  GString *outer = p->out;
  GString *text = p->out = g_string_new (NULL);

  p->muted++;
  ls_printer_value (p, func->ret_struct_info);
  p->muted--;
  p->out = outer;
  return g_string_free (text, FALSE);
}

static void
put_parameter (LsPrinter  *p,
               LsRelaxVar *var)
{
  ls_printer_put_name (p, var, ls_printer_define (p, var, p->frames->len - 1), LS_SOURCE_DEFINE);
  ls_put (p, ": ");
  LS_AT (p, var, LsRelaxVar, struct_info, ls_printer_value (p, var->struct_info));
}

/* The parameters of a large model would be one line of hundreds of kilobytes, which every view of text lays out whole: more than MANY go on
 * below, unless one wants TVM's text. */
static void
put_parameters (LsPrinter  *p,
                LsFunction *func,
                guint       indent)
{
  gsize begin = p->out->len;

  for (guint i = 0; i < func->params->n; i++)
    {
      ls_put (p, i > 0 ? "," : "");
      if (i > 0 && func->params->n > MANY && !p->options.whole_heads && p->out->len - begin > LINE)
        {
          ls_put (p, "\n");
          begin = p->out->len;
          ls_printer_line (p, indent + 2);
        }
      else if (i > 0)
        ls_put (p, " ");
      LS_AT (p, func, LsFunction, params, LS_AT_ITEM (p, i, put_parameter (p, ls_array_at (func->params, i, LsRelaxVar))));
    }
}

static void
put_attributes (LsPrinter  *p,
                LsFunction *func,
                const char *name,
                guint       indent)
{
  LsNode *symbol = ls_map_get (func->attrs, "global_symbol");
  gboolean same = ls_is (symbol, STRING) && g_str_equal (((LsString *) symbol)->value, name), first = TRUE;

  if (func->attrs->n == (same ? 1u : 0u))
    return;
  ls_printer_line (p, indent);
  ls_put (p, "R.func_attr({");
  for (guint i = 0; i < func->attrs->n; i++)
    {
      if (same && g_str_equal (func->attrs->keys[i], "global_symbol"))
        continue;
      ls_put (p, first ? "" : ", ");
      first = FALSE;
      ls_printer_put_string (p, func->attrs->keys[i]);
      ls_put (p, ": ");
      LS_AT (p, func, LsFunction, attrs, LS_AT_ITEM (p, i, ls_printer_value (p, func->attrs->values[i])));
    }
  ls_put (p, "})\n");
}

static LsWalk
stop_at_global (LsNode  *node,
                gpointer user_data)
{
  return ls_is (node, GLOBAL_VAR) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static void
put_decorator (LsPrinter  *p,
               LsFunction *func,
               gboolean    is_global)
{
  gboolean is_private = is_global && ls_map_get (func->attrs, "global_symbol") == NULL;

  ls_put (p, "@R.function");
  if (is_private || !func->is_pure)
    {
      ls_put_char (p, '(');
      ls_put (p, is_private ? "private=True" : "");
      ls_put (p, is_private && !func->is_pure ? ", " : "");
      ls_put (p, func->is_pure ? "" : "pure=False");
      ls_put_char (p, ')');
    }
  ls_put_char (p, '\n');
}

static void
put_head (LsPrinter  *p,
          LsFunction *func,
          const char *name,
          guint       indent,
          gboolean    is_global)
{
  GHashTable *outer = p->signature;
  g_autofree char *result = NULL;

  p->signature = g_hash_table_new (NULL, NULL);
  put_decorator (p, func, is_global);
  ls_printer_line (p, indent);
  ls_put (p, "def ");
  ls_put (p, name);
  ls_put_char (p, '(');
  result = print_result (p, func);
  put_parameters (p, func, indent);
  ls_put (p, ") -> ");
  ls_put (p, result);
  ls_put (p, ":\n");
  g_hash_table_unref (p->signature);
  p->signature = outer;
}

static void
put_body (LsPrinter *p,
          LsSeqExpr *body,
          guint      indent)
{
  put_seq (p, body, indent);
  ls_printer_line (p, indent);
  ls_put (p, "return ");
  LS_AT (p, body, LsSeqExpr, body, ls_printer_value (p, body->body));
  ls_put_char (p, '\n');
}

void
ls_printer_relax_func (LsPrinter  *p,
                       LsFunction *func,
                       const char *name,
                       guint       indent,
                       gboolean    is_global)
{
  LsNode *root = p->scope_root;
  gboolean relax = p->relax;
  guint range;

  p->relax = TRUE;
  p->scope_root = LS_NODE (func);
  g_clear_pointer (&p->ancestors, ls_ancestors_free);
  ls_printer_push (p, func, indent + 1);
  ls_printer_line (p, indent);
  range = ls_printer_open (p, func, LS_SOURCE_NODE);
  put_head (p, func, name, indent, is_global);
  ls_printer_begin (p);
  put_attributes (p, func, name, indent + 1);
  if (is_global && p->module_title != NULL && !ls_walk (func->body, stop_at_global, NULL, NULL))
    {
      ls_printer_line (p, indent + 1);
      ls_put (p, "cls = ");
      ls_put (p, p->module_title);
      ls_put_char (p, '\n');
    }
  ls_printer_top (p)->position = p->out->len;
  LS_AT (p, func, LsFunction, body, put_body (p, (LsSeqExpr *) func->body, indent + 1));
  ls_printer_close (p, range);
  ls_printer_pop (p);
  p->scope_root = root;
  g_clear_pointer (&p->ancestors, ls_ancestors_free);
  p->relax = relax;
}
