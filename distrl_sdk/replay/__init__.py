"""Episodes kept for learning, and the log they are written to first. numpy only: no model, no socket."""
