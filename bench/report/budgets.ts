import type { Dialect } from '#server/platform/database/database.ts'
import type { Bound, Budget } from './result.ts'

/**
 * Performance budgets, with the results of comparable products for the same work (Directus, NocoDB and PocketBase on
 * SQLite, two cores, November 2026; measured separately).
 */

const onBoth = (bound: Bound) => ({ sqlite: bound, postgres: bound })
const p50 = (atMost: number): Bound => ({ of: 'p50', atMost })
export const p95 = (atMost: number): Bound => ({ of: 'p95', atMost })
const figure = (atMost: number): Bound => ({ of: 'figure', atMost })
const perSecond = (min: number): Bound => ({ of: 'perSecond', min })

/** Creates a row that is measured but has no budget. */
export const noPromise = (what: string, clients?: number): Budget => ({
  what,
  ...(clients === undefined ? {} : { clients }),
  budget: '',
  bounds: {},
  peers: '',
})

const byMany = (budget: Budget, promise: Partial<Budget> = { budget: '', bounds: {} }): Budget => ({
  ...budget,
  clients: 16,
  peers: '',
  ...promise,
})

export const READ: Budget = {
  what: 'Read one record',
  clients: 1,
  budget: 'p50 ≤ 0.25 ms',
  bounds: onBoth(p50(0.25)),
  peers: '0.18 / 1.6 ms',
}
export const READ_BY_MANY = byMany(READ, {
  budget: '≥ 4,000/s',
  bounds: onBoth(perSecond(4000)),
  peers: '5,749 / 500/s',
})

export const PAGE: Budget = {
  what: 'Page of 50, without count',
  clients: 1,
  budget: 'p50 ≤ 0.6 ms',
  bounds: onBoth(p50(0.6)),
  peers: '0.76 / 2–23 ms',
}
export const PAGE_BY_MANY = byMany(PAGE, {
  budget: '≥ 2,000/s',
  bounds: onBoth(perSecond(2000)),
  peers: '1,163 / 41–515/s',
})

export const sortedBy = (kind: string): Budget => ({
  what: `Page of 50, sorted by ${kind}`,
  clients: 1,
  budget: 'p95 ≤ 3 (PostgreSQL 20) ms',
  bounds: { sqlite: p95(3), postgres: p95(20) },
  peers: '87 / 178 ms at 1 M',
})
export const SORTED_BY_MANY = byMany(sortedBy('number'), { budget: '', bounds: {}, peers: '1,378 / 2,666 ms at 1 M' })

export const CALCULATED: Budget = {
  what: 'Calculate a lookup of all records',
  budget: '≥ 100,000/s',
  bounds: onBoth({ of: 'figure', min: 100_000 }),
  peers: '',
}
export const CALCULATED_BESIDE: Budget = {
  what: 'Slowest write while it is recalculated',
  budget: '≤ +100 ms',
  bounds: onBoth(figure(100)),
  peers: '',
}
export const UPDATED_WITH_DEPENDENTS: Budget = {
  what: 'Update with 100 dependents',
  budget: '≤ 2 × without',
  bounds: onBoth(figure(2)),
  peers: '',
}

export const FILTERED: Budget = {
  what: 'Filter (2.5 %), sorted by date, exact count',
  clients: 1,
  budget: 'p95 ≤ 8 ms (SQLite)',
  bounds: { sqlite: p95(8) },
  peers: '169 / 353 ms at 1 M',
}
export const FILTERED_BY_MANY = byMany(FILTERED, { budget: '', bounds: {}, peers: '2,673 / 5,799 ms at 1 M' })

export const SEARCHED: Budget = {
  what: 'Full-text search (1 %), 50 hits, exact count',
  clients: 1,
  budget: 'p95 ≤ 20 (PostgreSQL 100) ms',
  bounds: { sqlite: p95(20), postgres: p95(100) },
  peers: '210 / 753 ms at 1 M',
}
export const SEARCHED_BY_MANY = byMany(SEARCHED, { budget: '', bounds: {}, peers: '3,552 / 12,157 ms at 1 M' })

export const DEEP: Budget = {
  what: 'Random page of 50, up to the last',
  clients: 1,
  budget: 'p95 ≤ 2 (PostgreSQL 10) ms',
  bounds: { sqlite: p95(2), postgres: p95(10) },
  peers: '38 / 80 ms at 1 M',
}
export const DEEP_SORTED: Budget = { ...DEEP, what: 'Random page of 50, sorted by number' }
export const DEEP_BY_MANY = byMany(DEEP, { budget: '', bounds: {}, peers: '613 / 979 ms at 1 M' })

export const GROUPED: Budget = {
  what: 'Group by select, count and sum, cached',
  clients: 1,
  budget: 'p50 ≤ 5 ms',
  bounds: onBoth(p50(5)),
  peers: '299 / 941 ms at 1 M',
}
export const GROUPED_BY_MANY = byMany(GROUPED, { budget: '', bounds: {}, peers: '4,735 / 13,663 ms at 1 M' })
export const GROUPED_AFTER_CHANGE: Budget = {
  ...GROUPED,
  what: 'Group by select, after each change',
  budget: 'p50 ≤ 90 ms',
  bounds: onBoth(p50(90)),
}

