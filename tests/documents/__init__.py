"""Documents that the program itself writes: `make docs` writes them, tests compare them."""
