"""The virtual machine under its name of v0.20."""
from ..relax.vm import VirtualMachine, VMInstrumentReturnKind
from ..relax.vm_build import VMExecutable
