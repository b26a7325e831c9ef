/* VMShapeLower: what functions say about their values becomes checks at run time.
 *
 * Each symbolic extent of a function has a slot in its shape heap.  At its beginning, at each match_cast and before its
 * result the values are checked by packed functions, which also store the plain variables among the extents that were not
 * known; expressions over them are computed by a private PrimFunc (shape_func) as soon as all their variables are known,
 * and checked in a second round.  Shapes and scalars in arguments are read from the heap.
 * Source: TVM's VMShapeLower.  Local functions have to be lifted before. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/relation.h"

/* ORDER TVM's MatchShapeCode and MakeShapeCode */
enum { MATCH_IMM = 0, MATCH_STORE = 1, MATCH_NOTHING = 2, MATCH_LOAD = 3 };
enum { MAKE_IMM = 0, MAKE_LOAD = 1 };

typedef struct {
  LsExpr    *expr;
  gint64     index;
  GPtrArray *users;             /* of Slot: expressions over this variable */
  guint      missing;           /* variables that are not known yet */
  gboolean   known;
} Slot;

typedef struct {
  LsNode *input;
  LsArray *pattern;             /* of extents, borrowed from the struct info */
  LsNode  *context;             /* a string: one for all that is checked of a value */
} Todo;

typedef struct {
  LsRelaxMutator *mutator;
  LsBlockBuilder *builder;
  gboolean        contexts;
  GPtrArray      *slots;        /* of Slot, owned */
  GHashTable     *by_expr;      /* LsExpr -> Slot */
  GPtrArray      *ready;        /* of Slot: variables stored since the last computation */
  LsRelaxVar     *heap;
  gboolean        weights;      /* what is checked is a weight: its known extents are trusted, only symbols are read from it */
} Lower;

static void
slot_free (gpointer data)
{
  Slot *self = data;

  g_ptr_array_unref (self->users);
  g_free (self);
}

static void
todo_free (gpointer data)
{
  Todo *self = data;

  ls_node_unref (self->input);
  ls_unref (self->pattern);
  ls_node_unref (self->context);
  g_free (self);
}

/* ---- slots ------------------------------------------------------------------------- */

static LsWalk
add_identity (LsNode  *node,
              gpointer hash)
{
  if (ls_is_var (node))
    *(guint *) hash = *(guint *) hash * 31 + g_direct_hash (node);
  return LS_WALK_CONTINUE;
}

/* Variables are themselves: the hash of a node knows no more of one than its type. */
static guint
expr_hash (gconstpointer expr)
{
  guint hash = ((const LsNode *) expr)->hash;

  ls_walk ((gpointer) expr, add_identity, NULL, &hash);
  return hash;
}

static gboolean
expr_equal (gconstpointer a,
            gconstpointer b)
{
  return ls_deep_equal (a, b);
}

static void
add_slot (Lower  *self,
          LsExpr *expr)
{
  Slot *slot;

  if (ls_is (expr, INT_IMM) || ls_is (expr, FLOAT_IMM) || g_hash_table_contains (self->by_expr, expr))
    return;
  slot = g_new0 (Slot, 1);
  slot->expr = expr;
  slot->index = self->slots->len;
  slot->users = g_ptr_array_new ();
  g_ptr_array_add (self->slots, slot);
  g_hash_table_insert (self->by_expr, expr, slot);
}

/* A struct info or a shape: its extents, not those of callables in it. */
static LsWalk
collect_extents (LsNode  *node,
                 gpointer self)
{
  if (ls_is (node, FUNC_STRUCT_INFO) || ls_is (node, FUNCTION))
    return LS_WALK_PRUNE;
  if (!ls_is_expr (node))
    return LS_WALK_CONTINUE;
  add_slot (self, LS_EXPR (node));
  return LS_WALK_PRUNE;
}

static void collect (Lower *self, LsNode *expr);

