/* rest: offers for the primitives that offer.c does not look for, so that every one is in the list.
 *
 * Each gets arguments that make sense for the loop or block (the first buffer, half of the iterations, a map made of
 * the block's variables) and is tried for real.  What takes the other kind of place says so.
 */
#include "engine/schedule/moves/private.h"

#include "engine/schedule/intrin/intrin.h"
#include "engine/tir/fast-math.h"

static gboolean
is_offered (LsMoveSearch *self,
            const char   *primitive)
{
  for (guint i = 0; i < self->offers->len; i++)
    if (strcmp (((LsOffer *) self->offers->pdata[i])->instruction->name, primitive) == 0)
      return TRUE;
  return FALSE;
}

static const char *
name_of (LsNode *node)
{
  return ls_is (node, FOR) ? ((LsFor *) node)->loop_var->name : ((LsBlock *) node)->name_hint;
}

static const char *
kind_of (LsMoveSearch *self)
{
  return ls_translate (self->sref->is_block ? "Block" : "Loop");
}

/* What the row of a primitive says it does, as a sentence. (transfer full) */
static char *
summary_of (const LsInstruction *row)
{
  return g_strdup_printf (ls_translate ("%s."), ls_translate (row->summary));
}

static void
cannot_at (guint         line,
           LsMoveSearch *self,
           const char   *primitive,
           const char   *condition,
           char         *reason)
{
  LsOffer *offer = g_new0 (LsOffer, 1);

  offer->instruction = ls_instruction_get (primitive);
  offer->group = LS_OFFER_CANNOT;
  offer->call = g_strdup_printf ("%s(...)", primitive);
  offer->effect = summary_of (offer->instruction);
  offer->text = g_strdup ("");
  offer->code = g_strdup_printf ("schedule/%s/%s", primitive, condition);
  offer->reason = reason;
  offer->checked_in = __FILE__;
  offer->checked_at = line;
  g_ptr_array_add (self->offers, offer);
}

#define cannot(...) cannot_at (__LINE__, __VA_ARGS__)

/* The row's own summary is what it does. */
static void
try_format (LsMoveSearch *self,
            const char   *primitive,
            const char   *format,
            LsNode       *other)
{
  const LsInstruction *row = ls_instruction_get (primitive);
  g_autofree char *effect = row != NULL ? summary_of (row) : NULL;

  if (row != NULL && !is_offered (self, primitive))
    ls_moves_try (self, primitive, format, self->node, other, effect);
}

/* Steps that need no place. */
static void
free_step (LsMoveSearch *self,
           const char   *primitive,
           const char   *call)
{
  LsOffer *offer = g_new0 (LsOffer, 1);

  offer->instruction = ls_instruction_get (primitive);
  offer->group = LS_OFFER_CAN;
  offer->call = g_strdup (call);
  offer->effect = summary_of (offer->instruction);
  offer->text = g_strdup_printf ("sch.%s\n", call);
  g_ptr_array_add (self->offers, offer);
}

/* ---- arguments ------------------------------------------------------------------------ */

/* "lambda v0, v1: (v1, v0,)": variables of the block, those at `used` in that order, or all of them the other way round. */
static char *
map_of_vars (LsBlock *block,
             GArray  *used)
{
  GString *map = g_string_new ("lambda ");
  guint n = ls_array_n (block->iter_vars);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (map, "%sv%u", i > 0 ? ", " : "", i);
  g_string_append (map, ": (");
  for (guint i = 0; i < (used != NULL ? used->len : n); i++)
    g_string_append_printf (map, "v%u, ", used != NULL ? g_array_index (used, guint, i) : n - 1 - i);
  g_string_append_c (map, ')');
  return g_string_free (map, FALSE);
}

/* The variables that index the region, in their order. (transfer full) of guint */
static GArray *
vars_of_region (LsBlock        *block,
                LsBufferRegion *region)
{
  GArray *used = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint d = 0; d < ls_array_n (region->region); d++)
    for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
      if (ls_uses (ls_array_at (region->region, d, LsRange)->min, ls_array_at (block->iter_vars, i, LsIterVar)->var))
        g_array_append_val (used, i);
  return used;
}

