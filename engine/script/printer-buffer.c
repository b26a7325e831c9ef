/* printer-buffer: how a buffer is declared, in a parameter, a statement or out of nowhere.
 *
 * What equals the default (float32, compact, scope global, align 64, offset_factor 1) is left out.  Variables that
 * the declaration itself introduces are written inside it where the script has a form for that (strides=("A_s0",),
 * the data pointer of match_buffer and alloc_buffer) and otherwise on a line before (n = T.int64 ()).
 */
#include "engine/script/printer-private.h"

gboolean
ls_printer_buffer_is_simple (LsBuffer *buffer)
{
  for (guint i = 0; i < buffer->shape->n; i++)
    if (buffer->shape->items[i]->facts & LS_FACT_HAS_VAR)
      return FALSE;
  return buffer->strides->n == 0 && ls_is_zero (buffer->elem_offset)
         && g_str_equal (ls_buffer_scope (buffer), "global") && buffer->data_alignment == 64
         && buffer->offset_factor == 1 && buffer->buffer_type == LS_BUFFER_DEFAULT && buffer->axis_separators->n == 0;
}

typedef struct {
  LsBuffer *buffer;
  guint     depth;              /* of the frame that gets the declarations */
  GString  *names;              /* "n, m" */
  GString  *values;             /* "T.int64(), T.int64()" */
  GPtrArray *vars;              /* declared so */
} Decl;

static LsWalk
count_use (LsNode  *node,
           gpointer user_data)
{
  gpointer *query = user_data;

  if (node == query[0])
    query[1] = GUINT_TO_POINTER (GPOINTER_TO_UINT (query[1]) + 1);
  return LS_WALK_CONTINUE;
}

/* How often the buffer's own fields mention the variable. */
static guint
count_uses (LsBuffer *buffer,
            gpointer  var)
{
  gpointer query[2] = { var, NULL };

  ls_walk (buffer->elem_offset, count_use, NULL, query);
  ls_walk (buffer->data, count_use, NULL, query);
  ls_walk (buffer->strides, count_use, NULL, query);
  ls_walk (buffer->shape, count_use, NULL, query);
  return GPOINTER_TO_UINT (query[1]);
}

static gboolean
is_new_var (LsPrinter *p,
            gpointer   expr)
{
  return ls_is_var (expr) && ls_printer_name (p, expr) == NULL;
}

static void
declare_outside (LsPrinter *p,
                 Decl      *decl,
                 LsVar     *var)
{
  g_autofree char *creation = ls_printer_var_creation (var);
  const char *name = ls_printer_define (p, var, decl->depth);

  if (decl->names == NULL)
    {
      decl->names = g_string_new (name);
      decl->values = g_string_new (creation);
      decl->vars = g_ptr_array_new ();
      g_ptr_array_add (decl->vars, var);
      return;
    }
  g_ptr_array_add (decl->vars, var);
  g_string_append_printf (decl->names, ", %s", name);
  g_string_append_printf (decl->values, ", %s", creation);
}

/* Lets the variable be called "A.data" and the like, if nothing else in the declaration mentions it. */
static gboolean
declare_inside (LsPrinter *p,
                Decl      *decl,
                LsVar     *var,
                char      *suffix)
{
  g_autofree char *owned = suffix;

  if (count_uses (decl->buffer, var) != 1)
    {
      declare_outside (p, decl, var);
      return FALSE;
    }
  ls_printer_define_as (p, var, decl->depth, g_strconcat (ls_printer_name (p, decl->buffer), owned, NULL));
  return TRUE;
}

static void
put_shape (LsPrinter *p,
           Decl      *decl)
{
  LsArray *shape = decl->buffer->shape;

  for (guint i = 0; i < shape->n; i++)
    if (is_new_var (p, shape->items[i]))
      declare_outside (p, decl, (LsVar *) shape->items[i]);
  ls_printer_tuple (p, shape);
}

static void
put_data (LsPrinter    *p,
          Decl         *decl,
          LsBufferData  data)
{
  LsVar *var = decl->buffer->data;

  if (data == LS_DATA_HIDDEN)
    return;
  if (is_new_var (p, var))
    {
      if (data == LS_DATA_OWN)
        {
          if (declare_inside (p, decl, var, g_strdup (".data")))
            return;
        }
      else
        {
          declare_outside (p, decl, var);
        }
    }
  ls_put (p, ", data=");
  LS_AT (p, decl->buffer, LsBuffer, data, ls_printer_value (p, var));
}

static void
put_stride (LsPrinter *p,
            Decl      *decl,
            guint      i)
{
  gpointer stride = decl->buffer->strides->items[i];

  if (is_new_var (p, stride) && declare_inside (p, decl, stride, g_strdup_printf (".strides[%u]", i)))
    ls_printer_put_string (p, ((LsVar *) stride)->name);
  else
    ls_printer_value (p, stride);
}

static void
put_strides (LsPrinter *p,
             Decl      *decl)
{
  LsArray *strides = decl->buffer->strides;

  if (strides->n == 0)
    return;
  ls_put (p, ", strides=(");
  for (guint i = 0; i < strides->n; i++)
    {
      if (i > 0)
        ls_put (p, ", ");
      LS_AT_ITEM (p, i, put_stride (p, decl, i));
    }
  ls_put (p, strides->n == 1 ? ",)" : ")");
}

