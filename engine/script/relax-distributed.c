/* relax-distributed: what R. has for tensors that lie in parts on several devices: R.DTensor (...), R.device_mesh (...), R.dist.const (...).
 *
 * A mesh is one of the module's global infos by its place, "mesh[0]", or the object; a placement is a text, "S[0], R", or the object.
 */
#include "engine/script/script-private.h"

#include <string.h>

#define KEEP(node) ls_value_node (p, ls_parse_keep (p, (node), args->call))

/* The node (taken), or the finding that the error says. */
static LsNode *
kept_or_said (LsParse *p,
              LsNode  *node,
              GError  *error,
              LsSpan   span)
{
  if (node != NULL)
    return ls_parse_keep (p, node, span);
  ls_parse_error (p, span, "script/shape", "%s", error->message);
  g_error_free (error);
  return NULL;
}

/* ---- meshes and placements by their names ---------------------------------------------- */

/* "mesh[0]" among the global infos of the module. */
static LsNode *
mesh_named (LsParse    *p,
            const char *text)
{
  const char *bracket = strchr (text, '[');
  g_autofree char *name = bracket != NULL ? g_strndup (text, (gsize) (bracket - text)) : NULL;
  LsNode *list = name != NULL && p->global_infos != NULL ? ls_map_get (p->global_infos, name) : NULL;
  char *end = NULL;
  guint64 i = bracket != NULL ? g_ascii_strtoull (bracket + 1, &end, 10) : 0;
  LsNode *found = end != NULL && g_str_equal (end, "]") && ls_is (list, ARRAY) && i < ls_array_n ((LsArray *) list) ? ((LsArray *) list)->items[i] : NULL;

  return ls_is (found, DEVICE_MESH) ? found : NULL;
}

LsNode *
ls_relax_mesh (LsParse *p,
               LsValue *v,
               LsSpan   span)
{
  LsNode *found = v->kind == LS_VALUE_STRING ? mesh_named (p, v->s) : v->kind == LS_VALUE_NODE && ls_is (v->node, STRING)
                  ? mesh_named (p, ((LsString *) v->node)->value) : v->kind == LS_VALUE_NODE ? v->node : NULL;

  if (ls_is (found, DEVICE_MESH))
    return found;
  if (v->kind == LS_VALUE_STRING)
    ls_parse_error (p, span, "script/name", "There is no device mesh `%s`: the global infos of a module have meshes such as \"mesh[0]\".", v->s);
  else if (v->kind != LS_VALUE_POISON)
    ls_parse_error (p, span, "script/type", "A device mesh was expected; this is %s.", ls_value_describe (p, v));
  return NULL;
}

LsNode *
ls_relax_placement (LsParse *p,
                    LsValue *v,
                    LsSpan   span)
{
  const char *text = v->kind == LS_VALUE_STRING ? v->s : v->kind == LS_VALUE_NODE && ls_is (v->node, STRING) ? ((LsString *) v->node)->value : NULL;
  GError *error = NULL;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, PLACEMENT))
    return v->node;
  if (text != NULL)
    {
      LsNode *placement = ls_placement_parse (text, &error);

      return kept_or_said (p, placement, error, span);
    }
  if (v->kind != LS_VALUE_POISON)
    ls_parse_error (p, span, "script/type", "A placement such as \"S[0], R\" was expected; this is %s.", ls_value_describe (p, v));
  return NULL;
}

/* ---- R.device_mesh ------------------------------------------------------------------------- */

