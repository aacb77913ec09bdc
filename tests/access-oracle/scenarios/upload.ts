import type { Answer } from '#tests/support/server/test-app.ts'
import { sendingHeaders } from '#tests/access-oracle/world/build-world.ts'
import { expectUpdates } from '#tests/access-oracle/expect/expect-single-write.ts'
import { expectUpload } from '#tests/access-oracle/expect/expect-transfer.ts'
import { differencesThere, type Outcome, writable } from './write.ts'
import { visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import { leaksIn, type Difference, type Visit } from './visit.ts'
import type { World, WorldCollection, WorldField, WorldValue } from '#tests/access-oracle/world/world.ts'

type Target = { readonly home: WorldCollection; readonly field: WorldField; readonly id: string | undefined }

const NOWHERE = '0'.repeat(26)

export async function checkUpload(visit: Visit, world: World): Promise<Outcome> {
  const { viewpoint, marks } = visit
  const target = drawTarget(visit, world)
  const { home, field, id } = target
  const name = `${marks.next()} neu.txt`
  const named = { collection: home.name, field: field.name, ...(id !== undefined && { record: id }) }
  const path = `/api/tus?${new URLSearchParams(named)}`
  const answer = await send(visit, path, name)

  const requested = `POST ${path}`
  const expected = expectUpload({ world, viewpoint }, home, field, id) ?? '201'
  const found = resultOf(answer)
  visit.count(`upload, ${found === '201' ? 'taken' : 'refused'}`)
  if (found !== expected) return { world, differences: [{ requested, expected, found: answer.text }] }
  const reported = leaksIn(
    requested,
    answer.text,
    [path, ...writable(world, viewpoint)],
    [visibleWorld(world, viewpoint)],
  )
  if (found !== '201') return { world, differences: reported }

  const file = String(answer.headers['location']).split('/').at(-1) ?? ''
  const sent = new Map([...world.sent, [file, { by: viewpoint.me.id, home: home.name, field: field.name }]])
  const after: World = { ...world, sent, fileNames: new Map([...world.fileNames, [file, name]]) }
  const alone = await differencesOfSent(visit, requested, file)
  return alone.length > 0 || id === undefined
    ? { world: after, differences: alone }
    : attach(visit, after, { ...target, id }, file)
}

const resultOf = ({ status, body }: Answer): string => (status < 400 ? String(status) : `${status} ${body?.code}`)

function drawTarget({ draw }: Visit, world: World): Target {
  const home = draw.one(world.collections)
  const files = home.fields.filter(({ kind }) => kind === 'files')
  const field = draw.one(files.length > 0 && draw.chance(0.85) ? files : home.fields)
  const id = draw.chance(0.75) ? draw.one([...home.records.map((record) => record.id), NOWHERE]) : undefined
  return { home, field, id }
}

const send = ({ caller, viewpoint }: Visit, path: string, name: string): Promise<Answer> =>
  caller.request('POST', path, {
    raw: Buffer.from('Hallo'),
    headers: { ...sendingHeaders(name, 5, 'text/plain'), 'time-zone': viewpoint.zone },
  })

/** An unattached file is visible only to its sender, not even to the owner. */
async function differencesOfSent(
  { caller, owner, guest }: Visit,
  requested: string,
  file: string,
): Promise<readonly Difference[]> {
  const expected = [200, 404, 401]
  const found: number[] = []
  for (const who of [caller, owner, guest]) found.push((await who.get(`/api/files/${file}`)).status)
  return found.every((status, at) => status === expected[at]) ? [] : [{ requested, expected, found }]
}

async function attach(
  { caller, owner, viewpoint }: Visit,
  world: World,
  { home, field, id }: Target & { readonly id: string },
  file: string,
): Promise<Outcome> {
  const had = home.records.find((record) => record.id === id)?.values[field.name]
  const files: WorldValue = [...(typeof had === 'object' && had !== null ? had : []), file]
  const sent = { [field.name]: files }
  const path = `/api/collections/${home.name}/records/${id}`
  const answer = await caller.patch(path, { values: sent }, { 'time-zone': viewpoint.zone })
  const { refusals, world: changed } = expectUpdates({ world, viewpoint }, home, [{ id, sent }], true)

  const requested = `PATCH ${path} ${JSON.stringify(sent)}`
  const found = resultOf(answer)
  const expected = refusals.size > 0 ? [...refusals] : ['200']
  if (!expected.includes(found)) return { world, differences: [{ requested, expected, found: answer.text }] }
  const after = found === '200' ? changed : world
  const isMeant = (name: string): boolean => found === '200' && name === home.name
  return { world: after, differences: await differencesThere(requested, owner, after, isMeant) }
}
