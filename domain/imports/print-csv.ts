/**
 * Signs a spreadsheet takes for the begin of a formula (OWASP, "CSV Injection"). Apostrophes in front are counted in, so
 * that adding one and taking one off again gives back every text.
 */
const GUARDED = /^'*[=+\-@\t\r\n＝＋－＠]/
const GUARDED_ALREADY = /^'+[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet runs as a formula: those that would be run get an apostrophe in front. */
export const guardFormula = (text: string): string => (GUARDED.test(text) ? `'${text}` : text)

/**
 * A text as it is. Only one that looks as if it were guarded gets one more apostrophe, so that an import, which takes one
 * off, reads every text back as it was.
 */
export const escapeGuarded = (text: string): string =>
  text.charCodeAt(0) === 39 && GUARDED_ALREADY.test(text) ? `'${text}` : text

/** Takes the guard off again. */
export const unguardFormula = (text: string): string =>
  text.charCodeAt(0) === 39 && GUARDED_ALREADY.test(text) ? text.slice(1) : text

/** One line of a CSV as RFC 4180 wants it, with its line break. */
export function printCsvLine(cells: readonly string[]): string {
  // A line with nothing on it is no row, so a single empty cell says that it is there.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(printCsvCell).join(',')}\r\n`
}

const printCsvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
