import {
  areOpen,
  closedDoor,
  covering,
  FORBIDDEN,
  type Ground,
  faultsOfFrozen,
  faultsOfPointers,
  faultsOfRules,
  faultsOfSent,
  faultsOfTwins,
  givenUnread,
  grantsOf,
  NO_RECORD,
  refused,
  type Sent,
  type Verdict,
  withoutRecords,
  withRecord,
  type Writer,
} from './judge-write.ts'
import { satisfies, scalarsOf } from './meaning.ts'
import { asSeenBy, type Right } from './viewpoint.ts'
import { emptyOf, optionsOf, type WorldCollection, type WorldRecord } from './world.ts'

/** What a record is called that has no id yet. */
export const NEW = 'new'

export const REFUSED_MOVE = '422 transition-refused'

export const groundOf = (writer: Writer, home: WorldCollection, right: Right): Ground => ({
  home,
  right,
  grants: grantsOf(writer, home.name, right),
})

/** The collection as it stands, of one that may be older. */
const now = (writer: Writer, home: WorldCollection): WorldCollection =>
  writer.world.collections.find(({ name }) => name === home.name) ?? home

/** What a record is called that is made alone, by a door of its own. */
const ALONE = { id: NEW, hasDoor: true }

/** May they make this record? */
export function judgeCreate(writer: Writer, home: WorldCollection, sent: Sent, { id, hasDoor } = ALONE): Verdict {
  const closed = closedDoor(writer, home.name, 'create', hasDoor)
  if (closed) return refused(writer.world, closed)
  const ground = groundOf(writer, home, 'create')
  const own = { id, createdBy: writer.viewpoint.me.id }
  // Whoever manages the collection may begin a record anywhere on its way.
  const maker: Writer = { ...writer, bringsStates: writer.viewpoint.manages.has(home.name) }
  const faults = [
    ...faultsOfSent(maker, ground, sent),
    ...faultsOfPointers(writer, home, { ...own, values: {} }, sent),
    ...faultsOfTwins(home, id, sent),
  ]
  const starting = home.fields.map((field) => [
    field.name,
    field.kind === 'state' ? optionsOf(field)[0] : emptyOf(field),
  ])
  // What is filled in counts as far as nothing is given that the same grant does not open.
  const filled = ground.grants.find(
    ({ presets, hidden }) => presets && knownIn(home, sent).every((name) => !hidden.includes(name)),
  )
  const record: WorldRecord = {
    ...own,
    values: { ...Object.fromEntries(starting), ...filled?.presets, ...sent },
  }
  const after = { ...writer, world: withRecord(writer.world, home.name, record) }
  if (faults.length === 0) {
    if (!areOpen(after, ground, record, Object.keys(sent))) faults.push(FORBIDDEN)
    faults.push(...faultsOfRules(after, now(after, home), { before: null, after: record }))
  }
  return faults.length > 0 ? refused(writer.world, ...faults) : { refusals: new Set(), world: after.world }
}

/** May they make all of these, or none? */
export function judgeCreates(writer: Writer, home: WorldCollection, records: readonly Sent[]): Verdict {
  const refusals = new Set<string>()
  let { world } = writer
  for (const [at, sent] of records.entries()) {
    const verdict = judgeCreate({ ...writer, world }, now({ ...writer, world }, home), sent, {
      id: newAt(at),
      hasDoor: false,
    })
    for (const refusal of verdict.refusals) refusals.add(refusal)
    world = verdict.world
  }
  return { refusals, world: refusals.size > 0 ? writer.world : world }
}

/** What the records of a list are called as long as they have no ids. */
export const newAt = (place: number): string => (place === 0 ? NEW : `${NEW} ${place}`)

/** One change of a list of them. */
export type Change = { readonly id: string; readonly sent: Sent }

/** May they change these records, one after another and all or none? One alone comes by a door of its own. */
export function judgeUpdates(
  writer: Writer,
  home: WorldCollection,
  changes: readonly Change[],
  hasDoor: boolean,
): Verdict {
  const closed = closedDoor(writer, home.name, 'update', hasDoor)
  if (closed) return refused(writer.world, closed)
  const ground = groundOf(writer, home, 'update')
  const faults: string[] = []
  const made: (Change & { readonly unread: readonly string[] })[] = []
  let at = writer
  for (const { id, sent } of changes) {
    const here = now(at, home)
    const before = here.records.find((one) => one.id === id)
    if (!before || covering(at, { ...ground, home: here }, before).length === 0)
      return refused(writer.world, NO_RECORD, ...faults)
    faults.push(...faultsOfSent(at, ground, sent), ...faultsOfPointers(at, home, before, sent))
    if (!areOpen(at, ground, before, knownIn(home, sent))) faults.push(FORBIDDEN)
    faults.push(...faultsOfFrozen(at, home, before, sent), ...faultsOfTwins(here, id, sent))
    made.push({ id, sent, unread: givenUnread(at, here, before, sent) })
    at = { ...at, world: withRecord(at.world, home.name, { ...before, values: { ...before.values, ...sent } }) }
  }
  if (faults.length > 0) return refused(writer.world, ...faults)
  return judgeAfter(writer, at, ground, made)
}

