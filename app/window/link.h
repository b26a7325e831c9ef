/* window/link: what may stand on the command line in the place of a file.
 *
 *   loopscope:///PATH/FILE?step=3&page=compare&sel=j_0    a file; at this step (its tag: 3, 2′), on this page (explore, compare,
 *                                                         graph), with the loop or block of this name selected
 *   ...&window=machine-code,lowering                      and with these windows beside it (access-order is the third)
 *   loopscope:///PATH/LOG?pass=12&function=f&follow=%25x  the log of a compiler's passes, at this pass and function, with this followed
 *   PATH/LOG#pass=12&function=f                           the same
 *   loopscope:///lesson/NAME?step=4                       a lesson by its name, at this step; #PART or cell=PART: at this part
 *
 * Everything after ? is optional. A path of the command line is a link without any of it.
 */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

typedef struct {
  GFile    *file;               /* NULL: see trouble */
  gboolean  lesson;             /* it is opened as a lesson */
  char     *place;              /* in the lesson, or NULL */
  char     *step;               /* of a program, or NULL */
  char     *page;
  char     *sel;
  char     *windows;            /* names of them with commas between */
  char     *pass;               /* of a log of passes, or NULL */
  char     *function;
  char     *follow;
  char     *trouble;            /* why the link leads nowhere, one sentence, or NULL */
} LsLink;

/* (transfer full) */
LsLink *ls_link_read  (GFile        *given);
void    ls_link_free  (LsLink       *self);
/* Goes to the step, the page, the selection and the windows beside it in a window that shows the file.  What there is not is said in the window. */
void    ls_link_go    (const LsLink *self,
                       LsWindow     *window);
/* The link to what the window shows of the session that `file` holds.  A selection that its name does not lead to is left
 * out. (transfer full) */
char   *ls_link_write (GFile        *file,
                       LsWindow     *window);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLink, ls_link_free)

G_END_DECLS
