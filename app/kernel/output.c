/* What a cell printed and showed.
 *
 * Text is kept up to HEAD bytes; of what comes then only the last TAIL bytes are kept, and how much is missing is said between the
 * two.  Something shown stands where its mark (0x1E number 0x1F) was read in stdout; the view itself comes over the
 * socket, before or after its mark.
 */
#include "app/kernel/kernel-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define HEAD (256u << 10)
#define TAIL (32u << 10)
#define MARK 16                 /* a mark is not longer */

struct _LsOutputs {
  gatomicrefcount  refs;
  GPtrArray       *list;        /* of LsOutput */
  GHashTable      *views;       /* number -> GVariant, whose mark was not read yet */
  GString         *half;        /* the beginning of a mark */
  GString         *tail;
  gsize            kept;
  guint64          dropped;
};

static void
output_free (gpointer data)
{
  LsOutput *output = data;

  if (output->raw != NULL)
    g_string_free (output->raw, TRUE);
  g_clear_pointer (&output->view, g_variant_unref);
  g_free (output);
}

LsOutputs *
ls_outputs_new (void)
{
  LsOutputs *self = g_new0 (LsOutputs, 1);

  g_atomic_ref_count_init (&self->refs);
  self->list = g_ptr_array_new_with_free_func (output_free);
  self->views = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_variant_unref);
  self->half = g_string_new (NULL);
  self->tail = g_string_new (NULL);
  return self;
}

LsOutputs *
ls_outputs_ref (LsOutputs *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_outputs_unref (LsOutputs *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->list);
  g_hash_table_unref (self->views);
  g_string_free (self->half, TRUE);
  g_string_free (self->tail, TRUE);
  g_free (self);
}

static LsOutput *
add (LsOutputs    *self,
     LsOutputKind  kind)
{
  LsOutput *output = g_new0 (LsOutput, 1);

  output->kind = kind;
  output->raw = g_string_new (NULL);
  g_ptr_array_add (self->list, output);
  return output;
}

static LsOutput *
last_of (LsOutputs    *self,
         LsOutputKind  kind)
{
  LsOutput *last = self->list->len > 0 ? self->list->pdata[self->list->len - 1] : NULL;

  return last != NULL && last->kind == kind ? last : add (self, kind);
}

static void
take_text (LsOutputs    *self,
           const char   *bytes,
           gsize         n,
           LsOutputKind  kind)
{
  gsize fits = MIN (n, HEAD - self->kept);

  if (fits > 0)
    g_string_append_len (last_of (self, kind)->raw, bytes, (gssize) fits);
  self->kept += fits;
  if (fits == n)
    return;
  bytes += fits;
  n -= fits;
  if (n >= TAIL)
    {
      self->dropped += self->tail->len + n - TAIL;
      g_string_truncate (self->tail, 0);
      g_string_append_len (self->tail, bytes + n - TAIL, TAIL);
      return;
    }
  g_string_append_len (self->tail, bytes, (gssize) n);
  if (self->tail->len > 2 * TAIL)
    {
      self->dropped += self->tail->len - TAIL;
      g_string_erase (self->tail, 0, (gssize) (self->tail->len - TAIL));
    }
}

static void
take_mark (LsOutputs *self,
           guint      number)
{
  LsOutput *output = add (self, LS_OUTPUT_VIEW);
  GVariant *view = g_hash_table_lookup (self->views, GUINT_TO_POINTER (number));

  output->number = number;
  if (view != NULL)
    output->view = g_variant_ref (view);
  g_hash_table_remove (self->views, GUINT_TO_POINTER (number));
}

/* The length of a mark at `bytes`; 0: none; -1: perhaps, when more comes. */
static int
mark_length (const char *bytes,
             gsize       n,
             guint      *number)
{
  gsize i = 1;

  *number = 0;
  for (; i < n && i < MARK && g_ascii_isdigit (bytes[i]); i++)
    *number = *number * 10 + (guint) (bytes[i] - '0');
  if (i == n && i < MARK)
    return -1;
  return i > 1 && i < MARK && bytes[i] == '\x1f' ? (int) i + 1 : 0;
}