export const READ_BESIDE_HEAVY: Budget = {
  what: 'Read one record during the heaviest queries',
  clients: 1,
  budget: 'p95 ≤ 10 ms',
  bounds: onBoth(p95(10)),
  peers: '20 / 792–1,029 ms at 1 M',
}

const WRITE_PEERS = '0.4 (no fsync) / 3.6–4.4 ms'

export const write = (what: string, fsyncMs: number): Budget => ({
  what: `${what}, durable`,
  clients: 1,
  budget: `p50 ≤ 1 ms + fsync (${fsyncMs.toFixed(2)})`,
  bounds: onBoth(p50(1 + fsyncMs)),
  peers: WRITE_PEERS,
})
export const writeByMany = (what: string): Budget => ({
  what: `${what}, durable`,
  clients: 16,
  budget: '≥ 1,000/s',
  bounds: onBoth(perSecond(1000)),
  peers: '2,485 (no fsync) / 240/s',
})

export const signIn = (hashesPerSecond: number): Budget => ({
  what: 'Password sign-in',
  clients: 16,
  budget: `≥ 90 % of ${hashesPerSecond.toFixed(0)} hashes/s`,
  bounds: onBoth(perSecond(0.9 * hashesPerSecond)),
  peers: '25 / 7–18/s',
})

const singly = (what: string, limit: readonly [text: string, bound: Bound], peers = ''): Budget => ({
  what,
  budget: limit[0],
  bounds: onBoth(limit[1]),
  peers,
})

export const FIRST_USE = singly('First sort by a field', ['≤ 600 ms', figure(600)])
export const READ_AT_FIRST_USE = singly('Slowest read during the build', ['≤ +50 ms', figure(50)])
export const WRITE_AT_FIRST_USE = singly('Slowest write during the build', ['≤ +2 s', figure(2000)])

export const COLD_START = singly('Cold start to the first response', ['≤ 500 ms', figure(500)], '100 / 2,000–2,500 ms')
export const COLD_START_EMPTY: Budget = { ...COLD_START, what: 'Cold start, empty workspace' }
export const NPM_START = singly('Second npm start', ['≤ 2 s', figure(2000)])
export const MEMORY_IDLE = singly('Memory, idle', ['≤ 150 MB', figure(150)], '93 / 371–413 MB')
export const MEMORY_OF_NPM_START = singly('Memory, idle, everything started by npm start', ['≤ 120 MB', figure(120)])
export const MEMORY_LOADED = singly('Peak memory overall', ['≤ 400 MB', figure(400)], '670–2,171 MB')

export const FIRST_LOAD = singly('JavaScript before sign-in, gzip', ['≤ 170 kB', figure(170)], '211 / 2,531–4,800 kB')
export const TO_THE_GRID = singly(
  'JavaScript for an interactive grid, gzip',
  ['≤ 280 kB', figure(280)],
  '211 / 2,531–4,800 kB',
)
export const READ_A_RECORD = noPromise('JavaScript for reading a record, gzip')
export const EDITOR_ON_TOP = noPromise('Additional JavaScript for the editor, gzip')

const FRAMES: Bound = { of: 'figure', min: 45 }
const NO_GPU = 'canvas 46–60 / DOM 20–35 fps'

export const frameRateAt = (pxPerFrame: number): Budget =>
  singly(`Grid: scrolling ${pxPerFrame} px per frame, no GPU`, ['≥ 45 fps', FRAMES], pxPerFrame === 400 ? NO_GPU : '')
export const BLANK_IN_SCROLL = singly('Grid: longest time without rows at 400 px per frame', ['≤ 200 ms', figure(200)])
export const ROWS_AT_REST = singly('Grid: slowest load of the visible rows after a jump', ['≤ 200 ms', figure(200)])
export const LAST_ROW = singly('Grid: load of the last row after a jump to the end', ['≤ 200 ms', figure(200)])
export const ELEMENTS_SCROLLED = singly('Grid: DOM elements after scrolling', ['≤ 3,000', figure(3000)])
export const HEAP_SCROLLED = singly('Grid: heap size after scrolling', ['≤ 60 MB', figure(60)])

export const BOARD_CARDS = singly('Board: first cards after a click on its view, data warm', ['≤ 300 ms', figure(300)])
export const BOARD_REQUESTS = singly('Board: requests to open it', ['≤ 3 per column', figure(3)])
export const BOARD_SCROLLING = singly('Board: scrolling 40 px per frame, no GPU', ['≥ 45 fps', FRAMES])
export const BOARD_DRAGGING = singly('Board: dragging a card, no GPU', ['≥ 45 fps', FRAMES])
export const MONTH_RECORDS = singly('Calendar: first records of another month after a click', ['≤ 300 ms', figure(300)])
export const MONTH_REQUESTS = singly('Calendar: requests per month', ['≤ 4', figure(4)])
export const MONTH_DRAGGING = singly('Calendar: dragging a record, no GPU', ['≥ 45 fps', FRAMES])
export const TIMELINE_SCROLLING = singly('Timeline: scrolling 40 px per frame, no GPU', ['≥ 45 fps', FRAMES])

