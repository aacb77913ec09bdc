import {
  areOpen,
  expectedRejection,
  covering,
  FORBIDDEN,
  type WriteContext,
  lockedFieldErrors,
  referenceErrors,
  ruleErrors,
  inputErrors,
  duplicateErrors,
  setUnreadableFields,
  grantsOf,
  recordIn,
  NO_RECORD,
  rejected,
  type Sent,
  type ExpectedResult,
  withoutRecords,
  withRecord,
  type Writer,
} from './expect-write.ts'
import { satisfies, scalarsOf } from './evaluate-condition.ts'
import { asSeenBy, type Right } from './viewpoint.ts'
import { emptyOf, optionsOf, type WorldCollection, type WorldRecord } from '#tests/access-oracle/world/world.ts'

export const NEW = 'new'

export const REJECTED_TRANSITION = '422 transition-refused'

export const writeContextOf = (writer: Writer, home: WorldCollection, right: Right): WriteContext => ({
  home,
  right,
  grants: grantsOf(writer, home.name, right),
})

const now = (writer: Writer, home: WorldCollection): WorldCollection =>
  writer.world.collections.find(({ name }) => name === home.name) ?? home

const ALONE = { id: NEW, hasDoor: true }

export function expectCreate(
  writer: Writer,
  home: WorldCollection,
  sent: Sent,
  { id, hasDoor } = ALONE,
): ExpectedResult {
  const closed = expectedRejection(writer, home.name, 'create', hasDoor)
  if (closed) return rejected(writer.world, closed)
  const context = writeContextOf(writer, home, 'create')
  const own = { id, createdBy: writer.viewpoint.me.id }
  // Managers of a collection can create records in any status.
  const maker: Writer = { ...writer, bringsStates: writer.viewpoint.manages.has(home.name) }
  const faults = [
    ...inputErrors(maker, context, sent),
    ...referenceErrors(writer, home, { ...own, values: {} }, sent),
    ...duplicateErrors(home, id, sent),
  ]
  const starting = home.fields.map((field) => [
    field.name,
    field.kind === 'state' ? optionsOf(field)[0] : emptyOf(field),
  ])
  // A grant's default values apply unless the request sets a value that the grant doesn't allow.
  const filled = context.grants.find(
    ({ presets, hidden }) => presets && knownIn(home, sent).every((name) => !hidden.includes(name)),
  )
  const record: WorldRecord = {
    ...own,
    values: { ...Object.fromEntries(starting), ...filled?.presets, ...sent },
  }
  const after = { ...writer, world: withRecord(writer.world, home.name, record) }
  if (faults.length === 0) {
    const made = recordIn(after.world, home.name, record)
    if (!areOpen(after, context, made, Object.keys(sent))) faults.push(FORBIDDEN)
    faults.push(...ruleErrors(after, now(after, home), { before: null, after: made }))
  }
  return faults.length > 0 ? rejected(writer.world, ...faults) : { refusals: new Set(), world: after.world }
}

export function expectCreates(writer: Writer, home: WorldCollection, records: readonly Sent[]): ExpectedResult {
  const refusals = new Set<string>()
  let { world } = writer
  for (const [at, sent] of records.entries()) {
    const outcome = expectCreate({ ...writer, world }, now({ ...writer, world }, home), sent, {
      id: newAt(at),
      hasDoor: false,
    })
    for (const refusal of outcome.refusals) refusals.add(refusal)
    world = outcome.world
  }
  return { refusals, world: refusals.size > 0 ? writer.world : world }
}

export const newAt = (place: number): string => (place === 0 ? NEW : `${NEW} ${place}`)

export type Change = { readonly id: string; readonly sent: Sent }

export function expectUpdates(
  writer: Writer,
  home: WorldCollection,
  changes: readonly Change[],
  hasDoor: boolean,
): ExpectedResult {
  const closed = expectedRejection(writer, home.name, 'update', hasDoor)
  if (closed) return rejected(writer.world, closed)
  const context = writeContextOf(writer, home, 'update')
  const faults: string[] = []
  const made: (Change & { readonly unread: readonly string[] })[] = []
  let at = writer
  for (const { id, sent } of changes) {
    const here = now(at, home)
    const before = here.records.find((one) => one.id === id)
    if (!before || covering(at, { ...context, home: here }, before).length === 0)
      return rejected(writer.world, NO_RECORD, ...faults)
    faults.push(...inputErrors(at, context, sent), ...referenceErrors(at, home, before, sent))
    if (!areOpen(at, context, before, knownIn(home, sent))) faults.push(FORBIDDEN)
    faults.push(...lockedFieldErrors(at, home, before, sent), ...duplicateErrors(here, id, sent))
    made.push({ id, sent, unread: setUnreadableFields(at, here, before, sent) })
    at = { ...at, world: withRecord(at.world, home.name, { ...before, values: { ...before.values, ...sent } }) }
  }
  if (faults.length > 0) return rejected(writer.world, ...faults)
  return evaluateAfter(writer, at, context, made)
}

