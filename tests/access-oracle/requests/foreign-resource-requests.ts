import type { Random } from '#tests/access-oracle/generate/random.ts'
import { collectionIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Requester, Expected, OracleRequest } from './request.ts'
import { RIGHTS, type Right } from '#tests/access-oracle/expect/viewpoint.ts'

const NOT_THERE: Expected = { status: 404, code: 'not-found' }
const NO_COLLECTION: Expected = { status: 404, code: 'collection-not-found' }
const FORBIDDEN: Expected = { status: 403, code: 'forbidden' }

export function randomForeignRequest(draw: Random, requester: Requester): OracleRequest {
  const ways = [askJobs, askImports, askUploads, askOffices, askIndexes, askAudit, askThemselves]
  return draw.one(ways)(draw, requester)
}

/** A job is visible to its owner. */
function askJobs(draw: Random, { world, foreign }: Requester): OracleRequest {
  const path = `/api/jobs/${foreign.job}`
  if (draw.chance(0.3)) return { path, method: 'DELETE', reads: 'status', expected: NOT_THERE }
  if (draw.chance(0.5)) return { path, reads: 'status', expected: NOT_THERE }
  const { name } = draw.one(world.collections)
  return { path: `/api/jobs?collection=${name}`, reads: 'items', expected: { status: 200, items: [] } }
}

const holds = ({ viewpoint }: Requester, right: Right): boolean =>
  [...viewpoint.grants.values()].some((granted) => granted[right].length > 0)

/** An import, including its rows and errors, is visible only to its owner. */
function askImports(draw: Random, requester: Requester): OracleRequest {
  const { world, foreign } = requester
  const { name } = draw.one(world.collections)
  const own = `/api/imports/${foreign.imported}`
  const column = { collection: name, field: 'title', column: 0 }
  const requested = draw.one<Pick<OracleRequest, 'path' | 'method' | 'body'>>([
    { path: own },
    { path: `${own}/errors.csv` },
    { path: `/api/collections/${name}/imports/${foreign.imported}` },
    { path: own, method: 'DELETE' },
    { path: `${own}/look`, body: { key: column } },
    { path: `${own}/start`, body: { into: { collection: name }, columns: [{ field: 'title' }] } },
  ])
  const expected = holds(requester, 'import') ? NOT_THERE : FORBIDDEN
  return { ...requested, reads: 'status', isMoreThanReading: true, expected }
}

/** An unfinished upload is visible to its sender only. */
function askUploads(draw: Random, { foreign }: Requester): OracleRequest {
  const method = draw.one(['HEAD', 'DELETE'] as const)
  // Deleting a missing upload succeeds on one of the two routes; the sender can find the upload on both.
  const path = method === 'HEAD' && draw.chance(0.5) ? `/api/uploads/${foreign.upload}` : `/api/tus/${foreign.upload}`
  return { path, method, reads: 'status', isMoreThanReading: true, expected: { status: 404 } }
}

const OFFICES = [
  '/api/users',
  '/api/roles',
  '/api/policies',
  '/api/outbox',
  '/api/workspace/session-policy',
  '/api/workspace/storage',
]

function askOffices(draw: Random): OracleRequest {
  return { path: draw.one(OFFICES), reads: 'status', isMoreThanReading: true, expected: FORBIDDEN }
}

/** Indexes are visible to managers of a collection; search-index progress is visible to readers. */
function askIndexes(draw: Random, { world, view, viewpoint }: Requester): OracleRequest {
  const { name } = draw.one(world.collections)
  const isThere = collectionIn(view, name) !== undefined
  if (draw.chance(0.5)) {
    const path = `/api/collections/${name}/search-index`
    return { path, reads: 'status', expected: isThere ? { status: 200 } : NO_COLLECTION }
  }
  const path = `/api/collections/${name}/indexes`
  const question = { path, reads: 'items', isMoreThanReading: true } as const
  if (viewpoint.manages.size === 0) return { ...question, expected: FORBIDDEN }
  if (!isThere) return { ...question, expected: NO_COLLECTION }
  return { ...question, expected: viewpoint.manages.has(name) ? { status: 200, items: [] } : FORBIDDEN }
}

/** Audit entries for exports; a hidden collection has no name in them. */
function askAudit(draw: Random, { view, viewpoint }: Requester): OracleRequest {
  const path = `/api/audit${draw.one(['', '.csv'])}?kind=records-exported`
  const question = { path, isMoreThanReading: true } as const
  if (!viewpoint.readsAudit) return { ...question, reads: 'status', expected: FORBIDDEN }
  if (path.includes('csv')) return { ...question, reads: 'status', expected: { status: 200 } }
  const seen = view.collections.map(({ label }) => label)
  return { ...question, reads: 'audit', reported: seen, expected: { status: 200, hidden: [] } }
}

function askThemselves(_draw: Random, requester: Requester): OracleRequest {
  const { viewpoint } = requester
  const scope = [
    ...RIGHTS.filter((right) => holds(requester, right)).map((right) => `records:${right}`),
    ...(viewpoint.manages.size > 0 ? ['collections:manage'] : []),
    ...(viewpoint.readsAudit ? ['audit:read'] : []),
  ]
  return { path: '/api/auth/user', reads: 'scope', expected: { status: 200, scope: scope.toSorted() } }
}
