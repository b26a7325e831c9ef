/* pattern-text: see the header.  Evaluates the syntax of one expression; the reader of schedule steps has parsed it. */
#include "engine/script/pattern-text.h"

#include "engine/script/script-private.h"
#include "engine/script/script.h"

#include <string.h>

typedef struct {
  LsSource         *source;
  LsDiagnostics    *diagnostics;
  LsPatternContext *context;
  GPtrArray        *made;       /* every node, kept until the end */
  GHashTable       *wildcards;  /* name -> wildcard */
  gboolean          failed;
} Reader;

/* What an expression gives: a node (borrowed from `made`), or nothing; `first` differs in a chain. */
typedef struct {
  LsNode    *node;
  LsPattern *first;
} Value;

static Value read_value (Reader *self, LsSyn *syn);

static const Value NOTHING = { NULL, NULL };

static Value
value_of (Reader *self,
          gpointer node)        /* taken */
{
  g_ptr_array_add (self->made, node);
  return (Value) { node, node };
}

static Value
refuse (Reader     *self,
        LsSyn      *syn,
        const char *message)
{
  if (!self->failed)
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/pattern", syn->span, "%s", ls_translate (message));
  self->failed = TRUE;
  return NOTHING;
}

static LsPattern *
read_pattern (Reader *self,
              LsSyn  *syn)
{
  LsNode *node = read_value (self, syn).node;

  if (!self->failed && !ls_is_pattern (node))
    refuse (self, syn, LS_TEXT ("A pattern is expected here, is_op (\"relax.add\")(wildcard (), wildcard ())."));
  return ls_is_pattern (node) ? node : NULL;
}

/* ---- arguments ---------------------------------------------------------------------------- */

static LsSyn *
argument (LsSyn      *call,
          guint       position,
          const char *name)
{
  guint at = 0;

  for (guint i = 0; i < call->n; i++)
    if (call->items[i]->kind == LS_SYN_KEYWORD && strcmp (call->items[i]->text, name) == 0)
      return call->items[i]->a;
    else if (call->items[i]->kind != LS_SYN_KEYWORD && at++ == position)
      return call->items[i];
  return NULL;
}

static const char *
text_argument (Reader     *self,
               LsSyn      *call,
               guint       position,
               const char *name,
               const char *preset)
{
  LsSyn *syn = argument (call, position, name);

  if (syn != NULL && syn->kind == LS_SYN_STRING)
    return syn->text;
  if (syn != NULL || preset == NULL)
    refuse (self, syn != NULL ? syn : call, LS_TEXT ("A text is expected here."));
  return preset != NULL ? preset : "";
}

static gboolean
flag_argument (LsSyn      *call,
               guint       position,
               const char *name,
               gboolean    preset)
{
  LsSyn *syn = argument (call, position, name);

  return syn != NULL && syn->kind == LS_SYN_BOOL_LITERAL ? syn->integer != 0 : preset;
}

static gint64
int_argument (Reader     *self,
              LsSyn      *call,
              guint       position,
              const char *name,
              gint64      preset)
{
  LsSyn *syn = argument (call, position, name);
  gint64 value = preset;

  if (syn != NULL && syn->kind != LS_SYN_NONE && !ls_as_int (read_value (self, syn).node, &value))
    refuse (self, syn, LS_TEXT ("A whole number is expected here."));
  return value;
}

static LsPattern *
pattern_argument (Reader     *self,
                  LsSyn      *call,
                  guint       position,
                  const char *name)
{
  LsSyn *syn = argument (call, position, name);

  if (syn != NULL)
    return read_pattern (self, syn);
  refuse (self, call, LS_TEXT ("A pattern is missing among the arguments."));
  return NULL;
}

