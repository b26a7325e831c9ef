/* module: a file to an IRModule.
 *
 * A class decorated with I.ir_module (or tvm.script.ir_module) is a module: its functions are declared first, so that
 * they can call each other, then read.  Functions decorated with T.prim_func outside of classes are put into one too.
 * Functions decorated with R.function are read by relax-func.c.
 */
#include "engine/arith/analyzer.h"
#include "engine/script/kept-names.h"
#include "engine/script/script-private.h"
#include "engine/script/vdevice.h"

typedef enum { DEF_NONE, DEF_PRIM_FUNC, DEF_RELAX } DefKind;

typedef struct {
  LsParse    *p;
  GPtrArray  *gvars;            /* of LsGlobalVar (references) */
  GPtrArray  *funcs;            /* of LsPrimFunc and LsFunction (references) */
  GHashTable *index;            /* name -> position + 1 */
  guint       n_modules;
} Builder;

/* ---- decorators ------------------------------------------------------------------------------ */

/* The canonical path of a dotted name: "T.prim_func", "I.ir_module"; NULL when it is none. */
static const char *
dotted_path (LsParse *p,
             LsSyn   *syn)
{
  const char *base;
  LsValue *v;

  if (syn->kind == LS_SYN_CALL)
    return dotted_path (p, syn->a);
  if (syn->kind == LS_SYN_NAME)
    {
      v = ls_parse_lookup (p, syn->text);
      if (v == NULL)
        v = ls_host_lookup (p, syn->text, syn);
      if (v != NULL && v->kind == LS_VALUE_MODULE)
        return v->s;
      if (v != NULL && v->kind == LS_VALUE_FUNC && v->entry != NULL)
        return ls_arena_join (&p->arena, "T.", v->entry->name, "");
      return syn->text;
    }
  if (syn->kind != LS_SYN_ATTR || (base = dotted_path (p, syn->a)) == NULL)
    return NULL;
  v = ls_module_value (p, ls_arena_join (&p->arena, base, ".", syn->text));
  return v->kind == LS_VALUE_MODULE ? v->s : NULL;
}

static LsSyn *
find_decorator (LsParse    *p,
                LsSyn      *def,
                const char *path)
{
  for (guint i = 0; i < def->n_more; i++)
    {
      const char *here = dotted_path (p, def->more[i]);

      if (here != NULL && strcmp (here, path) == 0)
        return def->more[i];
    }
  return NULL;
}

/* T.prim_func, which the newest scripts call function as Relax does. */
static LsSyn *
prim_func_decorator (LsParse *p,
                     LsSyn   *def)
{
  LsSyn *decorator = find_decorator (p, def, "T.prim_func");

  return decorator != NULL ? decorator : find_decorator (p, def, "T.function");
}

/* A line of its own above the definition, as far in. */
static void
fix_above (LsParse      *p,
           LsDiagnostic *d,
           const LsSyn  *def,
           const char   *line)
{
  guint32 start = def->name_span.start, end;
  LsSpan at;

  while (start > 0 && p->text[start - 1] != '\n')
    start--;
  for (end = start; p->text[end] == ' ' || p->text[end] == '\t'; end++)
    ;
  at = (LsSpan) { def->name_span.source, end, end };
  ls_diagnostic_set_fix (d, at, ls_arena_printf (&p->arena, "%s\n%.*s", line, (int) (end - start), p->text + start));
}

static DefKind
def_kind (LsParse *p,
          LsSyn   *def)
{
  if (prim_func_decorator (p, def) != NULL)
    return DEF_PRIM_FUNC;
  return find_decorator (p, def, "R.function") != NULL ? DEF_RELAX : DEF_NONE;
}

static gboolean
is_private (LsParse *p,
            LsSyn   *def)
{
  LsSyn *decorator = prim_func_decorator (p, def);

  for (guint i = 0; decorator != NULL && decorator->kind == LS_SYN_CALL && i < decorator->n; i++)
    if (decorator->items[i]->kind == LS_SYN_KEYWORD && strcmp (decorator->items[i]->text, "private") == 0)
      return decorator->items[i]->a->kind == LS_SYN_BOOL_LITERAL && decorator->items[i]->a->integer != 0;
  return FALSE;
}

/* ---- functions ----------------------------------------------------------------------------------- */

