/* value: what an expression of a script can mean.
 *
 * Python's own values (numbers, texts, lists) stay Python's until IR needs them: `4 * 8` is computed, `i * 8` becomes
 * a node, and only there the number gets a type (int32, int64 when it does not fit, float32).
 */
#include "engine/base/table-order.h"
#include "engine/script/script-private.h"

/* ---- the state of a parse --------------------------------------------------------- */

void
ls_parse_init (LsParse       *p,
               LsSource      *source,
               LsDiagnostics *diagnostics)
{
  memset (p, 0, sizeof *p);
  p->source = source;
  p->source_id = ls_source_get_id (source);
  p->text = ls_source_get_text (source, NULL);
  p->diagnostics = diagnostics;
  ls_arena_init (&p->arena);
  p->keep = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  p->lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  p->scopes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  p->frames = g_ptr_array_new ();
  p->made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  p->known = g_hash_table_new (NULL, NULL);
  ls_parse_push_scope (p);
}

void
ls_parse_clear (LsParse *p)
{
  ls_frame_exit_to (p, 0);
  g_clear_pointer (&p->analyzer, ls_analyzer_free);
  g_clear_pointer (&p->globals, g_hash_table_unref);
  g_clear_pointer (&p->global_rets, g_hash_table_unref);
  g_clear_pointer (&p->global_sigs, g_hash_table_unref);
  g_clear_pointer (&p->known, g_hash_table_unref);
  g_clear_pointer (&p->made, g_ptr_array_unref);
  g_clear_pointer (&p->frames, g_ptr_array_unref);
  g_clear_pointer (&p->lists, g_ptr_array_unref);
  g_clear_pointer (&p->scopes, g_ptr_array_unref);
  g_clear_pointer (&p->keep, g_ptr_array_unref);
  g_clear_pointer (&p->foreign, g_ptr_array_unref);
  ls_arena_clear (&p->arena);
}

static LsDiagnostic *
add_finding (LsParse    *p,
             LsSeverity  severity,
             LsSpan      span,
             const char *code,
             const char *format,
             va_list     args)
{
  g_autofree char *message = NULL;

  if (p->quiet)
    return NULL;
  message = g_strdup_vprintf (ls_translate (format), args);
  return ls_diagnostics_add (p->diagnostics, severity, code, span, "%s", message);
}

LsDiagnostic *
ls_parse_error (LsParse    *p,
                LsSpan      span,
                const char *code,
                const char *format,
                ...)
{
  va_list args;
  LsDiagnostic *d;

  va_start (args, format);
  d = add_finding (p, LS_SEVERITY_ERROR, span, code, format, args);
  va_end (args);
  return d;
}

LsDiagnostic *
ls_parse_warning (LsParse    *p,
                  LsSpan      span,
                  const char *code,
                  const char *format,
                  ...)
{
  va_list args;
  LsDiagnostic *d;

  va_start (args, format);
  d = add_finding (p, LS_SEVERITY_WARNING, span, code, format, args);
  va_end (args);
  return d;
}

gpointer
ls_parse_keep (LsParse  *p,
               gpointer  node,
               LsSpan    span)
{
  LsNode *n = node;

  if (n == NULL)
    return NULL;
  if (n->span.source == 0 && g_atomic_ref_count_compare (&n->refs, 1))
    ls_node_set_span (n, span);
  g_ptr_array_add (p->keep, n);
  return n;
}

void
ls_parse_push_scope (LsParse *p)
{
  g_ptr_array_add (p->scopes, g_hash_table_new (g_str_hash, g_str_equal));
}

void
ls_parse_pop_scope (LsParse *p)
{
  g_ptr_array_remove_index (p->scopes, p->scopes->len - 1);
}

LsValue *
ls_parse_lookup (LsParse    *p,
                 const char *name)
{
  for (guint i = p->scopes->len; i-- > 0;)
    {
      LsValue *value = g_hash_table_lookup (p->scopes->pdata[i], name);

      if (value != NULL)
        return value;
    }
  return NULL;
}

void
ls_parse_bind (LsParse    *p,
               const char *name,
               LsValue    *value)
{
  if (value == NULL)
    value = ls_value_poison (p);
  if (value->kind == LS_VALUE_NODE && ls_is_var (value->node))
    g_hash_table_add (p->known, value->node);
  g_hash_table_insert (p->scopes->pdata[p->scopes->len - 1], (gpointer) name, value);
}

const char *
ls_parse_nearest_name (LsParse    *p,
                       const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < p->scopes->len && names->len < 2000; i++)
    {
      GPtrArray *own = ls_table_names (p->scopes->pdata[i]);

      g_ptr_array_extend_and_steal (names, own);
    }
  return ls_script_nearest (name, (const char *const *) names->pdata, names->len);
}

