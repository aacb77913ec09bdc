import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** One line of a CSV by its header's names; a name that is not there reads as undefined. */
export type CsvLine = Readonly<Record<string, string | undefined>>

/** The lines of a CSV file, untouched. */
export function readCsv(file: string | URL): CsvLine[] {
  // Without type parameters csv-parse answers unknown values; with `columns` they are objects of texts.
  return parse(readFileSync(file, 'utf8'), { columns: true }) as CsvLine[]
}

/** Writes lines under a header as RFC 4180 asks: CRLF, and quotes only where they are needed. */
export function writeCsv(file: string | URL, header: readonly string[], lines: readonly (readonly Cell[])[]): void {
  writeFileSync(file, [header, ...lines].map((line) => `${line.map(printCell).join(',')}\r\n`).join(''))
}

/** What a line may hold; booleans are written as people write them. */
type Cell = string | number | boolean

function printCell(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const text = String(cell)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
