/* record: the lines of TVM's database files, database_workload.json and database_tuning_record.json.
 *
 * Traces, times, target and argument lists are in TVM's form.  Of a workload TVM keeps the module in its own node format
 * (SaveJSON) behind its structural hash; we keep the module's text behind our hash, so that records can be read by both
 * sides, while workloads are read by the side that wrote them.
 */
#include "engine/tune/tune.h"

#include "engine/script/script.h"

#include <string.h>

#define NO_TIME 1e9             /* seconds; TVM writes 1e10 for a time that is not known */

char *
ls_tune_workload_line (LsModule *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE, .keep_names = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);
  g_autofree char *encoded = g_base64_encode ((const guchar *) text, strlen (text));

  return g_strdup_printf ("[\"%u\", \"%s\"]", LS_NODE (module)->hash, encoded);
}

LsModule *
ls_tune_workload_read (const char    *line,
                       LsDiagnostics *diagnostics)
{
  g_auto(GStrv) parts = g_strsplit (line, "\"", -1);
  g_autofree guchar *text = NULL;
  g_autoptr(LsSource) source = NULL;
  gsize length = 0;

  if (g_strv_length (parts) < 5)
    {
      ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "tune/workload", (LsSpan) { 0 }, "A workload is a list of a hash and a text.");
      return NULL;
    }
  text = g_base64_decode (parts[3], &length);
  source = ls_source_new ("workload", (const char *) text, (gssize) length);
  return ls_script_parse (source, diagnostics);
}

static LsPrimFunc *
entry_of (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return (LsPrimFunc *) module->functions->items[i];
  return NULL;
}

char *
ls_tune_args_json (LsModule *module)
{
  LsPrimFunc *func = entry_of (module);
  GString *out = g_string_new ("[");

  for (guint i = 0; func != NULL && i < ls_array_n (func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (func->buffers, i, LsBuffer);

      if (buffer == NULL)
        continue;
      g_string_append_printf (out, "%s[\"TENSOR\", \"%s\", [", out->len > 1 ? ", " : "", ls_dtype_name (buffer->dtype));
      for (guint k = 0; k < ls_buffer_ndim (buffer); k++)
        {
          gint64 size = -1;

          ls_as_int (ls_array_at (buffer->shape, k, LsExpr), &size);
          g_string_append_printf (out, "%s%" G_GINT64_FORMAT, k > 0 ? ", " : "", size);
        }
      g_string_append (out, "]]");
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

char *
ls_tune_record_line (guint         workload,
                     LsModule     *module,
                     LsTrace      *trace,
                     const double *seconds,
                     guint         n_seconds,
                     const char   *target_json)
{
  g_autofree char *steps = ls_trace_to_json (trace, FALSE);
  g_autofree char *args = ls_tune_args_json (module);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "[%u, [%s, ", workload, steps);
  g_string_append (out, n_seconds > 0 ? "[" : "null");
  for (guint i = 0; i < n_seconds; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", g_ascii_dtostr (number, sizeof number, seconds[i]));
    }
  g_string_append_printf (out, "%s, %s, %s]]", n_seconds > 0 ? "]" : "", target_json, args);
  return g_string_free (out, FALSE);
}

/* ---- reading --------------------------------------------------------------- */

/* Behind the blanks and one `mark`, or NULL where there is another character. */
static const char *
behind (const char *at,
        char        mark)
{
  if (at == NULL)
    return NULL;
  at += strspn (at, " \t\r\n");
  return *at == mark ? at + 1 : NULL;
}

/* Behind a text, at whose first quotation mark it begins, or NULL where it does not end. */
static const char *
behind_text (const char *at)
{
  for (at++; *at != '\0' && *at != '"'; at++)
    if (*at == '\\' && *++at == '\0')
      return NULL;
  return *at == '"' ? at + 1 : NULL;
}

/* Behind one value of JSON whose brackets pair, or NULL. */
static const char *
behind_value (const char *at)
{
  guint depth = 0;

  if (at == NULL)
    return NULL;
  at += strspn (at, " \t\r\n");
  if (*at == '"')
    return behind_text (at);
  if (*at != '[' && *at != '{')
    {
      gsize length = strcspn (at, ",]} \t\r\n");

      return length > 0 && at[length] != '\0' ? at + length : NULL;
    }
  while (at != NULL && *at != '\0')
    {
      if (*at == '"')
        {
          at = behind_text (at);
          continue;
        }
      depth += *at == '[' || *at == '{';
      if ((*at == ']' || *at == '}') && --depth == 0)
        return at + 1;
      at++;
    }
  return NULL;
}

/* The target of a record, with *end behind it; NULL: it is no record. */
static const char *
find_target (const char  *line,
             const char **end)
{
  const char *at = behind (line, '[');

  at = behind (behind_value (at), ',');         /* the number */
  at = behind (behind_value (behind (at, '[')), ',');   /* the trace */
  at = behind (behind_value (at), ',');         /* the times */
  *end = behind_value (at);
  return *end != NULL ? at + strspn (at, " \t\r\n") : NULL;
}

/* What of a target decides which code is made; the rest says where a record comes from. */
static const char *const deciding[] = { "abi", "fast-math", "mabi", "mattr", "mcpu", "opt-level", "vector-width" };

static gboolean
decides (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (deciding); i++)
    if (strcmp (name, deciding[i]) == 0)
      return TRUE;
  return FALSE;
}

static gint
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* "mcpu=znver3": takes the value. Lists are read as TVM's text has them. */
static void
add_attribute (GPtrArray  *all,
               const char *name,
               char       *value)
{
  char *to = value;

  for (const char *from = value; *from != '\0'; from++)
    if (strchr ("\"[] \t", *from) == NULL)
      *to++ = *from;
  *to = '\0';
  if (decides (name) && strcmp (value, "false") != 0 && strcmp (value, "0") != 0)
    g_ptr_array_add (all, g_strdup_printf ("%s=%s", name, strcmp (value, "true") == 0 ? "1" : value));
  g_free (value);
}

/* Of "llvm -mcpu=znver3 -fast-math". */
static void
add_words (GPtrArray  *all,
           const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *value = strchr (words[i], '=');
      g_autofree char *name = words[i][0] == '-' ? g_strndup (words[i] + 1, value != NULL ? (gsize) (value - words[i] - 1) : strlen (words[i] + 1)) : NULL;

      if (name != NULL)
        add_attribute (all, name, g_strdup (value != NULL ? value + 1 : "1"));
    }
}

