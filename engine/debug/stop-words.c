/* stop-words: a breakpoint as it is typed: a line, a loop, a block, a buffer with a region, a range, a condition. */
#include "engine/debug/debug-private.h"

#include <string.h>

static LsStop *
refuse (LsStop     *stop,
        GError    **error,
        const char *format,
        ...) G_GNUC_PRINTF (3, 4);

static LsStop *
refuse (LsStop     *stop,
        GError    **error,
        const char *format,
        ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, format, args);
  va_end (args);
  ls_stop_free (stop);
  return NULL;
}

/* The innermost loop (or block) of this name around where it stands, else the first one in the text of the function. */
static guint
find_named (LsDebug    *self,
            LsPrimFunc *func,
            const char *name,
            gboolean    blocks)
{
  LsPrimFunc *here_func;
  guint here = 0, best = LS_STOP_ANY;
  const LsDebugPlace *at = ls_debug_here (self, &here_func, &here), *place;

  for (guint i = 0; (place = ls_debug_text_place (self->text, func, i)) != NULL; i++)
    {
      g_autofree char *own = NULL;
      gboolean around = at != NULL && here_func == func && i < here && here < place->end;

      if (blocks && ls_is (place->stmt, BLOCK_REALIZE))
        own = g_strdup (((LsBlockRealize *) place->stmt)->block->name_hint);
      else if (!blocks && ls_is (place->stmt, FOR))
        own = ls_debug_text_name (self->text, ((LsFor *) place->stmt)->loop_var);
      else if (!blocks && ls_is (place->stmt, ATTR_STMT) && ls_is (((LsAttrStmt *) place->stmt)->subject, ITER_VAR))
        own = ls_debug_text_name (self->text, ((LsIterVar *) ((LsAttrStmt *) place->stmt)->subject)->var);
      if (own != NULL && strcmp (own, name) == 0 && (best == LS_STOP_ANY || around))
        best = i;
    }
  return best;
}

static gboolean
parse_bound (const char *text,
             gint64     *value)
{
  char *end = NULL;
  const char *at = text + strspn (text, " ");

  *value = g_ascii_strtoll (at, &end, 0);
  return end != at && end[strspn (end, " ")] == '\0';
}

/* "3, 0:4, :" behind the name of a buffer. */
static gboolean
parse_region (LsStop      *stop,
              const char  *text,
              GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint n = g_strv_length (parts);

  if (n != stop->buffer->shape->n)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("%s has %u dimensions; got %u."), stop->buffer->name, stop->buffer->shape->n, n);
      return FALSE;
    }
  for (guint d = 0; d < n; d++)
    {
      char *colon = strchr (g_strstrip (parts[d]), ':');
      g_autofree char *given = g_strdup (parts[d]);
      gint64 extent;
      gboolean ok = TRUE;

      if (colon != NULL)
        *colon = '\0';
      stop->from[d] = 0;
      stop->to[d] = G_MAXINT64;
      if (colon == NULL || *g_strstrip (parts[d]) != '\0')
        ok = parse_bound (parts[d], &stop->from[d]);
      if (colon == NULL)
        stop->to[d] = stop->from[d] + 1;
      else if (colon[1 + strspn (colon + 1, " ")] != '\0')
        ok = ok && parse_bound (colon + 1, &stop->to[d]);
      if (!ok || stop->from[d] < 0 || stop->to[d] <= stop->from[d])
        {
          g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("An index or a range FROM:TO is expected, not %s."), given);
          return FALSE;
        }
      if (ls_as_int (stop->buffer->shape->items[d], &extent) && stop->from[d] >= extent)
        {
          g_autofree char *last = g_strdup_printf ("%" G_GINT64_FORMAT, extent - 1);

          g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("Dimension %u of %s has the indices 0 to %s; got %s."), d, stop->buffer->name, last, given);
          return FALSE;
        }
    }
  stop->ndim = n;
  return TRUE;
}

