/* stack: more of it, for recursion that is as deep as its data.
 *
 * A program may nest as deep as it likes: a sum of 100,000 terms, 8,000 scalars each of which is known to the next.  Functions that
 * follow such a tree ask at each level whether the stack is short, and go on on another one, which is mapped then and kept for the
 * next time.  The thread stays the same, so locks and what belongs to threads stay as they are.
 */
#include "engine/base/stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#define PIECE_BYTES ((gsize) 64 << 20)          /* of address space; memory is used as the stack grows */
#define LEFT_BYTES  ((gsize) 4 << 20)           /* for what is called in between and does not ask */
#define GUARD_BYTES ((gsize) 1 << 16)
#define KEPT_BYTES  ((gsize) 1 << 20)           /* of a piece that is kept: its upper end stays in memory */

typedef struct {
  char        *memory;
  ucontext_t   inner, outer;
  LsStackFunc  run;
  gpointer     data;
  const void  *outer_bottom;    /* for the sanitizer */
  gsize        outer_size;
} Piece;

__thread char *ls_stack_floor = (char *) ~(guintptr) 0;
static __thread char *stack_end;        /* of the stack that is in use; NULL: not known */

static void
piece_free (gpointer data)
{
  Piece *self = data;

  munmap (self->memory, PIECE_BYTES);
  g_free (self);
}

static GPrivate spare = G_PRIVATE_INIT (piece_free);

/* NULL: there is no address space left. */
static G_NO_INLINE Piece *
piece_take (void)
{
  Piece *self = g_private_get (&spare);
  char *memory;

  if (self != NULL)
    {
      g_private_set (&spare, NULL);
      return self;
    }
  memory = mmap (NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  mprotect (memory, GUARD_BYTES, PROT_NONE);        /* what runs over the end stops there */
  self = g_new0 (Piece, 1);
  self->memory = memory;
  return self;
}

static G_NO_INLINE void
piece_give (Piece *self)
{
  if (g_private_get (&spare) != NULL)
    {
      piece_free (self);
      return;
    }
  madvise (self->memory + GUARD_BYTES, PIECE_BYTES - GUARD_BYTES - KEPT_BYTES, MADV_DONTNEED);
  g_private_set (&spare, self);
}

/* The stack that the thread began with.  A small one is short from the start: who asks goes on elsewhere at once, and what it calls
 * need not ask. */
static char *
first_floor (void)
{
  pthread_attr_t attr;
  void *bottom = NULL;
  gsize size = 0;

  if (pthread_getattr_np (pthread_self (), &attr) != 0)
    return NULL;
  pthread_attr_getstack (&attr, &bottom, &size);
  pthread_attr_destroy (&attr);
  stack_end = bottom;
  return (char *) bottom + (size < LEFT_BYTES ? size : MIN (LEFT_BYTES, size / 2));
}

gboolean
ls_stack_ask (void)
{
  if (ls_stack_floor == (char *) ~(guintptr) 0)
    ls_stack_floor = first_floor ();
  return (char *) __builtin_frame_address (0) < ls_stack_floor;
}

gsize
ls_stack_room (void)
{
  char *here = __builtin_frame_address (0);

  if (stack_end == NULL)
    ls_stack_ask ();
  return stack_end != NULL && here > stack_end ? (gsize) (here - stack_end) : 0;
}

static void
enter (guint high,
       guint low)
{
  Piece *self = (Piece *) (((guintptr) high << 16 << 16) | (guintptr) low);

#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber (NULL, &self->outer_bottom, &self->outer_size);
#endif
  self->run (self->data);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber (NULL, self->outer_bottom, self->outer_size);
#endif
}

void
ls_stack_extend (LsStackFunc run,
                 gpointer    data)
{
  Piece *piece = piece_take ();
  char *floor = ls_stack_floor, *end = stack_end;
#ifdef __SANITIZE_ADDRESS__
  void *fake = NULL;
#endif

  if (piece == NULL)
    {
      run (data);
      return;
    }
  piece->run = run;
  piece->data = data;
  getcontext (&piece->inner);
  piece->inner.uc_stack.ss_sp = piece->memory;
  piece->inner.uc_stack.ss_size = PIECE_BYTES;
  piece->inner.uc_link = &piece->outer;
  makecontext (&piece->inner, (void (*) (void)) enter, 2, (guint) ((guintptr) piece >> 16 >> 16), (guint) (guintptr) piece);
  ls_stack_floor = piece->memory + LEFT_BYTES;
  stack_end = piece->memory + GUARD_BYTES;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber (&fake, piece->memory, PIECE_BYTES);
#endif
  swapcontext (&piece->outer, &piece->inner);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber (fake, NULL, NULL);
#endif
  ls_stack_floor = floor;
  stack_end = end;
  piece_give (piece);
}
