/* printer-func: functions and modules. */
#include "engine/script/printer-private.h"


/* ---- parameters ------------------------------------------------------------ */

typedef struct {
  GHashTable *handles;          /* parameters that have a buffer */
  GHashTable *used;             /* those that the function mentions elsewhere */
} Handles;

static LsWalk
note_handle (LsNode  *node,
             gpointer user_data)
{
  Handles *self = user_data;

  if (ls_is (node, BUFFER))
    node = LS_NODE (((LsBuffer *) node)->data);
  if (ls_is_var (node) && ls_dtype (node).code == LS_TYPE_HANDLE && g_hash_table_contains (self->handles, node))
    g_hash_table_add (self->used, node);
  return LS_WALK_CONTINUE;
}

/* Parameters whose handle is used for more than its buffer: those keep T.handle and match_buffer. */
static GHashTable *
used_handles (LsPrimFunc *func)
{
  Handles self = { g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL) };

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL)
        continue;
      if (!g_hash_table_add (self.handles, func->params->items[i]))
        g_hash_table_add (self.used, func->params->items[i]);
    }
  if (g_hash_table_size (self.handles) > 0)
    ls_walk (func->body, note_handle, NULL, &self);
  g_hash_table_unref (self.handles);
  return self.used;
}

static gboolean
shares_data (LsPrimFunc *func,
             LsBuffer   *buffer)
{
  guint n = 0;

  for (guint i = 0; i < func->buffers->n; i++)
    {
      LsBuffer *other = ls_prim_func_get_buffer (func, i);

      n += other != NULL && other->data == buffer->data;
    }
  return n > 1;
}

static void
put_buffer_annotation (LsPrinter *p,
                       LsBuffer  *buffer,
                       guint      depth)
{
  ls_put (p, ": T.Buffer(");
  LS_AT (p, buffer, LsBuffer, shape, ls_printer_tuple (p, buffer->shape));
  ls_put (p, ", ");
  ls_printer_put_dtype (p, buffer->dtype);
  ls_put_char (p, ')');
  if (ls_printer_name (p, buffer->data) == NULL)
    ls_printer_define_as (p, buffer->data, depth, g_strconcat (ls_printer_name (p, buffer), ".data", NULL));
}

static void
put_buffer_parameter (LsPrinter *p,
                      LsBuffer  *buffer)
{
  guint depth = p->frames->len - 1, range = ls_printer_open (p, buffer, LS_SOURCE_NODE);

  ls_printer_put_name (p, buffer, ls_printer_define (p, buffer, depth), LS_SOURCE_DEFINE);
  put_buffer_annotation (p, buffer, depth);
  ls_printer_close (p, range);
}

static void
put_parameter (LsPrinter *p,
               LsVar     *var)
{
  ls_printer_put_name (p, var, ls_printer_define (p, var, p->frames->len - 1), LS_SOURCE_DEFINE);
  ls_put (p, ": ");
  LS_AT (p, var, LsVar, type_annotation, ls_printer_value (p, var->type_annotation));
}

static LsWalk
note_store (LsNode  *node,
            gpointer user_data)
{
  if (ls_is (node, BUFFER_STORE))
    g_hash_table_add (user_data, ((LsBufferStore *) node)->buffer);
  return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* In 2023 a tensor expression made from a Relax call had placeholders of one name.  Such functions are private
 * here; those that fusion puts together kept the names of the call's arguments. */
static void
name_placeholders (LsPrinter  *p,
                   LsPrimFunc *func,
                   const char *name)
{
  g_autoptr (GHashTable) stored = NULL;
  guint depth = p->frames->len - 1;

  if (p->options.style != LS_SCRIPT_STYLE_2023 || ls_map_get (func->attrs, "global_symbol") != NULL || g_str_has_prefix (name, "fused_"))
    return;
  stored = g_hash_table_new (NULL, NULL);
  ls_walk (func->body, note_store, NULL, stored);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL || g_hash_table_contains (stored, buffer))
        continue;
      ls_printer_define_like (p, buffer, depth, "rxplaceholder");
      ls_printer_define_like (p, func->params->items[i], depth, "var_rxplaceholder");
    }
}

