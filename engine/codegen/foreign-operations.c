/* foreign-operations: what the instructions of a function are, as LLVM reads them.
 *
 * Values get names that nothing else has; then LLVM prints the function once, and in its text these names tell operands from all that belongs to the
 * operation itself: types, constants, flags, attributes of calls.  What LLVM holds as operands must be as many. */
#include "engine/codegen/foreign-private.h"

#include "engine/codegen/codegen-private.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#define SIGN "ls.value."        /* in front of the number of a value */

void
ls_foreign_operation_free (LsForeignOperation *self)
{
  g_free (self->name);
  g_free (self->shape);
  g_array_unref (self->results);
  g_array_unref (self->operands);
  g_free (self);
}

char *
ls_foreign_llvm_version (void)
{
  unsigned major, minor, patch;

  LLVMGetVersion (&major, &minor, &patch);
  return g_strdup_printf ("LLVM %u.%u.%u", major, minor, patch);
}

/* What LLVM remarks while it reads is not for anybody's eyes. */
static void
ignore_remark (LLVMDiagnosticInfoRef info,
               void                 *data)
{
}

LsForeign *
ls_foreign_parse (const char *text,
                  GError    **error)
{
  g_autoptr (LsForeign) self = g_new0 (LsForeign, 1);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy (text, strlen (text), "dump");
  char *message = NULL;

  self->context = LLVMContextCreate ();
  LLVMContextSetDiagnosticHandler (self->context, ignore_remark, NULL);
  if (LLVMParseIRInContext (self->context, buffer, &self->module, &message))
    {
      g_set_error_literal (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_PROGRAM, g_strchomp (message));
      LLVMDisposeMessage (message);
      return NULL;
    }
  LLVMStripModuleDebugInfo (self->module);
  return g_steal_pointer (&self);
}

/* ---- names ---- */

static void
set_name (LLVMValueRef value,
          guint        number)
{
  g_autofree char *name = g_strdup_printf (SIGN "%u", number);

  LLVMSetValueName2 (value, name, strlen (name));
}

static gboolean
is_void (LLVMValueRef value)
{
  return LLVMGetTypeKind (LLVMTypeOf (value)) == LLVMVoidTypeKind;
}

/* All that has a name in the function, in the order of the text. */
static void
each_value (LLVMValueRef function,
            void       (*visit) (LLVMValueRef value, guint number))
{
  guint n = 0;

  for (guint i = 0; i < LLVMCountParams (function); i++)
    visit (LLVMGetParam (function, i), n++);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block != NULL; block = LLVMGetNextBasicBlock (block))
    {
      visit (LLVMBasicBlockAsValue (block), n++);
      for (LLVMValueRef i = LLVMGetFirstInstruction (block); i != NULL; i = LLVMGetNextInstruction (i))
        if (!is_void (i))
          visit (i, n++);
    }
}

static void
clear_name (LLVMValueRef value,
            guint        number)
{
  LLVMSetValueName2 (value, "", 0);
}

static void
drop_metadata (LLVMValueRef instruction)
{
  size_t n;
  LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc (instruction, &n);

  for (size_t i = 0; i < n; i++)
    LLVMSetMetadata (instruction, LLVMValueMetadataEntriesGetKind (entries, (unsigned) i), NULL);
  LLVMDisposeValueMetadataEntries (entries);
}

/* Operands that have a name of the function. */
static guint
count_operands (LLVMValueRef instruction)
{
  guint n = 0;

  for (guint i = 0; i < (guint) LLVMGetNumOperands (instruction); i++)
    {
      LLVMValueRef operand = LLVMGetOperand (instruction, i);

      n += operand != NULL && (LLVMIsAInstruction (operand) != NULL || LLVMIsAArgument (operand) != NULL || LLVMValueIsBasicBlock (operand));
    }
  if (LLVMGetInstructionOpcode (instruction) == LLVMPHI)
    n += LLVMCountIncoming (instruction);
  return n;
}

/* ---- the printed function ---- */

/* The number of the value whose name begins at a "%"; *length gets that of the name. FALSE: it is another name. */
static gboolean
value_at (const char *at,
          guint      *number,
          gsize      *length)
{
  char *end;

  if (!g_str_has_prefix (at, "%" SIGN) || !g_ascii_isdigit (at[strlen ("%" SIGN)]))
    return FALSE;
  *number = (guint) strtoul (at + strlen ("%" SIGN), &end, 10);
  *length = (gsize) (end - at);
  return TRUE;
}

