/* error: the domain of what does not fit in a Relax expression; below every file that says so. */
#include "engine/relax/relax.h"

G_DEFINE_QUARK (ls-relax-error-quark, ls_relax_error)
