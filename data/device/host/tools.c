/* tools: what compute-sanitizer and ncu have said, from the folder where `run` keeps it; see bundle.h.
 *
 *   NAME.status     "ran", or "missing", or "failed", and a sentence behind it; made by `run`
 *   NAME.txt        what the tool printed
 *   ncu.csv         counters, one a line */
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

/* Without a sentence when it is not there. (free it) */
static char *
read_log (const char *folder,
          const char *name)
{
  char path[600];
  char *text;

  snprintf (path, sizeof path, "%s/%s", folder, name);
  text = read_file (path, NULL);
  forgive ();
  return text;
}

/* ---- compute-sanitizer ---- */

/* The lines of a finding begin with "========= "; the first of each is its sentence. */
static void
put_findings (FILE *out,
              char *text)
{
  int n = 0;

  put_open (out, "findings", '[');
  for (char *line = strtok (text, "\n"); line != NULL && n < 100; line = strtok (NULL, "\n"))
    {
      const char *at = line + strspn (line, "= ");
      bool starts = strncmp (at, "Invalid", 7) == 0 || strncmp (at, "Error", 5) == 0 || strncmp (at, "Warning", 7) == 0 || strncmp (at, "Barrier", 7) == 0
                    || strncmp (at, "Uninitialized", 13) == 0 || strncmp (at, "Program hit", 11) == 0;

      if (line[0] != '=' || !starts)
        continue;
      put_string (out, NULL, at);
      n++;
    }
  put_close (out, ']');
}

static long long
errors_in (const char *text)
{
  const char *at = strstr (text, "ERROR SUMMARY: "), *race = strstr (text, "RACECHECK SUMMARY: ");

  return at != NULL ? atoll (at + strlen ("ERROR SUMMARY: ")) : race != NULL ? atoll (race + strlen ("RACECHECK SUMMARY: ")) : -1;
}

static void
put_tool (FILE       *out,
          const char *folder,
          const char *name)
{
  char file[64];
  char *status, *text;
  bool ran;

  snprintf (file, sizeof file, "%s.status", name);
  status = read_log (folder, file);
  snprintf (file, sizeof file, "%s.txt", name);
  text = read_log (folder, file);
  ran = status != NULL && strncmp (status, "ran", 3) == 0;
  put_open (out, NULL, '{');
  put_string (out, "name", name);
  put_bool (out, "ran", ran);
  if (!ran)
    {
      char *end = status != NULL ? strchr (status, '\n') : NULL;

      if (end != NULL)
        *end = 0;
      put_string (out, "reason", status == NULL ? "it was not asked for" : status);
    }
  else if (text != NULL && strcmp (name, "ncu") != 0)
    {
      long long errors = errors_in (text);

      if (errors >= 0)
        put_integer (out, "errors", errors);
      put_findings (out, text);
    }
  put_close (out, '}');
  free (status);
  free (text);
}

void
put_tools (FILE       *out,
           const char *folder)
{
  static const char *const names[] = { "memcheck", "racecheck", "synccheck", "initcheck", "ncu" };

  put_open (out, "tools", '[');
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    put_tool (out, folder, names[i]);
  put_close (out, ']');
}

/* ---- ncu ---- */

/* The next field of a line of comma-separated values, unquoted in place; NULL behind the last one. */
static char *
next_field (char **at)
{
  char *start = *at, *to = start, *from = start;
  bool quoted = false;

  if (start == NULL)
    return NULL;
  for (; *from != 0 && (quoted || *from != ','); from++)
    if (*from == '"')
      quoted = !quoted;
    else
      *to++ = *from;
  *at = *from == ',' ? from + 1 : NULL;
  *to = 0;
  return start;
}

/* "1,234.5" */
static double
number_of (const char *text)
{
  char plain[64];
  size_t n = 0;

  for (; *text != 0 && n < sizeof plain - 1; text++)
    if (*text != ',')
      plain[n++] = *text;
  plain[n] = 0;
  return strtod (plain, NULL);
}

void
put_counters (FILE       *out,
              const char *folder,
              int         launch)
{
  char *text = read_log (folder, "ncu.csv"), *line, *next;
  int id_at = -1, name_at = -1, value_at = -1, n = 0;
  bool opened = false;

  for (line = text; line != NULL && *line != 0; line = next)
    {
      char *id = NULL, *name = NULL, *value = NULL, *field, *at = line;
      char *end = strchr (line, '\n');
      bool header = line[0] == '"' && strncmp (line, "\"ID\"", 4) == 0;

      next = end != NULL ? end + 1 : line + strlen (line);
      if (end != NULL)
        *end = 0;
      if (line[0] != '"')
        continue;
      for (n = 0; (field = next_field (&at)) != NULL; n++)
        if (header)
          {
            id_at = strcmp (field, "ID") == 0 ? n : id_at;
            name_at = strcmp (field, "Metric Name") == 0 ? n : name_at;
            value_at = strcmp (field, "Metric Value") == 0 ? n : value_at;
          }
        else
          {
            id = n == id_at ? field : id;
            name = n == name_at ? field : name;
            value = n == value_at ? field : value;
          }
      if (header || id == NULL || name == NULL || value == NULL || atoi (id) != launch)
        continue;
      if (!opened)
        put_open (out, "counters", '{');
      opened = true;
      put_number (out, name, number_of (value));
    }
  if (opened)
    put_close (out, '}');
  free (text);
}
