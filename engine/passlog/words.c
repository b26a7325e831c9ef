/* words: what of a line is a value, what is its meaning, and what it writes, in each language.
 *
 * A value is a word by its sign (%x, ^bb0, bb.3, _12 and x_12 in GIMPLE, %r12 in PTX); HLO in its short form has no signs. */
#include "engine/passlog/private.h"

#include <string.h>

/* Length of a name at `at`. */
static gsize
word_length (const char *at)
{
  gsize n = 0;

  while (ls_pass_is_word (at[n]))
    n++;
  return n;
}

/* Length of the value that begins here; 0: none does. */
static gsize
signed_value_length (const char   *at,
                     gboolean      inside,
                     LsPassLogKind kind)
{
  gsize n = 1;

  if (kind == LS_PASS_LOG_PTX)          /* %r12, $L__BB0_2; %tid.x has a meaning and is no number */
    {
      while (ls_pass_is_word (at[n]) && at[n] != '.')
        n++;
      return (*at == '%' && g_ascii_isdigit (at[n - 1]) && at[n] != '.') || (*at == '$' && n > 1) ? n : 0;
    }
  if (*at == '%' || (*at == '^' && kind == LS_PASS_LOG_MLIR))
    {
      if (at[1] == '"')
        {
          const char *stop = strchr (at + 2, '"');

          return stop != NULL ? (gsize) (stop - at) + 1 : 0;
        }
      while (ls_pass_is_word (at[n]) && !(at[n] == '-' && at[n + 1] == '>'))
        n++;
      while (n > 1 && at[n - 1] == '.' && kind == LS_PASS_LOG_LLVM)
        n--;
      return n > 1 ? n : 0;
    }
  if (inside)
    return 0;
  if (kind == LS_PASS_LOG_LLVM && strncmp (at, "bb.", 3) == 0 && g_ascii_isdigit (at[3]))
    return 3 + strspn (at + 3, "0123456789");
  if (kind == LS_PASS_LOG_GCC && (*at == '_' || g_ascii_isalpha (*at)))
    {
      for (n = 0; g_ascii_isalnum (at[n]) || at[n] == '_' || at[n] == '.';)
        n++;
      while (n > 0 && g_ascii_isdigit (at[n - 1]))
        n--;
      return n > 0 && at[n - 1] == '_' && g_ascii_isdigit (at[n]) ? n + strspn (at + n, "0123456789") : 0;
    }
  if (kind == LS_PASS_LOG_GCC && strncmp (at, "<bb ", 4) == 0)
    return 4 + strspn (at + 4, "0123456789");
  return 0;
}

/* HLO in its short form has no signs: a value is a word that was defined before, or the name of a computation behind a word that says so. */
static gsize
hlo_value_length (GHashTable *known,
                  const char *line,
                  gsize       i,
                  gsize       split)
{
  static const char *const CALLS[] = { "calls=", "to_apply=", "condition=", "body=", "true_computation=", "false_computation=" };
  gsize n = word_length (line + i);
  g_autofree char *name = NULL;

  if (n == 0 || (i > 0 && (ls_pass_is_word (line[i - 1]) || line[i - 1] == '%')) || g_ascii_isdigit (line[i]) || line[i] == '-')
    return 0;
  if (i < split)
    return strncmp (line + i, "ROOT ", 5) != 0 ? n : 0;
  for (guint call = 0; call < G_N_ELEMENTS (CALLS); call++)
    if (i >= strlen (CALLS[call]) && strncmp (line + i - strlen (CALLS[call]), CALLS[call], strlen (CALLS[call])) == 0)
      return n;
  name = g_strndup (line + i, n);
  return (line[i + n] == '\0' || strchr ("([=", line[i + n]) == NULL) && g_hash_table_contains (known, name) ? n : 0;
}

gsize
ls_pass_value_length (const char   *line,
                      gsize         i,
                      gsize         split,
                      LsPassLogKind kind,
                      GHashTable   *known)
{
  gboolean inside = i > 0 && (ls_pass_is_word (line[i - 1]) || line[i - 1] == '@');
  gsize n = signed_value_length (line + i, inside, kind);

  return n == 0 && kind == LS_PASS_LOG_XLA ? hlo_value_length (known, line, i, split) : n;
}

