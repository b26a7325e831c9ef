/* result: result.json read back.  data/device/RESULT says what it holds; what contradicts it is refused with the place. */
#include "engine/device/device.h"
#include "engine/base/json.h"

#include "data/device/host/bundle.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT "loopscope-device-result"
#define VERSION 1
#define LARGEST_FILE (64 << 20)

/* ---- members ---- */

typedef struct {
  const char *shown;
  GError     *error;
} Reader;

static gboolean
refuse (Reader       *self,
        LsDeviceError code,
        const char   *format,
        ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (Reader       *self,
        LsDeviceError code,
        const char   *format,
        ...)
{
  va_list args;
  g_autofree char *text = NULL;

  if (self->error != NULL)
    return FALSE;
  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->error = g_error_new (LS_DEVICE_ERROR, code, "%s: %s", self->shown, text);
  return FALSE;
}

/* What may stand behind the text up to here. */
static const char *
expected_behind (const char *text,
                 gsize       n)
{
  while (n > 0 && g_ascii_isspace (text[n - 1]))
    n--;
  switch (n > 0 ? text[n - 1] : 0)
    {
    case 0: return ls_translate ("{ is expected here");
    case ':': return ls_translate ("a value is expected here");
    case '{': return ls_translate ("a name in quotes or } is expected here");
    case '[': return ls_translate ("a value or ] is expected here");
    case ',': return ls_translate ("a value, or a name in quotes, is expected here");
    default: return ls_translate ("a comma, a colon, } or ] is expected here");
    }
}

/* JSON-GLib tells line and column as "<data>:3:10: ..."; a file that was cut off ends where something is missing. */
static void
refuse_syntax (Reader       *self,
               const char   *text,
               gsize         length,
               const GError *syntax)
{
  guint line = 0, column = 0;
  gsize at = 0;

  if (sscanf (syntax->message, "<data>:%u:%u:", &line, &column) != 2 || line == 0)
    {
      refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("it is no JSON, or was cut off (%s)."), syntax->message);
      return;
    }
  for (guint l = 1; l < line && at < length; at++)
    if (text[at] == '\n')
      l++;
  at = MIN (at + MAX (column, 1) - 1, length);
  refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("line %u, column %u: it is no JSON, or was cut off: %s."), line, MAX (column, 1),
          g_error_matches (syntax, JSON_PARSER_ERROR, JSON_PARSER_ERROR_MISSING_COMMA) ? ls_translate ("a comma or a closing bracket is expected behind this")
          : g_error_matches (syntax, JSON_PARSER_ERROR, JSON_PARSER_ERROR_MISSING_COLON) ? ls_translate ("a colon is expected behind this") : expected_behind (text, at));
}

/* A text that has to be there. (transfer full) */
static char *
need_text (Reader     *self,
           JsonObject *object,
           const char *where,
           const char *name)
{
  const char *text = ls_json_text (object, name);

  if (text == NULL)
    refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("%s has no text \"%s\"."), where, name);
  return g_strdup (text);
}

/* NULL where there is no object. */
static JsonObject *
item_of (JsonArray *list,
         guint      i)
{
  JsonNode *node = list != NULL && i < json_array_get_length (list) ? json_array_get_element (list, i) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static guint
length_of (JsonArray *list)
{
  return list != NULL ? json_array_get_length (list) : 0;
}

/* ---- times, counters ---- */

static gboolean
is_hash (const char *text)
{
  return text != NULL && strlen (text) == 16 && strspn (text, "0123456789abcdef") == 16;
}

static void
read_time (Reader       *self,
           JsonObject   *step,
           const char   *where,
           const char   *name,
           LsDeviceTime *out)
{
  JsonObject *time = ls_json_object (step, name);
  JsonArray *samples = time != NULL ? ls_json_array (time, "samples") : NULL;

  *out = (LsDeviceTime) { 0 };
  if (time == NULL)
    return;
  *out = (LsDeviceTime) { ls_json_double (time, "min", NAN), ls_json_double (time, "q1", NAN), ls_json_double (time, "median", NAN), ls_json_double (time, "q3", NAN),
                          ls_json_double (time, "spread", NAN), length_of (samples), ls_json_is_true (time, "settled"), ls_json_is_true (time, "cache_flushed") };
  if (g_strcmp0 (ls_json_text (time, "unit"), "ns") != 0)
    refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("the unit of \"%s\" of %s is not ns."), name, where);
  else if (!(out->min >= 0 && out->min <= out->q1 && out->q1 <= out->median && out->median <= out->q3) || out->n == 0)
    refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("\"%s\" of %s contradicts itself: min, q1, median, q3 do not rise, or there are no samples."), name, where);
}

