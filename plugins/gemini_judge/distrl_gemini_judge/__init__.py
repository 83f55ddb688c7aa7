"""Placeholder until the plugin loader lands."""
