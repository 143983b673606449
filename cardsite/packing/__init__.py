"""What a browser fetches once and keeps: scripts and styles in few files, named by what is in them."""
