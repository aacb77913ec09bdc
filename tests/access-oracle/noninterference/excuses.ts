import { isDeepStrictEqual } from 'node:util'
import { type Disclosure, type DisclosureKind, disclosuresOf, type HiddenTarget } from '#domain/access/disclosures.ts'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Answer } from '#tests/support/server/test-app.ts'
import { type Exchange, shownOf } from './twins.ts'

export type SecretPlace = {
  readonly collection: string
  readonly field: string | null
  readonly isUnseen: boolean
}

type Excuse = {
  /** Matches only the requests that a disclosure affects. */
  readonly isRequested: (requested: Requested, disclosure: Disclosure) => boolean
  /** Matches only the difference that a disclosure explains. */
  readonly isReason: (exchange: Exchange, nameOfBy: string) => boolean
}

/** What a request accesses: the name of its collection, and the permissions it uses there. */
type Requested = { readonly collection: string; readonly permissions: readonly Permission[] }

const writes = ({ permissions }: Requested): boolean => permissions.some((one) => one !== 'records:read')
const exercises = ({ permissions }: Requested, { by }: Disclosure): boolean => permissions.some((one) => one === by)
const moves = ({ permissions }: Requested): boolean => permissions.includes('records:transition')

/** Whether exactly one of the two responses is an error with one of these codes. */
const isRefusedOnce =
  (...codes: readonly string[]) =>
  ({ answers }: Exchange): boolean =>
    answers.filter((answer) => codesOf(answer).some((code) => codes.includes(code))).length === 1

const codesOf = ({ status, body }: Answer): readonly string[] =>
  status < 400 ? [] : [body?.code, ...(body?.errors ?? []).map(({ code }: { readonly code: string }) => code)]

/** Names of the count properties in a bulk response. */
const COUNTS: ReadonlySet<string> = new Set(['created', 'updated', 'deleted', 'left', 'refused', 'count'])

/**
 * Whether the responses differ in outcome but not in values: an error in one world, or different counts, transitions or
 * explanations.
 */
function isOutcomeApart(exchange: Exchange): boolean {
  const [first, second] = exchange.answers
  if (first.status !== second.status || !isDeepStrictEqual(codesOf(first), codesOf(second))) return true
  const isListed = /\/transitions$|^\/api\/home\/moves$|^\/api\/explain$/.test(exchange.path)
  return isListed || isAlikeWithout(exchange, (name) => COUNTS.has(name))
}

/** Whether the responses are equal apart from these properties. */
function isAlikeWithout({ answers }: Exchange, isLeftOut: (name: string) => boolean): boolean {
  const [first, second] = answers.map((answer) => {
    const { headers, ...rest } = shownOf(answer)
    const { etag: _etag, 'content-length': _length, ...others } = headers
    return withoutMembers({ ...rest, headers: others, text: answer.body ?? rest.text }, isLeftOut)
  })
  return isDeepStrictEqual(first, second)
}

function withoutMembers(value: unknown, isLeftOut: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutMembers(one, isLeftOut))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !isLeftOut(name) && name !== 'requestId')
  return Object.fromEntries(members.map(([name, one]) => [name, withoutMembers(one, isLeftOut)]))
}

const VERSIONS: ReadonlySet<string> = new Set(['version', 'updatedAt', 'updatedBy'])

/** The requests and differences that each disclosure explains; any other difference is a leak. */
const EXCUSES: Readonly<Record<DisclosureKind, Excuse>> = {
  unique: { isRequested: writes, isReason: isRefusedOnce('not-unique') },
  'auto-number': {
    isRequested: ({ permissions }) => permissions.includes('records:create') || permissions.includes('records:import'),
    isReason: (exchange, nameOfBy) => isAlikeWithout(exchange, (name) => name === nameOfBy),
  },
  // The values of calculated fields that an actor can read are in every response.
  formula: { isRequested: () => true, isReason: () => true },
  rollup: { isRequested: () => true, isReason: () => true },
  required: { isRequested: writes, isReason: isRefusedOnce('required') },
  rule: { isRequested: writes, isReason: isRefusedOnce('rule-broken') },
  condition: { isRequested: exercises, isReason: isOutcomeApart },
  'unseen-record': { isRequested: exercises, isReason: isOutcomeApart },
  transition: { isRequested: moves, isReason: isOutcomeApart },
  status: {
    isRequested: (requested) => moves(requested) || requested.permissions.includes('records:update'),
    isReason: isRefusedOnce('field-frozen', 'no-transition', 'already-there'),
  },
  'collection-name': {
    isRequested: ({ permissions }) => permissions.includes('collections:manage'),
    isReason: isRefusedOnce('name-taken'),
  },
  version: { isRequested: () => true, isReason: (exchange) => isAlikeWithout(exchange, (name) => VERSIONS.has(name)) },
}

export function excusesOf(
  exchange: Exchange,
  secret: SecretPlace,
  { grants, collections }: { readonly grants: readonly Grant[]; readonly collections: readonly Collection[] },
): readonly DisclosureKind[] {
  const requested = requestedBy(exchange)
  const found = disclosuresOf(grants, collections).filter((disclosure) => {
    const home = collections.find(({ id }) => id === disclosure.collection)
    if (!home || (requested.collection !== home.name && requested.collection !== '')) return false
    const { isRequested, isReason } = EXCUSES[disclosure.kind]
    const nameOfBy = home.fields.find(({ id }) => id === disclosure.by)?.name ?? ''
    return (
      disclosure.reveals.some((thing) => isAbout(thing, secret)) &&
      isRequested(requested, disclosure) &&
      isReason(exchange, nameOfBy)
    )
  })
  return [...new Set(found.map(({ kind }) => kind))]
}

const isAbout = (thing: HiddenTarget, { collection, field, isUnseen }: SecretPlace): boolean =>
  thing.collection === collection && (thing.field === null ? isUnseen : thing.field === field)

const IN_BULK: Readonly<Record<string, Permission>> = {
  create: 'records:create',
  update: 'records:update',
  delete: 'records:delete',
  transition: 'records:transition',
}
const BY_METHOD: Readonly<Record<string, Permission>> = {
  POST: 'records:create',
  PATCH: 'records:update',
  DELETE: 'records:delete',
}

function requestedBy({ method, path, sent }: Exchange): Requested {
  const body = bodyOf(sent.body)
  if (path.startsWith('/api/explain'))
    return { collection: textOf(body['collection']), permissions: [body['permission'] as Permission] }
  if (path.startsWith('/api/home/moves')) return { collection: '', permissions: ['records:read', 'records:transition'] }
  if (path.startsWith('/api/imports'))
    return { collection: textOf(bodyOf(body['into'])['collection']), permissions: ['records:import', 'records:update'] }
  const [, collection = '', rest = ''] = /^\/api\/collections\/?([^/?]*)\/?([^?]*)/.exec(path) ?? []
  return { collection, permissions: permissionsOf(method, rest, body) }
}

function permissionsOf(method: string, rest: string, body: object): readonly Permission[] {
  if (rest === '' && method !== 'GET' && method !== 'HEAD') return ['collections:manage']
  if (rest.endsWith('/transitions')) return ['records:transition']
  if (rest === 'records/bulk') return Object.keys(body).flatMap((key) => IN_BULK[key] ?? [])
  const written = /^records(?:\/[^/]+)?$/.test(rest) ? BY_METHOD[method] : undefined
  return [written ?? 'records:read']
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const bodyOf = (body: unknown): Readonly<Record<string, unknown>> => ({ ...(body as object | undefined) })
