import { readRecord, type RecordBody, updateRecord } from '#api/records.ts'
import { call } from '../call.ts'
import { asCallFailed, CallFailed } from '../call-failed.ts'
import type { UploadTarget } from './upload-job.ts'

/** What a record is now, after files were put into a field of it, and what that field held before. */
export type Attached = {
  readonly record: RecordBody
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Whoever writes the same record all the time wins after so many rounds. */
const MOST_ROUNDS = 5

const idsIn = (record: RecordBody, field: string): readonly string[] => {
  const value = record.values[field]
  // What one may not read cannot be added to: it would be overwritten.
  if (value === undefined) throw new CallFailed('forbidden', 'This field is not open to you in this record.')
  return Array.isArray(value) ? value.map(String) : []
}

/**
 * Puts files at the end of a field of a record, whatever else is written in it meanwhile. Done twice it does nothing
 * more, so that it can be repeated when an answer was lost. `at` is the place of the first in the field; at its end where
 * none is said.
 */
export async function attachFiles(
  target: Required<UploadTarget>,
  ids: readonly string[],
  at?: number,
): Promise<Attached> {
  const { collection, field, record: id } = target
  const params = { collection, record: id }
  for (let rounds = 1; ; rounds += 1) {
    const record = await call(readRecord, { params, query: {} })
    const before = idsIn(record, field)
    const missing = ids.filter((each) => !before.includes(each))
    if (missing.length === 0) return { record, before, after: before }
    const after = before.toSpliced(at ?? before.length, 0, ...missing)
    const written = await call(updateRecord, {
      params,
      body: { values: { [field]: [...after] }, version: record.version },
    }).then(
      (stored) => ({ stored }),
      (error: unknown) => ({ error }),
    )
    if ('stored' in written) return { record: written.stored, before, after }
    if (asCallFailed(written.error)?.code !== 'version-conflict' || rounds === MOST_ROUNDS) throw written.error
  }
}
