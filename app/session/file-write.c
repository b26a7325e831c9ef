/* session/file-write: a document as JSON, and what tells two states of it apart.
 *
 *   document -> image (copies, main thread) -> JSON (any thread)
 *
 * The image is what makes writing beside the main loop safe: the history grows meanwhile, the image does not.
 */
#include "app/session/file.h"

#include "app/session/devices.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>
#include <string.h>

typedef struct {
  guint       parent;
  char       *call;
  char       *name;
  char       *lines;
  guint       naming;
  char       *refused;
  char       *trouble;
  guint       bookmark;
  LsStepTime  time;
  double     *samples;          /* seconds; time.samples of them, or NULL */
  char       *conditions;
  char       *counted;
  gboolean    stale;
  GPtrArray  *devices;          /* of LsDeviceNote, or NULL */
} Step;

struct _LsSessionImage
{
  char      *name;
  char      *target;
  char      *text;
  char      *draft, *sizes, *device;
  char     **passes, **styles;
  char      *origin;
  char      *origin_sum;
  GPtrArray *branches;          /* of char; "": without a name of its own */
  GArray    *steps;             /* of Step */
  LsPins     pins;
  gboolean   strict;
  guint      current;
  guint64    selection;
};

/* ---- the image --------------------------------------------------------------- */

static void
step_clear (gpointer data)
{
  Step *self = data;

  g_free (self->call);
  g_free (self->name);
  g_free (self->lines);
  g_free (self->refused);
  g_free (self->trouble);
  g_free (self->samples);
  g_free (self->conditions);
  g_free (self->counted);
  g_clear_pointer (&self->devices, g_ptr_array_unref);
}

void
ls_session_image_free (LsSessionImage *self)
{
  g_free (self->name);
  g_free (self->target);
  g_free (self->text);
  g_free (self->draft);
  g_free (self->sizes);
  g_free (self->device);
  g_strfreev (self->passes);
  g_strfreev (self->styles);
  g_free (self->origin);
  g_free (self->origin_sum);
  g_ptr_array_unref (self->branches);
  g_array_unref (self->steps);
  ls_pins_clear (&self->pins);
  g_free (self);
}

static void
take_step (LsSessionImage *self,
           LsHistory      *history,
           guint           id)
{
  const LsHistoryNode *node = ls_history_get (history, id);
  Step *step = &g_array_index (self->steps, Step, id);

  *step = (Step) { .parent = node->parent, .call = g_strdup (node->call), .name = g_strdup (node->name),
                   .lines = g_strdup (ls_history_lines (history, id)), .naming = node->naming, .refused = g_strdup (node->refused),
                   .trouble = g_strdup (node->trouble), .bookmark = node->bookmark, .time = node->time, .devices = ls_device_notes_copy (node->devices) };
  if (node->time.samples == 0 || node->samples == NULL)
    return;
  step->samples = g_memdup2 (node->samples, node->time.samples * sizeof (double));
  step->conditions = g_strdup (node->conditions);
  step->counted = g_strdup (node->counted);
  step->stale = node->stale;
}

static void
add_branch (GPtrArray *branches,
            LsHistory *history,
            guint      branch)
{
  g_autofree char *usual = ls_history_default_name (branch);
  const char *name = ls_history_branch_name (history, branch);

  g_ptr_array_add (branches, g_strdup (strcmp (name, usual) == 0 ? "" : name));
}

LsSessionImage *
ls_session_image_new (const LsSessionFile *file)
{
  LsSessionImage *self = g_new0 (LsSessionImage, 1);
  guint n = file->history != NULL ? ls_history_get_n (file->history) : 0;

  self->name = g_strdup (file->name);
  self->target = g_strdup (file->target);
  self->text = g_strdup (file->text);
  self->draft = g_strdup (file->draft);
  self->origin = g_strdup (file->origin);
  self->origin_sum = g_strdup (file->origin_sum);
  self->branches = g_ptr_array_new_with_free_func (g_free);
  self->steps = g_array_sized_new (FALSE, TRUE, sizeof (Step), n);
  self->strict = file->history != NULL && ls_history_is_strict (file->history);
  self->current = file->current;
  self->sizes = g_strdup (file->sizes);
  self->device = g_strdup (file->device);
  self->passes = g_strdupv (file->passes);
  self->styles = g_strdupv (file->styles);
  self->selection = file->selection;
  ls_pins_copy (&self->pins, &file->pins);
  g_array_set_clear_func (self->steps, step_clear);
  g_array_set_size (self->steps, n);
  for (guint i = 0; file->history != NULL && i < ls_history_n_branches (file->history); i++)
    add_branch (self->branches, file->history, i);
  /* The last first: its lines are printed together with those before it. */
  for (guint i = n; i > 0; i--)
    take_step (self, file->history, i - 1);
  return self;
}