static void
collect_call (Lower       *self,
              LsRelaxCall *call)
{
  collect (self, call->op);
  for (guint i = 0; i < call->sinfo_args->n; i++)
    ls_walk (call->sinfo_args->items[i], collect_extents, NULL, self);
  for (guint i = 0; i < call->args->n; i++)
    collect (self, call->args->items[i]);
}

static void
collect_binding (Lower  *self,
                 LsNode *binding)
{
  if (ls_is (binding, MATCH_CAST))
    {
      ls_walk (((LsMatchCast *) binding)->struct_info, collect_extents, NULL, self);
      return;
    }
  collect (self, ls_binding_value (binding));
  ls_walk (ls_binding_var (binding)->struct_info, collect_extents, NULL, self);
}

static void
collect_sequence (Lower     *self,
                  LsSeqExpr *seq)
{
  for (guint i = 0; i < seq->blocks->n; i++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, i, LsBindingBlock)->bindings;

      for (guint k = 0; k < bindings->n; k++)
        collect_binding (self, bindings->items[k]);
    }
  collect (self, seq->body);
}

static void
collect (Lower  *self,
         LsNode *expr)
{
  if (ls_is (expr, RELAX_CALL))
    collect_call (self, (LsRelaxCall *) expr);
  else if (ls_is (expr, SEQ_EXPR))
    collect_sequence (self, (LsSeqExpr *) expr);
  else if (ls_is (expr, SHAPE_EXPR) || ls_is (expr, PRIM_VALUE))
    ls_walk (expr, collect_extents, NULL, self);
  else if (ls_is (expr, RELAX_TUPLE))
    for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
      collect (self, ((LsRelaxTuple *) expr)->fields->items[i]);
  else if (ls_is (expr, RELAX_IF))
    for (guint i = 0; i < 3; i++)
      collect (self, ls_node_get_child (expr, i));
}

static void
link_slots (Lower *self)
{
  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = self->slots->pdata[i];
      g_autoptr (GPtrArray) vars = ls_is_var (slot->expr) ? g_ptr_array_new () : ls_relax_symbols (slot->expr);

      for (guint k = 0; k < vars->len; k++)
        {
          Slot *of = g_hash_table_lookup (self->by_expr, vars->pdata[k]);

          if (of == NULL)
            ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED,
                                   "The symbolic variable %s is used but nothing gives it a value.", ((LsVar *) vars->pdata[k])->name);
          else
            g_ptr_array_add (of->users, slot);
        }
      slot->missing = vars->len;
    }
}

static void
collect_slots (Lower      *self,
               LsFunction *func)
{
  g_ptr_array_set_size (self->ready, 0);
  g_hash_table_remove_all (self->by_expr);
  g_ptr_array_set_size (self->slots, 0);
  for (guint i = 0; i < func->params->n; i++)
    ls_walk (ls_array_at (func->params, i, LsRelaxVar)->struct_info, collect_extents, NULL, self);
  collect (self, func->body);
  ls_walk (func->ret_struct_info, collect_extents, NULL, self);
  link_slots (self);
}

/* ---- calls at run time ---------------------------------------------------------------- */

static LsNode *
number (gint64 value)
{
  return ls_prim_value_new (ls_int_imm_new (LS_INT64, value));
}

static LsNode *
context_text (Lower *self,
              char  *context)           /* taken */
{
  g_autofree char *owned = context;

  return ls_relax_string_new (self->contexts ? owned : "");
}

/* A call of a packed function; takes args, result and gives the node. */
static LsNode *
packed (const char   *name,
        LsArray      *args,
        LsStructInfo *result)
{
  return ls_relax_call_new (ls_extern_func_new (name), args, NULL, NULL, ls_array_of (result, NULL));
}

static void
emit_check (Lower      *self,
            const char *name,
            LsArray    *args)
{
  ls_block_builder_emit_take (self->builder, packed (name, args, ls_tuple_struct_info_new (ls_array_empty ())), "_");
}

