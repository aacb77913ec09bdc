import type { SampleBody } from '#api/imports.ts'
import { readImport } from '#server/transfer/imports/show-import.ts'
import type { SampleDeps } from './sample-deps.ts'
import { findSample } from './store.ts'

export async function readSample(needs: SampleDeps): Promise<SampleBody> {
  const sample = await findSample(needs.database.read)
  if (!sample) return { state: 'none', recordsStored: 0, recordsInAll: 0, failure: null }
  const { state, recordsInAll, failure } = sample
  if (state !== 'running') return { state, recordsStored: state === 'done' ? recordsInAll : 0, recordsInAll, failure }

  const reader = { type: 'system', reason: 'sample progress' } as const
  const imports = await Promise.all(sample.imports.map((id) => readImport(needs, reader, id)))
  const recordsStored = imports.reduce((sum, { progress }) => sum + progress.rowsStored, 0)
  return { state, recordsStored, recordsInAll, failure }
}
