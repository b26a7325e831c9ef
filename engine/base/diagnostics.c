/* diagnostics: many findings at once, and how they look as text and as JSON.
 *
 *   file.py:3:12: error[script/unknown-name]: T.foo is not a name of TVMScript.
 *       x = T.foo (a)
 *           ^~~~~
 *   file.py:1:1: note: ...
 *   repair: ...
 *
 * Each finding keeps the source of its span alive, so that it can be printed long after the
 * parser is gone.  What is shown may come from hostile files: control characters, bytes that are
 * not UTF-8 and the marks that reverse the direction of text are written as \x.. and \u...., and
 * of a very long line only the part around the caret is shown.
 */
#include "engine/base/findings.h"
#include "engine/base/json.h"
#include "engine/base/plural.h"

#include <json-glib/json-glib.h>
#include <stdarg.h>
#include <string.h>

#define TAB_WIDTH  8
#define LINE_WIDTH 160          /* cells of a source line that are shown at most */
#define LINE_LEAD  40           /* cells kept before the caret when the line is cut */
#define LINE_REACH 4096         /* bytes of a line that are looked at on either side of it */

/* What the sink allocates: the public part and the source its span points into. */
typedef struct {
  LsDiagnostic  public;
  LsSource     *source;
  LsSpan        fixed;          /* what `fix` is to stand for */
  char         *fix;            /* or NULL */
} Finding;

struct _LsDiagnostics {
  gatomicrefcount  refs;
  GPtrArray       *findings;    /* of Finding */
  guint            n_errors;
};

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_free (finding->public.message);
  g_free (finding->public.repair);
  g_free (finding->fix);
  g_clear_pointer (&finding->public.notes, g_ptr_array_unref);
  g_clear_pointer (&finding->public.culprits, g_ptr_array_unref);
  g_clear_pointer (&finding->source, ls_source_unref);
  g_free (finding);
}

static Finding *
finding_new (LsSeverity  severity,
             const char *code,
             LsSpan      span,
             const char *format,
             va_list     args)
{
  Finding *finding = g_new0 (Finding, 1);

  finding->public.severity = severity;
  finding->public.code = g_intern_string (code);
  finding->public.span = span;
  finding->public.message = g_strdup_vprintf (ls_translate (format), args);
  finding->source = ls_source_lookup (span.source);
  return finding;
}

LsDiagnostics *
ls_diagnostics_new (void)
{
  LsDiagnostics *self = g_new0 (LsDiagnostics, 1);

  g_atomic_ref_count_init (&self->refs);
  self->findings = g_ptr_array_new_with_free_func (finding_free);
  return self;
}

LsDiagnostics *
ls_diagnostics_ref (LsDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_diagnostics_unref (LsDiagnostics *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->findings);
  g_free (self);
}

LsDiagnostic *
ls_diagnostics_add (LsDiagnostics *self,
                    LsSeverity     severity,
                    const char    *code,
                    LsSpan         span,
                    const char    *format,
                    ...)
{
  Finding *finding;
  va_list args;

  if (self == NULL)
    return NULL;
  va_start (args, format);
  finding = finding_new (severity, code, span, format, args);
  va_end (args);
  g_ptr_array_add (self->findings, finding);
  if (severity == LS_SEVERITY_ERROR)
    self->n_errors++;
  return &finding->public;
}

LsDiagnostic *
ls_diagnostic_add_note (LsDiagnostic *self,
                        LsSpan        span,
                        const char   *format,
                        ...)
{
  Finding *note;
  va_list args;

  if (self == NULL)
    return NULL;
  va_start (args, format);
  note = finding_new (LS_SEVERITY_NOTE, NULL, span, format, args);
  va_end (args);
  if (self->notes == NULL)
    self->notes = g_ptr_array_new_with_free_func (finding_free);
  g_ptr_array_add (self->notes, note);
  return &note->public;
}

