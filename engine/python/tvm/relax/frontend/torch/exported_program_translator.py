"""Programs of torch.export and torch.compile: the names are here, the importers are not.  torch 1.13, for which this is made, has neither;
from_fx imports what torch.fx traces."""


def from_exported_program(exported_program, *, keep_params_as_input=False, unwrap_unit_return_tuple=False, no_bind_return_tuple=False):
    """Not offered: programs of torch.export are not read."""
    raise NotImplementedError("programs of torch.export are not read; trace the model with torch.fx.symbolic_trace and use from_fx")


def relax_dynamo(pipeline=None):
    """Not offered: there is no backend for torch.compile."""
    raise NotImplementedError("there is no backend for torch.compile; trace the model with torch.fx.symbolic_trace and use from_fx")


def dynamo_capture_subgraphs(model, *params, **kwargs):
    """Not offered: graphs of torch.compile are not read."""
    raise NotImplementedError("graphs of torch.compile are not read; trace the model with torch.fx.symbolic_trace and use from_fx")
