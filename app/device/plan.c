/* plan: see the header.  What is read stays until the process ends. */
#include "app/device/plan.h"

#include "data/device/host/bundle.h"
#include "engine/base/json.h"

#include <glib/gi18n.h>
#include <string.h>

const Plan *plan;

typedef struct {
  JsonObject *at;
  gboolean    good;
} Reader;

/* A text that has to be there. (transfer full) */
static char *
text (Reader     *self,
      const char *name)
{
  const char *found = ls_json_text (self->at, name);

  self->good = self->good && found != NULL;
  return g_strdup (found);
}

static guint64
bits (Reader     *self,
      const char *name)
{
  const char *found = ls_json_text (self->at, name);
  char *end = NULL;
  guint64 value = found != NULL ? g_ascii_strtoull (found, &end, 16) : 0;

  self->good = self->good && found != NULL && *end == 0;
  return value;
}

/* Numbers, at most `most` and at least `least` of them, each from `low` to `high`. */
static int
numbers (Reader     *self,
         const char *name,
         guint       least,
         guint       most,
         gint64      low,
         gint64      high,
         gint64     *values)
{
  JsonArray *list = ls_json_array (self->at, name);
  guint n = list != NULL ? json_array_get_length (list) : 0;

  self->good = self->good && list != NULL && n >= least && n <= most;
  for (guint i = 0; self->good && i < n; i++)
    {
      values[i] = json_array_get_int_element (list, i);
      self->good = values[i] >= low && values[i] <= high;
    }
  return self->good ? (int) n : 0;
}

static gint64
number (Reader     *self,
        const char *name,
        gint64      low,
        gint64      high)
{
  gint64 value = ls_json_int (self->at, name, low - 1);

  self->good = self->good && value >= low && value <= high;
  return value;
}

static void
read_argument (Reader   *self,
               Argument *a)
{
  g_autofree char *kind = text (self, "kind"), *role = text (self, "role");
  gint64 shape[8] = { 1 };

  *a = (Argument) { .name = text (self, "name"), .kind = kind != NULL ? *kind : '?', .bits = (int) number (self, "bits", 8, 64), .role = role != NULL ? *role : 'i',
                    .seed = bits (self, "seed"), .input_sum = bits (self, "input_sum"), .expected = g_strdup (ls_json_text (self->at, "expected")),
                    .relative = ls_json_double (self->at, "relative", 0) };
  a->n_dims = numbers (self, "shape", 0, 8, 1, G_GINT64_CONSTANT (1) << 40, shape);
  for (int i = 0; i < 8; i++)
    a->shape[i] = i < MAX (a->n_dims, 1) ? shape[i] : 0;
  if (a->expected != NULL)
    a->expected_sum = bits (self, "expected_sum");
}

static void
read_launch (Reader *self,
             Launch *l)
{
  gint64 grid[3], block[3], args[64];

  *l = (Launch) { .kernel = text (self, "kernel"), .dynamic_shared = (unsigned) number (self, "dynamic_shared", 0, G_MAXINT) };
  numbers (self, "grid", 3, 3, 1, G_MAXINT, grid);
  numbers (self, "block", 3, 3, 1, G_MAXINT, block);
  l->n_args = numbers (self, "args", 0, 64, -64, 63, args);
  for (int i = 0; self->good && i < 3; i++)
    {
      l->grid[i] = (unsigned) grid[i];
      l->block[i] = (unsigned) block[i];
    }
  for (int i = 0; i < l->n_args; i++)
    l->args[i] = (int) args[i];
}

/* One after the other of a list of objects; `read` fills what begins at `items`, `size` bytes each. (transfer full) */
static gpointer
list (Reader     *self,
      const char *name,
      gsize       size,
      void      (*read) (Reader *self, gpointer item),
      int        *n_items)
{
  JsonArray *array = ls_json_array (self->at, name);
  guint n = array != NULL ? json_array_get_length (array) : 0;
  char *items = g_malloc0 (size * MAX (n, 1u));
  JsonObject *outer = self->at;

  self->good = self->good && array != NULL;
  for (guint i = 0; self->good && i < n; i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      self->good = JSON_NODE_HOLDS_OBJECT (node);
      self->at = self->good ? json_node_get_object (node) : NULL;
      if (self->good)
        read (self, items + size * i);
    }
  self->at = outer;
  *n_items = (int) n;
  return items;
}

static void
read_launch_item (Reader  *self,
                  gpointer item)
{
  read_launch (self, item);
}

static void
read_argument_item (Reader  *self,
                    gpointer item)
{
  read_argument (self, item);
}

static void
read_step_item (Reader  *self,
                gpointer item)
{
  Step *step = item;
  gint64 capabilities[64];
  gint64 temporaries[64];
  Ptx *ptx;
  long long *bytes;

  *step = (Step) { .name = text (self, "name"), .title = text (self, "title"), .hash = text (self, "hash"), .source = text (self, "source"),
                   .no_ptx = g_strdup (ls_json_text (self->at, "no_ptx")), .simulated = "null" };
  step->n_ptx = numbers (self, "ptx", 0, 64, 1, 100000, capabilities);
  step->n_temporaries = numbers (self, "temporaries", 0, 64, 0, G_GINT64_CONSTANT (1) << 44, temporaries);
  ptx = g_new0 (Ptx, step->n_ptx + 1);
  for (int i = 0; i < step->n_ptx; i++)
    ptx[i] = (Ptx) { (int) capabilities[i], g_strdup_printf ("kernels/%s.sm_%d.ptx", step->name, (int) capabilities[i]) };
  bytes = g_new0 (long long, step->n_temporaries + 1);
  for (int i = 0; i < step->n_temporaries; i++)
    bytes[i] = temporaries[i];
  step->ptx = ptx;
  step->temporaries = bytes;
  step->launches = list (self, "launches", sizeof (Launch), read_launch_item, &step->n_launches);
  self->good = self->good && step->n_launches <= 64;
}

void
device_plan_probe (const char *api)
{
  Plan *made = g_new0 (Plan, 1);

  *made = (Plan) { .api = g_strdup (api), .name = "probe", .program_hash = "", .made_by = "loopscope " LS_VERSION, .target = api };
  plan = made;
}

gboolean
device_plan_read (const char *path,
                  GError    **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  Plan *made = g_new0 (Plan, 1);
  Reader self = { NULL, TRUE };

  if (!json_parser_load_from_file (parser, path, error))
    return FALSE;
  self.good = json_parser_get_root (parser) != NULL && JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser));
  self.at = self.good ? json_node_get_object (json_parser_get_root (parser)) : NULL;
  *made = (Plan) { .api = text (&self, "api"), .name = text (&self, "name"), .program_hash = text (&self, "program"), .made_by = text (&self, "made_by"),
                   .target = text (&self, "target") };
  made->arguments = list (&self, "arguments", sizeof (Argument), read_argument_item, &made->n_arguments);
  made->steps = list (&self, "steps", sizeof (Step), read_step_item, &made->n_steps);
  plan = made;
  if (self.good && made->n_arguments <= 64)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _("%s is not what engine/device writes: a member is missing or out of its bounds"), path);
  return FALSE;
}
