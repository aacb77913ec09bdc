/** Whoever waits in front of a terminal can stop a command; an examination of a big database takes minutes. */
export const COMMAND_TIME_LIMITS = { readMs: 60 * 60 * 1000, writeMs: 10 * 60 * 1000 }
