"""The tests, one folder a room of the house. ``conftest.py`` says what every test can ask for."""
