import { compareScalars, compareTexts, fold, nameOf, readableIn, relatedTo, scalarsOf } from './evaluate-condition.ts'
import {
  optionsOf,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
} from '#tests/access-oracle/world/world.ts'

export type Order = {
  readonly field: WorldField
  readonly isDescending: boolean
  readonly via?: WorldField
}

/** Sorted records: empty values last in both directions, ties oldest first. */
export function expectedOrder(world: World, records: readonly WorldRecord[], orders: readonly Order[]): WorldRecord[] {
  // Records are in creation order, and sorting is stable.
  return records.toSorted((left, right) => {
    for (const order of orders) {
      const difference = compareBy(world, order, left, right)
      if (difference !== 0) return difference
    }
    return 0
  })
}

function compareBy(world: World, { field, via, isDescending }: Order, left: WorldRecord, right: WorldRecord): number {
  const read = (record: WorldRecord) => {
    const at = via ? relatedTo(world, via, record)[0] : record
    return at ? keyOf(world, field, at) : [null, null]
  }
  const [one, other] = [read(left), read(right)]
  for (const [at, own] of one.entries()) {
    const its = other[at] ?? null
    if (own === null || its === null) {
      if (own !== its) return own === null ? 1 : -1
      continue
    }
    const difference = compareParts(field, own, its)
    if (difference !== 0) return isDescending ? -difference : difference
  }
  return 0
}

function compareParts({ kind }: WorldField, own: string | number | boolean, its: string | number | boolean): number {
  const isText = typeof own === 'string' && kind !== 'date' && kind !== 'date-time'
  return isText ? compareTexts(own, String(its)) : compareScalars(own, its)
}

/** Sort key of a record; a relation sorts by the title of its first linked record, then by that record. */
function keyOf(world: World, field: WorldField, record: WorldRecord): readonly (string | number | boolean | null)[] {
  if (field.kind === 'relation') {
    const [first] = relatedTo(world, field, record)
    return first ? [nameOf(world, field.target, first), first.id] : [null, null]
  }
  const values = scalarsOf(record, field)
  if (field.kind === 'user') return keyOfPerson(world, values[0])
  if (field.kind === 'files') return [values.length === 0 ? null : values.length]
  const [value = null] = values
  const isChoice = field.kind === 'select' || field.kind === 'state'
  return [isChoice && value !== null ? optionsOf(field).indexOf(String(value)) : value]
}

const keyOfPerson = (world: World, id: string | number | boolean | undefined) =>
  id === undefined ? [null, null] : [fold(world.people.get(String(id)) ?? ''), id]

export function isFound(world: World, home: WorldCollection, record: WorldRecord, terms: readonly string[]): boolean {
  const texts = home.fields.filter(isSearched).flatMap((field) => searchedTexts(world, field, record))
  return terms.every((term) => texts.some((text) => fold(text).includes(fold(term))))
}

const isSearched = ({ kind }: WorldField): boolean =>
  kind !== 'number' && kind !== 'checkbox' && kind !== 'date' && kind !== 'date-time'

/** Searches match related records by title, never by ID. */
function searchedTexts(world: World, field: WorldField, record: WorldRecord): readonly string[] {
  if (field.kind !== 'relation') return readableIn(world, field, record)
  return relatedTo(world, field, record).flatMap((one) => {
    const name = nameOf(world, field.target, one)
    return name === null || name === one.id ? [] : name
  })
}

export type Group = {
  readonly key: readonly (string | number | boolean | null)[]
  readonly labels: readonly (string | undefined)[]
  readonly records: readonly WorldRecord[]
  readonly offset: number
}

/** A record with several values is in the group of each of them. */
export function grouped(world: World, found: readonly WorldRecord[], orders: readonly Order[]): Group[] {
  const groups: (Group & { readonly records: WorldRecord[] })[] = []
  const by = orders.map((order) => ({ ...order, field: single(order.field) }))
  const records = orders.reduce(
    (all, { field }) => (field.many ? all.flatMap((record) => copiesOf(world, field, record)) : all),
    found,
  )
  for (const [offset, record] of expectedOrder(world, records, by).entries()) {
    const key = by.map(({ field }) => scalarsOf(record, field)[0] ?? null)
    const open = groups.at(-1)
    if (open && JSON.stringify(open.key) === JSON.stringify(key)) open.records.push(record)
    else groups.push({ key, labels: by.map(({ field }) => labelOf(world, field, record)), records: [record], offset })
  }
  return groups
}

const single = (field: WorldField): WorldField => ({
  ...field,
  many: false,
  kind: field.kind === 'multi-select' ? 'select' : field.kind,
})

function copiesOf(world: World, field: WorldField, record: WorldRecord): readonly WorldRecord[] {
  const values =
    field.kind === 'relation' ? relatedTo(world, field, record).map(({ id }) => id) : scalarsOf(record, field)
  const filled = values.length === 0 ? [null] : values
  return filled.map((value) => ({ ...record, values: { ...record.values, [field.name]: value } }))
}

function labelOf(world: World, field: WorldField, record: WorldRecord): string | undefined {
  if (scalarsOf(record, field).length === 0) return ''
  if (field.kind === 'relation')
    return relatedTo(world, field, record).map((one) => nameOf(world, field.target, one) ?? one.id)[0]
  const isWritten = field.kind === 'text' || field.kind === 'select' || field.kind === 'state' || field.kind === 'user'
  if (!isWritten) return undefined
  return readableIn(world, field, record)[0] ?? ''
}
