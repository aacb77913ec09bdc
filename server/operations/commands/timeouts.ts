/** Checks of a large database take minutes, and a user can interrupt a command. */
export const COMMAND_TIME_LIMITS = { readMs: 60 * 60 * 1000, writeMs: 10 * 60 * 1000 }
