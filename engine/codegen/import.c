/* import: functions in LLVM's own language that a program brings along.
 *
 *   sch.annotate (i, "pragma_import_llvm", code)      code: LLVM's text, or a file NAME.ll or NAME.bc
 *
 * The code is read where the pragma stands, checked by LLVM's verifier, and linked into the module that is being emitted;
 * T.call_extern inside the pragma then finds its functions.  They become private to the module and are compiled for the
 * module's target, whatever they were written for; clang's marks "do not optimise" go.  The same code is linked once.
 * Source of the concept: TVM's pragma_import_llvm; the course on machine learning compilation uses it in tensorization.
 */
#include "engine/codegen/codegen-private.h"

#include "engine/base/plural.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

#include <string.h>

#define KEY "pragma_import_llvm"

/* ---- reading ------------------------------------------------------------------ */

static gboolean
is_file_name (const char *text)
{
  return strchr (text, '\n') == NULL && (g_str_has_suffix (text, ".ll") || g_str_has_suffix (text, ".bc"));
}

/* The bytes that LLVM is to read. (transfer full) */
static GBytes *
bytes_of (LsCg       *cg,
          const char *text)
{
  g_autoptr (GError) error = NULL;
  char *content;
  gsize length;

  if (!is_file_name (text))
    return g_bytes_new (text, strlen (text));
  if (g_file_get_contents (text, &content, &length, &error))
    return g_bytes_new_take (content, length);
  ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The file %s of pragma_import_llvm cannot be read: %s", text, error->message);
  return NULL;
}

/* Lines of LLVM's message without the bytes that are not text. (transfer full) */
static char *
as_text (char *message)
{
  char *text = g_utf8_make_valid (message != NULL ? message : "", -1);

  LLVMDisposeMessage (message);
  return g_strchomp (text);
}

static LLVMModuleRef
read_module (LsCg       *cg,
             const char *text)
{
  g_autoptr (GBytes) bytes = bytes_of (cg, text);
  g_autofree char *problem = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;

  if (bytes == NULL)
    return NULL;
  if (LLVMParseIRInContext (cg->context, LLVMCreateMemoryBufferWithMemoryRangeCopy (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), KEY), &module, &message))
    {
      problem = as_text (message);
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The code of pragma_import_llvm is not what this LLVM reads: %s", problem);
      return NULL;
    }
  LLVMSetTarget (module, cg->target->triple);
  LLVMSetDataLayout (module, LLVMGetDataLayoutStr (cg->module));
  if (LLVMVerifyModule (module, LLVMReturnStatusAction, &message))
    {
      problem = as_text (message);
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The code of pragma_import_llvm is not well formed: %s", problem);
      LLVMDisposeModule (module);
      return NULL;
    }
  LLVMDisposeMessage (message);
  return module;
}

/* ---- linking -------------------------------------------------------------------- */

static void
drop_mark (LLVMValueRef  func,
           const char   *name)
{
  LLVMRemoveEnumAttributeAtIndex (func, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName (name, strlen (name)));
}

static void
drop_text_mark (LLVMValueRef  func,
                const char   *name)
{
  LLVMRemoveStringAttributeAtIndex (func, LLVMAttributeFunctionIndex, name, (unsigned) strlen (name));
}

/* As if it were written for the target of the module. */
static void
adopt (LLVMValueRef func)
{
  drop_mark (func, "optnone");
  drop_mark (func, "noinline");
  drop_text_mark (func, "target-cpu");
  drop_text_mark (func, "tune-cpu");
  drop_text_mark (func, "target-features");
}

/* Both modules define it: LLVM would not link them. */
static const char *
defined_twice (LsCg          *cg,
               LLVMModuleRef  module)
{
  gsize length;

  for (LLVMValueRef f = LLVMGetFirstFunction (module); f != NULL; f = LLVMGetNextFunction (f))
    {
      LLVMValueRef own = LLVMGetNamedFunction (cg->module, LLVMGetValueName2 (f, &length));

      if (LLVMIsDeclaration (f))
        continue;
      if (ls_module_get (cg->ir, LLVMGetValueName2 (f, &length)) != NULL || (own != NULL && !LLVMIsDeclaration (own)))
        return LLVMGetValueName2 (f, &length);
    }
  for (LLVMValueRef g = LLVMGetFirstGlobal (module); g != NULL; g = LLVMGetNextGlobal (g))
    {
      LLVMValueRef own = LLVMGetNamedGlobal (cg->module, LLVMGetValueName2 (g, &length));
      LLVMLinkage linkage = LLVMGetLinkage (g);

      if (own != NULL && linkage != LLVMPrivateLinkage && linkage != LLVMInternalLinkage && !LLVMIsDeclaration (g) && !LLVMIsDeclaration (own))
        return LLVMGetValueName2 (g, &length);
    }
  return NULL;
}

