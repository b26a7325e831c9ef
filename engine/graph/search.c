/* search: names, attributes, shapes, and patterns over edges.
 *
 * A pattern is terms joined by "->"; a term is words, all of which have to fit a node.  Chains are found by following the
 * edges from each node that fits the first term; their number is bounded, as a pattern such as "* -> *" has many.
 */
#include "engine/graph/graph-private.h"

#include "engine/relax/analysis.h"
#include "engine/relax/dpl/dpl.h"

#include <string.h>

#define MOST_CHAINS 10000

typedef struct {
  char   *text;
  GRegex *regex;                /* NULL: a text with * and ? */
} Word;

typedef struct {
  GPtrArray *terms;             /* of GPtrArray of Word */
  LsGraph   *self;
  LsGraphSide *users;
  GPtrArray *matches;
  guint      most;
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

/* Is `glob` a run of whole parts of the name, numbers behind a part left out?  "fused_softmax3_multiply": fused, softmax, ... */
static gboolean
fits_parts (const char *glob,
            const char *name)
{
  gsize n = strlen (glob);

  if (name == NULL || n == 0)
    return FALSE;
  for (const char *at = name; *at != '\0'; at++)
    {
      const char *end = at + n;

      if ((at > name && at[-1] != '_' && at[-1] != '.') || g_ascii_strncasecmp (at, glob, n) != 0)
        continue;
      while (g_ascii_isdigit (*end))
        end++;
      if (*end == '\0' || *end == '_' || *end == '.')
        return TRUE;
    }
  return FALSE;
}

static gboolean
fits_regex (GRegex            *regex,
            const LsGraphNode *node)
{
  const char *const texts[] = { node->title, node->name, node->detail, node->callee, node->type };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL && g_regex_match (regex, texts[i], 0, NULL))
      return TRUE;
  return FALSE;
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
fits_word (const Word        *wanted,
           const LsGraphNode *node)
{
  const char *word = wanted->text;
  const char *equals = strchr (word, '=');
  const char *space = node->type != NULL ? strrchr (node->type, ' ') : NULL;

  if (wanted->regex != NULL)
    return fits_regex (wanted->regex, node);
  if (word[0] == '(')
    return fits_shape (word, node->type);
  if (equals != NULL && equals > word)
    return fits_attribute (word, equals, node);
  return fits_text (word, node->title) || fits_text (word, node->name) || fits_text (word, node->detail) || fits_text (word, node->callee)
         || (node->detail != NULL && g_str_has_prefix (node->detail, "R.") && fits_glob (word, node->detail + 2))
         || (node->kind == LS_GRAPH_NODE_CALL && (fits_parts (word, node->callee) || fits_parts (word, node->title)))
         || (space != NULL && fits_glob (word, space + 1));
}

static gboolean
fits_term (GPtrArray         *words,
           const LsGraphNode *node)
{
  for (guint i = 0; i < words->len; i++)
    if (!fits_word (words->pdata[i], node))
      return FALSE;
  return TRUE;
}

static void
word_free (gpointer data)
{
  Word *self = data;

  g_free (self->text);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_free (self);
}

static gboolean
add_word (GPtrArray  *words,
          const char *text,
          gsize       n,
          GError    **error)
{
  Word *word = g_new0 (Word, 1);
  g_autoptr (GError) wrong = NULL;
  g_autofree char *inner = NULL;

  word->text = g_strndup (text, n);
  g_ptr_array_add (words, word);
  if (text[0] != '/')
    return TRUE;
  if (n < 3 || text[n - 1] != '/')
    {
      g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN,
                   n == 2 ? ls_translate ("The regular expression is empty: %s") : ls_translate ("A regular expression ends with a slash: %s"), word->text);
      return FALSE;
    }
  inner = g_strndup (text + 1, n - 2);
  word->regex = g_regex_new (inner, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, &wrong);
  if (word->regex == NULL)
    g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN, wrong->message);
  return word->regex != NULL;
}

/* The length of the word at `at`: up to a blank or an arrow outside of brackets and slashes. */
static gsize
word_length (const char *at)
{
  gboolean is_regex = at[0] == '/';
  int depth = 0;
  gsize n = 0;

  for (; at[n] != '\0'; n++)
    if (is_regex)
      {
        if (at[n] == '\\' && at[n + 1] != '\0')
          n++;
        else if (n > 0 && at[n] == '/')
          return n + 1;
      }
    else if (depth <= 0 && (g_ascii_isspace (at[n]) || (at[n] == '-' && at[n + 1] == '>')))
      return n;
    else
      depth += (at[n] == '(') - (at[n] == ')');
  return n;
}

