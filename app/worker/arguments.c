/* arguments: what a function is called with: files, shared memory or seeded random numbers.
 *
 * A parameter that the body only writes starts as zeros; one that it only reads, or reads and writes, gets data.
 */
#include "engine/base/float8.h"
#include "app/worker/program.h"
#include "engine/debug/debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- roles ------------------------------------------------------------------- */

typedef struct {
  GHashTable *read;             /* data variables */
  GHashTable *written;
  GHashTable *sources;          /* data variable of a matched buffer -> that of its source */
} Uses;

static gpointer
root_of (Uses    *self,
         LsVar   *data)
{
  gpointer source;

  while ((source = g_hash_table_lookup (self->sources, data)) != NULL && source != data)
    data = source;
  return data;
}

static LsWalk
note_use (LsNode  *node,
          gpointer user_data)
{
  Uses *self = user_data;

  if (ls_is (node, MATCH_BUFFER_REGION))
    g_hash_table_insert (self->sources, ((LsMatchBufferRegion *) node)->buffer->data, ((LsMatchBufferRegion *) node)->source->buffer->data);
  else if (ls_is (node, BUFFER_LOAD))
    g_hash_table_add (self->read, root_of (self, ((LsBufferLoad *) node)->buffer->data));
  else if (ls_is (node, BUFFER_STORE))
    g_hash_table_add (self->written, root_of (self, ((LsBufferStore *) node)->buffer->data));
  else if (ls_is_var (node) && ls_dtype (node).code == LS_TYPE_HANDLE)
    {
      g_hash_table_add (self->read, node);
      g_hash_table_add (self->written, node);
    }
  return LS_WALK_CONTINUE;
}

/* A reduction reads what it has set itself: its buffer is an output all the same. */
static void
find_reductions (LsNode     *node,
                 GHashTable *own)
{
  guint n = ls_node_get_n_children (node);

  if (ls_is (node, BLOCK) && ((LsBlock *) node)->init != NULL)
    for (guint i = 0; i < ((LsBlock *) node)->writes->n; i++)
      g_hash_table_add (own, ls_array_at (((LsBlock *) node)->writes, i, LsBufferRegion)->buffer->data);
  if (ls_is_expr (node))
    return;
  for (guint i = 0; i < n; i++)
    if (ls_node_get_child (node, i) != NULL)
      find_reductions (ls_node_get_child (node, i), own);
}

static LsRole
role_of (Uses       *uses,
         GHashTable *own,
         LsVar      *data)
{
  gboolean written = g_hash_table_contains (uses->written, data);
  gboolean read = g_hash_table_contains (uses->read, data) && !g_hash_table_contains (own, data);

  return !written ? LS_ROLE_IN : read ? LS_ROLE_INOUT : LS_ROLE_OUT;
}

const char *
ls_role_name (LsRole role)
{
  switch (role)
    {
    case LS_ROLE_IN: return "in";
    case LS_ROLE_OUT: return "out";
    case LS_ROLE_INOUT: return "inout";
    }
  return "?";
}

/* ---- numbers and extents ------------------------------------------------------- */

typedef struct {
  LsProgram   *program;
  LsRequest   *request;
  LsArguments *out;
  GHashTable  *extents;         /* LsVar -> gint64 * */
  char       **inputs;
  char       **set;
  guint64      seed;
  GHashTable  *values;          /* of its parameters: ls_index_values() */
} Maker;

/* The text after "NAME=" in `set`, or NULL. */
static const char *
setting (Maker      *self,
         const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; self->set != NULL && self->set[i] != NULL; i++)
    if (strncmp (self->set[i], name, length) == 0 && self->set[i][length] == '=')
      return self->set[i] + length + 1;
  return NULL;
}

static gboolean
number_of (Maker   *self,
           LsVar   *var,
           LsArg   *arg,
           GError **error)
{
  const char *text = setting (self, var->name);
  gboolean is_float = ls_dtype_is_float (ls_dtype (var));
  char *end = NULL;

  if (text == NULL)
    return ls_worker_refuse (error, "The number %s is not given; say it as %s=VALUE.", var->name, var->name);
  arg->kind = is_float ? LS_ARG_FLOAT : LS_ARG_INT;
  if (is_float)
    arg->v_float = g_ascii_strtod (text, &end);
  else
    arg->v_int = g_ascii_strtoll (text, &end, 0);
  if (end == text || *end != 0)
    return ls_worker_refuse (error, "%s is no number for %s.", text, var->name);
  if (!is_float)
    g_hash_table_insert (self->extents, var, g_memdup2 (&arg->v_int, sizeof (gint64)));
  return TRUE;
}

