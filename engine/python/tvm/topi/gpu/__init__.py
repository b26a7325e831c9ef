"""Operators whose order of work is that of a device's threads: running sums and sorting.  tvm.topi.cuda is another name of this package."""
from .scan import cumprod, cumsum, scan_thrust, scanop
from .sort import argsort, sort, topk
