/* python-path: the folder that PYTHONPATH needs for `import tvm` to find the engine's own module.
 *
 * In a build tree that is engine/python beside the program; installed it is where meson put it.
 */
#include "app/cli/cli.h"

#include <stdio.h>

/* The folder of a build tree in which this program stands, or NULL. (transfer full) */
static char *
in_build_tree (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "..", "..", "engine", "python", NULL) : NULL;
  g_autofree char *package = path != NULL ? g_build_filename (path, "tvm", "__init__.py", NULL) : NULL;

  return package != NULL && g_file_test (package, G_FILE_TEST_EXISTS) ? g_canonicalize_filename (path, NULL) : NULL;
}

int
ls_cli_python_path (int    argc,
                    char **argv)
{
  g_autofree char *path = NULL;
  LsCliArgs args;

  ls_cli_args_init (&args, argc, argv);
  if (ls_cli_args_more (&args))
    return ls_cli_args_refuse (&args);
  path = in_build_tree ();
  if (path == NULL && g_file_test (LS_PYTHON_DIR "/tvm/__init__.py", G_FILE_TEST_EXISTS))
    path = g_strdup (LS_PYTHON_DIR);
  if (path == NULL)
    return ls_cli_fail (argv[0], "the Python module was not built; it needs python3-dev when Loopscope is built");
  puts (path);
  return LS_CLI_DONE;
}
