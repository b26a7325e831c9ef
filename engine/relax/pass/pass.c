/* pass: what is done with arguments, and what the passes share (pass.h). */
#include "engine/relax/pass/pass.h"

#include "engine/base/plural.h"
#include "engine/ir/functions.h"

#include <string.h>

GQuark
ls_relax_pass_error_quark (void)
{
  return g_quark_from_static_string ("ls-relax-pass-error");
}

/* ---- arguments ------------------------------------------------------------------------ */

static LsNode *
preset_node (const char *text)
{
  if (strcmp (text, "None") == 0)
    return NULL;
  if (strcmp (text, "True") == 0 || strcmp (text, "False") == 0)
    return LS_NODE (ls_bool (text[0] == 'T'));
  if (strcmp (text, "[]") == 0)
    return LS_NODE (ls_array_empty ());
  if (strcmp (text, "{}") == 0)
    return LS_NODE (ls_map_empty ());
  if (text[0] == '"')
    {
      g_autofree char *inside = g_strndup (text + 1, strlen (text) - 2);

      return LS_NODE (ls_string_new (inside));
    }
  if (strchr (text, '.') != NULL)
    return LS_NODE (ls_float_imm_new (LS_FLOAT64, g_ascii_strtod (text, NULL)));
  return LS_NODE (ls_int_imm_new (LS_INT64, g_ascii_strtoll (text, NULL, 10)));
}

static gboolean
fits (const char *type,
      LsNode     *value)
{
  gsize n = strlen (type);
  gboolean optional = type[n - 1] == '?';

  if (value == NULL)
    return optional;
  n -= optional;
  if (strncmp (type, "bool", n) == 0)
    return ls_is (value, INT_IMM) && (ls_dtype_is_bool (ls_dtype (value)) || ls_is_zero (value) || ls_is_one (value));
  if (strncmp (type, "int", n) == 0)
    return ls_is (value, INT_IMM);
  if (strncmp (type, "float", n) == 0)
    return ls_is (value, FLOAT_IMM) || ls_is (value, INT_IMM);
  if (strncmp (type, "str", n) == 0)
    return ls_is (value, STRING);
  if (strncmp (type, "list", n) == 0)
    return ls_is (value, ARRAY) || ls_is_relax_var (value);     /* one stands for a list of it */
  if (strncmp (type, "dict", n) == 0)
    return ls_is (value, MAP);
  if (strncmp (type, "params", n) == 0)
    return ls_is (value, MAP) || ls_is (value, STRING);
  return TRUE;
}

