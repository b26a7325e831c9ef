/* kept-names: the names that a text cannot show, as comment lines behind it, and back.
 *
 * A buffer R is printed as R_1, because R stands for a module of the script; one of two nested loops i is i_1, `in` is in_.
 * Read again they would be called so, and what steps make of them too: pad_einsum names a block after the buffer, and a
 * step that asks for "R_pad" would find "R_1_pad".  A text that is to be read by us again, with steps on it, therefore says
 *
 *   # loopscope: names of main: R_1 "R", i_1#1 "i"
 *
 * one line for each function: the name in the text, which one when several have it (#1: the second), and the name itself,
 * escaped as in C.  The line is a comment for everybody else.  What matches nothing, because the text was edited, is passed over;
 * a line that is none of ours too.  Known limit: of a buffer's own pointer, which no text shows, the name becomes the buffer's.
 */
#include "engine/script/kept-names-private.h"

#include "engine/relax/relax.h"
#include "engine/script/script.h"

#include <stdlib.h>
#include <string.h>

/* ---- what has a name -------------------------------------------------------- */

static char **
name_slot (LsNode *node)
{
  if (ls_is (node, BUFFER))
    return &((LsBuffer *) node)->name;
  if (ls_is_var (node))
    return &((LsVar *) node)->name;
  if (ls_is_relax_var (node))
    return &((LsRelaxVar *) node)->name;
  return NULL;
}

const char *
ls_kept_name (LsNode *node)
{
  char **slot = name_slot (node);

  return slot == NULL ? NULL : *slot != NULL ? *slot : "";
}

/* The pointer behind a buffer, unless the text names it. */
static LsNode *
hidden_by (LsNode *node)
{
  LsBuffer *buffer = (LsBuffer *) node;

  return ls_is (node, BUFFER) && buffer->data != NULL && g_strcmp0 (buffer->data->name, buffer->name) == 0 ? LS_NODE (buffer->data) : NULL;
}

/* The parameter that the text writes as its buffer: the reader calls it A_handle. */
static gboolean
is_hidden_param (LsPrimFunc *func,
                 guint       i)
{
  const char *param = ls_kept_name (func->params->items[i]);
  const char *buffer = i < ls_array_n (func->buffers) && func->buffers->items[i] != NULL ? ls_kept_name (func->buffers->items[i]) : NULL;
  gsize n = buffer != NULL ? strlen (buffer) : 0;

  return buffer != NULL && strncmp (param, buffer, n) == 0 && strcmp (param + n, "_handle") == 0;
}

/* ---- the named nodes of a function, in an order that only its text decides ---- */

typedef struct {
  GHashTable *seen;             /* of nodes that are equal only to themselves */
  GPtrArray  *named;            /* of LsNode, borrowed */
} Names;

static void
collect (Names  *self,
         LsNode *node)
{
  guint n;

  if (node == NULL || ((node->klass->flags & LS_CLASS_IDENTITY) && !g_hash_table_add (self->seen, node)))
    return;
  if (name_slot (node) != NULL)
    g_ptr_array_add (self->named, node);
  if (hidden_by (node) != NULL)
    g_hash_table_add (self->seen, hidden_by (node));
  n = ls_node_get_n_children (node);
  for (guint i = 0; i < n; i++)
    collect (self, ls_node_get_child (node, i));
}

GPtrArray *
ls_kept_names_of (LsNode *function)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Names self = { seen, g_ptr_array_new () };

  if (ls_is (function, PRIM_FUNC))
    for (guint i = 0; i < ls_array_n (((LsPrimFunc *) function)->params); i++)
      if (is_hidden_param ((LsPrimFunc *) function, i))
        g_hash_table_add (seen, ((LsPrimFunc *) function)->params->items[i]);
  collect (&self, function);
  return self.named;
}

char *
ls_kept_names_key (GHashTable *counts,
                   LsNode     *node)
{
  const char *name = ls_kept_name (node);
  guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name));

  g_hash_table_insert (counts, g_strdup (name), GUINT_TO_POINTER (nth + 1));
  return nth == 0 ? g_strdup (name) : g_strdup_printf ("%s#%u", name, nth);
}

/* ---- reading ---------------------------------------------------------------- */

/* The names of one line: key -> name.  `at` is behind the function's name. */
static GHashTable *
read_line (const char *at,
           const char *end)
{
  GHashTable *given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (at < end)
    {
      const char *key = at, *name, *stop;

      while (at < end && (g_ascii_isalnum (*at) || *at == '_' || *at == '#'))
        at++;
      if (at == key || at + 1 >= end || at[0] != ' ' || at[1] != '"')
        break;
      stop = name = at + 2;
      while (stop < end && *stop != '"')
        stop += *stop == '\\' ? 2 : 1;
      if (stop >= end)
        break;
      {
        g_autofree char *escaped = g_strndup (name, (gsize) (stop - name));
        g_autofree char *plain = g_strcompress (escaped);

        if (g_utf8_validate (plain, -1, NULL))
          g_hash_table_insert (given, g_strndup (key, (gsize) (at - key)), g_steal_pointer (&plain));
      }
      at = stop + 1;
      if (at + 1 < end && at[0] == ',' && at[1] == ' ')
        at += 2;
    }
  return given;
}

static void
rename_node (LsNode     *node,
             const char *name)
{
  LsNode *pointer = hidden_by (node);
  char **slot = name_slot (node);

  if (pointer != NULL)
    rename_node (pointer, name);
  g_free (*slot);
  *slot = g_strdup (name);
}

static void
take_line (LsModule   *module,
           guint32     made_by,
           const char *line,
           const char *end)
{
  const char *colon = g_strstr_len (line, end - line, ": ");
  g_autofree char *function = colon != NULL ? g_strndup (line, (gsize) (colon - line)) : NULL;
  LsNode *read = function != NULL ? ls_module_get (module, function) : NULL;
  g_autoptr (GHashTable) given = read != NULL ? read_line (colon + 2, end) : NULL;
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) named = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (given == NULL || g_hash_table_size (given) == 0)
    return;
  named = ls_kept_names_of (read);
  for (guint i = 0; i < named->len; i++)
    {
      g_autofree char *key = ls_kept_names_key (counts, named->pdata[i]);

      g_ptr_array_add (names, g_hash_table_lookup (given, key));
    }
  for (guint i = 0; i < named->len; i++)
    if (names->pdata[i] != NULL && (made_by == 0 || LS_NODE (named->pdata[i])->span.source == made_by))
      rename_node (named->pdata[i], names->pdata[i]);
}

void
ls_kept_names_take (LsModule *module,
                    LsSource *source,
                    gboolean  shares)
{
  const char *text = ls_source_get_text (source, NULL), *at = text;

  while ((at = strstr (at, LS_KEPT_NAMES_HEAD)) != NULL)
    {
      const char *end = at + strcspn (at, "\r\n");

      if (at == text || at[-1] == '\n')
        take_line (module, shares ? ls_source_get_id (source) : 0, at + strlen (LS_KEPT_NAMES_HEAD), end);
      at = end;
    }
}
