/* stack: recursion that is as deep as its data.
 *
 *     static void
 *     follow (Walk *self, LsNode *node)
 *     {
 *       if (ls_stack_is_short ())
 *         {
 *           ls_stack_extend (follow_again, &(Again) { self, node });      calls follow, on another stack of the same thread
 *           return;
 *         }
 *       ...
 *
 * Asking costs a comparison.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*LsStackFunc) (gpointer data);

/* Below it the stack of this thread is short. */
extern __thread char *ls_stack_floor __attribute__ ((tls_model ("initial-exec")));

/* Asks the thread for its stack, the first time. */
gboolean ls_stack_ask    (void);

/* The bytes that are left of the stack in use; 0: not known. */
gsize    ls_stack_room   (void);

/* Runs on a stack of its own, and returns when it did.  Where no memory is to be had for one, it runs on this one. */
void     ls_stack_extend (LsStackFunc run,
                          gpointer    data);

static inline gboolean
ls_stack_is_short (void)
{
  return G_UNLIKELY ((char *) __builtin_frame_address (0) < ls_stack_floor) && ls_stack_ask ();
}

G_END_DECLS
