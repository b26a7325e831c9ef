/* main: the command line; each step in a process of its own with a watchdog; result.json.
 *
 *   check [-o FILE] [--device N] [--seconds S] [--limit S] [--once] [--step NAME] [--tools FOLDER] [--quick] [--in-process]
 *
 * A step that crashes or hangs ends its own process and is reported; the others run.  Writes nothing but FILE.
 * Exit status: 0 all results are right, 1 some are not, 2 nothing could be run. */
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FORMAT "loopscope-device-result"
#define VERSION 1

/* ---- the command line ---- */

typedef struct {
  Options     options;
  const char *out, *only, *tools;
  double      limit;            /* seconds that a step may take */
  bool        in_process;
} Request;

static bool
read_number (const char *text,
             double     *value)
{
  char *end;

  *value = strtod (text, &end);
  return end != text && *end == 0 && *value >= 0 && *value <= 1e6;
}

static bool
read_arguments (int       argc,
                char    **argv,
                Request  *request)
{
  double value = 0;

  for (int i = 1; i < argc; i++)
    {
      const char *next = i + 1 < argc ? argv[i + 1] : NULL;

      if (strcmp (argv[i], "--once") == 0)
        request->options.once = true;
      else if (strcmp (argv[i], "--in-process") == 0)
        request->in_process = true;
      else if (strcmp (argv[i], "--quick") == 0)
        request->options.quick = true;
      else if (next == NULL)
        return fail ("%s is not understood, or its value is missing.", argv[i]);
      else if (strcmp (argv[i], "-o") == 0)
        request->out = argv[++i];
      else if (strcmp (argv[i], "--step") == 0)
        request->only = argv[++i];
      else if (strcmp (argv[i], "--tools") == 0)
        request->tools = argv[++i];
      else if (!read_number (next, &value))
        return fail ("%s is followed by a number from 0 on, not by %s.", argv[i], next);
      else if (strcmp (argv[i], "--device") == 0)
        request->options.device = (int) value;
      else if (strcmp (argv[i], "--seconds") == 0)
        request->options.seconds = value;
      else if (strcmp (argv[i], "--limit") == 0)
        request->limit = value;
      else
        return fail ("%s is not understood.", argv[i]);
      i += next != NULL && (strcmp (argv[i], "--device") == 0 || strcmp (argv[i], "--seconds") == 0 || strcmp (argv[i], "--limit") == 0);
    }
  return true;
}

/* ---- processes ---- */

static const Driver *
driver_of_plan (void)
{
  return strcmp (plan->api, "opencl") == 0 ? &opencl_driver : strcmp (plan->api, "hip") == 0 ? &hip_driver : &cuda_driver;
}

/* Step -1 is the probe. */
static bool
work (const Request *request,
      int            step,
      FILE          *out)
{
  return step < 0 ? run_probe (driver_of_plan (), &request->options, out) : run_step (driver_of_plan (), &plan->steps[step], &request->options, out);
}

static void
child (const Request *request,
       int            step,
       int            to)
{
  FILE *out = fdopen (to, "w");
  bool ok;

  put_start ();
  ok = work (request, step, out);

  if (!ok && step < 0)
    fprintf (out, "!%s", failure ());
  fflush (out);
  _exit (ok ? 0 : 1);
}

static double
seconds_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* What the child writes, until it ends or `limit` is over; NULL with a sentence. (free it) */
static char *
listen_to (pid_t   pid,
           int     from,
           double  limit,
           bool   *ok)
{
  double end = seconds_now () + limit;
  size_t n = 0, room = 1 << 16;
  char *text = malloc (room);
  int status = 0;
  ssize_t got = 1;

  while (text != NULL && got > 0)
    {
      struct pollfd watched = { .fd = from, .events = POLLIN };
      double left = end - seconds_now ();

      if (n + 4097 > room)
        text = realloc (text, room *= 2);
      if (left <= 0 || text == NULL)
        break;
      if (poll (&watched, 1, (int) (left * 1000) + 1) > 0)
        {
          got = read (from, text + n, 4096);
          n += got > 0 ? (size_t) got : 0;
        }
    }
  if (got > 0)
    kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (got > 0)
    fail ("It did not end within %.0f seconds and was stopped: the kernel hangs, or --limit is too short for this device.", limit);
  else if (WIFSIGNALED (status))
    fail ("Its process was ended by signal %d (%s).", WTERMSIG (status), strsignal (WTERMSIG (status)));
  else if (n == 0)
    fail ("Its process ended without a word (exit status %d).", WEXITSTATUS (status));
  else
    {
      text[n] = 0;
      *ok = WEXITSTATUS (status) == 0;
      return text;
    }
  free (text);
  return NULL;
}

static char *
in_own_process (const Request *request,
                int            step,
                bool          *ok)
{
  int ends[2];
  pid_t pid;
  char *text;

  *ok = false;
  fflush (NULL);
  if (pipe (ends) != 0 || (pid = fork ()) < 0)
    {
      fail ("No process can be started: %s.", strerror (errno));
      return NULL;
    }
  if (pid == 0)
    {
      close (ends[0]);
      child (request, step, ends[1]);
    }
  close (ends[1]);
  text = listen_to (pid, ends[0], request->limit, ok);
  close (ends[0]);
  return text;
}

/* ---- result.json ---- */

static void
put_failed (FILE       *out,
            const Step *step)
{
  put_open (out, NULL, '{');
  put_string (out, "name", step->name);
  put_string (out, "title", step->title);
  put_string (out, "hash", step->hash);
  put_string (out, "verdict", "failed");
  put_string (out, "reason", failure ());
  put_raw (out, "simulated", step->simulated);
  put_close (out, '}');
}

