import { types } from 'pg'

/** PostgreSQL's numbers for the types whose cells we want in the same shape as SQLite gives them. */
const { INT8, NUMERIC, DATE, TIMESTAMPTZ, TIMESTAMP, JSON: JSON_TEXT, JSONB } = types.builtins

const unchanged = (text: string): string => text

/** `2026-11-20 07:05:09.5+00` → `2026-11-20T07:05:09.500Z`; the session's time zone is UTC. */
function asInstant(text: string): string {
  const [day, time = ''] = text.split(' ')
  const [whole = '', fraction = ''] = time.replace(/\+00$/, '').split('.')
  return `${day}T${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

const PARSERS = new Map<number, (text: string) => string | number>([
  // Counts and sums: both databases compute them in doubles or in integers a double can hold.
  [INT8, Number],
  [NUMERIC, Number],
  [DATE, unchanged],
  [TIMESTAMPTZ, asInstant],
  [TIMESTAMP, asInstant],
  [JSON_TEXT, unchanged],
  [JSONB, unchanged],
])

/** How cells become values: numbers as numbers, days and instants as ISO text, JSON as text, truth as true and false. */
export const CELL_TYPES = {
  getTypeParser: (type: number): ((text: string) => unknown) => PARSERS.get(type) ?? types.getTypeParser(type),
}