void
ls_diagnostics_add_sentence (LsDiagnostics *self,
                             guint          i,
                             const char    *sentence)
{
  LsDiagnostic *finding = g_ptr_array_index (self->findings, i);
  char *message = g_strconcat (finding->message, " ", sentence, NULL);

  g_free (finding->message);
  finding->message = message;
}

void
ls_diagnostics_make_error (LsDiagnostics *self,
                           guint          i,
                           const char    *sentence)
{
  LsDiagnostic *finding = g_ptr_array_index (self->findings, i);

  ls_diagnostics_add_sentence (self, i, sentence);
  if (finding->severity != LS_SEVERITY_ERROR)
    self->n_errors++;
  finding->severity = LS_SEVERITY_ERROR;
}

void
ls_diagnostic_set_repair (LsDiagnostic *self,
                          const char   *format,
                          ...)
{
  va_list args;

  if (self == NULL)
    return;
  g_free (self->repair);
  va_start (args, format);
  self->repair = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
}

void
ls_diagnostic_set_fix (LsDiagnostic *self,
                       LsSpan        span,
                       const char   *text)
{
  Finding *finding = (Finding *) self;

  if (self == NULL)
    return;
  g_free (finding->fix);
  finding->fix = g_strdup (text);
  finding->fixed = span;
}

const char *
ls_diagnostic_get_fix (const LsDiagnostic *self,
                       LsSpan             *span)
{
  const Finding *finding = (const Finding *) self;

  *span = finding->fixed;
  return finding->fix;
}

void
ls_diagnostic_add_culprit (LsDiagnostic *self,
                           const char   *path)
{
  g_return_if_fail (path != NULL);

  if (self == NULL)
    return;
  if (self->culprits == NULL)
    self->culprits = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->culprits, g_strdup (path));
}

guint
ls_diagnostics_get_n (LsDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->findings->len;
}

const LsDiagnostic *
ls_diagnostics_get (LsDiagnostics *self,
                    guint          i)
{
  g_return_val_if_fail (self != NULL && i < self->findings->len, NULL);

  return g_ptr_array_index (self->findings, i);
}

gboolean
ls_diagnostics_has_error (LsDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->n_errors > 0;
}

/* ---- text that is safe to show ------------------------------------------ */

static gboolean
needs_escape (gunichar c)
{
  return g_unichar_iscntrl (c)
         || c == 0x061c || c == 0x200e || c == 0x200f
         || (c >= 0x2028 && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069)
         || c == 0xfeff;
}

/* Appends the character at `at` as it is shown, and returns where the next one starts.
 * `width`, if given, grows by the cells it takes on a terminal. */
