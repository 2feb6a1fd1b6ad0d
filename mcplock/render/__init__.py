"""Results -> text and JSON; pure."""
