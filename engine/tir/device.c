/* device: see the header. */
#include "engine/tir/device.h"

#include <string.h>

#define KB(n) ((gint64) (n) * 1024)
#define NVIDIA(name, arch) { "nvidia/" name, "cuda", arch, 65536, 0, KB (48) }

static const LsDeviceTag TAGS[] = {
  { "nvidia/nvidia-a100", "cuda", "sm_80", 65536, 41943040, KB (48) },
  { "nvidia/nvidia-h100", "cuda", "sm_90a", 65536, 52428800, KB (48) },
  { "nvidia/geforce-rtx-4090", "cuda", "sm_89", 65536, 75497472, KB (48) },
  NVIDIA ("geforce-rtx-4080", "sm_89"), NVIDIA ("nvidia-l4", "sm_89"), NVIDIA ("nvidia-l40", "sm_89"), NVIDIA ("nvidia-a30", "sm_80"),
  NVIDIA ("nvidia-a10", "sm_86"), NVIDIA ("nvidia-a40", "sm_86"), NVIDIA ("nvidia-a10g", "sm_86"), NVIDIA ("rtx-a6000", "sm_86"),
  NVIDIA ("geforce-rtx-3090", "sm_86"), NVIDIA ("geforce-rtx-3090-ti", "sm_86"), NVIDIA ("geforce-rtx-3080", "sm_86"),
  NVIDIA ("geforce-rtx-3080-ti", "sm_86"), NVIDIA ("geforce-rtx-3070", "sm_86"), NVIDIA ("geforce-rtx-3060", "sm_86"),
  NVIDIA ("tesla-t4", "sm_75"), NVIDIA ("nvidia-t4", "sm_75"), NVIDIA ("geforce-rtx-2080-ti", "sm_75"), NVIDIA ("geforce-rtx-2080", "sm_75"),
  NVIDIA ("geforce-rtx-2070", "sm_75"), NVIDIA ("geforce-rtx-2060", "sm_75"), NVIDIA ("geforce-gtx-1660-ti", "sm_75"),
  NVIDIA ("tesla-v100", "sm_70"), NVIDIA ("nvidia-v100", "sm_70"), NVIDIA ("tesla-p100", "sm_60"), NVIDIA ("tesla-p4", "sm_61"),
  NVIDIA ("tesla-p40", "sm_61"), NVIDIA ("geforce-gtx-1080-ti", "sm_61"), NVIDIA ("geforce-gtx-1080", "sm_61"),
  NVIDIA ("geforce-gtx-1070", "sm_61"), NVIDIA ("geforce-gtx-1060", "sm_61"), NVIDIA ("geforce-gtx-1050-ti", "sm_61"),
  NVIDIA ("tesla-m40", "sm_52"), NVIDIA ("geforce-gtx-980", "sm_52"), NVIDIA ("geforce-gtx-titan-x", "sm_52"), NVIDIA ("tesla-k80", "sm_37"),
  NVIDIA ("jetson-tx2", "sm_62"), NVIDIA ("jetson-agx-xavier", "sm_72"), NVIDIA ("jetson-agx-orin-32gb", "sm_87"),
  NVIDIA ("jetson-agx-orin-64gb", "sm_87"), { "nvidia/jetson-nano", "cuda", "sm_53", 32768, 0, KB (48) },
  { "nvidia/jetson-tx1", "cuda", "sm_53", 32768, 0, KB (48) },
  { "apple/m1-gpu", "metal", "", 0, 0, KB (32) }, { "apple/m1-gpu-restricted", "metal", "", 0, 0, KB (32) }, { "apple/m2-gpu", "metal", "", 0, 0, KB (32) },
};

/* What a kind allows where nothing is said.  AMD's wavefronts (0) are of 32 lanes on gfx10 and later, of 64 before. */
static const struct { const char *kind, *arch; gint64 warp, threads, shared; } KINDS[] = {
  { "cuda", "sm_70", 32, 1024, KB (48) }, { "nvptx", "sm_70", 32, 1024, KB (48) }, { "opencl", "", 1, 256, KB (16) }, { "rocm", "gfx900", 0, 256, KB (64) },
  { "metal", "", 16, 256, KB (32) }, { "vulkan", "", 1, 256, KB (16) }, { "webgpu", "", 1, 256, KB (32) },
};