static void
take_marked (LsOutputs  *self,
             const char *bytes,
             gsize       n)
{
  while (n > 0)
    {
      const char *mark = memchr (bytes, '\x1e', n);
      gsize before = mark != NULL ? (gsize) (mark - bytes) : n;
      guint number = 0;
      int length;

      if (before > 0)
        take_text (self, bytes, before, LS_OUTPUT_TEXT);
      bytes += before;
      n -= before;
      if (n == 0)
        return;
      length = mark_length (bytes, n, &number);
      if (length < 0)
        {
          g_string_append_len (self->half, bytes, (gssize) n);
          return;
        }
      if (length == 0)
        take_text (self, bytes, 1, LS_OUTPUT_TEXT);
      else
        take_mark (self, number);
      bytes += MAX (length, 1);
      n -= (gsize) MAX (length, 1);
    }
}

void
ls_outputs_take (LsOutputs  *self,
                 const char *bytes,
                 gsize       n,
                 gboolean    trouble)
{
  g_autoptr (GString) joined = NULL;

  if (trouble)
    {
      take_text (self, bytes, n, LS_OUTPUT_TROUBLE);
      return;
    }
  if (self->half->len == 0)
    {
      take_marked (self, bytes, n);
      return;
    }
  joined = g_string_new_len (self->half->str, (gssize) self->half->len);
  g_string_truncate (self->half, 0);
  g_string_append_len (joined, bytes, (gssize) n);
  take_marked (self, joined->str, joined->len);
}

void
ls_outputs_show (LsOutputs *self,
                 guint      number,
                 GVariant  *view)
{
  for (guint i = 0; i < self->list->len; i++)
    {
      LsOutput *output = self->list->pdata[i];

      if (output->kind == LS_OUTPUT_VIEW && output->number == number && output->view == NULL)
        {
          output->view = g_variant_ref (view);
          return;
        }
    }
  g_hash_table_replace (self->views, GUINT_TO_POINTER (number), g_variant_ref (view));
}

void
ls_outputs_end (LsOutputs *self)
{
  if (self->half->len > 0)
    take_text (self, self->half->str, self->half->len, LS_OUTPUT_TEXT);
  g_string_truncate (self->half, 0);
  if (self->tail->len > 0)
    {
      if (self->dropped > 0)
        {
          g_autofree char *size = g_format_size_full (self->dropped, G_FORMAT_SIZE_IEC_UNITS);

          g_string_append_printf (add (self, LS_OUTPUT_CUT)->raw, _("… %s of output left out …"), size);
        }
      g_string_append_len (add (self, LS_OUTPUT_TEXT)->raw, self->tail->str, (gssize) self->tail->len);
      g_string_truncate (self->tail, 0);
    }
}

guint
ls_outputs_get_n (LsOutputs *self)
{
  return self->list->len;
}

const LsOutput *
ls_outputs_get (LsOutputs *self,
                guint      i)
{
  return self->list->pdata[i];
}

guint64
ls_outputs_get_dropped (LsOutputs *self)
{
  return self->dropped;
}

char *
ls_output_get_text (const LsOutput *output)
{
  const char *text = "";

  if (output->kind != LS_OUTPUT_VIEW)
    return g_utf8_make_valid (output->raw->str, (gssize) output->raw->len);
  if (output->view != NULL)
    g_variant_lookup (output->view, "text", "&s", &text);
  return g_strdup (text);
}

char *
ls_outputs_get_text (LsOutputs *self)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < self->list->len; i++)
    {
      const LsOutput *output = self->list->pdata[i];
      g_autofree char *text = ls_output_get_text (output);

      if (output->kind == LS_OUTPUT_TROUBLE)
        continue;
      if (output->kind != LS_OUTPUT_TEXT && all->len > 0 && all->str[all->len - 1] != '\n')
        g_string_append_c (all, '\n');
      g_string_append (all, text);
      if (output->kind != LS_OUTPUT_TEXT && *text != 0)
        g_string_append_c (all, '\n');
    }
  return g_string_free (all, FALSE);
}
