"""Programs of PyTorch."""
from .exported_program_translator import dynamo_capture_subgraphs, from_exported_program, relax_dynamo
from .fx_translator import add_rules, from_fx
