/* block-builder: see the header.
 *
 * Open blocks are frames on a stack.  What a variable was bound to stays known for the builder's life, which also keeps
 * all variables alive.  Functions are found by pointer of their GlobalVar, by name, and by structure.
 */
#include "engine/ir/signature.h"
#include "engine/ir/structural.h"
#include "engine/relax/analysis.h"
#include "engine/relax/block-builder.h"

#include <string.h>

typedef struct {
  GPtrArray *bindings;
  gboolean   dataflow;
  GHashTable *seen;             /* expression -> the variable that it got as an argument, both kept; or NULL */
} Frame;

typedef struct _Open Open;
struct _Open {
  char      *name;
  LsArray   *params;
  LsMap     *attrs;
  GPtrArray *blocks;
  gboolean   is_pure;
  guint      n_frames;          /* blocks that were open before the function began */
  Open      *outer;             /* the function in which it began, or NULL */
};

struct _LsBlockBuilder {
  LsModule   *base;
  GPtrArray  *gvars;
  GPtrArray  *funcs;            /* same order; NULL: taken out */
  GHashTable *by_name;          /* name -> position + 1 */
  GHashTable *by_structure;     /* function -> GlobalVar; made when first needed */
  gboolean    changed;
  LsSpan      span;             /* of the bindings to come */
  GHashTable *names;            /* name -> number of the last one made from it */
  GHashTable *values;           /* variable -> its value, both kept */
  GArray     *frames;
  Open       *open;
  GError     *error;
};

GQuark
ls_block_builder_error_quark (void)
{
  return g_quark_from_static_string ("ls-block-builder-error");
}

/* ---- life -------------------------------------------------------------------- */

/* A node's own hash does not see which variables and constants are meant: many functions of one form would have the same. */
static guint
structure_hash (gconstpointer node)
{
  guint64 hash = ls_structural_hash ((gpointer) node, FALSE);

  return (guint) (hash ^ (hash >> 32));
}

static gboolean
structure_equal (gconstpointer a,
                 gconstpointer b)
{
  return a == b || (((const LsNode *) a)->hash == ((const LsNode *) b)->hash
                    && ls_structural_equal ((gpointer) a, (gpointer) b, FALSE, NULL, NULL));
}

static void
unref_any (gpointer node)
{
  ls_node_unref (node);
}

static void
append_func (LsBlockBuilder *self,
             LsGlobalVar    *var,
             LsNode         *func)
{
  g_ptr_array_add (self->gvars, ls_ref (var));
  g_ptr_array_add (self->funcs, ls_node_ref (func));
  g_hash_table_insert (self->by_name, var->name_hint, GUINT_TO_POINTER (self->gvars->len));
}

LsBlockBuilder *
ls_block_builder_new (LsModule *module)
{
  LsBlockBuilder *self = g_new0 (LsBlockBuilder, 1);

  self->base = ls_ref (module);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->values = g_hash_table_new_full (NULL, NULL, unref_any, unref_any);
  self->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  return self;
}

/* A list of functions of its own, before the first change: who only reads functions of a large module makes none. */
static void
own_funcs (LsBlockBuilder *self)
{
  LsModule *base = self->base;

  if (self->funcs != NULL)
    return;
  self->gvars = g_ptr_array_new_with_free_func (unref_any);
  self->funcs = g_ptr_array_new_with_free_func (unref_any);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; base != NULL && i < base->global_vars->n; i++)
    append_func (self, ls_array_at (base->global_vars, i, LsGlobalVar), base->functions->items[i]);
}

static void
close_function (LsBlockBuilder *self)
{
  Open *open = self->open;

  self->open = open->outer;
  g_free (open->name);
  ls_unref (open->params);
  ls_unref (open->attrs);
  g_ptr_array_unref (open->blocks);
  g_free (open);
}

