import { treeOf } from '#tests/access-oracle/generate/random-condition.ts'
import type { Grant } from '#domain/access/grant.ts'
import type { FixedClock } from '#tests/support/clock/fixed-clock.ts'
import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import type { BuiltWorld } from './build-world.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Foreign, AccessMode } from '#tests/access-oracle/requests/request.ts'
import {
  eachRight,
  type Granted,
  RIGHTS,
  type Viewpoint,
  type WorldGrant,
  withoutUnreadableReverseSides,
} from '#tests/access-oracle/expect/viewpoint.ts'
import { type Marks, type Me, TEAMS } from './world.ts'

export type Visitors = {
  readonly owner: Caller
  readonly granted: Caller
  readonly grant: (grants: readonly Grant[]) => void
  readonly member: Caller
  readonly withToken: (token: string) => Caller
  readonly guest: Caller
  readonly foreign: Foreign
  readonly clock: FixedClock
  readonly held: { readonly roles: string[]; readonly policies: string[] }
  readonly candidate: Candidate
  readonly emails: ReadonlyMap<string, string>
  readonly teams: readonly string[]
}

export type Candidate = {
  readonly user: string
  readonly nothing: string
  readonly role: string
  readonly policy: string
  readonly manager: string
}

export type Arrived = { readonly caller: Caller; readonly viewpoint: Viewpoint }

export const identityFor = ({ granted, member, teams }: Visitors, way: AccessMode): Me =>
  way === 'granted' ? { id: granted.userId ?? '', teams: [] } : { id: member.userId ?? '', teams }

export async function signInVisitor(
  visitors: Visitors,
  way: AccessMode,
  viewpoint: Viewpoint,
  { built, draw, marks }: { readonly built: BuiltWorld; readonly draw: Random; readonly marks: Marks },
): Promise<Arrived> {
  const grants = grantsFor(viewpoint, built)
  if (way === 'granted') {
    visitors.grant(grants)
    return { caller: visitors.granted, viewpoint }
  }
  await giveRoles(visitors, grants, draw, marks)
  if (way === 'roles') return { caller: visitors.member, viewpoint }
  if (way === 'seen') return lookedAt(visitors, viewpoint)
  return narrowed(visitors, viewpoint, built, draw)
}

export const grantsFor = (viewpoint: Viewpoint, built: Pick<BuiltWorld, 'idOf' | 'fieldIdOf'>): Grant[] => [
  ...grantsOfRecords(viewpoint, built),
  ...[...viewpoint.manages].map((name): Grant => ({ permission: 'collections:manage', collection: built.idOf(name) })),
  ...(viewpoint.readsAudit ? [{ permission: 'audit:read', collection: null } as const] : []),
]

const grantsOfRecords = (
  { grants }: Pick<Viewpoint, 'grants'>,
  { idOf, fieldIdOf }: Pick<BuiltWorld, 'idOf' | 'fieldIdOf'>,
): Grant[] =>
  [...grants].flatMap(([name, granted]) =>
    RIGHTS.flatMap((right) =>
      granted[right].map(
        ({ where, presets, ...grant }): Grant => ({
          permission: `records:${right}`,
          collection: idOf(name),
          ...limitOf(grant, (field) => fieldIdOf(name, field)),
          ...(where && { where: treeOf(where) }),
          ...(presets && { presets: byId(presets, (field) => fieldIdOf(name, field)) }),
        }),
      ),
    ),
  )

function limitOf(
  { hidden, excluded = hidden, only }: WorldGrant,
  idOf: (field: string) => string,
): Pick<Grant, 'fields'> {
  if (only) return { fields: { only: only.map(idOf) } }
  return excluded.length > 0 ? { fields: { except: excluded.map(idOf) } } : {}
}

const byId = (presets: object, idOf: (field: string) => string): NonNullable<Grant['presets']> =>
  Object.fromEntries(Object.entries(presets).map(([field, value]) => [idOf(field), value]))

async function giveRoles(
  { owner, member, held }: Visitors,
  grants: readonly Grant[],
  draw: Random,
  marks: Marks,
): Promise<void> {
  const hands: Grant[][] = [[], [], []]
  for (const grant of grants) draw.one(hands).push(grant)
  for (const [at, dealt] of hands.entries()) {
    const policy = { name: `Policy ${marks.next()}`, grants: dealt }
    await keep(owner, '/api/policies', [held.policies, at], policy)
  }
  const [first = '', ...rest] = held.policies
  for (const [at, policies] of [[first], rest].entries())
    await keep(owner, '/api/roles', [held.roles, at], { name: `Role ${marks.next()}`, policies })
  await accepted(owner.patch(`/api/users/${member.userId}`, { roles: held.roles }), 200)
}

/** Policies and roles are reused, because their number per workspace is limited. */
async function keep(owner: Caller, path: string, [held, at]: readonly [string[], number], body: object): Promise<void> {
  const id = held[at]
  const made = await accepted(id ? owner.patch(`${path}/${id}`, body) : owner.post(path, body), id ? 200 : 201)
  held[at] = made.id
}

