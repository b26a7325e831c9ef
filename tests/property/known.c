/* Programs whose results are known without a compiler: one file for each kind of fault (tests/property/known), many programs in each.  The
 * interpreter, each pass alone, the lowering and machine code of levels 0 and 3 (judge) have to give these numbers.
 *
 * A program of a file:
 *
 *   # ---- what it is about
 *   # A = 5, -1              the array before; what is not named holds 77 everywhere
 *   # B -> 0, 1              the array after; what is not named stays as it was
 *   def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
 *       ...
 *
 * Steps of a schedule stand behind "# >>> "; "# refused CODE": a strict schedule refuses them, another one warns and what comes out differs, or would
 * ("runs at the same time"); "# refused everywhere CODE"; "# warned CODE": a strict schedule refuses them since a trial run gives other numbers.
 *
 *   LS_KNOWN=TEXT            only the programs whose title has the text
 */
#include "engine/interp/interp.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "tests/property/judge.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define HEAD "# from tvm.script import tir as T\n@T.prim_func\n"
#define DIRT 77

typedef struct {
  const char *name;
  gint64      at;
  const char *number;
  gboolean    is_after;
} Place;

typedef struct {
  const char *title;
  GHashTable *before, *after;   /* name -> GStrv of numbers */
  GArray     *places;           /* of Place */
  GString    *steps;
  const char *refused;          /* the code, or NULL */
  gboolean    warned;           /* a strict schedule refuses what others warn of by a run */
  gboolean    everywhere;       /* also where the schedule is not strict */
  gboolean    at_once;          /* what is refused differs only where rounds run at the same time */
} Known;

static void
put (LsDType     t,
     guint8     *data,
     const char *number)
{
  if (ls_dtype_is_float (t))
    {
      ls_interp_store (t, data, strcmp (number, "nan") == 0 ? NAN : g_ascii_strtod (number, NULL));
    }
  else
    {
      guint64 bits = number[0] == '-' ? (guint64) g_ascii_strtoll (number, NULL, 10) : g_ascii_strtoull (number, NULL, 10);

      memcpy (data, &bits, ls_dtype_bytes (t));
    }
}

/* The numbers of the table for this array; FALSE: it is not named. */
static gboolean
lay (GHashTable *table,
     const char *title,
     LsBuffer   *buffer,
     guint8     *data,
     gsize       n)
{
  GStrv numbers = g_hash_table_lookup (table, buffer->name);

  if (numbers == NULL)
    return FALSE;
  if (g_strv_length (numbers) != n)
    g_error ("%s: %u numbers for the %" G_GSIZE_FORMAT " elements of %s", title, g_strv_length (numbers), n, buffer->name);
  for (gsize i = 0; i < n; i++)
    put (buffer->dtype, data + i * ls_dtype_bytes (buffer->dtype), g_strstrip (numbers[i]));
  return TRUE;
}

/* The elements that are told one by one. */
static void
lay_places (const Known *known,
            LsBuffer    *buffer,
            guint8      *data,
            gsize        n,
            gboolean     is_after)
{
  for (guint i = 0; i < known->places->len; i++)
    {
      const Place *place = &g_array_index (known->places, Place, i);

      if (place->is_after != is_after || strcmp (place->name, buffer->name) != 0)
        continue;
      if (place->at < 0 || (gsize) place->at >= n)
        g_error ("%s: %s has no element %" G_GINT64_FORMAT, known->title, buffer->name, place->at);
      put (buffer->dtype, data + (gsize) place->at * ls_dtype_bytes (buffer->dtype), place->number);
    }
}

static void
before (guint     param,
        LsBuffer *buffer,
        guint8   *data,
        gsize     n,
        gpointer  user_data)
{
  Known *known = user_data;

  if (lay (known->before, known->title, buffer, data, n))
    return;
  for (gsize i = 0; i < n && n * ls_dtype_bytes (buffer->dtype) < LS_JUDGE_LARGE; i++)
    ls_interp_store (buffer->dtype, data + i * ls_dtype_bytes (buffer->dtype), ls_dtype_is_bool (buffer->dtype) ? 1 : DIRT);
  lay_places (known, buffer, data, n, FALSE);
}