LsExpr *
ls_parse_simplify (LsParse *p,
                   LsExpr  *expr)
{
  if (ls_is (expr, INT_IMM))
    return expr;
  if (p->analyzer == NULL)
    p->analyzer = ls_analyzer_new ();
  return ls_parse_keep (p, ls_analyzer_simplify (p->analyzer, expr), expr->node.span);
}

/* ---- making values ------------------------------------------------------------------ */

LsValue *
ls_value_new (LsParse    *p,
              LsValueKind kind)
{
  LsValue *v = ls_arena_new (&p->arena, LsValue);

  v->kind = kind;
  return v;
}

LsValue *
ls_value_int (LsParse *p,
              gint64   i)
{
  LsValue *v = ls_value_new (p, LS_VALUE_INT);

  v->i = i;
  return v;
}

LsValue *
ls_value_bool (LsParse *p,
               gboolean b)
{
  LsValue *v = ls_value_new (p, LS_VALUE_BOOL);

  v->i = b != FALSE;
  return v;
}

LsValue *
ls_value_float (LsParse *p,
                double   f)
{
  LsValue *v = ls_value_new (p, LS_VALUE_FLOAT);

  v->f = f;
  return v;
}

LsValue *
ls_value_string (LsParse    *p,
                 const char *s)
{
  LsValue *v = ls_value_new (p, LS_VALUE_STRING);

  v->s = s;
  return v;
}

LsValue *
ls_value_node (LsParse  *p,
               gpointer  node)
{
  LsValue *v;

  if (node == NULL)
    return NULL;
  v = ls_value_new (p, LS_VALUE_NODE);
  v->node = node;
  return v;
}

LsValue *
ls_value_list (LsParse    *p,
               LsValueKind kind,
               LsValue   **items,
               guint       n)
{
  LsValue *v = ls_value_new (p, kind);

  v->items = items;
  v->n = n;
  return v;
}

LsValue *
ls_value_meta (LsParse *p,
               LsValue *inner)
{
  LsValue **items = ls_arena_alloc (&p->arena, sizeof (LsValue *));

  items[0] = inner;
  return ls_value_list (p, LS_VALUE_META, items, 1);
}

LsValue *
ls_value_poison (LsParse *p)
{
  return ls_value_new (p, p->quiet ? LS_VALUE_OPAQUE : LS_VALUE_POISON);
}

LsValue *
ls_value_weigh (LsParse *p,
                LsValue *v,
                LsSpan   span)
{
  guint64 weight = 1;

  for (guint i = 0; i < v->n; i++)
    weight += (v->items[i] != NULL ? MAX (v->items[i]->weight, 1u) : 0u) + (v->keys != NULL ? MAX (v->keys[i]->weight, 1u) : 0u);
  if (weight > LS_SCRIPT_MAX_ITEMS)
    {
      ls_parse_error (p, span, "script/overflow", "This would hold more than %d values.", LS_SCRIPT_MAX_ITEMS);
      return NULL;
    }
  v->weight = (guint) weight;
  return v;
}

