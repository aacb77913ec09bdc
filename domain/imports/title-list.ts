/**
 * Titles of several records in one cell: parted by semicolons. A title that holds one, or a quotation mark, stands in
 * quotation marks, those inside doubled.
 */
export const printTitles = (titles: readonly string[]): string => titles.map(printTitle).join('; ')

const printTitle = (title: string): string =>
  /[;"]/.test(title) || title !== title.trim() ? `"${title.replaceAll('"', '""')}"` : title

/** One title with its quotation marks, then the semicolon or the end. */
const QUOTED = /\s*"((?:[^"]|"")*)"\s*(?:;|$)/y
const UNQUOTED = /([^;]*)(?:;|$)/y

/** The titles in a cell; the inverse of `printTitles`. Empty ones are left out. */
export function parseTitles(cell: string): string[] {
  const titles: string[] = []
  for (let at = 0; at < cell.length; ) {
    const quoted = matchAt(QUOTED, cell, at)
    const found = quoted ?? matchAt(UNQUOTED, cell, at)
    const [whole = '', inner = ''] = found ?? []
    const title = quoted ? inner.replaceAll('""', '"') : inner.trim()
    if (title !== '') titles.push(title)
    at += Math.max(1, whole.length)
  }
  return titles
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
