/* distributed/mesh: where the parts of a tensor lie: device meshes, placements, and the struct info that tells both.
 *
 * "S[0], R" on a mesh of 2 x 3: along the first dimension of the mesh the tensor is cut at its axis 0, along the second
 * each device has the same.  Source: TVM v0.20's relax.distributed, names and rules.
 */
#include "engine/relax/relax-private.h"

#include <inttypes.h>
#include <string.h>

static const char *const KINDS[] = { "kSharding", "kReplica", NULL };

LS_CLASS (ls_dtensor_struct_info_class, DTENSOR_STRUCT_INFO, "DTensorStructInfo", LsDTensorStructInfo, LS_CLASS_PLAIN,
          LS_FIELD (LsDTensorStructInfo, tensor_sinfo, NODE, 0),
          LS_FIELD (LsDTensorStructInfo, device_mesh, NODE, 0),
          LS_FIELD (LsDTensorStructInfo, placement, NODE, 0));
LS_CLASS (ls_device_mesh_class, DEVICE_MESH, "DeviceMesh", LsDeviceMesh, LS_CLASS_PLAIN,
          LS_FIELD (LsDeviceMesh, shape, NODE, 0),
          LS_FIELD (LsDeviceMesh, device_ids, NODE, 0),
          LS_FIELD (LsDeviceMesh, is_range, BOOL, LS_FIELD_HINT));
LS_CLASS (ls_placement_spec_class, PLACEMENT_SPEC, "PlacementSpec", LsPlacementSpec, LS_CLASS_PLAIN,
          LS_FIELD (LsPlacementSpec, axis, INT, 0),
          { "kind", LS_FIELD_ENUM, G_STRUCT_OFFSET (LsPlacementSpec, kind), 0, KINDS });
LS_CLASS (ls_placement_class, PLACEMENT, "Placement", LsPlacement, LS_CLASS_PLAIN,
          LS_FIELD (LsPlacement, dim_specs, NODE, 0));

/* ---- meshes ------------------------------------------------------------------------ */

/* How many places the grid has; -1: no number that a mesh can have. */
static gint64
places_of (LsArray *shape)
{
  gint64 places = 1, n;

  for (guint i = 0; i < shape->n; i++)
    {
      if (!ls_as_int (shape->items[i], &n) || n < 0 || n > G_MAXUINT16)
        return -1;
      places *= n;
      if (places > G_MAXUINT16)
        return -1;
    }
  return places;
}

LsNode *
ls_device_mesh_new (LsArray   *shape,
                    LsArray   *device_ids,
                    gboolean   is_range,
                    GError   **error)
{
  LsDeviceMesh *self;
  gint64 places = places_of (shape);

  if (places != (gint64) device_ids->n)
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE,
                   ls_translate ("%u devices do not fill a mesh of %" PRId64 " places."), device_ids->n, places);
      ls_unref (shape);
      ls_unref (device_ids);
      return NULL;
    }
  self = ls_node_alloc (&ls_device_mesh_class);
  self->shape = shape;
  self->device_ids = device_ids;
  self->is_range = is_range;
  return ls_node_finish (self);
}

LsNode *
ls_device_mesh_new_range (LsArray  *shape,
                          gint64    from,
                          gint64    n,
                          GError  **error)
{
  GPtrArray *ids = g_ptr_array_new ();

  if (n > G_MAXUINT16)
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("A device mesh has no more than %d devices."), G_MAXUINT16);
      g_ptr_array_unref (ids);
      ls_unref (shape);
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    g_ptr_array_add (ids, ls_int (from + i));
  return ls_device_mesh_new (shape, ls_array_take_ptr_array (ids), TRUE, error);
}

/* ---- placements -------------------------------------------------------------------------- */

LsNode *
ls_placement_spec_new (gint64 axis)
{
  LsPlacementSpec *self = ls_node_alloc (&ls_placement_spec_class);

  self->axis = axis < 0 ? -1 : axis;
  self->kind = axis < 0 ? LS_PLACEMENT_REPLICA : LS_PLACEMENT_SHARDING;
  return ls_node_finish (self);
}

