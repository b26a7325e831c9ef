/* printer: the entry points; see printer.h for what they promise.
 *
 * One pass over the tree, straight into one string (printer-private.h says how late names and declarations are
 * fitted in).  printer-scope.c has names and frames, -expr, -buffer, -stmt, -block and -func the syntax.
 */
#include "engine/script/printer-private.h"

#include "engine/script/kept-names.h"
#include "engine/script/metadata.h"


static const char *const STYLES[] = { "0.20", "2023", "2026" };

gboolean
ls_script_style_parse (const char    *name,
                       LsScriptStyle *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (STYLES); i++)
    if (g_str_equal (name, STYLES[i]))
      {
        *out = (LsScriptStyle) i;
        return TRUE;
      }
  return FALSE;
}

const char *
ls_script_style_name (LsScriptStyle style)
{
  return STYLES[style];
}

static void
start (LsPrinter                  *p,
       const LsScriptPrintOptions *options,
       gpointer                    root,
       gboolean                    mapping)
{
  LsPathStep none = { 0, 0 };

  memset (p, 0, sizeof *p);
  p->text = p->out = g_string_sized_new (2048);
  if (options != NULL)
    p->options = *options;
  p->indent_width = p->options.indent > 0 ? p->options.indent : 4;
  p->sugar = !p->options.verbose;
  p->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  p->used = g_hash_table_new (g_str_hash, g_str_equal);
  p->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  p->defs = g_array_new (FALSE, FALSE, sizeof (LsDef));
  p->frames = g_array_new (FALSE, FALSE, sizeof (LsFrame));
  p->marks = g_array_new (FALSE, FALSE, sizeof (LsMark));
  p->paths = g_array_new (FALSE, FALSE, sizeof (LsPathStep));
  p->ranges = g_array_new (FALSE, FALSE, sizeof (LsSourceRange));
  p->constants = g_ptr_array_new ();
  p->mapping = mapping;
  p->scope_root = root;
  g_array_append_val (p->paths, none);
  ls_printer_reserve (p, "I");
  ls_printer_reserve (p, "T");
  ls_printer_reserve (p, "R");
  ls_printer_reserve (p, "cls");
}

static char *
finish (LsPrinter *p)
{
  char *text = g_string_free (p->text, FALSE);

  g_hash_table_unref (p->used);
  g_hash_table_unref (p->numbers);
  g_hash_table_unref (p->names);
  g_clear_pointer (&p->ancestors, ls_ancestors_free);
  g_array_unref (p->defs);
  g_array_unref (p->frames);
  g_array_unref (p->marks);
  g_ptr_array_unref (p->constants);
  g_clear_pointer (&p->paths, g_array_unref);
  g_clear_pointer (&p->ranges, g_array_unref);
  return text;
}

/* Does the text from `from` on say `prefix` ("T.") outside of texts? */
static gboolean
mentions (LsPrinter  *p,
          gsize       from,
          const char *prefix)
{
  const char *text = p->text->str;
  gboolean quoted = FALSE;

  for (gsize i = from; i < p->text->len; i++)
    if (text[i] == '"')
      quoted = !quoted;
    else if (quoted && text[i] == '\\')
      i++;
    else if (!quoted && text[i] == prefix[0] && text[i + 1] == '.' && (i == 0 || !(g_ascii_isalnum (text[i - 1]) || strchr ("_.", text[i - 1]))))
      return TRUE;
  return FALSE;
}

/* The line of the imports, once it is known what the text needs. */
static void
insert_header (LsPrinter *p,
               LsNode    *root)
{
  const char *tir = p->options.style == LS_SCRIPT_STYLE_2026 ? "# from tvm.script import tirx as T\n" : "# from tvm.script import tir as T\n";
  g_autofree char *header = NULL;

  if (p->options.no_header)
    return;
  header = g_strconcat (ls_is (root, MODULE) ? "# from tvm.script import ir as I\n" : "",
                        ls_is (root, PRIM_FUNC) || mentions (p, 0, "T") ? tir : "",
                        mentions (p, 0, "R") ? "# from tvm.script import relax as R\n" : "", "\n", NULL);
  ls_printer_insert (p, 0, header);
}