export const IMPORTED: Budget = {
  what: 'CSV import until records are readable',
  budget: '≥ 50,000 records/s (SQLite)',
  bounds: { sqlite: { of: 'figure', min: 50_000 } },
  peers: '7,293 / 1,702 records/s through the API',
}
export const searchFollows = (size: number): Budget =>
  singly('Search index complete after the import', ['≤ 90 s per million', figure((90 * Math.max(size, 100_000)) / 1e6)])
export const MEMORY_IMPORTING = singly('Peak memory during the import', ['≤ 400 MB', figure(400)])
export const WRITE_BESIDE_IMPORT = singly('Slowest create during an import', ['≤ 100 ms', figure(100)])

const p95ByOne = (what: string, ms: number): Budget => ({
  what,
  clients: 1,
  budget: `p95 ≤ ${ms} ms`,
  bounds: onBoth(p95(ms)),
  peers: '',
})
export const HISTORY_PAGE = p95ByOne('History of a record', 5)
export const ACTIVITY_PAGE = p95ByOne('Activity, first page', 20)
export const AS_OF = p95ByOne('Page of 50 as of a time before 10,000 changes', 500)
export const AS_OF_COUNTED = p95ByOne(`${AS_OF.what}, exact count`, 500)
export const IMPORT_UNDONE = singly('Undo of the import of all records', ['≤ 90 s at 1 M', figure(90)])
export const WRITE_BESIDE_UNDO = singly('Slowest create during this undo', ['≤ +100 ms', figure(100)])

/** File transfers relative to a baseline server in the same run. */
export const fileMoved = (what: string, bareMbPerSecond: number): Budget => ({
  what: `${what}, MB/s`,
  budget: `≥ 80 % of the bare ${bareMbPerSecond.toFixed(0)}`,
  bounds: onBoth({ of: 'figure', min: 0.8 * bareMbPerSecond }),
  peers: '',
})
export const STALL_MEANWHILE = singly('Longest event-loop stall', ['≤ 20 ms', figure(20)])

export const WIDE_PAGE: Budget = {
  what: 'Page of 50 with 12 of 200 fields',
  clients: 1,
  budget: 'p50 ≤ 1.5 ms',
  bounds: onBoth(p50(1.5)),
  peers: '',
}
export const updateOfWide = (narrowMs: Readonly<Record<Dialect, number>>): Budget => ({
  what: 'Update of one of 200 fields, durable',
  clients: 1,
  budget: 'p50 ≤ 2 × one of 12 fields',
  bounds: { sqlite: p50(2 * narrowMs.sqlite), postgres: p50(2 * narrowMs.postgres) },
  peers: '',
})
export const ofBareClient = (what: string, bareMs: number): Budget => ({
  what: `${what}, compared with a bare client`,
  clients: 1,
  budget: 'p50 ≤ 1.5 × a bare client',
  bounds: { postgres: p50(1.5 * bareMs) },
  peers: '',
})
export const RELATED_PAGE: Budget = {
  what: 'Page of 50 with ten relations, row filters on all targets',
  clients: 1,
  budget: 'p50 ≤ 4 ms',
  bounds: onBoth(p50(4)),
  peers: '',
}
export const RELATED_PAGE_BY_MANY = byMany(RELATED_PAGE, { budget: '≥ 300/s', bounds: onBoth(perSecond(300)) })
export const pageWithLookups = (plainMs: Readonly<Record<Dialect, number>>): Budget => ({
  what: 'Page of 50 with ten lookups',
  clients: 1,
  budget: 'p95 ≤ 3 × the page without',
  bounds: { sqlite: p95(3 * plainMs.sqlite), postgres: p95(3 * plainMs.postgres) },
  peers: '',
})
export const SEARCH_EVERYWHERE: Budget = {
  what: 'Search in 300 collections',
  clients: 1,
  budget: 'p50 ≤ 60 ms',
  bounds: onBoth(p50(60)),
  peers: '',
}
export const COLLECTION_ADDED = singly('Add a collection to 300 others', ['≤ 40 ms', figure(40)])

export const OPENAPI_PRINTED = noPromise('OpenAPI of 200 collections with 500 fields each, first request')

/** The limit is three frames, because a longer delay is noticeable. */
export const listOpens = (what: string, maxMs: number): Budget =>
  singly(`List ${what}, from click to paint, p95`, [`≤ ${maxMs} ms`, figure(maxMs)])
export const keyToPicture = (where: string): Budget =>
  singly(`From key press to paint, ${where} of 100 pages, p95`, ['≤ 50 ms', figure(50)])
