/* script-tokens: the four looks of code: keyword, string, comment, plain.
 *
 * A small scanner for Python-like text; total: any input gives some answer.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_TOKEN_KEYWORD,
  LS_TOKEN_STRING,
  LS_TOKEN_COMMENT,
} LsTokenKind;

typedef struct {
  LsTokenKind kind;
  guint       start;            /* characters */
  guint       end;
} LsToken;

/* Tokens of `text` that are not plain, in order; array of LsToken.
 * (transfer full) */
GArray *ls_script_tokens (const char *text);

G_END_DECLS
