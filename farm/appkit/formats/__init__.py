"""How other languages and their libraries print and read values: what kernels of many vendors need in common."""
