// Loads what Node.js has for `fetch`. The package undici, which some modules load, would otherwise be what `fetch` sends
// by in all files that a process of tests takes after them, and it is of another version.
void Response;
