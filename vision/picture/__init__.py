"""One picture and the ground in it: pixels, what lies still, light, and how steady the camera is."""