/* The parameters in brackets; `inlined` gets the numbers of those that are whole buffers. */
static void
put_parameters (LsPrinter  *p,
                LsPrimFunc *func,
                gboolean   *inlined)
{
  g_autoptr (GHashTable) used = used_handles (func);

  for (guint i = 0; i < func->params->n; i++)
    {
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (i > 0)
        ls_put (p, ", ");
      inlined[i] = p->sugar && buffer != NULL && !g_hash_table_contains (used, var) && ls_printer_buffer_is_simple (buffer)
                   && !shares_data (func, buffer);
      if (inlined[i])
        LS_AT (p, func, LsPrimFunc, buffers, LS_AT_ITEM (p, i, put_buffer_parameter (p, buffer)));
      else
        LS_AT (p, func, LsPrimFunc, params, LS_AT_ITEM (p, i, put_parameter (p, var)));
    }
}

typedef struct {
  LsPrimFunc *func;
  guint       i;
  guint32     path;             /* of the function */
} Parameter;

static void
put_handle (LsPrinter *p,
            gpointer   user_data)
{
  Parameter *parameter = user_data;
  guint32 saved = p->path;

  p->path = parameter->path;
  LS_AT (p, parameter->func, LsPrimFunc, params,
         LS_AT_ITEM (p, parameter->i, ls_printer_value (p, parameter->func->params->items[parameter->i])));
  p->path = saved;
}

static void
put_match_buffers (LsPrinter      *p,
                   LsPrimFunc     *func,
                   const gboolean *inlined)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      Parameter parameter = { func, i, p->path };

      if (buffer != NULL && !inlined[i])
        LS_AT (p, func, LsPrimFunc, buffers,
               LS_AT_ITEM (p, i, ls_printer_buffer_line (p, buffer, "match_buffer", put_handle, &parameter, LS_DATA_OWN)));
    }
}

/* ---- attributes -------------------------------------------------------------- */

/* "tir.noalias" is "tirx.noalias" in 2026. */
static void
put_attr_key (LsPrinter  *p,
              const char *key)
{
  g_autofree char *later = p->options.style == LS_SCRIPT_STYLE_2026 && g_str_has_prefix (key, "tir.") ? g_strconcat ("tirx.", key + strlen ("tir."), NULL) : NULL;

  ls_printer_put_string (p, later != NULL ? later : key);
}

static gboolean
is_bool (LsNode *value)
{
  return ls_is (value, INT_IMM) && ls_dtype_is_bool (ls_dtype ((LsExpr *) value));
}

static void
put_attributes (LsPrinter  *p,
                LsPrimFunc *func,
                const char *name)
{
  LsNode *symbol = ls_map_get (func->attrs, "global_symbol");
  gboolean same = ls_is (symbol, STRING) && g_str_equal (((LsString *) symbol)->value, name);
  gboolean first = TRUE;

  if (func->attrs->n == 0 || (same && func->attrs->n == 1))
    return;
  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  ls_put (p, "T.func_attr({");
  for (guint i = 0; i < func->attrs->n; i++)
    {
      if (same && p->options.style != LS_SCRIPT_STYLE_2023 && g_str_equal (func->attrs->keys[i], "global_symbol"))
        continue;
      ls_put (p, first ? "" : ", ");
      first = FALSE;
      put_attr_key (p, func->attrs->keys[i]);
      ls_put (p, ": ");
      if (p->options.style == LS_SCRIPT_STYLE_2026 && is_bool (func->attrs->values[i]))
        ls_put (p, ((LsIntImm *) func->attrs->values[i])->value != 0 ? "True" : "False");
      else
        LS_AT (p, func, LsPrimFunc, attrs, LS_AT_ITEM (p, i, ls_printer_value (p, func->attrs->values[i])));
    }
  ls_put (p, "})\n");
}

/* ---- body -------------------------------------------------------------------- */