/* A text with its values taken out; what stands up to `split` is defined. */
static LsForeignOperation *
read_operation (const char *text,
                gsize       size,
                gsize       split,
                const char *name)
{
  LsForeignOperation *self = g_new0 (LsForeignOperation, 1);
  GString *shape = g_string_new (NULL);
  gboolean quoted = FALSE;
  guint number;

  self->results = g_array_new (FALSE, FALSE, sizeof (guint));
  self->operands = g_array_new (FALSE, FALSE, sizeof (guint));
  for (gsize i = 0, n; i < size; i += n)
    {
      n = 1;
      if (!quoted && text[i] == '%' && value_at (text + i, &number, &n))
        {
          g_array_append_val (i < split ? self->results : self->operands, number);
          g_string_append_c (shape, '%');
          continue;
        }
      if (text[i] == '"')
        quoted = !quoted;
      if (!quoted && text[i] == ' ' && i + 2 < size && text[i + 1] == '#' && g_ascii_isdigit (text[i + 2]))     /* a group of attributes */
        {
          for (n = 2; i + n < size && g_ascii_isdigit (text[i + n]); n++)
            ;
          continue;
        }
      if (!quoted && text[i] == '!')    /* a node of metadata */
        for (; i + n < size && g_ascii_isdigit (text[i + n]); n++)
          ;
      g_string_append_c (shape, text[i]);
    }
  self->name = g_strdup (name);
  self->shape = g_strchomp (g_string_free (shape, FALSE));
  return self;
}

/* Where the next instruction or label begins behind `at`: more of one stands deeper, but for the end of a switch. */
static const char *
next_start (const char *at)
{
  while ((at = strchr (at, '\n')) != NULL)
    {
      at++;
      if (*at == '\0' || *at == '}' || g_str_has_prefix (at, SIGN) || (g_str_has_prefix (at, "  ") && at[2] != ' ' && at[2] != ']'))
        return at;
    }
  return NULL;
}

static char *
instruction_name (const char *at)
{
  static const char *const BEFORE[] = { "tail ", "musttail ", "notail " };

  for (guint i = 0; i < G_N_ELEMENTS (BEFORE); i++)
    if (g_str_has_prefix (at, BEFORE[i]))
      at += strlen (BEFORE[i]);
  return g_strndup (at, strspn (at, "abcdefghijklmnopqrstuvwxyz_"));
}

/* *at is at an instruction's line, and gets where the next one begins; NULL: the text is not what LLVM holds. */
static LsForeignOperation *
read_instruction (const char **at,
                  LLVMValueRef instruction)
{
  const char *start = *at, *next = start != NULL ? next_start (start) : NULL, *equal;
  gsize length, split = 0;
  guint number;
  g_autofree char *name = NULL;
  LsForeignOperation *operation;

  if (next == NULL || !g_str_has_prefix (start, "  "))
    return NULL;
  start += 2;
  if (value_at (start, &number, &length) && (equal = start + length) + 3 < next && g_str_has_prefix (equal, " = "))
    split = length + 3;
  name = instruction_name (start + split);
  operation = read_operation (start, (gsize) (next - start) - 1, split, name);
  *at = next;
  if (operation->operands->len == count_operands (instruction) && operation->results->len == !is_void (instruction))
    return operation;
  ls_foreign_operation_free (operation);
  return NULL;
}

GPtrArray *
ls_foreign_operations (LsForeign  *self,
                       const char *name,
                       GError    **error)
{
  g_autoptr (GPtrArray) operations = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_foreign_operation_free);
  LLVMValueRef function = LLVMGetNamedFunction (self->module, name);
  g_autofree char *text = NULL;
  const char *at;
  char *printed;

  if (function == NULL || LLVMIsDeclaration (function))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_NOT_FOUND, ls_translate ("there is no function %s with a body"), name);
      return NULL;
    }
  each_value (function, clear_name);
  each_value (function, set_name);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block != NULL; block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i != NULL; i = LLVMGetNextInstruction (i))
      drop_metadata (i);
  printed = LLVMPrintValueToString (function);
  text = g_strdup (printed);
  LLVMDisposeMessage (printed);
  at = g_str_has_prefix (text, "define ") ? text : strstr (text, "\ndefine ");
  at = at != NULL ? at + (*at == '\n') : "";
  g_ptr_array_add (operations, read_operation (at, strcspn (at, "\n"), strcspn (at, "\n"), "label"));
  at = next_start (at);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block != NULL; block = LLVMGetNextBasicBlock (block))
    {
      g_autofree char *label = NULL;

      if (at == NULL || !g_str_has_prefix (at, SIGN))
        break;
      label = g_strdup_printf ("%%%.*s", (int) strcspn (at, ":"), at);
      g_ptr_array_add (operations, read_operation (label, strlen (label), strlen (label), "label"));
      if (block == LLVMGetFirstBasicBlock (function))           /* in a text it has a label only where it has a name: it defines nothing */
        g_array_set_size (((LsForeignOperation *) operations->pdata[operations->len - 1])->results, 0);
      at = next_start (at);
      for (LLVMValueRef i = LLVMGetFirstInstruction (block); i != NULL; i = LLVMGetNextInstruction (i))
        {
          LsForeignOperation *operation = read_instruction (&at, i);

          if (operation == NULL)
            {
              g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("operation %u of %s is not printed as LLVM holds it"), operations->len, name);
              return NULL;
            }
          g_ptr_array_add (operations, operation);
        }
    }
  if (at != NULL && *at == '}')
    return g_steal_pointer (&operations);
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("%s is not printed as LLVM holds it"), name);
  return NULL;
}
