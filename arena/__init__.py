"""The arena's service: referees, tournaments, their store and the commands of organizers."""
