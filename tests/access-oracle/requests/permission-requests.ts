import { definitionFor } from '#tests/access-oracle/expect/visible-definitions.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { collectionIn, fold, satisfies, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Requester, OracleRequest } from './request.ts'
import { randomViewsRequest } from '#tests/access-oracle/world/shared-views.ts'
import { asSeenBy, RIGHTS, type Right, type WorldGrant } from '#tests/access-oracle/expect/viewpoint.ts'
import {
  OPTIONS,
  isPicture,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
} from '#tests/access-oracle/world/world.ts'

const NO_COLLECTION = { status: 404, code: 'collection-not-found' }
const NO_RECORD = { status: 404, code: 'record-not-found' }
const NO_FIELD = { status: 404, code: 'not-found' }

export function randomPermissionRequest(draw: Random, requester: Requester): OracleRequest {
  const what = draw.one(['moves', 'moves', 'rights', 'rights', 'signed', 'collections', 'people', 'views', 'views'])
  if (what === 'collections') return askCollections(requester)
  if (what === 'views') return randomViewsRequest(draw, requester)
  if (what === 'people') return drawPeople(draw, requester)
  if (what === 'rights' && (requester.way === 'roles' || requester.way === 'token')) return drawRights(draw, requester)
  if (what === 'signed') return drawSigned(draw, requester) ?? drawMoves(draw, requester)
  return drawMoves(draw, requester)
}

function askCollections({ world, view, viewpoint }: Requester): OracleRequest {
  const seen = world.collections.filter(({ name }) => collectionIn(view, name))
  const items = seen.map((home) => definitionFor(world, viewpoint, home))
  return { path: '/api/collections', reads: 'collections', expected: { status: 200, items } }
}

function drawPeople(draw: Random, { world }: Requester): OracleRequest {
  const word = draw.one(['own', 'VIEW', 'e', 'nobody'])
  const ids = [...world.people].filter(([, name]) => fold(name).includes(fold(word))).map(([id]) => id)
  const path = `/api/people?perPage=500&search=${word}`
  return { path, reads: 'people', expected: { status: 200, ids: ids.toSorted() } }
}

const anyRecord = (draw: Random, { records }: WorldCollection): string =>
  draw.one([...records.map(({ id }) => id), '0'.repeat(26)])

function drawMoves(draw: Random, requester: Requester): OracleRequest {
  const home = draw.one(requester.world.collections)
  const id = anyRecord(draw, home)
  const path = `/api/collections/${home.name}/records/${id}/transitions`
  const seenHome = collectionIn(requester.view, home.name)
  if (!seenHome) return { path, reads: 'moves', expected: NO_COLLECTION }
  const seen = seenHome.records.find((one) => one.id === id)
  const whole = home.records.find((one) => one.id === id)
  if (!seen || !whole) return { path, reads: 'moves', expected: NO_RECORD }
  return { path, reads: 'moves', expected: { status: 200, items: transitionsOf(requester, home, whole, seen) } }
}

export function transitionsOf(
  { world, viewpoint }: Requester,
  home: WorldCollection,
  whole: WorldRecord,
  seen: WorldRecord,
): readonly object[] {
  const { workflow } = home.laws
  if (!workflow || !Object.hasOwn(seen.values, workflow.field)) return []
  const here = asSeenBy(world, viewpoint)
  const covers = ({ where }: Pick<WorldGrant, 'where'>): boolean => !where || satisfies(here, home, whole, where)
  const grants = viewpoint.grants.get(home.name)?.transition ?? []
  if (!grants.some(covers)) return []
  const from = String(whole.values[workflow.field])
  const isMissing = (field: WorldField): boolean =>
    field.kind !== 'checkbox' && scalarsOf(whole, field).length === 0 && Object.hasOwn(seen.values, field.name)
  const required = workflow.states[from]?.required ?? []
  const missing = home.fields.filter((field) => required.includes(field.name) && isMissing(field))
  return workflow.moves
    .filter((move) => move.from === from && move.isMine && (!move.when || satisfies(here, home, whole, move.when)))
    .map(({ name, to, needsNote }) => ({
      name,
      to,
      note: needsNote ? 'required' : 'optional',
      missing: missing.map((field) => field.name).toSorted(),
    }))
    .toSorted((one, other) => OPTIONS.indexOf(one.to) - OPTIONS.indexOf(other.to))
}

