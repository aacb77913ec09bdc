import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { type ChangeReader, seenChanges } from '#server/records/activity/seen-changes.ts'
import { lastWriteOf } from '#server/records/changes/deletion-log.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { importedRecords, type RecordChangeSet } from './change-set-store.ts'
import type { WriteToUndo } from './undo-plan.ts'

export const isOwnSet = (actor: Actor, { userId }: Pick<RecordChangeSet, 'userId'>): boolean =>
  userId !== null && userId === userIdOf(actor)

/** What is left to undo: the entries before one of them, then the imported records after one of them. */
export type UndoPlace = {
  readonly before: string | null
  readonly afterRow: RecordId | null
  readonly maxEntries?: number
  readonly maxRows: number
}

/** The last write of a change set that hasn't been undone; after all of them, records that it imported. */
export async function readWrite(
  deps: RecordDeps,
  actor: Actor,
  set: RecordChangeSet,
  { before, afterRow, maxEntries = Infinity, maxRows }: UndoPlace,
): Promise<Omit<WriteToUndo, 'records'>> {
  const db = deps.database.read
  const definitions = await deps.definitions.current()
  const entries = afterRow === null ? (await lastWriteOf(db, set.id, before)).slice(0, maxEntries) : []
  const isInRows = entries.length === 0 || set.firstAt === set.lastAt
  const hasRows = set.imported > 0 && isInRows && definitions.byId.has(set.collection)
  const rows = hasRows ? await importedRecords(db, set, { after: afterRow, limit: maxRows }) : []
  const imported = new Map<RecordId, CollectionId>(rows.map((record) => [record, set.collection]))
  return {
    entries,
    imported,
    isDeletion: set.isDeletion,
    isOwn: isOwnSet(actor, set),
    since: await trashCutoff(db, deps.clock()),
    seenIn: await seenIn(deps, { actor, definitions, histories: new Map() }, set, { entries, imported }),
  }
}

async function seenIn(
  deps: RecordDeps,
  reader: ChangeReader,
  { id: changeSet, isDeletion, userId }: RecordChangeSet,
  { entries, imported }: Pick<WriteToUndo, 'entries' | 'imported'>,
): Promise<WriteToUndo['seenIn']> {
  // The links that a deletion cleared are restored without access to the linking records.
  const examined = entries.filter(({ kind }) => !isDeletion || kind === 'record-deleted')
  if (isDeletion && isOwnSet(reader.actor, { userId })) return () => undefined
  const collectionOf = new Map(imported)
  for (const { record, collection } of examined)
    if (record !== null && collection !== null) collectionOf.set(record, collection)
  const seen = new Map<CollectionId, WriteToUndo['seenIn']>()
  for (const [id, own] of Map.groupBy(collectionOf, ([, collection]) => collection)) {
    const collection = reader.definitions.byId.get(id)
    const changed = own.map(([record]) => ({ changeSet, record }))
    const seenIn = collection && (await seenChanges(deps, reader, collection, { changed }))
    if (seenIn) seen.set(id, (record) => seenIn({ changeSet, record }))
  }
  return (record) => seen.get(collectionOf.get(record) ?? '')?.(record)
}

/** The records of a write, each once. */
export function recordsIn({ entries, imported, isDeletion }: Omit<WriteToUndo, 'records'>): readonly RecordId[] {
  const own = entries.flatMap(({ kind, record }) =>
    record === null || (isDeletion && kind !== 'record-deleted') ? [] : record,
  )
  return [...new Set([...own, ...imported.keys()])]
}