static void
after (guint     param,
       LsBuffer *buffer,
       guint8   *data,
       gsize     n,
       gpointer  user_data)
{
  Known *known = user_data;

  lay (known->after, known->title, buffer, data, n);
  lay_places (known, buffer, data, n, TRUE);
}

/* "# A = 1, 2" and "# A -> 1, 2"; the line is kept as long as `known`. */
static void
read_line (Known      *known,
           LsJudge    *judge,
           char       *line)
{
  g_auto (GStrv) halves = NULL;
  gboolean is_after = strstr (line, " -> ") != NULL;
  char *at;

  if (g_str_has_prefix (line, "# ! ") || g_str_has_prefix (line, "# !! ") || g_str_has_prefix (line, "# ? "))
    {
      judge->as_written = line[2] == '?';
      judge->guarded = line[3] == '!';
      judge->error = line + (judge->guarded ? 5 : 4);
      return;
    }
  if (g_str_has_prefix (line, "# >>> "))
    {
      g_string_append_printf (known->steps, "%s\n", line + 6);
      return;
    }
  if (g_str_has_prefix (line, "# refused "))
    {
      char *more = strstr (line, ", runs at the same time");

      known->everywhere = g_str_has_prefix (line, "# refused everywhere ");
      known->refused = line + (known->everywhere ? 21 : 10);
      known->at_once = more != NULL;
      if (more != NULL)
        *more = '\0';
      return;
    }
  if (g_str_has_prefix (line, "# warned "))
    {
      known->warned = TRUE;
      known->refused = line + 9;
      return;
    }
  if (strcmp (line, "# checked") == 0)
    judge->checked = TRUE;
  if (!g_str_has_prefix (line, "# ") || (!is_after && strstr (line, " = ") == NULL))
    return;
  at = strstr (line, " @ ");
  if (at != NULL)
    {
      Place place = { .name = line + 2, .is_after = is_after };
      char *rest;

      *at = '\0';
      place.at = g_ascii_strtoll (at + 3, &rest, 10);
      place.number = g_strstrip (rest + (is_after ? 4 : 3));
      g_array_append_val (known->places, place);
      g_array_append_val (judge->places, place.at);
      return;
    }
  halves = g_strsplit (line + 2, is_after ? " -> " : " = ", 2);
  g_hash_table_insert (is_after ? known->after : known->before, g_strdup (halves[0]), g_strsplit (halves[1], ",", -1));
}

/* ---- steps ---- */

/* The program after the steps, NULL where one is refused; the sentence of the last finding of the code, or NULL. */
static LsModule *
after_steps (const Known *known,
             LsModule    *module,
             gboolean     strict,
             char       **sentence)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", known->steps->str, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_set_strict (schedule, strict);
  ls_schedule_apply_text (schedule, source, 0, findings);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      if (known->refused != NULL && strcmp (finding->code, known->refused) == 0)
        {
          g_free (*sentence);
          *sentence = g_strdup (finding->message);
        }
      else if (g_str_has_suffix (finding->code, "/dependence") || finding->severity == LS_SEVERITY_ERROR)
        g_test_message ("%s: %s: %s", known->title, finding->code, finding->message);
    }
  return ls_diagnostics_has_error (findings) ? NULL : ls_ref (ls_schedule_get_module (schedule));
}

