/* vm-inputs: what a function of Relax runs on: see vm.h. */
#include "engine/debug/debug-private.h"
#include "engine/debug/vm.h"

#include "engine/relax/pass/pass.h"

#include <string.h>

#define MOST_ELEMENTS (1 << 28)

static gboolean
refuse (GError    **error,
        const char *format,
        ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError    **error,
        const char *format,
        ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, format, args);
  va_end (args);
  return FALSE;
}

/* ---- symbols ------------------------------------------------------------------------------- */

/* {"n": 4}; NULL with an error. */
static LsMap *
bindings_of (const char *const *set,
             GError           **error)
{
  guint n = g_strv_length ((char **) set);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree LsNode **values = g_new0 (LsNode *, n + 1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  LsMap *map = NULL;

  for (guint i = 0; i < n; i++)
    {
      const char *equals = strchr (set[i], '=');
      char *end = NULL;
      gint64 value = equals != NULL ? g_ascii_strtoll (equals + 1, &end, 0) : 0;

      if (equals == NULL || end == equals + 1 || *end != '\0')
        {
          refuse (error, ls_translate ("%s is not NAME=VALUE with a whole number."), set[i]);
          for (guint k = 0; k < i; k++)
            ls_node_unref (values[k]);
          return NULL;
        }
      g_ptr_array_add (kept, g_strndup (set[i], (gsize) (equals - set[i])));
      names[i] = kept->pdata[i];
      values[i] = LS_NODE (ls_int_imm_new (LS_INT64, value));
    }
  map = ls_map_new (names, values, n);
  return map;
}

LsModule *
ls_debug_bind_symbols (LsModule            *module,
                       const LsDebugInputs *inputs,
                       GError             **error)
{
  const LsRelaxPass *pass = ls_relax_pass_get ("BindSymbolicVars", NULL);
  g_autoptr (LsMap) bindings = NULL;
  g_autoptr (LsArray) positional = NULL;
  g_autoptr (LsMap) args = NULL;

  if (inputs == NULL || inputs->set == NULL || inputs->set[0] == NULL)
    return ls_ref (module);
  bindings = bindings_of (inputs->set, error);
  if (bindings == NULL)
    return NULL;
  positional = ls_array_of (ls_ref (bindings), NULL);
  args = ls_relax_pass_arguments (pass, positional, NULL, error);
  return args != NULL ? ls_relax_pass_run (pass, module, args, error) : NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

static gboolean
extents_of (LsArray    *list,
            const char *name,
            gint64     *extents,
            GError    **error)
{
  if (list == NULL || list->n > LS_NDARRAY_MAX_NDIM)
    return refuse (error, ls_translate ("The shape of %s is not known."), name);
  for (guint i = 0; i < list->n; i++)
    if (!ls_as_int (list->items[i], &extents[i]))
      {
        g_autofree char *words = ls_script_print_expr (ls_array_at (list, i, LsExpr));

        return refuse (error, ls_translate ("The extent %s is not given; say it as NAME=VALUE."), words);
      }
  return TRUE;
}

typedef struct {
  const LsDebugInputs *inputs;
  guint                n_files; /* that were taken */
} Maker;

static LsVMValue *
tensor_value (Maker              *self,
              const char         *name,
              LsTensorStructInfo *info,
              guint               number,
              GError            **error)
{
  const char *file = self->inputs != NULL && self->inputs->files != NULL ? self->inputs->files[self->n_files] : NULL;
  gint64 extents[LS_NDARRAY_MAX_NDIM], n = 1;
  g_autoptr (LsNDArray) array = NULL;
  LsArray *shape;

  if (!ls_is (info->shape, SHAPE_EXPR) || ls_dtype_is_void (info->dtype))
    return refuse (error, ls_translate ("The shape of %s is not known."), name), NULL;
  shape = ((LsShapeExpr *) info->shape)->values;
  if (!extents_of (shape, name, extents, error))
    return NULL;
  for (guint i = 0; i < shape->n; i++)
    if (extents[i] < 0 || __builtin_mul_overflow (n, extents[i], &n) || n > MOST_ELEMENTS)
      return refuse (error, ls_translate ("%s is too large for the debugger."), name), NULL;
  if (file == NULL)
    {
      array = ls_ndarray_new ((int) shape->n, extents, ls_debug_dl_dtype (info->dtype), error);
      if (array == NULL)
        return NULL;
      ls_tensor_fill_random (&array->tensor, (self->inputs != NULL ? self->inputs->seed : 0) + number);
      return ls_vm_tensor (g_steal_pointer (&array));
    }
  self->n_files++;
  array = ls_npy_read (file, error);
  return array != NULL ? ls_vm_tensor (g_steal_pointer (&array)) : NULL;        /* whether it fits the machine says */
}

static LsVMValue *
value_of (Maker        *self,
          const char   *name,
          LsStructInfo *info,
          guint         number,
          GError      **error)
{
  gint64 extents[LS_NDARRAY_MAX_NDIM];

  if (ls_is (info, TENSOR_STRUCT_INFO))
    return tensor_value (self, name, (LsTensorStructInfo *) info, number, error);
  if (ls_is (info, SHAPE_STRUCT_INFO))
    return extents_of (((LsShapeStructInfo *) info)->values, name, extents, error) ? ls_vm_shape (extents, ((LsShapeStructInfo *) info)->values->n) : NULL;
  if (ls_is (info, PRIM_STRUCT_INFO) && ((LsPrimStructInfo *) info)->value != NULL && ls_as_int (((LsPrimStructInfo *) info)->value, &extents[0]))
    return ls_vm_int (extents[0]);
  if (ls_is (info, TUPLE_STRUCT_INFO))
    {
      LsArray *fields = ((LsTupleStructInfo *) info)->fields;
      g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

      for (guint i = 0; i < fields->n; i++)
        {
          LsVMValue *field = value_of (self, name, fields->items[i], number * 100 + i, error);

          if (field == NULL)
            return NULL;
          g_ptr_array_add (values, field);
        }
      g_ptr_array_set_free_func (values, NULL);
      return ls_vm_tuple ((LsVMValue **) values->pdata, values->len);
    }
  return refuse (error, ls_translate ("The debugger has no value for %s."), name), NULL;
}

/* Random tokens lie within the vocabulary that they pick from. */
static void
keep_indices (LsVMValue  *value,
              LsFunction *func,
              guint       param)
{
  const LsDLTensor *tensor = &value->tensor->tensor;

  ls_debug_keep_indices (ls_debug_dtype_of_dl (tensor->dtype), ls_tensor_element (tensor, 0), ls_tensor_n_elements (tensor), func, param);
}

GPtrArray *
ls_debug_vm_arguments (LsFunction          *func,
                       const LsDebugInputs *inputs,
                       GError             **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  Maker self = { inputs, 0 };

  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      guint n_files = self.n_files;
      LsVMValue *value = value_of (&self, param->name, param->struct_info, i, error);

      if (value == NULL)
        return NULL;
      if (value->kind == LS_VM_TENSOR && self.n_files == n_files)
        keep_indices (value, func, i);
      g_ptr_array_add (values, value);
    }
  if (inputs != NULL && inputs->files != NULL && inputs->files[self.n_files] != NULL)
    return refuse (error, ls_translate ("%s is one file more than the function takes tensors."), inputs->files[self.n_files]), NULL;
  return g_steal_pointer (&values);
}

/* ---- what is to be told ---------------------------------------------------------------------- */

typedef struct {
  const char *const *set;
  GPtrArray         *names;     /* of char *, borrowed from the module */
} Asked;

static void
ask_for (Asked      *self,
         const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; self->set != NULL && self->set[i] != NULL; i++)
    if (strncmp (self->set[i], name, length) == 0 && self->set[i][length] == '=')
      return;
  for (guint i = 0; i < self->names->len; i++)
    if (strcmp (self->names->pdata[i], name) == 0)
      return;
  g_ptr_array_add (self->names, (gpointer) name);
}