/* The items of a list or tuple, all patterns; NULL with a finding. (transfer full) */
static LsArray *
patterns (Reader *self,
          LsSyn  *syn)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (syn == NULL || (syn->kind != LS_SYN_LIST && syn->kind != LS_SYN_TUPLE))
    {
      if (syn != NULL)
        refuse (self, syn, LS_TEXT ("A list of patterns is expected here."));
      return NULL;
    }
  for (guint i = 0; i < syn->n && !self->failed; i++)
    {
      LsPattern *pattern = read_pattern (self, syn->items[i]);

      if (pattern != NULL)
        g_ptr_array_add (out, ls_node_ref (pattern));
    }
  return self->failed ? NULL : ls_array_take_ptr_array (g_steal_pointer (&out));
}

/* Extents as int64. (transfer full) */
static LsArray *
extents (Reader *self,
         LsSyn  *syn)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (syn == NULL || (syn->kind != LS_SYN_LIST && syn->kind != LS_SYN_TUPLE))
    {
      if (syn != NULL)
        refuse (self, syn, LS_TEXT ("A shape is a list of whole numbers here."));
      return NULL;
    }
  for (guint i = 0; i < syn->n && !self->failed; i++)
    {
      gint64 value = 0;

      if (!ls_as_int (read_value (self, syn->items[i]).node, &value))
        refuse (self, syn->items[i], LS_TEXT ("A shape is a list of whole numbers here."));
      g_ptr_array_add (out, ls_int_imm_new (LS_INT64, value));
    }
  return self->failed ? NULL : ls_array_take_ptr_array (g_steal_pointer (&out));
}

