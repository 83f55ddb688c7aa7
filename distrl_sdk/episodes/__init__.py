"""Recorded episodes on disk: what the agent saw, what it did, and what a judge said of it."""
