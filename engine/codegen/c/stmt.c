/* stmt: statements as lines of text. */
#include "engine/base/stack.h"
#include "engine/codegen/c/text-private.h"

#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"

#include <inttypes.h>
#include <string.h>

#define MOST_CONSTANTS 65536

void
text_begin (Writer *self)
{
  for (guint i = 0; i < self->indent; i++)
    g_string_append (self->out, "  ");
}

void
text_end (Writer *self)
{
  g_string_append_c (self->out, '\n');
  g_array_append_val (self->lines, self->line);
}

/* A line of its own. */
void
text_put (Writer     *self,
          const char *format,
          ...)
{
  va_list args;

  text_begin (self);
  va_start (args, format);
  g_string_append_vprintf (self->out, format, args);
  va_end (args);
  text_end (self);
}

static void
block (Writer *self,
       LsStmt *body)
{
  self->indent++;
  text_stmt (self, body);
  self->indent--;
}

static void
close_block (Writer *self)
{
  text_put (self, "}");
}

/* ---- stores --------------------------------------------------------------------------------- */

/* Does the vector lie side by side: A[base], A[base + 1], ... ? */
static LsExpr *
contiguous_base (LsArray *indices)
{
  LsRamp *ramp = indices->n == 1 && ls_is (indices->items[0], RAMP) ? (LsRamp *) indices->items[0] : NULL;

  return ramp != NULL && ls_is_one (ramp->stride) && ls_dtype (ramp->base).lanes == 1 ? ramp->base : NULL;
}

/* Does the vector begin at a multiple of its lanes, whatever the variables are? */
static gboolean
begins_well (LsArray *indices,
             guint    lanes)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsExpr *base = contiguous_base (indices);
  LsModularSet set = base != NULL ? ls_analyzer_modular_set (analyzer, base) : (LsModularSet) { 1, 0 };

  return base != NULL && set.coeff % lanes == 0 && set.base % lanes == 0;
}

/* Words of 32 bits of so many numbers, where one instruction copies them: 2 or 4, of smaller numbers in CUDA C also 1; else 0. */
static guint
words_of (Writer *self,
          LsDType t,
          guint   lanes)
{
  guint words = lanes * t.bits / 32;

  if (t.bits == 32)
    return words == 2 || words == 4 ? words : 0;
  return self->language == LS_TEXT_CUDA && (t.bits == 8 || t.bits == 16) && !ls_dtype_is_bool (t) && lanes * t.bits % 32 == 0 && (words == 1 || words == 2 || words == 4) ? words : 0;
}

guint
text_copies (Writer        *self,
             LsBufferStore *store)
{
  LsBufferLoad *load = (LsBufferLoad *) store->value;
  LsDType t = store->buffer->dtype;
  guint lanes = ls_dtype (store->value).lanes;

  if (!ls_is (load, BUFFER_LOAD) || load->predicate != NULL || store->predicate != NULL || words_of (self, t, lanes) == 0 || t.lanes != 1
      || !ls_dtype_equal (t, load->buffer->dtype) || contiguous_base (store->indices) == NULL || contiguous_base (load->indices) == NULL)
    return 0;
  return self->language != LS_TEXT_CUDA || (begins_well (store->indices, lanes) && begins_well (load->indices, lanes)) ? lanes : 0;
}

