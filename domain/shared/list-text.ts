/** Exports use the first separator. */
export const LIST_SEPARATORS = [';', ','] as const

export type ListSeparator = (typeof LIST_SEPARATORS)[number]

/** Joins names into one cell; names that contain a separator or quotation mark are quoted. */
export const printList = (names: readonly string[], separator: ListSeparator = ';'): string =>
  names.map((name) => printName(name, separator)).join(`${separator} `)

const printName = (name: string, separator: ListSeparator): string =>
  name.includes(separator) || name.includes('"') || name !== name.trim() ? `"${name.replaceAll('"', '""')}"` : name

const QUOTED = { ';': /\s*"((?:[^"]|"")*)"\s*(?:;|$)/y, ',': /\s*"((?:[^"]|"")*)"\s*(?:,|$)/y }
const UNQUOTED = { ';': /([^;]*)(?:;|$)/y, ',': /([^,]*)(?:,|$)/y }

/** The inverse of `printList`; empty names are dropped. */
export function parseList(cell: string, separator: ListSeparator = ';'): string[] {
  const names: string[] = []
  for (let at = 0; at < cell.length; ) {
    const quoted = matchAt(QUOTED[separator], cell, at)
    const found = quoted ?? matchAt(UNQUOTED[separator], cell, at)
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
