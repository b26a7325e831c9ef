/* json: writing JSON; see bundle.h. */
#include "bundle.h"

static bool needs_comma;

void
put_start (void)
{
  needs_comma = false;
}

void
put_member (FILE       *file,
            const char *name)
{
  if (needs_comma)
    fputs (",", file);
  fputs ("\n", file);
  if (name != NULL)
    fprintf (file, "\"%s\": ", name);
  needs_comma = true;
}

void
put_string (FILE       *file,
            const char *name,
            const char *value)
{
  put_member (file, name);
  fputc ('"', file);
  for (const unsigned char *at = (const unsigned char *) value; *at != 0; at++)
    if (*at == '"' || *at == '\\')
      fprintf (file, "\\%c", *at);
    else if (*at == '\n')
      fputs ("\\n", file);
    else if (*at < 32 || *at == 127)
      fprintf (file, "\\u%04x", *at);
    else
      fputc (*at, file);
  fputc ('"', file);
}

void
put_integer (FILE       *file,
             const char *name,
             long long   value)
{
  put_member (file, name);
  fprintf (file, "%lld", value);
}

void
put_number (FILE       *file,
            const char *name,
            double      value)
{
  put_member (file, name);
  if (value - value == 0)
    fprintf (file, "%.17g", value);
  else
    fputs ("null", file);
}

void
put_bool (FILE       *file,
          const char *name,
          bool        value)
{
  put_member (file, name);
  fputs (value ? "true" : "false", file);
}

void
put_raw (FILE       *file,
         const char *name,
         const char *json)
{
  put_member (file, name);
  fputs (json, file);
}

void
put_open (FILE       *file,
          const char *name,
          char        bracket)
{
  if (name != NULL || needs_comma)
    put_member (file, name);
  fputc (bracket, file);
  needs_comma = false;
}

void
put_close (FILE *file,
           char  bracket)
{
  fprintf (file, "\n%c", bracket);
  needs_comma = true;
}
