/** Worker thread that reads whole CSV files, so that requests aren't blocked. */

import { parentPort, workerData } from 'node:worker_threads'
import { unreachable } from '#domain/shared/result.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { CsvReply, CsvResults, CsvTask, ErrorFileTask, OptionsTask, ReadTask } from './csv-tasks.ts'
import { inspectCsv } from './inspect-csv.ts'
import { rowsToCells } from './rows-to-cells.ts'
import { entryReader } from '#domain/imports/row-to-values.ts'
import { detachString } from '#domain/shared/text.ts'
import { readCsv } from './read-csv.ts'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { looksTyped } from '#domain/imports/detect-kind.ts'
import { guardFormula, printCsvLine } from '#domain/imports/print-csv.ts'

/** Writes rejected rows with their cells, row number and errors. */
async function writeErrorFile(task: ErrorFileTask): Promise<void> {
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

/** Negative numbers start with a minus sign but aren't formulas. */
const guard = (cell: string): string => (looksTyped(cell) ? cell : guardFormula(cell))

const wordsFor = (errors: readonly RowError[]): string =>
  errors.map(({ column, message }) => (column === '' ? message : `${column}: ${message}`)).join(' ')

/** Same limits as in the API. */
const MAX_OPTIONS = 1000
const MAX_OPTION_LENGTH = 120

/** Distinct values in order of appearance; null if they can't become options. */
async function collectOptions({ file, form, columns }: OptionsTask): Promise<CsvResults['choices']> {
  const readers = columns.map((column) => entryReader(column, column.field))
  const found: (Set<string> | null)[] = columns.map(() => new Set())
  let isHeader = form.hasHeader
  for await (const { rows } of readCsv(file, form)) {
    for (const row of isHeader ? rows.slice(1) : rows) {
      for (const [index, { at }] of columns.entries()) {
        const names = readers[index]?.(row[at] ?? '') ?? []
        found[index] = names.reduce(withValue, found[index] ?? null)
      }
    }
    isHeader = false
  }
  return found.map((values) => values && [...values])
}

function withValue(values: Set<string> | null, cell: string): Set<string> | null {
  const text = cell.trim()
  if (text !== '' && values?.has(text) === false) values.add(detachString(text))
  return values && (values.size > MAX_OPTIONS || text.length > MAX_OPTION_LENGTH) ? null : values
}

/** Enough batches for two writes, one running and one queued. */
const MAX_BATCHES_AHEAD = 8

const send = (reply: CsvReply, moved: readonly ArrayBuffer[] = []): void => parentPort?.postMessage(reply, [...moved])

async function perform(task: CsvTask): Promise<unknown> {
  switch (task.type) {
    case 'look':
      return inspectCsv(task)
    case 'choices':
      return collectOptions(task)
    case 'refusals':
      await writeErrorFile(task)
      return null
    case 'read':
      await sendRows(task)
      return null
    default:
      return unreachable(task)
  }
}

/** Applies back-pressure: never more than `MAX_BATCHES_AHEAD` batches ahead. */
async function sendRows(task: ReadTask): Promise<void> {
  let ahead = 0
  let goOn: (() => void) | undefined
  parentPort?.on('message', () => {
    ahead -= 1
    goOn?.()
  })
  for await (const batch of rowsToCells(task)) {
    send({ type: 'batch', batch }, [batch.packed.buffer])
    ahead += 1
    if (ahead < MAX_BATCHES_AHEAD) continue
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
  }
}

// `runCsvTask` always passes a `CsvTask`.
perform(workerData as CsvTask).then(
  (answer) => send({ type: 'answer', answer }),
  (error: unknown) => {
    if (!(error instanceof Problem)) throw error
    send({ type: 'refused', detail: error.message })
  },
)
