/* The command line of loopscope-jail, its probe, consent. */
#include "app/jail/jail.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRATCH (G_GUINT64_CONSTANT (1) << 30)
#define MOST_WRITTEN (G_GUINT64_CONSTANT (8) << 30)

struct _LsJail {
  GPtrArray *options;
  guint64    memory;
};

static gboolean
is_mode (const char *word)
{
  return g_strcmp0 (g_getenv ("LS_JAIL"), word) == 0;
}

/* ---- finding it ---- */

static char *
locate (GError **error)
{
  static const char *const places[] = {
    "loopscope-jail", "jail/loopscope-jail", "../jail/loopscope-jail", "../app/jail/loopscope-jail", "../../app/jail/loopscope-jail",
    "../../../app/jail/loopscope-jail", "../libexec/loopscope-jail", LS_JAIL_BESIDE "/loopscope-jail",
  };
  const char *given = g_getenv ("LS_JAIL_PROGRAM");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *own = program != NULL ? g_path_get_dirname (program) : NULL;

  if (given != NULL && *given != 0)
    return g_strdup (given);
  for (guint i = 0; own != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_canonicalize_filename (places[i], own);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  if (g_file_test (LS_JAIL_DIR "/loopscope-jail", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup (LS_JAIL_DIR "/loopscope-jail");
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _("loopscope-jail is not beside the program (%s), and LS_JAIL_PROGRAM is not set"), own != NULL ? own : "?");
  return NULL;
}

/* ---- what is too wide ---- */

static gboolean
is_or_is_below (const char *path,
                const char *folder)
{
  gsize n = strlen (folder);

  return strncmp (path, folder, n) == 0 && (path[n] == 0 || path[n] == '/');
}

static char *
real_path (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  char *real = realpath (whole, NULL);
  char *result = g_strdup (real != NULL ? real : whole);

  free (real);
  return result;
}

static const char *
home (void)
{
  const char *given = g_getenv ("HOME");

  return given != NULL && g_path_is_absolute (given) ? given : g_get_home_dir ();
}

static gboolean
is_special (const char *real)
{
  static const char *const in_home[] = { ".ssh", ".gnupg", ".config", ".cache", ".local", ".local/share", ".mozilla", ".aws", ".kube", ".netrc" };

  for (int i = 0; i < G_USER_N_DIRECTORIES; i++)
    {
      const char *folder = g_get_user_special_dir ((GUserDirectory) i);
      g_autofree char *there = folder != NULL ? real_path (folder) : NULL;

      if (g_strcmp0 (there, real) == 0)
        return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (in_home); i++)
    {
      g_autofree char *folder = g_build_filename (home (), in_home[i], NULL);

      if (strcmp (folder, real) == 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
ls_jail_is_too_wide (const char *path)
{
  static const char *const exactly[] = { "/home", "/root", "/tmp", "/var", "/var/tmp", "/srv", "/mnt", "/media", "/usr", "/opt" };
  static const char *const and_below[] = { "/etc", "/run", "/var/run", "/proc", "/sys", "/dev", "/boot", "/var/lib", "/var/log", "/var/spool" };
  g_autofree char *real = real_path (path);
  g_autofree char *own = real_path (home ());

  if (strcmp (real, "/") == 0 || (strcmp (own, "/") != 0 && is_or_is_below (own, real)))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (exactly); i++)
    if (strcmp (real, exactly[i]) == 0)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (and_below); i++)
    if (is_or_is_below (real, and_below[i]))
      return TRUE;
  return is_special (real);
}

/* ---- what one program gets ---- */

static void
add (LsJail     *self,
     const char *option,
     const char *value)
{
  g_ptr_array_add (self->options, g_strdup (option));
  g_ptr_array_add (self->options, g_strdup (value));
}

LsJail *
ls_jail_new (void)
{
  LsJail *self = g_new0 (LsJail, 1);

  self->options = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
ls_jail_free (LsJail *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->options);
  g_free (self);
}

static const char *
option_of (LsJailAccess access)
{
  switch (access)
    {
    case LS_JAIL_READ:
      return "--read";
    case LS_JAIL_WRITE:
      return "--write";
    case LS_JAIL_OVER:
      return "--over";
    case LS_JAIL_SCRATCH:
      return "--scratch";
    }
  return NULL;
}

gboolean
ls_jail_hand_over (LsJail       *self,
                   LsJailAccess  access,
                   const char   *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);

  if (access != LS_JAIL_SCRATCH && (!g_file_test (whole, G_FILE_TEST_EXISTS) || ls_jail_is_too_wide (whole)))
    return FALSE;
  add (self, option_of (access), whole);
  return TRUE;
}

void
ls_jail_hand_over_list (LsJail       *self,
                        LsJailAccess  access,
                        const char   *paths)
{
  g_auto (GStrv) list = g_strsplit (paths != NULL ? paths : "", G_SEARCHPATH_SEPARATOR_S, -1);

  for (guint i = 0; list[i] != NULL; i++)
    if (*list[i] != 0)
      ls_jail_hand_over (self, access, list[i]);
}

void
ls_jail_set_folder (LsJail     *self,
                    const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *real = real_path (whole), *own = real_path (home ());

  if (!ls_jail_hand_over (self, LS_JAIL_OVER, whole) && is_or_is_below (real, own) && strcmp (real, own) != 0)
    add (self, "--scratch", real);
  add (self, "--folder", whole);
}

void
ls_jail_set_memory (LsJail  *self,
                    guint64  bytes)
{
  self->memory = bytes;
}

void
ls_jail_add_option (LsJail     *self,
                    const char *option)
{
  g_ptr_array_add (self->options, g_strdup (option));
}

static void
add_number (GPtrArray  *argv,
            const char *option,
            guint64     value)
{
  g_ptr_array_add (argv, g_strdup (option));
  g_ptr_array_add (argv, g_strdup_printf ("%" G_GUINT64_FORMAT, value));
}

/* Later places cover earlier ones: the empty home first, then what is in it. */
static void
add_base (GPtrArray *argv,
          guint64    memory)
{
  const char *own = home ();

  if (own != NULL && strcmp (own, "/") != 0 && !g_str_has_prefix (own, "/usr/") && !g_str_has_prefix (own, "/proc") && !g_str_has_prefix (own, "/dev"))
    {
      g_ptr_array_add (argv, g_strdup ("--scratch"));
      g_ptr_array_add (argv, real_path (own));
    }
  add_number (argv, "--size", memory > 0 ? CLAMP (memory / 8, 64 << 20, SCRATCH) : SCRATCH);
  add_number (argv, "--file-size", MOST_WRITTEN);
  add_number (argv, "--processes", 512 + 16 * (guint64) g_get_num_processors ());
  if (memory > 0)
    add_number (argv, "--memory", memory);
}

static gboolean
is_optional (LsJail *self)
{
  for (guint i = 0; i < self->options->len; i++)
    if (strcmp (self->options->pdata[i], "--try") == 0)
      return TRUE;
  return ls_jail_is_optional ();
}

gboolean
ls_jail_begin (LsJail     *self,
               GPtrArray  *argv,
               GError    **error)
{
  g_autoptr (GError) missing = NULL;
  char *program;

  if (is_mode ("off"))
    return TRUE;
  program = locate (&missing);
  if (program == NULL && is_optional (self))
    return TRUE;
  if (program == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&missing));
      return FALSE;
    }
  g_ptr_array_add (argv, program);
  add_base (argv, self->memory);
  for (guint i = 0; i < self->options->len; i++)
    g_ptr_array_add (argv, g_strdup (self->options->pdata[i]));
  if (ls_jail_is_optional ())
    g_ptr_array_add (argv, g_strdup ("--try"));
  g_ptr_array_add (argv, g_strdup ("--"));
  return TRUE;
}

