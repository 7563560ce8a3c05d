"""The rules of euchre, pure: no clock, no I/O, no randomness of their own."""
