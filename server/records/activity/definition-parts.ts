import { type ActivityPart, DASHBOARD_KINDS } from '#api/activity.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide, hasPermissionEverywhere } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { definitionChanges } from '#domain/collections/definition-changes.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import {
  type DefinitionKind,
  type LoggedDefinition,
  definitionEntries,
} from '#server/records/changes/definition-log.ts'
import { dashboardsIn, isSharedDashboard } from '#server/records/dashboards/log-dashboard.ts'
import { visibleChanges } from '#server/records/dashboards/show-dashboard.ts'
import { isSharedView, type LoggedView } from '#server/records/views/log-view.ts'
import { isOfDefinition, type PartsBySet, type SetEntry, type StoredSet } from './activity-store.ts'

/** Changes of definitions shown per change set. */
export const MAX_DEFINITIONS = 20

type DefinitionReader = { readonly actor: Actor; readonly definitions: Definitions }

const OF_DASHBOARDS: ReadonlySet<string> = new Set(DASHBOARD_KINDS)

export const isOfDashboard = ({ kind }: Pick<SetEntry, 'kind'>): boolean => OF_DASHBOARDS.has(kind)

/** Whether the actor can see changes of all definitions, including those of deleted collections. */
export const seesAllDefinitions = ({ actor }: Pick<DefinitionReader, 'actor'>): boolean =>
  hasPermissionEverywhere(actor, 'collections:manage')

/**
 * Definitions are shown to those who can manage them; changes of shared views also to those who made them. Changes of
 * dashboards are checked with their logged states.
 */
function maySee(
  { actor, definitions }: DefinitionReader,
  { userId }: Pick<StoredSet, 'userId'>,
  { kind, collection: id }: Pick<SetEntry, 'kind' | 'collection'>,
): boolean {
  if (isOfDashboard({ kind })) return true
  const collection = definitions.byId.get(id)
  if (!collection) return seesAllDefinitions({ actor })
  if (decide(actor, 'collections:manage', collection).allowed) return true
  const isOwn = userId !== null && userId === userIdOf(actor)
  return isOwn && kind.startsWith('view-') && decide(actor, 'records:read', collection).allowed
}

export type ShownDefinition = { readonly set: StoredSet; readonly body: ActivityPart }

/** What change sets did to definitions, as far as the actor can see it. */
export async function definitionParts(
  db: Reader,
  reader: DefinitionReader,
  sets: PartsBySet,
): Promise<readonly ShownDefinition[]> {
  const seen = [...sets].map(([set, parts]) => {
    const entries = parts.flatMap((part) => part.entries)
    const seenEntries = entries.filter((entry) => isOfDefinition(entry) && maySee(reader, set, entry))
    return { set, ids: seenEntries.slice(0, MAX_DEFINITIONS) }
  })
  const stored = await definitionEntries(
    db,
    seen.flatMap(({ ids }) => ids.map(({ id }) => id)),
  )
  const ofDashboards = [...stored.values()].filter(isOfDashboard)
  const visible = await visibleChanges(db, reader, ofDashboards)
  return seen.flatMap(({ set, ids }) => {
    const logged = ids
      .flatMap(({ id }) => stored.get(id) ?? [])
      .filter((entry) => !isOfDashboard(entry) || visible.has(entry))
    return merged(logged).flatMap((entry) => {
      const body = bodyOf(reader.definitions, entry)
      return body ? [{ set, body }] : []
    })
  })
}

/** Several changes of one collection count as one; none if it was created or deleted as well. */
function merged(entries: readonly LoggedDefinition[]): readonly LoggedDefinition[] {
  const changed = Map.groupBy(
    entries.filter(({ kind }) => kind === 'collection-changed'),
    ({ collection }) => collection,
  )
  const whole = new Set(
    entries.flatMap(({ kind, collection }) =>
      kind === 'collection-created' || kind === 'collection-deleted' ? collection : [],
    ),
  )
  return entries.flatMap((entry) => {
    const { kind, collection } = entry
    if (kind !== 'collection-changed') return [entry]
    const all = changed.get(collection) ?? []
    const isFirst = all[0] === entry
    return isFirst && !whole.has(collection) ? [{ ...entry, after: all.at(-1)?.after ?? entry.after }] : []
  })
}

function bodyOf({ byId }: Definitions, entry: LoggedDefinition): ActivityPart | undefined {
  const { kind, collection: id } = entry
  const base = { kind, collection: id, count: null, fields: [], record: null }
  if (isViewEntry(kind)) {
    const view = viewsOf(entry).findLast(isSharedView)
    const label = byId.get(id)?.label
    return label === undefined || !view ? undefined : { ...base, label, view: view.name }
  }
  if (isOfDashboard(entry)) {
    const dashboard = dashboardsIn(entry).findLast(isSharedDashboard)
    return dashboard && { ...base, label: '', dashboard: dashboard.name }
  }
  const [was, is] = collectionsOf(entry)
  const label = (is ?? was)?.label ?? ''
  const changes = was && is ? [...definitionChanges(was, is)] : undefined
  // For example a change that was changed back in the same change set.
  if (changes?.length === 0) return undefined
  return { ...base, label, ...(changes && { changes }) }
}

export const isViewEntry = (kind: DefinitionKind): boolean => kind.startsWith('view-')

/** Entries contain full definitions. */
export const collectionsOf = ({ before, after }: LoggedDefinition): readonly [Collection | null, Collection | null] => [
  before as unknown as Collection | null,
  after as unknown as Collection | null,
]

export const viewsOf = ({ before, after }: LoggedDefinition): readonly [LoggedView, LoggedView] => [
  before as unknown as LoggedView,
  after as unknown as LoggedView,
]
