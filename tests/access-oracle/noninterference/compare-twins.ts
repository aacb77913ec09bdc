import { DISCLOSURE_KINDS, type DisclosureKind } from '#domain/access/disclosures.ts'
import type { Grant } from '#domain/access/grant.ts'
import { sendRequest } from '#tests/access-oracle/requests/send-request.ts'
import { type BuiltWorld, buildWorld } from '#tests/access-oracle/world/build-world.ts'
import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import { randomRules, createRules } from '#tests/access-oracle/world/rules-and-workflow.ts'
import { ACCESS_MODES } from '#tests/access-oracle/requests/request.ts'
import { write } from '#tests/access-oracle/run-oracle.ts'
import { marksOf } from '#tests/access-oracle/world/markers.ts'
import { shareViews } from '#tests/access-oracle/world/shared-views.ts'
import { randomViewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import type { Visit } from '#tests/access-oracle/scenarios/visit.ts'
import { signInVisitor, grantsFor, identityFor } from '#tests/access-oracle/world/visitors.ts'
import { planWorld } from '#tests/access-oracle/world/plan-world.ts'
import type { World } from '#tests/access-oracle/world/world.ts'
import type { Caller } from '#tests/support/server/test-app.ts'
import { bringAbout } from './exceptions.ts'
import { excusesOf, type SecretPlace } from './excuses.ts'
import { type LogStart, probesOf, type Target } from './probes.ts'
import { plantSecret, type Secret } from './secrets.ts'
import { makeStagedWorld, stagedSecrets } from './staged-world.ts'
import { areAlike, type Exchange, type Twins } from './twins.ts'

/**
 * A response that differs between two worlds, with the listed disclosures that explain it; if none does, it is a leak.
 */
export type Difference = {
  readonly secret: string
  readonly exchange: Exchange
  readonly by: readonly DisclosureKind[]
}

export function inWords({ secret, exchange: { method, path, sent, answers } }: Difference): object {
  const [first = '', second = ''] = answers.map(
    ({ status, text, headers }) => `${status} ${text} ${JSON.stringify(headers)}`,
  )
  const from = Math.max(0, [...first].findIndex((letter, at) => letter !== second[at]) - 100)
  return {
    secret,
    requested: `${method} ${decodeURIComponent(path.replaceAll('+', ' '))} ${JSON.stringify(sent)}`,
    answers: [first, second].map((answer) => answer.slice(from, from + 300)),
  }
}

async function differencesIn(
  twins: Twins,
  { name, place, grants }: { readonly name: string; readonly place: SecretPlace; readonly grants: readonly Grant[] },
): Promise<readonly Difference[]> {
  const apart = twins.taken().filter((exchange) => !exchange.isOfOwner && !areAlike(exchange))
  if (apart.length === 0) return []
  const collections = await twins.collections()
  return apart.map((exchange) => ({ secret: name, exchange, by: excusesOf(exchange, place, { grants, collections }) }))
}

/** Triggers every listed disclosure, and returns which disclosures explain the resulting difference. */
export async function bringExceptionsAbout(
  twins: Twins,
): Promise<readonly { readonly kind: DisclosureKind; readonly by: readonly DisclosureKind[] }[]> {
  const occurred = []
  for (const kind of DISCLOSURE_KINDS) {
    twins.moveOn()
    const { grants, place } = await bringAbout(twins, kind)
    const found = await differencesIn(twins, { name: kind, place, grants })
    occurred.push({ kind, by: found.flatMap(({ by }) => by) })
  }
  return occurred
}

async function probe(caller: Caller, target: Target, start: LogStart): Promise<void> {
  for (const { method, path, body } of probesOf(target, start)) await caller.request(method, path, body ? { body } : {})
}

/**
 * Plants each secret of the staged world in a separate world and runs all requests against it. With `every` = 3, only a
 * third of the secrets are used.
 */
export async function askStagedWorld(twins: Twins, every = 1): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (let at = 0; ; at += every) {
    twins.moveOn()
    const since = twins.now()
    const planted = stagedSecrets(await makeStagedWorld(twins, at))[at]
    if (!planted) return found
    const after = await twins.endOfLog()
    const { make, target, ...secret } = planted
    const files = []
    for (const [one, owner] of twins.owners.entries()) files.push(...((await make(owner, one === 0)) ?? []))
    twins.moveOn()
    twins.visitors.grant(secret.grants)
    await twins.endOfLog()
    twins.taken()
    await probe(twins.visitors.granted, { ...target, files: [...new Set(files)] }, { since, after })
    found.push(...(await differencesIn(twins, secret)))
  }
}

const REQUESTS = 40

/**
 * Generates two worlds from a seed and sends both the same requests as a user who must not be able to tell them apart.
 */
export async function compareTwins(twins: Twins, seed: number): Promise<readonly Difference[]> {
  const draw = randomFrom(seed)
  const { owner, visitors } = twins
  twins.moveOn()
  const since = twins.now()
  const marks = marksOf(seed, [...twins.people.keys()])
  const built = await buildWorld({ owner, people: twins.people }, planWorld(draw, `n${seed}`, marks))
  const way = draw.one(ACCESS_MODES)
  const wanted = randomViewpoint(draw, built.world, identityFor(visitors, way))
  const { caller, viewpoint } = await signInVisitor(visitors, way, wanted, { built, draw, marks })
  const after = await twins.endOfLog()
  const planted = await plantSecret(twins, { draw, marks, world: built.world, viewpoint, bystander: twins.bystander })
  if (planted === undefined) return []
  twins.moveOn()
  const lawful = await createRules(owner, { ...built, world: randomRules(draw, planted.world, marks) })
  let world = await shareViews(owner, draw, marks, lawful.world)
  await twins.endOfLog()
  twins.taken()
  const { secret } = planted
  const place = placeOf(built, secret)
  const grants = grantsFor(viewpoint, built)
  const apart = () => differencesIn(twins, { name: secret.reported, place, grants })
  await probe(caller, targetOf(world, secret), { since, after })
  const found = [...(await apart())]
  const visit: Visit = {
    owner,
    guest: visitors.guest,
    caller,
    viewpoint,
    way,
    draw,
    marks,
    foreign: visitors.foreign,
    pasts: [],
    visitors,
    built,
    count: () => undefined,
  }
  for (let requested = 0; requested < REQUESTS; requested += 1) {
    // Most requests are sent before the writes, because writes can make the worlds diverge for a known reason.
    if (draw.chance(requested / REQUESTS)) world = (await write(visit, world)).world
    else await sendRequest(visit, world)
    const more = await apart()
    if (more.length > 0) return [...found, ...more]
  }
  return found
}

const placeOf = ({ idOf, fieldIdOf }: BuiltWorld, { collection, field, isUnseen }: Secret): SecretPlace => ({
  collection: idOf(collection),
  field: field === null ? null : fieldIdOf(collection, field),
  isUnseen,
})

const targetOf = ({ collections }: World, { collection, field, record, values }: Secret): Target => ({
  collections,
  collection,
  record,
  field,
  values,
  files: [],
})