gsize
ls_pass_results_length (const char   *line,
                        LsPassLogKind kind)
{
  gsize at = g_str_has_prefix (line, "ROOT ") ? 5 : g_str_has_prefix (line, "# ") && kind == LS_PASS_LOG_GCC ? 2 : 0;
  gsize n = signed_value_length (line + at, FALSE, kind);

  if (n == 0 && kind == LS_PASS_LOG_XLA && strncmp (line + at + word_length (line + at), " = ", 3) == 0)
    n = word_length (line + at);
  if (n == 0)
    return 0;
  for (at += n; line[at] != '\0'; at++)
    {
      if (strncmp (line + at, " = ", 3) == 0)
        return at + 3;
      if (line[at] == '(' || line[at] == '{')
        return 0;
    }
  return 0;
}

gsize
ls_pass_meaning_length (const char   *line,
                        gsize         n,
                        LsPassLogKind kind)
{
  gboolean quoted = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      if (line[i] == '"')
        quoted = !quoted;
      if (quoted)
        continue;
      if (kind == LS_PASS_LOG_LLVM && (line[i] == ';' || (line[i] == ',' && i + 3 < n && line[i + 1] == ' ' && line[i + 2] == '!' && g_ascii_isalpha (line[i + 3]))))
        return i;
      if ((kind == LS_PASS_LOG_MLIR || kind == LS_PASS_LOG_PTX) && line[i] == '/' && line[i + 1] == '/')
        return i;
      if (kind == LS_PASS_LOG_GCC && line[i] == ';' && n - i > 3 && strncmp (line + i, "; [", 3) == 0)         /* how likely */
        return i + 1;
      if (kind == LS_PASS_LOG_LLVM && line[i] == ' ' && n - i > 16 && strncmp (line + i, " debug-location ", 16) == 0)
        return i;
      if (kind == LS_PASS_LOG_XLA && line[i] == ',' && n - i > 11 && strncmp (line + i, ", metadata={", 12) == 0)
        return i;
    }
  return n;
}

void
ls_pass_drop_locations (char *line)
{
  gboolean quoted = FALSE;
  char *to = line;

  while (*line != '\0')
    {
      guint depth = 0;

      if (!quoted && *line == ' ' && g_str_has_prefix (line, " loc("))
        {
          for (line += 4; *line != '\0'; line++)
            {
              quoted ^= *line == '"';
              depth += !quoted && *line == '(';
              if (!quoted && *line == ')' && --depth == 0)
                break;
            }
          line += *line != '\0';
          quoted = FALSE;
          continue;
        }
      quoted ^= *line == '"';
      *to++ = *line++;
    }
  *to = '\0';
}

const char *
ls_pass_hlo_skip_type (const char *at)
{
  guint depth = 0;

  for (; *at != '\0' && (depth > 0 || *at != ' '); at++)
    {
      depth += strchr ("([{", *at) != NULL;
      depth -= depth > 0 && strchr (")]}", *at) != NULL;
    }
  return *at == ' ' ? at + 1 : at;
}

gsize
ls_pass_ptx_split (const char *line,
                   const char **name)
{
  static const char *const WRITE_NOTHING[] = { "st.", "red.", "bra", "brx", "ret", "exit", "bar", "call", "membar", "fence", "cp.", "prefetch", "trap", "mbarrier.inval", "wgmma.fence" };
  const char *at = line;
  gsize end;

  if (*at == '@')
    at += strcspn (at, " ");
  *name = at += strspn (at, " ");
  for (guint i = 0; i < G_N_ELEMENTS (WRITE_NOTHING); i++)
    if (g_str_has_prefix (at, WRITE_NOTHING[i]))
      return 0;
  at += strcspn (at, " \t");
  at += strspn (at, " \t");
  end = *at == '{' ? strcspn (at, "}") : strcspn (at, ",;");
  return (gsize) (at - line) + end;
}
