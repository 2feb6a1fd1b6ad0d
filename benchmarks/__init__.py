"""What the program costs, each figure a ratio to a floor measured in the same run."""
