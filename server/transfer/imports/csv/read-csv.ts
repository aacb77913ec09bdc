import { createReadStream, type ReadStream } from 'node:fs'
import type { FileFormat } from '#domain/imports/csv-format.ts'
import { type CsvFault, csvSplitter } from '#domain/imports/split-csv.ts'
import { Problem } from '#domain/shared/problem.ts'
import { decodedText } from './decoded-text.ts'

/** Some hundred rows of usual length: few enough that they are gone again before the heap grows for them. */
const CHUNK_BYTES = 128 * 1024
const ROWS_PER_BATCH = 500

/** Some rows, and how many bytes of the file were read to get them. */
export type CsvRows = { readonly rows: readonly (readonly string[])[]; readonly bytesRead: number }

/** Reads a CSV in batches of at most 500 rows, the header among them. Throws a `Problem` where it is none. */
export async function* readCsv(file: string, form: FileFormat): AsyncGenerator<CsvRows> {
  const source: ReadStream = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const split = csvSplitter(form)
  for await (const { text, isLast } of decodedText(source, form.encoding)) {
    const { rows, fault } = split(text, isLast)
    for (let at = 0; at < rows.length; at += ROWS_PER_BATCH) {
      yield { rows: rows.slice(at, at + ROWS_PER_BATCH), bytesRead: source.bytesRead }
    }
    if (fault) throw new Problem('invalid-csv', `${describeCsvFault(fault)} Nothing was imported.`)
  }
}

function describeCsvFault({ code, line }: CsvFault): string {
  switch (code) {
    case 'mark-not-closed':
      return `A quoted cell in line ${line} is never closed. Close the quotation mark, or double it if it belongs to the text.`
    case 'text-behind-mark':
      return `Line ${line} has text after a closing quotation mark, or a quotation mark above is not closed. Double quotation marks inside quoted cells.`
    case 'mark-inside-cell':
      return `Line ${line} has a quotation mark in the middle of a cell. Put the whole cell in quotation marks and double those inside.`
    case 'row-too-long':
      return `The row in line ${line} is larger than 8 MB. A quotation mark there or above is probably not closed.`
  }
}
