/* amd: what a kernel of AMD's takes of a compute unit, read from the object file.
 *
 * A kernel K has a descriptor of 64 bytes under the symbol K.kd in .rodata, as the LLVM project's User Guide for AMDGPU describes it:
 *
 *     byte  0  group_segment_fixed_size     bytes of shared memory whose size is fixed
 *     byte  4  private_segment_fixed_size   bytes of a thread in memory: local arrays and what did not fit into registers
 *     byte 48  compute_pgm_rsrc1            bits 0-5 vector registers, bits 6-9 scalar registers, both in units less one; bit 29 WGP mode
 *     byte 56  kernel_code_properties       bit 10: wavefronts of 32 lanes
 */
#include "engine/codegen/codegen-private.h"

#include <elf.h>
#include <string.h>

#define DESCRIPTOR 64

/* The section with this number. FALSE: there is none. */
static gboolean
read_section (GBytes     *code,
              guint       number,
              Elf64_Shdr *out)
{
  gsize size;
  const char *bytes = g_bytes_get_data (code, &size);
  Elf64_Ehdr header;

  if (size < sizeof header)
    return FALSE;
  memcpy (&header, bytes, sizeof header);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 || number >= header.e_shnum || header.e_shoff > size
      || (size - header.e_shoff) / sizeof *out < header.e_shnum)
    return FALSE;
  memcpy (out, bytes + header.e_shoff + number * sizeof *out, sizeof *out);
  return out->sh_type == SHT_NOBITS || (out->sh_offset <= size && out->sh_size <= size - out->sh_offset);
}

/* The descriptor that the symbol names, or NULL. */
static const guint8 *
find_descriptor (GBytes     *code,
                 const char *symbol)
{
  const char *bytes = g_bytes_get_data (code, NULL);
  Elf64_Shdr table, strings, section;

  for (guint i = 0; read_section (code, i, &table); i++)
    {
      if (table.sh_type != SHT_SYMTAB || !read_section (code, table.sh_link, &strings) || strings.sh_type != SHT_STRTAB)
        continue;
      for (gsize k = 1; k < table.sh_size / sizeof (Elf64_Sym); k++)
        {
          Elf64_Sym entry;

          memcpy (&entry, bytes + table.sh_offset + k * sizeof entry, sizeof entry);
          if (entry.st_name + strlen (symbol) + 1 > strings.sh_size || strcmp (bytes + strings.sh_offset + entry.st_name, symbol) != 0)
            continue;
          if (!read_section (code, entry.st_shndx, &section) || section.sh_type == SHT_NOBITS || entry.st_value > section.sh_size
              || section.sh_size - entry.st_value < DESCRIPTOR)
            return NULL;
          return (const guint8 *) bytes + section.sh_offset + entry.st_value;
        }
    }
  return NULL;
}

static guint32
word_at (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return GUINT32_FROM_LE (value);
}

gboolean
ls_amd_kernel_read (GBytes      *code,
                    const char  *kernel,
                    LsAmdKernel *out)
{
  g_autofree char *symbol = g_strconcat (kernel, ".kd", NULL);
  const guint8 *descriptor = find_descriptor (code, symbol);
  guint32 resources;

  if (descriptor == NULL)
    return FALSE;
  resources = word_at (descriptor + 48);
  *out = (LsAmdKernel) { .vector_units = (resources & 63) + 1, .scalar_units = (resources >> 6 & 15) + 1, .wide_groups = (resources >> 29 & 1) != 0,
                         .shared_bytes = word_at (descriptor), .private_bytes = word_at (descriptor + 4), .lanes = word_at (descriptor + 56) >> 10 & 1 ? 32 : 64 };
  return TRUE;
}