static LsWalk
count_node (LsNode  *node,
            gpointer data)
{
  guint *left = data;

  return --*left == 0 ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsValue *
ls_value_bounded (LsParse *p,
                  LsValue *v,
                  LsSpan   span)
{
  guint left = LS_SCRIPT_MAX_ITEMS;
  gboolean fits = TRUE;

  if (v == NULL)
    return NULL;
  if (v->kind == LS_VALUE_NODE)
    fits = ls_walk (v->node, count_node, NULL, &left);
  for (guint i = 0; ls_value_is_sequence (v) && i < v->n && fits; i++)
    if (v->items[i]->kind == LS_VALUE_NODE)
      fits = ls_walk (v->items[i]->node, count_node, NULL, &left);
  if (fits)
    return v;
  ls_parse_error (p, span, "script/overflow", "This expression would have more than %d parts.", LS_SCRIPT_MAX_ITEMS);
  return NULL;
}

/* ---- asking ------------------------------------------------------------------------- */

gboolean
ls_value_is_number (const LsValue *v)
{
  return v->kind == LS_VALUE_BOOL || v->kind == LS_VALUE_INT || v->kind == LS_VALUE_FLOAT;
}

gboolean
ls_value_is_expr (const LsValue *v)
{
  return v->kind == LS_VALUE_NODE &&
         (ls_is_expr (v->node) || ls_is (v->node, ITER_VAR) || ls_is (v->node, BUFFER_REGION));
}

gboolean
ls_value_is_sequence (const LsValue *v)
{
  return v->kind == LS_VALUE_TUPLE || v->kind == LS_VALUE_LIST;
}

static const char *
describe_node (LsParse      *p,
               const LsNode *node)
{
  if (ls_is (node, BUFFER))
    return ls_arena_printf (&p->arena, ls_translate ("the buffer %s"), ((const LsBuffer *) node)->name);
  if (ls_is (node, BUFFER_REGION))
    return ls_arena_printf (&p->arena, ls_translate ("a region of %s"), ((const LsBufferRegion *) node)->buffer->name);
  if (ls_is_var (node))
    return ls_arena_printf (&p->arena, ls_translate ("the %s variable %s"), ls_dtype_name (ls_dtype (node)), ((const LsVar *) node)->name);
  if (ls_is_expr (node))
    return ls_arena_printf (&p->arena, ls_translate ("an expression of type %s"), ls_dtype_name (ls_dtype (node)));
  if (ls_is (node, GLOBAL_VAR))
    return ls_arena_printf (&p->arena, ls_translate ("the function %s"), ((const LsGlobalVar *) node)->name_hint);
  return ls_arena_printf (&p->arena, ls_translate ("a %s"), node->klass->name);
}

const char *
ls_value_describe (LsParse       *p,
                   const LsValue *v)
{
  switch (v->kind)
    {
    case LS_VALUE_NONE: return "None";
    case LS_VALUE_BOOL: return v->i ? "True" : "False";
    case LS_VALUE_INT: return ls_arena_printf (&p->arena, ls_translate ("the number %" PRId64), v->i);
    case LS_VALUE_FLOAT: return ls_arena_printf (&p->arena, ls_translate ("the number %g"), v->f);
    case LS_VALUE_STRING: return ls_arena_printf (&p->arena, ls_translate ("the text \"%.40s\""), v->s);
    case LS_VALUE_TUPLE: return ls_arena_printf (&p->arena, ls_translate ("a tuple of %u"), v->n);
    case LS_VALUE_LIST: return ls_arena_printf (&p->arena, ls_translate ("a list of %u"), v->n);
    case LS_VALUE_DICT: return ls_translate ("a dictionary");
    case LS_VALUE_SLICE: return ls_translate ("a slice");
    case LS_VALUE_NODE: return describe_node (p, v->node);
    case LS_VALUE_MODULE: return ls_arena_printf (&p->arena, ls_translate ("the Python module %s"), v->s);
    case LS_VALUE_FUNC: return ls_arena_printf (&p->arena, ls_translate ("the function %s"), v->entry != NULL ? v->entry->name : v->s);
    case LS_VALUE_DTYPE: return ls_arena_printf (&p->arena, ls_translate ("the type %s"), ls_dtype_name (v->dtype));
    case LS_VALUE_METHOD: return ls_arena_printf (&p->arena, ls_translate ("the method %s"), v->s);
    case LS_VALUE_LAMBDA: return ls_translate ("a lambda");
    case LS_VALUE_FRAME: return ls_translate ("a scope");
    case LS_VALUE_META: return ls_translate ("a meta variable");
    case LS_VALUE_STORE: return ls_translate ("a store");
    case LS_VALUE_IR_MODULE: return ls_translate ("the module");
    case LS_VALUE_OPAQUE: return ls_translate ("a Python value that a script cannot use");
    case LS_VALUE_FOREIGN: return ls_translate ("a Python object");
    case LS_VALUE_POISON: return ls_translate ("a value with an error");
    }
  return ls_translate ("a value");
}

/* ---- names --------------------------------------------------------------------------- */

static void
name_var (LsVar      *var,
          const char *name)
{
  g_free (var->name);
  var->name = g_strdup (name);
}

void
ls_value_name (LsNode     *node,
               const char *name)
{
  if (ls_is_var (node))
    name_var ((LsVar *) node, name);
  else if (ls_is (node, ITER_VAR))
    name_var (((LsIterVar *) node)->var, name);
  else if (ls_is (node, BUFFER))
    {
      LsBuffer *buffer = (LsBuffer *) node;

      g_free (buffer->name);
      buffer->name = g_strdup (name);
      if (strcmp (buffer->data->name, "$buffer") == 0)
        name_var (buffer->data, name);
      for (guint i = 0; i < ls_array_n (buffer->strides); i++)
        if (ls_is_var (buffer->strides->items[i]))
          {
            g_autofree char *stride = g_strdup_printf ("%s_s%u", name, i);

            name_var ((LsVar *) buffer->strides->items[i], stride);
          }
    }
}
