/* registry: see the header.  Source: TVM's tir::TensorIntrin. */
#include "engine/schedule/intrin/intrin.h"

#include "engine/schedule/intrin/library.h"
#include "engine/schedule/rewrite/rewrite.h"
#include "engine/script/calls.h"
#include "engine/script/parser.h"

typedef struct {
  LsPrimFunc *desc;
  LsPrimFunc *impl;
} Intrin;

static GMutex lock;
static GHashTable *registry;    /* name -> Intrin */

static void
intrin_free (gpointer data)
{
  Intrin *self = data;

  ls_unref (self->desc);
  ls_unref (self->impl);
  g_free (self);
}

/* ---- conditions -------------------------------------------------------------------- */

static void complain (LsDiagnostics *diagnostics, const char *condition, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
complain (LsDiagnostics *diagnostics,
          const char    *condition,
          const char    *format,
          ...)
{
  g_autofree char *code = g_strdup_printf ("schedule/intrin/%s", condition);
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, g_intern_string (code), LS_SPAN_NONE, "%s", message);
}

static gboolean
all_are_buffers (LsPrimFunc *func)
{
  for (guint i = 0; i < ls_array_n (func->params); i++)
    if (ls_prim_func_get_buffer (func, i) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
has_region (LsBlock  *block,
            LsBuffer *buffer)
{
  return ls_region_of (block->reads, buffer) != NULL || ls_region_of (block->writes, buffer) != NULL;
}

static gboolean
is_usable (const char    *name,
           LsPrimFunc    *desc,
           LsPrimFunc    *impl,
           LsDiagnostics *diagnostics)
{
  LsBlockRealize *root = ls_prim_func_root (impl);

  if (ls_prim_func_root (desc) == NULL || root == NULL)
    {
      complain (diagnostics, "body", "Description and implementation of %s are functions whose body is a block.", name);
      return FALSE;
    }
  if (!all_are_buffers (desc) || !all_are_buffers (impl) || ls_array_n (desc->params) != ls_array_n (impl->params))
    {
      complain (diagnostics, "parameters", "Description and implementation of %s take the same buffers and nothing else; there are %u and %u parameters.",
                name, ls_array_n (desc->params), ls_array_n (impl->params));
      return FALSE;
    }
  for (guint i = 0; i < ls_array_n (impl->params); i++)
    {
      LsBuffer *inner = ls_prim_func_get_buffer (impl, i);
      LsBuffer *outer = ls_prim_func_get_buffer (desc, i);

      if (!has_region (root->block, inner) || !has_region (ls_prim_func_root (desc)->block, outer))
        {
          complain (diagnostics, "regions", "The root blocks of %s say of every parameter what they read or write of it; %s is missing.", name,
                    has_region (root->block, inner) ? outer->name : inner->name);
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- the registry --------------------------------------------------------------------- */

/* Takes `intrin` unless the name is taken. */
static gboolean
keep (const char *name,
      Intrin     *intrin,
      gboolean    override)
{
  gboolean taken;

  g_mutex_lock (&lock);
  if (registry == NULL)
    registry = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, intrin_free);
  taken = !override && g_hash_table_contains (registry, name);
  if (!taken)
    g_hash_table_insert (registry, g_strdup (name), intrin);
  g_mutex_unlock (&lock);
  return !taken;
}

static gboolean
is_in_library (const char *name)
{
  for (guint i = 0; i < ls_intrin_library_get_n (); i++)
    if (strcmp (ls_intrin_library_get_name (i), name) == 0)
      return TRUE;
  return FALSE;
}

gboolean
ls_tensor_intrin_register (const char    *name,
                           LsPrimFunc    *desc,
                           LsPrimFunc    *impl,
                           gboolean       override,
                           LsDiagnostics *diagnostics)
{
  Intrin *intrin;
  gboolean taken;

  if (!is_usable (name, desc, impl, diagnostics))
    return FALSE;
  intrin = g_new0 (Intrin, 1);
  intrin->desc = ls_ref (desc);
  intrin->impl = ls_ref (impl);
  taken = !override && is_in_library (name);
  if (!taken && keep (name, intrin, override))
    return TRUE;
  intrin_free (intrin);
  complain (diagnostics, "taken", "There is an intrinsic %s already.", name);
  return FALSE;
}

static LsPrimFunc *
function_named (LsModule   *module,
                const char *name)
{
  LsNode *func = name != NULL ? ls_module_get (module, name) : NULL;

  return ls_is (func, PRIM_FUNC) ? (LsPrimFunc *) func : NULL;
}

/* Reads an intrinsic of the library; what was registered meanwhile stays. */
static gboolean
fetch (const char *name)
{
  g_autofree char *text = ls_intrin_library_get_text (name);
  g_autoptr(LsSource) source = text != NULL ? ls_source_new (name, text, -1) : NULL;
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr(LsModule) module = source != NULL ? ls_script_parse (source, findings) : NULL;
  LsPrimFunc *desc = module != NULL ? function_named (module, "desc") : NULL;
  LsPrimFunc *impl = module != NULL ? function_named (module, "impl") : NULL;
  Intrin *intrin;

  if (desc == NULL || impl == NULL || ls_diagnostics_has_error (findings) || !is_usable (name, desc, impl, findings))
    {
      if (text != NULL)
        g_warning ("%s: %s", name, ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0)->message : "no functions");
      return FALSE;
    }
  intrin = g_new0 (Intrin, 1);
  intrin->desc = ls_ref (desc);
  intrin->impl = ls_ref (impl);
  if (!keep (name, intrin, FALSE))
    intrin_free (intrin);
  return TRUE;
}

static gboolean
look_up (const char  *name,
         LsPrimFunc **desc,
         LsPrimFunc **impl)
{
  Intrin *found;

  g_mutex_lock (&lock);
  found = registry != NULL ? g_hash_table_lookup (registry, name) : NULL;
  if (found != NULL)
    {
      *desc = ls_ref (found->desc);
      *impl = ls_ref (found->impl);
    }
  g_mutex_unlock (&lock);
  return found != NULL;
}

gboolean
ls_tensor_intrin_get (const char  *name,
                      LsPrimFunc **desc,
                      LsPrimFunc **impl)
{
  return look_up (name, desc, impl) || (fetch (name) && look_up (name, desc, impl));
}

static gpointer
read_library (gpointer data)
{
  for (guint i = 0; i < ls_intrin_library_get_n (); i++)
    {
      g_autoptr(LsPrimFunc) desc = NULL;
      g_autoptr(LsPrimFunc) impl = NULL;

      ls_tensor_intrin_get (ls_intrin_library_get_name (i), &desc, &impl);
    }
  return NULL;
}

void
ls_tensor_intrin_preload (void)
{
  g_thread_unref (g_thread_new ("intrinsics", read_library, NULL));
}

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
ls_tensor_intrin_list (void)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name;

  g_mutex_lock (&lock);
  if (registry != NULL)
    {
      g_hash_table_iter_init (&iter, registry);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        if (!is_in_library (name))
          g_ptr_array_add (names, g_strdup (name));
    }
  g_mutex_unlock (&lock);
  for (guint i = 0; i < ls_intrin_library_get_n (); i++)
    g_ptr_array_add (names, g_strdup (ls_intrin_library_get_name (i)));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* ---- from a text ----------------------------------------------------------------------- */

static gboolean
is_register (const LsCallStep *call)
{
  return strcmp (call->method, "register") == 0 && g_str_has_suffix (call->receiver, "TensorIntrin");
}

static const char *
word_of (const LsCallValue *value)
{
  return value != NULL && (value->kind == LS_CALL_VALUE_NAME || value->kind == LS_CALL_VALUE_STRING) ? value->text : NULL;
}

static gboolean
register_call (LsModule         *module,
               const LsCallStep *call,
               LsDiagnostics    *diagnostics)
{
  const char *name = word_of (ls_call_step_argument (call, 0, "name"));
  const char *desc_name = word_of (ls_call_step_argument (call, 1, "desc"));
  const char *impl_name = word_of (ls_call_step_argument (call, 2, "impl"));
  LsPrimFunc *desc = function_named (module, desc_name);
  LsPrimFunc *impl = function_named (module, impl_name);

  if (name != NULL && desc != NULL && impl != NULL)
    return ls_tensor_intrin_register (name, desc, impl, TRUE, diagnostics);
  complain (diagnostics, "no-function", "TensorIntrin.register takes a name and two functions of the file; %s is none.",
            desc == NULL ? (desc_name != NULL ? desc_name : "the second argument") : impl_name != NULL ? impl_name : "the third argument");
  return FALSE;
}

/* NAME_desc with NAME_impl. */
static guint
register_pairs (LsModule      *module,
                LsDiagnostics *diagnostics)
{
  guint n = 0;

  for (guint i = 0; i < ls_array_n (module->global_vars); i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
      g_autofree char *stem = g_str_has_suffix (name, "_desc") ? g_strndup (name, strlen (name) - strlen ("_desc")) : NULL;
      g_autofree char *other = stem != NULL ? g_strconcat (stem, "_impl", NULL) : NULL;
      LsPrimFunc *desc = stem != NULL ? function_named (module, name) : NULL;
      LsPrimFunc *impl = function_named (module, other);

      if (desc != NULL && impl != NULL)
        n += ls_tensor_intrin_register (stem, desc, impl, TRUE, diagnostics);
    }
  return n;
}

guint
ls_tensor_intrin_register_text (LsSource      *source,
                                LsDiagnostics *diagnostics)
{
  g_autoptr(LsModule) module = ls_script_parse (source, diagnostics);
  g_autoptr(LsDiagnostics) ignored = ls_diagnostics_new ();
  g_autoptr(LsCallList) list = ls_script_parse_calls (source, ignored);
  guint n = 0, n_calls = 0;

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    return 0;
  for (guint i = 0; i < ls_call_list_get_n (list); i++)
    {
      const LsCallStep *call = ls_call_list_get (list, i);

      if (!is_register (call))
        continue;
      n_calls++;
      n += register_call (module, call, diagnostics);
    }
  if (n_calls == 0)
    n = register_pairs (module, diagnostics);
  if (n == 0 && !ls_diagnostics_has_error (diagnostics))
    complain (diagnostics, "nothing", "%s registers no intrinsic: TensorIntrin.register (\"name\", desc, impl) is expected.", ls_source_get_name (source));
  return n;
}

/* ---- new variables ------------------------------------------------------------------------ */

typedef struct {
  GHashTable *fresh;            /* Var or Buffer -> new one (owned) */
  LsDType     dtype;            /* of indices */
} Renewal;

static LsNode *renew (LsRewriter *rewriter, LsNode *node, gpointer user_data);

static gboolean
is_index_type (LsDType dtype)
{
  return dtype.code == LS_TYPE_INT && (dtype.bits == 32 || dtype.bits == 64) && dtype.lanes == 1;
}

static LsNode *
fresh_var (Renewal *self,
           LsVar   *var)
{
  LsNode *known = g_hash_table_lookup (self->fresh, var);

  if (known == NULL)
    {
      known = LS_NODE (is_index_type (ls_dtype (var)) ? ls_var_new (var->name, self->dtype) : ls_var_copy (var, NULL));
      g_hash_table_insert (self->fresh, var, known);
    }
  return ls_node_ref (known);
}

/* An index of the wanted type. Takes `expr`. */
static LsExpr *
as_index (Renewal *self,
          LsExpr  *expr)
{
  gint64 value;

  if (ls_is (expr, INT_IMM) && is_index_type (ls_dtype (expr)) && !ls_dtype_equal (ls_dtype (expr), self->dtype) && ls_as_int (expr, &value))
    {
      ls_unref (expr);
      return ls_const_int (self->dtype, value);
    }
  return expr;
}

static LsArray *
indices (LsRewriter *rewriter,
         Renewal    *self,
         LsArray    *array)
{
  g_autofree LsExpr **items = g_new0 (LsExpr *, ls_array_n (array) + 1);

  for (guint i = 0; i < ls_array_n (array); i++)
    items[i] = as_index (self, (LsExpr *) ls_rewrite (rewriter, array->items[i]));
  return ls_array_new (items, ls_array_n (array));
}

static LsNode *
fresh_buffer (LsRewriter *rewriter,
              Renewal    *self,
              LsBuffer   *buffer)
{
  LsNode *known = g_hash_table_lookup (self->fresh, buffer);

  if (known == NULL)
    {
      known = LS_NODE (ls_buffer_new_full ((LsVar *) fresh_var (self, buffer->data), buffer->dtype, indices (rewriter, self, buffer->shape),
                                           indices (rewriter, self, buffer->strides), as_index (self, (LsExpr *) ls_rewrite (rewriter, buffer->elem_offset)),
                                           buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators)));
      g_hash_table_insert (self->fresh, buffer, known);
    }
  return ls_node_ref (known);
}

/* Operands of one width: a number takes the type of the other, else the narrower one is cast. */
static LsNode *
balanced (LsKind  kind,
          LsExpr *a,
          LsExpr *b)
{
  LsDType left = ls_dtype (a), right = ls_dtype (b);
  LsExpr **narrow = left.bits < right.bits ? &a : &b;
  LsDType wide = left.bits < right.bits ? right : left;
  gint64 value;

  if (!ls_dtype_equal (left, right) && is_index_type (left) && is_index_type (right))
    {
      if (ls_is (*narrow, INT_IMM) && ls_as_int (*narrow, &value))
        ls_take (narrow, ls_const_int (wide, value));
      else
        *narrow = ls_cast_new (wide, *narrow);
    }
  return LS_NODE (ls_binary_new (kind, a, b));
}

static LsNode *
renew (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  Renewal *self = user_data;
  LsFor *loop = (LsFor *) node;
  LsRange *range = (LsRange *) node;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsBufferStore *store = (LsBufferStore *) node;
  LsBinary *pair = (LsBinary *) node;

  if (ls_is_var (node))
    return fresh_var (self, (LsVar *) node);
  if (ls_is (node, BUFFER))
    return fresh_buffer (rewriter, self, (LsBuffer *) node);
  if (ls_is (node, BUFFER_LOAD))
    return LS_NODE (ls_buffer_load_new ((LsBuffer *) fresh_buffer (rewriter, self, load->buffer), indices (rewriter, self, load->indices),
                                        (LsExpr *) ls_rewrite (rewriter, load->predicate)));
  if (ls_is (node, BUFFER_STORE))
    return LS_NODE (ls_buffer_store_new ((LsBuffer *) fresh_buffer (rewriter, self, store->buffer), (LsExpr *) ls_rewrite (rewriter, store->value),
                                         indices (rewriter, self, store->indices), (LsExpr *) ls_rewrite (rewriter, store->predicate)));
  if (ls_is (node, RANGE))
    return LS_NODE (ls_range_new (as_index (self, (LsExpr *) ls_rewrite (rewriter, range->min)), as_index (self, (LsExpr *) ls_rewrite (rewriter, range->extent))));
  if (ls_is (node, FOR))
    return LS_NODE (ls_for_new ((LsVar *) ls_rewrite (rewriter, loop->loop_var), as_index (self, (LsExpr *) ls_rewrite (rewriter, loop->min)),
                                as_index (self, (LsExpr *) ls_rewrite (rewriter, loop->extent)), loop->kind, (LsStmt *) ls_rewrite (rewriter, loop->body),
                                (LsIterVar *) ls_rewrite (rewriter, loop->thread_binding), ls_ref (loop->annotations)));
  if (ls_is_expr (node) && ls_kind_is_binary (ls_kind (node)))
    return balanced (ls_kind (node), (LsExpr *) ls_rewrite (rewriter, pair->a), (LsExpr *) ls_rewrite (rewriter, pair->b));
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_prim_func_renew (LsPrimFunc *func,
                    guint       bits)
{
  g_autoptr(GHashTable) fresh = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Renewal self = { fresh, bits == 64 ? LS_INT64 : LS_INT32 };

  return (LsPrimFunc *) ls_rewrite_with (func, renew, &self);
}