static void
drop_frame (LsBlockBuilder *self)
{
  Frame *frame = &g_array_index (self->frames, Frame, self->frames->len - 1);

  g_ptr_array_unref (frame->bindings);
  g_clear_pointer (&frame->seen, g_hash_table_unref);
  g_array_set_size (self->frames, self->frames->len - 1);
}

void
ls_block_builder_free (LsBlockBuilder *self)
{
  if (self == NULL)
    return;
  while (self->open != NULL)
    close_function (self);
  while (self->frames->len > 0)
    drop_frame (self);
  g_array_unref (self->frames);
  g_clear_pointer (&self->by_structure, g_hash_table_unref);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->values);
  g_clear_pointer (&self->gvars, g_ptr_array_unref);
  g_clear_pointer (&self->funcs, g_ptr_array_unref);
  ls_unref (self->base);
  g_clear_error (&self->error);
  g_free (self);
}

/* ---- errors -------------------------------------------------------------------- */

void
ls_block_builder_clear_error (LsBlockBuilder *self)
{
  g_clear_error (&self->error);
}

const GError *
ls_block_builder_get_error (LsBlockBuilder *self)
{
  return self->error;
}

void
ls_block_builder_take_error (LsBlockBuilder *self,
                             GError         *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
}

void
ls_block_builder_fail (LsBlockBuilder      *self,
                       LsBlockBuilderError  code,
                       const char          *format,
                       ...)
{
  va_list list;

  va_start (list, format);
  ls_block_builder_take_error (self, g_error_new_valist (LS_BLOCK_BUILDER_ERROR, code, ls_translate (format), list));
  va_end (list);
}

/* ---- names ----------------------------------------------------------------------- */

char *
ls_block_builder_unique_name (LsBlockBuilder *self,
                              const char     *hint)
{
  char *base = g_strdup (hint), *name;
  guint number;

  for (char *c = base; *c != '\0'; c++)
    if (*c != '_' && !g_ascii_isalnum (*c))
      *c = '_';
  name = g_strdup (base);
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, base));
  while (g_hash_table_contains (self->names, name))
    {
      g_free (name);
      name = g_strdup_printf ("%s%u", base, ++number);
    }
  g_hash_table_insert (self->names, g_strdup (base), GUINT_TO_POINTER (number));
  if (strcmp (name, base) != 0)
    g_hash_table_insert (self->names, g_strdup (name), GUINT_TO_POINTER (0));
  g_free (base);
  return name;
}

/* ---- functions of the module -------------------------------------------------------- */

static guint
find_func (LsBlockBuilder *self,
           LsGlobalVar    *var)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, var->name_hint));
}

LsNode *
ls_block_builder_lookup_func (LsBlockBuilder *self,
                              LsGlobalVar    *var)
{
  guint at;

  if (self->funcs == NULL)
    return self->base != NULL ? ls_module_get (self->base, var->name_hint) : NULL;
  at = find_func (self, var);
  return at > 0 ? self->funcs->pdata[at - 1] : NULL;
}

static void
note_structure (LsBlockBuilder *self,
                LsNode         *func,
                LsGlobalVar    *var)
{
  if (self->by_structure != NULL && !g_hash_table_contains (self->by_structure, func))
    g_hash_table_insert (self->by_structure, ls_node_ref (func), ls_ref (var));
}

static void
learn_structures (LsBlockBuilder *self)
{
  own_funcs (self);
  if (self->by_structure != NULL)
    return;
  self->by_structure = g_hash_table_new_full (structure_hash, structure_equal, unref_any, unref_any);
  for (guint i = 0; i < self->gvars->len; i++)
    if (self->funcs->pdata[i] != NULL)
      note_structure (self, self->funcs->pdata[i], self->gvars->pdata[i]);
}