/* Extents that `set` names, or a number of that variable. */
static gboolean
evaluate (Maker   *self,
          LsExpr  *expr,
          gint64  *value,
          GError **error)
{
  gint64 a, b;
  LsBinary *binary = (LsBinary *) expr;

  if (ls_as_int (expr, value))
    return TRUE;
  if (ls_is_var (expr))
    {
      gint64 *known = g_hash_table_lookup (self->extents, expr);
      const char *text = setting (self, ((LsVar *) expr)->name);
      char *end = NULL;

      *value = known != NULL ? *known : text != NULL ? g_ascii_strtoll (text, &end, 0) : 0;
      if (known != NULL || (text != NULL && end != text && *end == 0))
        return TRUE;
      return ls_worker_refuse (error, "The extent %s is not given; say it as %s=VALUE.", ((LsVar *) expr)->name, ((LsVar *) expr)->name);
    }
  if (ls_is (expr, CAST))
    return evaluate (self, ((LsCast *) expr)->value, value, error);
  if (!ls_kind_is_binary (ls_kind (expr)))
    return ls_worker_refuse (error, "An extent of an argument is more than sums and products of numbers.");
  if (!evaluate (self, binary->a, &a, error) || !evaluate (self, binary->b, &b, error))
    return FALSE;
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_ADD: return !__builtin_add_overflow (a, b, value) || ls_worker_refuse (error, "An extent does not fit into 64 bits.");
    case LS_KIND_SUB: return !__builtin_sub_overflow (a, b, value) || ls_worker_refuse (error, "An extent does not fit into 64 bits.");
    case LS_KIND_MUL: return !__builtin_mul_overflow (a, b, value) || ls_worker_refuse (error, "An extent does not fit into 64 bits.");
    case LS_KIND_MIN: *value = MIN (a, b); return TRUE;
    case LS_KIND_MAX: *value = MAX (a, b); return TRUE;
    case LS_KIND_FLOOR_DIV: *value = b != 0 ? ls_floordiv_i64 (a, b) : 0; return b != 0 || ls_worker_refuse (error, "An extent is divided by zero.");
    case LS_KIND_FLOOR_MOD: *value = b != 0 ? ls_floormod_i64 (a, b) : 0; return b != 0 || ls_worker_refuse (error, "An extent is divided by zero.");
    default: return ls_worker_refuse (error, "An extent of an argument is more than sums and products of numbers.");
    }
}

typedef struct {
  const char *name;
  gsize       length;
  gboolean    found;
} Named;

static LsWalk
find_named (LsNode  *node,
            gpointer data)
{
  Named *self = data;
  const char *name = ls_is_var (node) ? ((LsVar *) node)->name : NULL;

  self->found |= name != NULL && strlen (name) == self->length && strncmp (name, self->name, self->length) == 0;
  return LS_WALK_CONTINUE;
}

/* Every NAME=VALUE of `set` is about a number or an extent of the function, and a file does not say otherwise. */
static gboolean
check_settings (Maker   *self,
                GError **error)
{
  LsPrimFunc *func = self->program->func;

  for (guint i = 0; self->set != NULL && self->set[i] != NULL; i++)
    {
      const char *equals = strchr (self->set[i], '=');
      Named named = { self->set[i], equals != NULL ? (gsize) (equals - self->set[i]) : 0, FALSE };

      if (equals == NULL)
        return ls_worker_refuse (error, "A size is given as NAME=VALUE, not as %s.", self->set[i]);
      for (guint k = 0; k < func->params->n; k++)
        {
          LsBuffer *buffer = ls_prim_func_get_buffer (func, k);

          if (buffer == NULL)
            find_named (func->params->items[k], &named);
          else
            for (guint d = 0; d < buffer->shape->n; d++)
              ls_walk (buffer->shape->items[d], find_named, NULL, &named);
        }
      if (!named.found)
        return ls_worker_refuse (error, "%s has no number and no extent %.*s.", self->program->name, (int) named.length, named.name);
    }
  return TRUE;
}

/* ---- arrays ---------------------------------------------------------------------- */

static LsDLDataType
dl_type (LsDType t)
{
  if (ls_dtype_is_bool (t))
    return LS_DT_BOOL;
  return (LsDLDataType) { t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code == LS_TYPE_E4M3 ? LS_DL_E4M3 : t.code == LS_TYPE_E5M2 ? LS_DL_E5M2 : t.code, t.bits, t.lanes };
}