/* Terms of words; in "(1, 128)" blanks do not count. (transfer full); NULL: wrong */
static GPtrArray *
read_pattern (const char *pattern,
              GError    **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  GPtrArray *words = g_ptr_array_new_with_free_func (word_free);

  g_ptr_array_add (terms, words);
  for (const char *at = pattern; *at != '\0';)
    {
      gboolean is_arrow = at[0] == '-' && at[1] == '>';
      gsize n = is_arrow ? 2 : word_length (at);

      if (is_arrow && words->len == 0)
        break;
      if (is_arrow)
        g_ptr_array_add (terms, words = g_ptr_array_new_with_free_func (word_free));
      else if (n > 0)
        {
          g_autoptr (GString) text = g_string_new_len (at, (gssize) n);

          for (gsize i = 0; at[0] != '/' && i < text->len;)
            if (g_ascii_isspace (text->str[i]))
              g_string_erase (text, (gssize) i, 1);
            else
              i++;
          if (!add_word (words, text->str, text->len, error))
            return NULL;
        }
      at += MAX (n, 1);
    }
  if (words->len > 0)
    return g_steal_pointer (&terms);
  if (terms->len == 1 && strstr (pattern, "->") == NULL)
    g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN, ls_translate ("The pattern is empty."));
  else
    g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN, "%s",
                 terms->len == 1 ? ls_translate ("A name is missing before \"->\"; * stands for any.") : ls_translate ("A name is missing after \"->\"; * stands for any."));
  return NULL;
}

static void
follow (Search *search,
        guint   at)
{
  guint depth = search->chain->len;

  if (search->matches->len > search->most || !fits_term (search->terms->pdata[depth], ls_graph_node (search->self, at)))
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

/* ---- patterns of dataflow ------------------------------------------------------------------ */

static gint
by_number (gconstpointer a,
           gconstpointer b)
{
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

/* What variables are bound to, also those that have no node of their own, and the node of each value plus one. */
static void
note_values (LsGraph    *self,
             GHashTable *values,
             GHashTable *nodes)
{
  for (guint i = 0; self->functions != NULL && i < self->functions->len; i++)
    {
      g_autoptr (GHashTable) own = ls_relax_values (self->functions->pdata[i]);
      GHashTableIter iter;
      gpointer var, value;

      g_hash_table_iter_init (&iter, own);
      while (g_hash_table_iter_next (&iter, &var, &value))
        g_hash_table_insert (values, var, value);
    }
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsNode *binding = ls_graph_node (self, i)->node;

      if (!ls_is (binding, VAR_BINDING))
        continue;
      g_hash_table_insert (nodes, ls_binding_value (binding), GUINT_TO_POINTER (i + 1));
    }
}

/* Each node whose value fits, with the nodes that its parts fit, in program order. */
static GPtrArray *
search_dataflow (LsGraph    *self,
                 const char *text,
                 GError    **error)
{
  g_autoptr (LsNode) pattern = ls_pattern_parse (text, error);
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL), nodes = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) matches = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  if (pattern == NULL)
    return NULL;
  note_values (self, values, nodes);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsNode *binding = ls_graph_node (self, i)->node;
      g_autoptr (LsPatternMatch) match = ls_is (binding, VAR_BINDING) ? ls_pattern_match (pattern, ls_binding_value (binding), values) : NULL;
      GArray *found;

      if (match == NULL)
        continue;
      found = g_array_new (FALSE, FALSE, sizeof (guint));
      for (guint k = 0; k < ls_pattern_match_get_n (match); k++)
        {
          LsPattern *part = ls_pattern_match_pattern (match, k);
          guint at = GPOINTER_TO_UINT (g_hash_table_lookup (nodes, ls_pattern_match_expr (match, k))), number = at - 1;
          gboolean again = at == 0 || !ls_pattern_is_computed (part);

          for (guint m = 0; m < found->len && !again; m++)
            again = g_array_index (found, guint, m) == number;
          if (!again)
            g_array_append_val (found, number);
        }
      if (found->len == 0)
        g_array_append_val (found, i);
      g_array_sort (found, by_number);
      g_ptr_array_add (matches, found);
    }
  return g_steal_pointer (&matches);
}

guint
ls_graph_most_matches (LsGraph *self)
{
  return MAX (self->nodes->len, MOST_CHAINS);
}

GPtrArray *
ls_graph_search (LsGraph    *self,
                 const char *pattern,
                 GError    **error)
{
  g_autoptr (GPtrArray) terms = ls_pattern_text_is (pattern) ? NULL : read_pattern (pattern, error);
  g_autoptr (GPtrArray) matches = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (LsGraphSide) users = ls_graph_side (self, TRUE);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint));
  Search search = { terms, self, users, matches, ls_graph_most_matches (self), chain };

  if (terms == NULL)
    return ls_pattern_text_is (pattern) ? search_dataflow (self, pattern, error) : NULL;
  for (guint i = 0; i < self->nodes->len; i++)
    follow (&search, i);
  return g_steal_pointer (&matches);
}

GPtrArray *
ls_graph_show_matches (LsGraph   *self,
                       GPtrArray *matches)
{
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < matches->len; i++)
    {
      GArray *match = matches->pdata[i], *chain = g_array_new (FALSE, FALSE, sizeof (guint));

      for (guint k = 0; k < match->len; k++)
        {
          guint at = ls_graph_get_shown (self, g_array_index (match, guint, k));

          if (k == 0 || g_array_index (chain, guint, chain->len - 1) != at)
            g_array_append_val (chain, at);
        }
      g_ptr_array_add (shown, chain);
    }
  return g_steal_pointer (&shown);
}
