/* session/names: the first word that is asked for brings the walk that notes where names come from. */
#include "app/session/names.h"

#include "engine/relax/relax.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>

typedef struct {
  LsNode  *node;                /* For, LetStmt, or the BlockRealize of an axis */
  LsNode  *owner;               /* the IterVar of an axis */
  LsExpr  *value;               /* what an axis is bound to */
} Origin;

struct _LsNameWords
{
  LsModule   *module;
  GHashTable *origins;          /* LsVar -> Origin; NULL: not looked for yet */
  GHashTable *params;           /* LsBuffer or LsVar */
};

static void
note (LsNameWords *self,
      gpointer     var,
      LsNode      *node,
      LsNode      *owner,
      LsExpr      *value)
{
  Origin origin = { node, owner, value };

  g_hash_table_insert (self->origins, var, g_memdup2 (&origin, sizeof origin));
}

static LsWalk
look (LsNode   *node,
      gpointer  data)
{
  LsNameWords *self = data;

  if (ls_is (node, FOR))
    note (self, ((LsFor *) node)->loop_var, node, NULL, NULL);
  else if (ls_is (node, LET_STMT))
    note (self, ((LsLetStmt *) node)->var, node, NULL, ((LsLetStmt *) node)->value);
  else if (ls_is (node, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) node;

      for (guint i = 0; i < ls_array_n (realize->block->iter_vars); i++)
        {
          LsIterVar *axis = ls_array_at (realize->block->iter_vars, i, LsIterVar);

          note (self, axis->var, LS_NODE (realize->block), LS_NODE (axis), ls_array_at (realize->iter_values, i, LsExpr));
        }
    }
  return LS_WALK_CONTINUE;
}

static void
look_at_function (LsNameWords *self,
                  LsPrimFunc  *func)
{
  for (guint i = 0; i < ls_array_n (func->params); i++)
    {
      g_hash_table_add (self->params, func->params->items[i]);
      if (i < ls_array_n (func->buffers) && func->buffers->items[i] != NULL)
        g_hash_table_add (self->params, func->buffers->items[i]);
    }
  ls_walk (func->body, look, NULL, self);
}

LsNameWords *
ls_name_words_new (LsModule *module)
{
  LsNameWords *self = g_new0 (LsNameWords, 1);

  self->module = ls_ref (module);
  return self;
}

static void
look_at_module (LsNameWords *self)
{
  LsArray *functions = self->module->functions;

  self->origins = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->params = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < ls_array_n (functions); i++)
    if (ls_is (functions->items[i], PRIM_FUNC))
      look_at_function (self, (LsPrimFunc *) functions->items[i]);
}

void
ls_name_words_free (LsNameWords *self)
{
  g_clear_pointer (&self->origins, g_hash_table_unref);
  g_clear_pointer (&self->params, g_hash_table_unref);
  ls_unref (self->module);
  g_free (self);
}

/* ---- words -------------------------------------------------------------------- */

