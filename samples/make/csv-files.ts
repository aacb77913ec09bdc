import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** CSV row by column name; unknown names are undefined. */
export type CsvLine = Readonly<Record<string, string | undefined>>

/** Reads the unmodified rows of a CSV file. */
export function readCsv(file: string | URL): CsvLine[] {
  // csv-parse is untyped here; with `columns`, each row is an object of strings.
  return parse(readFileSync(file, 'utf8'), { columns: true }) as CsvLine[]
}

/** Writes a header and rows as RFC 4180 CSV: CRLF line endings, and quotes only if needed. */
export function writeCsv(file: string | URL, header: readonly string[], lines: readonly (readonly Cell[])[]): void {
  writeFileSync(file, [header, ...lines].map((line) => `${line.map(printCell).join(',')}\r\n`).join(''))
}

/** Cell value; booleans are written as yes or no. */
type Cell = string | number | boolean

function printCell(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const text = String(cell)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