/* Takes the module. */
static void
link_module (LsCg          *cg,
             LLVMModuleRef  module)
{
  const char *twice = defined_twice (cg, module);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (twice != NULL)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The code of pragma_import_llvm defines %s, which there is already.", twice);
      LLVMDisposeModule (module);
      return;
    }
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f != NULL; f = LLVMGetNextFunction (f))
    {
      gsize length;

      if (LLVMIsDeclaration (f))
        continue;
      adopt (f);
      g_ptr_array_add (names, g_strdup (LLVMGetValueName2 (f, &length)));
    }
  if (LLVMLinkModules2 (cg->module, module))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The code of pragma_import_llvm cannot be linked with the program.");
      return;
    }
  for (guint i = 0; i < names->len; i++)
    {
      LLVMValueRef func = LLVMGetNamedFunction (cg->module, names->pdata[i]);

      if (func != NULL)
        LLVMSetLinkage (func, LLVMInternalLinkage);
    }
}

/* ---- the pragma ------------------------------------------------------------------- */

static const char *
text_of (LsNode *value)
{
  if (ls_is (value, STRING))
    return ((LsString *) value)->value;
  return ls_is (value, STRING_IMM) ? ((LsStringImm *) value)->value : NULL;
}

void
ls_cg_import (LsCg       *cg,
              const char *key,
              LsNode     *value)
{
  LLVMModuleRef module;
  const char *text;

  if (value == NULL || strcmp (key, KEY) != 0)
    return;
  text = text_of (value);
  if (text == NULL)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "pragma_import_llvm takes LLVM's text or the name of a file with it.");
      return;
    }
  if (!g_hash_table_add (cg->imports, g_strdup (text)))
    return;
  module = read_module (cg, text);
  if (module != NULL)
    link_module (cg, module);
}

void
ls_cg_import_of (LsCg  *cg,
                 LsMap *annotations)
{
  ls_cg_import (cg, KEY, ls_map_get (annotations, KEY));
}

/* An int may be passed as another one, as C does. */
static gboolean
fits (LLVMTypeRef want,
      LLVMTypeRef have)
{
  return want == have || (LLVMGetTypeKind (want) == LLVMIntegerTypeKind && LLVMGetTypeKind (have) == LLVMIntegerTypeKind);
}

void
ls_cg_check_import (LsCg        *cg,
                    const char  *name,
                    LLVMTypeRef *types,
                    guint        n)
{
  LLVMTypeRef type = LLVMGlobalGetValueType (LLVMGetNamedFunction (cg->module, name));
  guint n_params = LLVMCountParamTypes (type);
  g_autofree LLVMTypeRef *params = g_new0 (LLVMTypeRef, n_params + 1);

  if (n_params > n || (n_params < n && !LLVMIsFunctionVarArg (type)))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM,
                ls_translate_plural ("The imported function %s takes %u argument, the call gives %u.",
                                     "The imported function %s takes %u arguments, the call gives %u.", n_params),
                name, n_params, n);
  LLVMGetParamTypes (type, params);
  for (guint i = 0; i < n_params && cg->error == NULL; i++)
    if (!fits (params[i], types[i]))
      {
        char *want = LLVMPrintTypeToString (params[i]);
        char *have = LLVMPrintTypeToString (types[i]);

        ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "Argument %u of the imported function %s is of LLVM's type %s, the call gives %s.", i + 1, name, want, have);
        LLVMDisposeMessage (want);
        LLVMDisposeMessage (have);
      }
}

gboolean
ls_cg_is_imported (LsCg       *cg,
                   const char *name)
{
  LLVMValueRef func = g_hash_table_size (cg->imports) > 0 ? LLVMGetNamedFunction (cg->module, name) : NULL;

  return func != NULL && !LLVMIsDeclaration (func) && LLVMGetLinkage (func) == LLVMInternalLinkage;
}