/* Symbolic extents of a parameter that came from a file are known from now on; `set` says the same or nothing. */
static gboolean
learn (Maker     *self,
       LsBuffer  *buffer,
       LsNDArray *array,
       GError   **error)
{
  for (guint i = 0; i < buffer->shape->n && (int) i < array->tensor.ndim; i++)
    {
      LsVar *var = ls_array_at (buffer->shape, i, LsVar);
      const char *text = ls_is_var (var) ? setting (self, var->name) : NULL;

      if (!ls_is_var (var))
        continue;
      if (text != NULL && g_ascii_strtoll (text, NULL, 0) != array->tensor.shape[i])
        return ls_worker_refuse (error, "The extent %s is %" PRId64 " in the file for %s, but %s is given.", var->name, array->tensor.shape[i], buffer->name, text);
      if (!g_hash_table_contains (self->extents, var))
        g_hash_table_insert (self->extents, var, g_memdup2 (&array->tensor.shape[i], sizeof (gint64)));
    }
  return TRUE;
}

static LsNDArray *
new_array (Maker      *self,
           LsBuffer   *buffer,
           const char *input,
           GError    **error)
{
  gint64 shape[LS_NDARRAY_MAX_NDIM];

  if (buffer->shape->n > LS_NDARRAY_MAX_NDIM)
    {
      ls_worker_refuse (error, "%s has more than %d dimensions.", buffer->name, LS_NDARRAY_MAX_NDIM);
      return NULL;
    }
  for (guint i = 0; i < buffer->shape->n; i++)
    if (!evaluate (self, ls_array_at (buffer->shape, i, LsExpr), &shape[i], error))
      return NULL;
  if (input != NULL && g_str_has_prefix (input, "fd:"))
    {
      int fd = ls_request_get_fd (self->request, atoi (input + strlen ("fd:")), error);

      return fd < 0 ? NULL : ls_ndarray_new_from_fd (fd, TRUE, (int) buffer->shape->n, shape, dl_type (buffer->dtype), error);
    }
  return ls_ndarray_new ((int) buffer->shape->n, shape, dl_type (buffer->dtype), error);
}

static gboolean
is_file (const char *input)
{
  return input != NULL && *input != 0 && !g_str_has_prefix (input, "fd:");
}

/* Random numbers; where others are indexed with them, valid ones. */
static void
fill (Maker      *self,
      guint       i,
      LsArgument *argument)
{
  const LsIndexValues *values = g_hash_table_lookup (self->values, ls_prim_func_get_buffer (self->program->func, i)->data);

  ls_debug_fill (&argument->array->tensor, values, self->seed + i);
  if (values == NULL)
    return;
  argument->values = values->of == NULL
                       ? g_strdup_printf (values->rises ? ls_translate ("%" PRId64 " to %" PRId64 ", rising") : ls_translate ("%" PRId64 " to %" PRId64), values->low, values->high)
                       : g_strdup_printf (values->rises ? ls_translate ("%" PRId64 " to %" PRId64 ", rising, which are valid for %s")
                                                        : ls_translate ("%" PRId64 " to %" PRId64 ", which are valid for %s"), values->low, values->high, values->of);
}

static gboolean
make_array (Maker      *self,
            guint       i,
            LsBuffer   *buffer,
            const char *input,
            GError    **error)
{
  LsArgument *argument = &self->out->arguments[i];

  if (argument->array == NULL)
    argument->array = new_array (self, buffer, input, error);
  if (argument->array == NULL)
    return FALSE;
  if ((input == NULL || *input == 0) && argument->role != LS_ROLE_OUT)
    fill (self, i, argument);
  self->out->args[i].kind = LS_ARG_TENSOR;
  self->out->args[i].v_tensor = &argument->array->tensor;
  return TRUE;
}

static guint
count_arrays (LsPrimFunc  *func,
              LsArguments *arguments,
              gboolean     with_outputs)
{
  guint n = 0;

  for (guint i = 0; i < func->params->n; i++)
    n += ls_prim_func_get_buffer (func, i) != NULL && (with_outputs || arguments->arguments[i].role != LS_ROLE_OUT);
  return n;
}

/* The input that belongs to parameter i, or NULL. */
static const char *
input_of (Maker *self,
          guint  i)
{
  LsPrimFunc *func = self->program->func;
  guint given = self->inputs != NULL ? g_strv_length (self->inputs) : 0;
  gboolean all = given > count_arrays (func, self->out, FALSE);
  guint at = 0;

  if (ls_prim_func_get_buffer (func, i) == NULL || (!all && self->out->arguments[i].role == LS_ROLE_OUT))
    return NULL;
  for (guint k = 0; k < i; k++)
    at += ls_prim_func_get_buffer (func, k) != NULL && (all || self->out->arguments[k].role != LS_ROLE_OUT);
  return at < given ? self->inputs[at] : NULL;
}