/* A copy of 2 or 4 numbers side by side, as one. */
static gboolean
copies_vector (Writer        *self,
               LsBufferStore *store,
               guint          lanes)
{
  LsBufferLoad *load = (LsBufferLoad *) store->value;
  LsDType t = store->buffer->dtype;
  const char *name = t.code == LS_TYPE_FLOAT ? "float" : t.code == LS_TYPE_INT ? "int" : "uint";

  if (self->language == LS_TEXT_C || self->language == LS_TEXT_METAL || text_copies (self, store) != lanes)
    return FALSE;
  text_begin (self);
  if (self->language == LS_TEXT_CUDA)
    {
      guint words = words_of (self, t, lanes);
      g_autofree char *vector = words == 1 ? g_strdup ("unsigned int") : g_strdup_printf ("%s%u", t.bits == 32 ? name : "uint", words);

      g_string_append_printf (self->out, "*(%s *)&", vector);
      text_element (self, store->buffer, store->indices, 0);
      g_string_append_printf (self->out, " = *(const %s *)&", vector);
      text_element (self, load->buffer, load->indices, 0);
      g_string_append_c (self->out, ';');
    }
  else
    {
      g_string_append_printf (self->out, "vstore%u(vload%u(0, &", lanes, lanes);
      text_element (self, load->buffer, load->indices, 0);
      g_string_append (self->out, "), 0, &");
      text_element (self, store->buffer, store->indices, 0);
      g_string_append (self->out, ");");
    }
  text_end (self);
  return TRUE;
}

static void
store_lane (Writer        *self,
            LsBufferStore *store,
            guint          lane,
            const char    *value)
{
  text_begin (self);
  text_element (self, store->buffer, store->indices, lane);
  g_string_append (self->out, " = ");
  if (value != NULL)
    g_string_append (self->out, value);
  else
    text_expr (self, store->value, lane, PREC_CHOOSE);
  g_string_append_c (self->out, ';');
  text_end (self);
}

static LsWalk
find_buffer (LsNode  *node,
             gpointer data)
{
  LsVar **wanted = data;

  if (!ls_is (node, BUFFER_LOAD) || ((LsBufferLoad *) node)->buffer->data != *wanted)
    return LS_WALK_CONTINUE;
  *wanted = NULL;
  return LS_WALK_STOP;
}

/* All lanes are computed before one is stored, unless what is stored to is not read. */
static void
store (Writer        *self,
       LsBufferStore *store)
{
  guint lanes = ls_dtype (store->value).lanes;
  LsVar *wanted = store->buffer->data;
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  if (store->predicate != NULL)
    text_refuse (self, "A store under a mask");
  if (lanes <= 1)
    {
      store_lane (self, store, 0, NULL);
      return;
    }
  if (copies_vector (self, store, lanes))
    return;
  ls_walk (store->value, find_buffer, NULL, &wanted);
  for (guint lane = 0; lane < lanes && wanted == NULL; lane++)
    {
      g_autofree char *wish = g_strdup_printf ("lane%u", lane);
      char *name = text_fresh (self, wish);

      g_ptr_array_add (values, name);
      text_begin (self);
      g_string_append_printf (self->out, "const %s %s = ", text_type (self, ls_dtype_element (ls_dtype (store->value))), name);
      text_expr (self, store->value, lane, PREC_CHOOSE);
      g_string_append_c (self->out, ';');
      text_end (self);
    }
  for (guint lane = 0; lane < lanes; lane++)
    store_lane (self, store, lane, values->len > 0 ? values->pdata[lane] : NULL);
}

/* ---- memory ----------------------------------------------------------------------------------- */

static gint64
n_numbers (Writer     *self,
           LsAllocate *node)
{
  gint64 n = MAX (node->dtype.lanes, 1);

  for (guint i = 0; i < node->extents->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (node->extents->items[i], &extent) || extent < 0 || __builtin_mul_overflow (n, extent, &n))
        text_refuse (self, "An allocation whose size is no number (%s)", node->buffer_var->name);
    }
  return MAX (n, 1);
}

static gboolean
is_shared (LsAllocate *node)
{
  return g_str_has_prefix (ls_pointer_scope (node->buffer_var), "shared");
}

/* Its size is an argument of the launch. */
static gboolean
is_dynamic (LsAllocate *node)
{
  return strcmp (ls_pointer_scope (node->buffer_var), "shared.dyn") == 0;
}

/* What is declared as extern in two kernels of a text by one name has one type. */
static const char *
extern_name (Writer     *self,
             LsAllocate *node,
             const char *name)
{
  const char *type = text_memory_type (self, node->dtype), *known;

  while ((known = g_hash_table_lookup (self->externs, name)) != NULL && strcmp (known, type) != 0)
    name = text_declare (self, node->buffer_var);
  g_hash_table_insert (self->externs, (gpointer) g_intern_string (name), (gpointer) type);
  return name;
}

