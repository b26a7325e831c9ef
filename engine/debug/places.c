/* places: the text of a program and its statements by number, as the interpreter counts them. */
#include "engine/debug/debug-private.h"

#include "engine/tir/settle.h"

#include <string.h>

typedef struct {
  LsDebugText *text;
  GArray      *places;
  GArray      *steps;           /* of guint32: the path so far */
} Walk;

static void follow (Walk *self, LsNode *node, guint parent, guint depth);

static void
follow_child (Walk  *self,
              LsNode *node,
              guint   child,
              guint   parent,
              guint   depth)
{
  guint32 step = child;

  g_array_append_val (self->steps, step);
  follow (self, ls_node_get_child (node, child), parent, depth);
  g_array_set_size (self->steps, self->steps->len - 1);
}

static guint
child_of (LsNode  *node,
          gpointer what)
{
  guint n = ls_node_get_n_children (node);
  guint i = 0;

  while (i < n && ls_node_get_child (node, i) != what)
    i++;
  return i;
}

/* The interpreter runs the init of a block first. */
static void
follow_block (Walk    *self,
              LsBlock *block,
              guint    parent,
              guint    depth)
{
  if (block->init != NULL)
    follow_child (self, LS_NODE (block), child_of (LS_NODE (block), block->init), parent, depth);
  /* the body comes before the init among the fields: when both are the same node, the first one is the body */
  follow_child (self, LS_NODE (block), child_of (LS_NODE (block), block->body), parent, depth);
}

static gboolean
is_walked (LsNode *node)
{
  return node != NULL && !ls_is_expr (node) && (ls_is_stmt (node) || ls_is (node, ARRAY) || ls_is (node, BLOCK));
}

static void
follow (Walk   *self,
        LsNode *node,
        guint   parent,
        guint   depth)
{
  LsDebugPlace place = { .stmt = node, .depth = depth };
  guint number = self->places->len;
  guint n;

  if (ls_is (node, BLOCK))
    {
      follow_block (self, (LsBlock *) node, parent, depth);
      return;
    }
  n = ls_node_get_n_children (node);
  if (ls_is (node, ARRAY))
    {
      for (guint i = 0; i < n; i++)
        if (is_walked (ls_node_get_child (node, i)))
          follow_child (self, node, i, parent, depth);
      return;
    }
  place.parent = parent;
  place.path = ls_path_new ((guint32 *) self->steps->data, self->steps->len);
  place.line = ls_source_map_line_of_path (self->text->map, place.path);
  g_array_append_val (self->places, place);
  if (!ls_is (node, SEQ_STMT))
    {
      parent = number;
      depth++;
    }
  for (guint i = 0; i < n; i++)
    if (is_walked (ls_node_get_child (node, i)))
      follow_child (self, node, i, parent, depth);
  g_array_index (self->places, LsDebugPlace, number).end = self->places->len;
}

static void
place_clear (gpointer data)
{
  ls_path_free (((LsDebugPlace *) data)->path);
}

static GArray *
places_of (LsDebugText *text,
           LsPrimFunc  *func)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  Walk walk = { text, g_array_new (FALSE, TRUE, sizeof (LsDebugPlace)), steps };
  g_autoptr (LsPath) path = ls_path_find (text->module, func);
  guint32 body = child_of (LS_NODE (func), func->body);

  g_array_set_clear_func (walk.places, place_clear);
  if (path == NULL)
    return walk.places;
  g_array_append_vals (steps, path->steps, path->n);
  g_array_append_val (steps, body);
  follow (&walk, func->body, 0, 0);
  return walk.places;
}

/* A statement without a line of its own (the root block, loops of a T.grid after the first, which stand on one line) has that of the
 * first inside it. */
static void
fill_lines (GArray *places)
{
  for (guint i = places->len; i-- > 0;)
    {
      LsDebugPlace *place = &g_array_index (places, LsDebugPlace, i);

      if (place->line == 0 && i + 1 < place->end)
        place->line = g_array_index (places, LsDebugPlace, i + 1).line;
    }
}