static GHashTable *
number_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* Adds up; of ncu's shares (any name with a dot that does not end in .sum) the largest. */
static void
add_numbers (GHashTable *table,
             JsonObject *object)
{
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *at = names; at != NULL; at = at->next)
    {
      double value = ls_json_double (object, at->data, NAN), *known = g_hash_table_lookup (table, at->data);

      if (isnan (value))
        continue;
      if (known != NULL)
        *known = strchr (at->data, '.') == NULL || g_str_has_suffix (at->data, ".sum") ? *known + value : MAX (*known, value);
      else
        g_hash_table_insert (table, g_strdup (at->data), g_memdup2 (&value, sizeof value));
    }
}

/* ---- steps ---- */

static void
step_free (gpointer data)
{
  LsDeviceResultStep *self = data;

  g_free (self->name);
  g_free (self->title);
  g_free (self->hash);
  g_free (self->verdict);
  g_free (self->reason);
  g_free (self->clocks);
  g_clear_pointer (&self->counters, g_hash_table_unref);
  g_clear_pointer (&self->simulated, g_hash_table_unref);
  g_free (self);
}

/* What of an output is wrong, as a sentence. (transfer full) */
static char *
difference (JsonObject *step)
{
  JsonArray *outputs = ls_json_array (step, "outputs");

  for (guint i = 0; i < length_of (outputs); i++)
    {
      JsonObject *output = item_of (outputs, i), *first = output != NULL ? ls_json_object (output, "first") : NULL;
      JsonArray *index = first != NULL ? ls_json_array (first, "index") : NULL;
      g_autoptr (GString) place = g_string_new ("");
      const char *name = output != NULL ? ls_json_text (output, "name") : NULL;

      if (index == NULL || ls_json_double (output, "different", 0) <= 0)
        continue;
      for (guint k = 0; k < length_of (index); k++)
        g_string_append_printf (place, "%s%" G_GINT64_FORMAT, k > 0 ? ", " : "", json_array_get_int_element (index, k));
      return g_strdup_printf ("%s[%s] is %.9g, %.9g is expected (%.0f ULP); %.0f of %.0f elements differ", name != NULL ? name : "?", place->str,
                              ls_json_double (first, "actual", NAN), ls_json_double (first, "expected", NAN), ls_json_double (first, "ulp", NAN),
                              ls_json_double (output, "different", NAN), ls_json_double (output, "elements", NAN));
    }
  return NULL;
}

static void
read_simulated (LsDeviceResultStep *out,
                JsonObject         *step)
{
  JsonObject *simulated = ls_json_object (step, "simulated");
  JsonArray *kernels = simulated != NULL ? ls_json_array (simulated, "kernels") : NULL;

  if (kernels == NULL)
    return;
  out->simulated = number_table ();
  for (guint i = 0; i < length_of (kernels); i++)
    if (item_of (kernels, i) != NULL)
      add_numbers (out->simulated, item_of (kernels, i));
}

/* (transfer full) */
static char *
clocks_of (JsonObject *step)
{
  JsonObject *clocks = ls_json_object (step, "clocks");
  double before = ls_json_double (ls_json_object (clocks, "before"), "core_khz", NAN), after = ls_json_double (ls_json_object (clocks, "after"), "core_khz", NAN);

  return before > 0 && after > 0 ? g_strdup_printf ("core clock %.0f MHz before, %.0f MHz after", before / 1000, after / 1000) : NULL;
}

static void
read_counters (LsDeviceResultStep *out,
               JsonArray          *counted)
{
  for (guint i = 0; i < length_of (counted); i++)
    {
      JsonObject *row = item_of (counted, i), *counters = row != NULL ? ls_json_object (row, "counters") : NULL;

      if (counters == NULL || g_strcmp0 (ls_json_text (row, "step"), out->name) != 0)
        continue;
      if (out->counters == NULL)
        out->counters = number_table ();
      add_numbers (out->counters, counters);
    }
}

