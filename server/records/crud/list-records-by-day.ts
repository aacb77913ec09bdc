import type { z } from 'zod'
import type { listRecordsByDay as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, findField } from '#domain/collections/collection.ts'
import { environmentOfActor } from '#domain/query/check/check-filter.ts'
import type { QueryContext } from '#domain/query/check/query-context.ts'
import { resolvePath } from '#domain/query/check/resolve-path.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { Problem } from '#domain/shared/problem.ts'
import { shiftDay } from '#domain/shared/time.ts'
import { dateKindOf } from '#domain/views/dates/date-fields.ts'
import { queryContext } from '#server/access/record-access/authorized-query.ts'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { listWithin } from './list-records.ts'
import { queryActorOf, type RecordDeps } from './record-deps.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['response']>

/** Reads each day as a list of its own, so that days have the same records as lists that are filtered by the day. */
export async function listRecordsByDay(
  deps: RecordDeps,
  actor: Actor,
  nameOrId: string,
  { by, from, days, perDay, ...requested }: Query,
): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  assertDateField(by, queryContext(queryActorOf(deps, definitions, actor), collection, decision))
  const page = { ...requested, sort: by, page: 1, perPage: perDay, count: 'capped' } as const
  const reads = createSemaphore(MAX_CONCURRENT)
  const lists = await Promise.all(
    daysFrom(from, days).map(async (day) => ({
      day,
      list: await reads.run(() => listWithin(deps, { actor, also: onDay(by, day) }, nameOrId, page)),
    })),
  )
  const recalculating = [...new Set(lists.flatMap(({ list }) => list.recalculating ?? []))]
  return {
    days: lists.map(({ day, list: { items, total, totalIs } }) => ({ day, items, total, totalIs })),
    ...(recalculating.length > 0 && { recalculating }),
  }
}

/** Days that a request reads at once, so that it doesn't fill the queue of the database. */
const MAX_CONCURRENT = 8

/** Fields with several dates are rejected, because a range could match two different ones. */
function assertDateField(by: string, context: QueryContext): void {
  const environment = environmentOfActor(context)
  const source = environment && resolvePath(by, environment)
  const { collection } = context
  if (!source || (source.ok && isDated(by, collection))) return
  const message = source.ok
    ? `“${by}” isn’t a date field. Use a date or date-time field of ${collection.label}.`
    : source.fault
  throw new Problem('invalid-request', message, { errors: [{ path: 'by', code: 'invalid-field', message }] })
}

function isDated(by: string, collection: Collection): boolean {
  const field = findField(collection, by)
  return field ? dateKindOf(field) !== undefined : by === 'createdAt' || by === 'updatedAt'
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
