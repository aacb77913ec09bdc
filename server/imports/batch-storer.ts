import { Problem } from '#domain/shared/problem.ts'
import type { Transaction } from '#server/database/database.ts'
import { together } from '#server/database/together.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import type { ImportNeeds } from './import-needs.ts'
import { linker } from './link-rows.ts'
import { layoutOf } from './row-layout.ts'
import type { StartedImport } from './started-import.ts'
import { refuseStranger } from './still-mine.ts'
import { storeSeen } from './store-seen.ts'
import { type Stored, storeUnseen } from './store-unseen.ts'
import type { ImportCounts } from './stored-import.ts'

/** What became of a batch: how far the import is, and which rows were refused. */
export type StoredBatch = { readonly counts: ImportCounts; readonly refused: readonly RowError[] }

/** Stores the rows of one import, batch by batch. */
export type BatchStorer = {
  readonly store: (batch: RowBatch, before: ImportCounts) => Promise<StoredBatch>
}

/** Errors that are shown without the error file. */
const ERRORS_SHOWN = 100

/** Makes the storer of an import. Every batch is a short write of its own, so nobody waits long for it. */
export function batchStorer(needs: ImportNeeds, started: StartedImport): BatchStorer {
  const { item, plan } = started
  const layout = layoutOf(needs, started)
  const link = linker(needs, started.actor, layout.pointers)

  const store = async (batch: RowBatch, before: ImportCounts): Promise<StoredBatch> => {
    const linked = await link(batch)
    return needs.database.write(async (transaction) => {
      const allowed = together(
        refuseStranger(needs, transaction, item.id),
        refuseChanged(needs, transaction, plan.collection),
      )
      // Every way to the database and back keeps others waiting. PostgreSQL answers nothing once a statement has failed.
      if (transaction.dialect === 'postgres') await allowed
      const storing = { needs, transaction, started, layout }
      const storeRows = layout.seesCells ? storeSeen : storeUnseen
      const [, stored] = await together(allowed, storeRows(storing, batch, linked))
      const refused = [...batch.refused, ...stored.refused]
      return { counts: advanced(before, batch, { ...stored, refused }), refused }
    })
  }
  return { store }
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