LsGlobalVar *
ls_block_builder_add_func (LsBlockBuilder *self,
                           gpointer        func,
                           const char     *hint)
{
  LsGlobalVar *var;
  char *name;

  learn_structures (self);
  var = g_hash_table_lookup (self->by_structure, func);
  if (var != NULL)
    return var;
  name = ls_block_builder_unique_name (self, hint);
  while (g_hash_table_contains (self->by_name, name))
    {
      g_free (name);
      name = ls_block_builder_unique_name (self, hint);
    }
  var = ls_global_var_new (name);
  if (ls_is (func, FUNCTION))
    ls_global_var_set_struct_info (var, ls_relax_struct_info (func));
  append_func (self, var, func);
  note_structure (self, func, var);
  self->changed = TRUE;
  ls_unref (var);
  g_free (name);
  return var;
}

void
ls_block_builder_update_func (LsBlockBuilder *self,
                              LsGlobalVar    *var,
                              gpointer        func)
{
  guint at;

  if (ls_block_builder_lookup_func (self, var) == func)
    return;
  own_funcs (self);
  at = find_func (self, var);
  if (at == 0)
    append_func (self, var, func);
  else
    {
      LsNode *old = self->funcs->pdata[at - 1];

      if (self->by_structure != NULL && g_hash_table_lookup (self->by_structure, old) == self->gvars->pdata[at - 1])
        g_hash_table_remove (self->by_structure, old);
      self->funcs->pdata[at - 1] = ls_node_ref (func);
      ls_node_unref (old);
    }
  note_structure (self, func, at > 0 ? self->gvars->pdata[at - 1] : var);
  self->changed = TRUE;
}

void
ls_block_builder_remove_func (LsBlockBuilder *self,
                              LsGlobalVar    *var)
{
  guint at;
  LsNode *old;

  own_funcs (self);
  at = find_func (self, var);
  if (at == 0)
    return;
  old = self->funcs->pdata[at - 1];
  if (self->by_structure != NULL && g_hash_table_lookup (self->by_structure, old) == self->gvars->pdata[at - 1])
    g_hash_table_remove (self->by_structure, old);
  g_hash_table_remove (self->by_name, var->name_hint);
  self->funcs->pdata[at - 1] = NULL;
  ls_node_unref (old);
  self->changed = TRUE;
}

LsModule *
ls_block_builder_get (LsBlockBuilder *self)
{
  GPtrArray *gvars, *funcs;

  if (!self->changed && self->base != NULL)
    return ls_ref (self->base);
  own_funcs (self);
  gvars = g_ptr_array_new ();
  funcs = g_ptr_array_new ();
  for (guint i = 0; i < self->gvars->len; i++)
    if (self->funcs->pdata[i] != NULL)
      {
        g_ptr_array_add (gvars, ls_node_ref (self->gvars->pdata[i]));
        g_ptr_array_add (funcs, ls_node_ref (self->funcs->pdata[i]));
      }
  return ls_module_new (ls_array_take_ptr_array (gvars), ls_array_take_ptr_array (funcs),
                        self->base != NULL ? ls_ref (self->base->attrs) : NULL, self->base != NULL ? ls_ref (self->base->global_infos) : NULL);
}

/* ---- blocks ------------------------------------------------------------------------------ */

static Frame *
top (LsBlockBuilder *self)
{
  return self->frames->len > 0 ? &g_array_index (self->frames, Frame, self->frames->len - 1) : NULL;
}

void
ls_block_builder_begin_block (LsBlockBuilder *self,
                              gboolean        dataflow)
{
  Frame frame = { g_ptr_array_new_with_free_func (unref_any), dataflow, NULL };

  g_array_append_val (self->frames, frame);
}

LsNode *
ls_block_builder_end_block (LsBlockBuilder *self)
{
  Frame frame;
  LsArray *bindings;

  if (self->frames->len == 0)
    {
      ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, "A block ends that was not begun.");
      return NULL;
    }
  frame = *top (self);
  g_clear_pointer (&frame.seen, g_hash_table_unref);
  g_array_set_size (self->frames, self->frames->len - 1);
  g_ptr_array_set_free_func (frame.bindings, NULL);
  bindings = ls_array_take_ptr_array (frame.bindings);
  return frame.dataflow ? ls_dataflow_block_new (bindings) : ls_binding_block_new (bindings);
}