const ABSENT: WorldField = { name: 'nowhere', label: '', kind: 'text', many: false, target: '' }

const OF_FIELDS: readonly Right[] = ['read', 'create', 'update', 'export', 'import']

type Wanted = {
  readonly home: WorldCollection
  readonly right: Right
  readonly field: WorldField | undefined
  readonly id: string | undefined
}

function drawRights(draw: Random, requester: Requester): OracleRequest {
  const home = draw.one(requester.world.collections)
  const field = draw.chance(0.6) ? draw.one([...home.fields, ABSENT]) : undefined
  const id = draw.chance(0.6) ? anyRecord(draw, home) : undefined
  const request = { home, right: draw.one(RIGHTS), field, id }
  const body = {
    permission: `records:${request.right}`,
    collection: home.name,
    ...(field && { field: field.name }),
    ...(id !== undefined && { record: id }),
  }
  const question = { path: '/api/explain', reads: 'rights' } as const
  // An explanation requested by an owner describes the user's access and ignores token scopes.
  if (requester.way !== 'roles' || draw.chance(0.6))
    return { ...question, body, expected: asToldToThem(requester, request) }
  const { me } = requester.viewpoint
  return { ...question, body: { ...body, user: me.id }, isOfOwner: true, expected: asToldToOwner(requester, request) }
}

/** Hidden objects get the same response as missing ones. */
function asToldToThem(requester: Requester, request: Wanted): OracleRequest['expected'] {
  const { home, field, id } = request
  const seen = collectionIn(requester.view, home.name)
  if (!seen) return NO_COLLECTION
  const known = requester.viewpoint.manages.has(home.name) ? home.fields : seen.fields
  if (field && !known.some(({ name }) => name === field.name)) return NO_FIELD
  if (id !== undefined && !seen.records.some((one) => one.id === id)) return NO_RECORD
  return { status: 200, may: mayThey(requester, request) }
}

function asToldToOwner(requester: Requester, request: Wanted): OracleRequest['expected'] {
  const { home, field, id } = request
  if (field === ABSENT) return NO_FIELD
  if (id !== undefined && !home.records.some((one) => one.id === id)) return NO_RECORD
  return { status: 200, may: mayThey(requester, request) }
}

const NOTHING_NAMED = { field: undefined, record: undefined }

type Of = { readonly field: WorldField | undefined; readonly record: WorldRecord | undefined }

function mayThey(requester: Requester, { home, right, field, id }: Wanted): 'yes' | 'some' | 'no' {
  const of = { field, record: home.records.find((one) => one.id === id) }
  const requested = checker(requester, home, right, { ...of, field: OF_FIELDS.includes(right) ? of.field : undefined })
  // Unreadable values can't be exported; other actions on hidden records are possible if the collection is visible.
  const needed = right === 'export' ? of : NOTHING_NAMED
  return checker(requester, home, 'read', needed) === 'no' ? 'no' : requested
}

function checker({ world, viewpoint }: Requester, home: WorldCollection, right: Right, { field, record }: Of) {
  const opening = (viewpoint.grants.get(home.name)?.[right] ?? []).filter(
    ({ hidden }) => !field || !hidden.includes(field.name),
  )
  const here = asSeenBy(world, viewpoint)
  const isWhole = ({ where }: WorldGrant): boolean =>
    !where || (record !== undefined && satisfies(here, home, record, where))
  if (opening.some(isWhole)) return 'yes'
  return record === undefined && opening.length > 0 ? 'some' : 'no'
}

/** Files of a record at the URLs shown to a reader, requested by that reader and without authentication. */
function drawSigned(draw: Random, { view }: Requester): OracleRequest | undefined {
  const places = view.collections.flatMap((home) => {
    const fields = home.fields.filter(({ kind }) => kind === 'files')
    return home.records
      .map((record) => ({ home, id: record.id, files: fields.flatMap((field) => scalarsOf(record, field)) }))
      .filter(({ files }) => files.length > 0)
  })
  if (places.length === 0) return undefined
  const { home, id, files } = draw.one(places)
  const shown = files.map((file) => {
    const thumb = isPicture(view.fileNames.get(String(file))) ? 200 : null
    return { id: file, signed: 200, thumb, plain: 200, stolen: 401, guessed: 401 }
  })
  const expected = { status: 200, files: shown }
  return { path: `/api/collections/${home.name}/records/${id}?expand=*`, reads: 'signed', expected }
}
