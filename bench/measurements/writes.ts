import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { write, writeByMany } from '../report/budgets.ts'
import { STATUSES } from '../setup/generated-records.ts'
import { type Bench, measureQuestions, type Part, type Question } from '../measure.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { RECORDS } from '../client/requests.ts'

const FSYNCS = 200
const VARIANTS = 500

/** Median time in ms to fsync a 4 kB page on this disk. */
function fsyncMsIn(folder: string): number {
  const file = join(folder, 'fsync-trial')
  const descriptor = openSync(file, 'w')
  const page = Buffer.alloc(4096, 1)
  const took = Array.from({ length: FSYNCS }, () => {
    writeSync(descriptor, page)
    const startedAt = performance.now()
    fsyncSync(descriptor)
    return performance.now() - startedAt
  })
  closeSync(descriptor)
  rmSync(file)
  return took.toSorted((left, right) => left - right)[FSYNCS / 2] ?? 0
}

const newValues = (at: number) => ({
  title: `A record made while measuring, number ${at}`,
  body: 'Written down by one of many clients, in words that fill about as much room as those of the others do. '.repeat(
    2,
  ),
  status: STATUSES[at % (STATUSES.length - 1)],
  amount: 11_000 + at / 4,
  made_at: '2026-11-20T08:00:00.000Z',
  due: '2026-12-01',
  done: at % 2 === 0,
})

/** Creates a record as the restricted user. */
export const newRecord = (at: number): RawRequest => ({
  method: 'POST',
  path: RECORDS,
  body: { values: newValues(at) },
})

const changedValues = (at: number) => ({
  title: `A record changed while measuring, number ${at}`,
  amount: 11_000 + at / 4,
})

const variants = <Variant>(make: (at: number) => Variant): Variant[] =>
  Array.from({ length: VARIANTS }, (_, at) => make(at))

const CREATE: Omit<Question, 'budget'> = {
  ours: () => variants(newRecord),
  bare: () =>
    variants((at) => ({
      method: 'POST',
      path: '/create',
      body: { ...newValues(at), done: at % 2, owner: '', tags: '[]', remark: '' },
    })),
  status: 201,
}

/** Added to the owner's values so that they differ from the restricted user's. */
const OWNERS = 1_000_000

/** Updates of these records, each of them twice. */
export const updates = (ids: readonly string[], from = 0): RawRequest[] =>
  [...ids, ...ids].map((id, at) => ({
    method: 'PATCH',
    path: `${RECORDS}/${id}`,
    body: { values: changedValues(at + from) },
  }))

const UPDATE: Omit<Question, 'budget'> = {
  // Values differ per user, because unchanged values are not written.
  ours: ({ stage, column }) => updates(stage.someRecords, column.endsWith('-owner') ? OWNERS : 0),
  bare: ({ truth }) =>
    variants((at) => ({
      method: 'PATCH',
      path: '/update',
      body: { ...changedValues(at), id: 1 + Math.floor((truth.records * at) / VARIANTS) },
    })),
}

function measureWriting(bench: Bench, what: string, question: Omit<Question, 'budget'>) {
  const fsyncMs = Math.max(0, ...bench.stages.slice(0, 1).map((stage) => fsyncMsIn(stage.server().dataFolder)))
  const alone = write(what, fsyncMs)
  return measureQuestions(bench, { ...question, budget: alone }, [alone, writeByMany(what)])
}

export const createPart: Part = { name: 'create', run: (bench) => measureWriting(bench, 'Create', CREATE) }

/** Changes two fields in records spread across the collection. */
export const updatePart: Part = { name: 'update', run: (bench) => measureWriting(bench, 'Update', UPDATE) }