LsRelaxVar *
ls_block_builder_recall (LsBlockBuilder *self,
                         gpointer        expr)
{
  Frame *frame = top (self);

  return frame != NULL && frame->seen != NULL ? g_hash_table_lookup (frame->seen, expr) : NULL;
}

void
ls_block_builder_remember (LsBlockBuilder *self,
                           gpointer        expr,
                           LsRelaxVar     *var)
{
  Frame *frame = top (self);

  if (frame == NULL)
    return;
  if (frame->seen == NULL)
    frame->seen = g_hash_table_new_full (NULL, NULL, unref_any, unref_any);
  g_hash_table_insert (frame->seen, ls_node_ref (expr), ls_ref (var));
}

gboolean
ls_block_builder_in_function (LsBlockBuilder *self)
{
  return self->open != NULL;
}

gboolean
ls_block_builder_in_dataflow (LsBlockBuilder *self)
{
  return self->frames->len > 0 && top (self)->dataflow;
}

static void
close_block (LsBlockBuilder *self)
{
  LsNode *block = ls_block_builder_end_block (self);

  if (((LsBindingBlock *) block)->bindings->n > 0)
    g_ptr_array_add (self->open->blocks, block);
  else
    ls_node_unref (block);
}

static void
switch_block (LsBlockBuilder *self,
              gboolean        dataflow)
{
  if (self->open == NULL || self->frames->len == 0 || top (self)->dataflow == dataflow)
    {
      ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, self->open == NULL ? LS_TEXT ("A dataflow block stands inside a function.")
                             : dataflow ? LS_TEXT ("A dataflow block holds no other one.") : LS_TEXT ("There is no dataflow block to end."));
      return;
    }
  close_block (self);
  ls_block_builder_begin_block (self, dataflow);
}

void
ls_block_builder_begin_dataflow (LsBlockBuilder *self)
{
  switch_block (self, TRUE);
}

void
ls_block_builder_end_dataflow (LsBlockBuilder *self)
{
  switch_block (self, FALSE);
}

/* ---- bindings ------------------------------------------------------------------------------- */

void
ls_block_builder_note_binding (LsBlockBuilder *self,
                               LsRelaxVar     *var,
                               gpointer        value)
{
  g_hash_table_insert (self->values, ls_ref (var), ls_node_ref (value));
}

LsNode *
ls_block_builder_lookup_binding (LsBlockBuilder *self,
                                 LsRelaxVar     *var)
{
  return g_hash_table_lookup (self->values, var);
}

void
ls_block_builder_emit_binding (LsBlockBuilder *self,
                               gpointer        binding)
{
  LsMatchCast *cast = ls_is (binding, MATCH_CAST) ? binding : NULL;
  LsRelaxVar *var = cast != NULL ? cast->var : ((LsVarBinding *) binding)->var;

  if (self->frames->len == 0)
    {
      ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, "A binding stands inside a block.");
      return;
    }
  g_ptr_array_add (top (self)->bindings, ls_node_ref (binding));
  if (var != NULL && var->struct_info == ls_unknown_struct_info ())
    {
      g_autoptr (LsNode) info = cast != NULL ? ls_node_ref (cast->struct_info) : ls_block_builder_struct_info (self, ((LsVarBinding *) binding)->value);

      ls_relax_var_learn (var, info);
    }
  if (var != NULL)
    ls_block_builder_note_binding (self, var, cast != NULL ? cast->value : ((LsVarBinding *) binding)->value);
}

void
ls_block_builder_emit_to (LsBlockBuilder *self,
                          LsRelaxVar     *var,
                          gpointer        value)
{
  g_autoptr (LsNode) binding = ls_var_binding_new (ls_ref (var), ls_node_ref (value));

  ls_node_set_span (binding, self->span);
  ls_block_builder_emit_binding (self, binding);
}

void
ls_block_builder_set_span (LsBlockBuilder *self,
                           LsSpan          span)
{
  self->span = span;
}

