"""Starting worker processes: here, on this machine."""
