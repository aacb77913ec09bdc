import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { type Client, clientAt, demand, signIn } from '#tests/attack/workload/client.ts'
import { startServer } from '#tests/support/server/started-server.ts'
import { OWNER, openOn } from '#tests/support/server/test-workspace.ts'
import { openPlaces, type Place, type Places, type SavedPlace } from './places.ts'
import { difference, type Snapshot, takeSnapshot, withoutRandom } from './snapshot.ts'

/** Crash points tried per action; all with CRASH_POINTS=all. */
const TRIED = process.env['CRASH_POINTS'] === 'all' ? Number.POSITIVE_INFINITY : 3

const PRELOAD = new URL('crash-preload.ts', import.meta.url).href

/** The first operation that counts: one that changes records, the trash, deleted definitions or manual orders. */
const FIRST_OPERATION = '(?:into|update|from|table) "?(?:c_|l_|trash|deleted_definitions|view_positions)'

/** The rows that an action may change, without those of sessions and background work. */
const CHANGED_ROWS =
  /^(?:(?:[cl]_\w+|trash|changes|change_sets|assets|collections|deleted_definitions|file) |audit_log .*"records-removed")/

let places: Places
let saved: SavedPlace
let expired: SavedPlace
let actions: Awaited<ReturnType<typeof fill>>

beforeAll(async () => {
  places = await openPlaces('on disk')
  const place = await places.make()
  actions = await fill(place)
  saved = await places.save(place)
  await expireTrash(place)
  expired = await places.save(place)
})
afterAll(() => places.close())

type Request = readonly [method: string, path: string, body?: object]

/** Creates a workspace with deleted records, a deleted field, and changes to undo; returns requests for each. */
async function fill({ config }: Place) {
  const { owner, close } = await openOn({ ...config, owner: OWNER })
  const ask = async (method: string, path: string, body?: object) =>
    demand(await owner.ask(method, path, body), 200, 201, 204).body
  const { fields } = await ask('POST', '/api/collections', {
    label: 'Cases',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Files', kind: 'files' },
      { label: 'Note', kind: 'text' },
    ],
  })
  const related = { label: 'Related', kind: 'relation', options: { collection: 'cases', many: true } }
  await ask('POST', '/api/collections/cases/fields', related)
  const records = '/api/collections/cases/records'
  const ids: string[] = []
  for (const at of [1, 2, 3, 4, 5]) {
    const form = new FormData()
    form.append('filepond', new Blob([`file ${at}`]), 'note.txt')
    const file = demand(await owner.ask('POST', '/api/uploads?collection=cases&field=files', form), 201).text
    const values = { title: `case ${at}`, files: [file], note: `note ${at}`, related: ids.slice(-2) }
    ids.push((await ask('POST', records, { values })).id)
  }
  const [first, second, third, ...rest] = ids
  const created = await ask('POST', `${records}/bulk`, {
    create: [{ values: { title: 'new' } }, { values: { title: 'other' } }],
  })
  const changed = await ask('POST', `${records}/bulk`, {
    update: rest.map((id) => ({ id, values: { title: 'changed', files: [] } })),
  })
  const deleted = await ask('POST', `${records}/bulk`, { delete: [first, second] })
  await ask('DELETE', `${records}/${third}`)
  await ask('DELETE', `/api/collections/cases/fields/${fields[2].id}`)
  const [note] = (await ask('GET', '/api/trash/definitions')).items
  await close()
  const undo = ({ changeSet }: { changeSet: string }): Request => ['POST', `/api/change-sets/${changeSet}/undo`]
  const requests = {
    'emptying the trash': ['POST', '/api/trash/delete', { records: [first, second, third] }],
    'restoring records': ['POST', '/api/trash/restore', { records: [first, second] }],
    'undoing a deletion': undo(deleted),
    'undoing a change': undo(changed),
    'undoing a creation': undo(created),
    'restoring a field': ['POST', `/api/trash/definitions/${note.id}/restore`],
    'deleting a field permanently': ['DELETE', `/api/trash/definitions/${note.id}`],
  } satisfies Record<string, Request>
  return requests as Record<keyof typeof requests, Request>
}

/** The first start after this empties the trash. */
async function expireTrash({ config }: Place): Promise<void> {
  const database = await openDatabase(config, { openedBy: 'command-line' })
  await database.write(async ({ db }) => {
    await db.updateTable('trash').set({ deleted_at: '2020-01-01T00:00:00.000Z' }).execute()
  })
  await database.close()
}