/* ---- the probe ---- */

static struct {
  GMutex        lock;
  LsJailReport *report;
  gboolean      consent;
} known;

static void
report_free (LsJailReport *report)
{
  g_free (report->why);
  g_strfreev (report->names);
  g_strfreev (report->values);
  g_free (report);
}

const char *
ls_jail_report_get (const LsJailReport *report,
                    const char         *name)
{
  for (guint i = 0; report->names[i] != NULL; i++)
    if (strcmp (report->names[i], name) == 0)
      return report->values[i];
  return "";
}

/* What the program in the jail printed: lines NAME=VALUE. */
static void
read_lines (LsJailReport *report,
            const char   *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new (), values = g_strv_builder_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *sign = strchr (lines[i], '=');

      if (sign == NULL)
        continue;
      *sign = 0;
      g_strv_builder_add (names, lines[i]);
      g_strv_builder_add (values, g_strstrip (sign + 1));
    }
  report->names = g_strv_builder_end (names);
  report->values = g_strv_builder_end (values);
}

/* The names whose value is not the one that a jail has. */
static char *
find_holes (const LsJailReport *report)
{
  static const struct { const char *name, *value, *words; } must[] = {
    { "first", "yes", "processes of its own" }, { "others", "closed", "other programs out of reach" }, { "home", "closed", "your files out of reach" },
    { "secrets", "closed", "the system's secrets out of reach" }, { "system", "closed", "nothing written outside its own folder" },
    { "network", "closed", "no network" }, { "filter", "yes", "a filter of system calls" },
  };
  g_autoptr (GPtrArray) holes = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (must); i++)
    if (strcmp (ls_jail_report_get (report, must[i].name), must[i].value) != 0)
      g_ptr_array_add (holes, (gpointer) must[i].words);
  g_ptr_array_add (holes, NULL);
  return holes->len > 1 ? g_strjoinv (", ", (char **) holes->pdata) : NULL;
}

