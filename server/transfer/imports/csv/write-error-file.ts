import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { looksTyped } from '#domain/imports/detect-kind.ts'
import { guardFormula, printCsvLine } from '#domain/imports/print-csv.ts'
import type { ErrorFileTask, RowError } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'

/** Writes the refused rows into a file of their own: their cells as they were, their number, and what is wrong. */
export async function writeErrorFile(task: ErrorFileTask): Promise<void> {
  await pipeline(Readable.from(linesOf(task)), createWriteStream(task.into))
}

async function* linesOf({ file, form, errors }: ErrorFileTask): AsyncGenerator<string> {
  const reasons = Map.groupBy(errors, (error) => error.row)
  let number = form.hasHeader ? -1 : 0
  let width = 0
  for await (const { rows } of readCsv(file, form)) {
    for (const cells of rows) {
      number += 1
      width ||= cells.length
      const reason = reasons.get(number)
      if (number === 0) yield printCsvLine([...cells, 'Row', 'Error'])
      else if (reason) yield printCsvLine([...padCells(cells, width).map(guard), String(number), wordsFor(reason)])
      reasons.delete(number)
    }
    if (reasons.size === 0) return
  }
}

const padCells = (cells: readonly string[], width: number): string[] => [
  ...cells,
  ...Array.from({ length: Math.max(0, width - cells.length) }, () => ''),
]

/** A number below zero is no formula, and must stay a number. */
const guard = (cell: string): string => (looksTyped(cell) ? cell : guardFormula(cell))

const wordsFor = (errors: readonly RowError[]): string =>
  errors.map(({ column, message }) => (column === '' ? message : `${column}: ${message}`)).join(' ')
