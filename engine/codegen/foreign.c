/* foreign: a module of LLVM from its text; its entry is called through a function of ours that takes the arguments from memory. */
#include "engine/codegen/foreign-private.h"

#include "engine/codegen/codegen-private.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

const char *
ls_foreign_type_name (LsForeignType type)
{
  static const char *const NAMES[] = { "void", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" };

  return NAMES[type];
}

/* ---- reading ---- */

/* The module's machine must be this one; one that says nothing is made for it. */
static gboolean
settle_machine (LsForeign *self,
                GError   **error)
{
  g_autoptr (LsTarget) target = ls_target_parse ("llvm -opt-level=2", error);
  const char *triple = LLVMGetTarget (self->module);
  g_auto (GStrv) here = NULL, there = NULL;
  LLVMTargetDataRef layout;

  if (target == NULL || (self->machine = ls_cg_machine_new (target, error)) == NULL)
    return FALSE;
  here = g_strsplit (target->triple, "-", 2);
  there = g_strsplit (triple, "-", 2);
  if (there[0] != NULL && strcmp (here[0], there[0]) != 0)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("The module is made for %s, which cannot run here (%s)."), triple, target->triple);
      return FALSE;
    }
  if (*triple == '\0')
    LLVMSetTarget (self->module, target->triple);
  if (*LLVMGetDataLayoutStr (self->module) == '\0')
    {
      layout = LLVMCreateTargetDataLayout (self->machine);
      LLVMSetModuleDataLayout (self->module, layout);
      LLVMDisposeTargetData (layout);
    }
  return TRUE;
}

LsForeign *
ls_foreign_read (const char *text,
                 GError    **error)
{
  g_autoptr (LsForeign) self = g_new0 (LsForeign, 1);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy (text, strlen (text), "module");
  char *message = NULL;
  gboolean bad;

  ls_llvm_init ();
  self->context = LLVMContextCreate ();
  bad = LLVMParseIRInContext (self->context, buffer, &self->module, &message) || LLVMVerifyModule (self->module, LLVMReturnStatusAction, &message);
  if (bad)
    g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_PROGRAM, ls_translate ("LLVM does not read the module: %s"), g_strchomp (message));
  LLVMDisposeMessage (message);
  return !bad && settle_machine (self, error) ? g_steal_pointer (&self) : NULL;
}

void
ls_foreign_free (LsForeign *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->module, LLVMDisposeModule);
  g_clear_pointer (&self->machine, LLVMDisposeTargetMachine);
  LLVMContextDispose (self->context);
  g_free (self);
}

/* ---- the entry ---- */

/* LS_FOREIGN_NONE: it cannot be passed. */
static LsForeignType
type_of (LLVMTypeRef type)
{
  switch (LLVMGetTypeKind (type))
    {
    case LLVMIntegerTypeKind:
      switch (LLVMGetIntTypeWidth (type))
        {
        case 1:
        case 8:
          return LS_FOREIGN_I8;
        case 16:
          return LS_FOREIGN_I16;
        case 32:
          return LS_FOREIGN_I32;
        case 64:
          return LS_FOREIGN_I64;
        default:
          return LS_FOREIGN_NONE;
        }
    case LLVMFloatTypeKind:
      return LS_FOREIGN_F32;
    case LLVMDoubleTypeKind:
      return LS_FOREIGN_F64;
    case LLVMPointerTypeKind:
      return LS_FOREIGN_PTR;
    default:
      return LS_FOREIGN_NONE;
    }
}

static LLVMValueRef
find_entry (LsForeign  *self,
            const char *entry,
            GError    **error)
{
  LLVMValueRef found = LLVMGetNamedFunction (self->module, entry);
  g_autoptr (GString) names = g_string_new (NULL);

  if (found != NULL && !LLVMIsDeclaration (found))
    return found;
  for (LLVMValueRef f = LLVMGetFirstFunction (self->module); f != NULL && names->len < 400; f = LLVMGetNextFunction (f))
    if (!LLVMIsDeclaration (f))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", LLVMGetValueName (f));
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_NOT_FOUND, ls_translate ("The module has no function %s with a body; it has %s."), entry,
               names->len > 0 ? names->str : ls_translate ("none"));
  return NULL;
}

GArray *
ls_foreign_signature (LsForeign  *self,
                      const char *entry,
                      GError    **error)
{
  LLVMValueRef function = find_entry (self, entry, error);
  LLVMTypeRef type = function != NULL ? LLVMGlobalGetValueType (function) : NULL;
  g_autoptr (GArray) types = g_array_new (FALSE, FALSE, sizeof (guint));
  guint result;

  if (function == NULL)
    return NULL;
  if (LLVMIsFunctionVarArg (type))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_UNSUPPORTED, ls_translate ("%s takes as many arguments as it is given, which is not supported."), entry);
      return NULL;
    }
  for (guint i = 0; i < LLVMCountParams (function); i++)
    {
      guint one = type_of (LLVMTypeOf (LLVMGetParam (function, i)));

      if (one == LS_FOREIGN_NONE)
        {
          char *text = LLVMPrintTypeToString (LLVMTypeOf (LLVMGetParam (function, i)));

          g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_UNSUPPORTED, ls_translate ("Argument %u of %s is a %s; integers up to 64 bits, float, double and pointers can be given."), i + 1,
                       entry, text);
          LLVMDisposeMessage (text);
          return NULL;
        }
      g_array_append_val (types, one);
    }
  result = type_of (LLVMGetReturnType (type));
  if (result == LS_FOREIGN_NONE && LLVMGetTypeKind (LLVMGetReturnType (type)) != LLVMVoidTypeKind)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_UNSUPPORTED, ls_translate ("The result of %s is neither an integer of up to 64 bits nor float, double or a pointer."), entry);
      return NULL;
    }
  g_array_append_val (types, result);
  return g_steal_pointer (&types);
}