/* What is wrong with the program after its steps; NULL: nothing. (transfer full) */
static char *
check_steps (Known         *known,
             const LsJudge *original,
             LsModule      *module)
{
  g_autofree char *warned = NULL, *refused = NULL;
  g_autoptr (LsModule) loose = after_steps (known, module, FALSE, &warned);
  g_autoptr (LsModule) strict = after_steps (known, module, TRUE, &refused);
  LsJudge judge = { .compiled = strstr (known->steps->str, "sch.bind") == NULL, .before = before, .after = after, .user_data = known, .places = original->places };
  char *what = NULL;

  if (known->everywhere)
    return loose == NULL && strict == NULL && warned != NULL ? NULL : g_strdup ("TVM's conditions accept it");
  if (loose == NULL)
    return g_strdup ("the steps are refused though the schedule is not strict");
  if (known->refused == NULL && strict == NULL)
    return g_strdup ("the strict schedule refuses the steps");
  if (known->warned ? strict != NULL || warned == NULL || refused == NULL || !g_str_has_prefix (refused, warned) : known->refused != NULL && (strict != NULL || warned == NULL || g_strcmp0 (warned, refused) != 0))
    return g_strdup_printf ("the strict schedule says: %s; the other: %s", refused, warned);
  if (known->refused != NULL && known->at_once)
    return NULL;
  judge.only_meaning = known->refused != NULL || !judge.compiled;
  ls_judge_module (&judge, loose);
  if (known->refused == NULL)
    what = judge.no_meaning ? g_steal_pointer (&judge.why) : judge.what != NULL ? g_strconcat ("after the steps: ", judge.what, NULL) : NULL;
  else if (judge.what == NULL && !judge.no_meaning)
    what = g_strdup ("what is refused computes the same");
  ls_judge_clear (&judge);
  return what;
}

/* Returns whether it is right. */
static gboolean
check_program (const char *title,
               const char *text)
{
  Known known = { .title = title };
  LsJudge judge = { .compiled = TRUE, .before = before, .after = after, .user_data = &known };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *whole = g_strconcat (HEAD, strstr (text, "def main"), NULL);
  g_autoptr (LsModule) module = NULL;
  gboolean right;

  known.before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  known.after = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  known.steps = g_string_new (NULL);
  known.places = g_array_new (FALSE, FALSE, sizeof (Place));
  judge.places = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; lines[i] != NULL && !g_str_has_prefix (lines[i], "def "); i++)
    read_line (&known, &judge, lines[i]);
  if (g_hash_table_size (known.after) == 0 && known.places->len == 0 && judge.error == NULL)
    g_error ("%s: it does not say what comes out", title);
  module = ls_test_parse (whole);
  ls_judge_module (&judge, module);
  if (known.steps->len > 0 && !judge.no_meaning && judge.what == NULL)
    judge.what = check_steps (&known, &judge, module);
  right = !judge.no_meaning && judge.what == NULL;
  if (!right)
    {
      g_test_message ("%s: %s\n%s", title, judge.no_meaning ? judge.why : judge.what, text);
      g_test_fail ();
    }
  ls_judge_clear (&judge);
  g_array_unref (known.places);
  g_string_free (known.steps, TRUE);
  g_array_unref (judge.places);
  g_hash_table_unref (known.before);
  g_hash_table_unref (known.after);
  return right;
}

static void
check_file (gconstpointer data)
{
  g_autofree char *relative = g_strconcat ("property/known/", data, NULL);
  g_autofree char *text = ls_test_read (relative, NULL);
  g_auto (GStrv) programs = g_strsplit (text, "# ---- ", -1);
  const char *only = g_getenv ("LS_KNOWN");
  guint n = 0, wrong = 0;

  for (guint i = 1; programs[i] != NULL; i++)
    {
      g_autofree char *title = g_strndup (programs[i], strcspn (programs[i], "\n"));

      if (only != NULL && strstr (title, only) == NULL)
        continue;
      wrong += !check_program (title, programs[i] + strlen (title));
      n++;
    }
  g_test_message ("%s: %u programs, %u wrong", (const char *) data, n, wrong);
  g_assert_cmpuint (n, >=, only != NULL ? 0 : 20);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_test_init (&argc, &argv, NULL);
  folder = ls_test_path ("property/known");
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py"))
      {
        g_autofree char *path = g_strdup_printf ("/known/%.*s", (int) strlen (name) - 3, name);

        g_ptr_array_add (names, g_strdup (name));
        g_test_add_data_func (path, names->pdata[names->len - 1], check_file);
      }
  g_assert_cmpuint (names->len, >, 0);
  return g_test_run ();
}
