/* pool: keeps the expressions that an algorithm makes while it runs.
 *
 * Detection and set evaluation build many small expressions that are only looked at.
 * Each is handed to a pool, used as a borrowed pointer, and released with the pool.
 * Private to engine/arith.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

#define LS_POOL_INSIDE 30

typedef struct {
  guint      n;
  GPtrArray *more;              /* those beyond the first; or NULL */
  LsNode    *first[LS_POOL_INSIDE];
} LsPool;

static inline void
ls_pool_init (LsPool *self)
{
  self->n = 0;
  self->more = NULL;
}

static inline void
ls_pool_clear (LsPool *self)
{
  for (guint i = 0; i < self->n; i++)
    ls_node_unref (self->first[i]);
  self->n = 0;
  g_clear_pointer (&self->more, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPool, ls_pool_clear)

/* Takes the node, returns it borrowed. */
static inline gpointer
ls_pool_own (LsPool  *self,
             gpointer node)
{
  if (node == NULL)
    return NULL;
  if (self->n < LS_POOL_INSIDE)
    {
      self->first[self->n++] = node;
      return node;
    }
  if (self->more == NULL)
    self->more = g_ptr_array_new_full (4 * LS_POOL_INSIDE, (GDestroyNotify) ls_node_unref);
  g_ptr_array_add (self->more, node);
  return node;
}

static inline LsExpr *
ls_pool_binary (LsPool *self,
                LsKind  kind,
                LsExpr *a,
                LsExpr *b)
{
  return ls_pool_own (self, ls_binary (kind, ls_ref (a), ls_ref (b)));
}

static inline LsExpr *
ls_pool_const (LsPool *self,
               LsDType dtype,
               gint64  value)
{
  return ls_pool_own (self, ls_const_int (dtype, value));
}

#define ls_pool_add(p, a, b) ls_pool_binary ((p), LS_KIND_ADD, (a), (b))
#define ls_pool_sub(p, a, b) ls_pool_binary ((p), LS_KIND_SUB, (a), (b))
#define ls_pool_mul(p, a, b) ls_pool_binary ((p), LS_KIND_MUL, (a), (b))
#define ls_pool_floordiv(p, a, b) ls_pool_binary ((p), LS_KIND_FLOOR_DIV, (a), (b))
#define ls_pool_floormod(p, a, b) ls_pool_binary ((p), LS_KIND_FLOOR_MOD, (a), (b))

static inline LsExpr *
ls_pool_add_int (LsPool *self,
                 LsExpr *a,
                 gint64  value)
{
  return ls_pool_own (self, ls_add (ls_ref (a), ls_const_int (ls_dtype (a), value)));
}

/* Does the expression hold always?  `condition` is taken. */
#define ls_pool_proves(analyzer, condition) \
  G_GNUC_EXTENSION ({ LsExpr *_c = (condition); gboolean _r = ls_analyzer_can_prove ((analyzer), _c); ls_unref (_c); _r; })

/* Short infix text of an expression for reasons and tests; iteration maps included. (transfer full) */
char *ls_expr_text (gpointer expr);

G_END_DECLS
