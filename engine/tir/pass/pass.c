/* pass: what the passes share. */
#include "engine/tir/pass/pass.h"

G_DEFINE_QUARK (ls-pass-error-quark, ls_pass_error)

gint64
ls_pass_option (LsMap      *options,
                const char *name,
                gint64      otherwise)
{
  gint64 value;

  return options != NULL && ls_as_int (ls_map_get (options, name), &value) ? value : otherwise;
}

const char *
ls_pass_word (LsMap      *options,
              const char *name,
              const char *preset)
{
  LsNode *given = options != NULL ? ls_map_get (options, name) : NULL;

  return ls_is (given, STRING) ? ((LsString *) given)->value : ls_is (given, STRING_IMM) ? ((LsStringImm *) given)->value : preset;
}

LsPrimFunc *
ls_pass_with_body (LsPrimFunc *func,
                   gpointer    body)
{
  return body == func->body ? ls_ref (func) : ls_prim_func_with_body (func, body);
}
