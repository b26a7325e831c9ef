/* printer-alloc: statements that bring memory: allocations, constant data, declarations of buffers. */
#include "engine/script/printer-private.h"

#include <math.h>

void
ls_printer_decl_buffer (LsPrinter    *p,
                        LsDeclBuffer *stmt,
                        gboolean      concise,
                        LsBufferData  data)
{
  guint mark = ls_printer_begin_scope (p, concise, TRUE);
  gboolean own = data == LS_DATA_OWN && ls_printer_name (p, stmt->buffer->data) == NULL;

  p->own_data = own ? stmt->buffer->data : NULL;
  LS_AT (p, stmt, LsDeclBuffer, buffer,
         ls_printer_buffer_decl (p, stmt->buffer, "decl_buffer", NULL, NULL, p->frames->len - 1, own ? LS_DATA_HIDDEN : LS_DATA_DECLARED));
  ls_printer_finish_scope (p, stmt, mark, stmt->buffer, concise, stmt->body, stmt, G_STRUCT_OFFSET (LsDeclBuffer, body));
}

/* An allocation that T.decl_buffer alone says: the buffer that is declared right below has its type and extents. */
static gboolean
is_declared_below (LsAllocate *stmt)
{
  LsBuffer *buffer = ls_is (stmt->body, DECL_BUFFER) ? ((LsDeclBuffer *) stmt->body)->buffer : NULL;

  if (buffer == NULL || buffer->data != stmt->buffer_var || !ls_dtype_equal (stmt->dtype, buffer->dtype)
      || !ls_is_one (stmt->condition) || stmt->annotations->n > 0 || stmt->extents->n != buffer->shape->n)
    return FALSE;
  for (guint i = 0; i < stmt->extents->n; i++)
    if (!ls_deep_equal (stmt->extents->items[i], buffer->shape->items[i]))
      return FALSE;
  return TRUE;
}

static const char *
pointer_scope (LsVar *var)
{
  const char *scope = ls_is (var->type_annotation, POINTER_TYPE) ? ((LsPointerType *) var->type_annotation)->storage_scope : NULL;

  return scope != NULL && scope[0] != '\0' ? scope : "global";
}

void
ls_printer_annotations (LsPrinter *p,
                        gpointer   parent,
                        gsize      offset,
                        LsMap     *annotations)
{
  guint32 saved;

  if (annotations == NULL || annotations->n == 0)
    return;
  ls_put (p, ", annotations=");
  saved = ls_printer_enter (p, parent, offset);
  ls_printer_value (p, annotations);
  p->path = saved;
}

/* The pointer of an allocation belongs to the frame around it, so it is named before the new frame opens. */
static void
finish_allocation (LsPrinter *p,
                   gpointer   stmt,
                   guint      mark,
                   LsVar     *var,
                   gboolean   concise,
                   gboolean   outside,
                   LsStmt    *body,
                   gsize      offset)
{
  if (outside)
    ls_printer_define (p, var, p->frames->len - 1);
  ls_printer_finish_scope (p, stmt, mark, var, concise, body, stmt, offset);
}

void
ls_printer_allocate (LsPrinter  *p,
                     LsAllocate *stmt,
                     gboolean    concise)
{
  guint mark;

  if (p->sugar && is_declared_below (stmt))
    {
      LS_AT (p, stmt, LsAllocate, body, ls_printer_decl_buffer (p, (LsDeclBuffer *) stmt->body, concise, LS_DATA_OWN));
      return;
    }
  mark = ls_printer_begin_scope (p, concise, TRUE);
  ls_put (p, "T.allocate(");
  LS_AT (p, stmt, LsAllocate, extents, ls_printer_value (p, stmt->extents));
  ls_put (p, ", ");
  ls_printer_put_dtype (p, stmt->dtype);
  ls_put (p, ", ");
  ls_printer_put_string (p, pointer_scope (stmt->buffer_var));
  if (!ls_is_one (stmt->condition))
    {
      ls_put (p, ", ");
      LS_AT (p, stmt, LsAllocate, condition, ls_printer_value (p, stmt->condition));
    }
  ls_printer_annotations (p, stmt, G_STRUCT_OFFSET (LsAllocate, annotations), stmt->annotations);
  ls_put_char (p, ')');
  finish_allocation (p, stmt, mark, stmt->buffer_var, concise, TRUE, stmt->body, G_STRUCT_OFFSET (LsAllocate, body));
}

/* ---- constant data ----------------------------------------------------------- */

static double
half_to_double (guint16 bits)
{
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double value = exponent == 0 ? fraction * 0x1p-24
                 : exponent == 31 ? (fraction != 0 ? (double) NAN : (double) INFINITY)
                 : (1024 + fraction) * ldexp (1.0, exponent - 25);

  return bits & 0x8000 ? -value : value;
}

static void
put_element (LsPrinter    *p,
             LsDType       type,
             const guint8 *at)
{
  union { gint64 i; guint64 u; double d; float f; guint16 h; guint32 w; } bits = { 0 };
  guint n = MIN (ls_dtype_bytes (type), 8);

  memcpy (&bits, at, n);
  if (ls_dtype_is_float (type) && type.bits == 64)
    ls_printer_put_float (p, bits.d);
  else if (type.code == LS_TYPE_FLOAT && type.bits == 16)
    ls_printer_put_float (p, half_to_double (bits.h));
  else if (type.code == LS_TYPE_BFLOAT)
    {
      bits.w = (guint32) bits.h << 16;
      ls_printer_put_float (p, (double) bits.f);
    }
  else if (ls_dtype_is_float (type))
    ls_printer_put_float (p, (double) bits.f);
  else if (ls_dtype_is_int (type) && n < 8)
    ls_printer_put_int (p, (gint64) (bits.u << (64 - 8 * n)) >> (64 - 8 * n));
  else
    ls_printer_put_int (p, bits.i);
}

static void
put_tensor (LsPrinter *p,
            LsTensor  *tensor)
{
  gsize size = 0, step = ls_dtype_bytes (tensor->dtype);
  const guint8 *data = g_bytes_get_data (tensor->data, &size);

  ls_put_char (p, '[');
  for (gsize at = 0; step > 0 && at + step <= size; at += step)
    {
      if (at > 0)
        ls_put (p, ", ");
      put_element (p, tensor->dtype, data + at);
    }
  ls_put_char (p, ']');
}

void
ls_printer_allocate_const (LsPrinter       *p,
                           LsAllocateConst *stmt,
                           gboolean         concise)
{
  guint mark = ls_printer_begin_scope (p, concise, TRUE);

  ls_put (p, "T.allocate_const(");
  LS_AT (p, stmt, LsAllocateConst, data, put_tensor (p, stmt->data));
  ls_put (p, ", ");
  ls_printer_put_dtype (p, stmt->dtype);
  ls_put (p, ", ");
  LS_AT (p, stmt, LsAllocateConst, extents, ls_printer_value (p, stmt->extents));
  ls_printer_annotations (p, stmt, G_STRUCT_OFFSET (LsAllocateConst, annotations), stmt->annotations);
  ls_put_char (p, ')');
  finish_allocation (p, stmt, mark, stmt->buffer_var, concise, FALSE, stmt->body, G_STRUCT_OFFSET (LsAllocateConst, body));
}