static LsWalk
declare_shared (LsNode  *node,
                gpointer data)
{
  Writer *self = data;
  LsAllocate *allocate = (LsAllocate *) node;
  const char *name, *align;

  if (!ls_is (node, ALLOCATE) || !is_shared (allocate))
    return LS_WALK_CONTINUE;
  if (self->words->shared == NULL)
    text_refuse (self, "Shared memory (%s)", allocate->buffer_var->name);
  if (self->error != NULL)
    return LS_WALK_STOP;
  name = text_declare (self, allocate->buffer_var);
  align = g_hash_table_size (self->fragments) > 0 ? "__align__(32) " : "__align__(16) ";
  text_points_to (self, allocate->buffer_var, allocate->dtype, self->words->shared);
  if (is_dynamic (allocate) && self->language == LS_TEXT_CUDA)
    {
      n_numbers (self, allocate);
      name = extern_name (self, allocate, name);
      text_put (self, "extern %s%s%s %s[];", self->words->shared, align, text_memory_type (self, allocate->dtype), name);
      return LS_WALK_CONTINUE;
    }
  text_put (self, "%s%s%s%s %s[%" G_GINT64_FORMAT "]%s;", self->words->shared, g_hash_table_contains (self->wide, allocate->buffer_var) ? align : "",
            g_hash_table_contains (self->quick, allocate->buffer_var) ? "volatile " : "",
            text_memory_type (self, allocate->dtype), name, n_numbers (self, allocate), is_dynamic (allocate) && self->language == LS_TEXT_OPENCL ? " __attribute__((aligned(16)))" : "");
  return LS_WALK_CONTINUE;
}

/* OpenCL has shared memory only at the top of a kernel. */
void
text_shared (Writer *self,
             LsStmt *body)
{
  ls_walk (body, declare_shared, NULL, self);
}

static void
allocate (Writer     *self,
          LsAllocate *node)
{
  const char *type = text_memory_type (self, node->dtype), *name;
  gint64 n = n_numbers (self, node);
  gboolean on_heap = self->language == LS_TEXT_C && n * ls_dtype_bytes (ls_dtype_element (node->dtype)) > 1024;

  if (is_shared (node))
    {
      text_stmt (self, node->body);
      return;
    }
  /* LowerWarpMemory makes registers and shuffles of it where there are shuffles */
  if (strcmp (ls_pointer_scope (node->buffer_var), "warp") == 0)
    text_refuse (self, "%s, memory that the threads of a warp share,", node->buffer_var->name);
  if (text_declare_fragment (self, node, n))
    {
      text_stmt (self, node->body);
      return;
    }
  name = text_declare (self, node->buffer_var);
  text_points_to (self, node->buffer_var, node->dtype, "");
  if (on_heap)
    {
      text_put (self, "%s *%s = malloc(sizeof(%s) * %" G_GINT64_FORMAT ");", type, name, type, n);
      text_put (self, "if (%s == NULL)", name);
      text_put (self, "  abort();");
    }
  else
    text_put (self, "%s%s%s%s %s[%" G_GINT64_FORMAT "];", self->words->local, g_hash_table_contains (self->wide, node->buffer_var) ? "__align__(16) " : "",
              g_hash_table_contains (self->quick, node->buffer_var) ? "volatile " : "", type, name, n);
  text_stmt (self, node->body);
  if (on_heap)
    text_put (self, "free(%s);", name);
}

