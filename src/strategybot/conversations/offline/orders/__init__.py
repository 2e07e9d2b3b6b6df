"""What a message does: what it is about, whether it orders it, and what of a run or a name it says."""
