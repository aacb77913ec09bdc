/**
 * Several names in one cell: titles of records, choices, people, parted by semicolons. A name that holds one, or a
 * quotation mark, stands in quotation marks, those inside doubled.
 */
export const printList = (names: readonly string[]): string => names.map(printName).join('; ')

const printName = (name: string): string =>
  /[;"]/.test(name) || name !== name.trim() ? `"${name.replaceAll('"', '""')}"` : name

/** One name with its quotation marks, then the semicolon or the end. */
const QUOTED = /\s*"((?:[^"]|"")*)"\s*(?:;|$)/y
const UNQUOTED = /([^;]*)(?:;|$)/y

/** The names in a cell; the inverse of `printList`. Empty ones are left out. */
export function parseList(cell: string): string[] {
  const names: string[] = []
  for (let at = 0; at < cell.length; ) {
    const quoted = matchAt(QUOTED, cell, at)
    const found = quoted ?? matchAt(UNQUOTED, cell, at)
    const [whole = '', inner = ''] = found ?? []
    const name = quoted ? inner.replaceAll('""', '"') : inner.trim()
    if (name !== '') names.push(name)
    at += Math.max(1, whole.length)
  }
  return names
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
