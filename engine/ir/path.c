/* path: positions below a root, as child numbers, and their printed form.
 *
 * Printed: ".body", "[3]" and "[\"key\"]" by turns.  The functions of a module are named instead of counted:
 * .functions["main"].body
 */
#include "engine/ir/ir.h"

#include <string.h>

LsPath *
ls_path_new (const guint32 *steps,
             guint          n)
{
  LsPath *self = g_malloc (sizeof (LsPath) + sizeof (guint32) * n);

  self->n = n;
  if (n > 0)
    memcpy (self->steps, steps, sizeof (guint32) * n);
  return self;
}

void
ls_path_free (LsPath *self)
{
  g_free (self);
}

LsPath *
ls_path_copy (const LsPath *self)
{
  return self != NULL ? ls_path_new (self->steps, self->n) : NULL;
}

gboolean
ls_path_equal (const LsPath *a,
               const LsPath *b)
{
  return a->n == b->n && (a->n == 0 || memcmp (a->steps, b->steps, sizeof (guint32) * a->n) == 0);
}

LsNode *
ls_path_get (const LsPath *self,
             gpointer      root)
{
  LsNode *node = root;

  for (guint i = 0; node != NULL && i < self->n; i++)
    node = ls_node_get_child (node, self->steps[i]);
  return node;
}

static LsNode *
replace (const LsPath *self,
         guint         depth,
         LsNode       *node,
         LsNode       *sub)
{
  g_autoptr (LsNode) child = NULL;
  LsNode *old;

  if (depth == self->n)
    return ls_node_ref (sub);
  g_return_val_if_fail (node != NULL && self->steps[depth] < ls_node_get_n_children (node), NULL);
  old = ls_node_get_child (node, self->steps[depth]);
  child = replace (self, depth + 1, old, sub);
  return ls_node_with_child (node, self->steps[depth], child);
}

LsNode *
ls_path_replace (const LsPath *self,
                 gpointer      root,
                 gpointer      sub)
{
  return replace (self, 0, root, sub);
}

/* ---- find ------------------------------------------------------------------ */

typedef struct {
  LsNode     *wanted;
  gboolean    inside_identity;
  LsPathEnter enter;            /* or NULL */
  gpointer    user_data;
} Search;

static gboolean
find (LsNode *node,
      Search *search,
      GArray *steps)
{
  guint n;

  if (node == search->wanted)
    return TRUE;
  if ((node->klass->flags & LS_CLASS_IDENTITY) && !search->inside_identity)
    return FALSE;
  if (search->enter != NULL && !search->enter (node, search->user_data))
    return FALSE;
  n = ls_node_get_n_children (node);
  for (guint32 i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child == NULL)
        continue;
      g_array_append_val (steps, i);
      if (find (child, search, steps))
        return TRUE;
      g_array_set_size (steps, steps->len - 1);
    }
  return FALSE;
}

LsPath *
ls_path_find (gpointer root,
              gpointer node)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search outside = { node, FALSE, NULL, NULL };
  Search inside = { node, TRUE, NULL, NULL };

  if (root == NULL || node == NULL || (!find (root, &outside, steps) && !find (root, &inside, steps)))
    return NULL;
  return ls_path_new ((const guint32 *) (gpointer) steps->data, steps->len);
}

LsPath *
ls_path_find_in (gpointer    root,
                 gpointer    node,
                 LsPathEnter enter,
                 gpointer    user_data)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search search = { node, FALSE, enter, user_data };

  if (root == NULL || node == NULL || !find (root, &search, steps))
    return NULL;
  return ls_path_new ((const guint32 *) (gpointer) steps->data, steps->len);
}

/* ---- print and parse ---------------------------------------------------------- */

static const char *
function_name (LsNode *parent,
               LsNode *list,
               guint   i)
{
  LsModule *module = (LsModule *) parent;

  if (!ls_is (parent, MODULE) || list != LS_NODE (module->functions) || i >= module->global_vars->n)
    return NULL;
  return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
}

/* Role of child i of `node`, whose parent is `parent`, as it stands in a printed path. */
static char *
dup_step (LsNode *parent,
          LsNode *node,
          guint   i)
{
  const char *function = function_name (parent, node, i);
  g_autofree char *role = NULL;

  if (function != NULL)
    return g_strdup_printf ("[\"%s\"]", function);
  role = ls_node_dup_child_role (node, i);
  return role[0] == '[' ? g_steal_pointer (&role) : g_strconcat (".", role, NULL);
}

char *
ls_path_print (const LsPath *self,
               gpointer      root)
{
  GString *text = g_string_new (NULL);
  LsNode *node = root, *parent = NULL;

  for (guint i = 0; i < self->n; i++)
    {
      LsNode *child = node != NULL ? ls_node_get_child (node, self->steps[i]) : NULL;
      g_autofree char *step = node != NULL ? dup_step (parent, node, self->steps[i]) : g_strdup_printf ("[%u]", self->steps[i]);

      g_string_append (text, step);
      parent = node;
      node = child;
    }
  return g_string_free (text, FALSE);
}

LsPath *
ls_path_parse (const char *text,
               gpointer    root)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  LsNode *node = root, *parent = NULL;

  while (*text != '\0')
    {
      guint n = node != NULL ? ls_node_get_n_children (node) : 0;
      gsize longest = 0;
      guint32 best = 0;

      for (guint32 i = 0; i < n; i++)
        {
          g_autofree char *step = dup_step (parent, node, i);
          gsize length = strlen (step);

          if (length > longest && strncmp (text, step, length) == 0)
            {
              longest = length;
              best = i;
            }
        }
      if (longest == 0)
        return NULL;
      g_array_append_val (steps, best);
      text += longest;
      parent = node;
      node = ls_node_get_child (node, best);
    }
  return ls_path_new ((const guint32 *) (gpointer) steps->data, steps->len);
}
