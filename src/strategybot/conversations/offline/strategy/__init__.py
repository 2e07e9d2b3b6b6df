"""From a line to what it says about a strategy, and from that to the strategy it makes."""
