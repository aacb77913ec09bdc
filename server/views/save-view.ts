import type { ViewBody, ViewChange, ViewInput } from '#api/views.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { SLOW_FROM_MS } from '#domain/query/index-upkeep.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  MAX_VIEW_LENGTH,
  type View,
  type ViewContent,
  type ViewId,
} from '#domain/views/view.ts'
import { judgeViewRights, maySaveViews, seesView, type ViewRights } from '#domain/views/view-rights.ts'
import { keepUnseen, shownView } from '#domain/views/shown-view.ts'
import { type Writing, commitChange } from '#server/changes/commit-change.ts'
import type { Database } from '#server/database/database.ts'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import { type CheckedContent, checkedContent, type ContentDraft } from './checked-content.ts'
import { logView } from './log-view.ts'
import { type AtViews, atViews, showViews } from './show-view.ts'
import {
  contentCell,
  deleteView,
  findView,
  forgetFirstOfOthers,
  insertView,
  loadViews,
  replaceView,
  storeFirstView,
  storeViewOrder,
} from './store.ts'

/** Views are saved one after the other, so that no two take the same place. */
const SAVING = { alone: 'views' }

/** Story: the views of a collection that somebody sees. */
export async function listViews(needs: RecordNeeds, actor: Actor, nameOrId: string): Promise<ViewBody[]> {
  const { read } = needs.database
  const at = atViews({ actor, definitions: await needs.definitions.current(), now: needs.clock() }, nameOrId)
  const views = await loadViews(read, at.collection.id, userIdOf(actor))
  return showViews(
    read,
    at,
    views.filter((view) => seesView(actor, view)),
  )
}

/** Story: save what a list shows under a name. */
export async function createView(
  needs: RecordNeeds,
  actor: Actor,
  nameOrId: string,
  input: ViewInput,
): Promise<ViewBody> {
  const saved = await commitChange(
    needs,
    actor,
    async (writing) => {
      const { at, view, content } = await makeView(writing, nameOrId, input)
      const body = await shown(writing, at, view)
      return { answer: { body, content }, ...logView(null, view) }
    },
    SAVING,
  )
  noteAsAsked(needs, saved.content)
  return saved.body
}

/** A view that was made, where it stands, and what it asks. */
export type MadeView = { readonly at: AtViews; readonly view: View; readonly content: CheckedContent<ViewInput> }

/** The same inside a write that does more, and that no other saving of views can meet. */
export async function makeView(writing: Writing, nameOrId: string, input: ViewInput): Promise<MadeView> {
  const at = atWriting(writing, nameOrId)
  const owner = ownerOf(at)
  const { name, isShared, isLocked } = input
  const content = checkedContent(at.maker, input)
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
  if (isShared) refuseUnless(judgeViewRights(writing.actor, at.collection, view).mayShare, NOT_SHARING)
  refuseTooLong(view)
  const siblings = await siblingsOf(writing.transaction.db, view)
  refuseTooMany(view, siblings)
  await insertView(writing.transaction, view, siblings.length, writing.at)
  return { at, view, content }
}

/** Lets a view open first for whoever made it. */
export const openFirst = ({ transaction }: Writing, { owner, collection, id }: View): Promise<void> =>
  storeFirstView(transaction, owner, collection, id)

/** Story: change a view, share or lock it, put it elsewhere, have it open first. */
export async function changeView(
  needs: RecordNeeds,
  actor: Actor,
  { collection: nameOrId, view: id }: { readonly collection: string; readonly view: ViewId },
  change: ViewChange,
): Promise<ViewBody> {
  const saved = await commitChange(
    needs,
    actor,
    async (writing) => {
      const at = atWriting(writing, nameOrId)
      ownerOf(at)
      const before = await getView(writing.transaction.db, at, id)
      if (change.version !== undefined && change.version !== before.version) {
        throw stale(await shown(writing, at, before))
      }
      refuseChange(at, before, change)
      const { after, content } = changed(at, before, change)
      await storeChanged(writing, before, after)
      await storePlace(writing, at, after, change)
      const body = await shown(writing, at, after)
      const isSaved = after !== before
      return { answer: { body, content }, ...(isSaved ? logView(before, after) : NOTHING_LOGGED) }
    },
    SAVING,
  )
  if (saved.content) noteAsAsked(needs, saved.content)
  return saved.body
}

