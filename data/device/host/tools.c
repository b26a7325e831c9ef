/* tools: what ptxas, compute-sanitizer and ncu have said, from the folder where `run` keeps it; see bundle.h.
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

/* ---- ptxas ---- */

/* The number before `words` in the line, or -1. */
static long long
number_before (const char *line,
               size_t      length,
               const char *words)
{
  const char *at = strstr (line, words), *digits = at;

  if (at == NULL || at >= line + length)
    return -1;
  while (digits > line && digits[-1] >= '0' && digits[-1] <= '9')
    digits--;
  return digits < at ? atoll (digits) : -1;
}

/* What `ptxas -v` tells of each kernel:
 *   Compiling entry function 'NAME' for 'sm_80' / N bytes spill stores, N bytes spill loads / Used N registers */
static void
put_registers (FILE *out,
               char *text)
{
  bool open = false;

  put_open (out, "kernels", '[');
  for (char *line = text, *end; line != NULL && *line != 0; line = end)
    {
      size_t length = strcspn (line, "\n");
      char *name = strstr (line, "Compiling entry function '"), *arch = strstr (line, "' for '");
      long long registers = number_before (line, length, " registers"), stores = number_before (line, length, " bytes spill stores"),
                loads = number_before (line, length, " bytes spill loads");

      end = line[length] != 0 ? line + length + 1 : line + length;
      if (name != NULL && arch != NULL && name < line + length && arch < line + length && strchr (arch + 7, '\'') != NULL)
        {
          name += strlen ("Compiling entry function '");
          *arch = 0;
          *strchr (arch + 7, '\'') = 0;
          if (open)
            put_close (out, '}');
          put_open (out, NULL, '{');
          put_string (out, "name", name);
          put_string (out, "architecture", arch + 7);
          open = true;
        }
      if (open && stores >= 0)
        put_integer (out, "spill_stores", stores);
      if (open && loads >= 0)
        put_integer (out, "spill_loads", loads);
      if (open && registers >= 0)
        put_integer (out, "registers", registers);
    }
  if (open)
    put_close (out, '}');
  put_close (out, ']');
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
  else if (text != NULL && strcmp (name, "ncu") != 0 && strcmp (name, "ptxas") != 0)
    {
      long long errors = errors_in (text);

      if (errors >= 0)
        put_integer (out, "errors", errors);
      put_findings (out, text);
    }
  if (text != NULL && strcmp (name, "ptxas") == 0)      /* those that it took, where it did not take all */
    put_registers (out, text);
  put_close (out, '}');
  free (status);
  free (text);
}

/* nvcc: only where PTX has to be made. */
static bool
is_asked (const char *folder,
          const char *name)
{
  char file[64], *status;
  bool asked;

  snprintf (file, sizeof file, "%s.status", name);
  status = read_log (folder, file);
  asked = status != NULL;
  free (status);
  return asked;
}

void
put_tools (FILE       *out,
           const char *folder)
{
  static const char *const names[] = { "nvcc", "ptxas", "memcheck", "racecheck", "synccheck", "initcheck", "ncu" };

  put_open (out, "tools", '[');
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (names[i], "nvcc") != 0 || is_asked (folder, names[i]))
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
