import { type Result, ok } from '../shared/result.ts'
import { type ListPlace, parseCursor } from './cursor.ts'
import { type QueryFault, refuse } from './query-context.ts'
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

/** Proves a page; a cursor must belong to the same query. */
export function checkPage(input: PageInput, fingerprint: string, sort: CheckedSort): Result<CheckedPage, QueryFault> {
  const limit = Math.min(MAX_PER_PAGE, Math.max(1, Math.trunc(input.perPage)))
  if (input.cursor === undefined) {
    const page = Math.max(1, Math.trunc(input.page ?? 1))
    return ok({ ordinal: (page - 1) * limit, after: null, skip: 0, limit })
  }
  if (input.page !== undefined) return refuse('cursor', 'Ask for a page or for what follows a cursor, not for both.')

  const place = parseCursor(input.cursor, fingerprint, sort)
  if (place === 'stranger')
    return refuse('cursor', 'This cursor belongs to another filter, search or order. Start again without it.')
  if (place === 'broken') return refuse('cursor', 'This cursor is damaged. Start again without it.')
  return ok({ ...place, skip: 0, limit })
}
