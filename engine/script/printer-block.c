/* printer-block: blocks and their bindings.
 *
 * Neighbouring bindings that only rename a loop of the same domain are written as one T.axis.remap; the domains
 * must agree in type too, which is why a block with an int64 extent and an int32 minimum keeps its T.axis lines.
 */
#include "engine/script/printer-private.h"

const char *
ls_printer_block_word (LsPrinter *p)
{
  return p->options.style == LS_SCRIPT_STYLE_2026 ? "T.sblock" : "T.block";
}

const char *
ls_printer_alloc_word (LsPrinter *p)
{
  return p->options.style == LS_SCRIPT_STYLE_2026 ? "sblock_alloc_buffer" : "alloc_buffer";
}

typedef struct {
  LsBlock        *block;
  LsBlockRealize *realize;      /* or NULL */
  guint32         block_path;
  guint32         realize_path;
} Context;

/* The enclosing loop of this variable, or NULL. */
static LsFor *
find_loop (LsPrinter *p,
           gpointer   var)
{
  for (guint i = p->frames->len; i-- > 0;)
    for (LsNode *at = g_array_index (p->frames, LsFrame, i).tir; ls_is (at, FOR); at = ((LsFor *) at)->body)
      if ((gpointer) ((LsFor *) at)->loop_var == var)
        return (LsFor *) at;
  return NULL;
}

static gboolean
only_renames (LsPrinter *p,
              Context   *c,
              guint      i)
{
  LsIterVar *iter = ls_array_at (c->block->iter_vars, i, LsIterVar);
  LsNode *value = c->realize != NULL ? c->realize->iter_values->items[i] : NULL;
  LsFor *loop;

  if (!p->sugar || !ls_is_var (value) || (iter->iter_type != LS_ITER_DATA_PAR && iter->iter_type != LS_ITER_COMM_REDUCE))
    return FALSE;
  loop = find_loop (p, value);
  return loop != NULL && ls_deep_equal (loop->min, iter->dom->min) && ls_deep_equal (loop->extent, iter->dom->extent);
}

static const char *
axis_name (int type)
{
  switch ((LsIterType) type)
    {
    case LS_ITER_DATA_PAR: return "spatial";
    case LS_ITER_COMM_REDUCE: return "reduce";
    case LS_ITER_ORDERED: return "scan";
    case LS_ITER_THREAD_INDEX: case LS_ITER_OPAQUE: case LS_ITER_UNROLLED:
    case LS_ITER_VECTORIZED: case LS_ITER_PARALLELIZED: case LS_ITER_TENSORIZED:
      break;
    }
  return "opaque";
}

static void
put_domain (LsPrinter *p,
            LsRange   *dom)
{
  gboolean from_zero = ls_is_zero (dom->min);

  if (!from_zero)
    {
      ls_put_char (p, '(');
      LS_AT (p, dom, LsRange, min, ls_printer_value (p, dom->min));
      ls_put (p, ", ");
      LS_AT (p, dom, LsRange, extent, ls_printer_temporary (p, ls_add (ls_ref (dom->min), ls_ref (dom->extent))));
      ls_put_char (p, ')');
      return;
    }
  LS_AT (p, dom, LsRange, extent, ls_printer_value (p, dom->extent));
}

static void
enter_iter_var (LsPrinter *p,
                Context   *c,
                guint      i)
{
  p->path = c->block_path;
  ls_printer_enter (p, c->block, G_STRUCT_OFFSET (LsBlock, iter_vars));
  ls_printer_enter_item (p, i);
}

static void
put_binding (LsPrinter *p,
             Context   *c,
             guint      i)
{
  p->path = c->realize_path;
  ls_printer_enter (p, c->realize, G_STRUCT_OFFSET (LsBlockRealize, iter_values));
  LS_AT_ITEM (p, i, ls_printer_value (p, c->realize->iter_values->items[i]));
}

static void
put_axis (LsPrinter *p,
          Context   *c,
          guint      i)
{
  LsIterVar *iter = ls_array_at (c->block->iter_vars, i, LsIterVar);
  guint mark, range;

  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  enter_iter_var (p, c, i);
  range = ls_printer_open (p, iter, LS_SOURCE_NODE);
  mark = ls_printer_mark (p);
  ls_put (p, " = T.axis.");
  ls_put (p, axis_name (iter->iter_type));
  ls_put_char (p, '(');
  if (iter->dom == NULL)
    ls_put (p, "None");
  else
    LS_AT (p, iter, LsIterVar, dom, put_domain (p, iter->dom));
  if (c->realize != NULL)
    {
      ls_put (p, ", ");
      put_binding (p, c, i);
    }
  ls_put_char (p, ')');
  enter_iter_var (p, c, i);
  ls_printer_enter (p, iter, G_STRUCT_OFFSET (LsIterVar, var));
  ls_printer_insert_name (p, mark, iter->var, ls_printer_define (p, iter->var, p->frames->len - 1));
  ls_printer_close (p, range);
  ls_put_char (p, '\n');
  p->path = c->block_path;
}

