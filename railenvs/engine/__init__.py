"""What all games share: the rules never appear here."""