/** A change of what somebody saw long ago: whoever may change the record is told so, before anything else. */
export function judgeStale(writer: Writer, home: WorldCollection, id: string): Verdict {
  const closed = closedDoor(writer, home.name, 'update')
  if (closed) return refused(writer.world, closed)
  const record = home.records.find((one) => one.id === id)
  const isTheirs = record && covering(writer, groundOf(writer, home, 'update'), record).length > 0
  return refused(writer.world, isTheirs ? '409 version-conflict' : NO_RECORD)
}

/** What must hold behind a change: the records are still inside, their fields still open, and no rule is broken. */
function judgeAfter(
  writer: Writer,
  after: Writer,
  ground: Ground,
  changes: readonly (Change & { readonly unread: readonly string[] })[],
): Verdict {
  const [was, is] = [now(writer, ground.home), now(after, ground.home)]
  const faults = changes.flatMap(({ id, sent, unread }) => {
    const [before, record] = [was, is].map(({ records }) => records.find((one) => one.id === id))
    if (!before || !record) return []
    const isInside = areOpen(after, { ...ground, home: is }, record, knownIn(is, sent))
    return [...(isInside ? [] : [FORBIDDEN]), ...faultsOfRules(after, is, { before, after: record, unread })]
  })
  return faults.length > 0 ? refused(writer.world, ...faults) : { refusals: new Set(), world: after.world }
}

export const knownIn = ({ fields }: WorldCollection, sent: Sent): string[] =>
  Object.keys(sent).filter((name) => fields.some((field) => field.name === name))

/** May they remove these? */
export function judgeDeletes(writer: Writer, home: WorldCollection, ids: readonly string[], hasDoor: boolean): Verdict {
  const closed = closedDoor(writer, home.name, 'delete', hasDoor)
  if (closed) return refused(writer.world, closed)
  const ground = groundOf(writer, home, 'delete')
  const isTheirs = (id: string): boolean =>
    home.records.some((record) => record.id === id && covering(writer, ground, record).length > 0)
  if (!ids.every(isTheirs)) return refused(writer.world, NO_RECORD)
  return { refusals: new Set(), world: withoutRecords(writer.world, home.name, ids) }
}

/** Where somebody takes a record. */
export type Destination = { readonly to: string; readonly note?: string }

/** May they take this record there? */
export function judgeMove(writer: Writer, home: WorldCollection, id: string, destination: Destination): Verdict {
  const closed = closedDoor(writer, home.name, 'transition')
  if (closed) return refused(writer.world, closed)
  const record = home.records.find((one) => one.id === id)
  const ground = groundOf(writer, home, 'transition')
  if (!record || covering(writer, ground, record).length === 0) return refused(writer.world, NO_RECORD)
  const faults = faultsOfMove(writer, home, record, destination)
  if (faults.length > 0) return refused(writer.world, ...faults)
  return judgeMoved(writer, home, [record], destination)
}

/** The world behind moves, unless a rule is broken by them. */
function judgeMoved(
  writer: Writer,
  home: WorldCollection,
  records: readonly WorldRecord[],
  { to }: Destination,
): Verdict {
  const field = home.laws.workflow?.field ?? ''
  const world = records.reduce(
    (at, record) => withRecord(at, home.name, { ...record, values: { ...record.values, [field]: to } }),
    writer.world,
  )
  const after = { ...writer, world }
  const faults = records.flatMap((before) =>
    faultsOfRules(after, now(after, home), { before, after: { ...before, values: { ...before.values, [field]: to } } }),
  )
  return faults.length > 0 ? refused(writer.world, ...faults) : { refusals: new Set(), world }
}

/** Why a record cannot be taken there; whoever moves may move it. */
export function faultsOfMove(
  writer: Writer,
  home: WorldCollection,
  record: WorldRecord,
  { to, note = '' }: Destination,
): string[] {
  const { world, viewpoint } = writer
  const { workflow } = home.laws
  if (!workflow) return [REFUSED_MOVE]
  const from = String(record.values[workflow.field])
  const move = workflow.moves.find((one) => one.from === from && one.to === to)
  if (!move) return [REFUSED_MOVE]
  const isMissing = (workflow.states[from]?.required ?? []).some((name) => {
    const field = home.fields.find((one) => one.name === name)
    return field && field.kind !== 'checkbox' && scalarsOf(record, field).length === 0
  })
  const isOpen = !move.when || satisfies(asSeenBy(world, viewpoint), home, record, move.when)
  return [
    ...(move.isMine ? [] : refusalsOfOthers(writer, home, record, workflow.field)),
    ...(isMissing || !isOpen || (move.needsNote && note.trim() === '') ? [REFUSED_MOVE] : []),
  ]
}

/** A move for other roles is told to whoever reads the state; to others it is as if there were none. */
function refusalsOfOthers(writer: Writer, home: WorldCollection, record: WorldRecord, state: string): string[] {
  const ground = groundOf(writer, home, 'read')
  if (covering(writer, ground, record).length === 0) return [REFUSED_MOVE]
  const reading = ground.grants.map(({ hidden }) => !hidden.includes(state))
  return [...(reading.includes(true) ? [FORBIDDEN] : []), ...(reading.includes(false) ? [REFUSED_MOVE] : [])]
}
