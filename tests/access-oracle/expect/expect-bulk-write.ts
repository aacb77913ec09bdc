import { isFound } from './expected-answers.ts'
import type { Condition } from '#tests/access-oracle/generate/condition.ts'
import {
  type Destination,
  transitionErrors,
  writeContextOf,
  knownIn,
  REJECTED_TRANSITION,
} from './expect-single-write.ts'
import {
  areOpen,
  expectedRejection,
  covering,
  lockedFieldErrors,
  referenceErrors,
  ruleErrors,
  inputErrors,
  duplicateErrors,
  setUnreadableFields,
  FORBIDDEN,
  INVALID,
  NO_COLLECTION,
  rejected,
  type Sent,
  type ExpectedResult,
  recordIn,
  viewOf,
  withoutRecords,
  withRecord,
  type Writer,
} from './expect-write.ts'
import { collectionIn, satisfies, scalarsOf } from './evaluate-condition.ts'
import { asSeenBy, type Right } from './viewpoint.ts'
import type { World, WorldCollection, WorldField, WorldRecord, WorldValue } from '#tests/access-oracle/world/world.ts'

export type Search = {
  readonly filter?: Condition
  readonly search?: readonly string[]
  readonly except: readonly string[]
  readonly only?: readonly string[]
}

export type Given = { readonly values: Sent; readonly add?: Sent; readonly take?: Sent }

export type BulkWrite = { readonly update: Given } | { readonly delete: true } | { readonly transition: Destination }

/** An edit, and whether records that can't be edited are skipped or cause the whole edit to be rejected. */
export type BulkAction = { readonly edit: BulkWrite; readonly isLeaving: boolean }

export type ExpectedBulkResult = ExpectedResult & { readonly count: number; readonly left: number }

const rightFor = (edit: BulkWrite): Right => ('update' in edit ? 'update' : 'delete' in edit ? 'delete' : 'transition')

export function expectBulkWrite(
  writer: Writer,
  home: WorldCollection,
  search: Search,
  doing: BulkAction,
): ExpectedBulkResult {
  const { edit, isLeaving } = doing
  const right = rightFor(edit)
  const isStateless = 'transition' in edit && !home.laws.workflow
  const closed = expectedRejection(writer, home.name, right, false)
  if (closed === NO_COLLECTION) return refusedAll(writer, closed)
  if (closed ?? isStateless)
    return refusedAll(writer, ...(closed ? [closed] : []), ...(isStateless ? [REJECTED_TRANSITION] : []))

  const context = writeContextOf(writer, home, right)
  const found = recordsFound(writer, home, search)
  const theirs = found.filter((record) => covering(writer, context, record).length > 0)
  if ('delete' in edit) {
    const ids = theirs.map(({ id }) => id)
    return { ...taken(withoutRecords(writer.world, home.name, ids)), count: ids.length }
  }
  const plan =
    'transition' in edit ? planOfMove(writer, home, edit.transition) : planOfUpdate(writer, home, edit.update)
  const meant = theirs.filter(plan.isMeant)
  const many = search.only?.filter((id) => !search.except.includes(id)) ?? meant
  const faults = plan.faultsOfAll(many.length > 1)
  return faults.length > 0 ? refusedAll(writer, ...faults) : carriedOut(writer, home, { plan, meant, isLeaving })
}

const taken = (world: World) => ({ refusals: new Set<string>(), world, left: 0 })

const refusedAll = (writer: Writer, ...faults: readonly string[]): ExpectedBulkResult => ({
  ...rejected(writer.world, ...faults),
  count: 0,
  left: 0,
})

function recordsFound(
  writer: Writer,
  home: WorldCollection,
  { filter, search, except, only }: Search,
): readonly WorldRecord[] {
  const view = viewOf(writer)
  const there = collectionIn(view, home.name)
  const ids = new Set(
    (there?.records ?? [])
      .filter((record) => there && (!filter || satisfies(view, there, record, filter)))
      .filter((record) => there && (!search || isFound(view, there, record, search)))
      .map(({ id }) => id),
  )
  return home.records.filter(({ id }) => ids.has(id) && !except.includes(id) && (!only || only.includes(id)))
}

type Plan = {
  /** Whether the edit applies to the record; other records are ignored silently. */
  readonly isMeant: (record: WorldRecord) => boolean
  readonly becomes: (record: WorldRecord) => Sent
  /** Errors that do not depend on the matching records. */
  readonly faultsOfAll: (areMany: boolean) => readonly string[]
  readonly faultsBefore: (record: WorldRecord) => readonly string[]
  /** Errors that occur as soon as at least one record would be changed. */
  readonly faultsOfSome: (records: readonly WorldRecord[]) => readonly string[]
  readonly isInsideBehind: (after: Writer, record: WorldRecord) => boolean
}

type Carried = { readonly plan: Plan; readonly meant: readonly WorldRecord[]; readonly isLeaving: boolean }

