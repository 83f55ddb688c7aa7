"""Policies that come with the SDK."""
