/* debug: each instruction carries the line of the TVMScript text that its statement comes from.
 *
 * The text is the one that the nodes' spans point into (what was parsed; lowering passes keep spans).  Only line
 * tables are made.  A statement without a span belongs to the line of what surrounds it.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

guint
ls_cg_line_of (LsCg    *cg,
               gpointer node)
{
  LsSpan span = LS_NODE (node)->span;

  if (span.source == 0)
    return 0;
  if (cg->source == NULL || ls_source_get_id (cg->source) != span.source)
    {
      g_clear_pointer (&cg->source, ls_source_unref);
      cg->source = ls_source_lookup (span.source);
    }
  return cg->source != NULL ? ls_source_place (cg->source, span.start).line : 0;
}

void
ls_cg_debug_init (LsCg *cg)
{
  static const char producer[] = "loopscope";
  LLVMValueRef flags[2] = { ls_cg_i32 (cg, 3), ls_cg_i32 (cg, 5) };

  if (!cg->options->debug_lines && !cg->options->remarks)
    return;
  cg->di = LLVMCreateDIBuilder (cg->module);
  cg->di_file = LLVMDIBuilderCreateFile (cg->di, "module.py", strlen ("module.py"), "", 0);
  cg->di_unit = LLVMDIBuilderCreateCompileUnit (cg->di, LLVMDWARFSourceLanguageC, cg->di_file, producer, strlen (producer), TRUE, "", 0, 0, "", 0,
                                                LLVMDWARFEmissionLineTablesOnly, 0, FALSE, FALSE, "", 0, "", 0);
  LLVMAddModuleFlag (cg->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", strlen ("Debug Info Version"), LLVMValueAsMetadata (flags[0]));
  LLVMAddModuleFlag (cg->module, LLVMModuleFlagBehaviorWarning, "Dwarf Version", strlen ("Dwarf Version"), LLVMValueAsMetadata (flags[1]));
}

void
ls_cg_debug_func (LsCg        *cg,
                  LLVMValueRef func,
                  const char  *name,
                  LsNode      *node)
{
  LLVMMetadataRef type;
  guint line = ls_cg_line_of (cg, node);

  cg->line = line > 0 ? line : cg->line;
  if (cg->di == NULL)
    return;
  type = LLVMDIBuilderCreateSubroutineType (cg->di, cg->di_file, NULL, 0, LLVMDIFlagZero);
  cg->di_scope = LLVMDIBuilderCreateFunction (cg->di, cg->di_file, name, strlen (name), "", 0, cg->di_file, cg->line, type, TRUE, TRUE, cg->line,
                                              LLVMDIFlagZero, TRUE);
  LLVMSetSubprogram (func, cg->di_scope);
  LLVMSetCurrentDebugLocation2 (cg->builder, LLVMDIBuilderCreateDebugLocation (cg->context, cg->line, 0, cg->di_scope, NULL));
}

void
ls_cg_debug_none (LsCg *cg)
{
  cg->di_scope = NULL;
  cg->line = 0;
  LLVMSetCurrentDebugLocation2 (cg->builder, NULL);
}

void
ls_cg_debug_at (LsCg    *cg,
                gpointer node)
{
  guint line;

  if (cg->di == NULL && !cg->options->check_bounds)
    return;
  line = ls_cg_line_of (cg, node);
  cg->line = line > 0 ? line : cg->line;
  if (cg->di != NULL && cg->di_scope != NULL)
    LLVMSetCurrentDebugLocation2 (cg->builder, LLVMDIBuilderCreateDebugLocation (cg->context, cg->line, 0, cg->di_scope, NULL));
}

void
ls_cg_debug_finish (LsCg *cg)
{
  if (cg->di != NULL)
    {
      LLVMDIBuilderFinalize (cg->di);
      LLVMDisposeDIBuilder (cg->di);
      cg->di = NULL;
    }
  g_clear_pointer (&cg->source, ls_source_unref);
}
