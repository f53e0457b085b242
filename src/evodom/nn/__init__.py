"""Neural networks: layers forward and backward for kernels, and the optimiser. No game is imported."""
