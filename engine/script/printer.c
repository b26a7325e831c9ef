/* printer: the entry points; see printer.h for what they promise.
 *
 * One pass over the tree, straight into one string (printer-private.h says how late names and declarations are
 * fitted in).  printer-scope.c has names and frames, -expr, -buffer, -stmt, -block and -func the syntax.
 */
#include "engine/script/printer-private.h"


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
  p->defs = g_array_new (FALSE, FALSE, sizeof (LsDef));
  p->frames = g_array_new (FALSE, FALSE, sizeof (LsFrame));
  p->marks = g_array_new (FALSE, FALSE, sizeof (LsMark));
  p->paths = g_array_new (FALSE, FALSE, sizeof (LsPathStep));
  p->ranges = g_array_new (FALSE, FALSE, sizeof (LsSourceRange));
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
  g_hash_table_unref (p->names);
  g_clear_pointer (&p->ancestors, g_hash_table_unref);
  g_array_unref (p->defs);
  g_array_unref (p->frames);
  g_array_unref (p->marks);
  g_clear_pointer (&p->paths, g_array_unref);
  g_clear_pointer (&p->ranges, g_array_unref);
  return text;
}

static gboolean
has_prim_func (LsModule *module)
{
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return TRUE;
  return FALSE;
}

static void
put_header (LsPrinter *p,
            LsNode    *root)
{
  if (p->options.no_header)
    return;
  if (ls_is (root, MODULE))
    ls_put (p, "# from tvm.script import ir as I\n");
  if (!ls_is (root, MODULE) || has_prim_func ((LsModule *) root))
    ls_put (p, p->options.style == LS_SCRIPT_STYLE_2026 ? "# from tvm.script import tirx as T\n" : "# from tvm.script import tir as T\n");
  ls_put_char (p, '\n');
}

static const char *
function_name (LsPrinter  *p,
               LsPrimFunc *func)
{
  LsNode *symbol = ls_map_get (func->attrs, "global_symbol");

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
      put_header (p, root);
      ls_printer_module (p, (LsModule *) root);
      break;
    case LS_KIND_PRIM_FUNC:
      put_header (p, root);
      ls_printer_prim_func (p, (LsPrimFunc *) root, function_name (p, (LsPrimFunc *) root));
      break;
    default:
      ls_printer_push (p, NULL, 0);
      if (ls_is_stmt (root))
        {
          ls_printer_body (p, root);
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
  return finish (&p);
}

char *
ls_script_print_expr (gpointer expr)
{
  return ls_script_print (expr, NULL, NULL);
}