/* One linear index over all variables; NULL when an extent is no number. */
static char *
linear_map (LsBlock *block)
{
  GString *head = g_string_new ("lambda ");
  g_autoptr(GString) sum = g_string_new (NULL);
  guint n = ls_array_n (block->iter_vars);
  gint64 extent;

  for (guint i = 0; i < n; i++)
    {
      if (!ls_as_int (ls_array_at (block->iter_vars, i, LsIterVar)->dom->extent, &extent))
        {
          g_string_free (head, TRUE);
          return NULL;
        }
      g_string_append_printf (head, "%sv%u", i > 0 ? ", " : "", i);
      if (i == 0)
        g_string_append (sum, "v0");
      else
        {
          g_string_prepend_c (sum, '(');
          g_string_append_printf (sum, ") * %" G_GINT64_FORMAT " + v%u", extent, i);
        }
    }
  g_string_append_printf (head, ": (%s,)", n > 0 ? sum->str : "0");
  return g_string_free (head, FALSE);
}

/* Another order of the dimensions, or a split of the only one. */
static char *
layout_map (LsBuffer *buffer)
{
  guint n = ls_array_n (buffer->shape);
  GString *map = g_string_new ("lambda ");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (map, "%si%u", i > 0 ? ", " : "", i);
  g_string_append (map, n == 1 ? ": (i0 // 4, i0 % 4)" : ": (");
  for (guint i = n; n > 1 && i-- > 0;)
    g_string_append_printf (map, "i%u, ", i);
  if (n > 1)
    g_string_append_c (map, ')');
  return g_string_free (map, FALSE);
}

/* "[4, 4, 4]" or "[2, 1, 0]". */
static char *
number_list (guint    n,
             gboolean falling)
{
  GString *list = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%u", i > 0 ? ", " : "", falling ? n - 1 - i : 4);
  g_string_append_c (list, ']');
  return g_string_free (list, FALSE);
}

/* A region that is the whole buffer: "lambda v0: ((0, 16), )". */
static char *
whole_region (LsBlock        *block,
              LsBufferRegion *region)
{
  GString *map = g_string_new ("lambda ");
  gint64 size;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    g_string_append_printf (map, "%sv%u", i > 0 ? ", " : "", i);
  g_string_append (map, ": (");
  for (guint d = 0; d < ls_array_n (region->buffer->shape); d++)
    g_string_append_printf (map, "(0, %" G_GINT64_FORMAT "), ", ls_as_int (region->buffer->shape->items[d], &size) ? size : 1);
  g_string_append_c (map, ')');
  return g_string_free (map, FALSE);
}

static LsNode *
first_loop_of (LsMoveSearch *self)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (self->state, self->sref);

  return loops->len > 0 ? ((LsSref *) loops->pdata[0])->stmt : NULL;
}

static LsNode *
first_block_of (LsMoveSearch *self)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (self->state, self->sref);

  return blocks->len > 0 ? ((LsSref *) blocks->pdata[0])->stmt : NULL;
}

/* ---- what both kinds of places can have ---------------------------------------------------- */

/* What a nest does, as far as it can be told at a glance. */
typedef struct {
  gint64    n_rounds;           /* product of the extents; -1: not all are numbers */
  LsBuffer *written;            /* by its last store */
} Glance;

static LsWalk
note_glance (LsNode  *node,
             gpointer data)
{
  Glance *self = data;
  gint64 extent;

  if (ls_is (node, FOR) && (self->n_rounds < 0 || !ls_as_int (((LsFor *) node)->extent, &extent) || __builtin_mul_overflow (self->n_rounds, extent, &self->n_rounds)))
    self->n_rounds = -1;
  if (ls_is (node, BUFFER_STORE))
    self->written = ((LsBufferStore *) node)->buffer;
  return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static Glance
glance_at (gpointer node)
{
  Glance self = { 1, NULL };

  ls_walk (node, note_glance, NULL, &self);
  return self;
}

/* The same of what an intrinsic describes, which stays as it is: the bodies of some are thousands of statements. */
static Glance
glance_of_intrin (LsPrimFunc *desc)
{
  static GMutex lock;
  static GHashTable *known;     /* LsPrimFunc (owned) -> Glance */
  Glance *found;
  Glance glance;

  g_mutex_lock (&lock);
  if (known == NULL)
    known = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, g_free);
  found = g_hash_table_lookup (known, desc);
  if (found == NULL)
    {
      glance = glance_at (desc->body);
      found = g_memdup2 (&glance, sizeof glance);
      g_hash_table_insert (known, ls_node_ref (LS_NODE (desc)), found);
    }
  glance = *found;
  g_mutex_unlock (&lock);
  return glance;
}

