/* times: the reports of times in a log: of LLVM (-time-passes, -ftime-report), of MLIR (--mlir-timing), of GCC (-ftime-report).
 *
 *     ---User Time---   --System Time--   --User+System--   ---Wall Time---  ---Instr---  --- Name ---
 *     0.0010 ( 18.9%)   0.0000 (  0.0%)   0.0010 ( 18.9%)   0.0010 ( 18.3%)      1234567  InstCombinePass
 *
 *     Time variable                          usr           sys          wall           GGC
 *      tree FRE                   :   0.01 ( 50%)   0.00 (  0%)   0.01 ( 33%)  1848  (  0%)
 *
 * The wall's time counts.  GCC's rows are named by what they measure, not by passes; times-gcc knows which passes those are. */
#include "engine/passlog/private.h"

#include <string.h>

#define MAX_ROW 1000

/* The row with the names of columns; LLVM's have three dashes before and after. */
static gboolean
is_head (const char *line,
         gsize       length)
{
  return length > 4 && line[0] == ' ' && (line[2] == '-' || line[3] == '-') && g_strstr_len (line, (gssize) length, "Name") != NULL;
}

/* Which column of GCC's report is the wall's, from 0; -1: none. */
static int
gcc_wall (const char *line,
          gsize       length)
{
  g_autofree char *head = g_strndup (line, MIN (length, MAX_ROW));
  g_auto (GStrv) words = g_strsplit_set (head + strlen ("Time variable"), " \t", -1);
  int column = 0;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], "wall") == 0)
      return column;
    else if (*words[i] != '\0')
      column++;
  return -1;
}

static void
add (LsPassLog  *log,
     const char *name,
     double      seconds)
{
  double *sum = g_hash_table_lookup (log->times, name);

  if (sum == NULL)
    {
      sum = g_new0 (double, 1);
      g_hash_table_insert (log->times, (gpointer) g_string_chunk_insert_const (log->names, name), sum);
    }
  *sum += seconds;
}

/* "0.0003 ( 11.7%)": behind it; NULL: there is none. */
static char *
read_share (char   *at,
            double *value)
{
  char *end;

  *value = g_ascii_strtod (at, &end);
  if (end == at)
    return NULL;
  while (*end == ' ')
    end++;
  if (*end != '(' || (end = strstr (end, "%)")) == NULL)
    return NULL;
  return end + 2;
}

/* "0.0003 ( 11.7%)  0.0131 ( 42.6%)  1234567  Name": the last share counts. */
static gboolean
read_row (LsPassTimes *self,
          LsPassLog   *log,
          char        *row)
{
  double seconds = -1, value;
  char *at = row, *next;

  while ((next = read_share (at, &value)) != NULL)
    {
      seconds = value;
      at = next;
    }
  if (seconds < 0)
    return FALSE;
  for (guint i = 0; i < self->numbers; i++)     /* instructions, memory: numbers without a share */
    at += strspn (at, " ") + strspn (at + strspn (at, " "), "0123456789");
  g_strstrip (at);
  if (*at != '\0')
    add (log, at, seconds);
  return TRUE;
}

/* " tree FRE    :   0.01 ( 50%)   0.00 (  0%)   0.01 ( 33%)  1848  (  0%)"; rows of details begin with "`- ". */
static gboolean
read_gcc_row (LsPassTimes *self,
              LsPassLog   *log,
              char        *row)
{
  char *colon = strchr (row, ':'), *at;
  double value = -1;

  if (*row != ' ' || colon == NULL)
    return FALSE;
  at = colon + 1;
  for (int i = 0; i <= self->wall; i++)
    if ((at = read_share (at, &value)) == NULL)
      return TRUE;              /* TOTAL has no shares */
  *colon = '\0';
  g_strstrip (row);
  if (!g_str_has_prefix (row, "`-"))
    add (log, row, value);
  return TRUE;
}

gboolean
ls_pass_times_line (LsPassTimes *self,
                    LsPassLog   *log,
                    const char  *line,
                    gsize        length)
{
  if (is_head (line, length))
    {
      self->open = TRUE;
      self->gcc = FALSE;
      self->numbers = (g_strstr_len (line, (gssize) length, "-Instr-") != NULL) + (g_strstr_len (line, (gssize) length, "-Mem-") != NULL);
      return TRUE;
    }
  if (length > 20 && line[0] == 'T' && memcmp (line, "Time variable  ", 15) == 0)
    {
      self->gcc = TRUE;
      self->wall = gcc_wall (line, length);
      return self->open = self->wall >= 0;
    }
  if (self->open)
    {
      g_autofree char *copy = g_strndup (line, MIN (length, MAX_ROW)), *row = g_utf8_make_valid (copy, -1);

      self->open = self->gcc ? read_gcc_row (self, log, row) : read_row (self, log, row);
    }
  return self->open;
}

gboolean
ls_pass_times_is (const char *text,
                  gsize       size)
{
  while (size > 0 && g_ascii_isspace (*text))
    text++, size--;
  return size > 20 && (memcmp (text, "===-----", 8) == 0 || memcmp (text, "Time variable  ", 15) == 0);
}

/* NULL: the report does not have it. */
static const double *
find (LsPassLog  *log,
      LsPassDump *dump)
{
  g_autofree char *name = g_strdup (dump->pass);
  char *bracket = strstr (name, " (");
  const double *seconds = g_hash_table_lookup (log->times, name);
  const char *measure;

  if (seconds == NULL && bracket != NULL)
    {
      *bracket = '\0';
      seconds = g_hash_table_lookup (log->times, name);
    }
  if (seconds == NULL && dump->language == LS_PASS_LOG_GCC && (measure = ls_pass_gcc_measure (name)) != NULL)
    seconds = g_hash_table_lookup (log->times, measure);
  return seconds;
}

void
ls_pass_times_set (LsPassLog *log)
{
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      const double *seconds = find (log, dump);

      dump->seconds = seconds != NULL ? *seconds : -1;
    }
}
