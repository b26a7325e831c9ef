/* elf: the names that an object file asks others for, read from its symbol table. */
#include "engine/codegen/codegen-private.h"

#include <elf.h>
#include <string.h>

static void
read_symbols (GPtrArray        *names,
              const char       *bytes,
              gsize             size,
              const Elf64_Shdr *table,
              const Elf64_Shdr *strings)
{
  if (table->sh_offset + table->sh_size > size || strings->sh_offset + strings->sh_size > size)
    return;
  for (gsize i = 1; i < table->sh_size / sizeof (Elf64_Sym); i++)
    {
      Elf64_Sym symbol;

      memcpy (&symbol, bytes + table->sh_offset + i * sizeof symbol, sizeof symbol);
      if (symbol.st_shndx == SHN_UNDEF && symbol.st_name > 0 && symbol.st_name < strings->sh_size)
        g_ptr_array_add (names, g_strdup (bytes + strings->sh_offset + symbol.st_name));
    }
}

GPtrArray *
ls_elf_imports (const char *bytes,
                gsize       size)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  Elf64_Ehdr header;

  if (size < sizeof header)
    return names;
  memcpy (&header, bytes, sizeof header);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
      || header.e_shoff + (gsize) header.e_shnum * sizeof (Elf64_Shdr) > size)
    return names;
  for (guint i = 0; i < header.e_shnum; i++)
    {
      Elf64_Shdr table, strings;

      memcpy (&table, bytes + header.e_shoff + i * sizeof table, sizeof table);
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum)
        continue;
      memcpy (&strings, bytes + header.e_shoff + table.sh_link * sizeof strings, sizeof strings);
      read_symbols (names, bytes, size, &table, &strings);
    }
  return names;
}