static LsNode *
heap_value (Lower *self)
{
  gint64 n = self->slots->len;

  if (n == 0)
    return ls_relax_call_new (ls_relax_op_new ("relax.null_value"), NULL, NULL, NULL, NULL);
  return ls_relax_call_new (ls_relax_op_new ("relax.call_builtin_with_ctx"),
                            ls_array_of (ls_extern_func_new ("vm.builtin.alloc_shape_heap"), ls_relax_tuple_new (ls_array_of (number (n), NULL)), NULL),
                            NULL, NULL, ls_array_of (ls_tensor_struct_info_new (NULL, 1, LS_INT64, NULL), NULL));
}

static void
emit_heap (Lower *self)
{
  g_autoptr (LsNode) value = heap_value (self);

  ls_take (&self->heap, ls_relax_var_new ("shape_heap", ls_block_builder_struct_info (self->builder, value)));
  ls_block_builder_emit_to (self->builder, self->heap, value);
}

/* ---- matching extents -------------------------------------------------------------------- */

/* Adds code and operand; FALSE: nothing can be said of this extent yet. */
static gboolean
add_match (Lower     *self,
           GPtrArray *args,
           LsExpr    *extent,
           gboolean   last)
{
  Slot *slot = g_hash_table_lookup (self->by_expr, extent);
  gint64 value = 0;
  int code = MATCH_NOTHING;

  if (ls_as_int (extent, &value))
    code = MATCH_IMM;
  else if (slot != NULL && slot->known)
    code = MATCH_LOAD;
  else if (slot != NULL && ls_is_var (extent) && !last)
    {
      slot->known = TRUE;
      g_ptr_array_add (self->ready, slot);
      code = MATCH_STORE;
    }
  else if (last)
    {
      g_autofree char *text = ls_struct_info_text (extent);

      ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "The extent %s is not computed where it is checked.", text);
    }
  if (code == MATCH_STORE || code == MATCH_LOAD)
    value = slot->index;
  g_ptr_array_add (args, number (code));
  g_ptr_array_add (args, number (value));
  return code != MATCH_NOTHING;
}

/* TRUE: some extent is still to be checked. */
static gboolean
run_match (Lower    *self,
           Todo     *todo,
           gboolean  last)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, todo->input);
  gboolean scalar = ls_is (info, PRIM_STRUCT_INFO);
  GPtrArray *args = g_ptr_array_new ();
  g_autoptr (LsArray) list = NULL;
  guint said = 0;

  g_ptr_array_add (args, ls_node_ref (todo->input));
  g_ptr_array_add (args, ls_ref (self->heap));
  if (!scalar)
    g_ptr_array_add (args, number (todo->pattern->n));
  for (guint i = 0; i < todo->pattern->n; i++)
    said += add_match (self, args, LS_EXPR (todo->pattern->items[i]), last);
  g_ptr_array_add (args, ls_node_ref (todo->context));
  list = ls_array_take_ptr_array (args);
  if (said > 0)
    emit_check (self, scalar ? "vm.builtin.match_prim_value" : "vm.builtin.match_shape", ls_ref (list));
  return said < todo->pattern->n;
}

/* Those that are not done are left in the list. */
static void
run_matches (Lower     *self,
             GPtrArray *todos,
             gboolean   last)
{
  g_autofree gboolean *left = g_new (gboolean, todos->len + 1);
  guint n = 0;

  for (guint i = 0; i < todos->len; i++)
    left[i] = run_match (self, todos->pdata[i], last);
  for (guint i = 0; i < todos->len; i++)
    if (left[i])
      {
        gpointer keep = todos->pdata[i];

        todos->pdata[i] = todos->pdata[n];
        todos->pdata[n++] = keep;
      }
  g_ptr_array_set_size (todos, (gint) n);
}

/* ---- computing expressions ------------------------------------------------------------------ */

/* Expressions all of whose variables are known now. */
static GPtrArray *
take_computable (Lower *self)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < self->ready->len; i++)
    {
      GPtrArray *users = ((Slot *) self->ready->pdata[i])->users;

      for (guint k = 0; k < users->len; k++)
        if (--((Slot *) users->pdata[k])->missing == 0)
          g_ptr_array_add (out, users->pdata[k]);
    }
  g_ptr_array_set_size (self->ready, 0);
  return out;
}

