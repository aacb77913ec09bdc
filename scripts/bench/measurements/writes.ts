import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { writeAlone, writeByMany } from '../budgets.ts'
import type { Line } from '../line.ts'
import { type Measurement, measureLine, RECORDS } from '../measure.ts'
import { STATUSES } from '../made-records.ts'
import type { RawRequest } from '../raw-client.ts'
import type { Stage } from '../stage.ts'

const FSYNCS = 200
const VARIANTS = 500

/** How long this disk takes to make a page of 4 kB safe, in ms; the median. */
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

function newRecord(at: number): RawRequest {
  const values = {
    title: `A record made while measuring, number ${at}`,
    body: 'Written down by one of many clients, in words that fill about as much room as those of the others do.',
    status: STATUSES[at % STATUSES.length],
    amount: 11_000 + at / 4,
    made_at: '2026-11-20T08:00:00.000Z',
    due: '2026-12-01',
    done: at % 2 === 0,
  }
  return { method: 'POST', path: RECORDS, body: { values } }
}

const changedRecord = (id: string, at: number): RawRequest => ({
  method: 'PATCH',
  path: `${RECORDS}/${id}`,
  body: { values: { title: `A record changed while measuring, number ${at}`, amount: 11_000 + at / 4 } },
})

type Writing = { readonly what: string; readonly requests: readonly RawRequest[]; readonly status: number }

async function measureWriting(stage: Stage, { what, requests, status }: Writing): Promise<Line[]> {
  const fsyncMs = fsyncMsIn(stage.server().dataFolder)
  return [
    await measureLine(stage, writeAlone(what, fsyncMs), { requests, status }),
    await measureLine(stage, writeByMany(what), { requests, status, connections: 16 }),
  ]
}

/** New records, one at a time and many at once. */
export const createMeasurement: Measurement = {
  name: 'create',
  run: (stage) => {
    const requests = Array.from({ length: VARIANTS }, (_, at) => newRecord(at))
    return measureWriting(stage, { what: 'create', requests, status: 201 })
  },
}

/** Changes of two fields in records all over the collection. */
export const updateMeasurement: Measurement = {
  name: 'update',
  run: (stage) => {
    // Two rounds with different values: a change that changes nothing would not be written.
    const ids = stage.filled.someRecords
    const requests = [...ids, ...ids].map(changedRecord)
    return measureWriting(stage, { what: 'update', requests, status: 200 })
  },
}