LsDebugText *
ls_debug_text_new (LsModule *module)
{
  LsDebugText *self = g_new0 (LsDebugText, 1);

  self->module = ls_settle_sums_module (module);
  self->text = ls_script_print (self->module, NULL, &self->map);
  self->funcs = g_ptr_array_new ();
  self->places = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < ls_array_n (self->module->functions); i++)
    if (ls_is (self->module->functions->items[i], PRIM_FUNC))
      {
        GArray *places = places_of (self, ls_array_at (self->module->functions, i, LsPrimFunc));

        fill_lines (places);
        g_ptr_array_add (self->funcs, self->module->functions->items[i]);
        g_ptr_array_add (self->places, places);
      }
  return self;
}

void
ls_debug_text_free (LsDebugText *self)
{
  if (self == NULL)
    return;
  ls_unref (self->module);
  g_free (self->text);
  ls_source_map_unref (self->map);
  g_ptr_array_unref (self->funcs);
  g_ptr_array_unref (self->places);
  g_free (self);
}

static GArray *
find_places (LsDebugText *self,
             LsPrimFunc  *func)
{
  guint i;

  return g_ptr_array_find (self->funcs, func, &i) ? self->places->pdata[i] : NULL;
}

const LsDebugPlace *
ls_debug_text_place (LsDebugText *self,
                     LsPrimFunc  *func,
                     guint        number)
{
  GArray *places = find_places (self, func);

  return places != NULL && number < places->len ? &g_array_index (places, LsDebugPlace, number) : NULL;
}

/* The own span of a block is that of its realize's. */
static LsSpan
span_of (LsNode *stmt)
{
  if (ls_is (stmt, BLOCK_REALIZE) && stmt->span.source == 0)
    return LS_NODE (((LsBlockRealize *) stmt)->block)->span;
  return stmt->span;
}

gboolean
ls_debug_text_set_file (LsDebugText *self,
                        LsSource    *source)
{
  gboolean any = FALSE;

  for (guint f = 0; f < self->places->len; f++)
    {
      GArray *places = self->places->pdata[f];

      for (guint i = 0; i < places->len; i++)
        {
          LsDebugPlace *place = &g_array_index (places, LsDebugPlace, i);
          LsSpan span = span_of (place->stmt);

          if (span.source != ls_source_get_id (source))
            continue;
          place->file_line = ls_source_place (source, span.start).line;
          any = TRUE;
        }
      for (guint i = places->len; i-- > 0;)
        {
          LsDebugPlace *place = &g_array_index (places, LsDebugPlace, i);

          if (place->file_line == 0 && i + 1 < place->end)
            place->file_line = g_array_index (places, LsDebugPlace, i + 1).file_line;
        }
    }
  return any;
}

static const LsDebugPlace *
at_line (LsDebugText *self,
         gboolean     of_file,
         guint        line,
         LsPrimFunc **func,
         guint       *number)
{
  const LsDebugPlace *best = NULL;
  guint best_line = 0;

  for (guint f = 0; f < self->funcs->len; f++)
    {
      GArray *places = self->places->pdata[f];

      for (guint i = 0; i < places->len; i++)
        {
          LsDebugPlace *place = &g_array_index (places, LsDebugPlace, i);

          guint own = of_file ? place->file_line : place->line;

          if (ls_is (place->stmt, SEQ_STMT) || own < line || own == 0 || (best != NULL && best_line <= own))
            continue;
          best = place;
          best_line = own;
          *func = self->funcs->pdata[f];
          *number = i;
        }
    }
  return best;
}

const LsDebugPlace *
ls_debug_text_at_line (LsDebugText *self,
                       guint        line,
                       LsPrimFunc **func,
                       guint       *number)
{
  return at_line (self, FALSE, line, func, number);
}