const LsDeviceTag *
ls_device_tags (guint *n)
{
  *n = G_N_ELEMENTS (TAGS);
  return TAGS;
}

static const LsDeviceTag *
find_tag (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (TAGS); i++)
    if (strcmp (TAGS[i].name, name) == 0)
      return &TAGS[i];
  return NULL;
}

static int
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    if (strcmp (KINDS[i].kind, name) == 0)
      return (int) i;
  return -1;
}

static char *
first_word (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return g_strndup (stripped, strcspn (stripped, " \t\n"));
}

gboolean
ls_device_target_is (const char *text)
{
  g_autofree char *word = text != NULL ? first_word (text) : NULL;

  return word != NULL && (find_kind (word) >= 0 || find_tag (word) != NULL);
}

void
ls_device_target_free (LsDeviceTarget *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->kind);
  g_free (self->tag);
  g_free (self->arch);
  g_free (self);
}

static gboolean
refuse (GError    **error,
        const char *format,
        const char *word)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, ls_translate (format), word);
  return FALSE;
}

/* "sm_80", "sm_90a"; "gfx90a"; of other kinds anything. */
static gboolean
is_architecture (const char *kind,
                 const char *text)
{
  gboolean amd = strcmp (kind, "rocm") == 0;
  const char *at = text + strlen (amd ? "gfx" : "sm_");
  gsize digits;

  if (!amd && strcmp (kind, "cuda") != 0 && strcmp (kind, "nvptx") != 0)
    return TRUE;
  if (!g_str_has_prefix (text, amd ? "gfx" : "sm_"))
    return FALSE;
  digits = strspn (at, amd ? "0123456789abcdef" : "0123456789");
  return digits >= 2 && (at[digits] == 0 || (amd ? at[digits] == ':' : g_ascii_islower (at[digits]) && at[digits + 1] == 0));
}

