/* patch: what LLVM's -print-changed=diff prints: each line of a function with a sign before it.
 *
 * "-" stood before the pass, "+" stands after it, " " both; with =cdiff colours stand around them.  The head and the end of the
 * function are not printed; a pass on the whole module gives its functions one after another without their names, so that a function
 * is known by the text that it had. */
#include "engine/passlog/private.h"

#include <string.h>

#define SUBHEAD "*** IR for function "

/* The next line of text[*at, end) without its end; FALSE: none. */
static gboolean
next_line (const char  *text,
           gsize       *at,
           gsize        end,
           const char **line,
           gsize       *n)
{
  const char *stop;

  if (*at >= end)
    return FALSE;
  *line = text + *at;
  stop = memchr (*line, '\n', end - *at);
  *n = stop != NULL ? (gsize) (stop - *line) : end - *at;
  *at += *n + 1;
  return TRUE;
}

static gboolean
is_subhead (const char *line,
            gsize       n)
{
  return n > strlen (SUBHEAD) && memcmp (line, SUBHEAD, strlen (SUBHEAD)) == 0;
}

/* Takes the colour off a line, and its sign. */
static char
take_sign (const char **line,
           gsize       *n)
{
  const char *at = *line, *end = at + *n;

  if (at < end && *at == '\033')
    {
      const char *stop = memchr (at, 'm', (gsize) (end - at));

      at = stop != NULL ? stop + 1 : end;
    }
  if (end - at >= 4 && memcmp (end - 4, "\033[0m", 4) == 0)
    end -= 4;
  *line = at < end ? at + 1 : end;
  *n = (gsize) (end - *line);
  return at < end ? *at : ' ';
}

gboolean
ls_pass_patch_is (const char *text,
                  gsize       start,
                  gsize       end)
{
  const char *line;
  gsize n;

  while (next_line (text, &start, end, &line, &n))
    if (n > 0)
      return is_subhead (line, n) || strchr (" +-\033", line[0]) != NULL;
  return FALSE;
}

void
ls_pass_patch_find (const char    *text,
                    gsize          start,
                    gsize          end,
                    LsPassPartFunc found,
                    gpointer       user_data)
{
  gsize from = start;
  gboolean any = FALSE;
  const char *line;
  gsize n;

  while (next_line (text, &start, end, &line, &n))
    if (is_subhead (line, n))
      {
        if (any)
          found ("", 0, from, (gsize) (line - text), user_data);
        any = TRUE;
        from = MIN (start, end);
      }
  found ("", 0, from, end, user_data);
}

char *
ls_pass_patch_side (const char *text,
                    gsize       size,
                    gboolean    after)
{
  GString *side = g_string_new (NULL);
  const char *line;
  gsize at = 0, n;

  while (next_line (text, &at, size, &line, &n))
    if (n > 0)
      {
        char sign = take_sign (&line, &n);

        if (sign == (after ? '-' : '+') || (n == 0 && side->len == 0))
          continue;
        g_string_append_len (side, line, (gssize) n);
        g_string_append_c (side, '\n');
      }
  return g_string_free (side, FALSE);
}

gboolean
ls_pass_patch_changes (const char *text,
                       gsize       size)
{
  const char *line;
  gsize at = 0, n;

  while (next_line (text, &at, size, &line, &n))
    if (n > 0 && strchr ("+-", take_sign (&line, &n)) != NULL)
      return TRUE;
  return FALSE;
}

guint64
ls_pass_patch_print (const char *body)
{
  guint64 print = 14695981039346656037u;
  gboolean in_line = FALSE;

  if (g_str_has_prefix (body, "define "))       /* the head is not in a patch, nor is the end */
    body += strcspn (body, "\n");
  for (; *body != '\0'; body++)
    {
      if (*body == '\n')
        {
          in_line = FALSE;
          continue;
        }
      if (!in_line && *body == '}')
        break;
      if (!in_line)
        print = (print ^ '\n') * 1099511628211u;
      in_line = TRUE;
      print = (print ^ (guchar) *body) * 1099511628211u;
    }
  return print;
}
