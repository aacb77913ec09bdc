import type { z } from 'zod'
import * as api from '#api/indexes.ts'
import type { IndexBody, listIndexes as endpoint } from '#api/indexes.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import {
  idOfIndexedField,
  INDEX_MIN_RECORDS,
  type IndexedField,
  MAX_INDEXES,
} from '#domain/query/list/index-selection.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { IndexDeps } from './build-index.ts'
import { loadIndexes, sizesOf, type StoredIndex } from './store.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'

type Answer = z.input<(typeof endpoint)['response']>

export async function listIndexes(
  { database, definitions }: Pick<IndexDeps, 'database' | 'definitions'>,
  actor: Actor,
  nameOrId: string,
): Promise<Answer> {
  const { collection } = getCollection(await definitions.current(), actor, 'collections:manage', nameOrId)
  const stored = await loadIndexes(database.read, collection.id)
  const ready = stored.filter(({ state }) => state === 'ready').map(({ id }) => id)
  const sizes = await sizesOf(database.read, database.dialect, ready)
  return {
    items: stored.map((index) => showIndex(index, collection, sizes.get(index.id) ?? null)),
    fromRecords: INDEX_MIN_RECORDS,
    most: MAX_INDEXES,
  }
}

function showIndex(
  { id, state, spec, madeAt, usedAt }: StoredIndex,
  collection: Collection,
  bytes: number | null,
): IndexBody {
  const nameOf = (field: IndexedField): string => fieldById(collection, idOfIndexedField(field))?.name ?? field
  const { equal, grouped, range, order, covered } = spec
  return {
    id,
    state,
    finds: [...equal, ...(range === null ? [] : [range])].map(nameOf),
    sorts: order.map(({ field, isDescending }) => (isDescending ? '-' : '') + nameOf(field)),
    groups: grouped.map(nameOf),
    reads: covered.map(nameOf),
    since: madeAt,
    usedAt,
    bytes,
  }
}

export const indexRoutes = (deps: Pick<IndexDeps, 'database' | 'definitions'>): readonly Route[] => [
  route(api.listIndexes, can('collections:manage'), async ({ actor, params }) =>
    listIndexes(deps, actor, params.collection),
  ),
]