static gboolean
read_option (LsDeviceTarget *self,
             const char     *word,
             GError        **error)
{
  static const struct { const char *name; gsize offset; gint64 most; } NUMBERS[] = {
    { "-max_threads_per_block", G_STRUCT_OFFSET (LsDeviceTarget, max_threads), 1 << 16 }, { "-max_num_threads", G_STRUCT_OFFSET (LsDeviceTarget, max_threads), 1 << 16 },
    { "-thread_warp_size", G_STRUCT_OFFSET (LsDeviceTarget, warp_size), 64 },
    { "-max_shared_memory_per_block", G_STRUCT_OFFSET (LsDeviceTarget, max_shared), 1 << 30 },
    { "-registers_per_block", G_STRUCT_OFFSET (LsDeviceTarget, registers), 1 << 30 },
  };
  const char *equals = strchr (word, '=');
  g_autofree char *name = equals != NULL ? g_strndup (word, (gsize) (equals - word)) : g_strdup (word);
  const char *value = equals != NULL ? equals + 1 : "";
  guint64 number;

  if (strcmp (name, "-arch") == 0 || strcmp (name, "-mcpu") == 0)
    {
      g_free (self->arch);
      self->arch = g_strdup (value);
      if (*value == 0)
        return refuse (error, LS_TEXT ("The option %s of the target has no value."), name);
      return is_architecture (self->kind, value) || refuse (error, strcmp (self->kind, "rocm") == 0 ? LS_TEXT ("\"%s\" is no architecture; gfx90a is one.")
                                                            : LS_TEXT ("\"%s\" is no architecture; sm_80 is one."), value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (NUMBERS); i++)
    if (strcmp (NUMBERS[i].name, name) == 0)
      {
        if (!g_ascii_string_to_unsigned (value, 10, 1, (guint64) NUMBERS[i].most, &number, NULL))
          return refuse (error, LS_TEXT ("The option %s of the target is a whole number above zero."), name);
        G_STRUCT_MEMBER (gint64, self, NUMBERS[i].offset) = (gint64) number;
        return TRUE;
      }
  if (strcmp (name, "-keys") == 0 || strcmp (name, "-device") == 0 || strcmp (name, "-libs") == 0 || strcmp (name, "-l2_cache_size_bytes") == 0
      || strcmp (name, "-mtriple") == 0 || strcmp (name, "-host") == 0 || strcmp (name, "-model") == 0)
    return TRUE;
  return refuse (error, LS_TEXT ("A target with threads has no option %s."), name);
}

static gboolean
set_kind (LsDeviceTarget *self,
          const char     *word,
          GError        **error)
{
  const LsDeviceTag *tag = find_tag (word);
  int kind = find_kind (tag != NULL ? tag->kind : word);

  if (kind < 0 && strchr (word, '/') != NULL)
    return refuse (error, LS_TEXT ("There is no target with the tag %s here; nvidia/nvidia-a100, nvidia/nvidia-h100 and nvidia/geforce-rtx-3090 are some that have threads."), word);
  if (kind < 0)
    return refuse (error, LS_TEXT ("The target %s has no threads: cuda, nvptx, opencl, rocm, and tags such as nvidia/nvidia-a100 have."), word);
  self->kind = g_strdup (KINDS[kind].kind);
  self->arch = g_strdup (tag != NULL ? tag->arch : KINDS[kind].arch);
  self->tag = tag != NULL ? g_strdup (tag->name) : NULL;
  self->warp_size = tag != NULL ? 32 : KINDS[kind].warp;
  self->max_threads = tag != NULL ? 1024 : KINDS[kind].threads;
  self->max_shared = tag != NULL ? tag->shared_bytes : KINDS[kind].shared;
  self->registers = tag != NULL ? tag->registers : 0;
  return TRUE;
}

LsDeviceTarget *
ls_device_target_parse (const char  *text,
                        GError     **error)
{
  g_autoptr (LsDeviceTarget) self = g_new0 (LsDeviceTarget, 1);
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);
  gboolean begun = FALSE;

  self->text = g_strdup (text);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *joined = NULL;

      if (words[i][0] == 0)
        continue;
      if (!begun && !set_kind (self, words[i], error))
        return NULL;
      if (begun && words[i][0] == '-' && strchr (words[i], '=') == NULL && words[i + 1] != NULL && words[i + 1][0] != '-' && words[i + 1][0] != 0)
        {
          joined = g_strconcat (words[i], "=", words[i + 1], NULL);
          if (!read_option (self, joined, error))
            return NULL;
          i++;
        }
      else if (begun && !read_option (self, words[i], error))
        return NULL;
      begun = TRUE;
    }
  if (!begun)
    {
      refuse (error, LS_TEXT ("The target is empty%s."), "");
      return NULL;
    }
  if (self->warp_size == 0)
    self->warp_size = strlen (self->arch) > strlen ("gfx90a") && g_str_has_prefix (self->arch, "gfx1") ? 32 : 64;
  return g_steal_pointer (&self);
}

gint64
ls_device_target_most_static (const LsDeviceTarget *self)
{
  return strcmp (self->kind, "cuda") == 0 || strcmp (self->kind, "nvptx") == 0 ? 49152 : 0;
}

LsMap *
ls_device_target_attrs (const LsDeviceTarget *self)
{
  const char *host_key = "kind";
  LsNode *host_kind = LS_NODE (ls_string_new ("llvm"));
  const char *keys[8] = { "kind", "host", "thread_warp_size", "max_num_threads", "max_threads_per_block", "max_shared_memory_per_block" };
  LsNode *values[8] = { LS_NODE (ls_string_new (self->kind)), LS_NODE (ls_map_new (&host_key, &host_kind, 1)), LS_NODE (ls_int (self->warp_size)),
                        LS_NODE (ls_int (self->max_threads)), LS_NODE (ls_int (self->max_threads)), LS_NODE (ls_int (self->max_shared)) };
  guint n = 6;

  if (*self->arch != 0)
    {
      keys[n] = strcmp (self->kind, "rocm") == 0 ? "mcpu" : "arch";
      values[n++] = LS_NODE (ls_string_new (self->arch));
    }
  return ls_map_new (keys, values, n);
}