/* A new variable; the builder keeps it from when it is bound on. (transfer full) */
static LsRelaxVar *
new_var (LsBlockBuilder *self,
         const char     *hint,
         gboolean        dataflow,
         LsStructInfo   *info)
{
  g_autofree char *name = ls_block_builder_unique_name (self, hint != NULL && hint[0] != '\0' ? hint : dataflow ? "lv" : "gv");

  return dataflow ? ls_dataflow_var_new (name, info) : ls_relax_var_new (name, info);
}

static LsRelaxVar *
emit (LsBlockBuilder *self,
      LsNode         *expr,
      const char     *hint,
      gboolean        dataflow)
{
  g_autoptr (LsNode) value = ls_block_builder_normalize (self, expr);
  g_autoptr (LsRelaxVar) var = new_var (self, hint, dataflow, ls_block_builder_struct_info (self, value));

  ls_block_builder_emit_to (self, var, value);
  ls_block_builder_note_binding (self, var, value);
  return var;
}

LsRelaxVar *
ls_block_builder_emit (LsBlockBuilder *self,
                       gpointer        expr,
                       const char     *name_hint)
{
  return emit (self, expr, name_hint, ls_block_builder_in_dataflow (self));
}

LsRelaxVar *
ls_block_builder_emit_take (LsBlockBuilder *self,
                            gpointer        expr,
                            const char     *name_hint)
{
  g_autoptr (LsNode) owned = expr;

  return ls_block_builder_emit (self, owned, name_hint);
}

LsRelaxVar *
ls_block_builder_emit_match_cast (LsBlockBuilder *self,
                                  gpointer        value,
                                  LsStructInfo   *struct_info,
                                  const char     *name_hint)
{
  g_autoptr (LsNode) leaf = ls_block_builder_normalize_argument (self, value);
  g_autoptr (LsRelaxVar) var = new_var (self, name_hint, ls_block_builder_in_dataflow (self), ls_node_ref (struct_info));
  g_autoptr (LsNode) binding = ls_match_cast_new (ls_ref (var), ls_node_ref (leaf), ls_node_ref (struct_info));
  g_autoptr (LsNode) actual = ls_block_builder_struct_info (self, leaf);

  if (!ls_struct_info_may_be (struct_info, actual))
    ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_TYPE, "The value of a match_cast is certain not to have the shape or type that it is cast to.");
  ls_block_builder_emit_binding (self, binding);
  ls_block_builder_note_binding (self, var, leaf);
  return var;
}

LsRelaxVar *
ls_block_builder_emit_output (LsBlockBuilder *self,
                              gpointer        expr,
                              const char     *name_hint)
{
  if (!ls_block_builder_in_dataflow (self))
    ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, "emit_output stands in a dataflow block.");
  return emit (self, expr, name_hint, FALSE);
}

/* ---- the function that is being built ----------------------------------------------------------- */

void
ls_block_builder_begin_function (LsBlockBuilder *self,
                                 const char     *name,
                                 LsArray        *params,
                                 LsMap          *attrs,
                                 gboolean        is_pure,
                                 gboolean        is_private)
{
  g_autoptr (LsNode) symbol = LS_NODE (ls_string_new (name));
  Open *outer = self->open;

  self->open = g_new0 (Open, 1);
  self->open->outer = outer;
  self->open->n_frames = self->frames->len;
  self->open->name = g_strdup (name);
  self->open->params = ls_ref (params);
  self->open->attrs = attrs != NULL ? ls_ref (attrs) : ls_map_empty ();
  if (!is_private)
    ls_take (&self->open->attrs, ls_map_set (self->open->attrs, "global_symbol", symbol));
  self->open->blocks = g_ptr_array_new_with_free_func (unref_any);
  self->open->is_pure = is_pure;
  ls_block_builder_begin_block (self, FALSE);
}

void
ls_block_builder_abandon_function (LsBlockBuilder *self)
{
  if (self->open == NULL)
    return;
  while (self->frames->len > self->open->n_frames)
    drop_frame (self);
  close_function (self);
}