/* The struct info that an annotation says. (transfer full) */
static LsStructInfo *
struct_info (Reader     *self,
             LsSyn      *syn)
{
  g_autofree char *said = g_strndup (ls_source_get_text (self->source, NULL) + syn->span.start, syn->span.end - syn->span.start);
  g_autofree char *text = g_strdup_printf ("@R.function\ndef main(x: %s):\n    return x\n", said);
  g_autoptr (LsSource) source = ls_source_new ("pattern", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  LsNode *func = module != NULL && !ls_diagnostics_has_error (findings) ? ls_module_get (module, "main") : NULL;

  if (ls_is (func, FUNCTION) && ((LsFunction *) func)->params->n == 1)
    return ls_node_ref (ls_array_at (((LsFunction *) func)->params, 0, LsRelaxVar)->struct_info);
  refuse (self, syn, LS_TEXT ("A struct info is expected here, R.Tensor ((2, 3), \"float32\")."));
  return NULL;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void
relate (Reader    *self,
        LsPattern *producer,
        LsPattern *consumer,
        gboolean   only,
        int        index)
{
  if (self->context != NULL && !self->failed)
    ls_pattern_context_use (self->context, producer, consumer, only, index);
}

/* A call pattern with its arguments as used by it. */
static Value
call_pattern (Reader    *self,
              LsPattern *op,
              LsSyn     *call,
              gboolean   constrain)
{
  GPtrArray *args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Value out;

  for (guint i = 0; i < call->n; i++)
    if (call->items[i]->kind != LS_SYN_KEYWORD)
      {
        LsPattern *arg = read_pattern (self, call->items[i]);

        if (arg != NULL)
          g_ptr_array_add (args, ls_node_ref (arg));
      }
  g_ptr_array_set_free_func (args, NULL);
  out = value_of (self, ls_call_pattern_new (ls_node_ref (op), ls_array_take_ptr_array (args), flag_argument (call, G_MAXUINT, "varg_default_wildcard", FALSE)));
  for (guint i = 0; constrain && flag_argument (call, G_MAXUINT, "add_constraint", TRUE) && i < ((LsCallPattern *) out.node)->args->n; i++)
    relate (self, ((LsCallPattern *) out.node)->args->items[i], out.node, FALSE, (int) i);
  return out;
}

static LsPattern *
tuple_or_wildcard (Reader *self,
                   LsSyn  *syn)
{
  LsArray *fields;

  if (syn == NULL || syn->kind == LS_SYN_NONE)
    return ls_wildcard_new ();
  if (syn->kind != LS_SYN_LIST && syn->kind != LS_SYN_TUPLE)
    return ls_node_ref (read_pattern (self, syn));
  fields = patterns (self, syn);
  return fields != NULL ? ls_fields_pattern_new (LS_KIND_TUPLE_PATTERN, fields) : ls_wildcard_new ();
}

/* is_call_tir, is_call_dps_packed: an operator on a function and a tuple of arguments */
static Value
call_of_function (Reader     *self,
                  LsSyn      *call,
                  const char *op,
                  LsKind      callee,
                  gboolean    with_vars)
{
  LsPattern *func = ls_name_pattern_new (callee, text_argument (self, call, 0, "func_name", NULL));
  LsPattern *args = tuple_or_wildcard (self, argument (call, 1, "args"));
  LsSyn *vars = with_vars ? argument (call, 2, "tir_vars") : NULL;
  LsPattern *tir_vars = vars != NULL && vars->kind != LS_SYN_NONE ? read_pattern (self, vars) : NULL;

  return value_of (self, ls_call_pattern_new (ls_op_pattern_new (op), tir_vars != NULL ? ls_array_of (func, args, ls_node_ref (tir_vars), NULL)
                                              : ls_array_of (func, args, NULL), FALSE));
}

static Value
call_of_packed (Reader *self,
                LsSyn  *call)
{
  LsPattern *func = ls_name_pattern_new (LS_KIND_EXTERN_FUNC_PATTERN, text_argument (self, call, 0, "func_name", NULL));
  LsSyn *list = argument (call, 1, "args");
  LsArray *args = list != NULL && list->kind != LS_SYN_NONE ? patterns (self, list) : NULL;

  return value_of (self, ls_call_pattern_new (func, args != NULL ? args : ls_array_empty (), args == NULL));
}

static Value
tuple_pattern (Reader *self,
               LsSyn  *call,
               LsKind  kind)
{
  LsArray *fields = patterns (self, argument (call, 0, "fields"));

  if (fields == NULL)
    return refuse (self, call, LS_TEXT ("A list of patterns is expected here."));
  return value_of (self, ls_fields_pattern_new (kind, fields));
}

static Value
shape_pattern (Reader *self,
               LsSyn  *call)
{
  LsArray *shape = extents (self, argument (call, 0, "shape"));

  return shape != NULL ? value_of (self, ls_fields_pattern_new (LS_KIND_PRIM_ARR_PATTERN, shape)) : refuse (self, call, LS_TEXT ("A shape is expected here."));
}

static Value
with_dtype (Reader    *self,
            LsSyn     *call,
            LsPattern *pattern)  /* taken */
{
  const char *name = text_argument (self, call, 0, "dtype", NULL);
  LsDType dtype = LS_VOID;

  if (!self->failed && !ls_dtype_parse (name, &dtype))
    refuse (self, call, LS_TEXT ("There is no type of this name."));
  return value_of (self, ls_data_type_pattern_new (pattern, dtype));
}

static Value
with_attrs (Reader    *self,
            LsSyn     *call,
            LsPattern *pattern)  /* taken */
{
  LsSyn *syn = argument (call, 0, "attrs");
  LsNode *attrs = syn != NULL ? read_value (self, syn).node : NULL;

  if (!ls_is (attrs, MAP))
    {
      ls_node_unref (pattern);
      return refuse (self, call, LS_TEXT ("Attributes are a dictionary."));
    }
  return value_of (self, ls_attr_pattern_new (pattern, (LsMap *) ls_node_ref (attrs)));
}

static LsPattern *
pattern_or_wildcard (Reader *self,
                     LsSyn  *call,
                     guint   position)
{
  LsSyn *syn = argument (call, position, "pattern");

  return syn == NULL || syn->kind == LS_SYN_NONE ? ls_wildcard_new () : ls_node_ref (read_pattern (self, syn));
}

static Value
fused_bias_activation (Reader *self,
                       LsSyn  *call)
{
  LsSyn *activation = argument (call, 2, "activation");
  Value lhs = value_of (self, ls_wildcard_new ()), rhs = value_of (self, ls_wildcard_new ());
  Value out = value_of (self, ls_call_pattern_new (ls_op_pattern_new (text_argument (self, call, 0, "op_name", NULL)),
                                                   ls_array_of (ls_node_ref (lhs.node), ls_node_ref (rhs.node), NULL), FALSE));

  relate (self, lhs.node, out.node, FALSE, 0);
  relate (self, rhs.node, out.node, FALSE, 1);
  if (flag_argument (call, 1, "with_bias", FALSE))
    {
      Value bias = value_of (self, ls_wildcard_new ());
      Value sum = value_of (self, ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (ls_node_ref (out.node), ls_node_ref (bias.node), NULL), FALSE));

      relate (self, out.node, sum.node, FALSE, 0);
      relate (self, bias.node, sum.node, FALSE, 1);
      out = sum;
    }
  if (activation != NULL && activation->kind == LS_SYN_STRING)
    {
      Value act = value_of (self, ls_call_pattern_new (ls_op_pattern_new (activation->text), ls_array_of (ls_node_ref (out.node), NULL), FALSE));

      relate (self, out.node, act.node, FALSE, 0);
      out = act;
    }
  return out;
}

static Value
op_pattern (Reader *self,
            LsSyn  *call)
{
  const char *name = text_argument (self, call, 0, "op_name", NULL);
  gboolean known = g_str_has_prefix (name, "relax.");
  guint n;
  const char *const *names = ls_relax_op_names (&n);

  for (guint i = 0; known && i < n; i++)
    if (strcmp (names[i], name + 6) == 0)
      return value_of (self, ls_op_pattern_new (name));
  if (strcmp (name, "relax.call_tir") == 0 || strcmp (name, "relax.call_dps_packed") == 0 || strcmp (name, "relax.call_pure_packed") == 0
      || g_str_has_prefix (name, "relax.call_") || g_str_has_prefix (name, "relax.builtin.") || g_str_has_prefix (name, "relax.vm.") || g_str_has_prefix (name, "relax.memory."))
    return value_of (self, ls_op_pattern_new (name));
  return refuse (self, call, LS_TEXT ("There is no operator of this name; the names begin with relax."));
}

typedef struct {
  const char *name;
  LsKind      kind;
} NameRow;

static Value
call_function (Reader     *self,
               const char *name,
               LsSyn      *call)
{
  static const NameRow NAMES[] = {
    { "is_var", LS_KIND_VAR_PATTERN }, { "VarPattern", LS_KIND_VAR_PATTERN }, { "is_dfv", LS_KIND_DATAFLOW_VAR_PATTERN },
    { "DataflowVarPattern", LS_KIND_DATAFLOW_VAR_PATTERN }, { "is_gv", LS_KIND_GLOBAL_VAR_PATTERN }, { "GlobalVarPattern", LS_KIND_GLOBAL_VAR_PATTERN },
    { "ExternFuncPattern", LS_KIND_EXTERN_FUNC_PATTERN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (NAMES[i].name, name) == 0)
      return value_of (self, ls_name_pattern_new (NAMES[i].kind, text_argument (self, call, 0, "name", "")));
  if (strcmp (name, "is_op") == 0)
    return op_pattern (self, call);
  if (strcmp (name, "wildcard") == 0 || strcmp (name, "WildcardPattern") == 0)
    return value_of (self, ls_wildcard_new ());
  if (strcmp (name, "is_const") == 0 || strcmp (name, "ConstantPattern") == 0)
    return value_of (self, ls_constant_pattern_new ());
  if (strcmp (name, "is_tuple") == 0)
    return tuple_pattern (self, call, flag_argument (call, 1, "unordered", FALSE) ? LS_KIND_UNORDERED_TUPLE_PATTERN : LS_KIND_TUPLE_PATTERN);
  if (strcmp (name, "TuplePattern") == 0 || strcmp (name, "UnorderedTuplePattern") == 0)
    return tuple_pattern (self, call, *name == 'U' ? LS_KIND_UNORDERED_TUPLE_PATTERN : LS_KIND_TUPLE_PATTERN);
  if (strcmp (name, "is_tuple_get_item") == 0 || strcmp (name, "TupleGetItemPattern") == 0)
    return value_of (self, ls_tuple_get_item_pattern_new (ls_node_ref (pattern_argument (self, call, 0, "tuple_value")), int_argument (self, call, 1, "index", -1)));
  if (strcmp (name, "is_shape") == 0 || strcmp (name, "PrimArrPattern") == 0)
    return shape_pattern (self, call);
  if (strcmp (name, "is_call_tir") == 0)
    return call_of_function (self, call, "relax.call_tir", LS_KIND_GLOBAL_VAR_PATTERN, TRUE);
  if (strcmp (name, "is_call_dps_packed") == 0)
    return call_of_function (self, call, "relax.call_dps_packed", LS_KIND_EXTERN_FUNC_PATTERN, FALSE);
  if (strcmp (name, "is_call_packed") == 0)
    return call_of_packed (self, call);
  if (strcmp (name, "has_dtype") == 0)
    return with_dtype (self, call, pattern_or_wildcard (self, call, 1));
  if (strcmp (name, "has_attr") == 0)
    return with_attrs (self, call, pattern_or_wildcard (self, call, 1));
  if (strcmp (name, "reject") == 0 || strcmp (name, "NotPattern") == 0)
    return value_of (self, ls_not_pattern_new (ls_node_ref (pattern_argument (self, call, 0, "pattern"))));
  if (strcmp (name, "make_fused_bias_activation_pattern") == 0)
    return fused_bias_activation (self, call);
  return refuse (self, call, LS_TEXT ("The pattern language has no function of this name."));
}

/* ---- methods ------------------------------------------------------------------------------------ */

/* `a` is used by `b`; the chain from the beginning of one to the end of the other. */
static Value
chain (Reader  *self,
       Value    a,
       Value    b,
       gboolean only,
       int      index)
{
  if (ls_is_pattern (a.node) && ls_is_pattern (b.first))
    relate (self, a.node, b.first, only, index);
  return (Value) { b.node, a.first };
}

static Value
call_method (Reader     *self,
             Value       base,
             const char *name,
             LsSyn      *call)
{
  if (strcmp (name, "has_attr") == 0)
    return with_attrs (self, call, ls_node_ref (base.node));
  if (strcmp (name, "has_dtype") == 0)
    return with_dtype (self, call, ls_node_ref (base.node));
  if (strcmp (name, "has_shape") == 0)
    {
      LsArray *shape = extents (self, argument (call, 0, "shape"));

      return shape != NULL ? value_of (self, ls_shape_pattern_new (ls_node_ref (base.node), shape)) : refuse (self, call, LS_TEXT ("A shape is expected here."));
    }
  if (strcmp (name, "has_struct_info") == 0)
    {
      LsSyn *syn = argument (call, 0, "struct_info");
      LsStructInfo *info = syn != NULL ? struct_info (self, syn) : NULL;

      return info != NULL ? value_of (self, ls_struct_info_pattern_new (ls_node_ref (base.node), info)) : refuse (self, call, LS_TEXT ("A struct info is expected here."));
    }
  if (strcmp (name, "dup") == 0)
    return value_of (self, ls_pattern_duplicate (base.node));
  if ((strcmp (name, "used_by") == 0 || strcmp (name, "only_used_by") == 0) && call->n > 0)
    return chain (self, base, read_value (self, call->items[0]), *name == 'o', (int) int_argument (self, call, 1, "index", -1));
  return refuse (self, call, LS_TEXT ("Patterns have no method of this name."));
}

static const char *
last_name (LsSyn *syn)
{
  return syn->kind == LS_SYN_NAME || syn->kind == LS_SYN_ATTR ? syn->text : NULL;
}

/* dpl.is_op and relax.dpl.is_op: names of modules before the dot */
static gboolean
is_module (LsSyn *syn)
{
  while (syn->kind == LS_SYN_ATTR)
    syn = syn->a;
  return syn->kind == LS_SYN_NAME;
}

static Value
read_call (Reader *self,
           LsSyn  *syn)
{
  LsSyn *callee = syn->a;
  LsPattern *op;

  if (last_name (callee) != NULL && (callee->kind == LS_SYN_NAME || is_module (callee->a)))
    {
      if (strcmp (callee->text, "int64") == 0 || strcmp (callee->text, "int32") == 0 || strcmp (callee->text, "bool") == 0)
        return syn->n == 1 ? read_value (self, syn->items[0]) : refuse (self, syn, LS_TEXT ("A number is expected here."));
      return call_function (self, callee->text, syn);
    }
  if (callee->kind == LS_SYN_ATTR)
    {
      LsPattern *base = read_pattern (self, callee->a);

      return base != NULL ? call_method (self, (Value) { base, base }, callee->text, syn) : NOTHING;
    }
  op = read_pattern (self, callee);
  return op != NULL ? call_pattern (self, op, syn, TRUE) : NOTHING;
}

/* ---- expressions ---------------------------------------------------------------------------------- */

static Value
read_list (Reader *self,
           LsSyn  *syn)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < syn->n; i++)
    g_ptr_array_add (out, ls_node_ref (read_value (self, syn->items[i]).node));
  return value_of (self, ls_array_take_ptr_array (out));
}

