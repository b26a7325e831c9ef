/* script-tokens: one pass over UTF-8 text, counting characters. */
#include "views/models/script-tokens.h"

#include <string.h>

typedef struct {
  const char *at;
  guint       offset;           /* characters before `at` */
  GArray     *tokens;
} Scanner;

#define LONGEST_KEYWORD 8

static const char *const keywords[] = {
  "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except",
  "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "not", "or", "pass",
  "raise", "return", "try", "while", "with", "yield",
};

static void
step (Scanner *scanner)
{
  scanner->at = g_utf8_next_char (scanner->at);
  scanner->offset++;
}

static void
add (Scanner     *scanner,
     LsTokenKind  kind,
     guint        start)
{
  LsToken token = { kind, start, scanner->offset };

  g_array_append_val (scanner->tokens, token);
}

static void
scan_comment (Scanner *scanner)
{
  guint start = scanner->offset;

  while (*scanner->at != '\0' && *scanner->at != '\n')
    step (scanner);
  add (scanner, LS_TOKEN_COMMENT, start);
}

static void
scan_string (Scanner *scanner)
{
  guint start = scanner->offset;
  char quote = *scanner->at;
  gboolean triple = scanner->at[1] == quote && scanner->at[2] == quote;

  for (int i = 0; i < (triple ? 3 : 1); i++)
    step (scanner);
  while (*scanner->at != '\0' && (triple || *scanner->at != '\n'))
    {
      if (*scanner->at == '\\' && scanner->at[1] != '\0')
        step (scanner);
      else if (*scanner->at == quote &&
               (!triple || (scanner->at[1] == quote && scanner->at[2] == quote)))
        {
          for (int i = 0; i < (triple ? 3 : 1); i++)
            step (scanner);
          break;
        }
      step (scanner);
    }
  add (scanner, LS_TOKEN_STRING, start);
}

static void
scan_word (Scanner *scanner)
{
  const char *word = scanner->at;
  guint start = scanner->offset;
  gsize length;

  while (*scanner->at == '_' || g_ascii_isalnum (*scanner->at) || (guchar) *scanner->at >= 0x80)
    step (scanner);
  length = (gsize) (scanner->at - word);
  for (guint i = 0; length <= LONGEST_KEYWORD && i < G_N_ELEMENTS (keywords); i++)
    if (keywords[i][0] == word[0] && strlen (keywords[i]) == length && memcmp (keywords[i], word, length) == 0)
      add (scanner, LS_TOKEN_KEYWORD, start);
}

GArray *
ls_script_tokens (const char *text)
{
  Scanner scanner = { .at = text, .tokens = g_array_new (FALSE, FALSE, sizeof (LsToken)) };

  while (*scanner.at != '\0')
    if (*scanner.at == '#')
      scan_comment (&scanner);
    else if (*scanner.at == '"' || *scanner.at == '\'')
      scan_string (&scanner);
    else if (*scanner.at == '_' || g_ascii_isalnum (*scanner.at) || (guchar) *scanner.at >= 0x80)
      scan_word (&scanner);
    else
      step (&scanner);

  return scanner.tokens;
}
