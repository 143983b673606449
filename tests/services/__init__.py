"""Tests of the site on a real PostgreSQL and a real Redis, most of them with several processes."""