/* FALSE: trying it is of no use. */
static gboolean
may_be_described_by (const Glance *own,
                     const char   *name)
{
  g_autoptr(LsPrimFunc) desc = NULL;
  g_autoptr(LsPrimFunc) impl = NULL;
  Glance described;

  if (!ls_tensor_intrin_get (name, &desc, &impl))
    return FALSE;
  described = glance_of_intrin (desc);
  return own->n_rounds == described.n_rounds && (own->written == NULL) == (described.written == NULL) &&
         (own->written == NULL || ls_dtype_equal (own->written->dtype, described.written->dtype));
}

static void
offer_tensorize (LsMoveSearch *self)
{
  g_autoptr(GPtrArray) names = ls_tensor_intrin_list ();
  Glance own = glance_at (self->node);
  guint n_matching = 0;

  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *format = g_strdup_printf ("sch.tensorize(%%1, \"%s\")", (const char *) names->pdata[i]);
      LsOffer *offer;

      if (!may_be_described_by (&own, names->pdata[i]))
        continue;
      offer = ls_moves_try (self, "tensorize", format, self->node, NULL, ls_translate ("Lets the intrinsic do it."));
      if (offer != NULL && offer->group == LS_OFFER_CAN)
        n_matching++;
      else if (offer != NULL)
        g_ptr_array_remove (self->offers, offer);
    }
  if (n_matching == 0)
    cannot (self, "tensorize", "mismatch", g_strdup_printf (ls_translate ("%s %s is what none of the %u registered intrinsics describes."), kind_of (self),
                                                           name_of (self->node), names->len));
}

static void
offer_notes (LsMoveSearch *self,
             LsMap        *annotations)
{
  g_autofree char *format = annotations->n > 0 ? g_strdup_printf ("sch.unannotate(%%1, \"%s\")", annotations->keys[0]) : NULL;

  try_format (self, "annotate", "sch.annotate(%1, \"pragma_auto_unroll_max_step\", 16)", NULL);
  if (ls_fast_math_matters (self->node) && ls_map_get (annotations, LS_FAST_MATH_PRAGMA) == NULL)
    ls_moves_try (self, "annotate", "sch.annotate(%1, \"" LS_FAST_MATH_PRAGMA "\", 1)", self->node, NULL, NULL);
  if (format != NULL)
    try_format (self, "unannotate", format, NULL);
  else
    cannot (self, "unannotate", "no-such-key", g_strdup_printf (ls_translate ("%s %s carries no annotation."), kind_of (self), name_of (self->node)));
  try_format (self, "add_unit_loop", "sch.add_unit_loop(%1)", NULL);
  offer_tensorize (self);
}

static void
no_neighbour (LsMoveSearch *self)
{
  if (!is_offered (self, "compute_at"))
    cannot (self, "compute_at", "no-neighbour", self->sref->is_block ? g_strdup_printf (ls_translate ("No other block reads what %s makes."), name_of (self->node))
                                                                      : g_strdup_printf (ls_translate ("No block outside of %s makes what is read in it."), name_of (self->node)));
  if (!is_offered (self, "reverse_compute_at"))
    cannot (self, "reverse_compute_at", "no-neighbour", self->sref->is_block ? g_strdup_printf (ls_translate ("%s %s reads nothing that another block makes."), kind_of (self), name_of (self->node))
                                                                              : g_strdup_printf (ls_translate ("No block outside of %s reads what is made in it."), name_of (self->node)));
}

/* ---- a loop ----------------------------------------------------------------------------------- */

