import type { CsvFormat } from './csv-format.ts'

/**
 * Splits the head of a CSV into rows of cells, forgiving everything: for guessing at its form. The file itself is read by
 * a strict reader. Empty rows are left out, and so is a last row that was cut off by the end of the sample.
 */
export function splitSample(
  text: string,
  { separator, quote }: Pick<CsvFormat, 'separator' | 'quote'>,
  isCut: boolean,
): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, behind = '', open = '', end = ''] of text.matchAll(cellPattern(separator, quote))) {
    row.push(quoted === undefined ? open : quoted.replaceAll('""', '"') + behind)
    if (end === separator) continue
    const isUnfinished = end === '' && isCut
    if (!isUnfinished && row.some((cell) => cell !== '')) rows.push(row)
    row = []
  }
  return rows
}

/** One cell with what ends it: quoted, with whatever stands behind its closing mark, or plain. */
function cellPattern(separator: string, quote: string | null): RegExp {
  const plain = `[^\\r\\n${separator === '|' ? '\\|' : separator}]*`
  const end = `(\\r\\n|\\r|\\n|${separator === '|' ? '\\|' : separator}|$)`
  const quoted = quote === null ? '(?!)()()' : '"((?:[^"]|"")*)(?:"|$)(' + plain + ')'
  return new RegExp(`(?:${quoted}|(${plain}))${end}`, 'g')
}
