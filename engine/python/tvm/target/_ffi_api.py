"""Functions of TVM by name: none is called from here."""
