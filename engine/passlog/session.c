/* session: a log as one file, with each text once.
 *
 * The bytes of the log are cut where its parts begin and end; each piece is kept once by its content, and a file of the log is a row of numbers of
 * pieces.  Opened again it is put together and read as it was the first time, so nothing that the reader knows is written down.
 *
 *   "Loopscope passes 1\n", then, compressed by zlib, a GVariant of FORMAT:
 *   kind, was it recognised, what the window shows (a{sv}), of each file: name, pass and unit ("" where its text has heads), begins anew, language,
 *   stage's start, seconds, numbers of pieces; pieces */
#include "engine/passlog/private.h"

#include <gio/gio.h>
#include <string.h>

#define MAGIC "Loopscope passes 1\n"
#define FORMAT "(sba{sv}a(sssbsbdau)aay)"
#define MOST_BYTES (G_GUINT64_CONSTANT (1) << 32)       /* of a log that is put together */

/* ---- writing ---- */

typedef struct {
  GHashTable     *known;        /* GBytes to number + 1 */
  GVariantBuilder pieces;
  GVariantBuilder numbers;      /* of the file that is written */
  guint           n;
} Writing;

static void
put_piece (Writing    *self,
           const char *text,
           gsize       start,
           gsize       end)
{
  g_autoptr (GBytes) piece = start < end ? g_bytes_new_static (text + start, end - start) : NULL;
  guint number = piece != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->known, piece)) : 0;

  if (piece == NULL)
    return;
  if (number == 0)
    {
      number = ++self->n;
      g_variant_builder_add_value (&self->pieces, g_variant_new_from_bytes (G_VARIANT_TYPE ("ay"), piece, TRUE));
      g_hash_table_insert (self->known, g_bytes_ref (piece), GUINT_TO_POINTER (number));
    }
  g_variant_builder_add (&self->numbers, "u", number - 1);
}

/* The parts of a file in their order, and what stands between them. */
static void
put_pieces (Writing   *self,
            LsPassLog *log,
            guint      file)
{
  gsize size, at = 0;
  const char *text = ls_pass_log_text (log, file, &size);

  for (guint i = 0; i < log->parts->len; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);

      if (g_array_index (log->dumps, LsPassDump, part->dump).file != file || part->start < at || part->end <= part->start)
        continue;
      put_piece (self, text, at, part->start);
      put_piece (self, text, part->start, part->end);
      at = part->end;
    }
  put_piece (self, text, at, size);
}

/* The dump that a file is, where its text has no heads. */
static LsPassDump *
dump_of_file (LsPassLog *log,
              guint      file)
{
  for (guint i = 0; i < log->dumps->len; i++)
    if (g_array_index (log->dumps, LsPassDump, i).file == file)
      return &g_array_index (log->dumps, LsPassDump, i);
  return NULL;
}

static GVariant *
as_variant (LsPassLog *log,
            GVariant  *shown)
{
  Writing self = { .known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL) };
  GVariantBuilder files;
  GVariant *all;

  g_variant_builder_init (&self.pieces, G_VARIANT_TYPE ("aay"));
  g_variant_builder_init (&files, G_VARIANT_TYPE ("a(sssbsbdau)"));
  for (guint i = 0; i < log->files->len; i++)
    {
      LsPassSource *source = &g_array_index (log->sources, LsPassSource, i);
      LsPassDump *dump = source->whole ? dump_of_file (log, i) : NULL;

      g_variant_builder_init (&self.numbers, G_VARIANT_TYPE ("au"));
      put_pieces (&self, log, i);
      g_variant_builder_add (&files, "(sssbsbdau)", (char *) log->file_names->pdata[i], dump != NULL ? dump->pass : "", dump != NULL ? dump->unit : "",
                             source->anew, ls_pass_log_kind_name (source->kind), dump != NULL && dump->kind == LS_PASS_DUMP_START,
                             dump != NULL ? dump->seconds : -1.0, &self.numbers);
    }
  all = g_variant_ref_sink (g_variant_new ("(sb@a{sv}a(sssbsbdau)aay)", ls_pass_log_kind_name (log->kind), log->recognised,
                                           shown != NULL ? shown : g_variant_new ("a{sv}", NULL), &files, &self.pieces));
  g_hash_table_unref (self.known);
  return all;
}

/* All of it through a converter. (transfer full) */
static GBytes *
convert (GConverter *converter,
         GBytes     *bytes,
         GError    **error)
{
  g_autoptr (GInputStream) input = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GInputStream) converted = g_converter_input_stream_new (input, converter);
  g_autoptr (GOutputStream) output = g_memory_output_stream_new_resizable ();

  if (g_output_stream_splice (output, converted, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0)
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (output));
}

