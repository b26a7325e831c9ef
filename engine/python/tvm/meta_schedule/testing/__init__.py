"""What tests of searches ask for again and again."""
