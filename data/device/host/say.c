/* say: the sentence of what failed; files read whole; what was loaded. */
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char sentence[2600];

bool
fail (const char *format,
      ...)
{
  va_list list;

  if (sentence[0] != 0)
    return false;
  va_start (list, format);
  vsnprintf (sentence, sizeof sentence, format, list);
  va_end (list);
  return false;
}

const char *
failure (void)
{
  return sentence;
}

void
forgive (void)
{
  sentence[0] = 0;
}

char *
read_stream (FILE   *file,
             size_t *length)
{
  char *text = NULL;
  size_t n = 0, room = 0, got;

  do
    {
      if (n + 65537 > room)
        {
          char *larger = realloc (text, room = room * 2 + 131072);

          if (larger == NULL)
            {
              free (text);
              return NULL;
            }
          text = larger;
        }
      got = fread (text + n, 1, 65536, file);
      n += got;
    }
  while (got > 0);
  text[n] = 0;
  if (length != NULL)
    *length = n;
  return text;
}

char *
read_source (const Step *step,
             size_t     *length)
{
  if (step->text == NULL)
    return read_file (step->source, length);
  if (length != NULL)
    *length = strlen (step->text);
  return strdup (step->text);
}

Loaded *
keep_loaded (void        *module,
             void *const *functions)
{
  Loaded *loaded = malloc (sizeof *loaded);

  if (loaded != NULL)
    {
      loaded->module = module;
      memcpy (loaded->functions, functions, sizeof loaded->functions);
    }
  return loaded;
}

char *
read_file (const char *path,
           size_t     *length)
{
  FILE *file = fopen (path, "rb");
  char *text;

  if (file == NULL)
    {
      fail ("%s cannot be read: %s.", path, strerror (errno));
      return NULL;
    }
  text = read_stream (file, length);
  fclose (file);
  if (text == NULL)
    fail ("This machine has no memory for %s.", path);
  return text;
}
