/* arena: memory of one parse.  Tokens' texts, syntax trees and values are many, small and
 * die together, so they are carved out of chunks that are freed at the end. */
#include "engine/script/script-private.h"

#define FIRST_CHUNK (4 * 1024)
#define LAST_CHUNK (64 * 1024)

void
ls_arena_init (LsArena *self)
{
  self->chunks = g_ptr_array_new_with_free_func (g_free);
  self->at = NULL;
  self->left = 0;
  self->chunk = FIRST_CHUNK;
}

void
ls_arena_clear (LsArena *self)
{
  g_clear_pointer (&self->chunks, g_ptr_array_unref);
}

/* Chunks grow, so that a short text costs little. */
static void
add_chunk (LsArena *self)
{
  self->at = g_malloc (self->chunk);
  self->left = self->chunk;
  self->chunk = MIN (2 * self->chunk, LAST_CHUNK);
  g_ptr_array_add (self->chunks, self->at);
}

gpointer
ls_arena_alloc (LsArena *self,
                gsize    size)
{
  gpointer result;

  size = (size + 15) & ~(gsize) 15;
  if (size > self->chunk / 4)
    {
      result = g_malloc0 (size);
      g_ptr_array_add (self->chunks, result);
      return result;
    }
  if (size > self->left)
    add_chunk (self);
  result = memset (self->at, 0, size);
  self->at += size;
  self->left -= size;
  return result;
}

char *
ls_arena_strndup (LsArena    *self,
                  const char *text,
                  gsize       length)
{
  char *result = ls_arena_alloc (self, length + 1);

  memcpy (result, text, length);
  return result;
}

char *
ls_arena_join (LsArena    *self,
               const char *a,
               const char *b,
               const char *c)
{
  gsize la = strlen (a), lb = strlen (b), lc = strlen (c);
  char *result = ls_arena_alloc (self, la + lb + lc + 1);

  memcpy (result, a, la);
  memcpy (result + la, b, lb);
  memcpy (result + la + lb, c, lc);
  return result;
}

char *
ls_arena_printf (LsArena    *self,
                 const char *format,
                 ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return ls_arena_strndup (self, text, strlen (text));
}

gpointer
ls_arena_list (LsArena   *self,
               GPtrArray *items)
{
  gpointer *result;

  if (items->len == 0)
    return NULL;
  result = ls_arena_alloc (self, items->len * sizeof (gpointer));
  memcpy (result, items->pdata, items->len * sizeof (gpointer));
  return result;
}
