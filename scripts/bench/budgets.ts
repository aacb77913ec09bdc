import type { Budget } from './line.ts'

/*
 * The budgets of product.md, each with the peers' figures on the same work (Directus, NocoDB, PocketBase on SQLite, two
 * cores, November 2026). A function where the two databases or the disk make a difference.
 */

const NO_PROMISE = { budget: 'no budget', bounds: [] } as const

export const READ_ALONE: Budget = {
  what: 'read one record, 1 client',
  budget: 'p50 ≤ 0.25 ms',
  bounds: [{ of: 'p50', atMost: 0.25 }],
  peers: '0.18 / 1.6 ms',
}

export const READ_BY_MANY: Budget = {
  what: 'read one record, 16 clients',
  budget: '≥ 4,000/s',
  bounds: [{ of: 'perSecond', atLeast: 4000 }],
  peers: '5,749 / 500/s',
}

export const PAGE_ALONE: Budget = {
  what: 'page of 50, 1 client, not counted',
  budget: 'p50 ≤ 0.6 ms',
  bounds: [{ of: 'p50', atMost: 0.6 }],
  peers: '0.76 / 2–23 ms',
}

export const PAGE_BY_MANY: Budget = {
  what: 'page of 50, 16 clients, not counted',
  budget: '≥ 2,000/s',
  bounds: [{ of: 'perSecond', atLeast: 2000 }],
  peers: '1,163 / 41–515/s',
}

export const PAGE_COUNTED: Budget = { ...NO_PROMISE, what: 'page of 50 with the default count', peers: '–' }

export const PAGE_OF_GRID: Budget = { ...NO_PROMISE, what: 'page of 50 as the grid asks (related, gzip)', peers: '–' }

export const SORTED_FIRST: Budget = {
  what: 'sorted by a number, the very first time',
  budget: '≤ 600 ms',
  bounds: [{ of: 'figure', atMost: 600 }],
  peers: '–',
}

export const sortedBy = (kind: string, isPostgres: boolean): Budget => ({
  what: `page of 50 sorted by a ${kind}`,
  budget: isPostgres ? 'p95 ≤ 20 ms' : 'p95 ≤ 3 ms',
  bounds: [{ of: 'p95', atMost: isPostgres ? 20 : 3 }],
  peers: '87 / 178 ms at 1 M',
})

export const FILTERED: Budget = {
  what: 'filter (2.5 %), sort by date, exact count',
  budget: 'p95 ≤ 8 ms (SQLite)',
  bounds: [{ of: 'p95', atMost: 8 }],
  peers: '169 / 353 ms at 1 M',
}

export const FILTERED_ON_POSTGRES: Budget = { ...FILTERED, budget: 'none on PostgreSQL', bounds: [] }

export const searched = (isPostgres: boolean): Budget => ({
  what: 'search all text (1 %), 50 hits, exact count',
  budget: isPostgres ? 'p95 ≤ 100 ms' : 'p95 ≤ 20 ms',
  bounds: [{ of: 'p95', atMost: isPostgres ? 100 : 20 }],
  peers: '210 / 753 ms at 1 M',
})

export const deep = (isPostgres: boolean): Budget => ({
  what: 'pages of 50 anywhere, the last among them',
  budget: isPostgres ? 'p95 ≤ 10 ms' : 'p95 ≤ 2 ms',
  bounds: [{ of: 'p95', atMost: isPostgres ? 10 : 2 }],
  peers: '38 / 80 ms at 1 M',
})

export const GROUPED: Budget = {
  what: 'group by a select, count and sum',
  budget: 'p50 ≤ 5 ms unchanged, ≤ 90 ms else',
  bounds: [{ of: 'p50', atMost: 5 }],
  peers: '299 / 941 ms at 1 M',
}

export const READ_BESIDE_HEAVY: Budget = {
  what: 'read one record while 4 clients sort',
  budget: 'p95 ≤ 10 ms',
  bounds: [{ of: 'p95', atMost: 10 }],
  peers: '20 / 792–1,029 ms at 1 M',
}

export const writeAlone = (what: string, fsyncMs: number): Budget => ({
  what: `${what}, 1 client, durable`,
  budget: `p50 ≤ 1 ms + fsync (${fsyncMs.toFixed(2)})`,
  bounds: [{ of: 'p50', atMost: 1 + fsyncMs }],
  peers: '0.4 (no fsync) / 3.6–4.4 ms',
})

export const writeByMany = (what: string): Budget => ({
  what: `${what}, 16 clients, durable`,
  budget: '≥ 1,000/s',
  bounds: [{ of: 'perSecond', atLeast: 1000 }],
  peers: '2,485 (no fsync) / 240/s',
})

export const signIn = (hashesPerSecond: number): Budget => ({
  what: 'password sign-in, 16 clients',
  budget: `≥ 90 % of ${hashesPerSecond.toFixed(0)} hashes/s`,
  bounds: [{ of: 'perSecond', atLeast: 0.9 * hashesPerSecond }],
  peers: '25 / 7–18/s',
})

export const READ_BESIDE_SIGN_IN: Budget = { ...NO_PROMISE, what: 'read one record while 16 sign in', peers: '–' }

export const COLD_START: Budget = {
  what: 'cold start to the first 200',
  budget: '≤ 500 ms',
  bounds: [{ of: 'figure', atMost: 500 }],
  peers: '100 / 2,000–2,500 ms',
}

export const COLD_START_EMPTY: Budget = { ...COLD_START, what: 'cold start, no records' }

export const MEMORY_IDLE: Budget = {
  what: 'memory of the server, idle',
  budget: '≤ 150 MB',
  bounds: [{ of: 'figure', atMost: 150 }],
  peers: '93 / 371–413 MB',
}

export const MEMORY_LOADED: Budget = {
  what: 'memory of the server, highest of the run',
  budget: '≤ 400 MB',
  bounds: [{ of: 'figure', atMost: 400 }],
  peers: '670–2,171 MB',
}

export const EVENT_LOOP: Budget = { ...NO_PROMISE, what: 'event-loop delay under all this, longest', peers: '–' }

export const FIRST_LOAD: Budget = {
  what: 'JavaScript before login, gzip',
  budget: '≤ 170 kB',
  bounds: [{ of: 'figure', atMost: 170 }],
  peers: '211 / 2,531–4,800 kB',
}

export const TO_THE_GRID: Budget = {
  what: 'JavaScript to an interactive grid, gzip',
  budget: '≤ 280 kB',
  bounds: [{ of: 'figure', atMost: 280 }],
  peers: '211 / 2,531–4,800 kB',
}

export const DIRECT_FILL: Budget = { ...NO_PROMISE, what: 'records stored in bulk, without an index', peers: '–' }
