import { type Result, ok } from '../shared/result.ts'
import { type ListPlace, parseCursor } from './cursor.ts'
import { type QueryFault, invalidQuery } from './query-context.ts'
import { MAX_PER_PAGE } from './query-limits.ts'
import type { CheckedSort } from './sort.ts'

/** Which part of a list is asked for: a page by its number from 1, or what follows a cursor. */
export type PageInput = {
  readonly page?: number | undefined
  readonly perPage: number
  readonly cursor?: string | undefined
}

/** Where a page begins and how many records it holds at most. Behind a key, `skip` records are passed over. */
export type CheckedPage = ListPlace & { readonly skip: number; readonly limit: number }

/** The query a page belongs to, and for one that is filtered by the clock when it is asked. */
export type PageOwner = { readonly fingerprint: string; readonly sort: CheckedSort; readonly nowMs: number | undefined }

/** Proves a page; a cursor must belong to the same query. */
export function checkPage(input: PageInput, { fingerprint, sort, nowMs }: PageOwner): Result<CheckedPage, QueryFault> {
  const limit = Math.min(MAX_PER_PAGE, Math.max(1, Math.trunc(input.perPage)))
  if (input.cursor === undefined) {
    const page = Math.max(1, Math.trunc(input.page ?? 1))
    const begun = nowMs === undefined ? {} : { asOfMs: nowMs }
    return ok({ ordinal: (page - 1) * limit, after: null, skip: 0, limit, ...begun })
  }
  if (input.page !== undefined) return invalidQuery('cursor', 'Use either page or cursor, not both.')

  const place = parseCursor(input.cursor, fingerprint, sort)
  if (place === 'stranger')
    return invalidQuery(
      'cursor',
      'This cursor belongs to a different filter, search, sort order or time zone. Start again without it.',
    )
  const isBroken = place === 'broken' || (nowMs === undefined ? place.asOfMs !== undefined : !hasPassed(place, nowMs))
  if (isBroken) return invalidQuery('cursor', 'Invalid cursor. Start again without it.')
  return ok({ ...place, skip: 0, limit })
}

/** Nobody looks at a list as of a moment that is still to come. */
const hasPassed = ({ asOfMs }: ListPlace, nowMs: number): boolean => asOfMs !== undefined && asOfMs <= nowMs