const LsDebugPlace *
ls_debug_text_at_file_line (LsDebugText *self,
                            guint        line,
                            LsPrimFunc **func,
                            guint       *number)
{
  return at_line (self, TRUE, line, func, number);
}

/* ---- names ----------------------------------------------------------------------------- */

char *
ls_debug_text_name (LsDebugText *self,
                    gpointer     identity)
{
  const LsSourceRange *range = ls_source_map_find_definition (self->map, identity);

  if (range != NULL && range->end > range->start)
    {
      char *name = g_strndup (self->text + range->start, range->end - range->start);

      if (g_regex_match_simple ("^[A-Za-z_][A-Za-z_0-9]*$", name, 0, 0))
        return name;
      g_free (name);
    }
  return g_strdup (ls_is (identity, BUFFER) ? ((LsBuffer *) identity)->name : ((LsVar *) identity)->name);
}

static void
add_name (LsDebugText *self,
          GHashTable  *names,
          gpointer     identity)
{
  g_hash_table_insert (names, ls_debug_text_name (self, identity), ls_ref ((LsNode *) identity));
}

typedef struct {
  LsDebugText *text;
  GHashTable  *names;
} Buffers;

static LsWalk
add_buffer (LsNode  *node,
            gpointer user_data)
{
  Buffers *self = user_data;

  if (ls_is (node, BUFFER))
    add_name (self->text, self->names, node);
  return LS_WALK_CONTINUE;
}

static void
add_bound (LsDebugText *self,
           GHashTable  *names,
           LsNode      *stmt)
{
  if (ls_is (stmt, FOR))
    add_name (self, names, ((LsFor *) stmt)->loop_var);
  else if (ls_is (stmt, LET_STMT))
    add_name (self, names, ((LsLetStmt *) stmt)->var);
  else if (ls_is (stmt, ATTR_STMT) && ls_is (((LsAttrStmt *) stmt)->subject, ITER_VAR))
    add_name (self, names, ((LsIterVar *) ((LsAttrStmt *) stmt)->subject)->var);
  else if (ls_is (stmt, BLOCK_REALIZE))
    {
      LsArray *iters = ((LsBlockRealize *) stmt)->block->iter_vars;

      for (guint i = 0; i < iters->n; i++)
        add_name (self, names, ls_array_at (iters, i, LsIterVar)->var);
    }
}

GHashTable *
ls_debug_text_names (LsDebugText *self,
                     LsPrimFunc  *func,
                     guint        number)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  Buffers buffers = { self, names };
  g_autoptr (GArray) around = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *places = find_places (self, func);

  ls_walk (func->body, add_buffer, NULL, &buffers);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      add_name (self, names, buffer != NULL ? (gpointer) buffer : func->params->items[i]);
      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        if (ls_is_var (buffer->shape->items[k]))
          add_name (self, names, buffer->shape->items[k]);
    }
  while (places != NULL && number < places->len)
    {
      guint parent = g_array_index (places, LsDebugPlace, number).parent;

      g_array_append_val (around, number);
      if (parent >= number)
        break;
      number = parent;
    }
  for (guint i = around->len; i-- > 0;)
    add_bound (self, names, g_array_index (places, LsDebugPlace, g_array_index (around, guint, i)).stmt);
  return names;
}

/* ---- memory ----------------------------------------------------------------------------- */

typedef struct {
  LsVar *data, *source;
} Alias;

static LsWalk
find_source (LsNode  *node,
             gpointer user_data)
{
  Alias *self = user_data;

  if (ls_is (node, MATCH_BUFFER_REGION) && ((LsMatchBufferRegion *) node)->buffer->data == self->data)
    self->source = ((LsMatchBufferRegion *) node)->source->buffer->data;
  return self->source != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsVar *
ls_debug_memory_of (LsPrimFunc *func,
                    LsVar      *data)
{
  Alias alias = { data, NULL };

  ls_walk (func->body, find_source, NULL, &alias);
  return alias.source != NULL && alias.source != data ? ls_debug_memory_of (func, alias.source) : data;
}