static Value
read_dict (Reader *self,
           LsSyn  *syn)
{
  g_autoptr (LsMap) map = ls_map_empty ();

  for (guint i = 0; i < syn->n; i++)
    {
      LsNode *value;

      if (syn->items[i] == NULL || syn->items[i]->kind != LS_SYN_STRING)
        return refuse (self, syn, LS_TEXT ("The keys of this dictionary are texts."));
      value = read_value (self, syn->more[i]).node;
      if (self->failed)
        return NOTHING;
      ls_take (&map, ls_map_set (map, syn->items[i]->text, value));
    }
  return value_of (self, ls_ref (map));
}

static Value
join (Reader *self,
      Value   a,
      Value   b,
      LsSyn  *syn)
{
  if (self->failed || !ls_is_pattern (a.node) || !ls_is_pattern (b.node))
    return refuse (self, syn, LS_TEXT ("Between patterns there are |, &, >> and ^."));
  switch (syn->op)
    {
    case '|': return value_of (self, ls_pair_pattern_new (LS_KIND_OR_PATTERN, ls_node_ref (a.node), ls_node_ref (b.node)));
    case '&': return value_of (self, ls_pair_pattern_new (LS_KIND_AND_PATTERN, ls_node_ref (a.node), ls_node_ref (b.node)));
    case '^': return chain (self, a, b, FALSE, -1);
    case LS_OP2 ('>', '>'): return chain (self, a, b, TRUE, -1);
    default: return refuse (self, syn, LS_TEXT ("Between patterns there are |, &, >> and ^."));
    }
}

