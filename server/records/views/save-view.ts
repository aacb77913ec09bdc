import * as api from '#api/views.ts'
import type { ViewBody, ViewChange, ViewInput, ViewNameBody } from '#api/views.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { SLOW_QUERY_MS } from '#domain/query/list/index-selection.ts'
import type { CollectionId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  MAX_VIEW_LENGTH,
  type View,
  type ViewContent,
  type ViewId,
} from '#domain/views/view.ts'
import { type ViewRights, decideViewRights, maySaveViews, seesView } from '#domain/views/view-rights.ts'
import { keepHiddenLayout, viewForReader } from '#domain/views/view-for-reader.ts'
import { type Writing, commitChange } from '#server/records/changes/commit-change.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type CheckedContent, type ContentDraft, checkViewContent } from './check-view-content.ts'
import { viewChange } from './log-view.ts'
import { type ViewsContext, getViewsContext, showViews } from './show-view.ts'
import {
  clearDefaultForOthers,
  contentCell,
  deleteView,
  deleteViewsOf,
  findView,
  insertView,
  loadViewNames,
  loadViews,
  replaceView,
  storeDefaultView,
  storeViewOrder,
} from './store.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'

/** Views are saved one at a time, so that no two get the same position. */
export const VIEWS_LOCK = { alone: 'views' }

async function listViews(deps: RecordDeps, actor: Actor, nameOrId: string): Promise<ViewBody[]> {
  const { read } = deps.database
  const at = getViewsContext({ actor, definitions: await deps.definitions.current(), now: deps.clock() }, nameOrId)
  const views = await loadViews(read, at.collection.id, userIdOf(actor))
  return showViews(
    read,
    at,
    views.filter((view) => seesView(actor, view)),
  )
}

async function listViewNames(deps: RecordDeps, actor: Actor): Promise<ViewNameBody[]> {
  const { byId } = await deps.definitions.current()
  const views = await loadViewNames(deps.database.read, userIdOf(actor))
  return views.flatMap((view) => {
    const collection = byId.get(view.collection)
    const isVisible = collection && decide(actor, 'records:read', collection).allowed && seesView(actor, view)
    return isVisible ? [{ id: view.id, collection: view.collection, name: view.name }] : []
  })
}

async function createView(deps: RecordDeps, actor: Actor, nameOrId: string, input: ViewInput): Promise<ViewBody> {
  const saved = await commitChange(
    deps,
    actor,
    async (writing) => {
      const { at, view, content } = await createViewIn(writing, nameOrId, input)
      const body = await viewBody(writing, at, view)
      return { answer: { body, content }, ...viewChange(null, view) }
    },
    VIEWS_LOCK,
  )
  recordAsSlowQuery(deps, saved.content)
  return saved.body
}

export type CreatedView = {
  readonly at: ViewsContext
  readonly view: View
  readonly content: CheckedContent<ViewInput>
}

export async function createViewIn(writing: Writing, nameOrId: string, input: ViewInput): Promise<CreatedView> {
  const at = atWriting(writing, nameOrId)
  const owner = ownerOf(at)
  const { name, isShared, isLocked } = input
  const content = checkViewContent(at.maker, input)
  const view: View = {
    id: writing.newId(),
    collection: at.collection.id,
    owner,
    name,
    isShared,
    isLocked,
    version: 1,
    ...content.kept,
  }
  if (isShared) assertAllowed(decideViewRights(writing.actor, at.collection, view).mayShare, NOT_SHARING)
  assertViewSize(view)
  const siblings = await siblingsOf(writing.transaction.db, view)
  assertViewCount(view, siblings)
  await insertView(writing.transaction, view, siblings.length, writing.at)
  return { at, view, content }
}

export const setAsDefault = ({ transaction }: Writing, { owner, collection, id }: View): Promise<void> =>
  storeDefaultView(transaction, owner, collection, id)