const AT_STARTUP = 'emptying the trash at startup'

type Action = keyof typeof actions | typeof AT_STARTUP

const ACTIONS: readonly Action[] = [
  'emptying the trash',
  'restoring records',
  'undoing a deletion',
  'undoing a change',
  'undoing a creation',
  'restoring a field',
  'deleting a field permanently',
  AT_STARTUP,
]

const placeFor = (action: Action): Promise<Place> => (action === AT_STARTUP ? expired : saved).open()

const ownerAt = async (url: string): Promise<Client> => {
  const client = clientAt(url)
  return client.as((await signIn(client, OWNER.email, OWNER.password)).token)
}

const operationsIn = async (trace: string): Promise<readonly string[]> =>
  (await readFile(trace, 'utf8').then(undefined, () => '')).split('\n').filter((line) => line !== '')

const isCommit = (operation: string | undefined): boolean => /commit/i.test(operation ?? '')

/** Performs the action on a server that is killed at the given operation, if any; returns the operations. */
async function perform(place: Place, action: Action, crashAt?: number): Promise<readonly string[]> {
  const trace = join(await places.folder(), 'operations')
  const ignored = (error: unknown): undefined => {
    if (crashAt === undefined) throw error
  }
  const server = await startServer({
    dataFolder: place.config.dataFolder,
    program: ['--import', PRELOAD, 'dist/server/main.js'],
    env: {
      ...place.env,
      CRASH_FROM: FIRST_OPERATION,
      CRASH_TRACE: trace,
      ...(crashAt !== undefined && { CRASH_AT: String(crashAt) }),
    },
  }).then(undefined, ignored)
  if (server && action !== AT_STARTUP) {
    const answer = ownerAt(server.url).then((owner) => owner.ask(...actions[action]))
    await answer.then((one) => demand(one, 200, 204), ignored)
  } else {
    const isOver = (operations: readonly string[]) => operations.length === crashAt || operations.some(isCommit)
    await expect.poll(async () => isOver(await operationsIn(trace))).toBe(true)
  }
  await (crashAt === undefined ? server?.stop() : server?.kill())
  return operationsIn(trace)
}

const stateOf = async ({ config }: Place): Promise<Snapshot> =>
  (await takeSnapshot(config)).filter((line) => CHANGED_ROWS.test(line) && !isExpiredFile(line))

/** Whether the cleanup may have deleted it, in any state. */
function isExpiredFile(line: string): boolean {
  const row = /^assets (?<row>.*)$/.exec(line)?.groups?.['row']
  const expiry: string | null = row === undefined ? null : JSON.parse(row).expires_at
  return expiry !== null && Date.parse(expiry) <= Date.now()
}

/** Performs the action after a crash; it may have been completed before. */
async function complete({ config }: Place, action: Action): Promise<void> {
  const { owner, close } = await openOn({ ...config, owner: OWNER })
  if (action !== AT_STARTUP) demand(await owner.ask(...actions[action]), 200, 204, 404)
  await close()
}

/** The last operation of the first commit; on PostgreSQL, it has several. */
function lastOfCommit(operations: readonly string[]): number {
  const first = operations.findIndex(isCommit)
  const next = operations.findIndex((operation, at) => at > first && !isCommit(operation))
  return next === -1 ? operations.length : next
}

test.each(ACTIONS)('a server killed while %s leaves the state before or after it', async (action) => {
  const place = await placeFor(action)
  const known = await stateOf(place)
  const seen = async (one: Place): Promise<Snapshot> => withoutRandom(await stateOf(one), known)
  const operations = await perform(place, action)
  const [before, after] = [withoutRandom(known, known), await seen(place)]
  await place.remove()
  expect(difference(before, after)).not.toEqual([])
  const last = lastOfCommit(operations)
  const tried = Math.min(last, TRIED)
  for (let at = 0; at < tried; at += 1) {
    const crashAt = last - Math.floor((at * last) / tried)
    const killed = await placeFor(action)
    await perform(killed, action, crashAt)
    const left = await seen(killed)
    const isDone = difference(after, left).length === 0
    expect(isDone ? [] : difference(before, left), `killed at “${operations[crashAt - 1]}”`).toEqual([])
    await complete(killed, action)
    expect(difference(after, await seen(killed)), `repeated after “${operations[crashAt - 1]}”`).toEqual([])
    await killed.remove()
  }
})
