/* search: names, attributes, shapes, and patterns over edges.
 *
 * A pattern is terms joined by "->"; a term is words, all of which have to fit a node.  Chains are found by following the
 * edges from each node that fits the first term; the number of matches is bounded, as a pattern such as "* -> *" has many.
 */
#include "engine/graph/graph-private.h"

#include <string.h>

#define MAX_MATCHES 10000

typedef struct {
  GPtrArray *terms;             /* of char ** */
  LsGraph   *self;
  LsGraphSide *users;
  GPtrArray *matches;
  GArray    *chain;             /* of guint */
} Search;

/* * and ? in `glob`; letters of either case. */
static gboolean
fits_glob (const char *glob,
           const char *text)
{
  const char *star = NULL, *back = NULL;

  while (*text != '\0')
    {
      if (*glob == '*')
        {
          star = glob++;
          back = text;
        }
      else if (*glob == '?' || g_ascii_tolower (*glob) == g_ascii_tolower (*text))
        {
          glob++;
          text++;
        }
      else if (star != NULL)
        {
          glob = star + 1;
          text = ++back;
        }
      else
        return FALSE;
    }
  while (*glob == '*')
    glob++;
  return *glob == '\0';
}

static gboolean
fits_text (const char *glob,
           const char *text)
{
  return text != NULL && fits_glob (glob, text);
}

/* Does the type begin with this shape, or hold it as a whole?  Blanks do not count. */
static gboolean
fits_shape (const char *shape,
            const char *type)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *at = type != NULL ? type : ""; *at != '\0'; at++)
    if (*at != ' ')
      g_string_append_c (plain, *at);
    else if (strchr (type, ')') != NULL && at > strchr (type, ')'))
      break;
  return fits_glob (shape, plain->str);
}

static gboolean
fits_attribute (const char        *word,
                const char        *equals,
                const LsGraphNode *node)
{
  g_autofree char *name = g_strndup (word, (gsize) (equals - word));
  const struct { const char *name, *value; } own[] = {
    { "name", node->name }, { "op", node->title }, { "type", node->type }, { "function", node->function }, { "calls", node->callee },
  };

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (strcmp (name, own[i].name) == 0 && fits_text (equals + 1, own[i].value))
      return TRUE;
  for (guint i = 0; i + 1 < node->attributes->len; i += 2)
    if (fits_glob (name, node->attributes->pdata[i]) && fits_glob (equals + 1, node->attributes->pdata[i + 1]))
      return TRUE;
  return FALSE;
}

static gboolean
fits_word (const char        *word,
           const LsGraphNode *node)
{
  const char *equals = strchr (word, '=');
  const char *space = node->type != NULL ? strrchr (node->type, ' ') : NULL;

  if (word[0] == '(')
    return fits_shape (word, node->type);
  if (equals != NULL && equals > word)
    return fits_attribute (word, equals, node);
  return fits_text (word, node->title) || fits_text (word, node->name) || fits_text (word, node->detail) || fits_text (word, node->callee)
         || (node->detail != NULL && g_str_has_prefix (node->detail, "R.") && fits_glob (word, node->detail + 2))
         || (space != NULL && fits_glob (word, space + 1));
}

static gboolean
fits_term (char             **words,
           const LsGraphNode *node)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (!fits_word (words[i], node))
      return FALSE;
  return TRUE;
}

/* Words at blanks, but "(1, 128)" is one and loses its blanks. (transfer full); NULL: none */
static char **
split_words (const char *term)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) word = g_string_new (NULL);
  int depth = 0;

  for (const char *at = term;; at++)
    {
      if (*at != '\0' && (!g_ascii_isspace (*at) || depth > 0))
        {
          depth += (*at == '(') - (*at == ')');
          if (!g_ascii_isspace (*at))
            g_string_append_c (word, *at);
          continue;
        }
      if (word->len > 0)
        g_ptr_array_add (words, g_strdup (word->str));
      g_string_truncate (word, 0);
      if (*at == '\0')
        break;
    }
  if (words->len == 0)
    return NULL;
  g_ptr_array_set_free_func (words, NULL);
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

static void
follow (Search *search,
        guint   at)
{
  guint depth = search->chain->len;

  if (search->matches->len >= MAX_MATCHES || !fits_term (search->terms->pdata[depth], ls_graph_node (search->self, at)))
    return;
  g_array_append_val (search->chain, at);
  if (depth + 1 == search->terms->len)
    g_ptr_array_add (search->matches, g_array_ref (g_array_copy (search->chain)));
  else
    for (guint i = search->users->start[at]; i < search->users->start[at + 1]; i++)
      {
        guint to = ls_graph_edge (search->self, search->users->edges[i])->to;
        gboolean again = FALSE;

        for (guint k = i; k > search->users->start[at] && !again; k--)
          again = ls_graph_edge (search->self, search->users->edges[k - 1])->to == to;
        if (!again)
          follow (search, to);
      }
  g_array_set_size (search->chain, depth);
}

GPtrArray *
ls_graph_search (LsGraph    *self,
                 const char *pattern,
                 GError    **error)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "->", -1);
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autoptr (GPtrArray) matches = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (LsGraphSide) users = ls_graph_side (self, TRUE);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint));
  Search search = { terms, self, users, matches, chain };

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char **words = split_words (parts[i]);

      if (words == NULL)
        {
          g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN,
                       parts[1] == NULL ? "The pattern is empty." : "A name is missing %s \"->\"; * stands for any.", i == 0 ? "before" : "after");
          return NULL;
        }
      g_ptr_array_add (terms, words);
    }
  if (terms->len == 0)
    {
      g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN, "The pattern is empty.");
      return NULL;
    }
  for (guint i = 0; i < self->nodes->len; i++)
    follow (&search, i);
  return g_steal_pointer (&matches);
}
