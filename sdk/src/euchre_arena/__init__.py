"""Write a euchre bot, play it at home on the arena's own referee, connect it to an arena."""