static const char *
type_phrase (const char *type)
{
  static const char *const PHRASES[][2] = {
    { "bool", LS_TEXT ("True or False") }, { "int", LS_TEXT ("a whole number") }, { "float", LS_TEXT ("a number") }, { "str", LS_TEXT ("a text") },
    { "list", LS_TEXT ("a list") },
    { "dict", LS_TEXT ("a dictionary") }, { "params", LS_TEXT ("a dictionary of arrays, or the name of a file or folder with them") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (PHRASES); i++)
    if (strncmp (type, PHRASES[i][0], strlen (PHRASES[i][0])) == 0)
      return ls_translate (PHRASES[i][1]);
  return ls_translate ("something that only Python can say");
}

static guint
n_params (const LsRelaxPass *pass)
{
  guint n = 0;

  while (pass->params != NULL && pass->params[n].name != NULL)
    n++;
  return n;
}

static gboolean
know_keywords (const LsRelaxPass *pass,
               LsMap             *keywords,
               GError           **error)
{
  for (guint i = 0; keywords != NULL && i < keywords->n; i++)
    {
      gboolean known = FALSE;

      for (guint k = 0; k < n_params (pass); k++)
        known = known || strcmp (pass->params[k].name, keywords->keys[i]) == 0;
      if (!known)
        {
          g_autofree char *signature = ls_relax_pass_signature (pass);

          g_set_error (error, LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_ARGUMENT, ls_translate ("%s has no argument `%s`; it is called %s."),
                       pass->name, keywords->keys[i], signature);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
has_key (LsMap      *map,
         const char *key)
{
  for (guint i = 0; map != NULL && i < map->n; i++)
    if (strcmp (map->keys[i], key) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
put_argument (const LsRelaxPass      *pass,
              const LsRelaxPassParam *param,
              LsNode                 *value,
              GError                **error)
{
  if (fits (param->type, value))
    return TRUE;
  g_set_error (error, LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_ARGUMENT, ls_translate ("The argument `%s` of %s is %s."), param->name, pass->name,
               type_phrase (param->type));
  return FALSE;
}

LsMap *
ls_relax_pass_arguments (const LsRelaxPass *pass,
                         LsArray           *positional,
                         LsMap             *keywords,
                         GError           **error)
{
  guint n = n_params (pass);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree LsNode **values = g_new0 (LsNode *, n + 1);
  gboolean fine = know_keywords (pass, keywords, error);

  if (fine && ls_array_n (positional) > n)
    {
      g_autofree char *signature = ls_relax_pass_signature (pass);

      g_set_error (error, LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_ARGUMENT,
                   ls_translate_plural ("%s takes %u argument, not %u; it is called %s.", "%s takes %u arguments, not %u; it is called %s.", n),
                   pass->name, n, positional->n, signature);
      fine = FALSE;
    }
  for (guint i = 0; fine && i < n; i++)
    {
      const LsRelaxPassParam *param = &pass->params[i];
      gboolean by_position = i < ls_array_n (positional), by_name = has_key (keywords, param->name);

      names[i] = param->name;
      values[i] = by_position ? ls_node_ref (positional->items[i]) : by_name ? ls_node_ref (ls_map_get (keywords, param->name))
                  : param->preset != NULL ? preset_node (param->preset) : NULL;
      if (by_position || by_name)
        {
          fine = put_argument (pass, param, values[i], error);
        }
      else if (param->preset == NULL)
        {
          g_set_error (error, LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_ARGUMENT, ls_translate ("%s needs an argument `%s`: %s."), pass->name, param->name,
                       type_phrase (param->type));
          fine = FALSE;
        }
    }
  if (fine)
    return ls_map_new (names, values, n);
  for (guint i = 0; i < n; i++)
    ls_node_unref (values[i]);
  return NULL;
}

LsModule *
ls_relax_pass_run (const LsRelaxPass *pass,
                   LsModule          *module,
                   LsMap             *args,
                   GError           **error)
{
  GError *own = NULL;
  LsModule *result = pass->apply (module, args, &own);

  if (result == NULL)
    g_propagate_prefixed_error (error, own, "%s: ", pass->name);
  return result;
}

char *
ls_relax_pass_signature (const LsRelaxPass *pass)
{
  GString *out = g_string_new (pass->name);

  g_string_append_c (out, '(');
  for (guint i = 0; i < n_params (pass); i++)
    {
      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", pass->params[i].name);
      if (pass->params[i].preset != NULL)
        g_string_append_printf (out, "=%s", pass->params[i].preset);
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

/* ---- for passes ---------------------------------------------------------------------------- */

gboolean
ls_relax_pass_bool (LsMap      *args,
                    const char *name)
{
  return ls_relax_pass_int (args, name) != 0;
}

gint64
ls_relax_pass_int (LsMap      *args,
                   const char *name)
{
  gint64 value = 0;

  ls_as_int (ls_map_get (args, name), &value);
  return value;
}

const char *
ls_relax_pass_str (LsMap      *args,
                   const char *name)
{
  LsNode *value = ls_map_get (args, name);

  return ls_is (value, STRING) ? ((LsString *) value)->value : NULL;
}

LsNode *
ls_relax_pass_attr (LsRelaxCall *call,
                    const char  *name)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    if (g_str_equal (ls_array_at (call->attr_names, i, LsString)->value, name))
      return call->attrs->items[i];
  return NULL;
}

gboolean
ls_relax_pass_skips (gpointer     names,
                     LsRelaxCall *call)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : NULL;

  for (guint i = 0; name != NULL && ls_is (names, ARRAY) && i < ((LsArray *) names)->n; i++)
    {
      LsNode *one = ((LsArray *) names)->items[i];

      if (ls_is (one, STRING) && g_str_equal (((LsString *) one)->value, name))
        return TRUE;
    }
  return FALSE;
}

/* What a call of it has to be given, and gives. (transfer full) */
static LsArray *
signature_of (LsFunction *func)
{
  GPtrArray *infos = g_ptr_array_sized_new (func->params->n + 1);

  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (infos, ls_node_ref (ls_array_at (func->params, i, LsRelaxVar)->struct_info));
  g_ptr_array_add (infos, ls_node_ref (func->ret_struct_info));
  return ls_array_take_ptr_array (infos);
}

/* Would a call of it be of another type?  Parameters that were only made anew change nothing. */
static gboolean
has_other_signature (LsFunction *before,
                     LsNode     *after)
{
  LsFunction *now = (LsFunction *) after;
  g_autoptr (LsArray) old = NULL, fresh = NULL;

  if (!ls_is (after, FUNCTION) || now->is_pure != before->is_pure || now->params->n != before->params->n)
    return TRUE;
  if (now->params == before->params && now->ret_struct_info == before->ret_struct_info)
    return FALSE;
  old = signature_of (before);
  fresh = signature_of (now);
  return !ls_structural_equal (old, fresh, TRUE, NULL, NULL);
}

LsModule *
ls_relax_each_function (LsModule            *module,
                        LsRelaxFunctionPass  func,
                        gpointer             user_data,
                        GError             **error)
{
  g_autoptr (LsModuleBuilder) builder = ls_module_builder_new (module);
  g_autoptr (LsModule) now = ls_ref (module);

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsFunction *before = (LsFunction *) module->functions->items[i];
      LsNode *primitive = ls_is (before, FUNCTION) ? ls_map_get (before->attrs, "Primitive") : NULL;
      g_autoptr (LsNode) fresh = NULL;

      if (!ls_is (before, FUNCTION) || (primitive != NULL && !ls_is_zero (primitive)))
        continue;
      fresh = func (now, before, user_data, error);
      if (fresh == NULL)
        return NULL;
      ls_module_builder_put (builder, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, fresh);
      if (has_other_signature (before, fresh))
        ls_take (&now, ls_module_builder_get_module (builder));
    }
  return ls_module_builder_finish (g_steal_pointer (&builder));
}

gpointer
ls_relax_pass_refuse (GError     **error,
                      const char  *format,
                      ...)
{
  va_list list;

  va_start (list, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_PROGRAM, ls_translate (format), list);
  va_end (list);
  return NULL;
}
