/** What a number is found and sorted by: its digits, and the plus of one that begins with its country. */
export const phoneDigits = (number: string): string =>
  (number.trimStart().startsWith('+') ? '+' : '') + number.replaceAll(/\D/g, '')