/* Of an object of JSON. */
static void
add_members (GPtrArray  *all,
             const char *from,
             const char *end)
{
  for (const char *at = behind (from, '{'); at != NULL && at < end;)
    {
      const char *name = at + strspn (at, " \t\r\n,"), *name_end, *value, *value_end;
      g_autofree char *member = NULL;

      if (*name != '"' || (name_end = behind_text (name)) == NULL || (value = behind (name_end, ':')) == NULL || (value_end = behind_value (value)) == NULL)
        return;
      member = g_strndup (name + 1, (gsize) (name_end - name - 2));
      add_attribute (all, member, g_strndup (value, (gsize) (value_end - value)));
      at = value_end;
    }
}

/* (transfer full) */
static char *
join_attributes (GPtrArray *all)
{
  g_ptr_array_sort (all, compare_texts);
  g_ptr_array_add (all, NULL);
  return g_strjoinv (" ", (char **) all->pdata);
}

char *
ls_tune_target_key (const char *target)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  if (target != NULL && *target == '{')
    add_members (all, target, target + strlen (target));
  else if (target != NULL)
    add_words (all, target);
  return join_attributes (all);
}

char *
ls_tune_record_target_key (const char *line)
{
  const char *end = NULL, *target = find_target (line, &end);
  g_autofree char *text = target != NULL ? g_strndup (target + (*target == '"'), (gsize) (end - target) - (*target == '"' ? 2 : 0)) : NULL;

  return ls_tune_target_key (text);
}

char *
ls_tune_target_json (const char *target,
                     const char *kind)
{
  g_autofree char *key = ls_tune_target_key (target);
  g_auto (GStrv) attributes = g_strsplit (key, " ", -1);
  GString *json = g_string_new ("{\"kind\": \"llvm\", \"keys\": [\"cpu\"], ");

  for (guint i = 0; attributes[i] != NULL; i++)
    {
      const char *value = strchr (attributes[i], '=');
      g_autofree char *name = value != NULL ? g_strndup (attributes[i], (gsize) (value - attributes[i])) : NULL;
      gboolean plain = value != NULL && value[1] != '\0' && strspn (value + 1, "0123456789") == strlen (value + 1);

      if (name != NULL && strcmp (name, "mattr") == 0)
        {
          g_auto (GStrv) features = g_strsplit (value + 1, ",", -1);
          g_autofree char *list = g_strjoinv ("\", \"", features);

          g_string_append_printf (json, "\"mattr\": [\"%s\"], ", list);
        }
      else if (name != NULL && strcmp (name, "fast-math") == 0)
        g_string_append (json, "\"fast-math\": true, ");
      else if (name != NULL)
        g_string_append_printf (json, plain ? "\"%s\": %s, " : "\"%s\": \"%s\", ", name, value + 1);
    }
  g_string_append_printf (json, "\"tag\": \"%s%s\"}", kind != NULL ? "kind/" : "", kind != NULL ? kind : "");
  return g_string_free (json, FALSE);
}

/* The mean of "[0.1, 0.2]"; below 0 of "null", an empty list and times that stand for none. */
static double
mean_of (const char *at,
         const char *end)
{
  double sum = 0;
  guint n = 0;

  if (behind (at, '[') == NULL)
    return -1;
  for (at = behind (at, '['); at < end; at++)
    {
      char *after;
      double value = g_ascii_strtod (at, &after);

      if (after == at)
        break;
      if (!(value > 0 && value < NO_TIME))
        return -1;
      sum += value;
      n++;
      at = after + strspn (after, " \t");
    }
  return n > 0 ? sum / n : -1;
}

LsTrace *
ls_tune_record_read (const char    *line,
                     guint         *workload,
                     double        *seconds,
                     LsDiagnostics *diagnostics)
{
  const char *at = behind (line, '[');
  const char *trace, *trace_end, *times, *times_end;
  char *after = NULL;
  guint64 number = at != NULL ? g_ascii_strtoull (at, &after, 10) : 0;
  g_autofree char *text = NULL;

  at = behind (after != at ? after : NULL, ',');
  trace = behind (at, '[');
  trace_end = behind_value (trace);
  times = behind (trace_end, ',');
  times_end = behind_value (times);
  if (times_end == NULL || behind (behind (behind_value (behind (behind_value (behind (times_end, ',')), ',')), ']'), ']') == NULL || number >= G_MAXUINT)
    {
      ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "tune/record", (LsSpan) { 0 },
                          "A record is a list of a workload's number and a list of trace, seconds, target and arguments.");
      return NULL;
    }
  *workload = (guint) number;
  *seconds = mean_of (times, times_end);
  text = g_strndup (trace, (gsize) (trace_end - trace));
  return ls_trace_from_json (text, diagnostics);
}
