"""Text and pictures of a table."""
