import { expectedOrder } from '#tests/access-oracle/expect/expected-answers.ts'
import { isRuleShown, isRuleDisclosed } from '#tests/access-oracle/expect/visible-definitions.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { ruleErrors } from '#tests/access-oracle/expect/expect-write.ts'
import { pathOf } from '#tests/access-oracle/expect/expected-listing.ts'
import { storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import { collectionIn, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Requester, Expected, OracleRequest } from './request.ts'
import type { WorldCollection, WorldField, WorldRecord, WorldRule } from '#tests/access-oracle/world/world.ts'

const REFUSED: Expected = { status: 'refused', reported: [] }

/** A schema change by a manager, whose reported effect on values must not reveal values the manager can't read. */
export function randomSchemaRequest(draw: Random, requester: Requester): OracleRequest | undefined {
  const { world, viewpoint } = requester
  const managed = world.collections.filter(({ name }) => viewpoint.manages.has(name))
  const home = draw.one(managed.length > 0 && draw.chance(0.9) ? managed : world.collections)
  if (draw.chance(0.5) || !viewpoint.manages.has(home.name)) return drawBreaks(draw, requester, home)
  const ways = [drawOtherKind, drawUnique, drawRemoval]
  return draw.one(ways)(draw, requester, home)
}

function drawBreaks(draw: Random, requester: Requester, home: WorldCollection): OracleRequest | undefined {
  const { world, view, viewpoint } = requester
  if (home.laws.rules.length === 0) return undefined
  const rule = draw.one(home.laws.rules)
  const path = pathOf(home, 'records', { breaks: rule.id, perPage: '500' })
  const seen = collectionIn(view, home.name)
  if (!seen) return { path, reads: 'walk', expected: { status: 404, code: 'collection-not-found' } }
  if (!viewpoint.manages.has(home.name)) return { path, reads: 'walk', expected: { status: 403, code: 'forbidden' } }
  if (!isRuleShown(world, viewpoint, home, rule))
    return { path, reads: 'walk', expected: { status: 400, code: 'invalid-request' } }
  if (!isRuleDisclosed(world, viewpoint, home, rule))
    return { path, reads: 'walk', expected: { status: 403, code: 'forbidden' } }
  const ids = violatingRecords(requester, home, rule).map(({ id }) => id)
  return { path, reads: 'walk', expected: { status: 200, ids } }
}

export function violatingRecords(
  { world, view, viewpoint }: Pick<Requester, 'world' | 'view' | 'viewpoint'>,
  home: WorldCollection,
  rule: WorldRule,
): readonly WorldRecord[] {
  const alone = { ...home, laws: { ...home.laws, rules: [rule] } }
  const broken = home.records.filter(
    (record) => ruleErrors({ world, viewpoint }, alone, { before: null, after: record }).length > 0,
  )
  const seen = collectionIn(view, home.name)?.records ?? []
  return expectedOrder(
    view,
    seen.filter(({ id }) => broken.some((one) => one.id === id)),
    [],
  )
}

function unread({ view }: Requester, home: WorldCollection, field: WorldField): readonly string[] {
  const textsIn = (records: readonly WorldRecord[]): readonly string[] =>
    records.flatMap((record) => scalarsOf(record, field)).map(String)
  const read = textsIn(collectionIn(view, home.name)?.records ?? [])
  return textsIn(home.records).filter((text) => !read.includes(text))
}

/** Text is converted to a number, which fails for most values; the loss is reported for readable values only. */
function drawOtherKind(draw: Random, requester: Requester, home: WorldCollection): OracleRequest | undefined {
  const fields = storedFields(home).filter(({ kind }) => kind === 'text' || kind === 'long-text')
  const field = draw.one(fields)
  const isLost = home.records.some((record) => scalarsOf(record, field).length > 0)
  if (!isLost) return undefined
  const path = `/api/collections/${home.name}/fields/${field.name}`
  return {
    path,
    method: 'PATCH',
    body: { kind: 'number' },
    reads: 'refusal',
    reported: unread(requester, home, field),
    expected: REFUSED,
  }
}

/** A field with the same value in several records can't be made unique. */
function drawUnique(draw: Random, requester: Requester, home: WorldCollection): OracleRequest | undefined {
  const fields = storedFields(home).filter((field) => {
    const texts = home.records.flatMap((record) => scalarsOf(record, field))
    return field.kind === 'text' && field.isUnique !== true && new Set(texts).size < texts.length
  })
  if (fields.length === 0) return undefined
  const field = draw.one(fields)
  const path = `/api/collections/${home.name}/fields/${field.name}`
  return {
    path,
    method: 'PATCH',
    body: { unique: true },
    reads: 'refusal',
    reported: unread(requester, home, field),
    expected: REFUSED,
  }
}

/** A collection with incoming relations can't be deleted; the error names only visible ones. */
function drawRemoval(_draw: Random, { world }: Requester, home: WorldCollection): OracleRequest | undefined {
  const isPointedAt = world.collections.some(
    (other) => other.name !== home.name && storedFields(other).some(({ target }) => target === home.name),
  )
  if (!isPointedAt) return undefined
  return { path: `/api/collections/${home.name}`, method: 'DELETE', reads: 'refusal', reported: [], expected: REFUSED }
}
