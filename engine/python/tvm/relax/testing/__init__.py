"""Help for tests of Relax."""
