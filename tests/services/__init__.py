"""The site grown up: several processes over a real PostgreSQL and a real Redis."""
