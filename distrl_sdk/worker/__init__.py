"""A worker process: many phones, one policy, and an outbox that loses nothing. Never imports lightning."""