static void
put_metadata (LsPrinter *p)
{
  g_autofree char *text = NULL;

  if (p->constants->len == 0)
    return;
  if (!p->options.show_meta)
    {
      ls_put (p, "\n# Metadata omitted. Use show_meta=True in script() method to show it.");
      return;
    }
  text = ls_metadata_print (p->constants);
  ls_printer_insert (p, 0, text);
}

static const char *
function_name (LsPrinter *p,
               LsMap     *attrs)
{
  LsNode *symbol = ls_map_get (attrs, "global_symbol");

  if (p->options.function_name != NULL)
    return p->options.function_name;
  return ls_is (symbol, STRING) ? ((LsString *) symbol)->value : "main";
}

static void
print_root (LsPrinter *p,
            LsNode    *root)
{
  switch ((int) ls_kind (root))
    {
    case LS_KIND_MODULE:
      ls_printer_module (p, (LsModule *) root);
      insert_header (p, root);
      put_metadata (p);
      break;
    case LS_KIND_PRIM_FUNC:
      ls_printer_prim_func (p, (LsPrimFunc *) root, function_name (p, ((LsPrimFunc *) root)->attrs));
      insert_header (p, root);
      break;
    case LS_KIND_FUNCTION:
      ls_printer_relax_func (p, (LsFunction *) root, function_name (p, ((LsFunction *) root)->attrs), 0, TRUE);
      insert_header (p, root);
      put_metadata (p);
      break;
    case LS_KIND_SEQ_EXPR:
    case LS_KIND_BINDING_BLOCK:
    case LS_KIND_DATAFLOW_BLOCK:
    case LS_KIND_VAR_BINDING:
    case LS_KIND_MATCH_CAST:
      ls_printer_push (p, NULL, 0);
      ls_printer_relax_part (p, root);
      ls_printer_pop (p);
      break;
    default:
      ls_printer_push (p, NULL, 0);
      if (ls_is (root, SEQ_STMT))
        {
          ls_printer_body (p, root);
        }
      else if (ls_is_stmt (root))
        {
          ls_printer_stmt (p, root);
        }
      else
        {
          p->drop_declarations = TRUE;
          ls_printer_begin (p);
          ls_printer_value (p, root);
        }
      ls_printer_pop (p);
      break;
    }
}

char *
ls_script_print (gpointer                    node,
                 const LsScriptPrintOptions *options,
                 LsSourceMap               **map)
{
  LsPrinter p;

  g_return_val_if_fail (node != NULL, NULL);
  start (&p, options, node, map != NULL);
  print_root (&p, node);
  if (map != NULL)
    *map = ls_source_map_new (node, p.text->str, g_steal_pointer (&p.paths), g_steal_pointer (&p.ranges));
  if (p.options.keep_names && p.renamed && (ls_is ((LsNode *) node, MODULE) || ls_is ((LsNode *) node, PRIM_FUNC) || ls_is ((LsNode *) node, FUNCTION)))
    ls_kept_names_put (p.text, node);
  return finish (&p);
}

/* Is the name of a variable printed as it is? */
static gboolean
is_plain_name (const char *name)
{
  if (name == NULL || !(name[0] == '_' || g_ascii_isalpha (name[0])) || strcmp (name, "cls") == 0 ||
      (name[1] == '\0' && strchr ("ITR", name[0]) != NULL))
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (*c != '_' && !g_ascii_isalnum (*c))
      return FALSE;
  return !ls_printer_is_keyword (name);
}

/* Numbers and variables by themselves need no printer: the window asks for thousands of them. */
char *
ls_script_print_expr (gpointer expr)
{
  if (expr != NULL && ls_is (expr, INT_IMM) && ls_dtype_equal (ls_dtype (expr), LS_INT32))
    return g_strdup_printf ("%" G_GINT64_FORMAT, ((LsIntImm *) expr)->value);
  if (expr != NULL && ls_is_var (expr) && is_plain_name (((LsVar *) expr)->name))
    return g_strdup (((LsVar *) expr)->name);
  return ls_script_print (expr, NULL, NULL);
}
