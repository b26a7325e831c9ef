/* number: constants as text, and what types are computed as. */
#include "engine/codegen/c/text-private.h"

#include <math.h>
#include <string.h>

void
text_int (Writer  *self,
          LsDType  t,
          gint64   v,
          int      prec)
{
  gboolean negative = v < 0 && t.code != LS_TYPE_UINT;

  if (ls_dtype_is_bool (t))
    g_string_append (self->out, v != 0 ? "1" : "0");
  else if (t.code == LS_TYPE_INT && v == G_MININT64)
    g_string_append (self->out, "(-9223372036854775807LL - 1)");
  else if (t.code == LS_TYPE_INT && t.bits == 32 && v == G_MININT32)
    g_string_append (self->out, "(-2147483647 - 1)");
  else
    g_string_append_printf (self->out, t.code == LS_TYPE_UINT ? "%s%" G_GUINT64_FORMAT "%s%s" : "%s%" G_GINT64_FORMAT "%s%s", negative && prec >= PREC_UNARY ? "(" : "",
                            v, t.code == LS_TYPE_UINT ? (t.bits == 64 ? (self->language == LS_TEXT_OPENCL || self->language == LS_TEXT_METAL ? "UL" : "ULL") : "u")
                               : t.bits == 64 && (v > G_MAXINT32 || v < G_MININT32) ? (self->language == LS_TEXT_OPENCL || self->language == LS_TEXT_METAL ? "L" : "LL") : "",
                            negative && prec >= PREC_UNARY ? ")" : "");
}

/* Types of C++ that are computed with as float and rounded: bfloat16 and the 8-bit floats. */
gboolean
text_is_wrapped (LsDType t)
{
  return t.code == LS_TYPE_BFLOAT || t.code == LS_TYPE_E4M3 || t.code == LS_TYPE_E5M2;
}

gboolean
text_is_half (LsDType t)
{
  return t.code == LS_TYPE_FLOAT && t.bits == 16;
}

/* What is computed as float32 and rounded: in C float16 too, as C may keep more of it between operations. */
gboolean
text_is_rounded (Writer  *self,
                 LsDType  t)
{
  return text_is_wrapped (t) || (text_is_half (t) && self->language == LS_TEXT_C);
}

/* Before what stands in parentheses, and is converted. */
void
text_type_before (Writer  *self,
                  LsDType  t)
{
  g_string_append_printf (self->out, self->language == LS_TEXT_C ? "(%s) (" : "%s(", text_type (self, ls_dtype_element (t)));
}

void
text_float (Writer  *self,
            LsDType  t,
            double   v,
            int      prec)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *end = t.bits == 64 ? "" : "f";
  gboolean brackets = signbit (v) && prec >= PREC_UNARY;
  gssize before = (gssize) self->out->len;

  if (isnan (v) || isinf (v))
    {
      const char *name = self->language == LS_TEXT_CUDA ? (isnan (v) ? "__int_as_float(0x7fc00000)" : "__int_as_float(0x7f800000)") : isnan (v) ? "NAN" : "INFINITY";

      g_string_append_printf (self->out, "%s%s%s", isinf (v) && v < 0 ? "(-" : "", name, isinf (v) && v < 0 ? ")" : "");
      return;
    }
  /* in OpenCL C half * 0.5f is computed in float; to CUDA's compiler it is ambiguous */
  if (self->language != LS_TEXT_C && text_is_half (t))
    {
      text_float (self, LS_FLOAT32, v, PREC_UNARY);
      if (self->language == LS_TEXT_CUDA)
        {
          g_autofree char *type = g_strconcat (text_type (self, ls_dtype_element (t)), "(", NULL);

          g_string_insert (self->out, before, type);
          g_string_append_c (self->out, ')');
          return;
        }
      g_string_insert (self->out, before, prec >= PREC_UNARY ? "((half)" : "(half)");
      g_string_append (self->out, prec >= PREC_UNARY ? ")" : "");
      return;
    }
  if (text_is_half (t))              /* from double: rounded once */
    {
      g_string_append (self->out, prec > PREC_UNARY ? "((_Float16) " : "(_Float16) ");
      text_float (self, LS_FLOAT64, v, PREC_UNARY);
      g_string_append (self->out, prec > PREC_UNARY ? ")" : "");
      return;
    }
  g_ascii_formatd (text, sizeof text, t.bits == 64 ? "%.17g" : "%.9g", v);
  if (text_is_wrapped (t))
    {
      g_string_append_printf (self->out, "%s(%s%sf)", text_type (self, ls_dtype_element (t)), text, strpbrk (text, ".e") == NULL ? ".0" : "");
      return;
    }
  g_string_append_printf (self->out, "%s%s%s%s%s", brackets ? "(" : "", text, strpbrk (text, ".e") == NULL ? ".0" : "", end, brackets ? ")" : "");
}
