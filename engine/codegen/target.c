/* target: target strings, and what the host is.
 *
 * LLVM only warns about a CPU or feature that it does not know, so names are checked here: CPUs against a table of LLVM
 * 19's x86-64 names, features against the list that LLVM reports for the host (it names all of them, on or off).
 */
#include "engine/codegen/codegen-private.h"

#include <stdlib.h>
#include <string.h>

/* x86-64 level: 1 or 2: 128 bits; 3: AVX2, FMA and F16C; 4: AVX-512 */
static const struct { const char *name; int level; } X86_CPUS[] = {
  { "generic", 1 }, { "x86-64", 1 }, { "x86-64-v2", 2 }, { "x86-64-v3", 3 }, { "x86-64-v4", 4 },
  { "nocona", 1 }, { "core2", 1 }, { "penryn", 1 }, { "k8", 1 }, { "k8-sse3", 1 }, { "opteron", 1 }, { "opteron-sse3", 1 },
  { "athlon64", 1 }, { "athlon64-sse3", 1 }, { "amdfam10", 1 }, { "barcelona", 1 }, { "btver1", 1 }, { "bonnell", 1 }, { "atom", 1 },
  { "btver2", 2 }, { "bdver1", 2 }, { "bdver2", 2 }, { "bdver3", 2 }, { "bdver4", 3 },
  { "nehalem", 2 }, { "corei7", 2 }, { "westmere", 2 }, { "sandybridge", 2 }, { "corei7-avx", 2 }, { "ivybridge", 2 }, { "core-avx-i", 2 },
  { "silvermont", 2 }, { "slm", 2 }, { "goldmont", 2 }, { "goldmont-plus", 2 }, { "tremont", 2 },
  { "haswell", 3 }, { "core-avx2", 3 }, { "broadwell", 3 }, { "skylake", 3 }, { "alderlake", 3 }, { "raptorlake", 3 }, { "meteorlake", 3 },
  { "arrowlake", 3 }, { "arrowlake-s", 3 }, { "lunarlake", 3 }, { "pantherlake", 3 }, { "gracemont", 3 }, { "sierraforest", 3 },
  { "grandridge", 3 }, { "clearwaterforest", 3 }, { "znver1", 3 }, { "znver2", 3 }, { "znver3", 3 },
  { "skylake-avx512", 4 }, { "skx", 4 }, { "cascadelake", 4 }, { "cooperlake", 4 }, { "cannonlake", 4 }, { "icelake-client", 4 },
  { "icelake-server", 4 }, { "rocketlake", 4 }, { "tigerlake", 4 }, { "sapphirerapids", 4 }, { "emeraldrapids", 4 }, { "graniterapids", 4 },
  { "graniterapids-d", 4 }, { "knl", 4 }, { "knm", 4 }, { "znver4", 4 }, { "znver5", 4 },
};

typedef struct {
  char *cpu;
  char *features;
  char *triple;
} Host;

static const Host *
host (void)
{
  static Host self;
  static gsize done;

  if (g_once_init_enter (&done))
    {
      self.cpu = LLVMGetHostCPUName ();
      self.features = LLVMGetHostCPUFeatures ();
      self.triple = LLVMGetDefaultTargetTriple ();
      g_once_init_leave (&done, 1);
    }
  return &self;
}

const char *
ls_target_host_cpu (void)
{
  return host ()->cpu;
}

/* ---- features ------------------------------------------------------------------ */

/* '+', '-' or 0 for a feature of a list; the last mention counts. */
static char
feature_sign (const char *features,
              const char *name)
{
  gsize length = strlen (name);
  char sign = 0;

  for (const char *at = features; at != NULL && *at != 0; at = strchr (at, ','), at = at != NULL ? at + 1 : NULL)
    if ((at[0] == '+' || at[0] == '-') && strncmp (at + 1, name, length) == 0 && (at[length + 1] == ',' || at[length + 1] == 0))
      sign = at[0];
  return sign;
}