gboolean
ls_pass_log_save (LsPassLog  *log,
                  const char *path,
                  GVariant   *shown,
                  GError    **error)
{
  g_autoptr (GVariant) all = as_variant (log, shown);
  g_autoptr (GBytes) plain = g_variant_get_data_as_bytes (all), packed = NULL;
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 3));
  g_autofree char *file = NULL;
  gsize head = strlen (MAGIC), size;

  packed = convert (converter, plain, error);
  if (packed == NULL)
    return FALSE;
  size = g_bytes_get_size (packed);
  file = g_malloc (head + size);        /* a GByteArray counts in 32 bits */
  memcpy (file, MAGIC, head);
  memcpy (file + head, g_bytes_get_data (packed, NULL), size);
  return g_file_set_contents (path, file, (gssize) (head + size), error);
}

/* ---- reading ---- */

gboolean
ls_pass_session_is (const char *text,
                    gsize       size)
{
  return size > strlen (MAGIC) && memcmp (text, MAGIC, strlen (MAGIC)) == 0;
}

/* The bytes of a file of the log; NULL: a number leads nowhere, or there is too much. (transfer full) */
static GBytes *
put_together (GVariant *numbers,
              GVariant *pieces,
              guint64  *left)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize n, n_pieces = g_variant_n_children (pieces);
  const guint32 *number = g_variant_get_fixed_array (numbers, &n, sizeof (guint32));

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) piece = number[i] < n_pieces ? g_variant_get_child_value (pieces, number[i]) : NULL;
      gsize size = piece != NULL ? g_variant_get_size (piece) : 0;

      if (piece == NULL || size > *left)
        return NULL;
      *left -= size;
      if (size > 0)
        g_byte_array_append (bytes, g_variant_get_data (piece), (guint) size);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static LsPassLog *
broken (LsPassLog *self,
        GError   **error)
{
  if (self != NULL)
    ls_pass_log_free (self);
  g_set_error_literal (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN, ls_translate ("This session of passes is damaged."));
  return NULL;
}

LsPassLog *
ls_pass_session_read (GBytes   *bytes,
                      GError  **error)
{
  g_autoptr (GBytes) packed = g_bytes_new_from_bytes (bytes, strlen (MAGIC), g_bytes_get_size (bytes) - strlen (MAGIC)), plain = NULL;
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_autoptr (GVariant) all = NULL, files = NULL, pieces = NULL, shown = NULL;
  g_autofree char *kind = NULL;
  LsPassLog *self = ls_pass_log_new ();
  guint64 left = MOST_BYTES;
  GVariantIter iter;
  const char *name, *pass, *unit, *language;
  gboolean anew, start, known;
  double seconds;
  GVariant *numbers;

  plain = convert (converter, packed, NULL);
  all = plain != NULL ? g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (FORMAT), plain, FALSE)) : NULL;
  if (all == NULL || !g_variant_is_normal_form (all))
    return broken (self, error);
  g_variant_get (all, "(sb@a{sv}@a(sssbsbdau)@aay)", &kind, &self->recognised, &shown, &files, &pieces);
  g_variant_iter_init (&iter, files);
  while (g_variant_iter_next (&iter, "(&s&s&sb&sbd@au)", &name, &pass, &unit, &anew, &language, &start, &seconds, &numbers))
    {
      g_autoptr (GBytes) text = put_together (numbers, pieces, &left);
      guint n = self->dumps->len;

      g_variant_unref (numbers);
      if (text == NULL || !ls_pass_log_kind_parse (language, &self->kind))
        return broken (self, error);
      if (anew)
        ls_pass_log_forget (self);
      ls_pass_log_take (self, text, name, *pass != '\0' ? pass : NULL, unit);
      if (*pass == '\0' || self->dumps->len != n + 1)
        continue;
      if (start)
        {
          g_array_index (self->dumps, LsPassDump, n).kind = LS_PASS_DUMP_START;
          g_array_index (self->dumps, LsPassDump, n).effective = FALSE;
        }
    }
  known = ls_pass_log_kind_parse (kind, &self->kind);
  self = known ? ls_pass_log_finish (self, error) : broken (self, error);
  if (self == NULL)
    return NULL;
  g_variant_iter_init (&iter, files);
  for (guint i = 0; g_variant_iter_next (&iter, "(&s&s&sb&sbd@au)", &name, &pass, &unit, &anew, &language, &start, &seconds, &numbers); i++)
    {
      LsPassDump *dump = *pass != '\0' ? dump_of_file (self, i) : NULL;

      g_variant_unref (numbers);
      if (dump != NULL && seconds >= 0)
        dump->seconds = seconds;
    }
  self->shown = g_steal_pointer (&shown);
  return self;
}
