/**
 * Characters that spreadsheets treat as the start of a formula (OWASP, “CSV Injection”). The apostrophe is included so
 * that every text survives an export and import.
 */
const GUARDED = /^'*[=+\-@\t\r\n＝＋－＠]/
const GUARDED_ALREADY = /^'+[=+\-@\t\r\n＝＋－＠]/

/** Adds an apostrophe before text that a spreadsheet would run as a formula. */
export const guardFormula = (text: string): string => (GUARDED.test(text) ? `'${text}` : text)

/** Adds an apostrophe only to text that already looks escaped, because imports remove one apostrophe. */
export const escapeGuarded = (text: string): string =>
  text.charCodeAt(0) === 39 && GUARDED_ALREADY.test(text) ? `'${text}` : text

/** Removes the apostrophe added by `guardFormula`. */
export const unguardFormula = (text: string): string =>
  text.charCodeAt(0) === 39 && GUARDED_ALREADY.test(text) ? text.slice(1) : text

/** One RFC 4180 record, including its line break. */
export function printCsvLine(cells: readonly string[]): string {
  // Readers skip empty lines, so a single empty cell is quoted.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(printCsvCell).join(',')}\r\n`
}

const printCsvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
