import type { JsonAnswer } from './fetch-json.ts'
import type { RawRequest } from './raw-client.ts'

export const RECORDS = '/api/collections/items/records'

export const get = (path: string): RawRequest => ({ method: 'GET', path })

export function listPath(query: Readonly<Record<string, string>>): string {
  return `${RECORDS}?${new URLSearchParams({ perPage: '50', ...query }).toString()}`
}

export function expectSame(what: string, answered: unknown, expected: unknown): void {
  if (JSON.stringify(answered) === JSON.stringify(expected)) return
  throw new Error(`${what}: the server says ${JSON.stringify(answered)}, right is ${JSON.stringify(expected)}`)
}

// The format is part of the API.
export const itemsOf = ({ items }: JsonAnswer): readonly { readonly [part: string]: unknown }[] =>
  items as { [part: string]: unknown }[]
