/**
 * Characters that a spreadsheet treats as the start of a formula (OWASP, “CSV Injection”). Leading apostrophes are
 * included, so that adding and removing one round-trips every text.
 */
const GUARDED = /^'*[=+\-@\t\r\n＝＋－＠]/
const GUARDED_ALREADY = /^'+[=+\-@\t\r\n＝＋－＠]/

/** Prefixes texts that a spreadsheet would run as a formula with an apostrophe. */
export const guardFormula = (text: string): string => (GUARDED.test(text) ? `'${text}` : text)

/** Adds an apostrophe only to texts that look escaped, so that an import, which removes one, restores every text. */
export const escapeGuarded = (text: string): string =>
  text.charCodeAt(0) === 39 && GUARDED_ALREADY.test(text) ? `'${text}` : text

/** Removes the apostrophe of `guardFormula`. */
export const unguardFormula = (text: string): string =>
  text.charCodeAt(0) === 39 && GUARDED_ALREADY.test(text) ? text.slice(1) : text

/** One line as defined in RFC 4180, with its line break. */
export function printCsvLine(cells: readonly string[]): string {
  // An empty line is not a row, so a single empty cell is quoted.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(printCsvCell).join(',')}\r\n`
}

const printCsvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