LsNode *
ls_placement_new (LsArray *dim_specs)
{
  LsPlacement *self = ls_node_alloc (&ls_placement_class);

  self->dim_specs = dim_specs;
  return ls_node_finish (self);
}

/* "S[12]" or "R" at *at; -2: neither. */
static gint64
read_spec (const char **at)
{
  char *end;
  gint64 axis;

  if (**at == 'R')
    {
      (*at)++;
      return -1;
    }
  if (**at != 'S' || (*at)[1] != '[' || !g_ascii_isdigit ((*at)[2]))
    return -2;
  axis = g_ascii_strtoll (*at + 2, &end, 10);
  if (*end != ']' || axis > G_MAXINT)
    return -2;
  *at = end + 1;
  return axis;
}

LsNode *
ls_placement_parse (const char  *text,
                    GError     **error)
{
  g_autoptr (GPtrArray) specs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gint64 axis;

  for (const char *at = text; *at != '\0';)
    {
      if (*at == ',' || g_ascii_isspace (*at))
        {
          at++;
          continue;
        }
      if ((axis = read_spec (&at)) < -1)
        {
          g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("A placement is \"S[axis]\" or \"R\" for each dimension of the mesh, not \"%s\"."), text);
          return NULL;
        }
      g_ptr_array_add (specs, ls_placement_spec_new (axis));
    }
  return ls_placement_new (ls_array_take_ptr_array (g_steal_pointer (&specs)));
}

char *
ls_placement_text (LsNode *placement)
{
  LsArray *specs = ((LsPlacement *) placement)->dim_specs;
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < specs->n; i++)
    {
      LsPlacementSpec *spec = ls_array_at (specs, i, LsPlacementSpec);

      g_string_append (out, i > 0 ? ", " : "");
      if (spec->kind == LS_PLACEMENT_REPLICA)
        g_string_append_c (out, 'R');
      else
        g_string_append_printf (out, "S[%" G_GINT64_FORMAT "]", spec->axis);
    }
  return g_string_free (out, FALSE);
}

/* ---- the struct info ------------------------------------------------------------------------- */

static gboolean
fits (LsTensorStructInfo  *tensor,
      LsDeviceMesh        *mesh,
      LsArray             *specs,
      GError             **error)
{
  if (mesh->shape->n != specs->n)
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("A mesh of %u dimensions takes a placement of as many; this one has %u."),
                   mesh->shape->n, specs->n);
      return FALSE;
    }
  for (guint i = 0; i < specs->n; i++)
    if (ls_array_at (specs, i, LsPlacementSpec)->kind == LS_PLACEMENT_SHARDING && ls_array_at (specs, i, LsPlacementSpec)->axis >= tensor->ndim)
      {
        g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("Axis %" PRId64 " cannot be shared out: the tensor has %" PRId64 " dimensions."),
                     ls_array_at (specs, i, LsPlacementSpec)->axis, tensor->ndim);
        return FALSE;
      }
  return TRUE;
}

LsStructInfo *
ls_dtensor_struct_info_new (LsStructInfo  *tensor_sinfo,
                            LsNode        *device_mesh,
                            LsNode        *placement,
                            GError       **error)
{
  LsDTensorStructInfo *self = ls_node_alloc (&ls_dtensor_struct_info_class);

  self->tensor_sinfo = tensor_sinfo;
  self->device_mesh = device_mesh;
  self->placement = placement;
  ls_node_finish (self);
  if (fits ((LsTensorStructInfo *) tensor_sinfo, (LsDeviceMesh *) device_mesh, ((LsPlacement *) placement)->dim_specs, error))
    return LS_NODE (self);
  ls_unref (self);
  return NULL;
}

LsTensorStructInfo *
ls_tensor_of (const void *info)
{
  if (ls_is (info, DTENSOR_STRUCT_INFO))
    info = ((const LsDTensorStructInfo *) info)->tensor_sinfo;
  return ls_is (info, TENSOR_STRUCT_INFO) ? (LsTensorStructInfo *) info : NULL;
}