static LsDeviceResultStep *
read_step (Reader     *self,
           JsonObject *step,
           guint       number,
           JsonArray  *counted)
{
  g_autofree char *where = g_strdup_printf ("step %u", number + 1);
  LsDeviceResultStep *out = g_new0 (LsDeviceResultStep, 1);
  JsonArray *kernels = ls_json_array (step, "kernels");

  out->name = need_text (self, step, where, "name");
  out->title = g_strdup (ls_json_text (step, "title"));
  out->hash = need_text (self, step, where, "hash");
  out->verdict = need_text (self, step, where, "verdict");
  out->reason = g_strdup (ls_json_text (step, "reason"));
  out->registers = -1;
  if (self->error != NULL)
    return out;
  if (!is_hash (out->hash))
    refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("the hash of %s is none: 16 hexadecimal digits are expected."), where);
  if (strcmp (out->verdict, "same") != 0 && strcmp (out->verdict, "differs") != 0 && strcmp (out->verdict, "failed") != 0)
    refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("the verdict of %s is \"%s\"; same, differs or failed is expected."), where, out->verdict);
  read_time (self, step, where, "time", &out->time);
  read_time (self, step, where, "time_flushed", &out->flushed);
  if (strcmp (out->verdict, "same") != 0 && out->time.n > 0)
    refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("%s has a time although its result is not right."), where);
  for (guint i = 0; i < length_of (kernels); i++)
    if (item_of (kernels, i) != NULL)
      out->registers = MAX (out->registers, (gint64) ls_json_double (item_of (kernels, i), "registers", -1));
  if (strcmp (out->verdict, "differs") == 0)
    {
      g_free (out->reason);
      out->reason = difference (step);
    }
  out->clocks = clocks_of (step);
  read_simulated (out, step);
  read_counters (out, counted);
  return out;
}

/* ---- tools ---- */

static void
read_tools (LsDeviceResult *result,
            JsonArray      *tools)
{
  for (guint i = 0; i < length_of (tools); i++)
    {
      JsonObject *tool = item_of (tools, i);
      const char *name = tool != NULL ? ls_json_text (tool, "name") : NULL, *reason = tool != NULL ? ls_json_text (tool, "reason") : NULL;
      JsonArray *findings = tool != NULL ? ls_json_array (tool, "findings") : NULL;

      if (name == NULL)
        continue;
      if (!ls_json_is_true (tool, "ran"))
        g_ptr_array_add (result->notes, g_strdup_printf ("%s did not run: %s", name, reason != NULL ? reason : "no reason is told"));
      else if (ls_json_double (tool, "errors", 0) > 0 && length_of (findings) == 0)
        g_ptr_array_add (result->notes, g_strdup_printf ("%s: %.0f errors", name, ls_json_double (tool, "errors", 0)));
      for (guint k = 0; k < length_of (findings); k++)
        {
          JsonNode *node = json_array_get_element (findings, k);

          if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
            g_ptr_array_add (result->notes, g_strdup_printf ("%s: %s", name, json_node_get_string (node)));
        }
    }
}

/* ---- the whole ---- */

/* The checksum is over what stands before the last `,\n"checksum"`. */
static gboolean
check_sum (Reader     *self,
           JsonObject *root,
           const char *text,
           gsize       length)
{
  const char *told = ls_json_text (root, "checksum"), *at = g_strrstr_len (text, (gssize) length, ",\n\"checksum\": \"");
  g_autofree char *sum = NULL;

  if (told == NULL || at == NULL)
    return refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("it has no checksum at its end: the file was cut off or written anew by another program."));
  sum = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", (guint64) bundle_sum (BUNDLE_SUM, text, (gsize) (at - text)));
  if (strcmp (sum, told) == 0)
    return TRUE;
  return refuse (self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("its checksum is %s where its text gives %s: the file was damaged or changed by hand."), told, sum);
}

static gboolean
check_head (Reader     *self,
            JsonObject *root)
{
  const char *format = ls_json_text (root, "format");
  double version = ls_json_double (root, "version", NAN);

  if (g_strcmp0 (format, FORMAT) != 0)
    return refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("it is no result of a device: \"format\" is %s%s%s, \"loopscope-device-result\" is expected."), format != NULL ? "\"" : "",
                   format != NULL ? format : ls_translate ("not there"), format != NULL ? "\"" : "");
  if (version != VERSION)
    return refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("its version is %g; this program reads version %d."), version, VERSION);
  return TRUE;
}