async function changeView(
  deps: RecordDeps,
  actor: Actor,
  { collection: nameOrId, view: id }: { readonly collection: string; readonly view: ViewId },
  change: ViewChange,
): Promise<ViewBody> {
  const saved = await commitChange(
    deps,
    actor,
    async (writing) => {
      const at = atWriting(writing, nameOrId)
      ownerOf(at)
      const before = await getView(writing.transaction.db, at, id)
      if (change.version !== undefined && change.version !== before.version) {
        throw versionConflict(await viewBody(writing, at, before))
      }
      assertChangeAllowed(at, before, change)
      const { after, content } = changed(at, before, change)
      await storeChangedView(writing, before, after)
      await savePosition(writing, at, after, change)
      const body = await viewBody(writing, at, after)
      const isSaved = after !== before
      return { answer: { body, content }, ...(isSaved ? viewChange(before, after) : NOTHING_LOGGED) }
    },
    VIEWS_LOCK,
  )
  if (saved.content) recordAsSlowQuery(deps, saved.content)
  return saved.body
}

function removeView(
  deps: RecordDeps,
  actor: Actor,
  { collection: nameOrId, view: id }: { readonly collection: string; readonly view: ViewId },
): Promise<void> {
  return commitChange(
    deps,
    actor,
    async (writing) => {
      const at = atWriting(writing, nameOrId)
      ownerOf(at)
      const view = await getView(writing.transaction.db, at, id)
      assertAllowed(decideViewRights(actor, at.collection, view).mayChange, whyNot(view))
      await deleteView(writing.transaction, id)
      return { answer: undefined, ...viewChange(view, null) }
    },
    VIEWS_LOCK,
  )
}

const NOTHING_LOGGED = { changes: [], events: [] } as const

export const atWriting = ({ actor, definitions, at }: Writing, nameOrId: string): ViewsContext =>
  getViewsContext({ actor, definitions, now: new Date(at) }, nameOrId)

function ownerOf({ actor, collection }: ViewsContext): UserId {
  const user = userIdOf(actor)
  if (user === null || !maySaveViews(actor, collection)) {
    throw new Problem(
      'forbidden',
      'This token is read-only. To save views, use a browser or a token with the “views:share” scope.',
    )
  }
  return user
}

export async function getView(db: Database['read'], { actor, collection }: ViewsContext, id: ViewId): Promise<View> {
  const view = await findView(db, collection.id, id)
  if (!view || !seesView(actor, view)) throw new Problem('not-found', 'This view no longer exists.')
  return view
}

export const NOT_SHARING = 'You need permission to share views here. Keep the view private, or ask an owner.'
const LOCKED = 'This view is locked. Its creator or a collection manager can unlock it, or you can save a copy.'
export const NOT_VIEW_OWNER = 'Only the view’s creator or a collection manager can do this.'
const NEXT_VIEW_REMOVED = 'The view was not moved: the view at the new position no longer exists.'
export const OUT_OF_SIGHT = 'This view uses data you can’t see, so you can’t edit it. Save a copy instead.'

export const whyNot = ({ isLocked, isShared }: View): string => (isShared && isLocked ? LOCKED : NOT_SHARING)

export function assertAllowed(isAllowed: boolean, why: string): void {
  if (!isAllowed) throw new Problem('forbidden', why)
}

function assertChangeAllowed(at: ViewsContext, before: View, change: ViewChange): void {
  const rights = decideViewRights(at.actor, at.collection, before)
  const { query, display, layout, look, pageSize, name, before: next } = change
  const isContent = [query, display, layout, look, pageSize].some((part) => part !== undefined)
  if (isContent || name !== undefined) assertAllowed(rights.mayChange, whyNot(before))
  if (isContent && before.isShared) assertAllowed(viewForReader(before, at.maker).isWhole, OUT_OF_SIGHT)
  if (next !== undefined && before.isShared) assertAllowed(rights.mayShare, NOT_SHARING)
  assertSharingAllowed(rights, before, change)
}

function assertSharingAllowed(rights: ViewRights, before: View, { isShared, isLocked }: ViewChange): void {
  if (isLocked !== undefined && isLocked !== before.isLocked) assertAllowed(rights.mayLock, NOT_VIEW_OWNER)
  if (isShared === undefined || isShared === before.isShared) return
  if (isShared) assertAllowed(rights.mayShare, NOT_SHARING)
  else assertAllowed(rights.mayLock, NOT_VIEW_OWNER)
}

