/* rpc/error: the domain of what can go wrong with the worker. */
#include "app/rpc/rpc.h"

G_DEFINE_QUARK (ls-worker-error-quark, ls_worker_error)