/** Story: remove a view. */
export function removeView(
  needs: RecordNeeds,
  actor: Actor,
  { collection: nameOrId, view: id }: { readonly collection: string; readonly view: ViewId },
): Promise<void> {
  return commitChange(
    needs,
    actor,
    async (writing) => {
      const at = atWriting(writing, nameOrId)
      ownerOf(at)
      const view = await getView(writing.transaction.db, at, id)
      refuseUnless(judgeViewRights(actor, at.collection, view).mayChange, whyNot(view))
      await deleteView(writing.transaction, id)
      return { answer: undefined, ...logView(view, null) }
    },
    SAVING,
  )
}

const NOTHING_LOGGED = { changes: [], events: [] } as const

const atWriting = ({ actor, definitions, at }: Writing, nameOrId: string): AtViews =>
  atViews({ actor, definitions, now: new Date(at) }, nameOrId)

/** Whoever saves views here. */
function ownerOf({ actor, collection }: AtViews): UserId {
  const user = userIdOf(actor)
  if (user === null || !maySaveViews(actor, collection)) {
    throw new Problem('forbidden', 'This token only reads. Views are saved by hand, or with the scope “views:share”.')
  }
  return user
}

async function getView(db: Database['read'], { actor, collection }: AtViews, id: ViewId): Promise<View> {
  const view = await findView(db, collection.id, id)
  if (!view || !seesView(actor, view)) throw new Problem('not-found', 'There is no such view any more.')
  return view
}

const NOT_SHARING = 'This needs the permission to share views here. Keep the view for yourself, or ask an owner.'
const LOCKED = 'This view is locked. Whoever made it or manages the collection can unlock it; or save yours beside it.'
const NOT_ONES_OWN = 'Only whoever made this view or manages the collection can do this.'
const NO_NEIGHBOUR = 'The view it was to come before is not there any more, so it stays where it was.'
const OUT_OF_SIGHT = 'This view speaks of more than you can see, so you cannot change it. Save yours beside it.'

const whyNot = ({ isLocked, isShared }: View): string => (isShared && isLocked ? LOCKED : NOT_SHARING)

function refuseUnless(isAllowed: boolean, why: string): void {
  if (!isAllowed) throw new Problem('forbidden', why)
}

/** What is said of a view in each change, and who may say it. */
function refuseChange(at: AtViews, before: View, change: ViewChange): void {
  const rights = judgeViewRights(at.actor, at.collection, before)
  const { query, layout, look, pageSize, name, before: next } = change
  const isContent = [query, layout, look, pageSize].some((part) => part !== undefined)
  if (isContent || name !== undefined) refuseUnless(rights.mayChange, whyNot(before))
  if (isContent && before.isShared) refuseUnless(shownView(before, at.maker).isWhole, OUT_OF_SIGHT)
  if (next !== undefined && before.isShared) refuseUnless(rights.mayShare, NOT_SHARING)
  refuseOpening(rights, before, change)
}

/** Who may share a view, take it back, lock and unlock it. */
function refuseOpening(rights: ViewRights, before: View, { isShared, isLocked }: ViewChange): void {
  if (isLocked !== undefined && isLocked !== before.isLocked) refuseUnless(rights.mayLock, NOT_ONES_OWN)
  if (isShared === undefined || isShared === before.isShared) return
  if (isShared) refuseUnless(rights.mayShare, NOT_SHARING)
  else refuseUnless(rights.mayLock, NOT_ONES_OWN)
}