static LsWalk
ask_var (LsNode  *node,
         gpointer user_data)
{
  if (ls_is_var (node))
    ask_for (user_data, ((LsVar *) node)->name);
  return LS_WALK_CONTINUE;
}

static void
ask_list (Asked   *self,
          LsArray *list)
{
  for (guint i = 0; list != NULL && i < list->n; i++)
    ls_walk (list->items[i], ask_var, NULL, self);
}

static void
ask_info (Asked        *self,
          LsStructInfo *info)
{
  if (ls_is (info, TENSOR_STRUCT_INFO) && ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR))
    ask_list (self, ((LsShapeExpr *) ((LsTensorStructInfo *) info)->shape)->values);
  else if (ls_is (info, SHAPE_STRUCT_INFO))
    ask_list (self, ((LsShapeStructInfo *) info)->values);
  else if (ls_is (info, PRIM_STRUCT_INFO) && ((LsPrimStructInfo *) info)->value != NULL)
    ls_walk (((LsPrimStructInfo *) info)->value, ask_var, NULL, self);
  else if (ls_is (info, TUPLE_STRUCT_INFO))
    for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
      ask_info (self, ((LsTupleStructInfo *) info)->fields->items[i]);
}

static void
ask_function (Asked  *self,
              LsNode *node)
{
  LsPrimFunc *prim = (LsPrimFunc *) node;
  LsFunction *func = (LsFunction *) node;

  for (guint i = 0; ls_is (node, PRIM_FUNC) && i < prim->params->n; i++)
    if (ls_prim_func_get_buffer (prim, i) != NULL)
      ask_list (self, ls_prim_func_get_buffer (prim, i)->shape);
    else
      ask_for (self, ls_array_at (prim->params, i, LsVar)->name);
  for (guint i = 0; ls_is (node, FUNCTION) && i < func->params->n; i++)
    ask_info (self, ls_array_at (func->params, i, LsRelaxVar)->struct_info);
}

char **
ls_debug_symbols (LsModule          *module,
                  const char        *name,
                  const char *const *set)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  Asked self = { set, names };
  LsNode *main = ls_module_get (module, name != NULL ? name : "main");

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsNode *node = module->functions->items[i];

      if (main != NULL ? node == main : name == NULL && ls_is (node, PRIM_FUNC))
        ask_function (&self, node);
    }
  g_ptr_array_add (names, NULL);
  return g_strdupv ((char **) names->pdata);
}
