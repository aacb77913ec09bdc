import { visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import type { Outcome } from './write.ts'
import type { Visit } from './visit.ts'
import type { World } from '#tests/access-oracle/world/world.ts'

const INVISIBLE = ['\u200B', '\u202E', '\u2060']

/** Renames the user, often to another user's name or email address; this must not change any permission. */
export async function checkLookalikeNames(visit: Visit, world: World): Promise<Outcome | undefined> {
  const { caller, viewpoint, way, draw, visitors, count } = visit
  if (way === 'token' || way === 'seen') return undefined
  const { me } = viewpoint
  const others = [...world.people].filter(([id]) => id !== me.id)
  const [other, taken] = draw.one(others)
  const hidden = draw.one(INVISIBLE)
  const name = draw.one([taken, visitors.emails.get(other) ?? '', other, 'zoe', 'owner', `own${hidden}er`, hidden])
  // A name that looks like an ID or an email address is rejected, because it could be mistaken for another user.
  const isSeen = !INVISIBLE.some((one) => name.includes(one)) && !name.includes('@') && name !== other
  const { status, text } = await caller.patch('/api/account/profile', { name })
  count(`rename oneself, ${isSeen ? 'taken' : 'refused'}`)

  const requested = `PATCH /api/account/profile ${JSON.stringify(name)}`
  const isTaken = status < 400
  if (isTaken !== isSeen)
    return { world, differences: [{ requested, expected: isSeen ? 'taken' : 'refused', found: text }] }
  if (!isTaken) return { world, differences: [] }
  const after: World = { ...world, people: new Map([...world.people, [me.id, name]]) }
  return {
    world: after,
    differences: differencesOfAccess(requested, visibleWorld(world, viewpoint), visibleWorld(after, viewpoint)),
  }
}

export function differencesOfAccess(requested: string, was: World, is: World): Outcome['differences'] {
  const [expected, found] = [was, is].map((world) =>
    JSON.stringify(
      world.collections.map(({ name, fields, records }) => [
        name,
        fields.map((field) => field.name),
        records.map(({ id, values }) => [id, Object.keys(values)]),
      ]),
    ),
  )
  return expected === found ? [] : [{ requested, expected: `the access of before: ${expected}`, found }]
}

export async function restoreNames(
  people: ReadonlyMap<string, string>,
  callers: readonly Visit['caller'][],
): Promise<void> {
  for (const caller of callers) {
    const { status, text } = await caller.patch('/api/account/profile', { name: people.get(caller.userId ?? '') })
    if (status >= 400) throw new Error(`The oracle could not restore a name: ${text}`)
  }
}
