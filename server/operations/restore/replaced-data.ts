import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { makeFolder, readIfThere, syncFolder } from '#server/platform/storage/disk/file-system.ts'
import { BLOB_LIST } from '#server/operations/backup/manifest.ts'

/** In a folder that a restore put aside: what it is. It can be restored like a backup. */
const REPLACED_FILE = 'put-aside.json'

const replacedDataSchema = z.object({
  format: z.literal(1),
  /** When it was put aside. */
  at: z.iso.datetime(),
  dialect: z.enum(['sqlite', 'postgres']),
  /** The id of the workspace that the storage belonged to. */
  workspace: z.uuid().optional(),
  /** On PostgreSQL the schema with its tables, in the same database. */
  schema: z.string().optional(),
})

/** What a restore put aside. */
export type ReplacedData = Omit<z.infer<typeof replacedDataSchema>, 'format'>

/** What a folder was put aside with; undefined where it is another folder. */
export async function readReplacedData(folder: string): Promise<ReplacedData | undefined> {
  const text = await readIfThere(join(folder, REPLACED_FILE))
  return text && replacedDataSchema.safeParse(JSON.parse(text.toString('utf8'))).data
}

/** Makes the folder for what is put aside, with a list of all files in the storage: the sweep keeps what is listed. */
export async function prepareReplacedData(folder: string, about: ReplacedData, storage: BlobStorage): Promise<void> {
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
