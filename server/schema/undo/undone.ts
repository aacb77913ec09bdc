import type { UndoneDefinition } from '#api/activity.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { definitionChanges } from '#domain/collections/definition-changes.ts'
import type { Event } from '#domain/shared/event.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { SkippedByReason } from '#domain/shared/problem.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { WriteResult } from '#server/records/changes/commit-change.ts'

export type UndoneReport = {
  /** The number of records whose value was set back. */
  readonly changed: number
  readonly kept: readonly SkippedByReason[]
  readonly lost: readonly SkippedByReason[]
}

/** Collects what the steps of undoing did. */
export function createUndone() {
  const changes: Change[] = []
  const events: Event[] = []
  const kept: SkippedByReason[] = []
  const lost: SkippedByReason[] = []
  let changed = 0
  return {
    add: (done: Pick<WriteResult<unknown>, 'changes' | 'events'>): void => {
      changes.push(...done.changes)
      events.push(...done.events)
    },
    keep: (message: string, records: readonly RecordId[] = []): void => void kept.push({ message, records }),
    lose: (message: string, records: readonly RecordId[]): void => void lost.push({ message, records }),
    setBack: (count: number): void => {
      changed += count
    },
    all: () => ({ changes, events, report: { changed, kept, lost } }),
  }
}

export type Undone = ReturnType<typeof createUndone>

export const NOTHING = { restored: 0, changed: 0, deleted: 0 } as const

/** What differs between the definitions of a collection before and after it was undone. */
export function collectionPart(was: Collection | undefined, is: Collection | undefined): UndoneDefinition[] {
  if (!was) return is ? [{ kind: 'collection-restored', label: is.label }] : []
  if (!is) return [{ kind: 'collection-deleted', label: was.label }]
  const changes = [...definitionChanges(was, is)]
  return changes.length === 0 ? [] : [{ kind: 'collection-changed', label: was.label, changes }]
}