static void
read_device (Reader         *self,
             LsDeviceResult *result,
             JsonObject     *root)
{
  JsonObject *device = ls_json_object (root, "device");

  if (device == NULL)
    {
      refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("it does not say on which device it was made."));
      return;
    }
  result->api = need_text (self, device, "the device", "api");
  result->device = need_text (self, device, "the device", "name");
  result->kind = g_strdup (ls_json_text (device, "kind"));
  result->driver = g_strdup (ls_json_text (device, "driver"));
  result->copy_speed = ls_json_double (device, "copy_bytes_per_second", 0);
  result->bandwidth = ls_json_double (device, "copy_kernel_bytes_per_second", 0);
  result->peak = ls_json_double (device, "peak_float32_operations_per_second", 0);
}

static void
read_steps (Reader         *self,
            LsDeviceResult *result,
            JsonObject     *root)
{
  JsonArray *steps = ls_json_array (root, "steps"), *counted = ls_json_array (root, "counted");

  if (length_of (steps) == 0)
    refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("it has no steps."));
  for (guint i = 0; i < length_of (steps) && self->error == NULL; i++)
    if (item_of (steps, i) == NULL)
      refuse (self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("step %u is no object."), i + 1);
    else
      g_ptr_array_add (result->steps, read_step (self, item_of (steps, i), i, counted));
}

LsDeviceResult *
ls_device_result_parse (const char  *shown,
                        const char  *text,
                        gsize        length,
                        GError     **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (LsDeviceResult) result = g_new0 (LsDeviceResult, 1);
  g_autoptr (GError) syntax = NULL;
  Reader self = { shown, NULL };
  JsonObject *root;

  result->steps = g_ptr_array_new_with_free_func (step_free);
  result->notes = g_ptr_array_new_with_free_func (g_free);
  if (length > LARGEST_FILE)
    refuse (&self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("it has more than %d MiB and is no result of a device."), LARGEST_FILE >> 20);
  else if (!g_utf8_validate (text, (gssize) length, NULL))
    refuse (&self, LS_DEVICE_ERROR_DAMAGED, LS_TEXT ("it is no text in UTF-8."));
  else if (!json_parser_load_from_data (parser, text, (gssize) length, &syntax))
    refuse_syntax (&self, text, length, syntax);
  else if (json_parser_get_root (parser) == NULL || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    refuse (&self, LS_DEVICE_ERROR_FORMAT, LS_TEXT ("it is JSON, but no object."));
  else
    {
      root = json_node_get_object (json_parser_get_root (parser));
      if (check_head (&self, root) && check_sum (&self, root, text, length))
        {
          result->name = need_text (&self, root, "it", "name");
          result->program = need_text (&self, root, "it", "program");
          result->made_by = need_text (&self, root, "it", "made_by");
          result->when = need_text (&self, root, "it", "when");
          read_device (&self, result, root);
          read_steps (&self, result, root);
          read_tools (result, ls_json_array (root, "tools"));
        }
    }
  if (self.error == NULL)
    return g_steal_pointer (&result);
  g_propagate_error (error, self.error);
  return NULL;
}

LsDeviceResult *
ls_device_result_read (const char  *path,
                       GError     **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) inner = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, &inner))
    return ls_device_result_parse (path, text, length, error);
  g_set_error (error, LS_DEVICE_ERROR, LS_DEVICE_ERROR_FILE, ls_translate ("%s cannot be read: %s."), path, inner->message);
  return NULL;
}

const LsDeviceResultStep *
ls_device_result_find (const LsDeviceResult *self,
                       const char           *hash)
{
  for (guint i = 0; i < self->steps->len; i++)
    if (strcmp (((LsDeviceResultStep *) self->steps->pdata[i])->hash, hash) == 0)
      return self->steps->pdata[i];
  return NULL;
}

void
ls_device_result_free (LsDeviceResult *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->program);
  g_free (self->made_by);
  g_free (self->when);
  g_free (self->api);
  g_free (self->device);
  g_free (self->kind);
  g_free (self->driver);
  g_clear_pointer (&self->steps, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}
