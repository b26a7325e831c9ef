"""The virtual machine under its newer name."""
from ..relax.vm import VirtualMachine
from ..relax.vm_build import VMExecutable
