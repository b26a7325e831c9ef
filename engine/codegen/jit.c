/* jit: objects linked into this process by LLVM's ORC.
 *
 * Symbols that code may reach are defined one by one (libm, the runtime, what was registered): no search through the process, so that a
 * script cannot call whatever libc has.  Each object gets a resource tracker, which unloads it.
 */
#include "engine/codegen/codegen-private.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>

#include <string.h>

/* A shorter prefix could stand in the code by chance; those that are that short are never loaded from files. */
#define FRESH_LENGTH 12

struct _LsJit {
  LLVMOrcLLJITRef lljit;
  GHashTable     *defined;      /* names that the JIT knows already */
  GHashTable     *prefixes;     /* of the objects that were taken */
  GMutex          mutex;
};

struct _LsKernel {
  LsJit                    *jit;
  LLVMOrcResourceTrackerRef tracker;
  GHashTable               *functions;  /* name -> address */
  gint64                    link_ns;
};

#define R(name) { #name, (gpointer) name }

static const struct { const char *name; gpointer address; } RUNTIME[] = {
  R (ls_runtime_assert_failed), R (ls_packed_call), R (ls_parallel_launch), R (ls_workspace_alloc), R (ls_workspace_free),
  R (ls_abi_open), R (ls_abi_mismatch), R (ls_abi_bounds),
  R (ls_abi_binding), R (ls_abi_division), R (ls_abi_memory), R (ls_abi_half_from_float), R (ls_abi_half_from_double), R (ls_abi_half_to_float),
};

/* ---- names -------------------------------------------------------------------------- */

static GMutex registered_mutex;
static GHashTable *registered;

/* What the runtime and libm bring. */
static gpointer
builtin_symbol (const char *name)
{
  gpointer address = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (RUNTIME); i++)
    if (strcmp (RUNTIME[i].name, name) == 0)
      return RUNTIME[i].address;
  return ls_math_symbol_known (name, &address) ? address : NULL;
}

gboolean
ls_jit_register_symbol (const char *name,
                        gpointer    address)
{
  gboolean fresh = builtin_symbol (name) == NULL;

  if (!fresh)
    return FALSE;
  /* Asked and added under one lock: of two threads that bring a name one is told that it is known. */
  g_mutex_lock (&registered_mutex);
  if (registered == NULL)
    registered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fresh = !g_hash_table_contains (registered, name);
  if (fresh)
    g_hash_table_insert (registered, g_strdup (name), address);
  g_mutex_unlock (&registered_mutex);
  return fresh;
}

gpointer
ls_jit_runtime_symbol (const char *name)
{
  gpointer address = builtin_symbol (name);

  if (address != NULL)
    return address;
  g_mutex_lock (&registered_mutex);
  address = registered != NULL ? g_hash_table_lookup (registered, name) : NULL;
  g_mutex_unlock (&registered_mutex);
  return address;
}

gboolean
ls_jit_has_symbol (const char *name)
{
  return ls_jit_runtime_symbol (name) != NULL;
}

char *
ls_jit_unique_prefix (void)
{
  static gint count;

  return g_strdup_printf ("k%d_", g_atomic_int_add (&count, 1));
}

/* ---- errors -------------------------------------------------------------------------- */

static gboolean
succeeded (LLVMErrorRef failed,
           const char  *what,
           GError     **error)
{
  char *message;

  if (failed == NULL)
    return TRUE;
  message = LLVMGetErrorMessage (failed);
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, "%s: %s", what, message);
  LLVMDisposeErrorMessage (message);
  return FALSE;
}

/* ---- the JIT --------------------------------------------------------------------------- */

LsJit *
ls_jit_new (GError **error)
{
  LsJit *self;
  LLVMOrcLLJITRef lljit = NULL;

  ls_llvm_init ();
  if (!succeeded (LLVMOrcCreateLLJIT (&lljit, NULL), "The code loader did not start", error))
    return NULL;
  self = g_new0 (LsJit, 1);
  self->lljit = lljit;
  self->defined = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->prefixes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&self->mutex);
  return self;
}

void
ls_jit_free (LsJit *self)
{
  if (self == NULL)
    return;
  LLVMConsumeError (LLVMOrcDisposeLLJIT (self->lljit));
  g_hash_table_unref (self->defined);
  g_hash_table_unref (self->prefixes);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
define (LsJit      *self,
        const char *name,
        gpointer    address,
        GError    **error)
{
  LLVMOrcCSymbolMapPair pair;

  if (!g_hash_table_add (self->defined, g_strdup (name)))
    return TRUE;
  memset (&pair, 0, sizeof pair);
  pair.Name = LLVMOrcLLJITMangleAndIntern (self->lljit, name);
  pair.Sym.Address = (LLVMOrcExecutorAddress) (gsize) address;
  pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  return succeeded (LLVMOrcJITDylibDefine (LLVMOrcLLJITGetMainJITDylib (self->lljit), LLVMOrcAbsoluteSymbols (&pair, 1)),
                    "A symbol was not taken", error);
}

/* Defines what the object asks for, as far as it is known. */
static gboolean
define_imports (LsJit   *self,
                GBytes  *code,
                GError **error)
{
  gsize size;
  const char *bytes = g_bytes_get_data (code, &size);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = ls_elf_imports (bytes, size);

  for (guint i = 0; i < names->len; i++)
    {
      gpointer address = ls_jit_runtime_symbol (names->pdata[i]);

      if (address == NULL)
        g_ptr_array_add (missing, g_strdup (names->pdata[i]));
      else if (!define (self, names->pdata[i], address, error))
        return FALSE;
    }
  if (missing->len == 0)
    return TRUE;
  g_ptr_array_add (missing, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **) missing->pdata);
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("The code calls what is not there: %s."), list);
  return FALSE;
}