static const char *
append_shown (GString    *out,
              const char *at,
              const char *end,
              guint      *width)
{
  gunichar c = g_utf8_get_char_validated (at, end - at);
  gsize from = out->len;
  guint cells = 1;

  if (c == (gunichar) -1 || c == (gunichar) -2)
    {
      g_string_append_printf (out, "\\x%02x", (guchar) *at);
      cells = (guint) (out->len - from);
      at++;
    }
  else if (c == '\t' && width != NULL)
    {
      cells = TAB_WIDTH - *width % TAB_WIDTH;
      g_string_append_printf (out, "%*s", (int) cells, "");
      at++;
    }
  else if (needs_escape (c))
    {
      g_string_append_printf (out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
      cells = (guint) (out->len - from);
      at = g_utf8_next_char (at);
    }
  else
    {
      g_string_append_unichar (out, c);
      cells = g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
      at = g_utf8_next_char (at);
    }
  if (width != NULL)
    *width += cells;
  return at;
}

static void
append_safe (GString    *out,
             const char *text)
{
  const char *end = text + strlen (text);

  while (text < end)
    text = append_shown (out, text, end, NULL);
}

static char *
make_safe (const char *text)
{
  GString *out = g_string_new (NULL);

  append_safe (out, text);
  return g_string_free (out, FALSE);
}

/* ---- as text ------------------------------------------------------------ */

static const char *
severity_name (LsSeverity severity)
{
  switch (severity)
    {
    case LS_SEVERITY_ERROR:
      return "error";
    case LS_SEVERITY_WARNING:
      return "warning";
    case LS_SEVERITY_NOTE:
      return "note";
    }
  g_assert_not_reached ();
}

/* One source line on the way out: its text as shown, and in cells where the marks begin and end. */
typedef struct {
  GString *shown;
  GArray  *cells;               /* of guint: the cell at which each byte of `shown` stands */
  guint    width;
  guint    mark;
  guint    mark_end;
} Excerpt;

static void
excerpt_fill (Excerpt    *self,
              const char *start,
              const char *mark,
              const char *mark_end,
              const char *end)
{
  for (const char *at = start; at < end; )
    {
      const char *next;
      gsize from = self->shown->len;
      guint cell = self->width;

      next = append_shown (self->shown, at, end, &self->width);
      for (gsize i = from; i < self->shown->len; i++)
        g_array_append_val (self->cells, cell);
      if (next <= mark)
        self->mark = self->width;
      if (at < mark_end)
        self->mark_end = self->width;
      at = next;
    }
}

/* Cuts the line to LINE_WIDTH cells around the mark, with "..." where something is left out. */
static void
excerpt_cut (Excerpt *self)
{
  guint first = self->mark > LINE_LEAD ? self->mark - LINE_LEAD : 0;
  guint last = first + LINE_WIDTH;
  gsize from = 0;
  gsize to = self->shown->len;

  if (self->width <= LINE_WIDTH)
    return;
  while (from < to && g_array_index (self->cells, guint, from) < first)
    from++;
  while (to > from && g_array_index (self->cells, guint, to - 1) >= last)
    to--;
  if (to < self->shown->len)
    {
      g_string_truncate (self->shown, to);
      g_string_append (self->shown, "...");
    }
  if (from > 0)
    {
      guint gone = g_array_index (self->cells, guint, from) - 3;

      g_string_erase (self->shown, 0, (gssize) from);
      g_string_prepend (self->shown, "...");
      self->mark -= gone;
      self->mark_end -= gone;
    }
  self->mark_end = MIN (self->mark_end, LINE_WIDTH + 3);
}

static void
append_excerpt (GString  *out,
                LsSource *source,
                LsSpan    span)
{
  gsize length;
  const char *text = ls_source_get_text (source, &length);
  const char *mark = text + MIN (span.start, length);
  const char *mark_end = text + CLAMP (span.end, (gsize) (mark - text), length);
  const char *start = mark;
  const char *end = mark;
  Excerpt excerpt = { g_string_new (NULL), g_array_new (FALSE, FALSE, sizeof (guint)), 0, 0, 0 };

  if (start > text && start[-1] == '\r' && *start == '\n')
    start--;
  end = start;
  while (start > text && mark - start < LINE_REACH && start[-1] != '\n' && start[-1] != '\r')
    start--;
  while (end < text + length && end - mark < LINE_REACH && *end != '\n' && *end != '\r')
    end++;
  excerpt_fill (&excerpt, start, mark, MIN (mark_end, end), end);
  excerpt_cut (&excerpt);

  g_string_append_printf (out, "    %s\n    %*s^", excerpt.shown->str, (int) excerpt.mark, "");
  for (guint i = excerpt.mark + 1; i < excerpt.mark_end; i++)
    g_string_append_c (out, '~');
  g_string_append_c (out, '\n');
  g_string_free (excerpt.shown, TRUE);
  g_array_unref (excerpt.cells);
}

static void
append_finding (GString *out,
                Finding *finding)
{
  const LsDiagnostic *self = &finding->public;

  if (finding->source != NULL)
    {
      LsPlace place = ls_source_place (finding->source, self->span.start);

      append_safe (out, ls_source_get_name (finding->source));
      g_string_append_printf (out, ":%u:%u: ", place.line, place.column);
    }
  g_string_append (out, severity_name (self->severity));
  if (self->code != NULL)
    g_string_append_printf (out, "[%s]", self->code);
  g_string_append (out, ": ");
  append_safe (out, self->message);
  g_string_append_c (out, '\n');
  if (finding->source != NULL)
    append_excerpt (out, finding->source, self->span);
  for (guint i = 0; self->notes != NULL && i < self->notes->len; i++)
    append_finding (out, g_ptr_array_index (self->notes, i));
  if (self->repair != NULL)
    {
      g_string_append (out, "repair: ");
      append_safe (out, self->repair);
      g_string_append_c (out, '\n');
    }
}

char *
ls_diagnostics_print_first (LsDiagnostics *self,
                            guint          most)
{
  GString *out;
  guint left;

  g_return_val_if_fail (self != NULL, NULL);

  out = g_string_new (NULL);
  for (guint i = 0; i < MIN (self->findings->len, most); i++)
    append_finding (out, g_ptr_array_index (self->findings, i));
  left = self->findings->len > most ? self->findings->len - most : 0;
  if (left > 0)
    g_string_append_printf (out, ls_translate_plural ("%u more finding is not shown.\n", "%u more findings are not shown.\n", left), left);
  return g_string_free (out, FALSE);
}

char *
ls_diagnostics_print (LsDiagnostics *self)
{
  return ls_diagnostics_print_first (self, G_MAXUINT);
}

/* ---- as JSON ------------------------------------------------------------ */

static void
add_string (JsonBuilder *builder,
            const char  *name,
            const char  *value)
{
  g_autofree char *safe = value != NULL ? make_safe (value) : NULL;

  json_builder_set_member_name (builder, name);
  if (safe != NULL)
    json_builder_add_string_value (builder, safe);
  else
    json_builder_add_null_value (builder);
}

static void
add_number (JsonBuilder *builder,
            const char  *name,
            guint        value)
{
  json_builder_set_member_name (builder, name);
  if (value != 0)
    json_builder_add_int_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_span (JsonBuilder *builder,
          Finding     *finding)
{
  LsPlace start = { 0, 0 };
  LsPlace end = { 0, 0 };

  if (finding->source != NULL)
    {
      start = ls_source_place (finding->source, finding->public.span.start);
      end = ls_source_place (finding->source, finding->public.span.end);
    }
  add_string (builder, "file", finding->source ? ls_source_get_name (finding->source) : NULL);
  add_number (builder, "line", start.line);
  add_number (builder, "column", start.column);
  add_number (builder, "end_line", end.line);
  add_number (builder, "end_column", end.column);
}

static void
add_finding (JsonBuilder *builder,
             Finding     *finding)
{
  const LsDiagnostic *self = &finding->public;

  json_builder_begin_object (builder);
  add_string (builder, "severity", severity_name (self->severity));
  add_string (builder, "code", self->code);
  add_span (builder, finding);
  add_string (builder, "message", self->message);
  add_string (builder, "repair", self->repair);
  ls_json_begin_array (builder, "culprits");
  for (guint i = 0; self->culprits != NULL && i < self->culprits->len; i++)
    {
      g_autofree char *safe = make_safe (g_ptr_array_index (self->culprits, i));

      json_builder_add_string_value (builder, safe);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "notes");
  for (guint i = 0; self->notes != NULL && i < self->notes->len; i++)
    add_finding (builder, g_ptr_array_index (self->notes, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

char *
ls_diagnostics_to_json (LsDiagnostics *self)
{
  g_autoptr (JsonBuilder) builder = NULL;
  g_autoptr (JsonNode) root = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  builder = json_builder_new ();
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->findings->len; i++)
    add_finding (builder, g_ptr_array_index (self->findings, i));
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}
