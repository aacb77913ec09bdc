import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { type UndoStep, undoStepFor } from '#domain/records/undone-changes.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { LoggedChange } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { visibleRecords } from '#server/records/crud/visible-records.ts'
import { HISTORY_KINDS_OF } from '#server/records/history/history-store.ts'
import type { FieldFilter } from '#server/records/history/walk-history.ts'

/** What a change set did in one write. */
export type WriteToUndo = {
  /** Newest first. */
  readonly entries: readonly LoggedChange[]
  /** Records that an import created; they have no entries. */
  readonly imported: ReadonlyMap<RecordId, CollectionId>
  /** The records to undo. */
  readonly records: ReadonlySet<RecordId>
  /** Whether the change set only deleted records, and the links to them. */
  readonly isDeletion: boolean
  /** Whether the actor made the changes. */
  readonly isOwn: boolean
  /** The start of the time that is covered by the trash. */
  readonly since: string
  /** What the actor can read of the change to a record; undefined if nothing. */
  readonly seenIn: (record: RecordId) => FieldFilter | undefined
}

/** What is to be done in one collection. */
export type UndoPlan = {
  readonly collection: Collection
  /** Newest first. */
  readonly entries: readonly LoggedChange[]
  readonly steps: ReadonlyMap<RecordId, UndoStep>
}

export function plansOf({ definitions }: Writing, { entries, imported, records }: WriteToUndo): readonly UndoPlan[] {
  const chosen = entries.filter(({ record }) => record !== null && records.has(record))
  const ids = new Set([...chosen.flatMap(({ collection }) => collection ?? []), ...imported.values()])
  return [...ids].flatMap((id): UndoPlan[] => {
    const collection = definitions.byId.get(id)
    if (!collection) return []
    const own = chosen.filter((entry) => entry.collection === id)
    const steps = new Map<RecordId, UndoStep>()
    for (const [record, all] of Map.groupBy(own, (entry) => entry.record ?? '')) {
      const oldestFirst = all.toReversed().flatMap(({ kind, before, after }) => {
        const known = HISTORY_KINDS_OF[kind]
        return known === undefined ? [] : [{ kind: known, before: valuesOf(before), after: valuesOf(after) }]
      })
      steps.set(record, undoStepFor(oldestFirst))
    }
    for (const [record, into] of imported) {
      if (into === id && records.has(record)) steps.set(record, { does: 'delete', values: {} })
    }
    return [{ collection, entries: own, steps }]
  })
}

/** Entries contain values as JSON. */
const valuesOf = (json: LoggedChange['before']): RecordValues | null => json as RecordValues | null

export const recordsTo = ({ steps }: UndoPlan, does: UndoStep['does']): RecordId[] =>
  [...steps].flatMap(([record, step]) => (step.does === does ? record : []))

/** The decisions of all checkers about a permission; undefined if one of them doesn't have it. */
export function decisionsOf(
  checkers: readonly Actor[],
  permission: Permission,
  collection: Collection,
): readonly (AllowedDecision & { readonly actor: Actor })[] | undefined {
  const decisions = checkers.flatMap((actor) => {
    const decision = decide(actor, permission, collection)
    return decision.allowed ? [{ ...decision, actor }] : []
  })
  return decisions.length === checkers.length ? decisions : undefined
}

/** The records for which all checkers have a permission. */
export async function recordsPermitted(
  writing: Writing,
  checkers: readonly Actor[],
  { collection, permission }: { readonly collection: Collection; readonly permission: Permission },
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const decisions = decisionsOf(checkers, permission, collection)
  let permitted: ReadonlySet<RecordId> = new Set(decisions ? ids : [])
  for (const { actor, ...decision } of decisions ?? [])
    permitted = await visibleRecords({ ...writing, actor }, collection, decision, [...permitted])
  return permitted
}