static LsArray *
slot_index (Slot *slot)
{
  return ls_array_of (ls_int_imm_new (LS_INT64, slot->index), NULL);
}

/* (transfer full) */
static LsNode *
shape_function (Lower     *self,
                GPtrArray *slots)
{
  g_autoptr (LsBuffer) buffer = ls_buffer_new ("H", LS_INT64, ls_array_of (ls_int_imm_new (LS_INT64, self->slots->len), NULL), "global");
  g_autoptr (GHashTable) loads = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *stores = g_ptr_array_new ();
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsNode) yes = LS_NODE (ls_bool (TRUE));

  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = self->slots->pdata[i];

      if (ls_is_var (slot->expr))
        g_hash_table_insert (loads, slot->expr, ls_buffer_load_new (ls_ref (buffer), slot_index (slot), NULL));
    }
  for (guint i = 0; i < slots->len; i++)
    {
      Slot *slot = slots->pdata[i];

      slot->known = TRUE;
      g_ptr_array_add (stores, ls_buffer_store_new (ls_ref (buffer), (LsExpr *) ls_substitute (slot->expr, loads), slot_index (slot), NULL));
    }
  return LS_NODE (ls_prim_func_new (ls_array_of (ls_var_new ("heap", LS_HANDLE), NULL), ls_seq (ls_array_take_ptr_array (stores)), NULL,
                                    ls_array_of (ls_ref (buffer), NULL), ls_map_set (empty, "tir.is_host_func", yes)));
}

static void
compute_ready (Lower *self)
{
  g_autoptr (GPtrArray) slots = take_computable (self);
  g_autoptr (LsNode) func = NULL;
  LsGlobalVar *var;

  if (slots->len == 0)
    return;
  func = shape_function (self, slots);
  var = ls_block_builder_add_func (self->builder, func, "shape_func");
  ls_block_builder_emit_take (self->builder, ls_relax_call_new (LS_NODE (ls_ref (var)), ls_array_of (ls_ref (self->heap), NULL), NULL, NULL, NULL), "_");
}

static gboolean
is_constant (LsNode *expr)
{
  LsArray *values = ls_is (expr, SHAPE_EXPR) ? ((LsShapeExpr *) expr)->values : NULL;

  if (values == NULL)
    return ls_is (((LsPrimValue *) expr)->value, INT_IMM) || ls_is (((LsPrimValue *) expr)->value, FLOAT_IMM);
  for (guint i = 0; i < values->n; i++)
    if (!ls_is (values->items[i], INT_IMM))
      return FALSE;
  return TRUE;
}

/* ---- checks of struct info --------------------------------------------------------------------- */

static void
add_todo (GPtrArray  *todos,
          LsNode     *value,
          LsArray    *pattern,          /* taken */
          LsNode     *context)
{
  Todo *todo = g_new0 (Todo, 1);

  *todo = (Todo) { ls_node_ref (value), pattern, ls_node_ref (context) };
  g_ptr_array_add (todos, todo);
}

/* Is what is known of the value less than `weaker` (taken)? */
static gboolean
needs_check (Lower        *self,
             LsStructInfo *weaker,
             LsNode       *value,
             gboolean      always)
{
  g_autoptr (LsNode) claim = weaker;
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, value);

  return always || !ls_struct_info_is_base_of (claim, info);
}

static void
check_tensor (Lower              *self,
              LsTensorStructInfo *info,
              LsNode             *value,
              gboolean            always,
              LsNode             *context,
              GPtrArray          *todos)
{
  if (needs_check (self, ls_tensor_struct_info_new (NULL, info->ndim, info->dtype, NULL), value, always))
    emit_check (self, "vm.builtin.check_tensor_info",
                ls_array_of (ls_node_ref (value), number (info->ndim), ls_data_type_imm_new (info->dtype), ls_node_ref (context), NULL));
  if (ls_is (info->shape, SHAPE_EXPR))
    add_todo (todos, value, ls_ref (((LsShapeExpr *) info->shape)->values), context);
  else if (info->shape != NULL)
    ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "A tensor whose shape is a variable cannot be checked.");
}

