"""A person plays an episode by hand: a page shows the phone, and what is clicked and typed becomes actions."""