static Value
read_binary (Reader *self,
             LsSyn  *syn)
{
  LsSyn *few[LS_SYN_FEW];
  guint n;
  LsSyn **operators = ls_syn_chain (syn, few, &n);
  Value v = read_value (self, operators[0]->a);

  for (guint i = 0; i < n; i++)
    v = join (self, v, read_value (self, operators[i]->b), operators[i]);
  if (operators != few)
    g_free (operators);
  return v;
}

static Value
read_unary (Reader *self,
            LsSyn  *syn)
{
  Value a = read_value (self, syn->a);
  gint64 value;

  if (syn->op == '~' && ls_is_pattern (a.node))
    return value_of (self, ls_not_pattern_new (ls_node_ref (a.node)));
  if (syn->op == '-' && ls_as_int (a.node, &value) && value != G_MININT64)
    return value_of (self, ls_int_imm_new (LS_INT64, -value));
  return refuse (self, syn, LS_TEXT ("Before a pattern there is ~."));
}

static Value
read_index (Reader *self,
            LsSyn  *syn)
{
  LsPattern *base = read_pattern (self, syn->a);
  LsArray *fields = ls_is (base, TUPLE_PATTERN) ? ((LsFieldsPattern *) base)->fields : NULL;
  gint64 index = -1;

  if (fields == NULL)
    return refuse (self, syn, LS_TEXT ("A subscript follows a tuple pattern."));
  if (syn->b->kind != LS_SYN_NONE)
    {
      if (!ls_as_int (read_value (self, syn->b).node, &index))
        return refuse (self, syn->b, LS_TEXT ("A whole number is expected here."));
      index += index < 0 ? fields->n : 0;
      if (index < 0 || index >= fields->n)
        return refuse (self, syn->b, LS_TEXT ("The tuple pattern has no field of this number."));
    }
  return value_of (self, ls_tuple_get_item_pattern_new (ls_node_ref (base), index));
}

