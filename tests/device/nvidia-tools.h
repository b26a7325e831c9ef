/* nvidia-tools: NVIDIA's assembler and compiler, where a machine has them. */
#pragma once

#include <glib.h>
#include <string.h>

/* A tool on PATH, or where its packages put it. (transfer full) or NULL */
static inline char *
ls_nvidia_tool (const char *name)
{
  g_autofree char *usual = g_build_filename (g_getenv ("CUDA_HOME") != NULL ? g_getenv ("CUDA_HOME") : "/usr/local/cuda", "bin", name, NULL);
  char *found = g_find_program_in_path (name);

  return found != NULL ? found : g_file_test (usual, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&usual) : NULL;
}

/* FALSE: it does not know the architecture; other words of it fail the test. */
static inline gboolean
ls_nvidia_takes (const char *const *argv)
{
  g_autofree char *out = NULL, *said = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &said, &status, NULL));
  if (status != 0 && strstr (said, "is not defined for option") == NULL && strstr (said, "Unsupported gpu architecture") == NULL)
    g_error ("%s: %s%s", argv[0], out, said);
  return status == 0;
}

/* PTX in a file, for `arch` or (NULL) the one that it names itself.  FALSE as above. */
static inline gboolean
ls_nvidia_assembles (const char *ptxas,
                     const char *path,
                     const char *arch)
{
  g_autofree char *text = NULL, *own = NULL, *option = NULL;
  const char *at;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  at = strstr (text, "\n.target ");
  g_assert_nonnull (at);
  at += strlen ("\n.target ");
  own = g_strndup (at, strspn (at, "smx_0123456789af"));
  option = g_strconcat ("-arch=", arch != NULL ? arch : own, NULL);
  return ls_nvidia_takes ((const char *const[]) { ptxas, option, "-o", "/dev/null", path, NULL });
}
