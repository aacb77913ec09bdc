import type { Random } from './random.ts'
import { randomCondition, printCondition, treeOf } from './random-condition.ts'
import { randomValue, randomValues, type RandomContext } from './random-values.ts'
import {
  type BulkWrite,
  type Given,
  expectBulkWrite,
  type Search,
} from '#tests/access-oracle/expect/expect-bulk-write.ts'
import {
  expectCreate,
  expectCreates,
  expectDeletes,
  expectTransition,
  expectStaleUpdate,
  expectUpdates,
  NEW,
} from '#tests/access-oracle/expect/expect-single-write.ts'
import { type Sent, type ExpectedResult, viewOf, type Writer } from '#tests/access-oracle/expect/expect-write.ts'
import { storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import { collectionIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { OPTIONS, type Marks, type WorldField, type WorldRecord } from '#tests/access-oracle/world/world.ts'

export type Write = {
  /** Name in the request statistics. */
  readonly kind: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly outcome: ExpectedResult
  readonly taken: {
    readonly status: number
    /** The record in the response, as visible to the user who wrote it. */
    readonly record?: { readonly home: string; readonly id: string }
    readonly counts?: { readonly created: number; readonly updated: number; readonly deleted: number }
    /** The number of skipped records in the response. */
    readonly left?: number
    /** The collection whose previous values are in the response. */
    readonly remembers?: string | undefined
  }
}

export function randomWrite(draw: Random, writer: Writer, marks: Marks): Write {
  const home = draw.one(writer.world.collections)
  const what = draw.one([
    'create',
    'update',
    'update',
    'delete',
    'move',
    'move',
    'creates',
    'updates',
    'deletes',
    'found',
    'found',
  ])
  const lot = { draw, writer, marks, home }
  switch (what) {
    case 'create':
      return drawCreate(lot)
    case 'update':
      return drawUpdate(lot)
    case 'delete':
      return drawDelete(lot)
    case 'move':
      return drawMove(lot)
    case 'creates':
      return drawCreates(lot)
    case 'updates':
      return drawUpdates(lot)
    case 'deletes':
      return drawDeletes(lot)
    default:
      return drawFound(lot)
  }
}

const at = ({ home }: RandomContext, rest = ''): string => `/api/collections/${home.name}/records${rest}`

/** Low enough that a search that matches everything can return all records. */
export const MAX_RECORDS = 19

function drawCreate(lot: RandomContext): Write {
  if (lot.home.records.length >= MAX_RECORDS) return drawDelete(lot)
  const sent = randomValues(lot, undefined, 4)
  const outcome = expectCreate(lot.writer, lot.home, sent)
  const record = { home: lot.home.name, id: NEW }
  return {
    kind: 'create',
    method: 'POST',
    path: at(lot),
    body: { values: sent },
    outcome,
    taken: { status: 201, record },
  }
}

/** Higher than the version of any record. */
const STALE = 999_999

function drawUpdate(lot: RandomContext): Write {
  const record = drawRecord(lot)
  const sent = randomValues(lot, record, 2)
  const isStale = lot.draw.chance(0.06)
  const outcome = isStale
    ? expectStaleUpdate(lot.writer, lot.home, record.id)
    : expectUpdates(lot.writer, lot.home, [{ id: record.id, sent }], true)
  const reported = { home: lot.home.name, id: record.id }
  return {
    kind: 'update',
    method: 'PATCH',
    path: at(lot, `/${record.id}`),
    body: { values: sent, ...(isStale && { version: STALE }) },
    outcome,
    taken: { status: 200, record: reported },
  }
}

/** A nearly empty world has little left to test. */
const FEWEST_RECORDS = 4

function drawDelete(lot: RandomContext): Write {
  if (lot.home.records.length < FEWEST_RECORDS) return drawUpdate(lot)
  const { id } = drawRecord(lot)
  const outcome = expectDeletes(lot.writer, lot.home, [id], true)
  return { kind: 'delete', method: 'DELETE', path: at(lot, `/${id}`), outcome, taken: { status: 204 } }
}

function drawMove(given: RandomContext): Write {
  const { draw, writer } = given
  const ways = writer.world.collections.filter(({ laws }) => laws.workflow)
  const lot = ways.length > 0 && draw.chance(0.8) ? { ...given, home: draw.one(ways) } : given
  const { workflow } = lot.home.laws
  const movable = lot.home.records.filter(({ values }) =>
    workflow?.moves.some(({ from, isMine }) => isMine && from === values[workflow.field]),
  )
  const record = movable.length > 0 && draw.chance(0.7) ? draw.one(movable) : drawRecord(lot)
  const move = drawDestination(lot, record)
  const outcome = expectTransition(lot.writer, lot.home, record.id, move)
  const reported = { home: lot.home.name, id: record.id }
  return {
    kind: 'move',
    method: 'POST',
    path: at(lot, `/${record.id}/transitions`),
    body: move,
    outcome,
    taken: { status: 200, record: reported },
  }
}

function drawCreates(lot: RandomContext): Write {
  if (lot.home.records.length >= MAX_RECORDS - 1) return drawDeletes(lot)
  const records = [randomValues(lot, undefined, 3), randomValues(lot, undefined, 3)]
  const outcome = expectCreates(lot.writer, lot.home, records)
  const counts = { created: records.length, updated: 0, deleted: 0 }
  const body = { create: records.map((values) => ({ values })) }
  return { kind: 'many listed', method: 'POST', path: at(lot, '/bulk'), body, outcome, taken: { status: 200, counts } }
}

function drawUpdates(lot: RandomContext): Write {
  const records = lot.draw.some(lot.home.records, 3)
  const changes = records.map((record) => ({ id: record.id, sent: randomValues(lot, record, 1) }))
  const update = changes.map(({ id, sent }) => ({ id, values: sent }))
  const outcome = expectUpdates(lot.writer, lot.home, changes, false)
  const counts = { created: 0, updated: changes.length, deleted: 0 }
  return {
    kind: 'many listed',
    method: 'POST',
    path: at(lot, '/bulk'),
    body: { update },
    outcome,
    taken: { status: 200, counts },
  }
}

function drawDeletes(lot: RandomContext): Write {
  const ids = lot.draw.some(lot.home.records, 2).map(({ id }) => id)
  if (ids.length === 0 || lot.home.records.length < FEWEST_RECORDS) return drawUpdate(lot)
  const outcome = expectDeletes(lot.writer, lot.home, ids, false)
  const counts = { created: 0, updated: 0, deleted: ids.length }
  return {
    kind: 'many listed',
    method: 'POST',
    path: at(lot, '/bulk'),
    body: { delete: ids },
    outcome,
    taken: { status: 200, counts },
  }
}

function drawFound(lot: RandomContext): Write {
  const { draw, writer, home } = lot
  const search = drawSearch(lot)
  const record = drawRecord(lot)
  const edit: BulkWrite = draw.one<() => BulkWrite>([
    () => ({ update: drawGiven(lot, record) }),
    () => ({ update: drawGiven(lot, record) }),
    () => ({ transition: drawDestination(lot, record) }),
    () => (home.records.length < FEWEST_RECORDS ? { update: drawGiven(lot, record) } : { delete: true }),
  ])()
  const isLeaving = draw.chance(0.6)
  const isRemembered = draw.chance(0.4)
  const outcome = expectBulkWrite(writer, home, search, { edit, isLeaving })
  const where = {
    ...search,
    ...(search.filter && { filter: draw.chance(0.5) ? printCondition(search.filter) : treeOf(search.filter) }),
    ...(search.search && { search: search.search.join(' ') }),
  }
  const expected = 'delete' in edit && { expected: outcome.count }
  const kept = { ...(isLeaving && { refused: 'leave' }), ...(isRemembered && { remember: true }) }
  const body = { where, ...edit, ...expected, ...kept }
  const [updated, deleted] = 'delete' in edit ? [0, outcome.count] : [outcome.count, 0]
  return {
    kind: `all found: ${Object.keys(edit).join()}${outcome.left > 0 ? ', some left' : ''}`,
    method: 'POST',
    path: at(lot, '/bulk'),
    body,
    outcome,
    taken: {
      status: 200,
      counts: { created: 0, updated, deleted },
      left: outcome.left,
      remembers: isRemembered ? home.name : undefined,
    },
  }
}

function drawSearch({ draw, writer, home }: RandomContext): Search {
  const view = viewOf(writer)
  const seen = collectionIn(view, home.name)
  return {
    ...(seen &&
      seen.fields.length > 0 &&
      draw.chance(0.5) && { filter: randomCondition(draw, view, seen, { depth: 2 }) }),
    ...(draw.chance(0.2) && { search: [draw.one(['ap', 'zoe', 'b', 'done'])] }),
    ...(draw.chance(0.3) && { only: draw.some(home.records, 6).map(({ id }) => id) }),
    except: draw.some(home.records, 2).map(({ id }) => id),
  }
}

function drawGiven(lot: RandomContext, record: WorldRecord): Given {
  const { draw, home } = lot
  const lists = draw.chance(0.4)
    ? draw.some(draw.chance(0.9) ? storedFields(home).filter(isList) : storedFields(home), 1)
    : []
  const drawLists = (): Sent =>
    Object.fromEntries(
      lists.flatMap((field) => {
        const value = randomValue(lot, field, record)
        return typeof value === 'object' && value !== null && value.length > 0 ? [[field.name, value]] : []
      }),
    )
  return {
    values: lists.length > 0 && draw.chance(0.8) ? {} : drawPlain(lot, record),
    ...(draw.chance(0.6) && { add: drawLists() }),
    ...(draw.chance(0.6) && { take: drawLists() }),
  }
}

const isList = ({ many, kind }: WorldField): boolean => many && kind !== 'files'

function drawPlain(lot: RandomContext, record: WorldRecord): Sent {
  const isPlain = (name: string): boolean => !lot.home.fields.some((one) => one.name === name && one.kind === 'files')
  return Object.fromEntries(Object.entries(randomValues(lot, record, 2)).filter(([name]) => isPlain(name)))
}

const NOTHING: WorldRecord = { id: '0'.repeat(26), createdBy: '', values: {} }
const drawRecord = ({ draw, home }: RandomContext): WorldRecord =>
  home.records.length === 0 || draw.chance(0.02) ? NOTHING : draw.one(home.records)

function drawDestination(
  { draw, home }: RandomContext,
  record: WorldRecord,
): { readonly to: string; readonly note?: string } {
  const { workflow } = home.laws
  const from = workflow && record.values[workflow.field]
  const leading = workflow?.moves.filter((move) => move.from === from).map(({ to }) => to) ?? []
  const to = leading.length > 0 && draw.chance(0.8) ? draw.one(leading) : draw.one(OPTIONS)
  return { to, ...(draw.chance(0.6) && { note: 'So it is.' }) }
}
