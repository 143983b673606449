"""The tests, one folder for each part of the project. ``conftest.py`` has the fixtures that every test may use."""
