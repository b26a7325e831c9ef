/* llvm, asm: what a function becomes.
 *
 *   llvm FILE [--raw]    LLVM's intermediate code, optimised or as it was emitted
 *   asm FILE             machine code in groups, each under the line of the TVMScript text that it comes from
 *   asm FILE --cycles    its innermost loops (with --line N those of that line): cycles of a round, units, the critical chain, what each
 *                        instruction does, and why LLVM made no vectors
 *   --func F, --steps FILE, --target T
 */
#include "app/cli/cycles.h"
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/script/script.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *steps, *target;
  gint64      line;             /* 0: any */
  gboolean    raw, cycles, json;
} Request;

static int
read_args (Request *request,
           gboolean is_llvm,
           int      argc,
           char   **argv)
{
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request->json },
    { "--func", LS_CLI_TEXT, &request->func },
    { "--steps", LS_CLI_TEXT, &request->steps },
    { "--target", LS_CLI_TEXT, &request->target },
    { is_llvm ? "--raw" : "--cycles", LS_CLI_FLAG, is_llvm ? &request->raw : &request->cycles },
    { is_llvm ? NULL : "--line", LS_CLI_NUMBER, &request->line },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request->file);

  if (status != LS_CLI_DONE)
    return status;
  return request->file != NULL ? LS_CLI_DONE : ls_cli_usage (argv[0], "a file is expected");
}

/* Asks `method` about the printed text of the module, which *text gets. */
static GVariant *
ask (Request    *request,
     const char *command,
     const char *method,
     char      **text)
{
  g_autoptr (LsModule) module = ls_cli_read_scheduled (command, request->file, request->steps);
  GVariantDict params;

  if (module == NULL)
    return NULL;
  *text = ls_cli_module_text (module);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", *text);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  if (request->target != NULL)
    g_variant_dict_insert (&params, "target", "s", request->target);
  return ls_cli_ask (command, method, &params, 0, NULL, NULL);
}

int
ls_cli_llvm (int    argc,
             char **argv)
{
  Request request = { 0 };
  int status = read_args (&request, TRUE, argc, argv);
  g_autofree char *text = NULL;
  g_autoptr (GVariant) answer = status == LS_CLI_DONE ? ask (&request, argv[0], "llvm", &text) : NULL;

  if (status != LS_CLI_DONE)
    return status;
  if (answer == NULL)
    return LS_CLI_FAILED;
  if (request.json)
    ls_cli_print_json (answer);
  else
    fputs (ls_params_string (answer, request.raw ? "raw-ir" : "ir", ""), stdout);
  return LS_CLI_DONE;
}

/* ---- asm ----------------------------------------------------------------------- */

/* Each once: LLVM says some for every loop that it made of one. */
static void
print_remarks (GVariant *remarks,
               guint     line)
{
  g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);
  guint at;
  const char *sentence;
  GVariantIter iter;

  g_variant_iter_init (&iter, remarks);
  while (g_variant_iter_next (&iter, "(u&s)", &at, &sentence))
    if (at == line && g_hash_table_add (said, (char *) sentence))
      printf ("    ; %s\n", sentence);
}

static void
print_groups (GVariant *groups,
              GVariant *remarks,
              char    **lines)
{
  guint n_lines = g_strv_length (lines);
  g_autofree char *last = g_strdup ("");
  g_autoptr (GHashTable) remarked = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < g_variant_n_children (groups); i++)
    {
      guint line;
      const char *function;
      g_autofree const char **instructions = NULL;

      g_variant_get_child (groups, i, "(u&s^a&s)", &line, &function, &instructions);
      if (strcmp (function, last) != 0)
        {
          printf ("%s%s:\n", *last != 0 ? "\n" : "", function);
          g_free (last);
          last = g_strdup (function);
        }
      if (line > 0 && line <= n_lines)
        printf ("%5u | %s\n", line, lines[line - 1]);
      if (line > 0 && g_hash_table_add (remarked, GUINT_TO_POINTER (line)))
        print_remarks (remarks, line);
      for (guint k = 0; instructions[k] != NULL; k++)
        printf ("    %s%s\n", g_str_has_suffix (instructions[k], ":") ? "" : "    ", instructions[k]);
    }
}

static GVariant *
named_groups (GVariant *groups,
              char    **lines)
{
  guint n_lines = g_strv_length (lines);
  GVariantBuilder list;
  GVariantIter iter;
  GVariantDict dict;
  GVariant *instructions;
  const char *function;
  guint line;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_iter_init (&iter, groups);
  while (g_variant_iter_loop (&iter, "(u&s@as)", &line, &function, &instructions))
    {
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "line", "u", line);
      g_variant_dict_insert (&dict, "source", "s", line > 0 && line <= n_lines ? lines[line - 1] : "");
      g_variant_dict_insert (&dict, "function", "s", function);
      g_variant_dict_insert_value (&dict, "instructions", instructions);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
named_remarks (GVariant *remarks)
{
  GVariantBuilder list;
  GVariantIter iter;
  GVariantDict dict;
  const char *sentence;
  guint line;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_iter_init (&iter, remarks);
  while (g_variant_iter_loop (&iter, "(u&s)", &line, &sentence))
    {
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "line", "u", line);
      g_variant_dict_insert (&dict, "remark", "s", sentence);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

/* The answer with names for the parts of groups and remarks, and with the text that their lines count in. */
static void
print_asm_json (GVariant   *answer,
                GVariant   *groups,
                GVariant   *remarks,
                const char *text,
                char      **lines)
{
  g_autoptr (GVariant) whole = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, answer);
  g_variant_dict_insert (&dict, "module", "s", text);
  g_variant_dict_insert_value (&dict, "groups", named_groups (groups, lines));
  g_variant_dict_insert_value (&dict, "remarks", named_remarks (remarks));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (whole);
}

int
ls_cli_asm (int    argc,
            char **argv)
{
  Request request = { 0 };
  int status = read_args (&request, FALSE, argc, argv);
  g_autofree char *text = NULL;
  g_autoptr (GVariant) answer = status == LS_CLI_DONE ? ask (&request, argv[0], "asm", &text) : NULL;
  g_autoptr (GVariant) groups = NULL;
  g_autoptr (GVariant) remarks = NULL;
  g_auto (GStrv) lines = NULL;

  if (status != LS_CLI_DONE)
    return status;
  if (answer == NULL)
    return LS_CLI_FAILED;
  groups = ls_params_value (answer, "groups");
  remarks = ls_params_value (answer, "remarks");
  lines = g_strsplit (text, "\n", -1);
  if (request.cycles || request.line > 0)
    return ls_cli_print_cycles (argv[0], answer, lines, request.line, request.json) ? LS_CLI_DONE : LS_CLI_FAILED;
  if (request.json)
    print_asm_json (answer, groups, remarks, text, lines);
  else
    print_groups (groups, remarks, lines);
  return LS_CLI_DONE;
}
