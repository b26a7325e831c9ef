/* base/json: members of JSON objects, written and read.
 *
 * Writing never gives text that is no JSON: a number that is not finite becomes null.  Reading never fails: a member that
 * is missing, or of another kind because somebody changed the file, counts as not there.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* ---- writing: a member of the object that the builder is in ------------- */

/* A text in UTF-8; nothing is written when it is NULL. */
void        ls_json_put_text   (JsonBuilder *builder,
                                const char  *member,
                                const char  *value);
void        ls_json_put_int    (JsonBuilder *builder,
                                const char  *member,
                                gint64       value);
/* null when the number is not finite: JSON has no such numbers. */
void        ls_json_put_double (JsonBuilder *builder,
                                const char  *member,
                                double       value);
void        ls_json_put_bool   (JsonBuilder *builder,
                                const char  *member,
                                gboolean     value);
/* true; nothing is written when it is not. */
void        ls_json_put_true   (JsonBuilder *builder,
                                const char  *member,
                                gboolean     value);
/* A member that is an array, or an object: json_builder_end_array() and json_builder_end_object() end it. */
void        ls_json_begin_array  (JsonBuilder *builder,
                                  const char  *member);
void        ls_json_begin_object (JsonBuilder *builder,
                                  const char  *member);

/* ---- reading: a member of `object`, which may be NULL -------------------- */

/* Borrowed from the object; NULL when there is no such text. */
const char *ls_json_text       (JsonObject  *object,
                                const char  *member);
/* A number with a fraction is no int. */
gint64      ls_json_int        (JsonObject  *object,
                                const char  *member,
                                gint64       otherwise);
double      ls_json_double     (JsonObject  *object,
                                const char  *member,
                                double       otherwise);
/* FALSE when it is not there. */
gboolean    ls_json_is_true    (JsonObject  *object,
                                const char  *member);
/* Borrowed; NULL when there is none. */
JsonArray  *ls_json_array      (JsonObject  *object,
                                const char  *member);
JsonObject *ls_json_object     (JsonObject  *object,
                                const char  *member);

G_END_DECLS