static void
put_head (FILE *out)
{
  time_t now = time (NULL);
  char when[64];

  strftime (when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime (&now));
  put_open (out, NULL, '{');
  put_string (out, "format", FORMAT);
  put_integer (out, "version", VERSION);
  put_string (out, "name", plan->name);
  put_string (out, "program", plan->program_hash);
  put_string (out, "made_by", plan->made_by);
  put_string (out, "target", plan->target);
  put_string (out, "when", when);
}

static void
say (const Step *step,
     const char *text,
     bool        ok)
{
  const char *reason = text != NULL ? strstr (text, "\"reason\": \"") : NULL;

  if (text == NULL)
    printf ("%-24s failed: %s\n", step->name, failure ());
  else if (ok)
    {
      const char *time_at = strstr (text, "\"median\": ");

      if (time_at != NULL)
        printf ("%-24s right, %.4g us\n", step->name, strtod (time_at + strlen ("\"median\": "), NULL) / 1e3);
      else
        printf ("%-24s right\n", step->name);
    }
  else if (reason != NULL)
    {
      int n = (int) strcspn (reason += 11, "\n");

      while (n > 0 && (reason[n - 1] == ',' || reason[n - 1] == '"'))   /* the end of the member */
        n--;
      printf ("%-24s failed: %.*s\n", step->name, n, reason);
    }
  else
    printf ("%-24s WRONG: the first difference is in the result\n", step->name);
  fflush (stdout);
}

static bool
wanted (const Request *request,
        int            i)
{
  return request->only == NULL || strcmp (request->only, plan->steps[i].name) == 0;
}

/* Member by member into `out`; the number of steps that are not right. */
static int
run_steps (const Request *request,
           FILE          *out)
{
  int wrong = 0, launches = 0;

  put_open (out, "steps", '[');
  for (int i = 0; i < plan->n_steps; i++)
    if (wanted (request, i))
      {
        bool ok = false;
        char *text = in_own_process (request, i, &ok);

        say (&plan->steps[i], text, ok);
        if (text == NULL)
          put_failed (out, &plan->steps[i]);
        else
          put_raw (out, NULL, text);
        wrong += !ok;
        forgive ();
        free (text);
      }
  put_close (out, ']');
  put_open (out, "counted", '[');
  for (int i = 0; i < plan->n_steps; i++)
    for (int k = 0; wanted (request, i) && k < plan->steps[i].n_launches; k++)
      {
        put_open (out, NULL, '{');
        put_string (out, "step", plan->steps[i].name);
        put_string (out, "kernel", plan->steps[i].launches[k].kernel);
        if (request->tools != NULL)
          put_counters (out, request->tools, launches);
        put_close (out, '}');
        launches++;
      }
  put_close (out, ']');
  return wrong;
}

/* The text with its checksum as the last member, by way of a file beside it. */
static bool
write_result (const char *path,
              const char *text,
              size_t      length)
{
  char beside[1024];
  FILE *file;
  bool ok;

  snprintf (beside, sizeof beside, "%s.part", path);
  file = fopen (beside, "wb");
  if (file == NULL)
    return fail ("%s cannot be written: %s.", beside, strerror (errno));
  ok = fwrite (text, 1, length, file) == length && fprintf (file, ",\n\"checksum\": \"%016llx\"\n}\n", (unsigned long long) bundle_sum (BUNDLE_SUM, text, length)) > 0;
  ok = fclose (file) == 0 && ok && rename (beside, path) == 0;
  return ok || fail ("%s cannot be written: %s.", path, strerror (errno));
}

static int
run_all (const Request *request)
{
  FILE *out = tmpfile ();
  bool ok = false;
  char *probe, *text;
  size_t length = 0;
  int wrong;

  if (out == NULL)
    return fail ("No temporary file can be made: %s.", strerror (errno)), 2;
  probe = in_own_process (request, -1, &ok);
  if (probe == NULL || !ok)
    {
      if (probe != NULL)
        fail ("%s", probe[0] == '!' ? probe + 1 : probe);
      return 2;
    }
  put_head (out);
  put_raw (out, "device", probe);
  if (request->tools != NULL)
    put_tools (out, request->tools);
  wrong = run_steps (request, out);
  free (probe);
  rewind (out);
  text = read_stream (out, &length);
  fclose (out);
  if (text == NULL || (request->out != NULL && !write_result (request->out, text, length)))
    return 2;
  free (text);
  return wrong > 0 ? 1 : 0;
}

/* For tools that look into one process. */
static int
run_here (const Request *request)
{
  FILE *out = fopen ("/dev/null", "w");
  int wrong = 0;

  for (int i = 0; out != NULL && i < plan->n_steps; i++)
    if (wanted (request, i))
      {
        wrong += !work (request, i, out);
        if (failure ()[0] != 0)
          fprintf (stderr, "%s: %s\n", plan->steps[i].name, failure ());
        forgive ();
      }
  if (out != NULL)
    fclose (out);
  return wrong > 0 ? 1 : 0;
}

int
main (int    argc,
      char **argv)
{
  Request request = { .options = { .seconds = 1.0 }, .limit = 120 };
  int status;

  if (!read_arguments (argc, argv, &request))
    {
      fprintf (stderr, "check: %s\nUsage: check [-o FILE] [--device N] [--seconds S] [--limit S] [--once] [--step NAME] [--tools FOLDER] [--quick] [--in-process]\n", failure ());
      return 2;
    }
  status = request.in_process ? run_here (&request) : run_all (&request);
  if (failure ()[0] != 0)
    fprintf (stderr, "check: %s\n", failure ());
  return status;
}
