"""What the commands do: values in, results out."""