function changed(
  { maker }: AtViews,
  before: View,
  change: ViewChange,
): { readonly after: View; readonly content?: CheckedContent } {
  const { name, isShared, isLocked, query, layout, look, pageSize } = change
  const draft: ContentDraft = { query, layout, look, pageSize }
  const content = checkedContent(maker, draft)
  const kept: Partial<ViewContent> = {
    ...content.kept,
    ...(content.kept.layout && { layout: keepUnseen(content.kept.layout, before.layout, maker.hiddenFields) }),
  }
  const told = { ...(name !== undefined && { name }), ...(isShared !== undefined && { isShared }) }
  const parts = { ...told, ...(isLocked !== undefined && { isLocked }), ...kept }
  const isSame = Object.entries(parts).every(([part, value]) => sameText(before[part as keyof View], value))
  return { after: isSame ? before : { ...before, ...parts, version: before.version + 1 }, content }
}

const sameText = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

async function storeChanged(writing: Writing, before: View, after: View): Promise<void> {
  if (after === before) return
  const { transaction, at } = writing
  refuseTooLong(after)
  await replaceView(transaction, after, at)
  if (before.isShared === after.isShared) return
  const siblings = await siblingsOf(transaction.db, after)
  const others = siblings.filter(({ id }) => id !== after.id)
  refuseTooMany(after, others)
  await storeViewOrder(transaction, [...others.map(({ id }) => id), after.id])
  if (!after.isShared) await forgetFirstOfOthers(transaction, after)
}

async function storePlace(
  { transaction }: Writing,
  at: AtViews,
  view: View,
  { before, isDefault }: ViewChange,
): Promise<void> {
  if (before !== undefined) {
    const siblings = (await siblingsOf(transaction.db, view)).map(({ id }) => id).filter((id) => id !== view.id)
    const place = before === null ? siblings.length : siblings.findIndex((id) => id === before)
    if (place === -1) throw new Problem('definition-invalid', NO_NEIGHBOUR)
    await storeViewOrder(transaction, siblings.toSpliced(place, 0, view.id))
  }
  if (isDefault === undefined) return
  const user = ownerOf(at)
  await storeFirstView(transaction, user, at.collection.id, isDefault ? view.id : null)
}

/** The views among which one stands: the shared ones, or its owner's own. */
const siblingsOf = async (db: Database['read'], { collection, owner, isShared }: View): Promise<readonly View[]> =>
  (await loadViews(db, collection, owner)).filter((other) => other.isShared === isShared)

function refuseTooMany({ isShared }: View, others: readonly View[]): void {
  const most = isShared ? MAX_SHARED_VIEWS : MAX_OWN_VIEWS
  if (others.length < most) return
  const whose = isShared ? 'A collection has at most' : 'You keep at most'
  throw new Problem(
    'definition-invalid',
    `${whose} ${most} ${isShared ? 'shared views' : 'views of your own here'}. Delete one first.`,
  )
}

function refuseTooLong(view: View): void {
  if (contentCell(view).length <= MAX_VIEW_LENGTH) return
  throw new Problem(
    'definition-invalid',
    'The view was not saved: it says more than a view can keep. Shorten its filter.',
  )
}

const stale = (current: ViewBody): Problem =>
  new Problem('version-conflict', 'Somebody changed this view since you opened it. Nothing of yours was saved yet.', {
    extra: { current },
  })

async function shown({ transaction }: Writing, at: AtViews, view: View): Promise<ViewBody> {
  const [body] = await showViews(transaction.db, at, [view])
  if (body) return body
  throw new Problem('not-found', 'There is no such view any more.')
}

/** A saved view counts as a list that was asked and was slow: a large collection gets the index it wants. */
function noteAsAsked({ noteAsked }: RecordNeeds, { asked }: CheckedContent): void {
  if (!noteAsked || !asked) return
  const { query, grouping } = asked
  noteAsked({ query, tookMs: SLOW_FROM_MS })
  if (grouping) noteAsked({ query, grouping, tookMs: SLOW_FROM_MS })
}