static void
add_function (Builder     *b,
              LsGlobalVar *gvar,
              LsNode      *func)
{
  gpointer at = g_hash_table_lookup (b->index, gvar->name_hint);

  if (at != NULL)
    {
      guint i = GPOINTER_TO_UINT (at) - 1;

      ls_unref (b->gvars->pdata[i]);
      ls_unref (b->funcs->pdata[i]);
      b->gvars->pdata[i] = ls_ref (gvar);
      b->funcs->pdata[i] = func;
      return;
    }
  g_ptr_array_add (b->gvars, ls_ref (gvar));
  g_ptr_array_add (b->funcs, func);
  g_hash_table_insert (b->index, gvar->name_hint, GUINT_TO_POINTER (b->gvars->len));
}

static void
visit_def (Builder *b,
           LsSyn   *def)
{
  LsParse *p = b->p;
  LsGlobalVar *gvar = p->globals != NULL ? g_hash_table_lookup (p->globals, def->text) : NULL;
  LsNode *func;

  if (gvar == NULL)
    gvar = ls_parse_keep (p, ls_global_var_new (def->text), def->name_span);
  func = def_kind (p, def) == DEF_RELAX ? LS_NODE (ls_relax_visit_func (p, def, TRUE)) : LS_NODE (ls_tir_visit_func (p, def, is_private (p, def)));
  if (ls_is (func, FUNCTION) && p->global_sigs != NULL)
    g_hash_table_insert (p->global_sigs, (gpointer) def->text, ls_parse_keep (p, ls_relax_struct_info (func), def->span));
  if (ls_is (func, FUNCTION) && p->global_rets != NULL)
    g_hash_table_insert (p->global_rets, (gpointer) def->text,
                         ls_value_node (p, ls_parse_keep (p, ls_ref (((LsFunction *) func)->ret_struct_info), def->span)));
  for (guint i = 0; i + 1 < p->made->len; i += 2)
    add_function (b, p->made->pdata[i], ls_node_ref (p->made->pdata[i + 1]));
  g_ptr_array_set_size (p->made, 0);
  if (func != NULL)
    add_function (b, gvar, func);
}

static void
visit_free_def (Builder *b,
                LsSyn   *def)
{
  LsParse *p = b->p;

  switch (def_kind (p, def))
    {
    case DEF_PRIM_FUNC:
    case DEF_RELAX:
      if (g_hash_table_contains (b->index, def->text))
        ls_parse_warning (p, def->name_span, "script/duplicate", "The function %s is defined twice; the later one counts.", def->text);
      visit_def (b, def);
      ls_python_stmt (p, def);
      break;
    case DEF_NONE:
      ls_python_stmt (p, def);
      break;
    }
}

/* ---- classes ---------------------------------------------------------------------------------------- */

static LsValue *
return_annotation (LsParse *p,
                   LsSyn   *def)
{
  gboolean quiet = p->quiet;
  LsValue *v;

  p->quiet = TRUE;
  v = def->b != NULL ? ls_eval (p, def->b) : NULL;
  p->quiet = quiet;
  return v;
}

static void
declare (LsParse *p,
         LsSyn   *def)
{
  LsGlobalVar *gvar;
  DefKind kind = def_kind (p, def);
  LsValue *ret = NULL;
  LsNode *signature;

  if (kind == DEF_NONE)
    return;
  if (g_hash_table_contains (p->globals, def->text))
    {
      ls_parse_error (p, def->name_span, "script/duplicate", "The module has two functions `%s`.", def->text);
      return;
    }
  gvar = ls_parse_keep (p, ls_global_var_new (def->text), def->name_span);
  g_hash_table_insert (p->globals, (gpointer) def->text, gvar);
  ls_parse_bind (p, def->text, ls_value_node (p, gvar));
  if (kind == DEF_PRIM_FUNC && (ret = return_annotation (p, def)) != NULL && ret->kind != LS_VALUE_NONE)
    g_hash_table_insert (p->global_rets, (gpointer) def->text, ret);
  else if (kind == DEF_PRIM_FUNC && (def->b == NULL || (ret != NULL && ret->kind == LS_VALUE_NONE)))
    g_hash_table_insert (p->global_rets, (gpointer) def->text,
                         ls_value_node (p, ls_parse_keep (p, ls_tuple_struct_info_new (ls_array_empty ()), def->name_span)));
  if (kind == DEF_RELAX && (signature = ls_relax_signature (p, def)) != NULL)
    g_hash_table_insert (p->global_sigs, (gpointer) def->text, signature);
}