static LsJailReport *
try_it (void)
{
  LsJailReport *report = g_new0 (LsJailReport, 1);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL, *holes = NULL;
  char *program;

  report->state = is_mode ("off") ? LS_JAIL_OFF : LS_JAIL_REFUSED;
  if (report->state == LS_JAIL_OFF)
    report->why = g_strdup ("LS_JAIL=off");
  else if ((program = locate (&error)) != NULL)
    {
      g_ptr_array_add (argv, program);
      add_base (argv, G_GUINT64_CONSTANT (1) << 30);
      g_ptr_array_add (argv, g_strdup ("--try"));
      g_ptr_array_add (argv, g_strdup ("--attest"));
      g_ptr_array_add (argv, NULL);
      g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, &error);
    }
  read_lines (report, out != NULL ? out : "");
  if (error != NULL)
    report->why = g_strdup (error->message);
  if (report->state == LS_JAIL_OFF || error != NULL)
    return report;
  holes = find_holes (report);
  report->state = holes == NULL ? LS_JAIL_HOLDS : strcmp (ls_jail_report_get (report, "filter"), "yes") == 0 || strcmp (ls_jail_report_get (report, "first"), "yes") == 0
                                                    ? LS_JAIL_PARTLY : LS_JAIL_REFUSED;
  if (holes != NULL && *ls_jail_report_get (report, "refused") != 0)
    report->why = g_strdup_printf ("%s (missing: %s)", ls_jail_report_get (report, "refused"), holes);
  else if (holes != NULL)
    report->why = g_strdup_printf ("missing: %s", holes);
  return report;
}

const LsJailReport *
ls_jail_probe (void)
{
  LsJailReport *report;

  g_mutex_lock (&known.lock);
  if (known.report == NULL)
    known.report = try_it ();
  report = known.report;
  g_mutex_unlock (&known.lock);
  return report;
}

void
ls_jail_probe_again (void)
{
  g_mutex_lock (&known.lock);
  g_clear_pointer (&known.report, report_free);
  known.consent = FALSE;
  g_mutex_unlock (&known.lock);
}

char *
ls_jail_report_sentence (const LsJailReport *report)
{
  switch (report->state)
    {
    case LS_JAIL_HOLDS:
      return NULL;
    case LS_JAIL_PARTLY:
      return g_strdup_printf (_("This machine lets the jail for cells hold only in part: %s."), report->why);
    case LS_JAIL_REFUSED:
      return g_strdup_printf (_("This machine allows no jail for cells: %s."), report->why);
    case LS_JAIL_OFF:
      return g_strdup (_("The jail for cells is switched off by LS_JAIL=off."));
    }
  return NULL;
}

gboolean
ls_jail_may_run (void)
{
  return known.consent || is_mode ("try") || is_mode ("off") || ls_jail_probe ()->state == LS_JAIL_HOLDS;
}

void
ls_jail_consent (void)
{
  known.consent = TRUE;
}

gboolean
ls_jail_is_optional (void)
{
  return known.consent || is_mode ("try");
}

/* ---- what runs in it ---- */

/* Children of all threads of the process, or of its first one. */
static void
add_children (GArray   *pids,
              int       pid,
              gboolean  threads)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/task", pid);
  g_autofree char *own = g_strdup_printf ("%d", pid);
  g_autoptr (GDir) dir = threads ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name = threads ? (dir != NULL ? g_dir_read_name (dir) : NULL) : own;

  for (; name != NULL; name = dir != NULL ? g_dir_read_name (dir) : NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, "children", NULL);
      g_autofree char *text = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      for (char *at = text, *end; *at != 0; at = end)
        {
          int child = (int) g_ascii_strtoll (at, &end, 10);

          if (end == at)
            break;
          g_array_append_val (pids, child);
        }
    }
}

static guint64
resident_of (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/statm", pid);
  g_autofree char *text = NULL;
  const char *second;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (second = strchr (text, ' ')) == NULL)
    return 0;
  return g_ascii_strtoull (second, NULL, 10) * (guint64) sysconf (_SC_PAGESIZE);
}

/* Shared pages by parts. */
static guint64
proportional_of (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (line = strstr (text, "\nPss:")) == NULL)
    return resident_of (pid);
  return g_ascii_strtoull (line + strlen ("\nPss:"), NULL, 10) * 1024;
}

guint64
ls_jail_resident (int      pid,
                  gboolean all,
                  guint64  limit)
{
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (int));
  guint64 sum = 0;

  if (pid <= 0)
    return 0;
  g_array_append_val (pids, pid);
  /* Ours outside, and the jail's first process: one thread each.  Without a jail it is the program itself. */
  for (guint i = 0; i < pids->len && (all || i < 2); i++)
    add_children (pids, g_array_index (pids, int, i), i >= 2 || is_mode ("off"));
  for (guint i = 0; i < pids->len; i++)
    sum += resident_of (g_array_index (pids, int, i));
  if (sum <= limit || limit == 0 || pids->len <= 3)
    return sum;
  sum = 0;
  for (guint i = 0; i < pids->len; i++)
    sum += proportional_of (g_array_index (pids, int, i));
  return sum;
}