static int
cpu_level (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (X86_CPUS); i++)
    if (strcmp (X86_CPUS[i].name, name) == 0)
      return X86_CPUS[i].level;
  return 0;
}

static int
feature_level (const char *feature)
{
  return g_str_has_prefix (feature, "avx512") ? 4
         : strcmp (feature, "avx2") == 0 || strcmp (feature, "fma") == 0 || strcmp (feature, "f16c") == 0 ? 3
         : strcmp (feature, "avx") == 0 ? 3 : 1;
}

gboolean
ls_target_has (const LsTarget *self,
               const char     *feature)
{
  char sign = feature_sign (self->features, feature);

  if (sign != 0)
    return sign == '+';
  return strcmp (self->cpu, host ()->cpu) != 0 && g_str_has_prefix (self->triple, "x86_64") && cpu_level (self->cpu) >= feature_level (feature);
}

gboolean
ls_target_is_scalable (const LsTarget *self)
{
  if (g_str_has_prefix (self->triple, "aarch64"))
    return ls_target_has (self, "sve") || ls_target_has (self, "sve2") || ls_target_has (self, "sme") || ls_target_has (self, "v9a");
  return g_str_has_prefix (self->triple, "riscv") && ls_target_has (self, "v");
}

/* ---- reading -------------------------------------------------------------------- */

static gboolean
wrong (GError    **error,
       const char *format,
       const char *word)
{
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate (format), word);
  return FALSE;
}

static gboolean
read_number (const char *text,
             int         low,
             int         high,
             int        *out)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, (guint64) low, (guint64) high, &value, NULL))
    return FALSE;
  *out = (int) value;
  return TRUE;
}

static gboolean
check_features (const char *features,
                gboolean    names_known,
                GError    **error)
{
  g_auto (GStrv) words = g_strsplit (features, ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '+' && words[i][0] != '-')
      return wrong (error, LS_TEXT ("A feature in -mattr starts with + or -: %s."), words[i]);
    else if (names_known && feature_sign (host ()->features, words[i] + 1) == 0)
      return wrong (error, LS_TEXT ("LLVM knows no feature %s."), words[i] + 1);
  return TRUE;
}

/* Names can be looked up for the kind of machine that this is; of others LLVM tells nothing. */
static gboolean
check_names (const LsTarget *self,
             const char     *attributes,
             GError        **error)
{
  gboolean names_known = g_str_has_prefix (host ()->triple, "x86_64") && (self->triple == NULL || g_str_has_prefix (self->triple, "x86_64"));

  if (names_known && self->cpu != NULL && cpu_level (self->cpu) == 0 && strcmp (self->cpu, host ()->cpu) != 0)
    return wrong (error, LS_TEXT ("LLVM knows no CPU %s."), self->cpu);
  return attributes == NULL || check_features (attributes, names_known, error);
}

static gboolean
read_option (LsTarget   *self,
             const char *name,
             const char *value,
             char      **attributes,
             GError    **error)
{
  if (strcmp (name, "-mcpu") == 0)
    {
      g_free (self->cpu);
      self->cpu = g_strdup (value);
    }
  else if (strcmp (name, "-mattr") == 0)
    {
      g_free (*attributes);
      *attributes = g_strdup (value);
    }
  else if (strcmp (name, "-mabi") == 0)
    {
      g_free (self->abi);
      self->abi = g_strdup (value);
    }
  else if (strcmp (name, "-mtriple") == 0)
    {
      g_free (self->triple);
      self->triple = g_strdup (value);
    }
  else if (strcmp (name, "-num-cores") == 0)
    return read_number (value, 1, 4096, &self->num_cores) || wrong (error, LS_TEXT ("-num-cores is a number from 1 to 4096, not %s."), value);
  else if (strcmp (name, "-opt-level") == 0)
    return read_number (value, 0, 3, &self->opt_level) || wrong (error, LS_TEXT ("-opt-level is a number from 0 to 3, not %s."), value);
  else if (strcmp (name, "-vector-width") == 0)
    return (read_number (value, 128, 512, &self->vector_bits) && (self->vector_bits & (self->vector_bits - 1)) == 0)
           || wrong (error, LS_TEXT ("-vector-width is 128, 256 or 512, not %s."), value);
  else if (strcmp (name, "-fast-math") == 0)
    self->fast_math = value == NULL || strcmp (value, "0") != 0;
  else if (strcmp (name, "-keys") != 0 && strcmp (name, "-device") != 0)
    return wrong (error, LS_TEXT ("A target has no option %s."), name);
  return TRUE;
}

