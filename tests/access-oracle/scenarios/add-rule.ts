import { isDeepStrictEqual } from 'node:util'
import { isRuleShown, isRuleDisclosed, managedWorld } from '#tests/access-oracle/expect/visible-definitions.ts'
import { randomCondition, printCondition } from '#tests/access-oracle/generate/random-condition.ts'
import { collectionIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { violatingRecords } from '#tests/access-oracle/requests/schema-requests.ts'
import type { Outcome } from './write.ts'
import { visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import { leaksIn, type Difference, type Visit } from './visit.ts'
import type { World, WorldRule } from '#tests/access-oracle/world/world.ts'

type RuleBody = { readonly id: string; readonly message: string }

export async function checkAddedRule(visit: Visit, world: World): Promise<Outcome | undefined> {
  const { caller, viewpoint, draw, marks, count } = visit
  const view = visibleWorld(world, viewpoint)
  const homes = view.collections.filter(({ name, fields }) => viewpoint.manages.has(name) && fields.length > 0)
  if (homes.length === 0) return undefined
  const seen = draw.one(homes)
  const home = collectionIn(world, seen.name) ?? seen
  const fresh: WorldRule = {
    id: '',
    when: draw.chance(0.5) ? randomCondition(draw, { ...view, me: null }, seen, { depth: 1 }) : null,
    then: randomCondition(draw, { ...view, me: null }, seen, { depth: 1 }),
    message: `Mind ${marks.next()}.`,
  }
  const known = home.laws.rules.filter((rule) => isRuleShown(world, viewpoint, home, rule))
  const path = `/api/collections/${home.name}`
  const headers = { 'time-zone': viewpoint.zone }
  const body = { rules: [...known, fresh].map(sent) }
  const made = await caller.patch(path, body, headers)
  const isReported = isRuleDisclosed(world, viewpoint, home, fresh)
  count(`rule, ${isReported ? 'taken' : 'refused'}`)

  const requested = `PATCH ${path} ${JSON.stringify(body)}`
  const found = { status: made.status, broken: made.body.broken?.map(({ count: some }: { count: number }) => some) }
  const expected = isReported
    ? { status: 200, broken: [violatingRecords({ world, view, viewpoint }, home, fresh).length] }
    : { status: 422, broken: undefined }
  if (!isDeepStrictEqual(found, expected)) return { world, differences: [{ requested, expected, found: made.text }] }

  const ended = await caller.patch(path, { rules: known.map(sent) }, headers)
  const views = [view, managedWorld(world, viewpoint)]
  const reported = [made, ended].flatMap(({ text }) => leaksIn(requested, text, [JSON.stringify(body)], views))
  return { world, differences: [...reported, ...(await rulesThere(visit, world, requested))] }
}

const sent = ({ id, when, then, message }: WorldRule) => ({
  ...(id !== '' && { id }),
  when: when && printCondition(when),
  then: printCondition(then),
  message,
})

async function rulesThere({ owner }: Visit, { collections }: World, requested: string): Promise<readonly Difference[]> {
  const { body } = await owner.get('/api/collections')
  const made: readonly { readonly name: string; readonly rules?: readonly RuleBody[] }[] = body.items
  const idsOf = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id).toSorted()
  return collections.flatMap(({ name, laws }) => {
    const expected = idsOf(laws.rules)
    const found = idsOf(made.find((one) => one.name === name)?.rules ?? [])
    return isDeepStrictEqual(found, expected) ? [] : [{ requested, expected, found }]
  })
}
