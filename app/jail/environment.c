/* Which variables go into the jail: a list of what is needed, since any other may be a secret. */
#include "app/jail/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* Ending in *: what begins so.  No sockets of the session (DBUS_*, DISPLAY, SSH_AUTH_SOCK, XDG_RUNTIME_DIR), no tokens. */
static const char *const known[] = {
  "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TERM", "LANG", "LANGUAGE", "LC_*", "TEXTDOMAINDIR",
  "PYTHONPATH", "PYTHONHASHSEED", "PYTHONMALLOC", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONUTF8", "PYTHONWARNINGS", "VIRTUAL_ENV",
  "LD_LIBRARY_PATH", "LS_*", "TVM_*",
  "OPENBLAS_*", "GOTO_NUM_THREADS", "OMP_*", "MKL_*", "BLIS_*", "NUMEXPR_*", "KMP_*", "GOMP_*", "TORCH_SHOW_CPP_STACKTRACES", "PYTORCH_NO_CUDA_MEMORY_CACHING",
  "MPLBACKEND", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "G_DEBUG", "G_MESSAGES_DEBUG", "G_SLICE", "MALLOC_*", "SOURCE_DATE_EPOCH",
#if defined __SANITIZE_ADDRESS__
  "LD_PRELOAD", "ASAN_*", "LSAN_*", "UBSAN_*",
#endif
};

static bool
matches (const char *pattern,
         const char *variable)
{
  size_t length = strlen (pattern);

  if (length > 0 && pattern[length - 1] == '*')
    return strncmp (variable, pattern, length - 1) == 0;
  return strncmp (variable, pattern, length) == 0 && variable[length] == '=';
}

static bool
may_stay (const Wish *wish,
          const char *variable)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (matches (known[i], variable))
      return true;
  for (int i = 0; i < wish->n_keep; i++)
    if (matches (wish->keep[i], variable))
      return true;
  return false;
}

void
environment_clean (const Wish *wish)
{
  int n = 0;

  for (int i = 0; environ != NULL && environ[i] != NULL; i++)
    if (may_stay (wish, environ[i]))
      environ[n++] = environ[i];
  if (environ != NULL)
    environ[n] = NULL;
  setenv ("TMPDIR", "/tmp", 1);
}
