/* moves: what can be done to a block or loop, what with a change, what cannot be done and why. */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/schedule/moves/moves.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file;
  const char *steps;
  const char *func;
  const char *block;
  const char *loop;
  const char *target;
  gboolean    json;
} Request;

static const char *const GROUPS[] = { "Can be applied", "Can, with a change", "Cannot" };
static const char *const GROUP_KEYS[] = { "can", "with-change", "cannot" };

static LsEntity *
find_block (Request   *request,
            LsVersion *version)
{
  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      const char *func;

      if (entity->type != LS_ENTITY_BLOCK || strcmp (((LsBlock *) entity->node)->name_hint, request->block) != 0)
        continue;
      func = ls_array_at (version->module->global_vars, entity->func, LsGlobalVar)->name_hint;
      if (request->func == NULL || strcmp (func, request->func) == 0)
        return entity;
    }
  return NULL;
}

static void
list_names (LsVersion    *version,
            LsEntityType  type,
            GString      *names)
{
  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      const char *name = entity->type != type ? NULL : type == LS_ENTITY_BLOCK ? ((LsBlock *) entity->node)->name_hint : ((LsFor *) entity->node)->loop_var->name;

      if (name != NULL && strcmp (name, "root") != 0)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
}

/* The loop around the block with this name. */
static LsNode *
find_loop (Request   *request,
           LsVersion *version,
           LsEntity  *block,
           GString   *names)
{
  for (gint up = block->parent; up >= 0 && ls_version_at (version, up)->type == LS_ENTITY_LOOP; up = ls_version_at (version, up)->parent)
    {
      LsNode *node = ls_version_at (version, up)->node;

      if (strcmp (((LsFor *) node)->loop_var->name, request->loop) == 0)
        return node;
      g_string_prepend (names, names->len > 0 ? ", " : "");
      g_string_prepend (names, ((LsFor *) node)->loop_var->name);
    }
  return NULL;
}

static void
print_text (GPtrArray *offers)
{
  for (guint group = 0; group < G_N_ELEMENTS (GROUPS); group++)
    {
      gboolean doubtful = FALSE;
      guint n = 0;

      for (guint i = 0; i < offers->len; i++)
        n += ((LsOffer *) offers->pdata[i])->group == group;
      printf ("%s%s (%u)\n", group > 0 ? "\n" : "", GROUPS[group], n);
      for (guint i = 0; i < offers->len; i++)
        {
          LsOffer *offer = offers->pdata[i];

          if (offer->group != group)
            continue;
          if (group == LS_OFFER_CAN && offer->reason != NULL && !doubtful)
            printf ("\n  Can, but the result may change\n");
          doubtful |= group == LS_OFFER_CAN && offer->reason != NULL;
          printf ("  %s\n      %s\n", offer->call, group == LS_OFFER_CAN ? offer->effect : offer->reason != NULL ? offer->reason : offer->effect);
          if (offer->repair != NULL)
            printf ("      -> %s\n", offer->repair);
          else if (group == LS_OFFER_WITH_CHANGE && offer->advice != NULL)
            printf ("      -> %s\n", offer->advice);
        }
    }
}

static void
add_offer (JsonBuilder *builder,
           LsOffer     *offer)
{
  g_autofree char *checked = offer->checked_in != NULL ? g_strdup_printf ("%s:%u", offer->checked_in, offer->checked_at) : NULL;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "group", GROUP_KEYS[offer->group]);
  ls_json_put_text (builder, "primitive", offer->instruction->name);
  ls_json_put_text (builder, "call", offer->call);
  ls_json_put_text (builder, "effect", offer->effect);
  ls_json_put_text (builder, "steps", offer->text);
  ls_json_put_text (builder, "reason", offer->reason);
  ls_json_put_text (builder, "code", offer->code);
  ls_json_put_text (builder, "checked", checked);
  ls_json_put_text (builder, "repair", offer->repair);
  ls_json_put_text (builder, "repair_steps", offer->repair_text);
  ls_json_put_text (builder, "retarget", offer->retarget);
  ls_json_put_text (builder, "advice", offer->advice);
  ls_json_put_bool (builder, "replays", offer->replays);
  ls_json_begin_array (builder, "culprits");
  for (guint i = 0; offer->culprits != NULL && i < offer->culprits->len; i++)
    json_builder_add_string_value (builder, offer->culprits->pdata[i]);
  json_builder_end_array (builder);
  if (offer->factors != NULL)
    {
      ls_json_begin_array (builder, "factors");
      for (guint i = 0; i < offer->factors->len; i++)
        json_builder_add_int_value (builder, g_array_index (offer->factors, gint64, i));
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

static void
print_json (GPtrArray *offers)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < offers->len; i++)
    add_offer (builder, offers->pdata[i]);
  json_builder_end_array (builder);
  ls_cli_put_json (builder);
}

static int
moves (Request    *request,
       const char *command)
{
  g_autoptr (LsSchedule) schedule = ls_cli_read_schedule (command, request->file, request->steps, 0);
  g_autoptr (GPtrArray) offers = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  LsVersion *version;
  LsEntity *block;
  LsNode *node;

  if (schedule == NULL)
    return LS_CLI_FAILED;
  version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
  block = find_block (request, version);
  if (block == NULL)
    {
      list_names (version, LS_ENTITY_BLOCK, names);
      return ls_cli_fail (command, "there is no block %s; the blocks are %s", request->block, names->str);
    }
  node = request->loop == NULL ? block->node : find_loop (request, version, block, names);
  if (node == NULL)
    return ls_cli_fail (command, "there is no loop %s around block %s; its loops are %s", request->loop, request->block, names->str);
  offers = ls_schedule_offers (schedule, node, request->target);
  if (request->json)
    print_json (offers);
  else
    print_text (offers);
  return LS_CLI_DONE;
}

int
ls_cli_moves (int    argc,
              char **argv)
{
  Request request = { 0 };
  gboolean strict = FALSE;
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--strict", LS_CLI_FLAG, &strict },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--block", LS_CLI_TEXT, &request.block },
    { "--loop", LS_CLI_TEXT, &request.loop },
    { "--target", LS_CLI_TEXT, &request.target },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.file == NULL || request.block == NULL)
    return ls_cli_usage (argv[0], "a file and --block are expected");
  ls_schedule_set_strict_default (strict);
  return moves (&request, argv[0]);
}