static gboolean
look_up (LsKernel       *self,
         const LsObject *object,
         const char     *prefix,
         GError        **error)
{
  for (guint i = 0; object->functions[i] != NULL; i++)
    {
      g_autofree char *symbol = g_strconcat (prefix, object->functions[i], NULL);
      LLVMOrcExecutorAddress address = 0;

      if (!succeeded (LLVMOrcLLJITLookup (self->jit->lljit, &address, symbol), "The code was not linked", error))
        return FALSE;
      g_hash_table_insert (self->functions, g_strdup (object->functions[i]), (gpointer) (gsize) address);
    }
  return TRUE;
}

/* Another prefix of the same length that no object had. (transfer full) */
static char *
fresh_prefix (LsJit      *self,
              const char *prefix)
{
  gsize length = strlen (prefix);
  char *fresh = g_strdup (prefix);

  do
    for (gsize i = 0; i < length; i++)
      if (g_ascii_isxdigit (prefix[i]))
        fresh[i] = "0123456789abcdef"[g_random_int_range (0, 16)];
  while (g_hash_table_contains (self->prefixes, fresh));
  return fresh;
}

/* The object's code under a prefix of its own: one that is loaded twice, from a file say, brings the names of the first one.
 * Names stand in the table of strings only, so that the bytes are replaced in place. (transfer full) */
static LLVMMemoryBufferRef
take_code (LsJit          *self,
           const LsObject *object,
           char          **prefix)
{
  gsize size, length = strlen (object->prefix);
  const char *bytes = g_bytes_get_data (object->code, &size);
  g_autofree char *copy = NULL;
  gboolean again = length >= FRESH_LENGTH && g_hash_table_contains (self->prefixes, object->prefix);

  *prefix = again ? fresh_prefix (self, object->prefix) : g_strdup (object->prefix);
  g_hash_table_add (self->prefixes, g_strdup (*prefix));
  if (!again)
    return LLVMCreateMemoryBufferWithMemoryRangeCopy (bytes, size, *prefix);
  copy = g_memdup2 (bytes, size);
  for (char *at = memmem (copy, size, object->prefix, length); at != NULL; at = memmem (at, size - (gsize) (at - copy), object->prefix, length))
    memcpy (at, *prefix, length);
  return LLVMCreateMemoryBufferWithMemoryRangeCopy (copy, size, *prefix);
}

LsKernel *
ls_jit_add (LsJit          *self,
            const LsObject *object,
            GError        **error)
{
  g_autoptr (LsKernel) kernel = g_new0 (LsKernel, 1);
  g_autofree char *prefix = NULL;
  LLVMMemoryBufferRef buffer;
  gint64 start = ls_clock_ns ();
  gboolean ok;

  g_return_val_if_fail (object->code != NULL, NULL);

  kernel->jit = self;
  kernel->functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_lock (&self->mutex);
  ok = define_imports (self, object->code, error);
  if (ok)
    {
      buffer = take_code (self, object, &prefix);
      kernel->tracker = LLVMOrcJITDylibCreateResourceTracker (LLVMOrcLLJITGetMainJITDylib (self->lljit));
      ok = succeeded (LLVMOrcLLJITAddObjectFileWithRT (self->lljit, kernel->tracker, buffer), "The code was not taken", error)
           && look_up (kernel, object, prefix, error);
    }
  g_mutex_unlock (&self->mutex);
  kernel->link_ns = ls_clock_ns () - start;
  return ok ? g_steal_pointer (&kernel) : NULL;
}

LsPackedFunc
ls_kernel_get (LsKernel   *self,
               const char *func)
{
  return (LsPackedFunc) g_hash_table_lookup (self->functions, func);
}

gboolean
ls_kernel_call (LsKernel    *self,
                const char  *func,
                const LsArg *args,
                int          n_args,
                LsArg       *result,
                GError     **error)
{
  LsPackedFunc entry = ls_kernel_get (self, func);
  LsArg unused = { LS_ARG_NONE, 0, { 0 } };

  if (entry == NULL)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_NOT_FOUND, ls_translate ("The compiled code has no function %s."), func);
      return FALSE;
    }
  if (entry (args, n_args, result != NULL ? result : &unused, NULL) == 0)
    return TRUE;
  g_set_error_literal (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_CALL, ls_runtime_last_error ());
  return FALSE;
}

gint64
ls_kernel_get_link_ns (LsKernel *self)
{
  return self->link_ns;
}

void
ls_kernel_free (LsKernel *self)
{
  if (self == NULL)
    return;
  if (self->tracker != NULL)
    {
      LLVMConsumeError (LLVMOrcResourceTrackerRemove (self->tracker));
      LLVMOrcReleaseResourceTracker (self->tracker);
    }
  g_hash_table_unref (self->functions);
  g_free (self);
}
