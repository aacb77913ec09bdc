import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { printList } from '#domain/shared/list-text.ts'
import { printCsvLine } from '#domain/imports/print-csv.ts'
import {
  generateRecords,
  type GeneratedRecord,
  PEOPLE_COUNT,
  personNamed,
  expectedResultsCollector,
  type ExpectedResults,
} from './generated-records.ts'

/** Generated records as CSV files, with their expected counts. */
export type CsvFiles = {
  readonly people: string
  readonly items: string
  readonly more: string
  readonly truths: ExpectedResults
}

const HEADER = ['title', 'body', 'status', 'amount', 'made_at', 'due', 'done', 'owner', 'tags', 'remark']
const MAX_MORE = 200_000

const cellsOf = (made: GeneratedRecord): string[] => [
  made.title,
  made.body,
  made.status,
  String(made.amount),
  made.madeAt,
  made.due ?? '',
  String(made.isDone),
  personNamed(made.owner),
  printList(made.tags),
  made.remark,
]

/** Writes CSV files of people, of records, and of records for a second import. */
export async function writeCsvFiles(folder: string, size: number): Promise<CsvFiles> {
  const expected = expectedResultsCollector()
  const files = { people: join(folder, 'people.csv'), items: join(folder, 'items.csv'), more: join(folder, 'more.csv') }
  const names = Array.from({ length: PEOPLE_COUNT }, (_, at) => [personNamed(at)])
  await writeCsv(files.people, [['name'], ...names])
  await writeCsv(files.items, linesOf(size, 1, expected.note))
  await writeCsv(
    files.more,
    linesOf(Math.min(size, MAX_MORE), 2, () => undefined),
  )
  return { ...files, truths: expected.truths() }
}

function* linesOf(count: number, seed: number, note: (made: GeneratedRecord) => void): Generator<string[]> {
  yield HEADER
  for (const made of generateRecords(count, seed)) {
    note(made)
    yield cellsOf(made)
  }
}

const LINES_A_PIECE = 500

function* piecesOf(lines: Iterable<readonly string[]>): Generator<string> {
  let piece: string[] = []
  for (const cells of lines) {
    if (piece.push(printCsvLine(cells)) < LINES_A_PIECE) continue
    yield piece.join('')
    piece = []
  }
  yield piece.join('')
}

const writeCsv = (file: string, lines: Iterable<readonly string[]>): Promise<void> =>
  pipeline(Readable.from(piecesOf(lines)), createWriteStream(file))
