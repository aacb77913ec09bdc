import { sendRequest } from './requests/send-request.ts'
import { type Builder, type BuiltWorld, buildWorld } from './world/build-world.ts'
import { randomFrom } from './generate/random.ts'
import { randomRules, createRules, setTimeZone } from './world/rules-and-workflow.ts'
import { marksOf } from './world/markers.ts'
import { shareViews } from './world/shared-views.ts'
import { checkImport } from './scenarios/import.ts'
import { checkImpersonation } from './scenarios/impersonate.ts'
import { checkRoleGrants } from './scenarios/grant-roles.ts'
import { restoreNames, checkLookalikeNames } from './scenarios/lookalike-names.ts'
import { checkOptionChanges } from './scenarios/rename-options.ts'
import { checkAddedRule } from './scenarios/add-rule.ts'
import { checkUpload } from './scenarios/upload.ts'
import { checkTransition } from './scenarios/transition.ts'
import { differencesThere, type Outcome, checkWrite } from './scenarios/write.ts'
import { randomViewpoint, ZONES } from './expect/viewpoint.ts'
import type { Visit } from './scenarios/visit.ts'
import { ACCESS_MODES } from './requests/request.ts'
import { signInVisitor, identityFor, type Visitors } from './world/visitors.ts'
import { planWorld } from './world/plan-world.ts'
import type { Past, World } from './world/world.ts'
import { randomWrite } from './generate/writes.ts'

/** A response that differs from the oracle's, with everything needed to reproduce it. */
export type Disagreement = {
  readonly seed: number
  readonly request: number
  readonly requested: string
  readonly zone: string
  readonly grants: readonly (readonly [collection: string, grants: unknown])[]
  readonly expected: unknown
  readonly found: unknown
}

const VIEWPOINTS_A_WORLD = 8
const QUESTIONS_A_VIEWPOINT = 50
const SHARE_OF_WRITES = 0.4

/** The time changes, so that lists of an earlier time can be requested; the date stays the same. */
const MS_BETWEEN_REQUESTS = 10

export function describeDisagreement({
  seed,
  request,
  requested,
  zone,
  grants,
  expected,
  found,
}: Disagreement): string {
  const lines = [`world ${seed}, request ${request}, ${zone}: ${requested}`]
  for (const [collection, granted] of grants) lines.push(`  ${collection}: ${JSON.stringify(granted)}`)
  return [...lines, `  expected ${JSON.stringify(expected)}`, `  found    ${JSON.stringify(found)}`].join('\n')
}

export const REQUESTS_PER_WORLD = VIEWPOINTS_A_WORLD * QUESTIONS_A_VIEWPOINT

export type Requested = {
  readonly disagreements: readonly Disagreement[]
  readonly counts: ReadonlyMap<string, number>
}

/** Generates a world from a seed, sends requests as several users, and reports differences. */
export async function askWorld(builder: Builder, visitors: Visitors, seed: number): Promise<Requested> {
  const counts = new Map<string, number>()
  const count = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return { disagreements: await disagreementsIn(builder, visitors, { seed, count }), counts }
}

async function disagreementsIn(
  builder: Builder,
  visitors: Visitors,
  { seed, count }: { readonly seed: number } & Pick<Visit, 'count'>,
): Promise<Disagreement[]> {
  const draw = randomFrom(seed)
  const marks = marksOf(seed, [...builder.people.keys()])
  const plain = await buildWorld(builder, planWorld(draw, `w${seed}`, marks))
  const built: BuiltWorld = await createRules(builder.owner, { ...plain, world: randomRules(draw, plain.world, marks) })
  await restoreNames(builder.people, [visitors.granted, visitors.member])
  const zoned = await setTimeZone(builder.owner, draw, built.world)
  let world = await shareViews(builder.owner, draw, marks, zoned)
  const disagreements: Disagreement[] = []
  const pasts: Past[] = []
  let request = 0
  for (let visited = 0; visited < VIEWPOINTS_A_WORLD; visited += 1) {
    const way = draw.one(ACCESS_MODES)
    const wanted = randomViewpoint(draw, world, identityFor(visitors, way))
    const { caller, viewpoint } = await signInVisitor(visitors, way, wanted, { built, draw, marks })
    let visit: Visit = {
      owner: builder.owner,
      guest: visitors.guest,
      caller,
      viewpoint,
      way,
      draw,
      marks,
      foreign: visitors.foreign,
      pasts,
      visitors,
      built,
      count,
    }
    for (let requested = 0; requested < QUESTIONS_A_VIEWPOINT; requested += 1) {
      request += 1
      visit = travelled(visit)
      const isWrite = draw.chance(SHARE_OF_WRITES)
      if (isWrite) pasts.push({ at: visitors.clock.now().toISOString(), world })
      visitors.clock.move(MS_BETWEEN_REQUESTS)
      const outcome = isWrite ? await write(visit, world) : { world, differences: await sendRequest(visit, world) }
      world = outcome.world
      if (outcome.viewpoint) visit = { ...visit, viewpoint: outcome.viewpoint }
      for (const difference of outcome.differences)
        disagreements.push({
          seed,
          request,
          zone: visit.viewpoint.zone,
          grants: [...visit.viewpoint.grants],
          ...difference,
        })
      // After an incorrect write, all further differences are consequences of it.
      if (isWrite && outcome.differences.length > 0) return disagreements
    }
    const left = await differencesThere('all of this visit', builder.owner, world)
    for (const difference of left)
      disagreements.push({
        seed,
        request,
        zone: visit.viewpoint.zone,
        grants: [...visit.viewpoint.grants],
        ...difference,
      })
    if (left.length > 0) return disagreements
  }
  return disagreements
}

function travelled(visit: Visit): Visit {
  const { draw, viewpoint, count } = visit
  if (!draw.chance(0.08)) return visit
  count('choose a time zone')
  return { ...visit, viewpoint: { ...viewpoint, zone: draw.one(ZONES) } }
}

const TRIALS = {
  upload: checkUpload,
  import: checkImport,
  look: checkImpersonation,
  rule: checkAddedRule,
  way: checkTransition,
  name: checkLookalikeNames,
  options: checkOptionChanges,
  give: checkRoleGrants,
}
const KINDS = [
  ...Array.from({ length: 12 }, () => 'write' as const),
  'upload',
  'import',
  'import',
  'look',
  'rule',
  'way',
  'name',
  'options',
  'give',
] as const

export async function write(visit: Visit, world: World): Promise<Outcome> {
  const { draw, viewpoint, marks } = visit
  const kind = visit.way === 'seen' ? 'write' : draw.one(KINDS)
  const tried = kind === 'write' ? undefined : await TRIALS[kind](visit, world)
  return tried ?? checkWrite(visit, world, randomWrite(draw, { world, viewpoint }, marks))
}
