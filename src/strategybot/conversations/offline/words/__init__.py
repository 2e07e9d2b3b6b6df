"""From the text of a message to its line: words are mended, phrases become concepts."""
