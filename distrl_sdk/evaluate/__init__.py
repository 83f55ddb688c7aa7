"""What an agent is worth: intervals, results of an evaluation, the report of a run."""
