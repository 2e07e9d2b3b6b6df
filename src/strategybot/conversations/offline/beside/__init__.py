"""What stands beside an order and is none: remarks, complaints, questions, courtesy."""