/* The same name means the same expression. */
static Value
named_wildcard (Reader     *self,
                const char *name)
{
  LsPattern *known = g_hash_table_lookup (self->wildcards, name);

  if (known == NULL)
    {
      known = value_of (self, ls_wildcard_new ()).node;
      g_hash_table_insert (self->wildcards, (gpointer) name, known);
    }
  return (Value) { known, known };
}

static Value
read_value (Reader *self,
            LsSyn  *syn)
{
  if (self->failed)
    return NOTHING;
  switch (syn->kind)
    {
    case LS_SYN_NONE: return NOTHING;
    case LS_SYN_NAME: return named_wildcard (self, syn->text);
    case LS_SYN_INT: return value_of (self, ls_int_imm_new (LS_INT64, syn->integer));
    case LS_SYN_FLOAT: return value_of (self, ls_float_imm_new (LS_FLOAT64, syn->number));
    case LS_SYN_BOOL_LITERAL: return value_of (self, ls_bool (syn->integer != 0));
    case LS_SYN_STRING: return value_of (self, ls_string_new (syn->text));
    case LS_SYN_TUPLE:
    case LS_SYN_LIST: return read_list (self, syn);
    case LS_SYN_DICT: return read_dict (self, syn);
    case LS_SYN_CALL: return read_call (self, syn);
    case LS_SYN_BINARY: return read_binary (self, syn);
    case LS_SYN_UNARY: return read_unary (self, syn);
    case LS_SYN_INDEX: return read_index (self, syn);
    default: return refuse (self, syn, LS_TEXT ("This is not part of the pattern language."));
    }
}

