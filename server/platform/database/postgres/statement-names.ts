import { createLruMap } from '#server/platform/lru-map.ts'

/** Statements that are remembered at the same time, and runs after which one gets a name. */
const MAX_KNOWN = 100
const MIN_RUNS = 5

/** Longer statements are rare, and each connection would keep their plans. */
const MAX_LENGTH = 8_000

/** A statement as it is sent. */
export type Sent = { readonly text: string; readonly values: unknown[]; readonly name?: string }

/**
 * Names statements that run often, so that each connection parses and plans them only once. After a few runs, PostgreSQL
 * plans a named statement regardless of its parameters, so it must be one that looks up rows by key.
 */
export function createStatementNames(): (text: string, values: readonly unknown[]) => Sent {
  const known = createLruMap<{ readonly name: string; runs: number }>(MAX_KNOWN)
  let last = 0
  return (text, values) => {
    const sent = { text, values: [...values] }
    if (text.length > MAX_LENGTH) return sent
    const found = known.find(text)
    if (!found) {
      last += 1
      known.set(text, { name: `s${last}`, runs: 1 })
      return sent
    }
    found.runs += 1
    return found.runs > MIN_RUNS ? { ...sent, name: found.name } : sent
  }
}
