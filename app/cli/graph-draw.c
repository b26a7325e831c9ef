/* graph-draw: see the header. */
#include "app/cli/graph-draw.h"

int
ls_cli_draw_graphs (const char *command,
                    GBytes     *input,
                    gboolean    dark)
{
  return ls_cli_draw (command, "--graph", input, dark, "pictures are painted by loopscope-draw, which is not beside this program; -o FILE.dot works without it");
}
