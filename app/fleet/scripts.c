/* scripts: the steps of the queue that have to be whole, in Lua for Redis (see scripts-private.h for keys, arguments and answers).
 *
 * Redis runs a script without anybody in between, and all of it or nothing of it is in its file.  Everything that may be done twice (a machine hands
 * in what another one did already, a search puts in again what is there) is harmless because the script looks first.
 */
#include "app/fleet/scripts-private.h"

#include <string.h>

#define MONTH_MS "2592000000"   /* what a search left behind that was killed and never began again */

/* Taking an entry out of the jobs: nobody's any more. */
#define LET_GO "local function let_go(jobs, entry) redis.call('XACK', jobs, 'measure', entry) redis.call('XDEL', jobs, entry) end\n"

/* The entry once more, at the end; its new id. */
#define AGAIN                                                                                                     \
  "local function again(jobs, entry)\n"                                                                           \
  "  local found = redis.call('XRANGE', jobs, entry, entry)\n"                                                    \
  "  if #found == 0 then return nil end\n"                                                                        \
  "  local new = redis.call('XADD', jobs, '*', unpack(found[1][2]))\n"                                            \
  "  let_go(jobs, entry)\n"                                                                                       \
  "  return new\n"                                                                                                \
  "end\n"

/* A job that nobody is to try any more: among those put aside, and its failure a result. */
#define PUT_ASIDE                                                                                                 \
  "local function put_aside(run_key, jobs, results, aside, entry, id, reason, machine, run, kind)\n"              \
  "  redis.call('XADD', aside, 'MAXLEN', '~', '1000', '*', 'run', run, 'id', id, 'reason', reason, 'machine', machine, 'kind', kind)\n" \
  "  redis.call('XADD', results, '*', 'id', id, 'error', reason, 'machine', machine, 'kind', kind, 'aside', '1')\n" \
  "  redis.call('HSET', run_key, 'j:' .. id, 'done')\n"                                                           \
  "  let_go(jobs, entry)\n"                                                                                       \
  "end\n"

const char ls_fleet_script_open[] =
  "redis.call('HSET', KEYS[1], 'base', ARGV[1], 'kind', ARGV[2])\n"
  "redis.call('PEXPIRE', KEYS[1], " MONTH_MS ")\n"
  "return 1\n";

const char ls_fleet_script_submit[] =
  "local was = redis.call('HGET', KEYS[1], 'j:' .. ARGV[1])\n"
  "if was and was ~= 'settled' then return 0 end\n"
  "redis.call('HSET', KEYS[1], 'j:' .. ARGV[1], redis.call('XADD', KEYS[2], '*', unpack(ARGV, 2)))\n"
  "return 1\n";

const char ls_fleet_script_begin[] =
  LET_GO PUT_ASIDE
  "local was = redis.call('HGET', KEYS[1], 'j:' .. ARGV[2])\n"
  "if was ~= ARGV[1] then let_go(KEYS[2], ARGV[1]) return {'skip'} end\n"
  "local mine = redis.call('XPENDING', KEYS[2], 'measure', ARGV[1], ARGV[1], 1)\n"
  "if #mine == 0 or mine[1][2] ~= ARGV[3] then return {'skip'} end\n"
  "if tonumber(mine[1][4]) > 4 then\n"
  "  local reason = 'taken ' .. mine[1][4] .. ' times by machines that did not come back with a result'\n"
  "  put_aside(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], reason, ARGV[3], ARGV[4], '')\n"
  "  return {'aside', reason}\n"
  "end\n"
  "return {'go', ARGV[5] == '1' and redis.call('HGET', KEYS[1], 'base') or ''}\n";

const char ls_fleet_script_renew[] =
  "local mine = redis.call('XPENDING', KEYS[1], 'measure', ARGV[1], ARGV[1], 1)\n"
  "if #mine == 0 or mine[1][2] ~= ARGV[2] then return 0 end\n"
  "redis.call('XCLAIM', KEYS[1], 'measure', ARGV[2], 0, ARGV[1], 'JUSTID')\n"
  "return 1\n";

const char ls_fleet_script_give[] =
  LET_GO
  "local was = redis.call('HGET', KEYS[1], 'j:' .. ARGV[2])\n"
  "if not was then return 'gone' end\n"
  "if was == 'done' or was == 'settled' then let_go(KEYS[2], ARGV[1]) return 'twice' end\n"
  "redis.call('XADD', KEYS[3], '*', 'id', ARGV[2], unpack(ARGV, 3))\n"
  "redis.call('HSET', KEYS[1], 'j:' .. ARGV[2], 'done')\n"
  "redis.call('PEXPIRE', KEYS[1], " MONTH_MS ")\n"
  "redis.call('PEXPIRE', KEYS[3], " MONTH_MS ")\n"
  "let_go(KEYS[2], ARGV[1])\n"
  "let_go(KEYS[2], was)\n"
  "return 'taken'\n";