/** With a stale version, users who may change the record get this error before any other. */
export function expectStaleUpdate(writer: Writer, home: WorldCollection, id: string): ExpectedResult {
  const closed = expectedRejection(writer, home.name, 'update')
  if (closed) return rejected(writer.world, closed)
  const record = home.records.find((one) => one.id === id)
  const isTheirs = record && covering(writer, writeContextOf(writer, home, 'update'), record).length > 0
  return rejected(writer.world, isTheirs ? '409 version-conflict' : NO_RECORD)
}

/** After a change, the records must still be covered by a grant, their fields still writable, and no rule violated. */
function evaluateAfter(
  writer: Writer,
  after: Writer,
  context: WriteContext,
  changes: readonly (Change & { readonly unread: readonly string[] })[],
): ExpectedResult {
  const [was, is] = [now(writer, context.home), now(after, context.home)]
  const faults = changes.flatMap(({ id, sent, unread }) => {
    const [before, record] = [was, is].map(({ records }) => records.find((one) => one.id === id))
    if (!before || !record) return []
    const isInside = areOpen(after, { ...context, home: is }, record, knownIn(is, sent))
    return [...(isInside ? [] : [FORBIDDEN]), ...ruleErrors(after, is, { before, after: record, unread })]
  })
  return faults.length > 0 ? rejected(writer.world, ...faults) : { refusals: new Set(), world: after.world }
}

export const knownIn = ({ fields }: WorldCollection, sent: Sent): string[] =>
  Object.keys(sent).filter((name) => fields.some((field) => field.name === name))

export function expectDeletes(
  writer: Writer,
  home: WorldCollection,
  ids: readonly string[],
  hasDoor: boolean,
): ExpectedResult {
  const closed = expectedRejection(writer, home.name, 'delete', hasDoor)
  if (closed) return rejected(writer.world, closed)
  const context = writeContextOf(writer, home, 'delete')
  const isTheirs = (id: string): boolean =>
    home.records.some((record) => record.id === id && covering(writer, context, record).length > 0)
  if (!ids.every(isTheirs)) return rejected(writer.world, NO_RECORD)
  return { refusals: new Set(), world: withoutRecords(writer.world, home.name, ids) }
}

export type Destination = { readonly to: string; readonly note?: string }

export function expectTransition(
  writer: Writer,
  home: WorldCollection,
  id: string,
  destination: Destination,
): ExpectedResult {
  const closed = expectedRejection(writer, home.name, 'transition')
  if (closed) return rejected(writer.world, closed)
  const record = home.records.find((one) => one.id === id)
  const context = writeContextOf(writer, home, 'transition')
  if (!record || covering(writer, context, record).length === 0) return rejected(writer.world, NO_RECORD)
  const faults = transitionErrors(writer, home, record, destination)
  if (faults.length > 0) return rejected(writer.world, ...faults)
  return evaluateMoved(writer, home, [record], destination)
}

function evaluateMoved(
  writer: Writer,
  home: WorldCollection,
  records: readonly WorldRecord[],
  { to }: Destination,
): ExpectedResult {
  const field = home.laws.workflow?.field ?? ''
  const world = records.reduce(
    (at, record) => withRecord(at, home.name, { ...record, values: { ...record.values, [field]: to } }),
    writer.world,
  )
  const after = { ...writer, world }
  const faults = records.flatMap((before) =>
    ruleErrors(after, now(after, home), { before, after: recordIn(world, home.name, before) }),
  )
  return faults.length > 0 ? rejected(writer.world, ...faults) : { refusals: new Set(), world }
}

/** Why a transition is not allowed; shown to users with transition permission. */
export function transitionErrors(
  writer: Writer,
  home: WorldCollection,
  record: WorldRecord,
  { to, note = '' }: Destination,
): string[] {
  const { world, viewpoint } = writer
  const { workflow } = home.laws
  if (!workflow) return [REJECTED_TRANSITION]
  const from = String(record.values[workflow.field])
  const move = workflow.moves.find((one) => one.from === from && one.to === to)
  if (!move) return [REJECTED_TRANSITION]
  const isMissing = (workflow.states[from]?.required ?? []).some((name) => {
    const field = home.fields.find((one) => one.name === name)
    return field && field.kind !== 'checkbox' && scalarsOf(record, field).length === 0
  })
  const isOpen = !move.when || satisfies(asSeenBy(world, viewpoint), home, record, move.when)
  return [
    ...(move.isMine ? [] : refusalsOfOthers(writer, home, record, workflow.field)),
    ...(isMissing || !isOpen || (move.needsNote && note.trim() === '') ? [REJECTED_TRANSITION] : []),
  ]
}

/** A transition limited to other roles is reported to users who can read the status; for others it does not exist. */
function refusalsOfOthers(writer: Writer, home: WorldCollection, record: WorldRecord, state: string): string[] {
  const context = writeContextOf(writer, home, 'read')
  if (covering(writer, context, record).length === 0) return [REJECTED_TRANSITION]
  const reading = context.grants.map(({ hidden }) => !hidden.includes(state))
  return [...(reading.includes(true) ? [FORBIDDEN] : []), ...(reading.includes(false) ? [REJECTED_TRANSITION] : [])]
}