/* name = R.ExternFunc ("symbol") */
static gboolean
is_extern (LsParse *p,
           LsSyn   *stmt)
{
  const char *path = stmt->n == 1 && stmt->items[0]->kind == LS_SYN_NAME && stmt->a->kind == LS_SYN_CALL ? dotted_path (p, stmt->a) : NULL;

  return path != NULL && strcmp (path, "R.ExternFunc") == 0;
}

static void
add_extern (Builder *b,
            LsSyn   *stmt)
{
  LsParse *p = b->p;
  LsSyn *name = stmt->items[0];
  LsSyn *symbol = stmt->a->n == 1 || stmt->a->n == 2 ? stmt->a->items[0] : NULL, *info = stmt->a->n == 2 ? stmt->a->items[1] : NULL;
  LsValue *v = symbol != NULL ? ls_eval (p, symbol->kind == LS_SYN_KEYWORD ? symbol->a : symbol) : NULL;
  LsStructInfo *known = info != NULL ? ls_relax_annotation (p, info->kind == LS_SYN_KEYWORD ? info->a : info) : NULL;
  LsGlobalVar *gvar;

  if (v == NULL || v->kind != LS_VALUE_STRING)
    {
      ls_parse_error (p, stmt->a->span, "script/type", "A function from outside has one text, its name.");
      return;
    }
  if (info != NULL && known == NULL)
    return;
  gvar = ls_parse_keep (p, ls_global_var_new (name->text), name->span);
  g_hash_table_insert (p->globals, (gpointer) name->text, gvar);
  ls_parse_bind (p, name->text, ls_value_node (p, gvar));
  add_function (b, gvar, ls_extern_func_new_full (v->s, known != NULL ? ls_ref (known) : NULL));
}

static void
visit_member (Builder *b,
              LsSyn   *stmt)
{
  LsParse *p = b->p;
  LsValue *v;

  if (stmt->kind == LS_SYN_EXPR)
    {
      if ((v = ls_eval (p, stmt->a)) != NULL && v->kind != LS_VALUE_NONE && v->kind != LS_VALUE_STRING)
        ls_parse_error (p, stmt->span, "script/structure", "A module holds functions; this is %s.", ls_value_describe (p, v));
    }
  else if (stmt->kind == LS_SYN_ASSIGN && is_extern (p, stmt))
    add_extern (b, stmt);
  else if (stmt->kind == LS_SYN_ASSIGN || stmt->kind == LS_SYN_IMPORT || stmt->kind == LS_SYN_FROM || stmt->kind == LS_SYN_ANNOTATED)
    ls_python_stmt (p, stmt);
  else if (stmt->kind != LS_SYN_DEF && stmt->kind != LS_SYN_PASS && stmt->kind != LS_SYN_BROKEN)
    ls_parse_error (p, stmt->span, "script/structure", "A module holds functions; this statement has no meaning in it.");
}

static void
visit_member_def (Builder *b,
                  LsSyn   *def)
{
  LsDiagnostic *d;

  switch (def_kind (b->p, def))
    {
    case DEF_PRIM_FUNC:
    case DEF_RELAX:
      visit_def (b, def);
      break;
    case DEF_NONE:
      d = ls_parse_error (b->p, def->name_span, "script/structure", "The function %s of the module has no decorator that says what it is.", def->text);
      ls_diagnostic_set_repair (d, "Write @T.prim_func or @R.function above it.");
      if (def->n_more == 0)
        fix_above (b->p, d, def, "@T.prim_func");
      break;
    }
}

static void
visit_class (Builder *b,
             LsSyn   *syn)
{
  LsParse *p = b->p;
  GHashTable *outer = p->globals, *outer_rets = p->global_rets, *outer_sigs = p->global_sigs;

  if (b->n_modules++ > 0)
    ls_parse_warning (p, syn->name_span, "script/duplicate", "The file defines several modules; their functions are put together.");
  p->globals = g_hash_table_new (g_str_hash, g_str_equal);
  p->global_rets = g_hash_table_new (g_str_hash, g_str_equal);
  p->global_sigs = g_hash_table_new (g_str_hash, g_str_equal);
  ls_parse_push_scope (p);
  ls_parse_bind (p, syn->text, ls_value_new (p, LS_VALUE_IR_MODULE));
  for (guint i = 0; i < syn->n; i++)
    visit_member (b, syn->items[i]);
  ls_parse_bind (p, "cls", ls_value_new (p, LS_VALUE_IR_MODULE));
  for (guint i = 0; i < syn->n; i++)
    if (syn->items[i]->kind == LS_SYN_DEF)
      declare (p, syn->items[i]);
  for (guint i = 0; i < syn->n; i++)
    if (syn->items[i]->kind == LS_SYN_DEF)
      visit_member_def (b, syn->items[i]);
  ls_parse_pop_scope (p);
  g_hash_table_unref (p->globals);
  g_hash_table_unref (p->global_rets);
  g_hash_table_unref (p->global_sigs);
  p->globals = outer;
  p->global_rets = outer_rets;
  p->global_sigs = outer_sigs;
  ls_parse_bind (p, syn->text, ls_value_new (p, LS_VALUE_OPAQUE));
}

