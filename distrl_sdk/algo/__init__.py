"""The mathematics: pure functions, returns and losses on torch tensors, priorities on numpy arrays."""
