/* python-path: the folder that PYTHONPATH needs for `import tvm` to find the engine's own module.
 *
 * In a build tree that is engine/python beside the program; installed it is where meson put it, also when the whole was moved
 * to another place afterwards.
 */
#include "app/cli/cli.h"
#include "app/cli/input.h"

#include <stdio.h>

#include "app/kernel/kernel.h"

int
ls_cli_python_path (int    argc,
                    char **argv)
{
  g_autofree char *path = ls_kernel_python_path ();
  const char *nothing = NULL;
  gboolean json = FALSE;
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &json },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &nothing);

  if (status != LS_CLI_DONE)
    return status;
  if (nothing != NULL)
    return ls_cli_usage (argv[0], "%s is not expected", nothing);
  if (path == NULL)
    return ls_cli_fail (argv[0], "the Python module was not built; it needs python3-dev when Loopscope is built");
  if (json)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "path");
      json_builder_add_string_value (builder, path);
      json_builder_end_object (builder);
      ls_cli_put_json (builder);
    }
  else
    puts (path);
  return LS_CLI_DONE;
}