static gboolean
holds_prim_func (LsParse *p,
                 LsSyn   *syn)
{
  for (guint i = 0; i < syn->n; i++)
    if (syn->items[i]->kind == LS_SYN_DEF && def_kind (p, syn->items[i]) == DEF_PRIM_FUNC)
      return TRUE;
  return FALSE;
}

static void
visit_free_class (Builder *b,
                  LsSyn   *syn)
{
  LsDiagnostic *d;

  if (find_decorator (b->p, syn, "I.ir_module") != NULL)
    visit_class (b, syn);
  else if (holds_prim_func (b->p, syn))
    {
      d = ls_parse_error (b->p, syn->name_span, "script/structure", "The class %s holds TensorIR but is no module.", syn->text);
      ls_diagnostic_set_repair (d, "Write @I.ir_module above it.");
      fix_above (b->p, d, syn, "@I.ir_module");
      visit_class (b, syn);
    }
  else
    ls_python_stmt (b->p, syn);
}

static void
visit_file (Builder *b,
            LsSyn  **stmts,
            guint    n)
{
  for (guint i = 0; i < n; i++)
    if (stmts[i]->kind == LS_SYN_DEF)
      visit_free_def (b, stmts[i]);
    else if (stmts[i]->kind == LS_SYN_CLASS)
      visit_free_class (b, stmts[i]);
    else if (stmts[i]->kind == LS_SYN_BROKEN)
      visit_file (b, stmts[i]->items, stmts[i]->n);
    else
      ls_python_stmt (b->p, stmts[i]);
}

static LsModule *parse_file (LsSource *source, LsScriptHost *host, LsDiagnostics *diagnostics, LsNode **only);

LsModule *
ls_script_parse (LsSource      *source,
                 LsDiagnostics *diagnostics)
{
  return parse_file (source, NULL, diagnostics, NULL);
}

LsModule *
ls_script_parse_with (LsSource      *source,
                      LsScriptHost  *host,
                      LsDiagnostics *diagnostics)
{
  return parse_file (source, host, diagnostics, NULL);
}

LsModule *
ls_script_parse_file (LsSource      *source,
                      LsDiagnostics *diagnostics,
                      LsNode       **only)
{
  return parse_file (source, NULL, diagnostics, only);
}

/* What a text of another kind is, which would give an error for nearly each of its lines; NULL: it may be a script. */
static const char *
what_else (const char *text,
           gsize       length)
{
  const char *at = text + strspn (text, " \t\r\n");

  if (length > 16 && text[8] == '{' && text[7] == '\0' && memchr (text + 8, '}', length - 8) != NULL)
    return "These are weights (safetensors), not a program; they are read beside the graph that names them (a .fx.json), and `loopscope-cli classify --weights` takes them.";
  if (length > 4 && memcmp (text, "PK\003\004", 4) == 0)
    return "This is an archive, not a script; a program of torch.export has a name that ends with .pt2; weights (.npz) are taken by `loopscope-cli classify --weights`.";
  if (*at == '{' && strstr (at, "\"tvm_version\"") != NULL)
    return "This is a module as save_json of TVM writes it; such a file is opened where its name ends with .json, and here its TVMScript is read: open(\"m.py\", \"w\").write(mod.script(show_meta=True)).";
  if (*at == '{' && strstr (at, "\"cells\"") != NULL)
    return "This is a notebook, not a script; `loopscope-cli lesson run` runs its cells, and `lesson export` makes a page of it.";
  if (g_str_has_prefix (text, "```python") || g_str_has_prefix (text, "```{.python") || strstr (text, "\n```python") != NULL || strstr (text, "\n```{.python") != NULL)
    return "This is a text with cells (a lesson), not a script; `loopscope-cli lesson run` runs its cells, and `lesson export` makes a page of it.";
  return NULL;
}

