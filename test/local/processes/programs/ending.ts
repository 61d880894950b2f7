/** Ends at once, as a process does that cannot start. */

process.exit(1);
