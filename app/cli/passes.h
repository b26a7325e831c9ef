/* cli/passes: the passes of both levels by name, as `pass` and `lower --pass` take them.
 *
 * A name stands for the graph level's pass where both levels have one; `tir.NAME` for that of TensorIR.
 */
#pragma once

#include "engine/relax/pass/pass.h"
#include "engine/tir/pass/pass.h"

/* One of the two is set. */
typedef struct {
  const LsRelaxPass *relax;
  const LsPass      *tir;
} LsCliPass;

/* Reads 'NAME (arguments)'.  only_tir: the graph level's passes are not meant.  args: those of the graph level complete, those of
 * TensorIR as given, NULL for none. (out, transfer full)  Errors: in words for people; FALSE. */
gboolean    ls_cli_pass_read      (const char      *text,
                                   gboolean         only_tir,
                                   LsCliPass       *pass,
                                   LsMap          **args,
                                   GError         **error);
const char *ls_cli_pass_name      (const LsCliPass *self);
const char *ls_cli_pass_summary   (const LsCliPass *self);
/* Ends with an empty row; NULL: none. */
const LsPassParam *ls_cli_pass_params (const LsCliPass *self);
/* "tir.NarrowDataType(target_bits=32)". (transfer full) */
char       *ls_cli_pass_signature (const LsCliPass *self);
/* (transfer full) */
LsModule   *ls_cli_pass_run       (const LsCliPass *self,
                                   LsModule        *module,
                                   LsMap           *args,
                                   GError         **error);