async function narrowed(
  visitors: Visitors,
  viewpoint: Viewpoint,
  { idOf, world }: BuiltWorld,
  draw: Random,
): Promise<Arrived> {
  const kept = RIGHTS.filter((right) => right === 'read' || draw.chance(0.7))
  const names = [...viewpoint.grants].flatMap(([name, { read }]) => (read.length > 0 ? name : []))
  const bound = new Map(kept.map((right) => [right, draw.chance(0.25) ? draw.one(names) : undefined]))
  const scopes = kept.map((right) => {
    const name = bound.get(right)
    return name === undefined ? `records:${right}` : `records:${right}@${idOf(name)}`
  })
  const isReadAll = bound.get('read') === undefined
  const manages = isReadAll && draw.chance(0.7) ? viewpoint.manages : new Set<string>()
  const readsAudit = viewpoint.readsAudit && draw.chance(0.7)
  if (manages.size > 0) scopes.push('collections:manage')
  if (readsAudit) scopes.push('audit:read')
  const { token } = await accepted(visitors.member.post('/api/tokens', { name: 'Program', scopes }), 201)
  const isLeft = (right: (typeof RIGHTS)[number], name: string): boolean =>
    kept.includes(right) && (bound.get(right) ?? name) === name
  const grants = [...viewpoint.grants].map(([name, granted]): [string, Granted] => {
    return [name, eachRight((right) => (isLeft(right, name) ? granted[right] : []))]
  })
  const covered = withoutUnreadableReverseSides(world, new Map(grants))
  const left: Viewpoint = { ...viewpoint, grants: covered, manages, readsAudit }
  return { caller: visitors.withToken(token), viewpoint: left }
}

async function lookedAt({ owner, member }: Visitors, viewpoint: Viewpoint): Promise<Arrived> {
  await accepted(owner.post('/api/view-as', { user: member.userId }), 201)
  const grants = [...viewpoint.grants].map(([name, { read }]) => [name, { ...NOTHING_GRANTED, read }] as const)
  const left: Viewpoint = {
    ...viewpoint,
    grants: new Map(grants),
    manages: new Set(),
    readsAudit: false,
    isLookedAt: true,
  }
  return { caller: withHeader(owner, 'view-as', member.userId ?? ''), viewpoint: left }
}

function withHeader(caller: Caller, name: string, value: string): Caller {
  const request: Caller['request'] = (method, path, sent = {}) =>
    caller.request(method, path, { ...sent, headers: { ...sent.headers, [name]: value } })
  const withBody =
    (method: string): Caller['post'] =>
    (path, body, headers) =>
      request(method, path, { body, ...(headers && { headers }) })
  return {
    ...caller,
    request,
    get: (path, headers) => request('GET', path, headers ? { headers } : {}),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
  }
}

const NOTHING_GRANTED: Granted = eachRight(() => [])

async function accepted(answer: Promise<Answer>, status: number): Promise<Answer['body']> {
  const { status: found, text, body } = await answer
  if (found !== status) throw new Error(`The oracle could not give rights: ${text}`)
  return body
}

export async function setTeamAttributes(owner: Caller, member: Caller, teams: readonly string[]): Promise<void> {
  const items = [{ name: TEAMS, label: 'Teams', many: true }]
  await accepted(owner.put('/api/workspace/profile-fields', { items }), 200)
  await accepted(owner.patch(`/api/users/${member.userId}`, { profile: { [TEAMS]: teams } }), 200)
}

export async function emailsOf(owner: Caller): Promise<ReadonlyMap<string, string>> {
  const { items } = await accepted(owner.get('/api/users?perPage=500'), 200)
  return new Map(items.map(({ id, email }: { readonly id: string; readonly email: string }) => [id, email]))
}

export async function letManageUsers(
  { owner, member, held, grant, candidate }: Visitors,
  way: AccessMode,
  own: readonly Grant[],
  isOn: boolean,
): Promise<void> {
  if (way === 'granted')
    return grant([...own, ...(isOn ? [{ permission: 'users:manage', collection: null } as const] : [])])
  const roles = [...held.roles, ...(isOn ? [candidate.manager] : [])]
  await accepted(owner.patch(`/api/users/${member.userId}`, { roles }), 200)
}

export async function makeCandidate(owner: Caller, { userId = '' }: Caller): Promise<Candidate> {
  const policy = await accepted(owner.post('/api/policies', { name: 'Offered', grants: [] }), 201)
  const role = await accepted(owner.post('/api/roles', { name: 'Offered', policies: [policy.id] }), 201)
  const nothing = await accepted(owner.post('/api/roles', { name: 'Nothing', policies: [] }), 201)
  await accepted(owner.patch(`/api/users/${userId}`, { roles: [nothing.id] }), 200)
  const managing = { name: 'Users', grants: [{ permission: 'users:manage', collection: null }] }
  const users = await accepted(owner.post('/api/policies', managing), 201)
  const manager = await accepted(owner.post('/api/roles', { name: 'Users', policies: [users.id] }), 201)
  return { user: userId, nothing: nothing.id, role: role.id, policy: policy.id, manager: manager.id }
}