static gboolean
read_words (LsTarget *self,
            char    **words,
            char    **attributes,
            GError  **error)
{
  if (words[0] == NULL || strcmp (words[0], "llvm") != 0)
    return wrong (error, LS_TEXT ("The target kind is %s; \"llvm\" is what code can be made for."), words[0] != NULL ? words[0] : ls_translate ("empty"));
  for (guint i = 1; words[i] != NULL; i++)
    {
      const char *equals = strchr (words[i], '=');
      g_autofree char *name = equals != NULL ? g_strndup (words[i], (gsize) (equals - words[i])) : g_strdup (words[i]);
      const char *value = equals != NULL ? equals + 1 : NULL;

      if (value == NULL && strcmp (name, "-fast-math") != 0)
        {
          if (words[i + 1] == NULL)
            return wrong (error, LS_TEXT ("The option %s of the target has no value."), words[i]);
          value = words[++i];
        }
      if (!read_option (self, name, value, attributes, error))
        return FALSE;
    }
  return TRUE;
}

/* Registers of 512 bits are a feature of their own in LLVM 19; without it a processor that only gets AVX-512 by -mattr has instructions
 * that cannot be selected. */
static char *
with_wide_registers (const char *features)
{
  if (strstr (features, "+avx512") == NULL || feature_sign (features, "evex512") != 0)
    return g_strdup (features);
  return g_strconcat (features, ",+evex512", NULL);
}

static void
complete (LsTarget   *self,
          const char *given)
{
  gboolean is_host_cpu = self->cpu == NULL;
  g_autofree char *attributes = given != NULL ? with_wide_registers (given) : NULL;

  self->is_host = self->triple == NULL || strcmp (self->triple, host ()->triple) == 0;
  if (self->triple == NULL)
    self->triple = g_strdup (host ()->triple);
  if (!self->is_host)
    ls_llvm_init_all ();
  if (self->cpu == NULL)
    self->cpu = g_strdup (self->is_host ? host ()->cpu : "generic");
  is_host_cpu = is_host_cpu || strcmp (self->cpu, host ()->cpu) == 0;
  if (is_host_cpu && self->is_host)
    self->features = g_strconcat (host ()->features, attributes != NULL ? "," : "", attributes, NULL);
  else
    self->features = g_strdup (attributes != NULL ? attributes : "");
  if (self->vector_bits == 0)
    self->vector_bits = ls_target_has (self, "avx512f") ? 512 : ls_target_has (self, "avx") ? 256 : 128;
}

LsTarget *
ls_target_parse (const char *text,
                 GError    **error)
{
  g_autoptr (LsTarget) self = g_new0 (LsTarget, 1);
  g_autofree char *attributes = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  ls_llvm_init ();
  self->text = g_strdup (text != NULL ? text : "llvm");
  self->opt_level = 2;
  words = g_strsplit_set (self->text, " \t\n", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != 0)
      g_ptr_array_add (kept, words[i]);
  g_ptr_array_add (kept, NULL);
  if (!read_words (self, (char **) kept->pdata, &attributes, error) || !check_names (self, attributes, error))
    return NULL;
  complete (self, attributes);
  return g_steal_pointer (&self);
}

void
ls_target_free (LsTarget *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->cpu);
  g_free (self->features);
  g_free (self->triple);
  g_free (self->abi);
  g_free (self);
}