static void
allocate_const (Writer          *self,
                LsAllocateConst *node)
{
  gsize bytes, step = MAX ((node->dtype.bits + 7u) / 8u, 1);
  const guint8 *data = g_bytes_get_data (node->data->data, &bytes);
  const char *name = text_declare (self, node->buffer_var);
  LsDType t = ls_dtype_element (node->dtype);
  gint64 n = (gint64) (bytes / step);

  text_points_to (self, node->buffer_var, node->dtype, "");
  if (n > MOST_CONSTANTS || t.bits == 16)
    text_refuse (self, "A constant of %" PRId64 " numbers of %s", n, ls_dtype_name (t));
  text_begin (self);
  g_string_append_printf (self->out, "%sconst %s %s[%" G_GINT64_FORMAT "] = {", self->language == LS_TEXT_C ? "static " : "", text_memory_type (self, t), name, MAX (n, 1));
  for (gint64 i = 0; i < n && self->error == NULL; i++)
    {
      g_autoptr (LsExpr) value = NULL;
      gint64 integer = 0;

      if (t.code == LS_TYPE_FLOAT)
        {
          float single = 0;
          double wide = 0;

          memcpy (t.bits == 32 ? (void *) &single : (void *) &wide, data + i * (gint64) step, step);
          value = ls_float_imm_new (t, t.bits == 32 ? (double) single : wide);
        }
      else
        {
          memcpy (&integer, data + i * (gint64) step, step);
          if (t.code == LS_TYPE_INT && t.bits < 64)
            integer = (gint64) ((guint64) integer << (64 - t.bits)) >> (64 - t.bits);
          value = ls_int_imm_new (t, integer);
        }
      g_string_append (self->out, i > 0 ? ", " : " ");
      text_expr (self, value, 0, PREC_CHOOSE);
    }
  g_string_append (self->out, " };");
  text_end (self);
  text_stmt (self, node->body);
}

/* ---- control ------------------------------------------------------------------------------------- */

static void
loop (Writer *self,
      LsFor  *node)
{
  const char *type = text_type (self, ls_dtype (node->loop_var)), *name;
  g_autoptr (LsExpr) end = NULL;
  gint64 first;

  if (node->kind == LS_FOR_UNROLLED && self->words->unroll != NULL)
    text_put (self, "%s", self->words->unroll);
  text_begin (self);
  g_string_append_printf (self->out, "for (%s ", type);
  {
    GString *kept = self->out;
    GString *bounds = g_string_new (NULL);

    /* the bounds do not see the variable */
    self->out = bounds;
    text_expr (self, node->min, 0, PREC_CHOOSE);
    self->out = kept;
    name = text_declare (self, node->loop_var);
    g_string_append_printf (self->out, "%s = %s; %s < ", name, bounds->str, name);
    g_string_free (bounds, TRUE);
  }
  if (!ls_as_int (node->min, &first) || first != 0)
    {
      text_expr (self, node->min, 0, PREC_ADD);
      g_string_append (self->out, " + ");
      text_expr (self, node->extent, 0, PREC_MUL);
    }
  else
    text_expr (self, node->extent, 0, PREC_SHIFT);
  g_string_append_printf (self->out, "; ++%s) {", name);
  text_end (self);
  block (self, node->body);
  close_block (self);
}

static void
condition (Writer       *self,
           LsIfThenElse *node)
{
  text_begin (self);
  g_string_append (self->out, "if (");
  text_condition (self, node->condition);
  g_string_append (self->out, ") {");
  text_end (self);
  block (self, node->then_case);
  if (node->else_case != NULL)
    {
      text_put (self, "} else {");
      block (self, node->else_case);
    }
  close_block (self);
}

static void
let (Writer    *self,
     LsLetStmt *node)
{
  GString *value = g_string_new (NULL), *kept = self->out;

  self->out = value;
  text_expr (self, node->value, 0, PREC_CHOOSE);
  self->out = kept;
  if (ls_dtype (node->var).code == LS_TYPE_HANDLE || ls_dtype (node->value).lanes > 1)
    text_refuse (self, "The binding of %s to a pointer or vector", node->var->name);
  text_put (self, "const %s %s = %s;", text_type (self, ls_dtype (node->var)), text_declare (self, node->var), value->str);
  g_string_free (value, TRUE);
  text_stmt (self, node->body);
}

