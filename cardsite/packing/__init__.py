"""Static files: scripts and styles bundled into few files, with names derived from their content."""
