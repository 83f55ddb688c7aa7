"""How learner and workers talk: frames, messages, keys, and the sockets of both sides. Knows no model and no phone."""
