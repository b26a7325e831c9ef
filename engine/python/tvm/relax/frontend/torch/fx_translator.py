"""torch.fx graphs to Relax."""


def from_fx(model, input_info, keep_params_as_input=False, unwrap_unit_return_tuple=False, no_bind_return_tuple=False):
    """Not offered yet."""
    raise NotImplementedError("from_fx is not offered yet")
