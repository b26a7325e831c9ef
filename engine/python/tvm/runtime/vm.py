"""The virtual machine under its newer name."""
from .relax_vm import VirtualMachine, VMExecutable, VMInstrumentReturnKind
