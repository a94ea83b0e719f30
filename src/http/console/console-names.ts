// Names that people give to things in the console.

