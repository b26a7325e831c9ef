/* reason: why a text of LLVM IR was not read by LLVM, in English and, where it is shown, in other languages. */
#include "engine/passlog/private.h"

#include <string.h>

/* By LsPassReason; %s stands for a text. */
static const char *const REASONS[] = {
  LS_TEXT ("this is no LLVM IR"),
  LS_TEXT ("this is machine code, which only its line structure tells"),
  LS_TEXT ("only a loop or a piece of a function was printed (-print-module-scope prints all)"),
  LS_TEXT ("a module of %s MiB is not given to LLVM"),
  LS_TEXT ("LLVM finds no function %s in it"),
  LS_TEXT ("the text has %s operations and labels, LLVM reads %s"),
  LS_TEXT ("bytes that are no UTF-8 are not given to LLVM"),
  LS_TEXT ("LLVM did not answer: %s"),
};

const char *
ls_pass_reason_text (LsPassReason reason)
{
  return REASONS[reason];
}

/* Puts the texts where %s stands, in their order. (transfer full) */
static char *
fill (const char        *words,
      const char *const *texts,
      guint              n)
{
  GString *said = g_string_new (NULL);
  const char *at = words, *hole;

  for (guint i = 0; i < n && (hole = strstr (at, "%s")) != NULL; i++)
    {
      g_string_append_len (said, at, hole - at);
      g_string_append (said, texts[i]);
      at = hole + 2;
    }
  g_string_append (said, at);
  return g_string_free (said, FALSE);
}

char *
ls_pass_reason_new (LsPassReason reason,
                    const char  *first,
                    const char  *second)
{
  const char *const texts[] = { first, second };

  return fill (REASONS[reason], texts, second != NULL ? 2 : first != NULL ? 1 : 0);
}

/* Is the sentence one of these words with something in its places?  texts: what. */
static gboolean
match (const char *sentence,
       const char *words,
       char       *texts[2])
{
  g_auto (GStrv) pieces = g_strsplit (words, "%s", 3);
  const char *at = sentence;

  if (!g_str_has_prefix (at, pieces[0]))
    return FALSE;
  at += strlen (pieces[0]);
  for (guint i = 1; pieces[i] != NULL; i++)
    {
      const char *stop = *pieces[i] != '\0' ? strstr (at, pieces[i]) : at + strlen (at);

      if (stop == NULL)
        return FALSE;
      g_free (texts[i - 1]);
      texts[i - 1] = g_strndup (at, (gsize) (stop - at));
      at = stop + strlen (pieces[i]);
    }
  return *at == '\0';
}

char *
ls_pass_reason_words (const char      *sentence,
                      LsPassReasonText translate,
                      gpointer         user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS (REASONS); i++)
    {
      char *texts[2] = { NULL, NULL }, *words = NULL;

      if (match (sentence, REASONS[i], texts))
        words = fill (translate (REASONS[i], user_data), (const char *const *) texts, texts[1] != NULL ? 2 : texts[0] != NULL ? 1 : 0);
      g_free (texts[0]);
      g_free (texts[1]);
      if (words != NULL)
        return words;
    }
  return g_strdup (sentence);
}
