"""What an agent may do, see and reach on a phone that somebody owns."""
