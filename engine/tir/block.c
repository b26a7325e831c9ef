/* block: IterVar, Block and BlockRealize, TensorIR's units of computation. */
#include "engine/tir/tir-private.h"

static const char *const ITER_TYPES[] = {
  "DataPar", "ThreadIndex", "CommReduce", "Ordered", "Opaque", "Unrolled", "Vectorized", "Parallelized", "Tensorized", NULL
};

LS_CLASS (ls_iter_var_class, ITER_VAR, "IterVar", LsIterVar, LS_CLASS_PLAIN,
          LS_FIELD (LsIterVar, dom, NODE, 0),
          LS_FIELD (LsIterVar, var, NODE, LS_FIELD_BINDS),
          { "iter_type", LS_FIELD_ENUM, G_STRUCT_OFFSET (LsIterVar, iter_type), 0, ITER_TYPES },
          LS_FIELD (LsIterVar, thread_tag, STRING, 0));
LS_CLASS (ls_block_class, BLOCK, "Block", LsBlock, LS_CLASS_STMT,
          LS_FIELD (LsBlock, iter_vars, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBlock, alloc_buffers, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBlock, match_buffers, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBlock, reads, NODE, 0),
          LS_FIELD (LsBlock, writes, NODE, 0),
          LS_FIELD (LsBlock, name_hint, STRING, LS_FIELD_HINT),
          LS_FIELD (LsBlock, annotations, NODE, 0),
          LS_FIELD (LsBlock, init, NODE, 0),
          LS_FIELD (LsBlock, body, NODE, 0));
LS_CLASS (ls_block_realize_class, BLOCK_REALIZE, "BlockRealize", LsBlockRealize, LS_CLASS_STMT,
          LS_FIELD (LsBlockRealize, iter_values, NODE, 0),
          LS_FIELD (LsBlockRealize, predicate, NODE, 0),
          LS_FIELD (LsBlockRealize, block, NODE, 0));

LsIterVar *
ls_iter_var_new (LsRange    *dom,
                 LsVar      *var,
                 LsIterType  type,
                 const char *thread_tag)
{
  LsIterVar *self = ls_node_alloc (&ls_iter_var_class);

  self->dom = dom;
  self->var = var;
  self->iter_type = type;
  self->thread_tag = g_strdup (thread_tag != NULL ? thread_tag : "");
  return ls_node_finish (self);
}

static LsArray *
array_or_empty (LsArray *array)
{
  return array != NULL ? array : ls_array_empty ();
}

LsBlock *
ls_block_new (LsArray    *iter_vars,
              LsArray    *reads,
              LsArray    *writes,
              const char *name_hint,
              LsStmt     *body,
              LsStmt     *init,
              LsArray    *alloc_buffers,
              LsArray    *match_buffers,
              LsMap      *annotations)
{
  LsBlock *self = ls_node_alloc (&ls_block_class);

  self->iter_vars = array_or_empty (iter_vars);
  self->alloc_buffers = array_or_empty (alloc_buffers);
  self->match_buffers = array_or_empty (match_buffers);
  self->reads = array_or_empty (reads);
  self->writes = array_or_empty (writes);
  self->name_hint = g_strdup (name_hint);
  self->annotations = annotations != NULL ? annotations : ls_map_empty ();
  self->init = init;
  self->body = body;
  ls_node_finish (self);
  if (init != NULL)
    self->node.facts |= LS_FACT_HAS_REDUCTION;
  return self;
}

LsBlockRealize *
ls_block_realize_new (LsArray *iter_values,
                      LsExpr  *predicate,
                      LsBlock *block)
{
  LsBlockRealize *self = ls_node_alloc (&ls_block_realize_class);

  self->iter_values = array_or_empty (iter_values);
  self->predicate = predicate != NULL ? predicate : ls_bool (TRUE);
  self->block = block;
  return ls_node_finish (self);
}

static LsBlock *
block_with (LsBlock *self,
            LsArray *reads,
            LsArray *writes,
            LsArray *alloc_buffers,
            LsMap   *annotations,
            LsStmt  *body)
{
  LsBlock *copy = ls_block_new (ls_ref (self->iter_vars), ls_ref (reads), ls_ref (writes), self->name_hint, ls_ref (body),
                                ls_ref (self->init), ls_ref (alloc_buffers), ls_ref (self->match_buffers), ls_ref (annotations));

  return ls_node_set_span (copy, self->node.span);
}

LsBlock *
ls_block_with_body (LsBlock *self,
                    LsStmt  *body)
{
  return block_with (self, self->reads, self->writes, self->alloc_buffers, self->annotations, body);
}

LsBlock *
ls_block_with_reads_writes (LsBlock *self,
                            LsArray *reads,
                            LsArray *writes)
{
  return block_with (self, reads, writes, self->alloc_buffers, self->annotations, self->body);
}

LsBlock *
ls_block_with_alloc_buffers (LsBlock *self,
                             LsArray *alloc_buffers)
{
  return block_with (self, self->reads, self->writes, alloc_buffers, self->annotations, self->body);
}

LsBlock *
ls_block_with_annotations (LsBlock *self,
                           LsMap   *annotations)
{
  return block_with (self, self->reads, self->writes, self->alloc_buffers, annotations, self->body);
}

LsBlockRealize *
ls_block_realize_with_block (LsBlockRealize *self,
                             LsBlock        *block)
{
  LsBlockRealize *copy = ls_block_realize_new (ls_ref (self->iter_values), ls_ref (self->predicate), ls_ref (block));

  return ls_node_set_span (copy, self->node.span);
}
