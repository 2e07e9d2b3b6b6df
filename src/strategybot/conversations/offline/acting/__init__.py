"""Plans: the calls that carry out an order, and what is said of them."""
