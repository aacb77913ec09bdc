import { moveRecordInView as endpoint, type RecordMove } from '#api/views.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { parseSort } from '#domain/query/list/sort.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type ManualOrder, viewOfManualOrder } from '#domain/views/manual-order.ts'
import { viewForReader } from '#domain/views/view-for-reader.ts'
import { decideViewRights, seesView } from '#domain/views/view-rights.ts'
import type { ViewId } from '#domain/views/view.ts'
import { toQueryProblem } from '#server/access/record-access/authorized-query.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { getAllVisible } from '#server/records/crud/visible-records.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { gapBeside, keyInGap } from './order-keys.ts'
import { assertAllowed, atWriting, getView, OUT_OF_SIGHT, savedViewRoutes, VIEWS_LOCK, whyNot } from './save-view.ts'
import { findView, hasOrderKeys, nearestOrderKey, orderKeyOf, storeOrderKey } from './store.ts'

/** The manual order that a list is sorted by, if its reader may use the view. */
export async function findManualOrder(
  { database }: Pick<RecordDeps, 'database'>,
  actor: Actor,
  collection: Collection,
  sort = '',
): Promise<ManualOrder | undefined> {
  const id = parseSort(sort)
    .map(({ path }) => viewOfManualOrder(path))
    .find((view) => view !== undefined)
  if (id === undefined) return undefined
  if (id === '') throw sortProblem('Specify the view of the manual order: `@manual:<view ID>`.')
  const view = await findView(database.read, collection.id, id)
  if (!view || !seesView(actor, view)) throw sortProblem('The view of this manual order no longer exists.')
  return { view: id, isEmpty: !(await hasOrderKeys(database.read, id)) }
}

const sortProblem = (message: string): Problem => toQueryProblem({ code: 'invalid-sort', path: 'sort', message })

/** Moves a record in the order of a view, which everyone who uses the view shares. */
function moveRecordInView(
  deps: RecordDeps,
  actor: Actor,
  { collection: nameOrId, view: id }: { readonly collection: string; readonly view: ViewId },
  { record, place, neighbor }: RecordMove,
): Promise<void> {
  return commitChange(
    deps,
    actor,
    async (writing) => {
      const { db } = writing.transaction
      const at = atWriting(writing, nameOrId)
      const { collection } = at
      const view = await getView(db, at, id)
      assertAllowed(decideViewRights(actor, collection, view).mayChange, whyNot(view))
      if (view.isShared) assertAllowed(viewForReader(view, at.maker).isWhole, OUT_OF_SIGHT)
      const reading = decide(actor, 'records:read', collection)
      if (!reading.allowed) throw new Problem('forbidden', whyNot(view))
      await getAllVisible(writing, collection, reading, [record, neighbor])
      if (record !== neighbor) {
        const key = await keyBeside(db, { view: id, record }, place, neighbor)
        await storeOrderKey(writing.transaction, { view: id, record, key })
      }
      // No event, because no cache contains the order.
      return { answer: undefined, changes: [], events: [] }
    },
    VIEWS_LOCK,
  )
}

async function keyBeside(
  db: Reader,
  moved: { readonly view: ViewId; readonly record: RecordId },
  place: RecordMove['place'],
  neighbor: RecordId,
): Promise<string> {
  const key = (await orderKeyOf(db, moved.view, neighbor)) ?? neighbor
  return keyInGap(place, key, await nearestOrderKey(db, moved, gapBeside(place, key)))
}

export const viewRoutes = (deps: RecordDeps): readonly Route[] => [
  ...savedViewRoutes(deps),
  route(endpoint, can('records:read'), async ({ actor, params, body }) => moveRecordInView(deps, actor, params, body)),
]
