/* tool/tool: the rows; they belong to the main thread. */
#include "app/tool/tool.h"

static GPtrArray *tools;        /* of const LsTool */
static GHashTable *begins;      /* rows that begin a section */
static gboolean ended;

void
ls_tool_register (const LsTool *tool)
{
  if (tools == NULL)
    tools = g_ptr_array_new ();
  if (begins == NULL)
    begins = g_hash_table_new (NULL, NULL);
  if (!g_ptr_array_find (tools, tool, NULL))
    {
      g_ptr_array_add (tools, (gpointer) tool);
      if (ended)
        g_hash_table_add (begins, (gpointer) tool);
    }
  ended = FALSE;
}

void
ls_tool_end_section (void)
{
  ended = TRUE;
}

gboolean
ls_tool_begins_section (guint n)
{
  return g_hash_table_contains (begins, ls_tool_get (n));
}

guint
ls_tool_get_n (void)
{
  return tools != NULL ? tools->len : 0;
}

const LsTool *
ls_tool_get (guint n)
{
  g_return_val_if_fail (n < ls_tool_get_n (), NULL);
  return g_ptr_array_index (tools, n);
}

const LsTool *
ls_tool_find (const char *id)
{
  for (guint i = 0; i < ls_tool_get_n (); i++)
    if (g_strcmp0 (ls_tool_get (i)->id, id) == 0)
      return ls_tool_get (i);
  return NULL;
}
