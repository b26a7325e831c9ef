/* plural: sentences that count. */
#include "engine/base/plural.h"

static LsTranslatePluralFunc translator;

void
ls_set_plural_translator (LsTranslatePluralFunc translate)
{
  translator = translate;
}

const char *
ls_translate_plural (const char *one,
                     const char *many,
                     gulong      n)
{
  return translator != NULL ? translator (one, many, n) : n == 1 ? one : many;
}
