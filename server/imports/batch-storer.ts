import { Problem } from '#domain/shared/problem.ts'
import type { Transaction } from '#server/database/database.ts'
import { together } from '#server/database/together.ts'
import { type BatchLine, batchLine } from './batch-line.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import type { ImportNeeds } from './import-needs.ts'
import { type Linked, linker } from './link-rows.ts'
import { layoutOf } from './row-layout.ts'
import type { StartedImport } from './started-import.ts'
import { refuseStranger } from './still-mine.ts'
import { storeSeen } from './store-seen.ts'
import { type Stored, type Storing, storeUnseen } from './store-unseen.ts'
import { type ImportCounts, NO_COUNTS } from './stored-import.ts'

/** How far an import is after some batches, and which of their rows were refused. */
type StoredBatches = { readonly counts: ImportCounts; readonly refused: readonly RowError[] }

/** Errors that are shown without the error file. */
const ERRORS_SHOWN = 100

/** So many batches are written together at most, and for so long, in ms, nobody else writes meanwhile. */
const MOST_TOGETHER = 4
const LONGEST_WRITE_MS = 25

type Prepared = { readonly batch: RowBatch; readonly linked: Linked }

/** Stores the rows of an import as they are read. Every write is short, so nobody waits long for it. */
export function batchStorer(
  needs: ImportNeeds,
  started: StartedImport,
  whenStored: (stored: StoredBatches) => Promise<void>,
): BatchLine<RowBatch> {
  const layout = layoutOf(needs, started)
  const link = linker(needs, started.actor, layout.pointers)
  let counts = NO_COUNTS
  return batchLine<RowBatch, Prepared>({
    prepare: async (batch) => ({ batch, linked: await link(batch) }),
    handle: async (batches) => {
      const work = async (transaction: Transaction) => {
        const startedAtMs = performance.now()
        const parts = await storeAll({ needs, transaction, started, layout }, batches)
        return { stored: parts, tookMs: performance.now() - startedAtMs }
      }
      const { stored, tookMs } = await needs.database.write(work, { isLong: true })
      const refused = batches.flatMap(({ batch }, at) => {
        const errors = [...batch.refused, ...(stored[at]?.refused ?? [])]
        counts = advanced(counts, batch, { created: 0, updated: 0, ...stored[at], refused: errors })
        return errors
      })
      await whenStored({ counts, refused })
      return { tookMs }
    },
    most: MOST_TOGETHER,
    longestMs: LONGEST_WRITE_MS,
  })
}

async function storeAll(storing: Storing, batches: readonly Prepared[]): Promise<readonly Stored[]> {
  const { needs, transaction, started, layout } = storing
  const allowed = together(
    refuseStranger(needs, transaction, started.item.id),
    refuseChanged(needs, transaction, started.plan.collection),
  )
  if (!layout.seesCells && transaction.dialect === 'sqlite') {
    // Every way to the database and back keeps others waiting, so everything is asked at once.
    const stored = together(...batches.map(({ batch, linked }) => storeUnseen(storing, batch, linked)))
    return (await together(allowed, stored))[1]
  }
  // PostgreSQL answers nothing once a statement has failed, and who looks into rows must see those above.
  await allowed
  const stored: Stored[] = []
  const store = layout.seesCells ? storeSeen : storeUnseen
  for (const { batch, linked } of batches) stored.push(await store(storing, batch, linked))
  return stored
}

/** A definition that changes under an import would leave it with columns that mean something else. */
export async function refuseChanged(
  needs: ImportNeeds,
  transaction: Transaction,
  { id, label, version }: StartedImport['plan']['collection'],
): Promise<void> {
  const definitions = await needs.definitions.within(transaction)
  if (definitions.byId.get(id)?.version === version) return
  throw new Problem('import-failed', `${label} was changed while the import ran. Start it again.`)
}

/** How far the import is after a batch. */
function advanced(before: ImportCounts, batch: RowBatch, { created, updated, refused }: Stored): ImportCounts {
  const stored = created + updated
  const room = ERRORS_SHOWN - before.errors.length
  return {
    ...before,
    bytesRead: batch.bytesRead,
    rowsRead: batch.rowsRead,
    rowsStored: before.rowsStored + stored,
    rowsUpdated: before.rowsUpdated + updated,
    rowsRefused: before.rowsRefused + (batch.rowsRead - before.rowsRead - stored),
    errors: room > 0 && refused.length > 0 ? [...before.errors, ...refused.slice(0, room)] : before.errors,
  }
}
