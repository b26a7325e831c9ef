"""What is done with a module for devices of Apple."""
