/* reduce: the rounds. */
#include "engine/script/reduce-private.h"

#include <string.h>

G_DEFINE_QUARK (ls-reduce-error-quark, ls_reduce_error)

static gboolean
begin (LsReducer  *self,
       const char *text)
{
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = ls_reducer_read (text, &only);

  if (module == NULL)
    {
      g_set_error (&self->error, LS_REDUCE_ERROR, LS_REDUCE_ERROR_PROGRAM, ls_translate ("this is no well-formed program, so it cannot be made smaller"));
      return FALSE;
    }
  self->text = ls_reducer_print (module, only);
  self->weight = ls_reducer_weigh (self->text);
  self->n_tried = 1;
  if (self->test (self->text, self->user_data, &self->error))
    return TRUE;
  if (self->error == NULL)
    g_set_error (&self->error, LS_REDUCE_ERROR, LS_REDUCE_ERROR_TEST, ls_translate ("what is asked does not hold of the program itself, printed anew"));
  return FALSE;
}

char *
ls_reduce (const char   *text,
           LsReduceTest  test,
           LsReduceNews  news,
           gpointer      user_data,
           GError      **error)
{
  LsReducer self = { .test = test, .news = news, .user_data = user_data };

  self.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (begin (&self, text))
    {
      gboolean more = TRUE;

      while (more && self.error == NULL)
        {
          more = ls_reduce_lines (&self);
          more |= ls_reduce_words (&self);
          more |= ls_reduce_exprs (&self);
        }
    }
  g_hash_table_unref (self.seen);
  if (self.error == NULL)
    return self.text;
  g_propagate_error (error, self.error);
  g_free (self.text);
  return NULL;
}
