import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** A CSV row by column name; an unknown name is undefined. */
export type CsvLine = Readonly<Record<string, string | undefined>>

/** The unmodified rows of a CSV file. */
export function readCsv(file: string | URL): CsvLine[] {
  // Without type parameters, csv-parse returns unknown values; with `columns` they are objects of strings.
  return parse(readFileSync(file, 'utf8'), { columns: true }) as CsvLine[]
}

/** Writes rows below a header as defined in RFC 4180: CRLF, and quotes only if needed. */
export function writeCsv(file: string | URL, header: readonly string[], lines: readonly (readonly Cell[])[]): void {
  writeFileSync(file, [header, ...lines].map((line) => `${line.map(printCell).join(',')}\r\n`).join(''))
}

/** The values of a row; booleans are written in human-readable form. */
type Cell = string | number | boolean

function printCell(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const text = String(cell)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
