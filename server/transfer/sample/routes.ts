import * as api from '#api/imports.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { SampleLoader } from './sample-loader.ts'
import type { ImportRouteDeps } from '#server/transfer/routes.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'
import type { SampleBody } from '#api/imports.ts'
import { readImport } from '#server/transfer/imports/show-import.ts'
import { findSample, saveSample } from './store.ts'
import type { Actor } from '#domain/access/actor.ts'
import { deleteCollection } from '#server/schema/collections/change-collection.ts'
import { cancelImport } from '#server/transfer/imports/cancel-import.ts'

/** Story: how far the sample workspace is. */
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

/** What the sample is built with: imports for its records, uploads for its pictures. */
export type SampleDeps = ImportRouteDeps & UploadDeps

/** The HTTP door of the sample workspace. */
export const sampleRoutes = (needs: SampleDeps, keeper: SampleLoader): readonly Route[] => [
  route(api.loadSample, canByHand('collections:manage'), async ({ actor, query }) =>
    keeper.begin(actor, query.language),
  ),
  route(api.readSample, can('collections:manage'), async () => readSample(needs)),
]

const REMOVER: Actor = { type: 'system', reason: 'sample import was not finished' }

/** Removes everything a sample made that was not finished. It may be told again from the start at any point. */
export async function removeSample(needs: SampleDeps, { message }: { readonly message: string }): Promise<void> {
  const sample = await findSample(needs.database.read)
  if (sample?.state !== 'running') return
  for (const id of sample.imports) await endImport(needs, id)
  // Those that point stand behind those they point at.
  for (const id of sample.collections.toReversed()) {
    const { byId } = await needs.definitions.current()
    if (byId.has(id)) await deleteCollection(needs, REMOVER, id)
  }
  await needs.database.write((transaction) => saveSample(transaction, { ...sample, state: 'failed', failure: message }))
}

async function endImport(needs: SampleDeps, id: string): Promise<void> {
  const { state } = await readImport(needs, REMOVER, id)
  if (state === 'ready' || state === 'failed') await cancelImport(needs, REMOVER, id)
  await needs.runs.get(id)?.over
}
