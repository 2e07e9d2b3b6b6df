"""What a message means by what was said before it."""
