import { type DisclosureKind, disclosuresOf, type HiddenThing } from '#domain/access/disclosures.ts'
import { askQuestion } from '#tests/access-oracle/ask-question.ts'
import { type BuiltWorld, buildWorld } from '#tests/access-oracle/build-world.ts'
import { drawFrom } from '#tests/access-oracle/draw.ts'
import { drawLaws, giveLaws } from '#tests/access-oracle/laws.ts'
import { WAYS } from '#tests/access-oracle/question.ts'
import { write } from '#tests/access-oracle/run-oracle.ts'
import { marksOf } from '#tests/access-oracle/secrets.ts'
import { shareViews } from '#tests/access-oracle/shared-views.ts'
import { drawViewpoint } from '#tests/access-oracle/viewpoint.ts'
import type { Visit } from '#tests/access-oracle/visit.ts'
import { arrive, grantsFor, meBy } from '#tests/access-oracle/visitors.ts'
import { planWorld } from '#tests/access-oracle/world.ts'
import { plantSecret, type Secret } from './secrets.ts'
import { areAlike, type Exchange, type Twins } from './twins.ts'

/** An answer that differs between two worlds. */

/** An answer that differs between two worlds, and the disclosures that tell of it; without one it is a leak. */
export type Difference = {
  readonly seed: number
  readonly secret: Secret
  readonly exchange: Exchange
  readonly by: readonly DisclosureKind[]
}

/** Builds the worlds of a seed, and asks both the same as somebody who cannot tell them apart. */
export async function askTwins(twins: Twins, seed: number, requests: number): Promise<readonly Difference[]> {
  const draw = drawFrom(seed)
  const { owner, visitors } = twins
  twins.moveOn()
  const marks = marksOf(seed, [...twins.people.keys()])
  const built = await buildWorld({ owner, people: twins.people }, planWorld(draw, `n${seed}`, marks))
  const way = draw.one(WAYS)
  const wanted = drawViewpoint(draw, built.world, meBy(visitors, way))
  const { caller, viewpoint } = await arrive(visitors, way, wanted, { built, draw, marks })
  const planted = await plantSecret(twins, { draw, marks, world: built.world, viewpoint, bystander: twins.bystander })
  if (planted === undefined) return []
  const lawful = await giveLaws(owner, { ...built, world: drawLaws(draw, planted.world, marks) })
  let world = await shareViews(owner, draw, marks, lawful.world)
  twins.taken()
  const visit: Visit = {
    owner,
    guest: visitors.guest,
    caller,
    viewpoint,
    way,
    draw,
    marks,
    foreign: visitors.foreign,
    visitors,
    built,
    count: () => undefined,
  }
  for (let asked = 0; asked < requests; asked += 1) {
    // What is written may lead the two worlds apart for a known reason, so most questions come before.
    if (draw.chance(asked / requests)) world = (await write(visit, world)).world
    else await askQuestion(visit, world)
    const apart = twins.taken().filter((exchange) => !exchange.isOfOwner && !areAlike(exchange))
    if (apart.length > 0) {
      const by = disclosuresOf(grantsFor(viewpoint, built), await twins.collections())
        .filter(({ tells }) => tells.some((told) => isSecret(built, planted.secret, told)))
        .map(({ kind }) => kind)
      return apart.map((exchange) => ({ seed, secret: planted.secret, exchange, by }))
    }
  }
  return []
}

/** Whether a disclosure tells of this secret: of its field, or of records that are out of sight. */
const isSecret = ({ idOf, fieldIdOf }: BuiltWorld, { collection, field }: Secret, told: HiddenThing): boolean =>
  told.collection === idOf(collection) &&
  (told.field === null || (field !== null && told.field === fieldIdOf(collection, field)))