/* A loop of another nest of the scope that runs as often. */
static LsNode *
twin_of (LsMoveSearch *self)
{
  LsSref *root = ls_state_scope_root (self->state, self->sref);
  g_autoptr(GPtrArray) blocks = root != NULL ? ls_state_child_blocks (self->state, root) : g_ptr_array_new ();
  g_autoptr(GPtrArray) own = ls_state_loops (self->state, self->sref);

  for (guint i = 0; i < blocks->len; i++)
    {
      g_autoptr(GPtrArray) loops = ls_state_loops (self->state, blocks->pdata[i]);
      LsSref *twin = own->len < loops->len ? loops->pdata[own->len] : NULL;

      if (twin != NULL && twin != self->sref && ls_deep_equal (ls_sref_for (twin)->extent, ls_sref_for (self->sref)->extent) && twin->func == self->sref->func)
        return twin->stmt;
    }
  return NULL;
}

static void
offer_shapes (LsMoveSearch *self)
{
  LsFor *loop = (LsFor *) self->node;
  LsNode *twin = twin_of (self);
  g_autofree char *parts = NULL;
  gint64 extent = 2;

  ls_as_int (loop->extent, &extent);
  parts = g_strdup_printf ("sch.loop_partition(%%1, [%" G_GINT64_FORMAT "])", MAX (extent / 2, 1));
  try_format (self, "loop_partition", parts, NULL);
  if (twin != NULL)
    try_format (self, "merge", "sch.merge(%1, %2)", twin);
  else
    cannot (self, "merge", "too-few", g_strdup_printf (ls_translate ("There is no nest beside that of %s whose loop runs as often."), name_of (self->node)));
  if (!is_offered (self, "reorder"))
    cannot (self, "reorder", "too-few", g_strdup_printf (ls_translate ("%s is the only loop of its nest."), name_of (self->node)));
  if (!is_offered (self, "fuse"))
    cannot (self, "fuse", "too-few", g_strdup_printf (ls_translate ("%s is the only loop of its nest."), name_of (self->node)));
}

static void
offer_for_blocks (LsMoveSearch *self)
{
  LsNode *block = first_block_of (self);

  try_format (self, "rfactor", "sch.rfactor(%1, 0)", NULL);
  try_format (self, "decompose_reduction", "sch.decompose_reduction(%2, %1)", block);
  try_format (self, "decompose_padding", "sch.decompose_padding(%2, %1)", block);
  try_format (self, "blockize", "sch.blockize(%1)", NULL);
  try_format (self, "read_at", "sch.read_at(%1, %2, 0, \"shared\")", block);
  try_format (self, "write_at", "sch.write_at(%1, %2, 0, \"shared\")", block);
  try_format (self, "sample_perfect_tile", "sch.sample_perfect_tile(%1, 2)", NULL);
  try_format (self, "sample_partitioned_tile", "sch.sample_partitioned_tile(%1, 2, 1, 2)", NULL);
}

/* ---- a block ------------------------------------------------------------------------------------ */

static void
offer_with_map (LsMoveSearch *self,
                const char   *primitive,
                const char   *format,
                char         *argument)
{
  g_autofree char *text = argument;
  g_autofree char *whole = text != NULL ? g_strdup_printf (format, text) : NULL;

  if (whole != NULL)
    try_format (self, primitive, whole, NULL);
}

static void
offer_accesses (LsMoveSearch *self,
                LsBlock      *block)
{
  LsBufferRegion *read = ls_array_n (block->reads) > 0 ? ls_array_at (block->reads, 0, LsBufferRegion) : NULL;
  LsBufferRegion *written = ls_array_n (block->writes) > 0 ? ls_array_at (block->writes, 0, LsBufferRegion) : NULL;
  g_autoptr(GArray) read_vars = read != NULL ? vars_of_region (block, read) : NULL;
  g_autoptr(GArray) written_vars = written != NULL ? vars_of_region (block, written) : NULL;

  try_format (self, "reindex", read != NULL ? "sch.reindex(%1, (\"read\", 0))" : "sch.reindex(%1, (\"write\", 0))", NULL);
  offer_with_map (self, "reindex_cache_read", "sch.reindex_cache_read(%%1, 0, \"shared\", %s)", map_of_vars (block, read_vars));
  offer_with_map (self, "reindex_cache_write", "sch.reindex_cache_write(%%1, 0, \"local\", %s)", map_of_vars (block, written_vars));
  if (written != NULL)
    offer_with_map (self, "transform_layout", "sch.transform_layout(%%1, (\"write\", 0), %s)", layout_map (written->buffer));
  if (read != NULL)
    offer_with_map (self, "annotate_buffer_access", "sch.annotate_buffer_access(%%1, 0, \"read\", %s)", whole_region (block, read));
  else if (written != NULL)
    offer_with_map (self, "annotate_buffer_access", "sch.annotate_buffer_access(%%1, 0, \"write\", %s)", whole_region (block, written));
  try_format (self, "unsafe_hide_buffer_access", read != NULL ? "sch.unsafe_hide_buffer_access(%1, \"read\", [0])" : "sch.unsafe_hide_buffer_access(%1, \"write\", [0])", NULL);
}

