/* translate: sentences in the language of the user.
 *
 * The engine writes English sentences as templates: the format strings of findings, what a move does, summaries of primitives.
 * Whoever shows them in a window hands in a function that looks a template up in its catalogue (gettext's, in the program
 * with windows; in its worker the files of the language that the window says); the command line and the Python module hand
 * in none, and their words stay those that tests and other programs know.  data/scripts/update-po collects the templates from the calls that take them.
 */
#include "engine/base/base.h"

static LsTranslateFunc translator;

void
ls_set_translator (LsTranslateFunc translate)
{
  translator = translate;
}

const char *
ls_translate (const char *text)
{
  return translator != NULL && text != NULL && *text != '\0' ? translator (text) : text;
}