/* Nothing of it can meet what is linked already. */
static void
hide_symbol (LLVMValueRef value)
{
  if (LLVMIsDeclaration (value) || g_str_has_prefix (LLVMGetValueName (value), "llvm."))
    return;
  LLVMSetComdat (value, NULL);
  LLVMSetVisibility (value, LLVMDefaultVisibility);
  LLVMSetLinkage (value, LLVMInternalLinkage);
}

static LLVMValueRef
word (LsForeign     *self,
      LLVMBuilderRef builder,
      LLVMValueRef   words,
      guint          i)
{
  LLVMTypeRef i64 = LLVMInt64TypeInContext (self->context);
  LLVMValueRef index = LLVMConstInt (i64, i, FALSE);

  return LLVMBuildGEP2 (builder, i64, words, &index, 1, "");
}

/* i32 PREFIXentry (words, n, result, closure): loads, calls, stores. */
static void
add_caller (LsForeign   *self,
            LLVMValueRef entry,
            const char  *name)
{
  LLVMTypeRef ptr = LLVMPointerTypeInContext (self->context, 0), i32 = LLVMInt32TypeInContext (self->context), type = LLVMGlobalGetValueType (entry);
  LLVMTypeRef params[] = { ptr, i32, ptr, ptr };
  LLVMValueRef caller = LLVMAddFunction (self->module, name, LLVMFunctionType (i32, params, 4, FALSE)), words = LLVMGetParam (caller, 0), call;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext (self->context);
  guint n = LLVMCountParams (entry);
  g_autofree LLVMValueRef *args = g_new (LLVMValueRef, n + 1);

  LLVMPositionBuilderAtEnd (builder, LLVMAppendBasicBlockInContext (self->context, caller, ""));
  for (guint i = 0; i < n; i++)
    args[i] = LLVMBuildLoad2 (builder, LLVMTypeOf (LLVMGetParam (entry, i)), word (self, builder, words, i), "");
  call = LLVMBuildCall2 (builder, type, entry, args, n, "");
  LLVMSetInstructionCallConv (call, LLVMGetFunctionCallConv (entry));
  if (LLVMGetTypeKind (LLVMGetReturnType (type)) != LLVMVoidTypeKind)
    LLVMBuildStore (builder, call, word (self, builder, words, n));
  LLVMBuildRet (builder, LLVMConstInt (i32, 0, FALSE));
  LLVMDisposeBuilder (builder);
}

LsObject *
ls_foreign_compile (LsForeign  *self,
                    const char *entry,
                    GError    **error)
{
  g_autoptr (GArray) types = ls_foreign_signature (self, entry, error);
  g_autoptr (LsObject) object = NULL;
  g_autofree char *name = NULL;
  LLVMValueRef function;
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;

  if (types == NULL)
    return NULL;
  object = g_new0 (LsObject, 1);
  object->prefix = ls_jit_unique_prefix ();
  object->functions = g_strsplit ("entry", ",", -1);
  name = g_strconcat (object->prefix, "entry", NULL);
  function = find_entry (self, entry, error);
  for (LLVMValueRef f = LLVMGetFirstFunction (self->module); f != NULL; f = LLVMGetNextFunction (f))
    hide_symbol (f);
  for (LLVMValueRef global = LLVMGetFirstGlobal (self->module); global != NULL; global = LLVMGetNextGlobal (global))
    hide_symbol (global);
  add_caller (self, function, name);
  if (LLVMTargetMachineEmitToMemoryBuffer (self->machine, self->module, LLVMObjectFile, &message, &buffer))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("LLVM did not write the code: %s"), message);
      LLVMDisposeMessage (message);
      return NULL;
    }
  object->code = g_bytes_new (LLVMGetBufferStart (buffer), LLVMGetBufferSize (buffer));
  LLVMDisposeMemoryBuffer (buffer);
  return g_steal_pointer (&object);
}

/* ---- passes ---- */

gboolean
ls_foreign_pass (LsForeign  *self,
                 const char *pass,
                 GError    **error)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions ();
  LLVMErrorRef failed;
  char *message;

  LLVMPassBuilderOptionsSetLoopVectorization (options, TRUE);
  LLVMPassBuilderOptionsSetSLPVectorization (options, TRUE);
  LLVMPassBuilderOptionsSetLoopInterleaving (options, TRUE);
  LLVMPassBuilderOptionsSetLoopUnrolling (options, TRUE);
  failed = LLVMRunPasses (self->module, pass, self->machine, options);
  LLVMDisposePassBuilderOptions (options);
  if (failed == NULL)
    return TRUE;
  message = LLVMGetErrorMessage (failed);
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("LLVM does not run the pass %s: %s"), pass, message);
  LLVMDisposeErrorMessage (message);
  return FALSE;
}

char *
ls_foreign_print (LsForeign *self)
{
  return ls_cg_print_ir (self->module);
}
