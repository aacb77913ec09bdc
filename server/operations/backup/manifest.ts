import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '#domain/shared/problem.ts'

/** What a folder with this file in it is: a backup, whole. It is written last. */
export const MANIFEST_FILE = 'manifest.json'

/** Where the snapshot of the database lies in a backup. */
export const DATABASE_FOLDER = 'database'

/** Where the bytes of files lie in a backup. */
export const BLOB_FOLDER = 'blobs'

/** The hashes of all files that a backup speaks of, one a line. */
export const BLOB_LIST = 'blobs.txt'

/** The secrets, called as in the data folder. */
export const KEY_FILE = 'keys.json'

/** Counts up when a program of before could not read what is written now. */
const FORMAT = 1

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of Dossier that wrote it, for people. */
  writtenBy: z.string(),
  at: z.iso.datetime(),
  /** The id of the workspace, where the database had one. */
  workspace: z.uuid().optional(),
  dialect: z.enum(['sqlite', 'postgres']),
  /** The last step that the tables had taken. */
  migration: z.int(),
  /** How many rows each table has. */
  rows: z.record(z.string(), z.int()),
  /** Every file of the backup but this one and the blobs, which bear their hash as a name. */
  parts: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
  /** Those that `are` left stayed in their store. The bytes of those that are lost were gone or damaged before. */
  blobs: z.object({
    are: z.enum(['inside', 'left']),
    count: z.int(),
    bytes: z.int(),
    lost: z.array(z.string()),
  }),
})

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifest>

/** A manifest of this format. */
export const newManifest = (rest: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...rest })

/** Reads what a folder says of itself; a Problem where it is no backup, or not a whole one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const said = await readFile(join(folder, MANIFEST_FILE), 'utf8')
    .then((text): unknown => JSON.parse(text))
    .then(undefined, () => undefined)
  const read = manifest.safeParse(said)
  if (read.success) return read.data
  throw new Problem(
    'not-found',
    `${folder} isn't a backup this version can read: ${MANIFEST_FILE} is missing or invalid. Interrupted backups have none.`,
  )
}
