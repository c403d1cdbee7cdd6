"""Players for tests and for the simulator: they play legal games through the public interface of the rules."""
