import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '#tests/support/server/test-app.ts'
import { managedWorld } from '#tests/access-oracle/expect/visible-definitions.ts'
import type { Requester, OracleRequest } from './request.ts'
import { randomRequest } from './record-requests.ts'
import { randomHomeRequest } from './home-requests.ts'
import { randomPastRequest } from './past-requests.ts'
import { randomPermissionRequest } from './permission-requests.ts'
import { type Ways, readAnswer } from './read-answer.ts'
import { visibleExport, visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import { leaksIn, type Difference, type Visit } from '#tests/access-oracle/scenarios/visit.ts'
import type { World } from '#tests/access-oracle/world/world.ts'

const SHARE_OF_RIGHTS = 0.15
const SHARE_OF_HOME = 0.05
const SHARE_OF_PAST = 0.15

/** An impersonating user can only read records. */
const ONLY_READS = { status: 403, code: 'view-as-read-only' }

/** Sends a request; the response must equal the oracle's, and reveal nothing else. */
export async function sendRequest(visit: Visit, world: World): Promise<Difference[]> {
  const { viewpoint, way, draw } = visit
  const view = visibleWorld(world, viewpoint)
  const exportOf = (name: string) => visibleExport(world, view, viewpoint, name)
  const seen: Requester = { world, view, viewpoint, way, exportOf, foreign: visit.foreign, pasts: visit.pasts }
  const drawn = draw.chance(SHARE_OF_HOME)
    ? randomHomeRequest
    : draw.chance(SHARE_OF_RIGHTS)
      ? randomPermissionRequest
      : draw.chance(SHARE_OF_PAST)
        ? randomPastRequest
        : randomRequest
  const question = drawn(draw, seen)
  return compare(visit, seen, way === 'seen' ? asOnlooker(question) : question)
}

async function compare(
  visit: Visit,
  { world, view, viewpoint }: Requester,
  question: OracleRequest,
): Promise<Difference[]> {
  const { caller, owner, guest } = visit
  visit.count(question.reads)

  const { path, body, expected } = question
  const method = question.method ?? (body === undefined ? 'GET' : 'POST')
  const headers = { 'time-zone': viewpoint.zone, ...(path.startsWith('/api/tus') && { 'tus-resumable': '1.0.0' }) }
  const ways: Ways = {
    get: (address: string): Promise<Answer> => caller.get(address, headers),
    getAsGuest: (address: string): Promise<Answer> => guest.get(address),
  }
  const requester = question.isOfOwner === true ? owner : caller
  const answer = await requester.request(method, path, { headers, ...(body !== undefined && { body }) })
  const found = await readAnswer(ways, question, answer)
  const said = body === undefined ? '' : JSON.stringify(body)
  const requested = `${method} ${decodeURIComponent(path.replaceAll('+', ' '))} ${said}`
  const differences = isDeepStrictEqual(found, expected) ? [] : [{ requested, expected, found }]
  if (question.isOfOwner === true) return differences
  const isOfRights = question.reads === 'rights' || question.reads === 'scope'
  const text = isOfRights ? JSON.stringify({ ...answer.body, by: null, user: null }) : answer.text
  const leaks = (more: readonly World[] = []) =>
    leaksIn(requested, text, [path, said], [view, managedWorld(world, viewpoint), ...more])
  const isSuspicious = leaks().length > 0
  return [...differences, ...(isSuspicious ? leaks(question.views?.()) : [])]
}

function asOnlooker(question: OracleRequest): OracleRequest {
  const isReading = (question.method ?? 'GET') === 'GET' && question.body === undefined
  if (isReading && question.isMoreThanReading !== true) return question
  // A response to HEAD has no body.
  const expected = question.method === 'HEAD' ? { status: ONLY_READS.status } : ONLY_READS
  return { ...question, reads: 'status', expected }
}