function changed(
  { maker }: ViewsContext,
  before: View,
  change: ViewChange,
): { readonly after: View; readonly content?: CheckedContent } {
  const { name, isShared, isLocked, query, display, layout, look, pageSize } = change
  const draft: ContentDraft = { query, display, layout, look, pageSize }
  const content = checkViewContent(maker, draft)
  const kept: Partial<ViewContent> = {
    ...content.kept,
    ...(content.kept.layout && { layout: keepHiddenLayout(content.kept.layout, before.layout, maker.hiddenFields) }),
  }
  const named = { ...(name !== undefined && { name }), ...(isShared !== undefined && { isShared }) }
  const parts = { ...named, ...(isLocked !== undefined && { isLocked }), ...kept }
  const isSame = Object.entries(parts).every(([part, value]) => sameText(before[part as keyof View], value))
  return { after: isSame ? before : { ...before, ...parts, version: before.version + 1 }, content }
}

const sameText = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

export async function storeChangedView(writing: Writing, before: View, after: View): Promise<void> {
  if (after === before) return
  const { transaction, at } = writing
  assertViewSize(after)
  await replaceView(transaction, after, at)
  if (before.isShared === after.isShared) return
  const siblings = await siblingsOf(transaction.db, after)
  const others = siblings.filter(({ id }) => id !== after.id)
  assertViewCount(after, others)
  await storeViewOrder(transaction, [...others.map(({ id }) => id), after.id])
  if (!after.isShared) await clearDefaultForOthers(transaction, after)
}

async function savePosition(
  { transaction }: Writing,
  at: ViewsContext,
  view: View,
  { before, isDefault }: ViewChange,
): Promise<void> {
  if (before !== undefined) {
    const siblings = (await siblingsOf(transaction.db, view)).map(({ id }) => id).filter((id) => id !== view.id)
    const place = before === null ? siblings.length : siblings.findIndex((id) => id === before)
    if (place === -1) throw new Problem('definition-invalid', NEXT_VIEW_REMOVED)
    await storeViewOrder(transaction, siblings.toSpliced(place, 0, view.id))
  }
  if (isDefault === undefined) return
  const user = ownerOf(at)
  await storeDefaultView(transaction, user, at.collection.id, isDefault ? view.id : null)
}

export const siblingsOf = async (
  db: Database['read'],
  { collection, owner, isShared }: View,
): Promise<readonly View[]> => (await loadViews(db, collection, owner)).filter((other) => other.isShared === isShared)

export function assertViewCount({ isShared }: View, others: readonly View[]): void {
  const max = isShared ? MAX_SHARED_VIEWS : MAX_OWN_VIEWS
  if (others.length < max) return
  const whose = isShared ? 'A collection can have at most' : 'You can have at most'
  throw new Problem(
    'definition-invalid',
    `${whose} ${max} ${isShared ? 'shared views' : 'private views here'}. Delete one first.`,
  )
}

function assertViewSize(view: View): void {
  if (contentCell(view).length <= MAX_VIEW_LENGTH) return
  throw new Problem('definition-invalid', 'The view was not saved because it is too large. Shorten its filter.')
}

const versionConflict = (current: ViewBody): Problem =>
  new Problem('version-conflict', 'Someone else edited this view. Your changes aren’t saved yet.', {
    extra: { current },
  })

async function viewBody({ transaction }: Writing, at: ViewsContext, view: View): Promise<ViewBody> {
  const [body] = await showViews(transaction.db, at, [view])
  if (body) return body
  throw new Problem('not-found', 'This view no longer exists.')
}

/** Records a saved view as a slow list query, so that a large collection gets a matching index. */
function recordAsSlowQuery({ recordQueryTime }: RecordDeps, { requested }: CheckedContent): void {
  if (!recordQueryTime || !requested) return
  const { query, grouping } = requested
  recordQueryTime({ query, tookMs: SLOW_QUERY_MS })
  if (grouping) recordQueryTime({ query, grouping, tookMs: SLOW_QUERY_MS })
}

export const savedViewRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listViews, can('records:read'), async ({ actor, params }) => ({
    items: await listViews(deps, actor, params.collection),
  })),
  route(api.listViewNames, can('records:read'), async ({ actor }) => ({ items: await listViewNames(deps, actor) })),
  route(api.createView, can('records:read'), async ({ actor, params, body }) =>
    createView(deps, actor, params.collection, body),
  ),
  route(api.changeView, can('records:read'), async ({ actor, params, body }) => changeView(deps, actor, params, body)),
  route(api.deleteView, can('records:read'), async ({ actor, params }) => removeView(deps, actor, params)),
]

export const deleteCollectionViews = (transaction: Transaction, collection: CollectionId): Promise<void> =>
  deleteViewsOf(transaction, collection)
