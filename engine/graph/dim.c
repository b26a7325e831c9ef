/* dim: an extent as text. */
#include "engine/graph/graph-private.h"

#include "engine/script/printer.h"

#include <string.h>

/* Sizes are int64 throughout, so that T.int64 (4) is only 4. */
char *
ls_graph_dim_text (LsNode *dim)
{
  g_autofree char *text = NULL;
  GString *out;
  gint64 value;

  if (ls_as_int (dim, &value))
    return g_strdup_printf ("%" G_GINT64_FORMAT, value);
  text = ls_script_print_expr ((LsExpr *) dim);
  out = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at++)
    if (g_str_has_prefix (at, "T.int64(") && strcspn (at + 8, "()") == strspn (at + 8, "-0123456789"))
      {
        gsize n = strcspn (at + 8, ")");

        g_string_append_len (out, at + 8, (gssize) n);
        at += 8 + n;
      }
    else
      g_string_append_c (out, *at);
  return g_string_free (out, FALSE);
}
