"""Which task to play next. The tasks themselves come from task sets (plugins)."""
