import type { z } from 'zod'
import type { listRecordsByDay as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { shiftDay } from '#domain/shared/time.ts'
import { listWithin } from './list-records.ts'
import type { RecordDeps } from './record-deps.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['response']>

/** Reads each day as a list of its own, so that days have the same records as lists that are filtered by the day. */
export async function listRecordsByDay(
  deps: RecordDeps,
  actor: Actor,
  nameOrId: string,
  { by, from, days, perDay, ...requested }: Query,
): Promise<Answer> {
  const page = { ...requested, sort: by, page: 1, perPage: perDay, count: 'capped' } as const
  const lists = await Promise.all(
    daysFrom(from, days).map(async (day) => ({
      day,
      list: await listWithin(deps, { actor, also: onDay(by, day) }, nameOrId, page),
    })),
  )
  const recalculating = [...new Set(lists.flatMap(({ list }) => list.recalculating ?? []))]
  return {
    days: lists.map(({ day, list: { items, total, totalIs } }) => ({ day, items, total, totalIs })),
    ...(recalculating.length > 0 && { recalculating }),
  }
}

/** The calendar ends with the year 9999. */
const daysFrom = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => shiftDay(from, at, 'days') ?? []).flat()

/** A range, for which the index of the sort order is used. */
function onDay(field: string, day: string): Filter {
  const next = shiftDay(day, 1, 'days')
  const after: Filter = { field, op: '>=', value: day }
  return next === undefined ? after : { all: [after, { field, op: '<', value: next }] }
}
