import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { makeFolder, readIfThere, syncFolder } from '#server/platform/storage/disk/file-system.ts'
import { BLOB_LIST } from '#server/operations/backup/manifest.ts'

/** Marks a folder put aside by a restore, which can itself be restored. */
const REPLACED_FILE = 'put-aside.json'

const replacedDataSchema = z.object({
  format: z.literal(1),
  at: z.iso.datetime(),
  dialect: z.enum(['sqlite', 'postgres']),
  workspace: z.uuid().optional(),
  /** On PostgreSQL, the schema in the same database that holds its tables. */
  schema: z.string().optional(),
})

export type ReplacedData = Omit<z.infer<typeof replacedDataSchema>, 'format'>

/** Undefined if the folder was not put aside by a restore. */
export async function readReplacedData(folder: string): Promise<ReplacedData | undefined> {
  const text = await readIfThere(join(folder, REPLACED_FILE))
  return text && replacedDataSchema.safeParse(JSON.parse(text.toString('utf8'))).data
}

/** Also lists all files in the storage, so that cleanup keeps them. */
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