/* A function of Python that lacks its decorator, or has that of a class, is what was meant. */
static void
say_nothing_defined (LsParse *p,
                     LsSyn  **stmts,
                     guint    n)
{
  LsDiagnostic *d;
  guint at = 0;

  while (at < n && stmts[at]->kind != LS_SYN_DEF)
    at++;
  if (at == n)
    {
      ls_parse_error (p, (LsSpan) { p->source_id }, "script/structure", "The text defines no module and no TensorIR or Relax function.");
      return;
    }
  if (find_decorator (p, stmts[at], "I.ir_module") != NULL)
    d = ls_parse_error (p, stmts[at]->name_span, "script/structure", "A module is a class; %s is a function.", stmts[at]->text);
  else
    d = ls_parse_error (p, stmts[at]->name_span, "script/structure", "%s is a function of Python; the text defines no TensorIR or Relax function.", stmts[at]->text);
  ls_diagnostic_set_repair (d, "Write @T.prim_func above it, or @R.function.");
  if (stmts[at]->n_more == 0)
    fix_above (p, d, stmts[at], "@T.prim_func");
}

static LsModule *
parse_file (LsSource      *source,
            LsScriptHost  *host,
            LsDiagnostics *diagnostics,
            LsNode       **only)
{
  g_autoptr (LsDiagnostics) own = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new (), unsaid = ls_diagnostics_new ();
  LsParse p;
  LsSynParser syntax;
  g_autoptr (GPtrArray) stmts = NULL;
  Builder b = { .p = &p };
  LsModule *module = NULL;
  const char *text, *other;
  gsize length = 0;

  g_return_val_if_fail (source != NULL, NULL);
  text = ls_source_get_text (source, &length);
  other = what_else (text, length);
  ls_parse_init (&p, source, own);
  b.gvars = g_ptr_array_new ();
  b.funcs = g_ptr_array_new ();
  b.index = g_hash_table_new (g_str_hash, g_str_equal);
  p.host = host;
  ls_python_defaults (&p);
  ls_syn_parser_init (&syntax, source, &p.arena, other == NULL ? own : unsaid);
  if (other != NULL)
    ls_parse_error (&p, (LsSpan) { p.source_id, 0, 0 }, "script/other", "%s", other);
  stmts = other == NULL ? ls_syn_parse_file (&syntax) : g_ptr_array_new ();
  visit_file (&b, (LsSyn **) stmts->pdata, stmts->len);
  if (b.gvars->len == 0 && b.n_modules == 0 && !ls_diagnostics_has_error (own))
    say_nothing_defined (&p, (LsSyn **) stmts->pdata, stmts->len);
  if (only != NULL)
    *only = b.gvars->len == 1 && b.n_modules == 0 ? ls_node_ref (b.funcs->pdata[0]) : NULL;
  if (b.gvars->len > 0 || b.n_modules > 0)
    module = ls_module_new (ls_array_new (b.gvars->pdata, b.gvars->len), ls_array_new (b.funcs->pdata, b.funcs->len),
                            p.module_attrs != NULL ? ls_ref (p.module_attrs) : NULL, p.global_infos != NULL ? ls_ref (p.global_infos) : NULL);
  if (module != NULL)
    ls_kept_names_take (module, source, host != NULL);
  g_hash_table_unref (b.index);
  g_ptr_array_unref (b.gvars);
  g_ptr_array_unref (b.funcs);
  ls_syn_parser_clear (&syntax);
  ls_parse_clear (&p);
  return module;
}

LsExpr *
ls_script_parse_expr (LsSource         *source,
                      GHashTable       *vars,
                      LsScriptExprFlags flags,
                      LsDiagnostics    *diagnostics)
{
  g_autoptr (LsDiagnostics) own = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  LsParse p;
  LsSynParser syntax;
  LsSyn *syn;
  LsExpr *e = NULL;

  g_return_val_if_fail (source != NULL, NULL);
  ls_parse_init (&p, source, own);
  p.expr_vars = vars;
  p.expr_flags = flags;
  p.relaxed_names = TRUE;
  ls_parse_bind (&p, "T", ls_module_value (&p, "T"));
  ls_parse_bind (&p, "tir", ls_module_value (&p, "T"));
  ls_parse_bind (&p, "I", ls_module_value (&p, "I"));
  ls_parse_bind (&p, "tvm", ls_module_value (&p, "tvm"));
  ls_syn_parser_init (&syntax, source, &p.arena, own);
  syn = ls_syn_parse_single (&syntax);
  if (syn != NULL && !ls_diagnostics_has_error (own))
    e = ls_eval_expr (&p, syn);
  if (e != NULL)
    ls_ref (e);
  ls_syn_parser_clear (&syntax);
  ls_parse_clear (&p);
  return e;
}

