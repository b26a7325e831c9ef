/* loopscope-device: one bundle's steps on a device of this machine, without a compiler: data/device/host with tables that are read.
 *
 *   loopscope-device --plan FILE ...                    the folder of the file is where its kernels are
 *   loopscope-device --probe cuda|opencl|hip ...        only says which device there is
 *
 * Started by app/bundle, in the jail.  Exit status: 0 all results are right, 1 some are not, 2 nothing could be run. */
#include "app/about/about.h"
#include "app/device/plan.h"

#include <glib/gstdio.h>

#include <stdio.h>
#include <string.h>

/* data/device/host/main.c, whose main() it is in a bundle. */
int bundle_main (int argc, char **argv);

static const LsAboutExit exits[] = {
  { 0, "all results are right" },
  { 1, "some results are not right, or a kernel failed" },
  { 2, "nothing could be run, or the command line is wrong" },
  { 0, NULL },
};

static const LsAbout about = {
  "loopscope-device", "--plan FILE | --probe DRIVER",
  "Runs kernels on a GPU of this machine, compares what they compute and times them; for loopscope-measure --device and loopscope-cli search, which start it in "
  "the jail.  What it runs is the program of bundles (loopscope-cli device export), with tables that are read instead of compiled.",
  exits
};

static int
fail (const char *words)
{
  fprintf (stderr, "loopscope-device: %s\n", words);
  return 2;
}

static gboolean
is_api (const char *text)
{
  return strcmp (text, "cuda") == 0 || strcmp (text, "opencl") == 0 || strcmp (text, "hip") == 0;
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *plan = NULL, *probe = NULL, *out = NULL, *device = NULL, *seconds = NULL, *limit = NULL, *folder = NULL;
  gboolean quick = FALSE, version = FALSE, describe = FALSE;
  const GOptionEntry entries[] = {
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &plan, "plan.json of a folder of kernels", "FILE" },
    { "probe", 0, 0, G_OPTION_ARG_STRING, &probe, "only look which GPU there is, by this driver: cuda, opencl or hip", "DRIVER" },
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "where result.json is written", "FILE" },
    { "device", 0, 0, G_OPTION_ARG_STRING, &device, "which GPU; 0", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_STRING, &seconds, "of timing, for each step; 1", "S" },
    { "limit", 0, 0, G_OPTION_ARG_STRING, &limit, "after which a step counts as hung; 120", "S" },
    { "quick", 0, 0, G_OPTION_ARG_NONE, &quick, "without measuring how fast the GPU copies, and without times with its cache emptied", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, "the version and the libraries", NULL },
    { "describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &describe, NULL, NULL },
    { NULL }
  };
  const struct { const char *option; char **value; } passed[] = { { "-o", &out }, { "--device", &device }, { "--seconds", &seconds }, { "--limit", &limit } };
  g_autoptr (GOptionContext) context = g_option_context_new (about.usage);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, about.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return fail (error->message);
  if (describe)
    ls_about_put_description (&about, entries, FALSE);
  if (version)
    {
      g_autofree char *glib = ls_about_number (glib_major_version, glib_minor_version, glib_micro_version);

      ls_about_put_version ("loopscope-device", "GLib", glib, NULL);
    }
  if (describe || version)
    return 0;
  if (argc > 1 || (plan == NULL) == (probe == NULL) || (probe != NULL && !is_api (probe)))
    return fail ("--plan FILE, or --probe with cuda, opencl or hip, is expected");
  if (probe != NULL)
    device_plan_probe (probe);
  else if (!device_plan_read (plan, &error))
    return fail (error->message);
  folder = plan != NULL ? g_path_get_dirname (plan) : NULL;
  if (folder != NULL && g_chdir (folder) != 0)
    return fail ("the folder of the plan cannot be entered");
  g_ptr_array_add (words, argv[0]);
  for (guint i = 0; i < G_N_ELEMENTS (passed); i++)
    if (*passed[i].value != NULL)
      {
        g_ptr_array_add (words, (char *) passed[i].option);
        g_ptr_array_add (words, *passed[i].value);
      }
  if (quick)
    g_ptr_array_add (words, (char *) "--quick");
  g_ptr_array_add (words, NULL);
  return bundle_main ((int) words->len - 1, (char **) words->pdata);
}
