import type { JsonAnswer } from './fetch-json.ts'
import type { RawRequest } from './raw-client.ts'

/** The address of the measured collection's records. */
export const RECORDS = '/api/collections/items/records'

/** What is asked for by reading. */
export const get = (path: string): RawRequest => ({ method: 'GET', path })

/** A list's address. */
export function listPath(query: Readonly<Record<string, string>>): string {
  return `${RECORDS}?${new URLSearchParams({ perPage: '50', ...query }).toString()}`
}

/** Throws when an answer is not the right one. */
export function expectSame(what: string, answered: unknown, expected: unknown): void {
  if (JSON.stringify(answered) === JSON.stringify(expected)) return
  throw new Error(`${what}: the server says ${JSON.stringify(answered)}, right is ${JSON.stringify(expected)}`)
}

/** The items of a page. */
// Every list has them.
export const itemsOf = ({ items }: JsonAnswer): readonly { readonly [part: string]: unknown }[] =>
  items as { [part: string]: unknown }[]