static void
find_roles (Maker *self)
{
  LsPrimFunc *func = self->program->func;
  Uses uses = { g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL) };
  g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL);

  ls_walk (func->body, note_use, NULL, &uses);
  find_reductions (func->body, own);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsArgument *argument = &self->out->arguments[i];

      argument->name = g_strdup (buffer != NULL ? buffer->name : ls_array_at (func->params, i, LsVar)->name);
      argument->role = buffer != NULL ? role_of (&uses, own, buffer->data) : LS_ROLE_IN;
    }
  g_hash_table_unref (uses.read);
  g_hash_table_unref (uses.written);
  g_hash_table_unref (uses.sources);
}

static gboolean
make_all (Maker   *self,
          GError **error)
{
  LsPrimFunc *func = self->program->func;
  guint given = self->inputs != NULL ? g_strv_length (self->inputs) : 0;

  if (given > count_arrays (func, self->out, TRUE))
    return ls_worker_refuse (error, "%s takes %u arrays; %u inputs are given.", self->program->name, count_arrays (func, self->out, TRUE), given);
  if (!check_settings (self, error))
    return FALSE;
  for (guint i = 0; i < func->params->n; i++)
    {
      const char *input = input_of (self, i);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *var = ls_array_at (func->params, i, LsVar);

      if (is_file (input))
        {
          self->out->arguments[i].array = ls_npy_read (input, error);
          if (self->out->arguments[i].array == NULL || !learn (self, buffer, self->out->arguments[i].array, error))
            return FALSE;
        }
      else if (buffer == NULL && ls_dtype (var).code == LS_TYPE_HANDLE)
        return ls_worker_refuse (error, "%s is a bare handle: nothing says what it points to.", var->name);
      else if (buffer == NULL && !number_of (self, var, &self->out->args[i], error))
        return FALSE;
    }
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer != NULL && !make_array (self, i, buffer, input_of (self, i), error))
        return FALSE;
    }
  return TRUE;
}

LsArguments *
ls_arguments_prepare (LsProgram *program,
                      LsRequest *request,
                      GVariant  *params,
                      GError   **error)
{
  g_autoptr (LsArguments) out = g_new0 (LsArguments, 1);
  g_auto (GStrv) inputs = ls_params_strv (params, "inputs");
  g_auto (GStrv) set = ls_params_strv (params, "set");
  g_autoptr (GHashTable) extents = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  g_autoptr (GHashTable) values = NULL;
  Maker self = { program, request, out, extents, inputs, set, (guint64) ls_params_int (params, "seed", 0), NULL };

  for (guint i = 0; set != NULL && set[i] != NULL; i++)
    g_ptr_array_add (sizes, set[i]);
  self.values = values = ls_index_values (program->func, sizes);

  out->n = program->func->params->n;
  out->arguments = g_new0 (LsArgument, out->n + 1);
  out->args = g_new0 (LsArg, out->n + 1);
  find_roles (&self);
  return make_all (&self, error) ? g_steal_pointer (&out) : NULL;
}

LsArguments *
ls_arguments_copy (LsArguments *self,
                   GError     **error)
{
  g_autoptr (LsArguments) out = g_new0 (LsArguments, 1);

  out->n = self->n;
  out->arguments = g_memdup2 (self->arguments, sizeof (LsArgument) * (self->n + 1));
  out->args = g_memdup2 (self->args, sizeof (LsArg) * (self->n + 1));
  for (guint i = 0; i < self->n; i++)
    {
      out->arguments[i].array = NULL;
      out->arguments[i].name = g_strdup (self->arguments[i].name);
      out->arguments[i].values = g_strdup (self->arguments[i].values);
    }
  for (guint i = 0; i < self->n; i++)
    if (self->arguments[i].array != NULL)
      {
        out->arguments[i].array = ls_ndarray_copy (&self->arguments[i].array->tensor, error);
        if (out->arguments[i].array == NULL)
          return NULL;
        out->args[i].v_tensor = &out->arguments[i].array->tensor;
      }
  return g_steal_pointer (&out);
}

void
ls_arguments_reset (LsArguments *self,
                    LsArguments *from)
{
  for (guint i = 0; i < self->n; i++)
    if (self->arguments[i].array != NULL)
      ls_tensor_copy_into (&from->arguments[i].array->tensor, &self->arguments[i].array->tensor, NULL);
}

char *
ls_arguments_describe (LsArguments *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    if (self->arguments[i].values != NULL)
      g_string_append_printf (text, "%s%s holds %s", text->len > 0 ? "; " : "", self->arguments[i].name, self->arguments[i].values);
  return g_string_free (text, text->len == 0);
}

void
ls_arguments_free (LsArguments *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    {
      g_clear_pointer (&self->arguments[i].array, ls_ndarray_unref);
      g_free (self->arguments[i].name);
      g_free (self->arguments[i].values);
    }
  g_free (self->arguments);
  g_free (self->args);
  g_free (self);
}
