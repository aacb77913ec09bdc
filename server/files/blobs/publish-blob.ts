import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '#domain/shared/problem.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { claimBlob, confirmBlob } from './blob-store.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

/** A local file that becomes a blob. */
export type NewBlob = { readonly path: string; readonly hash: string; readonly bytes: number }

/** Retries while the blob is being removed. */
const MAX_CLAIM_ATTEMPTS = 20
const CLAIM_RETRY_MS = 250

/** Attempts to publish a blob whose claim expired before its bytes were stored. */
const MAX_PUBLISH_ATTEMPTS = 3

/**
 * Publishes a blob and links it in one write. The row is authoritative for all processes: it is claimed before the
 * bytes are stored and confirmed with their link, so a cleanup either sees that the blob is needed or has removed it
 * before anything relied on it.
 */
export async function publishBlob(
  deps: Pick<UploadDeps, 'blobs' | 'blobTurns' | 'clock' | 'database'>,
  { path, hash, bytes }: NewBlob,
  sayWhatFor: (transaction: Transaction, now: Date) => Promise<void>,
): Promise<void> {
  const claim = (): Promise<boolean> =>
    deps.database.write((transaction) => claimBlob(transaction, { hash, bytes, at: deps.clock().toISOString() }))

  const keep = (): Promise<boolean> =>
    deps.database.write(async (transaction) => {
      const now = deps.clock()
      const isKept = await confirmBlob(transaction, hash, now.toISOString())
      if (isKept) await sayWhatFor(transaction, now)
      return isKept
    })

  await deps.blobTurns.take(hash, async () => {
    for (let tries = 0; tries < MAX_PUBLISH_ATTEMPTS; tries += 1) {
      await claimWithRetry(claim)
      await deps.blobs.publish(path, hash)
      if (await keep()) return
    }
    throw beingRemoved()
  })
}

async function claimWithRetry(claim: () => Promise<boolean>): Promise<void> {
  for (let asked = 0; asked < MAX_CLAIM_ATTEMPTS; asked += 1) {
    if (await claim()) return
    await pause(CLAIM_RETRY_MS)
  }
  throw beingRemoved()
}

const beingRemoved = (): Problem =>
  new Problem('storage-away', 'An old copy of this file is being deleted. Try again in a moment.', {
    retryAfterSeconds: 60,
  })
