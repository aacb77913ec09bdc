/** The searched and sorted form: digits, with a leading plus. */
export const phoneDigits = (number: string): string =>
  (number.trimStart().startsWith('+') ? '+' : '') + number.replaceAll(/\D/g, '')