function carriedOut(writer: Writer, home: WorldCollection, { plan, meant, isLeaving }: Carried): ExpectedBulkResult {
  const without = (out: readonly WorldRecord[]): ExpectedBulkResult => {
    const rest = carriedOut(writer, home, { plan, meant: meant.filter((one) => !out.includes(one)), isLeaving })
    return { ...rest, left: rest.left + out.length }
  }
  const before = meant.filter((record) => plan.faultsBefore(record).length > 0)
  if (isLeaving && before.length > 0) return without(before)
  const faults = [...before.flatMap(plan.faultsBefore), ...(meant.length > 0 ? plan.faultsOfSome(meant) : [])]
  if (faults.length > 0) return refusedAll(writer, ...faults)

  const changed = meant.map((one) => ({ ...one, values: { ...one.values, ...plan.becomes(one) } }))
  const world = changed.reduce((at, record) => withRecord(at, home.name, record), writer.world)
  const after = { ...writer, world }
  const is = world.collections.find(({ name }) => name === home.name) ?? home
  const settledIn = (one: WorldRecord): WorldRecord => recordIn(world, home.name, one)
  const outside = meant.filter((one) => !plan.isInsideBehind(after, settledIn(one)))
  if (isLeaving && outside.length > 0) return without(outside)
  const breaches = (one: WorldRecord): string[] =>
    ruleErrors(after, is, {
      before: one,
      after: settledIn(one),
      unread: setUnreadableFields(writer, home, one, plan.becomes(one)),
    })
  const breaking = meant.filter((one) => breaches(one).length > 0)
  if (isLeaving && breaking.length > 0) return without(breaking)
  if (outside.length + breaking.length > 0)
    return refusedAll(writer, ...outside.map(() => FORBIDDEN), ...breaking.flatMap(breaches))
  return { ...taken(world), count: meant.length }
}

function planOfMove(writer: Writer, home: WorldCollection, destination: Destination): Plan {
  const { workflow } = home.laws
  const here = asSeenBy(writer.world, writer.viewpoint)
  return {
    // Records without a matching transition are ignored; either all others are transitioned, or none.
    isMeant: (record) =>
      workflow?.moves.some(
        ({ from, to, when, isMine }) =>
          isMine &&
          to === destination.to &&
          from === record.values[workflow.field] &&
          (!when || satisfies(here, home, record, when)),
      ) === true,
    becomes: () => (workflow ? { [workflow.field]: destination.to } : {}),
    faultsOfAll: () => [],
    faultsBefore: (record) => transitionErrors(writer, home, record, destination),
    faultsOfSome: () => [],
    isInsideBehind: () => true,
  }
}

function planOfUpdate(writer: Writer, home: WorldCollection, given: Given): Plan {
  const { values, add = {}, take = {} } = given
  const context = writeContextOf(writer, home, 'update')
  const reading = writeContextOf(writer, home, 'read')
  const lists = { ...add, ...take }
  const [named, listed] = [knownIn(home, { ...values, ...lists }), knownIn(home, lists)]
  const becomes = (record: WorldRecord): Sent => ({ ...values, ...listsOf(record, home, { add, take }) })
  return {
    // Adding and removing list values requires read access to the list.
    isMeant: (record) => areOpen(writer, context, record, named) && areOpen(writer, reading, record, listed),
    becomes,
    faultsOfAll: (areMany) => [
      ...inputErrors(writer, context, { ...values, ...lists }),
      ...inputErrors(writer, reading, lists),
      ...home.fields.flatMap((field) => faultsOfList(field, given)),
      // A unique field can't be set to the same value on several records.
      ...(areMany && home.fields.some(({ name, isUnique }) => isUnique === true && isGiven(values[name]))
        ? [INVALID]
        : []),
    ],
    faultsBefore: (record) => lockedFieldErrors(writer, home, record, becomes(record)),
    faultsOfSome: (records) => [
      ...records.flatMap((record) => [
        ...referenceErrors(writer, home, record, values),
        ...duplicateErrors(home, record.id, values),
      ]),
      ...referenceErrors(writer, home, { id: '', createdBy: '', values: {} }, add),
      ...referenceErrors(writer, home, { id: '', createdBy: '', values: {} }, take),
    ],
    isInsideBehind: (after, record) => areOpen(after, context, record, named),
  }
}

const isGiven = (value: WorldValue | undefined): boolean => value !== undefined && value !== null && value !== ''

/** Values can be added to and removed from lists only, except files, and not in fields that are also set. */
function faultsOfList({ name, many, kind }: WorldField, { values, add = {}, take = {} }: Given): string[] {
  if (!Object.hasOwn(add, name) && !Object.hasOwn(take, name)) return []
  return many && kind !== 'files' && !Object.hasOwn(values, name) ? [] : [INVALID]
}

function listsOf(record: WorldRecord, home: WorldCollection, { add = {}, take = {} }: Omit<Given, 'values'>): Sent {
  const fields = home.fields.filter(({ name }) => Object.hasOwn(add, name) || Object.hasOwn(take, name))
  return Object.fromEntries(
    fields.map((field) => {
      const itemsIn = (sent: Sent): string[] =>
        Object.hasOwn(sent, field.name) ? scalarsOf({ values: sent }, field).map(String) : []
      const out = itemsIn(take)
      const staying = itemsIn(record.values).filter((item) => !out.includes(item))
      return [field.name, [...new Set([...staying, ...itemsIn(add)])]]
    }),
  )
}