static void
check_shape (Lower             *self,
             LsShapeStructInfo *info,
             LsNode            *value,
             gboolean           always,
             LsNode            *context,
             GPtrArray         *todos)
{
  if (needs_check (self, ls_shape_struct_info_new (NULL, info->ndim), value, always))
    emit_check (self, "vm.builtin.check_shape_info", ls_array_of (ls_node_ref (value), number (info->ndim), ls_node_ref (context), NULL));
  if (info->values != NULL)
    add_todo (todos, value, ls_ref (info->values), context);
}

static void
check_scalar (Lower            *self,
              LsPrimStructInfo *info,
              LsNode           *value,
              gboolean          always,
              LsNode           *context,
              GPtrArray        *todos)
{
  if (needs_check (self, ls_prim_struct_info_new (NULL, info->dtype), value, always))
    emit_check (self, "vm.builtin.check_prim_value_info",
                ls_array_of (ls_node_ref (value), ls_data_type_imm_new (info->dtype), ls_node_ref (context), NULL));
  if (info->value != NULL)
    add_todo (todos, value, ls_array_of (ls_ref (info->value), NULL), context);
}

/* (transfer full) */
static LsNode *
tuple_item (Lower  *self,
            LsNode *value,
            guint   i)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, value);

  if (ls_is (value, RELAX_TUPLE))
    return ls_node_ref (((LsRelaxTuple *) value)->fields->items[i]);
  if (ls_is (info, TUPLE_STRUCT_INFO))
    return ls_tuple_get_item_new (ls_node_ref (value), i);
  return packed ("vm.builtin.tuple_getitem", ls_array_of (ls_node_ref (value), number (i), NULL), ls_object_struct_info_new ());
}

static void check_value (Lower *self, LsStructInfo *info, LsNode *value, gboolean always, LsNode *context, GPtrArray *todos);

static void
check_tuple (Lower             *self,
             LsTupleStructInfo *info,
             LsNode            *value,
             gboolean           always,
             LsNode            *context,
             GPtrArray         *todos)
{
  g_autoptr (LsNode) actual = ls_block_builder_struct_info (self->builder, value);

  if (ls_is (actual, TUPLE_STRUCT_INFO) && ((LsTupleStructInfo *) actual)->fields->n != info->fields->n)
    {
      ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_TYPE, "A tuple of %u fields stands where one of %u is claimed.",
                             ((LsTupleStructInfo *) actual)->fields->n, info->fields->n);
      return;
    }
  if (always || !ls_is (actual, TUPLE_STRUCT_INFO))
    emit_check (self, "vm.builtin.check_tuple_info", ls_array_of (ls_node_ref (value), number (info->fields->n), ls_node_ref (context), NULL));
  for (guint i = 0; i < info->fields->n; i++)
    {
      g_autoptr (LsNode) item = tuple_item (self, value, i);

      check_value (self, info->fields->items[i], item, always, context, todos);
    }
}

/* Weights are checked once, where they are prepared: of those whose shapes are numbers there is nothing to ask. */
static gboolean
is_checked_before (Lower        *self,
                   LsStructInfo *info)
{
  LsNode *shape = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->shape : NULL;

  return self->weights && ls_is (shape, SHAPE_EXPR) && is_constant (shape);
}