static void
put_remap (LsPrinter *p,
           Context   *c,
           guint      first,
           guint      n)
{
  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  for (guint i = first; i < first + n; i++)
    {
      LsIterVar *iter = ls_array_at (c->block->iter_vars, i, LsIterVar);
      guint range;

      if (i > first)
        ls_put (p, ", ");
      enter_iter_var (p, c, i);
      range = ls_printer_open (p, iter, LS_SOURCE_NODE);
      ls_printer_enter (p, iter, G_STRUCT_OFFSET (LsIterVar, var));
      ls_printer_put_name (p, iter->var, ls_printer_define (p, iter->var, p->frames->len - 1), LS_SOURCE_DEFINE);
      ls_printer_close (p, range);
    }
  ls_put (p, " = T.axis.remap(\"");
  for (guint i = first; i < first + n; i++)
    ls_put_char (p, ls_array_at (c->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_DATA_PAR ? 'S' : 'R');
  ls_put (p, "\", [");
  for (guint i = first; i < first + n; i++)
    {
      if (i > first)
        ls_put (p, ", ");
      put_binding (p, c, i);
    }
  ls_put (p, "])\n");
  p->path = c->block_path;
}

static void
put_axes (LsPrinter *p,
          Context   *c)
{
  guint n = c->block->iter_vars->n;

  for (guint i = 0; i < n;)
    {
      guint run = 0;

      while (i + run < n && only_renames (p, c, i + run))
        run++;
      if (run >= 2)
        put_remap (p, c, i, run);
      else
        put_axis (p, c, i);
      i += MAX (run, 1);
    }
}

static void
put_call_line (LsPrinter  *p,
               const char *word,
               gpointer    parent,
               gsize       offset,
               gpointer    value)
{
  guint32 saved;

  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  ls_put (p, word);
  ls_put_char (p, '(');
  saved = ls_printer_enter (p, parent, offset);
  if (ls_is (value, ARRAY))
    ls_printer_items (p, value);
  else
    ls_printer_value (p, value);
  p->path = saved;
  ls_put (p, ")\n");
}

/* Called below the buffer's path: the source is the buffer's neighbour. */
static void
put_source (LsPrinter *p,
            gpointer   user_data)
{
  LsMatchBufferRegion *match = user_data;
  guint32 saved = p->path;

  p->path = p->mapping ? g_array_index (p->paths, LsPathStep, p->path).parent : p->path;
  LS_AT (p, match, LsMatchBufferRegion, source, ls_printer_value (p, match->source));
  p->path = saved;
}

static void
put_match_buffer (LsPrinter           *p,
                  LsMatchBufferRegion *match)
{
  LS_AT (p, match, LsMatchBufferRegion, buffer,
         ls_printer_buffer_line (p, match->buffer, "match_buffer", put_source, match, LS_DATA_OWN));
}

static void
put_buffers (LsPrinter *p,
             LsBlock   *block)
{
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    LS_AT (p, block, LsBlock, alloc_buffers,
           LS_AT_ITEM (p, i, ls_printer_buffer_line (p, ls_array_at (block->alloc_buffers, i, LsBuffer), ls_printer_alloc_word (p),
                                                     NULL, NULL, LS_DATA_OWN)));
  for (guint i = 0; i < block->match_buffers->n; i++)
    LS_AT (p, block, LsBlock, match_buffers,
           LS_AT_ITEM (p, i, put_match_buffer (p, ls_array_at (block->match_buffers, i, LsMatchBufferRegion))));
}

static void
put_init (LsPrinter *p,
          LsBlock   *block)
{
  guint from;

  if (block->init == NULL)
    return;
  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  ls_put (p, "with T.init():\n");
  ls_printer_push (p, block->init, ls_printer_top (p)->indent + 1);
  from = p->out->len;
  LS_AT (p, block, LsBlock, init, ls_printer_body (p, block->init));
  ls_printer_pass (p, from);
  ls_printer_pop (p);
}

void
ls_printer_block (LsPrinter      *p,
                  LsBlock        *block,
                  LsBlockRealize *realize)
{
  Context c = { block, realize, p->path, p->mapping && realize != NULL ? g_array_index (p->paths, LsPathStep, p->path).parent : 0 };
  guint range = realize != NULL ? ls_printer_open (p, block, LS_SOURCE_NODE) : LS_NO_POSITION;

  ls_put (p, "with ");
  ls_put (p, ls_printer_block_word (p));
  ls_put_char (p, '(');
  ls_printer_put_string (p, block->name_hint != NULL ? block->name_hint : "");
  ls_put (p, realize == NULL ? ", no_realize=True):\n" : "):\n");
  ls_printer_push (p, block, ls_printer_top (p)->indent + 1);
  put_axes (p, &c);
  if (realize != NULL && !ls_is_one (realize->predicate))
    {
      p->path = c.realize_path;
      put_call_line (p, "T.where", realize, G_STRUCT_OFFSET (LsBlockRealize, predicate), realize->predicate);
      p->path = c.block_path;
    }
  put_call_line (p, "T.reads", block, G_STRUCT_OFFSET (LsBlock, reads), block->reads);
  put_call_line (p, "T.writes", block, G_STRUCT_OFFSET (LsBlock, writes), block->writes);
  if (block->annotations->n > 0)
    put_call_line (p, p->options.style == LS_SCRIPT_STYLE_2026 ? "T.sblock_attr" : "T.block_attr", block,
                   G_STRUCT_OFFSET (LsBlock, annotations), block->annotations);
  put_buffers (p, block);
  put_init (p, block);
  LS_AT (p, block, LsBlock, body, ls_printer_body (p, block->body));
  ls_printer_pop (p);
  ls_printer_close (p, range);
}
