// Nothing of Yoke.
int nothing_of_yoke() { return 1; }
