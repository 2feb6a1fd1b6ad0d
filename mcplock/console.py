"""stdout, stderr, colour, progress, prompts."""
