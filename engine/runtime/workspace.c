/* Scratch memory for compiled code: buffers that are too large for the stack.
 *
 * Each thread keeps the blocks that it freed, at most KEEP of them, and gives the smallest
 * that fits.  A kernel asks for the same sizes again and again, so that after the first run
 * nothing is allocated.
 */
#include "engine/runtime/runtime-private.h"

#include <inttypes.h>
#include <stdlib.h>

#define KEEP 16
#define ALIGN 64
#define LARGEST (G_GUINT64_CONSTANT (1) << 38)

typedef struct _Block Block;
struct _Block {
  Block   *next;                /* in the thread's list of free blocks, or of those in use, newest first */
  Block   *before;              /* of those in use: the newer one */
  guint64  size;                /* usable bytes behind the header, which takes ALIGN bytes */
};

G_STATIC_ASSERT (sizeof (Block) <= ALIGN);

static void
free_list (gpointer data)
{
  for (Block *block = data, *next; block != NULL; block = next)
    {
      next = block->next;
      free (block);
    }
}

static GPrivate free_blocks = G_PRIVATE_INIT (free_list);

static _Thread_local Block *in_use;

static void
note_taken (Block *block)
{
  block->before = NULL;
  block->next = in_use;
  if (in_use != NULL)
    in_use->before = block;
  in_use = block;
}

static void
note_given (Block *block)
{
  if (block->next != NULL)
    block->next->before = block->before;
  if (block->before != NULL)
    block->before->next = block->next;
  else if (in_use == block)
    in_use = block->next;
}

/* Takes the smallest block that fits and is not more than four times too large. */
static Block *
reuse (guint64 n_bytes)
{
  Block *head = g_private_get (&free_blocks);
  Block **best = NULL;
  Block *block;

  for (Block **at = &head; *at != NULL; at = &(*at)->next)
    if ((*at)->size >= n_bytes && (*at)->size / 4 <= n_bytes
        && (best == NULL || (*at)->size < (*best)->size))
      best = at;
  if (best == NULL)
    return NULL;
  block = *best;
  *best = block->next;
  g_private_set (&free_blocks, head);
  return block;
}

void *
ls_workspace_alloc (guint64 n_bytes)
{
  guint64 rounded;
  Block *block;

  if (n_bytes > LARGEST)
    {
      ls_runtime_fail ("%" PRIu64 " bytes of scratch memory were asked for", n_bytes);
      return NULL;
    }
  rounded = (MAX (n_bytes, 1) + ALIGN - 1) / ALIGN * ALIGN;
  block = reuse (rounded);
  if (block == NULL)
    block = ls_memory_alloc (ALIGN + rounded);
  else
    rounded = block->size;
  if (block == NULL)
    {
      ls_runtime_fail ("%" PRIu64 " bytes of scratch memory could not be had", n_bytes);
      return NULL;
    }
  block->size = rounded;
  note_taken (block);
  return (guint8 *) block + ALIGN;
}

void
ls_workspace_free (void *memory)
{
  Block *block, *head;
  guint n = 0;

  if (memory == NULL)
    return;
  block = (Block *) ((guint8 *) memory - ALIGN);
  note_given (block);
  head = g_private_get (&free_blocks);
  for (Block *b = head; b != NULL; b = b->next)
    n++;
  if (n >= KEEP)
    {
      free (block);
      return;
    }
  block->next = head;
  g_private_set (&free_blocks, block);
}

void *
ls_workspace_mark (void)
{
  return in_use;
}

void
ls_workspace_reset (void *mark)
{
  while (in_use != NULL && in_use != mark)
    ls_workspace_free ((guint8 *) in_use + ALIGN);
}