static void
offer_for_block (LsMoveSearch *self)
{
  LsBlock *block = (LsBlock *) self->node;
  LsNode *loop = first_loop_of (self);
  guint n = ls_array_n (block->iter_vars);

  if (loop != NULL)
    {
      try_format (self, "decompose_reduction", "sch.decompose_reduction(%1, %2)", loop);
      try_format (self, "decompose_padding", "sch.decompose_padding(%1, %2)", loop);
      try_format (self, "read_at", "sch.read_at(%2, %1, 0, \"shared\")", loop);
      try_format (self, "write_at", "sch.write_at(%2, %1, 0, \"shared\")", loop);
    }
  offer_accesses (self, block);
  try_format (self, "cache_inplace", "sch.cache_inplace(%1, 0, \"local\")", NULL);
  try_format (self, "cache_index", "sch.cache_index(%1, \"global\")", NULL);
  try_format (self, "blockize", "sch.blockize([%1])", NULL);
  try_format (self, "storage_align", "sch.storage_align(%1, 0, axis=0, factor=32, offset=8)", NULL);
  offer_with_map (self, "transform_block_layout", "sch.transform_block_layout(%%1, %s)", linear_map (block));
  offer_with_map (self, "pad_einsum", "sch.pad_einsum(%%1, %s)", number_list (n, FALSE));
  offer_with_map (self, "reorder_block_iter_var", "sch.reorder_block_iter_var(%%1, %s)", number_list (n, TRUE));
  try_format (self, "rolling_buffer", "sch.rolling_buffer(%1, 0)", NULL);
  try_format (self, "set_axis_separator", "sch.set_axis_separator(%1, (\"write\", 0), [1])", NULL);
  try_format (self, "unsafe_set_dtype", "sch.unsafe_set_dtype(%1, 0, \"float16\")", NULL);
  try_format (self, "sample_compute_location", "sch.sample_compute_location(%1)", NULL);
}

/* ---- all -------------------------------------------------------------------------------------------- */

/* What has no offer yet belongs to another kind of place. */
static void
offer_others (LsMoveSearch *self)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  no_neighbour (self);
  free_step (self, "sample_categorical", "sample_categorical([1, 2, 4], [0.25, 0.25, 0.5])");
  free_step (self, "enter_postproc", "enter_postproc()");
  for (guint i = 0; i < n; i++)
    {
      const LsInstruction *row = rows[i];

      if ((row->flags & LS_INSTRUCTION_PURE) || is_offered (self, row->name))
        continue;
      if (self->sref->is_block)
        cannot (self, row->name, "other-kind", g_strdup_printf (ls_translate ("%s works on a loop; %s is a block."), row->name, name_of (self->node)));
      else
        cannot (self, row->name, "other-kind", g_strdup_printf (ls_translate ("%s works on a block; %s is a loop."), row->name, name_of (self->node)));
    }
}

gboolean
ls_moves_offer_rest (LsMoveSearch *self,
                     guint         part)
{
  gboolean block = self->sref->is_block && self->sref->parent != NULL, loop = !self->sref->is_block;

  switch (part)
    {
    case 0:
      if (block)
        offer_for_block (self);
      else if (loop)
        offer_shapes (self);
      return TRUE;
    case 1:
      if (loop)
        offer_for_blocks (self);
      return TRUE;
    case 2:
      if (block || loop)
        offer_notes (self, block ? ((LsBlock *) self->node)->annotations : ((LsFor *) self->node)->annotations);
      return TRUE;
    case 3:
      offer_others (self);
      return TRUE;
    default:
      return FALSE;
    }
}