/* ---- I.* ------------------------------------------------------------------------------------------------- */

static LsValue *
handle_module_attrs (LsParse       *p,
                     const LsEntry *entry,
                     LsArgs        *args)
{
  LsMap *map = ls_value_to_map (p, args->slot[0], args->span[0], entry->rule == 0 ? "The attributes of a module" : "The global infos of a module");

  if (map == NULL)
    return NULL;
  if (entry->rule == 0)
    p->module_attrs = map;
  else
    p->global_infos = map;
  return ls_value_new (p, LS_VALUE_NONE);
}

static LsMap *
info (LsParse    *p,
      const char *kind,
      LsSpan      span)
{
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsNode) name = LS_NODE (ls_string_new (kind));

  return ls_parse_keep (p, ls_map_set (empty, "kind", name), span);
}

static LsValue *
handle_dummy (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  return ls_value_node (p, info (p, "DummyGlobalInfo", args->call));
}

static LsValue *
handle_vdevice (LsParse       *p,
                const LsEntry *entry,
                LsArgs        *args)
{
  static const char *const NAMES[] = { "target", "vdevice_id", "memory_scope" };
  LsMap *map = info (p, "VDevice", args->call);

  for (guint i = 0; i < 3; i++)
    if (args->slot[i] != NULL)
      {
        LsNode *value = ls_value_to_attr (p, args->slot[i], args->span[i]);

        if (value == NULL)
          return NULL;
        map = ls_parse_keep (p, ls_map_set (map, NAMES[i], value), args->call);
      }
  if (args->slot[1] == NULL)
    map = ls_parse_keep (p, ls_map_set (map, "vdevice_id", ls_parse_keep (p, ls_int (0), args->call)), args->call);
  if (args->slot[2] == NULL)
    map = ls_parse_keep (p, ls_map_set (map, "memory_scope", ls_parse_keep (p, ls_string_new ("global"), args->call)), args->call);
  return ls_value_node (p, map);
}

LsNode *
ls_vdevice_resolve (LsParse *p,
                    LsNode  *name)
{
  LsNode *devices = p->global_infos != NULL ? ls_map_get (p->global_infos, "vdevice") : NULL;
  LsNode *found = ls_is (name, STRING) && ls_is (devices, ARRAY) ? ls_vdevice_find ((LsArray *) devices, ((LsString *) name)->value) : NULL;

  return found != NULL ? found : name;
}

static LsValue *
handle_range (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsExpr *from = ls_value_to_expr (p, args->slot[0], args->span[0]), *to = args->slot[1] != NULL ? ls_value_to_expr (p, args->slot[1], args->span[1]) : NULL;
  g_autoptr (LsAnalyzer) analyzer = NULL;
  LsExpr *extent;

  if (from == NULL || (args->slot[1] != NULL && to == NULL))
    return NULL;
  if (to == NULL)
    return ls_value_node (p, ls_parse_keep (p, ls_range_new (ls_int_imm_new (ls_dtype (from), 0), ls_ref (from)), args->call));
  analyzer = ls_analyzer_new ();
  extent = ls_sub (ls_ref (to), ls_ref (from));
  ls_take (&extent, ls_analyzer_simplify (analyzer, extent));
  return ls_value_node (p, ls_parse_keep (p, ls_range_new (ls_ref (from), extent), args->call));
}

static LsValue *
handle_global_var (LsParse       *p,
                   const LsEntry *entry,
                   LsArgs        *args)
{
  const char *name = ls_value_to_string (p, args->slot[0], args->span[0], "The name of a function");

  return name != NULL ? ls_value_node (p, ls_parse_keep (p, ls_global_var_new (name), args->call)) : NULL;
}

static const LsEntry ROWS[] = {
  { "module_attrs", "attrs", handle_module_attrs, NULL, 0 },
  { "module_global_infos", "global_infos", handle_module_attrs, NULL, 1 },
  { "dummy_global_info", "", handle_dummy, NULL, 0 },
  { "vdevice", "target? vdevice_id? memory_scope?", handle_vdevice, NULL, 0 },
  { "GlobalVar", "name", handle_global_var, NULL, 0 },
  { "Range", "begin end?", handle_range, NULL, 0 },
};

const LsEntryTable ls_ir_entries = { ROWS, G_N_ELEMENTS (ROWS) };
