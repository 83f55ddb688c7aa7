"""distrl-sdk: train agents to operate phones by asynchronous distributed reinforcement learning."""