const char ls_fleet_script_died[] =
  LET_GO AGAIN PUT_ASIDE
  "local was = redis.call('HGET', KEYS[1], 'j:' .. ARGV[2])\n"
  "if not was then return 'gone' end\n"
  "if was ~= ARGV[1] then let_go(KEYS[2], ARGV[1]) return 'twice' end\n"
  "local n = redis.call('HINCRBY', KEYS[1], 'k:' .. ARGV[2], 1)\n"
  "if n >= 2 then\n"
  "  put_aside(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], 'put aside, it ended ' .. n .. ' workers: ' .. ARGV[3], ARGV[4], ARGV[5], ARGV[6])\n"
  "  return 'aside'\n"
  "end\n"
  "local new = again(KEYS[2], ARGV[1])\n"
  "if not new then redis.call('HDEL', KEYS[1], 'j:' .. ARGV[2]) return 'gone' end\n"
  "redis.call('HSET', KEYS[1], 'j:' .. ARGV[2], new)\n"
  "return 'again'\n";

const char ls_fleet_script_return[] =
  LET_GO AGAIN
  "if redis.call('HGET', KEYS[1], 'j:' .. ARGV[2]) ~= ARGV[1] then let_go(KEYS[2], ARGV[1]) return 0 end\n"
  "local new = again(KEYS[2], ARGV[1])\n"
  "if new then redis.call('HSET', KEYS[1], 'j:' .. ARGV[2], new) end\n"
  "return 1\n";

const char ls_fleet_script_settle[] =
  "redis.call('XDEL', KEYS[2], ARGV[2])\n"
  "if redis.call('HEXISTS', KEYS[1], 'j:' .. ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'j:' .. ARGV[1], 'settled') end\n"
  "return 1\n";

const char ls_fleet_script_close[] =
  LET_GO
  "for i = 2, #ARGV do\n"
  "  local was = redis.call('HGET', KEYS[1], 'j:' .. ARGV[i])\n"
  "  if was and was ~= 'done' and was ~= 'settled' then\n"
  "    let_go(KEYS[2], was)\n"
  "    redis.call('HDEL', KEYS[1], 'j:' .. ARGV[i])\n"
  "  end\n"
  "end\n"
  "if ARGV[1] == '1' then redis.call('DEL', KEYS[1], KEYS[3]) end\n"
  "return 1\n";

const char ls_fleet_script_hand_on[] =
  LET_GO AGAIN
  "local held = redis.call('XPENDING', KEYS[2], 'measure', ARGV[1], ARGV[1], 1)\n"
  "if #held == 0 or held[1][2] ~= ARGV[2] then return 0 end\n"
  "local found = redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1])\n"
  "if #found == 0 then redis.call('XACK', KEYS[2], 'measure', ARGV[1]) return 0 end\n"
  "local id\n"
  "for i = 1, #found[1][2], 2 do if found[1][2][i] == 'id' then id = found[1][2][i + 1] end end\n"
  "if redis.call('HGET', KEYS[1], 'j:' .. id) ~= ARGV[1] then return 0 end\n"
  "redis.call('HSET', KEYS[1], 'j:' .. id, again(KEYS[2], ARGV[1]))\n"
  "return 1\n";

const char ls_fleet_script_peers[] =
  "local said = {}\n"
  "for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n"
  "  local text = redis.call('GET', ARGV[1] .. name)\n"
  "  if text then said[#said + 1] = name said[#said + 1] = text else redis.call('SREM', KEYS[1], name) end\n"
  "end\n"
  "return said\n";

void
ls_fleet_script_call (LsRedis            *redis,
                      const char         *script,
                      const char *const  *keys,
                      const char *const  *args,
                      GPtrArray          *rest,
                      LsRedisReply        reply,
                      gpointer            data,
                      GDestroyNotify      destroy)
{
  GPtrArray *argv = g_ptr_array_new ();

  g_ptr_array_add (argv, g_strdup ("EVAL"));
  g_ptr_array_add (argv, g_strdup (script));
  g_ptr_array_add (argv, g_strdup_printf ("%u", g_strv_length ((char **) keys)));
  for (; *keys != NULL; keys++)
    g_ptr_array_add (argv, g_strdup (*keys));
  for (; args != NULL && *args != NULL; args++)
    g_ptr_array_add (argv, g_strdup (*args));
  for (guint i = 0; rest != NULL && i < rest->len; i++)
    g_ptr_array_add (argv, g_strdup (rest->pdata[i]));
  ls_redis_send (redis, argv, reply, data, destroy);
}
