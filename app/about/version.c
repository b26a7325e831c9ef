/* version: what --version prints. */
#include "app/about/about.h"

#include "app/about/git.h"

#include <stdarg.h>
#include <stdio.h>

char *
ls_about_number (guint major,
                 guint minor,
                 guint micro)
{
  return g_strdup_printf ("%u.%u.%u", major, minor, micro);
}

void
ls_about_put_version (const char *program,
                      ...)
{
  const char *name;
  gboolean first = TRUE;
  va_list parts;

  printf ("%s %s%s\n", program, LS_VERSION, *LS_GIT != '\0' ? " (" LS_GIT ")" : "");
  va_start (parts, program);
  for (; (name = va_arg (parts, const char *)) != NULL; first = FALSE)
    printf ("%s%s %s", first ? "" : ", ", name, va_arg (parts, const char *));
  va_end (parts);
  putchar ('\n');
}