static void
check_value (Lower        *self,
             LsStructInfo *info,
             LsNode       *value,
             gboolean      always,
             LsNode       *context,
             GPtrArray    *todos)
{
  g_autoptr (LsNode) leaf = NULL;

  if (ls_is (info, OBJECT_STRUCT_INFO) || is_checked_before (self, info) || !needs_check (self, ls_node_ref (info), value, always))
    return;
  leaf = ls_block_builder_normalize_argument (self->builder, value);
  if (ls_is (info, TENSOR_STRUCT_INFO))
    check_tensor (self, (LsTensorStructInfo *) info, leaf, always, context, todos);
  else if (ls_is (info, SHAPE_STRUCT_INFO))
    check_shape (self, (LsShapeStructInfo *) info, leaf, always, context, todos);
  else if (ls_is (info, PRIM_STRUCT_INFO))
    check_scalar (self, (LsPrimStructInfo *) info, leaf, always, context, todos);
  else if (ls_is (info, TUPLE_STRUCT_INFO))
    check_tuple (self, (LsTupleStructInfo *) info, leaf, always, context, todos);
  else if (needs_check (self, ls_func_struct_info_new (NULL, ls_object_struct_info_new (), FALSE), leaf, always))
    emit_check (self, "vm.builtin.check_func_info", ls_array_of (ls_node_ref (leaf), ls_node_ref (context), NULL));
}

static GPtrArray *
todo_list (void)
{
  return g_ptr_array_new_with_free_func (todo_free);
}

/* Matches what can be matched, computes what follows, matches the rest. */
static void
settle (Lower     *self,
        GPtrArray *todos)
{
  run_matches (self, todos, FALSE);
  compute_ready (self);
  run_matches (self, todos, TRUE);
}

/* ---- the body -------------------------------------------------------------------------------------- */

static void
add_make (Lower     *self,
          GPtrArray *args,
          LsExpr    *extent)
{
  Slot *slot = g_hash_table_lookup (self->by_expr, extent);
  gint64 value = 0;

  if (!ls_as_int (extent, &value) && (slot == NULL || !slot->known))
    {
      g_autofree char *text = ls_struct_info_text (extent);

      ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "The value of %s is not known where it is used.", text);
      return;
    }
  g_ptr_array_add (args, number (ls_is (extent, INT_IMM) ? MAKE_IMM : MAKE_LOAD));
  g_ptr_array_add (args, number (ls_is (extent, INT_IMM) ? value : slot->index));
}

static LsNode *
from_heap (Lower  *self,
           LsNode *expr)
{
  LsArray *values = ls_is (expr, SHAPE_EXPR) ? ((LsShapeExpr *) expr)->values : NULL;
  GPtrArray *args = g_ptr_array_new ();

  g_ptr_array_add (args, ls_ref (self->heap));
  if (values == NULL)
    {
      LsExpr *value = ((LsPrimValue *) expr)->value;

      add_make (self, args, value);
      return packed ("vm.builtin.make_prim_value", ls_array_take_ptr_array (args), ls_prim_struct_info_new (ls_ref (value), ls_dtype (value)));
    }
  g_ptr_array_add (args, number (values->n));
  for (guint i = 0; i < values->n; i++)
    add_make (self, args, LS_EXPR (values->items[i]));
  return packed ("vm.builtin.make_shape", ls_array_take_ptr_array (args), ls_shape_struct_info_new (NULL, values->n));
}

static LsNode *
lower_expr (LsRelaxMutator *mutator,
            LsNode         *expr)
{
  if ((ls_is (expr, SHAPE_EXPR) || ls_is (expr, PRIM_VALUE)) && !is_constant (expr))
    return from_heap (mutator->user_data, expr);
  return ls_relax_mutator_default (mutator, expr);
}

static void
lower_binding (LsRelaxMutator *mutator,
               LsNode         *binding)
{
  Lower *self = mutator->user_data;

  if (ls_is (binding, MATCH_CAST))
    {
      LsMatchCast *cast = (LsMatchCast *) binding;
      g_autoptr (LsNode) visited = ls_relax_mutator_visit (mutator, cast->value);
      g_autoptr (LsNode) value = ls_block_builder_normalize_argument (self->builder, visited);
      g_autofree char *text = ls_struct_info_text (cast->struct_info);
      g_autoptr (LsNode) context = context_text (self, g_strdup_printf ("ErrorContext(match_cast, struct_info=%s) ", text));
      g_autoptr (GPtrArray) todos = todo_list ();

      check_value (self, cast->struct_info, value, FALSE, context, todos);
      settle (self, todos);
    }
  ls_relax_mutator_default_binding (mutator, binding);
}

