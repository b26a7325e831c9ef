/* printer-lambda: reducers and index maps, which are lambdas, and what reductions run over. */
#include "engine/script/printer-private.h"

static void
put_parameters (LsPrinter *p,
                LsArray   *vars,
                gboolean   first)
{
  for (guint i = 0; i < vars->n; i++)
    {
      ls_put (p, first && i == 0 ? " " : ", ");
      LS_AT_ITEM (p, i, ls_printer_put_name (p, vars->items[i], ls_printer_define (p, vars->items[i], p->frames->len - 1),
                                             LS_SOURCE_DEFINE));
    }
}

void
ls_printer_reducer (LsPrinter     *p,
                    LsCommReducer *reducer)
{
  ls_printer_push (p, reducer, ls_printer_top (p)->indent);
  ls_put (p, "T.comm_reducer(lambda");
  LS_AT (p, reducer, LsCommReducer, lhs, put_parameters (p, reducer->lhs, TRUE));
  LS_AT (p, reducer, LsCommReducer, rhs, put_parameters (p, reducer->rhs, reducer->lhs->n == 0));
  ls_put (p, ": ");
  if (reducer->result->n == 1)
    LS_AT (p, reducer, LsCommReducer, result, LS_AT_ITEM (p, 0, ls_printer_expr (p, reducer->result->items[0], LS_BIND_LAMBDA, FALSE)));
  else
    LS_AT (p, reducer, LsCommReducer, result, ls_printer_tuple (p, reducer->result));
  ls_put (p, ", ");
  LS_AT (p, reducer, LsCommReducer, identity_element, ls_printer_list (p, reducer->identity_element));
  ls_put_char (p, ')');
  ls_printer_pop (p);
}

void
ls_printer_index_map (LsPrinter  *p,
                      LsIndexMap *map)
{
  ls_printer_push (p, map, ls_printer_top (p)->indent);
  ls_put (p, "T.index_map(lambda");
  LS_AT (p, map, LsIndexMap, initial_indices, put_parameters (p, map->initial_indices, TRUE));
  ls_put (p, ": ");
  LS_AT (p, map, LsIndexMap, final_indices, ls_printer_tuple (p, map->final_indices));
  if (map->inverse_index_map != NULL)
    {
      ls_put (p, ", inverse_index_map=");
      LS_AT (p, map, LsIndexMap, inverse_index_map, ls_printer_value (p, map->inverse_index_map));
    }
  ls_put_char (p, ')');
  ls_printer_pop (p);
}

void
ls_printer_reduce (LsPrinter *p,
                   LsReduce  *reduce)
{
  ls_put (p, "T.reduce(");
  LS_AT (p, reduce, LsReduce, combiner, ls_printer_value (p, reduce->combiner));
  ls_put (p, ", source=");
  LS_AT (p, reduce, LsReduce, source, ls_printer_list (p, reduce->source));
  ls_put (p, ", init=");
  LS_AT (p, reduce, LsReduce, init, ls_printer_list (p, reduce->init));
  ls_put (p, ", axis=");
  LS_AT (p, reduce, LsReduce, axis, ls_printer_list (p, reduce->axis));
  ls_put (p, ", condition=");
  LS_AT (p, reduce, LsReduce, condition, ls_printer_value (p, reduce->condition));
  ls_put (p, ", value_index=");
  ls_printer_put_int (p, reduce->value_index);
  ls_put_char (p, ')');
}

static const char *
iter_type_name (int type)
{
  static const char *const names[] = {
    "DataPar", "ThreadIndex", "CommReduce", "Ordered", "Opaque", "Unrolled", "Vectorized", "Parallelized", "Tensorized"
  };

  return type >= 0 && type < (int) G_N_ELEMENTS (names) ? names[type] : "Opaque";
}

void
ls_printer_dom (LsPrinter  *p,
                const char *opening,
                LsRange    *dom)
{
  ls_put (p, opening);
  LS_AT (p, dom, LsRange, min, ls_printer_value (p, dom->min));
  ls_put (p, ", ");
  LS_AT (p, dom, LsRange, extent, ls_printer_temporary (p, ls_add (ls_ref (dom->min), ls_ref (dom->extent))));
  ls_put_char (p, ')');
}

void
ls_printer_iter_var (LsPrinter *p,
                     LsIterVar *iter)
{
  ls_put (p, "T.iter_var(");
  LS_AT (p, iter, LsIterVar, var, ls_printer_var (p, iter->var));
  ls_put (p, ", ");
  if (iter->dom == NULL)
    ls_put (p, "None");
  else
    LS_AT (p, iter, LsIterVar, dom, ls_printer_dom (p, "T.Range(", iter->dom));
  ls_put (p, ", ");
  ls_printer_put_string (p, iter_type_name (iter->iter_type));
  ls_put (p, ", ");
  ls_printer_put_string (p, iter->thread_tag != NULL ? iter->thread_tag : "");
  ls_put_char (p, ')');
}
