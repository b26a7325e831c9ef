/* op: the registry of intrinsics.  One row each: name behind "tir.", name behind "T." when
 * it is another, number of arguments (-1: any), effect (TVM's CallEffectKind). */
#include "engine/ir/ir-private.h"

#include <string.h>

LS_CLASS (ls_op_class, OP, "Op", LsOp, LS_CLASS_IDENTITY,
          LS_FIELD (LsOp, n_args, ENUM, 0));

typedef struct {
  const char *name;
  const char *script_name;
  int         n_args;
  LsEffect    effect;
} OpRow;

#define P LS_EFFECT_PURE
#define O LS_EFFECT_OPAQUE
#define U LS_EFFECT_UPDATE_STATE
#define R LS_EFFECT_READ_STATE

static const OpRow ROWS[] = {
#include "engine/ir/ops.inc"
};

#undef P
#undef O
#undef U
#undef R

typedef struct {
  LsOp      **ops;
  guint       n;
  GHashTable *by_name;
  GHashTable *by_script_name;
} Registry;

static const Registry *
registry (void)
{
  static Registry self;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      self.n = G_N_ELEMENTS (ROWS);
      self.ops = g_new0 (LsOp *, self.n);
      self.by_name = g_hash_table_new (g_str_hash, g_str_equal);
      self.by_script_name = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < self.n; i++)
        {
          LsOp *op = ls_node_alloc (&ls_op_class);
          const char *last = strrchr (ROWS[i].name, '.');

          op->name = ROWS[i].name;
          op->script_name = ROWS[i].script_name != NULL ? ROWS[i].script_name : last != NULL ? last + 1 : ROWS[i].name;
          op->n_args = ROWS[i].n_args;
          op->effect = ROWS[i].effect;
          self.ops[i] = ls_node_finish (op);
          g_hash_table_insert (self.by_name, (gpointer) op->name, op);
          g_hash_table_insert (self.by_script_name, (gpointer) op->script_name, op);
        }
      g_once_init_leave (&ready, 1);
    }
  return &self;
}

LsOp *
ls_op_get (const char *name)
{
  return g_hash_table_lookup (registry ()->by_name, name);
}

LsOp *
ls_op_get_script (const char *script_name)
{
  return g_hash_table_lookup (registry ()->by_script_name, script_name);
}

LsOp *const *
ls_op_list (guint *n)
{
  if (n != NULL)
    *n = registry ()->n;
  return registry ()->ops;
}

LsExpr *
ls_call_op (const char *name,
            LsDType     dtype,
            LsArray    *args)
{
  LsOp *op = ls_op_get (name);

  g_return_val_if_fail (op != NULL, NULL);
  return ls_call_new (dtype, ls_ref (op), args);
}

gboolean
ls_is_call (const void *expr,
            const char *name)
{
  const LsCall *call = expr;

  return ls_is (expr, CALL) && ls_is (call->op, OP) && strcmp (((LsOp *) call->op)->name, name) == 0;
}