/* ---- functions ---------------------------------------------------------------------------------------- */

static void
check_params (Lower       *self,
              LsGlobalVar *var,
              LsFunction  *func)
{
  g_autoptr (GPtrArray) todos = todo_list ();
  gint64 inputs = G_MAXINT64;

  ls_as_int (ls_map_get (func->attrs, "num_input"), &inputs);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      g_autofree char *text = ls_struct_info_text (param->struct_info);
      g_autoptr (LsNode) context = context_text (self, g_strdup_printf ("ErrorContext(fn=%s, loc=param[%u], param=%s, annotation=%s) ", var->name_hint, i, param->name, text));

      self->weights = i >= inputs;
      check_value (self, param->struct_info, LS_NODE (param), TRUE, context, todos);
    }
  self->weights = FALSE;
  settle (self, todos);
}

static void
check_result (Lower       *self,
              LsGlobalVar *var,
              LsFunction  *func,
              LsNode      *body)
{
  g_autofree char *text = ls_struct_info_text (func->ret_struct_info);
  g_autoptr (LsNode) context = context_text (self, g_strdup_printf ("ErrorContext(fn=%s, loc=return, annotation=%s) ", var->name_hint, text));
  g_autoptr (GPtrArray) todos = todo_list ();

  check_value (self, func->ret_struct_info, body, FALSE, context, todos);
  run_matches (self, todos, TRUE);
}

static LsNode *
lower_function (Lower       *self,
                LsGlobalVar *var,
                LsFunction  *func)
{
  GPtrArray *list = g_ptr_array_new ();
  g_autoptr (LsArray) blocks = NULL;
  g_autoptr (LsNode) body = NULL;
  LsSeqExpr *seq;

  collect_slots (self, func);
  ls_block_builder_begin_block (self->builder, FALSE);
  emit_heap (self);
  check_params (self, var, func);
  g_ptr_array_add (list, ls_block_builder_end_block (self->builder));
  body = ls_relax_mutator_visit (self->mutator, func->body);
  seq = (LsSeqExpr *) body;
  for (guint i = 0; i < seq->blocks->n; i++)
    g_ptr_array_add (list, ls_node_ref (seq->blocks->items[i]));
  ls_block_builder_begin_block (self->builder, FALSE);
  check_result (self, var, func, seq->body);
  g_ptr_array_add (list, ls_block_builder_end_block (self->builder));
  blocks = ls_array_take_ptr_array (list);
  return LS_NODE (ls_function_new (ls_ref (func->params), ls_seq_expr_new (ls_relax_join_blocks (blocks), ls_node_ref (seq->body)),
                                   ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure));
}

LsModule *
ls_relax_pass_vm_shape_lower (LsModule  *module,
                              LsMap     *args,
                              GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = lower_expr, .binding = lower_binding };
  g_auto (LsRelaxMutator) mutator = { NULL };
  Lower self = { &mutator, NULL, ls_relax_pass_bool (args, "emit_err_ctx"), g_ptr_array_new_with_free_func (slot_free),
                 g_hash_table_new (expr_hash, expr_equal), g_ptr_array_new (), NULL };

  ls_relax_mutator_init (&mutator, &funcs, module, &self);
  self.builder = mutator.builder;
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
        g_autoptr (LsNode) fresh = lower_function (&self, var, (LsFunction *) module->functions->items[i]);

        ls_block_builder_update_func (mutator.builder, var, fresh);
      }
  g_ptr_array_unref (self.ready);
  g_hash_table_unref (self.by_expr);
  g_ptr_array_unref (self.slots);
  ls_unref (self.heap);
  return ls_relax_mutator_finish (&mutator, error);
}
