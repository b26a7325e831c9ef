/* describe: a table of GOption as JSON. */
#include "app/about/about.h"

#include <stdio.h>

static void
add_text (JsonBuilder *builder,
          const char  *name,
          const char  *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text != NULL ? text : "");
}

static void
add_flag (JsonBuilder *builder,
          const char  *name,
          gboolean     flag)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, flag);
}

void
ls_about_begin (JsonBuilder   *builder,
                const LsAbout *about)
{
  json_builder_begin_object (builder);
  add_text (builder, "program", about->program);
  add_text (builder, "version", LS_VERSION);
  add_text (builder, "usage", about->usage);
  add_text (builder, "summary", about->summary);
  json_builder_set_member_name (builder, "exits");
  json_builder_begin_array (builder);
  for (const LsAboutExit *exit = about->exits; exit != NULL && exit->meaning != NULL; exit++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "status");
      json_builder_add_int_value (builder, exit->status);
      add_text (builder, "meaning", exit->meaning);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

void
ls_about_add_option (JsonBuilder         *builder,
                     const LsAboutOption *option)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "names");
  json_builder_begin_array (builder);
  for (guint i = 0; option->names[i] != NULL; i++)
    json_builder_add_string_value (builder, option->names[i]);
  json_builder_end_array (builder);
  add_text (builder, "value", option->value);
  add_flag (builder, "optional", option->optional);
  add_flag (builder, "repeated", option->repeated);
  add_flag (builder, "file", option->file);
  add_text (builder, "meaning", option->meaning);
  json_builder_end_object (builder);
}

void
ls_about_end (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, TRUE);
  puts (text);
}

static void
add_entry (JsonBuilder        *builder,
           const GOptionEntry *entry)
{
  g_autofree char *name = g_strconcat ("--", entry->long_name, NULL);
  const char letter[] = { '-', entry->short_name, '\0' };
  const char *names[] = { name, entry->short_name != '\0' ? letter : NULL, NULL };
  LsAboutOption option = {
    .names = names,
    .value = entry->arg_description,
    .meaning = entry->description,
    .repeated = entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY,
    .file = entry->arg == G_OPTION_ARG_FILENAME || entry->arg == G_OPTION_ARG_FILENAME_ARRAY,
  };

  ls_about_add_option (builder, &option);
}

void
ls_about_put_description (const LsAbout      *about,
                          const GOptionEntry *entries,
                          gboolean            application)
{
  /* What GOptionContext and GApplication have by themselves, in GLib's words. */
  static const GOptionEntry own[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, NULL, "Show help options", NULL },
    { "help-all", 0, 0, G_OPTION_ARG_NONE, NULL, "Show all help options", NULL },
    { "help-gapplication", 0, 0, G_OPTION_ARG_NONE, NULL, "Show GApplication options", NULL },
    { "gapplication-service", 0, 0, G_OPTION_ARG_NONE, NULL, "Enter GApplication service mode (use from D-Bus service files)", NULL },
  };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  ls_about_begin (builder, about);
  json_builder_set_member_name (builder, "options");
  json_builder_begin_array (builder);
  for (guint i = 0; i < (application ? G_N_ELEMENTS (own) : 1); i++)
    add_entry (builder, &own[i]);
  for (; entries->long_name != NULL; entries++)
    if (*entries->long_name != '\0' && (entries->flags & G_OPTION_FLAG_HIDDEN) == 0)
      add_entry (builder, entries);
  json_builder_end_array (builder);
  ls_about_end (builder);
}
