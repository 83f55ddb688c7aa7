"""Judges: who says whether an episode reached its goal."""
