import type { Field } from '../fields/field.ts'
import { valueField } from '../formulas/value-field.ts'
import type { GroupInterval } from '../query/list/aggregates.ts'
import type { Comparison, Filter, FilterLiteral } from '../query/filter/filter.ts'
import { startOfDay } from '../shared/time.ts'
import { type ChartKey, nextStart } from './chart-data.ts'

/** A field by which a chart groups records. */
export type ChartGroup = {
  readonly field: Field
  /** Null unless the field contains dates. */
  readonly interval: GroupInterval | null
}

/**
 * The condition that exactly the records of a group match. “Other” contains the records that are in no other group of
 * `shown`. Days begin in the workspace's time zone, as in groups, which can differ from that of the reader.
 */
export function filterOfKey(
  group: ChartGroup,
  { key, kind }: Pick<ChartKey, 'key' | 'kind'>,
  { shown, timeZone }: { readonly shown: readonly Pick<ChartKey, 'key' | 'kind'>[]; readonly timeZone: string },
): Filter {
  const { field, interval } = group
  if (kind === 'other') return { all: shown.flatMap((each) => (each.kind === 'other' ? [] : [outside(field, each)])) }
  if (kind === 'empty') return { field: field.name, op: 'is empty' }
  return interval === null ? equalTo(field, valueOf(key)) : within(field, { key, interval, timeZone })
}

/**
 * The condition that the records of at least one of these groups match. Of dates, all from the earliest on match,
 * because the earliest ones are left out.
 */
export function filterOfKeys(
  group: ChartGroup,
  keys: readonly Pick<ChartKey, 'key' | 'kind'>[],
  timeZone: string,
): Filter {
  const { field, interval } = group
  const found = keys.filter(({ kind }) => kind === 'group').map(({ key }) => key)
  const empty: Filter[] = keys.some(({ kind }) => kind === 'empty') ? [{ field: field.name, op: 'is empty' }] : []
  if (found.length === 0) return { any: empty }
  if (interval !== null) {
    const [first = ''] = found.toSorted()
    return { any: [{ field: field.name, op: '>=', value: dateOf(field, first, timeZone) }, ...empty] }
  }
  const values = found.map(valueOf)
  const parts: readonly Filter[] =
    valueField(field).kind === 'checkbox'
      ? values.map((value) => equalTo(field, value))
      : [{ field: field.name, op: 'in', value: values }]
  return { any: [...parts, ...empty] }
}

/** Keys of groups that aren't dates are JSON. */
const valueOf = (key: string): FilterLiteral => JSON.parse(key)

/** Boxes that were never checked have no value. */
const isCheckbox = ({ kind }: Field): boolean => kind === 'checkbox'

const equalTo = (field: Field, value: FilterLiteral): Comparison =>
  isCheckbox(field) && value === false
    ? { field: field.name, op: '!=', value: true }
    : { field: field.name, op: '=', value }

function outside(field: Field, { key, kind }: Pick<ChartKey, 'key' | 'kind'>): Comparison {
  if (kind === 'empty') return { field: field.name, op: 'is not empty' }
  const value = valueOf(key)
  return isCheckbox(field) && value === false
    ? { field: field.name, op: '=', value: true }
    : { field: field.name, op: '!=', value }
}

type Dates = { readonly key: string; readonly interval: GroupInterval; readonly timeZone: string }

/** The calendar ends with the year 9999. */
const LAST_DAY = '9999-12-31'

function within(field: Field, { key, interval, timeZone }: Dates): Filter {
  const from: Comparison = { field: field.name, op: '>=', value: dateOf(field, key, timeZone) }
  const next = nextStart(key, interval)
  return next > LAST_DAY || next.length > LAST_DAY.length
    ? from
    : { all: [from, { field: field.name, op: '<', value: dateOf(field, next, timeZone) }] }
}

const dateOf = (field: Field, day: string, timeZone: string): string =>
  valueField(field).kind === 'date' ? day : startOfDay(timeZone, day).toISOString()
