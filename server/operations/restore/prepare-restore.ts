import { createWriteStream } from 'node:fs'
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { Problem } from '#domain/shared/problem.ts'
import { BLOB_LIST, DATABASE_FOLDER, KEY_FILE } from '#server/operations/backup/manifest.ts'
import { keyIdsIn } from '#server/platform/crypto/key-file.ts'
import { databaseFilesIn } from '#server/platform/database/sqlite/sqlite-snapshot.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { makeFolder, readIfThere, statIfThere, syncFolder } from '#server/platform/storage/disk/file-system.ts'
import { PREPARED_FOLDER, type RestoreDeps, type RestoreJournal } from './restore-journal.ts'

/** Marks a folder with replaced data from an earlier restore, which can itself be restored. */
const REPLACED_FILE = 'put-aside.json'

const replacedDataSchema = z.object({
  format: z.literal(1),
  at: z.iso.datetime(),
  dialect: z.enum(['sqlite', 'postgres']),
  workspace: z.uuid().optional(),
  /** PostgreSQL only: the schema that contains the replaced tables, in the same database. */
  schema: z.string().optional(),
})

export type ReplacedData = Omit<z.infer<typeof replacedDataSchema>, 'format'>

/** Undefined if the folder doesn't contain data replaced by a restore. */
export async function readReplacedData(folder: string): Promise<ReplacedData | undefined> {
  const text = await readIfThere(join(folder, REPLACED_FILE))
  return text && replacedDataSchema.safeParse(JSON.parse(text.toString('utf8'))).data
}

/** Also writes a list of all files in storage, so that the cleanup doesn't delete them. */
async function prepareReplacedData(folder: string, about: ReplacedData, storage: BlobStorage): Promise<void> {
  await makeFolder(folder)
  const list = join(folder, BLOB_LIST)
  await pipeline(Readable.from(hashLines(storage)), createWriteStream(list, { mode: 0o600, flush: true }))
  const text = JSON.stringify({ format: 1, ...about }, null, 1)
  await writeFile(join(folder, REPLACED_FILE), text, { mode: 0o600, flush: true })
  await syncFolder(folder)
}

async function* hashLines(storage: BlobStorage): AsyncGenerator<string> {
  for await (const { hash } of storage.list()) yield `${hash}\n`
}

/** Folders with unfinished uploads and imports, which belong to the replaced database. */
const UNFINISHED = ['uploads', 'imports']

const PREPARED_REPLACED = 'put-aside'

export type KeysPlan = {
  readonly present: Buffer | undefined
  readonly wanted: Buffer | undefined
  readonly isSwitched: boolean
}

/** After a rotation, the existing key file may already include the backup's keys; it is then kept. */
export async function planKeys({ place, replaces }: RestoreDeps, source: string): Promise<KeysPlan> {
  const file = join(place.dataFolder, KEY_FILE)
  const [present, wanted] = [await readIfThere(file), await readIfThere(join(source, KEY_FILE))]
  const isOther = present !== undefined && wanted !== undefined && !coversKeys(place.dataFolder, source)
  if (!isOther || replaces) return { present, wanted, isSwitched: isOther }
  throw new Problem(
    'not-ready',
    `DOSSIER_DATA: ${file} contains the keys of another workspace. Nothing was changed. Choose an empty folder, or add --replace to move the existing data aside.`,
  )
}

/** An unreadable key file counts as not containing the keys; it is moved aside. */
function coversKeys(present: string, wanted: string): boolean {
  const [have, want] = [keyIdsIn(present), keyIdsIn(wanted)]
  return Array.isArray(have) && Array.isArray(want) && want.every((id) => have.includes(id))
}

type ReplacedFolder = { readonly name: string; readonly at: string; readonly keys: KeysPlan }

/** Copies keys that remain in use instead of moving them. */
export async function prepareReplacedFolder(
  { place }: RestoreDeps,
  { name, at, keys }: ReplacedFolder,
  storage: BlobStorage,
): Promise<void> {
  const folder = join(place.dataFolder, PREPARED_FOLDER, PREPARED_REPLACED)
  const isSqlite = place.databaseUrl === undefined
  const workspace = z.uuid().safeParse(await storage.identity.read()).data
  const about = isSqlite ? ({ dialect: 'sqlite' } as const) : ({ dialect: 'postgres', schema: name } as const)
  await prepareReplacedData(folder, { at, workspace, ...about }, storage)
  if (keys.present !== undefined && !keys.isSwitched) await writeDurably(join(folder, KEY_FILE), keys.present)
}

export async function prepareFiles(
  prepared: string,
  { folder }: { readonly folder: string },
  { present, wanted, isSwitched }: KeysPlan,
): Promise<void> {
  const isPlaced = isSwitched || present === undefined
  if (wanted !== undefined && isPlaced) await writeDurably(join(prepared, KEY_FILE), wanted)
  for (const name of UNFINISHED) {
    if ((await statIfThere(join(folder, name))) !== undefined)
      await copyFolder(join(folder, name), join(prepared, name))
  }
  await syncFolder(prepared)
}

async function writeDurably(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, bytes, { mode: 0o600, flush: true })
  await syncFolder(dirname(file))
}

async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(to)
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const copy = join(to, relative(from, path))
    await makeFolder(dirname(copy))
    await copyFile(path, copy)
    await syncFolder(copy)
    await syncFolder(dirname(copy))
  }
}

/** Moves the prepared folder first, because the replaced files are moved into it. */
export async function replacedMoves(
  dataFolder: string,
  name: string,
  { isSwitched }: KeysPlan,
): Promise<RestoreJournal['aside']> {
  const there = new Set(await readdir(dataFolder))
  const files = [...(isSwitched ? [KEY_FILE] : []), ...UNFINISHED].filter((file) => there.has(file))
  return [
    { from: join(PREPARED_FOLDER, PREPARED_REPLACED), to: name },
    ...databaseFilesIn(dataFolder).map((file) => ({ from: file, to: join(name, DATABASE_FOLDER, file) })),
    ...files.map((file) => ({ from: file, to: join(name, file) })),
  ]
}

export const restoredMoves = async (prepared: string): Promise<RestoreJournal['place']> =>
  (await readdir(prepared))
    .filter((name) => name !== PREPARED_REPLACED)
    .map((name) => ({ from: join(PREPARED_FOLDER, name), to: name }))