void
ls_session_image_set_origin (LsSessionImage *self,
                             const char     *origin,
                             const char     *origin_sum)
{
  g_free (self->origin);
  self->origin = g_strdup (origin);
  g_free (self->origin_sum);
  self->origin_sum = g_strdup (origin_sum);
}

/* ---- as JSON ------------------------------------------------------------------ */

static void
put_time (JsonBuilder *out,
          const Step  *step)
{
  if (step->samples == NULL)
    return;
  ls_json_begin_object (out, "time");
  ls_json_put_double (out, "min", step->time.min);
  ls_json_put_double (out, "q1", step->time.q1);
  ls_json_put_double (out, "median", step->time.median);
  ls_json_put_double (out, "q3", step->time.q3);
  if (step->time.own > 0.0)
    ls_json_put_double (out, "own", step->time.own);
  ls_json_put_text (out, "conditions", step->conditions);
  ls_json_put_text (out, "counted", step->counted);
  ls_json_put_true (out, "stale", step->stale);
  ls_json_begin_array (out, "samples");
  for (guint i = 0; i < step->time.samples; i++)
    json_builder_add_double_value (out, step->samples[i]);
  json_builder_end_array (out);
  json_builder_end_object (out);
}

static void
put_step (JsonBuilder *out,
          const Step  *step)
{
  json_builder_begin_object (out);
  ls_json_put_int (out, "parent", step->parent);
  ls_json_put_text (out, "call", step->call);
  ls_json_put_text (out, "name", step->name);
  ls_json_put_text (out, "lines", step->lines);
  if (step->naming > 0)
    ls_json_put_int (out, "naming", step->naming);
  ls_json_put_text (out, "refused", step->refused);
  ls_json_put_text (out, "trouble", step->trouble);
  if (step->bookmark > 0)
    ls_json_put_int (out, "bookmark", step->bookmark);
  put_time (out, step);
  ls_device_notes_write (step->devices, out);
  json_builder_end_object (out);
}

static void
put_texts (JsonBuilder *out,
           const char  *member,
           char       **texts)  /* or NULL: there is no such member */
{
  if (texts == NULL)
    return;
  ls_json_begin_array (out, member);
  for (guint i = 0; texts[i] != NULL; i++)
    json_builder_add_string_value (out, texts[i]);
  json_builder_end_array (out);
}

char *
ls_session_image_write (const LsSessionImage *self)
{
  g_autoptr (JsonBuilder) out = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (out);
  ls_json_put_text (out, "format", LS_SESSION_FILE_FORMAT);
  ls_json_put_int (out, "version", LS_SESSION_FILE_VERSION);
  ls_json_put_text (out, "name", self->name);
  ls_json_put_text (out, "target", self->target);
  ls_json_put_bool (out, "strict", self->strict);
  ls_json_put_text (out, "origin", self->origin);
  ls_json_put_text (out, "origin_sum", self->origin_sum);
  ls_json_put_text (out, "module", self->text);
  ls_json_put_text (out, "draft", self->draft);
  ls_json_begin_array (out, "branches");
  for (guint i = 0; i < self->branches->len; i++)
    json_builder_add_string_value (out, g_ptr_array_index (self->branches, i));
  json_builder_end_array (out);
  ls_json_begin_array (out, "steps");
  for (guint i = 0; i < self->steps->len; i++)
    put_step (out, &g_array_index (self->steps, Step, i));
  json_builder_end_array (out);
  ls_pins_write (&self->pins, out);
  ls_json_put_text (out, "sizes", self->sizes);
  ls_json_put_text (out, "device", self->device);
  put_texts (out, "passes", self->passes);
  put_texts (out, "styles", self->styles);
  ls_json_put_int (out, "current", self->current);
  ls_json_put_int (out, "selection", (gint64) self->selection);
  json_builder_end_object (out);
  root = json_builder_get_root (out);
  return json_to_string (root, TRUE);
}

