/* name: what variables are called in a language, none like one of its words. */
#include "engine/codegen/c/text-private.h"

#include <string.h>

static const char *const WORDS[] = {
  "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int",
  "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile",
  "while", "main", "half", "bool", "true", "false", "exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "pow", "floor", "ceil", "round", "fabs", "min", "max",
  "y0", "y1", "yn", "j0", "j1", "jn", "gamma", "uint", "uchar", "ulong", "ushort", "kernel", "local", "global", "constant", "private", "class", "this", "new",
  "delete", "template", "operator", "namespace", "using", "try", "catch", "throw", "public", "protected", "friend", "virtual", "typename", "assert", "NULL",
};

char *
text_fresh (Writer     *self,
            const char *wanted)
{
  g_autofree char *base = g_strcanon (g_strdup (*wanted != 0 ? wanted : "v"), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
  g_autofree char *head = g_ascii_isdigit (base[0]) || g_strv_contains ((const char *const[]) { "", NULL }, base) ? g_strconcat ("v", base, NULL) : g_strdup (base);
  gboolean reserved = FALSE;
  char *name;

  for (guint i = 0; i < G_N_ELEMENTS (WORDS) && !reserved; i++)
    reserved = strcmp (WORDS[i], head) == 0;
  name = reserved ? g_strconcat (head, "_", NULL) : g_strdup (head);
  for (guint n = 1; !g_hash_table_add (self->taken, (gpointer) g_intern_string (name)); n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%u", head, n);
    }
  return name;
}

const char *
text_declare (Writer *self,
              LsVar  *var)
{
  char *name = text_fresh (self, var->name);

  g_hash_table_insert (self->names, var, name);
  return name;
}

void
text_points_to (Writer     *self,
                LsVar      *var,
                LsDType     t,
                const char *space)
{
  Pointee *pointee = g_new (Pointee, 1);

  *pointee = (Pointee) { t, space };
  g_hash_table_insert (self->types, var, pointee);
}

const char *
text_name (Writer *self,
           LsVar  *var)
{
  const char *name = g_hash_table_lookup (self->names, var);

  if (name == NULL)
    text_refuse (self, "The variable %s, which nobody defines,", var->name);
  return name != NULL ? name : "?";
}