/* A list or tuple of whole numbers. */
static LsArray *
numbers (LsParse    *p,
         LsValue    *v,
         LsSpan      span,
         const char *what)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsArray *list = v->kind == LS_VALUE_NODE && ls_is (v->node, ARRAY) ? (LsArray *) v->node : NULL;
  guint n = list != NULL ? list->n : v->n;
  gint64 number;

  if (list == NULL && !ls_value_is_sequence (v))
    {
      ls_parse_error (p, span, "script/type", "%s is a list of whole numbers; this is %s.", what, ls_value_describe (p, v));
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      if (!ls_value_to_int (p, list != NULL ? ls_value_node (p, list->items[i]) : v->items[i], span, what, &number))
        return NULL;
      g_ptr_array_add (out, ls_int (number));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

static LsValue *
device_mesh (LsParse     *p,
             LsRelaxArgs *args)
{
  LsSpan at, ids_at;
  LsValue *grid = ls_relax_need (p, args, 0, "shape", &at), *ids = grid != NULL ? ls_relax_need (p, args, 1, "device_ids", &ids_at) : NULL;
  LsArray *shape = ids != NULL ? numbers (p, grid, at, "The shape of a device mesh") : NULL, *list = NULL;
  LsRange *range = ids != NULL && ids->kind == LS_VALUE_NODE && ls_is (ids->node, RANGE) ? (LsRange *) ids->node : NULL;
  GError *error = NULL;
  LsNode *mesh;
  gint64 from, n;

  if (shape == NULL || (range == NULL && (list = numbers (p, ids, ids_at, "The devices of a mesh")) == NULL))
    return NULL;
  if (range != NULL && (!ls_as_int (range->min, &from) || !ls_as_int (range->extent, &n)))
    {
      ls_parse_error (p, ids_at, "script/type", "The devices of a mesh are a range of whole numbers.");
      return NULL;
    }
  mesh = range != NULL ? ls_device_mesh_new_range (ls_ref (shape), from, n, &error) : ls_device_mesh_new (ls_ref (shape), ls_ref (list), FALSE, &error);
  return ls_value_node (p, kept_or_said (p, mesh, error, args->call));
}

/* ---- R.DTensor ------------------------------------------------------------------------------- */

/* The tensor as R.Tensor (shape, dtype, ndim=) says it. */
static LsNode *
tensor_part (LsParse     *p,
             LsRelaxArgs *args)
{
  static const char *const NAMES[] = { "shape", "dtype", "ndim" };
  LsRelaxArgs part = *args;
  LsSpan at;
  LsValue *v;

  part.n = part.n_positional = 0;
  part.values = ls_arena_alloc (&p->arena, 3 * sizeof *part.values);
  part.keywords = ls_arena_alloc (&p->arena, 3 * sizeof *part.keywords);
  part.spans = ls_arena_alloc (&p->arena, 3 * sizeof *part.spans);
  part.taken = ls_arena_alloc (&p->arena, 3 * sizeof *part.taken);
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if ((v = ls_relax_take (args, i < 2 ? i : 4, NAMES[i], &at)) != NULL && v->kind != LS_VALUE_NONE)
      {
        part.values[part.n] = v;
        part.keywords[part.n] = NAMES[i];
        part.spans[part.n] = at;
        part.taken[part.n++] = FALSE;
      }
  v = ls_relax_reader ("Tensor") (p, &part);
  return v != NULL ? v->node : NULL;
}

static LsValue *
dtensor (LsParse     *p,
         LsRelaxArgs *args)
{
  LsSpan at, placement_at;
  LsNode *tensor = tensor_part (p, args), *mesh, *place, *info;
  LsValue *device = tensor != NULL ? ls_relax_need (p, args, 2, "device_mesh", &at) : NULL;
  LsValue *placement = device != NULL ? ls_relax_take (args, 3, "placement", &placement_at) : NULL;
  GError *error = NULL;

  if (device == NULL || (mesh = ls_relax_mesh (p, device, at)) == NULL
      || (place = ls_relax_placement (p, placement != NULL ? placement : ls_value_string (p, ""), placement_at)) == NULL)
    return NULL;
  info = ls_dtensor_struct_info_new (ls_ref (tensor), ls_ref (mesh), ls_ref (place), &error);
  return ls_value_node (p, kept_or_said (p, info, error, args->call));
}

/* ---- R.dist.const ------------------------------------------------------------------------------ */

static LsValue *
constant (LsParse     *p,
          LsRelaxArgs *args)
{
  LsSpan at, info_at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at), *said = v != NULL ? ls_relax_need (p, args, 1, "struct_info", &info_at) : NULL;
  LsStructInfo *info = said != NULL ? ls_relax_sinfo (p, said, info_at) : NULL;
  LsTensorStructInfo *tensor = ls_tensor_of (info);
  LsValue *type, *plain;

  if (info == NULL)
    return NULL;
  if (!ls_is (info, DTENSOR_STRUCT_INFO))
    {
      ls_parse_error (p, info_at, "script/type", "struct_info needs to be an instance of DTensorStructInfo.");
      return NULL;
    }
  type = ls_dtype_is_void (tensor->dtype) ? NULL : ls_value_string (p, ls_arena_printf (&p->arena, "%s", ls_dtype_name (tensor->dtype)));
  plain = ls_relax_constant (p, v, at, type, info_at, args->call);
  return plain != NULL ? KEEP (ls_constant_new_full (ls_ref (((LsConstant *) plain->node)->data), ls_ref (info))) : NULL;
}

/* ---- the table ---- */

LsRelaxReader
ls_relax_distributed_reader (const char *name)
{
  if (g_str_has_prefix (name, "dist.") && strcmp (name, "dist.const") != 0)
    name += strlen ("dist.");
  return strcmp (name, "DTensor") == 0 ? dtensor : strcmp (name, "device_mesh") == 0 ? device_mesh : strcmp (name, "dist.const") == 0 ? constant : NULL;
}