static void
attribute (Writer     *self,
           LsAttrStmt *node)
{
  static const char *const TAGS[] = { "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z" };

  if (strcmp (node->attr_key, "thread_extent") == 0 && ls_is (node->subject, ITER_VAR))
    {
      LsIterVar *iter = (LsIterVar *) node->subject;

      for (guint i = 0; i < G_N_ELEMENTS (TAGS); i++)
        if (strcmp (TAGS[i], iter->thread_tag) == 0 && self->words->axes[i] != NULL)
          g_hash_table_insert (self->names, iter->var, g_strdup (self->words->axes[i]));
      if (!g_hash_table_contains (self->names, iter->var))
        text_refuse (self, "The thread axis %s", iter->thread_tag);
    }
  if (!text_async (self, node))
    text_stmt (self, node->body);
}

static gboolean
is_zero_statement (LsExpr *value)
{
  return ls_is (value, INT_IMM);
}

typedef struct {
  Writer *self;
  LsStmt *stmt;
} Again;

static void
stmt_again (gpointer data)
{
  Again *again = data;

  text_stmt (again->self, again->stmt);
}

void
text_stmt (Writer *self,
           LsStmt *stmt)
{
  guint kept = self->line;
  LsSpan span = stmt->span;
  g_autoptr (LsSource) source = span.source != 0 ? ls_source_lookup (span.source) : NULL;

  if (ls_stack_is_short ())
    {
      Again again = { self, stmt };

      ls_stack_extend (stmt_again, &again);
      return;
    }
  if (self->error != NULL)
    return;
  if (source != NULL)
    self->line = ls_source_place (source, span.start).line;
  switch ((int) ls_kind (stmt))
    {
    case LS_KIND_SEQ_STMT:
      for (guint i = 0; i < ((LsSeqStmt *) stmt)->seq->n; i++)
        text_stmt (self, ls_array_at (((LsSeqStmt *) stmt)->seq, i, LsStmt));
      break;
    case LS_KIND_FOR:
      loop (self, (LsFor *) stmt);
      break;
    case LS_KIND_IF_THEN_ELSE:
      condition (self, (LsIfThenElse *) stmt);
      break;
    case LS_KIND_WHILE:
      text_begin (self);
      g_string_append (self->out, "while (");
      text_condition (self, ((LsWhile *) stmt)->condition);
      g_string_append (self->out, ") {");
      text_end (self);
      block (self, ((LsWhile *) stmt)->body);
      close_block (self);
      break;
    case LS_KIND_BUFFER_STORE:
      store (self, (LsBufferStore *) stmt);
      break;
    case LS_KIND_LET_STMT:
      let (self, (LsLetStmt *) stmt);
      break;
    case LS_KIND_ATTR_STMT:
      attribute (self, (LsAttrStmt *) stmt);
      break;
    case LS_KIND_ALLOCATE:
      allocate (self, (LsAllocate *) stmt);
      break;
    case LS_KIND_ALLOCATE_CONST:
      allocate_const (self, (LsAllocateConst *) stmt);
      break;
    case LS_KIND_DECL_BUFFER:
      text_stmt (self, ((LsDeclBuffer *) stmt)->body);
      break;
    case LS_KIND_ASSERT_STMT:
      if (self->language == LS_TEXT_C)
        {
          text_begin (self);
          g_string_append (self->out, "assert(");
          text_condition (self, ((LsAssertStmt *) stmt)->condition);
          g_string_append (self->out, ");");
          text_end (self);
        }
      text_stmt (self, ((LsAssertStmt *) stmt)->body);
      break;
    case LS_KIND_EVALUATE:
      {
        LsExpr *value = ((LsEvaluate *) stmt)->value;

        if (is_zero_statement (value) || ls_is_call (value, "tir.assume") || ls_is_call (value, "tir.prefetch"))
          break;
        if (ls_is_call (value, "tir.ret"))
          {
            text_put (self, "return;");
            break;
          }
        if (text_matrix (self, value))
          break;
        text_begin (self);
        text_expr (self, value, 0, PREC_COMMA);
        g_string_append_c (self->out, ';');
        text_end (self);
        break;
      }
    default:
      text_refuse (self, "%s", stmt->klass->name);
    }
  self->line = kept;
}
