import { isDeepStrictEqual } from 'node:util'
import { isRuleDisclosed, managedWorld } from '#tests/access-oracle/expect/visible-definitions.ts'
import { randomCondition, printCondition } from '#tests/access-oracle/generate/random-condition.ts'
import type { Outcome } from './write.ts'
import { visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import { leaksIn, type Visit } from './visit.ts'
import type { World } from '#tests/access-oracle/world/world.ts'

type MoveBody = {
  readonly id: string
  readonly name: string
  readonly from: string
  readonly to: string
  readonly note: string
  readonly roles?: readonly string[]
  readonly when?: unknown
}

type Way = { readonly transitions: readonly MoveBody[]; readonly states: unknown }

export async function checkTransition(visit: Visit, world: World): Promise<Outcome | undefined> {
  const { caller, owner, viewpoint, draw, count } = visit
  const homes = world.collections.filter(({ name, laws }) => viewpoint.manages.has(name) && laws.workflow?.moves.length)
  if (homes.length === 0) return undefined
  const home = draw.one(homes)
  const condition = randomCondition(draw, world, home, { depth: 1 })
  const path = `/api/collections/${home.name}`
  const wayOf = async (who: Visit['owner']): Promise<Way> => (await who.get(path)).body.workflow
  const [before, shown] = [await wayOf(owner), await wayOf(caller)]
  const chosen = draw.one(shown.transitions)
  const transitions = shown.transitions.map((move) => ({
    ...move,
    when: move === chosen ? printCondition(condition) : (move.when ?? null),
  }))
  const headers = { 'time-zone': viewpoint.zone }
  const answer = await caller.patch(path, { workflow: { ...sent(shown), transitions } }, headers)

  // A condition on unreadable fields would reveal for which records the transition is available, and so the values of
  // these fields.
  const rule = { id: '', when: null, then: condition, message: '' }
  const isReported = isRuleDisclosed(world, viewpoint, home, rule)
  count(`way, ${isReported ? 'taken' : 'refused'}`)
  const after = await wayOf(owner)
  const restored = await owner.patch(path, { workflow: sent(before) })
  const others = ({ transitions: all }: Way) => all.filter(({ id }) => id !== chosen.id)
  const requested = `PATCH ${path} “${chosen.name}” when ${printCondition(condition)}`
  const expected = [isReported ? 200 : 422, others(before), 200]
  const found = [answer.status, others(after), restored.status]
  if (!isDeepStrictEqual(found, expected))
    return { world, differences: [{ requested, expected, found: [found, answer.text] }] }
  const views = [visibleWorld(world, viewpoint), managedWorld(world, viewpoint)]
  return { world, differences: leaksIn(requested, answer.text, [printCondition(condition)], views) }
}

const sent = ({ transitions, states }: Way) => ({
  states,
  transitions: transitions.map((move) => ({ ...move, when: move.when ?? null })),
})
