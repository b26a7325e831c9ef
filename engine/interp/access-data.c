/* access-data: does the order of the accesses depend on data?  Every index, bound and condition that decides over accesses is
 * looked at: a load in it, or a variable that got its value from one or from the caller, and the order is not known. */
#include "engine/interp/access-order.h"

typedef struct {
  GHashTable *unknown;          /* variables whose value is not known: LsVar -> what it comes from, borrowed */
  char       *words;            /* what was found, or NULL */
} Search;

/* What makes `node` depend on data: the name of a buffer or of a number, or NULL. */
typedef struct {
  GHashTable *unknown;
  const char *name;
} Source;

static LsWalk
find_source (LsNode  *node,
             gpointer user_data)
{
  Source *self = user_data;

  if (ls_is (node, BUFFER_LOAD))
    self->name = ((LsBufferLoad *) node)->buffer->name;
  else if (ls_is (node, VAR) || ls_is (node, SIZE_VAR))
    self->name = g_hash_table_lookup (self->unknown, node);
  return self->name != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static const char *
source_of (Search  *self,
           gpointer node)
{
  Source source = { self->unknown, NULL };

  if (node != NULL)
    ls_walk (node, find_source, NULL, &source);
  return source.name;
}

static gboolean
touches (gpointer node)
{
  return node != NULL && (LS_NODE (node)->facts & LS_FACT_HAS_LOAD) != 0;
}

/* `words` is a template with the source in it, and before it `name` where there is one. */
static void
found (Search     *self,
       const char *source,
       const char *words,
       const char *name)
{
  if (source == NULL || self->words != NULL)
    return;
  self->words = name != NULL ? g_strdup_printf (ls_translate (words), name, source) : g_strdup_printf (ls_translate (words), source);
}

static void
look_at_indices (Search   *self,
                 LsBuffer *buffer,
                 LsArray  *indices,
                 LsExpr   *predicate)
{
  found (self, source_of (self, indices), LS_TEXT ("Which element is touched in %s depends on %s: the order is known only when the program runs on data."), buffer->name);
  found (self, source_of (self, predicate), LS_TEXT ("Whether an element is touched in %s depends on %s: the order is known only when the program runs on data."), buffer->name);
}

static void
look_at_call (Search *self,
              LsCall *call)
{
  if (ls_is_call (call, "tir.if_then_else") && ls_array_n (call->args) == 3 && (touches (call->args->items[1]) || touches (call->args->items[2])))
    found (self, source_of (self, call->args->items[0]), LS_TEXT ("What T.if_then_else reads depends on %s: the order is known only when the program runs on data."), NULL);
}

/* The right side of a condition is looked at only where the left one asks for it. */
static void
look_at_logic (Search *self,
               LsExpr *left,
               LsExpr *right)
{
  if (touches (right))
    found (self, source_of (self, left), LS_TEXT ("What a condition reads depends on %s: the order is known only when the program runs on data."), NULL);
}

static void
look_at_let (Search  *self,
             LsVar   *var,
             LsExpr  *value)
{
  const char *source = source_of (self, value);

  if (source != NULL)
    g_hash_table_insert (self->unknown, var, (gpointer) source);
}

static LsWalk
look (LsNode  *node,
      gpointer user_data)
{
  Search *self = user_data;

  if (ls_is (node, BUFFER_LOAD))
    look_at_indices (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices, ((LsBufferLoad *) node)->predicate);
  else if (ls_is (node, BUFFER_STORE))
    look_at_indices (self, ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices, ((LsBufferStore *) node)->predicate);
  else if (ls_is (node, CALL))
    look_at_call (self, (LsCall *) node);
  else if (ls_is (node, AND))
    look_at_logic (self, ((LsBinary *) node)->a, ((LsBinary *) node)->b);
  else if (ls_is (node, OR))
    look_at_logic (self, ((LsBinary *) node)->a, ((LsBinary *) node)->b);
  else if (ls_is (node, LET))
    look_at_let (self, ((LsLet *) node)->var, ((LsLet *) node)->value);
  else if (ls_is (node, LET_STMT))
    look_at_let (self, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value);
  else if (ls_is (node, IF_THEN_ELSE))
    found (self, source_of (self, ((LsIfThenElse *) node)->condition), LS_TEXT ("Which way an if goes depends on %s: the order is known only when the program runs on data."), NULL);
  else if (ls_is (node, WHILE))
    found (self, source_of (self, ((LsWhile *) node)->condition), LS_TEXT ("How long a while goes on depends on %s: the order is known only when the program runs on data."), NULL);
  else if (ls_is (node, FOR))
    {
      found (self, source_of (self, ((LsFor *) node)->min), LS_TEXT ("Where the loop begins that is called %s depends on %s: the order is known only when the program runs on data."), ((LsFor *) node)->loop_var->name);
      found (self, source_of (self, ((LsFor *) node)->extent), LS_TEXT ("The extent of %s depends on %s: the order is known only when the program runs on data."), ((LsFor *) node)->loop_var->name);
    }
  else if (ls_is (node, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) node;

      found (self, source_of (self, realize->iter_values), LS_TEXT ("Which instance runs of block %s depends on %s: the order is known only when the program runs on data."), realize->block->name_hint);
      found (self, source_of (self, realize->predicate), LS_TEXT ("Whether an instance runs of block %s depends on %s: the order is known only when the program runs on data."), realize->block->name_hint);
    }
  return self->words != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_access_order_is_known (LsPrimFunc *func,
                          GError    **error)
{
  g_autoptr (GHashTable) unknown = g_hash_table_new (NULL, NULL);
  Search search = { unknown, NULL };

  for (guint i = 0; i < ls_array_n (func->params); i++)
    if (ls_prim_func_get_buffer (func, i) == NULL)
      g_hash_table_insert (unknown, func->params->items[i], ((LsVar *) func->params->items[i])->name);
  ls_walk (func->body, look, NULL, &search);
  if (search.words == NULL)
    return TRUE;
  g_set_error_literal (error, LS_INTERP_ERROR, LS_INTERP_ERROR_UNSUPPORTED, search.words);
  g_free (search.words);
  return FALSE;
}