/* "C" or "C[3, 0:4]". */
static gboolean
parse_buffer (LsDebug     *self,
              LsStop      *stop,
              const char  *text,
              GError     **error)
{
  g_autofree char *copy = g_strdup (text);
  char *open = strchr (copy, '['), *close = strrchr (copy, ']');

  if (open != NULL)
    *open = '\0';
  stop->buffer = ls_debug_find_buffer (self, g_strstrip (copy));
  if (stop->buffer == NULL)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("There is no buffer %s."), copy);
      return FALSE;
    }
  if (open == NULL)
    return TRUE;
  if (close == NULL)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("] is expected after the indices of %s."), copy);
      return FALSE;
    }
  *close = '\0';
  return parse_region (stop, open + 1, error);
}

static LsStop *
parse_line (LsDebug     *self,
            LsStop      *stop,
            const char  *what,
            GError     **error)
{
  const LsDebugPlace *place;
  gint64 line;

  stop->kind = LS_STOP_STATEMENT;
  if (!parse_bound (what, &line) || line < 1)
    return refuse (stop, error, ls_translate ("The number of a line is expected, not %s."), what);
  place = ls_debug_text_at_line (self->text, (guint) MIN (line, G_MAXINT), &stop->func, &stop->number);
  if (place == NULL)
    return refuse (stop, error, ls_translate ("No statement begins on line %s or after it."), what);
  return stop;
}

static LsStop *
parse_range (LsDebug     *self,
             LsStop      *stop,
             const char  *what,
             GError     **error)
{
  char *end = NULL, *last = NULL;

  stop->kind = LS_STOP_RANGE;
  stop->low = g_ascii_strtod (what, &end);
  stop->high = g_ascii_strtod (end, &last);
  if (end == what || last == end)
    return refuse (stop, error, ls_translate ("Two numbers are expected, not %s."), what);
  last += strspn (last, " ");
  if (*last != '\0' && !parse_buffer (self, stop, last, error))
    return refuse (stop, error, "?");
  return stop;
}

LsStop *
ls_debug_stop_parse (LsDebug     *self,
                     const char  *words,
                     GError     **error)
{
  LsStop *stop = g_new0 (LsStop, 1);
  const char *condition = strstr (words, " if ");
  g_autofree char *head = condition != NULL ? g_strndup (words, (gsize) (condition - words)) : g_strdup (words);
  g_auto (GStrv) parts = g_strsplit (g_strstrip (head), " ", 2);
  const char *kind = parts[0] != NULL ? parts[0] : "", *what = parts[0] != NULL && parts[1] != NULL ? g_strstrip (parts[1]) : "";

  stop->words = g_strstrip (g_strdup (words));
  stop->func = self->func;
  stop->number = LS_STOP_ANY;
  stop->condition = condition != NULL ? g_strstrip (g_strdup (condition + strlen (" if "))) : NULL;
  stop->by_statement = g_hash_table_new (NULL, NULL);
  if (strcmp (kind, "line") == 0)
    stop = parse_line (self, stop, what, error);
  else if (strcmp (kind, "loop") == 0 || strcmp (kind, "block") == 0)
    {
      stop->kind = *kind == 'l' ? LS_STOP_ROUND : LS_STOP_BLOCK;
      stop->number = find_named (self, self->func, what, *kind == 'b');
      if (stop->number == LS_STOP_ANY && (*what != '\0' || *kind == 'l'))
        return refuse (stop, error, *kind == 'l' ? ls_translate ("There is no loop %s.") : ls_translate ("There is no block %s."), what);
    }
  else if (strcmp (kind, "write") == 0 || strcmp (kind, "read") == 0)
    {
      stop->kind = *kind == 'w' ? LS_STOP_WRITE : LS_STOP_READ;
      if (*what != '\0' && !parse_buffer (self, stop, what, error))
        return refuse (stop, error, "?");
    }
  else if (strcmp (kind, "nan") == 0)
    {
      stop->kind = LS_STOP_NAN;
      if (*what != '\0' && !parse_buffer (self, stop, what, error))
        return refuse (stop, error, "?");
    }
  else if (strcmp (kind, "range") == 0)
    stop = parse_range (self, stop, what, error);
  else
    return refuse (stop, error, ls_translate ("line, loop, block, write, read, nan or range is expected, not \"%s\"."), kind);
  if (stop == NULL || stop->condition == NULL || stop->number == LS_STOP_ANY)
    return stop;
  stop->ready = ls_debug_prepare_condition (self, stop, stop->func, stop->number, error);
  return stop->ready != NULL ? stop : refuse (stop, error, "?");
}
