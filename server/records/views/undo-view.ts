import { setBackParts } from '#domain/collections/undone-definition.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { viewForReader } from '#domain/views/view-for-reader.ts'
import { decideViewRights, seesView } from '#domain/views/view-rights.ts'
import type { View } from '#domain/views/view.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { Event } from '#domain/shared/event.ts'
import { isSharedView, type LoggedView, viewChange } from './log-view.ts'
import {
  assertAllowed,
  assertViewCount,
  atWriting,
  NOT_SHARING,
  NOT_VIEW_OWNER,
  OUT_OF_SIGHT,
  siblingsOf,
  storeChangedView,
  whyNot,
} from './save-view.ts'
import type { ViewsContext } from './show-view.ts'
import { deleteView, findView, insertView } from './store.ts'

export type ViewToUndo = { readonly collection: CollectionId; readonly before: LoggedView; readonly after: LoggedView }

export type UndoneView = {
  readonly changes: readonly Change[]
  readonly events: readonly Event[]
  /** What stays as it is, because it was changed since. */
  readonly kept: readonly string[]
}

const CONTENT = ['query', 'display', 'layout', 'look', 'pageSize'] as const

/** Undoes a change of a shared view, with the permissions for the opposite change. */
export async function undoViewIn(writing: Writing, { collection, before, after }: ViewToUndo): Promise<UndoneView> {
  const view = [before, after].findLast(isSharedView)
  if (!view) return NOTHING
  const at = atWriting(writing, collection)
  const stored = await findView(writing.transaction.db, collection, view.id)
  const current = stored && seesView(at.actor, stored) ? stored : undefined
  if (before === null && !current) return keeping(`The view “${view.name}” was deleted since.`)
  if (before === null) return remove(writing, at, current ?? view)
  if (after === null) return stored ? NOTHING : insert(writing, at, view)
  if (!current) return keeping(`The view “${view.name}” was deleted since.`)
  return setBack(writing, at, { before, after, current })
}

const NOTHING: UndoneView = { changes: [], events: [], kept: [] }

const keeping = (message: string): UndoneView => ({ ...NOTHING, kept: [message] })

async function remove({ transaction }: Writing, at: ViewsContext, view: View): Promise<UndoneView> {
  assertAllowed(decideViewRights(at.actor, at.collection, view).mayChange, whyNot(view))
  await deleteView(transaction, view.id)
  return { ...viewChange(view, null), kept: [] }
}

async function insert(writing: Writing, at: ViewsContext, view: View): Promise<UndoneView> {
  assertAllowed(decideViewRights(at.actor, at.collection, view).mayChange, whyNot(view))
  const restored = { ...view, version: view.version + 1 }
  const siblings = await siblingsOf(writing.transaction.db, restored)
  assertViewCount(restored, siblings)
  await insertView(writing.transaction, restored, siblings.length, writing.at)
  return { ...viewChange(null, restored), kept: [] }
}

type Changed = {
  readonly before: NonNullable<LoggedView>
  readonly after: NonNullable<LoggedView>
  readonly current: View
}

async function setBack(writing: Writing, at: ViewsContext, { before, after, current }: Changed): Promise<UndoneView> {
  const isWhole = isSharedView(before) && isSharedView(after)
  const { value, isKept } = isWhole
    ? setBackParts({ current, before, after }, ['name', 'isLocked', ...CONTENT])
    : setBackParts<Partial<View>, 'isShared'>({ current, before, after }, ['isShared'])
  const kept = isKept ? [`The view “${current.name}” was changed since.`] : []
  if (Object.keys(value).length === 0) return { ...NOTHING, kept }
  const next: View = { ...current, ...value, version: current.version + 1 }
  assertMaySetBack(at, current, next)
  await storeChangedView(writing, current, next)
  return { ...viewChange(current, next), kept }
}

function assertMaySetBack({ actor, collection, maker }: ViewsContext, current: View, next: View): void {
  const rights = decideViewRights(actor, collection, current)
  if (next.isShared !== current.isShared) {
    assertAllowed(next.isShared ? rights.mayShare : rights.mayLock, next.isShared ? NOT_SHARING : NOT_VIEW_OWNER)
    return
  }
  assertAllowed(rights.mayChange, whyNot(current))
  assertAllowed(next.isLocked === current.isLocked || rights.mayLock, NOT_VIEW_OWNER)
  const areWhole = [current, next].every((view) => viewForReader(view, maker).isWhole)
  assertAllowed(areWhole, OUT_OF_SIGHT)
}
