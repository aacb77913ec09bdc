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
  const found: Answer['days'] = []
  const recalculating = new Set<string>()
  for (let at = 0; at < days; at += 1) {
    const day = shiftDay(from, at, 'days')
    if (day === undefined) break
    const page = { ...requested, sort: by, page: 1, perPage: perDay, count: 'capped' } as const
    const list = await listWithin(deps, { actor, also: onDay(by, day) }, nameOrId, page)
    found.push({ day, items: list.items, total: list.total, totalIs: list.totalIs })
    for (const name of list.recalculating ?? []) recalculating.add(name)
  }
  return { days: found, ...(recalculating.size > 0 && { recalculating: [...recalculating] }) }
}

/** A range, for which the index of the sort order is used. */
function onDay(field: string, day: string): Filter {
  const next = shiftDay(day, 1, 'days')
  const after: Filter = { field, op: '>=', value: day }
  return next === undefined ? after : { all: [after, { field, op: '<', value: next }] }
}