/* TRUE when offset_factor must be printed so that the offset is a variable again. */
static gboolean
put_offset (LsPrinter *p,
            Decl      *decl)
{
  LsExpr *offset = decl->buffer->elem_offset;

  if (ls_is (offset, INT_IMM) && ((LsIntImm *) offset)->value == 0)
    return FALSE;
  if (is_new_var (p, offset))
    {
      declare_inside (p, decl, (LsVar *) offset, g_strdup (".elem_offset"));
      return TRUE;
    }
  ls_put (p, ", elem_offset=");
  LS_AT (p, decl->buffer, LsBuffer, elem_offset, ls_printer_value (p, offset));
  return FALSE;
}

static void
put_rest (LsPrinter *p,
          LsBuffer  *buffer,
          gboolean   needs_factor)
{
  if (!g_str_equal (ls_buffer_scope (buffer), "global"))
    {
      ls_put (p, ", scope=");
      ls_printer_put_string (p, ls_buffer_scope (buffer));
    }
  if (buffer->data_alignment != 64)
    {
      ls_put (p, ", align=");
      ls_printer_put_int (p, buffer->data_alignment);
    }
  if (needs_factor || buffer->offset_factor != 1)
    {
      ls_put (p, ", offset_factor=");
      ls_printer_put_int (p, buffer->offset_factor);
    }
  if (buffer->buffer_type != LS_BUFFER_DEFAULT)
    ls_put (p, ", buffer_type=\"auto\"");
  if (buffer->axis_separators->n > 0)
    {
      ls_put (p, ", axis_separators=");
      LS_AT (p, buffer, LsBuffer, axis_separators, ls_printer_value (p, buffer->axis_separators));
    }
}

static void
flush_outside (LsPrinter *p,
               Decl      *decl)
{
  g_autofree char *line = NULL;

  if (decl->names == NULL)
    return;
  line = g_strconcat (decl->names->str, " = ", decl->values->str, NULL);
  ls_printer_declare (p, decl->depth, line, decl->vars->pdata, decl->vars->len);
  g_ptr_array_unref (decl->vars);
  g_string_free (decl->names, TRUE);
  g_string_free (decl->values, TRUE);
}

void
ls_printer_buffer_decl (LsPrinter       *p,
                        LsBuffer        *buffer,
                        const char      *method,
                        LsPrintArgument  first,
                        gpointer         user_data,
                        guint            depth,
                        LsBufferData     data)
{
  Decl decl = { buffer, depth, NULL, NULL, NULL };
  gboolean needs_factor;

  ls_put (p, "T.");
  ls_put (p, method);
  ls_put_char (p, '(');
  if (first != NULL)
    {
      first (p, user_data);
      ls_put (p, ", ");
    }
  LS_AT (p, buffer, LsBuffer, shape, put_shape (p, &decl));
  if (!ls_dtype_equal (buffer->dtype, LS_FLOAT32))
    {
      ls_put (p, ", ");
      ls_printer_put_dtype (p, buffer->dtype);
    }
  put_data (p, &decl, data);
  LS_AT (p, buffer, LsBuffer, strides, put_strides (p, &decl));
  needs_factor = put_offset (p, &decl);
  put_rest (p, buffer, needs_factor);
  ls_put_char (p, ')');
  flush_outside (p, &decl);
}

void
ls_printer_buffer_line (LsPrinter       *p,
                        LsBuffer        *buffer,
                        const char      *method,
                        LsPrintArgument  first,
                        gpointer         user_data,
                        LsBufferData     data)
{
  guint depth = p->frames->len - 1, range;

  ls_printer_begin (p);
  ls_printer_line (p, ls_printer_top (p)->indent);
  range = ls_printer_open (p, buffer, LS_SOURCE_NODE);
  ls_printer_put_name (p, buffer, ls_printer_define (p, buffer, depth), LS_SOURCE_DEFINE);
  ls_put (p, " = ");
  ls_printer_buffer_decl (p, buffer, method, first, user_data, depth, data);
  ls_printer_close (p, range);
  ls_put_char (p, '\n');
}

const char *
ls_printer_buffer_name (LsPrinter *p,
                        LsBuffer  *buffer)
{
  const char *name = ls_printer_name (p, buffer);
  GString *out = p->out, *line;
  int depth;

  if (name != NULL)
    return name;
  depth = ls_printer_lowest_frame (p, buffer);
  name = ls_printer_define (p, buffer, depth >= 0 ? (guint) depth : 0);
  if (depth < 0 || p->drop_declarations)
    return name;
  line = g_string_new (name);
  g_string_append (line, " = ");
  p->out = line;
  p->muted++;
  ls_printer_buffer_decl (p, buffer, "Buffer", NULL, NULL, (guint) depth, LS_DATA_OWN);
  p->muted--;
  p->out = out;
  ls_printer_declare (p, (guint) depth, line->str, (gpointer *) &buffer, 1);
  g_string_free (line, TRUE);
  return name;
}
