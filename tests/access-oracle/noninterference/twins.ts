import { isDeepStrictEqual } from 'node:util'
import type { Grant } from '#domain/access/grant.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { CHANGE_LOG_ID } from '#server/records/changes/change-log.ts'
import { logSettled } from '#tests/support/database/settled-log.ts'
import type { Foreign } from '#tests/access-oracle/requests/request.ts'
import { emailsOf, makeCandidate, setTeamAttributes, type Visitors } from '#tests/access-oracle/world/visitors.ts'
import { NOW } from '#tests/access-oracle/world/world.ts'
import { type Answer, type Caller, openTestApp, type Sent, type TestApp } from '#tests/support/server/test-app.ts'

export type Exchange = {
  readonly method: string
  readonly path: string
  readonly sent: Sent
  readonly isOfOwner: boolean
  readonly answers: readonly [Answer, Answer]
}

/**
 * Two servers that receive the same requests and generate the same IDs. A call is sent to both servers and returns the
 * first response; `seen` receives both.
 */
export type Twins = {
  readonly apps: readonly [TestApp, TestApp]
  readonly owner: Caller
  /** The owner's client for each server; the only way to make the two differ. */
  readonly owners: readonly [Caller, Caller]
  readonly people: ReadonlyMap<string, string>
  readonly bystander: string
  readonly visitors: Visitors
  readonly moveOn: () => void
  readonly now: () => string
  readonly taken: () => readonly Exchange[]
  readonly collections: () => Promise<readonly Collection[]>
  /** The end of the change log, once both servers list all of its entries. */
  readonly endOfLog: () => Promise<string>
  readonly close: () => Promise<void>
}

/** Deterministic IDs from a time and a counter, so that both servers continue with the same IDs. */
const noChance = (count: number): Uint8Array => new Uint8Array(count)

const CONVERTED_AT_ONCE = 10

export async function openTwins(): Promise<Twins> {
  const options = { convertedAtOnce: CONVERTED_AT_ONCE }
  const first = await openTestApp({ ...options, randomBytes: noChance })
  const second = await openTestApp({ ...options, randomBytes: noChance, keysOf: first })
  const apps = [first, second] as const
  for (const { clock, database } of apps) {
    clock.set(NOW)
    // So that a cursor of the change log is valid on both servers.
    await database.write(({ db }) => storeWorkspaceValue(db, CHANGE_LOG_ID, 'twins'))
  }
  let exchanges: Exchange[] = []
  const note = (exchange: Exchange): void => void exchanges.push(exchange)
  const both = async (make: (app: TestApp) => Promise<Caller>): Promise<readonly [Caller, Caller]> => [
    await make(first),
    await make(second),
  ]
  let grants: readonly Grant[] = []
  const owners = await both((app) => app.asOwner())
  const owner = twinOf(owners, note, true)
  const member = twinOf(await both((app) => app.asViewer()), note)
  const granted = twinOf(await both((app) => app.asGranted(() => grants)), note)
  const teams = ['apfel', 'done']
  await setTeamAttributes(owner, member, teams)
  const candidate = await makeCandidate(owner, twinOf(await both((app) => app.asViewer()), note))
  const visitors: Visitors = {
    owner,
    clock: first.clock,
    candidate,
    emails: await emailsOf(owner),
    grant: (given) => (grants = given),
    granted,
    member,
    // A token is random and valid only on the server that issued it.
    withToken: (token) =>
      twinOf(
        tokensOf(token, apps, () => exchanges),
        note,
      ),
    guest: twinOf([first.guest, second.guest], note),
    foreign: NOTHING_FOREIGN,
    held: { roles: [], policies: [] },
    teams,
  }
  const decoy = { name: 'decoy', label: 'Decoy', fields: [{ name: 'title', label: 'Title', kind: 'text' }] }
  await owner.post('/api/collections', decoy)
  const bystander = (await both((app) => app.asViewer()))[0].userId ?? ''
  const ids = [owner, member, granted].map(({ userId = '' }) => userId)
  const people = new Map([...ids, bystander, candidate.user].map((id, at) => [id, at === 0 ? 'owner' : 'viewer']))
  const definitions = definitionsCache(first.database, () => performance.now())
  return {
    apps,
    owner,
    owners,
    people,
    bystander,
    visitors,
    moveOn: () => {
      for (const { clock } of apps) clock.move(1)
    },
    now: () => first.clock.now().toISOString(),
    taken: () => {
      const all = exchanges
      exchanges = []
      return all
    },
    collections: async () => {
      definitions.drop()
      return (await definitions.current()).list
    },
    endOfLog: async () => {
      for (const { database } of apps) await logSettled(database)
      return (await owner.get('/api/changes?after=now')).body.next
    },
    close: async () => {
      await first.close()
      await second.close()
    },
  }
}

const NOTHING_FOREIGN: Foreign = { job: '0'.repeat(26), imported: '0'.repeat(26), upload: '0'.repeat(26) }

function tokensOf(
  token: string,
  [first, second]: Twins['apps'],
  exchanges: () => readonly Exchange[],
): [Caller, Caller] {
  const made = exchanges().findLast(
    ({ path, answers: [answer] }) => path === '/api/tokens' && answer.body.token === token,
  )
  return [first.withToken(token), second.withToken(String(made?.answers[1].body.token))]
}

function twinOf(
  [first, second]: readonly [Caller, Caller],
  note: (exchange: Exchange) => void,
  isOwner = false,
): Caller {
  if (first.userId !== second.userId) throw new Error('The two servers did not make the same ids.')
  const request: Caller['request'] = async (method, path, sent = {}) => {
    const answers = [await settled(first, method, path, sent), await settled(second, method, path, sent)] as const
    note({ method, path, sent, isOfOwner: isOwner && sent.headers?.['view-as'] === undefined, answers })
    return answers[0]
  }
  const withBody =
    (method: string): Caller['post'] =>
    (path, body, headers) =>
      request(method, path, { body, ...(headers && { headers }) })
  return {
    userId: first.userId,
    token: first.token,
    request,
    get: (path, headers) => request('GET', path, headers ? { headers } : {}),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
  }
}

async function settled(caller: Caller, method: string, path: string, sent: Sent): Promise<Answer> {
  for (;;) {
    const answer = await caller.request(method, path, sent)
    const isRunning =
      method === 'GET' && /^\/api\/(?:imports|jobs)\/\w+$/.test(path) && answer.body?.state === 'running'
    if (!isRunning) return answer
  }
}

const RANDOM_HEADERS = new Set(['x-request-id', 'date'])

const RANDOM = [/"requestId":"[0-9a-f-]{36}"/g, /"token":"[^"]+"/g]

export const shownOf = ({
  status,
  headers,
  text,
}: Answer): {
  readonly status: number
  readonly headers: Answer['headers']
  readonly text: string
} => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !RANDOM_HEADERS.has(name))),
  text: RANDOM.reduce((left, random) => left.replaceAll(random, ''), text),
})

export const areAlike = ({ answers: [first, second] }: Exchange): boolean =>
  isDeepStrictEqual(shownOf(first), shownOf(second))