/* What is known of the result where only the parameters' dimensions exist. */
static LsStructInfo *
result_info (LsBlockBuilder *self,
             LsArray        *params,
             LsNode         *seq)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self, seq);

  for (guint i = 0; i < params->n; i++)
    ls_struct_info_add_symbols (ls_array_at (params, i, LsRelaxVar)->struct_info, known);
  return ls_struct_info_erase (info, known);
}

static LsWalk
find_dataflow_var (LsNode  *node,
                   gpointer found)
{
  if (!ls_is (node, DATAFLOW_VAR))
    return LS_WALK_CONTINUE;
  *(LsNode **) found = node;
  return LS_WALK_STOP;
}

/* A sequence that stands in a dataflow block and has bindings outside of dataflow ends that block: its bindings do not see
 * the block's own variables.  One that they use, or NULL. */
static LsRelaxVar *
lost_variable (LsBindingBlock *block)
{
  LsNode *found = NULL;

  for (guint i = 0; ls_is (block, DATAFLOW_BLOCK) && i < block->bindings->n; i++)
    {
      LsVarBinding *binding = (LsVarBinding *) block->bindings->items[i];
      LsSeqExpr *seq = ls_is (binding, VAR_BINDING) && ls_is (binding->value, SEQ_EXPR) ? (LsSeqExpr *) binding->value : NULL;

      for (guint k = 0; seq != NULL && found == NULL && k < seq->blocks->n; k++)
        if (!ls_is (seq->blocks->items[k], DATAFLOW_BLOCK))
          ls_walk (seq->blocks->items[k], find_dataflow_var, NULL, &found);
    }
  return (LsRelaxVar *) found;
}

static LsNode *
finish_function (LsBlockBuilder *self,
                 LsNode         *output,
                 LsArray        *params)
{
  Open *open = self->open;
  g_autoptr (LsNode) leaf = ls_block_builder_normalize_argument (self, output);
  g_autoptr (LsArray) blocks = NULL;
  g_autoptr (LsNode) seq = NULL;
  GPtrArray *all = g_ptr_array_new ();

  close_block (self);
  for (guint i = 0; i < open->blocks->len; i++)
    {
      LsRelaxVar *lost = lost_variable (open->blocks->pdata[i]);

      if (lost != NULL)
        ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_TYPE, "Malformed AST: a sequence outside of dataflow uses `%s`, a variable of the dataflow block that it ends.",
                               lost->name);
      g_ptr_array_add (all, ls_node_ref (open->blocks->pdata[i]));
    }
  blocks = ls_array_take_ptr_array (all);
  seq = ls_seq_expr_new (ls_relax_join_blocks (blocks), ls_node_ref (leaf));
  return LS_NODE (ls_function_new (ls_ref (params), ls_node_ref (seq), result_info (self, params, seq), ls_ref (open->attrs), open->is_pure));
}

LsGlobalVar *
ls_block_builder_emit_func_output (LsBlockBuilder *self,
                                   gpointer        output,
                                   LsArray        *params)
{
  LsGlobalVar *var = NULL;
  g_autoptr (LsNode) func = NULL;

  if (self->open == NULL)
    {
      ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, "emit_func_output stands in a function.");
      return NULL;
    }
  if (self->frames->len != self->open->n_frames + 1 || top (self)->dataflow)
    {
      ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, "The result of a function is said outside of its dataflow blocks.");
      return NULL;
    }
  if ((self->open->params != NULL) == (params != NULL))
    {
      ls_block_builder_fail (self, LS_BLOCK_BUILDER_ERROR_ORDER, params != NULL ? LS_TEXT ("The function %s has its parameters already.")
                             : LS_TEXT ("The function %s has no list of parameters."), self->open->name);
      return NULL;
    }
  func = finish_function (self, output, params != NULL ? params : self->open->params);
  var = ls_block_builder_add_func (self, func, self->open->name);
  close_function (self);
  return var;
}