static char *
list_words (LsArray *exprs)
{
  GString *text = g_string_new ("(");

  for (guint i = 0; i < ls_array_n (exprs); i++)
    {
      g_autofree char *one = ls_script_print_expr (exprs->items[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", one);
    }
  g_string_append (text, ls_array_n (exprs) == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

static char *
buffer_words (LsNameWords *self,
              LsBuffer    *buffer,
              const char  *name)
{
  g_autofree char *shape = list_words (buffer->shape);
  const char *scope = ls_buffer_scope (buffer);
  g_autofree char *strides = ls_array_n (buffer->strides) > 0 ? list_words (buffer->strides) : NULL;
  GString *text = g_string_new (NULL);

  /* Translators: a name, its element type, its shape, the memory that it is in */
  g_string_append_printf (text, _("%s: buffer of %s, shape %s, scope %s"), name, ls_dtype_name (buffer->dtype), shape,
                          scope != NULL && *scope != '\0' ? scope : "global");
  if (strides != NULL)
    g_string_append_printf (text, _(", strides %s"), strides);
  g_string_append (text, g_hash_table_contains (self->params, buffer) ? _(", a parameter") : _(", made by the function"));
  return g_string_free (text, FALSE);
}

/* "0 to 127", or in the terms of the program. */
static char *
range_words (LsExpr *min,
             LsExpr *extent)
{
  g_autofree char *first = ls_script_print_expr (min);
  g_autofree char *size = ls_script_print_expr (extent);
  gint64 low, n;

  if (ls_as_int (min, &low) && ls_as_int (extent, &n) && n > 0)
    {
      g_autofree char *last = g_strdup_printf ("%" G_GINT64_FORMAT, low + n - 1);

      return g_strdup_printf (_("%s to %s"), first, last);
    }
  return g_strdup_printf (_("%s values from %s on"), size, first);
}

static const char *
axis_kind (const LsIterVar *axis)
{
  switch ((LsIterType) axis->iter_type)
    {
    case LS_ITER_DATA_PAR:
      return _("spatial axis");
    case LS_ITER_COMM_REDUCE:
      return _("reduction axis");
    case LS_ITER_ORDERED:
      return _("scan axis");
    case LS_ITER_OPAQUE:
      return _("opaque axis");
    case LS_ITER_THREAD_INDEX:
    case LS_ITER_UNROLLED:
    case LS_ITER_VECTORIZED:
    case LS_ITER_PARALLELIZED:
    case LS_ITER_TENSORIZED:
      break;
    }

  return _("axis");
}

static char *
axis_words (const Origin *origin,
            const char   *name)
{
  LsIterVar *axis = (LsIterVar *) origin->owner;
  g_autofree char *range = axis->dom != NULL ? range_words (axis->dom->min, axis->dom->extent) : NULL;
  g_autofree char *value = ls_script_print_expr (origin->value);
  GString *text = g_string_new (NULL);

  /* Translators: vi: spatial axis of block Y, int32 */
  g_string_append_printf (text, _("%s: %s of block %s, %s"), name, axis_kind (axis), ((LsBlock *) origin->node)->name_hint,
                          ls_dtype_name (((LsExpr *) axis->var)->dtype));
  if (range != NULL)
    g_string_append_printf (text, ", %s", range);
  g_string_append_printf (text, _(", here %s"), value);
  return g_string_free (text, FALSE);
}

static char *
var_words (LsNameWords *self,
           LsVar       *var,
           const char  *name)
{
  const Origin *origin = g_hash_table_lookup (self->origins, var);
  const char *dtype = ls_dtype_name (((LsExpr *) var)->dtype);

  if (g_hash_table_contains (self->params, var))
    return g_strdup_printf (_("%s: parameter, %s"), name, dtype);
  if (origin == NULL)
    return g_strdup_printf (_("%s: variable, %s"), name, dtype);
  if (origin->owner != NULL)
    return axis_words (origin, name);
  if (ls_is (origin->node, FOR))
    {
      g_autofree char *range = range_words (((LsFor *) origin->node)->min, ((LsFor *) origin->node)->extent);

      return g_strdup_printf (_("%s: loop variable, %s, %s"), name, dtype, range);
    }
  return g_strdup_printf (_("%s: variable, %s, once set"), name, dtype);
}

static char *
relax_words (LsRelaxVar *var,
             const char *name)
{
  g_autofree char *info = var->struct_info != NULL ? ls_script_print (var->struct_info, NULL, NULL) : NULL;

  if (info == NULL)
    return g_strdup_printf (_("%s: variable of Relax"), name);
  /* Translators: lv: variable of Relax, R.Tensor((1, 128), dtype="float32") */
  return g_strdup_printf (_("%s: variable of Relax, %s"), name, g_strstrip (info));
}

gboolean
ls_name_words_has (LsNode *node)
{
  return ls_is (node, BUFFER) || ls_is (node, VAR) || ls_is (node, SIZE_VAR) || ls_is_relax_var (node);
}

char *
ls_name_words_get (LsNameWords *self,
                   LsNode      *node,
                   const char  *name)
{
  if (self->origins == NULL)
    look_at_module (self);
  if (ls_is (node, BUFFER))
    return buffer_words (self, (LsBuffer *) node, name);
  if (ls_is (node, VAR) || ls_is (node, SIZE_VAR))
    return var_words (self, (LsVar *) node, name);
  if (ls_is_relax_var (node))
    return relax_words ((LsRelaxVar *) node, name);
  return NULL;
}
