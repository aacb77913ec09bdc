import type { Draw } from './draw.ts'
import { drawCondition, printCondition } from './draw-condition.ts'
import { type Deed, judgeFound, type Search } from './judge-found.ts'
import { judgeCreate, judgeDeletes, judgeMove, judgeUpdates, NEW } from './judge-one.ts'
import { grantsOf, type Sent, type Verdict, viewOf, type Writer } from './judge-write.ts'
import { collectionIn, namedIn, scalarsOf } from './meaning.ts'
import {
  CHOICES,
  type Marks,
  planValue,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
  type WorldValue,
} from './world.ts'

/** A write, and what must become of it. */
export type Write = {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly verdict: Verdict
  /** What the answer of one that is taken tells. */
  readonly taken: {
    readonly status: number
    /** The record that is answered as whoever wrote it sees it. */
    readonly record?: { readonly home: string; readonly id: string }
    readonly counts?: { readonly created: number; readonly updated: number; readonly deleted: number }
  }
}

/** Draws one write of any sort. */
export function drawWrite(draw: Draw, writer: Writer, marks: Marks): Write {
  const home = draw.one(writer.world.collections)
  const what = draw.one([
    'create',
    'update',
    'update',
    'delete',
    'move',
    'move',
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
    case 'updates':
      return drawUpdates(lot)
    case 'deletes':
      return drawDeletes(lot)
    default:
      return drawFound(lot)
  }
}

type Lot = { readonly draw: Draw; readonly writer: Writer; readonly marks: Marks; readonly home: WorldCollection }

const at = ({ home }: Lot, rest = ''): string => `/api/collections/${home.name}/records${rest}`

function drawCreate(lot: Lot): Write {
  const sent = drawValues(lot, undefined, 4)
  const verdict = judgeCreate(lot.writer, lot.home, sent)
  const record = { home: lot.home.name, id: NEW }
  return { method: 'POST', path: at(lot), body: { values: sent }, verdict, taken: { status: 201, record } }
}

function drawUpdate(lot: Lot): Write {
  const record = drawRecord(lot)
  const sent = drawValues(lot, record, 2)
  const verdict = judgeUpdates(lot.writer, lot.home, [{ id: record.id, sent }], true)
  const told = { home: lot.home.name, id: record.id }
  return {
    method: 'PATCH',
    path: at(lot, `/${record.id}`),
    body: { values: sent },
    verdict,
    taken: { status: 200, record: told },
  }
}

function drawDelete(lot: Lot): Write {
  const { id } = drawRecord(lot)
  const verdict = judgeDeletes(lot.writer, lot.home, [id], true)
  return { method: 'DELETE', path: at(lot, `/${id}`), verdict, taken: { status: 204 } }
}

function drawMove(lot: Lot): Write {
  const record = drawRecord(lot)
  const move = drawDestination(lot, record)
  const verdict = judgeMove(lot.writer, lot.home, record.id, move)
  const told = { home: lot.home.name, id: record.id }
  return {
    method: 'POST',
    path: at(lot, `/${record.id}/transitions`),
    body: move,
    verdict,
    taken: { status: 200, record: told },
  }
}

function drawUpdates(lot: Lot): Write {
  const records = lot.draw.some(lot.home.records, 3)
  const changes = records.map((record) => ({ id: record.id, sent: drawValues(lot, record, 1) }))
  const update = changes.map(({ id, sent }) => ({ id, values: sent }))
  const verdict = judgeUpdates(lot.writer, lot.home, changes, false)
  const counts = { created: 0, updated: changes.length, deleted: 0 }
  return { method: 'POST', path: at(lot, '/bulk'), body: { update }, verdict, taken: { status: 200, counts } }
}

function drawDeletes(lot: Lot): Write {
  const ids = lot.draw.some(lot.home.records, 2).map(({ id }) => id)
  if (ids.length === 0) return drawUpdate(lot)
  const verdict = judgeDeletes(lot.writer, lot.home, ids, false)
  const counts = { created: 0, updated: 0, deleted: ids.length }
  return { method: 'POST', path: at(lot, '/bulk'), body: { delete: ids }, verdict, taken: { status: 200, counts } }
}

function drawFound(lot: Lot): Write {
  const { draw, writer, home } = lot
  const view = viewOf(writer)
  const seen = collectionIn(view, home.name)
  const search: Search = {
    ...(seen && seen.fields.length > 0 && { filter: drawCondition(draw, view, seen, 2) }),
    ...(draw.chance(0.2) && { terms: [draw.one(['ap', 'zoe', 'b', 'done'])] }),
    except: draw.some(home.records, 2).map(({ id }) => id),
  }
  const record = drawRecord(lot)
  const deed: Deed = draw.one<() => Deed>([
    () => ({ update: drawValues(lot, record, 1) }),
    () => ({ update: drawValues(lot, record, 2) }),
    () => ({ transition: drawDestination(lot, record) }),
    () => ({ delete: true }),
  ])()
  const verdict = judgeFound(writer, home, search, deed)
  const where = {
    except: search.except,
    ...(search.filter && { filter: printCondition(search.filter) }),
    ...(search.terms && { search: search.terms.join(' ') }),
  }
  const body = { where, ...('update' in deed ? { update: { values: deed.update } } : deed) }
  const [updated, deleted] = 'delete' in deed ? [0, verdict.count] : [verdict.count, 0]
  return {
    method: 'POST',
    path: at(lot, '/bulk'),
    body,
    verdict,
    taken: { status: 200, counts: { created: 0, updated, deleted } },
  }
}

/** Any record, seen or not. */
const NOTHING: WorldRecord = { id: '0'.repeat(26), createdBy: '', values: {} }
const drawRecord = ({ draw, home }: Lot): WorldRecord =>
  home.records.length === 0 || draw.chance(0.02) ? NOTHING : draw.one(home.records)

/** Fields that decide who may change a record: what is written there may lead out of sight, or out of reach. */
const decisive = ({ writer, home }: Lot): readonly string[] =>
  [...grantsOf(writer, home.name, 'update'), ...grantsOf(writer, home.name, 'create')].flatMap(({ where }) =>
    where ? namedIn(where) : [],
  )

/** Values for some fields, seen or not, now and then one that is not there. */
function drawValues(lot: Lot, record: WorldRecord | undefined, most: number): Sent {
  const { draw, home } = lot
  // Whoever writes a state that is on a way is refused always: not too often.
  const fields = home.fields.filter(({ name }) => home.laws.workflow?.field !== name || draw.chance(0.1))
  const deciding = draw.chance(0.4) ? fields.filter(({ name }) => decisive(lot).includes(name)) : []
  const chosen = draw.some(deciding.length > 0 ? deciding : fields, most)
  const sent = chosen.map((field) => [field.name, drawValue(lot, field, record)] as const)
  return { ...Object.fromEntries(sent), ...(draw.chance(0.03) && { nowhere: 'x' }) }
}

function drawValue(lot: Lot, field: WorldField, record: WorldRecord | undefined): WorldValue {
  const { draw, marks } = lot
  // What is there already changes nothing.
  if (record && Object.hasOwn(record.values, field.name) && draw.chance(0.15)) return record.values[field.name] ?? null
  if (field.kind === 'relation') return drawLink(lot, field)
  if (field.kind === 'files') return drawFiles(lot, field, record)
  return planValue(draw, field, draw.chance(0.2), marks)
}

/** Files that stay, now and then one that is not for this place. */
function drawFiles({ draw, writer }: Lot, field: WorldField, record: WorldRecord | undefined): WorldValue {
  const had = record ? scalarsOf(record, field).map(String) : []
  return draw.chance(0.8) ? draw.some(had, 2) : [...had, ...draw.some([...writer.world.fileNames.keys()], 1)]
}

/** Records to point at, seen or not. */
function drawLink({ draw, writer }: Lot, { target, many }: WorldField): WorldValue {
  const there = collectionIn(draw.chance(0.7) ? viewOf(writer) : writer.world, target)
  const ids = there?.records.map(({ id }) => id) ?? []
  if (many) return draw.some(ids, 2)
  return ids.length > 0 && draw.chance(0.8) ? draw.one(ids) : null
}

/** Somewhere a move leads, as often as not. */
function drawDestination({ draw, home }: Lot, record: WorldRecord): { readonly to: string; readonly note?: string } {
  const { workflow } = home.laws
  const from = workflow && record.values[workflow.field]
  const leading = workflow?.moves.filter((move) => move.from === from).map(({ to }) => to) ?? []
  const to = leading.length > 0 && draw.chance(0.8) ? draw.one(leading) : draw.one(CHOICES)
  return { to, ...(draw.chance(0.6) && { note: 'So it is.' }) }
}
