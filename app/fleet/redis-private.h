/* A connection to Redis on the main loop, which comes back by itself.  Only where hiredis is. */
#pragma once

#include "app/fleet/fleet.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

G_BEGIN_DECLS

typedef struct _LsRedis LsRedis;

/* `reply` NULL: the connection was lost before there was one. Borrowed. */
typedef void (*LsRedisReply) (const redisReply *reply, gpointer data);

typedef struct {
  void     (*up)   (gpointer data);                             /* it is there (again), with its user and its database */
  void     (*down) (const char *problem, gpointer data);        /* it is not; told once for each reason */
  gpointer   data;
} LsRedisEvents;

/* Connects at once, and again and again. (transfer full) */
LsRedis *ls_redis_new      (const LsFleetAddress *address,
                            const LsRedisEvents  *events);
/* No callback comes afterwards. */
void     ls_redis_free     (LsRedis              *self);
gboolean ls_redis_is_up    (LsRedis              *self);
/* Sends `argv` (char *, taken).  `reply` (or NULL) is called once, later; not after ls_redis_free(). `destroy` frees `data` in each case. */
void     ls_redis_send     (LsRedis              *self,
                            GPtrArray            *argv,
                            LsRedisReply          reply,
                            gpointer              data,
                            GDestroyNotify        destroy);
/* The same of texts, ended by NULL. */
void     ls_redis_call     (LsRedis              *self,
                            LsRedisReply          reply,
                            gpointer              data,
                            ...) G_GNUC_NULL_TERMINATED;
/* The text of a reply, or NULL. Borrowed. */
const char *ls_redis_text  (const redisReply     *reply);
/* Element i of a list, or NULL. Borrowed. */
const redisReply *ls_redis_at (const redisReply  *reply,
                               gsize              i);
/* An entry of a stream: its id and its fields.  FALSE: it is none. */
gboolean ls_redis_entry    (const redisReply     *reply,
                            const char          **id,
                            GHashTable          **fields);
/* Whether it says that the queue cannot take anything now (its disk is full, it loads, it only reads): try again. */
gboolean ls_redis_is_passing (const redisReply   *reply);

G_END_DECLS
