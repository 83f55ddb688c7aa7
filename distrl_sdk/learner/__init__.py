"""The learner: from stored episodes to new weights."""
