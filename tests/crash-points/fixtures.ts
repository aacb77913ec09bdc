import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { assertSameKeys } from '#server/operations/keys/verify-keys.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { ensureOwner } from '#server/identity/setup/ensure-owner.ts'
import { OWNER, openOn } from '#tests/support/server/test-workspace.ts'
import { demand } from '#tests/attack/workload/client.ts'
import type { Place, Places, SavedPlace } from './places.ts'
import { runCommand } from './run-command.ts'

/** The places in which commands run. */
export type World = {
  readonly empty: SavedPlace
  readonly older: SavedPlace
  /** The same workspace later. */
  readonly newer: SavedPlace
  /** Another workspace, with its own keys and an unfinished upload. */
  readonly other: SavedPlace
  /** The other workspace after it was replaced by a backup of the older one. */
  readonly replaced: SavedPlace
  /** The older workspace, its files still on disk while the settings name S3. */
  readonly onDisk: SavedPlace
  /** The older workspace with a storage that belongs to another one. */
  readonly unowned: SavedPlace
  /** The older workspace without its keys. */
  readonly keyless: SavedPlace
  /** The backup folder of the older workspace. */
  readonly backup: string
}

/** Creates the older workspace and its backup; the others are created on first use. */
export async function createWorld(places: Places): Promise<World> {
  const older = await workspace(places, 'older')
  const backup = await backUp(places, older)
  const other = madeOnce(() => workspace(places, 'other'))
  return {
    empty: madeOnce(async () => places.save(await places.make())),
    older,
    newer: madeOnce(() => workspace(places, 'newer', older)),
    other,
    replaced: madeOnce(() => replacedBy(places, other, backup)),
    onDisk: madeOnce(() => copiedToDisk(places, older)),
    unowned: madeOnce(() => withOtherOwner(places, older)),
    keyless: madeOnce(() => withoutKeys(places, older)),
    backup,
  }
}

function madeOnce(make: () => Promise<SavedPlace>): SavedPlace {
  let made: Promise<SavedPlace> | undefined
  return { open: async () => (await (made ??= make())).open() }
}

/** Fills a place with records and files under a name. */
async function fill({ config }: Place, name: string): Promise<void> {
  const { owner, database, close } = await openOn({ ...config, owner: OWNER })
  await assertSameKeys(config, database)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Files', kind: 'files' },
  ]
  demand(await owner.ask('POST', '/api/collections', { label: name, fields }), 201)
  for (const at of [1, 2]) {
    const form = new FormData()
    form.append('filepond', new Blob([`file ${at} of ${name}`]), 'note.txt')
    const file = demand(await owner.ask('POST', `/api/uploads?collection=${name}&field=files`, form), 201).text
    const values = { title: `case ${at} of ${name}`, files: [file] }
    demand(await owner.ask('POST', `/api/collections/${name}/records`, { values }), 201)
  }
  await close()
  await mkdir(join(config.dataFolder, 'uploads'), { recursive: true })
  await writeFile(join(config.dataFolder, 'uploads', '01g00000000000000000000001'), `unfinished in ${name}`)
}

/** Adds owners, and saves the place while SQLite has them only in its log, as a killed server leaves it. */
async function saveWithPeople(places: Places, place: Place, name: string): Promise<SavedPlace> {
  const database = await openDatabase(place.config, { openedBy: 'command-line' })
  const deps = { database, clock: () => new Date(), newId: createIdGenerator(Date.now, randomBytes) }
  for (const at of [1, 2, 3, 4, 5, 6]) {
    const person = { email: `${name}-${at}@example.org`, name: `${name} ${at}`, password: OWNER.password }
    await ensureOwner(deps, person)
  }
  const saved = database.dialect === 'sqlite' ? await places.save(place) : undefined
  await database.close()
  return saved ?? places.save(place)
}

async function workspace(places: Places, name: string, from?: SavedPlace): Promise<SavedPlace> {
  const place = await (from ? from.open() : places.make())
  await fill(place, name)
  return saveWithPeople(places, place, name)
}

async function replacedBy(places: Places, saved: SavedPlace, backup: string): Promise<SavedPlace> {
  const place = await saved.open()
  await runWell(place, ['restore', backup, '--replace'])
  return places.save(place)
}

async function copiedToDisk(places: Places, saved: SavedPlace): Promise<SavedPlace> {
  const place = await saved.open()
  if (place.config.s3 === undefined) return saved
  await runWell(place, ['files:copy', '--to', 'disk'])
  await place.removeObjects()
  return places.save(place)
}

async function withOtherOwner(places: Places, saved: SavedPlace): Promise<SavedPlace> {
  const place = await saved.open()
  const storage = await openStorage(place.config, () => undefined)
  await storage.identity.replace(randomUUID())
  return places.save(place)
}

async function withoutKeys(places: Places, saved: SavedPlace): Promise<SavedPlace> {
  const place = await saved.open()
  await rm(join(place.config.dataFolder, 'keys.json'))
  return places.save(place)
}

/** Backs up a place, and returns the folder. */
async function backUp(places: Places, saved: SavedPlace): Promise<string> {
  const [place, folder] = [await saved.open(), await places.folder()]
  await runWell(place, ['backup', folder])
  await place.remove()
  return join(folder, (await readdir(folder))[0] ?? '')
}

async function runWell(place: Place, words: readonly string[]): Promise<void> {
  const { exitCode, printed } = await runCommand(place, words)
  if (exitCode !== 0) throw new Error(printed)
}
