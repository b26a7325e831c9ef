/* words: what a page says, in the three languages of lessons. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_PAGE_LANGUAGES 3

typedef struct {
  const char *name;
  const char *words[LS_PAGE_LANGUAGES]; /* en, zh_CN, ko */
} LsPageWord;

/* Ended by one without a name. */
extern const LsPageWord ls_page_words[];

/* 0 for a language that the page does not know. */
guint ls_page_language (const char *language);
/* A word of the table, which has it. */
const char *ls_page_word_in (const char *language,
                             const char *name);

G_END_DECLS
