/**
 * The same text for itself: one that was cut out of a longer text keeps all of that in memory. For texts that are kept
 * much longer than what they come from.
 */
export const detachString = (text: string): string => text.split('').join('')
