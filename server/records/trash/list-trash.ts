import type { z } from 'zod'
import type { listTrash as endpoint, TrashedRecord } from '#api/trash.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { textOf } from '#domain/query/list/search-marks.ts'
import { DEFAULT_FORM } from '#domain/records/named-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { definitionsSince } from '#server/records/changes/definition-store.ts'
import { expiryOf, readTrashDays, trashCutoff } from '#server/records/changes/retention.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import {
  definitionOf,
  type PastRecord,
  readableByValues,
  unchangedPart,
  wasCovered,
} from '#server/records/history/past-access.ts'
import { peopleById } from '#server/records/show/linked-names.ts'
import { showRecords } from '#server/records/show/show-records.ts'
import { findDeletions, type StoredDeletion } from './trash-store.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Entries read per step, and at most for one page; the next page continues where this one stopped. */
const ENTRIES_PER_STEP = 200
const MAX_ENTRIES_READ = 2000

/** Lists deleted records that the actor could read as they were. */
export async function listTrash(
  deps: RecordDeps,
  actor: Actor,
  { collection: name, search = '', before, perPage }: Query,
): Promise<{ items: TrashedRecord[]; next: string | null }> {
  const definitions = await deps.definitions.current()
  const db = deps.database.read
  const collection =
    name === undefined ? undefined : getCollection(definitions, actor, 'records:read', name).collection.id
  const since = await trashCutoff(db, deps.clock())
  const days = await readTrashDays(db)
  const words = foldText(search).split(/\s+/).filter(Boolean)
  const items: TrashedRecord[] = []
  let last = before
  for (let read = 0; read < MAX_ENTRIES_READ; read += ENTRIES_PER_STEP) {
    const found = await findDeletions(db, { collection, before: last, since, limit: ENTRIES_PER_STEP })
    for (const shown of await showDeletions(deps, { actor, definitions, days }, found)) {
      if (words.every((word) => textIn(shown.record).includes(word))) items.push(shown)
      last = shown.entry
      if (items.length === perPage) return { items, next: last }
    }
    last = found.at(-1)?.entry ?? last
    if (found.length < ENTRIES_PER_STEP) return { items, next: null }
  }
  return { items, next: last ?? null }
}

const textIn = ({ values }: RecordBody): string => foldText(Object.values(values).map(wordsOf).join('\n'))

/** Text, numbers, and the names of options, files, users and linked records. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(' ')
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && value !== null && ('title' in value || 'name' in value))
    return String('title' in value ? value.title : 'name' in value ? value.name : '')
  return textOf(value)
}

type Viewer = { readonly actor: Actor; readonly definitions: Definitions; readonly days: number }

type Shown = TrashedRecord & { readonly entry: string }

async function showDeletions(deps: RecordDeps, viewer: Viewer, found: readonly StoredDeletion[]): Promise<Shown[]> {
  const people = await peopleById(deps, [...new Set(found.flatMap(({ deletedBy }) => deletedBy ?? []))])
  const shown = new Map<string, Shown>()
  for (const [id, own] of Map.groupBy(found, ({ collection }) => collection)) {
    for (const one of await showDeletionsIn(deps, viewer, id, own)) shown.set(one.deletion.record, withPerson(one))
  }
  return found.flatMap(({ record }) => shown.get(record) ?? [])

  function withPerson({ deletion, record }: ShownDeletion): Shown {
    const { collection, entry, deletedAt, deletedBy } = deletion
    const person = deletedBy === null ? null : (people.get(deletedBy) ?? { id: deletedBy })
    return { entry, collection, record, deletedAt, deletedBy: person, expiresAt: expiryOf(deletedAt, viewer.days) }
  }
}

type ShownDeletion = { readonly deletion: StoredDeletion; readonly record: RecordBody }

async function showDeletionsIn(
  deps: RecordDeps,
  { actor, definitions }: Viewer,
  id: CollectionId,
  deletions: readonly StoredDeletion[],
): Promise<ShownDeletion[]> {
  const collection = definitions.byId.get(id)
  const decision = decide(actor, 'records:read', collection)
  if (!collection || !decision.allowed) return []
  const queryActor = { actor, definitions, now: deps.clock() }
  const former = await definitionsSince(deps.database.read, id, deletions.at(-1)?.entry ?? '')
  const shown: ShownDeletion[] = []
  for (const [then, own] of Map.groupBy(deletions, ({ entry }) => definitionOf(former, entry))) {
    const part = unchangedPart(collection, then)
    const seen = own
      .filter((deletion) => wasCovered(queryActor, part, decision, pastOf(deletion)))
      .map((deletion) => {
        const isReadable = readableByValues(queryActor, part, decision, pastOf(deletion))
        return { deletion, fields: part.fields.filter((field) => isReadable(field.id)) }
      })
    const records = seen.map(({ deletion, fields }) => {
      const record = recordOf(deletion)
      return { ...record, values: pick(record.values, new Set(fields.map((field) => field.id))) }
    })
    // Which fields may be shown has been decided, so the conditions aren't evaluated again.
    const { hiddenFields } = decision
    const viewer = { actor, collection: part, decision: { allowed: true, hiddenFields } as const }
    const showing = { form: DEFAULT_FORM, expand: 'all', fields: 'all' } as const
    for (const [at, record] of (await showRecords(deps, viewer, records, showing)).entries()) {
      const { deletion, fields = [] } = seen[at] ?? {}
      const values = pick(record.values, new Set(fields.map((field) => field.name)))
      if (deletion) shown.push({ deletion, record: { ...record, values } })
    }
  }
  return shown
}

const pick = <Value>(
  values: { readonly [name: string]: Value },
  names: ReadonlySet<string>,
): { readonly [name: string]: Value } => Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))

const recordOf = ({ record: id, collection, values, meta }: StoredDeletion): CollectionRecord => ({
  id,
  collection,
  version: meta.version,
  createdAt: meta.createdAt,
  createdBy: meta.createdBy,
  updatedAt: meta.updatedAt,
  updatedBy: meta.updatedBy,
  values,
})

export const pastOf = (deletion: StoredDeletion): PastRecord => ({ record: recordOf(deletion), at: deletion.deletedAt })
