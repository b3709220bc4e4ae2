# Filled in with the package files: see the install section of the user guide.