gboolean
ls_call_value_to_pattern_node (const LsCallValue *value,
                               LsSource          *source,
                               LsDiagnostics     *diagnostics,
                               LsNode           **node)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) wildcards = g_hash_table_new (g_str_hash, g_str_equal);
  Reader self = { source, diagnostics, NULL, made, wildcards, FALSE };

  *node = ls_node_ref (read_value (&self, (LsSyn *) value->syntax).node);
  return !self.failed;
}

LsPattern *
ls_script_parse_pattern (const char        *text,
                         LsPatternContext **context,
                         LsDiagnostics     *diagnostics)
{
  g_autofree char *call = g_strconcat ("graph.search(", text, "\n)", NULL);
  g_autoptr (LsSource) source = ls_source_new ("pattern", call, -1);
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, diagnostics);
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsPatternContext) own = ls_pattern_context_new (NULL);
  g_autoptr (GHashTable) wildcards = g_hash_table_new (g_str_hash, g_str_equal);
  Reader self = { source, diagnostics, own, made, wildcards, FALSE };
  const LsCallStep *step = !ls_diagnostics_has_error (diagnostics) && ls_call_list_get_n (list) == 1 ? ls_call_list_get (list, 0) : NULL;
  LsPattern *pattern;

  if (step == NULL || step->args->len != 1 || step->keywords->len > 0)
    {
      if (!ls_diagnostics_has_error (diagnostics))
        ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/pattern", (LsSpan) { ls_source_get_id (source) }, "A pattern is one expression.");
      return NULL;
    }
  pattern = ls_node_ref (read_pattern (&self, (LsSyn *) ((LsCallValue *) step->args->pdata[0])->syntax));
  if (context != NULL && pattern != NULL)
    *context = g_steal_pointer (&own);
  return pattern;
}
