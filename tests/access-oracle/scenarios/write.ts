import { isDeepStrictEqual } from 'node:util'
import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import { NEW, newAt } from '#tests/access-oracle/expect/expect-single-write.ts'
import { rejected } from '#tests/access-oracle/expect/expect-write.ts'
import { visibleWorld, type Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import { leaksIn, type Difference, type Visit } from './visit.ts'
import { collectionIn, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { settled, shownValues, storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import type { World, WorldCollection, WorldField } from '#tests/access-oracle/world/world.ts'
import type { Write } from '#tests/access-oracle/generate/writes.ts'

export type Outcome = {
  readonly world: World
  readonly differences: readonly Difference[]
  readonly viewpoint?: Viewpoint
}

export async function checkWrite(
  { caller, owner, viewpoint, way, count }: Visit,
  world: World,
  { kind, method, path, body, outcome: given, taken }: Write,
): Promise<Outcome> {
  const decided = way === 'seen' ? rejected(world, '403 view-as-read-only') : given
  count(`${kind}, ${decided.refusals.size > 0 ? 'refused' : 'taken'}`)
  const answer = await caller.request(method, path, { body, headers: { 'time-zone': viewpoint.zone } })
  const said = JSON.stringify(body ?? null)
  const requested = `${method} ${path} ${said}`
  const isTaken = answer.status < 400
  const expected = decided.refusals.size > 0 ? [...decided.refusals] : [String(taken.status)]
  const found = isTaken ? String(answer.status) : `${answer.status} ${answer.body.code}`
  if (!expected.includes(found)) return { world, differences: [{ requested, expected, found: answer.text }] }

  const after = isTaken ? named(decided.world, idsIn(answer)) : world
  const [was, is] = [visibleWorld(world, viewpoint), visibleWorld(after, viewpoint)]
  const sent = [path, said, ...writable(world, viewpoint)]
  // After a successful write, only its collection is compared, or all collections after a deletion; everything else is
  // compared at the end of the visit.
  const reachesFar = method === 'DELETE' || (body !== undefined && 'delete' in body)
  const isMeant = (name: string): boolean => reachesFar || path.startsWith(`/api/collections/${name}/`)
  // Links are shown to records that are visible after the write, which can depend on it.
  const linked = {
    ...was,
    collections: was.collections.map((home) => withLinksTo(is, home, collectionIn(world, home.name))),
  }
  const differences = [
    ...differencesIn(requested, answer, { taken, was: linked, is }),
    ...leaksIn(requested, answer.text, sent, [was, is]),
    ...(isTaken ? await differencesThere(requested, owner, after, isMeant) : []),
  ]
  return { world: after, differences }
}

const idsIn = ({ body }: Answer): readonly string[] => body?.created ?? [body?.id ?? NEW]

export const writable = (world: World, { grants }: Viewpoint): readonly string[] =>
  world.collections.flatMap(({ name, fields }) => {
    const granted = grants.get(name)
    const all = granted ? [...granted.create, ...granted.update, ...granted.import] : []
    return fields.filter((field) => all.some(({ hidden }) => !hidden.includes(field.name))).map(({ label }) => label)
  })

const named = (world: World, ids: readonly string[]): World =>
  settled({
    ...world,
    collections: world.collections.map((collection) => ({
      ...collection,
      records: collection.records.map((record) => ({
        ...record,
        id: ids[ids.findIndex((_, at) => newAt(at) === record.id)] ?? record.id,
      })),
    })),
  })

/** The visible part of a collection with links to all records that are visible in another world. */
function withLinksTo(view: World, seen: WorldCollection, whole: WorldCollection | undefined): WorldCollection {
  const links = storedFields(seen).filter(({ kind }) => kind === 'relation')
  const isVisible = ({ target }: WorldField, id: string): boolean =>
    collectionIn(view, target)?.records.some((one) => one.id === id) === true
  const records = seen.records.map((record) => {
    const all = whole?.records.find(({ id }) => id === record.id) ?? record
    const shown = links.filter(({ name }) => Object.hasOwn(record.values, name))
    const values = shown.map((field) => {
      const ids = scalarsOf(all, field)
        .map(String)
        .filter((id) => isVisible(field, id))
      return [field.name, field.many ? ids : (ids[0] ?? null)] as const
    })
    return { ...record, values: { ...record.values, ...Object.fromEntries(values) } }
  })
  return { ...seen, records }
}

function differencesIn(
  requested: string,
  answer: Answer,
  { taken, was, is }: { readonly taken: Write['taken']; readonly was: World; readonly is: World },
): Difference[] {
  const { record, counts } = taken
  // A conflict response includes the current record if the user can read it.
  const body = answer.status === 409 ? answer.body.current : answer.body
  if (answer.status >= 400 && answer.status !== 409) return []
  if (counts) return differencesInMany(requested, answer, taken, was)
  if (!record) return []
  const id = record.id === NEW ? body.id : record.id
  const home = is.collections.find(({ name }) => name === record.home)
  const seen = home?.records.find((one) => one.id === id)
  const expected = home && seen ? shownValues(home, seen.values) : {}
  return isDeepStrictEqual(body.values, expected) ? [] : [{ requested, expected, found: body.values }]
}

function differencesInMany(
  requested: string,
  answer: Answer,
  { counts, left = 0, remembers }: Write['taken'],
  was: World,
) {
  const [found, expected] = [countsIn(answer), { ...counts, left }]
  const differences = isDeepStrictEqual(found, expected) ? [] : [{ requested, expected, found }]
  return [...differences, ...differencesBefore(requested, answer, remembers, was)]
}

function countsIn({ body }: Answer): object {
  const { created, updated, deleted, refused: out = [] } = body
  const left = out.reduce((sum: number, { count }: { readonly count: number }) => sum + count, 0)
  return { created: created.length, updated, deleted, left }
}

type Remembered = { readonly id: string; readonly values: Readonly<Record<string, unknown>> }

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** Compares the reported previous values with those that the user could read before. */
function differencesBefore(requested: string, { body }: Answer, name: string | undefined, was: World): Difference[] {
  if (name === undefined) return []
  const records = was.collections.find((collection) => collection.name === name)?.records ?? []
  const reported: readonly Remembered[] = body.before
  const wrong = reported.filter(({ id, values }) => {
    const seen = records.find((one) => one.id === id)?.values ?? {}
    return Object.entries(values).some(([field, value]) => !isDeepStrictEqual(withoutNames(value), seen[field]))
  })
  return wrong.length === 0 ? [] : [{ requested, expected: records, found: wrong }]
}

export async function differencesThere(
  requested: string,
  owner: Caller,
  world: World,
  isMeant: (collection: string) => boolean = () => true,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const home of world.collections.filter((collection) => isMeant(collection.name))) {
    const { name, records } = home
    const { body } = await owner.get(`/api/collections/${name}/records?perPage=500&count=none`)
    const found = body.items.map(({ id, values }: { id: string; values: object }) => ({ id, values }))
    if (
      !isDeepStrictEqual(
        found,
        records.map(({ id, values }) => ({ id, values: shownValues(home, values) })),
      )
    )
      differences.push({ requested, expected: records, found })
  }
  return differences
}