char *
ls_session_file_write (const LsSessionFile *self)
{
  g_autoptr (LsSessionImage) image = ls_session_image_new (self);

  return ls_session_image_write (image);
}

/* ---- what it holds -------------------------------------------------------------- */

#define DIGEST_BYTES 20         /* of SHA-1 */

/* With its length, so that what stands in one member is never taken for the beginning of the next. */
static void
add_string (GChecksum  *sum,
            const char *value)
{
  gint64 length = value != NULL ? (gint64) strlen (value) : -1;

  g_checksum_update (sum, (const guchar *) &length, sizeof length);
  if (length > 0)
    g_checksum_update (sum, (const guchar *) value, (gssize) length);
}

static void
add_number (GChecksum *sum,
            guint64    value)
{
  g_checksum_update (sum, (const guchar *) &value, sizeof value);
}

/* What of a step never changes, once for each.  A step that was done says with its call, below its parent, all that its lines say. */
static const guint8 *
digest_of (LsHistoryNode *node)
{
  g_autoptr (GChecksum) sum = NULL;
  gsize length = DIGEST_BYTES;

  if (node->digest != NULL)
    return node->digest;
  sum = g_checksum_new (G_CHECKSUM_SHA1);
  add_number (sum, node->parent);
  add_string (sum, node->call);
  add_string (sum, LS_HISTORY_DONE (node) && node->naming == 0 ? NULL : node->lines);
  add_number (sum, node->naming);
  add_string (sum, node->refused);
  node->digest = g_malloc (length);
  g_checksum_get_digest (sum, node->digest, &length);
  return node->digest;
}

static void
add_step (GChecksum *sum,
          LsHistory *history,
          guint      id)
{
  LsHistoryNode *node = ls_history_get (history, id);

  g_checksum_update (sum, digest_of (node), DIGEST_BYTES);
  add_number (sum, node->bookmark + (node->trouble != NULL ? 16 : 0) + (node->samples != NULL ? 32 : 0));
  if (node->trouble != NULL)
    add_string (sum, node->trouble);
  for (guint i = 0; node->devices != NULL && i < node->devices->len; i++)
    {
      const LsDeviceNote *note = node->devices->pdata[i];

      add_string (sum, note->device);
      add_string (sum, note->when);
    }
  add_number (sum, node->samples != NULL ? node->time.samples : 0);
  if (node->samples == NULL)
    return;
  g_checksum_update (sum, (const guchar *) node->samples, (gssize) (node->time.samples * sizeof (double)));
  add_string (sum, node->conditions);
  add_string (sum, node->counted);
  add_number (sum, node->stale);
}

static void
add_pin (GChecksum   *sum,
         const LsPin *pin)
{
  add_number (sum, pin->used);
  if (!pin->used)
    return;
  add_number (sum, pin->kind);
  add_number (sum, pin->node);
  add_number (sum, pin->id);
  add_number (sum, pin->nth);
  add_string (sum, pin->name);
  add_string (sum, pin->function);
  add_string (sum, pin->block);
}

char *
ls_session_file_sum (const LsSessionFile *self)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  guint n = self->history != NULL ? ls_history_get_n (self->history) : 0;

  add_string (sum, self->name);
  add_string (sum, self->target);
  add_string (sum, self->text_sum != NULL ? self->text_sum : self->text);
  add_string (sum, self->draft);
  add_string (sum, self->sizes);
  add_string (sum, self->device);
  for (guint i = 0; self->history != NULL && i < ls_history_n_branches (self->history); i++)
    add_string (sum, ls_history_branch_name (self->history, i));
  add_number (sum, n);
  for (guint i = 0; i < n; i++)
    add_step (sum, self->history, i);
  for (guint i = 0; self->passes != NULL && self->passes[i] != NULL; i++)
    add_string (sum, self->passes[i]);
  for (guint i = 0; self->styles != NULL && self->styles[i] != NULL; i++)
    add_string (sum, self->styles[i]);
  for (guint i = 0; i < LS_PINS_MAX; i++)
    add_pin (sum, &self->pins.of[i]);
  return g_strdup (g_checksum_get_string (sum));
}