static LsWalk
stop_at_realize (LsNode  *node,
                 gpointer user_data)
{
  return ls_is (node, BLOCK_REALIZE) ? LS_WALK_STOP : ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* The root block that the script reader puts back by itself, or NULL. */
static LsBlock *
implicit_root (LsPrimFunc *func)
{
  LsBlockRealize *realize = ls_is (func->body, BLOCK_REALIZE) ? (LsBlockRealize *) func->body : NULL;
  LsBlock *root;

  if (realize == NULL || realize->iter_values->n > 0 || !ls_is_one (realize->predicate))
    return NULL;
  root = realize->block;
  if (root->annotations->n > 0 || root->match_buffers->n > 0 || root->reads->n > 0 || root->writes->n > 0 || root->init != NULL)
    return NULL;
  if (root->alloc_buffers->n > 0)
    return root;
  if (ls_is (root->body, BLOCK_REALIZE))
    return ((LsBlockRealize *) root->body)->block->iter_vars->n > 0 ? root : NULL;
  return ls_walk (root->body, stop_at_realize, NULL, NULL) ? NULL : root;
}

static void
put_root (LsPrinter  *p,
          LsPrimFunc *func,
          LsBlock    *root)
{
  guint32 saved = p->path;
  guint outer, inner;

  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  ls_printer_enter (p, func, G_STRUCT_OFFSET (LsPrimFunc, body));
  outer = ls_printer_open (p, func->body, LS_SOURCE_NODE);
  ls_printer_enter (p, func->body, G_STRUCT_OFFSET (LsBlockRealize, block));
  inner = ls_printer_open (p, root, LS_SOURCE_NODE);
  ls_put (p, "# with ");
  ls_put (p, ls_printer_block_word (p));
  ls_put (p, "(\"root\"):\n");
  for (guint i = 0; i < root->alloc_buffers->n; i++)
    LS_AT (p, root, LsBlock, alloc_buffers,
           LS_AT_ITEM (p, i, ls_printer_buffer_line (p, ls_array_at (root->alloc_buffers, i, LsBuffer), ls_printer_alloc_word (p),
                                                     NULL, NULL, LS_DATA_OWN)));
  LS_AT (p, root, LsBlock, body, ls_printer_body (p, root->body));
  ls_printer_close (p, inner);
  ls_printer_close (p, outer);
  p->path = saved;
}

static gboolean
returns_nothing (LsType *type)
{
  return type == NULL || (ls_is (type, TUPLE_TYPE) && ls_array_n (((LsTupleType *) type)->fields) == 0);
}

void
ls_printer_prim_func (LsPrinter  *p,
                      LsPrimFunc *func,
                      const char *name)
{
  guint indent = p->frames->len > 0 ? ls_printer_top (p)->indent : 0;
  g_autofree gboolean *inlined = g_new0 (gboolean, func->params->n + 1);
  gboolean is_private = p->options.style != LS_SCRIPT_STYLE_2023 && ls_map_get (func->attrs, "global_symbol") == NULL;
  LsBlock *root = p->sugar ? implicit_root (func) : NULL;
  guint range, from;

  p->scope_root = LS_NODE (func);
  g_clear_pointer (&p->ancestors, ls_ancestors_free);
  ls_printer_push (p, func, indent + 1);
  ls_printer_line (p, indent);
  range = ls_printer_open (p, func, LS_SOURCE_NODE);
  if (p->options.style == LS_SCRIPT_STYLE_2026)
    ls_put (p, is_private ? "@T.prim_func(private=True, s_tir=True)\n" : "@T.prim_func(s_tir=True)\n");
  else
    ls_put (p, is_private ? "@T.prim_func(private=True)\n" : "@T.prim_func\n");
  ls_printer_line (p, indent);
  ls_put (p, "def ");
  ls_put (p, name);
  ls_put_char (p, '(');
  name_placeholders (p, func, name);
  put_parameters (p, func, inlined);
  ls_put_char (p, ')');
  if (!returns_nothing (func->ret_type))
    {
      ls_put (p, " -> ");
      LS_AT (p, func, LsPrimFunc, ret_type, ls_printer_value (p, func->ret_type));
    }
  ls_put (p, ":\n");
  from = p->out->len;
  put_attributes (p, func, name);
  put_match_buffers (p, func, inlined);
  if (root != NULL)
    put_root (p, func, root);
  else
    LS_AT (p, func, LsPrimFunc, body, ls_printer_body (p, func->body));
  ls_printer_pass (p, from);
  ls_printer_close (p, range);
  ls_printer_pop (p);
}

/* ---- modules ------------------------------------------------------------------ */

static int
rank (const char *name,
      LsNode     *func)
{
  return g_str_equal (name, "main") ? 1000 : ls_is (func, PRIM_FUNC) ? 1 : ls_is (func, EXTERN_FUNC) ? 2 : 3;
}

/* Functions in TVM's order: PrimFuncs, functions from outside, those of Relax, "main"; else by name. */
static int
compare_functions (gconstpointer a,
                   gconstpointer b,
                   gpointer      user_data)
{
  LsModule *module = user_data;
  guint ia = *(const guint *) a, ib = *(const guint *) b;
  const char *na = ls_array_at (module->global_vars, ia, LsGlobalVar)->name_hint;
  const char *nb = ls_array_at (module->global_vars, ib, LsGlobalVar)->name_hint;
  int ra = rank (na, module->functions->items[ia]), rb = rank (nb, module->functions->items[ib]);

  return ra != rb ? ra - rb : strcmp (na, nb);
}

static void
put_function (LsPrinter *p,
              LsModule  *module,
              guint      i)
{
  LsNode *function = module->functions->items[i];

  if (ls_is (function, PRIM_FUNC))
    {
      ls_printer_prim_func (p, (LsPrimFunc *) function, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
      return;
    }
  if (ls_is (function, FUNCTION))
    {
      ls_printer_relax_func (p, (LsFunction *) function, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, 1, TRUE);
      return;
    }
  ls_printer_line (p, 1);
  ls_put (p, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
  ls_put (p, " = ");
  ls_printer_value (p, function);
  ls_put_char (p, '\n');
}

static void
put_module_attributes (LsPrinter *p,
                       LsModule  *module)
{
  if (module->attrs != NULL && module->attrs->n > 0)
    {
      ls_put (p, "    I.module_attrs(");
      LS_AT (p, module, LsModule, attrs, ls_printer_value (p, module->attrs));
      ls_put (p, ")\n");
    }
  if (module->global_infos != NULL && module->global_infos->n > 0)
    {
      ls_put (p, "    I.module_global_infos(");
      LS_AT (p, module, LsModule, global_infos, ls_printer_value (p, module->global_infos));
      ls_put (p, ")\n");
    }
}

void
ls_printer_module (LsPrinter *p,
                   LsModule  *module)
{
  const char *title = p->options.module_name != NULL ? p->options.module_name : "Module";
  g_autofree guint *order = g_new (guint, module->functions->n + 1);
  guint from, range = ls_printer_open (p, module, LS_SOURCE_NODE);
  gboolean first = TRUE;

  ls_printer_reserve (p, title);
  ls_put (p, "@I.ir_module\nclass ");
  ls_put (p, title);
  ls_put (p, ":\n");
  from = p->out->len;
  p->module_title = title;
  p->devices = module->global_infos != NULL ? (LsArray *) ls_map_get (module->global_infos, "vdevice") : NULL;
  ls_printer_push (p, module, 1);
  put_module_attributes (p, module);
  p->infos = module->global_infos;
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);

      order[i] = i;
      ls_printer_define_as (p, var, 0, g_strdup_printf ("%s.%s", title, var->name_hint));
    }
  g_qsort_with_data (order, (gint) module->functions->n, sizeof *order, compare_functions, module);
  for (guint i = 0; i < module->functions->n; i++)
    {
      const char *name = ls_array_at (module->global_vars, order[i], LsGlobalVar)->name_hint;

      if (p->options.only_function != NULL && !g_str_equal (p->options.only_function, name))
        continue;
      ls_put (p, first ? "" : "\n");
      first = ls_is (module->functions->items[order[i]], EXTERN_FUNC);
      LS_AT (p, module, LsModule, functions, LS_AT_ITEM (p, order[i], put_function (p, module, order[i])));
    }
  ls_printer_pass (p, from);
  ls_printer_pop (p);
  ls_printer_close (p, range);
}
