import type { Actor } from '#domain/access/actor.ts'
import { deleteCollection } from '#server/schema/collections/change-collection.ts'
import { cancelImport } from '#server/transfer/imports/cancel-import.ts'
import { readImport } from '#server/transfer/imports/show-import.ts'
import type { SampleDeps } from './sample-deps.ts'
import { findSample, saveSample } from './store.ts'

const REMOVER: Actor = { type: 'system', reason: 'sample import was not finished' }

/** Removes an unfinished sample. Can be repeated from the start. */
export async function removeSample(needs: SampleDeps, { message }: { readonly message: string }): Promise<void> {
  const sample = await findSample(needs.database.read)
  if (sample?.state !== 'running') return
  for (const id of sample.imports) await endImport(needs, id)
  // Linking collections come after their targets, so they are deleted first.
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
